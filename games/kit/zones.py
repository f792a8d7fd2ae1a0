"""Zones of control and what they do to lines of command and supply.

Where a zone reaches is each game's own rule, worked out from its map once (`into`: from a hex, the hexes that
a unit there controls). How many zones reach a hex is a count (`stacks.count`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from games.kit.hexes import HexId

Reach = Mapping[HexId, tuple[HexId, ...]]


def reached_from(near: Reach, into: Reach) -> Reach:
    """The other way round: for every hex, those beside it from which a zone of control covers it."""
    return {there: tuple(here for here in near[there] if there in into[here]) for there in near}


def line_passes(
    foes: Container[HexId], zone: Container[HexId], friends: Container[HexId]
) -> Callable[[HexId], bool]:
    """Whether a line goes through a hex: not through the enemy, and not through his zone of control unless a
    friend stands there, who opens it."""
    return lambda place: place not in foes and (place not in zone or place in friends)
