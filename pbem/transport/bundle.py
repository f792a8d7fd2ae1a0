"""Several entries as one file (`pack`, `unpack`), and that file as text that survives mail (`armour`).

Invariants:
- `unpack(pack(entries)) == entries`, byte for byte; a damaged bundle is refused, never half read.
- A bundle says what it holds before it holds it, so every limit is checked before the bytes are read
  and nothing is inflated beyond what was announced.
- Its length follows from what can be read in the entries, never from what their opaque fields hide (`lean`).
- An armoured block yields the exact bundle or a `Damage`: whatever the finder forgives (quoting,
  wrapping, tags) is judged by the SHA-256 at the end of the block.
- No message quotes foreign bytes: they are not verified yet.

A bundle, in full (lengths in bytes, decimal; digests in lower-case hex):

    PBEM-BUNDLE 1 <entries> <plain|lean> <payload length>\\n
    <entry length> <SHA-256 of the entry>\\n          one such line per entry
    <payload>                                        the entries one after the other, or that made short
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.entities import html5

from pbem.errors import MalformedError
from pbem.transport import lean

MAX_ENTRY = 64 * 1024
"""PROTOCOL.md, Entry."""
MAX_ENTRIES = 1000
MAX_TOTAL = 512 * 1024
"""Entries of one bundle together; twice in a mail (attachment and block) this stays under 2 MiB."""
MAX_BLOCKS = 64
"""Armoured blocks looked at in one text."""

MAGIC = b"PBEM-BUNDLE "
_HEADER = re.compile(rb"PBEM-BUNDLE ([0-9]{1,4}) ([1-9][0-9]{0,3}) (plain|lean) ([1-9][0-9]{0,7})")
_INDEX = re.compile(rb"([1-9][0-9]{0,5}) ([0-9a-f]{64})")
_PAPER = re.compile(rb"[a-z]{2,20} = ")
"""How the papers of a contract begin: they travel in bundles too. Their own reader judges the rest."""
_SIGNATURE_END = '\n-----END SSH SIGNATURE-----\n"""\n'
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_RESEND = "ask for the mail again; sending again sends the same bytes"

_DASH = "-\u2010-\u2015\u2212"  # what mail programs make of "--" when they tidy up typing
_GAP = "[^0-9A-Za-z]{0,16}"  # a line break, quoting and the like, between any two letters of a marker
_WORDS = {word: _GAP.join(word) for word in ("BEGIN", "END", "PBEM")}
_MARKER = re.compile(rf"(?:({_WORDS['BEGIN']})|{_WORDS['END']}){_GAP}{_WORDS['PBEM']}(?={_GAP}[{_DASH}])")
_NAME = re.compile(_WORDS["PBEM"])
_DASH_BEFORE = re.compile(rf"[{_DASH}]{_GAP}\Z")
_CHECKSUM = re.compile(r"#([0-9A-Fa-f]{64})")
_NOISE = re.compile(r"[^A-Za-z0-9+/#]+")
_TAG = re.compile(r"<(?:/?[A-Za-z]|!)[^<>]{0,2000}>")
_REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,8}));")
_NAMED_QUOTE = re.compile(r"^(?:[ \t]*[A-Za-z]{1,8}[ \t]*[>|])+", re.MULTILINE)
_SOFT_BREAK = re.compile(r"=[ \t]*\r?\n")
_QP_BYTE = re.compile(r"=([0-9A-F]{2})")
_HEAD = 96
"""So many first bytes hold the header and the first digest, and so tell one bundle from another."""


def check_entry(raw: bytes) -> None:
    """Refuse what cannot be an entry, or a paper of a contract, by its outside; what it says is not read."""
    if len(raw) > MAX_ENTRY:
        raise MalformedError(f"entry is larger than {MAX_ENTRY} bytes")
    if raw.startswith(b"\xef\xbb\xbf"):
        raise MalformedError("entry starts with a byte order mark", "save it as UTF-8 without one")
    paper = _PAPER.match(raw) is not None
    if not paper and not raw.startswith(b"v = 2\n"):
        raise MalformedError("entry does not start with the line v = 2", "a newer pbem may be needed")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise MalformedError("entry is not UTF-8: its character set was changed", _RESEND) from None
    if _CONTROL.search(text):
        raise MalformedError("entry holds control characters", _RESEND)
    if not text.endswith("\n"):
        raise MalformedError("entry does not end with a line end: it was cut short", _RESEND)
    if not paper and not ("\n[signature]\n" in text and text.endswith(_SIGNATURE_END)):
        raise MalformedError("entry does not end with its signature: it was cut short or changed", _RESEND)


def pack(entries: Sequence[bytes]) -> bytes:
    """One file for these entries, in this order."""
    fewer = "send fewer at a time, oldest first"
    if not entries:
        raise MalformedError("nothing to pack")
    if len(entries) > MAX_ENTRIES:
        raise MalformedError(f"more than {MAX_ENTRIES} entries in one bundle", fewer)
    if sum(map(len, entries)) > MAX_TOTAL:
        raise MalformedError(f"more than {MAX_TOTAL} bytes of entries in one bundle", fewer)
    for entry in entries:
        check_entry(entry)
    payload, form = b"".join(entries), b"plain"
    short = lean.shorten(payload)
    if len(payload) - len(short) > max(256, len(payload) // 5):  # otherwise a person can read the file
        payload, form = short, b"lean"
    index = [b"%d %s\n" % (len(e), hashlib.sha256(e).hexdigest().encode()) for e in entries]
    header = b"%s1 %d %s %d\n" % (MAGIC, len(entries), form, len(payload))
    return header + b"".join(index) + payload


def portions(raws: Sequence[bytes]) -> list[list[bytes]]:
    """Cut into bundles that fit a mail, oldest first."""
    found: list[list[bytes]] = []
    room = 0
    for raw in raws:
        if not found or len(found[-1]) == MAX_ENTRIES or room + len(raw) > MAX_TOTAL:
            found.append([])
            room = 0
        found[-1].append(raw)
        room += len(raw)
    return found


def unpack(raw: bytes) -> list[bytes]:
    """The entries of a bundle, exactly as packed. MalformedError says what is wrong with it."""
    line, at = _line(raw, 0, "header")
    header = _HEADER.fullmatch(line)
    if header is None:
        raise MalformedError("not a bundle: its first line is damaged", _RESEND)
    if header[1] != b"1":
        raise MalformedError("bundle of an unknown version", "a newer pbem may be needed")
    count = int(header[2])
    if count > MAX_ENTRIES:
        raise MalformedError(f"bundle announces more than {MAX_ENTRIES} entries")
    index: list[tuple[int, str]] = []
    for number in range(1, count + 1):
        line, at = _line(raw, at, f"line for entry {number}")
        found = _INDEX.fullmatch(line)
        if found is None:
            raise MalformedError("bundle's list of entries is damaged", _RESEND, where=f"entry {number}")
        if int(found[1]) > MAX_ENTRY:
            raise MalformedError(f"bundle announces an entry over {MAX_ENTRY} bytes", where=f"entry {number}")
        index.append((int(found[1]), found[2].decode()))
    return _split(_payload(raw[at:], header[3], int(header[4]), sum(n for n, _ in index)), index)


def _line(raw: bytes, at: int, what: str) -> tuple[bytes, int]:
    """The line that starts there, of at most 80 bytes, and where the next one starts."""
    end = raw.find(b"\n", at, at + 80)
    if end < 0:
        reason = "cut short" if len(raw) < at + 80 else "damaged"
        raise MalformedError(f"bundle is {reason} in its {what}", _RESEND)
    return raw[at:end], end + 1


def _payload(stored: bytes, form: bytes, announced: int, total: int) -> bytes:
    """The entries' bytes, inflated if need be to exactly `total` and never beyond."""
    if total > MAX_TOTAL:
        raise MalformedError(f"bundle announces more than {MAX_TOTAL} bytes of entries")
    if len(stored) < announced:
        raise MalformedError(f"bundle is cut short: {len(stored)} of {announced} bytes are there", _RESEND)
    if len(stored) > announced:
        raise MalformedError(f"bundle has {len(stored) - announced} bytes after its end", _RESEND)
    if form == b"plain":
        if announced != total:
            raise MalformedError("bundle's lengths do not add up", _RESEND)
        return stored
    return lean.restore(stored, total)


def _split(payload: bytes, index: list[tuple[int, str]]) -> list[bytes]:
    """Cut the payload at the announced lengths; each piece must have its announced digest."""
    entries: list[bytes] = []
    start = 0
    for number, (length, digest) in enumerate(index, 1):
        entry = payload[start : start + length]
        start += length
        if hashlib.sha256(entry).hexdigest() != digest:
            raise MalformedError("entry's bytes have been changed", _RESEND, where=f"entry {number}")
        check_entry(entry)
        entries.append(entry)
    return entries


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that was a bundle and is not whole any more."""

    error: MalformedError
    head: bytes
    """Its first bytes as far as they can be read: an intact bundle that starts so is the same one."""

    def is_copy_of(self, bundle: bytes) -> bool:
        return bundle.startswith(self.head[:_HEAD])


def armour(bundle: bytes) -> str:
    """The bundle as lines of text. Base64 without padding, so that no `=` meets quoted-printable."""
    text = base64.b64encode(bundle).decode("ascii").rstrip("=")
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    checksum = "#" + hashlib.sha256(bundle).hexdigest()
    return "\n".join(["-----BEGIN PBEM-----", *lines, checksum, "-----END PBEM-----", ""])


def find_armoured(text: str) -> list[bytes]:
    """Every intact bundle in a text, in order; damaged blocks are left out (`blocks` names them)."""
    return [block for block in blocks(text) if isinstance(block, bytes)]


def blocks(text: str) -> list[bytes | Damage]:
    """Every armoured block of a text or an HTML page, in order: its exact bundle, or what is wrong with it.

    Tags are cut out by a pattern, not by html.parser, which takes minutes for 256 KiB of `<!--`.
    """
    best: list[bytes | Damage] = []
    if not _NAME.search(text):
        return best
    for view in _views(text):
        found = _marked(view)
        if _intact(found) > _intact(best):
            best, found = found, best
        best += [block for block in found if isinstance(block, bytes) and block not in best]
    return best


def _views(text: str) -> Iterator[str]:
    """The text; then as a page without its tags; then as quoted-printable whose label was lost."""
    yield text
    if "&" in text:
        text = _unescape(_unescape(text))  # twice: pages are quoted in pages
        yield text
    if "<" in text:
        yield _TAG.sub("", text)
    if "=" in text:
        yield _QP_BYTE.sub(lambda m: chr(int(m[1], 16)), _SOFT_BREAK.sub("", text))


def _intact(found: list[bytes | Damage]) -> tuple[int, int]:
    return sum(isinstance(block, bytes) for block in found), len(found)


def _marked(text: str) -> list[bytes | Damage]:
    """What stands between the markers; a block without its end reaches to the next marker."""
    found: list[bytes | Damage] = []
    marks = [
        m for m in _MARKER.finditer(text) if _DASH_BEFORE.search(text, max(0, m.start() - 17), m.start())
    ]
    for here, after in itertools.zip_longest(marks, marks[1:]):
        if here[1]:  # BEGIN
            if len(found) == MAX_BLOCKS:
                found.append(Damage(MalformedError(f"more than {MAX_BLOCKS} blocks in one text"), b"?"))
                break
            found.append(_read_block(text[here.end() : after.start() if after else len(text)]))
    return found


def _unescape(text: str) -> str:
    """HTML references as characters; html.unescape takes seconds on a megabyte of stray ampersands."""
    return _REFERENCE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return html5.get(name + ";", "")
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if number < 0xD800 else ""


def _read_block(content: str) -> bytes | Damage:
    """What stands between the markers. The checksum judges each reading, so all may be tried."""
    if len(content) > 4 * MAX_TOTAL:
        return Damage(MalformedError("armoured block is too large"), b"?")
    head: bytes | None = None
    complete = False
    for reading in (content, _NAMED_QUOTE.sub("", content)):
        text = _NOISE.sub("", reading)
        checksum = _CHECKSUM.search(text)
        bundle = _decode(text[: checksum.start()] if checksum else text)
        if checksum and bundle and hashlib.sha256(bundle).hexdigest() == checksum[1].lower():
            return bundle
        head = bundle[:_HEAD] if head is None else head
        complete = complete or checksum is not None
    if complete:
        error = MalformedError("armoured block has been changed: its checksum does not fit", _RESEND)
    else:
        error = MalformedError("armoured block is cut short: it has no checksum", _RESEND)
    return Damage(error, head or b"?")


def _decode(text: str) -> bytes:
    """Base64 as far as it goes; a stray last character carries no byte."""
    text = text.replace("#", "")
    text = text[:-1] if len(text) % 4 == 1 else text
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        return b""
