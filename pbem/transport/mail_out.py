"""Write a mail that carries entries, and hand it over.

Invariants:
- Same arguments, same bytes: Message-ID and boundary come from the content, so sending again is
  the same mail, which any mail system may recognise as such.
- The message is 7-bit with CRLF, the bundle a base64 attachment of bytes, and the same bundle stands
  armoured in the text: one of the two survives every path. Files that moves name follow the bundle.
- Nothing given here can add a header: line ends and control characters in names, subjects and ids
  are refused, and the message is read back before it is returned.
- No shell, no password in this module's keeping (see account.py).
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import smtplib
import subprocess
import time
from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import IO
from urllib.parse import quote

from pbem.errors import PartlySentError, TransportError, UsageError
from pbem.system import write_whole
from pbem.transport import account
from pbem.transport.account import Security, plain
from pbem.transport.bundle import armour, pack
from pbem.transport.mail_headers import (
    Mailbox,
    check_message_id,
    id_header,
    is_domain,
    mailbox_header,
    one_line,
    parse_mailbox,
    text_header,
)
from pbem.transport.mail_in import MAX_MESSAGE, find

MAX_MAILTO = 8000
"""Longer links are cut or refused by common browsers and desktops."""
_REPLY = 1000
"""So many lines may a server answer to one command, of 8 kB each."""
_PATIENCE = 600.0
"""So many seconds one of its replies may take."""
_POLICY = SMTP.clone(cte_type="7bit")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_TEXT_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def subject_line(game_short: str, subject: str) -> str:
    """The subject with the mark that `mailbox.Imap` asks the server for; replies keep it."""
    return subject if "[pbem" in subject else f"[pbem {game_short}] {subject}"


def body_text(body: str, entries: Sequence[bytes]) -> str:
    """What a person reads, and below it the armoured block."""
    text = body.replace("\r\n", "\n").rstrip("\n") + "\n"
    if not entries:
        return text
    return text + "\nFor pbem; leave as it is:\n" + armour(pack(entries))


def compose(
    *,
    sender: str,
    recipients: Sequence[str],
    subject: str,
    body: str,
    entries: Sequence[bytes],
    game_short: str,
    attachment_name: str,
    date: datetime,
    in_reply_to: str | None = None,
    references: Sequence[str] = (),
    domain: str | None = None,
    files: Sequence[tuple[str, bytes]] = (),
) -> bytes:
    """A complete message (RFC 5322, CRLF). Without entries it is a plain note, with no attachment."""
    _check_names(game_short, attachment_name, date)
    author = parse_mailbox(sender, "sender")
    to = [parse_mailbox(one, "recipient") for one in recipients]
    if not to:
        raise UsageError("no recipient", "name at least one address")
    subject = one_line(subject_line(game_short, subject), "subject")
    text = body_text(body, entries)
    if _TEXT_CONTROL.search(text):
        raise UsageError("the text of the mail holds control characters", "remove them")
    reply = [check_message_id(in_reply_to)] if in_reply_to else []
    thread = [check_message_id(one) for one in references]
    domain = author.domain if domain is None else domain
    if not is_domain(domain):
        raise UsageError("the domain for message ids is no domain", "use what follows the @ of an address")
    when = format_datetime(date)
    named = [(name, hashlib.sha256(data).hexdigest()) for name, data in files]
    names = (game_short, attachment_name, domain, *named)
    digest = _digest(repr([author, to]), subject, text, when, repr(names), repr([reply, thread]))
    headers = [
        mailbox_header("From", [author]),
        mailbox_header("To", to),
        text_header("Subject", subject),
        f"Date: {when}\r\n",
        f"Message-ID: <{digest}@{domain}>\r\n",
        id_header("In-Reply-To", reply) if reply else "",
        id_header("References", thread) if thread else "",
        f"X-PBEM: 1 {game_short}\r\n",
    ]
    raw = "".join(headers).encode("ascii") + _content(
        text, entries, attachment_name, files, f"=_pbem_{digest}"
    )
    _read_back(raw, [author, *to], subject, entries)
    return raw


def _content(
    text: str,
    entries: Sequence[bytes],
    attachment_name: str,
    files: Sequence[tuple[str, bytes]],
    boundary: str,
) -> bytes:
    """The text, the bundle and the files as bytes in base64: the form that survives every path."""
    message = EmailMessage(policy=_POLICY)
    message.set_content(text, charset="utf-8", cte="quoted-printable")
    if entries:
        for name, data in ((attachment_name, pack(entries)), *files):
            message.add_attachment(
                data, maintype="application", subtype="octet-stream", cte="base64", filename=name
            )
        message.set_boundary(boundary)
    return bytes(message)


def _digest(*pieces: str) -> str:
    """SHA-256 over the pieces, each with its length, so that moving a border changes it."""
    digest = hashlib.sha256()
    for piece in pieces:
        raw = piece.encode("utf-8")
        digest.update(len(raw).to_bytes(4, "big") + raw)
    return digest.hexdigest()[:40]


def _check_names(game_short: str, attachment_name: str, date: datetime) -> None:
    for what, name in (("game", game_short), ("attachment", attachment_name)):
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"the {what}'s name does not fit a mail", "use letters, digits, dot, dash, underscore"
            )
    if date.tzinfo is None:
        raise UsageError("the date of a mail needs its time zone", "use UTC")


def _read_back(raw: bytes, people: Sequence[Mailbox], subject: str, entries: Sequence[bytes]) -> None:
    """What was written says what was asked for, header by header and entry by entry, or it does not leave.

    White space is not compared: the library puts some between the encoded words of a name.
    """
    if len(raw) > MAX_MESSAGE:
        raise UsageError(f"the mail would be larger than {MAX_MESSAGE} bytes", "shorten its text")
    again = message_from_bytes(raw, policy=_POLICY)
    read = [(a.display_name, a.addr_spec) for header in ("From", "To") for a in again[header].addresses]
    if [("".join(n.split()), a) for n, a in read] != [("".join(p.name.split()), p.address) for p in people]:
        raise UsageError("a name in the mail's addresses cannot be written safely", "use the bare address")
    if "".join(again["Subject"].split()) != "".join(subject.split()):
        raise UsageError("the subject cannot be written safely", "use simpler characters")
    if find(raw).entries != tuple(dict.fromkeys(entries)):
        raise UsageError("the entries cannot be read back from the mail", "please report this as a bug")


def save(message: bytes, path: Path) -> None:
    """As an .eml file for any mail program, whole or not at all."""
    try:
        write_whole(path, message)
    except OSError as error:
        raise TransportError(f"cannot write {path} ({error.strerror})", "choose another place") from None


def mailto(subject: str, recipients: Sequence[str], body_with_armour: str) -> str:
    """A link (RFC 6068) that opens the user's own mail program or webmail with everything filled in."""
    to = ",".join(quote(parse_mailbox(one, "recipient").address, safe="@") for one in recipients)
    body = body_with_armour.replace("\r\n", "\n").replace("\n", "\r\n")
    link = f"mailto:{to}?subject={quote(one_line(subject, 'subject'), safe='')}&body={quote(body, safe='')}"
    if len(link) > MAX_MAILTO:
        raise TransportError(
            f"the mail is too long for a mailto link ({len(link)} of {MAX_MAILTO} characters)",
            "save it as .eml, or paste the armoured block into a new mail",
        )
    return link


def hand_to_program(message: bytes, argv: Sequence[str]) -> None:
    """Give the message to a `sendmail -t` compatible program, which reads the recipients from it."""
    if not argv:
        raise UsageError("no program to send mail with", "for example: sendmail -t")
    lines = message.replace(b"\r\n", b"\n")  # what such programs expect on standard input
    try:
        done = subprocess.run(list(argv), input=lines, capture_output=True, timeout=120, check=False)
    except (OSError, ValueError):
        raise TransportError(f"the mail program {argv[0]!r} cannot be run", "is it on the PATH?") from None
    except subprocess.TimeoutExpired:
        raise TransportError(f"the mail program {argv[0]!r} did not finish", "try it by hand") from None
    if done.returncode != 0:
        words = plain(done.stderr) or "it says nothing"
        raise TransportError(
            f"the mail program {argv[0]!r} failed ({done.returncode}): {words}",
            "nothing is lost: sending again sends the same bytes",
        )


def hand_to_smtp(
    message: bytes,
    host: str,
    port: int,
    *,
    security: Security = "tls",
    user: str | None = None,
    password_command: Sequence[str] | None = None,
) -> None:
    """Give the message to a mail server, for all recipients in it."""
    account.check(security, host, user)
    sender, recipients = _envelope(message)
    secret = account.password(host, user, password_command) if user is not None else None
    lines = re.sub(rb"\r\n|\r|\n", b"\r\n", message)  # a bare line end could smuggle in a second message
    try:
        server = _connect(host, port, security)
        try:
            if user is not None and secret is not None:
                server.login(user, secret)
            refused = server.sendmail(sender, recipients, lines)
        finally:
            _leave(server)
    except smtplib.SMTPException as error:
        raise _smtp_error(error, f"{host}:{port}") from None
    except UnicodeEncodeError:
        raise TransportError("user and password for SMTP must be ASCII", "set another password") from None
    except OSError as error:
        raise account.connection_error(error, host, port) from None
    if refused:
        raise PartlySentError(*_refused(refused, f"{host}:{port}"))


def _envelope(message: bytes) -> tuple[str, list[str]]:
    headers = message_from_bytes(message, policy=_POLICY)
    senders = [a.addr_spec for a in getattr(headers["From"], "addresses", ())]
    to = [a.addr_spec for name in ("To", "Cc") for a in getattr(headers[name], "addresses", ())]
    if len(senders) != 1 or not to:
        raise UsageError("the message does not say from whom and to whom it is", "write it again with pbem")
    return senders[0], to


class _Replies:
    """What a server says, line by line: one that goes on without end has hung up."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._lines, self._asked = file, 0, time.monotonic()

    def readline(self, most: int) -> bytes:
        self._lines += 1
        if self._lines > _REPLY or time.monotonic() > self._asked + _PATIENCE:
            raise OSError("its reply never comes to an end")
        return self._file.readline(most)

    def again(self) -> None:
        """The next reply begins."""
        self._lines, self._asked = 0, time.monotonic()

    def close(self) -> None:
        self._file.close()


class _Server(smtplib.SMTP):
    """A mail server with a bound to each of its replies."""

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None:
            assert self.sock is not None
            self.file = _Replies(self.sock.makefile("rb"))
        self.file.again()
        return super().getreply()


class _TlsServer(smtplib.SMTP_SSL, _Server):
    """The same, encrypted."""


def _connect(host: str, port: int, security: Security) -> smtplib.SMTP:
    """An address literal as our name: the machine's real one is nobody's business."""
    me = "[127.0.0.1]"
    if security == "tls":
        return _TlsServer(host, port, me, timeout=account.TIMEOUT, context=account.tls_context())
    server = _Server(host, port, me, timeout=account.TIMEOUT)
    if security == "starttls":
        try:
            server.starttls(context=account.tls_context())
        except BaseException:
            server.close()
            raise
    return server


def _leave(server: smtplib.SMTP) -> None:
    """Once the server has taken the message, a broken farewell must not look like a failure."""
    with contextlib.suppress(OSError):
        server.quit()
    server.close()


def _refused(refused: dict[str, tuple[int, bytes]], where: str) -> tuple[str, str]:
    address, (code, words) = next(iter(refused.items()))
    others = f" and {len(refused) - 1} more" if len(refused) > 1 else ""
    return f"{where} refused the recipient {address}{others} ({code} {plain(words)})", "check the address"


def _smtp_error(error: smtplib.SMTPException, where: str) -> TransportError:
    """The server's answer in a line, with what to do about it."""
    again = "nothing is lost: sending again sends the same bytes"
    match error:
        case smtplib.SMTPRecipientsRefused(recipients=refused):
            return TransportError(*_refused(refused, where))
        case smtplib.SMTPSenderRefused(smtp_code=code, smtp_error=words, sender=sender):
            hint = "log in as a user who may send for it"
            return TransportError(f"{where} refused the sender {sender} ({code} {plain(words)})", hint)
        case smtplib.SMTPAuthenticationError(smtp_code=code):
            hint = "check user and password; some providers want a password made for this program"
            return TransportError(f"{where} refused the login ({code})", hint)
        case smtplib.SMTPNotSupportedError():
            return TransportError(
                f"{where} does not offer what is needed ({plain(str(error))})",
                "try another kind of security or port",
            )
        case smtplib.SMTPServerDisconnected():
            return TransportError(f"{where} hung up", again)
        case smtplib.SMTPResponseException(smtp_code=code, smtp_error=words):
            return TransportError(f"{where} did not take the message ({code} {plain(words)})", again)
        case _:
            return TransportError(f"{where} did not take the message ({plain(str(error))})", again)
