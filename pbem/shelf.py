"""Entries of one's own log, verified when they were taken in: reading them again believes the folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.protocol.papers.entry import Entry, entry_id, read
from pbem.repository import Repository
from pbem.repository.objects import object_id

_LANE_AND_SEQ = re.compile(rb'^lane = "([a-z]+)"$.*?^seq = ([0-9]+)$', re.MULTILINE | re.DOTALL)


class Shelf:
    """Where each seat's entries stand in the log, by their author's own numbers.

    A seat's part is read once for each state of the line, however many old entries come in.
    """

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._head: str | None = None
        self._moves: dict[str, str] = {}
        """Path -> id of the bytes."""
        self._ids: frozenset[str] = frozenset()
        self._places: dict[str, dict[tuple[str, int], str]] = {}

    def holds(self, raw: bytes) -> bool:
        """Whether exactly these bytes are in the log."""
        self._refresh()
        return object_id("blob", raw) in self._ids

    def _refresh(self) -> None:
        head = self._repo.head()
        if head != self._head:
            tree = self._repo.tree(head) if head is not None else {}
            self._moves = {path: blob.id for path, blob in tree.items() if path.startswith("moves/")}
            self._head, self._ids, self._places = head, frozenset(self._moves.values()), {}

    def find(self, seat: str, lane: str, seq: int) -> Entry | None:
        """A logged entry, None if there is none with this number."""
        self._refresh()
        if seat not in self._places:
            self._places[seat] = self._read(seat)
        path = self._places[seat].get((lane, seq))
        return trusted(self._repo.read(path, self._head)) if path is not None else None

    def _read(self, seat: str) -> dict[tuple[str, int], str]:
        paths = [path for path in self._moves if path.partition("-")[2] == f"{seat}.toml"]
        found: dict[tuple[str, int], str] = {}
        for path, raw in zip(paths, self._repo.read_many(paths, self._head), strict=True):
            if number := _LANE_AND_SEQ.search(raw):
                found[number[1].decode(), int(number[2])] = path
        return found


def acknowledged(recent: Sequence[Entry], seat: str, first: int, waiting: Iterable[Entry] = ()) -> int:
    """The number of the last entry that a seat has certainly seen: the latest head that its entries name."""
    numbers = {entry.id: n for n, entry in enumerate(recent, first)}
    heads = [entry.head.head for entry in (*recent, *waiting) if entry.seat == seat]
    return max((numbers[head] for head in heads if head in numbers), default=first - 1)


def trusted(raw: bytes) -> Entry:
    """An entry of our own log, verified when it was taken in."""
    claim = read(raw)
    return Entry(claim.raw, claim.head, claim.body, entry_id(claim.raw))
