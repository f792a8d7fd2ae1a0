"""The data pack of redcoats: seven maps, their counters, the battles' own rules, the aid card, options.

Invariants: a pack never changes after loading; maps, counters and aid card are reconstructions, the battles
are printed in the book, and each file says so. A case brings one small field of its own: `map`, `units`,
`tables` and `scenario`, each of which may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.kit.packs import (
    Lazily,
    Provenance,
    Table,
    check_directory,
    digest_of_directory,
    digest_of_tables,
    read_choice,
    read_file,
)
from games.redcoats.aid import Aid, read_aid
from games.redcoats.battles import read_scenario
from games.redcoats.field import Field, read_field
from games.redcoats.printed import SIDES, Arm, Counter, Scenario
from pbem.engine.shown import Choice
from pbem.errors import UsageError

MAPS = ("brooklyn", "harlem", "white-plains", "trenton", "princeton", "stony-point", "kings-mountain")
FILES = (*MAPS, "options", "scenarios", "tables", "units")
CASE_PARTS = ("map", "units", "tables", "scenario")
DATA = Path(__file__).parent / "data"
CASE = "case"
"""The scenario, map and roster that a case brings along."""
_VALUES = {
    Arm.GUN: re.compile(r"\((\d+)\)-(\d+)-(\d+)-(\d+)/(\d+)"),
    Arm.LEADER: re.compile(r"(\d+)-(\d+)-(\d+)"),
}
_FOOT = re.compile(r"(\d+)-(\d+)-(\d+)/(\d+)-(\d+)/(\d+)")


@dataclass(frozen=True, slots=True)
class Pack:
    """Everything printed that a game of redcoats needs."""

    aid: Aid
    fields: Mapping[str, Field]
    rosters: Mapping[str, Mapping[str, Counter]]
    scenarios: Mapping[str, Scenario]
    titles: Mapping[str, str]
    """What each scenario is called: known without reading it."""
    options: Mapping[str, Choice]
    provenance: Mapping[str, Provenance]
    digest: str
    caches: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What is drawn or worked out once for a pack: boards for pictures."""

    @staticmethod
    def from_tables(tables: Mapping[str, Any]) -> Pack:
        """A pack from plain tables, as a case brings them; see `pbem help cases`."""
        for name in tables:
            if name not in CASE_PARTS:
                raise UsageError(f'"{name}" is not part of a case', "it may bring " + ", ".join(CASE_PARTS))
        base = load_pack()
        digest = digest_of_tables(tables)
        aid = base.aid
        if "tables" in tables:
            with Table(tables["tables"], "tables") as table:
                aid = read_aid(table)
        rows = {"rows": ["." * 12] * 12}
        with Table(tables.get("map", rows), "map") as table:
            ground = read_field(table, aid)
        with Table({CASE: tables.get("units", {})}, "units") as table:
            roster = _read_roster(table.table(CASE))
        with Table({"scenario": {CASE: tables.get("scenario", {})}}, "scenario") as table:
            battle = read_scenario(CASE, table.table("scenario").table(CASE), {CASE: ground}, {CASE: roster})
        titles = {CASE: battle.title}
        return Pack(aid, {CASE: ground}, {CASE: roster}, {CASE: battle}, titles, base.options, {}, digest)


def load_pack(path: Path | None = None) -> Pack:
    """The pack in a directory, all of it; without a path the one we ship, each map when it is needed."""
    if path is None:
        return _default()
    pack = _load(path)
    for parts in (pack.fields, pack.rosters, pack.scenarios, pack.provenance):
        dict(parts)
    return pack


@lru_cache(maxsize=1)
def _default() -> Pack:
    return _load(DATA)


def _load(path: Path) -> Pack:
    check_directory(path, FILES)
    stated = Lazily(FILES, lambda name: _stated(path, name))
    with stated["tables"][0] as table:
        aid = read_aid(table)
    with stated["options"][0] as table:
        options = {name: read_choice(name, entry) for name, entry in table.named_tables("option").items()}
    with stated["units"][0] as table:
        units = {name: table.table(name) for name in table if name in MAPS}
    with stated["scenarios"][0] as table:
        battles = {name: _battle(table, entry) for name, entry in table.named_tables("scenario").items()}

    def ground(name: str) -> Field:
        with stated[name][0] as table:
            return read_field(table, aid)

    fields = Lazily(MAPS, ground)
    rosters = Lazily(units, lambda name: _read_roster(units[name]))
    scenarios = Lazily(battles, lambda name: read_scenario(name, battles[name], fields, rosters))
    titles = {name: entry.text("title", name) for name, entry in battles.items()}
    provenance = Lazily(FILES, lambda name: stated[name][1])
    return Pack(aid, fields, rosters, scenarios, titles, options, provenance, digest_of_directory(path))


def _stated(path: Path, name: str) -> tuple[Table, Provenance]:
    """One file, and where its contents come from."""
    table = read_file(path, name)
    return table, table.provenance()


def _battle(table: Table, entry: Table) -> Table:
    """A scenario; a what-if states only what differs from another."""
    like = entry.text("like", "")
    if not like:
        return entry
    return Table({**table.table("scenario").value(like), **_plain(entry)}, entry.file, entry.path)


def _plain(table: Table) -> dict[str, Any]:
    return {key: table.value(key) for key in table if key != "like"}


def _read_roster(table: Table) -> dict[str, Counter]:
    """`[american]` and `[british]`: id = { arm, values, … }, values as printed."""
    found: dict[str, Counter] = {}
    with table:
        for side in SIDES:
            for unit, entry in table.named_tables(side, {}).items():
                if unit in found:
                    entry.refuse(unit, "is there twice", "every unit of a battle needs its own id")
                if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", unit):
                    entry.refuse(unit, "is no id", "an id is made of small letters, digits and hyphens")
                found[unit] = _read_counter(unit, side, entry)
    return found


def _read_counter(unit: str, side: str, table: Table) -> Counter:
    with table:
        arm = Arm(table.choice("arm", tuple(Arm), "infantry"))
        printed = table.text("values")
        fits = _VALUES.get(arm, _FOOT).fullmatch(printed)
        if not fits:
            hints = {
                Arm.GUN: "(bombardment)-allowance-morale-range/morale of the back",
                Arm.LEADER: "command value-command range-allowance",
            }
            back = "strength-allowance-morale/strength-morale of the back/points"
            table.refuse("values", f'is "{printed}"', f"write {hints.get(arm, back)}")
        n = [int(text) for text in fits.groups()]
        name, nation = table.text("name", unit), table.text("nation", "")
        common = {"id": unit, "name": name, "side": side, "arm": arm, "nation": nation}
        if arm is Arm.GUN:
            howitzer = bool(table.value("howitzer", False))
            values = {"fire": n[0], "ma": n[1], "morale": n[2], "range": n[3], "back_morale": n[4]}
            return Counter(**common, **values, howitzer=howitzer)  # type: ignore[arg-type]
        if arm is Arm.LEADER:
            return Counter(**common, value=n[0], range=n[1], ma=n[2])  # type: ignore[arg-type]
        keys = ("strength", "ma", "morale", "back_strength", "back_morale", "points")
        return Counter(**common, **dict(zip(keys, n, strict=True)))  # type: ignore[arg-type]
