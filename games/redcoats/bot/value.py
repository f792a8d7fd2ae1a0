"""What a battle or a shot is worth, in shares of the collapse levels: the tables worked out for the units."""

from __future__ import annotations

from collections.abc import Mapping

from games.kit.hexes import HexId
from games.redcoats.bombardment import aim
from games.redcoats.collapse import price
from games.redcoats.morale import Cause, check
from games.redcoats.moves import Fire
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from games.redcoats.strength import weigh, works

Placed = Mapping[str, HexId]
"""Units and where they fight."""
PUSHED = 0.3
"""What it is worth to drive a unit back one hex, in points."""
RUN = 0.8
"""What it is worth that a unit runs and must recover."""


def rate(pos: RedcoatsPosition, side: str) -> float:
    """How much a point of a side's level weighs: the nearer to collapse, the more."""
    return 1.0 / max(2.0, pos.levels[side] / 2)


def killed(pos: RedcoatsPosition, unit: str) -> float:
    """Points that the loss of a unit costs, with the point that the enemy gains."""
    counter = pos.book[unit]
    return 1.0 if counter.is_gun else counter.points + 1.0


def runs_off(pos: RedcoatsPosition, unit: str, here: HexId) -> bool:
    """10.0: whether a unit that runs from a hex would leave the field over its line of communication."""
    counter, land = pos.book[unit], pos.land
    lines = [h for h in pos.setting.lines[counter.side] if h in land.edge]
    return counter.is_foot and any(land.distance(here, h) < counter.ma for h in lines)


def broken(pos: RedcoatsPosition, unit: str, here: HexId, *, by_result: bool) -> float:
    """Points that its disruption in a hex costs; AD and DD kill who was disrupted."""
    counter = pos.book[unit]
    if runs_off(pos, unit, here):
        return killed(pos, unit)
    if pos.units[unit].disrupted:
        return killed(pos, unit) if by_result else RUN
    return RUN + (0.5 if counter.is_gun else price(counter.points) / 2)


def suffered(pos: RedcoatsPosition, units: Placed, result: str, causes: dict[str, Cause]) -> float:
    """Points that a side's part of a result costs it on average."""
    if not result:
        return 0.0
    total = 0.0
    for unit, here in units.items():
        if result == "E":
            total += killed(pos, unit)
        elif result == "D":
            total += broken(pos, unit, here, by_result=True)
        else:
            cause = causes.get(unit, Cause())
            plus = int(result[1:]) if result[0] == "M" else 0
            made = check(pos, unit, Cause(plus, cause.works, cause.charge))
            fails = sum(not made.passed(die) for die in range(1, 11)) / 10
            total += fails * broken(pos, unit, here, by_result=False)
            total += (1 - fails) * (PUSHED if result[0] == "R" else 0.0)
    return total


def battle(pos: RedcoatsPosition, seat: str, targets: tuple[HexId, ...], origins: tuple[HexId, ...]) -> float:
    """The average worth of a battle as the units stand."""
    attackers = tuple(u for h in origins for u in pos.infantry(seat, h))
    defenders = tuple(u for h in targets for u in pos.combat(ENEMY[seat], h))
    found = weigh(pos, seat, targets, origins, attackers, defenders)
    causes = {u: Cause(works=works(pos, pos.units[u].hex, origins), charge=found.charge) for u in defenders}
    ours = {u: h for h in origins for u in pos.combat(seat, h)}
    theirs = {u: pos.units[u].hex for u in defenders}
    return table_worth(pos, seat, found.column, found.modifier, ours, theirs, causes)


def table_worth(
    pos: RedcoatsPosition,
    seat: str,
    column: int,
    modifier: int,
    ours: Placed,
    theirs: Placed,
    causes: dict[str, Cause],
) -> float:
    """The average over the die."""
    gain, loss = rate(pos, ENEMY[seat]), rate(pos, seat)
    known: dict[str, float] = {}
    total = 0.0
    for die in range(1, 11):
        cell = pos.aid.odds.result(column, die + modifier)
        if cell not in known:
            worth = 0.0
            for word in cell.split():
                if word[0] == "D":
                    worth += gain * suffered(pos, theirs, word[1:], causes)
                elif word[0] == "A":
                    worth -= loss * suffered(pos, ours, word[1:], {})
            known[cell] = worth
        total += known[cell]
    return total / 10


def shot(pos: RedcoatsPosition, move: Fire) -> float:
    """The average worth of a bombardment."""
    seat = pos.book[move.guns[0]].side
    found = aim(pos, move.guns, move.hex)
    if found.column is None:
        return 0.0
    total = 0.0
    here = move.hex
    for unit in pos.combat(ENEMY[seat], here):
        for die in range(1, 11):
            cell = pos.aid.fire[die][found.column]
            if cell == "DD":
                total += broken(pos, unit, here, by_result=True)
            elif cell != "-":
                made = check(pos, unit, Cause(plus=int(cell[1:]), works=found.works))
                total += (
                    sum(not made.passed(d) for d in range(1, 11))
                    / 10
                    * broken(pos, unit, here, by_result=False)
                )
    return total / 10 * rate(pos, ENEMY[seat]) / float(len(move.guns) ** 0.5)
