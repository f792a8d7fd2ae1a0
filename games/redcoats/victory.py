"""14.0, 18.1 VICTORY: who has won when the last turn is over; collapse is dealt with where it happens."""

from __future__ import annotations

from games.kit.hexes import HexId
from games.redcoats.collapse import gain
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import AMERICAN, BRITISH, ENEMY
from pbem.engine.events import Event


def occupied(pos: RedcoatsPosition, side: str, hexes: tuple[HexId, ...]) -> tuple[HexId, ...]:
    """HH-18.1: hexes with infantry or dragoons of a side, in any state."""
    foot = pos.foot(side)
    return tuple(h for h in hexes if h in foot)


def achieved(pos: RedcoatsPosition) -> bool:
    """18.1: whether the side that must bring something about has done so."""
    goal = pos.setting.victory
    if not goal.hexes:
        return False
    if goal.clear:
        return not any(h in pos.men(ENEMY[goal.side]) for h in goal.hexes)
    held = occupied(pos, goal.side, goal.hexes)
    if goal.town:
        return bool(held) and not any(h in pos.men(ENEMY[goal.side]) for h in goal.hexes)
    return len(held) == len(goal.hexes) if goal.all else bool(held)


class GoalDecided(Event):
    says = "the {side} side {reached:?has reached|has not reached} its goal: the {winner} side wins"
    side: str
    reached: bool
    winner: str


class HexesCounted(Event):
    says = "victory hexes: american {american}, british {british}"
    american: int
    british: int


class HexesDecided(HexesCounted):
    says = "victory hexes: american {american}, british {british}: the {winner} side wins"
    winner: str


class LevelsDecided(Event):
    says = "collapse levels {american:/2} to {british:/2}: the {winner} side wins"
    american: int
    british: int
    winner: str


def by_level(pos: RedcoatsPosition) -> str:
    """14.1: the higher level wins, equal levels the second player."""
    second = ENEMY[pos.first()]
    return max((second, pos.first()), key=lambda side: pos.levels[side])


def decide(pos: RedcoatsPosition) -> None:
    """The battle's own condition first, 14.1 for what it leaves open (14.1-a)."""
    goal = pos.setting.victory
    if goal.side:
        done = achieved(pos)
        winner = goal.side if done else ENEMY[goal.side]
        pos.end((winner,), GoalDecided(goal.side, done, winner, rule=goal.rule))
        return
    counts = {side: len(occupied(pos, side, goal.hexes)) for side in pos.seats}
    if counts[AMERICAN] != counts[BRITISH]:
        winner = max(pos.seats, key=lambda side: counts[side])
        pos.end((winner,), HexesDecided(counts[AMERICAN], counts[BRITISH], winner, rule=goal.rule))
        return
    pos.say(HexesCounted(counts[AMERICAN], counts[BRITISH], rule=goal.rule))
    winner = by_level(pos)
    pos.end((winner,), LevelsDecided(pos.levels[AMERICAN], pos.levels[BRITISH], winner, rule="14.1"))


def foremost(pos: RedcoatsPosition) -> int:
    """HH-17.0-b: the least distance of American infantry or dragoons to a victory hex."""
    goals, land = pos.setting.approach, pos.land
    return min((land.distance(h, goal) for h in pos.foot(AMERICAN) for goal in goals), default=99)


def approach(pos: RedcoatsPosition) -> None:
    """HH-17.0: nearer than at the end of the turn before: one point more."""
    if not pos.setting.approach:
        return
    now = foremost(pos)
    if now < pos.nearest:
        gain(pos, AMERICAN, 2, "HH-17.0", "approach")
    pos.nearest = now
