"""The files of a pack, read strictly.

Invariants: five files make a pack; what the rulebook states (6 + 12 + 4 Hojo units, three steps, the chits
of 5.11, a castle that six units can cover) is checked when a directory is loaded, but not for the small
tables that a test case brings along, which may hold a single hex.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.kawagoe.battlefield import HEXSIDES, LEGEND, build_battlefield, read_costs
from games.kawagoe.checks import check_pack
from games.kawagoe.pack import Pack
from games.kawagoe.printed import (
    ANTI,
    AREAS,
    CHIT_KINDS,
    GARRISON,
    GROUPS,
    HOJO,
    HOUSES,
    SIDES,
    Chit,
    Identity,
    Option,
    Pool,
    Scenario,
    Unit,
    UnitClass,
)
from games.kit.hexmap import HexMap, read_hexmap
from games.kit.odds import read_odds_table
from games.kit.packs import (
    Table,
    check_names,
    digest_of_directory,
    digest_of_tables,
    read_files,
    read_over,
)

FILES = ("chits", "map", "scenarios", "tables", "units")
DATA = Path(__file__).parent / "data"


def load_pack(path: Path | None = None) -> Pack:
    """The pack in a directory, checked against what the rulebook states; without a path the one we ship."""
    return _default() if path is None else _load(path)


@lru_cache(maxsize=1)
def _default() -> Pack:
    return _load(DATA)


def _load(path: Path) -> Pack:
    pack = _build(read_files(path, FILES), digest_of_directory(path), None)
    check_pack(pack)
    return pack


def pack_from(tables: Mapping[str, Any]) -> Pack:
    """A pack from plain tables, as a case brings them; what it leaves out is that of the default pack.

    `tables` has the layout of the files: {"map": {...}, "units": {...}, ...}; provenance may be left out.
    """
    check_names(tables, FILES)
    digest = digest_of_tables(tables)
    return _build({name: Table(data, name) for name, data in tables.items()}, digest, load_pack())


def _build(files: Mapping[str, Table], digest: str, base: Pack | None) -> Pack:
    """Read the given files; what is not given comes from `base`, which a complete set does not need."""
    stated = base.provenance if base else None
    read, provenance = read_over(files, lambda name, table: _READERS[name](table), stated)
    for part, (name, key) in _PARTS.items():
        if part not in read:
            if base is None:
                files[name].refuse(key, "is missing", "every pack must state it")
            read[part] = base.map.grid if part == "grid" else getattr(base, part)
    grid = read.pop("grid")
    same = base is not None and grid is base.map.grid and read["costs"] is base.costs
    battlefield = base.map if same and base else build_battlefield(grid, read["costs"])
    return Pack(map=battlefield, provenance=provenance, digest=digest, **read)


def _read_map(table: Table) -> dict[str, HexMap]:
    legend = table.named_texts("legend", LEGEND)
    for letter, terrain in legend.items():
        if terrain not in LEGEND.values():
            table.refuse(f"legend.{letter}", f'is "{terrain}"', "known are " + ", ".join(LEGEND.values()))
    grid = read_hexmap(table, legend, HEXSIDES)
    for area in grid.areas:
        if area not in AREAS:
            table.refuse(f"areas.{area}", "is not a known area", "known are " + ", ".join(AREAS))
    return {"grid": grid}


def _read_tables(table: Table) -> dict[str, Any]:
    read: dict[str, Any] = {}
    if "combat" in table:
        read["ladder"] = table.texts("results")
        read["crt"] = read_odds_table(table.table("combat"), read["ladder"])
    if "movement" in table:
        read["costs"] = read_costs(table.table("movement"))
    return read


def _read_units(table: Table) -> dict[str, Any]:
    units: dict[str, Unit] = {}
    for entry in table.tables("unit", ()):
        unit = _read_unit(entry)
        if unit.id in units:
            entry.refuse("id", f'is "{unit.id}" a second time', "every unit needs its own id")
        units[unit.id] = unit
    pools = {house: _read_pool(house, entry) for house, entry in table.named_tables("pool", {}).items()}
    for house in HOUSES:
        pools.setdefault(house, Pool(house, 0, (), ()))
    for pool in pools.values():
        for counter in pool.counters:
            if counter in units:
                table.refuse(
                    "pool", f'uses "{counter}", which is a unit', "choose another letter for its counters"
                )
    return {"units": units, "pools": pools}


def _read_unit(table: Table) -> Unit:
    with table:
        unit_id = table.text("id")
        if not re.fullmatch(r"[a-z][a-z0-9-]*", unit_id):
            table.refuse("id", f'is "{unit_id}"', "an id is made of small letters, digits and hyphens")
        group = table.choice("group", (*GROUPS, *HOUSES))
        strength, movement = [0], [0]
        for printed in reversed(table.texts("sides")):
            values = re.fullmatch(r"(\d+)-(\d+)", printed)
            if not values:
                table.refuse("sides", f'has "{printed}"', 'write strength-movement as printed, e.g. "5-5"')
            strength.append(int(values[1]))
            movement.append(int(values[2]))
        return Unit(
            id=unit_id,
            name=table.text("name", unit_id),
            side=HOJO if group in GROUPS else ANTI,
            group=group,
            cls=UnitClass(table.choice("class", tuple(UnitClass))),
            strength=tuple(strength),
            movement=tuple(movement),
            command=table.integer("command", 0),
        )


def _read_pool(house: str, table: Table) -> Pool:
    with table:
        if house not in HOUSES:
            table.refuse("house", f'is "{house}"', "it must be one of " + ", ".join(HOUSES))
        movement, letter = table.integer("movement"), table.text("letter")
        identities: list[Identity] = []
        for entry in table.tables("identity"):
            with entry:
                identity = Identity(
                    id=entry.text("id"),
                    name=entry.text("name", entry.text("id")),
                    cls=UnitClass(entry.choice("class", ("captain", "levy"))),
                    strength=entry.integer("strength"),
                )
                if any(identity.id == other.id for other in identities):
                    entry.refuse("id", f'is "{identity.id}" a second time', "use count for several of a kind")
                identities.extend([identity] * entry.integer("count", 1, least=1))
        counters = tuple(f"{letter}{number:02d}" for number in range(1, len(identities) + 1))
        return Pool(house, movement, counters, tuple(identities))


def _read_chits(table: Table) -> dict[str, dict[str, Chit]]:
    chits: dict[str, Chit] = {}
    for entry in table.tables("chit"):
        with entry:
            kind = entry.choice("kind", CHIT_KINDS)
            chit = Chit(
                id=entry.text("id"),
                name=entry.text("name", entry.text("id")),
                side=entry.choice("side", SIDES),
                kind=kind,
                house=entry.choice("house", HOUSES) if kind in ("house", "general") else None,
                count=entry.integer("count", 1, least=1),
            )
            chits[chit.id] = chit
    return {"chits": chits}


def _read_scenarios(table: Table) -> dict[str, Any]:
    read: dict[str, Any] = {}
    if "option" in table:
        options = table.named_tables("option")
        read["options"] = {name: _read_option(name, entry) for name, entry in options.items()}
    if "scenario" in table:
        scenarios = table.named_tables("scenario")
        read["scenarios"] = {name: _read_scenario(name, entry) for name, entry in scenarios.items()}
    return read


def _read_option(name: str, table: Table) -> Option:
    with table:
        values = table.texts("values")
        return Option(
            id=name,
            ruling=table.text("ruling"),
            default=table.choice("default", values),
            values=values,
            summary=table.text("summary"),
        )


def _read_scenario(name: str, table: Table) -> Scenario:
    with table:
        arrivals = table.table("arrivals", {})
        for group in arrivals:
            if group not in GROUPS:
                arrivals.refuse(group, "is not a group of units", "known are " + ", ".join(GROUPS))
        setup = table.table("default_setup", {})
        for group in setup:
            if group not in (GARRISON, *HOUSES):
                setup.refuse(group, "does not set up", "known are " + ", ".join((GARRISON, *HOUSES)))
        return Scenario(
            id=name,
            title=table.text("title", name),
            turns=table.integer("turns", 6, least=1),
            arrivals={group: arrivals.integer(group, least=1) for group in arrivals},
            default_setup={group: setup.named_texts(group) for group in setup},
        )


_READERS: Mapping[str, Callable[[Table], Mapping[str, Any]]] = {
    "chits": _read_chits,
    "map": _read_map,
    "scenarios": _read_scenarios,
    "tables": _read_tables,
    "units": _read_units,
}

_PARTS = {
    "grid": ("map", "rows"),
    "costs": ("tables", "movement"),
    "crt": ("tables", "combat"),
    "ladder": ("tables", "results"),
    "units": ("units", "unit"),
    "pools": ("units", "pool"),
    "chits": ("chits", "chit"),
    "options": ("scenarios", "option"),
    "scenarios": ("scenarios", "scenario"),
}
"""The parts of a pack, with the file and key that state each."""
