"""Refusals that every game on a map needs: a unit that is not there, a word that is no hex."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from difflib import get_close_matches

from games.kit.hexes import HexId
from pbem.engine.options import Refusal


def absent(word: str, units: Iterable[str], rule: str, elsewhere: Mapping[str, Container[str]]) -> Refusal:
    """Why a word does not name a unit on the map: what became of it (`elsewhere`: "has fallen" and who has),
    or which unit may have been meant."""
    for fate, who in elsewhere.items():
        if word in who:
            return Refusal(rule, f"{word} {fate}")
    near = get_close_matches(word.lower(), list(units), n=3)
    if "," in word or word in ("and", "with", "from"):
        advice = ": write units one after the other, with spaces between"
    else:
        advice = f": did you mean {' or '.join(near)}?" if near else ""
    return Refusal(rule, f"no unit {word} is on the map{advice}")


def no_hex(word: str, hexes: Container[str], places: Mapping[str, HexId], rule: str) -> Refusal | None:
    """Whether a word names no hex of the map; a unit's name is answered with its hex (`places`)."""
    if word in hexes:
        return None
    if word in places:
        return Refusal(rule, f"{word} is a unit: name its hex, {places[word]}")
    return Refusal(rule, f"{word} is not on the map")


def hexes(number: int) -> str:
    """A distance in words."""
    return "1 hex" if number == 1 else f"{number} hexes"
