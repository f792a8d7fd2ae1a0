"""What answering needs, sealed to the spare key: who has lost a machine can still give what is owed.

The copy stands in the contract, and again in each paper for new keys. Whoever has the spare key can read it,
and with it the hand: it cannot decide anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.errors import MalformedError, VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.keys import SigningKey, box_of_private, box_of_public
from pbem.protocol.papers.body_checks import pack_box, unpack_box

SIZE = 32


@dataclass(frozen=True, slots=True)
class Kept:
    """The seat's secret of this game, and the seeds of its answering key and of its X25519 key."""

    secret: bytes
    answering: bytes
    box: bytes


def _context(listed: bytes, seat: str) -> tuple[str, ...]:
    return ("kept", listed.hex(), seat)


def keep_for_spare(spare: bytes, listed: bytes, seat: str, kept: Kept) -> tuple[str, ...]:
    """The copy as lines of base64; none without a spare key."""
    if not spare:
        return ()
    plain = kept.secret + kept.answering + kept.box
    return pack_box(sealing.seal_to(box_of_public(spare), _context(listed, seat), plain, kept.secret))


def open_kept(spare: SigningKey, listed: bytes, seat: str, lines: Sequence[str]) -> Kept:
    """What the copy holds."""
    plain = sealing.unseal(box_of_private(spare), _context(listed, seat), unpack_box(lines))
    if len(plain) != 3 * SIZE:
        raise VerificationError("the copy for the spare key does not hold what it must")
    return Kept(plain[:SIZE], plain[SIZE : 2 * SIZE], plain[2 * SIZE :])


def check_kept(spare: bytes, lines: Sequence[str], seat: str) -> None:
    """A seat with a spare key has such a copy, and no other seat has one."""
    try:
        if bool(lines) != bool(spare):
            raise MalformedError("kept")
        if lines:
            box = unpack_box(lines)
            if pack_box(box) != tuple(lines):
                raise MalformedError("kept")
            sealing.check_form(box)
    except (VerificationError, MalformedError, ValueError):
        raise MalformedError(f"{seat}: kept: expected a box for the spare key, or none without one") from None
