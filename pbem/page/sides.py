"""What lies on the sides of hexes, and the roads that cross them."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable

from pbem.engine.scene import Board, Edge
from pbem.page.mesh import Corner, Mesh, chains, corner_of
from pbem.page.style import EDGES
from pbem.page.svg import Point, between, line, n, path, tag, unit

RIVER, STREAM = 4.6, 2.4
"""How wide a river and a stream are drawn; a river with a mouth is as wide only there."""
SPRING = 1.9
LENGTH = 22
"""So many sides from its mouth a river is as narrow as at its spring."""
CASING = 2.4


def _by_kind(board: Board) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {kind: [] for kind in EDGES}
    for edge in board.edges:
        found.setdefault(edge.kind, []).append(edge)
    return found


def _stroke(d: str, kind: str, width: float) -> str:
    return tag("path", class_=f"line {kind}", d=d, stroke_width=width) if d else ""


def _soft(mesh: Mesh, sides: Iterable[tuple[Corner, Corner]]) -> str:
    """Sides as soft lines."""
    lines = chains(sides, lambda _: True)
    return "".join(mesh.curve(line, closed=line[0] == line[-1]) for line in lines)


def _sharp(mesh: Mesh, edges: Iterable[Edge]) -> str:
    """Sides as they are: walls."""
    found = []
    for edge in edges:
        a, b = mesh.side(edge.a, edge.b)
        found.append(path([mesh.sharp(a), mesh.sharp(b)]))
    return "".join(found)


def water(board: Board, mesh: Mesh) -> str:
    """Rivers, streams, and sides that are a lake or an arm of the sea."""
    kinds = _by_kind(board)
    wide = _soft(mesh, [mesh.side(e.a, e.b) for e in (*kinds["lake"], *kinds["sea"])])
    streams = _soft(mesh, [mesh.side(e.a, e.b) for e in kinds["stream"]])
    rivers = _rivers(mesh, kinds["river"])
    out = [_stroke(wide, "coast", 13), _stroke(wide, "lake-light", 10)]
    out += [_stroke(d, "casing", width + CASING) for width, d in rivers] + [_stroke(streams, "casing", 4.6)]
    out += [_stroke(d, "river", width) for width, d in rivers] + [_stroke(streams, "stream", STREAM)]
    return "".join(out)


def _rivers(mesh: Mesh, edges: list[Edge]) -> list[tuple[float, str]]:
    """Rivers by their width: each widens from its spring to its mouth, if it has one."""
    sides = [mesh.side(e.a, e.b) for e in edges]
    ends: dict[Corner, list[Corner]] = {}
    for a, b in sides:
        ends.setdefault(a, []).append(b)
        ends.setdefault(b, []).append(a)
    away = _from_mouth(mesh, edges, ends)
    bands: dict[float, list[tuple[Corner, Corner]]] = {}
    for a, b in sides:
        far = min(away.get(a, -1), away.get(b, -1))
        width = RIVER if far < 0 else SPRING + (RIVER - SPRING) * round(max(0.0, 1 - far / LENGTH) * 4) / 4
        bands.setdefault(width, []).append((a, b))
    return [(width, _soft(mesh, bands[width])) for width in sorted(bands)]


def _from_mouth(mesh: Mesh, edges: list[Edge], ends: dict[Corner, list[Corner]]) -> dict[Corner, int]:
    """How many sides each corner of a river lies from the nearest mouth."""
    sea = mesh.of_tint("water")
    wet = {corner_of(cell, k) for cell in sea for k in range(6)}
    first = []
    for edge in edges:
        if edge.flow:
            pair = mesh.side(edge.a, edge.b)
            first += [c for c in pair if c in wet or len(ends[c]) == 1] or list(pair)
    away, waiting = dict.fromkeys(first, 0), deque(first)
    while waiting:
        here = waiting.popleft()
        for there in ends[here]:
            if there not in away:
                away[there] = away[here] + 1
                waiting.append(there)
    return away


def works(board: Board, mesh: Mesh) -> str:
    """Slopes, hedges, fieldworks, walls and what leads through them."""
    kinds = _by_kind(board)
    hedge = _soft(mesh, [mesh.side(e.a, e.b) for e in kinds["hedge"]])
    walls = _sharp(mesh, [*kinds["wall"], *kinds["gate"]])
    out = [_slopes(mesh, kinds["slope"]), _stroke(hedge, "casing", 6.5), _stroke(hedge, "hedge", 4.6)]
    out += [_toothed(e, mesh, 3.2) for e in kinds["fieldwork"]]
    out += [_toothed(e, mesh, 4.8) for e in kinds["redoubt"]]
    out += [_abatis(e, mesh) for e in kinds["abatis"]]
    out.append(_stroke(_sharp(mesh, kinds["inner"]), "inner", 2.6))
    out += [_stroke(walls, "wall", 5.6), _stroke(walls, "wall-tick", 2)]
    out += [_gate(e, mesh) for e in kinds["gate"]]
    out += [_bridge(e, mesh) for e in kinds["bridge"]]
    out += [_ford(e, mesh) for e in kinds["ford"]]
    out.append(_stroke(_sharp(mesh, kinds["closed"]), "closed", 4))
    return "".join(out)


def _facing(edge: Edge, mesh: Mesh) -> Point:
    """The direction across the side toward the lower or sheltered hex (from a to b if none is named)."""
    a, b = mesh.at[edge.a], mesh.at[edge.b]
    return unit(b, a) if edge.toward == edge.a else unit(a, b)


def _ends(edge: Edge, mesh: Mesh) -> tuple[Point, Point]:
    a, b = mesh.side(edge.a, edge.b)
    return mesh.sharp(a), mesh.sharp(b)


def _slopes(mesh: Mesh, edges: list[Edge]) -> str:
    """A soft line along the crest, with hachures that run down."""
    downhill = {}
    for edge in edges:
        a, b = mesh.side(edge.a, edge.b)
        downhill[frozenset((a, b))] = _facing(edge, mesh)
    crest = _soft(mesh, [mesh.side(e.a, e.b) for e in edges])
    ticks = []
    for chain in chains([mesh.side(e.a, e.b) for e in edges], lambda _: True):
        points = mesh.points(chain)
        for number, (p, q) in enumerate(itertools.pairwise(points)):
            along = unit(p, q)
            side = min(max(round((number - 1) / 4), 0), len(chain) - 2)
            down = downhill[frozenset((chain[side], chain[side + 1]))]
            across = (-along[1], along[0])
            if across[0] * down[0] + across[1] * down[1] < 0:
                across = (-across[0], -across[1])
            far = 7.5 if number % 2 else 5.0
            x, y = between(p, q)
            ticks.append(path([(x, y), (x + across[0] * far, y + across[1] * far)]))
    return _stroke(crest, "slope", 2.4) + _stroke("".join(ticks), "slope", 1.4)


def _toothed(edge: Edge, mesh: Mesh, wide: float) -> str:
    """A parapet: its teeth point away from the sheltered hex."""
    (a, b), (ux, uy) = _ends(edge, mesh), _facing(edge, mesh)
    inset = 3.0
    a, b = (a[0] + ux * inset, a[1] + uy * inset), (b[0] + ux * inset, b[1] + uy * inset)
    teeth = []
    for part in (0.1, 0.3, 0.5, 0.7, 0.9):
        x, y = between(a, b, part)
        teeth.append(path([(x, y), (x - ux * 6.5, y - uy * 6.5)]))
    return line(a, b, "work", wide) + _stroke("".join(teeth), "work", wide * 0.65)


def _abatis(edge: Edge, mesh: Mesh) -> str:
    a, b = _ends(edge, mesh)
    d = ""
    for part in (0.15, 0.5, 0.85):
        x, y = between(a, b, part)
        d += path([(x - 3.5, y - 3.5), (x + 3.5, y + 3.5)]) + path([(x - 3.5, y + 3.5), (x + 3.5, y - 3.5)])
    return _stroke(d, "casing", 4) + _stroke(d, "work", 2)


def _gate(edge: Edge, mesh: Mesh) -> str:
    """A white box across the side."""
    a, b = _ends(edge, mesh)
    (mx, my), (ux, uy), (vx, vy) = between(a, b), unit(a, b), unit(mesh.at[edge.a], mesh.at[edge.b])
    spots = [(-9, -4.2), (9, -4.2), (9, 4.2), (-9, 4.2)]
    corners = [(mx + ux * s + vx * t, my + uy * s + vy * t) for s, t in spots]
    bars = "".join(
        path(
            [
                (mx + ux * s + vx * 4.2, my + uy * s + vy * 4.2),
                (mx + ux * s - vx * 4.2, my + uy * s - vy * 4.2),
            ]
        )
        for s in (-3, 3)
    )
    return tag("path", class_="gate", d=path(corners, close=True)) + tag("path", class_="bar", d=bars)


def _bridge(edge: Edge, mesh: Mesh) -> str:
    a, b = mesh.at[edge.a], mesh.at[edge.b]
    middle, (ux, uy) = between(a, b), unit(a, b)
    rails = ""
    for s in (-4.0, 4.0):
        x, y = middle[0] - uy * s, middle[1] + ux * s
        rails += path([(x - ux * 8, y - uy * 8), (x + ux * 8, y + uy * 8)])
    ends = (middle[0] - ux * 7, middle[1] - uy * 7), (middle[0] + ux * 7, middle[1] + uy * 7)
    return line(*ends, "deck", 7) + tag("path", class_="line rail", d=rails)


def _ford(edge: Edge, mesh: Mesh) -> str:
    middle, (ux, uy) = between(mesh.at[edge.a], mesh.at[edge.b]), unit(mesh.at[edge.a], mesh.at[edge.b])
    a, b = (middle[0] - ux * 8, middle[1] - uy * 8), (middle[0] + ux * 8, middle[1] + uy * 8)
    return line(a, b, "deck", 6) + tag("path", class_="line rail dotted", d=path([a, b]))


def roads(board: Board, at: dict[str, Point]) -> str:
    """Roads from side to side through each hex, curved; a dead end runs to the centre."""
    out = ""
    for kind, look, wide, bed in (
        ("track", "road dashed", 2.2, 4.6),
        ("sea", "sea-lane", 2.4, 0.0),
        ("road", "road", 3.4, 6.0),
    ):
        exits: dict[str, list[str]] = {}
        for link in board.links:
            if link.kind == kind or (kind == "road" and link.kind == "way"):
                exits.setdefault(link.a, []).append(link.b)
                exits.setdefault(link.b, []).append(link.a)
        d = "".join(_through(at, here, sorted(ends)) for here, ends in sorted(exits.items()))
        out += (_stroke(d, "road-bed", bed) if bed else "") + _stroke(d, look, wide)
    return out


def _through(at: dict[str, Point], here: str, ends: list[str]) -> str:
    x, y = at[here]
    middles = [between(at[here], at[e]) for e in ends]
    if len(middles) == 2:
        (ax, ay), (bx, by) = middles
        return f"M{n(ax)} {n(ay)}Q{n(x)} {n(y)} {n(bx)} {n(by)}"
    return "".join(f"M{n(mx)} {n(my)}L{n(x)} {n(y)}" for mx, my in middles)
