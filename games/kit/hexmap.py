"""A map of hexes, drawn as text: rows of terrain letters, then lists of hexsides, roads, areas and names.

Invariants: a `HexMap` never changes; all lookups are plain dictionaries keyed by hex id; adjacency is a
tuple in the fixed order of `hexes.neighbours`, holding only hexes that are on the map; a hexside or road
that names two hexes which are not adjacent is refused when the map is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from games.kit.hexes import HexId, Lowered, cube, is_lowered, join, neighbours, split
from games.kit.lines import Cube, Line, line
from games.kit.packs import Table
from pbem.errors import UsageError

NO_HEX = " "
"""The letter for a place of the drawing where the map has no hex."""


@dataclass(frozen=True, slots=True)
class HexMap:
    """Terrain of every hex and features of every hexside."""

    lowered: Lowered
    """Which columns sit half a hex lower."""
    north: Literal["top", "bottom"]
    """Where north is on the printed sheet."""
    hexes: tuple[HexId, ...]
    """All hexes, row by row as drawn."""
    terrain: Mapping[HexId, str]
    neighbours: Mapping[HexId, tuple[HexId, ...]]
    """Adjacent hexes on the map, clockwise from the hex above."""
    features: Mapping[HexId, Mapping[HexId, tuple[str, ...]]]
    """`features[a][b]`: what lies on the hexside between adjacent a and b, in file order; often nothing."""
    roads: Mapping[HexId, tuple[HexId, ...]]
    """Hexes that a road leads to directly, in neighbour order."""
    areas: Mapping[str, tuple[HexId, ...]]
    """Hexes of each named area, row by row."""
    names: Mapping[HexId, str]
    """Printed place names."""
    cubes: Mapping[HexId, Cube]
    """Cube coordinates, for `distance` and lines."""
    by_cube: Mapping[Cube, HexId]
    """The other way round."""

    def distance(self, a: HexId, b: HexId) -> int:
        """Steps from hex to adjacent hex, whatever lies between."""
        ax, ay, az = self.cubes[a]
        bx, by, bz = self.cubes[b]
        return max(abs(ax - bx), abs(ay - by), abs(az - bz))

    def line(self, a: HexId, b: HexId) -> Line:
        """The straight line from centre to centre."""
        ax, ay, az = self.cubes[a]
        bx, by, bz = self.cubes[b]
        return line(bx - ax, by - ay, bz - az)

    def cells(self, a: HexId, found: Sequence[Cube]) -> tuple[HexId, ...]:
        """Differences from a hex, as a line has them, as hexes; those off the map are left out."""
        x, y, z = self.cubes[a]
        by_cube = self.by_cube
        return tuple([h for h in [by_cube.get((x + i, y + j, z + k)) for i, j, k in found] if h is not None])

    def is_edge(self, hex_id: HexId) -> bool:
        """Whether the hex lies on the edge of the map."""
        return len(self.neighbours[hex_id]) < 6

    def draw(self, letters: Mapping[str, str]) -> str:
        """The map as text, lowered columns on a line of their own; `letters` says what to print in a hex."""
        columns = sorted({split(h)[0] for h in self.hexes})
        rows = sorted({split(h)[1] for h in self.hexes})
        lines = []
        for row in rows:
            for low in (False, True):
                cells = [
                    letters.get(join(column, row), NO_HEX) if is_lowered(column, self.lowered) == low else " "
                    for column in columns
                ]
                lines.append(f"{row:02d} " * (not low) + "   " * low + " ".join(cells).rstrip())
        return "\n".join(lines)


def read_hexmap(table: Table, legend: Mapping[str, str], kinds: Sequence[str]) -> HexMap:
    """Read the keys north, origin, lowered, rows, hexsides, roads, areas and names; others are the caller's.

    `legend` gives the terrain of each letter, `kinds` the hexside features that the game knows.
    """
    lowered: Lowered = "odd" if table.choice("lowered", ("even", "odd"), "even") == "odd" else "even"
    origin = table.text("origin", "0101")
    terrain = _read_rows(table, "rows", origin, legend)
    hexes = tuple(terrain)
    adjacency = {h: tuple(n for n in neighbours(h, lowered) if n in terrain) for h in hexes}
    features: dict[HexId, dict[HexId, tuple[str, ...]]] = {h: dict.fromkeys(adjacency[h], ()) for h in hexes}
    for feature, sides in table.named_lists("hexsides", {}).items():
        if feature not in kinds:
            table.refuse(
                f"hexsides.{feature}", "is not a known kind of hexside", "known are " + ", ".join(kinds)
            )
        for a, b in read_sides(table, f"hexsides.{feature}", sides, adjacency):
            features[a][b] += (feature,)
            features[b][a] += (feature,)
    cubes = {h: cube(h, lowered) for h in hexes}
    return HexMap(
        lowered=lowered,
        north="bottom" if table.choice("north", ("top", "bottom"), "top") == "bottom" else "top",
        hexes=hexes,
        terrain=terrain,
        neighbours=adjacency,
        features=features,
        roads=read_paths(table, "roads", adjacency),
        areas=_read_areas(table, origin, terrain),
        names=_read_names(table, terrain),
        cubes=cubes,
        by_cube={where: h for h, where in cubes.items()},
    )


def _read_rows(table: Table, key: str, origin: str, legend: Mapping[str, str]) -> dict[HexId, str]:
    rows = table.texts(key)
    try:
        first_column, first_row = split(origin)
    except UsageError as error:
        table.refuse("origin", f"is refused: {error.message}", error.hint)
    found: dict[HexId, str] = {}
    for down, letters in enumerate(rows):
        for across, letter in enumerate(letters):
            if letter == NO_HEX:
                continue
            if letter not in legend:
                hint = "the legend knows " + " ".join(legend)
                table.refuse(key, f'has the letter "{letter}" in row {first_row + down:02d}', hint)
            found[join(first_column + across, first_row + down)] = legend[letter]
    if not found:
        table.refuse(key, "draws no hex", "draw at least one row of terrain letters")
    return found


def read_sides(
    table: Table, key: str, sides: Iterable[str], adjacency: Mapping[HexId, tuple[HexId, ...]]
) -> Iterator[tuple[HexId, HexId]]:
    """Hexsides written as two adjacent hexes, "1008/1009"; directed, where a game reads them so."""
    for side in sides:
        a, slash, b = side.partition("/")
        if not slash or b not in adjacency.get(a, ()):
            table.refuse(key, f'names "{side}"', "write two adjacent hexes, e.g. 1008/1009")
        yield a, b


def read_paths(
    table: Table, key: str, adjacency: Mapping[HexId, tuple[HexId, ...]]
) -> dict[HexId, tuple[HexId, ...]]:
    """Named lists of hexes (roads, trails): which hexes each one joins directly, in neighbour order."""
    linked: dict[HexId, dict[HexId, None]] = {h: {} for h in adjacency}
    for name, path in table.named_lists(key, {}).items():
        for a, b in pairwise(path):
            if b not in adjacency.get(a, ()):
                what = key.removesuffix("s")
                table.refuse(
                    f"{key}.{name}", f"goes from {a} to {b}", f"a {what} runs from hex to adjacent hex"
                )
            linked[a][b] = None
            linked[b][a] = None
    return {h: tuple(n for n in adjacency[h] if n in linked[h]) for h in adjacency}


def _read_areas(table: Table, origin: str, terrain: Mapping[HexId, str]) -> dict[str, tuple[HexId, ...]]:
    """Areas are either lists of hexes, or a second drawing whose letters may each stand for several areas."""
    areas: dict[str, list[HexId]] = {}
    drawn = table.table("areas", {})
    with drawn:
        if "rows" in drawn:
            legend = {letter: letter for letter in "."}
            meaning = drawn.named_lists("legend")
            legend.update({letter: letter for letter in meaning})
            for names in meaning.values():
                areas.update({name: [] for name in names if name not in areas})
            for h, letter in _read_rows(drawn, "rows", origin, legend).items():
                for name in meaning.get(letter, ()):
                    areas[name].append(h)
        for name in drawn:
            if name not in ("rows", "legend"):
                areas.setdefault(name, []).extend(drawn.texts(name))
        for name, hexes in areas.items():
            _check_on_map(drawn, name, hexes, terrain)
    return {name: tuple(hexes) for name, hexes in areas.items()}


def _read_names(table: Table, terrain: Mapping[HexId, str]) -> dict[HexId, str]:
    names = table.named_texts("names", {})
    _check_on_map(table, "names", tuple(names), terrain)
    return names


def _check_on_map(table: Table, key: str, hexes: Sequence[HexId], terrain: Mapping[HexId, str]) -> None:
    for h in hexes:
        if h not in terrain:
            table.refuse(key, f'names "{h}"', "that hex is not on the map")
