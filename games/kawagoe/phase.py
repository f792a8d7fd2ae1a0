"""5.2-5.5: which units a chit lets act, for the movement and the combat phase alike."""

from __future__ import annotations

from dataclasses import dataclass

from games.kawagoe.position import KawagoePosition
from pbem.engine.options import Refusal
from pbem.engine.procedure import Procedure


@dataclass(slots=True)
class Phase(Procedure):
    """A phase of the side whose chit was drawn."""

    seat: str
    chit: str
    general: str = ""
    """5.51: the general that a general chit is for."""
    named: tuple[str, ...] = ()
    """5.52, 5.53: who may act under a general chit, as the phase began."""

    def katta(self, pos: KawagoePosition) -> bool:
        """5.3: whether 勝った勝った was drawn."""
        return bool(pos.pack.chits[self.chit].kind == "katta")

    def roll(self, pos: KawagoePosition) -> tuple[str, ...]:
        """Everybody whom the chit names, on the map or not; `may_act` says who of them may act."""
        if self.general:
            return self.named
        house = pos.pack.chits[self.chit].house
        return pos.book.groups.get(house, ()) if house else pos.book.hojo

    def may_act(self, pos: KawagoePosition, unit: str, number: str) -> Refusal | None:
        """Whether a unit on the map may act; `number` is the rule that froze the list of a general chit."""
        counter = pos.book[unit]
        if counter.side != self.seat:
            return Refusal("5.14", f"{unit} is not yours")
        house = pos.pack.chits[self.chit].house
        if house and counter.group != house:
            return Refusal(number if self.general else "5.4", f"{unit} is not of {house}, whose chit this is")
        if self.general and unit not in self.named:
            if counter.general:
                return Refusal(number, f"{unit} is a general too: the chit is for {self.general} and his men")
            return Refusal(number, f"{unit} was not in the range of {self.general} when the phase began")
        if pos.units[unit].disordered:
            return Refusal("6.41", f"{unit} is in disorder")
        return None
