"""What another seat has not seen of a game: every mail brings all of it, so losses heal."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.weighing import contested
from pbem.protocol.papers.entry import Entry, read
from pbem.table import Table


def outgoing(table: Table, to: str) -> list[bytes]:
    """Everything that a seat has not acknowledged, relayed entries too."""
    waiting = sorted(table.ledger.kept(), key=lambda e: (e.head.lane, e.head.seq, e.seat, e.id))
    found = [e.raw for e in (*receipt(table, to)[1], *waiting) if e.seat != to]
    own = [e.raw for e in _halves_of(table, to)]
    return list(dict.fromkeys((*found, *own, *_evidence(table))))


def receipt(table: Table, seat: str) -> tuple[int, list[Entry]]:
    """The number of the last entry that a seat has certainly seen; those of others after it."""
    ledger, last = table.ledger, table.ledger.state.number
    known, step = 0, 16
    recent: list[Entry] = []
    beside = any(e.seat == seat and ledger.is_beside(e) for e in ledger.kept())
    while last > 0:
        first = max(1, last - step + 1)
        recent = table.entries(range(first, last + 1))
        known = _acknowledged(ledger, recent, seat, first)
        if beside:  # it holds another line: what both have is what nothing known contradicts
            same = contested(ledger)
            known = min(known, ledger.place(recent[-1].head.head) or 0, known if same is None else same)
        if known >= first or first == 1:
            break
        step *= 4
    offset = last - len(recent)
    return known, [e for n, e in enumerate(recent, offset + 1) if n > known and e.seat != seat]


def _acknowledged(ledger: Ledger, recent: Sequence[Entry], seat: str, first: int) -> int:
    """The number of the last entry that a seat has certainly seen: the latest that it named where it stands.

    What it named before the log had it there, or in another position (an audit counts wherever it was
    signed), it has seen in another line: that says nothing of what comes before.
    """
    numbers = {entry.id: n for n, entry in enumerate(recent, first)}
    own = [(n, e) for n, e in enumerate(recent, first) if e.seat == seat]
    own += [(first + len(recent), e) for e in ledger.pool.values() if e.seat == seat]
    named = [(numbers[e.head.head], e) for n, e in own if numbers.get(e.head.head, n) < n]
    for number, entry in sorted(named, key=lambda one: one[0], reverse=True):
        if not ledger.is_beside(entry):
            return number
    return first - 1


def _halves_of(table: Table, seat: str) -> list[Entry]:
    """Both halves of a seat's doubles: a seat with two machines learns which one counts."""
    ledger = table.ledger
    pairs = [(ledger.aside[name], half) for name, half in ledger.halves.items()]
    return [half for pair in (*pairs, *ledger.doubles()) for half in pair if half.seat == seat]


def _evidence(table: Table) -> list[bytes]:
    """Of a verdict on a double: both halves, for who signed them, too, and what this seat built on one.

    Without the last, another seat would find that nobody had built on it, and come to another log.
    """
    verdict = table.ledger.state.verdict
    if verdict is None or not verdict.first:
        return []
    places = [table.ledger.place(name) for name in (verdict.first, verdict.entry)]
    halves = table.entries(number for number in places if number)
    return [e.raw for e in halves] + _built_on(table, {verdict.first, verdict.entry})


def _built_on(table: Table, halves: set[str]) -> list[bytes]:
    """Own entries that name one of these, from the journal: a verdict takes them out of the log."""
    journal, found = table.journal(), list[bytes]()
    if journal is None:
        return found
    for lane in ("decide", "answer"):
        last = journal.last(lane)
        for seq in range(max(1, last - 3), last + 1):
            raw = journal.signed(lane, seq)
            head = read(raw).head if raw is not None else None
            if raw is not None and head is not None and halves & {head.head, *head.seen}:
                found.append(raw)
    return found
