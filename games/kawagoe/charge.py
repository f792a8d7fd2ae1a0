"""6.3 CHARGE: who may charge where, and at what price. How it is fought is 9.0 (combat.py)."""

from __future__ import annotations

from collections.abc import Iterator

from games.kawagoe.marching import Group, Marching
from games.kawagoe.moves import Charge
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.refusals import no_hex
from games.kit.hexes import HexId
from pbem.engine.options import Family, Refusal, View

EXTRA = 3
"""6.32: points on top of those for the move into the hex."""


def entered(pos: KawagoePosition, units: tuple[str, ...], target: HexId) -> bool:
    """6.33: whether a charge has succeeded: the chargers stand in the hex that they charged."""
    return all(unit in pos.units and pos.units[unit].hex == target for unit in units)


def barred(pos: KawagoePosition, start: HexId, target: HexId) -> Refusal | None:
    """6.3(2), 9.54: whether terrain and castle let somebody charge from one hex into the next."""
    field = pos.pack.map
    if field.charge[start][target]:
        return None
    if field.bailey[start] != field.bailey[target]:
        if field.bailey[target] and field.bailey[start]:
            return Refusal("9.54", "nobody charges from bailey to bailey")
        if field.bailey[target]:
            return Refusal("9.54", "nobody charges into the castle from outside")
        if not field.gate[start][target]:
            return Refusal("9.54", "out of the castle a charge goes through a gate only")
    if field.crossing[start][target] == "river":
        return Refusal("6.3", f"there is a river between {start} and {target}")
    if field.terrain[target] == "marsh":
        return Refusal("6.3", f"{target} is marsh and no road leads there from {start}")
    return Refusal("6.32", f"nobody can move from {start} to {target}")


class Charges(Family[Charge]):
    """Every unit and stack with every adjacent enemy that it can afford to charge."""

    kind = Charge

    def __init__(self, pos: KawagoePosition, phase: Marching) -> None:
        self.pos, self.phase = pos, phase

    def _targets(self, units: Group) -> Iterator[HexId]:
        pos = self.pos
        start = pos.units[units[0]].hex
        foes, may, cost = pos.held(ANTI), pos.pack.map.charge[start], pos.pack.map.cost[start]
        near = [n for n in pos.pack.map.neighbours[start] if n in foes and may[n]]
        if near:
            left = self.phase.points(pos, units)
            yield from (n for n in near if cost[n] + EXTRA <= left)

    def moves(self, view: View) -> Iterator[Charge]:
        if self.phase.seat != HOJO:
            return
        if self.phase.mover:
            yield from (Charge(self.phase.mover, n) for n in self._targets(self.phase.mover))
        for units in self.phase.groups(self.pos):
            yield from (Charge(units, n) for n in self._targets(units))

    def why_not(self, move: Charge, view: View) -> Refusal | None:
        pos, target = self.pos, move.hex
        if self.phase.seat != HOJO:
            return Refusal("6.3", "only the Hojo charge")
        if len(move.units) < len(self.phase.mover) and set(move.units) <= set(self.phase.mover):
            return Refusal("9.16", "a stack that moves together charges together")
        refusal = no_hex(pos, target) or self.phase.why_not_group(pos, move.units, "6.31")
        if refusal:
            return refusal
        units = tuple(sorted(move.units))
        start = pos.units[units[0]].hex
        if target not in pos.pack.map.neighbours[start]:
            return Refusal("6.31", f"{target} is not adjacent to {start}")
        if target not in pos.held(ANTI):
            return Refusal("6.32", f"there is no enemy in {target}")
        refusal = barred(pos, start, target)
        if refusal:
            return refusal
        price, left = pos.pack.map.cost[start][target] + EXTRA, self.phase.points(pos, units)
        if price > left:
            return Refusal("6.32", f"the charge costs {price} points and {left} are left")
        return None
