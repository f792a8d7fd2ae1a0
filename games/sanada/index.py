"""What is worked out from a position and kept until it changes: Forces, who is where, zones of control (9).

Invariants: an `Index` belongs to one state of the position: it is made on first use and dropped by the first
change; its tables are filled lazily and never altered afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.kit.hexes import HexId
from games.sanada.pieces import Piece
from games.sanada.terms import ENEMY, KANTO, OSAKA


class Index:
    """Tables of one state of the position."""

    __slots__ = ("_castles", "_closed", "_near", "_zones", "forces", "inside", "memo", "outside", "standing")

    forces: dict[str, tuple[str, ...]]
    """The units of every Force by its leader, the leader first (7.1)."""
    outside: dict[HexId, tuple[str, ...]]
    """Units in the open, by hex."""
    inside: dict[HexId, tuple[str, ...]]
    """Units in garrison, by hex."""
    standing: dict[str, dict[HexId, None]]
    """By side: the hexes in whose open it stands."""
    memo: dict[Any, Any]
    """Ways and supply that have been looked for."""

    def __init__(
        self,
        units: Mapping[str, Piece],
        side: Callable[[str], str],
        near: Mapping[HexId, Iterable[HexId]],
        castles: Iterable[tuple[HexId, str]],
    ) -> None:
        """`side` says whose a unit is; `castles` are those that control hexes, with their owners."""
        self.forces, self.outside, self.inside, self.memo = {}, {}, {}, {}
        self.standing = {OSAKA: {}, KANTO: {}}
        led: dict[str, list[str]] = {}
        for unit, piece in units.items():
            where = self.inside if piece.inside else self.outside
            others = where.get(piece.hex)
            where[piece.hex] = (unit,) if others is None else (*others, unit)
            if others is None and not piece.inside:
                self.standing[side(unit)][piece.hex] = None
            if piece.under:
                led.setdefault(piece.under, []).append(unit)
            else:
                self.forces[unit] = (unit,)
        for leader, men in led.items():
            self.forces[leader] = (leader, *men)
        self._near, self._castles = near, tuple(castles)
        self._zones: dict[str, dict[HexId, None]] = {}

    def zone(self, side: str) -> dict[HexId, None]:
        """9: the hexes in a zone of control of that side; ask for membership only.

        Units in the open and castles that are not invested control the hexes around them (9, 9.1.2), except
        across water (9.1.1(3), `near` knows) and where an enemy Force stands in the open (9.1.1(2)).
        """
        found = self._zones.get(side)
        if found is None:
            near, foes = self._near, self.standing[ENEMY[side]]
            found = {n: None for place in self.standing[side] for n in near[place] if n not in foes}
            for place, owner in self._castles:
                if owner == side:
                    for n in near[place]:
                        if n not in foes:
                            found[n] = None
            self._zones[side] = found
        return found
