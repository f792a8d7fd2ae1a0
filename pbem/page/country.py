"""The country under a map of areas, from its hand-made lines and stretches: sea, lowland, ranges, rivers.

Nothing here has a rule. Lines are roughened by moving the middle of each piece a little, always the same way.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from math import hypot, pi, sin

from pbem.engine.scene import Board, Line
from pbem.page.mesh import scatter
from pbem.page.svg import Point, n, path, tag

ROUGH = 0.13
"""How far the middle of a piece moves, in parts of its length."""
DEEP = 4
Plane = Callable[[tuple[float, float]], Point]


def rough(points: list[Point], seed: int, deep: int = DEEP) -> list[Point]:
    """A line roughened by midpoint displacement."""
    if deep == 0:
        return points
    found = [points[0]]
    for number, ((ax, ay), (bx, by)) in enumerate(itertools.pairwise(points)):
        long = hypot(bx - ax, by - ay) or 1.0
        if long < 7:
            found.append((bx, by))
            continue
        off = (scatter(seed, number, deep) - 0.5) * 2 * ROUGH * long
        found.append(((ax + bx) / 2 - (by - ay) / long * off, (ay + by) / 2 + (bx - ax) / long * off))
        found.append((bx, by))
    return rough(found, seed + 1, deep - 1)


def soft(points: list[Point], closed: bool = False) -> str:
    """A line through the middles of its pieces."""
    if closed:
        points = [*points, points[0], points[1]]
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in itertools.pairwise(points)]
    start = middles[0] if closed else points[0]
    out = [f"M{n(start[0])} {n(start[1])}"]
    for (cx, cy), (mx, my) in zip(points[1:-1], middles[1:], strict=False):
        out.append(f"Q{n(cx)} {n(cy)} {n(mx)} {n(my)}")
    return "".join(out) + ("Z" if closed else f"L{n(points[-1][0])} {n(points[-1][1])}")


def draw(board: Board, plane: Plane, size: tuple[float, float]) -> str:
    """The sheet: plain, lowlands, ranges with their relief, the sea, rivers and roads."""
    width, height = size
    out = [tag("rect", class_="g-plain", width=width, height=height)]
    lows = [_shape(a.points, plane, 11 + i) for i, a in enumerate(board.areas) if a.kind == "lowland"]
    highs = [_shape(a.points, plane, 31 + i) for i, a in enumerate(board.areas) if a.kind == "mountain"]
    out += [tag("path", class_="g-lowland", d=d, fill_opacity="0.65") for d in lows]
    out += [tag("path", class_="g-mountain", d=d) for d in highs]
    ridges = [line for line in board.lines if line.kind == "ridge"]
    shapes = [(0.7, d) for d in highs]
    for number, line in enumerate(ridges):
        for part, tint, alpha in ((1.5, 0.3, 0.22), (1.0, 0.45, 0.34), (0.55, 0.6, 0.5)):
            d = _ridge(line, plane, number * 97 + 5, part)
            out.append(tag("path", class_="g-mountain", d=d, fill_opacity=f"{tint:g}"))
            shapes.append((alpha, d))
    if shapes:
        inner = "".join(tag("path", d=d, fill_opacity=f"{alpha:g}") for alpha, d in shapes)
        out.append(tag("g", inner, class_="relief", data_box=f"0 0 {n(width)} {n(height)}"))
    out.append(_sea(board, plane))
    out.append(_lines(board, plane))
    return "".join(out)


def _shape(points: tuple[tuple[float, float], ...], plane: Plane, seed: int) -> str:
    placed = [plane(p) for p in points]
    return soft(rough([*placed, placed[0]], seed)[:-1], closed=True)


def _ridge(line: Line, plane: Plane, seed: int, part: float) -> str:
    """A range as a shape: widest in its middle, pointed at its ends."""
    points = rough([plane(p) for p in line.points], seed, 3)
    left, right = [], []
    for number, (x, y) in enumerate(points):
        before, after = points[max(number - 1, 0)], points[min(number + 1, len(points) - 1)]
        long = hypot(after[0] - before[0], after[1] - before[1]) or 1.0
        ux, uy = (after[0] - before[0]) / long, (after[1] - before[1]) / long
        swell = 0.25 + 0.75 * sin(pi * number / max(len(points) - 1, 1))
        wide = line.width * part * swell
        a, b = (wide * (0.8 + 0.5 * scatter(seed, number, side)) for side in (1, 2))
        left.append((x - uy * a, y + ux * a))
        right.append((x + uy * b, y - ux * b))
    return soft([*left, *reversed(right)], closed=True)


def _sea(board: Board, plane: Plane) -> str:
    d = "".join(_shape(a.points, plane, 51 + i) for i, a in enumerate(board.areas) if a.kind == "sea")
    if not d:
        return ""
    return (
        tag("clipPath", tag("path", d=d), id="water")
        + tag("path", class_="g-water", d=d)
        + tag("path", class_="shore", d=d, stroke_width=22, clip_path="url(#water)")
        + tag("path", class_="coast", d=d, stroke_width=1.7)
    )


def _lines(board: Board, plane: Plane) -> str:
    under, over = [], []
    for number, line in enumerate(board.lines):
        if line.kind == "ridge":
            continue
        d = soft(rough([plane(p) for p in line.points], number * 31 + 7, 3))
        kind = {"river": "line river", "coast": "coast", "road": "line road"}[line.kind]
        if line.kind != "coast":
            under.append(tag("path", class_="line casing", d=d, stroke_width=line.width + 2.4))
        over.append(tag("path", class_=kind, d=d, stroke_width=line.width))
    return "".join(under) + "".join(over)


def ways(board: Board, at: dict[str, Point]) -> str:
    """Which areas touch."""
    out = ""
    for link in board.links:
        d = path([at[link.a], at[link.b]])
        if link.kind == "sea":
            out += tag("path", class_="line sea-lane", d=d, stroke_width=3)
        else:
            out += tag("path", class_="line road-bed", d=d, stroke_width=5.4)
            out += tag("path", class_="line road dashed", d=d, stroke_width=2.6)
    return out
