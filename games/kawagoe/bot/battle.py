"""What a combat is worth before the die falls, and which combats to choose.

Every result of the table is priced by what it does to both sides (9.5): the owner takes whichever of retreat
and step loss costs him less. Attackers that surround a hex leave nobody a way to flee (9.63), and are deadly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from games.kawagoe import siege
from games.kawagoe.book import KATTA
from games.kawagoe.bot.reading import Reading
from games.kawagoe.command import halved
from games.kawagoe.losses import DESTROYED
from games.kawagoe.position import ENEMY, STACK
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.strength import terrain
from games.kit.hexes import HexId

Placed = Sequence[tuple[str, HexId]]
"""Attackers, each with the hex that it attacks from; it may not be there yet."""

GROUND_LOST = {HOJO: 0.5, ANTI: 0.15}
"""What falling back costs."""
GROUND_WON = 0.2
"""What it is worth to stand where the enemy stood."""


class Prospect:
    """One combat that might be fought."""

    def __init__(
        self, reading: Reading, placed: Placed, target: HexId, *, charge: bool = False, katta: bool = False
    ) -> None:
        self.reading, self.pos, self.target, self.charge = reading, reading.pos, target, charge
        self.units = tuple(unit for unit, _ in placed)
        self.side = self.pos.side(self.units[0])
        self.defenders = self.pos.held(ENEMY[self.side])[target]
        self.origins = tuple(dict.fromkeys(place for _, place in placed))
        self.column = siege.column(reading.field, self.origins, target)
        self.attack, self.spread = self._attack(placed, katta)

    def _attack(self, placed: Placed, katta: bool) -> tuple[float, float]:
        """The likely strength of the attack, and how far unknown units may take it off that."""
        reading, field = self.reading, self.reading.field
        total, variance = 0.0, 0.0
        for unit, place in placed:
            value = reading.likely(unit)
            if self.side == ANTI:
                variance += 0.8 if self.pos.unknown(unit) else 0.0
                if not reading.in_command(unit, place):
                    value = halved(int(value + 0.5))
            elif katta and unit in KATTA:
                outward = place in field.gate_hexes and field.bailey[self.target] is None
                value *= 2 if outward or field.bailey[place] is None else 1
            total += value
        return total, variance**0.5

    def value(self, prize: float = 0.0) -> float:
        """What the combat is worth to the attacker; `prize` is for driving the defender off his hex."""
        table, ground = self.pos.pack.crt, self.reading.ground
        walls = siege.walls_help(self.pos, self.column)
        shift, modifier, _ = terrain(self.pos, self.origins, self.target)
        shift += siege.shift(self.pos, self.column, self.origins, self.target) if walls else 0
        attacks = (self.attack - self.spread, self.attack + self.spread) if self.spread else (self.attack,)
        columns: dict[int, float] = {}
        for defence, chance in self._defence():
            for attack in attacks:
                column = table.shift(table.column(Fraction(attack), Fraction(defence)), shift)
                columns[column] = columns.get(column, 0.0) + chance / len(attacks)
        self._open(prize)
        return sum(
            chance * likely * self._price(attacker, defender, melee)
            for column, chance in columns.items()
            for attacker, defender, melee, likely in ground.results(column, modifier, walls)
        )

    def _defence(self) -> Iterable[tuple[int, float]]:
        if self.side == ANTI:
            return ((sum(self.pos.strength(u) for u in self.defenders), 1.0),)
        return self.reading.defence(self.defenders[0])

    # --- results

    def _open(self, prize: float) -> None:
        self._prize = prize
        self._back, self._home = self._defender_flees(), self._attacker_flees()
        self._gains: dict[tuple[str, bool], tuple[float, bool]] = {}
        self._costs: dict[tuple[str, bool], float] = {}

    def _price(self, attacker: str, defender: str, melee: bool) -> float:
        """A result of the table in points for the attacker."""
        part = (defender, melee)
        if part not in self._gains:
            self._gains[part] = self._gain(defender, self._back and not melee)
        gain, emptied = self._gains[part]
        if emptied and not melee:
            gain += self._prize + (0.0 if attacker else GROUND_WON)
        part = (attacker, melee)
        if part not in self._costs:
            self._costs[part] = self._cost(attacker, self._home and not melee)
        return gain - self._costs[part]

    def _gain(self, loss: str, flees: bool) -> tuple[float, bool]:
        """What the defender's part of a result is worth, and whether he leaves his hex."""
        reading, units = self.reading, self.defenders
        if not loss:
            return 0.0, False
        if loss == DESTROYED:
            return sum(reading.whole(u) for u in units), True
        steps, named = reading.cheapest(units, int(loss))
        dead = all(named.count(u) == self.pos.steps(u) for u in units)
        if not flees:
            return steps, dead
        driven = GROUND_LOST[ENEMY[self.side]]
        if self.charge:
            driven += sum(reading.shaken(u) for u in units)
        return (driven, True) if driven <= steps else (steps, dead)

    def _cost(self, loss: str, flees: bool) -> float:
        reading = self.reading
        if not loss:
            return 0.0
        if loss == DESTROYED:
            return sum(reading.whole(u) for u in self.units)
        steps, _ = reading.cheapest(self.units, int(loss))
        return min(steps, GROUND_LOST[self.side]) if flees else steps

    # --- retreats, roughly: one hex that leads away from everybody

    def _defender_flees(self) -> bool:
        """9.63, 9.64: whether the defenders have somewhere to go."""
        ground, side = self.reading.ground, ENEMY[self.side]
        held, own = self.pos.held(self.side), self.pos.held(side)
        away = [n for n in ground.away(self.target, self.origins[0]) if n not in held]
        for origin in self.origins[1:]:
            also = ground.away(self.target, origin)
            away = [n for n in away if n in also]
        away = [n for n in away if n not in self.origins]
        if side == ANTI:
            return bool(away)
        return sum(STACK[HOJO] - len(own.get(n, ())) for n in away) >= len(self.defenders)

    def _attacker_flees(self) -> bool:
        if siege.must_bleed(self.pos, self.column, self.side):
            return False
        held = self.pos.held(ENEMY[self.side])
        return all(
            any(n not in held for n in self.reading.ground.away(origin, self.target))
            for origin in self.origins
        )


def best_attack(
    reading: Reading,
    target: HexId,
    units: Sequence[str],
    *,
    katta: bool = False,
    prize: float = 0.0,
    waste: float = 0.0,
) -> tuple[float, tuple[str, ...]]:
    """The best set of attackers on a hex, taken hex by hex; `waste` is what a unit could do elsewhere."""
    stacks: dict[HexId, list[str]] = {}
    for unit in units:
        stacks.setdefault(reading.pos.units[unit].hex, []).append(unit)
    best: tuple[float, tuple[str, ...]] = (0.0, ())
    for size in range(1, len(stacks) + 1):
        for hexes in combinations(stacks, size):
            placed = [(unit, h) for h in hexes for unit in stacks[h]]
            value = Prospect(reading, placed, target, katta=katta).value(prize) - waste * len(placed)
            if value > best[0]:
                best = (value, tuple(unit for unit, _ in placed))
    return best
