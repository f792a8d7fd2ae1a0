"""Shared decks in the log: which seat owes which message, and what a message does.

The engine calls a card `deck-epoch.place` (epochs from 1); the masked deck calls it Slot(epoch - 1,
place) and knows card numbers, not names. This module joins the two. PyNaCl is loaded only when a
game has a shared deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem.engine.handles import card_handle, read_card
from pbem.engine.notation import Handle
from pbem.engine.position import Position
from pbem.engine.waits import Deliver, Open, Opened, Shuffle, Shuffled, Wait
from pbem.errors import MalformedError
from pbem.protocol.bodies import Opening
from pbem.protocol.breach import Culprit
from pbem.protocol.contract import Contract
from pbem.protocol.state import SharedDeck, State

if TYPE_CHECKING:
    from pbem.protocol.deck_state import Deck
    from pbem.protocol.deck_wire import Slot
    from pbem.protocol.running import Runner


def _sd() -> Any:
    from pbem.protocol import shared_deck

    return shared_deck


def deck_name(handle: Handle) -> str:
    """The deck a card belongs to."""
    card = read_card(handle)
    return card.deck if card is not None else ""


def slot_of(handle: Handle) -> Slot:
    """The masked deck's name of a card."""
    card = read_card(handle)
    assert card is not None, f"{handle} is no card"
    slot: Slot = _sd().Slot(card.epoch - 1, card.place)
    return slot


_read: dict[tuple[str, ...], Deck] = {}
"""Decks by their lines, the latest last: a round looks at the same deck many times."""


def load(state: State, name: str) -> Deck:
    """A shared deck as the position keeps it."""
    lines = state.decks[name].lines
    return _read.get(lines) or _remember(lines, _sd().from_state_lines(lines))


def save(state: State, name: str, deck: Deck, names: Sequence[str] | None = None) -> None:
    """Keep a deck in the position."""
    known = tuple(names) if names is not None else state.decks[name].names
    lines = tuple(_sd().state_lines(deck))
    _remember(lines, deck)
    state.decks[name] = SharedDeck(lines, known)


def _remember(lines: tuple[str, ...], deck: Deck) -> Deck:
    if len(_read) >= 16:
        del _read[next(iter(_read))]
    _read[lines] = deck
    return deck


def _is_shared(pos: Position, handles: Sequence[Handle]) -> bool:
    return bool(handles) and handles[0] in pos.hidden and not pos.hidden[handles[0]].owner


# --- who owes what


def owed(pos: Position, state: State, wait: Wait) -> list[tuple[str, str]]:
    """The seats that owe a message of a shared deck now, with the deck's name, in seat order."""
    sd = _sd()
    if isinstance(wait, Shuffle):
        deck = load(state, wait.deck)
        seats = _without_key(deck, wait) or sd.carriers(deck) or (sd.next_shuffler(deck),)
        return [(s, wait.deck) for s in pos.seats if s in seats]
    assert isinstance(wait, Deliver)
    name = deck_name(wait.handles[0])
    if wait.giver:
        return [(wait.giver, name)]
    deck = load(state, name)
    return [(s, name) for s in pos.seats if sd.owes(deck, s)]


def _without_key(deck: Deck, wait: Shuffle) -> tuple[str, ...]:
    """Seats whose keys have run out: they publish further ones before this shuffle can begin."""
    pairs = zip(deck.seats, deck.keys, strict=True)
    return tuple(seat for seat, own in pairs if len(own) < wait.epoch)


def openers(pos: Position, state: State, handles: Sequence[Handle]) -> list[tuple[str, str]]:
    """The seats that must turn up cards of a shared deck: the holder, or everybody for a stock card."""
    if not _is_shared(pos, handles):
        return []
    name = deck_name(handles[0])
    deck = load(state, name)
    held = {one.slot: one.holder for one in deck.lying}
    sd = _sd()
    holders = {held.get(slot_of(h)) for h in handles}
    return [(s, name) for s in pos.seats if s in holders or sd.owes(deck, s)]


# --- what follows without a message


def settle(runner: Runner, wait: Wait) -> bool:
    """Bring the masked deck in step with the rules; True if the game goes on without an entry."""
    match wait:
        case Shuffle(owner=""):
            return _settle_shuffle(runner, wait)
        case Deliver(giver="") if _is_shared(runner.pos, wait.handles):
            return _settle_deal(runner, wait)
        case Open(handles=handles) if _is_shared(runner.pos, handles):
            return _settle_open(runner, handles)
    return False


def _settle_shuffle(runner: Runner, wait: Shuffle) -> bool:
    sd = _sd()
    state = runner.state
    if wait.deck not in state.decks:
        save(state, wait.deck, _new(runner.contract, wait), wait.cards)
    deck = load(state, wait.deck)
    if _without_key(deck, wait):
        return False
    if len(deck.epochs) < wait.epoch:
        numbers = _numbers(deck, state.decks[wait.deck].names, wait.cards)
        deck = sd.begin_shuffle(deck, numbers, [slot_of(h) for h in wait.returned])
        save(state, wait.deck, deck)
    if sd.shuffle_of(deck) is not None:
        return False
    runner.apply(Shuffled())
    return True


def _new(contract: Contract, wait: Shuffle) -> Deck:
    sd = _sd()
    keys = {}
    for name, seat in contract.seats.items():
        if wait.deck not in seat.decks:
            raise MalformedError(f"the contract has no keys for the shared deck {wait.deck}")
        keys[name] = sd.from_lines(seat.decks[wait.deck]).keys
    deck: Deck = sd.new_deck(contract.game, wait.deck, keys, range(len(wait.cards)))
    return deck


def _numbers(deck: Deck, names: Sequence[str], cards: Sequence[str]) -> list[int]:
    """The open card numbers that go by these names, lowest first."""
    free = list(deck.open)
    found = []
    for card in cards:
        number = next((n for n in free if names[n] == card), None)
        if number is None:
            raise AssertionError(f"{card} does not lie open")
        free.remove(number)
        found.append(number)
    return found


def _settle_deal(runner: Runner, wait: Deliver) -> bool:
    sd = _sd()
    name = deck_name(wait.handles[0])
    deck = load(runner.state, name)
    slots = [slot_of(h) for h in wait.handles]
    lying = {one.slot: one for one in deck.lying}
    if any(lying[slot].holder is None for slot in slots):
        deck = sd.draw(deck, wait.taker, slots)
        save(runner.state, name, deck)
        lying = {one.slot: one for one in deck.lying}
    if any(lying[slot].owed for slot in slots):
        return False
    runner.delivered()
    return True


def _settle_open(runner: Runner, handles: Sequence[Handle]) -> bool:
    sd = _sd()
    name = deck_name(handles[0])
    deck = load(runner.state, name)
    stock = set(sd.stock(deck))
    lying = [slot_of(h) for h in handles if slot_of(h) in stock]
    if lying:
        save(runner.state, name, sd.turn_up(deck, lying))
    if not all(h in runner.turned_up for h in handles):
        return False
    runner.apply(Opened({h: runner.turned_up[h] for h in handles}))
    return True


# --- messages


def make(pos: Position, state: State, wait: Wait, seat: str, secret: bytes) -> tuple[str, ...]:
    """The message that this seat owes."""
    sd = _sd()
    if isinstance(wait, Shuffle):
        deck = load(state, wait.deck)
        if seat in _without_key(deck, wait):
            first = len(deck.keys[deck.seats.index(seat)])
            return tuple(sd.to_lines(sd.make_keys(deck.game, seat, wait.deck, secret, first)))
        if seat in sd.carriers(deck):
            return tuple(sd.to_lines(sd.make_carry(deck, seat, secret)))
        return tuple(sd.to_lines(sd.make_shuffle(deck, seat, secret)))
    handles: tuple[Handle, ...] = wait.handles  # type: ignore[union-attr]
    deck = load(state, deck_name(handles[0]))
    if isinstance(wait, Deliver) and wait.giver:
        return tuple(
            sd.to_lines(sd.make_hand_over(deck, seat, secret, wait.taker, [slot_of(h) for h in handles]))
        )
    if isinstance(wait, Open):
        held = {one.slot: one.holder for one in deck.lying}
        mine = sorted(slot_of(h) for h in handles if held.get(slot_of(h)) == seat)
        if mine:
            groups = [[s for s in mine if s.epoch == e] for e in sorted({s.epoch for s in mine})]
            return tuple(sd.pack([sd.make_show(deck, seat, secret, group) for group in groups]))
    return tuple(sd.pack([sd.make_shares(deck, seat, secret, slots) for slots in sd.owes(deck, seat)]))


def take(runner: Runner, seat: str, name: str, lines: Sequence[str]) -> None:
    """A message of a seat that owed one. A wrong one is its author's fault."""
    sd = _sd()
    wait = runner.machine.waits_for(runner.pos)
    deck = load(runner.state, name)
    try:
        messages = sd.unpack(lines)
        deck, shown = _take_all(deck, seat, messages, wait)
    except (sd.Refused, MalformedError) as error:
        raise Culprit(seat, f"deck {name}: {error.message}") from None
    save(runner.state, name, deck)
    _note_former(runner, seat)
    if isinstance(wait, Shuffle):
        runner.committed()
    if deck.spoilt:
        raise Culprit("", f"deck {name} is spoilt: {deck.spoilt}; the audit names who did it")
    names = runner.state.decks[name].names
    for one in shown:
        runner.turned_up[card_handle(name, one.slot.epoch + 1, one.slot.place)] = names[one.card]
    if isinstance(wait, Deliver) and wait.giver:
        runner.delivered()


def _note_former(runner: Runner, seat: str) -> None:
    """Deck keys come from the first secret: who uses them after a replacement has not lost it."""
    if runner.state.seats[seat].former:
        runner.state.change(seat, used_former=True)


def _take_all(deck: Deck, seat: str, messages: Sequence[Any], wait: Wait) -> tuple[Deck, list[Any]]:
    sd = _sd()
    shown: list[Any] = []
    wanted = _expected(deck, seat, wait)
    if [type(m) for m in messages] != [kind for kind, _ in wanted]:
        raise MalformedError("another message than the one that is owed")
    for message, (_, slots) in zip(messages, wanted, strict=True):
        match message:
            case sd.Keys():
                deck = sd.more_keys(deck, seat, message)
            case sd.Carry():
                deck = sd.take_carry(deck, seat, message)
            case sd.ShuffleStep():
                deck = sd.take_shuffle(deck, seat, message)
            case sd.HandOver():
                assert isinstance(wait, Deliver)
                if message.taker != wait.taker or [c.slot for c in message.cards] != slots:
                    raise MalformedError("other cards are handed over than those asked for")
                deck = sd.take_hand_over(deck, seat, message)
            case sd.Shares():
                if list(message.slots) != slots:
                    raise MalformedError("shares of other cards than those asked for")
                held = {one.slot: one.holder for one in deck.lying}
                showing = isinstance(wait, Open) and held[message.slots[0]] == seat
                deck, new = (sd.take_show if showing else sd.take_shares)(deck, seat, message)
                shown += new
    return deck, shown


def _expected(deck: Deck, seat: str, wait: Wait) -> list[tuple[Any, list[Any]]]:
    """The messages that a seat owes: their class and the slots they must name."""
    sd = _sd()
    if isinstance(wait, Shuffle):
        if seat in _without_key(deck, wait):
            return [(sd.Keys, [])]
        return [(sd.Carry if seat in sd.carriers(deck) else sd.ShuffleStep, [])]
    handles: tuple[Handle, ...] = wait.handles  # type: ignore[union-attr]
    if isinstance(wait, Deliver) and wait.giver:
        return [(sd.HandOver, [slot_of(h) for h in handles])]
    held = {one.slot: one.holder for one in deck.lying}
    mine = sorted(slot_of(h) for h in handles if held.get(slot_of(h)) == seat)
    if isinstance(wait, Open) and mine:
        return [(sd.Shares, [s for s in mine if s.epoch == e]) for e in sorted({s.epoch for s in mine})]
    return [(sd.Shares, list(slots)) for slots in sd.owes(deck, seat)]


# --- cards shown with an order


def opening(state: State, seat: str, secret: bytes, handle: Handle) -> Opening:
    """The opening of a card in the seat's hand; an impossible card is shown all the same, as evidence."""
    sd = _sd()
    name = deck_name(handle)
    deck = load(state, name)
    slot = slot_of(handle)
    number = sd.held_number(deck, seat, secret, slot)
    value = state.decks[name].names[number] if number is not None else ""
    return Opening(handle, value, share=tuple(sd.to_lines(sd.make_show(deck, seat, secret, [slot]))))


def check_shown(runner: Runner, seat: str, opened: Opening) -> Deck:
    """The deck after a card was shown, if the proof is right and the card is what it is said to be."""
    sd = _sd()
    name = deck_name(opened.slot)
    try:
        message = sd.from_lines(opened.share)
        if not isinstance(message, sd.Shares) or list(message.slots) != [slot_of(opened.slot)]:
            raise MalformedError("another card is shown than the one named")
        deck, shown = sd.take_show(load(runner.state, name), seat, message)
    except (sd.Refused, MalformedError) as error:
        raise Culprit(seat, f"deck {name}: {error.message}") from None
    card = shown[0].card
    if deck.spoilt or card is None:
        raise Culprit("", f"deck {name} is spoilt: {deck.spoilt}; the audit names who did it")
    if runner.state.decks[name].names[card] != opened.value:
        raise Culprit(seat, f"the card shown is not {opened.value!r}")
    result: Deck = deck
    return result


def show(runner: Runner, seat: str, openings: Sequence[Opening]) -> None:
    """Cards that an order has really played lie open from now on."""
    for opened in openings:
        if opened.share:
            _note_former(runner, seat)
            save(runner.state, deck_name(opened.slot), check_shown(runner, seat, opened))


def card(state: State, seat: str, secret: bytes, handle: Handle) -> str | None:
    """What a seat sees in a card it holds; None while shares are missing."""
    sd = _sd()
    name = deck_name(handle)
    deck = load(state, name)
    slot = slot_of(handle)
    one = next((o for o in deck.lying if o.slot == slot), None)
    if one is None or one.holder != seat or one.owed:
        return None
    found: int = sd.find_card(deck, seat, secret, slot)
    return state.decks[name].names[found]
