"""Maps of areas: which touch which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType


def neighbours(areas: Iterable[str], links: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Every area with those it touches, in the order of the areas."""
    order = list(areas)
    joined = {pair for a, b in links for pair in ((a, b), (b, a))}
    return MappingProxyType({a: tuple(b for b in order if (a, b) in joined) for a in order})
