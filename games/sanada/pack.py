"""The data pack of sanada as typed, frozen objects: five files, read strictly.

Invariants: a pack never changes after loading; what the book prints (see `checks`) is checked when a
folder is loaded, but not for the small tables that a case brings along. A case that draws a map of its own
has no castles but those it brings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.kit.hexes import HexId
from games.kit.hexmap import HexMap, read_hexmap
from games.kit.packs import (
    Provenance,
    Table,
    check_names,
    digest_of_directory,
    digest_of_tables,
    read_files,
    read_over,
)
from games.sanada.board import Battlefield, build_battlefield
from games.sanada.checks import check_pack
from games.sanada.scenarios import read_scenarios
from games.sanada.tables import Tables, read_tables
from games.sanada.terms import (
    AREAS,
    CAMPS,
    HEXSIDES,
    LEGEND,
    SIDES,
    Colour,
    Ground,
    Rank,
    Scenario,
    Stronghold,
    Unit,
)
from pbem.engine.shown import Choice
from pbem.errors import UsageError

FILES = ("castles", "map", "scenarios", "tables", "units")
DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Pack:
    """Everything printed that a game of sanada needs."""

    map: Battlefield
    units: Mapping[str, Unit]
    castles: Mapping[str, Stronghold]
    castle_at: Mapping[HexId, str]
    """The castle of a hex, by id."""
    tables: Tables
    options: Mapping[str, Choice]
    scenarios: Mapping[str, Scenario]
    provenance: Mapping[str, Provenance]
    digest: str

    def stands_alone(self, unit: Unit) -> bool:
        """2.2.4(5): a square banner: a lord who is the only unit of his clan. A band has a lord somewhere."""
        return unit.rank is not Rank.GUNZEI and sum(u.clan == unit.clan for u in self.units.values()) == 1

    @staticmethod
    def from_tables(tables: Mapping[str, Any]) -> Pack:
        """A pack from plain tables, as a case brings them; what it leaves out is that of the default pack."""
        check_names(tables, FILES)
        digest = digest_of_tables(tables)
        given = dict(tables)
        if "map" in given:
            given.setdefault("castles", {"castle": []})
        return _build({name: Table(data, name) for name, data in given.items()}, digest, load_pack())


def load_pack(path: Path | None = None) -> Pack:
    """The pack in a directory, checked against what the book states; without a path the one we ship."""
    return _default() if path is None else _load(path)


@lru_cache(maxsize=1)
def _default() -> Pack:
    return _load(DATA)


def _load(path: Path) -> Pack:
    pack = _build(read_files(path, FILES), digest_of_directory(path), None)
    check_pack(pack)
    return pack


def _build(files: Mapping[str, Table], digest: str, base: Pack | None) -> Pack:
    """Read the given files; what is not given comes from `base`, which a complete set does not need."""
    tables, stated = (base.tables, base.provenance) if base else (None, None)
    read, provenance = read_over(files, lambda name, table: _READERS[name](table, tables), stated)
    for part in ("units", "castles", "tables", "options", "scenarios"):
        if part not in read:
            if base is None:
                raise UsageError(f"the pack has no {part}", "a pack holds all files of the game")
            read[part] = getattr(base, part)
    grid = read.pop("grid", None)
    if grid is None:
        assert base is not None, "a complete set draws a map"
        same = read["tables"].movement == base.tables.movement
        battlefield = base.map if same else build_battlefield(base.map.grid, read["tables"].movement)
    else:
        battlefield = build_battlefield(grid, read["tables"].movement)
    castle_at: dict[HexId, str] = {}
    for castle in read["castles"].values():
        if not battlefield.is_open(castle.hex):
            raise UsageError(f"castles: {castle.id} stands in {castle.hex}", "that is no land hex of the map")
        castle_at[castle.hex] = castle.id
    return Pack(map=battlefield, castle_at=castle_at, provenance=provenance, digest=digest, **read)


def _read_map(table: Table, base: Tables | None) -> dict[str, HexMap]:
    grid = read_hexmap(table, {letter: ground.value for letter, ground in LEGEND.items()}, HEXSIDES)
    for area in grid.areas:
        if area not in AREAS:
            table.refuse(f"areas.{area}", "is not a known area", "known are " + ", ".join(AREAS))
    assert {*grid.terrain.values()} <= {*Ground}
    return {"grid": grid}


def _read_units(table: Table, base: Tables | None) -> dict[str, dict[str, Unit]]:
    units: dict[str, Unit] = {}
    for entry in table.tables("unit"):
        unit = _read_unit(entry)
        if unit.id in units:
            entry.refuse("id", f'is "{unit.id}" a second time', "every unit needs its own id")
        units[unit.id] = unit
    return {"units": units}


def _identifier(table: Table) -> str:
    found = table.text("id")
    if not re.fullmatch(r"[a-z][a-z0-9-]*", found):
        table.refuse("id", f'is "{found}"', "an id is made of small letters, digits and hyphens")
    return found


def _read_unit(table: Table) -> Unit:
    with table:
        unit_id = _identifier(table)
        rating = re.fullmatch(r"(\d)-(\d)", table.text("rating"))
        if not rating:
            table.refuse("rating", "is not as printed", 'write combat-action, e.g. "5-6"')
        rank = Rank(table.choice("rank", tuple(Rank)))
        colour = Colour(table.choice("colour", tuple(Colour)))
        track = table.integer("track", 0)
        if track and rank not in (Rank.SODAISHO, Rank.TAISHO):
            table.refuse("track", f"is {track}", "only a sodaisho or a taisho has a command track (7.3.1)")
        return Unit(
            id=unit_id,
            name=table.text("name", unit_id),
            gloss=table.text("gloss", unit_id),
            rank=rank,
            colour=colour,
            side=CAMPS[colour],
            combat=int(rating[1]),
            action=int(rating[2]),
            clan=table.text("clan", ""),
            track=track,
            known=table.text("known", ""),
        )


def _read_castles(table: Table, base: Tables | None) -> dict[str, dict[str, Stronghold]]:
    castles: dict[str, Stronghold] = {}
    for entry in table.tables("castle"):
        with entry:
            castle = Stronghold(
                id=_identifier(entry),
                name=entry.text("name", entry.text("id")),
                hex=entry.text("hex"),
                owner=entry.choice("owner", SIDES),
                strength=entry.integer("strength"),
                durability=entry.integer("durability", least=1),
                lord=entry.text("lord", ""),
                known=entry.text("known", ""),
            )
            if castle.id in castles or any(castle.hex == other.hex for other in castles.values()):
                entry.refuse("id", f'is "{castle.id}" a second time', "one castle a hex, with its own id")
            castles[castle.id] = castle
    return {"castles": castles}


def _read_tables(table: Table, base: Tables | None) -> dict[str, Tables]:
    return {"tables": read_tables(table, base)}


def _read_scenarios(table: Table, base: Tables | None) -> Mapping[str, Any]:
    return read_scenarios(table)


_READERS: Mapping[str, Callable[[Table, Tables | None], Mapping[str, Any]]] = {
    "castles": _read_castles,
    "map": _read_map,
    "scenarios": _read_scenarios,
    "tables": _read_tables,
    "units": _read_units,
}
