"""Which games there are. A game is imported only when it is asked for by name.

Rule authors outside this package name theirs in the environment: PBEM_GAMES="module:ATTRIBUTE".
"""

from __future__ import annotations

import importlib
import os

from pbem.engine.rules import Rules
from pbem.errors import UsageError

GAMES = {
    "kawagoe": "games.kawagoe.rules:KAWAGOE",
    "chuhan": "games.chuhan.rules:CHUHAN",
}


def names() -> list[str]:
    """The games that can be played, in the order in which they are listed."""
    return [*GAMES, *_extra()]


def _extra() -> dict[str, str]:
    found = {}
    for entry in os.environ.get("PBEM_GAMES", "").split():
        module, _, attribute = entry.partition(":")
        found[str(getattr(importlib.import_module(module), attribute).name)] = entry
    return found


def load(name: str) -> Rules:
    """The rules of a game."""
    where = GAMES.get(name) or _extra().get(name)
    if where is None:
        raise UsageError(f"no game is called {name!r}", f"the games are: {', '.join(names())}")
    module, _, attribute = where.partition(":")
    rules = getattr(importlib.import_module(module), attribute)
    assert isinstance(rules, Rules)
    return rules
