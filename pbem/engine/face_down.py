"""What lies face down in a position: slots are sealed, decks shuffled, cards dealt and handed over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.engine.events import Event
from pbem.engine.handles import card_handle, slot_handle
from pbem.engine.notation import Handle
from pbem.engine.position import Deck, Hidden, Position
from pbem.engine.procedure import Deal, Delivery
from pbem.engine.waits import AskSealed, Deliver, Sealed, Shuffle, Shuffled
from pbem.errors import RulesError


class DeckShuffled(Event):
    """A deck has new handles; `epoch` counts its shuffles."""

    says = "{deck} is shuffled: {size:# card|# cards}"
    deck: str
    epoch: int
    size: int


class CardsDealt(Event):
    """Cards that came to a seat, face down."""

    says = "{seat} draws {count} from {deck}"
    seat: str
    deck: str
    count: int
    cards: tuple[Handle, ...]


Dealt = tuple[tuple[Handle, ...], ...]
"""What each `Deal` of a step gave."""


def seal(pos: Position, wait: AskSealed, answer: Sealed) -> dict[str, tuple[Handle, ...]]:
    """New slots for what the seats committed to, by seat."""
    pos.serial += 1
    slots: dict[str, tuple[Handle, ...]] = {}
    for options in wait.options:
        given = answer.commitments.get(options.seat)
        wanted = options.slots if wait.fills else 1
        if given is None or len(given) != wanted:
            raise RulesError(f"{options.seat} owes {wanted} sealed slots", rule=wait.rule)
        made = tuple(slot_handle(pos.serial, options.seat, i) for i in range(len(given)))
        for handle, commitment in zip(made, given, strict=True):
            pos.hidden[handle] = Hidden(options.seat, commitment)
        slots[options.seat] = made
    return slots


def shuffle(pos: Position, wait: Shuffle, answer: Shuffled) -> None:
    """The deck with new handles; cards that go back into it lose theirs."""
    size = len(wait.cards) + len(wait.returned)
    if wait.owner and len(answer.commitments) != size:
        raise RulesError(f"{wait.owner} owes {size} commitments", rule=wait.rule)
    made = tuple(card_handle(wait.deck, wait.epoch, i) for i in range(size))
    for handle in wait.returned:
        pos.hidden.pop(handle, None)
    for number, handle in enumerate(made):
        pos.hidden[handle] = Hidden(wait.owner, answer.commitments[number] if wait.owner else "")
    pos.decks[wait.deck] = Deck(wait.owner, wait.epoch, wait.cards, made)
    pos.say(DeckShuffled(wait.deck, wait.epoch, size))


def deal(pos: Position, deals: Sequence[Deal], values: tuple[int, ...]) -> Dealt:
    """The cards that fell to each deal now lie before the seat it is for."""
    rest = list(values)
    dealt = []
    for one in deals:
        count = min(one.count, len(pos.decks[one.deck]))
        got = tuple(_take(pos, one.deck, rest.pop(0)) for _ in range(count))
        for handle in got:
            pos.hidden[handle] = replace(pos.hidden[handle], holder=one.to)
        pos.say(CardsDealt(one.to, one.deck, len(got), got))
        dealt.append(got)
    return tuple(dealt)


def deliveries(pos: Position, deals: Sequence[Deal], dealt: Dealt) -> Iterator[Delivery]:
    """How the seats come to see what they were dealt from the decks of others."""
    for one, got in zip(deals, dealt, strict=True):
        giver = pos.decks[one.deck].owner
        if got and giver != one.to:
            yield Delivery(got, giver, one.to)


def deliver(pos: Position, wait: Deliver) -> None:
    """The taker holds the cards."""
    for handle in wait.handles:
        pos.hidden[handle] = replace(pos.hidden[handle], holder=wait.taker)


def _take(pos: Position, name: str, index: int) -> Handle:
    deck = pos.decks[name]
    if deck.top:
        handle = deck.top[0]
    elif deck.rest:
        handle = deck.rest[index]
    else:
        handle = deck.bottom[0]
    pos.draw_from(name, [handle])
    return handle
