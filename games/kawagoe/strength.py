"""9.2-9.4: strengths, odds, column shifts and die modifiers of one combat. Pure functions of the position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.kawagoe import siege
from games.kawagoe.book import KATTA
from games.kawagoe.command import commanded, halved
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI
from games.kit.hexes import HexId
from games.kit.odds import odds

REASONS = (
    "{value:river=across a river|stream=across a stream|marsh=into marsh|woods=into woods"
    "|siege-honjo=siege, down from 実城|honjo=down from 実城|siege}"
)
"""What changes the column or the die, in words."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the table is entered with."""

    attack: int
    defence: int
    odds: str
    """9.2(3): the simple ratio before the table's ends and any shift."""
    first: int
    """The column before shifts (9.41)."""
    shift: int
    modifier: int
    column: int
    siege: str
    reasons: tuple[str, ...]


def in_attack(pos: KawagoePosition, unit: str, printed: int, target: HexId, katta: bool) -> int:
    """What an attacker counts: halved out of command (10.3), doubled by 勝った勝った (5.33)."""
    if pos.side(unit) == ANTI:
        return printed if commanded(pos, unit) else halved(printed)
    if katta and unit in KATTA:
        place, field = pos.units[unit].hex, pos.pack.map
        outward = place in field.gate_hexes and field.bailey[target] is None
        if field.bailey[place] is None or outward:
            return 2 * printed
    return printed


def in_defence(pos: KawagoePosition, unit: str, printed: int) -> int:
    """What a defender counts; disorder does not weaken it (6.41-a)."""
    if pos.side(unit) == ANTI and not commanded(pos, unit):
        return halved(printed)
    return printed


@dataclass(frozen=True, slots=True)
class Counted:
    """One unit's share of a strength: what its counter shows, what counts, and by which rule."""

    unit: str
    printed: int
    counts: int

    @property
    def rule(self) -> str:
        """5.33 doubles, 10.3 halves; "" where the counter is taken as it is."""
        return "5.33" if self.counts > self.printed else "10.3" if self.counts < self.printed else ""

    @property
    def doubled(self) -> bool:
        """By 勝った勝った."""
        return self.counts > self.printed


def attacking(pos: KawagoePosition, units: Sequence[str], target: HexId, katta: bool) -> tuple[Counted, ...]:
    """9.2(1): what each attacker counts."""
    shown = [(unit, pos.strength(unit)) for unit in units]
    return tuple(Counted(u, printed, in_attack(pos, u, printed, target, katta)) for u, printed in shown)


def defending(pos: KawagoePosition, units: Sequence[str]) -> tuple[Counted, ...]:
    """9.2(1): what each defender counts."""
    shown = [(unit, pos.strength(unit)) for unit in units]
    return tuple(Counted(u, printed, in_defence(pos, u, printed)) for u, printed in shown)


def terrain(pos: KawagoePosition, origins: Sequence[HexId], target: HexId) -> tuple[int, int, list[str]]:
    """9.4: column shift, die modifier and why; the siege row is added by `weigh`."""
    field = pos.pack.map
    waters = [field.crossing[h][target] for h in origins]
    ground = field.terrain[target]
    shift, modifier, reasons = 0, 0, []
    if all(w == "river" for w in waters):
        shift -= 1
        reasons.append("river")
    elif all(waters):  # all over water, some of them over a stream: the stream alone counts (9.42)
        modifier += 1
        reasons.append("stream")
    if ground == "marsh":
        shift -= 1
        reasons.append("marsh")
    if ground == "woods":
        modifier += 1
        reasons.append("woods")
    return shift, modifier, reasons


def weigh(
    pos: KawagoePosition, attack: int, defence: int, origins: Sequence[HexId], target: HexId
) -> Weighed:
    """9.2(2)-(4): odds round for the defender, at most the outermost column (9.41), shifts add up (9.42)."""
    table = pos.pack.crt
    shift, modifier, reasons = terrain(pos, origins, target)
    column = siege.column(pos.pack.map, origins, target)
    walls = siege.shift(pos, column, origins, target)
    if siege.walls_help(pos, column):
        reasons.append({-1: "siege", 0: "siege-honjo", 1: "honjo"}[walls])
    first = table.column(attack, defence) if attack > 0 else 0
    return Weighed(
        attack=attack,
        defence=defence,
        odds=odds(attack, defence),
        first=first,
        shift=shift + walls,
        modifier=modifier,
        column=table.shift(first, shift + walls),
        siege=column,
        reasons=tuple(reasons),
    )


def row(modifier: int, die: int) -> int:
    """9.43: modifiers add up, and more than 6 is 6."""
    return min(die + modifier, 6)
