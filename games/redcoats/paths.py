"""4.0-5.0: ways over the map. Every step has its price (4.2), an enemy zone of control is the end of the way
(5.2) and closed to some (9.1(4), 11.41), and only the end of a way is tested for stacking (6.0-a).

A `Walk` depends on the enemy alone (and on escorts for leaders, 11.15), so that what is found for a unit
stays true while its own side moves: `ways` keeps it until the enemy changes. Where no enemy is near, it
depends on the map alone: such bare ways are kept for the whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import dataclass
from typing import Any

from games.kit.hexes import HexId
from games.kit.ways import Flood
from games.redcoats.aid import BROKEN
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY, Arm
from games.redcoats.specials import allowance, hex_limit, step_ban
from pbem.engine.notation import Move
from pbem.engine.options import Refusal

FORCED = {Arm.DRAGOON: 18}
FORCED_FOOT = 12
"""4.31: half points of a forced march: dragoons nine points, infantry and guns six."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What binds a mover, apart from the map; a flag is lifted to find out which rule is in the way."""

    points: int
    forced: bool = False
    """4.31: never beside the enemy."""
    shy: bool = False
    """9.1(4), 11.41: may not enter an enemy zone of control."""
    zones: bool = True
    foes: bool = True
    bans: bool = True
    free: bool = False
    """5.6: a lone leader who rides through enemy zones of control."""
    always: bool = True
    """4.11: one hex whatever it costs, for who has spent nothing."""


def limits(pos: RedcoatsPosition, unit: str, *, forced: bool = False, left: int | None = None) -> Limits:
    """What binds a unit that begins to move now (or goes on with what is left)."""
    counter = pos.book[unit]
    points = allowance(pos, unit) if left is None else left
    if forced:
        points = max(points, FORCED.get(counter.arm, FORCED_FOOT))
    if counter.is_leader:
        return Limits(points, free=lone_in_zone(pos, unit))
    piece = pos.units.get(unit)
    shy = piece is not None and (piece.disrupted or piece.ooc)
    return Limits(points, forced=forced, shy=shy, always=left is None)


def lone_in_zone(pos: RedcoatsPosition, leader: str) -> bool:
    """5.6: a leader without combat units in an enemy zone of control."""
    piece = pos.units.get(leader)
    if piece is None:
        return False
    side = pos.book[leader].side
    return piece.hex in pos.zoc(ENEMY[side]) and piece.hex not in pos.men(side)


def ignores(pos: RedcoatsPosition, unit: str, place: HexId) -> bool:
    """12.13: light infantry in woods, swamp or town ignores zones of ordinary infantry alone."""
    counter = pos.book[unit]
    if counter.arm is not Arm.LIGHT or pos.land.terrain[place] not in BROKEN:
        return False
    enemy = ENEMY[counter.side]
    return all(
        arm not in (Arm.LIGHT, Arm.DRAGOON)
        for near in pos.covering(counter.side, place)
        for arm in pos.arms(enemy, near)
    )


class _Asked:
    """Hexes that are asked about one by one."""

    __slots__ = ("_asks",)

    def __init__(self, asks: Callable[[HexId], bool]) -> None:
        self._asks = asks

    def __contains__(self, place: object) -> bool:
        return self._asks(str(place))


class Walk:
    """The cheapest ways of one unit from one hex, or from beyond the edge through an entry hex."""

    def __init__(
        self,
        pos: RedcoatsPosition,
        unit: str,
        start: HexId,
        bound: Limits,
        *,
        entry: bool = False,
        bare: bool = False,
    ) -> None:
        self.pos, self.unit, self.start, self.bound, self.entry = pos, unit, start, bound, entry
        self.cost: dict[HexId, int] = {}
        self.prev: dict[HexId, HexId] = {}
        self.orders: dict[tuple[type[Move], str], tuple[Any, ...]] = {}
        """Orders that were made of it, by kind and unit."""
        self._beyond: dict[int, tuple[HexId, ...]] = {}
        self._led: dict[HexId, bool] = {}
        """11.15: hexes beside the enemy that a leader came to, and whether troops stood there."""
        self._counter = pos.book[unit]
        self._ban = step_ban(pos, unit) if bound.bans else None
        self._steps = hex_limit(pos, unit) if bound.bans else None
        enemy = ENEMY[self._counter.side]
        self._foes, self._zone, self._beside = pos.at(enemy), pos.zoc(enemy), beside(pos, self._counter.side)
        arm = self._counter.arm
        odd = bound.shy or bound.forced or arm is Arm.LIGHT or arm is Arm.LEADER or self._ban is not None
        if bare:
            self._search((), ())
        elif self._steps is not None:
            self._few_steps(self._steps)
        elif odd or not bound.zones or not bound.foes:
            self._search((), _Asked(self._stops), self._may)
        else:
            self._search(self._foes, self._zone)
        del (
            self.pos,
            self._foes,
            self._zone,
            self._beside,
        )  # a walk outlives its position

    def holds(self, pos: RedcoatsPosition) -> bool:
        """11.15: whether a leader's troops beside the enemy stand where they stood when it was found."""
        if not self._led:
            return True
        men = pos.men(self._counter.side)
        return all((place in men) == led for place, led in self._led.items())

    def is_far(self, pos: RedcoatsPosition, side: str) -> bool:
        """Whether no enemy is near what it reaches: then the map alone counts."""
        return self.cost.keys().isdisjoint(near(pos, side))

    def _few_steps(self, steps: int) -> None:
        """BK-17.1: hexes are counted as well as points, so the cheapest way may not be the best."""
        layer = {self.start: 0}
        for _ in range(steps):
            following: dict[HexId, int] = {}
            for here, spent in layer.items():
                if here != self.start and self._stops(here):
                    continue
                for n, price in self._exits()[here]:
                    first = here == self.start and not spent and self.bound.always
                    total = min(spent + price, self.bound.points) if first else spent + price
                    if total > self.bound.points or following.get(n, total + 1) <= total:
                        continue
                    if n != self.start and self._may(n, here):
                        following[n] = total
                        if n not in self.cost or self.cost[n] > total:
                            self.cost[n], self.prev[n] = total, here
            layer = following

    def _exits(self) -> Mapping[HexId, tuple[tuple[HexId, int], ...]]:
        land = self.pos.land
        return land.light_exits if self._counter.arm is Arm.LIGHT else land.exits

    def _search(
        self,
        foes: Container[HexId],
        stops: Container[HexId],
        may: Callable[[HexId, HexId], bool] | None = None,
    ) -> None:
        """Cheapest first. Ordinary troops have nothing but enemies and their zones in the way, no `may`."""
        land, start, points, spent = self.pos.land, self.start, self.bound.points, 0
        if self.entry:
            if start in foes or (may is not None and not may(start, "")):
                return
            light = self._counter.arm is Arm.LIGHT
            spent = self.cost[start] = min((land.light_entry if light else land.entry)[start], points)
            if start in stops:
                return
        flood = Flood(
            self._exits(),
            land.grid.cubes,
            start,
            points,
            closed=foes,
            stops=stops,
            may=may,
            spent=spent,
            first=self.bound.always and not self.entry,
        )
        for place, (before, price) in flood.all().items():
            self.cost[place], self.prev[place] = price, before

    def _may(self, place: HexId, here: HexId) -> bool:
        """Whether a step is lawful; the price is another matter."""
        bound = self.bound
        if bound.foes and place in self._foes:
            return False
        if self._ban is not None and self._ban(here, place):
            return False
        if not bound.zones:
            return True
        if self._counter.is_leader:
            if bound.free or place not in self._beside:
                return True
            led = self._led[place] = place in self.pos.men(self._counter.side)
            return led
        if bound.forced and place in self._beside:
            return False
        return not (bound.shy and self._stops(place))

    def _stops(self, place: HexId) -> bool:
        """5.2: whoever enters an enemy zone of control stops."""
        if place not in self._zone or not self.bound.zones or self.bound.free:
            return False
        return not ignores(self.pos, self.unit, place)

    def beyond(self, points: int, plain: Collection[HexId]) -> tuple[HexId, ...]:
        """The hexes that were found and are not among those that so many points reach."""
        places = self._beyond.get(points)
        if places is None:
            places = self._beyond[points] = tuple([place for place in self.cost if place not in plain])
        return places

    def path(self, goal: HexId) -> tuple[HexId, ...]:
        """The way to a hex that was found, without its start."""
        way = [goal]
        while way[-1] in self.prev and self.prev[way[-1]] != self.start:
            way.append(self.prev[way[-1]])
        if self.entry and goal != self.start:
            way.append(self.start)
        return tuple(reversed(way))


def beside(pos: RedcoatsPosition, side: str) -> frozenset[HexId]:
    """Hexes next to enemy combat units, whatever lies between; ask for membership only."""
    known = pos.ways(side)
    if "beside" not in known:
        land = pos.land
        known["beside"] = frozenset(n for h in pos.men(ENEMY[side]) for n in land.neighbours[h])
    found: frozenset[HexId] = known["beside"]
    return found


def near(pos: RedcoatsPosition, side: str) -> frozenset[HexId]:
    """The same and the hexes of all enemies; ask for membership only."""
    known = pos.ways(side)
    if "near" not in known:
        known["near"] = beside(pos, side).union(pos.at(ENEMY[side]))
    found: frozenset[HexId] = known["near"]
    return found


def walk(pos: RedcoatsPosition, unit: str, *, forced: bool = False, left: int | None = None) -> Walk:
    """The ways of a unit on the map from where it stands."""
    counter, piece = pos.book[unit], pos.units[unit]
    known = pos.ways(counter.side)
    quick: tuple[object, int, Walk] | None = known.get((unit, forced, left))
    if quick is not None and quick[0] is piece and quick[1] == pos.turn and quick[2].holds(pos):
        return quick[2]
    bound = limits(pos, unit, forced=forced, left=left)
    found = _kept(pos, unit, (counter.arm, hex_limit(pos, unit), piece.hex, bound), piece.hex, bound)
    if not counter.is_leader or piece.hex not in pos.zoc(ENEMY[counter.side]):
        known[(unit, forced, left)] = (piece, pos.turn, found)
    return found


def entry_walk(pos: RedcoatsPosition, unit: str, entry: HexId, *, forced: bool = False) -> Walk:
    """The ways of an arriving unit through an entry hex."""
    bound = limits(pos, unit, forced=forced)
    return _kept(pos, unit, ("entry", pos.book[unit].arm, entry, bound), entry, bound, entry=True)


def _kept(
    pos: RedcoatsPosition, unit: str, kind: object, start: HexId, bound: Limits, *, entry: bool = False
) -> Walk:
    """Ways of this kind of unit that are known, or found now."""
    known, key = pos.ways(pos.book[unit].side), (kind, _banned_as(pos, unit))
    found: Walk | None = known.get(key)
    if found is None or not found.holds(pos):
        found = None
        if step_ban(pos, unit) is None and hex_limit(pos, unit) is None:
            found = _bare(pos, unit, start, bound, entry)
        if found is None:
            found = Walk(pos, unit, start, bound, entry=entry)
        known[key] = found
    return found


def _bare(pos: RedcoatsPosition, unit: str, start: HexId, bound: Limits, entry: bool) -> Walk | None:
    """Ways over the bare map, if no enemy is near them."""
    counter = pos.book[unit]
    key = (start, bound.points, counter.arm is Arm.LIGHT, bound.always, entry)
    found: Walk | None = pos.lasting.get(key)
    if found is None:
        found = pos.lasting[key] = Walk(pos, unit, start, bound, entry=entry, bare=True)
    return found if found.is_far(pos, counter.side) else None


def _banned_as(pos: RedcoatsPosition, unit: str) -> object:
    """What tells units apart under a battle's own rules."""
    return (pos.turn, unit in pos.chosen) if pos.setting.closed or pos.setting.crossings else None


def blocked(pos: RedcoatsPosition, unit: str, bound: Limits, start: HexId, goal: HexId) -> Refusal:
    """Which rule keeps a unit from a hex: the first whose lifting would open the way."""
    side = pos.book[unit].side
    enemy = ENEMY[side]
    if goal in pos.men(enemy):
        return Refusal("4.1", f"the enemy is in {goal}")
    if goal in pos.at(enemy):
        if pos.book[unit].is_leader:
            return Refusal("11.15", f"an enemy leader is alone in {goal}: {unit} enters it with troops only")
        return Refusal("11.13", f"an enemy leader is alone in {goal}: seize {goal} with {unit}")
    if pos.land.terrain[goal] == "water":
        return Refusal("4.21", f"nobody can enter {goal}", also=("4.11", "4.23"))

    def open_with(**lifted: Any) -> bool:
        kept = {name: getattr(bound, name) for name in Limits.__slots__}
        loose = Limits(**{**kept, **lifted})
        return goal in Walk(pos, unit, start, loose).cost

    if hex_limit(pos, unit) is not None and open_with(bans=False):
        return Refusal("BK-17.1", f"{unit} goes no further than two hexes before 1100")
    if step_ban(pos, unit) is not None and open_with(bans=False):
        rule = next((bar.rule for bar in pos.setting.closed if bar.side == side), "WP-17.0")
        return Refusal(rule, f"{goal} is closed to {unit} by the battle's own rules")
    if open_with(shy=False):
        rule = "9.1" if pos.units[unit].disrupted else "11.41"
        return Refusal(rule, f"{unit} may not enter an enemy zone of control")
    if bound.forced and open_with(forced=False):
        return Refusal("4.31", f"a forced march never goes beside the enemy, as the way to {goal} would")
    if open_with(zones=False):
        if pos.book[unit].is_leader:
            reason = f"the way to {goal} leads past the enemy, where {unit} has no troops"
            return Refusal("11.15", reason, also=("5.2",))
        return Refusal("5.2", f"the way to {goal} leads through an enemy zone of control")
    if open_with(zones=False, foes=False):
        return Refusal("4.1", f"the enemy stands in the way to {goal}")
    if open_with(points=400, zones=False, foes=False, bans=False):
        reason = f"{goal} is too far for {unit}: it has {bound.points / 2:g} points"
        return Refusal("4.31", reason, also=("4.11",)) if bound.forced else Refusal("4.11", reason)
    return Refusal("4.23", f"no way leads to {goal}", also=("4.11", "4.21"))
