"""9.0: what is known of one combat or charge while it lasts; its steps are in combat.py."""

from __future__ import annotations

from dataclasses import dataclass

from games.kawagoe.position import ENEMY, KawagoePosition
from pbem.engine.procedure import Procedure

DEFENDER, ATTACKER = "D", "A"


@dataclass(slots=True)
class Fight(Procedure):
    """`attackers` against everybody in `target`: what is settled so far."""

    seat: str
    """The phasing side is the attacker, whatever the situation (9.12)."""
    attackers: tuple[str, ...]
    target: str
    charge: bool = False
    katta: bool = False
    """5.33: fought under 勝った勝った."""
    defenders: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    """Where each attacker stood when it began."""
    shaken: tuple[str, ...] = ()
    """Defenders that were in disorder when it began (9.76)."""
    siege: str = ""
    """The column of the siege table (9.54)."""
    column: int = 0
    modifier: int = 0
    attack_loss: str = ""
    defence_loss: str = ""
    melee: bool = False
    part: str = DEFENDER
    """Whose losses are being settled."""
    routing: tuple[str, ...] = ()
    """Units that still have to fall back."""
    pushed: tuple[str, ...] = ()
    """Units that this combat has pushed (9.73)."""
    gone: tuple[str, ...] = ()
    """Sides that chose to retreat."""
    fled: tuple[tuple[str, ...], ...] = ()
    """Every retreat with the hex it began in, for the advance (9.81)."""
    advanced: tuple[str, ...] = ()

    def side(self) -> str:
        """Whose part is being settled."""
        return self.seat if self.part == ATTACKER else ENEMY[self.seat]

    def loss(self) -> str:
        """What it suffers."""
        return self.attack_loss if self.part == ATTACKER else self.defence_loss

    def alive(self, pos: KawagoePosition) -> tuple[str, ...]:
        """Those of its units that are left."""
        units = self.attackers if self.part == ATTACKER else self.defenders
        return tuple(u for u in units if u in pos.units)
