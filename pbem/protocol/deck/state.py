"""The public state of a shared deck, the keys behind it, and which point is which card.

Invariants: everything here is public, the same on every machine, and a pure function of what the seats
published; a card's point depends on game, deck, epoch and card number alone. `dealing` has the overview
and the operations, `deck_lines` the text of the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache

from pbem.errors import UsageError, VerificationError
from pbem.protocol.crypto.canonical import encode
from pbem.protocol.deck import masking
from pbem.protocol.deck.masking import Masked
from pbem.protocol.deck.wire import Keys, Spot

TABLE = "*"
"""Holder of a card turned up for all; no seat has this name."""
KEYS_AHEAD = 16
"""Keys published with the contract: one per shuffle, more may follow."""
AUDIT_HINT = "end the game here and publish the secrets: the audit names the seat that shuffled dishonestly"


class Refused(VerificationError):
    """A message that its author should not have sent; `culprit` is the author's seat."""

    def __init__(self, culprit: str, message: str, hint: str | None = None) -> None:
        super().__init__(f"seat {culprit}: {message}", hint)
        self.culprit = culprit


@contextmanager
def blaming(seat: str) -> Iterator[None]:
    """Whatever does not verify in here is the fault of this seat."""
    try:
        yield
    except Refused:
        raise
    except VerificationError as error:
        raise Refused(seat, error.message, error.hint) from error


@dataclass(frozen=True, slots=True)
class Lying:
    """A card nobody but its holder can see."""

    slot: Spot
    masked: Masked
    """As shuffled, less the shares already given."""
    holder: str | None = None
    """Who may see it: None for the stock, a seat, or TABLE. Where it lies in play is up to the game."""
    owed: tuple[str, ...] = ()
    """Seats whose part is still to come before the holder can see it (or before it is carried over)."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """One shuffle, as far as the audit needs it."""

    number: int
    order: tuple[str, ...]
    """Seats in the order in which they shuffle."""
    cards: tuple[int, ...]
    """Cards that went in face up."""
    unseen: tuple[Lying, ...] = ()
    """Cards that went in unseen: old slot, and the masked card under this epoch's key."""
    lists: tuple[bytes, ...] = ()
    """Digest of the list each seat published, in `order`."""


@dataclass(frozen=True, slots=True)
class Deck:
    """The public state of one shared deck."""

    game: bytes
    name: str
    seats: tuple[str, ...]
    keys: tuple[tuple[bytes, ...], ...]
    """For each seat its key of every epoch."""
    open: tuple[int, ...]
    """Cards whose place everybody knows: before the first shuffle all of them."""
    lying: tuple[Lying, ...] = ()
    """All other cards, by slot."""
    epochs: tuple[Epoch, ...] = ()
    """Shuffles begun; all but the last are done."""
    masked: tuple[Masked, ...] = ()
    """The deck as the last shuffler of an unfinished shuffle left it."""
    spoilt: str = ""
    """Why the deck cannot be played on, if so."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A card that everybody sees now; None if the slot holds no card of the deck."""

    slot: Spot
    card: int | None


# --- keys --------------------------------------------------------------------------------------------


def deck_scalar(secret: bytes, name: str, epoch: int) -> bytes:
    """The secret key of a seat for one epoch of one deck."""
    return masking.secret_scalar(secret, "deck-key", name, epoch)


def make_keys(
    listing: bytes, seat: str, name: str, secret: bytes, first: int = 0, count: int = KEYS_AHEAD
) -> Keys:
    """The seat's public keys for `count` epochs; `listing` is the list that all sign, or later the game."""
    scalars = [(epoch, deck_scalar(secret, name, epoch)) for epoch in range(first, first + count)]
    proofs = [masking.prove_key(x, _key_context(listing, seat, name, e), secret) for e, x in scalars]
    return Keys(first, tuple([masking.base(x) for _, x in scalars]), tuple(proofs))


def check_keys(listing: bytes, seat: str, name: str, keys: Keys, first: int = 0) -> tuple[bytes, ...]:
    """The keys from epoch `first` on, if each comes with the proof that the seat knows its secret."""
    with blaming(seat):
        if keys.first != first or not keys.keys:
            raise VerificationError(f"its next key of deck {name} is that of epoch {first}, not {keys.first}")
        for epoch, (key, proof) in enumerate(zip(keys.keys, keys.proofs, strict=True), keys.first):
            masking.point(key, f"the key of epoch {epoch}")
            if not masking.check_key(key, _key_context(listing, seat, name, epoch), proof):
                raise VerificationError(
                    f"no proof that it knows the secret of its key of epoch {epoch} of deck {name}",
                    "a key made from the keys of others would open their cards; do not sign the list",
                )
    return keys.keys


def _key_context(listing: bytes, seat: str, name: str, epoch: int) -> bytes:
    return encode("deck-key-of", listing, seat, name, epoch)


def new_deck(game: bytes, name: str, keys: dict[str, tuple[bytes, ...]], cards: Iterable[int]) -> Deck:
    """A deck whose cards all lie open; `keys` has the checked keys of every seat, in seat order."""
    if not 2 <= len(keys) <= 6 or TABLE in keys:
        raise UsageError(f"a shared deck has 2 to 6 seats, not {', '.join(keys)}")
    every = [key for own in keys.values() for key in own]
    if len(set(every)) != len(every):
        raise VerificationError(f"two keys of deck {name} are the same", "do not sign the list")
    numbers = tuple(sorted(cards))
    if len(set(numbers)) != len(numbers):
        raise UsageError(f"a card of deck {name} is listed twice")
    return Deck(game, name, tuple(keys), tuple(keys.values()), numbers)


def more_keys(deck: Deck, seat: str, keys: Keys) -> Deck:
    """The deck with further keys of a seat, made with `make_keys(deck.game, …)`; they follow its last one."""
    row = _row(deck, seat)
    added = check_keys(deck.game, seat, deck.name, keys, first=len(deck.keys[row]))
    if len(set(added)) != len(added) or any(key in own for own in deck.keys for key in added):
        raise Refused(seat, "uses a deck key twice")
    own = deck.keys[row] + added
    return replace(deck, keys=(*deck.keys[:row], own, *deck.keys[row + 1 :]))


def key_of(deck: Deck, seat: str, epoch: int) -> bytes:
    """The public key of one seat for one epoch."""
    own = deck.keys[_row(deck, seat)]
    if epoch >= len(own):
        raise VerificationError(
            f"seat {seat} has no key for shuffle {epoch} of deck {deck.name}",
            "every seat publishes further deck keys first",
        )
    return own[epoch]


def _row(deck: Deck, seat: str) -> int:
    if seat not in deck.seats:
        raise UsageError(f"deck {deck.name} has no seat {seat}")
    return deck.seats.index(seat)


def joint_key(deck: Deck, epoch: int) -> bytes:
    """h, the sum of all seats' keys of an epoch."""
    return masking.point(masking.total([key_of(deck, seat, epoch) for seat in deck.seats]), "the joint key")


def own_scalar(deck: Deck, seat: str, secret: bytes, epoch: int) -> bytes:
    x = deck_scalar(secret, deck.name, epoch)
    if masking.base(x) != key_of(deck, seat, epoch):
        raise UsageError(f"this secret is not the one behind seat {seat}'s keys of deck {deck.name}")
    return x


def playable(deck: Deck) -> None:
    """Refuses a deck in which a card that cannot be has been shown."""
    if deck.spoilt:
        raise VerificationError(f"deck {deck.name} is spoilt: {deck.spoilt}", AUDIT_HINT)


def stock(deck: Deck) -> tuple[Spot, ...]:
    """The slots of the stock, in slot order: what a joint index points into."""
    return tuple([one.slot for one in deck.lying if one.holder is None])


def held_by(deck: Deck, seat: str) -> tuple[Spot, ...]:
    """The slots only this seat can see, now or when the shares it is owed have come."""
    return tuple([one.slot for one in deck.lying if one.holder == seat])


# --- cards -------------------------------------------------------------------------------------------


def card_point(deck: Deck, epoch: int, card: int) -> bytes:
    """The point of a card that went face up into this epoch's shuffle."""
    return masking.hash_to_group("deck-card", deck.game, deck.name, epoch, card)


def card_of(deck: Deck, epoch: int, opened: bytes) -> int | None:
    """The card behind a point without mask, if it is one that can be in this epoch's deck.

    A card carried over unseen keeps the point of the epoch it comes from, so those count too.
    """
    waiting, seen = [epoch], {epoch}
    while waiting:
        number = waiting.pop()
        card = _faces(deck.game, deck.name, number, deck.epochs[number].cards).get(opened)
        if card is not None:
            return card
        sources = {one.slot.epoch for one in deck.epochs[number].unseen} - seen
        waiting += sorted(sources)
        seen |= sources
    return None


@lru_cache(maxsize=64)
def _faces(game: bytes, name: str, epoch: int, cards: tuple[int, ...]) -> Mapping[bytes, int]:
    return {masking.hash_to_group("deck-card", game, name, epoch, card): card for card in cards}
