"""The data pack: map, units, set-up, tables and cards, read strictly and checked against each other.

Invariants: a `Pack` that exists is consistent: every id that one file mentions is defined in another,
no force has more legions at the start than counters, every shared area has its controller. An
unknown key, a missing one or a wrong type is refused with file, table and key. Objects are frozen, and
orders (of areas, units, cards) are those of the files: ties are broken by them (7-2-4, 7-3-4).

How many areas or cards there are is no business of the loader, so that a rule case can bring a map of
three areas; that the standard pack agrees with the rulebook is shown by tests/test_chuhan_data.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.chuhan import checks
from games.chuhan.spelling import spellings
from games.chuhan.terms import (
    CUP,
    ROYAL,
    Area,
    AreaId,
    Camp,
    Card,
    CardId,
    Fate,
    Force,
    ForceId,
    ForceRow,
    General,
    GeneralId,
    Kind,
    LegionsAtStart,
    Tables,
    Track,
)
from games.kit.packs import Provenance, Table, digest_of_directory, read_files
from pbem import toml
from pbem.engine.codec import CodecError, decode
from pbem.errors import UsageError

STANDARD = Path(__file__).parent / "data"
FILES = ("map", "units", "setup", "tables", "cards")


@dataclass(frozen=True, slots=True)
class Pack:
    """Everything that the rules read and that never changes in a game."""

    areas: Mapping[AreaId, Area]
    neighbours: Mapping[AreaId, tuple[AreaId, ...]]
    """The areas one step away, in map order."""
    steps: Mapping[AreaId, Mapping[AreaId, int]]
    """How many steps it is from one area to another; areas that cannot be reached are left out."""
    capitals: Mapping[Camp, AreaId]
    generals: Mapping[GeneralId, General]
    forces: Mapping[ForceId, Force]
    """The forces listed in units.toml, then the royals."""
    stocks: Mapping[str, int]
    """How many legion counters each stock has (1-2-2-1); all royals draw on `ROYAL`."""
    cards: Mapping[CardId, Card]
    deck_size: int
    """How many cards there are, all copies counted."""
    tables: Tables
    legions: tuple[LegionsAtStart, ...]
    markers: Mapping[ForceId, int]
    controllers: Mapping[AreaId, ForceId]
    """Who controls each area that is occupied at the start (2-2, 5-1)."""
    provenance: Mapping[str, Provenance]
    """For each file what it rests on."""
    names: Mapping[str, str]
    """What else areas, generals, forces and cards are called, and their ids."""
    digest: str
    """Over the names and bytes of the files; for a rule case over the tables it brings."""

    @classmethod
    def from_tables(cls, tables: Mapping[str, Mapping[str, Any]]) -> Pack:
        """The pack of a rule case: files as parsed tables; a file that is not given is the standard one."""
        unknown = [name for name in tables if name not in FILES]
        if unknown:
            raise UsageError(f"a chuhan pack has no file {unknown[0]!r}", f"files: {', '.join(FILES)}")
        own = {"provenance": "reconstruction", "how": "brought by a rule case"}
        given = {name: {**own, **table} for name, table in tables.items()}
        whole = {name: Table(given.get(name, _standard()[name]), f"{name}.toml") for name in FILES}
        pack = _build(whole, "")
        content = toml.dumps({name: dict(tables[name]) for name in tables})
        return replace(pack, digest=hashlib.sha256(content.encode()).hexdigest())

    def deck(self) -> tuple[CardId, ...]:
        """2-5: every card of the deck, in file order, one entry per copy."""
        return tuple(card.id for card in self.cards.values() for _ in range(card.copies))

    def cup(self) -> tuple[GeneralId, ...]:
        """2-4: the retainers who have not yet appeared."""
        return tuple(g.id for g in self.generals.values() if g.start == CUP)

    def supply_areas(self) -> tuple[AreaId, ...]:
        """1-1-1: the areas with a supply value."""
        return tuple(a.id for a in self.areas.values() if a.supply)

    def lords(self) -> tuple[ForceId, ...]:
        """4: the forces that have a friendship marker."""
        return tuple(f.id for f in self.forces.values() if f.kind is Kind.LORD)

    def ruler(self, side: Camp) -> GeneralId | None:
        """9-1: the ruler of a player's force."""
        return next((g.id for g in self.generals.values() if g.kind is Kind.RULER and g.force == side), None)

    def aliases(self) -> Mapping[str, str]:
        """Other names of areas, generals, forces and cards that mean one id only, in any script."""
        return self.names


@cache
def load_pack(path: Path | None = None) -> Pack:
    """The pack in the folder `path`, or the standard one."""
    folder = path or STANDARD
    return _build(read_files(folder, FILES), digest_of_directory(folder))


@cache
def _standard() -> dict[str, dict[str, Any]]:
    """The files of the standard pack as parsed, read once for all rule cases."""
    read = read_files(STANDARD, FILES)
    return {name: {key: table.value(key) for key in table} for name, table in read.items()}


def _value(table: Table, key: str, kind: Any) -> Any:
    """The value of a key as typed objects; an error names the line by its id, so that nobody has to count."""
    raw = table.value(key)
    try:
        return decode(raw, kind, key)
    except CodecError as error:
        number = error.path.removeprefix(f"{key}[").partition("]")[0]
        row = raw[int(number)] if isinstance(raw, list) and number.isdigit() else None
        name = f" (id {row['id']!r})" if isinstance(row, dict) and "id" in row else ""
        raise UsageError(
            f"{table.file}: {error.message}{name}", "see the pack that ships with the game"
        ) from None


def _build(files: Mapping[str, Table], digest: str) -> Pack:
    provenance = {name: table.provenance() for name, table in files.items()}
    with files["map"] as table:
        links: Sequence[tuple[AreaId, AreaId]] = _value(table, "link", tuple[tuple[str, str], ...])
        areas = checks.areas(_value(table, "area", tuple[Area, ...]), links)
    neighbours = {a: tuple(b for b in areas if (a, b) in links or (b, a) in links) for a in areas}
    with files["units"] as table:
        generals = checks.generals(_value(table, "general", tuple[General, ...]), areas)
        rows = _value(table, "force", tuple[ForceRow, ...])
        forces = checks.forces(rows, generals, areas)
        stocks = {row.id: row.legions for row in rows} | {ROYAL: table.integer("royal_legions")}
    with files["tables"] as table:
        tables = _tables(table)
        checks.tables(tables, forces)
    with files["setup"] as table:
        legions = _value(table, "legion", tuple[LegionsAtStart, ...])
        markers = _value(table, "marker", dict[str, int])
        checks.markers(markers, forces, tables.track)
        shared = _value(table, "controller", dict[str, str])
        controllers = checks.setup(legions, shared, areas, generals, forces, stocks)
    with files["cards"] as table:
        cards = checks.cards(_value(table, "card", tuple[Card, ...]))
    return Pack(
        areas=MappingProxyType(areas),
        neighbours=MappingProxyType(neighbours),
        steps=MappingProxyType({area: _distances(neighbours, area) for area in areas}),
        capitals=MappingProxyType({a.capital: a.id for a in areas.values() if a.capital}),
        generals=MappingProxyType(generals),
        forces=MappingProxyType(forces),
        stocks=MappingProxyType(stocks),
        cards=MappingProxyType(cards),
        deck_size=sum(card.copies for card in cards.values()),
        tables=tables,
        legions=legions,
        markers=MappingProxyType(markers),
        controllers=MappingProxyType(controllers),
        provenance=MappingProxyType(provenance),
        names=_names([*areas.values(), *generals.values(), *forces.values(), *cards.values()]),
        digest=digest,
    )


def _names(things: Sequence[Area | General | Force | Card]) -> Mapping[str, str]:
    """Names that mean one id only; a name that two counters bear is for the position to decide."""
    named: dict[str, list[str]] = {}
    for thing in things:
        for name in (thing.name, thing.english, *(thing.alias if isinstance(thing, Area) else ())):
            for word in spellings(name):
                named.setdefault(word, []).append(thing.id)
    return MappingProxyType({word: ids[0] for word, ids in named.items() if len(set(ids)) == 1})


def _distances(neighbours: Mapping[AreaId, tuple[AreaId, ...]], start: AreaId) -> Mapping[AreaId, int]:
    """The number of steps from an area to every area that can be reached on the map."""
    away = {start: 0}
    queue = [start]
    for area in queue:
        for near in neighbours[area]:
            if near not in away:
                away[near] = away[area] + 1
                queue.append(near)
    return MappingProxyType(away)


def _tables(table: Table) -> Tables:
    death = _value(table, "death", dict[str, tuple[Fate, ...]])
    return Tables(
        turns=table.integer("turns", least=1),
        sudden_death=table.integer("sudden_death", least=1),
        autumn=_value(table, "autumn", tuple[str, ...]),
        spring=_value(table, "spring", tuple[int, ...]),
        friendship=_value(table, "friendship", tuple[tuple[str, Camp], ...]),
        track=_value(table, "track", Track),
        death=MappingProxyType(death),
    )
