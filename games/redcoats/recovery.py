"""9.3 RECOVERY: every disrupted unit of the phasing side tries to recover, whether it likes to or not."""

from __future__ import annotations

from dataclasses import dataclass

from games.redcoats.collapse import collapse
from games.redcoats.morale import helper
from games.redcoats.position import RedcoatsPosition
from games.redcoats.rout import Rout
from pbem.engine.events import Event
from pbem.engine.procedure import Dice, Perform, Procedure, rolls, rule

BESIDE = 2
"""9.3(2): subtracted beside the enemy."""


def bonus(pos: RedcoatsPosition, unit: str) -> tuple[int, str]:
    """9.3, 11.21: morale of the disrupted side, one leader's value, and the enemy beside it."""
    counter, leader = pos.book[unit], helper(pos, unit)
    total = counter.back_morale + (pos.book[leader].value if leader else 0)
    return total - BESIDE * pos.adjacent(counter.side, pos.units[unit].hex), leader


class RecoveryTried(Event):
    says = (
        "{unit}: {die} {plus:+} ({reasons:*{key:beside=enemies beside|{key}} {value:+}}) = {total} "
        "against {needed}: {recovered:?recovers|stays disrupted}"
    )
    unit: str
    die: int
    plus: int
    reasons: dict[str, int]
    total: int
    needed: int
    recovered: bool


@dataclass(slots=True)
class Recovery(Procedure):
    """9.3 RECOVERY SEGMENT."""

    seat: str
    running: tuple[str, ...] = ()

    def shaken(self, pos: RedcoatsPosition) -> tuple[str, ...]:
        """Disrupted combat units of the side, guns included (9.3-b)."""
        return tuple(u for u, p in pos.units.items() if p.disrupted and pos.book[u].side == self.seat)

    def dice(self, pos: RedcoatsPosition) -> Dice | None:
        count = len(self.shaken(pos))
        return Dice(count, 10) if count else None

    @rolls("9.3", dice)
    def recover(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> None:
        """Ten or more together: in good order again; a natural 1 or 10 means nothing here."""
        for unit, die in zip(self.shaken(pos), dice, strict=True):
            plus, leader = bonus(pos, unit)
            total = die + plus
            back = total >= pos.aid.recovers
            reasons = {"morale": pos.book[unit].back_morale}
            reasons |= {leader: pos.book[leader].value} if leader else {}
            beside = pos.adjacent(pos.book[unit].side, pos.units[unit].hex)
            reasons |= {"beside": -BESIDE * beside} if beside else {}
            pos.say(RecoveryTried(unit, die, plus, reasons, total, pos.aid.recovers, back))
            if leader:
                pos.mark(unit, helped=leader)
            if back:
                pos.mark(unit, disrupted=False)
            elif self._runs(pos, unit, total):
                self.running = (*self.running, unit)

    def _runs(self, pos: RedcoatsPosition, unit: str, total: int) -> bool:
        agreed = pos.option("recovery_rout") == "yes"
        return agreed and total <= pos.aid.routs and not pos.book[unit].is_gun

    @rule("9.3")
    def run(self, pos: RedcoatsPosition) -> Perform | None:
        """As agreed: who does very badly runs."""
        if not self.running:
            return None
        engaged = tuple(
            dict.fromkeys(h for u in self.running for h in pos.covering(self.seat, pos.units[u].hex))
        )
        steps = tuple(pos.book[u].ma for u in self.running)
        return Perform(Rout(self.seat, self.running, steps, (True,) * len(steps), engaged))

    @rule("13.1")
    def settle(self, pos: RedcoatsPosition) -> None:
        """Runners may leave the field."""
        collapse(pos)
