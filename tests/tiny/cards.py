"""6.0 of the tiny game: what a played card does, and how a hand is filled again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.engine.notation import Handle
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.procedure import (
    Deal,
    Drawn,
    Finish,
    Goto,
    Passing,
    Procedure,
    Shuffling,
    chooses,
    deals,
    draws,
    passes,
    rule,
    shuffles,
)
from tests.tiny.moves import Done, Fetch
from tests.tiny.position import Discards, TinyPosition


@dataclass(slots=True)
class Refill(Procedure):
    """6.6: after burying, one card is drawn; an empty deck is made anew of its discards."""

    seat: str

    def one(self, pos: TinyPosition) -> tuple[Deal, ...]:
        return (Deal(pos.deck_of(self.seat), self.seat),)

    @deals("6.6", one)
    def refill(self, pos: TinyPosition, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        pos.change(self.seat, hand=(*pos.players[self.seat].hand, *dealt[0]))


@dataclass(slots=True)
class Effect(Procedure):
    """6.0 CARDS: what a played card does."""

    seat: str
    card: str
    taken: Handle | None = None

    @rule("6.1")
    def discard(self, pos: TinyPosition) -> Goto | None:
        """The card goes to the discards, then its effect."""
        name = pos.deck_of(self.seat)
        pos.discards[name] = Discards((*pos.discards[name].cards, self.card))
        if self.card == "gold":
            pos.score(self.seat, 3)
        return Goto(
            {"gold": "recycle", "spy": "steal", "mill": "mill", "map": "look", "fortune": "fortune"}[
                self.card
            ]
        )

    def victim(self, pos: TinyPosition) -> str:
        return pos.seats[(pos.seats.index(self.seat) + 1) % len(pos.seats)]

    def their_hand(self, pos: TinyPosition) -> tuple[Handle, ...]:
        return pos.players[self.victim(pos)].hand

    @draws("6.2", their_hand)
    def steal(self, pos: TinyPosition, item: Handle) -> None:
        """Spy: a random card of the next seat's hidden hand ..."""
        self.taken = item
        pos.take_from_hand(self.victim(pos), item)

    def stolen(self, pos: TinyPosition) -> Passing | None:
        return Passing((self.taken,), self.victim(pos), self.seat) if self.taken else None

    @passes("6.2", stolen)
    def hand_over(self, pos: TinyPosition) -> Goto:
        """... goes to the spy, unseen by the others."""
        pos.change(self.seat, hand=(*pos.players[self.seat].hand, self.taken))
        return Goto("recycle")

    def own_stock(self, pos: TinyPosition) -> tuple[Handle, ...] | None:
        return pos.decks[pos.deck_of(self.seat)].rest if self.card == "mill" else None

    @draws("6.3", own_stock, opened=True)
    def mill(self, pos: TinyPosition, drawn: Drawn) -> Goto:
        """Mill: a card of the own deck is turned up and discarded."""
        name = pos.deck_of(self.seat)
        pos.draw_from(name, [drawn.handle])
        pos.discards[name] = Discards((*pos.discards[name].cards, drawn.value))
        return Goto("recycle")

    def search(self, pos: TinyPosition) -> Options | None:
        deck = pos.decks[pos.deck_of(self.seat)]
        if self.card != "map" or not deck.rest or pos.shared:
            return None
        families = (Sought(deck.rest), Among(Done, [Done()], "6.4"))
        return Options(self.seat, families, "search", "a card to fetch", hidden=True, looks=deck.rest)

    @chooses("6.4", search)
    def look(self, pos: TinyPosition, move: Fetch | Done) -> None:
        """Map: the owner looks through its deck and may take a card; that it is no gold is a claim."""
        if isinstance(move, Done):
            return
        name = pos.deck_of(self.seat)
        pos.draw_from(name, [move.card])
        pos.change(self.seat, hand=(*pos.players[self.seat].hand, move.card))
        pos.claim(self.seat, "fetched no gold", card=move.card)

    def luck(self, pos: TinyPosition) -> tuple[str, ...] | None:
        return pos.pool if self.card == "fortune" else None

    @draws("6.5", luck)
    def fortune(self, pos: TinyPosition, item: str) -> None:
        """Fortune: a number drawn from an open pool, for good."""
        pos.pool = tuple(n for n in pos.pool if n != item)
        pos.score(self.seat, {"one": 1, "two": 2, "three": 3, "four": 4}[item])

    def empty(self, pos: TinyPosition) -> Shuffling | None:
        name = pos.deck_of(self.seat)
        deck = pos.decks[name]
        if len(deck) or not pos.discards[name].cards:
            return None
        return Shuffling(name, deck.owner, pos.discards[name].cards)

    @shuffles("6.8", empty)
    def recycle(self, pos: TinyPosition) -> Finish:
        """An empty deck is made anew of its discards."""
        pos.discards[pos.deck_of(self.seat)] = Discards()
        return Finish()


class Sought(Family[Fetch]):
    """A card of the own deck, gold excepted: the others cannot see that, so it is also a claim."""

    kind = Fetch

    def __init__(self, rest: tuple[Handle, ...]) -> None:
        self.rest = rest

    def moves(self, view: View) -> Iterable[Fetch]:
        return [Fetch(h) for h in self.rest if view.value(h) not in (None, "gold")]

    def why_not(self, move: Fetch, view: View) -> Refusal | None:
        return None if move.card in self.rest else Refusal("6.4", "the card is not in the deck")
