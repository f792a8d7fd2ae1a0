"""Packs, written: each addition to a game is one, and small ones are put together to larger ones.

A pack costs two new files, whatever it holds; nine objects in files of their own would cost nine. Objects
are packed whole. The differences that make a long game small are git's business (`Repository.pack`).
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Mapping, Sequence
from itertools import accumulate

from pbem.repository.objects import Made
from pbem.repository.packs import Pack

TOGETHER = 8
"""So many small packs become one."""
_KINDS = {"commit": 1, "tree": 2, "blob": 3}
_LEVELS = (64, 512, 4096)
"""A pack is put together with others that hold less objects than the same one of these numbers."""


def packed(made: Made) -> bytes:
    """An object as a pack holds it, whole."""
    size = len(made.content)
    first, size = _KINDS[made.kind] << 4 | size & 15, size >> 4
    head = bytearray()
    while size:
        head.append(first | 128)
        first, size = size & 127, size >> 7
    head.append(first)
    return bytes(head) + zlib.compress(made.content, 1)


def pack_of(objects: Mapping[str, bytes]) -> tuple[str, bytes, bytes]:
    """The name, the bytes and the index of a pack with these objects, by id, as `packed` makes them."""
    names = sorted(objects)
    offsets: dict[str, int] = {}
    at = 12
    for name, raw in objects.items():
        offsets[name] = at
        at += len(raw)
    body = b"".join([b"PACK", struct.pack(">II", 2, len(objects)), *objects.values()])
    trailer = hashlib.sha1(body, usedforsecurity=False).digest()
    counts = [0] * 256
    for name in names:
        counts[int(name[:2], 16)] += 1
    index = b"".join(
        [
            b"\xfftOc\0\0\0\2",
            struct.pack(">256I", *accumulate(counts)),
            *(bytes.fromhex(name) for name in names),
            *(struct.pack(">I", zlib.crc32(objects[name])) for name in names),
            *(struct.pack(">I", offsets[name]) for name in names),
            trailer,
        ]
    )
    ids = hashlib.sha1(b"".join(bytes.fromhex(name) for name in names), usedforsecurity=False)
    return (
        f"pack-{ids.hexdigest()}",
        body + trailer,
        index + hashlib.sha1(index, usedforsecurity=False).digest(),
    )


def to_put_together(packs: Mapping[str, Pack]) -> Sequence[str]:
    """Which packs should become one now, none if there are few; those with differences stay as they are."""
    below = 0
    for level in _LEVELS:
        small = [stem for stem, pack in packs.items() if below <= pack.count < level]
        if len(small) >= TOGETHER:
            whole = [stem for stem in small if packs[stem].is_whole()]
            if len(whole) >= TOGETHER:
                return whole
        below = level
    return ()
