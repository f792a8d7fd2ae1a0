"""Find the entries in a mail, a saved file or a pasted text, and nothing else.

Invariants:
- `find` never raises: what cannot be read holds no entry, or is named among the problems.
- Every entry of a bundle or block is exact (SHA-256). A bare entry file carries no checksum of ours:
  its signature is one, and whoever takes an entry in verifies that first.
- Nothing of a mail but its entries and the bytes of its attached files leaves this module: no header, name
  or text, not even in a problem.
- Parts are judged by their bytes, not by their labels: mail programs rename, relabel and re-encode.
- Time is linear in the message. This is why the structure (RFC 2045, 2046) is cut here, with limits,
  and not by the library's parser: that one takes half a minute for 2 MiB of boundaries, and the
  square of a long Content-Type.
- A message yields no more than two bundles may hold, however small it was made: 2 MiB of mail can
  announce 300 MB of entries, and whoever reads them pays for each.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from dataclasses import dataclass, field

from pbem.errors import MalformedError
from pbem.transport import links
from pbem.transport.bundle import MAGIC, MAX_ENTRIES, MAX_TOTAL, Damage, blocks, check_entry, unpack

MAX_MESSAGE = 2 * 1024 * 1024
"""What is read of one message; the rest is not looked at."""
MAX_PARTS = 200
"""Parts of one message, those of messages within it included."""
MAX_DEPTH = 12
"""Parts within parts, and messages within messages."""
MAX_FILES = 20
"""Attached files of one message that are looked at."""
MAX_BUNDLES = 64
"""Different bundles that are opened in one message."""
_MAX_HEAD = 128 * 1024

_VERSION_LINE = re.compile(rb"(?:\xef\xbb\xbf)?v = [0-9]{1,4}\r?\n")
_HEADERS = re.compile(rb"(?:>?From [^\n]*\n)?(?:[!-9;-~]{1,76}[ \t]{0,8}:[^\n]*\n(?:[ \t][^\n]*\n)*)+")
_MAIL_FIELD = re.compile(
    rb"^(?:From|To|Date|Subject|Received|Return-Path|Message-ID|MIME-Version|Content-[a-z-]{4,30})[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
_CONTENT_TYPE = re.compile(rb"^Content-Type[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.IGNORECASE | re.MULTILINE)
_BOUNDARY = re.compile(rb'\bboundary[ \t]{0,8}=[ \t]{0,8}(?:"([^"]{1,200})"|([^\s;"]{1,200}))', re.IGNORECASE)
_ENCODING = re.compile(rb"^Content-Transfer-Encoding[ \t]*:\s{0,8}([a-z0-9-]+)", re.IGNORECASE | re.MULTILINE)
_LINE_END = re.compile(rb"\r{0,2}\n")
_MAGIC_BASE64 = binascii.b2a_base64(MAGIC, newline=False)
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_HEAD = 1024
"""So much of a damaged bundle is kept, to know its copy by."""
_ASK = "ask for the mail with its .pbem attachment or its armoured block"
_TOO_MUCH = MalformedError(
    "message holds more entries than two bundles may: the rest was not read",
    "whoever sent it should send fewer at a time, oldest first",
)


@dataclass(frozen=True, slots=True)
class Found:
    """What a message holds; empty if it is none of ours."""

    entries: tuple[bytes, ...] = ()
    """Exact bytes, in the order found, each once."""
    problems: tuple[MalformedError, ...] = ()
    """What was meant to be an entry and cannot be read, unless an intact copy came with it."""
    files: tuple[bytes, ...] = field(default=(), compare=False)
    """Attached files that are nothing of ours: a move may name one by its digest."""


def find(message: bytes) -> Found:
    """All entries in one RFC 5322 message, or in a bare .eml, .pbem, .toml or pasted text."""
    raw = message[:MAX_MESSAGE]
    search = _Search(raw)
    search.data(raw.lstrip(b"\r\n"), 0)
    # Several messages piped as one, or a broken structure: the markers of a block still stand.
    search.text(raw, report=search.is_empty)
    if len(message) > MAX_MESSAGE and not search.entries:
        search.give_up("message is larger than 2 MiB, and no entry is in its first 2")
    return search.result()


@dataclass(slots=True)
class _Search:
    """One run over one message: what was found so far."""

    whole: bytes
    entries: dict[bytes, None] = field(default_factory=dict)
    bundles: list[bytes] = field(default_factory=list)
    damages: list[Damage] = field(default_factory=list)
    problems: list[MalformedError] = field(default_factory=list)
    files: list[bytes] = field(default_factory=list)
    parts: int = 0
    opened: set[bytes] = field(default_factory=set)
    """Digests of the bundles that were opened: a copy in text or quoted is the same one."""
    room: int = 2 * MAX_TOTAL
    """Bytes of entries that this message may still bring."""

    @property
    def is_empty(self) -> bool:
        return not (self.entries or self.damages or self.problems)

    def result(self) -> Found:
        lost = (d.error for d in self.damages if not any(d.is_copy_of(b) for b in self.bundles))
        problems = {str(p): p for p in (*self.problems, *lost)}
        return Found(tuple(self.entries), tuple(problems.values()), tuple(self.files))

    def data(self, raw: bytes, depth: int) -> None:
        """The bytes of one part or of the whole, by what they look like."""
        if raw.startswith(MAGIC):
            self.bundle(raw)
        elif _VERSION_LINE.match(raw):
            self.bare_entry(raw)
        elif (head := _HEADERS.match(raw, 0, _MAX_HEAD)) and _MAIL_FIELD.search(head[0]):
            self.part(raw, depth)
        else:
            self.text(raw, report=True)

    def part(self, raw: bytes, depth: int) -> None:
        """A message, or a part of one: headers, then content that is decoded or has parts itself."""
        self.parts += 1
        if self.parts > MAX_PARTS or depth > MAX_DEPTH:
            self.give_up(f"message has over {MAX_PARTS} parts, or parts nested over {MAX_DEPTH} deep")
            return
        head = _HEADERS.match(raw, 0, _MAX_HEAD)
        headers = head[0] if head else b""
        body = _without_line_end(raw[len(headers) :])
        content_type = _CONTENT_TYPE.search(headers)
        boundary = _BOUNDARY.search(content_type[1][:4096]) if content_type else None
        parts = _parts(body, boundary[1] or boundary[2]) if boundary else []
        for part in parts:
            self.part(part, depth + 1)
        if not parts:
            encoding = _ENCODING.search(headers)
            content = _decoded(body, encoding[1].lower() if encoding else b"")
            if encoding and encoding[1].lower() == b"base64" and not content.startswith(MAGIC):
                self.files += [content] if len(self.files) < MAX_FILES else []
            self.data(content, depth + 1)

    def bundle(self, raw: bytes) -> None:
        digest = hashlib.sha256(raw).digest()
        if digest in self.opened:
            return
        if len(self.opened) == MAX_BUNDLES or self.room <= 0:
            self.problems.append(_TOO_MUCH)
            return
        self.opened.add(digest)
        try:
            entries = unpack(raw)
        except MalformedError as error:
            self.damages.append(Damage(error, raw[:_HEAD]))
            return
        self.bundles.append(raw)
        for entry in entries:
            self.add(entry)

    def add(self, entry: bytes) -> None:
        """One more entry, as far as there is room; an honest message never comes near the limit."""
        if entry in self.entries:
            return
        self.room -= len(entry)
        if self.room < 0 or len(self.entries) == 2 * MAX_ENTRIES:
            self.room = 0
            self.problems.append(_TOO_MUCH)
        else:
            self.entries[entry] = None

    def bare_entry(self, raw: bytes) -> None:
        """An entry has no CR and ends with one line end: undoing CRLF and blank lines restores it."""
        entry = raw.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
        try:
            check_entry(entry)
        except MalformedError as error:
            self.problems.append(error)
            return
        self.add(entry)

    def text(self, raw: bytes, *, report: bool) -> None:
        """Armoured blocks and links. They are ASCII: no character set matters; UTF-16 is ASCII and zeros."""
        raw = raw.replace(b"\0", b"")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
        found = blocks(text)
        for block in found:
            if isinstance(block, bytes):
                self.bundle(block)
            elif report:
                self.damages.append(block)
        for link in links.find(text):
            if isinstance(link, bytes):
                self.bundle(link)
            elif report:
                self.problems.append(link)
        if report and not found and _holds_bare_entry(text):
            self.problems.append(MalformedError("an entry stands bare within other text", _ASK))

    def give_up(self, why: str) -> None:
        """Only worth a word if it seems to be one of ours."""
        if b"BEGIN PBEM" in self.whole or b".pbem" in self.whole:
            self.problems.append(MalformedError(why, _ASK))


def _holds_bare_entry(text: str) -> bool:
    """Quoted or with a footer, an entry without armour cannot be told from its surroundings."""
    start = text.find("v = 2")
    table = text.find("[signature]", start)
    return 0 <= start < table and text.find("BEGIN SSH SIGNATURE", table) >= 0


def _without_line_end(raw: bytes) -> bytes:
    first = _LINE_END.match(raw)
    return raw[first.end() :] if first else raw


def _parts(body: bytes, boundary: bytes) -> list[bytes]:
    """What stands between the boundary's lines; the line end before such a line is part of it."""
    line = re.compile(rb"(?:^|\r?\n)--" + re.escape(boundary) + rb"(--)?[ \t]{0,80}(?:\r{0,2}\n|\Z)")
    found: list[bytes] = []
    start: int | None = None
    for mark in line.finditer(body):
        if start is not None:
            found.append(body[start : mark.start()])
        start = mark.end()
        if mark[1] or len(found) > MAX_PARTS:
            return found
    if start is not None:
        found.append(body[start:])
    return found


def _decoded(raw: bytes, encoding: bytes) -> bytes:
    """Undo the transfer encoding; base64 also where its label was lost."""
    if encoding == b"base64" or raw.lstrip().startswith(_MAGIC_BASE64):
        clean = _NOT_BASE64.sub(b"", raw.partition(b"=")[0])
        clean = clean[:-1] if len(clean) % 4 == 1 else clean
        return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))
    if encoding == b"quoted-printable":
        return binascii.a2b_qp(raw)
    return raw
