"""4.0-5.0: ways over the map. Every step has its price (4.2), an enemy zone of control is the end of the way
(5.2) and closed to some (9.1(4), 11.41), and only the end of a way is tested for stacking (6.0-a).

A `Walk` depends on the enemy alone (and on escorts for leaders, 11.15), so that what is found for a unit
stays true while its own side moves: `ways` keeps it until the enemy changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.kit.hexes import HexId
from games.redcoats.aid import BROKEN
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import AMERICAN, ENEMY, Arm
from games.redcoats.specials import allowance, hex_limit, step_ban
from pbem.engine.options import Refusal

FORCED = {Arm.DRAGOON: 18}
FORCED_FOOT = 12
"""4.31: half points of a forced march: dragoons nine points, infantry and guns six."""


class Ways(dict[object, object]):
    """What has been found while the enemy stood as he stands; no plain dict, so that copies share it."""


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


class Walk:
    """The cheapest ways of one unit from one hex, or from beyond the edge through an entry hex."""

    def __init__(
        self, pos: RedcoatsPosition, unit: str, start: HexId, bound: Limits, *, entry: bool = False
    ) -> None:
        self.pos, self.unit, self.start, self.bound, self.entry = pos, unit, start, bound, entry
        self.cost: dict[HexId, int] = {}
        self.prev: dict[HexId, HexId] = {}
        self.orders: dict[str, tuple[Any, ...]] = {}
        """Orders that were made of it, by unit."""
        self._counter = pos.book[unit]
        self._ban = step_ban(pos, unit) if bound.bans else None
        self._steps = hex_limit(pos, unit) if bound.bans else None
        enemy = ENEMY[self._counter.side]
        self._foes, self._zone, self._beside = pos.at(enemy), pos.zoc(enemy), beside(pos, self._counter.side)
        arm = self._counter.arm
        odd = bound.shy or bound.forced or arm is Arm.LIGHT or arm is Arm.LEADER or self._ban is not None
        self._plain = not odd and bound.zones and bound.foes
        if self._steps is None:
            self._search()
        else:
            self._few_steps(self._steps)

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

    def _search(self) -> None:
        bound, land = self.bound, self.pos.land
        light = self._counter.arm is Arm.LIGHT
        exits, may, stops = self._exits(), self._may, self._stops
        points, cost, prev, start = bound.points, self.cost, self.prev, self.start
        plain, zone, foes = self._plain, self._zone, self._foes
        waiting: list[list[HexId]] = [[] for _ in range(points + 1)]
        if self.entry:
            price = min((land.light_entry if light else land.entry)[start], points)
            if not may(start, ""):
                return
            cost[start] = price
            if not stops(start):
                waiting[price].append(start)
        else:
            cost[start] = 0
            waiting[0].append(start)
        for spent, now in enumerate(waiting):
            for here in now:
                if cost[here] != spent:
                    continue
                for n, price in exits[here]:
                    total = spent + price
                    if total > points:
                        if spent or here != start or self.entry or not bound.always:
                            continue
                        total = points  # 4.11: one hex is always possible
                    if n in cost and cost[n] <= total:
                        continue
                    if plain:  # ordinary troops: nothing but enemies and their zones in the way
                        if n in foes:
                            continue
                        cost[n], prev[n] = total, here
                        if n not in zone:
                            waiting[total].append(n)
                        continue
                    if not may(n, here):
                        continue
                    cost[n], prev[n] = total, here
                    if not stops(n):
                        waiting[total].append(n)
        if not self.entry:
            del cost[start]

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
            return bound.free or place not in self._beside or place in self.pos.men(self._counter.side)
        if bound.forced and place in self._beside:
            return False
        return not (bound.shy and self._stops(place))

    def _stops(self, place: HexId) -> bool:
        """5.2: whoever enters an enemy zone of control stops."""
        if place not in self._zone or not self.bound.zones or self.bound.free:
            return False
        return not ignores(self.pos, self.unit, place)

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
    known = ways(pos, side)
    if "beside" not in known:
        near = pos.land.neighbours
        known["beside"] = frozenset(n for h in pos.men(ENEMY[side]) for n in near[h])
    return known["beside"]  # type: ignore[return-value]


def ways(pos: RedcoatsPosition, side: str) -> Ways:
    """What is known about the ways of a side; it lasts until the other side changes."""
    name = "us_ways" if side == AMERICAN else "br_ways"
    if getattr(pos, name) is None:
        setattr(pos, name, Ways())
    return getattr(pos, name)  # type: ignore[no-any-return]


def walk(pos: RedcoatsPosition, unit: str, *, forced: bool = False, left: int | None = None) -> Walk:
    """The ways of a unit on the map from where it stands."""
    counter, bound = pos.book[unit], limits(pos, unit, forced=forced, left=left)
    start = pos.units[unit].hex
    escorts = _escorts(pos, counter.side) if counter.is_leader else None
    kind = (counter.arm, escorts, hex_limit(pos, unit), start, bound, _banned_as(pos, unit))
    known = ways(pos, counter.side)
    found = known.get(kind)
    if found is None:
        found = known[kind] = Walk(pos, unit, start, bound)
    return found  # type: ignore[return-value]


def entry_walk(pos: RedcoatsPosition, unit: str, entry: HexId, *, forced: bool = False) -> Walk:
    """The ways of an arriving unit through an entry hex."""
    counter, bound = pos.book[unit], limits(pos, unit, forced=forced)
    escorts = _escorts(pos, counter.side) if counter.is_leader else None
    kind = ("entry", counter.arm, escorts, entry, bound, _banned_as(pos, unit))
    known = ways(pos, counter.side)
    found = known.get(kind)
    if found is None:
        found = known[kind] = Walk(pos, unit, entry, bound, entry=True)
    return found  # type: ignore[return-value]


def _escorts(pos: RedcoatsPosition, side: str) -> object:
    """11.15: where a leader could stand beside the enemy; nothing else about friends matters to him."""

    def look() -> frozenset[HexId]:
        near = beside(pos, side)
        return frozenset(h for h in pos.men(side) if h in near)

    return pos.remember(("escorts", side), look)


def _banned_as(pos: RedcoatsPosition, unit: str) -> object:
    """What tells units apart under a battle's own rules."""
    return (pos.turn, unit in pos.chosen) if pos.setting.closed or pos.setting.crossings else None


def may_end(pos: RedcoatsPosition, unit: str, place: HexId) -> Refusal | None:
    """6.0, 9.1(2), 5.6: whether a unit may end its move in a hex that it can reach."""
    counter = pos.book[unit]
    if not pos.room(unit, place):
        return Refusal("6.0", f"there is no room for {unit} in {place}: at most 12 strength points")
    piece = pos.units.get(unit)
    if piece is None:
        return None
    if piece.disrupted and not _closer(pos, unit, place):
        return Refusal(
            "9.1", f"{unit} is disrupted: it must come nearer to its line of communication or a leader"
        )
    if counter.is_leader and place not in pos.men(counter.side) and pos.adjacent(counter.side, place):
        return Refusal("11.15", f"{unit} cannot be beside the enemy without troops in {place}")
    return None


def _closer(pos: RedcoatsPosition, unit: str, place: HexId) -> bool:
    """9.1(2): strictly nearer, at the end, to one hex of the line or to one leader."""
    land, side, start = pos.land, pos.book[unit].side, pos.units[unit].hex

    def rallies() -> list[tuple[HexId, int]]:
        leaders = [p.hex for u, p in pos.units.items() if pos.book[u].is_leader and pos.book[u].side == side]
        places = dict.fromkeys((*pos.setting.lines[side], *leaders))
        return [(goal, land.distance(start, goal)) for goal in places]

    return any(
        land.distance(place, goal) < now for goal, now in pos.remember(("rallies", side, start), rallies)
    )


def goals(pos: RedcoatsPosition, unit: str, found: Walk) -> Iterator[HexId]:
    """Where a unit may end its move."""
    counter, piece = pos.book[unit], pos.units.get(unit)
    if counter.is_leader or (piece is not None and piece.disrupted):
        for place in found.cost:
            if may_end(pos, unit, place) is None:
                yield place
        return
    full = pos.full(counter.side, pos.stacking(unit))
    for place in found.cost:
        if place not in full:
            yield place


def blocked(pos: RedcoatsPosition, unit: str, bound: Limits, start: HexId, goal: HexId) -> Refusal:
    """Which rule keeps a unit from a hex: the first whose lifting would open the way."""
    side = pos.book[unit].side
    enemy = ENEMY[side]
    if goal in pos.men(enemy):
        return Refusal("4.1", f"the enemy is in {goal}")
    if goal in pos.at(enemy):
        return Refusal("11.13", f"an enemy leader is alone in {goal}: seize {goal} with {unit}")
    if pos.land.terrain[goal] == "water":
        return Refusal("4.21", f"nobody can enter {goal}")

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
            return Refusal("11.15", f"the way to {goal} leads past the enemy, where {unit} has no troops")
        return Refusal("5.2", f"the way to {goal} leads through an enemy zone of control")
    if open_with(zones=False, foes=False):
        return Refusal("4.1", f"the enemy stands in the way to {goal}")
    if open_with(points=400, zones=False, foes=False, bans=False):
        return Refusal("4.11", f"{goal} is too far for {unit}: it has {bound.points / 2:g} points")
    return Refusal("4.23", f"no way leads to {goal}")
