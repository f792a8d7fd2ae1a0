"""Who goes after whom, where a side wins by beating the enemy's troops wherever they are."""

from __future__ import annotations

from collections.abc import Set

from games.kit.hexes import HexId
from games.kit.ways import steps
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from games.redcoats.strength import in_defence

ENOUGH = 3
"""So many times his strength is sent after an enemy."""


class Hunt:
    """The enemies that are not attacked yet, and how much strength each still asks for."""

    def __init__(self, pos: RedcoatsPosition, seat: str, attacked: Set[HexId]) -> None:
        self.pos = pos
        enemy = ENEMY[seat]
        self.prey = sorted(h for h in pos.foot(enemy) if h not in attacked)
        self.asks = {h: ENOUGH * sum(in_defence(pos, u) for u in pos.combat(enemy, h)) for h in self.prey}
        self._away: dict[HexId, dict[HexId, int]] = {}

    def away(self, goal: HexId) -> dict[HexId, int]:
        """Steps from everywhere to an enemy."""
        if goal not in self._away:
            self._away[goal] = steps([goal], self.pos.land.open, lambda n: True)
        return self._away[goal]

    def take(self, unit: str) -> dict[HexId, int]:
        """The way to the nearest enemy who asks for more, or to the nearest of all."""
        here = self.pos.units[unit].hex
        far = len(self.pos.land.hexes)
        goal = min(self.prey, key=lambda h: (self.asks[h] <= 0, self.away(h).get(here, far), h))
        self.asks[goal] -= self.pos.strength(unit)
        return self.away(goal)
