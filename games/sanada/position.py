"""The position of sanada: who stands where under whom, castles, sieges, forts, markers and points.

Invariants: `units` holds exactly the units on the map, in order of their ids; a commanded unit is where its
leader is; a unit is in at most one of `units`, `box`, `waiting`, `fallen` and `home`. What follows at once
from who is where (a siege too thin 19.2.7, an empty fort 22.2.2, a thaw S2-5) is settled by the methods that
move units. What is worked out is kept in `index`, shared with copies, dropped at every change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.kit.hexes import HexId
from games.sanada.index import Index
from games.sanada.pack import Pack
from games.sanada.pieces import Castle, Marker, Piece
from games.sanada.terms import ENEMY, INSIDE, OSAKA, Scenario, Stronghold, Unit, date, hex_of, is_inside
from pbem.engine.events import Event
from pbem.engine.position import Position, transient

POINTS = (
    "{what:eliminated={of} eliminated|shogun=Hidetada eliminated|castle=castle of durability {of}"
    "|defeated={of} defeated|siege=Osaka Castle besieged|hideyori=Hideyori in Kyoto|kyoto=Kyoto"
    "|sakai=Sakai|omi=Omi|mino=Mino|owari=Owari}"
)
"""26.2.1: what points are for, in words."""


class SiegeLifted(Event):
    says = "the siege of {castle} is over"
    castle: str


class FortRemoved(Event):
    says = "the fort in {hex} is empty and removed"
    hex: HexId


class Thawed(Event):
    says = "an Osaka Force is near {hex}: its units may move"
    hex: HexId


class Scored(Event):
    says = "{points:# point|# points} for {side}: " + POINTS + " (Osaka {score:+})"
    side: str
    points: int
    what: str
    of: str
    score: int
    unit: str | None
    castle: str | None


@dataclass(slots=True, kw_only=True)
class SanadaPosition(Position):
    """Public and the same on every machine."""

    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)
    """Readings of the contract that are not the usual ones."""
    points: int = 0
    """26.1.2: one score, Osaka's if positive."""
    earned: dict[str, int] = field(default_factory=dict)
    """What the points came from: "side what", in that side's points."""
    units: dict[str, Piece] = field(default_factory=dict)
    castles: dict[str, Castle] = field(default_factory=dict)
    box: tuple[str, ...] = ()
    """24.1.3: Osaka units not yet mobilized."""
    waiting: tuple[str, ...] = ()
    """Kanto units not yet on the map (23)."""
    fallen: tuple[str, ...] = ()
    """Eliminated, in order (13.2.3)."""
    home: tuple[str, ...] = ()
    """Gone home (25.2.1)."""
    forts: dict[HexId, str] = field(default_factory=dict)
    """22: the side that a fort belongs to."""
    engaged: tuple[Marker, ...] = ()
    frozen: dict[str, HexId] = field(default_factory=dict)
    """Units that cannot move yet, with the hex they wait in (S1-5, S2-5)."""
    routed: tuple[str, ...] = ()
    """18.7.8: units that have retreated in this Combat Phase."""
    turncoats: tuple[str, ...] = ()
    """S4-5: units that serve the other side."""

    index_cache: Any = transient()

    # --- what is printed

    @property
    def data(self) -> Pack:
        return self.pack  # type: ignore[no-any-return]

    @property
    def play(self) -> Scenario:
        """The scenario being played."""
        return self.data.scenarios[self.scenario]

    @property
    def date(self) -> str:
        """The date of the turn, as the book names turns."""
        return date(self.play.first, self.turn)

    def option(self, name: str) -> str:
        """The reading of an unclear rule that this game is played by."""
        return self.options.get(name) or self.data.options[name].values[0]

    def unit(self, unit: str) -> Unit:
        return self.data.units[unit]

    def side(self, unit: str) -> str:
        """Whose unit it is."""
        side = self.data.units[unit].side
        return ENEMY[side] if self.turncoats and unit in self.turncoats else side

    def stronghold(self, castle: str) -> Stronghold:
        return self.data.castles[castle]

    def strength(self, castle: str) -> int:
        """5(2), or what the scenario says."""
        own = self.play.castles.get(castle)
        return own[0] if own else self.data.castles[castle].strength

    def durability(self, castle: str) -> int:
        """5(3): the printed durability, or what the scenario says."""
        own = self.play.castles.get(castle)
        return own[1] if own else self.data.castles[castle].durability

    def walls(self, castle: str) -> int:
        """Durability that is left."""
        return self.durability(castle) - self.castles[castle].lost

    def castle_at(self, place: HexId) -> str | None:
        """The usable castle of a hex (25.2.2)."""
        castle = self.data.castle_at.get(place)
        return None if castle is None or self.castles[castle].closed else castle

    # --- who stands where

    @property
    def index(self) -> Index:
        if self.index_cache is None:
            controlling = (
                (self.data.castles[castle].hex, state.owner)
                for castle, state in self.castles.items()
                if state.siege is None and not state.closed
            )
            self.index_cache = Index(self.units, self.side, self.data.map.near, controlling)
        return self.index_cache  # type: ignore[no-any-return]

    def touch(self) -> None:
        """Forget what was worked out."""
        self.index_cache = None

    def leader(self, unit: str) -> str:
        """Who leads the Force of a unit."""
        return self.units[unit].under or unit

    def force(self, leader: str) -> tuple[str, ...]:
        """The units of a Force, the leader first."""
        return self.index.forces[leader]

    def place(self, unit: str) -> str:
        """Where a unit is, inside or out."""
        piece = self.units[unit]
        return piece.hex + INSIDE if piece.inside else piece.hex

    def at(self, place: str) -> tuple[str, ...]:
        """Everybody in a place."""
        if is_inside(place):
            return self.index.inside.get(hex_of(place), ())
        return self.index.outside.get(place, ())

    def holder(self, place: HexId) -> str | None:
        """Which side stands in the open of a hex (6-a)."""
        there = self.index.outside.get(place)
        return self.side(there[0]) if there else None

    def leaders(self, place: str) -> tuple[str, ...]:
        """The leaders of the Forces in a place."""
        return tuple(u for u in self.at(place) if not self.units[u].under)

    def spent(self, units: Iterable[str]) -> bool:
        """Whether all of them are face-down."""
        return all(self.units[u].down for u in units)

    def room(self, castle: str) -> int:
        """17.2: how many more units may go in."""
        return 2 * self.walls(castle) - len(self.index.inside.get(self.data.castles[castle].hex, ()))

    def pinned(self, leader: str) -> bool:
        """21.2.1: whether a Force is at either end of a marker."""
        return any(leader in (m.placer, m.target) for m in self.engaged)

    # --- changes

    def put(self, units: tuple[str, ...], place: HexId, inside: bool) -> None:
        """A Force comes onto the map, face-up, the leader first (23.1.2, 24.1.2)."""
        for unit in units:
            self.units[unit] = Piece(place, "" if unit == units[0] else units[0], False, inside)
        self.units = dict(sorted(self.units.items()))
        self.box = tuple(u for u in self.box if u not in units)
        self.waiting = tuple(u for u in self.waiting if u not in units)
        self.touch()
        self.settle(place)
        if self.frozen and self.play.thaw_near and self.side(units[0]) == OSAKA:
            self._thaw(place)

    def go(self, leader: str, *path: HexId, inside: bool = False) -> None:
        """A Force goes from hex to hex."""
        start = self.units[leader].hex
        for unit in self.force(leader):
            self.units[unit] = replace(self.units[unit], hex=path[-1], inside=inside)
        self.touch()
        self.settle(start)
        for place in path:
            self.settle(place)
        if self.frozen and self.play.thaw_near and self.side(leader) == OSAKA:
            for place in path:
                self._thaw(place)

    def shelter(self, leader: str, inside: bool) -> None:
        """17.1: a Force goes into the castle of its hex, or comes out."""
        place = self.units[leader].hex
        for unit in self.force(leader):
            self.units[unit] = replace(self.units[unit], inside=inside)
        self.touch()
        self.settle(place)

    def regroup(self, forces: Iterable[tuple[str, ...]]) -> None:
        """16: units of one place form new Forces, the leader of each first."""
        for units in forces:
            for unit in units:
                under = "" if unit == units[0] else units[0]
                self.units[unit] = replace(self.units[unit], under=under)
        self.touch()

    def turn_over(self, unit: str, down: bool) -> None:
        """2.2.1: a unit is flipped."""
        self.units[unit] = replace(self.units[unit], down=down)

    def take_off(self, unit: str) -> None:
        """A unit leaves the map; those it commanded are Forces of one now (7-a)."""
        piece = self.units.pop(unit)
        for other, theirs in self.units.items():
            if theirs.under == unit:
                self.units[other] = replace(theirs, under="")
        self.engaged = tuple(m for m in self.engaged if unit not in (m.placer, m.target))
        self.frozen.pop(unit, None)
        self.touch()
        self.settle(piece.hex)

    def hold(self, castle: str, **state: Any) -> None:
        """The state of a castle changes."""
        self.castles[castle] = replace(self.castles[castle], **state)
        self.touch()

    def settle(self, place: HexId) -> None:
        """What follows at once from who is in a hex now."""
        castle = self.data.castle_at.get(place)
        if castle is not None and self.castles[castle].siege is not None and not self.can_invest(castle):
            self.hold(castle, siege=None)
            self.say(SiegeLifted(castle, rule="19.2.7"))
        if place in self.forts and self.forts[place] not in self._sides(place):
            self.say(FortRemoved(place, rule="22.2.2"))
            del self.forts[place]

    def _sides(self, place: HexId) -> tuple[str, ...]:
        units = (*self.at(place), *self.at(place + INSIDE))
        return tuple(self.side(u) for u in units)

    def _thaw(self, place: HexId) -> None:
        near = self.play.thaw_near
        for start in dict.fromkeys(self.frozen.values()):
            if self.data.map.distance(place, start) <= near:
                self.frozen = {u: h for u, h in self.frozen.items() if h != start}
                self.say(Thawed(start, rule="S2-5"))

    def can_invest(self, castle: str) -> bool:
        """19.2.2: whether more enemies are outside than units inside."""
        place = self.data.castles[castle].hex
        if self.holder(place) != ENEMY[self.castles[castle].owner]:
            return False
        return len(self.at(place)) > len(self.at(place + INSIDE))

    # --- points

    def score(
        self, side: str, points: int, what: str, rule: str, of: str = "", unit: str = "", castle: str = ""
    ) -> None:
        """26: points for a side, on the one track; `of` says more of what they are for (POINTS)."""
        if not points:
            return
        self.points += points if side == OSAKA else -points
        key = f"{side} {what} {of}".rstrip()
        self.earned[key] = self.earned.get(key, 0) + points
        self.earned = dict(sorted(self.earned.items()))
        self.say(Scored(side, points, what, of, self.points, unit or None, castle or None, rule=rule))

    def own_points(self, side: str) -> int:
        """26.1.2: the score as one side sees it."""
        return self.points if side == OSAKA else -self.points


def fresh_castles(castles: Mapping[str, Stronghold]) -> dict[str, Castle]:
    """Every castle as it stands at the start."""
    return {castle: Castle(castles[castle].owner) for castle in sorted(castles)}
