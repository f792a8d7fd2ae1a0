"""What reading mail (IMAP) and sending it (SMTP) share: the password, TLS, and words for a failed connection.

Invariants:
- A password is asked for when it is needed, from a command of the user's choice or the system's
  keyring, goes to the server and nowhere else, and is never written, printed or put into an error.
- TLS verifies the server's certificate and name; there is no switch to turn that off. A server with a
  certificate of its own is trusted the usual way (SSL_CERT_FILE).
- A password never travels in the clear, except to this machine itself.
"""

from __future__ import annotations

import ipaddress
import shutil
import socket
import ssl
import subprocess
from collections.abc import Sequence
from typing import Literal

from pbem.errors import TransportError, UsageError

Security = Literal["tls", "starttls", "none"]
TIMEOUT = 60.0
"""Seconds without an answer before a server is given up."""
_PASSWORD_TIMEOUT = 300
"""Seconds for a password command: a person may have to unlock the keyring."""


def check(security: str, host: str, user: str | None) -> None:
    """Refuse an unknown kind of connection, names that could carry a command, and a password in the clear."""
    for what, name in (("host", host), ("user", user)):
        if name is not None and (not name or not name.isprintable()):
            raise UsageError(f"the mail server's {what} is empty or holds control characters", "correct it")
    if security not in ("tls", "starttls", "none"):
        raise UsageError(f"unknown connection security {security!r}", "use tls, starttls or none")
    if security == "none" and user is not None and not _is_here(host):
        raise UsageError(
            f"will not send a password to {host} without encryption", "use tls (or starttls) for this server"
        )


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


def keyring_command(host: str, user: str) -> list[str] | None:
    """The system keyring's own command for this account, if there is one here."""
    for argv in (
        ["secret-tool", "lookup", "server", host, "user", user],
        ["security", "find-internet-password", "-w", "-s", host, "-a", user],
        ["keyring", "get", host, user],
    ):
        if shutil.which(argv[0]):
            return argv
    return None


def password(host: str, user: str, command: Sequence[str] | None) -> str:
    """The first line the command prints (no shell; its own errors and prompts stay visible)."""
    argv = list(command) if command else keyring_command(host, user)
    if not argv:
        raise TransportError(
            f"no password for {user} at {host}",
            "name a command that prints it, for example: pass show mail/me",
        )
    hint = f"run it by hand: {argv[0]} …; its first line must be the password"
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, timeout=_PASSWORD_TIMEOUT, check=False)
    except (OSError, ValueError):
        raise TransportError(
            f"the password command {argv[0]!r} cannot be run", "is it on the PATH?"
        ) from None
    except subprocess.TimeoutExpired:
        raise TransportError(f"the password command {argv[0]!r} did not finish", hint) from None
    if done.returncode != 0:
        raise TransportError(f"the password command {argv[0]!r} failed ({done.returncode})", hint)
    try:
        secret = done.stdout.split(b"\n", 1)[0].rstrip(b"\r").decode("utf-8")
    except UnicodeDecodeError:
        raise TransportError(f"the password command {argv[0]!r} printed no UTF-8", hint) from None
    if not secret or "\0" in secret:
        raise TransportError(f"the password command {argv[0]!r} printed no password", hint)
    return secret


def connection_error(error: OSError, host: str, port: int) -> TransportError:
    """What went wrong below the mail protocol, and what to do about it."""
    where = f"{host}:{port}"
    if isinstance(error, ssl.SSLCertVerificationError):
        return TransportError(
            f"{where} showed a certificate that does not verify ({plain(error.verify_message)})",
            "check the host name; for a server with its own certificate set SSL_CERT_FILE",
        )
    if isinstance(error, ssl.SSLError):
        return TransportError(
            f"no TLS with {where}", "the port may be one for starttls (587, 143) and not for tls (465, 993)"
        )
    if isinstance(error, socket.gaierror):
        return TransportError(f"no such host: {host}", "check its name and your connection")
    if isinstance(error, TimeoutError):
        return TransportError(f"{where} does not answer", "check host, port and firewall; then try again")
    if isinstance(error, ConnectionRefusedError):
        return TransportError(f"{where} refuses connections", "check the port, and that the server runs")
    return TransportError(
        f"the connection to {where} broke ({plain(error.strerror or type(error).__name__)})", "try again"
    )


def plain(text: str | bytes) -> str:
    """A server's words, made safe to print: one short line of ASCII."""
    words = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    clean = "".join(ch if " " <= ch <= "~" else " " for ch in words)
    return " ".join(clean.split())[:160]
