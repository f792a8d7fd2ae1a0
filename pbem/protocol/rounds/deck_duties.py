"""Shared decks in the log: which seat owes which message, and what a message does.

The engine calls a card `deck-epoch.place` (epochs from 1); the masked deck calls it Spot(epoch - 1,
place) and knows card numbers, not names. This module joins the two. PyNaCl is loaded only when a
game has a shared deck.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.handles import card_handle, read_card
from pbem.engine.notation import Handle
from pbem.engine.position import Position
from pbem.engine.waits import Deliver, Open, Opened, Shuffle, Shuffled, Wait
from pbem.errors import MalformedError
from pbem.protocol.deck import dealing, shuffling, wire
from pbem.protocol.deck import lines as deck_lines
from pbem.protocol.deck import state as deck_state
from pbem.protocol.deck.state import Deck
from pbem.protocol.deck.wire import Spot
from pbem.protocol.papers.bodies import Opening
from pbem.protocol.papers.contract import Contract
from pbem.protocol.rounds.breach import CardWrong, Culprit, DeckMessageWrong, DeckSpoilt
from pbem.protocol.rounds.state import SharedDeck, State
from pbem.protocol.rounds.stretch import Stretch


def deck_name(handle: Handle) -> str:
    """The deck a card belongs to."""
    card = read_card(handle)
    return card.deck if card is not None else ""


def slot_of(handle: Handle) -> Spot:
    """The masked deck's name of a card."""
    card = read_card(handle)
    assert card is not None, f"{handle} is no card"
    slot: Spot = wire.Spot(card.epoch - 1, card.place)
    return slot


_read: dict[tuple[str, ...], Deck] = {}
"""Decks by their lines, the latest last: a round looks at the same deck many times."""


def load(state: State, name: str) -> Deck:
    """A shared deck as the position keeps it."""
    lines = state.decks[name].lines
    return _read.get(lines) or _remember(lines, deck_lines.from_state_lines(lines))


def save(state: State, name: str, deck: Deck, names: Sequence[str] | None = None) -> None:
    """Keep a deck in the position."""
    known = tuple(names) if names is not None else state.decks[name].names
    lines = tuple(deck_lines.state_lines(deck))
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
    if isinstance(wait, Shuffle):
        deck = load(state, wait.deck)
        seats = _without_key(deck, wait) or shuffling.carriers(deck) or (shuffling.next_shuffler(deck),)
        return [(s, wait.deck) for s in pos.seats if s in seats]
    assert isinstance(wait, Deliver)
    name = deck_name(wait.handles[0])
    if wait.giver:
        return [(wait.giver, name)]
    deck = load(state, name)
    return [(s, name) for s in pos.seats if dealing.owes(deck, s)]


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
    holders = {held.get(slot_of(h)) for h in handles}
    return [(s, name) for s in pos.seats if s in holders or dealing.owes(deck, s)]


# --- what follows without a message


def settle(runner: Stretch, wait: Wait) -> bool:
    """Bring the masked deck in step with the rules; True if the game goes on without an entry."""
    match wait:
        case Shuffle(owner=""):
            return _settle_shuffle(runner, wait)
        case Deliver(giver="") if _is_shared(runner.pos, wait.handles):
            return _settle_deal(runner, wait)
        case Open(handles=handles) if _is_shared(runner.pos, handles):
            return _settle_open(runner, handles)
    return False


def _settle_shuffle(runner: Stretch, wait: Shuffle) -> bool:
    state = runner.state
    if wait.deck not in state.decks:
        save(state, wait.deck, _new(runner.contract, wait), wait.cards)
    deck = load(state, wait.deck)
    if _without_key(deck, wait):
        return False
    if len(deck.epochs) < wait.epoch:
        numbers = _numbers(deck, state.decks[wait.deck].names, wait.cards)
        deck = shuffling.begin_shuffle(deck, numbers, [slot_of(h) for h in wait.returned])
        save(state, wait.deck, deck)
    if shuffling.shuffle_of(deck) is not None:
        return False
    runner.apply(Shuffled())
    return True


def _new(contract: Contract, wait: Shuffle) -> Deck:
    keys = {}
    for name, seat in contract.seats.items():
        if wait.deck not in seat.decks:
            raise MalformedError(f"the contract has no keys for the shared deck {wait.deck}")
        message = wire.from_lines(seat.decks[wait.deck])
        assert isinstance(message, wire.Keys), "the contract was checked when it was signed"
        keys[name] = message.keys
    deck: Deck = deck_state.new_deck(contract.game, wait.deck, keys, range(len(wait.cards)))
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


def _settle_deal(runner: Stretch, wait: Deliver) -> bool:
    name = deck_name(wait.handles[0])
    deck = load(runner.state, name)
    slots = [slot_of(h) for h in wait.handles]
    lying = {one.slot: one for one in deck.lying}
    if any(lying[slot].holder is None for slot in slots):
        deck = dealing.draw(deck, wait.taker, slots)
        save(runner.state, name, deck)
        lying = {one.slot: one for one in deck.lying}
    if any(lying[slot].owed for slot in slots):
        return False
    runner.delivered()
    return True


def _settle_open(runner: Stretch, handles: Sequence[Handle]) -> bool:
    name = deck_name(handles[0])
    deck = load(runner.state, name)
    stock = set(deck_state.stock(deck))
    lying = [slot_of(h) for h in handles if slot_of(h) in stock]
    if lying:
        save(runner.state, name, dealing.turn_up(deck, lying))
    if not all(h in runner.turned_up for h in handles):
        return False
    runner.apply(Opened({h: runner.turned_up[h] for h in handles}))
    return True


# --- messages


def make(pos: Position, state: State, wait: Wait, seat: str, secret: bytes) -> tuple[str, ...]:
    """The message that this seat owes."""
    if isinstance(wait, Shuffle):
        deck = load(state, wait.deck)
        if seat in _without_key(deck, wait):
            first = len(deck.keys[deck.seats.index(seat)])
            return tuple(wire.to_lines(deck_state.make_keys(deck.game, seat, wait.deck, secret, first)))
        if seat in shuffling.carriers(deck):
            return tuple(wire.to_lines(shuffling.make_carry(deck, seat, secret)))
        return tuple(wire.to_lines(shuffling.make_shuffle(deck, seat, secret)))
    handles: tuple[Handle, ...] = wait.handles  # type: ignore[union-attr]
    deck = load(state, deck_name(handles[0]))
    if isinstance(wait, Deliver) and wait.giver:
        return tuple(
            wire.to_lines(
                dealing.make_hand_over(deck, seat, secret, wait.taker, [slot_of(h) for h in handles])
            )
        )
    if isinstance(wait, Open):
        held = {one.slot: one.holder for one in deck.lying}
        mine = sorted(slot_of(h) for h in handles if held.get(slot_of(h)) == seat)
        if mine:
            groups = [[s for s in mine if s.epoch == e] for e in sorted({s.epoch for s in mine})]
            return tuple(wire.pack([dealing.make_show(deck, seat, secret, group) for group in groups]))
    return tuple(
        wire.pack([dealing.make_shares(deck, seat, secret, slots) for slots in dealing.owes(deck, seat)])
    )


def take(runner: Stretch, seat: str, name: str, lines: Sequence[str]) -> None:
    """A message of a seat that owed one. A wrong one is its author's fault."""
    wait = runner.machine.waits_for(runner.pos)
    deck = load(runner.state, name)
    try:
        messages = wire.unpack(lines)
        deck, shown = _take_all(deck, seat, messages, wait)
    except (deck_state.Refused, MalformedError) as error:
        raise Culprit(seat, DeckMessageWrong(name)) from error
    save(runner.state, name, deck)
    if isinstance(wait, Shuffle):
        runner.committed()
    if deck.spoilt:
        raise Culprit("", DeckSpoilt(name))
    names = runner.state.decks[name].names
    for one in shown:
        if one.card is not None:
            runner.turned_up[card_handle(name, one.slot.epoch + 1, one.slot.place)] = names[one.card]
    if isinstance(wait, Deliver) and wait.giver:
        runner.delivered()


def _take_all(
    deck: Deck, seat: str, messages: Sequence[wire.Message], wait: Wait
) -> tuple[Deck, list[deck_state.Shown]]:
    shown: list[deck_state.Shown] = []
    wanted = _expected(deck, seat, wait)
    if [type(m) for m in messages] != [kind for kind, _ in wanted]:
        raise MalformedError("another message than the one that is owed")
    for message, (_, slots) in zip(messages, wanted, strict=True):
        match message:
            case wire.Keys():
                deck = deck_state.more_keys(deck, seat, message)
            case wire.Carry():
                deck = shuffling.take_carry(deck, seat, message)
            case wire.ShuffleStep():
                deck = shuffling.take_shuffle(deck, seat, message)
            case wire.HandOver():
                assert isinstance(wait, Deliver)
                if message.taker != wait.taker or [c.slot for c in message.cards] != slots:
                    raise MalformedError("other cards are handed over than those asked for")
                deck = dealing.take_hand_over(deck, seat, message)
            case wire.Shares():
                if list(message.slots) != slots:
                    raise MalformedError("shares of other cards than those asked for")
                held = {one.slot: one.holder for one in deck.lying}
                showing = isinstance(wait, Open) and held[message.slots[0]] == seat
                deck, new = (dealing.take_show if showing else dealing.take_shares)(deck, seat, message)
                shown += new
    return deck, shown


def _expected(deck: Deck, seat: str, wait: Wait) -> list[tuple[type[wire.Message], list[wire.Spot]]]:
    """The messages that a seat owes: their class and the slots they must name."""
    if isinstance(wait, Shuffle):
        if seat in _without_key(deck, wait):
            return [(wire.Keys, [])]
        return [(wire.Carry if seat in shuffling.carriers(deck) else wire.ShuffleStep, [])]
    handles: tuple[Handle, ...] = wait.handles  # type: ignore[union-attr]
    if isinstance(wait, Deliver) and wait.giver:
        return [(wire.HandOver, [slot_of(h) for h in handles])]
    held = {one.slot: one.holder for one in deck.lying}
    mine = sorted(slot_of(h) for h in handles if held.get(slot_of(h)) == seat)
    if isinstance(wait, Open) and mine:
        return [(wire.Shares, [s for s in mine if s.epoch == e]) for e in sorted({s.epoch for s in mine})]
    return [(wire.Shares, list(slots)) for slots in dealing.owes(deck, seat)]


# --- cards shown with an order


def opening(state: State, seat: str, secret: bytes, handle: Handle) -> Opening:
    """The opening of a card in the seat's hand; an impossible card is shown all the same, as evidence."""
    name = deck_name(handle)
    deck = load(state, name)
    slot = slot_of(handle)
    number = dealing.held_number(deck, seat, secret, slot)
    value = state.decks[name].names[number] if number is not None else ""
    return Opening(handle, value, share=tuple(wire.to_lines(dealing.make_show(deck, seat, secret, [slot]))))


def check_shown(runner: Stretch, seat: str, opened: Opening) -> Deck:
    """The deck after a card was shown, if the proof is right and the card is what it is said to be."""
    name = deck_name(opened.slot)
    try:
        message = wire.from_lines(opened.share)
        if not isinstance(message, wire.Shares) or list(message.slots) != [slot_of(opened.slot)]:
            raise MalformedError("another card is shown than the one named")
        deck, shown = dealing.take_show(load(runner.state, name), seat, message)
    except (deck_state.Refused, MalformedError) as error:
        raise Culprit(seat, DeckMessageWrong(name)) from error
    card = shown[0].card
    if deck.spoilt or card is None:
        raise Culprit("", DeckSpoilt(name))
    if runner.state.decks[name].names[card] != opened.value:
        raise Culprit(seat, CardWrong(opened.value))
    result: Deck = deck
    return result


def show(runner: Stretch, seat: str, openings: Sequence[Opening]) -> None:
    """Cards that an order has really played lie open from now on."""
    for opened in openings:
        if opened.share:
            save(runner.state, deck_name(opened.slot), check_shown(runner, seat, opened))


def card(state: State, seat: str, secret: bytes, handle: Handle) -> str | None:
    """What a seat sees in a card it holds; None while shares are missing."""
    name = deck_name(handle)
    deck = load(state, name)
    slot = slot_of(handle)
    one = next((o for o in deck.lying if o.slot == slot), None)
    if one is None or one.holder != seat or one.owed:
        return None
    found: int = dealing.find_card(deck, seat, secret, slot)
    return state.decks[name].names[found]
