"""6.1-6.2: ways over the map. Every step costs its terrain (6.12), no step enters an enemy's hex (6.21) or
overfills a hex (7.0, all along the way), and an enemy zone of control is the end of the way (6.22)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from games.kawagoe.position import ENEMY, STACK, KawagoePosition
from games.kit.hexes import HexId
from games.kit.shared import Shared
from games.kit.ways import Flood
from pbem.engine.options import Refusal


def _flood(
    pos: KawagoePosition,
    seat: str,
    size: int,
    start: HexId,
    points: int,
    *,
    zones: bool = True,
    stacks: bool = True,
    foes: bool = True,
) -> Flood:
    """The cheapest ways of a group; the last three are switched off to find out which rule is in the way."""
    limit = STACK[seat] - size
    land = pos.pack.map
    return Flood(
        land.exits,
        land.grid.cubes,
        start,
        points,
        closed=pos.held(ENEMY[seat]) if foes else (),
        barred={h for h, units in pos.held(seat).items() if len(units) > limit} if stacks else (),
        stops=pos.zone(ENEMY[seat]) if zones else (),
    )


def reachable(pos: KawagoePosition, seat: str, size: int, start: HexId, points: int) -> Iterator[HexId]:
    """Where a group of that size may end its move."""
    return _flood(pos, seat, size, start, points).hexes()


def shared_ways(pos: KawagoePosition) -> Shared:
    """The table of ways found in this position; its copies share it until they change."""
    if pos.ways is None:
        pos.ways = Shared()
    return pos.ways  # type: ignore[no-any-return]


def cheapest(
    pos: KawagoePosition, seat: str, size: int, start: HexId, points: int, goal: HexId
) -> tuple[HexId, ...] | None:
    """The cheapest way to a hex; between equals the first one clockwise."""
    known = shared_ways(pos)
    asked = (seat, size, start, points, goal)
    if asked not in known:
        known[asked] = _flood(pos, seat, size, start, points).path(goal)
    way: tuple[HexId, ...] | None = known[asked]
    return way


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
        return _flood(pos, seat, size, start, points, **off).path(goal) is not None

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
