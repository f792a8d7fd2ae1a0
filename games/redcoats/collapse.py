"""13.0 COLLAPSE: what disruption and elimination cost, in half points, and when an army gives way."""

from __future__ import annotations

from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from pbem.engine.events import Event


def _lose(pos: RedcoatsPosition, side: str, halves: int) -> None:
    pos.levels[side] = pos.levels.get(side, 0) - halves


def price(points: int) -> int:
    """13.2: half points for a disruption, by the points of an elimination."""
    return 1 if points <= 2 else 2 if points == 3 else 4


class Disrupted(Event):
    says = "{unit} is disrupted"
    unit: str


class Eliminated(Event):
    says = (
        "{unit} {how:taken=is taken|nowhere=has nowhere to go and is lost|left=leaves the field"
        "|fell=falls with his troops ({die})|prisoner=finds no way to a friend and is taken|is eliminated}"
    )
    unit: str
    how: str
    die: int | None


class LevelChanged(Event):
    says = "{side} {change:/2+} ({cause:approach=nearer to a victory hex|{cause}}): {level:/2}"
    side: str
    change: int
    """In half points, like the level."""
    level: int
    cause: str
    """The unit that was disrupted, lost or came back, or `approach`."""


class Collapsed(Event):
    says = "the {loser} army has collapsed at {level:/2}: the {winner} side wins"
    loser: str
    level: int
    winner: str


def disrupt(pos: RedcoatsPosition, unit: str, rule: str) -> bool:
    """9.1: a good unit is turned over and its army pays; False if it lay on its back already."""
    if pos.units[unit].disrupted:
        return False
    counter = pos.book[unit]
    pos.mark(unit, disrupted=True, charge=False)
    cost = 0 if counter.is_gun else price(counter.points)
    if cost:
        _lose(pos, counter.side, cost)
    pos.say(Disrupted(unit, rule=rule))
    if cost:
        _say_level(pos, counter.side, "13.2", -cost, unit)
    return True


def eliminate(pos: RedcoatsPosition, unit: str, rule: str, how: str = "", die: int | None = None) -> None:
    """13.2, 13.3: its army pays its points, the enemy gains one; guns cost and give nothing."""
    counter = pos.book[unit]
    pos.remove(unit)
    pos.say(Eliminated(unit, how, die, rule=rule))
    if counter.is_gun:
        return
    cost = 2 * (counter.range + counter.value if counter.is_leader else counter.points)
    _lose(pos, counter.side, cost)
    _say_level(pos, counter.side, "13.3" if counter.is_leader else "13.2", -cost, unit)
    if counter.is_foot:
        _lose(pos, ENEMY[counter.side], -2)
        _say_level(pos, ENEMY[counter.side], "13.3", 2, unit)


def gain(pos: RedcoatsPosition, side: str, halves: int, rule: str, why: str) -> None:
    """A battle's own rule raises a level."""
    _lose(pos, side, -halves)
    _say_level(pos, side, rule, halves, why)


def _say_level(pos: RedcoatsPosition, side: str, rule: str, change: int, cause: str) -> None:
    pos.say(LevelChanged(side, change, pos.levels[side], cause, rule=rule))


def collapse(pos: RedcoatsPosition) -> bool:
    """13.1, 14.1: after all changes of one action: an army at 0 or less has collapsed (13.1-b)."""
    gone = [side for side, level in pos.levels.items() if level <= 0]
    if not gone or pos.outcome:
        return pos.outcome is not None
    second = ENEMY[pos.first()]
    if len(gone) == 1:
        winner = ENEMY[gone[0]]
    else:
        winner = max((second, pos.first()), key=lambda side: pos.levels[side])
    loser = ENEMY[winner]
    pos.end((winner,), Collapsed(loser, pos.levels[loser], winner, rule="13.1"), level="decisive")
    return True
