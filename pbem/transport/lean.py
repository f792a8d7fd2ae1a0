"""Entries made short for the way: legible text is deflated, opaque fields travel as the bytes they stand for.

Invariants:
- `restore(shorten(text), len(text)) == text` for text without the characters 1 to 3, which no entry may hold.
- The length of `shorten(text)` follows from what can be read in the text, from the lengths of its opaque
  fields and from which of them are the same: never from what they hide. Deflated with the rest they would
  make every mail a few bytes longer or shorter by chance, and nobody could see that only chance does it.
- `restore` stops building as soon as the announced length is passed, whatever it is given.

The short form: a deflated text in which a field is 1, 2 or 3 as a character, a decimal number and a
semicolon, and after it the bytes of the fields in order. 1: so many bytes as hex. 2: so many characters of
base64, 6 bits each, the last byte filled up with zeros. 3: the field of that number once more, from 0.
"""

from __future__ import annotations

import base64
import re
import zlib

from pbem.errors import MalformedError

HEX, BASE64, AGAIN = b"\x01", b"\x02", b"\x03"
_LETTER = rb"[0-9A-Za-z+/]"
_OPAQUE = re.compile(
    rb"(?<!%b)(?:(?P<hex>(?:[0-9a-f]{2}){8,})(?!%b|=)" % (_LETTER, _LETTER)
    + rb'|%b{40,}={0,2}(?:(?:",)?\n *"?%b{1,72}={0,2}(?=[\n"]))*)' % (_LETTER, _LETTER)
)
"""Hex of 8 bytes or more; a long line of base64 with the lines below it, of which the last may be short."""
_RUN = re.compile(_LETTER + rb"+")
_MARK = re.compile(rb"([\x01-\x03])([0-9]{1,6});")
_SHORT = 16
"""Fields below this length are never named again: they might be the same by chance."""
_HINT = "ask for the mail again; sending again sends the same bytes"


def shorten(text: bytes) -> bytes:
    """The short form of entries one after the other."""
    numbers: dict[bytes, int] = {}
    fields: list[bytes] = []

    def mark(kind: bytes, run: bytes) -> bytes:
        known = numbers.get(kind + run)
        if known is not None:
            return AGAIN + b"%d;" % known
        if len(run) >= _SHORT:
            numbers[kind + run] = len(fields)
        fields.append(bytes.fromhex(run.decode()) if kind == HEX else _six_bits(run))
        return kind + b"%d;" % (len(run) // 2 if kind == HEX else len(run))

    def opaque(found: re.Match[bytes]) -> bytes:
        if found["hex"]:
            return mark(HEX, found[0])
        return _RUN.sub(lambda run: mark(BASE64, run[0]), found[0])

    legible = _OPAQUE.sub(opaque, text)
    return zlib.compress(legible, 9) + b"".join(fields)


def restore(short: bytes, length: int) -> bytes:
    """The text of this length; MalformedError says why there is none."""
    inflater = zlib.decompressobj()
    most = 3 * length  # a field of one character is three in the short form
    try:
        legible = inflater.decompress(short, most + 1)
    except zlib.error:
        raise MalformedError("bundle cannot be inflated: it is damaged", _HINT) from None
    if len(legible) > most:
        raise MalformedError("bundle inflates to more than it announces")
    if not inflater.eof:
        raise MalformedError("bundle inflates to less than it announces", _HINT)
    text, rest = _fill(_MARK.split(legible), inflater.unused_data, length)
    if len(text) > length:
        raise MalformedError("bundle inflates to more than it announces")
    if len(text) < length:
        raise MalformedError("bundle inflates to less than it announces", _HINT)
    if rest:
        raise MalformedError("bundle has bytes after its deflated part", _HINT)
    return text


def _fill(pieces: list[bytes], rest: bytes, length: int) -> tuple[bytes, bytes]:
    """The text with its fields, or its beginning if it is too long, and the bytes that no field has used."""
    fields: list[bytes] = []
    text, size, at = [pieces[0]], len(pieces[0]), 0
    for kind, number, legible in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        count = int(number)
        if size > length:
            break
        if kind == AGAIN:
            if count >= len(fields):
                raise MalformedError("bundle names an opaque field before it comes", _HINT)
            field = fields[count]
        else:
            wanted = count if kind == HEX else (6 * count + 7) // 8
            data = rest[at : at + wanted]
            if len(data) < wanted:
                raise MalformedError("bundle inflates to less than it announces", _HINT)
            at += wanted
            field = data.hex().encode() if kind == HEX else _letters(data, count)
            fields.append(field)
        size += len(field) + len(legible)
        text += [field, legible]
    return b"".join(text), rest[at:]


def _six_bits(run: bytes) -> bytes:
    return base64.b64decode(run + b"A" * (-len(run) % 4))[: (6 * len(run) + 7) // 8]


def _letters(data: bytes, count: int) -> bytes:
    return base64.b64encode(data + bytes(-len(data) % 3))[:count]
