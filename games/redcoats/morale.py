"""9.2 MORALE: what changes the die of a check, and whether it is passed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import Arm
from pbem.engine.events import Event

CAUSE = "{key:two-sides=enemies on two sides|{key}} {value:+}"
"""What changes the die of a check, in words."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a check is made: what the result or rule adds to the die."""

    plus: int = 0
    """AM1, DM1, M2 …"""
    works: int = 0
    """9.21: what the works between are worth to whoever is behind them."""
    charge: bool = False
    disengage: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A check before the die falls."""

    unit: str
    morale: int
    modifier: int
    leader: str = ""
    reasons: Mapping[str, int] = field(default_factory=dict)

    def passed(self, die: int) -> bool:
        """9.21(2), 9.22: a natural 1 always passes, a natural 10 always fails."""
        return die != 10 and (die == 1 or die + self.modifier <= self.morale)

    def margin(self, die: int) -> int:
        """4.41: by how much it failed, at least 1."""
        return max(1, die + self.modifier - self.morale)


def helper(pos: RedcoatsPosition, unit: str) -> str:
    """11.21, 11.22: the one leader of its hex whose value helps a unit; "" if there is none."""
    piece = pos.units[unit]
    side = pos.book[unit].side
    leaders = pos.leaders(side, piece.hex)
    if piece.helped:
        return piece.helped if piece.helped in leaders else ""
    return max(leaders, key=lambda u: (pos.book[u].value, u), default="")


def check(pos: RedcoatsPosition, unit: str, cause: Cause) -> Check:
    """9.21: the modifiers, in the order of the aid card."""
    counter, place = pos.book[unit], pos.units[unit].hex
    parts: list[tuple[int, str]] = []
    leader = helper(pos, unit)
    if leader:
        parts.append((-pos.book[leader].value, leader))
    if counter.arm in (Arm.INFANTRY, Arm.LIGHT):
        mates = [u for u in pos.here(counter.side, place) if u != unit]
        if any(pos.book[u].is_gun for u in mates):
            parts.append((-pos.aid.morale.gun, "gun"))
        if any(pos.book[u].arm is Arm.DRAGOON and not pos.units[u].disrupted for u in mates):
            parts.append((-pos.aid.morale.dragoons, "dragoons"))
    if cause.works:
        parts.append((-cause.works, "works"))
    if len(pos.covering(counter.side, place)) > 1:
        parts.append((pos.aid.morale.enemies, "two-sides"))
    if cause.charge:
        parts.append((pos.aid.morale.charge, "charge"))
    if cause.disengage:
        parts.append((pos.aid.morale.disengage, "disengagement"))
    if cause.plus:
        parts.append((cause.plus, "result"))
    reasons = {what: by for by, what in parts}
    return Check(unit, pos.morale(unit), sum(by for by, _ in parts), leader, reasons)


class MoraleChecked(Event):
    says = (
        "{unit}: {die}{natural:? (natural)|}{reasons:? {modifier:+} ({reasons:*" + CAUSE + "})|} "
        "against morale {morale}: {passed:?holds|fails}"
    )
    unit: str
    die: int
    natural: bool
    modifier: int
    reasons: dict[str, int]
    morale: int
    passed: bool


def take(pos: RedcoatsPosition, made: Check, die: int, rule: str) -> bool:
    """The die has fallen: say what came of it, and note whose value was used (11.22)."""
    if made.leader:
        pos.mark(made.unit, helped=made.leader)
    passed = made.passed(die)
    natural = die in (1, 10)
    told = MoraleChecked(made.unit, die, natural, made.modifier, dict(made.reasons), made.morale, passed)
    pos.say(told.under(rule))
    return passed
