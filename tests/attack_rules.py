"""A game in which a die falls, then a deck is shuffled, then a card is drawn: all in one stretch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.engine.options import Among, Options
from pbem.engine.procedure import Deal, Dice, Procedure, Shuffling, chooses, deals, rolls, rule, shuffles
from tests.tiny.moves import Done, Hit

CARDS = ("gold", "lead", "lead", "lead", "lead", "lead")


@dataclass(slots=True)
class Fortune(Procedure):
    """1.0 FORTUNE: a deed, a die, a shuffle, a card."""

    def deed(self, pos: Any) -> Options:
        families = (Among(Done, [Done()], "1.1"), Among(Hit, [Hit("b")], "1.1"))
        return Options("a", families, "deed", "what to do")

    @chooses("1.1", deed)
    def act(self, pos: Any, move: Any) -> None:
        """Seat a does something."""

    @rolls("1.2", Dice(1, 6))
    def roll(self, pos: Any, dice: tuple[int, ...]) -> None:
        """A die that everybody sees."""

    def deck(self, pos: Any) -> Shuffling:
        """Of seat a alone in the short game, shared in the long one."""
        return Shuffling("deck", "a" if pos.last == 6 else "", CARDS)

    @shuffles("1.3", deck)
    def shuffle(self, pos: Any) -> None:
        """The deck is shuffled."""

    def one(self, pos: Any) -> tuple[Deal, ...]:
        return (Deal("deck", "a"),)

    @deals("1.4", one)
    def draw(self, pos: Any, dealt: Any) -> None:
        """Seat a draws a card and keeps it."""

    def more(self, pos: Any) -> Options:
        return self.deed(pos)

    @chooses("1.5", more)
    def after(self, pos: Any, move: Any) -> None:
        """Time to look at the card."""

    @rule("1.6")
    def over(self, pos: Any) -> None:
        """The end."""
        pos.end((), "the card is drawn")
