"""The hexes of a board as a mesh of shared corners: soft outlines and chains that every layer agrees on.

A corner is moved a little, by a hash of where it is, the same way in every layer. A soft line runs through
the middle of every hexside and bends toward the corners between, so the edge of a wood can be trusted and
the centre of a hex always lies on its own ground. Beyond the board two more rows of hexes repeat its border:
the picture is cut by a straight frame and has no scalloped edge.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from math import cos, pi, sin

from pbem.engine.scene import Board, Place
from pbem.page.style import CORNER, GROUNDS, HIGH
from pbem.page.svg import Point, between, n

Cell = tuple[int, int]
"""A hex: its column, and its row doubled."""
Corner = tuple[int, int]
"""A corner, in fifteenths of a hex across and half hexes down: the same for all hexes that share it."""

MARGIN = 12.0
"""The sheet around the frame."""
JITTER = 5.0
ROWS_BEYOND = 2
BESIDE: tuple[Cell, ...] = ((1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1))
"""The hex across each side, clockwise from the lower right."""
_CORNERS: tuple[Corner, ...] = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""The corners of a hex; side k lies between corner k and the next one."""


def scatter(*key: int) -> float:
    """A number from 0 to 1 that depends on the key alone."""
    mixed = 0x9E3779B9
    for part in key:
        mixed = ((mixed ^ (part & 0xFFFFFFFF)) * 0x85EBCA6B + 0xC2B2AE35) & 0xFFFFFFFF
        mixed ^= mixed >> 15
    mixed = (mixed * 0x2C1B3C6D) & 0xFFFFFFFF
    return ((mixed ^ (mixed >> 13)) & 0xFFFF) / 0x10000


def hexagon(at: Point, size: float = CORNER) -> list[Point]:
    """The corners of a flat-topped hex."""
    return [(at[0] + size * cos(pi * k / 3), at[1] + size * sin(pi * k / 3)) for k in range(6)]


class Mesh:
    """The corners, sides and grounds of one board of hexes."""

    def __init__(self, board: Board) -> None:
        spots = {p.id: (round(p.at[0]), round(2 * p.at[1])) for p in board.places}
        left, top = min(c for c, _ in spots.values()), min(r for _, r in spots.values())
        self.cells: dict[str, Cell] = {ident: (c - left, r - top) for ident, (c, r) in spots.items()}
        self.places: dict[Cell, Place] = {self.cells[p.id]: p for p in board.places}
        across, down = max(c for c, _ in self.places), max(r for _, r in self.places)
        self.box = (MARGIN, MARGIN, across * CORNER * 1.5 + 2 * CORNER, (down + 2) * HIGH / 2)
        """The frame: left, top, width, height."""
        self.width, self.height = self.box[2] + 2 * MARGIN, self.box[3] + 2 * MARGIN
        self.at: dict[str, Point] = {ident: self.centre(cell) for ident, cell in self.cells.items()}
        self.ground: dict[Cell, str] = {}
        self._lay_ground()

    def centre(self, cell: Cell) -> Point:
        """The middle of a hex."""
        return MARGIN + CORNER + cell[0] * CORNER * 1.5, MARGIN + HIGH / 2 + cell[1] * HIGH / 2

    def corner(self, key: Corner) -> Point:
        """A corner, moved a little."""
        x, y = self.sharp(key)
        turn, far = 2 * pi * scatter(*key, 1), JITTER * scatter(*key, 2)
        return x + far * cos(turn), y + far * sin(turn)

    def sharp(self, key: Corner) -> Point:
        """A corner where it is."""
        return MARGIN + CORNER + key[0] * CORNER / 2, MARGIN + HIGH / 2 + key[1] * HIGH / 2

    def plane(self, at: tuple[float, float], board: Board) -> Point:
        """Where a point of the places' plane lies on the sheet."""
        first = board.places[0]
        x, y = self.at[first.id]
        return x + (at[0] - first.at[0]) * CORNER * 1.5, y + (at[1] - first.at[1]) * HIGH

    def side(self, a: str, b: str) -> tuple[Corner, Corner]:
        """The two corners of the side that neighbours share; a lies to the left of who walks along it."""
        here, there = self.cells[a], self.cells[b]
        k = BESIDE.index((there[0] - here[0], there[1] - here[1]))
        return corner_of(here, k), corner_of(here, k + 1)

    def middle(self, a: Corner, b: Corner) -> Point:
        """The middle of a side, which no corner's move changes."""
        return between(self.sharp(a), self.sharp(b))

    # --- grounds

    def _lay_ground(self) -> None:
        """The ground of each hex, castles with that around them, and of the rows beyond the border."""
        for cell, place in self.places.items():
            self.ground[cell] = place.ground or "plain"
        for cell in self.places:
            if GROUNDS.get(self.ground[cell], GROUNDS["plain"]).form == "around":
                self.ground[cell] = self._around(cell)
        edge = list(self.places)
        for _ in range(ROWS_BEYOND):
            added: dict[Cell, str] = {}
            for cell in edge:
                for step in BESIDE:
                    there = (cell[0] + step[0], cell[1] + step[1])
                    if there not in self.ground:
                        added.setdefault(there, self.ground[cell])
            self.ground |= added
            edge = list(added)

    def _around(self, cell: Cell) -> str:
        """What lies on most sides of a hex, water only if nothing else does."""
        seen = [self.places[c].ground or "plain" for c in beside(cell) if c in self.places]
        kinds = [g for g in seen if GROUNDS.get(g, GROUNDS["plain"]).form in ("plain", "blob")]
        return Counter(kinds).most_common(1)[0][0] if kinds else "plain"

    def of_tint(self, *tints: str) -> set[Cell]:
        """All hexes, those beyond the border too, whose ground has one of these tints."""
        plain = GROUNDS["plain"]
        return {cell for cell, ground in self.ground.items() if GROUNDS.get(ground, plain).tint in tints}

    # --- lines

    def outline(self, cells: Collection[Cell], holes: bool = True) -> str:
        """The soft outline of a set of hexes, as the `d` of a path; without holes: only what is around it."""
        after: dict[Corner, Corner] = {}
        for cell in cells:
            for k, there in enumerate(beside(cell)):
                if there not in cells:
                    after[corner_of(cell, k)] = corner_of(cell, k + 1)
        out = []
        for first in sorted(after):
            if first not in after:
                continue
            loop, here = [first], after.pop(first)
            while here != first:
                loop.append(here)
                here = after.pop(here)
            if holes or _turns_right([*loop, first]):
                out.append(self.curve([*loop, first], closed=True))
        return "".join(out)

    def straight(self, cells: Iterable[Cell]) -> str:
        """The hexes themselves, with sharp corners."""
        out = []
        for cell in cells:
            points = [self.sharp(corner_of(cell, k)) for k in range(6)]
            out.append("M" + "L".join(f"{n(x)} {n(y)}" for x, y in points) + "Z")
        return "".join(out)

    def curve(self, corners: list[Corner], closed: bool = False) -> str:
        """A soft line along hexsides: through their middles, bent toward the corners between."""
        middles = [self.middle(a, b) for a, b in itertools.pairwise(corners)]
        inner = [self.corner(c) for c in corners[1:-1]]
        if closed:
            inner.append(self.corner(corners[0]))
            middles.append(middles[0])
        x, y = middles[0]
        out = [f"M{n(x)} {n(y)}"]
        for (cx, cy), (mx, my) in zip(inner, middles[1:], strict=True):
            out.append(f"Q{n(cx)} {n(cy)} {n(mx)} {n(my)}")
        if closed:
            return "".join(out) + "Z"
        (ax, ay), (bx, by) = self.corner(corners[0]), self.corner(corners[-1])
        out[0] = f"M{n(ax)} {n(ay)}L{n(x)} {n(y)}"
        return "".join(out) + f"L{n(bx)} {n(by)}"

    def points(self, corners: list[Corner]) -> list[Point]:
        """The same line as many short straight ones."""
        found = [self.corner(corners[0])]
        middles = [self.middle(a, b) for a, b in itertools.pairwise(corners)]
        found.append(middles[0])
        for corner, a, b in zip(corners[1:-1], middles, middles[1:], strict=False):
            c = self.corner(corner)
            for t in (0.25, 0.5, 0.75, 1.0):
                found.append(between(between(a, c, t), between(c, b, t), t))
        return [*found, self.corner(corners[-1])]


def _turns_right(loop: list[Corner]) -> bool:
    """Whether a loop runs clockwise: around its hexes, not around a hole in them."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in itertools.pairwise(loop)) > 0


def corner_of(cell: Cell, k: int) -> Corner:
    """The key of a hex's corner."""
    dx, dy = _CORNERS[k % 6]
    return 3 * cell[0] + dx, cell[1] + dy


def beside(cell: Cell) -> list[Cell]:
    """The six hexes around one."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in BESIDE]


def chains(sides: Iterable[tuple[Corner, Corner]], joined: Callable[[Corner], bool]) -> list[list[Corner]]:
    """Sides that meet end to end as lines; a line ends where three meet or where `joined` says no."""
    ends: dict[Corner, list[Corner]] = {}
    for a, b in sides:
        ends.setdefault(a, []).append(b)
        ends.setdefault(b, []).append(a)
    passed: set[frozenset[Corner]] = set()
    found = []

    def walk(start: Corner, to: Corner) -> list[Corner]:
        line = [start, to]
        passed.add(frozenset((start, to)))
        while len(ends[line[-1]]) == 2 and joined(line[-1]) and line[-1] != start:
            ahead = next((c for c in ends[line[-1]] if frozenset((line[-1], c)) not in passed), None)
            if ahead is None:
                break
            passed.add(frozenset((line[-1], ahead)))
            line.append(ahead)
        return line

    for corner in sorted(ends, key=lambda c: (len(ends[c]) == 2 and joined(c), c)):
        for ahead in sorted(ends[corner]):
            if frozenset((corner, ahead)) not in passed:
                found.append(walk(corner, ahead))
    return found
