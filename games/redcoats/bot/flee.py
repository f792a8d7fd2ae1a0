"""Where a hunted side's troops are safest: out of the enemy's reach, together, under cover."""

from __future__ import annotations

from games.kit.hexes import HexId
from games.kit.ways import steps
from games.redcoats.bot.value import runs_off
from games.redcoats.collapse import price
from games.redcoats.position import FIGHT, RedcoatsPosition
from games.redcoats.printed import ENEMY

MARCH = 4
"""So many steps an enemy can take in his next turn."""
COLUMN = 0.4
"""What a column of cover is worth, in shares of the defenders' strength."""
BEATEN = 4
"""Odds at which troops in the open are as good as lost."""
BREAKS = 0.3
"""4.32: how often a forced march disrupts."""
CAUGHT = 0.8
"""How much of what troops are worth an attack at such odds costs."""


class Refuge:
    """How dangerous each hex is for one side as the armies stand."""

    def __init__(self, pos: RedcoatsPosition, seat: str) -> None:
        self.pos, self.seat = pos, seat
        enemy, land = ENEMY[seat], pos.land
        men, zone = pos.men(seat), pos.zoc(seat)
        self.comes: dict[HexId, int] = {}
        """The strength that can come to a hex in the enemy's next turn."""
        for start in pos.foot(enemy):
            strength = sum(pos.strength(u) for u in pos.infantry(enemy, start))
            ways = steps([start], land.open, lambda n: n not in men, MARCH, lambda n: n not in zone)
            for place in ways:
                self.comes[place] = self.comes.get(place, 0) + strength

    def odds(self, place: HexId, own: int) -> float:
        """How many times as strong as the defenders an attack on a hex can be; cover counts as strength."""
        pos, land = self.pos, self.pos.land
        near = [n for n in land.neighbours[place] if place in land.open[n] and n in self.comes]
        if not near:
            return 0.0
        attack = min(max(self.comes[n] for n in near), FIGHT * len(near))
        guards = [land.guard[n][place] for n in near]
        side = min(pos.aid.sides[kind].assault if kind else 0 for kind in guards)
        cover = pos.aid.grounds[land.terrain[place]].assault + side
        return attack / (own * (1 + COLUMN * cover))

    def risk(self, unit: str, place: HexId, friends: int, forced: bool = False) -> float:
        """Points that a unit may lose by being there, with so much strength beside it."""
        pos, counter = self.pos, self.pos.book[unit]
        own = min(FIGHT, pos.strength(unit) + friends)
        loss = CAUGHT * counter.points * min(1.0, self.odds(place, own) / BEATEN)
        if runs_off(pos, unit, place):
            loss *= 1.5
        return loss + (BREAKS * price(counter.points) if forced else 0.0)
