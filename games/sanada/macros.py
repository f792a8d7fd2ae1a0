"""Short orders: one line that stands for several moves.

`move X to H` where another Force is acting, or nobody, first halts that one and lets X act (or check);
`attack H from A B`, `restore a b c`, `enter a+b@H`, `mobilize a+b@H` and `regroup a+b c+d` are taken apart.
"""

from __future__ import annotations

from games.sanada.forces import read_force
from games.sanada.march import Kind, MovingPhase
from games.sanada.names import names
from games.sanada.position import SanadaPosition
from games.sanada.terms import INSIDE, OSAKA_CASTLE
from pbem.engine.notation import words

LAST = ("overrun", "engage")
"""Orders that name the Force at the end."""
FIRST = ("move", "garrison", "leave", "fort")
"""Orders that name it first."""


def rewrite(text: str, pos: SanadaPosition) -> list[str] | None:
    """The lines that a line stands for, or None if it is no short order."""
    line = [word.text for word in words(text)]
    if not line or not pos.stack:
        return None
    match line[0]:
        case "attack" if len(line) > 4 and line[2] == "from":
            return [f"attack {line[1]} from {place}" for place in line[3:]]
        case "restore" if len(line) > 2:
            return [f"restore {unit}" for unit in line[1:]]
        case "enter" | "mobilize" if len(line) == 2:
            return _arrive(line[0], line[1], pos)
    phase = pos.stack[-1]
    return _acting(text, line, pos, phase) if isinstance(phase, MovingPhase) else None


def _arrive(verb: str, word: str, pos: SanadaPosition) -> list[str] | None:
    force = read_force(word, names(pos.data))
    default = pos.stronghold(OSAKA_CASTLE).hex if verb == "mobilize" and OSAKA_CASTLE in pos.castles else ""
    where = (force.hex or default) + (INSIDE if force.inside else "")
    link = "to" if verb == "mobilize" else "at"
    lines = [f"{verb} {unit} {link} {where}" for unit in force.units]
    return lines + [f"join {unit} to {force.units[0]}" for unit in force.units[1:]]


def _acting(text: str, line: list[str], pos: SanadaPosition, phase: MovingPhase) -> list[str] | None:
    known = names(pos.data)
    if phase.at == "deed" and line[0] in ("act", "check", "done"):
        return [f"halt {phase.actor}", text]
    if line[0] == "regroup":
        return _regroup(line[1:], pos, phase)
    if line[0] in FIRST and len(line) > 1:
        force = known.get(line[1], line[1])
    elif line[0] in LAST and len(line) > 3:
        force = known.get(line[3], line[3])
    else:
        return None
    if force not in pos.units or force == phase.actor:
        return None
    begin = f"{'act' if phase.kind is Kind.MOVEMENT else 'check'} {force}"
    return [f"halt {phase.actor}", begin, text] if phase.at == "deed" else [begin, text]


def _regroup(forces: list[str], pos: SanadaPosition, phase: MovingPhase) -> list[str] | None:
    """Everybody is taken out of the old Forces, the least first, and put into the new ones."""
    wanted = [read_force(word, names(pos.data)).units for word in forces]
    named = [unit for units in wanted for unit in units if unit in pos.units]
    if not named:
        return None
    under = {unit: units[0] for units in wanted for unit in units[1:]}
    lines = []
    if phase.at != "deed":
        lines.append(f"{'act' if phase.kind is Kind.MOVEMENT else 'check'} {wanted[0][0]}")
    rising = sorted(named, key=lambda u: pos.unit(u).track)
    lines += [f"detach {u}" for u in rising if pos.units[u].under and pos.units[u].under != under.get(u)]
    falling = sorted(under, key=lambda u: -pos.unit(u).track if u in pos.data.units else 0)
    lines += [f"join {u} to {under[u]}" for u in falling if u in pos.units and pos.units[u].under != under[u]]
    return lines
