"""Getting out of contact: who would have to attack at bad odds goes, covered by a rear guard if he can."""

from __future__ import annotations

from typing import Any

from games.kit.hexes import HexId
from games.redcoats.bot.value import battle, broken, killed, rate
from games.redcoats.marches import Disengages, Guards, Marches
from games.redcoats.morale import Cause, check
from games.redcoats.movers import Moving
from games.redcoats.moves import Disengage, Guard, March
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from pbem.engine.options import View

GUARD = 0.7
"""How likely a rear guard is lost."""
PATIENCE = 0.3
"""What must be gained by going, in points."""


class Withdrawal:
    """The orders of one segment by which a side breaks contact, asked for one by one."""

    def __init__(
        self, pos: RedcoatsPosition, seat: str, segment: Moving, busy: set[str], keep: tuple[HexId, ...]
    ) -> None:
        self.pos, self.seat, self.segment, self.keep = pos, seat, segment, keep
        self.busy = busy
        """Who is to attack, or has been tried."""
        self.marches, self.disengages = Marches(pos, segment), Disengages(pos, segment)
        self.guards: Any = Guards(pos, segment)

    def next(self) -> Guard | Disengage | March | None:
        """The first hex that should be left, and what comes first there."""
        pos = self.pos
        zone = pos.zoc(ENEMY[self.seat])
        for place in sorted(h for h in pos.foot(self.seat) if h in zone and h not in self.keep):
            units = [u for u in pos.infantry(self.seat, place) if u not in self.busy]
            units = [u for u in units if not pos.units[u].disrupted and u not in self.segment.moved]
            if units:
                order = self._leave(place, units)
                if order is not None:
                    return order
        return None

    def _leave(self, place: HexId, units: list[str]) -> Guard | Disengage | March | None:
        pos, seat = self.pos, self.seat
        zone, men = pos.zoc(ENEMY[seat]), pos.men(ENEMY[seat])
        if all(n in zone or n in men for n in pos.land.open[place]):
            return None
        stays = battle(pos, seat, pos.covering(seat, place), (place,))
        loss = rate(pos, seat)
        if stays > -PATIENCE * loss:
            return None
        for unit in units:
            order = self._march(unit)
            if order is not None:
                return order
        weakest = min(units, key=lambda u: (killed(pos, u), pos.strength(u), u))
        if len(units) > 1 and -GUARD * killed(pos, weakest) * loss > stays + PATIENCE * loss:
            guard = Guard(weakest)
            if self.guards.why_not(guard, View()) is None:
                return guard
        for unit in units:
            tries = Disengage(unit)
            if self.disengages.why_not(tries, View()) is None and self._pays(unit, stays):
                return tries
        return None

    def _pays(self, unit: str, stays: float) -> bool:
        """4.41: whether trying is better than fighting."""
        pos, loss = self.pos, rate(self.pos, self.seat)
        made = check(pos, unit, Cause(disengage=True))
        free = sum(made.passed(die) for die in range(1, 11)) / 10
        held = sum(not made.passed(die) and made.margin(die) < 4 for die in range(1, 11)) / 10
        runs = -loss * broken(pos, unit, pos.units[unit].hex, by_result=False)
        return held * stays + (1 - free - held) * runs > stays + PATIENCE * loss

    def _march(self, unit: str) -> March | None:
        """Out of every zone, to what is to be kept, or as far from the enemy as it gets."""
        pos, land = self.pos, self.pos.land
        zone, men = pos.zoc(ENEMY[self.seat]), pos.men(ENEMY[self.seat])
        ways = [m for m in self.marches.of(unit) if m.hex not in zone]

        def away(move: March) -> tuple[int, int, str]:
            back = min((land.distance(move.hex, h) for h in self.keep), default=0)
            return back, -min((land.distance(move.hex, h) for h in men), default=9), move.hex

        return min(ways, key=away, default=None)
