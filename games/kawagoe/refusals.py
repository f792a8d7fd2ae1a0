"""Small families that several chapters use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import TypeVar

from pbem.engine.notation import Move
from pbem.engine.options import Among, Family, Refusal, View

M = TypeVar("M", bound=Move)


class Seldom(Among[Move]):
    """A move that ends something, where another answer is there too: a question with one answer is not asked.
    Random play takes it one time in four, to see more of what comes before."""

    def __init__(self, move: Move, rule: str) -> None:
        super().__init__(type(move), [move], rule)

    def sample(self, rng: Random, view: View) -> Move | None:
        return super().sample(rng, view) if rng.random() < 0.25 else None


class Allowed(Family[M]):
    """One move, and the rule that may forbid it, looked up when it is asked for."""

    def __init__(self, move: M, why: Callable[[], Refusal | None]) -> None:
        self.kind, self._move = type(move), move
        self._why = cache(why)

    def moves(self, view: View) -> Iterator[M]:
        if self._why() is None:
            yield self._move

    def why_not(self, move: M, view: View) -> Refusal | None:
        return self._why()
