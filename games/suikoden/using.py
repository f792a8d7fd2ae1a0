"""D24 USING A SPECIAL ABILITY: its price, its effect, and whether a hand card comes back.

A price is paid in full before anything happens and never comes back (ruling P-4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.suikoden.ability import Ability
from games.suikoden.effects import Effects
from games.suikoden.hands import both, taken, unknown
from games.suikoden.moves import Discard, DiscardOpen, Done, TakeBack
from games.suikoden.piles import MillCards
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import CardId
from games.suikoden.told import AbilityUsed, BackToHand
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Options
from pbem.engine.procedure import Finish, Goto, Perform, Procedure, chooses, rule


def a_card_to_discard(pos: SuikodenPosition, seat: str) -> Options:
    """Which card of the hand pays."""
    hand = pos.sides[seat].hand
    families = both((Discard, DiscardOpen), pos, hand, "D24")
    return Options(seat, families, "price", "a card of your hand to discard", hidden=unknown(pos, hand))


@dataclass(slots=True)
class Using(Procedure):
    """D24: the price, part by part, then the effect; a hand card is discarded or taken back."""

    seat: str
    card: CardId
    number: int
    in_hand: bool = False
    """The card was played from the hand and lies beside the field."""
    hand: int = 0
    """Cards of the hand still to be paid."""

    def ability(self, pos: SuikodenPosition) -> Ability:
        return pos.person(self.card).abilities[self.number]

    @rule("D24")
    def price(self, pos: SuikodenPosition) -> Perform | None:
        """What is paid by the person itself, and from the deck."""
        ability = self.ability(pos)
        pos.say(AbilityUsed(self.seat, self.card, f"{self.card}/{self.number}"))
        self.hand = ability.costs("hand")
        if ability.costs("act"):
            pos.act(self.card)
        if ability.costs("wander"):
            pos.to_wander(self.card)
        if ability.costs("discard-self") and self.card in pos.field:
            pos.to_discard(pos.leave_field(self.card), self.card)
        for _ in range(ability.costs("trophy")):
            *rest, given = pos.sides[self.seat].trophies
            pos.change(self.seat, trophies=tuple(rest))
            pos.to_discard(pos.foe(self.seat), given)
        count = ability.costs("deck")
        return Perform(MillCards(self.seat, count)) if count else None

    def payments(self, pos: SuikodenPosition) -> Options | None:
        if not self.hand:
            return None
        return a_card_to_discard(pos, self.seat)

    @chooses("D24", payments)
    def discard(self, pos: SuikodenPosition, move: Discard | DiscardOpen) -> Goto:
        """Cards of the hand, one by one."""
        pos.to_discard(self.seat, taken(pos, self.seat, move.card))
        self.hand -= 1
        return Goto("discard")

    @rule("D24")
    def effect(self, pos: SuikodenPosition) -> Perform:
        """What it does."""
        return Perform(Effects(self.seat, self.card, self.number))

    @rule("D24")
    def afterwards(self, pos: SuikodenPosition) -> Perform | Finish:
        """A hand card leaves again."""
        if not self.in_hand:
            return Finish()
        ability = self.ability(pos)
        if ability.costs("exile-self"):
            pos.removed = (*pos.removed, self.card)
            return Finish()
        return Perform(GoesBack(self.seat, self.card, self.number))


@dataclass(slots=True)
class GoesBack(Procedure):
    """D24: after use a hand card is discarded, or taken back for the price printed on it."""

    seat: str
    card: CardId
    number: int

    def ways(self, pos: SuikodenPosition) -> Options | None:
        back = pos.person(self.card).abilities[self.number].back
        if back is None:
            return None
        side = pos.sides[self.seat]
        enough = len(side.hand) if back.kind == "hand" else pos.deck_size(self.seat)
        if enough < back.count:
            return None
        families = (Among(TakeBack, [TakeBack()], "D24"), Among(Done, [Done()], "D24"))
        ask = f"take {pos.call(self.card)} back for {back.kind} {back.count}, or not"
        return Options(self.seat, families, "take-back", ask)

    @chooses("D24", ways)
    def decide(self, pos: SuikodenPosition, move: Any) -> Goto | Perform | None:
        """Paid or not."""
        back = pos.person(self.card).abilities[self.number].back
        if isinstance(move, Done) or back is None:
            return None
        if back.kind == "deck":
            return Perform(MillCards(self.seat, back.count), then="return_it")
        return Goto("pay_hand")

    @rule("D24")
    def drop(self, pos: SuikodenPosition) -> Finish:
        """Not paid: it is discarded."""
        pos.to_discard(self.seat, self.card)
        return Finish()

    def payments(self, pos: SuikodenPosition) -> Options:
        return a_card_to_discard(pos, self.seat)

    @chooses("D24", payments)
    def pay_hand(self, pos: SuikodenPosition, move: Discard | DiscardOpen) -> None:
        """One card of the hand."""
        pos.to_discard(self.seat, taken(pos, self.seat, move.card))

    @rule("D24")
    def return_it(self, pos: SuikodenPosition) -> None:
        """Paid: it goes back to the hand, and everybody knows it there."""
        pos.change(self.seat, hand=(*pos.sides[self.seat].hand, Handle(self.card)))
        pos.say(BackToHand(self.card))
