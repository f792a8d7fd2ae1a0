"""What lies on the sides of hexes, and the roads that cross them."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.scene import Board, Edge
from pbem.page.style import CORNER, EDGES
from pbem.page.svg import Point, between, line, n, path, tag, unit


def side(a: Point, b: Point) -> tuple[Point, Point]:
    """The ends of the side that two neighbouring hexes share."""
    (x, y), (ux, uy) = between(a, b), unit(a, b)
    half = CORNER / 2
    return (x - uy * half, y + ux * half), (x + uy * half, y - ux * half)


def _strokes(edges: Iterable[Edge], at: dict[str, Point], **look: str | float | None) -> str:
    d = "".join(path(list(side(at[e.a], at[e.b]))) for e in edges)
    return tag("path", d=d, fill="none", stroke_linecap="round", stroke_linejoin="round", **look) if d else ""


def _by_kind(board: Board) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {kind: [] for kind in EDGES}
    for edge in board.edges:
        found.setdefault(edge.kind, []).append(edge)
    return found


def water(board: Board, at: dict[str, Point]) -> str:
    kinds = _by_kind(board)
    return (
        _strokes(kinds["sea"], at, stroke="#5f9dc0", stroke_width=12)
        + _strokes(kinds["lake"], at, stroke="#2f77a6", stroke_width=12)
        + _strokes(kinds["lake"], at, stroke="#6fb0d6", stroke_width=7)
        + _strokes(kinds["river"], at, stroke="#2f77a6", stroke_width=5.5)
        + _strokes(kinds["stream"], at, stroke="#4f9bc4", stroke_width=2.6)
    )


def works(board: Board, at: dict[str, Point]) -> str:
    """Slopes, hedges, fieldworks, walls and what leads through them."""
    kinds = _by_kind(board)
    out = ["".join(_slope(e, at) for e in kinds["slope"])]
    hedge = kinds["hedge"]
    out.append(_strokes(hedge, at, stroke="#33691e", stroke_width=5, stroke_dasharray="0.1 6"))
    out.append(_strokes(hedge, at, stroke="#8bc34a", stroke_width=2.4, stroke_dasharray="0.1 6"))
    out.append("".join(_toothed(e, at, "#5a3a1a", 3.4) for e in kinds["fieldwork"]))
    out.append("".join(_toothed(e, at, "#111111", 4.6) for e in kinds["redoubt"]))
    out.append("".join(_abatis(e, at) for e in kinds["abatis"]))
    out.append(_strokes(kinds["inner"], at, stroke="#6b4f2c", stroke_width=2.6, stroke_dasharray="5 3.5"))
    walls = [*kinds["wall"], *kinds["gate"]]
    out.append(_strokes(walls, at, stroke="#3a2b1c", stroke_width=5.4))
    out.append(_strokes(walls, at, stroke="#f3e9cf", stroke_width=2, stroke_dasharray="2.4 4"))
    out.append("".join(_box(e, at, "#fff", "#111") for e in kinds["gate"]))
    out.append("".join(_bridge(e, at) for e in kinds["bridge"]))
    out.append("".join(_ford(e, at) for e in kinds["ford"]))
    out.append(_strokes(kinds["closed"], at, stroke="#b3001b", stroke_width=4, stroke_dasharray="3 4"))
    return "".join(out)


def _facing(edge: Edge, at: dict[str, Point]) -> Point:
    """The direction across the side toward the lower or sheltered hex (from a to b if none is named)."""
    return unit(at[edge.b], at[edge.a]) if edge.toward == edge.a else unit(at[edge.a], at[edge.b])


def _slope(edge: Edge, at: dict[str, Point]) -> str:
    """Hachures that run down."""
    (a, b), (ux, uy) = side(at[edge.a], at[edge.b]), _facing(edge, at)
    ticks = []
    for part in (0.08, 0.29, 0.5, 0.71, 0.92):
        x, y = between(a, b, part)
        ticks.append(path([(x, y), (x + ux * 9, y + uy * 9)]))
    return line(a, b, "#7a5c2e", 2.2) + tag(
        "path", d="".join(ticks), stroke="#7a5c2e", stroke_width=1.6, fill="none"
    )


def _toothed(edge: Edge, at: dict[str, Point], ink: str, wide: float) -> str:
    """A parapet: its teeth point away from the sheltered hex."""
    (a, b), (ux, uy) = side(at[edge.a], at[edge.b]), _facing(edge, at)
    inset = 3.0
    a, b = (a[0] + ux * inset, a[1] + uy * inset), (b[0] + ux * inset, b[1] + uy * inset)
    teeth = []
    for part in (0.1, 0.3, 0.5, 0.7, 0.9):
        x, y = between(a, b, part)
        teeth.append(path([(x, y), (x - ux * 6.5, y - uy * 6.5)]))
    return line(a, b, ink, wide) + tag("path", d="".join(teeth), stroke=ink, stroke_width=2.4, fill="none")


def _abatis(edge: Edge, at: dict[str, Point]) -> str:
    a, b = side(at[edge.a], at[edge.b])
    d = ""
    for part in (0.15, 0.5, 0.85):
        x, y = between(a, b, part)
        d += path([(x - 3.5, y - 3.5), (x + 3.5, y + 3.5)]) + path([(x - 3.5, y + 3.5), (x + 3.5, y - 3.5)])
    return tag("path", d=d, stroke="#3f5d1d", stroke_width=2, fill="none")


def _box(edge: Edge, at: dict[str, Point], fill: str, ink: str) -> str:
    """A white box across the side: a gate."""
    a, b = side(at[edge.a], at[edge.b])
    (mx, my), (ux, uy), (vx, vy) = between(a, b), unit(a, b), unit(at[edge.a], at[edge.b])
    corners = [
        (mx + ux * s * 9 + vx * t * 4.2, my + uy * s * 9 + vy * t * 4.2)
        for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    bars = "".join(
        path(
            [
                (mx + ux * s + vx * 4.2, my + uy * s + vy * 4.2),
                (mx + ux * s - vx * 4.2, my + uy * s - vy * 4.2),
            ]
        )
        for s in (-3, 3)
    )
    return tag("path", d=path(corners, close=True), fill=fill, stroke=ink, stroke_width=1.8) + tag(
        "path", d=bars, stroke=ink, stroke_width=1.4, fill="none"
    )


def _bridge(edge: Edge, at: dict[str, Point]) -> str:
    a, b = at[edge.a], at[edge.b]
    middle, (ux, uy) = between(a, b), unit(a, b)
    out = ""
    for s in (-4.0, 4.0):
        x, y = middle[0] - uy * s, middle[1] + ux * s
        out += path([(x - ux * 8, y - uy * 8), (x + ux * 8, y + uy * 8)])
    deck = line(
        (middle[0] - ux * 7, middle[1] - uy * 7), (middle[0] + ux * 7, middle[1] + uy * 7), "#fffaf0", 7
    )
    return deck + tag("path", d=out, stroke="#3a2b1c", stroke_width=1.8, fill="none")


def _ford(edge: Edge, at: dict[str, Point]) -> str:
    middle, (ux, uy) = between(at[edge.a], at[edge.b]), unit(at[edge.a], at[edge.b])
    a, b = (middle[0] - ux * 8, middle[1] - uy * 8), (middle[0] + ux * 8, middle[1] + uy * 8)
    return line(a, b, "#fffaf0", 5) + line(a, b, "#3a2b1c", 2, stroke_dasharray="1.6 2.4")


def roads(board: Board, at: dict[str, Point]) -> str:
    """Roads from side to side through each hex, curved; a dead end runs to the centre."""
    out = ""
    for kind, ink, wide, under, dash in (
        ("track", "#8a5a24", 2.2, 4.4, "5 4"),
        ("sea", "#2f77a6", 2.4, 0.0, "2 5"),
        ("road", "#8a5a24", 3.6, 6.4, None),
    ):
        exits: dict[str, list[str]] = {}
        for link in board.links:
            if link.kind == kind or (kind == "road" and link.kind == "way"):
                exits.setdefault(link.a, []).append(link.b)
                exits.setdefault(link.b, []).append(link.a)
        d = "".join(_through(at, here, sorted(ends)) for here, ends in sorted(exits.items()))
        if d:
            casing = tag("path", d=d, stroke="#fffaf0", stroke_width=under, fill="none") if under else ""
            out += casing + tag(
                "path", d=d, stroke=ink, stroke_width=wide, fill="none", stroke_dasharray=dash
            )
    return out


def _through(at: dict[str, Point], here: str, ends: list[str]) -> str:
    x, y = at[here]
    middles = [between(at[here], at[e]) for e in ends]
    if len(middles) == 2:
        (ax, ay), (bx, by) = middles
        return f"M{n(ax)} {n(ay)}Q{n(x)} {n(y)} {n(bx)} {n(by)}"
    return "".join(f"M{n(mx)} {n(my)}L{n(x)} {n(y)}" for mx, my in middles)
