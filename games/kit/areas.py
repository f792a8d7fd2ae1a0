"""Maps of areas: which touch which, and how many steps lie between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType


def neighbours(areas: Iterable[str], links: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Every area with those it touches, in the order of the areas."""
    order = list(areas)
    joined = {pair for a, b in links for pair in ((a, b), (b, a))}
    return MappingProxyType({a: tuple(b for b in order if (a, b) in joined) for a in order})


def distances(near: Mapping[str, tuple[str, ...]], start: str) -> Mapping[str, int]:
    """The number of steps from an area to every area that can be reached on the map."""
    away = {start: 0}
    queue = [start]
    for area in queue:
        for other in near[area]:
            if other not in away:
                away[other] = away[area] + 1
                queue.append(other)
    return MappingProxyType(away)
