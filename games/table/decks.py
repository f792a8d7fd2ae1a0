"""5.0 DECKS: drawing, dealing, looking, turning up, shuffling; and cards that go from hand to hand.

Nobody knows the order of a deck: the next card is a joint draw among those that nobody has seen. What
somebody has looked at, or put on top or under the deck, has its place, and is handed over by who knows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.table import events
from games.table.position import Pile, TablePosition, deck_of, face
from pbem.engine.notation import Handle
from pbem.engine.procedure import (
    Deal,
    Finish,
    Goto,
    Passing,
    Perform,
    Procedure,
    Shuffling,
    deals,
    draws,
    opens,
    passes,
    rule,
    shuffles,
)


def renewing(pos: TablePosition, deck: str, more: tuple[Handle, ...] = ()) -> Shuffling | None:
    """The deck made anew of its rest, its discards and `more`; None if there is no card."""
    pile, owner = pos.piles[deck], pos.box.owner(deck)
    unseen = dict.fromkeys((*pos.rest(deck), *pile.top, *pile.bottom, *pile.closed, *more))
    if not unseen and not pile.discard:
        return None
    return Shuffling(deck, owner, pile.discard, tuple(unseen))


def renewed(pos: TablePosition, deck: str) -> None:
    """After the shuffle nobody knows a place, and nothing is discarded."""
    pos.piles[deck] = Pile(removed=pos.piles[deck].removed)


@dataclass(slots=True)
class Drawing(Procedure):
    """5.3: cards into a hand, one source after the other: the known top, the rest, the known bottom."""

    seat: str
    deck: str
    count: int

    def _next_known(self, pos: TablePosition) -> tuple[Handle, ...]:
        pile = pos.piles[self.deck]
        return pile.top[:1] or (() if pos.rest(self.deck) else pile.bottom[:1])

    @rule("5.3")
    def look_for(self, pos: TablePosition) -> Goto | Finish:
        """Where the next card comes from."""
        if not self.count:
            return Finish()
        known = self._next_known(pos)
        if known and pos.knower(known[0]) == self.seat:
            return self._take(pos, known)
        if known:
            return Goto("hand_over")
        if pos.rest(self.deck):
            return Goto("deal")
        if pos.deck_kit(self.deck).reshuffle == "empty" and renewing(pos, self.deck) is not None:
            return Goto("renew")
        events.deck_empty(pos, self.deck)
        return Finish()

    def _take(self, pos: TablePosition, cards: tuple[Handle, ...]) -> Goto:
        pos.lift(cards)
        pos.change(self.seat, hand=(*pos.around[self.seat].hand, *cards))
        events.drawn(pos, self.seat, self.deck, len(cards))
        self.count -= len(cards)
        return Goto("look_for")

    def from_knower(self, pos: TablePosition) -> Passing:
        known = self._next_known(pos)
        return Passing(known, pos.knower(known[0]), self.seat)

    @passes("5.3", from_knower)
    def hand_over(self, pos: TablePosition) -> Goto:
        """A card that another seat knows is shown by that seat to the one that draws it."""
        return self._take(pos, self._next_known(pos))

    def unseen(self, pos: TablePosition) -> tuple[Deal, ...]:
        return (Deal(self.deck, self.seat, min(self.count, len(pos.rest(self.deck)))),)

    @deals("5.3", unseen)
    def deal(self, pos: TablePosition, dealt: tuple[tuple[Handle, ...], ...]) -> Goto:
        """Cards that nobody has seen."""
        pos.change(self.seat, hand=(*pos.around[self.seat].hand, *dealt[0]))
        self.count -= len(dealt[0])
        return Goto("look_for")

    def empty(self, pos: TablePosition) -> Shuffling | None:
        return renewing(pos, self.deck)

    @shuffles("5.7", empty)
    def renew(self, pos: TablePosition) -> Goto:
        """An empty deck is made anew of its discards, if the kit says so."""
        renewed(pos, self.deck)
        return Goto("look_for")


@dataclass(slots=True)
class Dealing(Procedure):
    """5.4: so many cards to everybody, in seat order."""

    deck: str
    count: int
    seats: tuple[str, ...]

    @rule("5.4")
    def deal(self, pos: TablePosition) -> Perform | Finish:
        """One seat after the other."""
        if not self.seats:
            return Finish()
        seat, self.seats = self.seats[0], self.seats[1:]
        return Perform(Drawing(seat, self.deck, self.count), then="deal")


@dataclass(slots=True)
class Looking(Procedure):
    """5.5: the top cards of a deck, seen by one seat; they stay where they are."""

    seat: str
    deck: str
    count: int

    def known_to_another(self, pos: TablePosition) -> Passing | None:
        for card in pos.piles[self.deck].top[: self.count]:
            if pos.knower(card) != self.seat:
                return Passing((card,), pos.knower(card), self.seat)
        return None

    @passes("5.5", known_to_another)
    def shown(self, pos: TablePosition) -> Goto:
        """Whoever has looked at a card before shows it."""
        return Goto("shown")

    def unseen(self, pos: TablePosition) -> tuple[Deal, ...] | None:
        missing = min(self.count - len(pos.piles[self.deck].top), len(pos.rest(self.deck)))
        return (Deal(self.deck, self.seat, missing),) if missing > 0 else None

    @deals("5.5", unseen)
    def look(self, pos: TablePosition, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """Which card comes next is settled now."""
        pos.change_pile(self.deck, top=(*pos.piles[self.deck].top, *dealt[0]))

    @rule("5.5")
    def seen(self, pos: TablePosition) -> None:
        """The others know how many."""
        count = min(self.count, len(pos.piles[self.deck].top))
        events.looked(pos, self.seat, self.deck, count)


@dataclass(slots=True)
class TurningUp(Procedure):
    """5.6: the top cards of a deck, for all to see."""

    seat: str
    deck: str
    count: int
    found: tuple[Handle, ...] = ()

    @rule("5.6")
    def known(self, pos: TablePosition) -> Goto | None:
        """Cards whose place is settled come first, and last."""
        pile, rest = pos.piles[self.deck], pos.rest(self.deck)
        cards = pile.top or (() if rest else pile.bottom)
        take = cards[: self.count - len(self.found)]
        pos.lift(take)
        self.found = (*self.found, *take)
        return Goto("turn") if len(self.found) == self.count else None

    def unseen(self, pos: TablePosition) -> tuple[Handle, ...]:
        return pos.rest(self.deck)

    @draws("5.6", unseen)
    def pick(self, pos: TablePosition, item: str) -> Goto:
        """The next one of those that nobody has seen."""
        pos.draw_from(self.deck, [Handle(item)])
        self.found = (*self.found, Handle(item))
        return Goto("known")

    def picked(self, pos: TablePosition) -> tuple[Handle, ...] | None:
        return self.found or None

    @opens("5.6", picked)
    def turn(self, pos: TablePosition, values: Mapping[Handle, str]) -> None:
        """They lie before the seat that turned them up."""
        cards = [values[handle] for handle in self.found]
        shown = (face(self.deck, card) for card in cards)
        pos.change(self.seat, front=(*pos.around[self.seat].front, *shown))
        events.turned_up(pos, self.seat, self.deck, cards)


@dataclass(slots=True)
class Shuffled(Procedure):
    """5.8: a deck is made anew of its rest, its discards and what goes back into it."""

    deck: str
    more: tuple[Handle, ...] = ()
    opened: tuple[str, ...] = ()
    """Open cards that go back with them."""
    later: tuple[str, ...] = ()
    """Decks that are made anew after this one."""

    def all_cards(self, pos: TablePosition) -> Shuffling | None:
        found = renewing(pos, self.deck, self.more)
        if not self.opened:
            return found
        unseen = found.returned if found else ()
        return Shuffling(
            self.deck, pos.box.owner(self.deck), (*pos.piles[self.deck].discard, *self.opened), unseen
        )

    @shuffles("5.8", all_cards)
    def shuffle(self, pos: TablePosition) -> Goto | None:
        """What went back lies nowhere else."""
        pos.lift(self.more)
        renewed(pos, self.deck)
        if not self.later:
            return None
        self.deck, self.later, self.more, self.opened = self.later[0], self.later[1:], (), ()
        return Goto("shuffle")


@dataclass(slots=True)
class Giving(Procedure):
    """6.9: cards from hand to hand, seen by those two alone; one deck's after the other's."""

    seat: str
    taker: str
    cards: tuple[Handle, ...]
    done: int = 0

    def next_cards(self, pos: TablePosition) -> Passing | None:
        left = self.cards[self.done :]
        same = tuple(card for card in left if deck_of(card) == deck_of(left[0]))
        return Passing(same, self.seat, self.taker) if same else None

    @passes("6.9", next_cards)
    def hand_over(self, pos: TablePosition) -> Goto:
        """The taker sees them, the others that it has them."""
        self.done += len(self.next_cards(pos).handles)  # type: ignore[union-attr]
        return Goto("hand_over")

    @rule("6.9")
    def given(self, pos: TablePosition) -> None:
        """They are in the other hand."""
        pos.lift(self.cards)
        pos.change(self.taker, hand=(*pos.around[self.taker].hand, *self.cards))
        events.given(pos, self.seat, self.taker, len(self.cards))


@dataclass(slots=True)
class Taking(Procedure):
    """6.11: a card at random from another hand."""

    seat: str
    victim: str
    card: Handle | None = None

    def their_hand(self, pos: TablePosition) -> tuple[Handle, ...]:
        return pos.around[self.victim].hand

    @draws("6.11", their_hand)
    def pick(self, pos: TablePosition, item: str) -> None:
        """Which one is chance."""
        self.card = Handle(item)

    def the_card(self, pos: TablePosition) -> Passing | None:
        return Passing((self.card,), self.victim, self.seat) if self.card else None

    @passes("6.11", the_card)
    def hand_over(self, pos: TablePosition) -> None:
        """It is shown to the one that takes it."""
        assert self.card is not None
        pos.lift((self.card,))
        pos.change(self.seat, hand=(*pos.around[self.seat].hand, self.card))
        events.taken(pos, self.seat, self.victim)
