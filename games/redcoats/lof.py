"""7.3 LINE OF FIRE: the hexes of the map on the straight line from centre to centre (7.32-a, 7.32-b)."""

from __future__ import annotations

from itertools import pairwise

from games.kit.hexes import HexId
from games.redcoats.field import Field


def climb(ground: Field, a: HexId, b: HexId) -> int:
    """7.35: 1 if the line crosses more slopes upwards than downwards, -1 if fewer, else 0."""
    path = ground.grid.cells(a, ground.grid.line(a, b).order)
    rise = 0
    up = ground.edges.up
    for here, there in pairwise(path):
        if there in ground.neighbours[here]:
            rise += (there in up[here]) - (here in up[there])
    return (rise > 0) - (rise < 0)


def last_side(ground: Field, a: HexId, b: HexId) -> HexId | None:
    """The hex from which the line enters its target over a hexside; None: it comes in at a corner."""
    path = ground.grid.cells(a, ground.grid.line(a, b).order)
    return path[-2] if len(path) > 1 and path[-2] in ground.neighbours[b] else None
