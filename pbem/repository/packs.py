"""Packs, read: many objects in one file, some as differences from others, as git writes them.

Invariants: nothing is believed. Sizes are looked at before anything is inflated, no object is larger than
`BLOB_LIMIT`, and no chain of differences is longer than `CHAIN`.
Who asks for an object recomputes its id.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator

from pbem.errors import VerificationError
from pbem.repository.disk import Disk
from pbem.repository.layout import BLOB_LIMIT

CHAIN = 250
"""So many differences may stand on each other; git makes 50."""
_KINDS = {1: "commit", 2: "tree", 3: "blob"}
_OFFSET, _NAMED = 6, 7
_MAGIC = b"\xfftOc\0\0\0\2"
_FANOUT = 8 + 256 * 4
_INDEX_LIMIT = 64 << 20
_HELD = 16 << 20
"""A pack up to this size is read at once."""
_KEPT = 8 << 20
"""So many bytes of objects on which others stand are kept."""


class TooLarge(VerificationError):
    """An object was not read because of its size."""


class Pack:
    """One pack and its index, `path` without their endings."""

    def __init__(self, disk: Disk, path: str, index: bytes | None = None, data: bytes | None = None) -> None:
        self._disk, self._path = disk, f"{path}.pack"
        if index is None:
            index = disk.read(f"{path}.idx", _INDEX_LIMIT)
        if index[:8] != _MAGIC or len(index) < _FANOUT + 40:
            raise VerificationError(f"{path}.idx is no index that can be read", "fetch the game again")
        self._index = index
        self._starts = (0, *struct.unpack(">256I", index[8:_FANOUT]))
        self.count = self._starts[-1]
        """How many objects it holds."""
        if len(index) < _FANOUT + 28 * self.count + 40 or list(self._starts) != sorted(self._starts):
            raise VerificationError(f"{path}.idx is damaged", "fetch the game again")
        self._whole = data
        """All its bytes, if they were read."""
        self._is_large = False
        self._bases: OrderedDict[int, tuple[str, bytes]] = OrderedDict()
        self._room = _KEPT

    def is_sound(self) -> bool:
        """True if pack and index are as they were written: both end with a sum of what is before."""
        digest, kept, at = hashlib.sha1(usedforsecurity=False), b"", 0
        try:
            while part := self._disk.part(self._path, at, 1 << 20):
                at, kept = at + len(part), kept + part
                digest.update(kept[:-20])
                kept = kept[-20:]
        except OSError:
            return False
        index = hashlib.sha1(self._index[:-20], usedforsecurity=False).digest()
        return kept == digest.digest() == self._index[-40:-20] and index == self._index[-20:]

    def is_whole(self) -> bool:
        """True if every object stands here whole, none as a difference from another."""
        return all(self._head(self._offset(number))[0] in _KINDS for number in range(self.count))

    def names(self) -> Iterator[str]:
        """The ids of all objects in it."""
        return (self._name(number).hex() for number in range(self.count))

    def objects(self) -> dict[str, bytes]:
        """Every object by id, as the pack holds it."""
        places = sorted((self._offset(number), self._name(number).hex()) for number in range(self.count))
        data = self._disk.read(self._path, _HELD)
        ends = [*(at for at, _ in places[1:]), len(data) - 20]
        return {name: data[at:end] for (at, name), end in zip(places, ends, strict=True)}

    def find(self, name: str) -> int | None:
        """Where an object stands, None if it is not in this pack."""
        wanted = bytes.fromhex(name)
        low, high = self._starts[wanted[0]], self._starts[wanted[0] + 1]
        at = bisect_left(range(high), wanted, low, high, key=self._name)
        return self._offset(at) if at < high and self._name(at) == wanted else None

    def _name(self, number: int) -> bytes:
        at = _FANOUT + 20 * number
        return self._index[at : at + 20]

    def _offset(self, number: int) -> int:
        at = _FANOUT + 24 * self.count + 4 * number
        (offset,) = struct.unpack_from(">I", self._index, at)
        if not offset & 0x80000000:
            return int(offset)
        far = _FANOUT + 28 * self.count + 8 * (offset & 0x7FFFFFFF)
        return int(struct.unpack(">Q", self._index[far : far + 8].ljust(8, b"\xff"))[0])

    def facts(self, offset: int) -> tuple[str, int]:
        """Kind and size of the object that stands here; at most some bytes of it are inflated."""
        kind, size, base, start = self._head(offset)
        if kind not in _KINDS:
            delta = _inflate(self._bytes(start, 1024), 20, whole=False)
            _, at = _number(delta, 0)
            size, _ = _number(delta, at)
            for _ in range(CHAIN):
                kind, _, base, _ = self._head(base)
                if kind in _KINDS:
                    break
        return self._kind(kind), size

    def read(self, offset: int) -> tuple[str, bytes]:
        """Kind and content of the object that stands here."""
        deltas: list[tuple[int, bytes]] = []
        while offset not in self._bases:
            kind, size, base, start = self._head(offset)
            if size > BLOB_LIMIT:
                raise TooLarge(f"an object of {size} bytes was not read", "nothing in a game is so large")
            data = _inflate(self._bytes(start, size + size // 1000 + 64), size)
            if kind in _KINDS:
                found = self._kind(kind), data
                self._keep(offset, found)
                break
            deltas.append((offset, data))
            if len(deltas) > CHAIN:
                raise VerificationError(f"{self._path} has too long a chain", "run: git gc")
            offset = base
        else:
            self._bases.move_to_end(offset)
            found = self._bases[offset]
        for place, delta in reversed(deltas):
            found = found[0], _apply(found[1], delta)
            self._keep(place, found)
        return found

    def _keep(self, offset: int, found: tuple[str, bytes]) -> None:
        self._bases[offset] = found
        self._room -= len(found[1])
        while self._room < 0:
            _, (_, gone) = self._bases.popitem(last=False)
            self._room += len(gone)

    def _kind(self, kind: int) -> str:
        if kind not in _KINDS:
            raise VerificationError(f"{self._path} holds what no game has", "fetch the game again")
        return _KINDS[kind]

    def _head(self, offset: int) -> tuple[int, int, int, int]:
        """Kind, size, the place of what it differs from (or 0), where its bytes begin."""
        raw = self._bytes(offset, 48)
        try:
            kind, size, shift, at = raw[0] >> 4 & 7, raw[0] & 15, 4, 1
            while raw[at - 1] & 128:
                size |= (raw[at] & 127) << shift
                shift, at = shift + 7, at + 1
            base = 0
            if kind == _OFFSET:
                back = raw[at] & 127
                while raw[at] & 128:
                    at += 1
                    back = (back + 1) << 7 | raw[at] & 127
                at, base = at + 1, offset - back
            elif kind == _NAMED:
                found = self.find(raw[at : at + 20].hex())
                at, base = at + 20, -1 if found is None else found
        except IndexError:
            kind = base = -1
        if (kind == _OFFSET and not 12 <= base < offset) or (kind == _NAMED and base < 12):
            kind = -1
        if kind not in (*_KINDS, _OFFSET, _NAMED):
            raise VerificationError(f"{self._path} is damaged at byte {offset}", "fetch the game again")
        return kind, size, base, offset + at

    def _bytes(self, start: int, size: int) -> bytes:
        if self._whole is None and not self._is_large:
            try:
                self._whole = self._disk.read(self._path, _HELD)
            except FileNotFoundError:
                raise
            except OSError:
                self._is_large = True
        if self._whole is not None:
            return self._whole[start : start + size]
        return self._disk.part(self._path, start, size)


def _inflate(data: bytes, size: int, *, whole: bool = True) -> bytes:
    """The bytes behind; `whole` ones have exactly this size."""
    inflate = zlib.decompressobj()
    try:
        found = inflate.decompress(data, size + 1 if whole else size)
    except zlib.error:
        raise VerificationError("an object in a pack cannot be inflated", "fetch the game again") from None
    if whole and (not inflate.eof or len(found) != size):
        raise VerificationError("an object in a pack is not as long as it says", "fetch the game again")
    return found


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A size in a difference, and where it ends."""
    found = shift = 0
    while at < len(data):
        found |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 128:
            return found, at
    raise VerificationError("a difference in a pack is cut off", "fetch the game again")


def _apply(base: bytes, delta: bytes) -> bytes:
    """What a difference makes of the object that it stands on."""
    old, at = _number(delta, 0)
    size, at = _number(delta, at)
    if old != len(base) or size > BLOB_LIMIT:
        raise VerificationError(
            "a difference in a pack does not fit, or is too large", "fetch the game again"
        )
    parts: list[bytes] = []
    room = size
    while at < len(delta) and room >= 0:
        command, at = delta[at], at + 1
        if command & 128:
            start, count, at = _copied(command, delta, at)
            parts.append(base[start : start + count])
        else:
            parts.append(delta[at : at + command])
            at += command
        room -= len(parts[-1])
    if room:
        raise VerificationError("a difference in a pack makes something else", "fetch the game again")
    return b"".join(parts)


def _copied(command: int, delta: bytes, at: int) -> tuple[int, int, int]:
    """Which bytes of the base are copied, and where the next command stands."""
    start = count = 0
    for bit in range(7):
        if command >> bit & 1:
            value, at = delta[at] if at < len(delta) else 0, at + 1
            if bit < 4:
                start |= value << 8 * bit
            else:
                count |= value << 8 * (bit - 4)
    return start, count or 0x10000, at
