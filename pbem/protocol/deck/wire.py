"""What a seat publishes about a shared deck, and its one encoding as text lines of an entry.

Invariants: every message has exactly one encoding (fixed-width big-endian counts, then points and proofs;
base64 that equals its own re-encoding); decoding checks lengths and shape, never points or proofs, which
`dealing` does; a message names slots by number and never carries a point to be multiplied, except the
masked cards of a shuffle or hand-over, which become cards of the agreed deck once they are checked.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.errors import MalformedError
from pbem.protocol.deck.masking import SIZE, Masked

LINE = 54
"""Bytes in a line of text: 72 characters of base64."""
_HINT = "ask the sender for the entry again"
KEY_PROOF = SHARE_PROOF = 2 * SIZE
PASS_PROOF = 3 * SIZE


class Spot(NamedTuple):
    """Where a card lay when an epoch's shuffle was done; it keeps this name until it is shown or returned."""

    epoch: int
    place: int

    def __str__(self) -> str:
        return f"{self.epoch}.{self.place}"


@dataclass(frozen=True, slots=True)
class Keys:
    """A seat's public keys for consecutive epochs, each with its proof of possession."""

    first: int
    """The epoch of the first key."""
    keys: tuple[bytes, ...]
    proofs: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ShuffleStep:
    """The whole deck as one seat leaves it."""

    epoch: int
    masked: tuple[Masked, ...]
    proof: bytes = b""
    """Empty in this version; see `shuffling.check_shuffle_step`."""


@dataclass(frozen=True, slots=True)
class Shares:
    """A seat's shares of slots of one epoch, with one proof for all."""

    slots: tuple[Spot, ...]
    shares: tuple[bytes, ...]
    proof: bytes


@dataclass(frozen=True, slots=True)
class PassOn:
    """One card of a hand, under a new key, with the proof that it is the same card."""

    slot: Spot
    masked: Masked
    proof: bytes


@dataclass(frozen=True, slots=True)
class HandOver:
    """Cards that go from one hand to another; only the taker can see them."""

    taker: str
    cards: tuple[PassOn, ...]


@dataclass(frozen=True, slots=True)
class Carry:
    """A seat's part in bringing unseen cards under the key of a new epoch, before the shuffle."""

    epoch: int
    switches: tuple[Shares, ...]
    """For cards of the stock, one per epoch they come from: (new key - old key)·a."""
    returned: tuple[PassOn, ...]
    """For cards of the own hand."""


Message = Keys | ShuffleStep | Shares | HandOver | Carry

# --- bytes to text -----------------------------------------------------------------------------------


def to_lines(message: Message) -> tuple[str, ...]:
    """The message as lines of at most 72 characters, for one array of strings in an entry."""
    return pack([message])


def from_lines(lines: Sequence[str]) -> Message:
    """The one message of these lines; anything but its one encoding is refused."""
    messages = unpack(lines)
    if len(messages) != 1:
        raise MalformedError(f"{len(messages)} deck messages stand where one belongs", _HINT)
    return messages[0]


def pack(messages: Sequence[Message]) -> tuple[str, ...]:
    """Messages that leave together (a carry and a shuffle, shares of two epochs) as lines."""
    data = b"".join([_write(message) for message in messages])
    return tuple([base64.b64encode(data[i : i + LINE]).decode() for i in range(0, len(data), LINE)])


def unpack(lines: Sequence[str]) -> tuple[Message, ...]:
    """The messages of these lines; anything but their one encoding is refused."""
    try:
        data = b"".join([base64.b64decode(line, validate=True) for line in lines])
    except (binascii.Error, ValueError):
        raise MalformedError("a deck message is not base64", _HINT) from None
    reader = _Reader(data)
    messages = []
    while reader.at < len(data):
        messages.append(reader.message())
    if pack(messages) != tuple(lines):
        raise MalformedError("a deck message is not in its one encoding", _HINT)
    return tuple(messages)


def masked_bytes(cards: Sequence[Masked]) -> bytes:
    """A list of masked cards, one after the other."""
    return b"".join([card.a + card.b for card in cards])


def _write(message: Message) -> bytes:
    match message:
        case Keys(first, keys, proofs):
            pairs = zip(keys, proofs, strict=True)
            return b"K" + _number(first, len(keys)) + b"".join([key + proof for key, proof in pairs])
        case ShuffleStep(epoch, masked, proof):
            return b"S" + _number(epoch, len(masked)) + masked_bytes(masked) + _number(len(proof)) + proof
        case Shares():
            return b"X" + _write_shares(message)
        case HandOver(taker, cards):
            name = taker.encode()
            return b"H" + _number(len(name)) + name + _write_passed(cards)
        case Carry(epoch, switches, returned):
            parts = b"".join([_write_shares(one) for one in switches])
            return b"C" + _number(epoch, len(switches)) + parts + _write_passed(returned)


def _write_shares(message: Shares) -> bytes:
    epoch = message.slots[0].epoch
    places = [slot.place for slot in message.slots]
    return _number(epoch, len(places), *places) + b"".join(message.shares) + message.proof


def _write_passed(cards: Sequence[PassOn]) -> bytes:
    parts = [_number(*card.slot) + masked_bytes([card.masked]) + card.proof for card in cards]
    return _number(len(cards)) + b"".join(parts)


def _number(*values: int) -> bytes:
    return b"".join([value.to_bytes(2, "big") for value in values])


# --- text to bytes -----------------------------------------------------------------------------------


class _Reader:
    """Takes a message apart from the front; running dry is a refusal."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        part = self.data[self.at : self.at + size]
        if len(part) != size:
            raise MalformedError("a deck message is cut short", _HINT)
        self.at += size
        return part

    def number(self) -> int:
        return int.from_bytes(self.take(2), "big")

    def masked(self) -> Masked:
        return Masked(self.take(SIZE), self.take(SIZE))

    def shares(self) -> Shares:
        epoch, count = self.number(), self.number()
        if not count:
            raise MalformedError("a deck message has shares of no slot", _HINT)
        slots = tuple([Spot(epoch, self.number()) for _ in range(count)])
        return Shares(slots, tuple([self.take(SIZE) for _ in slots]), self.take(SHARE_PROOF))

    def passed(self) -> tuple[PassOn, ...]:
        return tuple([self.pass_on() for _ in range(self.number())])

    def pass_on(self) -> PassOn:
        return PassOn(Spot(self.number(), self.number()), self.masked(), self.take(PASS_PROOF))

    def message(self) -> Message:
        match self.take(1):
            case b"K":
                first, count = self.number(), self.number()
                pairs = [(self.take(SIZE), self.take(KEY_PROOF)) for _ in range(count)]
                return Keys(first, tuple([key for key, _ in pairs]), tuple([proof for _, proof in pairs]))
            case b"S":
                epoch, count = self.number(), self.number()
                masked = tuple([self.masked() for _ in range(count)])
                return ShuffleStep(epoch, masked, self.take(self.number()))
            case b"X":
                return self.shares()
            case b"H":
                return HandOver(self.name(), self.passed())
            case b"C":
                epoch, count = self.number(), self.number()
                return Carry(epoch, tuple([self.shares() for _ in range(count)]), self.passed())
        raise MalformedError("a deck message is of no known kind", _HINT)

    def name(self) -> str:
        try:
            return self.take(self.number()).decode()
        except UnicodeDecodeError:
            raise MalformedError("a deck message names a seat that is not text") from None
