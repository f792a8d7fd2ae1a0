"""3.0 DICE and 4.0 CUPS: what falls is fixed before anybody can know it."""

from __future__ import annotations

from dataclasses import dataclass

from games.table import events
from games.table.dice import Wish, read
from games.table.position import CupNow, TablePosition
from pbem.engine.procedure import Dice, Procedure, draws, rolls


@dataclass(slots=True)
class Rolling(Procedure):
    """3.0 DICE: all throws of one order fall together."""

    seat: str
    what: str

    def wishes(self, pos: TablePosition) -> tuple[Wish, ...]:
        found = read(pos.box, self.what)
        assert not isinstance(found, str), found
        return found

    def dice(self, pos: TablePosition) -> tuple[Dice, ...]:
        return tuple(Dice(wish.throw.count, wish.throw.sides) for wish in self.wishes(pos))

    @rolls("3.1", dice)
    def fall(self, pos: TablePosition, dice: tuple[int, ...]) -> None:
        """Each throw takes its dice, in the order in which they were named."""
        for wish in self.wishes(pos):
            own, dice = dice[: wish.throw.count], dice[wish.throw.count :]
            pos.tell(f"{self.seat}: {events.rolled(pos, self.seat, wish, own)}")


@dataclass(slots=True)
class Pulling(Procedure):
    """4.0 CUPS: one chit, in the open."""

    seat: str
    cup: str

    def inside(self, pos: TablePosition) -> tuple[str, ...]:
        return pos.cups[self.cup].chits

    @draws("4.1", inside)
    def pull(self, pos: TablePosition, item: str) -> None:
        """It stays out until it is put back."""
        cup = pos.cups[self.cup]
        at = cup.chits.index(item)
        pos.cups[self.cup] = CupNow(cup.chits[:at] + cup.chits[at + 1 :], (*cup.out, item))
        events.pulled(pos, self.seat, self.cup, item)
        pos.tell(f"{self.seat}: {self.cup}: {item}")
