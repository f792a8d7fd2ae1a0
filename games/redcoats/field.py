"""A battlefield with everything that depends on terrain alone worked out beforehand.

Invariants: frozen; every lookup is a dictionary by hex, or by hex and adjacent hex; nothing here knows units.
Hexsides are directed where the rules make them so: a slope is written low/high, a work outside/inside
(HH-17.0-c), and `cost[a][b]` is the price, in half points, of going from a to b.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.kit.hexes import HexId
from games.kit.hexmap import HexMap, read_hexmap, read_paths, read_sides
from games.kit.packs import Table
from games.kit.zones import reached_from
from games.redcoats.aid import TERRAINS, WORKS, Aid

LEGEND = dict(zip(".lwtsf~", TERRAINS, strict=True))
FLAT_SIDES = ("river", "stream", "bridge", "ford")
"""Hexsides that are the same from both sides; bridge and ford open a river (4.23)."""


@dataclass(frozen=True, slots=True)
class Edges:
    """What is drawn on hexsides and between hexes, apart from the kit's own."""

    up: Mapping[HexId, tuple[HexId, ...]]
    """Higher neighbours over a slope."""
    works: Mapping[HexId, Mapping[HexId, str]]
    """`works[a][b]`: what protects b against a."""
    trails: Mapping[HexId, tuple[HexId, ...]]


@dataclass(frozen=True, slots=True)
class Field:
    """The map as the rules ask for it."""

    grid: HexMap
    edges: Edges
    hexes: tuple[HexId, ...]
    terrain: Mapping[HexId, str]
    neighbours: Mapping[HexId, tuple[HexId, ...]]
    areas: Mapping[str, tuple[HexId, ...]]
    names: Mapping[HexId, str]
    cost: Mapping[HexId, Mapping[HexId, int]]
    """Half points; a closed step is left out."""
    exits: Mapping[HexId, tuple[tuple[HexId, int], ...]]
    """The same as pairs, in neighbour order."""
    light_exits: Mapping[HexId, tuple[tuple[HexId, int], ...]]
    """For light infantry (12.11)."""
    entry: Mapping[HexId, int]
    """What a hex costs to one who comes from beyond the edge: by road if it has one (3.11-a)."""
    light_entry: Mapping[HexId, int]
    open: Mapping[HexId, tuple[HexId, ...]]
    """Neighbours that can be entered at all: no water, no closed river (4.23)."""
    zoc_into: Mapping[HexId, tuple[HexId, ...]]
    """5.5: where a zone of control reaches: not over a closed river, not into a fortress."""
    zoc_from: Mapping[HexId, tuple[HexId, ...]]
    guard: Mapping[HexId, Mapping[HexId, str]]
    """`guard[a][b]`: the hexside feature worth most columns to b against a (8.32-b), or ""."""
    edge: frozenset[HexId]
    """Hexes on the edge of the map; ask for membership only."""

    def distance(self, a: HexId, b: HexId) -> int:
        return self.grid.distance(a, b)

    def within(self, centre: HexId, reach: int) -> tuple[HexId, ...]:
        """Hexes that can be entered at most so far away, nearest first."""
        near = [h for h in self.hexes if self.distance(h, centre) <= reach and self.terrain[h] != "water"]
        return tuple(sorted(near, key=lambda h: self.distance(h, centre)))


def read_field(table: Table, aid: Aid) -> Field:
    """Read one map: the kit's keys, and slopes, works and trails."""
    legend = table.named_texts("legend", LEGEND)
    for letter, terrain in legend.items():
        if terrain not in TERRAINS:
            table.refuse(f"legend.{letter}", f'is "{terrain}"', "known are " + ", ".join(TERRAINS))
    grid = read_hexmap(table, legend, FLAT_SIDES)
    up: dict[HexId, tuple[HexId, ...]] = dict.fromkeys(grid.hexes, ())
    for low, high in read_sides(table, "slopes", table.texts("slopes", ()), grid.neighbours):
        up[low] += (high,)
    works: dict[HexId, dict[HexId, str]] = {h: {} for h in grid.hexes}
    for kind, sides in table.named_lists("works", {}).items():
        if kind not in WORKS:
            table.refuse(f"works.{kind}", "is not a known work", "known are " + ", ".join(WORKS))
        for outside, inside in read_sides(table, f"works.{kind}", sides, grid.neighbours):
            works[outside][inside] = kind
    return build_field(grid, Edges(up, works, read_paths(table, "trails", grid.neighbours)), aid)


def build_field(grid: HexMap, edges: Edges, aid: Aid) -> Field:
    """Work out what the rules ask for."""
    near = grid.neighbours
    opened = {a: tuple(b for b in near[a] if _passable(grid, a, b)) for a in grid.hexes}
    exits = {a: tuple((b, _cost(grid, edges, aid, a, b, False)) for b in opened[a]) for a in grid.hexes}
    light = {a: tuple((b, _cost(grid, edges, aid, a, b, True)) for b in opened[a]) for a in grid.hexes}
    zoc = {
        a: tuple(b for b in near[a] if not _closed_river(grid, a, b) and grid.terrain[b] != "fortress")
        for a in grid.hexes
    }
    return Field(
        grid=grid,
        edges=edges,
        hexes=grid.hexes,
        terrain=grid.terrain,
        neighbours=near,
        areas=grid.areas,
        names=grid.names,
        cost={a: dict(pairs) for a, pairs in exits.items()},
        exits=exits,
        light_exits=light,
        entry={h: _enter(grid, edges, aid, h, False) for h in grid.hexes},
        light_entry={h: _enter(grid, edges, aid, h, True) for h in grid.hexes},
        open=opened,
        zoc_into=zoc,
        zoc_from=reached_from(near, zoc),
        guard={a: {b: _guard(grid, edges, aid, a, b) for b in near[a]} for a in grid.hexes},
        edge=frozenset(h for h in grid.hexes if len(near[h]) < 6),
    )


def _closed_river(grid: HexMap, a: HexId, b: HexId) -> bool:
    features = grid.features[a][b]
    return "river" in features and "bridge" not in features and "ford" not in features


def _passable(grid: HexMap, a: HexId, b: HexId) -> bool:
    return grid.terrain[b] != "water" and not _closed_river(grid, a, b)


def _enter(grid: HexMap, edges: Edges, aid: Aid, h: HexId, light: bool) -> int:
    if grid.roads[h]:
        return aid.road
    if edges.trails[h]:
        return aid.trail
    ground = aid.grounds[grid.terrain[h]]
    return (ground.light if light else ground.cost) or 0


def _cost(grid: HexMap, edges: Edges, aid: Aid, a: HexId, b: HexId, light: bool) -> int:
    """4.21-4.23: along a road the hex and a stream do not count; slopes and works always do."""
    features = grid.features[a][b]
    if b in grid.roads[a]:
        price = aid.road
    else:
        ground = aid.grounds[grid.terrain[b]]
        full = (ground.light if light else ground.cost) or 0
        price = aid.trail if b in edges.trails[a] else full
        if "stream" in features:
            price += aid.sides["stream"].cost
        price += next((aid.sides[kind].cost for kind in ("bridge", "ford") if kind in features), 0)
    if b in edges.up[a]:
        price += aid.sides["slope"].cost
    work = edges.works[a].get(b)
    return price + (aid.sides[work].cost if work else 0)


def _guard(grid: HexMap, edges: Edges, aid: Aid, a: HexId, b: HexId) -> str:
    """8.32-b: of several features of one hexside the strongest."""
    kinds = [kind for kind in grid.features[a][b] if kind in aid.sides]
    if b in edges.up[a]:
        kinds.append("slope")
    if b in edges.works[a]:
        kinds.append(edges.works[a][b])
    return max(kinds, key=lambda kind: aid.sides[kind].assault, default="")
