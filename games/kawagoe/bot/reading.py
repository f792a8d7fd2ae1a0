"""How the bot reads a position: likely strengths, what units are worth, who threatens which hex.

Worth is counted in victory points (13.1, 13.2), with something added for what a unit may still do; that part
fades as the game runs out. Invariants: a `Reading` belongs to one position and changes nothing in it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from games.kawagoe.book import BENCHIYO, TAME, TSUNASHIGE, UJIYASU
from games.kawagoe.bot.ground import Ground, Row
from games.kawagoe.command import command_range, generals, halved
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO, UnitClass
from games.kawagoe.unknown import pool_left
from games.kit.hexes import HexId

Faces = tuple[tuple[int, float], ...]
"""Strengths that a counter may have, each with its chance."""

LAST_STEP = {TAME: 4.0, BENCHIYO: 4.0, TSUNASHIGE: 6.0, UJIYASU: 60.0}
"""What the third step of these is worth: 13.2 pays for their end, 13.4 ends the game."""
ORDER_VALUE = 1.5
"""What the men of a general lose with him, in points, at the beginning of the game."""

NEAR = 4
"""Besiegers within so many hexes count as a threat."""
FEAR = {1: 1.0, 2: 0.7, 3: 0.5, 4: 0.3, 5: 0.3, 6: 0.1, 7: 0.1}
"""How much Hojo at a distance are to be feared by generals."""


@dataclass(frozen=True, slots=True)
class Temper:
    """What one player cares for more than another."""

    hunt: float = 1.0
    """How much the Hojo want the heads of the three 総大将 (13.3)."""
    bold: float = 1.0
    """How far in front 氏康 rides."""
    parts: int = 1
    """In how many detachments the relief comes."""


def temper_of(rng: Random) -> Temper:
    """Players differ."""
    return Temper(
        hunt=rng.choice((0.8, 1.0, 1.5, 3.5)),
        bold=rng.choice((0.5, 1.0, 2.0, 4.0)),
        parts=rng.choice((1, 1, 2, 3)),
    )


class Reading:
    """One position, seen by a player."""

    def __init__(self, pos: KawagoePosition, ground: Ground, temper: Temper) -> None:
        self.pos, self.ground, self.field, self.temper = pos, ground, pos.pack.map, temper
        turns: int = pos.pack.scenarios[pos.scenario].turns
        self.time: float = max(0.0, (turns + 1 - pos.turn) / turns)
        """How much of the game is left, from 1 to almost 0."""
        self.last = pos.turn >= turns
        self.fallen = sum(c in pos.fallen for c in pos.book.commanders)
        """How many 総大将 are gone."""
        self.hunt: float = temper.hunt * (1.0, 1.3, 3.0, 3.0)[self.fallen]
        """How much the Hojo want the others: the third one ends the game (13.3)."""
        self._faces: dict[str, Faces] = {}
        self._captains: dict[str, float] = {}
        self._led: dict[str, frozenset[HexId]] = {}
        self._likely: dict[str, float] = {}
        self._steps: dict[tuple[str, int], float] = {}
        self._threat: dict[HexId, float] = {}
        self._deadly: dict[HexId, float] = {}
        self._armed: list[tuple[Row, float]] | None = None
        self._swords: list[tuple[Row, int]] | None = None

    # --- strengths

    def _look(self, house: str) -> None:
        kinds = self.pos.book.identities[house]
        left = pool_left(self.pos, house)
        count = Counter(kinds[i].strength for i in left)
        total = max(len(left), 1)
        self._faces[house] = tuple((s, n / total) for s, n in sorted(count.items()))
        self._captains[house] = sum(kinds[i].cls is UnitClass.CAPTAIN for i in left) / total

    def faces(self, unit: str) -> Faces:
        """What a unit may count, before halving and doubling."""
        if not self.pos.unknown(unit):
            return ((self.pos.strength(unit), 1.0),)
        house = self.pos.book[unit].group
        if house not in self._faces:
            self._look(house)
        return self._faces[house]

    def likely(self, unit: str) -> float:
        """What it counts on the average."""
        found = self._likely.get(unit)
        if found is None:
            found = self._likely[unit] = sum(s * chance for s, chance in self.faces(unit))
        return found

    def led(self, house: str) -> frozenset[HexId]:
        """10.2: every hex that some general of a house commands."""
        if house not in self._led:
            found: frozenset[HexId] = frozenset()
            for general in generals(self.pos, house):
                found |= command_range(self.pos, general)
            self._led[house] = found
        return self._led[house]

    def in_command(self, unit: str, place: HexId) -> bool:
        """10.3: whether a besieger would count fully in a hex."""
        counter = self.pos.book[unit]
        return counter.general or place in self.led(counter.group)

    def defence(self, unit: str) -> Faces:
        """What a unit may count where it stands (9.2, 10.3)."""
        faces = self.faces(unit)
        if self.pos.side(unit) == ANTI and not self.in_command(unit, self.pos.units[unit].hex):
            return tuple((halved(s), chance) for s, chance in faces)
        return faces

    # --- worth

    def hojo_step(self, unit: str, left: int) -> float:
        """What it costs the Hojo when a unit with so many steps left loses one."""
        if unit == UJIYASU:
            return {3: 3.5, 2: 8.0, 1: LAST_STEP[UJIYASU]}[left]
        points: float = LAST_STEP.get(unit, 2.0) if left == 1 else 2.0
        return points + 0.7 * self.time

    def anti_step(self, unit: str, left: int) -> float:
        """What it costs the besiegers when a unit with so many steps left loses one."""
        counter = self.pos.book[unit]
        if not counter.general:
            return self.captain(unit) + 0.35 * self.time
        if counter.cls is not UnitClass.COMMANDER:
            points = {3: 0.6, 2: 0.9, 1: 1.5}[left]
        else:
            points = {3: 1.0, 2: 1.5, 1: 2.5}[left] * (1, 1.6, 8)[min(self.fallen, 2)] * self.temper.hunt
        return points + ORDER_VALUE * self.time / 2

    def captain(self, unit: str) -> float:
        """The chance that a besieger is a 武将, which is what it is worth in points."""
        if not self.pos.unknown(unit):
            return float(self.pos.unit_class(unit) is UnitClass.CAPTAIN)
        self.faces(unit)
        return self._captains[self.pos.book[unit].group]

    def step(self, unit: str, left: int) -> float:
        """The cost of a step to its owner."""
        found = self._steps.get((unit, left))
        if found is None:
            cost = self.hojo_step if self.pos.side(unit) == HOJO else self.anti_step
            found = self._steps[unit, left] = cost(unit, left)
        return found

    def whole(self, unit: str) -> float:
        """The cost of all steps that a unit has left."""
        return sum(self.step(unit, left) for left in range(1, self.pos.steps(unit) + 1))

    def cheapest(self, units: tuple[str, ...], number: int) -> tuple[float, tuple[str, ...]]:
        """9.53: the least that losing so many steps costs, and the units that lose them."""
        left = {unit: self.pos.steps(unit) for unit in units}
        if number == 1:
            unit = min(units, key=lambda u: self.step(u, left[u]))
            return self.step(unit, left[unit]), (unit,)
        cost, named = 0.0, []
        for _ in range(number):
            open_ = [u for u in units if left[u]]
            if not open_:
                break
            unit = min(open_, key=lambda u: self.step(u, left[u]))
            cost += self.step(unit, left[unit])
            left[unit] -= 1
            named.append(unit)
        return cost, tuple(named)

    def shaken(self, unit: str) -> float:
        """What it costs the besiegers when a unit falls into disorder: near the end it counts as gone."""
        house = self.pos.book[unit].group
        chits = [c for c in self.pos.drawn if self.pos.pack.chits[c].house == house]
        late = 0.7 if self.last and chits else 0.45 if self.last else 0.1
        return late * self.captain_or_general(unit) + 0.35 * self.time

    def captain_or_general(self, unit: str) -> float:
        """13.1: the points for its removal."""
        counter = self.pos.book[unit]
        if not counter.general:
            return self.captain(unit)
        return 5.0 if counter.cls is UnitClass.COMMANDER else 3.0

    # --- threats

    def threat(self, place: HexId) -> float:
        """How much strength of the besiegers is near enough to come and attack a hex."""
        if self._armed is None:
            self._armed = [
                (self.ground.far(piece.hex), self.likely(unit))
                for unit, piece in self.pos.units.items()
                if self.pos.side(unit) == ANTI and not piece.disordered
            ]
        found = self._threat.get(place)
        if found is None:
            found = self._threat[place] = sum(value for far, value in self._armed if far[place] <= NEAR)
        return found

    def deadly(self, place: HexId) -> float:
        """How much Hojo strength can come near enough to charge a hex or attack it, nearest most."""
        if self._swords is None:
            self._swords = [
                (self.ground.far(there), sum(self.pos.strength(u) for u in units))
                for there, units in self.pos.held(HOJO).items()
            ]
        found = self._deadly.get(place)
        if found is None:
            found = self._deadly[place] = sum(
                value * FEAR.get(far[place], 0.0) for far, value in self._swords
            )
        return found
