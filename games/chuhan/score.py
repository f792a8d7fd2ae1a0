"""8 VICTORY as it stands: supply areas of each side, and what would end the game."""

from __future__ import annotations

from games.chuhan.position import ChuhanPosition
from games.chuhan.strength import supply_areas, supply_value
from games.chuhan.terms import PLAYERS
from pbem.engine.shown import Tally


def score(pos: ChuhanPosition) -> tuple[Tally, ...]:
    """Each supply area counts one; their values decide only if the numbers are equal (8-3)."""
    found = []
    for side in PLAYERS:
        for area in supply_areas(pos, side):
            printed = pos.pack.areas[area]
            text = f"{printed.english} {printed.name}, worth {printed.supply}"
            found.append(Tally(side.value, text, 1, "8-3"))
        worth = supply_value(pos, side)
        found.append(Tally(side.value, f"worth together {worth}, if the numbers are equal", None, "8-3"))
        wins = pos.pack.tables.sudden_death
        found.append(Tally(side.value, f"{wins} at the end of a turn win at once", None, "8-2"))
        ruler = pos.pack.ruler(side.opponent)
        if ruler is not None:
            name = pos.pack.generals[ruler].english
            found.append(Tally(side.value, f"the death of {name} wins at once", None, "8-1"))
    return tuple(found)
