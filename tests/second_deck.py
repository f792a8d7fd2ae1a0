"""A shared deck, read from `pbem help protocol` alone: keys, shuffles, shares, cards handed over and shown.

It knows no rules: what was dealt to whom follows from the messages. An epoch that begins with cards carried
over is followed from its last shuffle on.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nacl import bindings as group

from tests.second_signatures import ORDER, H, K, enc

Card = tuple[bytes, bytes]
Spot = tuple[int, int]
WAYS = ("share", "show")
"""What a share is given for."""


def _scalar(first: bytes, second: bytes) -> bytes:
    return (int.from_bytes(first + second, "little") % ORDER).to_bytes(32, "little")


def secret_scalar(secret: bytes, label: str, *parts: bytes | str | int) -> bytes:
    return _scalar(K(secret, label, 0, *parts), K(secret, label, 1, *parts))


def public_scalar(label: str, *parts: bytes | str | int) -> bytes:
    return _scalar(H(label, 0, *parts), H(label, 1, *parts))


def times(scalar: bytes, point: bytes) -> bytes:
    return group.crypto_scalarmult_ed25519_noclamp(scalar, point)


def base(scalar: bytes) -> bytes:
    return group.crypto_scalarmult_ed25519_base_noclamp(scalar)


def add(*points: bytes) -> bytes:
    found = points[0]
    for point in points[1:]:
        found = group.crypto_core_ed25519_add(found, point)
    return found


def sub(one: bytes, other: bytes) -> bytes:
    return group.crypto_core_ed25519_sub(one, other)


def integer(seed: bytes, index: int, bound: int) -> int:
    width, block = (bound - 1).bit_length(), 0
    while True:
        bits = "".join(f"{byte:08b}" for byte in K(seed, "integer", 0, index, block))
        for at in range(0, 256 - width + 1, width):
            if int(bits[at : at + width], 2) < bound:
                return int(bits[at : at + width], 2)
        block += 1


def shuffled(seed: bytes, count: int) -> list[int]:
    order = list(range(count))
    for index, last in enumerate(range(count - 1, 0, -1)):
        pick = integer(seed, index, last + 1)
        order[last], order[pick] = order[pick], order[last]
    return order


class Reader:
    """Messages one after the other, from lines of base64."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.data = b"".join(base64.b64decode(line, validate=True) for line in lines)

    def take(self, size: int) -> bytes:
        assert len(self.data) >= size
        part, self.data = self.data[:size], self.data[size:]
        return part

    def number(self) -> int:
        return int.from_bytes(self.take(2), "big")

    def shares(self) -> tuple[list[Spot], list[bytes], bytes]:
        epoch, count = self.number(), self.number()
        spots = [(epoch, self.number()) for _ in range(count)]
        return spots, [self.take(32) for _ in spots], self.take(64)

    def messages(self) -> Iterator[str]:
        while self.data:
            yield self.take(1).decode()


@dataclass
class Deck:
    game: bytes
    listed: bytes
    name: str
    seats: Sequence[str]
    secrets: dict[str, bytes]
    keys: dict[str, list[bytes]] = field(default_factory=dict)
    lists: dict[int, list[Card]] = field(default_factory=dict)
    """The last list of each epoch."""
    lying: dict[Spot, Card] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    """How often each kind of message was checked."""

    def take(self, seat: str, lines: Sequence[str]) -> None:
        """The messages of one entry."""
        reader = Reader(lines)
        for kind in reader.messages():
            self.counts[kind] = self.counts.get(kind, 0) + 1
            match kind:
                case "K":
                    self.take_keys(seat, reader)
                case "S":
                    self.take_shuffle(seat, reader)
                case "X":
                    self.take_shares(seat, *reader.shares())
                case "H":
                    taker = reader.take(reader.number()).decode()
                    self.take_passed(seat, reader, self.keys[taker], enc("deck-hand-over", taker))
                case "C":
                    self.take_carry(seat, reader)
                case other:
                    raise AssertionError(f"a message of kind {other}")

    def take_keys(self, seat: str, reader: Reader) -> None:
        first, count = reader.number(), reader.number()
        known = self.keys.setdefault(seat, [])
        assert first == len(known)
        for epoch in range(first, first + count):
            key, challenge, response = (reader.take(32) for _ in range(3))
            assert key == base(secret_scalar(self.secrets[seat], "deck-key", self.name, epoch))
            where = self.game if first else self.listed
            context = enc("deck-key-of", where, seat, self.name, epoch)
            once = add(base(response), times(challenge, key))
            assert challenge == public_scalar("deck-key-proof", context, key, once)
            known.append(key)

    def joint(self, epoch: int) -> bytes:
        return add(*(self.keys[seat][epoch] for seat in self.seats))

    def card(self, epoch: int, number: int) -> bytes:
        halves = (H("deck-card", half, self.game, self.name, epoch, number) for half in (0, 1))
        return add(*(group.crypto_core_ed25519_from_uniform(half) for half in halves))

    def begin(self, epoch: int, count: int) -> None:
        """All cards lie face up before the first shuffle."""
        one = base((1).to_bytes(32, "little"))
        self.lists[epoch] = [(one, add(self.card(epoch, n), self.joint(epoch))) for n in range(count)]

    def take_shuffle(self, seat: str, reader: Reader) -> None:
        epoch, count = reader.number(), reader.number()
        given = [(reader.take(32), reader.take(32)) for _ in range(count)]
        assert reader.number() == 0
        if not epoch:
            if not self.lists:
                self.begin(epoch, count)
            assert given == self.shuffle(seat, epoch, self.lists[epoch])
        self.lists[epoch] = given
        for place, card in enumerate(given):
            self.lying[epoch, place] = card

    def shuffle(self, seat: str, epoch: int, cards: Sequence[Card]) -> list[Card]:
        context = enc("deck-shuffle", self.game, self.name, epoch, seat)
        seed = K(self.secrets[seat], "deck-shuffle", context, *(point for card in cards for point in card))
        made = []
        for place, old in enumerate(shuffled(seed, len(cards))):
            more = secret_scalar(seed, "deck-mask", place)
            made.append((add(cards[old][0], base(more)), add(cards[old][1], times(more, self.joint(epoch)))))
        return made

    def bound(self, seat: str, spots: Sequence[Spot], context: bytes) -> bytes:
        slots = [f"{epoch}.{place}" for epoch, place in spots]
        return enc("deck-proof-of", self.game, self.name, seat, len(slots), *slots, context)

    def take_shares(self, seat: str, spots: Sequence[Spot], shares: Sequence[bytes], proof: bytes) -> None:
        """For a deal, or a card that its holder shows."""
        key = self.keys[seat][spots[0][0]]
        fits = [self.proven(seat, key, spots, shares, proof, enc(f"deck-{way}", b"")) for way in WAYS]
        assert sum(fits) == 1
        for spot, share in zip(spots, shares, strict=True):
            a, b = self.lying[spot]
            self.lying[spot] = a, sub(b, share)

    def proven(
        self,
        seat: str,
        key: bytes,
        spots: Sequence[Spot],
        shares: Sequence[bytes],
        proof: bytes,
        context: bytes,
    ) -> bool:
        challenge, response, bound = proof[:32], proof[32:], self.bound(seat, spots, context)
        inputs = [self.lying[spot][0] for spot in spots]
        weights = H("deck-share-weights", bound, key, len(spots), *inputs, *shares)
        each = [public_scalar("deck-share-weight", weights, n) for n in range(len(spots))]
        m, z = add(*map(times, each, inputs)), add(*map(times, each, shares))
        once = add(base(response), times(challenge, key)), add(times(response, m), times(challenge, z))
        statement = enc("deck-shares", bound, key, m, z)
        return challenge == public_scalar("deck-share-proof", statement, *once)

    def take_passed(self, seat: str, reader: Reader, new: Sequence[bytes], context: bytes) -> None:
        """Cards of a hand under another key: `new` by epoch."""
        for _ in range(reader.number()):
            spot = (reader.number(), reader.number())
            a2, b2, challenge, for_x, for_r = (reader.take(32) for _ in range(5))
            (a, b), key = self.lying[spot], self.keys[seat][spot[0]]
            to = new[spot[0]] if len(new) > 1 else new[0]
            statement = enc("deck-pass-on", self.bound(seat, [spot], context), key, to, a, b, a2, b2)
            once = (
                add(base(for_x), times(challenge, key)),
                add(base(for_r), times(challenge, a2)),
                sub(add(times(for_r, to), times(challenge, sub(b2, b))), times(for_x, a)),
            )
            assert challenge == public_scalar("deck-pass-proof", statement, *once)
            self.lying[spot] = a2, b2

    def take_carry(self, seat: str, reader: Reader) -> None:
        """Unseen cards on their way into a new epoch."""
        epoch = reader.number()
        context, keys = enc("deck-carry", epoch), self.keys[seat]
        for _ in range(reader.number()):
            spots, shares, proof = reader.shares()
            key = sub(keys[epoch], keys[spots[0][0]])
            assert self.proven(seat, key, spots, shares, proof, context)
            for spot, share in zip(spots, shares, strict=True):
                a, b = self.lying[spot]
                self.lying[spot] = a, add(b, share)
        self.take_passed(seat, reader, [self.joint(epoch)], context)

    def shown(self, spot: Spot, count: int) -> int:
        """The number of the card that lies open in a slot."""
        return next(n for n in range(count) if self.card(spot[0], n) == self.lying[spot][1])
