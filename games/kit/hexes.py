"""Hex ids and their geometry: columns stand upright, an id is the printed string "CCRR".

Invariants: a hex is named by two digits of column and two of row, both from 01 to 99; row numbers grow
downwards as printed; every second column sits half a hex lower, and which one ("even" or "odd") is data
of the map. Neighbours always come in the same order, clockwise from the hex above.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pbem.errors import UsageError

HexId = str
"""A printed hex number such as "1008": column 10, row 08."""

Lowered = Literal["even", "odd"]
"""Which columns sit half a hex lower than the others."""

_ABOVE_BELOW = ((0, -1), (0, 1))
# Steps to the columns beside, in the order up-right, down-right, down-left, up-left.
_BESIDE_RAISED = ((1, -1), (1, 0), (-1, 0), (-1, -1))
_BESIDE_LOWERED = ((1, 0), (1, 1), (-1, 1), (-1, 0))


def split(hex_id: HexId) -> tuple[int, int]:
    """Column and row of "CCRR"; anything else is refused."""
    if len(hex_id) != 4 or not hex_id.isascii() or not hex_id.isdigit():
        raise UsageError(f'"{hex_id}" is not a hex number', "write column and row as four digits, e.g. 1008")
    column, row = int(hex_id[:2]), int(hex_id[2:])
    if column == 0 or row == 0:
        raise UsageError(f'"{hex_id}" is not a hex number', "columns and rows are counted from 01")
    return column, row


def join(column: int, row: int) -> HexId:
    """The printed id of a column and row from 1 to 99."""
    if not (1 <= column <= 99 and 1 <= row <= 99):
        raise UsageError(
            f"there is no hex in column {column}, row {row}", "columns and rows run from 1 to 99"
        )
    return f"{column:02d}{row:02d}"


def is_lowered(column: int, lowered: Lowered) -> bool:
    """Whether a column sits half a hex lower than its neighbours."""
    return (column % 2 == 0) == (lowered == "even")


def neighbours(hex_id: HexId, lowered: Lowered) -> tuple[HexId, ...]:
    """The up to six adjacent ids, clockwise from the hex above; ids below 01 or above 99 do not exist."""
    column, row = split(hex_id)
    beside = _BESIDE_LOWERED if is_lowered(column, lowered) else _BESIDE_RAISED
    steps = (_ABOVE_BELOW[0], *beside[:2], _ABOVE_BELOW[1], *beside[2:])
    return tuple(
        join(column + across, row + down)
        for across, down in steps
        if 1 <= column + across <= 99 and 1 <= row + down <= 99
    )


def cube(hex_id: HexId, lowered: Lowered) -> tuple[int, int, int]:
    """Cube coordinates: they add up to zero, and distance is the largest of their differences."""
    column, row = split(hex_id)
    # Walking straight to the right alternates between half a row up and down; `climb` counts the ups.
    climb = column // 2 if lowered == "odd" else (column + 1) // 2
    z = row - climb
    return column, -column - z, z


def distance(a: HexId, b: HexId, lowered: Lowered) -> int:
    """How many steps from hex to adjacent hex lie between two hexes."""
    ax, ay, az = cube(a, lowered)
    bx, by, bz = cube(b, lowered)
    return max(abs(ax - bx), abs(ay - by), abs(az - bz))


def on_and_beside(hexes: Iterable[HexId]) -> Iterator[str]:
    """The numbers of a map and of one column and row around it: what may be meant, though off the map."""
    columns, rows = zip(*map(split, hexes), strict=True)
    for column in range(min(columns) - 1, max(columns) + 2):
        for row in range(min(rows) - 1, max(rows) + 2):
            yield f"{column:02d}{row:02d}"
