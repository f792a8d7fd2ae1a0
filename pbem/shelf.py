"""Entries of one's own log, verified when they were taken in: reading them again believes the folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.protocol.entry import Entry, entry_id, read


def acknowledged(recent: Sequence[Entry], seat: str, first: int, waiting: Iterable[Entry] = ()) -> int:
    """The number of the last entry that a seat has certainly seen: the latest head that its entries name."""
    numbers = {entry.id: n for n, entry in enumerate(recent, first)}
    heads = [entry.head.head for entry in (*recent, *waiting) if entry.seat == seat]
    return max((numbers[head] for head in heads if head in numbers), default=first - 1)


def trusted(raw: bytes) -> Entry:
    """An entry of our own log, verified when it was taken in."""
    claim = read(raw)
    return Entry(claim.raw, claim.head, claim.body, entry_id(claim.signed))
