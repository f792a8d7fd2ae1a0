"""Canonical bytes: the one encoding under every hash of the protocol.

`LP(x)` is a 4-byte big-endian length and then x, so a list of parts has exactly one encoding and no
part can run into the next. The label names the use, so a hash made for one purpose never serves
another. Text is UTF-8 and an integer its decimal digits; which of the three kinds a part is follows
from the label, never from the bytes.
"""

from __future__ import annotations

from typing import TypeAlias

from pbem.protocol.crypto import primitives

Part: TypeAlias = bytes | str | int

PREFIX = "pbem/v2/"
"""Stands before every label: another version of the protocol shares no hash with this one."""


def lp(x: bytes) -> bytes:
    """LP(x): the length of x in four bytes, then x."""
    return len(x).to_bytes(4, "big") + x


def encode(label: str, *parts: Part) -> bytes:
    """LP("pbem/v2/" + label) and LP of every part: what is hashed, keyed or bound as context."""
    return lp((PREFIX + label).encode()) + b"".join([lp(_part(part)) for part in parts])


def digest(label: str, *parts: Part) -> bytes:
    """H(label, ...): SHA-256 of the encoding."""
    return primitives.sha256(encode(label, *parts))


def keyed(secret: bytes, label: str, *parts: Part) -> bytes:
    """K(secret, label, ...): HMAC-SHA256 of the encoding."""
    return primitives.hmac_sha256(secret, encode(label, *parts))


def _part(part: Part) -> bytes:
    if isinstance(part, bytes):
        return part
    if isinstance(part, str):
        return part.encode()
    if isinstance(part, int) and not isinstance(part, bool):
        return b"%d" % part
    raise TypeError(f"a hashed part is bytes, str or int, not {type(part).__name__}")
