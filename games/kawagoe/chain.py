"""9.7 CHAIN RETREAT: who can be pushed where, and by how few.

A step of a retreat is the hex entered, followed in a chain by where each pushed unit goes: ("1213",) is an
ordinary step, ("1213", "1214", "1314") pushes the unit in 1213 to 1214 and the one there to 1314.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from games.kawagoe.position import ENEMY, KawagoePosition
from games.kit.hexes import HexId

Step = tuple[HexId, ...]
Piece = tuple[str, ...]
"""What falls back as one: a unit, or a stack where the players agreed so (9.61-b)."""
Standing = dict[HexId, Piece]
"""Who of the side stands where."""


class Ground:
    """What the enemy leaves of the map to one side that falls back."""

    def __init__(
        self, pos: KawagoePosition, side: str, fighting: Sequence[str], foes: Sequence[HexId]
    ) -> None:
        """`fighting`: all units of the side in this combat; `foes`: the hexes that the enemy fought from."""
        self.field = pos.pack.map
        self.fighting = frozenset(fighting)
        self.foes = tuple(foes)
        self.held = pos.held(ENEMY[side])
        self.zone = pos.zone(ENEMY[side])
        self._away: dict[HexId, tuple[HexId, ...]] = {}

    def away(self, here: HexId) -> tuple[HexId, ...]:
        """9.63: adjacent hexes further from every enemy hex of the combat, not across the lake."""
        found = self._away.get(here)
        if found is None:
            distance, lake = self.field.distance, self.field.lake[here]
            near = [(foe, distance(here, foe)) for foe in self.foes]
            found = self._away[here] = tuple(
                h
                for h in self.field.neighbours[here]
                if not lake[h] and all(distance(h, foe) > before for foe, before in near)
            )
        return found

    def pushable(self, standing: Mapping[HexId, Piece], h: HexId, pushed: frozenset[str]) -> bool:
        """A hex whose unit can be pushed: not one of this combat (9.77b), not pushed before (9.73)."""
        units = standing.get(h)
        return units is not None and not any(u in self.fighting or u in pushed for u in units)

    def need(self, standing: Mapping[HexId, Piece], here: HexId, pushed: frozenset[str]) -> dict[HexId, int]:
        """For each hex whose unit can be pushed from here on: at least how many units must move."""
        near, lake = self.field.neighbours, self.field.lake
        region = [h for h in self.away(here) if h not in self.held and self.pushable(standing, h, pushed)]
        seen = set(region)
        exits: list[HexId] = []
        for h in region:
            for n in near[h]:
                if lake[h][n] or n in self.held or n in self.zone or n == here:
                    continue
                if n not in standing:
                    exits.append(h)
                elif n not in seen and self.pushable(standing, n, pushed):
                    seen.add(n)
                    region.append(n)
        need = dict.fromkeys(exits, 1)
        queue = list(need)
        for h in queue:
            for n in near[h]:
                if n in seen and n not in need and not lake[h][n] and h not in self.zone:
                    need[n] = need[h] + 1
                    queue.append(n)
        return need

    def chains(
        self,
        standing: Mapping[HexId, Piece],
        here: HexId,
        pushed: frozenset[str],
        need: Mapping[HexId, int],
        length: int,
    ) -> Iterator[Step]:
        """Every chain that pushes exactly so many units, the first of them out of an away hex (9.71)."""
        for first in self.away(here):
            if first in need and first not in self.held and self.pushable(standing, first, pushed):
                yield from self._push_on(standing, (here, first), pushed, need, length)

    def _push_on(
        self,
        standing: Mapping[HexId, Piece],
        way: tuple[HexId, ...],
        pushed: frozenset[str],
        need: Mapping[HexId, int],
        length: int,
    ) -> Iterator[Step]:
        """9.72, 9.74: a pushed unit goes anywhere but into an enemy zone, an enemy, off the map or back."""
        at = way[-1]
        for n in self.field.neighbours[at]:
            if n in way or self.field.lake[at][n] or n in self.held or n in self.zone:
                continue
            if n not in standing:
                if length == 1:
                    yield (*way[1:], n)
            elif length > 1 and need.get(n, length) < length and self.pushable(standing, n, pushed):
                yield from self._push_on(standing, (*way, n), pushed, need, length - 1)


def lift(standing: Mapping[HexId, Piece], piece: Piece, here: HexId) -> Standing:
    """The board without a piece that is on its way."""
    after = dict(standing)
    others = tuple(u for u in after.pop(here) if u not in piece)
    return {**after, here: others} if others else after


def push(standing: Mapping[HexId, Piece], step: Step) -> tuple[Standing, frozenset[str]]:
    """The board after a chain, the first hex of which is now free, and who was pushed."""
    after = dict(standing)
    gone: list[str] = []
    for start, to in reversed(list(pairwise(step))):
        after[to] = after.pop(start)
        gone += after[to]
    return after, frozenset(gone)
