"""What happened since this player last looked: the entries as a film, and how far they have been seen.

How far somebody has looked is kept in the home, beside the game: page, tabs and later days agree on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem import report
from pbem.doing.history import positions_after
from pbem.engine.options import PUBLIC
from pbem.page.answers import Refused
from pbem.page.asking import names_of
from pbem.page.beside import Manner
from pbem.page.boards import base_of
from pbem.page.film import Reel
from pbem.page.happened import told
from pbem.page.picture import definitions
from pbem.page.tables import Tables
from pbem.table import Table

MOST = 60
"""So many entries are shown as one film at most: the last ones."""


class Watching:
    """Films of a game's last entries."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def seen(self, data: Mapping[str, Any]) -> Any:
        """The player has looked at the board after this entry."""
        table = self._tables.seat(data).table
        entry = number(data, "entry", table.ledger.state.number)
        if table.home is not None and entry > seen(table):
            table.home.write_table(_file(table), {"entry": entry})
        return {"seen": seen(table)}

    def film(self, data: Mapping[str, Any]) -> Any:
        """The entries after one as a film: what lay where after each, and what was said."""
        table = self._tables.seat(data).table
        last = table.ledger.state.number
        first = max(number(data, "since", last), last - MOST)
        rules = table.ledger.machine.rules
        view = table.secrets.view() if table.secrets is not None else PUBLIC
        manner = Manner(names_of(data.get("names")), table.seat or "").on_screen(data.get("wide"))
        reel = Reel(manner)
        frames = []
        entries = {one.number: one for one in report.read_log(table, first + 1, last)}
        for at, pos in positions_after(table, first, last):
            scene = rules.scene(pos, view)
            frame = reel.frame(scene)
            one = entries.get(at)
            frame |= {"entry": at, "events": told(one.events, pos, scene, rules) if one is not None else []}
            frame |= {"seat": one.seat, "kind": one.kind, "sent": one.sent} if one is not None else {}
            frames.append(frame)
        bases = [definitions() + markup for markup in reel.bases]
        same = len(bases) == 1 and base_of(next(iter(reel.bases))) == data.get("base")
        return {
            "frames": frames,
            "looks": list(reel.looks),
            "bases": [""] if same else bases,
            "same": same,
            "defs": "",
            "places": reel.places,
            "first": first,
            "last": last,
        }


def seen(table: Table) -> int:
    """The last entry whose board the player has looked at; all of them for who has never looked."""
    last = table.ledger.state.number
    kept = table.home.read_table(_file(table)).get("entry") if table.home is not None else None
    return min(kept, last) if isinstance(kept, int) else last


def _file(table: Table) -> str:
    return f"seen-{table.contract.game.hex()}.toml"


def number(data: Mapping[str, Any], name: str, most: int) -> int:
    """A number of an entry that the page sends."""
    given = data.get(name)
    if not isinstance(given, int) or isinstance(given, bool) or given < 0:
        raise Refused(400, f"{name}: expected the number of an entry")
    return min(given, most)
