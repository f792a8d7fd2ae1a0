"""What is printed on every counter, by id: one lookup for named units and anonymous counters alike.

Invariants: a `Book` never changes except for its cache of discs, which depends on the map alone; values by
steps left, index 0 for a unit that is gone; the strength of an anonymous counter is its identity's (11.2).
"""

from __future__ import annotations

from collections import Counter as CountOf
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.kawagoe.printed import ANTI, HOJO, Identity, UnitClass
from games.kit.hexes import HexId

TSUNASHIGE, BENCHIYO, UJIYASU, TAME = "tsunashige", "benchiyo", "ujiyasu", "tame"
"""The units that 5.3, 13.2 and 13.4 name."""
KATTA = (TSUNASHIGE, BENCHIYO)


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter as printed."""

    id: str
    name: str
    side: str
    group: str
    """"garrison", "ujiyasu-army", "sagami", or the house."""
    cls: UnitClass | None
    """None for an anonymous counter: its class is hidden too (2.1-d)."""
    steps: int
    movement: tuple[int, ...]
    strength: tuple[int, ...] | None
    command: int = 0

    @property
    def general(self) -> bool:
        """大将, 総大将 included (2.1-a), of the besiegers."""
        return self.command > 0


class Book(dict[str, Counter]):
    """Every counter by id, the identities of each house, and discs of the map."""

    def __init__(self, pack: Any) -> None:
        super().__init__()
        for unit in pack.units.values():
            self[unit.id] = Counter(
                id=unit.id,
                name=unit.name,
                side=unit.side,
                group=unit.group,
                cls=unit.cls,
                steps=unit.steps,
                movement=unit.movement,
                strength=unit.strength,
                command=unit.command,
            )
        self.identities: dict[str, Mapping[str, Identity]] = {}
        for house, pool in pack.pools.items():
            self.identities[house] = {i.id: i for i in pool.identities}
            for counter in pool.counters:
                self[counter] = Counter(counter, counter, ANTI, house, None, 1, (0, pool.movement), None)
        self.commanders = tuple(
            unit.id for unit in pack.units.values() if unit.side == ANTI and unit.cls is UnitClass.COMMANDER
        )
        """The 総大将 of the besiegers (13.3)."""
        self.groups: dict[str, tuple[str, ...]] = {}
        """The ids of each group or house, as printed."""
        for counter in self.values():
            self.groups[counter.group] = (*self.groups.get(counter.group, ()), counter.id)
        self.hojo = tuple(counter.id for counter in self.values() if counter.side == HOJO)
        self.by_name = _by_name(self)
        """Ids by printed name and by given name."""
        self._near = pack.map.neighbours
        self._discs: dict[tuple[HexId, int], frozenset[HexId]] = {}

    def disc(self, centre: HexId, radius: int) -> frozenset[HexId]:
        """The hexes at most `radius` steps away, counted over the map; ask for membership only."""
        found = self._discs.get((centre, radius))
        if found is None:
            reached, edge = {centre}, [centre]
            for _ in range(radius):
                edge = [n for h in edge for n in self._near[h] if n not in reached and not reached.add(n)]  # type: ignore[func-returns-value]
            found = self._discs[centre, radius] = frozenset(reached)
        return found


def _by_name(counters: Mapping[str, Counter]) -> dict[str, str]:
    """北条綱成, and 綱成 where only one unit's name ends so; of five letters also three: 弁千代."""
    full = {counter.name: counter.id for counter in counters.values() if counter.name != counter.id}
    given = [(name[-size:], unit) for name, unit in full.items() for size in (2, 3)[: len(name) - 3]]
    times = CountOf(end for end, _ in given)
    return {end: unit for end, unit in given if times[end] == 1} | full
