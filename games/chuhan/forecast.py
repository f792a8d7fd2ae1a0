"""What the dice promise before an attack: chances of each number of hits, exactly counted.

Used for `pbem odds` and by the bot. A side's dice are independent, so hits follow a sum of single chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.chuhan.board import generals_in, legions_in
from games.chuhan.camps import others_in
from games.chuhan.moves import EventFight, EventMove, FightOn, MoveGroup
from games.chuhan.position import ChuhanPosition
from games.chuhan.reach import Group
from games.chuhan.strength import Party, counter_bonus, losses, throws
from games.chuhan.terms import AreaId, ForceId
from games.chuhan.words import acting, read_group
from pbem.engine.notation import Move


@cache
def hit_chances(values: tuple[int, ...]) -> tuple[float, ...]:
    """The chance of 0, 1, 2 ... hits with dice that hit on these values or less."""
    chances = [1.0]
    for value in values:
        hit = value / 6
        grown = [0.0] * (len(chances) + 1)
        for number, chance in enumerate(chances):
            grown[number] += chance * (1 - hit)
            grown[number + 1] += chance * hit
        chances = grown
    return tuple(chances)


def defenders(pos: ChuhanPosition, area: AreaId, force: ForceId) -> Party:
    """7-2-3: all units of a force in an area."""
    stack = legions_in(pos, area, force)
    return Party(force, generals_in(pos, area, force), stack.ready, stack.acted)


def values(pos: ChuhanPosition, party: Party, *, attacking: bool, bonus: int = 0) -> tuple[int, ...]:
    """The values of a party's dice, sorted."""
    thrown = throws(pos.pack, party, attacking=attacking, bonus=bonus)
    return tuple(sorted(t.target for t in thrown))


def forecast(pos: ChuhanPosition, move: Move) -> str | None:
    """The odds of a move or battle against each force that may be its target; None if nobody is there."""
    if not isinstance(move, (MoveGroup, FightOn, EventMove, EventFight)):
        return None
    side = acting(pos)
    start = move.start if isinstance(move, (MoveGroup, EventMove)) else move.area
    group = read_group(pos, side, move.units, start)
    if not isinstance(group, Group) or move.area not in pos.pack.areas:
        return None
    lines = []
    for force in others_in(pos, move.area, side):
        lines += _against(pos, group, move.area, force)
    return "\n".join(lines) or None


def _against(pos: ChuhanPosition, group: Group, area: AreaId, force: ForceId) -> list[str]:
    attackers = Party(group.force, group.generals, ready=group.legions)
    party = defenders(pos, area, force)
    dice = values(pos, attackers, attacking=True)
    legions = party.ready + party.acted
    chances = hit_chances(dice)
    generals = sum(chance for hits, chance in enumerate(chances) if losses(party, hits).generals)
    name = pos.pack.forces[force].english
    counter = values(pos, party, attacking=False, bonus=counter_bonus(pos.pack, attackers))
    return [
        f"against {name} ({len(party.generals)} generals, {legions} legions):",
        f"  attack {_dice(dice)}: {_mean(chances):.1f} hits on average, {_spread(chances)}",
        f"  all legions lost: {_chance_of(chances, legions)}; a general hit: {generals:.0%}",
        f"  counter-attack at full strength {_dice(counter)}: {_mean(hit_chances(counter)):.1f} hits",
    ]


def _dice(dice: Sequence[int]) -> str:
    if not dice:
        return "without a general: no dice"
    counts = {value: dice.count(value) for value in sorted(set(dice), reverse=True)}
    return ", ".join(f"{count} dice hit on {value} or less" for value, count in counts.items())


def _mean(chances: Sequence[float]) -> float:
    return sum(number * chance for number, chance in enumerate(chances))


def _spread(chances: Sequence[float]) -> str:
    return " ".join(f"{number}:{chance:.0%}" for number, chance in enumerate(chances) if chance >= 0.005)


def _chance_of(chances: Sequence[float], least: int) -> str:
    return f"{sum(chances[least:]):.0%}"
