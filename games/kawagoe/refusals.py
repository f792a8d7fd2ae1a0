"""Small families, refusals and words that several chapters use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache
from random import Random
from typing import TypeVar

from games.kawagoe.position import KawagoePosition
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


def absent(pos: KawagoePosition, word: str, rule: str) -> Refusal:
    """Why a word does not name a unit on the map, and which unit may have been meant."""
    if word in pos.fallen:
        return Refusal(rule, f"{word} has fallen")
    if word in pos.reserve:
        return Refusal(rule, f"{word} has not arrived yet")
    near = get_close_matches(word.lower(), pos.units, n=3)
    if "," in word or word in ("and", "with", "from"):
        advice = ": write units one after the other, with spaces between"
    else:
        advice = f": did you mean {' or '.join(near)}?" if near else ""
    return Refusal(rule, f"no unit {word} is on the map{advice}")


def no_hex(pos: KawagoePosition, word: str) -> Refusal | None:
    """Whether a word names no hex of the map (2.3); a unit's name is answered with its hex."""
    if word in pos.pack.map.terrain:
        return None
    if word in pos.units:
        return Refusal("2.3", f"{word} is a unit: name its hex, {pos.units[word].hex}")
    return Refusal("2.3", f"{word} is not on the map")


def hexes(number: int) -> str:
    """A distance in words."""
    return "1 hex" if number == 1 else f"{number} hexes"
