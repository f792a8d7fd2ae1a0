"""The data pack: people and lands, read strictly and checked.

Invariants: a `Pack` that exists is consistent: every ability can be read, every name that an ability mentions
is somebody's, ids and numbers are unique. Orders (of people, lands) are those of the files. How many cards
there are is no business of the loader, so that a rule case can bring cards of its own: a case names only the
fields that it rests on, the rest is the standard card's. tests/test_suikoden_data.py holds the standard pack
against the rulebook.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.kit.packs import Provenance, Table, check_names, digest_of_directory, digest_of_tables, read_files
from games.suikoden.ability import Ability
from games.suikoden.ability_text import read_ability
from games.suikoden.cards import Land, Person
from games.suikoden.terms import Attribute, CardId, Keyword, LandId, Symbol
from pbem.errors import UsageError

STANDARD = Path(__file__).parent / "data"
FILES = ("people", "lands")
_PERSON = {
    "number": 0, "reading": "", "english": "", "gloss": "", "attribute": "仁", "cost": "", "attack": 0,
    "defence": 0, "wit": 0, "keywords": [], "abilities": [], "printed": "",
}  # fmt: skip
_LAND = {
    "reading": "", "english": "", "stars": 1, "leaders": 5, "repair": 0, "trade": 10, "hunt": 10, "wall": 0,
    "refuge": 0, "current": 0, "slope": 0, "body": [], "printed": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pack:
    """Everything that the rules read and that never changes in a game."""

    people: Mapping[CardId, Person]
    lands: Mapping[LandId, Land]
    printed: Mapping[str, str]
    """By id, what of a card is printed in the book, and where."""
    provenance: Mapping[str, Provenance]
    names: Mapping[str, str]
    """What else people and lands are called, and their ids."""
    digest: str

    @classmethod
    def from_tables(cls, tables: Mapping[str, Mapping[str, Any]]) -> Pack:
        """The pack of a rule case: cards of its own beside the standard ones, or changed standard ones."""
        check_names(tables, FILES)
        whole = {}
        for name in FILES:
            key = name.removesuffix("s") if name == "lands" else "person"
            standard = _standard()[name]
            with Table(tables.get(name, {}), name) as table:
                given = [dict(row) for row in table.value(key, [])]
            whole[name] = Table({**standard, key: _laid_over(standard[key], given)}, f"{name}.toml")
        return _build(whole, digest_of_tables(tables))

    def deck(self) -> tuple[CardId, ...]:
        """Every person, in file order."""
        return tuple(self.people)

    def all_lands(self) -> tuple[LandId, ...]:
        """Every land card, in file order, one entry per copy."""
        return tuple(land.id for land in self.lands.values() for _ in range(land.copies))

    def label(self, ident: str) -> str:
        """The name of a person or land as the book prints it."""
        if ident in self.people:
            return self.people[ident].name
        return self.lands[ident].label if ident in self.lands else ident


def _laid_over(standard: list[dict[str, Any]], given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rows = {row["id"]: dict(row) for row in standard}
    for row in given:
        rows[row["id"]] = {**rows.get(row["id"], {"name": row["id"]}), **row}
    return list(rows.values())


@cache
def load_pack(path: Path | None = None) -> Pack:
    """The pack in the folder `path`, or the standard one."""
    folder = path or STANDARD
    return _build(read_files(folder, FILES), digest_of_directory(folder))


@cache
def _standard() -> dict[str, dict[str, Any]]:
    read = read_files(STANDARD, FILES)
    return {name: {key: table.value(key) for key in table} for name, table in read.items()}


def _rows(table: Table, key: str, defaults: Mapping[str, Any]) -> list[tuple[Table, dict[str, Any]]]:
    """The lines of a list, each with its values; a wrong type is refused with file, line and key."""
    found, seen = [], set()
    for row in table.tables(key):
        values: dict[str, Any] = {"id": row.text("id"), "name": row.text("name")}
        for name, default in defaults.items():
            if isinstance(default, int):
                values[name] = row.integer(name, default)
            elif isinstance(default, list):
                values[name] = tuple(row.value(name, default))
            else:
                values[name] = row.text(name, default)
        if values["id"] in seen:
            row.refuse("id", f"{values['id']!r} is there twice")
        seen.add(values["id"])
        with row:
            found.append((row, values))
    return found


def _symbols(row: Table, text: str) -> tuple[Symbol, ...]:
    found: list[Symbol] = []
    for at, char in enumerate(text):
        if char == "殺":
            continue
        word = char + ("殺" if text[at + 1 : at + 2] == "殺" else "")
        try:
            found.append(Symbol(word))
        except ValueError:
            row.refuse("cost", f"has no symbol {word!r}", "白, 仁, 義, 勇, or 仁殺, 義殺, 勇殺")
    return tuple(found)


def _person(row: Table, values: dict[str, Any]) -> Person:
    keywords, archery = [], 0
    for text in values.pop("keywords"):
        name = str(text).rstrip("0123456789")
        try:
            keywords.append(Keyword(name))
        except ValueError:
            row.refuse("keywords", f"has no {text!r}", ", ".join(k.value for k in Keyword))
        archery = int(str(text)[len(name) :] or 0) if keywords[-1] is Keyword.ARCHERY else archery
    try:
        attribute = Attribute(values.pop("attribute"))
    except ValueError:
        row.refuse("attribute", "is none of 仁 義 勇 黄 黒")
    cost = _symbols(row, values.pop("cost"))
    abilities = tuple(read_ability(text) for text in values.pop("abilities"))
    return Person(
        **values,
        attribute=attribute,
        cost=cost,
        keywords=tuple(keywords),
        archery=archery,
        abilities=abilities,
    )


def _build(files: Mapping[str, Table], digest: str) -> Pack:
    provenance = {name: table.provenance() for name, table in files.items()}
    printed: dict[str, str] = {}
    people: dict[CardId, Person] = {}
    lands: dict[LandId, Land] = {}
    with files["people"] as table:
        for row, values in _rows(table, "person", _PERSON):
            printed[values["id"]] = values.pop("printed")
            people[values["id"]] = _person(row, values)
    with files["lands"] as table:
        for _, values in _rows(table, "land", _LAND):
            printed[values["id"]] = values.pop("printed")
            lands[values["id"]] = Land(**values)
    _check_names(people)
    return Pack(
        people=MappingProxyType(people),
        lands=MappingProxyType(lands),
        printed=MappingProxyType({ident: text for ident, text in printed.items() if text}),
        provenance=MappingProxyType(provenance),
        names=_names(people, lands),
        digest=digest,
    )


def _check_names(people: Mapping[CardId, Person]) -> None:
    known = {person.name for person in people.values()}
    for person in people.values():
        for ability in person.abilities:
            for name in _mentioned(ability):
                if name not in known:
                    raise UsageError(f"people.toml: {person.id}: nobody is called {name!r}")


def _mentioned(ability: Ability) -> tuple[str, ...]:
    found = ability.condition.filter.names if ability.condition else ()
    return found + tuple(n for e in ability.do if e.selector for n in e.selector.filter.names)


def _names(people: Mapping[CardId, Person], lands: Mapping[LandId, Land]) -> Mapping[str, str]:
    """Names that mean one card only: Chinese characters, kana, and English without spaces or case."""
    named: dict[str, list[str]] = {}
    for person in people.values():
        plain = person.english.replace(" ", "").replace("'", "")
        for word in (person.name, person.reading, plain, plain.lower(), f"{person.number:03}"):
            named.setdefault(word, []).append(person.id)
    for land in lands.values():
        named.setdefault(land.label, []).append(land.id)
    return MappingProxyType({word: ids[0] for word, ids in named.items() if len(set(ids)) == 1})
