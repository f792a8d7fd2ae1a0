"""Real mail servers on loopback for tests: aiosmtpd takes mail into Maildirs, pymap serves them by IMAP.

Nothing is simulated: the clients under test open sockets, do TLS and log in. Ports are chosen by the
system, so tests may run side by side.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import ipaddress
import itertools
import mailbox
import ssl
import sys
import threading
from argparse import Namespace
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from proxyprotocol.reader import ProxyProtocolReader
from proxyprotocol.version import ProxyProtocolVersion
from pymap.backend.maildir import Config, Identity, Login
from pymap.imap import IMAPServer
from pymap.user import UserMetadata
from pysasl.hashing import BuiltinHash

HOST = "localhost"
PASSWORD = "correct horse"


def password_command(password: str = PASSWORD) -> list[str]:
    """What a user would configure: a command that prints the password."""
    return [sys.executable, "-c", f"print({password!r})"]


@dataclass(frozen=True)
class Certificate:
    """A certificate for localhost that its own file vouches for (SSL_CERT_FILE)."""

    path: Path

    def server_context(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.path)
        return context


def make_certificate(folder: Path, name: str = HOST) -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    names = [x509.DNSName(name), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    encoding = serialization.Encoding.PEM
    path.write_bytes(
        key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(encoding)
    )
    return Certificate(path)


@dataclass
class Post:
    """An SMTP and an IMAP server over the same Maildirs: what is sent to a user, that user can fetch."""

    folder: Path
    users: Sequence[str]
    smtp_port: int = 0
    imap_port: int = 0
    refuse: set[str] = field(default_factory=set)
    """Addresses the SMTP server refuses."""
    serial: Iterator[int] = field(default_factory=itertools.count)

    def maildir(self, user: str) -> Path:
        return self.folder / user

    def deliver(self, user: str, raw: bytes) -> None:
        """The exact bytes, by way of tmp/ into new/."""
        name = f"{next(self.serial):06}.test"
        (self.maildir(user) / "tmp" / name).write_bytes(raw)
        (self.maildir(user) / "tmp" / name).rename(self.maildir(user) / "new" / name)

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refuse or address.partition("@")[0] not in self.users:
            return "550 no such user here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        for address in envelope.rcpt_tos:
            self.deliver(address.partition("@")[0], envelope.content)
        return "250 OK"


def _authenticate(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
) -> AuthResult:
    right = isinstance(data, LoginPassword) and data.password == PASSWORD.encode()
    return AuthResult(success=right, handled=False)


Result = TypeVar("Result")


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    async def _cancel_all(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def close(self) -> None:
        self.run(self._cancel_all())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


async def _start_imap(
    post: Post, security: str, context: ssl.SSLContext | None, unsearchable: Sequence[bytes]
) -> asyncio.AbstractServer:
    args = Namespace(passlib_cfg=None, proxy_protocol=None)
    config = Config(
        args,
        base_dir=str(post.folder),
        layout="++",
        colon=None,
        host=None,
        port=0,
        tls_enabled=security == "starttls",
        ssl_context=context,
        hash_context=BuiltinHash(rounds=1),
        invalid_user_sleep=0.0,
        disable_search_keys=unsearchable,
    )
    config.apply_context()
    login = Login(config)
    for user in post.users:
        metadata = UserMetadata(config, user, password=config.hash_context.hash(PASSWORD))
        await Identity(config, login.tokens, user, None, {"admin"}).set(metadata)
    reader = ProxyProtocolReader(ProxyProtocolVersion.get(None))
    tls = context if security == "tls" else None
    return await asyncio.start_server(reader.get_callback(IMAPServer(login, config)), "127.0.0.1", 0, ssl=tls)


async def _start_smtp(
    post: Post, security: str, context: ssl.SSLContext | None, size_limit: int
) -> asyncio.AbstractServer:
    factory = partial(
        SMTP,
        post,
        hostname="test",
        data_size_limit=size_limit,
        tls_context=context if security == "starttls" else None,
        require_starttls=security == "starttls",
        authenticator=_authenticate,
        auth_require_tls=security == "starttls",
    )
    loop = asyncio.get_running_loop()
    return await loop.create_server(factory, "127.0.0.1", 0, ssl=context if security == "tls" else None)


@contextmanager
def post_office(
    folder: Path,
    users: Sequence[str],
    *,
    security: str = "none",
    certificate: Certificate | None = None,
    unsearchable: Sequence[bytes] = (),
    size_limit: int = 4 * 1024 * 1024,
) -> Iterator[Post]:
    """Both servers, running; `unsearchable` names IMAP search keys that this server refuses."""
    folder.mkdir(exist_ok=True)
    post = Post(folder, users)
    for user in users:
        mailbox.Maildir(post.maildir(user), create=True)
    context = certificate.server_context() if certificate else None
    loop = _Loop()
    try:
        smtp = loop.run(_start_smtp(post, security, context, size_limit))
        imap = loop.run(_start_imap(post, security, context, unsearchable))
        post.smtp_port = smtp.sockets[0].getsockname()[1]
        post.imap_port = imap.sockets[0].getsockname()[1]
        try:
            yield post
        finally:
            loop.run(_stop(smtp, imap))
    finally:
        loop.close()


async def _stop(*servers: asyncio.AbstractServer) -> None:
    """On the loop's own thread: closing is not safe from another."""
    for server in servers:
        server.close()
