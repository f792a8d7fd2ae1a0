"""What is printed on the map: grounds, hexsides, roads, regions, numbers, compass. Drawn once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from math import cos, pi, sin

from pbem.engine.scene import Board, Edge, Link, Owner, Place
from pbem.page.sides import roads, water, works
from pbem.page.style import CORNER, DARK, EDGES, GROUNDS, HIGH, INK, PAPER, SHEET, Names, ems, named
from pbem.page.svg import Point, line, n, path, tag, title, words

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
_NOBODYS = "#5d6066"
"""The ink of a region that nobody owns."""


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
        out += [_ground(board, at), water(board, at), roads(board, at), works(board, at)]
        out += [_borders(board, at, colour), _numbers(board, at), _region_names(board, at, colour, names)]
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


def _borders(board: Board, at: dict[str, Point], colour: dict[str, str]) -> str:
    """The outlines of regions, dotted."""
    near = _neighbours(at)
    out = ""
    for number, region in enumerate(board.regions):
        ink = colour.get(region.owner, _NOBODYS)
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
    return out


def _region_names(board: Board, at: dict[str, Point], colour: dict[str, str], names: Names) -> str:
    """The names of regions, over everything else that is printed."""
    out = ""
    for region in board.regions:
        if region.name and region.places:
            ink = colour.get(region.owner, _NOBODYS)
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
    return water(board, at) + works(board, at)


def _link_sign(kind: str) -> str:
    at = {"a": (-14.0, 0.0), "b": (14.0, 0.0)}
    board = Board(links=(Link("a", "b", kind),))
    return roads(board, at)


SIGNS: Mapping[str, Callable[[], str]] = {
    **{kind: partial(_edge_sign, kind) for kind in EDGES},
    **{kind: partial(_link_sign, kind) for kind in ("road", "track", "way")},
}
"""Signs of the legend for hexsides and roads."""
