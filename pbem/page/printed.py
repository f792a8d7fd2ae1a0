"""What is printed on the map: ground, hexsides, roads, borders, numbers, the compass. Drawn once for a board.

From below: tint, relief, water, signs, grid, rivers, roads, walls, borders of regions, numbers. Names, badges
and signs of places are laid on it with the pieces (layout.py), because they give way to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import cos, pi, sin

from pbem.engine.scene import Board, Edge, Link, Owner, Place
from pbem.page import country, ground
from pbem.page.mesh import Mesh
from pbem.page.sides import roads, water, works
from pbem.page.style import EDGES, ems, slot
from pbem.page.svg import Point, n, tag, title, words

NODES = 880.0
"""The width that a map of areas gets."""
AROUND = (100.0, 40.0, 165.0, 100.0)
"""Room around the areas: left, above, right, below."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawn board: its markup, its size and where its places are."""

    markup: str
    width: float
    height: float
    at: dict[str, Point]
    hexes: bool
    mini: str = ""
    """The same with nothing small in it, for a small map."""
    plane: Callable[[tuple[float, float]], Point] = field(default=lambda at: at)
    """Where a point of the places' plane lies."""


def draw(board: Board, owners: Iterable[Owner]) -> Sheet:
    """The sheet without pieces."""
    if not board.places:
        return Sheet("", 0, 0, {}, False)
    colour = {owner.id: slot(owner.colour) for owner in owners}
    if board.places[0].shape == "hex":
        return _hexes(board, colour)
    return _areas(board)


def _hexes(board: Board, colour: Mapping[str, str]) -> Sheet:
    mesh = Mesh(board)
    x, y, w, h = mesh.box
    full, small = ground.draw(board, mesh)
    wet, ways = water(board, mesh), roads(board, mesh.at)
    clip = tag("clipPath", tag("rect", x=x, y=y, width=w, height=h), id="frame")
    inner = full + wet + ways + works(board, mesh) + _borders(board, mesh, colour)
    sheet = tag("rect", class_="sheet", width=mesh.width, height=mesh.height)
    markup = clip + sheet + tag("g", inner, clip_path="url(#frame)") + _numbers(board, mesh.at)
    markup += _compass(board.north, (mesh.width - 24, 34), 0.62)
    mini = tag("g", small + wet + ways, clip_path="url(#frame)")
    return Sheet(markup, mesh.width, mesh.height, mesh.at, True, mini, partial(mesh.plane, board=board))


def _areas(board: Board) -> Sheet:
    xs, ys = [p.at[0] for p in board.places], [p.at[1] for p in board.places]
    left, top, scale = min(xs), min(ys), NODES / ((max(xs) - min(xs)) or 1.0)
    width = NODES + AROUND[0] + AROUND[2]
    height = (max(ys) - top) * scale + AROUND[1] + AROUND[3]

    def plane(at: tuple[float, float]) -> Point:
        return (at[0] - left) * scale + AROUND[0], (at[1] - top) * scale + AROUND[1]

    at = {p.id: plane(p.at) for p in board.places}
    land = country.draw(board, plane, (width, height))
    links = country.ways(board, at)
    clip = tag("clipPath", tag("rect", width=width, height=height), id="frame")
    corners = [(width - 30, 32), (30, 32), (width - 30, height - 32), (30, height - 32)]
    free = max(corners, key=lambda c: min((c[0] - p[0]) ** 2 + (c[1] - p[1]) ** 2 for p in at.values()))
    markup = clip + tag("g", land + links, clip_path="url(#frame)") + _compass(board.north, free, 0.9)
    mini = tag("g", land + links, clip_path="url(#frame)")
    return Sheet(markup, width, height, at, False, mini, plane)


def _borders(board: Board, mesh: Mesh, colour: Mapping[str, str]) -> str:
    """The outlines of regions: dots on a pale band, in the colour of whose region it is."""
    out = ""
    for region in board.regions:
        ink = colour.get(region.owner, "x")
        d = mesh.outline({mesh.cells[place] for place in region.places}, holes=False)
        out += tag("path", class_=f"border-halo b{ink}", d=d) + tag("path", class_=f"border b{ink}", d=d)
    return out


def _numbers(board: Board, at: dict[str, Point]) -> str:
    out = "".join(
        f'<text x="{n(at[p.id][0])}" y="{n(at[p.id][1] - 18.4)}">{p.number}</text>'
        for p in board.places
        if p.number.isalnum()
    )
    return tag("g", out, class_="numbers") if out else ""


def place_title(place: Place, held: str = "") -> str:
    """A place in words, for pointers and readers."""
    told = place.name + (f" {place.gloss}" if place.gloss and place.gloss != place.name else "")
    told += "".join(f", {kind} {text}".rstrip() for kind, text in place.badges)
    return told + held


STAR = "M0-7l2 4.6 5 .5-3.8 3.3 1.2 5L0 3.8l-4.4 2.6 1.2-5L-7-1.9l5-.5z"


def badge(kind: str, text: str, x: float, y: float) -> str:
    """A sign: a star for a capital or objective, a red disc for supply, a box for the rest."""
    if kind in ("capital", "objective", "victory"):
        shape = tag("path", class_="star", d=STAR, transform=f"translate({n(x)},{n(y)})")
        return shape + words(text if text != "★" else "", x, y + 2.6, 6, "black", bold=True)
    if kind == "supply":
        disc = tag("circle", class_="supply", cx=x, cy=y, r=7)
        return disc + words(text, x, y + 3.2, 9, "white", bold=True, most=11)
    wide = badge_width(kind, text)
    box = tag("rect", class_="hole", x=x - wide / 2, y=y - 6, width=wide, height=12, rx=3)
    return box + words(text, x, y + 3.1, 8.5, "black", bold=True, most=wide - 2)


def badge_width(kind: str, text: str) -> float:
    """How wide a badge is."""
    return 15.0 if kind in ("capital", "objective", "victory", "supply") else max(13.0, ems(text) * 8.5 + 6)


def _compass(north: float, at: Point, scale: float) -> str:
    """An arrow to the north."""
    arrow = tag("path", class_="ink", d="M0-18L7 10L0 4L-7 10Z", transform=f"rotate({n(north)})")
    angle = pi * north / 180
    letter = words("N", 26 * sin(angle), 4 - 26 * cos(angle), 12, bold=True, halo=True)
    disc = tag("circle", class_="panel", r=22, fill_opacity="0.8")
    return tag(
        "g",
        title("north") + disc + arrow + letter,
        transform=f"translate({n(at[0])},{n(at[1])}) scale({scale})",
    )


def _edge_sign(kind: str) -> str:
    """One hexside as it is drawn on the map, lying across."""
    board = Board(places=(Place("a", (0, 0)), Place("b", (0, 1))), edges=(Edge("a", "b", kind, "a"),))
    mesh = Mesh(board)
    x, y = mesh.at["a"]
    drawn = water(board, mesh) + works(board, mesh)
    return tag("g", drawn, transform=f"translate({n(-x)},{n(-y - 26)})")


def _link_sign(kind: str) -> str:
    at = {"a": (-14.0, 0.0), "b": (14.0, 0.0)}
    return roads(Board(links=(Link("a", "b", kind),)), at)


SIGNS: Mapping[str, Callable[[], str]] = {
    **{kind: partial(_edge_sign, kind) for kind in EDGES},
    **{kind: partial(_link_sign, kind) for kind in ("road", "track", "way")},
}
"""Signs of the legend for hexsides and roads."""
