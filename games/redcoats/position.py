"""The position of redcoats: who stands where, in which state, and how near each army is to collapse.

Invariants: `units` holds exactly the counters on the map, leaders included, in order of their ids; a counter
is in at most one of `units`, `reserve` and `lost`; who stands in a hex, how many combat units and how many
infantry or dragoons, and how many zones of control reach a hex (5.0) is kept in transient tables that only
the methods here change, together with `units`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.kit.hexes import HexId
from games.kit.shared import Shared
from games.kit.stacks import Counts, Stacks, count, leave, stand
from games.redcoats.aid import Aid
from games.redcoats.field import Field
from games.redcoats.pack import Pack
from games.redcoats.printed import AMERICAN, ENEMY, Arm, Counter, Scenario
from pbem.engine.codec import Record
from pbem.engine.position import Position, transient

STACK = 12
"""6.0: strength points in a hex."""
FIGHT = 8
"""6.0: how many of them count in an assault."""
LASTING = 2000
"""So much that depends on the map alone is kept in a game."""


@dataclass(frozen=True, slots=True)
class Piece(Record):
    """One counter on the map."""

    hex: HexId
    disrupted: bool = False
    ooc: bool = False
    """Out of command for this player turn (11.32)."""
    held: bool = False
    """HH-17.0: not yet released."""
    fresh: bool = False
    """It has arrived in this player turn (2.0-a, 11.6)."""
    charge: bool = False
    """Dragoons that may charge in this assault segment (12.21)."""
    helped: str = ""
    """The leader whose value it has used in this player turn (11.22)."""


@dataclass(slots=True, kw_only=True)
class RedcoatsPosition(Position):
    """Public and the same on every machine."""

    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)
    """Readings of the contract that are not the usual ones."""
    units: dict[str, Piece] = field(default_factory=dict)
    reserve: tuple[str, ...] = ()
    """Counters that are to be placed or to arrive."""
    lost: tuple[str, ...] = ()
    levels: dict[str, int] = field(default_factory=dict)
    """Collapse levels in half points (13.1)."""
    chosen: tuple[str, ...] = ()
    """WP-17.0: who may go west of the Bronx."""
    nearest: int = 0
    """HH-17.0: how far the foremost American was at the end of the turn before."""

    setting_cache: Any = transient()
    us: Any = transient()
    br: Any = transient()
    """How each side stands (`Standing`); shared with copies until one of them changes it."""
    us_own: Any = transient()
    br_own: Any = transient()
    """Whether this position may change them in place."""
    us_ways: Any = transient()
    br_ways: Any = transient()
    """Ways that have been looked for (paths.py); each lasts until the other side changes."""
    lasting_cache: Any = transient()
    memo: Any = transient()
    """What has been worked out for this placing of units; shared with copies, replaced at every change."""

    # --- what is printed

    @property
    def data(self) -> Pack:
        return self.pack  # type: ignore[no-any-return]

    @property
    def aid(self) -> Aid:
        return self.pack.aid  # type: ignore[no-any-return]

    @property
    def setting(self) -> Scenario:
        """The battle and its own rules."""
        if self.setting_cache is None:
            self._print()
        return self.setting_cache[0]  # type: ignore[no-any-return]

    @property
    def land(self) -> Field:
        if self.setting_cache is None:
            self._print()
        return self.setting_cache[1]  # type: ignore[no-any-return]

    @property
    def book(self) -> Mapping[str, Counter]:
        """The counters of the battle."""
        if self.setting_cache is None:
            self._print()
        return self.setting_cache[2]  # type: ignore[no-any-return]

    def _print(self) -> None:
        scenario = self.pack.scenarios[self.scenario]
        self.setting_cache = (
            scenario,
            self.pack.fields[scenario.field],
            self.pack.rosters[scenario.roster],
        )

    def option(self, name: str) -> str:
        """The reading of an unclear rule that this game is played by."""
        return self.options.get(name) or self.data.options[name].values[0]

    def first(self) -> str:
        """The first player; where the book names none, as agreed (2.0-d)."""
        return self.option("first_player") if self.setting.free_first else self.setting.first

    # --- one unit

    def strength(self, unit: str) -> int:
        """Of infantry or dragoons in their present state."""
        counter = self.book[unit]
        return counter.back_strength if self.units[unit].disrupted else counter.strength

    def morale(self, unit: str) -> int:
        counter = self.book[unit]
        return counter.back_morale if self.units[unit].disrupted else counter.morale

    def stacking(self, unit: str) -> int:
        """6.0-6.3."""
        piece = self.units.get(unit)
        return self.book[unit].stacking(piece is not None and piece.disrupted)

    # --- who stands where

    def copy(self) -> RedcoatsPosition:
        """A copy shares how the sides stand; whoever changes it first takes its own."""
        new: RedcoatsPosition = Position.copy(self)
        self.us_own = self.br_own = new.us_own = new.br_own = False
        return new

    def stands(self, side: str) -> Standing:
        """How a side stands; do not change."""
        if self.us is None:
            self._index()
        return self.us if side == AMERICAN else self.br  # type: ignore[no-any-return]

    def at(self, side: str) -> Stacks:
        """Counters of a side by hex, leaders included; do not change."""
        return self.stands(side).at

    def men(self, side: str) -> Counts:
        """How many combat units (1.23) a side has in a hex."""
        return self.stands(side).men

    def foot(self, side: str) -> Counts:
        """How many infantry or dragoon units a side has in a hex."""
        return self.stands(side).foot

    def zoc(self, side: str) -> Counts:
        """5.0: how many units of a side have their zone of control there."""
        return self.stands(side).zoc

    def here(self, side: str, place: HexId) -> tuple[str, ...]:
        return self.at(side).get(place, ())

    def combat(self, side: str, place: HexId) -> tuple[str, ...]:
        """Combat units of a side in a hex."""
        return tuple(u for u in self.here(side, place) if not self.book[u].is_leader)

    def infantry(self, side: str, place: HexId) -> tuple[str, ...]:
        """Infantry and dragoons of a side in a hex."""
        return tuple(u for u in self.here(side, place) if self.book[u].is_foot)

    def leaders(self, side: str, place: HexId) -> tuple[str, ...]:
        return tuple(u for u in self.here(side, place) if self.book[u].is_leader)

    def load(self, side: str, place: HexId) -> int:
        """6.0: what is stacked in a hex."""
        return self.stands(side).load.get(place, 0)

    def room(self, unit: str, place: HexId) -> bool:
        """6.0: whether a unit may end there with those who are there."""
        counter = self.book[unit]
        if counter.is_leader:
            return True
        there, piece = self.stands(counter.side).load.get(place, 0), self.units.get(unit)
        own = self.stacking(unit)
        if piece is not None and piece.hex == place:
            there -= own
        return not there or there + own <= STACK

    def full(self, side: str, size: int) -> frozenset[HexId]:
        """6.0: hexes that have no room for so many points more; ask for membership only."""

        memo = self.memo
        found: frozenset[HexId] | None = memo.get((side, size)) if memo is not None else None
        if found is None:
            room = STACK - size
            found = frozenset([h for h, load in self.stands(side).load.items() if load > room])
            known = self.ways(side)
            if known.get(size) == found:  # the same set as before is the same object
                found = known[size]
            known[size] = found
            self.remember((side, size), lambda: found)
        return found

    def adjacent(self, side: str, place: HexId) -> bool:
        """Whether an enemy combat unit is next to a hex, whatever lies between (4.31-b, 1.23-b)."""
        men = self.men(ENEMY[side])
        return any(n in men for n in self.land.neighbours[place])

    def covering(self, side: str, place: HexId) -> tuple[HexId, ...]:
        """The enemy hexes whose zone of control covers a hex."""
        foot = self.foot(ENEMY[side])
        return tuple(n for n in self.land.zoc_from[place] if n in foot)

    def arms(self, side: str, place: HexId) -> tuple[Arm, ...]:
        """Which arms a stack has."""
        return tuple(self.book[u].arm for u in self.here(side, place))

    def _index(self) -> None:
        self.us, self.br, self.us_own, self.br_own = Standing(), Standing(), True, True
        for unit, piece in self.units.items():
            self._stand(unit, piece)

    def _own(self, side: str) -> Standing:
        """How a side stands, to be changed."""
        stands = self.stands(side)
        if side == AMERICAN:
            if not self.us_own:
                self.us, self.us_own = stands.copy(), True
            return self.us  # type: ignore[no-any-return]
        if not self.br_own:
            self.br, self.br_own = stands.copy(), True
        return self.br  # type: ignore[no-any-return]

    def _stand(self, unit: str, piece: Piece) -> None:
        counter, place = self.book[unit], piece.hex
        stands = self._own(counter.side)
        stand(stands.at, unit, place)
        self._weigh(stands, counter, piece, 1)

    def _leave(self, unit: str, piece: Piece) -> None:
        counter, place = self.book[unit], piece.hex
        stands = self._own(counter.side)
        leave(stands.at, unit, place)
        self._weigh(stands, counter, piece, -1)

    def _weigh(self, stands: Standing, counter: Counter, piece: Piece, by: int) -> None:
        if counter.is_leader:
            return
        here = (piece.hex,)
        count(stands.men, here, by)
        count(stands.load, here, by * counter.stacking(piece.disrupted))
        if counter.is_foot:
            count(stands.foot, here, by)
            count(stands.zoc, self.land.zoc_into[piece.hex], by)

    # --- changes

    def put(self, places: Mapping[str, HexId], **state: Any) -> None:
        """Counters come onto the map."""
        for unit, place in places.items():
            assert unit not in self.units, f"{unit} is on the map"
            self.stands(AMERICAN)
            self.units[unit] = Piece(hex=place, **state)
            self._stand(unit, self.units[unit])
            self._changed(self.book[unit].side)
        self.units = dict(sorted(self.units.items()))
        self.reserve = tuple(u for u in self.reserve if u not in places)

    def go(self, unit: str, to: HexId) -> None:
        """A counter goes to another hex, by whatever rule."""
        piece = self.units[unit]
        self._leave(unit, piece)
        self.units[unit] = replace(piece, hex=to)
        self._stand(unit, self.units[unit])
        self._changed(self.book[unit].side)

    def mark(self, unit: str, **state: Any) -> None:
        """Something about a counter changes, but not its hex."""
        piece = self.units[unit]
        changed = replace(piece, **state)
        if changed == piece:
            return
        if changed.disrupted != piece.disrupted:
            counter = self.book[unit]
            more = counter.stacking(changed.disrupted) - counter.stacking(piece.disrupted)
            if more and not counter.is_leader:
                count(self._own(counter.side).load, (piece.hex,), more)
        self.units[unit] = changed
        self.memo = None

    def remove(self, unit: str) -> None:
        """A counter leaves the game; the points are the caller's (collapse.py)."""
        self._leave(unit, self.units[unit])
        del self.units[unit]
        self.lost = (*self.lost, unit)
        self._changed(self.book[unit].side)

    def ways(self, side: str) -> Shared:
        """What is known about the ways of a side; it lasts until the other side changes."""
        name = "us_ways" if side == AMERICAN else "br_ways"
        known: Shared | None = getattr(self, name)
        if known is None:
            known = Shared()
            setattr(self, name, known)
        return known

    @property
    def lasting(self) -> Shared:
        """What depends on the map alone, for the whole game: ways where no enemy is near, and orders."""
        if self.lasting_cache is None or len(self.lasting_cache) > LASTING:
            self.lasting_cache = Shared()
        return self.lasting_cache  # type: ignore[no-any-return]

    def _changed(self, side: str) -> None:
        self.memo = None
        if side == AMERICAN:
            self.br_ways = None
        else:
            self.us_ways = None

    def remember(self, key: Any, make: Any) -> Any:
        """Something that depends on the placing of units alone, worked out once."""
        if self.memo is None:
            self.memo = Shared()
        if key not in self.memo:
            self.memo[key] = make()
        return self.memo[key]


class Standing:
    """Who of a side stands where, by hex; no plain dict, so that copies of a position share it."""

    __slots__ = ("at", "foot", "load", "men", "zoc")

    def __init__(self) -> None:
        self.at: Stacks = {}
        self.men: Counts = {}
        self.foot: Counts = {}
        self.load: Counts = {}
        """6.0: strength points stacked; a hex whose counters weigh nothing is left out."""
        self.zoc: Counts = {}

    def copy(self) -> Standing:
        new = Standing()
        for name in Standing.__slots__:
            setattr(new, name, getattr(self, name).copy())
        return new
