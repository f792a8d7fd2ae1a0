"""Refusals that several chapters use, with what the position knows of a word."""

from __future__ import annotations

from games.kit import refusals
from games.redcoats.position import RedcoatsPosition
from pbem.engine.options import Refusal


def no_hex(pos: RedcoatsPosition, word: str) -> Refusal | None:
    """1.22: whether a word names no hex of the map."""
    if word in pos.land.terrain:
        return None
    places = {unit: piece.hex for unit, piece in pos.units.items()}
    return refusals.no_hex(word, pos.land.terrain, places, "1.22")


def own_unit(pos: RedcoatsPosition, seat: str, unit: str, rule: str) -> Refusal | None:
    """Whether a word does not name a counter of the seat on the map."""
    if unit not in pos.units:
        fates = {"has been lost": pos.lost, "is not on the map yet": pos.reserve}
        return refusals.absent(unit, pos.units, rule, fates)
    if pos.book[unit].side != seat:
        return Refusal(rule, f"{unit} is not yours")
    return None
