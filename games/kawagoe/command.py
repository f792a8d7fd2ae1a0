"""10.0 GENERALS OF THE BESIEGERS: command range, and what a unit out of range pays.

Pure functions of the position; ranges are cached in it until somebody moves or falls into disorder.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO
from games.kit.hexes import HexId
from games.kit.ways import steps
from games.kit.zones import line_passes

Range = frozenset[HexId]


def command_range(pos: KawagoePosition, general: str) -> Range:
    """10.2: the hexes that a general on the map commands; nothing while he is in disorder (10.4, 6.41)."""
    if pos.ranges is None:
        pos.ranges = {}
    found: Range | None = pos.ranges.get(general)
    if found is None:
        piece = pos.units[general]
        found = frozenset() if piece.disordered else _trace(pos, piece.hex, pos.book[general].command)
        pos.ranges[general] = found
    return found


def _trace(pos: KawagoePosition, start: HexId, value: int) -> Range:
    """Hexes are counted, terrain is not. The way may not lead through Hojo units, nor through their zone of
    control except where a besieger of any house stands (8.3); where it ends does not matter (10.2-a)."""
    foes, friends, zone = pos.held(HOJO), pos.held(ANTI), pos.zone(HOJO)

    passes = line_passes(foes, zone, friends)
    if all(passes(h) for h in pos.book.disc(start, value - 1)):
        return pos.book.disc(start, value)
    return frozenset(steps([start], pos.pack.map.neighbours, reach=value, through=passes))


def generals(pos: KawagoePosition, house: str) -> Iterator[str]:
    """The living generals of a house, 総大将 included (2.1-a)."""
    return (unit for unit in pos.book.groups.get(house, ()) if pos.book[unit].general and unit in pos.units)


def commanded(pos: KawagoePosition, unit: str) -> bool:
    """Whether some ordered general of its house has a unit in range; generals need none."""
    counter = pos.book[unit]
    if counter.general:
        return True
    place = pos.units[unit].hex
    return any(place in command_range(pos, general) for general in generals(pos, counter.group))


def under(pos: KawagoePosition, general: str) -> tuple[str, ...]:
    """5.52-5.54: the 武将 and 雑兵 of his house in the range of one general, in order or not."""
    where = command_range(pos, general)
    return tuple(
        unit
        for unit in pos.book.groups[pos.book[general].group]
        if unit in pos.units and not pos.book[unit].general and pos.units[unit].hex in where
    )


def halved(value: int) -> int:
    """10.3: half, fractions rounded up."""
    return (value + 1) // 2
