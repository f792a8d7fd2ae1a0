"""8.1-8.4: the odds of one battle: capped strengths, one column, the shifts, and the leaders on the die."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from games.kit.hexes import HexId
from games.redcoats.aid import BROKEN
from games.redcoats.position import FIGHT, RedcoatsPosition
from games.redcoats.printed import ENEMY, Arm

OPEN = ("clear", "light-woods")
"""12.21: where dragoons charge."""
REASON = "{key:light-attacks=light infantry attacks|light-defends=light infantry defends|{key}} {value:+}"
"""A shift in words."""
Hexes = tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """A battle before the die falls."""

    attack: Fraction
    defence: Fraction
    first: int
    """The column of the bare odds."""
    shift: int
    """Columns to the right."""
    column: int
    modifier: int
    """On the die: one leader of each side (8.1-c)."""
    charge: bool
    """12.21: a charge has got its column."""
    reasons: dict[str, int]
    """What shifts the column, and by how much."""
    leaders: dict[str, int]
    """What the leaders of a side change the die by."""


def attack_strength(pos: RedcoatsPosition, origins: Hexes, attackers: Iterable[str]) -> Fraction:
    """6.0, 8.26: of each hex at most eight points."""
    taking = frozenset(attackers)
    total = 0
    for place in origins:
        units = [u for u in pos.at(pos.book[next(iter(taking))].side).get(place, ()) if u in taking]
        total += min(FIGHT, sum(pos.strength(u) for u in units))
    return Fraction(total)


def defence_strength(pos: RedcoatsPosition, targets: Hexes, defenders: Iterable[str]) -> Fraction:
    """6.0, 8.43, KM-17.0: guns half their bombardment, Loyalists half on turn one; at most eight a hex."""
    taking = frozenset(defenders)
    total = Fraction(0)
    for place in targets:
        here = Fraction(0)
        for side in ENEMY:
            for unit in pos.here(side, place):
                if unit in taking:
                    here += in_defence(pos, unit)
        total += min(Fraction(FIGHT), here)
    return total


def in_defence(pos: RedcoatsPosition, unit: str) -> Fraction:
    """One unit's strength when it defends; exact halves (8.1-b)."""
    counter = pos.book[unit]
    if counter.is_leader:
        return Fraction(0)
    if counter.is_gun:
        return Fraction(counter.fire, 2)
    halved = pos.setting.halved == counter.side and pos.turn == 1
    return Fraction(pos.strength(unit), 2 if halved else 1)


def counted(
    pos: RedcoatsPosition, places: Hexes, units: Iterable[str], defends: bool = False
) -> dict[str, str]:
    """What each unit brings into a battle, from its counter; `/2` is halved."""
    taking, found = frozenset(units), {}
    for unit in (u for place in places for side in ENEMY for u in pos.here(side, place)):
        if unit in taking and not pos.book[unit].is_leader:
            value = in_defence(pos, unit) if defends else Fraction(pos.strength(unit))
            printed = pos.book[unit].fire if pos.book[unit].is_gun and defends else pos.strength(unit)
            found[unit] = f"{printed}{'' if value == printed else '/2'}"
    return found


def sides(pos: RedcoatsPosition, targets: Hexes, origins: Hexes) -> list[tuple[HexId, HexId]]:
    """The hexsides over which a battle is fought."""
    return [(a, d) for a in origins for d in targets if d in pos.land.neighbours[a]]


def works(pos: RedcoatsPosition, target: HexId, origins: Hexes) -> int:
    """9.21: what works are worth in a check; nothing if the attack also comes over open ground (9.21-a)."""
    found = []
    for a in origins:
        if target in pos.land.neighbours[a]:
            work = pos.land.edges.works[a].get(target)
            found.append(pos.aid.sides[work].morale if work else 0)
    return min(found, default=0)


def weigh(
    pos: RedcoatsPosition, seat: str, targets: Hexes, origins: Hexes, attackers: Hexes, defenders: Hexes
) -> Odds:
    """8.1(2)-(6): column and shifts, all of them added and applied once (8.31-a)."""
    attack = attack_strength(pos, origins, attackers)
    defence = defence_strength(pos, targets, defenders)
    first = pos.aid.odds.column(attack, defence)
    parts = shifts(pos, seat, targets, origins, attackers)
    charge = charges(pos, seat, targets, attackers)
    if charge:
        parts.append((1, "charge"))
    shift = sum(by for by, _ in parts)
    leaders = {}
    if pos.option("assault_leaders") == "yes":
        for side, places, sign in ((seat, origins, 1), (ENEMY[seat], targets, -1)):
            best = max((pos.book[u].value for h in places for u in pos.leaders(side, h)), default=0)
            if best:
                leaders[side] = sign * best
    column = pos.aid.odds.shift(first, shift)
    reasons = {what: by for by, what in parts}
    return Odds(attack, defence, first, shift, column, sum(leaders.values()), charge, reasons, leaders)


def shifts(
    pos: RedcoatsPosition, seat: str, targets: Hexes, origins: Hexes, attackers: Iterable[str]
) -> list[tuple[int, str]]:
    """Columns to the right for ground and light infantry, and why."""
    return [*_ground(pos, targets, origins), *_light(pos, seat, targets, attackers)]


def _ground(pos: RedcoatsPosition, targets: Hexes, origins: Hexes) -> list[tuple[int, str]]:
    """8.32: of the hexes the best for the defender, of the hexsides the best for the attacker."""
    parts = []
    grounds = [(pos.aid.grounds[pos.land.terrain[d]].assault, pos.land.terrain[d]) for d in targets]
    by, what = max(grounds)
    if by:
        parts.append((-by, what))
    guards = [pos.land.guard[a][d] for a, d in sides(pos, targets, origins)]
    ranked = [(pos.aid.sides[kind].assault if kind else 0, kind) for kind in guards]
    by, what = min(ranked, default=(0, ""))
    if by:
        parts.append((-by, what))
    return parts


def _light(
    pos: RedcoatsPosition, seat: str, targets: Hexes, attackers: Iterable[str]
) -> list[tuple[int, str]]:
    """12.12: light infantry in woods, town or swamp, one column for either side."""
    broken = [d for d in targets if pos.land.terrain[d] in BROKEN]
    parts = []
    if broken and any(pos.book[u].arm is Arm.LIGHT for u in attackers):
        parts.append((1, "light-attacks"))
    if any(Arm.LIGHT in pos.arms(ENEMY[seat], d) for d in broken):
        parts.append((-1, "light-defends"))
    return parts


def charges(pos: RedcoatsPosition, seat: str, targets: Hexes, attackers: Hexes) -> bool:
    """12.21: good dragoons that came from afar, from open ground into one open hex without good dragoons."""
    if len(targets) != 1 or pos.land.terrain[targets[0]] not in OPEN:
        return False
    if any(
        pos.book[u].arm is Arm.DRAGOON and not pos.units[u].disrupted
        for u in pos.here(ENEMY[seat], targets[0])
    ):
        return False
    return any(
        pos.units[u].charge and not pos.units[u].disrupted and pos.land.terrain[pos.units[u].hex] in OPEN
        for u in attackers
    )
