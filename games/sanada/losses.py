"""12.2.2, 18.3.5: hits on units. All face-up units are flipped first; what is left removes units.

The owner chooses: while face-up units suffice, which are flipped; else all are flipped and he chooses which
are removed, also ones flipped a moment ago. What is left over when nobody is left is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random

from games.sanada.moves import Lose
from games.sanada.position import SanadaPosition
from games.sanada.victory import eliminate_all
from pbem.engine.events import Event
from pbem.engine.options import Family, Refusal, View


class Losses(Family[Lose]):
    """Every way to take so many hits on these units."""

    kind = Lose

    def __init__(self, pos: SanadaPosition, units: Iterable[str], hits: int, rule: str = "18.3.5") -> None:
        self.pos, self.rule = pos, rule
        self.units = tuple(units)
        up = tuple(u for u in self.units if not pos.units[u].down)
        self.removes = hits > len(up)
        """Whether units are removed; else they are flipped."""
        self.among = self.units if self.removes else up
        self.count = min(hits - len(up), len(self.units)) if self.removes else hits

    def moves(self, view: View) -> Iterator[Lose]:
        for chosen in combinations(self.among, self.count):
            yield Lose(chosen)

    def sample(self, rng: Random, view: View) -> Lose:
        chosen = rng.sample(range(len(self.among)), self.count)
        return Lose(tuple(self.among[i] for i in sorted(chosen)))

    def words(self) -> str:
        """The question."""
        todo = "remove" if self.removes else "flip"
        return f"{todo} {self.count} of {', '.join(self.among)}"

    def why_not(self, move: Lose, view: View) -> Refusal | None:
        for unit in move.units:
            if unit not in self.units:
                return Refusal(self.rule, f"{unit} is not among those who are hit")
            if unit not in self.among:
                return Refusal(self.rule, f"{unit} is face-down: face-up units are flipped first")
        if len(set(move.units)) != len(move.units):
            return Refusal(self.rule, "a unit is named twice")
        if len(move.units) != self.count:
            todo = "removed" if self.removes else "flipped"
            return Refusal(self.rule, f"{self.count} units are {todo}, not {len(move.units)}")
        return None


class FaceDown(Event):
    says = "face-down now: {flipped}"
    flipped: tuple[str, ...]


def suffer(pos: SanadaPosition, units: Iterable[str], hits: int, move: Lose, rule: str) -> None:
    """The hits fall where the owner wants them."""
    losses = Losses(pos, units, hits, rule)
    flipped = [u for u in losses.units if not pos.units[u].down] if losses.removes else list(move.units)
    for unit in flipped:
        pos.turn_over(unit, True)
    if flipped:
        pos.say(FaceDown(tuple(flipped), rule=rule))
    if losses.removes:
        eliminate_all(pos, move.units, rule)
