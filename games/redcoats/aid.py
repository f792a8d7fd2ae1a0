"""The aid card (reconstruction): assault, bombardment and recovery tables, terrain chart, morale modifiers.

Invariants: a die after modifiers below 1 reads 1, above 10 reads 10; odds between two columns take the left
one, beyond either end the end column, before and after shifts (8.1-a); costs are kept in half points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.kit.odds import OddsTable, reached, read_odds_table, read_rows
from games.kit.packs import Table

TERRAINS = ("clear", "light-woods", "woods", "town", "swamp", "fortress", "water")
WORKS = ("fieldwork", "hedge", "abatis", "redoubt")
"""Hexside works (9.21); a hedge counts on Chatterton Hill alone (WP-17.0), and no other map has one."""
SIDES = ("stream", "slope", "bridge", "ford", *WORKS)
BROKEN = ("woods", "town", "swamp")
"""Where light infantry is at home (12.1)."""
RESULTS = ("NE", "AM0", "AM1", "AR1", "AD", "AE", "DM0", "DM1", "DR1", "DD", "DE", "AM0 DM0")
FACES = 10
"""Of the die."""
FIRE_RESULTS = ("-", "M0", "M1", "M2", "DD")


@dataclass(frozen=True, slots=True)
class Ground:
    """One row of the terrain chart: a kind of hex."""

    cost: int | None
    """Half points to enter; None: forbidden."""
    light: int | None
    """The same for light infantry (12.11)."""
    assault: int
    """Columns to the left."""
    bombard: int
    blocks: bool
    """7.34."""


@dataclass(frozen=True, slots=True)
class Side:
    """One row of the terrain chart: a kind of hexside."""

    cost: int
    """Half points more."""
    assault: int
    bombard: int
    morale: int
    """9.21: subtracted from the die of whoever is behind it."""


@dataclass(frozen=True, slots=True)
class Morale:
    """9.21: what changes the die of a morale check, beside the leader (11.21) and the works."""

    gun: int
    dragoons: int
    enemies: int
    """Enemy zones of control from two or more hexes."""
    charge: int
    disengage: int


@dataclass(frozen=True, slots=True)
class Aid:
    """All of it."""

    odds: OddsTable
    """Assaults (8.1): strengths may be fractions."""
    fire_columns: tuple[int, ...]
    """The least strength of each column."""
    fire: Mapping[int, tuple[str, ...]]
    recovers: int
    """Die, morale and leader together, at least (9.3)."""
    routs: int
    """With the option: at most this, and it runs."""
    grounds: Mapping[str, Ground]
    sides: Mapping[str, Side]
    road: int
    trail: int
    morale: Morale

    def fire_column(self, strength: int, left: int) -> int | None:
        """7.1(4), (5): the column after shifts; None: shifted off the table, no effect."""
        column = reached(self.fire_columns, strength) - left
        return column if column >= 0 else None


def read_aid(table: Table) -> Aid:
    """Read tables.toml."""
    assault, fire = table.table("assault"), table.table("bombardment")
    with fire:
        odds = read_odds_table(assault, RESULTS, FACES)
        least = tuple(int(text) for text in fire.texts("columns"))
        shots = read_rows(fire, FIRE_RESULTS, len(least), FACES)
    recovery, costs, modifiers = table.table("recovery"), table.table("ways"), table.table("morale")
    with recovery, costs, modifiers:
        return Aid(
            odds=odds,
            fire_columns=least,
            fire=shots,
            recovers=recovery.integer("recovers"),
            routs=recovery.integer("routs"),
            grounds=_grounds(table),
            sides=_sides(table),
            road=costs.integer("road", least=1),
            trail=costs.integer("trail", least=1),
            morale=Morale(**{key: modifiers.integer(key) for key in Morale.__slots__}),
        )


def _grounds(table: Table) -> dict[str, Ground]:
    found = {}
    for name, row in table.named_tables("terrain").items():
        with row:
            if name not in TERRAINS:
                row.refuse(name, "is not a kind of hex", "known are " + ", ".join(TERRAINS))
            closed = name == "water"
            cost = row.integer("cost", 0)
            found[name] = Ground(
                None if closed else cost,
                None if closed else row.integer("light", cost),
                row.integer("assault", 0),
                row.integer("bombard", 0),
                bool(row.value("blocks", False)),
            )
    for name in TERRAINS:
        if name not in found:
            table.refuse("terrain", f"lacks {name}", "the chart has a row for every kind of hex")
    return found


def _sides(table: Table) -> dict[str, Side]:
    found = {}
    for name, row in table.named_tables("hexside").items():
        with row:
            if name not in SIDES:
                row.refuse(name, "is not a kind of hexside", "known are " + ", ".join(SIDES))
            found[name] = Side(*(row.integer(key, 0) for key in ("cost", "assault", "bombard", "morale")))
    for name in SIDES:
        if name not in found:
            table.refuse("hexside", f"lacks {name}", "the chart has a row for every kind of hexside")
    return found
