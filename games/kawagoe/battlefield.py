"""The map of kawagoe with everything that depends on terrain alone worked out beforehand.

Invariants: frozen; every lookup is a dictionary by hex, or by hex and adjacent hex; nothing here knows units.
A hexside is directed where the rules make it so: `cost[a][b]` is the price of moving from a to b.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from games.kit.hexes import HexId
from games.kit.hexmap import HexMap
from games.kit.packs import Table
from games.kit.zones import reached_from

HONJO = "honjo"
NINOKURUWA = "ninokuruwa"
SANNOKURUWA = "sannokuruwa"
BAILEYS = (HONJO, NINOKURUWA, SANNOKURUWA)
"""実城, 二の郭, 三の郭: the three hex groups that make up the castle (8.2, 9.54)."""

TERRAINS = ("plain", "woods", "marsh", *BAILEYS)
LEGEND: Mapping[str, str] = dict(zip(".wm123", TERRAINS, strict=True))
"""Letters of the drawn map: plain, 雑木林, 沼地 and the three baileys."""

HEXSIDES = ("lake", "river", "stream", "gate")
"""伊佐沼, 河, 小川, 城門."""

Crossing = Literal["river", "stream"]


@dataclass(frozen=True, slots=True)
class Costs:
    """Movement points (6.12): a road replaces everything else, hexsides add to the hex entered."""

    plain: int
    woods: int
    marsh: int
    castle: int
    road: int
    """Along a road, whatever the terrain and the water it crosses."""
    stream: int
    """Added when a stream is crossed without a road."""
    river: int
    """Added when a river is crossed without a road."""

    def enter(self, terrain: str) -> int:
        """The price of the hex alone."""
        prices = {"plain": self.plain, "woods": self.woods, "marsh": self.marsh}
        return prices.get(terrain, self.castle)


def read_costs(table: Table) -> Costs:
    """Read the `[movement]` table; entering a hex is never free, which the search for ways relies on."""
    with table:
        free = ("stream", "river")
        return Costs(**{key: table.integer(key, least=key not in free) for key in Costs.__slots__})


@dataclass(frozen=True, slots=True)
class Battlefield:
    """The map as the rules ask for it."""

    grid: HexMap
    """The drawing itself: terrain letters, hexside features, areas."""
    hexes: tuple[HexId, ...]
    terrain: Mapping[HexId, str]
    """"plain", "woods", "marsh" or the name of a bailey."""
    neighbours: Mapping[HexId, tuple[HexId, ...]]
    roads: Mapping[HexId, tuple[HexId, ...]]
    """Hexes that a road leads to directly."""
    areas: Mapping[str, tuple[HexId, ...]]
    """"koga", "ougigayatsu", "yamanouchi" (4.2), "entry" (4.3), "reinforcement" (12.0)."""
    names: Mapping[HexId, str]

    castle: tuple[HexId, ...]
    bailey: Mapping[HexId, str | None]
    """The bailey of a castle hex; None outside the castle."""
    ring: tuple[HexId, ...]
    """Hexes outside the castle that touch a castle hex and that some unit can enter (4.24, 13.2)."""
    gates: tuple[tuple[HexId, HexId], ...]
    """Gate hexsides, inside hex first (5.33, 9.54)."""
    gate_hexes: frozenset[HexId]
    """Castle hexes with a gate; ask for membership only."""

    zoc_into: Mapping[HexId, tuple[HexId, ...]]
    """The hexes that the zone of control of a unit standing here reaches (8.2)."""
    zoc_from: Mapping[HexId, tuple[HexId, ...]]
    """The hexes from which a unit's zone of control reaches this one: the inverse of `zoc_into`."""
    cost: Mapping[HexId, Mapping[HexId, int | None]]
    """`cost[a][b]`: movement points to go from a to adjacent b; None = closed (6.12-b)."""
    exits: Mapping[HexId, tuple[tuple[HexId, int], ...]]
    """The open neighbours with their cost, in neighbour order."""
    charge: Mapping[HexId, Mapping[HexId, bool]]
    """`charge[a][b]`: terrain and the siege table let a unit in a charge into b (6.3, 9.54)."""
    crossing: Mapping[HexId, Mapping[HexId, Crossing | None]]
    """`crossing[a][b]`: the water between two hexes, for combat (9.4); a bridge does not change it."""
    gate: Mapping[HexId, Mapping[HexId, bool]]
    """`gate[a][b]`: there is a castle gate between a and b."""
    lake: Mapping[HexId, Mapping[HexId, bool]]
    """`lake[a][b]`: 伊佐沼 lies between a and b."""

    @property
    def entry(self) -> tuple[HexId, ...]:
        """登場エリア, where 氏康's army arrives (4.3)."""
        return self.areas.get("entry", ())

    @property
    def reinforcement(self) -> tuple[HexId, ...]:
        """増援登場可能範囲, where 相模勢 arrive (12.0)."""
        return self.areas.get("reinforcement", ())

    def distance(self, a: HexId, b: HexId) -> int:
        """Steps from hex to adjacent hex, whatever lies between."""
        return self.grid.distance(a, b)


def build_battlefield(grid: HexMap, costs: Costs) -> Battlefield:
    """Work out all lookups from the drawing and the movement costs."""
    bailey = {h: terrain if terrain in BAILEYS else None for h, terrain in grid.terrain.items()}
    pairs = {h: grid.neighbours[h] for h in grid.hexes}
    cost = {a: {b: _cost(grid, costs, bailey, a, b) for b in near} for a, near in pairs.items()}
    zoc_into = {a: tuple(b for b in near if _zoc_reaches(grid, bailey, a, b)) for a, near in pairs.items()}
    enterable = {b for near in cost.values() for b, price in near.items() if price is not None}
    gates = tuple(
        (a, b)
        for a in grid.hexes
        if bailey[a]
        for b in pairs[a]
        if "gate" in grid.features[a][b] and not bailey[b]
    )
    return Battlefield(
        grid=grid,
        hexes=grid.hexes,
        terrain=grid.terrain,
        neighbours=grid.neighbours,
        roads=grid.roads,
        areas=grid.areas,
        names=grid.names,
        castle=tuple(h for h in grid.hexes if bailey[h]),
        bailey=bailey,
        ring=tuple(
            h for h in grid.hexes if not bailey[h] and h in enterable and any(bailey[n] for n in pairs[h])
        ),
        gates=gates,
        gate_hexes=frozenset(inside for inside, _ in gates),
        zoc_into=zoc_into,
        zoc_from=reached_from(grid.neighbours, zoc_into),
        cost=cost,
        exits={a: tuple((b, c) for b, c in near.items() if c is not None) for a, near in cost.items()},
        charge={
            a: {b: price is not None and _may_charge(grid, bailey, a, b) for b, price in near.items()}
            for a, near in cost.items()
        },
        crossing={a: {b: _crossing(grid, a, b) for b in near} for a, near in pairs.items()},
        gate={a: {b: "gate" in grid.features[a][b] for b in near} for a, near in pairs.items()},
        lake={a: {b: "lake" in grid.features[a][b] for b in near} for a, near in pairs.items()},
    )


def _cost(grid: HexMap, costs: Costs, bailey: Mapping[HexId, str | None], a: HexId, b: HexId) -> int | None:
    """6.12 and ruling 6.12-b: walls open at gates only, bailey borders are open, the lake is closed."""
    features = grid.features[a][b]
    if "lake" in features:
        return None
    if (bailey[a] is None) != (bailey[b] is None) and "gate" not in features:
        return None
    if b in grid.roads[a]:
        return costs.road
    water = costs.river * ("river" in features) + costs.stream * ("stream" in features)
    return costs.enter(grid.terrain[b]) + water


def _zoc_reaches(grid: HexMap, bailey: Mapping[HexId, str | None], a: HexId, b: HexId) -> bool:
    """8.2: not across the lake, not into the castle, between baileys only down from 実城."""
    if "lake" in grid.features[a][b]:
        return False
    return bailey[b] is None or bailey[a] in (bailey[b], HONJO)


def _may_charge(grid: HexMap, bailey: Mapping[HexId, str | None], a: HexId, b: HexId) -> bool:
    """6.3(2): not over a river, into marsh by road only. 9.54: not into or between baileys, out by a gate."""
    features = grid.features[a][b]
    if "river" in features or (grid.terrain[b] == "marsh" and b not in grid.roads[a]):
        return False
    if bailey[a] == bailey[b]:
        return True
    return bailey[b] is None and "gate" in features


def _crossing(grid: HexMap, a: HexId, b: HexId) -> Crossing | None:
    features = grid.features[a][b]
    if "river" in features:
        return "river"
    return "stream" if "stream" in features else None
