"""6.1: who may move in a movement phase, alone or as a stack, and with how many points.

The unit or stack under way (`mover`) may go on with the points it has left until another one begins (6.14).
A unit that has not begun stands where it stood when the phase began, so two of them in a hex are a stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.kawagoe.book import KATTA
from games.kawagoe.command import commanded, halved
from games.kawagoe.phase import Phase
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import HOJO
from games.kawagoe.refusals import absent
from pbem.engine.options import Refusal

Group = tuple[str, ...]


@dataclass(slots=True)
class Marching(Phase):
    """A movement phase as far as it has gone: the move under way and those that are over."""

    moved: tuple[str, ...] = ()
    """Units that have begun their move."""
    mover: tuple[str, ...] = ()
    """The unit or stack whose move is under way."""
    left: int = 0
    """Its movement points."""
    target: str = ""
    """The hex that it is charging."""
    lost: int = 0
    """Steps it had lost when the charge began."""
    failed: tuple[str, ...] = ()
    """Units whose move has ended in a charge that failed (6.32b)."""

    def allowance(self, pos: KawagoePosition, units: Group) -> int:
        """6.12: the points of a unit, or of the slowest of a stack, at its own start."""
        return min(self.own_points(pos, unit) for unit in units)

    def points(self, pos: KawagoePosition, units: Group) -> int:
        """What is left to the group under way, or what another one would begin with."""
        return self.left if units == self.mover else self.allowance(pos, units)

    def own_points(self, pos: KawagoePosition, unit: str) -> int:
        """The points of one unit: doubled by 勝った勝った, halved out of command."""
        points = pos.movement(unit)
        if self.seat == HOJO:
            return 2 * points if unit in KATTA and self.katta(pos) else points  # 5.32
        if self.general and pos.option("general_chit_movement") == "full":  # 5.52-b
            return points
        return points if commanded(pos, unit) else halved(points)  # 10.3

    def groups(self, pos: KawagoePosition) -> Iterator[Group]:
        """Who may begin to move: each unit alone, and each stack."""
        for unit in self.roll(pos):
            if unit not in pos.units or unit in self.moved or pos.units[unit].disordered:
                continue
            yield (unit,)
            if self.seat == HOJO:
                mates = pos.held(HOJO)[pos.units[unit].hex]
                if len(mates) == 2 and mates[0] == unit and mates[1] not in self.moved:
                    yield mates

    def why_not_group(self, pos: KawagoePosition, units: Group, together: str = "6.14") -> Refusal | None:
        """Whether these may move now, as one; `together` is the rule on who may act as a stack."""
        if not units:
            return Refusal("6.11", "no unit is named")
        if len(set(units)) != len(units):
            return Refusal("6.14", "a unit is named twice")
        for unit in units:
            if unit not in pos.units:
                return absent(pos, unit, "6.11")
            refusal = self.may_act(pos, unit, "5.52")
            if refusal:
                return refusal
            if unit in self.failed:
                return Refusal("6.32b", f"the charge of {unit} has failed: its move is over")
        if tuple(sorted(units)) == self.mover:
            return None
        if len({pos.units[unit].hex for unit in units}) > 1:
            return Refusal("6.3" if together == "6.31" else "6.14", f"{names(units)} are not in one hex")
        if len(units) > 1 and any(unit in self.moved for unit in units):
            return Refusal(together, f"{names(units)} were not together when the phase began, or went apart")
        for unit in units:
            if unit in self.mover:
                return Refusal("6.14", f"{unit} moves with its stack and cannot leave it")
            if unit in self.moved:
                return Refusal("6.14", f"the move of {unit} is over")
        return None


def names(units: Group) -> str:
    """A unit or stack in a sentence."""
    return " and ".join(units)
