"""A bundle as a link: `<any address>#pbem=<letters>`. What stands behind the # never reaches a host.

Invariants:
- `find(f"… {write(bundle)} …")` yields the same bytes; a link that was cut is a `MalformedError`.
- Nothing is inflated beyond what a bundle may hold, however small the link was made.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator

from pbem.errors import MalformedError
from pbem.transport.bundle import MAX_TOTAL

MARK = "#pbem="
LONGEST = 8000
"""Longer links are cut by common programs: such a bundle travels as a file or as text."""
MOST = 8
"""So many links are looked at in one text."""
_LINK = re.compile(r"#pbem=([A-Za-z0-9_-]{1,1000000})")
_ROOM = MAX_TOTAL + 200_000
"""The entries of a bundle, and the index before them."""


def write(bundle: bytes) -> str:
    """The part of an address that carries a bundle, from the # on."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = packed.compress(bundle) + packed.flush()
    return MARK + base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def find(text: str) -> Iterator[bytes | MalformedError]:
    """The bundle of every link in a text, or why it cannot be read."""
    for number, found in enumerate(_LINK.finditer(text)):
        if number == MOST:
            return
        yield _read(found[1])


def _read(letters: str) -> bytes | MalformedError:
    cut = MalformedError("the link was cut short or changed", "ask for the move as a file or as text")
    try:
        raw = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        packed = zlib.decompressobj(-15)
        bundle = packed.decompress(raw, _ROOM)
    except (binascii.Error, ValueError, zlib.error):
        return cut
    return bundle if packed.eof and not packed.unused_data else cut
