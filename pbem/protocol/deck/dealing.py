"""A deck shared by 2 to 6 seats, each with a hidden hand: its public state, and what may happen to it.

The deck knows points, slots, epochs and card numbers, nothing of entries or of what a card does. The state
is public and the same on every machine; secrets are passed in where a seat makes a message. For every
message there is a `make_` (needs the seat's secret) and a `take_` (what everybody does with it: check it,
then return the next state). `begin_shuffle`, `draw` and `turn_up` follow from the rules and joint dice.

Invariants:
- One shuffle, one epoch, one new key per seat. A share under one epoch's key is worthless in another, so
  nothing planted in a new deck can open a card of an old hand. No epoch number serves twice, not even after
  a take-back: one key on two lists would be such an opening.
- A share is made only for a slot of the agreed deck that the state says is owed, never for a point.
- A refusal (`Refused`) names the seat whose message it was. A card that is no card, or is out already, is
  no fault of the seat that shows it: the state is then `spoilt`, and the audit names the shuffler.
- Checked at once: keys, shares, shown cards, cards handed over, cards returned unseen. Checked only in the
  audit: that each shuffle was a permutation, from the seat's secret (`check_shuffle_step` says what that
  leaves open until then).

A hand card hangs on its holder's key alone: the others' shares are taken off. To hand it over, the holder
puts it under the taker's key with a proof that everybody checks, so there is no box to complain about. To
return it unseen, the holder puts it under the sum of the new epoch's keys with the same proof. A card of
the stock moves to a new epoch by (new key - old key)·a from every seat, proven like a share. All this
happens before the first shuffle of the epoch, so the old keys touch only cards of the old agreed deck:
moved along from shuffler to shuffler, a planted copy of an enemy's hand card would be decrypted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.errors import UsageError, VerificationError
from pbem.protocol.crypto.canonical import encode
from pbem.protocol.deck import masking
from pbem.protocol.deck.shares import check_pass_on, check_shares, pass_on, prove_shares
from pbem.protocol.deck.state import (
    AUDIT_HINT,
    TABLE,
    Deck,
    Lying,
    Shown,
    blaming,
    card_of,
    key_of,
    own_scalar,
    playable,
    stock,
)
from pbem.protocol.deck.wire import (
    HandOver,
    Shares,
    Spot,
)

# --- draws -------------------------------------------------------------------------------------------


def draw(deck: Deck, seat: str, slots: Iterable[Spot]) -> Deck:
    """Slots of the stock, found by a joint index, go to a seat; every other seat now owes its share."""
    if seat not in deck.seats:
        raise UsageError(f"deck {deck.name} has no seat {seat}")
    return _leave_stock(deck, slots, seat, tuple([other for other in deck.seats if other != seat]))


def turn_up(deck: Deck, slots: Iterable[Spot]) -> Deck:
    """Slots of the stock, found by a joint index, are turned up for all; every seat now owes its share."""
    return _leave_stock(deck, slots, TABLE, deck.seats)


def _leave_stock(deck: Deck, slots: Iterable[Spot], holder: str, owed: tuple[str, ...]) -> Deck:
    playable(deck)
    wanted = set(slots)
    missing = wanted - set(stock(deck))
    if missing:
        raise VerificationError(f"slot {min(missing)} is not in the stock of deck {deck.name}")
    lying = [replace(one, holder=holder, owed=owed) if one.slot in wanted else one for one in deck.lying]
    return replace(deck, lying=tuple(lying))


def owes(deck: Deck, seat: str) -> tuple[tuple[Spot, ...], ...]:
    """The slots this seat owes a share of, one group for each epoch: one `Shares` message each."""
    mine = [one.slot for one in deck.lying if seat in one.owed]
    return tuple([tuple([slot for slot in mine if slot.epoch == e]) for e in sorted({s.epoch for s in mine})])


def make_shares(deck: Deck, seat: str, secret: bytes, slots: Sequence[Spot], context: bytes = b"") -> Shares:
    """The seat's shares of slots of one epoch that it owes; refused for any other slot."""
    cards = _owed_cards(deck, seat, slots)
    x = own_scalar(deck, seat, secret, cards[0].slot.epoch)
    return prove_shares(deck, seat, secret, x, cards, encode("deck-share", context))


def take_shares(
    deck: Deck, seat: str, shares: Shares, context: bytes = b""
) -> tuple[Deck, tuple[Shown, ...]]:
    """The deck with these shares taken off, and the turned-up cards that this was the last share of."""
    playable(deck)
    with blaming(seat):
        cards = _owed_cards(deck, seat, shares.slots)
        key = key_of(deck, seat, cards[0].slot.epoch)
        check_shares(deck, seat, key, cards, shares, encode("deck-share", context))
    deck = _take_off(deck, seat, shares)
    return _show(deck, [one for one in _at(deck, shares.slots) if one.holder == TABLE and not one.owed])


def _owed_cards(deck: Deck, seat: str, slots: Sequence[Spot]) -> list[Lying]:
    playable(deck)
    _one_epoch(slots)
    cards = _at(deck, slots)
    for one in cards:
        if seat not in one.owed:
            raise VerificationError(f"slot {one.slot} of deck {deck.name} is none it owes a share of")
    return cards


def _take_off(deck: Deck, seat: str, shares: Shares) -> Deck:
    given = dict(zip(shares.slots, shares.shares, strict=True))
    lying = []
    for one in deck.lying:
        if one.slot in given:
            rest = tuple([other for other in one.owed if other != seat])
            one = replace(one, masked=masking.take_off(one.masked, given[one.slot]), owed=rest)
        lying.append(one)
    return replace(deck, lying=tuple(lying))


# --- hands -------------------------------------------------------------------------------------------


def held_number(deck: Deck, seat: str, secret: bytes, slot: Spot) -> int | None:
    """The number that this seat finds in `slot`, even where a planted card makes it impossible."""
    (one,) = _own_cards(deck, seat, [slot])
    x = own_scalar(deck, seat, secret, slot.epoch)
    return card_of(deck, slot.epoch, masking.sub(one.masked.b, masking.times(x, one.masked.a)))


def find_card(deck: Deck, seat: str, secret: bytes, slot: Spot) -> int:
    """The card that this seat holds in `slot`; nobody else can tell."""
    card = held_number(deck, seat, secret, slot)
    if card is None or card in deck.open:
        what = "no card of the deck" if card is None else f"card {card}, which lies open already"
        raise VerificationError(
            f"slot {slot} of deck {deck.name} holds {what}", f"show it to all, and {AUDIT_HINT}"
        )
    return card


def hand(deck: Deck, seat: str, secret: bytes) -> dict[Spot, int]:
    """The cards a seat can see, by slot; those it still waits for are left out."""
    seen = [one.slot for one in deck.lying if one.holder == seat and not one.owed]
    return {slot: find_card(deck, seat, secret, slot) for slot in seen}


def make_show(deck: Deck, seat: str, secret: bytes, slots: Sequence[Spot], context: bytes = b"") -> Shares:
    """The holder's own shares of slots of one epoch: it shows these cards to everybody."""
    _one_epoch(slots)
    cards = _own_cards(deck, seat, slots)
    x = own_scalar(deck, seat, secret, cards[0].slot.epoch)
    return prove_shares(deck, seat, secret, x, cards, encode("deck-show", context))


def take_show(deck: Deck, seat: str, shares: Shares, context: bytes = b"") -> tuple[Deck, tuple[Shown, ...]]:
    """The deck after a seat has shown cards of its hand, and the cards."""
    playable(deck)
    with blaming(seat):
        _one_epoch(shares.slots)
        cards = _own_cards(deck, seat, shares.slots)
        key = key_of(deck, seat, cards[0].slot.epoch)
        check_shares(deck, seat, key, cards, shares, encode("deck-show", context))
    deck = _take_off(deck, seat, shares)
    return _show(deck, _at(deck, shares.slots))


def make_hand_over(deck: Deck, seat: str, secret: bytes, taker: str, slots: Sequence[Spot]) -> HandOver:
    """Cards of the seat's hand, given or stolen, under the taker's key."""
    cards = _own_cards(deck, seat, slots)
    passed = [
        pass_on(deck, seat, secret, one, key_of(deck, taker, one.slot.epoch), _handing(taker))
        for one in cards
    ]
    return HandOver(taker, tuple(passed))


def take_hand_over(deck: Deck, seat: str, message: HandOver) -> Deck:
    """The deck after cards went to another hand; everybody checks that they are the cards of their slots."""
    playable(deck)
    with blaming(seat):
        if message.taker not in deck.seats or message.taker == seat:
            raise VerificationError("hands cards to no other seat of the deck")
        cards = _own_cards(deck, seat, [passed.slot for passed in message.cards])
        new = {}
        for one, passed in zip(cards, message.cards, strict=True):
            key = key_of(deck, message.taker, one.slot.epoch)
            check_pass_on(deck, seat, one, key, passed, _handing(message.taker))
            new[one.slot] = Lying(one.slot, passed.masked, message.taker)
    return replace(deck, lying=tuple([new.get(one.slot, one) for one in deck.lying]))


def _handing(taker: str) -> bytes:
    return encode("deck-hand-over", taker)


def _own_cards(deck: Deck, seat: str, slots: Sequence[Spot]) -> list[Lying]:
    playable(deck)
    cards = _at(deck, slots)
    for one in cards:
        if one.holder != seat:
            raise VerificationError(f"slot {one.slot} of deck {deck.name} is not in its hand")
        if one.owed:
            raise VerificationError(
                f"slot {one.slot} of deck {deck.name} still lacks a share of {one.owed[0]}"
            )
    return cards


# --- slots and cards ---------------------------------------------------------------------------------


def _at(deck: Deck, slots: Sequence[Spot]) -> list[Lying]:
    lying = {one.slot: one for one in deck.lying}
    if not slots or len(set(slots)) != len(slots):
        raise VerificationError(f"names no slot of deck {deck.name}, or one of them twice")
    for slot in slots:
        if slot not in lying:
            raise VerificationError(f"there is no card in slot {slot} of deck {deck.name}")
    return [lying[slot] for slot in slots]


def _one_epoch(slots: Sequence[Spot]) -> None:
    if len({slot.epoch for slot in slots}) > 1:
        raise VerificationError("mixes shares of several epochs in one message")


def _show(deck: Deck, cards: Sequence[Lying]) -> tuple[Deck, tuple[Shown, ...]]:
    """Cards without any mask left become open, unless they are no cards or lie open already."""
    shown = []
    for one in cards:
        card = card_of(deck, one.slot.epoch, one.masked.b)
        shown.append(Shown(one.slot, card))
        if card is None:
            deck = replace(deck, spoilt=f"{one.slot} no card")
        elif card in deck.open:
            deck = replace(deck, spoilt=f"{one.slot} card {card} again")
        else:
            deck = replace(deck, open=tuple(sorted([*deck.open, card])))
    gone = {one.slot for one in cards}
    return replace(deck, lying=tuple([one for one in deck.lying if one.slot not in gone])), tuple(shown)
