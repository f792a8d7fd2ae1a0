"""Bundles, their short form and their armour, from `pbem help protocol` alone."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib


def unarmoured(text: str) -> bytes:
    """The bundle in an armoured block that nothing has happened to."""
    begin, *lines, checksum, end = text.strip().split("\n")
    if (begin, end) != ("-----BEGIN PBEM-----", "-----END PBEM-----") or max(map(len, lines)) > 64:
        raise ValueError("no armour")
    packed = "".join(lines)
    bundle = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    if checksum != f"#{hashlib.sha256(bundle).hexdigest()}":
        raise ValueError("damaged")
    return bundle


def entries(bundle: bytes) -> list[bytes]:
    """What a bundle holds."""
    header, _, rest = bundle.partition(b"\n")
    name, version, count, form, length = header.split(b" ")
    if (name, version) != (b"PBEM-BUNDLE", b"1"):
        raise ValueError("no bundle")
    index = []
    for _ in range(int(count)):
        line, _, rest = rest.partition(b"\n")
        size, digest = line.split(b" ")
        index.append((int(size), digest.decode()))
    if len(rest) != int(length):
        raise ValueError("cut short, or too long")
    text, found = rest if form == b"plain" else restored(rest), []
    for size, digest in index:
        found.append(text[:size])
        text = text[size:]
        if hashlib.sha256(found[-1]).hexdigest() != digest:
            raise ValueError("changed")
    if text:
        raise ValueError("more than it says")
    return found


def restored(short: bytes) -> bytes:
    """The text of a lean payload."""
    stream = zlib.decompressobj()
    text = stream.decompress(short)
    rest, fields = stream.unused_data, []

    def field(mark: re.Match[bytes]) -> bytes:
        nonlocal rest
        number = int(mark[2])
        if mark[1] == b"\x03":
            return fields[number]
        size = number if mark[1] == b"\x01" else -(-6 * number // 8)
        data, rest = rest[:size], rest[size:]
        letters = base64.b64encode(data + bytes(-len(data) % 3))[:number]
        fields.append(data.hex().encode() if mark[1] == b"\x01" else letters)
        return fields[-1]

    whole = re.sub(rb"([\x01-\x03])([0-9]+);", field, text)
    if rest:
        raise ValueError("bytes that no field has used")
    return whole
