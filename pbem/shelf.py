"""Entries of one's own log, verified when they were taken in: reading them again believes the folder."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.protocol.entry import Entry, entry_id, read


def acknowledged(recent: Sequence[Entry], seat: str, first: int) -> int:
    """The number of the last entry that a seat has certainly seen: the head that its newest entry names."""
    numbers = {entry.id: n for n, entry in enumerate(recent, first)}
    for entry in reversed(recent):
        if entry.seat == seat and entry.head.head in numbers:
            return numbers[entry.head.head]
    return first - 1


def trusted(raw: bytes) -> Entry:
    """An entry of our own log, verified when it was taken in."""
    claim = read(raw)
    return Entry(claim.raw, claim.head, claim.body, entry_id(claim.signed))
