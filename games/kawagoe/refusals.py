"""Refusals that several chapters use."""

from __future__ import annotations

from games.kawagoe.position import KawagoePosition
from games.kit import refusals
from pbem.engine.options import Refusal


def absent(pos: KawagoePosition, word: str, rule: str) -> Refusal:
    """Why a word does not name a unit on the map, and which unit may have been meant."""
    elsewhere = {"has fallen": pos.fallen, "has not arrived yet": pos.reserve}
    return refusals.absent(word, pos.units, rule, elsewhere)


def no_hex(pos: KawagoePosition, word: str) -> Refusal | None:
    """Whether a word names no hex of the map (2.3)."""
    places = {word: pos.units[word].hex} if word in pos.units else {}
    return refusals.no_hex(word, pos.pack.map.terrain, places, "2.3")
