"""Everything random in a demonstration follows from its seed, so that it can be repeated."""

from __future__ import annotations

import hashlib


def derived(*parts: object) -> bytes:
    """32 bytes that follow from a seed: never do this in a real game."""
    return hashlib.sha256(repr(("pbem demo", *parts)).encode()).digest()


def derived_number(*parts: object) -> int:
    """A number of 32 bits that follows from a seed."""
    return int.from_bytes(derived(*parts)[:4], "big")
