"""Small families, refusals and words that several chapters use."""

from __future__ import annotations

from difflib import get_close_matches
from random import Random

from games.redcoats.position import RedcoatsPosition
from pbem.engine.notation import Move
from pbem.engine.options import Among, Refusal, View


class Ending(Among[Move]):
    """A move that ends something, where another answer is there too; random play takes it one time in so
    many, to see more of what comes before."""

    def __init__(self, move: Move, rule: str, often: float = 0.1) -> None:
        super().__init__(type(move), [move], rule)
        self.often = often

    def sample(self, rng: Random, view: View) -> Move | None:
        return super().sample(rng, view) if rng.random() < self.often else None


def absent(pos: RedcoatsPosition, word: str, rule: str) -> Refusal:
    """Why a word does not name a counter on the map, and which one may have been meant."""
    if word in pos.lost:
        return Refusal(rule, f"{word} has been lost")
    if word in pos.reserve:
        return Refusal(rule, f"{word} is not on the map yet")
    near = get_close_matches(word.lower(), pos.units, n=3)
    return Refusal(
        rule, f"no unit {word} is on the map" + (f": did you mean {' or '.join(near)}?" if near else "")
    )


def no_hex(pos: RedcoatsPosition, word: str, rule: str = "1.22") -> Refusal | None:
    """Whether a word names no hex of the map; a unit's name is answered with its hex."""
    if word in pos.land.terrain:
        return None
    if word in pos.units:
        return Refusal(rule, f"{word} is a unit: name its hex, {pos.units[word].hex}")
    return Refusal(rule, f"{word} is not on the map")


def own_unit(pos: RedcoatsPosition, seat: str, unit: str, rule: str) -> Refusal | None:
    """Whether a word does not name a counter of the seat on the map."""
    if unit not in pos.units:
        return absent(pos, unit, rule)
    if pos.book[unit].side != seat:
        return Refusal(rule, f"{unit} is not yours")
    return None


def hexes(number: int) -> str:
    """A distance in words."""
    return "1 hex" if number == 1 else f"{number} hexes"
