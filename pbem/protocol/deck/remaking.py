"""The audit of a shared deck: when all secrets are out, every shuffle is made again and compared.

What was proven at once (keys' possession, shares, cards shown, handed over or returned) needs no second
look. Left are the secrets themselves and the shuffles. They are gone through in the order in which they
were published, and the first that is not what its seat's secret makes of the list before it names that
seat: everything before it was honest, so nobody else can have caused it. The published list stands in an
entry that the culprit signed.

After an honest record the audit tells the card of every slot there ever was, so that claims about hidden
cards ("I hold no such card") can be checked against the slots noted when they were made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.protocol.deck import masking
from pbem.protocol.deck.masking import Masked
from pbem.protocol.deck.shuffling import list_digest, shuffle_list, start_list
from pbem.protocol.deck.state import Deck, Epoch, card_of, deck_scalar
from pbem.protocol.deck.wire import Spot


@dataclass(frozen=True, slots=True)
class Remade:
    """What the audit of a deck came to."""

    culprit: str | None
    """The seat that cheated first, or None."""
    reason: str = ""
    epoch: int | None = None
    """Which of its shuffles is not what its secret makes, if it is one."""
    cards: Mapping[Spot, int] = field(default_factory=dict)
    """The card of every slot of every finished epoch, if nobody cheated."""


def audit(deck: Deck, secrets: Mapping[str, bytes]) -> Remade:
    """Re-derive keys and shuffles from the published secrets; name whoever did not follow its own."""
    for seat, own in zip(deck.seats, deck.keys, strict=True):
        if seat not in secrets:
            return Remade(seat, "has not published its secret")
        for epoch, key in enumerate(own):
            if masking.base(deck_scalar(secrets[seat], deck.name, epoch)) != key:
                return Remade(seat, f"its key of epoch {epoch} is not from its secret")
    cards: dict[Spot, int] = {}
    for number in deck.epochs:
        found = _audit_shuffle(deck, number, secrets)
        if isinstance(found, Remade):
            return found
        cards |= found
    return Remade(None, cards=cards)


def _audit_shuffle(deck: Deck, epoch: Epoch, secrets: Mapping[str, bytes]) -> Remade | dict[Spot, int]:
    if any(one.owed for one in epoch.unseen):
        return {}
    masked = start_list(deck, epoch)
    for seat, published in zip(epoch.order, epoch.lists, strict=False):
        masked = shuffle_list(deck, epoch.number, seat, secrets[seat], masked)
        if list_digest(deck, epoch.number, seat, masked) != published:
            return Remade(seat, f"its shuffle of epoch {epoch.number} is not from its secret", epoch.number)
    if len(epoch.lists) < len(epoch.order):
        return {}
    return _cards(deck, epoch, masked, secrets)


def _cards(
    deck: Deck, epoch: Epoch, masked: tuple[Masked, ...], secrets: Mapping[str, bytes]
) -> dict[Spot, int]:
    """The card of each slot: after honest shuffles of an honest list every one is a card of the deck."""
    scalars = [deck_scalar(secrets[seat], deck.name, epoch.number) for seat in deck.seats]
    whole = masking.scalar_total(scalars)
    found = {}
    for place, one in enumerate(masked):
        card = card_of(deck, epoch.number, masking.sub(one.b, masking.times(whole, one.a)))
        if card is None:
            raise AssertionError(f"slot {epoch.number}.{place} is no card after honest shuffles")
        found[Spot(epoch.number, place)] = card
    return found
