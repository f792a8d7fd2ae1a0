"""7.3 LINE OF FIRE: the hexes of the map on the straight line from centre to centre (7.32-a, 7.32-b)."""

from __future__ import annotations

from itertools import pairwise

from games.kit.hexes import HexId
from games.kit.lines import Cube, Line, line
from games.redcoats.field import Field


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
