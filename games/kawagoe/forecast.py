"""9.2-9.4 before the die: what the table says of an attack or a charge, with the chance of each result.

Unknown units are averaged over everything that their house has left, exactly as they would be drawn (11.2).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from games.kawagoe import siege
from games.kawagoe.moves import Attack, Charge
from games.kawagoe.phase import Phase
from games.kawagoe.position import ENEMY, KawagoePosition
from games.kawagoe.strength import REASONS, in_attack, in_defence, row, weigh
from games.kawagoe.unknown import pool_left
from games.kit.hexes import HexId
from pbem.engine.notation import Move
from pbem.engine.wording import fill

Chances = dict[tuple[int, int], Fraction]
"""How likely each pair of attack and defence strength is."""


def forecast(pos: KawagoePosition, move: Move) -> str | None:
    """Column, shifts, modifiers and chances, or None if the move is no attack."""
    if not isinstance(move, Attack | Charge) or any(u not in pos.units for u in move.units) or not move.units:
        return None
    side = pos.side(move.units[0])
    defenders = pos.held(ENEMY[side]).get(move.hex, ())
    if not defenders or any(move.hex not in pos.pack.map.neighbours[pos.units[u].hex] for u in move.units):
        return None
    katta = any(isinstance(frame, Phase) and frame.katta(pos) for frame in pos.stack)
    origins = tuple(dict.fromkeys(pos.units[u].hex for u in move.units))
    table = pos.pack.crt
    columns: dict[str, Fraction] = {}
    results: dict[str, Fraction] = {}
    found = None
    for (attack, defence), chance in _strengths(pos, move, defenders, katta).items():
        found = weigh(pos, attack, defence, origins, move.hex)
        name = table.columns[found.column]
        columns[name] = columns.get(name, Fraction(0)) + chance
        for die in range(1, 7):
            cell = siege.soften(pos, found.siege, table.result(found.column, row(found.modifier, die)))
            results[cell] = results.get(cell, Fraction(0)) + chance / 6
    assert found is not None
    rank = {cell: n for n, cell in enumerate((*results, *pos.pack.ladder))}
    lines = [f"{', '.join(move.units)} against {', '.join(defenders)} in {move.hex}"]
    lines.append(
        f"shift {found.shift:+d}, die +{found.modifier}"
        + fill("{reasons:? ({reasons:*" + REASONS + "})|}", pos, reasons=found.reasons)
    )
    lines.append("column: " + ", ".join(f"{c} {_percent(columns[c])}" for c in table.columns if c in columns))
    lines.append(
        "result: " + ", ".join(f"{r} {_percent(results[r])}" for r in sorted(results, key=rank.__getitem__))
    )
    return "\n".join(lines)


def _percent(chance: Fraction) -> str:
    return f"{round(100 * chance)} %"


def _strengths(
    pos: KawagoePosition, move: Attack | Charge, defenders: tuple[str, ...], katta: bool
) -> Chances:
    """Every pair of totals with its chance, unknown units drawn one after another from their house's pool."""
    pools = {}
    for unit in (*defenders, *move.units):
        if pos.unknown(unit):
            group = pos.book[unit].group
            kinds = pos.book.identities[group]
            pools[group] = Counter(kinds[i].strength for i in pool_left(pos, group))
    found: Chances = {}
    _draw(pos, (*defenders, *move.units), move.hex, katta, pools, 0, 0, Fraction(1), found)
    return found


def _draw(
    pos: KawagoePosition,
    units: tuple[str, ...],
    target: HexId,
    katta: bool,
    pools: dict[str, Counter[int]],
    attack: int,
    defence: int,
    chance: Fraction,
    found: Chances,
) -> None:
    if not units:
        found[attack, defence] = found.get((attack, defence), Fraction(0)) + chance
        return
    unit, rest = units[0], units[1:]
    group = pos.book[unit].group
    choices: list[tuple[int, Fraction]] = []
    if pos.unknown(unit):
        total = sum(pools[group].values())
        choices = [(s, Fraction(n, total)) for s, n in sorted(pools[group].items()) if n]
    else:
        choices = [(pos.strength(unit), Fraction(1))]
    defends = pos.units[unit].hex == target
    for printed, likely in choices:
        value = in_defence(pos, unit, printed) if defends else in_attack(pos, unit, printed, target, katta)
        if pos.unknown(unit):
            pools[group][printed] -= 1
        _draw(
            pos,
            rest,
            target,
            katta,
            pools,
            attack + (0 if defends else value),
            defence + (value if defends else 0),
            chance * likely,
            found,
        )
        if pos.unknown(unit):
            pools[group][printed] += 1
