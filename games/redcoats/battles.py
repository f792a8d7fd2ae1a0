"""Reading scenarios.toml: what the book prints of each battle (10.1, 15.0-18.2), checked against its map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.kit.hexes import HexId
from games.kit.packs import Table
from games.redcoats.field import Field
from games.redcoats.printed import (
    AMERICAN,
    SIDES,
    Closed,
    Counter,
    Crossing,
    Group,
    Regrow,
    Scenario,
    Slow,
    Victory,
)

REST = "rest"
"""In place of a list of units: all of the side that no other group names (TR-16.0, WP-16.0)."""


class _Reader:
    """One scenario being read: its clock, its map, its counters."""

    def __init__(self, table: Table, start: str, ground: Field, roster: Mapping[str, Counter]) -> None:
        self.table, self.start, self.ground, self.roster = table, start, ground, roster

    def turn(self, table: Table, key: str, default: str) -> int:
        """The number of the turn with a label."""
        label = table.text(key, default)
        if len(label) != 4 or not label.isdecimal():
            table.refuse(key, f'is "{label}"', "write a time of day as four digits, e.g. 0830")
        minutes = [int(text[:2]) * 60 + int(text[2:]) for text in (self.start, label)]
        return (minutes[1] - minutes[0]) % 1440 // 30 + 1

    def hexes(self, table: Table, key: str, hexes: tuple[str, ...]) -> tuple[HexId, ...]:
        for h in hexes:
            if h not in self.ground.terrain:
                table.refuse(key, f'names "{h}"', "that hex is not on the map")
        return hexes

    def side(self, table: Table, key: str = "side", default: str | None = None) -> str:
        return table.choice(key, SIDES) if default is None else table.choice(key, (*SIDES, ""), default)

    def units(self, table: Table, units: tuple[str, ...]) -> tuple[str, ...]:
        for unit in units:
            if unit not in self.roster:
                table.refuse("units", f'names "{unit}"', "no counter of the battle has this id")
        return units

    def group(self, table: Table, taken: set[str]) -> Group:
        with table:
            side = self.side(table)
            raw = table.value("units")
            if raw == REST:
                names = tuple(u for u, c in self.roster.items() if c.side == side and u not in taken)
            else:
                names = self.units(table, table.texts("units"))
            taken.update(names)
            hexes = self._places(table)
            return Group(
                id=table.text("id"),
                side=side,
                units=names,
                hexes=hexes,
                enter=self.hexes(table, "enter", (table.text("enter"),))[0] if "enter" in table else None,
                turn=self.turn(table, "turn", self.start),
                held=bool(table.value("held", False)),
                disrupted=self.units(table, table.texts("disrupted", ())),
                extra=self.ground.areas[table.text("extra")] if "extra" in table else (),
                extra_count=table.integer("extra_count", 0),
            )

    def _places(self, table: Table) -> tuple[HexId, ...]:
        if "area" in table:
            area = table.text("area")
            if area not in self.ground.areas:
                table.refuse("area", f'is "{area}"', "known are " + ", ".join(self.ground.areas))
            hexes = self.ground.areas[area]
            return tuple(h for h in hexes if self.ground.terrain[h] != "water")
        if "near" in table:
            (centre,) = self.hexes(table, "near", (table.text("near"),))
            return self.ground.within(centre, table.integer("within", 0))
        return ()

    def closed(self, table: Table) -> Closed:
        with table:
            return Closed(
                table.text("rule"),
                self.side(table),
                self.turn(table, "before", self.start),
                table.integer("column", 0),
                table.integer("row", 0),
                bool(table.value("spared", False)),
            )

    def crossing(self, table: Table) -> Crossing:
        with table:
            only = table.text("only", "")
            closed = table.text("closed", "")
            return Crossing(
                side=self.side(table),
                turn=table.integer("turn", 1),
                infantry=table.integer("infantry"),
                guns=table.integer("guns"),
                leaders=table.integer("leaders"),
                hessians=table.integer("hessians", 0),
                only=only or None,
                closed=closed or None,
            )

    def victory(self, table: Table, rule: str) -> Victory:
        with table:
            area = table.text("area", "")
            hexes = self.hexes(table, "hexes", table.texts("hexes", ()))
            flags = {key: bool(table.value(key, False)) for key in ("all", "clear", "town")}
            return Victory(
                rule,
                self.side(table, "side", ""),
                self.ground.areas.get(area, ()) if area else hexes,
                **flags,
            )


def read_scenario(
    name: str, table: Table, fields: Mapping[str, Field], rosters: Mapping[str, Mapping[str, Counter]]
) -> Scenario:
    """One scenario; unknown hexes, units and areas are refused."""
    with table:
        place = table.choice("map", tuple(fields), name if name in fields else next(iter(fields)))
        start, code = table.text("start", "0900"), table.text("code", "BK")
        reader = _Reader(table, start, fields[place], rosters[place])
        taken: set[str] = set()
        regrow = _regrow(reader, table, taken)
        groups = tuple(reader.group(entry, taken) for entry in table.tables("group", ()))
        levels, lines = table.table("levels", {}), table.table("lines", {})
        with levels, lines:
            found: dict[str, Any] = {
                "levels": {side: 2 * levels.integer(side, 20) for side in SIDES},
                "lines": {side: _line(reader, lines, side) for side in SIDES},
            }
        return Scenario(
            id=name,
            title=table.text("title", name),
            code=code,
            field=place,
            roster=place,
            start=start,
            turns=table.integer("turns", 4, least=1),
            first=table.choice("first", SIDES, AMERICAN),
            free_first=bool(table.value("free_first", False)),
            groups=groups,
            victory=reader.victory(table.table("victory", {}), f"{code}-18.1"),
            slow=_slow(reader, table),
            closed=tuple(reader.closed(entry) for entry in table.tables("closed", ())),
            regrow=regrow,
            crossings=tuple(reader.crossing(entry) for entry in table.tables("crossing", ())),
            approach=reader.hexes(table, "approach", table.texts("approach", ())),
            doubled=reader.side(table, "doubled", ""),
            halved=reader.side(table, "halved", ""),
            frozen=reader.side(table, "frozen", ""),
            **found,
        )


def _line(reader: _Reader, lines: Table, side: str) -> tuple[HexId, ...]:
    """10.1: hexes, or the name of an area (King's Mountain)."""
    raw = lines.value(side, ())
    if isinstance(raw, str):
        return reader.ground.areas.get(raw, ())
    return reader.hexes(lines, side, lines.texts(side, ()))


def _slow(reader: _Reader, table: Table) -> Slow | None:
    if "slow" not in table:
        return None
    with table.table("slow") as entry:
        return Slow(entry.text("group"), entry.integer("hexes"), reader.turn(entry, "before", reader.start))


def _regrow(reader: _Reader, table: Table, taken: set[str]) -> Regrow | None:
    """BK-17.2; its units are no part of the others."""
    if "regrow" not in table:
        return None
    with table.table("regrow") as entry:
        turns = tuple(reader.turn(Table({"at": t}, entry.file), "at", t) for t in entry.texts("turns"))
        units = reader.units(entry, entry.texts("units"))
        taken.update(units)
        return Regrow(turns, units, entry.text("area"), 2 * entry.integer("level"))
