"""The map as sanada uses it: what a step costs, where zones reach, which sides are water.

Invariants: a `Battlefield` never changes; `exits` holds every step that terrain allows (14.1.4, 14.1.5) in
neighbour order with its price without castles, and `near` the same hexes alone: nothing crosses any other
side, be it movement, zone, battle, retreat or supply (9.1.1(3)).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.kit.hexes import HexId
from games.kit.hexmap import HexMap
from games.sanada.terms import CLOSED, RIVER, SEA_SIDE, Ground


@dataclass(frozen=True, slots=True)
class Battlefield:
    """Hexes, sides and prices."""

    grid: HexMap
    exits: Mapping[HexId, tuple[tuple[HexId, int], ...]]
    near: Mapping[HexId, tuple[HexId, ...]]
    price: Mapping[HexId, Mapping[HexId, int]]
    river: frozenset[tuple[HexId, HexId]]
    """Pairs of neighbours with a river between them, both ways; ask for membership only."""

    @property
    def hexes(self) -> tuple[HexId, ...]:
        return self.grid.hexes

    @property
    def names(self) -> Mapping[HexId, str]:
        return self.grid.names

    def area(self, name: str) -> tuple[HexId, ...]:
        """The hexes of a province or region; none if the map does not draw it."""
        return self.grid.areas.get(name, ())

    def ground(self, place: HexId) -> Ground:
        """14.1.6: the terrain of a hex."""
        return Ground(self.grid.terrain[place])

    def is_open(self, place: HexId) -> bool:
        """14.1.4: whether anybody can be there at all."""
        return self.grid.terrain.get(place) in OPEN

    def distance(self, a: HexId, b: HexId) -> int:
        """A plain count of hexes."""
        return self.grid.distance(a, b)


OPEN = tuple(ground for ground in Ground if ground not in CLOSED)


def build_battlefield(grid: HexMap, costs: Mapping[str, int]) -> Battlefield:
    """Work out every step once."""
    exits: dict[HexId, tuple[tuple[HexId, int], ...]] = {}
    river: list[tuple[HexId, HexId]] = []
    for here in grid.hexes:
        steps = []
        for there in grid.neighbours[here]:
            features = grid.features[here][there]
            if RIVER in features:
                river.append((here, there))
            if grid.terrain[there] in CLOSED or grid.terrain[here] in CLOSED or SEA_SIDE in features:
                continue
            steps.append((there, costs[grid.terrain[there]] + (costs[RIVER] if RIVER in features else 0)))
        exits[here] = tuple(steps)
    return Battlefield(
        grid=grid,
        exits=exits,
        near={here: tuple(n for n, _ in steps) for here, steps in exits.items()},
        price={here: dict(steps) for here, steps in exits.items()},
        river=frozenset(river),
    )
