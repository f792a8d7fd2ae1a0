"""3.0 REINFORCEMENTS: who is due enters over the edge of the map, and that is its whole move (2.0-a)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from random import Random

from games.kit.hexes import HexId
from games.redcoats import specials
from games.redcoats.collapse import collapse
from games.redcoats.endings import may_end
from games.redcoats.movement import march_check
from games.redcoats.moves import Enter, Hasten
from games.redcoats.paths import FORCED, FORCED_FOOT, Walk, entry_walk
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from games.redcoats.refusals import no_hex
from pbem.engine.events import Event
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.procedure import Dice, Goto, Procedure, chooses, rolls, rule

DETOUR = 4
"""3.12: how far from its entry hex a late arrival may come in."""


def due(pos: RedcoatsPosition, seat: str) -> tuple[str, ...]:
    """Who is to arrive in this turn or should have arrived before (3.12), in the order of the scenario."""
    waiting = set(pos.reserve)
    return tuple(
        unit
        for group in pos.setting.groups
        if group.side == seat and group.enter is not None and group.turn <= pos.turn
        for unit in group.units
        if unit in waiting
    )


def entries(pos: RedcoatsPosition, unit: str) -> tuple[HexId, ...]:
    """3.11, 3.12: the entry hex; from the next turn on any free edge hex within four hexes as well."""
    group = pos.setting.group_of(unit)
    assert group is not None and group.enter is not None
    if pos.turn <= group.turn:
        return (group.enter,)
    land, enter = pos.land, group.enter

    def look() -> tuple[HexId, ...]:
        near = [h for h in land.hexes if h in land.edge and 0 < land.distance(h, enter) <= DETOUR]
        return (enter, *(h for h in near if land.terrain[h] != "water"))

    found: tuple[HexId, ...] = pos.remember(("entries", enter), look)
    return found


def ways_in(pos: RedcoatsPosition, unit: str, forced: bool) -> Iterator[tuple[HexId, Walk]]:
    """Each entry hex with what can be reached through it."""
    foes = pos.men(ENEMY[pos.book[unit].side])
    for entry in entries(pos, unit):
        if entry not in foes:
            yield entry, entry_walk(pos, unit, entry, forced=forced)


def may_hasten(pos: RedcoatsPosition, unit: str) -> bool:
    """3.11, 4.31-d: troops may enter by forced march, if that makes them faster."""
    counter = pos.book[unit]
    fast = FORCED.get(counter.arm, FORCED_FOOT)
    return not counter.is_leader and specials.allowance(pos, unit) < fast


class Entered(Event):
    says = "{unit} enters at {entry} and goes to {hex}{forced:? by forced march|}"
    unit: str
    entry: HexId
    hex: HexId
    path: tuple[HexId, ...]
    cost: int
    forced: bool


class StillToCome(Event):
    says = "still to come: {units}"
    units: tuple[str, ...]


@dataclass(slots=True)
class Reinforcement(Procedure):
    """3.0 REINFORCEMENT SEGMENT: whatever can enter must (3.12-a); its owner chooses the order."""

    seat: str
    hurried: str = ""

    def arrivals(self, pos: RedcoatsPosition) -> Options | None:
        waiting = due(pos, self.seat)
        if not waiting:
            return None
        enters = Entries(pos, waiting)
        if not enters.possible():
            return None
        families = (enters, Hastes(pos, waiting))
        return Options(self.seat, families, "enter", "bring in the reinforcements")

    @chooses("3.12", arrivals)
    def enter(self, pos: RedcoatsPosition, move: Enter | Hasten) -> Goto | None:
        """Over the entry hex at its price; arrivals are in command (11.6)."""
        forced = isinstance(move, Hasten)
        found = entry_walk(pos, move.unit, move.entry, forced=forced)
        path, spent = found.path(move.hex), found.cost[move.hex]
        pos.put({move.unit: move.hex}, fresh=True)
        pos.say(Entered(move.unit, move.entry, move.hex, tuple(path), spent, forced, rule="3.11"))
        specials.contact(pos, move.hex)
        if forced:
            self.hurried = move.unit
            return None
        return Goto("enter")

    def march_dice(self, pos: RedcoatsPosition) -> Dice | None:
        return Dice(1, 10) if self.hurried else None

    @rolls("4.32", march_dice)
    def hurry(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> Goto | None:
        """The check of a forced march."""
        march_check(pos, self.hurried, dice[0])
        self.hurried = ""
        return None if collapse(pos) else Goto("enter")

    @rule("3.12")
    def late(self, pos: RedcoatsPosition) -> None:
        """Who found no room tries again in the next turn."""
        rest = due(pos, self.seat)
        if rest:
            pos.say(StillToCome(tuple(rest)))


class Entries(Family[Enter]):
    """3.11: every arrival through every open entry hex to every hex in reach."""

    kind: type[Enter] = Enter
    forced = False

    def __init__(self, pos: RedcoatsPosition, waiting: tuple[str, ...]) -> None:
        self.pos, self.waiting = pos, waiting

    def _places(self, unit: str, entry: HexId, found: Walk) -> tuple[HexId, ...]:
        if not self.forced:
            return found.beyond(0, ())
        plain = entry_walk(self.pos, unit, entry)
        return found.beyond(plain.bound.points, plain.cost)

    def _of(self, unit: str) -> Iterator[Enter]:
        pos = self.pos
        counter = pos.book[unit]
        full = frozenset() if counter.is_leader else pos.full(counter.side, counter.stacking(False))
        for entry, found in ways_in(pos, unit, self.forced):
            orders = found.orders.get((self.kind, unit))
            if orders is None:
                places = self._places(unit, entry, found)
                orders = tuple([self.kind(unit, entry, place) for place in places])
                found.orders[self.kind, unit] = orders
            yield from (m for m in orders if m.hex not in full) if full else orders

    def _plain(self, unit: str, entry: HexId) -> dict[HexId, int]:
        return entry_walk(self.pos, unit, entry).cost

    def possible(self) -> bool:
        """Whether anybody can enter, by a plain move or (beyond a jam) by a forced march."""
        hasty = Hastes(self.pos, self.waiting)
        return any(
            next(iter(family._of(unit)), None) is not None
            for unit in self.waiting
            for family in (self, hasty)
        )

    def moves(self, view: View) -> Iterator[Enter]:
        return chain.from_iterable(map(self._of, self.waiting))

    def sample(self, rng: Random, view: View) -> Enter | None:
        units = list(self.waiting)
        while units:
            found = list(self._of(units.pop(rng.randrange(len(units)))))
            if found:
                return rng.choice(found)
        return None

    def why_not(self, move: Enter, view: View) -> Refusal | None:
        pos, unit = self.pos, move.unit
        if unit not in self.waiting:
            return Refusal("3.12", f"{unit} is not to arrive now", also=("3.0",))
        refusal = no_hex(pos, move.hex) or no_hex(pos, move.entry)
        if refusal:
            return refusal
        if self.forced and not may_hasten(pos, unit):
            return Refusal("4.31", f"{unit} cannot enter by forced march")
        if move.entry not in entries(pos, unit):
            return Refusal("3.12", f"{unit} does not enter at {move.entry}", also=("3.11",))
        if move.entry in pos.men(ENEMY[pos.book[unit].side]):
            return Refusal("3.12", f"the enemy is in {move.entry}")
        if self.forced and move.hex in self._plain(unit, move.entry):
            return Refusal("4.31", f"{unit} reaches {move.hex} without a forced march")
        if move.hex not in entry_walk(pos, unit, move.entry, forced=self.forced).cost:
            reason = f"{unit} does not reach {move.hex} from {move.entry}"
            return Refusal("3.11", reason, also=("4.31" if self.forced else "4.11",))
        return may_end(pos, unit, move.hex)


class Hastes(Entries):
    """The same by forced march (3.11)."""

    kind = Hasten  # type: ignore[assignment]
    forced = True

    def _of(self, unit: str) -> Iterator[Enter]:
        if may_hasten(self.pos, unit):
            yield from super()._of(unit)
