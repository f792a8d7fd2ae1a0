"""Plans and decks that a player keeps: variations with notes, private, in the player's home.

They are lines and words as the page shows them, never a promise: nothing of them is signed or sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.home import Home
from pbem.page.answers import Refused
from pbem.page.beginning import text
from pbem.page.tables import Tables, is_line, lines_of
from pbem.table import Table

MOST = 100
"""So many plans are kept for a game, and so many decks for a set of rules."""


class Plans:
    """What a player keeps for later, by name."""

    def __init__(self, home: Home, tables: Tables) -> None:
        self._home, self._tables = home, tables

    def plans(self, data: Mapping[str, Any]) -> Any:
        """Keep one (`name`, with lines or words), drop one (`drop`), or only list them."""
        table = self._tables.seat(data).table
        file = _file(table, data.get("decks") is True)
        kept: list[dict[str, Any]] = list(self._home.read_table(file).get("plans", []))
        name, drop = text(data, "name", 120).strip(), text(data, "drop", 120)
        if drop:
            kept = [one for one in kept if one["name"] != drop]
        elif name:
            kept = [one for one in kept if one["name"] != name]
            if len(kept) >= MOST:
                raise Refused(400, f"{MOST} plans are kept already", "drop one first")
            kept.append(
                {
                    "name": name,
                    "note": text(data, "note", 4000),
                    "lines": list(lines_of(data)),
                    "words": _words(data),
                    "entry": table.ledger.state.number,
                }
            )
        if drop or name:
            self._home.write_table(file, {"plans": kept})
        return {"plans": kept}


def _file(table: Table, decks: bool) -> str:
    return f"decks-{table.contract.invite.rules}.toml" if decks else f"plans-{table.contract.game.hex()}.toml"


def _words(data: Mapping[str, Any]) -> list[str]:
    words = data.get("words", [])
    if not isinstance(words, list) or len(words) > 400 or not all(map(is_line, words)):
        raise Refused(400, "words: expected a list of words")
    return words
