"""11.3 COMMAND: who is in the range of a leader, traced hex by hex."""

from __future__ import annotations

from collections.abc import Iterable

from games.kit.hexes import HexId
from games.kit.ways import steps
from games.kit.zones import line_passes
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY


def traced(pos: RedcoatsPosition, side: str, start: HexId, reach: int) -> dict[HexId, int]:
    """11.31: hexes within so many steps: none that a leader may not enter, no enemy hex, and no enemy zone
    of control unless a friendly combat unit stands there."""
    enemy = ENEMY[side]
    foes, zone, friends, ways = pos.men(enemy), pos.zoc(enemy), pos.men(side), pos.land.open
    return steps([start], ways, line_passes(foes, zone, friends), reach)


def commanded(pos: RedcoatsPosition, side: str, extra: Iterable[tuple[str, HexId]] = ()) -> frozenset[HexId]:
    """The hexes in command of any leader of a side (11.5); `extra` are leaders where they would stand."""
    moved = dict(extra)
    found: set[HexId] = set()
    for unit, piece in pos.units.items():
        counter = pos.book[unit]
        if counter.is_leader and counter.side == side:
            found.update(traced(pos, side, moved.get(unit, piece.hex), counter.range))
    return frozenset(found)


def assign(pos: RedcoatsPosition, side: str) -> tuple[str, ...]:
    """11.32: who is out of command for this player turn; leaders never are (11.5)."""
    within = commanded(pos, side)
    out = []
    for unit, piece in pos.units.items():
        counter = pos.book[unit]
        if counter.side == side and not counter.is_leader:
            ooc = piece.hex not in within
            pos.mark(unit, ooc=ooc)
            if ooc:
                out.append(unit)
    return tuple(out)
