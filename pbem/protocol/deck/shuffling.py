"""Shuffles of a shared deck: first unseen cards are carried into the new epoch, then every seat shuffles.

Invariants: the carrying is over before the first shuffle, so an old key touches only cards of the old
agreed deck; every published list is kept as a digest that the audit compares with the one list the seat's
secret makes. `dealing` has the overview.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from pbem.errors import UsageError, VerificationError
from pbem.protocol.crypto.canonical import digest, encode
from pbem.protocol.deck import masking
from pbem.protocol.deck.masking import Masked
from pbem.protocol.deck.shares import check_pass_on, check_shares, pass_on, prove_shares
from pbem.protocol.deck.state import (
    TABLE,
    Deck,
    Epoch,
    Lying,
    blaming,
    card_point,
    joint_key,
    key_of,
    own_scalar,
    playable,
)
from pbem.protocol.deck.wire import Carry, ShuffleStep, Spot, masked_bytes

# --- shuffles ----------------------------------------------------------------------------------------


def begin_shuffle(
    deck: Deck, cards: Iterable[int], slots: Iterable[Spot] = (), order: Sequence[str] | None = None
) -> Deck:
    """A new epoch begins: open `cards` and unseen `slots` (of the stock or a hand) become one new stock.

    Unseen cards are first carried over by the seats in `carriers`, then all shuffle, in `order`.
    """
    playable(deck)
    cards, slots, order = sorted(cards), sorted(slots), tuple(order or deck.seats)
    if shuffle_of(deck) is not None:
        raise UsageError(f"deck {deck.name} is being shuffled already")
    if sorted(order) != sorted(deck.seats) or not (cards or slots):
        raise UsageError(f"a shuffle of deck {deck.name} needs cards, and every seat once")
    for number, card in enumerate(cards):
        if card not in deck.open or card in cards[:number]:
            raise VerificationError(
                f"card {card} of deck {deck.name} does not lie open: it cannot go back in"
            )
    lying = {one.slot: one for one in deck.lying}
    unseen = []
    for slot in slots:
        one = lying.pop(slot, None)
        if one is None or one.owed or one.holder == TABLE:
            raise VerificationError(
                f"slot {slot} of deck {deck.name} is not a card that can be returned unseen"
            )
        unseen.append(replace(one, owed=deck.seats if one.holder is None else (one.holder,)))
    epoch = Epoch(len(deck.epochs), order, tuple(cards), tuple(unseen))
    joint_key(deck, epoch.number)  # refuses now, not in the middle, when keys have run out
    left = tuple([card for card in deck.open if card not in cards])
    return _start_list(replace(deck, open=left, lying=tuple(lying.values()), epochs=(*deck.epochs, epoch)))


def shuffle_of(deck: Deck) -> Epoch | None:
    """The shuffle that is going on, if any."""
    last = deck.epochs[-1] if deck.epochs else None
    return last if last is not None and len(last.lists) < len(last.order) else None


def carriers(deck: Deck) -> tuple[str, ...]:
    """Seats that must still carry unseen cards over before the shuffle."""
    epoch = shuffle_of(deck)
    owed = {seat for one in epoch.unseen for seat in one.owed} if epoch else set()
    return tuple([seat for seat in deck.seats if seat in owed])


def next_shuffler(deck: Deck) -> str | None:
    """The seat whose shuffle is awaited."""
    epoch = shuffle_of(deck)
    return None if epoch is None or carriers(deck) else epoch.order[len(epoch.lists)]


def make_shuffle(deck: Deck, seat: str, secret: bytes) -> ShuffleStep:
    """The seat permutes and re-masks the whole deck."""
    epoch = _own_shuffle(deck, seat)
    own_scalar(deck, seat, secret, epoch.number)
    return ShuffleStep(epoch.number, shuffle_list(deck, epoch.number, seat, secret, deck.masked))


def shuffle_list(
    deck: Deck, epoch: int, seat: str, secret: bytes, cards: Sequence[Masked]
) -> tuple[Masked, ...]:
    """The one list that this secret makes of `cards`; the audit compares with it."""
    context = encode("deck-shuffle", deck.game, deck.name, epoch, seat)
    return masking.shuffled(cards, joint_key(deck, epoch), secret, context)


def take_shuffle(deck: Deck, seat: str, step: ShuffleStep) -> Deck:
    """The deck after this seat's shuffle; after the last one, the new stock."""
    playable(deck)
    with blaming(seat):
        epoch = _own_shuffle(deck, seat)
        if step.epoch != epoch.number:
            raise VerificationError(f"shuffles epoch {step.epoch} instead of {epoch.number}")
        check_shuffle_step(deck, step)
    lists = (*epoch.lists, list_digest(deck, epoch.number, seat, step.masked))
    deck = replace(deck, epochs=(*deck.epochs[:-1], replace(epoch, lists=lists)), masked=step.masked)
    if len(lists) < len(epoch.order):
        return deck
    stock = [Lying(Spot(epoch.number, i), card) for i, card in enumerate(step.masked)]
    return replace(deck, lying=(*deck.lying, *stock), masked=())


def check_shuffle_step(deck: Deck, step: ShuffleStep) -> None:
    """What can be seen at once of a seat's shuffle: its size, its points, and that nothing is repeated.

    This is the place for a zero-knowledge proof that `step.masked` is a permutation of `deck.masked`
    (Terelius-Wikström as in Haenni et al.), carried in `step.proof`. This version has none and refuses a
    filled field. Without it, a dishonest shuffler can know, double or replace cards *until the audit*,
    which re-derives the list from its secret and names it. It cannot choose what anybody draws: the joint
    index does that.
    """
    if step.proof:
        raise VerificationError("a shuffle carries a proof, which this version does not know")
    if len(step.masked) != len(deck.masked):
        raise VerificationError(f"a shuffle of {len(deck.masked)} cards returns {len(step.masked)}")
    known = {part for card in deck.masked for part in card}
    known.update([part for one in deck.lying for part in one.masked])
    for i, card in enumerate(step.masked):
        for part in card:
            masking.point(part, f"card {i} of a shuffle")
            if part in known:
                raise VerificationError(f"card {i} of a shuffle repeats a point: it was not masked anew")
            known.add(part)


def list_digest(deck: Deck, epoch: int, seat: str, cards: Sequence[Masked]) -> bytes:
    """What the state keeps of a published list."""
    return digest("deck-list", deck.game, deck.name, epoch, seat, masked_bytes(cards))


def start_list(deck: Deck, epoch: Epoch) -> tuple[Masked, ...]:
    """Where the first shuffler of an epoch begins: the open cards, then the unseen ones."""
    key = joint_key(deck, epoch.number)
    cards = [masking.lay_open(card_point(deck, epoch.number, card), key) for card in epoch.cards]
    return (*cards, *[one.masked for one in epoch.unseen])


def _start_list(deck: Deck) -> Deck:
    return deck if carriers(deck) else replace(deck, masked=start_list(deck, deck.epochs[-1]))


def _own_shuffle(deck: Deck, seat: str) -> Epoch:
    playable(deck)
    epoch = shuffle_of(deck)
    if epoch is None or next_shuffler(deck) != seat:
        raise VerificationError(f"it is not this seat's turn to shuffle deck {deck.name}")
    return epoch


# --- unseen cards on their way into a new epoch ------------------------------------------------------


def make_carry(deck: Deck, seat: str, secret: bytes) -> Carry:
    """The seat's part in bringing every unseen card that waits for it under the new epoch's key."""
    epoch, mine = _own_carry(deck, seat)
    new = own_scalar(deck, seat, secret, epoch.number)
    switches = []
    for old, ones in _by_epoch([one for one in mine if one.holder is None]):
        x = masking.scalar_sub(new, own_scalar(deck, seat, secret, old))
        shares = prove_shares(deck, seat, secret, x, ones, _carry_context(epoch))
        switches.append(shares)
    key = joint_key(deck, epoch.number)
    held = [one for one in mine if one.holder is not None]
    returned = [pass_on(deck, seat, secret, one, key, _carry_context(epoch)) for one in held]
    return Carry(epoch.number, tuple(switches), tuple(returned))


def take_carry(deck: Deck, seat: str, carry: Carry) -> Deck:
    """The deck after this seat's part; after the last one the shuffles begin."""
    playable(deck)
    with blaming(seat):
        epoch, mine = _own_carry(deck, seat)
        groups = _by_epoch([one for one in mine if one.holder is None])
        held = [one for one in mine if one.holder is not None]
        named = [one.slots for one in carry.switches], [one.slot for one in carry.returned]
        wanted = [tuple([one.slot for one in ones]) for _, ones in groups], [one.slot for one in held]
        if carry.epoch != epoch.number or named != wanted:
            raise VerificationError("carries other cards than those that wait for it")
        moved: dict[Spot, Masked] = {}
        for (old, ones), shares in zip(groups, carry.switches, strict=True):
            key = masking.sub(key_of(deck, seat, epoch.number), key_of(deck, seat, old))
            check_shares(deck, seat, key, ones, shares, _carry_context(epoch))
            added = zip(ones, shares.shares, strict=True)
            moved |= {one.slot: Masked(one.masked.a, masking.add(one.masked.b, p)) for one, p in added}
        for one, passed in zip(held, carry.returned, strict=True):
            check_pass_on(deck, seat, one, joint_key(deck, epoch.number), passed, _carry_context(epoch))
            moved[one.slot] = passed.masked
    unseen = tuple([_part_done(one, seat, moved.get(one.slot)) for one in epoch.unseen])
    return _start_list(replace(deck, epochs=(*deck.epochs[:-1], replace(epoch, unseen=unseen))))


def _own_carry(deck: Deck, seat: str) -> tuple[Epoch, list[Lying]]:
    playable(deck)
    epoch = shuffle_of(deck)
    mine = [one for one in epoch.unseen if seat in one.owed] if epoch else []
    if epoch is None or not mine:
        raise VerificationError(f"has no card of deck {deck.name} to carry over")
    return epoch, mine


def _carry_context(epoch: Epoch) -> bytes:
    return encode("deck-carry", epoch.number)


def _by_epoch(ones: Sequence[Lying]) -> list[tuple[int, list[Lying]]]:
    return [(epoch, list(group)) for epoch, group in groupby(ones, key=lambda one: one.slot.epoch)]


def _part_done(one: Lying, seat: str, masked: Masked | None) -> Lying:
    if masked is None:
        return one
    return replace(one, masked=masked, owed=tuple([other for other in one.owed if other != seat]))
