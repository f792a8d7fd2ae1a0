"""7.3 LINE OF FIRE: which hexes a straight line from centre to centre crosses, in whole numbers.

A line that runs along a hexside touches the two hexes beside it; one that meets a hex in a single point does
not touch it (7.32-a, 7.32-b). The shape depends on the difference of the two hexes alone, so it is worked out
once for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from games.kit.hexes import HexId
from games.redcoats.field import Field

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
    crossed: list[tuple[Fraction, Cube]] = []
    along: list[tuple[Fraction, Cube]] = []
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


def _meet(to: Cube, cell: Cube) -> tuple[Fraction, bool] | None:
    """Where the line from the origin enters a hex, and whether it only runs along its side."""
    low, high, side = Fraction(0), Fraction(1), False
    for i, j in ((0, 1), (1, 2), (2, 0)):
        start, slope = cell[j] - cell[i], to[i] - to[j]  # inside the hex: -1 <= start + t * slope <= 1
        if slope == 0:
            if abs(start) > 1:
                return None
            side = side or abs(start) == 1
            continue
        a, b = Fraction(-1 - start, slope), Fraction(1 - start, slope)
        low, high = max(low, min(a, b)), min(high, max(a, b))
    return (low, side) if low < high else None


def between(ground: Field, a: HexId, b: HexId) -> Line:
    """The line between two hexes of the map."""
    ax, ay, az = ground.grid.cubes[a]
    bx, by, bz = ground.grid.cubes[b]
    return line(bx - ax, by - ay, bz - az)


def cells(ground: Field, a: HexId, found: tuple[Cube, ...]) -> tuple[HexId, ...]:
    """Differences from a hex as hexes; those off the map are left out."""
    x, y, z = ground.grid.cubes[a]
    by_cube = _by_cube(ground)
    return tuple(h for h in (by_cube.get((x + i, y + j, z + k)) for i, j, k in found) if h is not None)


def _by_cube(ground: Field) -> dict[Cube, HexId]:
    key = id(ground)
    found = _CUBES.get(key)
    if found is None or found[0] is not ground:
        found = _CUBES[key] = (ground, {cube: h for h, cube in ground.grid.cubes.items()})
    return found[1]


_CUBES: dict[int, tuple[Field, dict[Cube, HexId]]] = {}
"""Maps that lines were drawn on, and their hexes by cube coordinates."""


def climb(ground: Field, a: HexId, b: HexId) -> int:
    """7.35: 1 if the line crosses more slopes upwards than downwards, -1 if fewer, else 0."""
    path = cells(ground, a, between(ground, a, b).order)
    rise = 0
    up = ground.edges.up
    for here, there in pairwise(path):
        if there in ground.neighbours[here]:
            rise += (there in up[here]) - (here in up[there])
    return (rise > 0) - (rise < 0)


def last_side(ground: Field, a: HexId, b: HexId) -> HexId | None:
    """The hex from which the line enters its target over a hexside; None: it comes in at a corner."""
    path = cells(ground, a, between(ground, a, b).order)
    return path[-2] if len(path) > 1 and path[-2] in ground.neighbours[b] else None
