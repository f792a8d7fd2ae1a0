"""What is printed on the map: grounds, hexsides, roads, regions, names, numbers, compass. Drawn once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from math import cos, pi, sin

from pbem.engine.scene import Board, Edge, Link, Owner, Place
from pbem.page.style import DARK, EDGES, GROUNDS, INK, PAPER, SHEET, Names, ems, named
from pbem.page.svg import Point, between, line, n, path, tag, title, unit, words

CORNER = 30.0
"""From the centre of a hex to its corner."""
HIGH = 51.96
EDGE_OF_SHEET = 26.0
NODES = 880.0
"""The width that a map of areas gets."""

SYMBOLS = {
    "trees": "M-14 6l4-9 4 9zM-3 -6l4-9 4 9zM8 4l4-9 4 9zM-2 16l4-9 4 9zM-16 -8l3-7 3 7z",
    "orchard": "M-12 -8h.1M0 -8h.1M12 -8h.1M-12 4h.1M0 4h.1M12 4h.1M-6 15h.1M6 15h.1",
    "reeds": "M-16 2h9M-13 2v-5M-10 2v-6M4 -9h9M7 -9v-5M10 -9v-6M1 14h9M4 14v-5M7 14v-6",
    "stones": "M-14 4l3-4 4 3zM2 -8l4-3 3 4zM7 12l4-4 3 4zM-8 16l3-3 3 3z",
    "hachures": "M-14 -8l-3 7M-8 -11l-2 8M-1 -12v8M6 -11l2 8M12 -8l3 7M-9 10l-2 7M-2 9v8M5 10l2 7",
    "peaks": "M-18 12l9-20 5 9 5-13 12 24zM-9 -8l-2 8M1 -12l2 10",
    "houses": "M-13 -10h8v8h-8zM3 -15h8v8h-8zM6 5h8v8h-8zM-9 8h8v7h-8z",
    "keep": "M-12 12h24v-12h-4v-5h-5v5h-6v-5h-5v5h-4z",
    "fort": "M0 -14l5 9 10 1-7 8 2 10-10-5-10 5 2-10-7-8 10-1z",
    "waves": "M-18 -6q4-4 8 0t8 0 8 0M-10 8q4-4 8 0t8 0 8 0",
    "rows": "M-16 -8h32M-20 0h40M-16 8h32",
}
"""What tells a ground without its colour."""
_FILLED = ("trees", "houses", "keep", "stones")
_SYMBOL_INK = {
    "trees": "#7ea058",
    "orchard": "#7ea058",
    "reeds": "#7fa5a5",
    "stones": "#b39a6a",
    "hachures": "#a98d52",
    "peaks": "#8a6f47",
    "houses": "#b08a77",
    "keep": "#b39659",
    "fort": "#a98d52",
    "waves": "#84b1cc",
    "rows": "#d9c27c",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawn board: its markup, its size and where its places are."""

    markup: str
    width: float
    height: float
    at: dict[str, Point]
    hexes: bool


def defs() -> str:
    """The symbols that grounds refer to."""
    out = []
    for name, d in SYMBOLS.items():
        ink = _SYMBOL_INK[name]
        fill = ink if name in _FILLED else "none"
        wide = 3.6 if name == "orchard" else 1.2
        out.append(
            tag("path", id=f"s-{name}", d=d, fill=fill, stroke=ink, stroke_width=wide, stroke_linecap="round")
        )
    return "".join(out)


def hexagon(at: Point, size: float = CORNER) -> list[Point]:
    """The corners of a flat-topped hex."""
    return [(at[0] + size * cos(pi * k / 3), at[1] + size * sin(pi * k / 3)) for k in range(6)]


def places_at(board: Board) -> tuple[dict[str, Point], float, float]:
    """Where each place is drawn, and how large the sheet is."""
    if not board.places:
        return {}, 0.0, 0.0
    xs = [p.at[0] for p in board.places]
    ys = [p.at[1] for p in board.places]
    left, top, right, low = min(xs), min(ys), max(xs), max(ys)
    if board.places[0].shape == "hex":
        edge = EDGE_OF_SHEET
        at = {
            p.id: ((p.at[0] - left) * CORNER * 1.5 + CORNER + edge, (p.at[1] - top) * HIGH + HIGH / 2 + edge)
            for p in board.places
        }
        width = (right - left) * CORNER * 1.5 + 2 * CORNER + 2 * edge
        return at, width, (low - top) * HIGH + HIGH + 2 * edge
    scale = NODES / ((right - left) or 1.0)
    at = {p.id: ((p.at[0] - left) * scale + 90, (p.at[1] - top) * scale + 34) for p in board.places}
    return at, NODES + 180, (low - top) * scale + 130


def draw(board: Board, owners: Iterable[Owner], names: Names) -> Sheet:
    """The sheet without pieces."""
    at, width, height = places_at(board)
    if not at:
        return Sheet("", 0, 0, {}, False)
    hexes = board.places[0].shape == "hex"
    colour = {owner.id: DARK[owner.colour % len(DARK)] for owner in owners}
    out = [tag("rect", width=width, height=height, fill="#e4dcc2" if hexes else SHEET, rx=0 if hexes else 8)]
    if hexes:
        out += [_ground(board, at), _water(board, at), _roads(board, at), _works(board, at)]
        out += [_regions(board, at, colour, names), _numbers(board, at), _names(board, at, names)]
    else:
        out.append(_ways(board, at))
    out.append(_compass(board, at, width, height))
    return Sheet("".join(out), width, height, at, hexes)


# --- hexes


def _ground(board: Board, at: dict[str, Point]) -> str:
    out = [tag("path", id="hex", d=path(hexagon((0, 0)), close=True))]
    body = tag("defs", "".join(out))
    by_ground: dict[str, list[Place]] = {}
    for place in board.places:
        by_ground.setdefault(place.ground or "plain", []).append(place)
    for ground, places in by_ground.items():
        fill, symbol = GROUNDS.get(ground, (PAPER, ""))
        shape = " ".join(path(hexagon(at[p.id]), close=True) for p in places)
        body += tag("path", d=shape, fill=fill, stroke="#b9b39c", stroke_width=0.9)
        if symbol:
            body += "".join(
                f'<use href="#s-{symbol}" x="{n(at[p.id][0])}" y="{n(at[p.id][1])}"/>' for p in places
            )
    return body


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


def _water(board: Board, at: dict[str, Point]) -> str:
    kinds = _by_kind(board)
    return (
        _strokes(kinds["sea"], at, stroke="#5f9dc0", stroke_width=12)
        + _strokes(kinds["lake"], at, stroke="#2f77a6", stroke_width=12)
        + _strokes(kinds["lake"], at, stroke="#6fb0d6", stroke_width=7)
        + _strokes(kinds["river"], at, stroke="#2f77a6", stroke_width=5.5)
        + _strokes(kinds["stream"], at, stroke="#4f9bc4", stroke_width=2.6)
    )


def _works(board: Board, at: dict[str, Point]) -> str:
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


def _roads(board: Board, at: dict[str, Point]) -> str:
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


def _regions(board: Board, at: dict[str, Point], colour: dict[str, str], names: Names) -> str:
    near = _neighbours(at)
    out = ""
    for number, region in enumerate(board.regions):
        ink = colour.get(region.owner, "#5d6066")
        inside = set(region.places)
        d = ""
        for here in region.places:
            cx, cy = at[here]
            corners = hexagon((cx, cy), CORNER - 2.6 - (number % 2) * 1.6)
            for k in range(6):
                if near[here][k] not in inside:
                    d += path([corners[k], corners[(k + 1) % 6]])
        out += tag(
            "path",
            d=d,
            stroke=ink,
            stroke_width=3,
            fill="none",
            stroke_dasharray="0.1 6",
            stroke_linecap="round",
        )
        if region.name and region.places:
            px, py = _label_at(region.places, at)
            large, small = named(region.name, region.gloss, names)
            out += words(large, px, py, 17, ink, bold=True, halo="#fffdf4")
            out += words(small, px, py + 13, 10, ink, bold=True, halo="#fffdf4")
    return out


def _neighbours(at: dict[str, Point]) -> dict[str, tuple[str, ...]]:
    """The hex across each of the six sides, "" where there is none."""
    grid = {(round(x), round(y)): here for here, (x, y) in at.items()}
    found = {}
    for here, (x, y) in at.items():
        row = []
        for k in range(6):
            angle = pi * (k + 0.5) / 3
            px, py = x + HIGH * cos(angle), y + HIGH * sin(angle)
            spots = ((round(px) + i, round(py) + j) for i in (0, -1, 1) for j in (0, -1, 1))
            row.append(next((grid[spot] for spot in spots if spot in grid), ""))
        found[here] = tuple(row)
    return found


def _label_at(places: tuple[str, ...], at: dict[str, Point]) -> Point:
    """The place nearest the middle of a region, a little above its own number."""
    cx = sum(at[p][0] for p in places) / len(places)
    cy = sum(at[p][1] for p in places) / len(places)
    x, y = min((at[p] for p in places), key=lambda q: (q[0] - cx) ** 2 + (q[1] - cy) ** 2)
    return x, y + 5


def _numbers(board: Board, at: dict[str, Point]) -> str:
    out = "".join(
        f'<text x="{n(at[p.id][0])}" y="{n(at[p.id][1] - 18.6)}">{p.number}</text>'
        for p in board.places
        if p.number.isalnum()
    )
    badges = "".join(_badges(p, at[p.id]) for p in board.places if p.badges)
    if not out:
        return badges
    return (
        f'<g font-size="7.5" fill="#55503f" text-anchor="middle" stroke="#fffdf4" stroke-width="1.4" '
        f'paint-order="stroke">{out}</g>' + badges
    )


def _badges(place: Place, at: Point) -> str:
    """Small signs at the foot of a hex."""
    out, x = "", at[0] - 9.5 * (len(place.badges) - 1)
    for kind, text in place.badges:
        out += badge(kind, text, x, at[1] + 18)
        x += 19
    return out


def badge(kind: str, text: str, x: float, y: float) -> str:
    """A sign: a star for a capital or objective, a red disc for supply, a box for the rest."""
    if kind in ("capital", "objective", "victory"):
        star = "M0-7l2 4.6 5 .5-3.8 3.3 1.2 5L0 3.8l-4.4 2.6 1.2-5L-7-1.9l5-.5z"
        moved = f"translate({n(x)},{n(y)})"
        shape = tag("path", d=star, fill="#ffd84d", stroke="#111", stroke_width=0.9, transform=moved)
        return shape + words(text, x, y + 2.6, 6, "#111", bold=True)
    if kind == "supply":
        return tag("circle", cx=x, cy=y, r=6.5, fill="#b3001b", stroke="#fff", stroke_width=1) + words(
            text, x, y + 3, 8.5, "#fff", bold=True, most=11
        )
    wide = max(13.0, ems(text) * 8 + 5)
    return tag(
        "rect",
        x=x - wide / 2,
        y=y - 6,
        width=wide,
        height=12,
        rx=2,
        fill="#fff",
        stroke=INK,
        stroke_width=0.9,
    ) + words(text, x, y + 3, 8, INK, bold=True, most=wide - 2)


def _names(board: Board, at: dict[str, Point], names: Names) -> str:
    out = ""
    for place in board.places:
        if place.name:
            x, y = at[place.id]
            large, small = named(place.name, place.gloss, names)
            out += words(large, x, y + 4, 13, INK, bold=True, halo="#fffdf4")
            out += words(small, x, y + 15, 8.5, INK, halo="#fffdf4")
    return out


# --- areas


def _ways(board: Board, at: dict[str, Point]) -> str:
    out = ""
    for link in board.links:
        a, b = at[link.a], at[link.b]
        if link.kind == "sea":
            out += line(a, b, "#2f77a6", 3, stroke_dasharray="3 6", stroke_linecap="round")
        elif link.kind == "track":
            out += line(a, b, "#8a5a24", 2.6, stroke_dasharray="7 5")
        else:
            out += line(a, b, "#6d5a35", 7) + line(a, b, "#fffaf0", 4.4)
    return out


def _compass(board: Board, at: dict[str, Point], width: float, height: float) -> str:
    """An arrow to the north in the corner that is farthest from any place."""
    corners = [(width - 30, 32), (30, 32), (width - 30, height - 32), (30, height - 32)]
    if board.places[0].shape == "hex":
        x, y = width - 13, 24.0
        scale = 0.7
    else:
        x, y = max(corners, key=lambda c: min((c[0] - p[0]) ** 2 + (c[1] - p[1]) ** 2 for p in at.values()))
        scale = 1.0
    arrow = tag("path", d="M0-18L7 10L0 4L-7 10Z", fill=INK, transform=f"rotate({n(board.north)})")
    angle = pi * board.north / 180
    letter = words("N", 26 * sin(angle), 4 - 26 * cos(angle), 12, INK, bold=True)
    return tag("g", title("north") + arrow + letter, transform=f"translate({n(x)},{n(y)}) scale({scale})")


def _edge_sign(kind: str) -> str:
    """One hexside as it is drawn on the map, lying across."""
    at = {"a": (0.0, HIGH / 2), "b": (0.0, -HIGH / 2)}
    board = Board(edges=(Edge("a", "b", kind, "a"),))
    return _water(board, at) + _works(board, at)


def _link_sign(kind: str) -> str:
    at = {"a": (-14.0, 0.0), "b": (14.0, 0.0)}
    board = Board(links=(Link("a", "b", kind),))
    return _roads(board, at)


SIGNS: Mapping[str, Callable[[], str]] = {
    **{kind: partial(_edge_sign, kind) for kind in EDGES},
    **{kind: partial(_link_sign, kind) for kind in ("road", "track", "way")},
}
"""Signs of the legend for hexsides and roads."""
