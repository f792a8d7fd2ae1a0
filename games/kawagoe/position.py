"""The position of kawagoe: who stands where, in which state, and what has been drawn.

Invariants: `units` holds exactly the units on the map, in order of their ids; a unit is in at most one of
`units`, `reserve` and `fallen`; who stands in a hex and how many zones of control reach it (8.0) is kept in
transient tables that only the methods here change, together with `units`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.kawagoe.book import Book, Counter
from games.kawagoe.printed import ANTI, HOJO, Identity, UnitClass
from games.kit.hexes import HexId
from games.kit.stacks import Counts, Stacks, count, leave, stand
from pbem.engine.codec import Record
from pbem.engine.notation import Handle
from pbem.engine.position import Position, transient

ENEMY = {HOJO: ANTI, ANTI: HOJO}
STACK = {HOJO: 2, ANTI: 1}
"""7.0: how many units of a side may share a hex."""


@dataclass(frozen=True, slots=True)
class Piece(Record):
    """One unit on the map, or as it was when it fell."""

    hex: HexId
    lost: int = 0
    """Steps lost (9.52)."""
    disordered: bool = False
    identity: str = ""
    """What an anonymous counter turned out to be (11.2); "" for named units and unknown counters."""


@dataclass(slots=True, kw_only=True)
class KawagoePosition(Position):
    """Public and the same on every machine."""

    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)
    """Readings of the contract that are not the default."""
    units: dict[str, Piece] = field(default_factory=dict)
    reserve: tuple[str, ...] = ()
    """Units that have yet to be placed (4.1-4.4)."""
    fallen: dict[str, Piece] = field(default_factory=dict)
    """Units that are gone, for the score (13.0)."""
    taken: tuple[HexId, ...] = ()
    """Castle hexes that a besieger was the last to enter (13.4)."""
    cup: tuple[Handle, ...] = ()
    """Chits of this turn that have not been drawn."""
    drawn: tuple[str, ...] = ()
    """Chits of this turn that have been drawn."""
    spent: bool = False
    """Whether 勝った勝った has been used (5.31)."""
    drawer: str = HOJO
    """Who draws the next chit (3.2)."""

    book_cache: Any = transient()
    hojo_at: Any = transient()
    anti_at: Any = transient()
    hojo_zoc: Any = transient()
    anti_zoc: Any = transient()
    ranges: Any = transient()
    """Command ranges by general (10.2), dropped at every change."""
    ways: Any = transient()
    """Ways that have been looked for (6.12): a table shared with copies, replaced at every change."""

    # --- lookups

    @property
    def book(self) -> Book:
        """What is printed on the counters."""
        if self.book_cache is None:
            self.book_cache = Book(self.pack)
        return self.book_cache  # type: ignore[no-any-return]

    def option(self, name: str) -> str:
        """The reading of an unclear rule that this game is played by."""
        return self.options.get(name) or self.pack.options[name].default

    def counter(self, unit: str) -> Counter:
        """What is printed on a unit."""
        return self.book[unit]

    def side(self, unit: str) -> str:
        """Whose unit it is."""
        return self.book[unit].side

    def steps(self, unit: str) -> int:
        """Steps left of a unit on the map."""
        return self.book[unit].steps - self.units[unit].lost

    def identity(self, unit: str) -> Identity | None:
        """Who a revealed counter is."""
        piece = self.units.get(unit) or self.fallen[unit]
        return self.book.identities[self.book[unit].group][piece.identity] if piece.identity else None

    def unit_class(self, unit: str) -> UnitClass | None:
        """2.1; None while nobody knows."""
        who = self.identity(unit)
        return who.cls if who else self.book[unit].cls

    def unknown(self, unit: str) -> bool:
        """11.1: a counter that has not been turned over."""
        return self.book[unit].strength is None and not self.units[unit].identity

    def strength(self, unit: str) -> int:
        """Printed strength of a revealed unit in its present state."""
        printed = self.book[unit].strength
        if printed is not None:
            return printed[self.steps(unit)]
        who = self.identity(unit)
        assert who is not None, f"{unit} has not been revealed"
        return who.strength

    def movement(self, unit: str) -> int:
        """Printed movement in its present state."""
        return self.book[unit].movement[self.steps(unit)]

    # --- who stands where, and zones of control

    def held(self, side: str) -> Stacks:
        """The units of a side by hex, ids in order; do not change."""
        if self.hojo_at is None:
            self._index()
        return self.hojo_at if side == HOJO else self.anti_at  # type: ignore[no-any-return]

    def zone(self, side: str) -> Counts:
        """8.1: how many units of a side have a zone of control there; hexes without any are left out."""
        if self.hojo_at is None:
            self._index()
        return self.hojo_zoc if side == HOJO else self.anti_zoc  # type: ignore[no-any-return]

    def at(self, place: HexId) -> tuple[str, ...]:
        """Whoever stands in a hex."""
        return self.held(HOJO).get(place) or self.held(ANTI).get(place, ())

    def room(self, side: str, place: HexId) -> int:
        """How many more units of a side may enter a hex (6.21, 7.0)."""
        if place in self.held(ENEMY[side]):
            return 0
        return STACK[side] - len(self.held(side).get(place, ()))

    def _index(self) -> None:
        self.hojo_at, self.anti_at, self.hojo_zoc, self.anti_zoc = {}, {}, {}, {}
        for unit, piece in self.units.items():
            self._stand(unit, piece)

    def _stand(self, unit: str, piece: Piece) -> None:
        stand(self.held(self.book[unit].side), unit, piece.hex)
        self._control(unit, piece, 1)

    def _leave(self, unit: str, piece: Piece) -> None:
        leave(self.held(self.book[unit].side), unit, piece.hex)
        self._control(unit, piece, -1)

    def _control(self, unit: str, piece: Piece, by: int) -> None:
        if not piece.disordered:  # 6.41(2)
            count(self.zone(self.book[unit].side), self.pack.map.zoc_into[piece.hex], by)

    def _touch(self, unit: str, place: HexId) -> None:
        """Forget what a change in a hex may have changed: a besieger who is no general matters to command
        ranges only where a Hojo zone of control is (10.2)."""
        self.ways = None
        counter = self.book[unit]
        if counter.side == HOJO or counter.general or place in self.hojo_zoc:
            self.ranges = None

    # --- changes

    def place(self, unit: str, to: HexId) -> None:
        """One unit comes onto the map, or is put elsewhere during set-up."""
        self.place_all({unit: to})

    def place_all(self, places: Mapping[str, HexId]) -> None:
        """Units come onto the map, or are put elsewhere during set-up."""
        self.held(HOJO)
        for unit, to in places.items():
            if unit in self.units:
                self._leave(unit, self.units[unit])
                self._touch(unit, self.units[unit].hex)
            piece = Piece(hex=to)
            self.units[unit] = piece
            self._stand(unit, piece)
            self._touch(unit, to)
        self.units = dict(sorted(self.units.items()))
        self.reserve = tuple(u for u in self.reserve if u not in places)

    def go(self, unit: str, *path: HexId) -> None:
        """A unit goes from hex to hex, by a move, a retreat, an advance or a push."""
        self.held(HOJO)
        piece = self.units[unit]
        self._leave(unit, piece)
        self._touch(unit, piece.hex)
        piece = replace(piece, hex=path[-1])
        self.units[unit] = piece
        self._stand(unit, piece)
        self._touch(unit, piece.hex)
        for place in path:
            if self.pack.map.bailey[place]:
                self._enter_castle(self.book[unit].side, place)

    def _enter_castle(self, side: str, place: HexId) -> None:
        """13.4(1): the last to pass holds it."""
        if (side == ANTI) != (place in self.taken):
            self.taken = (
                tuple(sorted((*self.taken, place)))
                if side == ANTI
                else tuple(h for h in self.taken if h != place)
            )

    def disorder(self, unit: str, disordered: bool = True) -> None:
        """6.4: a marker is put on, or taken off."""
        self.held(HOJO)
        piece = self.units[unit]
        if piece.disordered == disordered:
            return
        self._control(unit, piece, -1)
        piece = replace(piece, disordered=disordered)
        self.units[unit] = piece
        self._control(unit, piece, 1)
        self._touch(unit, piece.hex)

    def reveal(self, unit: str, identity: str) -> None:
        """11.2: a counter is turned over."""
        self.units[unit] = replace(self.units[unit], identity=identity)

    def hurt(self, unit: str, steps: int) -> bool:
        """9.52: a unit loses steps; True if it is gone."""
        left = self.steps(unit) - steps
        if left > 0:
            self.units[unit] = replace(self.units[unit], lost=self.units[unit].lost + steps)
            return False
        self.held(HOJO)
        piece = self.units.pop(unit)
        self._leave(unit, piece)
        self.fallen[unit] = replace(piece, lost=self.book[unit].steps)
        self._touch(unit, piece.hex)
        return True
