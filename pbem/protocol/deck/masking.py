"""Masked cards: ElGamal in the prime-order group of edwards25519, and three short proofs.

Invariants:
- A point from outside passes `point` before anything else touches it: 32 bytes, on the curve, canonical,
  of prime order. So no small-order or mixed-order point is ever multiplied by a secret.
- Every scalar that must stay secret comes from a seat's secret through `secret_scalar`, every nonce from
  that secret *and* the whole statement: no random device, the same bytes on every machine, and never one
  nonce for two statements.
- Every challenge hashes the caller's context (game, deck, epoch, seat, slots), the public key and every
  point of the statement. A proof says nothing about any other slot, epoch or game.

A masked card is (a, b) = (r·G, M + r·h): M is the card's point, h the sum of the keys of those who must
agree to see it, and r nobody's business. The share of a key x is x·a; b less all shares is M.
Proofs are (challenge, response) with response = nonce - challenge·secret, as in RFC 9497, 2.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.errors import MalformedError, VerificationError
from pbem.protocol.crypto import primitives
from pbem.protocol.crypto.canonical import Part, digest, encode, keyed
from pbem.protocol.crypto.chance import shuffle as joint_order

SIZE = 32
"""Bytes of a point, and of a scalar."""
ORDER = 2**252 + 27742317777372353535851937790883648493
"""How many points the group has; a scalar is smaller."""
ONE = (1).to_bytes(SIZE, "little")
IDENTITY = ONE
"""The neutral point has the same bytes as the scalar one. It is never valid when received."""
BASE = bytes.fromhex("58" + "66" * 31)
"""G, the base point."""


class Masked(NamedTuple):
    """One masked card."""

    a: bytes
    """r·G: what a share multiplies."""
    b: bytes
    """M + r·h, less the shares already taken off."""


# --- the group ---------------------------------------------------------------------------------------


def point(data: bytes, what: str = "a point") -> bytes:
    """`data` itself, if it is a point of the prime-order group; `what` names it in the refusal."""
    if len(data) != SIZE:
        raise MalformedError(f"{what} has {len(data)} bytes instead of {SIZE}", "ask the sender for it again")
    if not primitives.is_point(data):
        raise VerificationError(
            f"{what} is not a point of the group: off the curve, not canonical or of small order",
            "its sender runs other software, or cheats: nothing was multiplied with it",
        )
    return data


def scalar(data: bytes, what: str = "a scalar") -> bytes:
    """`data` itself, if it is a scalar in its one encoding: little-endian, below the group's order."""
    if len(data) != SIZE or int.from_bytes(data, "little") >= ORDER:
        raise MalformedError(f"{what} is not a number below the group's order", "ask the sender for it again")
    return data


def secret_scalar(secret: bytes, label: str, *parts: Part) -> bytes:
    """A uniform scalar from a secret, for one purpose only: the one that label and parts name."""
    return primitives.scalar_reduce(keyed(secret, label, 0, *parts) + keyed(secret, label, 1, *parts))


def public_scalar(label: str, *parts: Part) -> bytes:
    """A uniform scalar that everybody can compute: challenges and coefficients."""
    return primitives.scalar_reduce(digest(label, 0, *parts) + digest(label, 1, *parts))


def base(factor: bytes) -> bytes:
    """factor·G"""
    try:
        return primitives.multiply_base(factor)
    except ValueError:
        raise VerificationError("a multiple of the base point is zero") from None


def times(factor: bytes, p: bytes) -> bytes:
    """factor·p; refused by the library for a point outside the prime-order group or a zero result."""
    try:
        return primitives.multiply(factor, p)
    except ValueError:
        raise VerificationError("a multiple of a point is zero, or it is not of the group") from None


def add(p: bytes, q: bytes) -> bytes:
    """p + q"""
    return primitives.add(p, q)


def sub(p: bytes, q: bytes) -> bytes:
    """p - q"""
    return primitives.subtract(p, q)


def total(points: Iterable[bytes]) -> bytes:
    """The sum of points; nothing sums to the identity."""
    result = IDENTITY
    for p in points:
        result = add(result, p)
    return result


def scalar_sub(x: bytes, y: bytes) -> bytes:
    """x - y"""
    return primitives.scalar_subtract(x, y)


def scalar_total(scalars: Iterable[bytes]) -> bytes:
    """The sum of scalars."""
    result = bytes(SIZE)
    for x in scalars:
        result = primitives.scalar_add(result, x)
    return result


def _respond(nonce: bytes, challenge: bytes, secret: bytes) -> bytes:
    return scalar_sub(nonce, primitives.scalar_multiply(challenge, secret))


def hash_to_group(label: str, *parts: Part) -> bytes:
    """A point whose logarithm nobody knows: the sum of two maps, so that it is uniform (as RFC 9380)."""
    halves = [primitives.from_uniform(digest(label, half, *parts)) for half in (0, 1)]
    return add(*halves)


# --- masking -----------------------------------------------------------------------------------------


def lay_open(card_point: bytes, key: bytes) -> Masked:
    """A card everybody knows, as a masked card with r = 1: where the first shuffle begins."""
    return Masked(BASE, add(card_point, key))


def remask(card: Masked, key: bytes, r: bytes) -> Masked:
    """The same card under a new mask."""
    return Masked(add(card.a, base(r)), add(card.b, times(r, key)))


def shuffled(cards: Sequence[Masked], key: bytes, secret: bytes, context: bytes) -> tuple[Masked, ...]:
    """`cards` in a secret order, every one under a new mask.

    Order and masks depend on the list itself: whoever is made to shuffle two different lists in one
    place (a fork, a take-back) uses two unrelated orders, and the pair gives nothing away.
    """
    seed = keyed(secret, "deck-shuffle", context, *[part for card in cards for part in card])
    order = joint_order(seed, 0, len(cards))
    return tuple(
        [remask(cards[old], key, secret_scalar(seed, "deck-mask", new)) for new, old in enumerate(order)]
    )


def take_off(card: Masked, share: bytes) -> Masked:
    """The card with one share less to go."""
    return Masked(card.a, sub(card.b, share))


# --- proofs ------------------------------------------------------------------------------------------
# Each `prove_` takes the secret scalar, then the statement, then the seat's secret for the nonce.


def prove_key(x: bytes, context: bytes, secret: bytes) -> bytes:
    """Knowledge of x with X = x·G, 64 bytes (Schnorr): so nobody can pass off X = X' - other keys."""
    key = base(x)
    nonce = secret_scalar(secret, "deck-key-nonce", context, key)
    challenge = public_scalar("deck-key-proof", context, key, base(nonce))
    return challenge + _respond(nonce, challenge, x)


def check_key(key: bytes, context: bytes, proof: bytes) -> bool:
    """Whether `proof` shows that its author knows the secret of `key`."""
    challenge, response = _scalars(proof, 2)
    commitment = add(base(response), times(challenge, key))
    return challenge == public_scalar("deck-key-proof", context, key, commitment)


def prove_shares(
    x: bytes, inputs: Sequence[bytes], shares: Sequence[bytes], context: bytes, secret: bytes
) -> bytes:
    """One proof, 64 bytes, that every share is x·input for the x of the key x·G."""
    key = base(x)
    m = total([times(d, p) for d, p in zip(_weights(key, inputs, shares, context), inputs, strict=True)])
    statement = encode("deck-shares", context, key, m, times(x, m))
    nonce = secret_scalar(secret, "deck-share-nonce", statement)
    challenge = public_scalar("deck-share-proof", statement, base(nonce), times(nonce, m))
    return challenge + _respond(nonce, challenge, x)


def check_shares(
    key: bytes, inputs: Sequence[bytes], shares: Sequence[bytes], context: bytes, proof: bytes
) -> bool:
    """Whether `proof` shows every share to be its input times the secret of `key`. Points are checked."""
    challenge, response = _scalars(proof, 2)
    weights = _weights(key, inputs, shares, context)
    m = total([times(d, p) for d, p in zip(weights, inputs, strict=True)])
    z = total([times(d, p) for d, p in zip(weights, shares, strict=True)])
    t2 = add(base(response), times(challenge, key))
    t3 = add(times(response, m), times(challenge, z))
    return challenge == public_scalar("deck-share-proof", encode("deck-shares", context, key, m, z), t2, t3)


def _weights(key: bytes, inputs: Sequence[bytes], shares: Sequence[bytes], context: bytes) -> list[bytes]:
    """The coefficients that fold many shares into one.

    RFC 9497 2.2.1 derives the i-th from the i-th pair alone. With 148 pairs a prover could search each
    pair on its own until the errors cancel (a generalised birthday, about 2^40 steps). Here every
    coefficient hangs on every pair, so one changed share changes them all.
    """
    seed = digest("deck-share-weights", context, key, len(inputs), *inputs, *shares)
    return [public_scalar("deck-share-weight", seed, i) for i in range(len(inputs))]


def passed_on(x: bytes, card: Masked, key: bytes, r: bytes) -> Masked:
    """A card that only x is still needed for, as a fresh masked card under `key`."""
    return Masked(base(r), add(sub(card.b, times(x, card.a)), times(r, key)))


def prove_passed_on(
    x: bytes, card: Masked, key: bytes, r: bytes, context: bytes, secret: bytes
) -> tuple[Masked, bytes]:
    """The card passed on to `key`, and the proof, 96 bytes, that it is the same card.

    It shows knowledge of x and r with X = x·G, a' = r·G and b' - b = r·key - x·a. Knowing r matters
    too: the taker's later share x'·a' then tells the giver nothing it could not compute.
    """
    new = passed_on(x, card, key, r)
    statement = encode("deck-pass-on", context, base(x), key, *card, *new)
    k, j = (secret_scalar(secret, "deck-pass-nonce", which, statement) for which in (0, 1))
    third = sub(times(j, key), times(k, card.a))
    challenge = public_scalar("deck-pass-proof", statement, base(k), base(j), third)
    return new, challenge + _respond(k, challenge, x) + _respond(j, challenge, r)


def check_passed_on(
    giver: bytes, card: Masked, key: bytes, new: Masked, context: bytes, proof: bytes
) -> bool:
    """Whether `new` is `card`, passed on to `key` by the owner of `giver`. Points are checked before."""
    challenge, u, v = _scalars(proof, 3)
    statement = encode("deck-pass-on", context, giver, key, *card, *new)
    first = add(base(u), times(challenge, giver))
    second = add(base(v), times(challenge, new.a))
    moved = sub(new.b, card.b)
    if moved == IDENTITY:
        return False
    third = add(sub(times(v, key), times(u, card.a)), times(challenge, moved))
    return challenge == public_scalar("deck-pass-proof", statement, first, second, third)


def _scalars(proof: bytes, count: int) -> list[bytes]:
    if len(proof) != count * SIZE:
        raise MalformedError(
            f"a proof has {len(proof)} bytes instead of {count * SIZE}", "ask the sender for it again"
        )
    return [scalar(proof[i : i + SIZE], "a number of a proof") for i in range(0, len(proof), SIZE)]
