"""18.9.2, 18.9.4: how a place divides its strength among the places that it fights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from games.sanada.moves import Allot
from pbem.engine.codec import Record
from pbem.engine.options import Family, Refusal, View


@dataclass(frozen=True, slots=True)
class Share(Record):
    """Points of a place against one enemy place."""

    place: str
    foe: str
    points: int


def shares_of(move: Allot) -> tuple[Share, ...]:
    """What a lawful answer says."""
    pairs = (share.split("=") for share in move.shares)
    return tuple(Share(move.place, foe, int(points)) for foe, points in pairs)


class Allotments(Family[Allot]):
    """Every division: at least one point on each place that it attacks, any number on its attackers."""

    kind = Allot

    def __init__(self, place: str, foes: tuple[str, ...], attacked: tuple[str, ...], total: int) -> None:
        self.place, self.foes, self.total = place, foes, total
        self.least = tuple(1 if foe in attacked else 0 for foe in foes)
        if sum(self.least) > total:  # a face-down unit against two hexes: the first ones get what there is
            self.least = tuple(int(sum(self.least[: i + 1]) <= total and n) for i, n in enumerate(self.least))

    def _move(self, points: tuple[int, ...]) -> Allot:
        return Allot(self.place, tuple(f"{foe}={n}" for foe, n in zip(self.foes, points, strict=True)))

    def moves(self, view: View) -> Iterator[Allot]:
        return (self._move(points) for points in self._divide(self.total, self.least))

    def _divide(self, total: int, least: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(least) == 1:
            yield (total,)
            return
        for first in range(least[0], total - sum(least[1:]) + 1):
            for rest in self._divide(total - first, least[1:]):
                yield (first, *rest)

    def sample(self, rng: Random, view: View) -> Allot:
        points = list(self.least)
        for _ in range(self.total - sum(points)):
            points[rng.randrange(len(points))] += 1
        return self._move(tuple(points))

    def why_not(self, move: Allot, view: View) -> Refusal | None:
        if move.place != self.place:
            return Refusal("18.9.5", f"the question is about {self.place}, not {move.place}")
        given = []
        for share in move.shares:
            written = re.fullmatch(r"([0-9]{4}(?:/in)?)=([0-9]{1,4})", share)
            if not written:
                return Refusal("18.9.4", f"{share} is no share: write hex=points, e.g. {self.foes[0]}=4")
            given.append((written[1], int(written[2])))
        if tuple(foe for foe, _ in given) != self.foes:
            return Refusal("18.9.4", f"name every hex once, in this order: {' '.join(self.foes)}")
        if sum(points for _, points in given) != self.total:
            return Refusal("18.9.4", f"the shares do not add up to {self.total}")
        for (foe, points), least in zip(given, self.least, strict=True):
            if points < least:
                return Refusal("18.9.2", f"{foe} is attacked: at least {least} point goes there")
        if move != self._move(tuple(points for _, points in given)):
            return Refusal("18.9.4", "write points without leading zeros")
        return None
