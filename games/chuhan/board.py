"""What the pure functions of the rules see: a read-only board, areas to units.

`Board` is all that camps.py, strength.py and reach.py ask for, so they work on a position and on the few
lines of a test alike. Invariants: the tables may come in any order (a saved position sorts its keys),
so everything here answers in the order of the pack; a general is in the table wherever he is, a stack
of legions only while it has one. Legions are anonymous: an area holds numbers, not names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from games.chuhan.pack import Pack
from games.chuhan.terms import ASIDE, AreaId, ForceId, GeneralId, force_of, stack_key
from pbem.engine.codec import Record


@dataclass(frozen=True, slots=True)
class GeneralState(Record):
    """A general's counter in play."""

    place: str
    """An area, or `CUP`, `ASIDE`, `GONE`."""
    force: ForceId
    """Whom he serves; `EITHER` until that is decided (9-7)."""
    acted: bool = False


@dataclass(frozen=True, slots=True)
class Legions(Record):
    """The legions of one force in one area, un-acted and acted."""

    ready: int = 0
    acted: int = 0

    @property
    def total(self) -> int:
        """How many there are."""
        return self.ready + self.acted


NO_LEGIONS = Legions()


class Board(Protocol):
    """The tables of a position that the rules read."""

    @property
    def pack(self) -> Pack:
        """Map, counters, tables and cards."""
        ...

    @property
    def generals(self) -> Mapping[GeneralId, GeneralState]:
        """Every general, on the board or not."""
        ...

    @property
    def legions(self) -> Mapping[str, Legions]:
        """The stacks of legions by `stack_key`."""
        ...

    @property
    def control(self) -> Mapping[AreaId, ForceId]:
        """5-1: the controlling force of each area that has one. It cannot be derived from the units."""
        ...

    @property
    def markers(self) -> Mapping[ForceId, int]:
        """10-3: the box of each lord's marker; a lord out of the game has none (7-3-6)."""
        ...

    @property
    def occupied(self) -> Mapping[AreaId, tuple[ForceId, ...]]:
        """What `survey` finds; kept until a unit moves."""
        ...

    @property
    def lords_lend(self) -> bool:
        """1-2-1-2: whether lords of the own camp lend their strategy (ruling A07: no, but by option)."""
        ...


@dataclass(frozen=True, slots=True)
class Layout:
    """The tables of a board, filled: what a position begins with."""

    pack: Pack
    generals: Mapping[GeneralId, GeneralState]
    legions: Mapping[str, Legions]
    control: Mapping[AreaId, ForceId]
    markers: Mapping[ForceId, int]
    lords_lend: bool = False

    @property
    def occupied(self) -> Mapping[AreaId, tuple[ForceId, ...]]:
        """Asked anew each time: a layout is for set-up and tests."""
        return survey(self)


def opening(pack: Pack) -> Layout:
    """2-2, 2-3, 2-4, 5-1: the units, markers and controllers with which the game begins, all un-acted."""
    return Layout(
        pack,
        {g.id: GeneralState(g.start, g.force) for g in pack.generals.values()},
        {stack_key(row.area, row.force): Legions(row.count) for row in pack.legions},
        dict(pack.controllers),
        dict(pack.markers),
    )


def empty(pack: Pack) -> Layout:
    """A map without units: every general aside, every marker where it begins."""
    aside = {g.id: GeneralState(ASIDE, g.force) for g in pack.generals.values()}
    return Layout(pack, aside, {}, {}, dict(pack.markers))


def legions_in(board: Board, area: AreaId, force: ForceId) -> Legions:
    """The legions of a force in an area, none if there is no stack."""
    return board.legions.get(stack_key(area, force), NO_LEGIONS)


def generals_in(board: Board, area: AreaId, force: ForceId) -> tuple[GeneralId, ...]:
    """The generals of a force in an area."""
    found = board.generals
    return tuple(g for g in board.pack.generals if found[g].place == area and found[g].force == force)


def on_board(board: Board, general: GeneralId) -> bool:
    """Whether a general stands in an area."""
    return board.generals[general].place in board.pack.areas


def units_in(board: Board, area: AreaId, force: ForceId) -> int:
    """How many units, generals and legions, a force has in an area."""
    return len(generals_in(board, area, force)) + legions_in(board, area, force).total


def forces_in(board: Board, area: AreaId) -> tuple[ForceId, ...]:
    """The forces that have a unit in an area."""
    return board.occupied.get(area, ())


def survey(board: Board) -> Mapping[AreaId, tuple[ForceId, ...]]:
    """Every occupied area with the forces that have a unit there, in the order of the pack."""
    led: dict[AreaId, list[ForceId]] = {}
    for state in board.generals.values():
        led.setdefault(state.place, []).append(state.force)
    for key, stack in board.legions.items():
        if stack.ready or stack.acted:
            area, _, force = key.partition("_")
            led.setdefault(area, []).append(force)
    order = board.pack.forces
    found = {}
    for area in board.pack.areas:
        there = led.get(area)
        if there is not None:
            alone = there.count(there[0]) == len(there)
            found[area] = (there[0],) if alone else tuple(f for f in order if f in there)
    return MappingProxyType(found)


def legions_left(board: Board, force: ForceId) -> int:
    """1-2-2-1: how many legion counters of a force are still off the board; royals share theirs (4-5)."""
    forces = board.pack.forces
    stock = forces[force].stock
    stacks = board.legions.items()
    used = sum(stack.total for key, stack in stacks if forces[force_of(key)].stock == stock)
    return board.pack.stocks[stock] - used
