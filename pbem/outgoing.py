"""What another seat has not seen of a game: every mail brings all of it, so losses heal."""

from __future__ import annotations

from pbem.protocol.papers.entry import Entry
from pbem.table import Table


def outgoing(table: Table, to: str) -> list[bytes]:
    """Everything that a seat is not known to have: the rest of the line, and all that waits beside it."""
    asks = _is_restored(table, to)
    waiting = sorted(table.ledger.pool.values(), key=lambda e: (e.head.kind != "rekey", e.seat, e.id))
    beside = [e for e in waiting if e.seat != to or asks or _is_contested(table, e)]
    return list(dict.fromkeys(e.raw for e in (*receipt(table, to)[1], *beside)))


def receipt(table: Table, seat: str) -> tuple[int, list[Entry]]:
    """The number of the last entry that a seat has certainly seen, and the later ones that it may lack."""
    ledger, last = table.ledger, table.ledger.state.number
    asks = _is_restored(table, seat)
    waiting = [e for e in ledger.pool.values() if e.seat == seat and (not asks or e.head.kind == "ask")]
    known, step, recent = 0, 16, list[Entry]()
    while last > 0:
        first = max(1, last - step + 1)
        recent = table.entries(range(first, last + 1))
        numbers = {entry.id: number for number, entry in enumerate(recent, first)}
        own = [*waiting, *(() if asks else (e for e in recent if e.seat == seat))]
        known = max((numbers.get(e.head.after[-1], 0) for e in own), default=0)
        if known >= first or first == 1:
            break
        step *= 4
    later = recent[known - (last - len(recent)) :] if known else recent
    if asks:
        return known, later
    lost = [e.head.after for e in waiting if _is_contested(table, e)]
    return known, [e for e in later if e.seat != seat or e.head.after in lost]


def _is_restored(table: Table, seat: str) -> bool:
    """Whether a seat asks what the others have of it: it gets its own entries, too."""
    return any(e.seat == seat and e.head.kind == "ask" for e in table.ledger.pool.values())


def _is_contested(table: Table, entry: Entry) -> bool:
    """Whether an entry that waits here was signed where the line has gone on: its author should know."""
    return entry.head.after != table.ledger.place.tip
