"""7.1, 8.1 before the die: what the tables say of an assault or a bombardment, with all chances."""

from __future__ import annotations

from collections import Counter

from games.redcoats.bombardment import aim
from games.redcoats.morale import CAUSE, Cause, check
from games.redcoats.moves import Assault, Disengage, Fire, Resolve
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from games.redcoats.strength import REASON, weigh, works
from pbem.engine.notation import Move
from pbem.engine.wording import fill


def forecast(pos: RedcoatsPosition, move: Move) -> str | None:
    """Column, shifts, modifiers and chances, or None if the move is no attack."""
    match move:
        case Assault():
            return _assault(pos, move.targets, move.origins)
        case Resolve():
            return _declared(pos, move.hex)
        case Fire():
            return _fire(pos, move)
        case Disengage():
            return _disengage(pos, move.unit)
    return None


def _percent(count: int) -> str:
    return f"{10 * count} %"


def _declared(pos: RedcoatsPosition, target: str) -> str | None:
    segment = next((f for f in pos.stack if type(f).__name__ == "Assaults"), None)
    if segment is None:
        return None
    for targets, origins in zip(segment.targets, segment.origins, strict=True):  # type: ignore[attr-defined]
        if targets[0] == target:
            return _assault(pos, targets, origins)
    return None


def _assault(pos: RedcoatsPosition, targets: tuple[str, ...], origins: tuple[str, ...]) -> str | None:
    seat = next((s for s in ENEMY if any(h in pos.foot(s) for h in origins)), None)
    if seat is None or not all(h in pos.foot(seat) for h in origins):
        return None
    if not targets or not all(h in pos.men(ENEMY[seat]) for h in targets):
        return None
    attackers = tuple(u for h in origins for u in pos.infantry(seat, h))
    defenders = tuple(u for h in targets for u in pos.combat(ENEMY[seat], h))
    found = weigh(pos, seat, targets, origins, attackers, defenders)
    columns = pos.aid.odds.columns
    counted = Counter(pos.aid.odds.result(found.column, die + found.modifier) for die in range(1, 11))
    lines = [
        f"{', '.join(attackers)} ({found.attack}) against {', '.join(defenders)} ({found.defence})",
        f"{columns[found.first]}, shift {found.shift:+d}: {columns[found.column]}, die {found.modifier:+d}",
    ]
    if found.leaders:
        lines.append(fill("on the die: {leaders:*{key} leader {value:+}}", pos, leaders=found.leaders))
    if found.reasons:
        lines.append(fill("because of {reasons:*" + REASON + "}", pos, reasons=found.reasons))
    lines.append("result: " + ", ".join(f"{cell} {_percent(counted[cell])}" for cell in counted))
    for unit in defenders:
        cover = works(pos, pos.units[unit].hex, origins)
        made = check(pos, unit, Cause(works=cover, charge=found.charge))
        passes = sum(made.passed(die) for die in range(1, 11))
        lines.append(f"{unit} holds a plain check {_percent(passes)}")
    return "\n".join(lines)


def _fire(pos: RedcoatsPosition, move: Fire) -> str | None:
    if not move.guns or any(g not in pos.units or not pos.book[g].is_gun for g in move.guns):
        return None
    seat = pos.book[move.guns[0]].side
    units = pos.combat(ENEMY[seat], move.hex)
    if not units:
        return None
    found = aim(pos, move.guns, move.hex)
    head = f"strength {found.strength}{' (doubled)' if found.doubled else ''}, shift {-found.shift:+d}"
    if found.column is None:
        return f"{head}: no effect"
    counted = Counter(pos.aid.fire[die][found.column] for die in range(1, 11))
    cells = ", ".join(f"{cell} {_percent(n)}" for cell, n in counted.items())
    lines = [f"{head}: column {found.column + 1}", f"each of {', '.join(units)}: {cells}"]
    for unit in units:
        made = check(pos, unit, Cause(works=found.works))
        lines.append(f"{unit} holds a plain check {_percent(sum(made.passed(die) for die in range(1, 11)))}")
    return "\n".join(lines)


def _disengage(pos: RedcoatsPosition, unit: str) -> str | None:
    if unit not in pos.units or pos.book[unit].is_leader:
        return None
    made = check(pos, unit, Cause(disengage=True))
    free = sum(made.passed(die) for die in range(1, 11))
    stays = sum(not made.passed(die) and made.margin(die) < 4 for die in range(1, 11))
    why = fill(" ({reasons:*" + CAUSE + "})", pos, reasons=made.reasons)
    chances = f"leaves {_percent(free)}, stays {_percent(stays)}, breaks {_percent(10 - free - stays)}"
    return f"{unit}, morale {made.morale}{why}: {chances}"
