"""Every die, draw and deal of a game with its seed, and how lucky each side was.

A die belongs to the seat whose decision let it fall; what several seats decided together belongs to
nobody. The usual test is Pearson's chi-square: how often would fair dice look at least as uneven?
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.engine.events import Event
from pbem.engine.machine import DiceFell
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import DECISIONS
from pbem.protocol.rounds.events import NumbersFell

_SEED = re.compile(r'^seed = "([0-9a-f]{64})"$', re.MULTILINE)
ENOUGH = 5
"""Fewer expected of each face than this, and the test says little."""


@dataclass(frozen=True, slots=True)
class Roll:
    """One request to chance."""

    entry: int
    event: int
    request: int
    seed: str
    seat: str
    told: Event
    """What the rules made of it."""
    bounds: tuple[int, ...]
    values: tuple[int, ...]
    dice: bool
    """Dice on a table, as against draws and deals."""


@dataclass(frozen=True, slots=True)
class Luck:
    """How the dice of one kind fell for one seat."""

    seat: str
    sides: int
    counts: tuple[int, ...]
    """How often each face fell, from 1."""
    mean: float
    fair: float
    chi_square: float
    p: float

    @property
    def dice(self) -> int:
        """How many."""
        return sum(self.counts)


def rolls(logged: Sequence[Logged], positions: Sequence[str]) -> list[Roll]:
    """Everything that chance decided, in order. `positions` has one text more than there are entries."""
    found: list[Roll] = []
    seat = ""
    for one, position in zip(logged, positions[1:], strict=False):
        if one.entry.head.kind in DECISIONS:
            seat = one.entry.seat if one.entry.head.kind == "orders" else ""
        match = _SEED.search(position)
        for at, event in enumerate(one.events):
            if not isinstance(event, NumbersFell):
                continue
            told = one.events[at + 1] if at + 1 < len(one.events) else event
            found.append(
                Roll(
                    one.number,
                    event.seed,
                    event.request,
                    match[1] if match else "",
                    seat,
                    told,
                    event.bounds,
                    event.values,
                    isinstance(told, DiceFell),
                )
            )
    return found


def luck(found: Iterable[Roll]) -> list[Luck]:
    """The dice of each seat by their number of faces, then of all together."""
    counts: dict[tuple[str, int], list[int]] = {}
    for roll in found:
        if not roll.dice:
            continue
        for bound, value in zip(roll.bounds, roll.values, strict=True):
            for seat in (roll.seat or "nobody's", "all"):
                counts.setdefault((seat, bound), [0] * bound)[value] += 1
    order = sorted(counts, key=lambda key: (key[0] == "all", key[0] == "nobody's", key))
    return [_luck(seat, sides, counts[seat, sides]) for seat, sides in order]


def _luck(seat: str, sides: int, counts: Sequence[int]) -> Luck:
    total = sum(counts)
    mean = sum(face * n for face, n in enumerate(counts, 1)) / total
    square = chi_square(counts)
    return Luck(seat, sides, tuple(counts), mean, (sides + 1) / 2, square, tail(square, sides - 1))


def chi_square(counts: Sequence[int]) -> float:
    """Pearson's statistic against equal chances."""
    expected = sum(counts) / len(counts)
    return sum((n - expected) ** 2 for n in counts) / expected


def tail(square: float, freedom: int) -> float:
    """The chance that fair dice give at least this chi-square: the upper incomplete gamma function."""
    if square <= 0 or freedom < 1:
        return 1.0
    a, x = freedom / 2, square / 2
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    return scale * _fraction(a, x)


def _fraction(a: float, x: float) -> float:
    """Lentz's continued fraction for the upper tail, where the series is slow."""
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 1000):
        b += 2
        step = -i * (i - a)
        d = 1 / (step * d + b)
        c = b + step / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return h
