"""The beginning of a signed game between bots, the same wherever Python runs."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pbem.demo.together import join_all, table_of
from pbem.outgoing import outgoing

ENTRIES = 12


def begun(game: str) -> str:
    """The commit of a game after so many entries; keys, dice, cards and times follow from one seed."""
    with tempfile.TemporaryDirectory() as folder:
        seats = join_all(Path(folder), game, seed=7)
        while all(table_of(seat).ledger.state.number < ENTRIES for seat in seats.values()):
            for name, seat in seats.items():
                others = [table_of(other) for other in seats.values() if other is not seat]
                seat.take([raw for other in others for raw in outgoing(other, name)])
        first, *_ = seats.values()
        return str(table_of(first).ledger.state.number) + " " + str(table_of(first).head)
