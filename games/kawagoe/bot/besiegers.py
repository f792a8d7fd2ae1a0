"""How the bot moves and fights for the besiegers.

Before a house moves it looks for Hojo hexes that it can surround, and sends its men there; the others close the ring
around the castle (13.2), bar the roads (13.1), screen their generals and stay in command. Generals keep their men
in range and themselves out of reach.
"""

from __future__ import annotations

from games.kawagoe.bot.battle import Prospect, best_attack
from games.kawagoe.bot.reach import reach
from games.kawagoe.bot.reading import Reading
from games.kawagoe.printed import ANTI, HOJO, UnitClass
from games.kit.hexes import HexId

Group = tuple[str, ...]
REACH = 5
"""From how far men are sent against a Hojo hex."""


class Siege:
    """The aims of the besiegers in one position; `acting` are the units that may move or fight now."""

    def __init__(self, reading: Reading, acting: Group) -> None:
        self.reading, self.pos, self.acting = reading, reading.pos, acting
        self.field, self.ground = reading.field, reading.ground
        self.urge = (0.0, 0.1, 0.15, 0.2, 0.4, 0.7, 1.0)[min(self.pos.turn, 6)]
        self.foes = [self.ground.far(h) for h in self.pos.held(HOJO)]
        self.goal = self._plan()
        self.gaps = self._gaps()

    # --- whom to attack

    def prize(self, target: HexId) -> float:
        """What driving the Hojo off a hex is worth beyond their losses."""
        if self.field.bailey[target]:
            return 1.0 + 5.0 * self.urge
        return 2.0 * self.urge if target in self.ground.ring else 0.0

    def _plan(self) -> dict[str, HexId]:
        """Who goes against which Hojo hex: the most promising target takes the nearest men first."""
        offers = []
        for target in self.pos.held(HOJO):
            value, men = self._concentration(target, self.acting)
            if value > 0.0:
                offers.append((value, target))
        offers.sort(key=lambda o: (-o[0], o[1]))
        goal: dict[str, HexId] = {}
        for _, target in offers:
            value, men = self._concentration(target, tuple(u for u in self.acting if u not in goal))
            if value > 0.0:
                goal.update(dict.fromkeys(men, target))
        return goal

    def _concentration(self, target: HexId, units: Group) -> tuple[float, Group]:
        """The attack that could be made on a hex if everybody near went there."""
        pos, far = self.pos, self.ground.far(target)
        own, foes, lake, zone = pos.held(ANTI), pos.held(HOJO), self.field.lake[target], pos.zone(HOJO)
        spots = [n for n in self.field.neighbours[target] if n not in foes and not lake[n]]
        if self.field.bailey[target]:
            spots = [n for n in spots if n in own]  # nobody walks up to a wall for the sake of a bad attack
        there = {own[n][0]: n for n in spots if n in own and own[n][0] in units}
        free = [n for n in spots if n not in own]
        coming = [
            u
            for u in units
            if u not in there
            and far[pos.units[u].hex] <= REACH
            and pos.units[u].hex not in zone
            and not (pos.book[u].cls is UnitClass.COMMANDER)
        ]
        coming.sort(key=lambda u: (far[pos.units[u].hex] - self.reading.likely(u), u))
        for unit, spot in zip(coming, free, strict=False):
            there[unit] = spot
        if not there:
            return 0.0, ()
        return Prospect(self.reading, list(there.items()), target).value(self.prize(target)), tuple(there)

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
            if bars < 3:
                for place in line:
                    if place not in own:
                        gaps[place] = gaps.get(place, 0.0) + 2.0 * self.urge / (1 + bars)
        return gaps

    def stand(self, unit: str, place: HexId) -> float:
        """What it is worth that a unit stands in a hex."""
        here = self.pos.units[unit].hex
        gaps = self.gaps
        value = 0.0
        for h in (place, *self.field.zoc_into[place]):
            if h in gaps:
                value += gaps[h]
        if here in self.ground.ring:  # it covers something now: leaving opens gaps that the count does not show
            if place != here and place not in self.ground.ring:
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
        goal = self.goal.get(unit)
        if goal:
            far = self.ground.far(goal)[place]
            value += 3.0 + self._pincer(goal, place) if far == 1 else -0.25 * far
        elif self.foes:
            value -= 0.06 * min(far[place] for far in self.foes)
        return value + self._screen(unit, place)

    def _pincer(self, target: HexId, place: HexId) -> float:
        """How many ways to flee a unit in a hex would close that are still open."""
        others = [
            h
            for h in self.field.neighbours[target]
            if h != place and any(u in self.acting for u in self.pos.held(ANTI).get(h, ()))
        ]
        away = set(self.field.neighbours[target])
        for h in others:
            away &= set(self.ground.away(target, h))
        return 0.3 * len(away - set(self.ground.away(target, place)))

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
        fear = 0.25 if counter.cls is UnitClass.COMMANDER else 0.12
        friends = sum(n in pos.held(ANTI) for n in self.field.neighbours[place])
        value = near + 0.15 * friends - fear * self.reading.deadly(place) * (1.0 - friends / 8)
        if self.goal.get(unit) and self.ground.far(self.goal[unit])[place] == 1:
            value += 2.0
        return value

    # --- combat

    def attack(self, targets: dict[HexId, list[str]]) -> tuple[float, HexId, Group]:
        """The best attack of the phase."""
        best: tuple[float, HexId, Group] = (0.0, "", ())
        for target, units in targets.items():
            value, some = best_attack(self.reading, target, units, prize=self.prize(target), waste=0.02)
            if value > best[0]:
                best = (value, target, some)
        return best
