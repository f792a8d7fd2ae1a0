"""Which games there are: the entry points of group `pbem.games`, ours like anybody's.

A package that brings a game says so in its pyproject.toml:

    [project.entry-points."pbem.games"]
    dicey = "dicey.rules:DICEY"

Listing reads names alone; a game is imported only when it is asked for by name, so that one which
cannot be loaded is named and harms no other.
"""

from __future__ import annotations

import functools
import sys
from importlib.metadata import EntryPoint, entry_points

from pbem.engine.inspection import faults
from pbem.engine.rules import AnyRules, Rules
from pbem.errors import UsageError

GROUP = "pbem.games"


def names() -> list[str]:
    """The games that are installed, in order of name."""
    return list(_found(tuple(sys.path)))


@functools.cache
def _found(path: tuple[str, ...]) -> dict[str, tuple[EntryPoint, ...]]:
    """The entry points by name; `path` is where they are looked for."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if point.value not in [other.value for other in found.get(point.name, ())]:
            found[point.name] = (*found.get(point.name, ()), point)
    return found


def load(name: str) -> AnyRules:
    """The rules of a game."""
    points = _found(tuple(sys.path)).get(name, ())
    if not points:
        listed = ", ".join(names())
        raise UsageError(
            f"no game is called {name!r}", f"the games are: {listed}" if listed else "install pbem again"
        )
    if len(points) > 1:
        both = " and ".join(_where(point) for point in points)
        raise UsageError(f"{name} is offered by {both}", "uninstall one of them")
    return _loaded(points[0])


@functools.cache
def _loaded(point: EntryPoint) -> AnyRules:
    try:
        rules = point.load()
    except Exception as error:  # whatever a package does when it is imported
        raise UsageError(
            f"{point.name} cannot be loaded from {_where(point)}: {type(error).__name__}: {error}",
            "tell its author, or uninstall it; the other games can be played",
        ) from error
    if not isinstance(rules, Rules):
        raise UsageError(f"{_where(point)} is no game: {point.value} is no `Rules`", "tell its author")
    if rules.name != point.name:
        raise UsageError(f"{_where(point)} offers {rules.name} as {point.name}", "tell its author")
    found = faults(rules)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise UsageError(f"{_where(point)} has a fault: {found[0]}{more}", "tell its author")
    return rules


def _where(point: EntryPoint) -> str:
    return f"{point.dist.name} ({point.value})" if point.dist is not None else point.value
