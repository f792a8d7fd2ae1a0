"""A seat's secret in pieces: so many of the other seats together can put it together, fewer learn nothing.

Every byte of the secret is split by itself (Shamir, in the field of 256 elements); what the split needs
beyond the secret comes from the secret, so that every device deals the same and the audit can deal again.
Each piece is committed to, so a false one is proven by the two papers alone, and lies in a box for its
holder. A holder whose box does not hold its piece shows what the box holds, with a proof that nobody else
could have got anything else out of it: then the dealer is to blame, and a holder cannot pretend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pbem.engine.codec import Record
from pbem.errors import MalformedError, PbemError, VerificationError
from pbem.protocol.crypto.canonical import digest, encode, keyed
from pbem.protocol.deck import masking

SIZE = 32
FEWEST = 2
"""No single other seat may read a secret."""


@dataclass(frozen=True, slots=True)
class Dealt(Record):
    """One piece for one holder: all fields are 64 hex digits."""

    commit: str
    once: str
    """A one-time point: times the holder's key it gives the mask."""
    masked: str
    """The piece under that mask."""


def usual_threshold(seats: int) -> int:
    """The highest with which two seats that vanish at once stop nothing; with two seats nothing is split."""
    return max(FEWEST, seats - 2) if seats > 2 else 0


def check_threshold(seats: int, threshold: int) -> None:
    """With two seats none; else at least two, at most all others."""
    lawful = range(FEWEST, seats) if seats > 2 else range(1)
    if threshold not in lawful:
        few = str(lawful[0]) if len(lawful) == 1 else f"from {lawful[0]} to {lawful[-1]}"
        raise MalformedError(
            f"with {seats} seats the invitation's threshold must be {few}, not {threshold}",
            "without `--threshold`, `pbem new` takes as many as are usual",
        )


# --- the field of 256 elements, and splitting


def _times(a: int, b: int) -> int:
    """The product modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = (a << 1) ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def _inverse(a: int) -> int:
    """a^254"""
    result = 1
    for _ in range(254):
        result = _times(result, a)
    return result


def split(secret: bytes, context: bytes, threshold: int, place: int) -> bytes:
    """The piece at a place from 1 to 255: the polynomial through the secret, there."""
    rows = [secret, *(keyed(secret, "piece coefficient", context, n) for n in range(1, threshold))]
    piece = bytearray(SIZE)
    for row in reversed(rows):
        for at in range(SIZE):
            piece[at] = _times(piece[at], place) ^ row[at]
    return bytes(piece)


def join(pieces: Mapping[int, bytes]) -> bytes:
    """The secret from as many pieces, by their places, as the threshold says."""
    secret = bytearray(SIZE)
    for place, piece in pieces.items():
        factor = 1
        for other in pieces:
            if other != place:
                factor = _times(factor, _times(other, _inverse(other ^ place)))
        for at in range(SIZE):
            secret[at] ^= _times(factor, piece[at])
    return bytes(secret)


def put_together(
    listed: bytes,
    seats: Sequence[str],
    seat: str,
    commitment: str,
    threshold: int,
    given: Mapping[str, bytes],
) -> bytes | None:
    """The secret behind a commitment, from any pieces that make it; None: its dealer dealt falsely."""
    for chosen in combinations(sorted(given, key=seats.index), threshold):
        secret = join({seats.index(holder) + 1: given[holder] for holder in chosen})
        if digest("secret", listed, seat, secret).hex() == commitment:
            return secret
    return None


# --- dealing: boxes and commitments


def hold_scalar(answering_seed: bytes, table: str, seat: str) -> bytes:
    """What opens the pieces that this seat holds. It is never published, whatever the seat does."""
    return masking.secret_scalar(answering_seed, "hold", table, seat)


def hold_key(answering_seed: bytes, table: str, seat: str) -> bytes:
    """The point to which the others seal pieces."""
    return masking.base(hold_scalar(answering_seed, table, seat))


def piece_commitment(listed: bytes, of: str, holder: str, piece: bytes) -> str:
    """The commitment to one piece of the secret that is committed to by `of`."""
    return digest("piece", listed, bytes.fromhex(of), holder, piece).hex()


def _context(listed: bytes, of: str, holder: str) -> bytes:
    return encode("piece box", listed, bytes.fromhex(of), holder)


def _mask(context: bytes, key: bytes, once: bytes, shared: bytes) -> bytes:
    return digest("piece mask", context, key, once, shared)


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def deal(
    listed: bytes, seats: Sequence[str], secret: bytes, of: str, threshold: int, holder: str, key: bytes
) -> Dealt:
    """The piece of one holder in a box for its key: the same on every device."""
    piece = split(secret, encode("pieces", listed, bytes.fromhex(of)), threshold, seats.index(holder) + 1)
    context = _context(listed, of, holder)
    e = masking.secret_scalar(secret, "piece once", context, key)
    once = masking.base(e)
    mask = _mask(context, key, once, masking.times(e, key))
    return Dealt(piece_commitment(listed, of, holder, piece), once.hex(), _xor(piece, mask).hex())


def check_dealt(dealt: Dealt) -> None:
    """Refuse a piece that cannot have been dealt by an honest program, on sight."""
    for name in ("commit", "once", "masked"):
        text = getattr(dealt, name)
        if len(text) != 2 * SIZE or text.strip("0123456789abcdef"):
            raise MalformedError(f"pieces: {name}: expected 64 hex digits")
    masking.point(bytes.fromhex(dealt.once), "the one-time point of a piece")


def open_piece(listed: bytes, of: str, holder: str, dealt: Dealt, x: bytes) -> bytes | None:
    """The piece in a holder's box; None if it is not the one committed to."""
    shared = masking.times(x, bytes.fromhex(dealt.once))
    return _unmasked(listed, of, holder, dealt, masking.base(x), shared)


def _unmasked(listed: bytes, of: str, holder: str, dealt: Dealt, key: bytes, shared: bytes) -> bytes | None:
    mask = _mask(_context(listed, of, holder), key, bytes.fromhex(dealt.once), shared)
    piece = _xor(bytes.fromhex(dealt.masked), mask)
    return piece if piece_commitment(listed, of, holder, piece) == dealt.commit else None


def show_box(listed: bytes, of: str, holder: str, dealt: Dealt, x: bytes) -> bytes:
    """What this box's point gives with the holder's key, and the proof of it: 96 bytes, for all to see."""
    once = bytes.fromhex(dealt.once)
    shared = masking.times(x, once)
    proof = masking.prove_shares(x, [once], [shared], _context(listed, of, holder), x)
    return shared + proof


def box_is_bad(listed: bytes, of: str, holder: str, dealt: Dealt, key: bytes, shown: bytes) -> bool:
    """Whether a shown box does not hold its piece. What is not proven is the holder's own breach."""
    try:
        shared, proof, once = shown[:SIZE], shown[SIZE:], bytes.fromhex(dealt.once)
        masking.point(shared)
        holds = masking.check_shares(key, [once], [shared], _context(listed, of, holder), proof)
    except PbemError:
        holds = False
    if not holds:
        raise VerificationError("the shown box is not proven")
    return _unmasked(listed, of, holder, dealt, key, shared) is None
