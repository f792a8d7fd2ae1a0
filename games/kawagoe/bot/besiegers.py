"""How the bot moves and fights for the besiegers.

Before a house moves it looks for Hojo hexes that it can surround, and sends its men there; the others close
the ring around the castle (13.2), bar the roads (13.1), screen their generals and stay in command. Generals
keep their men in range and themselves out of reach.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.kawagoe.bot.battle import best_attack
from games.kawagoe.bot.muster import Muster
from games.kawagoe.bot.reach import reach
from games.kawagoe.bot.reading import Reading
from games.kawagoe.printed import ANTI, HOJO, UnitClass
from games.kit.hexes import HexId

Group = tuple[str, ...]

BAR = 5.0
"""What it is worth to bar an open road (13.1)."""


class Siege:
    """The aims of the besiegers in one position; `acting` are the units that may move or fight now."""

    def __init__(self, reading: Reading, acting: Group) -> None:
        self.reading, self.pos, self.acting = reading, reading.pos, acting
        self.field, self.ground = reading.field, reading.ground
        self.urge = (0.0, 0.1, 0.15, 0.2, 0.4, 0.7, 1.0)[min(self.pos.turn, 6)]
        outside = [h for h in self.pos.held(HOJO) if not self.field.bailey[h]]
        self.foes = [self.ground.far(h) for h in outside]
        self.gaps = self._gaps()

    # --- whom to attack

    def prize(self, target: HexId) -> float:
        """What driving the Hojo off a hex is worth beyond their losses."""
        if self.field.bailey[target]:
            return 1.0 + 5.0 * self.urge
        return 2.0 * self.urge if target in self.ground.ring else 0.0

    def plan(self, points: Mapping[str, int]) -> dict[Group, HexId]:
        """Who should go where to attack with others; `points` are those of everybody who can move."""
        pos = self.pos
        ways: dict[Group, Mapping[HexId, int]] = {
            (unit,): reach(pos, ANTI, 1, pos.units[unit].hex, left) for unit, left in points.items()
        }
        standing = {pos.units[unit].hex: (unit,) for unit in self.acting}
        muster = Muster(self.reading, ANTI, ways, standing, self._use, self.prize)
        return muster.plan(list(pos.held(HOJO)), 0.2)

    def _use(self, group: Group, place: HexId) -> float:
        """Strength there; 総大将 never go, generals and those who close the ring rather stay, and nobody
        walks up to a wall for the sake of a bad attack."""
        (unit,) = group
        if self.pos.book[unit].cls is UnitClass.COMMANDER or self._under_wall(place):
            return 0.0
        value = self.reading.likely(unit) * (1.0 if self.reading.in_command(unit, place) else 0.5)
        if self.pos.book[unit].general:
            value -= 3.0
        if self.pos.units[unit].hex in self.ground.ring:
            value -= 1.0
        return value + 5.0

    def _under_wall(self, place: HexId) -> bool:
        """A hex from which nothing but the castle can be attacked."""
        foes = self.pos.held(HOJO)
        near = [n for n in self.field.neighbours[place] if n in foes]
        return all(self.field.bailey[n] for n in near)

    # --- where to stand

    def _gaps(self) -> dict[HexId, float]:
        """Ring hexes that hardly anybody covers, and roads that nobody bars: what it is worth to do so."""
        pos, zone, held = self.pos, self.pos.zone(ANTI), self.pos.held(ANTI)
        gaps: dict[HexId, float] = {}
        for place in self.field.ring:
            if place not in pos.held(HOJO):
                cover = zone.get(place, 0) + (2 if place in held else 0)
                gaps[place] = (0.3 + 2.5 * self.urge) * (1.0 if cover == 0 else 0.4 if cover == 1 else 0.0)
        own = pos.held(HOJO)
        for line in self.ground.lines:
            bars = sum(h in held or (h in zone and h not in own) for h in line)
            worth = BAR / (1 + bars / 2) * self.urge**2
            for place in line:
                if place not in own:
                    gaps[place] = max(gaps.get(place, 0.0), worth)
        return gaps

    def stand(self, unit: str, place: HexId) -> float:
        """What it is worth that a unit stands in a hex."""
        here = self.pos.units[unit].hex
        gaps = self.gaps
        value = 0.0
        for h in (place, *self.field.zoc_into[place]):
            if h in gaps:
                value += gaps[h]
        if here in self.ground.ring and place not in self.ground.ring:  # this would open a gap
            value -= 0.3 + 2.0 * self.urge
        if self.field.bailey[place]:
            value += 2.0 + 8.0 * self.urge
        return value

    # --- movement

    def choose(self, unit: str, points: int) -> tuple[HexId, float]:
        """Where a unit should go, and how much better that is than staying."""
        start = self.pos.units[unit].hex
        score = self._general if self.pos.book[unit].general else self._man
        here = score(unit, start)
        best, where = here + 0.05, start
        for place in reach(self.pos, ANTI, 1, start, points):
            value = score(unit, place)
            if value > best + 1e-9:
                best, where = value, place
        return where, best - here

    def _man(self, unit: str, place: HexId) -> float:
        value = self.stand(unit, place)
        if self.reading.in_command(unit, place):
            value += 0.8
        if self.foes:
            value -= 0.15 * max(0, min(far[place] for far in self.foes) - 2)
        return value + self._screen(unit, place)

    def _screen(self, unit: str, place: HexId) -> float:
        """Standing beside the own 総大将 where the Hojo are near."""
        pos = self.pos
        for commander in pos.book.commanders:
            if commander in pos.units and commander != unit:
                there = pos.units[commander].hex
                if place in self.field.neighbours[there] and self.reading.deadly(there) > 6.0:
                    return 0.4
        return 0.0

    def _general(self, unit: str, place: HexId) -> float:
        pos = self.pos
        counter = pos.book[unit]
        disc = pos.book.disc(place, counter.command)
        men = [u for u in pos.book.groups[counter.group] if u in pos.units and not pos.book[u].general]
        near = sum(0.25 + 0.15 * (pos.units[u].disordered) for u in men if pos.units[u].hex in disc)
        fear = 0.12
        if counter.cls is UnitClass.COMMANDER:
            fear = 0.25 + 0.15 * self.reading.fallen
        friends = sum(n in pos.held(ANTI) for n in self.field.neighbours[place])
        return near + 0.15 * friends - fear * self.reading.deadly(place) * (1.0 - friends / 8)

    # --- combat

    def attack(self, targets: dict[HexId, list[str]]) -> tuple[float, HexId, Group]:
        """The best attack of the phase."""
        best: tuple[float, HexId, Group] = (0.0, "", ())
        for target, units in targets.items():
            value, some = best_attack(self.reading, target, units, prize=self.prize(target), waste=0.02)
            if value > best[0]:
                best = (value, target, some)
        return best
