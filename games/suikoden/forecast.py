"""Before it is done: chances of an attack, and the routine answers that a standing order `auto` plays."""

from __future__ import annotations

from typing import Any

from games.suikoden.moves import Done, Extra, Pass
from games.suikoden.moves_battle import Plunder, Shoot, Sortie
from games.suikoden.moves_table import Capture, Lead, PassBattle
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import CardId, Mode, Stat, State
from games.suikoden.values import archery, opponent, stat, strength
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Options


def dice_chance(mine: int, theirs: int) -> tuple[int, int]:
    """M24: in how many of 36 throws the attacker wins, and draws."""
    pairs = [(mine + a, theirs + b) for a in range(1, 7) for b in range(1, 7)]
    return sum(a > b for a, b in pairs), sum(a == b for a, b in pairs)


def _percent(part: int, whole: int) -> str:
    return f"{round(100 * part / whole)} %"


def odds(pos: SuikodenPosition, move: Move) -> str | None:
    """What is known beforehand of an attack."""
    match move:
        case Sortie(people):
            return _sortie(pos, people)
        case Lead(seat):
            return _lead(pos, seat)
        case Shoot(person, target):
            return _shot(pos, person, target)
    return None


def _sortie(pos: SuikodenPosition, people: tuple[CardId, ...]) -> str:
    """Each attacker against everybody who could defend, outside and in a siege."""
    foe = pos.foe(pos.active)
    others = pos.on_field(foe, State.READY)
    if not others:
        return f"{foe} has nobody ready: the land would be given up (D29)"
    land = pos.data.lands.get(pos.current_land(foe))
    wall = land.wall if land is not None else 0
    lines = []
    for card in people:
        mine = stat(pos, card, Stat.ATTACK)
        outside = [stat(pos, other, Stat.ATTACK) for other in others]
        inside = [stat(pos, other, Stat.DEFENCE) + wall for other in others]
        said = []
        for word, values in (("迎撃", outside), ("籠城", inside)):
            won, drawn = sum(mine > v for v in values), sum(mine == v for v in values)
            said.append(f"{word}: beats {won}, draws with {drawn} of {len(values)}")
        lines.append(f"{pos.call(card)} 攻{mine}; " + "; ".join(said))
    return "\n".join(lines)


def _lead(pos: SuikodenPosition, seat: str) -> str:
    leader = pos.person(pos.sides[pos.active].leader)
    lines = []
    for word, mine, which in (("武", leader.attack, "防"), ("智", leader.wit, "智")):
        said = []
        for theirs in range(1, 8):
            won, drawn = dice_chance(mine, theirs)
            said.append(f"{which}{theirs} {_percent(won, 36)} ({_percent(drawn, 36)} drawn)")
        lines.append(f"{leader.name} {word}{mine} against " + ", ".join(said))
    return "\n".join(lines)


def _shot(pos: SuikodenPosition, person: CardId, target: CardId) -> str | None:
    other = opponent(pos, target)
    if other is None or target not in pos.field or other not in pos.field:
        return None
    before = strength(pos, target)
    return f"{pos.call(target)} {before} - {archery(pos, person)} against {strength(pos, other)}"


def advice(pos: SuikodenPosition, options: Options) -> Move | None:
    """Routine answers, from what everybody sees; None where it takes a person."""
    match options.kind:
        case "window":
            return Pass()
        case "support":
            return PassBattle()
        case "capture":
            return Capture()
        case "supply":
            long = pos.mode is Mode.SHARED or pos.deck_size(options.seat) > 8
            return Extra() if long else Done()
        case "income":
            return Done()
        case "return":
            return _best_back(pos, options)
        case "plunder":
            found = list(options.list(PUBLIC))
            return Plunder("trophy") if Plunder("trophy") in found else Plunder("hand")
    return None


def _best_back(pos: SuikodenPosition, options: Options) -> Move | None:
    """The wanderer with the highest values, the lower card number if equal."""

    def value(move: Any) -> tuple[int, int]:
        if isinstance(move, Done):
            return (-1, 0)
        person = pos.person(move.person)
        return (person.attack + person.defence + person.wit, -person.number)

    return max(options.list(PUBLIC), key=value, default=None)
