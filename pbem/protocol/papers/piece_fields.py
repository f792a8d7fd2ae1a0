"""What papers say of pieces: the keys they are sealed to, the pieces themselves, and the box beside them.

With two seats nothing is split: the threshold is 0, and all of this is empty.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence

from pbem.errors import MalformedError, VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.deck import masking
from pbem.protocol.papers import pieces
from pbem.protocol.papers.pieces import Dealt

SEED_LINES = 4
"""A box with a seed has so many lines of base64, of 64 characters."""


def hold_of(answering: SigningKey, table: str, seat: str, threshold: int) -> str:
    """The point to which the others seal pieces, as papers write it."""
    return pieces.hold_key(answering.seed, table, seat).hex() if threshold else ""


def check_hold(threshold: int, hold: str) -> None:
    """A seat that holds pieces has a point of the group for them."""
    if not threshold:
        if hold:
            raise MalformedError("hold: with two seats nothing is split")
        return
    try:
        point = bytes.fromhex(hold)
    except ValueError:
        raise MalformedError("hold: expected 64 hex digits") from None
    if point.hex() != hold:
        raise MalformedError("hold: expected 64 hex digits")
    masking.point(point, "the point that pieces are sealed to")


def deal_all(
    listed: bytes,
    seats: Sequence[str],
    threshold: int,
    seat: str,
    secret: bytes,
    of: str,
    holds: Mapping[str, str],
) -> dict[str, Dealt]:
    """A seat's secret, committed to by `of`, in pieces: one for each other seat."""
    if not threshold:
        return {}
    return {
        holder: pieces.deal(listed, seats, secret, of, threshold, holder, bytes.fromhex(holds[holder]))
        for holder in seats
        if holder != seat
    }


def box_seed(listed: bytes, threshold: int, seat: str, secret: bytes, seed: bytes) -> tuple[str, ...]:
    """The seed of the X25519 key, for whoever has the secret: cards handed to the seat are opened with it."""
    if not threshold:
        return ()
    text = base64.b64encode(sealing.box_for_self(secret, listed, seat, "box seed", seed)).decode()
    return tuple(text[at : at + 64] for at in range(0, len(text), 64))


def open_box_seed(listed: bytes, seat: str, secret: bytes, lines: Sequence[str]) -> bytes:
    """The reverse of `box_seed`."""
    return sealing.open_own_box(secret, listed, seat, "box seed", base64.b64decode("".join(lines)))


def check_dealing(
    seats: Sequence[str], threshold: int, seat: str, dealt: Mapping[str, Dealt], seed: Sequence[str]
) -> None:
    """Every other seat has got something that has the form of a piece."""
    others = {s for s in seats if s != seat} if threshold else set()
    if set(dealt) != others or len(seed) != (SEED_LINES if others else 0):
        raise VerificationError(f"{seat} has not dealt its secret as the contract says")
    for one in dealt.values():
        pieces.check_dealt(one)
    try:
        base64.b64decode("".join(seed), validate=True)
    except (binascii.Error, ValueError):
        raise MalformedError(f"{seat}: seed: expected base64") from None
