"""What the bot knows of the pack alone: distances, ways to flee, roads for the relief, results.

Invariants: depends on the pack only; worked out once, or when first asked for; never changes afterwards.
"""

from __future__ import annotations

from collections import Counter

from games.kawagoe.losses import read_result
from games.kawagoe.pack import Pack
from games.kawagoe.siege import SOFTENED
from games.kawagoe.strength import row
from games.kit.hexes import HexId

Row = dict[HexId, int]
Results = tuple[tuple[str, str, bool, float], ...]
"""Attacker's and defender's loss, whether it is a melee, and how likely that is."""


class Ground:
    """Lookups that the rules do not need."""

    def __init__(self, pack: Pack) -> None:
        self.pack, self.field = pack, pack.map
        self._rows: dict[HexId, Row] = {}
        self._away: dict[tuple[HexId, HexId], tuple[HexId, ...]] = {}
        self._results: dict[tuple[int, int, bool], Results] = {}
        self.lines = self._lines()
        """13.1: one road from the castle to each place where a road leaves the map by the entry area."""
        self.ring = frozenset(self.field.ring)

    def far(self, goal: HexId) -> Row:
        """The distance of every hex from one."""
        found = self._rows.get(goal)
        if found is None:
            distance = self.field.grid.distance
            found = self._rows[goal] = {h: distance(h, goal) for h in self.field.hexes}
        return found

    def away(self, here: HexId, foe: HexId) -> tuple[HexId, ...]:
        """9.63: the hexes beside `here` that lead away from an adjacent enemy."""
        found = self._away.get((here, foe))
        if found is None:
            far, lake = self.far(foe), self.field.lake[here]
            found = tuple(n for n in self.field.neighbours[here] if not lake[n] and far[n] > far[here])
            self._away[here, foe] = found
        return found

    def results(self, column: int, modifier: int, walls: bool) -> Results:
        """9.5: what the die may bring in a column, softened by walls or not (9.54)."""
        found = self._results.get((column, modifier, walls))
        if found is None:
            count: Counter[tuple[str, str, bool]] = Counter()
            for die in range(1, 7):
                cell = self.pack.crt.result(column, row(modifier, die))
                result = read_result(SOFTENED.get(cell, cell) if walls else cell)
                count[result.attacker, result.defender, result.melee] += 1
            found = tuple((*losses, times / 6) for losses, times in count.items())
            self._results[column, modifier, walls] = found
        return found

    def _lines(self) -> tuple[tuple[HexId, ...], ...]:
        """The shortest road to each such place, castle hexes left out."""
        roads, inside = self.field.roads, self.field.bailey
        before: dict[HexId, HexId] = {}
        queue = [h for h in self.field.castle if roads[h]]
        seen = set(queue)
        for here in queue:
            for n in roads[here]:
                if n not in seen:
                    seen.add(n)
                    before[n] = here
                    queue.append(n)
        lines = []
        for end in self.field.entry:
            if end in before:
                way = [end]
                while not inside[way[-1]]:
                    way.append(before[way[-1]])
                lines.append(tuple(reversed(way[:-1])))
        return tuple(lines)


_known: list[Ground] = []


def ground_of(pack: Pack) -> Ground:
    """The ground of a pack; the last one is kept, as one pack serves many games."""
    if not _known or _known[0].pack is not pack:
        _known[:] = [Ground(pack)]
    return _known[0]
