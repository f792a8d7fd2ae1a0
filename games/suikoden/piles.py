"""Drawing, discarding from a deck, and making a new deck: the same for all three modes.

Nobody knows the order of a deck: the next card is a joint draw among its slots, which is the same thing. In D
the slots are the owner's (he knows what is in them, nobody which comes next); in S and M they are the stock
of the shared deck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.kit.cards import without
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import PEOPLE, STOCK, Mode
from pbem.engine.events import Event, Named
from pbem.engine.notation import Handle
from pbem.engine.procedure import (
    Deal,
    Finish,
    Goto,
    Passing,
    Procedure,
    Shuffling,
    deals,
    draws,
    opens,
    passes,
    rule,
    shuffles,
)


def stock_name(pos: SuikodenPosition) -> str:
    """The shared deck of S and M."""
    return PEOPLE if pos.mode is Mode.SHARED else STOCK


def reshuffling(pos: SuikodenPosition) -> Shuffling | None:
    """Rulings S-8, M-23: an empty shared deck is made anew of the discards."""
    name = stock_name(pos)
    if pos.mode is Mode.DECK or pos.option("reshuffle") == "no":
        return None
    if name not in pos.decks or pos.top or len(pos.decks[name]) or not pos.discards:
        return None
    return Shuffling(name, "", pos.discards)


class CardDrawn(Event):
    says = "{seat} draws a card"
    seat: str


class DeckDiscarded(Event):
    says = "discarded from {seat}'s deck: {discarded}"
    seat: str
    discarded: tuple[Named, ...]


class CardsRouted(Event):
    says = "{seat} routs {routed}"
    seat: str
    routed: tuple[Named, ...]


class TrophiesTaken(Event):
    says = "{seat} takes as trophies {trophies}"
    seat: str
    trophies: tuple[Named, ...]


class TopSeen(Event):
    says = "{seat} looks at the top {count:card|# cards} of the deck"
    seat: str
    count: int


@dataclass(slots=True)
class Draw(Procedure):
    """Cards from the deck to the hand; an empty deck gives nothing (Q11)."""

    seat: str
    count: int

    def new_deck(self, pos: SuikodenPosition) -> Shuffling | None:
        return reshuffling(pos) if self.count else None

    @shuffles("S05", new_deck)
    def renew(self, pos: SuikodenPosition) -> None:
        """The discards are the new deck."""
        pos.discards = ()

    @rule("D15")
    def known(self, pos: SuikodenPosition) -> Goto | Finish | None:
        """A card whose place is settled comes first."""
        if not self.count:
            return Finish()
        side = pos.sides[self.seat]
        if side.top:
            pos.change(self.seat, hand=(*side.hand, side.top[0]), top=side.top[1:])
            pos.say(CardDrawn(self.seat))
            self.count -= 1
            return Goto("known")
        if pos.top and pos.hidden[pos.top[0]].holder == self.seat:
            return self._from_top(pos)
        return None

    def _from_top(self, pos: SuikodenPosition) -> Goto:
        """S: a card that was looked at is the next."""
        pos.change(self.seat, hand=(*pos.sides[self.seat].hand, pos.top[0]))
        pos.top = pos.top[1:]
        pos.say(CardDrawn(self.seat, rule="S14"))
        self.count -= 1
        return Goto("renew")

    def looked_at(self, pos: SuikodenPosition) -> Passing | None:
        return Passing(pos.top[:1], pos.hidden[pos.top[0]].holder, self.seat) if pos.top else None

    @passes("S14", looked_at)
    def from_knower(self, pos: SuikodenPosition) -> Goto:
        """S: whoever looked at the top card hands it over."""
        return self._from_top(pos)

    def own(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        return pos.sides[self.seat].deck if pos.mode is Mode.DECK else None

    @draws("D15", own)
    def from_own(self, pos: SuikodenPosition, item: str) -> Goto:
        """D: one of the own deck, at random."""
        side = pos.sides[self.seat]
        deck = without(side.deck, item)
        pos.change(self.seat, hand=(*side.hand, Handle(item)), deck=deck)
        pos.say(CardDrawn(self.seat))
        self.count -= 1
        return Goto("known")

    def shared(self, pos: SuikodenPosition) -> tuple[Deal, ...] | None:
        name = stock_name(pos)
        if pos.mode is Mode.DECK or name not in pos.decks or not len(pos.decks[name]):
            return None
        return (Deal(stock_name(pos), self.seat),)

    @deals("S14", shared)
    def from_shared(self, pos: SuikodenPosition, dealt: tuple[tuple[Handle, ...], ...]) -> Goto:
        """S, M: one of the shared deck."""
        pos.change(self.seat, hand=(*pos.sides[self.seat].hand, *dealt[0]))
        self.count -= 1
        return Goto("renew")


@dataclass(slots=True)
class MillCards(Procedure):
    """Cards from the top of a deck are turned up and discarded, or handed to who won (S19)."""

    seat: str
    """Whose deck it is."""
    count: int
    to: str = ""
    """S: the seat whose routed pile receives them; M: the seat whose trophies they become."""
    found: tuple[Handle, ...] = ()

    def new_deck(self, pos: SuikodenPosition) -> Shuffling | None:
        return reshuffling(pos) if len(self.found) < self.count else None

    @shuffles("S05", new_deck)
    def renew(self, pos: SuikodenPosition) -> None:
        """The discards are the new deck."""
        pos.discards = ()

    @rule("D44")
    def known(self, pos: SuikodenPosition) -> Goto | None:
        """Cards whose place is settled come first."""
        top = pos.sides[self.seat].top
        missing = self.count - len(self.found)
        if top and missing:
            self.found = (*self.found, *top[:missing])
            pos.change(self.seat, top=top[missing:])
        missing = self.count - len(self.found)
        if pos.top and missing:
            self.found = (*self.found, *pos.top[:missing])
            pos.top = pos.top[missing:]
        return Goto("turn_up") if len(self.found) >= self.count else None

    def slots(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        if pos.mode is Mode.DECK:
            return pos.sides[self.seat].deck
        name = stock_name(pos)
        return pos.decks[name].rest if name in pos.decks else None

    @draws("D44", slots)
    def next_card(self, pos: SuikodenPosition, item: str) -> Goto:
        """The next one, at random."""
        self.found = (*self.found, Handle(item))
        if pos.mode is Mode.DECK:
            deck = without(pos.sides[self.seat].deck, item)
            pos.change(self.seat, deck=deck)
        else:
            pos.draw_from(stock_name(pos), [Handle(item)])
        return Goto("renew")

    def drawn(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        return self.found or None

    @opens("D44", drawn)
    def turn_up(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """All of them are shown."""
        cards = tuple(values[handle] for handle in self.found)
        if not self.to:
            pos.to_discard(self.seat, *cards)
            pos.say(DeckDiscarded(self.seat, cards))
        elif pos.mode is Mode.SHARED:
            pos.change(self.to, routed=(*pos.sides[self.to].routed, *cards))
            pos.say(CardsRouted(self.to, cards, rule="S19"))
        else:
            pos.change(self.to, trophies=(*pos.sides[self.to].trophies, *cards))
            pos.say(TrophiesTaken(self.to, cards, rule="M28"))


@dataclass(slots=True)
class Peek(Procedure):
    """D23 情報: the top cards of the deck, seen by one player, stay where they are."""

    seat: str
    count: int

    def own(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        side = pos.sides[self.seat]
        return side.deck if pos.mode is Mode.DECK and len(side.top) < self.count else None

    @draws("D23", own)
    def settle_order(self, pos: SuikodenPosition, item: str) -> Goto:
        """D: which card is the next is settled now."""
        side = pos.sides[self.seat]
        deck = without(side.deck, item)
        pos.change(self.seat, top=(*side.top, Handle(item)), deck=deck)
        return Goto("settle_order")

    def shared(self, pos: SuikodenPosition) -> tuple[Deal, ...] | None:
        missing = self.count - len(pos.top)
        if pos.mode is Mode.DECK or missing <= 0 or not len(pos.decks[stock_name(pos)]):
            return None
        return (Deal(stock_name(pos), self.seat, missing),)

    @deals("D23", shared)
    def look(self, pos: SuikodenPosition, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """S: they are shown to who looks, and lie on top of the shared deck."""
        pos.top = (*pos.top, *dealt[0])

    def known_to_other(self, pos: SuikodenPosition) -> Passing | None:
        other = [h for h in pos.top[: self.count] if pos.hidden[h].holder != self.seat]
        return Passing(tuple(other), pos.foe(self.seat), self.seat) if other else None

    @passes("D23", known_to_other)
    def look_again(self, pos: SuikodenPosition) -> None:
        """S: cards that the other has looked at are shown by him."""

    @rule("D23")
    def seen(self, pos: SuikodenPosition) -> None:
        """The order stays as it is."""
        top = pos.sides[self.seat].top or pos.top
        shown = min(self.count, len(top))
        pos.say(TopSeen(self.seat, shown))
