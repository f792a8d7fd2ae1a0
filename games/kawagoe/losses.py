"""9.5-9.53: losses, how they may be taken, and what happens to a unit that takes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from games.kawagoe.moves import Lose
from games.kawagoe.position import KawagoePosition
from games.kawagoe.victory import sudden_death
from pbem.engine.events import Event
from pbem.engine.options import Family, Refusal, View

MELEE = "乱戦"
DESTROYED = "E"


@dataclass(frozen=True, slots=True)
class Result:
    """9.51: a cell of the table, taken apart."""

    attacker: str = ""
    """A number, "E" for destroyed, or "" for nothing."""
    defender: str = ""
    melee: bool = False


def read_result(cell: str) -> Result:
    """A1/D2, AE, D2, 乱戦 and so on; "-" is no effect."""
    if cell == MELEE:
        return Result("1", "1", melee=True)
    parts = {part[0]: part[1:] for part in cell.split("/") if part[0] in "AD"}
    return Result(parts.get("A", ""), parts.get("D", ""))


class LostSteps(Event):
    says = "{unit} {left:?loses {lost}, {left} left|is destroyed}"
    unit: str
    lost: int
    left: int


def lose_steps(pos: KawagoePosition, unit: str, steps: int, rule: str = "") -> None:
    """9.52: a unit is flipped, replaced or removed; a removal may end the game at once (13.3, 13.4)."""
    before = pos.steps(unit)
    gone = pos.hurt(unit, steps)
    left = 0 if gone else before - steps
    pos.say(LostSteps(unit, before - left, left, rule=rule))
    if gone:
        sudden_death(pos, unit)


class Losses(Family[Lose]):
    """Which of the units that fought lose the steps (9.53)."""

    kind = Lose

    def __init__(self, pos: KawagoePosition, units: tuple[str, ...], number: int) -> None:
        self.steps = {unit: pos.steps(unit) for unit in units}
        self.number = min(number, sum(self.steps.values()))

    def moves(self, view: View) -> Iterator[Lose]:
        for named in combinations_with_replacement(self.steps, self.number):
            if all(count <= self.steps[unit] for unit, count in Counter(named).items()):
                yield Lose(named)

    def why_not(self, move: Lose, view: View) -> Refusal | None:
        for unit, count in Counter(move.units).items():
            if unit not in self.steps:
                return Refusal("9.53", f"{unit} has no part in this loss")
            if count > self.steps[unit]:
                return Refusal("9.52", f"{unit} has only {self.steps[unit]} steps left")
        if len(move.units) != self.number:
            return Refusal("9.5", f"name a unit once for each step that is lost: {self.number} in all")
        return None
