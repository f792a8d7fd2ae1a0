"""What was added to a game since everything was last known to be on disk, in one file: .git/pbem/added.

Putting a file on disk takes long, and an entry makes a pack, a ref, an index and three plain files. So
each addition is first written here as one piece, and only this is waited for: one fsync for one entry or a
thousand. Objects, ref and files follow without waiting. Whatever a killed process or a machine that lost its
power has left out, the next one that opens the folder writes again from here. After packing, which git puts
on disk, the file begins anew.

The file: a line with the machine's boot, then pieces. A piece: a line with its length and its SHA-1; a line
with the ref, the commit before, the commit after and how many objects follow; then each, a line with its id
and length and then its bytes as a pack holds them. A piece that was cut off does not count.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pbem.repository.disk import Disk

_HEAD = re.compile(rb"pbem added ([!-~]{1,64})\n")
_PIECE = re.compile(rb"([0-9]{1,9}) ([0-9a-f]{40})\n")
_MOVE = re.compile(rb"(\S{1,200}) ([0-9a-f]{40}) ([0-9a-f]{40}) ([0-9]{1,9})\n")
_OBJECT = re.compile(rb"([0-9a-f]{40}) ([0-9]{1,9})\n")
_LIMIT = 512 << 20


@dataclass(frozen=True, slots=True)
class Piece:
    """One addition: the ref that it moves, from where to where, and how many objects it has."""

    ref: str
    old: str
    new: str
    count: int
    objects: bytes

    def each(self) -> Iterator[tuple[str, bytes]]:
        """The objects by id, as a pack holds them."""
        at = 0
        while (line := _OBJECT.match(self.objects, at)) is not None:
            at = line.end() + int(line[2])
            yield line[1].decode(), self.objects[line.end() : at]


class Record:
    """The file of one git directory."""

    def __init__(self, disk: Disk, path: str) -> None:
        self._disk, self._path = disk, path
        self.boot = ""
        """As the machine was when this was written; "" if there is no record."""
        self.pieces: list[Piece] = []
        self._end = 0

    def load(self) -> None:
        """Read what is there. What is not whole, or is something else, does not count."""
        self.boot, self.pieces, self._end = "", [], 0
        try:
            raw = self._disk.read(self._path, _LIMIT)
        except OSError:
            return
        head = _HEAD.match(raw)
        if head is None:
            return
        self.boot, self._end = head[1].decode(), head.end()
        while (line := _PIECE.match(raw, self._end)) is not None:
            body = raw[line.end() : line.end() + int(line[1])]
            move = _MOVE.match(body)
            is_last = line.end() + int(line[1]) >= len(raw)  # only that one can have been cut off
            if move is None or (is_last and _sum(body) != line[2]):
                return
            ref, old, new = (move[n].decode("ascii", "replace") for n in (1, 2, 3))
            self.pieces.append(Piece(ref, old, new, int(move[4]), body[move.end() :]))
            self._end = line.end() + len(body)

    @property
    def objects(self) -> int:
        """How many objects were added."""
        return sum(piece.count for piece in self.pieces)

    def add(self, ref: str, old: str, new: str, objects: Mapping[str, bytes]) -> None:
        """An addition, on disk when this returns; `load` has been called under the same lock."""
        fresh = self._piece(ref, old, new, objects)
        if not self.boot:
            self.boot = self._disk.boot()
            head = self._head()
            self._disk.write_at(self._path, 0, head + fresh)
            self._end = len(head) + len(fresh)
        else:
            self._disk.write_at(self._path, self._end, fresh)
            self._end += len(fresh)

    def begin_anew(self, ref: str, head: str) -> None:
        """Everything up to this commit is on disk; only where the line ends is still told here."""
        self.boot, self.pieces = self._disk.boot(), []
        self._replace(self._head() + self._piece(ref, head, head, {}))

    def stamp(self) -> None:
        """All that is told here has been written again since the machine was started."""
        raw = self._disk.read(self._path, _LIMIT)[: self._end]
        old = len(self._head())
        self.boot = self._disk.boot()
        self._replace(self._head() + raw[old:])

    def _head(self) -> bytes:
        return f"pbem added {self.boot}\n".encode()

    def _piece(self, ref: str, old: str, new: str, objects: Mapping[str, bytes]) -> bytes:
        parts = [f"{ref} {old} {new} {len(objects)}\n".encode()]
        for name, packed in objects.items():
            parts += [f"{name} {len(packed)}\n".encode(), packed]
        body = b"".join(parts)
        self.pieces.append(Piece(ref, old, new, len(objects), body[len(parts[0]) :]))
        return f"{len(body)} {_sum(body).decode()}\n".encode() + body

    def _replace(self, data: bytes) -> None:
        fresh = f"{self._path}.new"
        self._disk.write(fresh, data)
        self._disk.sync(fresh)
        self._disk.rename(fresh, self._path)
        self._disk.sync(self._path.rpartition("/")[0])
        self._end = len(data)


def _sum(data: bytes) -> bytes:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest().encode()
