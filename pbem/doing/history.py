"""The past of a game by what it was about: a unit, a place, a turn; and how the dice fell for each side."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem import report
from pbem.engine.events import Event
from pbem.engine.machine import DiceFell
from pbem.engine.position import Position
from pbem.errors import UsageError
from pbem.protocol.papers.bodies import DECISIONS
from pbem.protocol.rounds.state import split
from pbem.table import Table

_TURN = re.compile(rb"^turn = ([0-9]+)$", re.MULTILINE)


def check_number(table: Table, number: int) -> None:
    """Refuses the number of an entry that there is not."""
    last = table.ledger.state.number
    if number > last:
        raise UsageError(f"there is no entry {number}", f"the last one is {last}; 0 is the beginning")


def position_after(table: Table, number: int) -> Position:
    """The position after an entry, as it was committed."""
    ((_, found),) = positions_after(table, number, number)
    return found


def positions_after(table: Table, first: int, last: int) -> Iterator[tuple[int, Position]]:
    """The positions after the entries from one to another, as they were committed."""
    check_number(table, last)
    history = table.repo.history()
    for number in range(first, last + 1):
        data, _ = split(tomllib.loads(table.repo.read("position.toml", history[number]).decode()))
        yield number, table.ledger.machine.read(data)


@dataclass(frozen=True, slots=True)
class Happened:
    """One event of the log."""

    entry: int
    turn: int
    """In which turn, 0 in a game without."""
    seat: str
    """Whose decision led to it, "" if several decided together."""
    event: Event
    text: str
    dice: tuple[int, ...]


def happened(table: Table) -> list[Happened]:
    """Everything that the log tells, in order."""
    last = table.ledger.state.number
    positions = (table.repo.read("position.toml", commit) for commit in table.repo.history())
    told = [_TURN.search(raw) for raw in positions]
    turns = [int(match[1]) if match else 0 for match in told]
    found: list[Happened] = []
    seat = ""
    for one in report.read_log(table, 0, last):
        if one.kind in DECISIONS:
            seat = one.seat if one.kind == "orders" else ""
        turn = turns[max(one.number - 1, 0)]
        for event in one.events:
            if not event.quiet:
                fallen = tuple(event.dice) if isinstance(event, DiceFell) else ()
                found.append(Happened(one.number, turn, seat, event, report.spoken(table, event), fallen))
    return found


def about(events: Sequence[Happened], words: Sequence[str], turn: int | None) -> list[Happened]:
    """Those whose fields name all of these words, and of one turn if it is given."""
    wanted = {word.lower() for word in words}
    return [one for one in events if (turn is None or one.turn == turn) and wanted <= one.event.words()]


def dice_by_seat(events: Sequence[Happened]) -> dict[str, list[int]]:
    """The dice that fell on each seat's decisions."""
    found: dict[str, list[int]] = {}
    for one in events:
        if one.dice:
            found.setdefault(one.seat or "both", []).extend(one.dice)
    return found
