"""Where messages come from: a file, standard input, an mbox, a Maildir, an IMAP folder.

Invariants:
- Nothing is ever deleted or moved away; a message is marked as seen only when its `mark` is called,
  which the reader does once the entries in it are taken in.
- A message counts as dealt with when the next one is asked for. `cursor` says how far that went; a
  reader that dies before it has stored the cursor gets the same messages again, never fewer.
- A cursor is opaque text. One that does not fit (another folder, renumbered by the server, damaged)
  means starting over: entries taken in twice are the same entries.
- At most `MAX_MESSAGE` bytes and one are read of a message; `find` says what that means.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import imaplib
import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pbem.errors import TransportError
from pbem.transport import account
from pbem.transport.account import Security, plain
from pbem.transport.mail_in import MAX_MESSAGE

_LIMIT = MAX_MESSAGE + 1
_ANSWER = 2 * _LIMIT
"""So many bytes may answer one IMAP command: more than a message."""
_PATIENCE = 600.0
"""So many seconds one IMAP command may take."""
_SMALLEST = 100
"""A shorter message holds no signature: an mbox of a million empty ones costs what its bytes cost."""
_MARKS = 'OR OR OR HEADER X-PBEM "" SUBJECT "[pbem" TEXT "BEGIN PBEM" OR TEXT ".pbem" TEXT ".toml"'
"""IMAP search: mail of ours, or with a block pasted in, or with a bundle or entry file attached."""


def _no_mark() -> None:
    """Files and mboxes are read, never written."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it was stored."""

    raw: bytes
    mark: Callable[[], None] = _no_mark
    """Call it once the entries are taken in, before asking for the next message."""


def read_file(path: Path) -> Iterator[Message]:
    """A saved mail, bundle, entry or pasted text; an mbox is recognised by its first line."""
    with _opened(path) as file:
        yield from _messages(file)


def read_stdin() -> Iterator[Message]:
    """What a mail program or filter pipes in."""
    yield from _messages(sys.stdin.buffer)


def read_mbox(path: Path) -> Iterator[Message]:
    """All messages of an mbox file."""
    with _opened(path) as file:
        yield from _split_mbox(file)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        file = path.open("rb")
    except IsADirectoryError:
        raise TransportError(
            f"{path} is a folder", "a Maildir has folders new and cur; name it as such"
        ) from None
    except OSError as error:
        raise TransportError(f"cannot read {path} ({error.strerror})", "check the path") from None
    with file:
        yield file


def _messages(file: IO[bytes]) -> Iterator[Message]:
    start = file.read(_LIMIT)
    if start.startswith(b"From "):
        yield from _split_mbox(file, start)
    elif start:
        yield Message(start)


def _split_mbox(file: IO[bytes], start: bytes = b"") -> Iterator[Message]:
    """A line `From …` at the start or after an empty line begins a message; each is kept up to the limit."""
    message = bytearray()
    after_blank = True
    for line in _lines(start, file):
        if after_blank and line.startswith(b"From "):
            if len(message) >= _SMALLEST:
                yield Message(bytes(message))
            message.clear()
        elif len(message) < _LIMIT:
            message += line[: _LIMIT - len(message)]
        after_blank = line in (b"\n", b"\r\n")
    if len(message) >= _SMALLEST:
        yield Message(bytes(message))


def _lines(start: bytes, file: IO[bytes]) -> Iterator[bytes]:
    """Lines in pieces of bounded size, of what was read already and of the rest."""
    waiting = io.BytesIO(start)
    while piece := waiting.readline(65536):
        whole = piece.endswith(b"\n") or len(piece) == 65536
        yield piece if whole else piece + file.readline(65536)
    while piece := file.readline(65536):
        yield piece


class Maildir:
    """A Maildir's new/ and cur/, whether other programs are at work in it or not."""

    def __init__(self, path: Path, cursor: str | None = None) -> None:
        self.path = path
        self._done = set((cursor or "").split())
        """Of each message dealt with, a digest of the part of its name that never changes."""

    @property
    def cursor(self) -> str:
        return " ".join(sorted(self._done))

    def __iter__(self) -> Iterator[Message]:
        places = self._places()
        waiting = {_short(unique): unique for unique in sorted(places)}
        self._done &= waiting.keys()  # what is gone is forgotten
        for key, unique in waiting.items():
            if key not in self._done:
                raw = self._read(unique, places[unique])
                if raw is not None:
                    yield Message(raw, functools.partial(self._mark, unique))
                self._done.add(key)

    def _places(self) -> dict[str, Path]:
        """Where each message is now, by the part of its name before the flags."""
        places: dict[str, Path] = {}
        for folder in ("new", "cur"):
            try:
                names = os.listdir(self.path / folder)
            except OSError as error:
                raise TransportError(
                    f"{self.path} is not a Maildir that can be read ({folder}: {error.strerror})",
                    "a Maildir has the folders new, cur and tmp",
                ) from None
            places.update({n.partition(":2,")[0]: self.path / folder / n for n in names if n[0] != "."})
        return places

    def _read(self, unique: str, place: Path | None) -> bytes | None:
        """None if it is gone, or is no message; one that was moved meanwhile is looked for once more."""
        for _ in range(2):
            if place is None or place.is_dir():
                return None
            try:
                with place.open("rb") as file:
                    return file.read(_LIMIT)
            except FileNotFoundError:
                place = self._places().get(unique)
            except OSError as error:
                raise TransportError(f"cannot read {place} ({error.strerror})", "check its owner") from None
        return None

    def _mark(self, unique: str) -> None:
        """Into cur/ with the flag S; flags set by other programs stay. One that is gone needs no mark."""
        place = self._places().get(unique)
        if place is None:
            return
        flags = "".join(sorted(set(place.name.partition(":2,")[2]) | {"S"}))
        target = self.path / "cur" / f"{unique}:2,{flags}"
        try:
            if not target.exists():
                place.rename(target)
        except FileNotFoundError:
            return
        except OSError as error:
            raise TransportError(
                f"cannot mark {place} as seen ({error.strerror})", "check its owner"
            ) from None


def _short(unique: str) -> str:
    return hashlib.blake2b(os.fsencode(unique), digest_size=8).hexdigest()


class _Server(imaplib.IMAP4):
    """One that goes on answering without end is given up: its bytes and its time count from each command."""

    _heard = 0
    _asked: float | None = None

    def send(self, data: Any) -> None:
        self._heard, self._asked = 0, time.monotonic()
        super().send(data)

    def read(self, size: int) -> bytes:
        self._hear(size)
        return super().read(size)

    def readline(self) -> bytes:
        line = super().readline()
        self._hear(len(line))
        return line

    def _hear(self, size: int) -> None:
        self._heard += size
        late = self._asked is not None and time.monotonic() > self._asked + _PATIENCE
        if late or self._heard > _ANSWER:
            raise self.error("its answer never comes to an end")


class _TlsServer(imaplib.IMAP4_SSL, _Server):
    """The same, encrypted."""


class Imap:
    """New messages of an IMAP folder, fetched without touching their flags."""

    def __init__(
        self,
        host: str,
        port: int,
        user: str,
        password_command: Sequence[str] | None = None,
        folder: str = "INBOX",
        security: Security = "tls",
        *,
        cursor: str | None = None,
        everything: bool = False,
    ) -> None:
        """`everything` fetches all new mail, for a server whose search does not look into encoded text."""
        account.check(security, host, user)
        self.host, self.port, self.user, self.folder = host, port, user, folder
        self.security: Security = security
        self._password_command = password_command
        self._everything = everything
        self._writable = True
        self._validity, self._uid = self._resume(cursor)

    @property
    def cursor(self) -> str:
        """This folder, its UIDVALIDITY, and the UID up to which all is dealt with."""
        return f"{_short(self._name)} {self._validity} {self._uid}"

    @property
    def _name(self) -> str:
        return f"{self.host} {self.user} {self.folder}"

    def _resume(self, cursor: str | None) -> tuple[int, int]:
        found = re.fullmatch(r"([0-9a-f]{16}) ([0-9]{1,10}) ([0-9]{1,10})", cursor or "")
        return (int(found[2]), int(found[3])) if found and found[1] == _short(self._name) else (0, 0)

    def __iter__(self) -> Iterator[Message]:
        secret = account.password(self.host, self.user, self._password_command)
        with self._named_errors(), self._session(secret) as server:
            known = self._select(server)
            for uid in self._new(server):
                raw = self._fetch(server, uid)
                if raw is not None:
                    yield Message(raw, functools.partial(self._mark, server, uid))
                self._uid = uid
            self._uid = max(self._uid, known)

    @contextlib.contextmanager
    def _named_errors(self) -> Iterator[None]:
        where = f"{self.host}:{self.port}"
        try:
            yield
        except imaplib.IMAP4.abort:
            raise TransportError(f"{where} hung up", "try again; nothing is lost or read twice") from None
        except imaplib.IMAP4.error as error:
            raise TransportError(f"{where} refused ({plain(str(error))})", "try again") from None
        except OSError as error:
            raise account.connection_error(error, self.host, self.port) from None

    @contextlib.contextmanager
    def _session(self, secret: str) -> Iterator[imaplib.IMAP4]:
        context, timeout = account.tls_context(), account.TIMEOUT
        server: imaplib.IMAP4
        if self.security == "tls":
            server = _TlsServer(self.host, self.port, ssl_context=context, timeout=timeout)
        else:
            server = _Server(self.host, self.port, timeout=timeout)
        try:
            if self.security == "starttls":
                if "STARTTLS" not in server.capabilities:
                    raise TransportError(
                        f"{self.host}:{self.port} does not offer STARTTLS", "use tls, port 993"
                    )
                server.starttls(context)
            self._log_in(server, secret)
            yield server
        finally:
            with contextlib.suppress(imaplib.IMAP4.error, OSError):
                server.logout()

    def _log_in(self, server: imaplib.IMAP4, secret: str) -> None:
        """By PLAIN where offered, which takes any character; LOGIN takes ASCII only."""
        try:
            if "AUTH=PLAIN" in server.capabilities:
                server.authenticate("PLAIN", lambda _: f"\0{self.user}\0{secret}".encode())
            else:
                server.login(_quoted(self.user), secret)
        except imaplib.IMAP4.abort:
            raise
        except (imaplib.IMAP4.error, UnicodeEncodeError):
            raise TransportError(
                f"{self.host}:{self.port} refused the login of {self.user}",
                "check user and password; some providers want a password made for this program",
            ) from None

    def _select(self, server: imaplib.IMAP4) -> int:
        """Open the folder; start over if the server has renumbered it. The highest UID given out so far."""
        name = _quoted(_modified_utf7(self.folder))
        try:
            status, _ = server.select(name)
            self._writable = True
        except imaplib.IMAP4.readonly:
            status, _ = server.select(name, readonly=True)
            self._writable = False
        if status != "OK":
            raise TransportError(
                f"no folder {self.folder!r} at {self.host}", "check its name; INBOX always exists"
            )
        validity = _number(server, "UIDVALIDITY")
        if validity != self._validity:
            self._validity, self._uid = validity, 0
        return _number(server, "UIDNEXT") - 1

    def _new(self, server: imaplib.IMAP4) -> list[int]:
        """UIDs not dealt with: those with our marks, or all if the server cannot search for them."""
        since = f"UID {self._uid + 1}:*"
        answer: list[bytes | None] = []
        status = "NO"
        if not self._everything:
            with contextlib.suppress(imaplib.IMAP4.error):
                status, answer = server.uid("SEARCH", f"{since} {_MARKS}")
        if status != "OK":
            status, answer = server.uid("SEARCH", since)
        if status != "OK":
            raise TransportError(f"{self.host}:{self.port} does not list new messages", "try again")
        uids = {
            int(uid) for line in answer if line for uid in line.split() if uid.isdigit() and len(uid) < 11
        }
        return sorted(uid for uid in uids if uid > self._uid)  # `n:*` always names the last one too

    def _fetch(self, server: imaplib.IMAP4, uid: int) -> bytes | None:
        """The message up to the limit; None if it is gone. PEEK leaves it unseen."""
        status, answer = server.uid("FETCH", str(uid), f"(BODY.PEEK[]<0.{_LIMIT}>)")
        if status != "OK":
            raise TransportError(f"{self.host}:{self.port} does not give message {uid}", "try again")
        for piece in answer:
            if isinstance(piece, tuple) and b"BODY[" in piece[0].upper():
                return bytes(piece[1]) or None  # some servers give an expunged message as an empty one
        return None

    def _mark(self, server: imaplib.IMAP4, uid: int) -> None:
        if self._writable:
            with self._named_errors():
                server.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Seen)")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _number(server: imaplib.IMAP4, code: str) -> int:
    """A number from the answer to SELECT; 0 if the server does not say."""
    _, values = server.response(code)
    value = values[0] if values else None
    return int(value) if isinstance(value, bytes) and value.isdigit() else 0


def _modified_utf7(name: str) -> str:
    """A folder's name as IMAP writes it (RFC 3501 5.1.3): other scripts in base64 between & and -."""

    def encode(run: re.Match[str]) -> str:
        if run[0] == "&":
            return "&-"
        text = base64.b64encode(run[0].encode("utf-16-be")).decode("ascii")
        return "&" + text.rstrip("=").replace("/", ",") + "-"

    return re.sub(r"&|[^ -~]+", encode, name)
