"""The data pack: map, units, set-up, tables and cards, read strictly and checked against each other.

Invariants: a `Pack` that exists is consistent: every id that one file mentions is defined in another,
no force has more legions at the start than counters, every shared area has its controller. An
unknown key, a missing one or a wrong type is refused with file, table and key. Objects are frozen, and
orders (of areas, units, cards) are those of the files: ties are broken by them (7-2-4, 7-3-4).

How many areas or cards there are is no business of the loader, so that a rule case can bring a map of
three areas; that the standard pack agrees with the rulebook is shown by tests/test_chuhan_data.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from games.kit.areas import neighbours
from games.kit.packs import Provenance, Table, check_names, digest_of_directory, digest_of_tables, read_files
from games.kit.ways import steps

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
        check_names(tables, FILES)
        own = {"provenance": "reconstruction", "how": "brought by a rule case"}
        given = {name: {**own, **table} for name, table in tables.items()}
        whole = {name: Table(given.get(name, _standard()[name]), f"{name}.toml") for name in FILES}
        return _build(whole, digest_of_tables(tables))

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


def _build(files: Mapping[str, Table], digest: str) -> Pack:
    provenance = {name: table.provenance() for name, table in files.items()}
    with files["map"] as table:
        links: Sequence[tuple[AreaId, AreaId]] = table.typed("link", tuple[tuple[str, str], ...])
        areas = checks.areas(table.typed("area", tuple[Area, ...]), links)
    near = neighbours(areas, links)
    with files["units"] as table:
        generals = checks.generals(table.typed("general", tuple[General, ...]), areas)
        rows = table.typed("force", tuple[ForceRow, ...])
        forces = checks.forces(rows, generals, areas)
        stocks = {row.id: row.legions for row in rows} | {ROYAL: table.integer("royal_legions")}
    with files["tables"] as table:
        tables = _tables(table)
        checks.tables(tables, forces)
    with files["setup"] as table:
        legions = table.typed("legion", tuple[LegionsAtStart, ...])
        markers = table.typed("marker", dict[str, int])
        checks.markers(markers, forces, tables.track)
        shared = table.typed("controller", dict[str, str])
        controllers = checks.setup(legions, shared, areas, generals, forces, stocks)
    with files["cards"] as table:
        cards = checks.cards(table.typed("card", tuple[Card, ...]))
    return Pack(
        areas=MappingProxyType(areas),
        neighbours=near,
        steps=MappingProxyType({area: MappingProxyType(steps([area], near)) for area in areas}),
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


def _tables(table: Table) -> Tables:
    death = table.typed("death", dict[str, tuple[Fate, ...]])
    return Tables(
        turns=table.integer("turns", least=1),
        sudden_death=table.integer("sudden_death", least=1),
        autumn=table.typed("autumn", tuple[str, ...]),
        spring=table.typed("spring", tuple[int, ...]),
        friendship=table.typed("friendship", tuple[tuple[str, Camp], ...]),
        track=table.typed("track", Track),
        death=MappingProxyType(death),
    )
