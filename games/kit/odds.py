"""Odds tables: two strengths give a column, terrain shifts it, a die gives the row.

Invariants: columns stand in rising order of odds; strengths that fall between two columns take the left one,
so that fractions always favour the defender; beyond either end the outermost column is used, before and
after shifts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from games.kit.packs import Table


@dataclass(frozen=True, slots=True)
class OddsTable:
    """A combat results table as printed: odds columns, one row for each face of the die."""

    columns: tuple[str, ...]
    """Headings such as "1:3" or "10:1", from the worst odds for the attacker to the best."""
    ratios: tuple[tuple[int, int], ...]
    """The headings as attacker and defender numbers."""
    rows: Mapping[int, tuple[str, ...]]
    """For each face of the die, one result per column."""

    def column(self, attack: float | Fraction, defence: float | Fraction) -> int:
        """Index of the rightmost column whose odds the attack reaches, or of the first column.

        A bot may ask for strengths that it only expects.
        """
        if defence <= 0:
            return len(self.columns) - 1
        if isinstance(attack, Fraction) or isinstance(defence, Fraction):
            mine, theirs = Fraction(attack), Fraction(defence)  # compared in whole numbers, which is faster
            attack, defence = mine.numerator * theirs.denominator, theirs.numerator * mine.denominator
        reached = 0
        for index, (attacker, defender) in enumerate(self.ratios):
            if attack * defender >= attacker * defence:
                reached = index
        return reached

    def shift(self, column: int, by: int) -> int:
        """The column that many places to the right (left if negative), at most the outermost one."""
        return min(max(column + by, 0), len(self.columns) - 1)

    def result(self, column: int, die: int) -> str:
        """The cell for a die after modifiers; beyond the faces of the die the last one counts."""
        faces = len(self.rows)
        return self.rows[min(max(die, 1), faces)][column]

    def always(self, cell: str) -> OddsTable:
        """The same table with one result everywhere, for cases."""
        return replace(self, rows=dict.fromkeys(self.rows, (cell,) * len(self.columns)))


def odds(attack: int, defence: int) -> str:
    """The simple ratio with one side 1, fractions dropped for the defender: 6 against 7 is "1:2"."""
    if attack <= 0:
        return "0:1"
    if defence <= 0:
        return f"{attack}:0"
    if attack >= defence:
        return f"{attack // defence}:1"
    return f"1:{-(-defence // attack)}"


def reached(least: Sequence[int], strength: int) -> int:
    """A table by one strength: index of the last column whose least strength it reaches, -1 if of none."""
    return max((index for index, wanted in enumerate(least) if strength >= wanted), default=-1)


def read_odds_table(table: Table, results: Sequence[str], faces: int = 6) -> OddsTable:
    """Read `columns` and one key for each face ("1" to "6"); cells must be among the results."""
    with table:
        columns = table.texts("columns")
        ratios = tuple(_ratio(table, heading) for heading in columns)
        for left, right in pairwise(ratios):
            if left[0] * right[1] >= right[0] * left[1]:
                table.refuse(
                    "columns", "are not in rising order", "begin with the worst odds for the attacker"
                )
        return OddsTable(columns, ratios, read_rows(table, results, len(columns), faces))


def read_rows(table: Table, results: Sequence[str], width: int, faces: int) -> dict[int, tuple[str, ...]]:
    """One row for each face of the die: a list of results, or a text with "|" between them."""
    rows: dict[int, tuple[str, ...]] = {}
    for face in range(1, faces + 1):
        key = str(face)
        drawn = table.value(key)
        drawing = isinstance(drawn, str)
        cells = tuple(cell.strip() for cell in drawn.split("|")) if drawing else table.texts(key)
        if len(cells) != width:
            table.refuse(key, f"has {len(cells)} results", f"there are {width} columns")
        for cell in cells:
            if cell not in results:
                table.refuse(key, f'has the result "{cell}"', "known are " + ", ".join(results))
        rows[face] = cells
    return rows


def _ratio(table: Table, heading: str) -> tuple[int, int]:
    attacker, colon, defender = heading.partition(":")
    if not (colon and attacker.isdecimal() and defender.isdecimal() and int(attacker) and int(defender)):
        table.refuse("columns", f'has the heading "{heading}"', 'write odds as "3:1"')
    return int(attacker), int(defender)
