"""Ways over a map: what can be reached at which price, and how far apart places are.

A `Flood` looks in order of price, so the first way that it finds to a hex is a cheapest one, and between
equals the first in the order of the exits (clockwise on hex maps). Prices are whole and at least 1.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from games.kit.hexes import HexId
from games.kit.lines import Cube

Exits = Mapping[HexId, tuple[tuple[HexId, int], ...]]
"""Every step that terrain allows, with its price, in a fixed order."""


class Flood:
    """The cheapest ways from one hex, found in order of their price."""

    __slots__ = (
        "_barred",
        "_closed",
        "_cubes",
        "_exits",
        "_first",
        "_may",
        "_points",
        "_prev",
        "_spent",
        "_start",
        "_stops",
        "_tolls",
    )

    def __init__(
        self,
        exits: Exits,
        cubes: Mapping[HexId, Cube],
        start: HexId,
        points: int,
        *,
        closed: Container[HexId] = (),
        barred: Container[HexId] = (),
        stops: Container[HexId] = (),
        tolls: Container[HexId] = (),
        may: Callable[[HexId, HexId], bool] | None = None,
        spent: int = 0,
        first: bool = False,
    ) -> None:
        """Nobody enters what is `closed` or `barred`; who enters one of `stops` goes no further; `tolls` cost
        1 more. `may` says of a step (where to, where from) whether it is lawful at all.

        `spent`: what the start itself has cost, to one who comes from beyond the edge. `first`: one step from
        the start is always possible, and takes all points if it costs more.
        """
        self._exits, self._cubes, self._start, self._points = exits, cubes, start, points
        self._closed, self._barred, self._stops, self._tolls = closed, barred, stops, tolls
        self._may, self._spent, self._first = may, spent, first
        self._prev: dict[HexId, tuple[HexId, int]] = {}

    def hexes(self, goal: HexId | None = None) -> Iterator[HexId]:
        """Every hex that can be reached, nearest first; with a goal, those that can lie on the way to it."""
        exits, cubes, stops, tolls = self._exits, self._cubes, self._stops, self._tolls
        closed, barred, may, first = self._closed, self._barred, self._may, self._first
        prev, points, start = self._prev, self._points, self._start
        gx, gy, gz = cubes[goal] if goal else (0, 0, 0)
        best = {start: self._spent}
        waiting: list[list[HexId]] = [[] for _ in range(points + 1)]
        if waiting:
            waiting[self._spent].append(start)
        for spent, now in enumerate(waiting):
            for here in now:
                if best[here] != spent:
                    continue
                if here != start:
                    yield here
                    if here in stops:
                        continue
                for there, price in exits[here]:
                    total = spent + price
                    if total > points:
                        if not first or here != start:
                            continue
                        total = points
                    if best.get(there, total + 1) <= total:
                        continue
                    if there in closed or there in barred or (may is not None and not may(there, here)):
                        continue
                    if there in tolls:
                        total += 1
                        if total > points or best.get(there, total + 1) <= total:
                            continue
                    if goal:  # no step is cheaper than 1
                        x, y, z = cubes[there]
                        if total + max(abs(x - gx), abs(y - gy), abs(z - gz)) > points:
                            continue
                    best[there] = total
                    prev[there] = here, total
                    waiting[total].append(there)

    def all(self) -> Mapping[HexId, tuple[HexId, int]]:
        """Every hex that can be reached, in the order of the search: the hex before it, and what it costs."""
        for _ in self.hexes():
            pass
        return self._prev

    def path(self, goal: HexId) -> tuple[HexId, ...] | None:
        """The way to a hex, without its start; None if there is none."""
        for place in self.hexes(goal):
            if place == goal:
                way = [goal]
                while self._prev[way[-1]][0] != self._start:
                    way.append(self._prev[way[-1]][0])
                return tuple(reversed(way))
        return None

    def price(self, goal: HexId) -> int:
        """What the way costs that `path` has found."""
        return self._prev[goal][1]


def steps(
    starts: Iterable[str],
    near: Mapping[str, Iterable[str]],
    free: Callable[[str], bool] | None = None,
    reach: int | None = None,
    through: Callable[[str], bool] | None = None,
) -> dict[str, int]:
    """How many steps lie between the nearest start and every place that can be reached.

    Only `free` places are entered. Where `through` is given, a way may end anywhere, but it goes on from a
    start and from such places alone.
    """
    away = dict.fromkeys(starts, 0)
    queue = list(away)
    for here in queue:
        if through is not None and away[here] and not through(here):
            continue
        further = away[here] + 1
        if reach is not None and further > reach:
            break
        for there in near[here]:
            if there not in away and (free is None or free(there)):
                away[there] = further
                queue.append(there)
    return away
