"""Who stands where, kept up to date as units come and go: stacks by hex, and what is counted by hex.

Invariants: a hex that nobody stands in, or where a count has come to nothing, is left out of its table, so
that `hex in table` is the question "is anybody there?"; units of a stack are in order of their ids.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.kit.hexes import HexId

Stacks = dict[HexId, tuple[str, ...]]
"""The units of one side by hex."""
Counts = dict[HexId, int]
"""How many of something a hex has: units, points that stack, zones of control that reach it."""


def stand(stacks: Stacks, unit: str, place: HexId) -> None:
    """A unit comes to a hex."""
    others = stacks.get(place)
    stacks[place] = (unit,) if others is None else tuple(sorted((*others, unit)))


def leave(stacks: Stacks, unit: str, place: HexId) -> None:
    """A unit leaves a hex."""
    others = tuple([u for u in stacks[place] if u != unit])
    if others:
        stacks[place] = others
    else:
        del stacks[place]


def count(counts: Counts, places: Iterable[HexId], by: int) -> None:
    """So many more (or fewer) in each of these hexes, as when a zone of control comes or goes."""
    for place in places:
        number = counts.get(place, 0) + by
        if number:
            counts[place] = number
        else:
            counts.pop(place, None)
