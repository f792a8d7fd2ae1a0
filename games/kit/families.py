"""Families of moves that several games offer: what ends something, what one rule may forbid, what is cheap
to list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import TypeVar

from pbem.engine.notation import Move
from pbem.engine.options import Among, Family, Refusal, View

M = TypeVar("M", bound=Move)


class Seldom(Among[Move]):
    """A move that ends something, where another answer is there too: a question with one answer is not asked.
    Random play takes it one time in so many, to see more of what comes before."""

    def __init__(self, move: Move, rule: str, chance: float = 0.25) -> None:
        super().__init__(type(move), [move], rule)
        self._chance = chance

    def sample(self, rng: Random, view: View) -> Move | None:
        return super().sample(rng, view) if rng.random() < self._chance else None


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


class Listed(Family[M]):
    """Moves of one class that are cheap to list, each checked by one function that names the rule."""

    def __init__(
        self,
        kind: type[M],
        candidates: Callable[[], Iterable[M]],
        why: Callable[[M], Refusal | None],
        chance: float = 1.0,
    ) -> None:
        self.kind, self._candidates, self._why, self._chance = kind, candidates, why, chance

    def moves(self, view: View) -> Iterator[M]:
        return (move for move in self._candidates() if self._why(move) is None)

    def why_not(self, move: M, view: View) -> Refusal | None:
        return self._why(move)

    def sample(self, rng: Random, view: View) -> M | None:
        if self._chance < 1.0 and rng.random() >= self._chance:
            return None
        listed = list(self._candidates())
        rng.shuffle(listed)
        return next((move for move in listed if self._why(move) is None), None)
