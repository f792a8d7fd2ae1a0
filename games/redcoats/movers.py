"""4.1, 4.31, 4.4, 5.1, 12.3: who may begin to move in a segment, leave his hex, and make a forced march."""

from __future__ import annotations

from dataclasses import dataclass

from games.redcoats import specials
from games.redcoats.paths import FORCED, FORCED_FOOT
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY, Arm
from pbem.engine.options import Refusal
from pbem.engine.procedure import Procedure


@dataclass(slots=True)
class Moving(Procedure):
    """4.0: one segment as it stands: who has moved, has tried, stays behind."""

    seat: str
    moved: tuple[str, ...] = ()
    mover: str = ""
    left: int = 0
    """Half points that the mover may still spend."""
    beside: tuple[str, ...] = ()
    """Units that were beside the enemy when the segment began (4.31)."""
    far: tuple[str, ...] = ()
    """Dragoons that were two hexes or more from every enemy then (12.21)."""
    tried: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()
    """Units that have tried to disengage, and those that may go (4.41)."""
    guards: tuple[str, ...] = ()
    """Rear guards (4.42)."""
    trying: str = ""
    hurried: str = ""
    """The unit whose die is due (4.41, 4.32)."""

    def begins(self, pos: RedcoatsPosition, unit: str) -> Refusal | None:
        """Whether a counter of this side may begin to move now, zones of control apart."""
        piece = pos.units[unit]
        if piece.fresh:
            return Refusal("2.0", f"{unit} has arrived in this turn: that was its move")
        if unit in self.moved and not (unit == self.mover and self.left):
            return Refusal("4.1", f"the move of {unit} is over")
        return specials.stands_still(pos, unit)

    def leaves(self, pos: RedcoatsPosition, unit: str) -> Refusal | None:
        """5.1, 4.4: whether it may leave its hex as far as enemy zones of control go."""
        counter, piece = pos.book[unit], pos.units[unit]
        if counter.is_leader or piece.hex not in pos.zoc(ENEMY[self.seat]) or unit in self.freed:
            return None
        if piece.disrupted:
            reason = f"{unit} is disrupted and in an enemy zone of control: it stays"
            return Refusal("9.1", reason, also=("4.4", "5.1"))
        if unit in self.tried:
            return Refusal("4.41", f"{unit} has failed to disengage", also=("4.4", "5.1"))
        if unit in self.guards:
            return self._guard_leaves(pos, unit)
        if self.covered(pos, unit) or exempt(pos, unit):
            return None
        return _bound(unit)

    def covered(self, pos: RedcoatsPosition, unit: str) -> bool:
        """4.42: whether a rear guard stays behind for it."""
        place = pos.units[unit].hex
        return any(g in pos.units and g != unit and pos.units[g].hex == place for g in self.guards)

    def _guard_leaves(self, pos: RedcoatsPosition, unit: str) -> Refusal | None:
        """4.42-a: the rear guard after the others, by its own check unless it needs none (12.3)."""
        refusal = self.guard_waits(pos, unit)
        if refusal or exempt(pos, unit):
            return refusal
        return _bound(unit)

    def guard_waits(self, pos: RedcoatsPosition, unit: str) -> Refusal | None:
        """4.42-a: what keeps a rear guard where it is."""
        if pos.option("rear_guard") == "stays":
            return Refusal("4.42", f"{unit} is the rear guard and stays")
        if any(u not in self.moved for u in self.mates(pos, unit)):
            return Refusal("4.42", f"{unit} is the rear guard: the others go first")
        return None

    def mates(self, pos: RedcoatsPosition, unit: str) -> tuple[str, ...]:
        """Other combat units in good order in its hex (4.42-b)."""
        place = pos.units[unit].hex
        return tuple(u for u in pos.combat(self.seat, place) if u != unit and not pos.units[u].disrupted)


def _bound(unit: str) -> Refusal:
    """4.4, and so say 4.11 and 5.1."""
    reason = f"{unit} is in an enemy zone of control: it must disengage"
    return Refusal("4.4", reason, also=("4.11", "4.41", "5.1"))


def exempt(pos: RedcoatsPosition, unit: str) -> bool:
    """12.3: dragoons leave all zones but dragoons', light infantry those of ordinary infantry, unchecked."""
    counter = pos.book[unit]
    if counter.arm not in (Arm.DRAGOON, Arm.LIGHT):
        return False
    binding = (Arm.DRAGOON,) if counter.arm is Arm.DRAGOON else (Arm.DRAGOON, Arm.LIGHT)
    enemy = ENEMY[counter.side]
    near = pos.covering(counter.side, pos.units[unit].hex)
    return not any(arm in binding for place in near for arm in pos.arms(enemy, place))


def can_force(pos: RedcoatsPosition, segment: Moving, unit: str) -> Refusal | None:
    """4.31: who may make a forced march."""
    counter = pos.book[unit]
    if counter.is_leader:
        return Refusal("4.31", f"{unit} is a leader: only troops make forced marches")
    if pos.units[unit].ooc:
        return Refusal("11.41", f"{unit} is out of command: no forced march")
    if unit in segment.beside:
        return Refusal("4.31", f"{unit} began beside the enemy: no forced march")
    if specials.hex_limit(pos, unit) is not None:
        return Refusal("BK-17.1", f"{unit} does not hurry before 1100")
    if specials.allowance(pos, unit) >= FORCED.get(counter.arm, FORCED_FOOT):
        return Refusal("4.31", f"{unit} is as fast without a forced march")
    if unit == segment.mover:
        return Refusal("4.31", "a forced march is declared before the first step")
    return None
