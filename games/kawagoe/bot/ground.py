"""What the bot knows of the map alone: distances, ways to flee, the roads to relieve the castle by.

Invariants: depends on the map only; worked out once, or when first asked for; never changes afterwards.
"""

from __future__ import annotations

from games.kawagoe.battlefield import Battlefield
from games.kit.hexes import HexId

Row = dict[HexId, int]


class Ground:
    """Lookups by hex that the rules do not need."""

    def __init__(self, field: Battlefield) -> None:
        self.field = field
        self._rows: dict[HexId, Row] = {}
        self._away: dict[tuple[HexId, HexId], tuple[HexId, ...]] = {}
        self.lines = self._lines()
        """13.1: one road from the castle to each place where a road leaves the map by the entry area."""
        self.ring = frozenset(field.ring)

    def far(self, goal: HexId) -> Row:
        """The distance of every hex from one."""
        row = self._rows.get(goal)
        if row is None:
            distance = self.field.grid.distance
            row = self._rows[goal] = {h: distance(h, goal) for h in self.field.hexes}
        return row

    def away(self, here: HexId, foe: HexId) -> tuple[HexId, ...]:
        """9.63: the hexes beside `here` that lead away from an adjacent enemy."""
        found = self._away.get((here, foe))
        if found is None:
            far, lake = self.far(foe), self.field.lake[here]
            found = tuple(n for n in self.field.neighbours[here] if not lake[n] and far[n] > far[here])
            self._away[here, foe] = found
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
