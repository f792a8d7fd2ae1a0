"""Pieces of secrets for the second verifier: written from `pbem help protocol` alone, with logarithms."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import nacl.bindings as group

from tests.second_signatures import H, K, lp

EXP, LOG = [1] * 255, [0] * 256
for _n in range(1, 255):
    _value = EXP[_n - 1] ^ (EXP[_n - 1] << 1)  # times 3, which makes every element but 0
    EXP[_n] = _value ^ 0x11B if _value > 255 else _value
for _n, _value in enumerate(EXP):
    LOG[_value] = _n


def product(a: int, b: int) -> int:
    return EXP[(LOG[a] + LOG[b]) % 255] if a and b else 0


def encoded(label: str, *parts: bytes | str | int) -> bytes:
    """E of the page."""
    raw = [("pbem/v1/" + label).encode(), *(p if isinstance(p, bytes) else str(p).encode() for p in parts)]
    return b"".join(map(lp, raw))


def scalar(key: bytes, label: str, *parts: bytes | str) -> bytes:
    return group.crypto_core_ed25519_scalar_reduce(K(key, label, 0, *parts) + K(key, label, 1, *parts))


def dealt(listed: bytes, secret: bytes, of: str, threshold: int, number: int, holder: str, hold: str) -> Any:
    """What the contract must hold for one holder."""
    context = encoded("pieces", listed, bytes.fromhex(of))
    rows = [secret, *(K(secret, "piece coefficient", context, n) for n in range(1, threshold))]
    power, piece = 1, bytes(32)
    for row in rows:
        piece = bytes(p ^ product(r, power) for p, r in zip(piece, row, strict=True))
        power = product(power, number)
    box, key = encoded("piece box", listed, bytes.fromhex(of), holder), bytes.fromhex(hold)
    e = scalar(secret, "piece once", box, key)
    once = group.crypto_scalarmult_ed25519_base_noclamp(e)
    mask = H("piece mask", box, key, once, group.crypto_scalarmult_ed25519_noclamp(e, key))
    masked = bytes(a ^ b for a, b in zip(piece, mask, strict=True))
    commit = H("piece", listed, bytes.fromhex(of), holder, piece)
    return {"commit": commit.hex(), "once": once.hex(), "masked": masked.hex()}


def joined(given: Mapping[int, bytes]) -> bytes:
    """The value at 0 of the polynomials through these points."""
    secret = [0] * 32
    for x, piece in given.items():
        factor = 1
        for other in given:
            if other != x:
                factor = product(factor, EXP[(LOG[other] - LOG[other ^ x]) % 255])
        secret = [s ^ product(factor, p) for s, p in zip(secret, piece, strict=True)]
    return bytes(secret)


def put_together(listed: bytes, seats: Sequence[str], seat: str, of: str, t: int, given: Any) -> bytes | None:
    """The secret of a seat that vanished, from the pieces that the others gave."""
    for chosen in itertools.combinations(given, t):
        secret = joined({seats.index(holder) + 1: given[holder] for holder in chosen})
        if H("secret", listed, seat, secret).hex() == of:
            return secret
    return None
