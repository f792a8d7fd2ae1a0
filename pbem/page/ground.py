"""The ground of a board of hexes, drawn as a map: tints, relief, water, woods and marsh, the grid.

The relief is a group of class `relief` with one shape for each height; `data-box` is the frame. The page
shades it once into a bitmap (static/relief.js); a picture that stands alone lets a filter do it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin

from pbem.engine.scene import Board
from pbem.page.mesh import Cell, Mesh, beside, scatter
from pbem.page.style import GROUNDS
from pbem.page.svg import n, tag

TINTS = ("beach", "field", "marsh", "orchard", "woods", "town")
"""Blobs in the order in which they are laid on plain and rough ground."""
_TREE = "c2 2.5 2.9 3.9 2.9 5.5a2.9 2.9 0 0 1-5.8 0c0-1.6 .9-3 2.9-5.5z"
_REEDS = "m0 0v-4.6m2.6 4.6v-6m2.6 6v-3.8m-7.2 3.8h9.4"
_HOUSES = "M-13 -10h8v8h-8zM3 -15h8v8h-8zM6 5h8v8h-8zM-9 8h8v7h-8z"
VARIANTS = 5
"""Different clusters of trees and reeds, chosen by a hash of the hex."""
STEP = 0.3
"""The difference in height between two shapes of the relief, where slopes make it."""
UPLAND = 0.55
"""From this height on the ground is tinted, whatever grows on it."""
RELIEF = (
    '<filter id="relief" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">'
    '<feGaussianBlur in="SourceAlpha" stdDeviation="11" result="high"/>'
    '<feTurbulence type="fractalNoise" baseFrequency=".02" numOctaves="3" seed="7" result="noise"/>'
    '<feComposite in="high" in2="noise" operator="arithmetic" k1=".9" k2=".5"/>'
    '<feDiffuseLighting surfaceScale="14" diffuseConstant=".673" lighting-color="#fff">'
    '<feDistantLight azimuth="232" elevation="48"/></feDiffuseLighting></filter>'
)
"""The filter that shades a relief in a picture that stands alone."""


def defs() -> str:
    """The clusters of signs that grounds refer to."""
    out = [RELIEF]
    for variant in range(VARIANTS):
        out.append(tag("g", _trees(variant, 7), id=f"s-trees{variant}"))
        out.append(tag("g", _trees(variant + 9, 3), id=f"s-grove{variant}"))
        spots = [_spot(variant + 20, k, 3, 13) for k in range(3)]
        reeds = "".join(f"M{n(x - 3)} {n(y + 3)}{_REEDS}" for x, y in spots)
        out.append(tag("path", id=f"s-reeds{variant}", class_="reed", d=reeds))
    out.append(tag("path", id="s-houses", class_="house", d=_HOUSES))
    out.append(tag("path", id="s-furrows", class_="furrow", d="M-16 -8h32M-20 0h40M-16 8h32"))
    stones = "M-14 4l3-4 4 3M2 -8l4-3 3 4M7 12l4-4 3 4M-8 16l3-3 3 3"
    out.append(tag("path", id="s-stones", class_="stone", d=stones))
    out.append(tag("path", id="s-hachures", class_="stone", d="M-12 -6l-3 9M-4 -9l-1 9M4 -9l1 9M12 -6l3 9"))
    out.append(
        tag("path", id="s-peaks", class_="stone", d="M-18 12l9-20 5 9 5-13 12 24M-9 -8l-2 8M1 -12l2 10")
    )
    return "".join(out)


def _spot(seed: int, k: int, many: int, far: float) -> tuple[float, float]:
    """The k-th of many spots around the middle of a hex, evenly but not in order."""
    if many > 4 and k == many - 1:
        return 5 * scatter(seed, k, 1) - 2.5, 5 * scatter(seed, k, 2) - 2.5
    turn = 2 * pi * (k + 0.7 * scatter(seed, k, 3)) / (many - (many > 4))
    reach = far * (0.72 + 0.36 * scatter(seed, k, 4))
    return reach * cos(turn), reach * sin(turn) * 0.92


def _trees(seed: int, many: int) -> str:
    out = {"tree": "", "tree2": ""}
    for k in range(many):
        x, y = _spot(seed, k, many, 17.5)
        out["tree" if scatter(seed, k, 5) < 0.5 else "tree2"] += f"M{n(x)} {n(y - 4)}{_TREE}"
    return "".join(tag("path", class_=kind, d=d) for kind, d in out.items() if d)


def draw(board: Board, mesh: Mesh) -> tuple[str, str]:
    """The ground, and the little of it that a small map needs."""
    x, y, w, h = mesh.box
    sheet = tag("rect", class_="g-plain", x=x, y=y, width=w, height=h)
    heights = _heights(board, mesh)
    tints = _tints(mesh, heights)
    water = _water(mesh)
    full = sheet + tints + relief(mesh, heights) + water + _signs(mesh) + _grid(mesh)
    return full, sheet + tints + water


def _tints(mesh: Mesh, heights: Mapping[Cell, float]) -> str:
    """What lies high, rough ground below mountains, then the blobs; walls of a castle stay straight."""
    rough, high = mesh.of_tint("rough", "mountain"), mesh.of_tint("mountain")
    upland = {cell for cell, height in heights.items() if height >= UPLAND}
    out = [tag("path", class_="g-rough", d=mesh.outline(upland))] if upland else []
    for tint, cells in (("rough", rough), ("mountain", high), *((t, mesh.of_tint(t)) for t in TINTS)):
        if cells:
            out.append(tag("path", class_=f"g-{tint}", d=mesh.outline(cells)))
    for tint in ("bailey3", "bailey2", "bailey1", "off"):
        cells = {cell for cell in mesh.of_tint(tint) if tint == "off" or cell in mesh.places}
        if cells:
            out.append(tag("path", class_=f"g-{tint}", d=mesh.straight(sorted(cells))))
    return "".join(out)


def _water(mesh: Mesh) -> str:
    """Water with a light band along the shore, and the coast."""
    cells = mesh.of_tint("water")
    if not cells:
        return ""
    d = mesh.outline(cells)
    return (
        tag("clipPath", tag("path", d=d), id="water")
        + tag("path", class_="g-water", d=d)
        + tag("path", class_="shore", d=d, stroke_width=13, clip_path="url(#water)")
        + tag("path", class_="coast", d=d, stroke_width=1.7)
    )


def _signs(mesh: Mesh) -> str:
    """Trees, reeds and houses, a cluster to a hex."""
    out = []
    for cell, place in mesh.places.items():
        sign = GROUNDS.get(mesh.ground[cell], GROUNDS["plain"]).sign
        if not sign or sign in ("stones", "hachures", "peaks"):  # the relief shows those
            continue
        if sign in ("trees", "grove", "reeds"):
            sign += str(int(scatter(*cell, 7) * VARIANTS))
        px, py = mesh.at[place.id]
        out.append(f'<use href="#s-{sign}" x="{n(px)}" y="{n(py)}"/>')
    return tag("g", "".join(out), class_="signs") if out else ""


def _grid(mesh: Mesh) -> str:
    """Every hexside once."""
    out = []
    for cell, place in mesh.places.items():
        if GROUNDS.get(place.ground, GROUNDS["plain"]).tint == "off":
            continue
        for k, there in enumerate(beside(cell)):
            if k < 3 or there not in mesh.places:
                a, b = _ends(mesh, cell, k)
                out.append(f"M{n(a[0])} {n(a[1])}L{n(b[0])} {n(b[1])}")
    return tag("path", class_="grid", d="".join(out))


def _ends(mesh: Mesh, cell: Cell, k: int) -> tuple[tuple[float, float], tuple[float, float]]:
    x, y = mesh.centre(cell)
    a, b = pi * k / 3, pi * (k + 1) / 3
    return (x + 30 * cos(a), y + 30 * sin(a)), (x + 30 * cos(b), y + 30 * sin(b))


# --- relief


def relief(mesh: Mesh, heights: Mapping[Cell, float]) -> str:
    """Shapes whose darkness adds up to the height of the ground; none where all is flat."""
    shapes = []
    hills = {c for c, g in mesh.ground.items() if GROUNDS.get(g, GROUNDS["plain"]).height > 0}
    high = {c for c, g in mesh.ground.items() if GROUNDS.get(g, GROUNDS["plain"]).height > 1}
    if hills:
        shapes.append((0.34, mesh.outline(hills)))
    if high:
        shapes.append((0.72, mesh.outline(high)))
    top = max(heights.values(), default=0.0)
    levels = range(1, round(top / STEP) + 1)
    shapes += [
        (0.16, mesh.outline({c for c, value in heights.items() if value >= level * STEP - 0.01}))
        for level in levels
    ]
    if not shapes:
        return ""
    inner = "".join(tag("path", d=d, fill_opacity=f"{alpha:g}") for alpha, d in shapes if d)
    box = " ".join(n(value) for value in mesh.box)
    return tag("g", inner, class_="relief", data_box=box)


def _heights(board: Board, mesh: Mesh) -> Mapping[Cell, float]:
    """How high each hex lies, as its place says or as the slopes do: one step up across each."""
    given = {mesh.cells[p.id]: p.height for p in board.places if p.height is not None}
    if given:
        return given
    up: dict[tuple[Cell, Cell], float] = {}
    for edge in board.edges:
        if edge.kind == "slope":
            low = mesh.cells[edge.toward or edge.b]
            other = mesh.cells[edge.a if edge.toward == edge.b or not edge.toward else edge.b]
            up[low, other], up[other, low] = 1.0, -1.0
    if not up:
        return {}
    near = {cell: [c for c in beside(cell) if c in mesh.places] for cell in mesh.places}
    found = dict.fromkeys(mesh.places, 0.0)
    for _ in range(24):
        for cell, others in near.items():
            total = sum(found[c] + up.get((c, cell), 0.0) for c in others)
            found[cell] = 0.96 * total / max(len(others), 1)
    floor = sorted(found.values())[len(found) // 4]
    return {cell: value - floor for cell, value in found.items()}
