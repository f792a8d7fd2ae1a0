"""6.1-6.2: ways over the map. Every step costs its terrain (6.12), no step enters an enemy's hex (6.21) or
overfills a hex (7.0, all along the way), and an enemy zone of control is the end of the way (6.22)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from games.kawagoe.position import ENEMY, STACK, KawagoePosition
from games.kit.hexes import HexId
from pbem.engine.options import Refusal


class Ways(dict[tuple[str, int, HexId, int, HexId], tuple[HexId, ...] | None]):
    """Ways that have been looked for; no plain dict, so that a copy of a position shares it."""


class Walk:
    """The cheapest ways from one hex, found in order of their price."""

    __slots__ = ("_exits", "_foes", "_friends", "_grid", "_limit", "_points", "_prev", "_start", "_zone")

    def __init__(
        self,
        pos: KawagoePosition,
        seat: str,
        size: int,
        start: HexId,
        points: int,
        *,
        zones: bool = True,
        stacks: bool = True,
        foes: bool = True,
    ) -> None:
        """The last three can be switched off to find out which rule stands in the way."""
        self._exits, self._grid = pos.pack.map.exits, pos.pack.map.grid
        self._zone = pos.zone(ENEMY[seat]) if zones else {}
        self._foes = pos.held(ENEMY[seat]) if foes else {}
        self._friends = pos.held(seat) if stacks else {}
        self._limit = STACK[seat] - size
        self._start, self._points = start, points
        self._prev: dict[HexId, HexId] = {}

    def hexes(self, goal: HexId | None = None) -> Iterator[HexId]:
        """Every hex that can be reached, nearest first; with a goal, those that can lie on the way to it."""
        exits, zone, foes, friends, limit = self._exits, self._zone, self._foes, self._friends, self._limit
        prev, points, start = self._prev, self._points, self._start
        cubes = self._grid.cubes
        gx, gy, gz = cubes[goal] if goal else (0, 0, 0)
        best = {start: 0}
        waiting: list[list[HexId]] = [[] for _ in range(points + 1)]
        waiting[0].append(start)
        for spent, now in enumerate(waiting):
            for here in now:
                if best[here] != spent:
                    continue
                if here != start:
                    yield here
                    if here in zone:
                        continue
                for n, price in exits[here]:
                    total = spent + price
                    if total > points or best.get(n, total + 1) <= total or n in foes:
                        continue
                    others = friends.get(n)
                    if others and len(others) > limit:
                        continue
                    if goal:  # no step is cheaper than 1
                        x, y, z = cubes[n]
                        if total + max(abs(x - gx), abs(y - gy), abs(z - gz)) > points:
                            continue
                    best[n] = total
                    prev[n] = here
                    waiting[total].append(n)

    def path(self, goal: HexId) -> tuple[HexId, ...] | None:
        """The way to a hex, without its start; None if there is none."""
        for place in self.hexes(goal):
            if place == goal:
                way = [goal]
                while self._prev[way[-1]] != self._start:
                    way.append(self._prev[way[-1]])
                return tuple(reversed(way))
        return None


def reachable(pos: KawagoePosition, seat: str, size: int, start: HexId, points: int) -> Iterator[HexId]:
    """Where a group of that size may end its move."""
    return Walk(pos, seat, size, start, points).hexes()


def shared_ways(pos: KawagoePosition) -> Ways:
    """The table of ways found in this position; its copies share it until they change."""
    if pos.ways is None:
        pos.ways = Ways()
    return pos.ways  # type: ignore[no-any-return]


def cheapest(
    pos: KawagoePosition, seat: str, size: int, start: HexId, points: int, goal: HexId
) -> tuple[HexId, ...] | None:
    """The cheapest way to a hex; between equals the first one clockwise."""
    known = shared_ways(pos)
    asked = (seat, size, start, points, goal)
    if asked not in known:
        known[asked] = Walk(pos, seat, size, start, points).path(goal)
    return known[asked]


def blocked(
    pos: KawagoePosition, seat: str, size: int, start: HexId, points: int, goal: HexId
) -> Refusal | None:
    """None if the hex can be reached; else the rule that stands in the way."""
    if cheapest(pos, seat, size, start, points, goal) is not None:
        return None
    if goal in pos.held(ENEMY[seat]):
        return Refusal("6.21", f"the enemy is in {goal}")
    if pos.room(seat, goal) < size:
        return Refusal("7.0", f"there is no room in {goal}")

    def without(**off: bool) -> bool:
        return Walk(pos, seat, size, start, points, **off).path(goal) is not None

    if without(zones=False):
        return Refusal("6.22", f"every way to {goal} is stopped by an enemy zone of control")
    if without(zones=False, stacks=False):
        return Refusal("7.0", f"own units block every way to {goal}: a hex on it would be overfull")
    if without(zones=False, stacks=False, foes=False):
        return Refusal("6.21", f"the enemy bars every way to {goal}")
    if pos.pack.map.cost[start].get(goal, 0) is None:
        what = "the lake" if pos.pack.map.lake[start][goal] else "a wall without a gate"
        return Refusal(
            "6.12", f"{what} is between {start} and {goal}, and {points} points are not enough around"
        )
    return Refusal("6.12", f"{points} points are not enough to reach {goal} from {start}")


def wander(
    pos: KawagoePosition, seat: str, size: int, start: HexId, points: int, rng: Random
) -> HexId | None:
    """A random hex that can be reached, found by walking at random; None if there is none."""
    exits, zone, foes, friends = (
        pos.pack.map.exits,
        pos.zone(ENEMY[seat]),
        pos.held(ENEMY[seat]),
        pos.held(seat),
    )
    limit = STACK[seat] - size
    here, left = start, points
    while True:
        open_ = [
            (n, price)
            for n, price in exits[here]
            if price <= left and n not in foes and len(friends.get(n, ())) <= limit and n != start
        ]
        if not open_:
            break
        here, price = open_[rng.randrange(len(open_))]
        left -= price
        if here in zone or rng.random() < 0.2:
            break
    return None if here == start else here
