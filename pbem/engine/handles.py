"""How handles are written and read: `s3.hojo.1` is a sealed slot, `fate-2.17` a card of a deck.

Nobody else takes a handle apart: its spelling is part of what is signed and never changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.notation import Handle


@dataclass(frozen=True, slots=True)
class Slot:
    """A sealed slot: which question it answers, whose it is, which of its slots it is (from 0)."""

    serial: int
    seat: str
    number: int


@dataclass(frozen=True, slots=True)
class Card:
    """A face-down card: its deck, after which shuffle, at which place (from 0)."""

    deck: str
    epoch: int
    place: int


def slot_handle(serial: int, seat: str, number: int) -> Handle:
    """The handle of a sealed slot."""
    return Handle(f"s{serial}.{seat}.{number}")


def card_handle(deck: str, epoch: int, place: int) -> Handle:
    """The handle of a card."""
    return at_place(stock(deck, epoch), place)


def at_place(name: str, place: int) -> Handle:
    """The handle of a card of a stock."""
    return Handle(f"{name}.{place}")


def stock(deck: str, epoch: int) -> str:
    """A deck after one of its shuffles: what the handles of all its cards begin with."""
    return f"{deck}-{epoch}"


def stock_of(handle: Handle) -> str:
    """What a handle shares with all that were made together with it."""
    return handle.rpartition(".")[0]


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def read_slot(handle: Handle) -> Slot | None:
    """What a handle says if it is that of a sealed slot."""
    first, _, rest = handle.partition(".")
    seat, _, last = rest.rpartition(".")
    serial, number = _number(first.removeprefix("s")), _number(last)
    if not seat or not first.startswith("s") or serial is None or number is None:
        return None
    return Slot(serial, seat, number)


def read_card(handle: Handle) -> Card | None:
    """What a handle says if it is that of a card."""
    front, _, last = handle.rpartition(".")
    deck, _, middle = front.rpartition("-")
    epoch, place = _number(middle), _number(last)
    if not deck or epoch is None or place is None:
        return None
    return Card(deck, epoch, place)


def seat_of(handle: Handle) -> str:
    """Whose sealed slot it is."""
    slot = read_slot(handle)
    if slot is None:
        raise ValueError(f"{handle} is no sealed slot")
    return slot.seat
