"""The games that the page may open, and what it asked for, checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.engine.nextwords import Index
from pbem.home import Home
from pbem.page.answers import Refused
from pbem.page.plan import Planner
from pbem.pool import Pool
from pbem.table import Table


class Seat:
    """One open game."""

    def __init__(self, table: Table, waiting: frozenset[str]) -> None:
        self.table, self.waiting = table, waiting
        self.planner = Planner(table)
        self.indexes: dict[tuple[str, ...], Index] = {}


class Tables:
    """The open games. One is read from its folder again whenever another process has moved it.

    What is signed and waits for the others moves no commit: what waits is looked at, too, or the page would
    offer a decision that the command line has made.
    """

    def __init__(self, home: Home, here: Path | None) -> None:
        self.home, self.here = home, here
        self._seats: dict[str, Seat] = {}

    def folders(self) -> dict[str, Path]:
        """The games of this home, and the one whose folder pbem was started in."""
        found = self.home.games()
        if self.here is not None and self.here not in found.values():
            found[self.here.name] = self.here
        return found

    def seat(self, data: Mapping[str, Any]) -> Seat:
        """The game that the page names."""
        name = data.get("game")
        folder = self.folders().get(name) if isinstance(name, str) else None
        if folder is None or not isinstance(name, str):
            raise Refused(400, "no game of yours is called so")
        seat = self._seats.get(name)
        waiting = frozenset(Pool(folder).names())
        if seat is None or seat.table.repo.head() != seat.table.head or seat.waiting != waiting:
            seat = self._seats[name] = Seat(Table.open(folder, self.home), waiting)
        return seat


def lines_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    """The order lines that the page sends."""
    lines = data.get("lines", [])
    if not isinstance(lines, list) or len(lines) > 1000 or not all(map(is_line, lines)):
        raise Refused(400, "lines: expected a list of order lines")
    return tuple(lines)


def is_line(text: Any) -> bool:
    """One line of a sensible length."""
    return isinstance(text, str) and len(text) <= 4096 and "\n" not in text
