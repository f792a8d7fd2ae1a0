"""The five tables of the quick reference sheet, the movement chart and the return home numbers.

Invariants: cells are as printed; a die beyond a table's heads takes its first or last cell; the combat table
is read by strength (column) and modified die (row), and strength 0 does nothing (18.3.3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.kit.odds import reached
from games.kit.packs import Table
from games.sanada.terms import RIVER, SIDES, Ground, Rank

COSTS = (Ground.FLAT, Ground.ROUGH, Ground.MARSH, RIVER)
LOWEST, HIGHEST = 1, 15
"""The rows of the combat table: "1 or lower" to "15 or higher"."""


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables."""

    mobilization: tuple[int, ...]
    """T-mobilization, by modified die from 0."""
    replenishment: Mapping[str, tuple[int, ...]]
    """T-replenishment, by side and modified die from 0."""
    attrition: tuple[tuple[int, tuple[int, ...]], ...]
    """T-attrition: (fewest units, results by modified die from 1), in rising order."""
    siege: Mapping[Rank, tuple[int, ...]]
    """T-siege, by rank and die from 1."""
    columns: tuple[str, ...]
    """T-combat: the heads as printed …"""
    least: tuple[int, ...]
    """… the lowest strength of each …"""
    combat: tuple[tuple[int, ...], ...]
    """… and the cells, a row for each modified die from 1."""
    movement: Mapping[str, int]
    """14: points for a hex of each ground, and for a river side."""
    home: Mapping[str, int]
    """25.1.3, by clan; "others" for all the rest."""

    def mobilized(self, die: int) -> int:
        """24.2.1."""
        return self.mobilization[min(max(die, 0), 8)]

    def replenished(self, side: str, die: int) -> int:
        """13.1.1."""
        return self.replenishment[side][min(max(die, 0), 8)]

    def worn(self, units: int, die: int) -> int:
        """12.2.2: attrition of a Force of so many units."""
        row = [cells for least, cells in self.attrition if units >= least][-1]
        return row[min(max(die, 1), 8) - 1]

    def siege_result(self, rank: Rank, die: int) -> int:
        """10.2.2."""
        return self.siege[rank][die - 1]

    def column(self, strength: int) -> int:
        """18.3.3: the column of a combat strength."""
        return reached(self.least, strength)

    def damage(self, strength: int, die: int) -> int:
        """18.3.3: hits by a strength with a modified die; none without strength."""
        if strength <= 0:
            return 0
        return self.combat[min(max(die, LOWEST), HIGHEST) - 1][self.column(strength)]

    def goes_home(self, clan: str) -> int:
        """25.1.3: the number of a clan, or of a unit without one ("")."""
        return self.home.get(clan, self.home["others"])

    def always(self, results: Mapping[str, Any]) -> Tables:
        """The same tables with one result in every cell of those named, for cases."""
        found = self
        for name, cell in results.items():
            if name == "combat":
                found = replace(found, combat=tuple((cell,) * len(self.columns) for _ in self.combat))
            elif name == "siege":
                found = replace(found, siege=dict.fromkeys(self.siege, (cell,) * 6))
            elif name == "attrition":
                found = replace(found, attrition=tuple((n, (cell,) * 8) for n, _ in self.attrition))
            elif name == "mobilization":
                found = replace(found, mobilization=(cell,) * 9)
            elif name == "replenishment":
                found = replace(found, replenishment=dict.fromkeys(SIDES, (cell,) * 9))
            else:
                raise KeyError(name)
        return found


FIXABLE = ("attrition", "combat", "mobilization", "replenishment", "siege")


def read_tables(table: Table, base: Tables | None) -> Tables:
    """Read tables.toml; what a case leaves out comes from `base`."""
    read: dict[str, Any] = {}
    if "mobilization" in table:
        read["mobilization"] = _numbers(table, "mobilization", 9)
    if "replenishment" in table:
        sides = table.table("replenishment")
        with sides:
            read["replenishment"] = {side: _numbers(sides, side, 9) for side in SIDES}
    if "attrition" in table:
        read["attrition"] = _attrition(table.table("attrition"))
    if "siege" in table:
        ranks = table.table("siege")
        with ranks:
            read["siege"] = {rank: _numbers(ranks, rank, 6) for rank in Rank}
    if "combat" in table:
        read.update(_combat(table.table("combat")))
    if "movement" in table:
        costs = table.table("movement")
        with costs:
            read["movement"] = {str(key): costs.integer(key) for key in COSTS}
    if "home" in table:
        clans = table.table("home")
        with clans:
            read["home"] = {clan: clans.integer(clan) for clan in clans}
            clans.integer("others")
    if base is None:
        missing = [name for name in Tables.__dataclass_fields__ if name not in read]
        if missing:
            table.refuse(missing[0], "is missing", "every pack must state it")
        return Tables(**read)
    return replace(base, **read)


def _numbers(table: Table, key: str, size: int) -> tuple[int, ...]:
    return _checked(table, key, table.value(key), size)


def _checked(table: Table, key: str, cells: Any, size: int) -> tuple[int, ...]:
    if not isinstance(cells, Sequence) or len(cells) != size or not all(type(c) is int for c in cells):
        table.refuse(key, "is not as printed", f"it has {size} whole numbers")
    return tuple(cells)


def _attrition(table: Table) -> tuple[tuple[int, tuple[int, ...]], ...]:
    with table:
        found = []
        for head in table:
            least = re.match(r"\d+", head)
            if not least:
                table.refuse(head, "is not a number of units", 'write "4-6" or "11+"')
            found.append((int(least[0]), _numbers(table, head, 8)))
        return tuple(found)


def _combat(table: Table) -> dict[str, Any]:
    with table:
        columns = table.texts("columns")
        least: list[int] = []
        for head in columns:
            number = re.match(r"\d+", head)
            if not number or (least and int(number[0]) <= least[-1]):
                table.refuse("columns", f'has the head "{head}"', 'write strengths in rising order, "7-10"')
            least.append(int(number[0]))
        rows = table.value("rows")
        if not isinstance(rows, Sequence) or len(rows) != HIGHEST:
            table.refuse("rows", "are not as printed", f"there are {HIGHEST}")
        cells = tuple(_checked(table, "rows", row, len(columns)) for row in rows)
        return {"columns": columns, "least": tuple(least), "combat": cells}
