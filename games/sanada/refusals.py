"""Refusals that several chapters use, and questions that are always answered."""

from __future__ import annotations

from difflib import get_close_matches
from random import Random

from games.sanada.position import SanadaPosition
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, NoAnswer, Options, Refusal, View


class Question(Options):
    """Options in which every family may decline to be sampled: then any listed move will do."""

    __slots__ = ()

    def sample(self, rng: Random, view: View = PUBLIC) -> Move:
        try:
            return super().sample(rng, view)
        except NoAnswer:
            listed = list(self.list(view))
            if not listed:
                raise
            return rng.choice(listed)


def absent(pos: SanadaPosition, word: str, rule: str) -> Refusal:
    """Why a word does not name a unit on the map, and which unit may have been meant."""
    if word in pos.fallen:
        return Refusal("13.2.3", f"{word} has been eliminated")
    if word in pos.home:
        return Refusal("25.2.1", f"{word} has gone home")
    if word in pos.box:
        return Refusal("24.1.3", f"{word} is in the holding box")
    if word in pos.waiting:
        return Refusal("23.1.1", f"{word} has not arrived yet")
    near = get_close_matches(word.lower(), pos.units, n=3)
    return Refusal(
        rule, f"no unit {word} is on the map" + (f": did you mean {' or '.join(near)}?" if near else "")
    )


def not_leading(pos: SanadaPosition, word: str, seat: str, rule: str) -> Refusal | None:
    """Whether a word does not name a Force of the seat by its leader."""
    if word not in pos.units:
        return absent(pos, word, rule)
    if pos.side(word) != seat:
        return Refusal(rule, f"{word} is not yours")
    if pos.units[word].under:
        return Refusal("7.4", f"{word} is under {pos.units[word].under}: name the leader of the Force")
    return None


def no_hex(pos: SanadaPosition, word: str) -> Refusal | None:
    """Whether a word names no hex of the map; a unit's name is answered with its hex."""
    if word in pos.data.map.grid.terrain:
        return None
    if word in pos.units:
        return Refusal("2.1.1", f"{word} is a unit: name its hex, {pos.units[word].hex}")
    return Refusal("2.1.1", f"{word} is not a hex of the map")
