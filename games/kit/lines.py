"""Straight lines from hex centre to hex centre, in whole numbers: which hexes they cross.

A line that runs along a hexside touches the two hexes beside it; one that meets a hex in a single point does
not touch it. The shape depends on the difference of the two hexes alone, so it is worked out once for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod

Cube = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """The hexes between two hexes, as differences from the first one, nearest first."""

    crossed: tuple[Cube, ...]
    """Hexes that the line goes through."""
    beside: tuple[tuple[Cube, Cube], ...]
    """Pairs of hexes along whose common side it runs."""
    order: tuple[Cube, ...]
    """The line's own hexes in order, ends included, for the sides it crosses."""


@lru_cache(maxsize=1024)
def line(dx: int, dy: int, dz: int) -> Line:
    """The line from the origin to a difference in cube coordinates."""
    reach = max(abs(dx), abs(dy), abs(dz))
    crossed: list[tuple[int, Cube]] = []
    along: list[tuple[int, Cube]] = []
    for x in range(-reach, reach + 1):
        for y in range(max(-reach, -x - reach), min(reach, -x + reach) + 1):
            cell = (x, y, -x - y)
            if cell in ((0, 0, 0), (dx, dy, dz)):
                continue
            met = _meet((dx, dy, dz), cell)
            if met is not None:
                (along if met[1] else crossed).append((met[0], cell))
    crossed.sort()
    along.sort()
    pairs = tuple((along[i][1], along[i + 1][1]) for i in range(0, len(along), 2))
    through = tuple(cell for _, cell in crossed)
    return Line(through, pairs, ((0, 0, 0), *through, (dx, dy, dz)))


def _meet(to: Cube, cell: Cube) -> tuple[int, bool] | None:
    """Where the line from the origin enters a hex, in parts of its length that are the same for every hex;
    and whether it only runs along its side."""
    whole = prod(abs(to[i] - to[j]) or 1 for i, j in ((0, 1), (1, 2), (2, 0)))
    low, high, side = 0, whole, False
    for i, j in ((0, 1), (1, 2), (2, 0)):
        start, slope = cell[j] - cell[i], to[i] - to[j]  # inside the hex: -1 <= start + t * slope <= 1
        if slope == 0:
            if abs(start) > 1:
                return None
            side = side or abs(start) == 1
            continue
        part = whole // abs(slope) * (1 if slope > 0 else -1)
        a, b = (-1 - start) * part, (1 - start) * part
        low, high = max(low, min(a, b)), min(high, max(a, b))
    return (low, side) if low < high else None
