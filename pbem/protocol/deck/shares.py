"""Where a seat's secret key meets a card: shares, and cards passed on to another key.

Invariants: the points that are multiplied come out of the state, never out of a message; every proof is
bound to game, deck, seat, epoch, slots and the caller's context.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import VerificationError
from pbem.protocol.crypto.canonical import encode
from pbem.protocol.deck import masking
from pbem.protocol.deck.state import Deck, Lying, key_of, own_scalar
from pbem.protocol.deck.wire import PassOn, Shares


def prove_shares(
    deck: Deck, seat: str, secret: bytes, x: bytes, cards: Sequence[Lying], context: bytes
) -> Shares:
    """x·a for each card (all of one epoch), with one proof."""
    inputs = [one.masked.a for one in cards]
    shares = tuple([masking.times(x, a) for a in inputs])
    proof = masking.prove_shares(x, inputs, shares, _bound(deck, seat, cards, context), secret)
    return Shares(tuple([one.slot for one in cards]), shares, proof)


def check_shares(
    deck: Deck, seat: str, key: bytes, cards: Sequence[Lying], shares: Shares, context: bytes
) -> None:
    """Refuses shares that are not the cards' times the secret of `key`."""
    for slot, share in zip(shares.slots, shares.shares, strict=True):
        masking.point(share, f"the share of slot {slot}")
    inputs = [one.masked.a for one in cards]
    bound = _bound(deck, seat, cards, context)
    if not masking.check_shares(key, inputs, shares.shares, bound, shares.proof):
        named = ", ".join([str(slot) for slot in shares.slots])
        raise VerificationError(
            f"its shares of slot {named} of deck {deck.name} are not made with its key",
            "nothing was opened; the signed message is the proof",
        )


def pass_on(deck: Deck, seat: str, secret: bytes, card: Lying, key: bytes, context: bytes) -> PassOn:
    """A card of the seat's hand under `key`, with a proof."""
    x = own_scalar(deck, seat, secret, card.slot.epoch)
    bound = _bound(deck, seat, [card], context)
    r = masking.secret_scalar(secret, "deck-pass-mask", bound, key, *card.masked)
    masked, proof = masking.prove_passed_on(x, card.masked, key, r, bound, secret)
    return PassOn(card.slot, masked, proof)


def check_pass_on(deck: Deck, seat: str, card: Lying, key: bytes, passed: PassOn, context: bytes) -> None:
    """Refuses a card passed on that is not the one of its slot."""
    for part in passed.masked:
        masking.point(part, f"the card passed on from slot {passed.slot}")
    giver = key_of(deck, seat, card.slot.epoch)
    bound = _bound(deck, seat, [card], context)
    if not masking.check_passed_on(giver, card.masked, key, passed.masked, bound, passed.proof):
        raise VerificationError(
            f"passes on another card than the one in slot {card.slot} of deck {deck.name}",
            "the card stays where it was; the signed message is the proof",
        )


def _bound(deck: Deck, seat: str, cards: Sequence[Lying], context: bytes) -> bytes:
    slots = [str(one.slot) for one in cards]
    return encode("deck-proof-of", deck.game, deck.name, seat, len(slots), *slots, context)
