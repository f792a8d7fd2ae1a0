"""Joint chance: one hash chain per seat, one seed per event, integers without bias.

A chain is walked backwards: its tip stands in the contract, and the k-th link revealed is the k-th
before the tip. Whoever knows a link can check it against the one before it and learns nothing of the
next. A seed hashes the decisions it follows and one link of every seat. Integers are cut from HMAC
blocks of the seed; a value that is too large is thrown away: no modulo, no fallback, no bias.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import PbemError
from pbem.protocol.crypto import primitives
from pbem.protocol.crypto.canonical import digest, encode, keyed, lp

STRIDE = 64
"""One chain value in so many is kept, so a link costs at most so many hashes."""


class Chain:
    """The links of one seat: c0 = K(s, "chain", list), c_{t+1} = H("chain", list, seat, c_t)."""

    __slots__ = ("_checkpoints", "_prefix", "length", "seat", "tip")

    def __init__(self, secret32: bytes, game_list: bytes, seat: str, length: int = 4096) -> None:
        if len(secret32) != 32 or length < 1:
            raise ValueError("a chain needs a secret of 32 bytes and at least one link")
        self.length = length
        self.seat = seat
        self._prefix = encode("chain", game_list, seat)
        value = keyed(secret32, "chain", game_list)
        self._checkpoints = [value]
        for start in range(0, length, STRIDE):
            value = self._walk(value, min(STRIDE, length - start))
            self._checkpoints.append(value)
        self.tip = value
        """The public end of the chain, c_length."""

    def link(self, k: int) -> bytes:
        """The k-th link revealed, counted from 1: c_{length - k}."""
        if k < 1:
            raise ValueError("links are counted from 1")
        if k > self.length:
            raise PbemError(
                f"the chain of seat {self.seat} has run out after {self.length} links",
                "agree on a longer chain in the contract of the next game",
            )
        checkpoint, steps = divmod(self.length - k, STRIDE)
        return self._walk(self._checkpoints[checkpoint], steps)

    def _walk(self, value: bytes, steps: int) -> bytes:
        for _ in range(steps):
            value = primitives.sha256(self._prefix + lp(value))
        return value


def follows(game_list: bytes, seat: str, previous: bytes, link: bytes) -> bool:
    """Whether `link` is the link of this seat that comes after `previous` (the tip, for the first)."""
    return len(link) == 32 and digest("chain", game_list, seat, link) == previous


def seed(game: bytes, event: int, decisions: Sequence[bytes], links: Sequence[bytes]) -> bytes:
    """The seed of one event. Both counts are hashed, so a decision can never pass for a link.

    `decisions` are the ids of all decisions since the last seed; `links` the last decider's own and
    then the fresh one of each other seat.
    """
    return digest("event", game, event, len(decisions), *decisions, len(links), *links)


def integer(seed: bytes, request: int, index: int, bound: int) -> int:
    """The `index`-th integer of a request, uniform in 0 .. bound - 1."""
    if bound == 1:
        return 0
    block, value = 0, None
    while value is None:
        value = from_bits(keyed(seed, "integer", request, index, block), bound)
        block += 1
    return value


def from_bits(bits: bytes, bound: int) -> int | None:
    """The first value below `bound` among the whole groups of just enough bits, or None if there is none.

    Pure and blind to where the bits come from, so that a test can try every block there is.
    """
    width = (bound - 1).bit_length()
    if bound < 2 or width > 8 * len(bits):
        raise ValueError("a bound is at least 2 and fits into one block")
    number = int.from_bytes(bits, "big")
    for shift in range(8 * len(bits) - width, -1, -width):
        value = (number >> shift) & ((1 << width) - 1)
        if value < bound:
            return value
    return None


def integers(seed: bytes, request: int, bounds: Sequence[int]) -> tuple[int, ...]:
    """One integer for each bound, all of one request."""
    return tuple([integer(seed, request, index, bound) for index, bound in enumerate(bounds)])


def shuffle(seed: bytes, request: int, n: int) -> tuple[int, ...]:
    """A uniform order of 0 .. n - 1 (Fisher-Yates from the far end)."""
    order = list(range(n))
    for index, last in enumerate(range(n - 1, 0, -1)):
        pick = integer(seed, request, index, last + 1)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)
