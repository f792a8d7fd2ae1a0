"""A pack that is not right is refused, naming file, table and key."""

from __future__ import annotations

import copy
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.chuhan.pack import FILES, STANDARD, Pack, load_pack
from games.chuhan.terms import Kind
from pbem.errors import UsageError

FILE = {name: tomllib.loads((STANDARD / f"{name}.toml").read_text(encoding="utf-8")) for name in FILES}


Change = Callable[[dict[str, Any]], object]


def row(table: list[dict[str, Any]], ident: str) -> dict[str, Any]:
    return next(r for r in table if r["id"] == ident)


def changed(name: str, change: Change) -> Pack:
    table = copy.deepcopy(FILE[name])
    change(table)
    return Pack.from_tables({name: table})


def with_(table: str, ident: str, **fields: Any) -> Change:
    """The row of that id with other fields."""
    return lambda t: row(t[table], ident).update(fields)


BROKEN: list[tuple[str, Change, str]] = [
    ("map", with_("area", "ji", suply=1), "map.toml: area[10].suply: unknown key"),
    ("map", with_("area", "ji", supply="1"), "expected int, found str (id 'ji')"),
    ("map", with_("area", "ji", supply=True), "expected int, found bool (id 'ji')"),
    ("map", lambda t: row(t["area"], "ji").pop("name"), "area[10].name: missing (id 'ji')"),
    ("map", with_("area", "ji", supply=-1), "map.toml: area ji.supply: cannot be below 0"),
    ("map", with_("area", "ji", capital="han"), "han has a capital already"),
    ("map", with_("area", "ji", heartland="neutral"), "only chu and han"),
    ("map", with_("area", "ji", id="julu"), "area.id: 'julu' is used twice"),
    ("map", with_("area", "ji", id="cup"), "'cup' means another place"),
    ("map", with_("area", "ji", id="gone"), "'gone' means another place"),
    ("map", with_("area", "ji", id="Ji Town"), "'Ji Town' is no id"),
    ("map", lambda t: t["link"].append(["ji", "atlantis"]), "map.toml: link: no area is called 'atlantis'"),
    ("map", lambda t: t["link"].append(["ji", "julu"]), "leads nowhere new"),
    ("map", lambda t: t["link"].append(["ji", "ji"]), "leads nowhere new"),
    ("map", lambda t: t["link"].append(["ji"]), "expected 2 items, found 1"),
    ("map", lambda t: t.update(areas=[]), "map.toml: areas is not a known key"),
    ("map", lambda t: t.update(provenance="hearsay"), 'map.toml: provenance is "hearsay"'),
    ("map", lambda t: t.update(how=" "), "map.toml: how is empty"),
    ("units", with_("general", "jibu", force="han "), "general jibu.force: 'han '"),
    ("units", with_("general", "jibu", kind="poet"), "'poet' is none of ruler"),
    ("units", with_("general", "jibu", kind="ruler", start="peng"), "has a ruler already"),
    ("units", with_("general", "jibu", military=6), "general jibu.military: must be 0 to 5"),
    ("units", with_("general", "jibu", strategy=0), "general jibu.strategy: must be 1 or more"),
    ("units", with_("general", "jibu", start="aside"), "only lords and royals wait aside"),
    ("units", with_("general", "jibu", start="atlantis"), "no area is called 'atlantis'"),
    ("units", with_("general", "jibu", attributes=["brave"]), "'brave' is none of"),
    ("units", with_("general", "weibao", start="cup"), "the cup holds retainers only"),
    ("units", with_("general", "weibao", force="zangtu"), "general weibao.force: 'zangtu'"),
    ("units", with_("general", "chenping", start="peng"), "begins in the cup (9-7)"),
    ("units", with_("general", "hanxin-lord", start="peng"), "never on the board"),
    ("units", with_("general", "hanxin-lord", retainer="liubang"), "hanxin-lord.retainer"),
    ("units", with_("force", "chu", home="peng"), "force chu: a player's force has neither"),
    ("units", with_("force", "qingbu", home="atlantis"), "force qingbu.home: no area"),
    ("units", with_("force", "qingbu", lowest=3), "lowest and highest, in this order"),
    ("units", with_("force", "qingbu", highest=3), "must lie on the track"),
    ("units", with_("force", "qingbu", id="Qing"), "force.id: 'Qing' is no id"),
    ("units", with_("general", "weibao", id="chu", force="chu"), "under an id of his own (4-5)"),
    ("units", with_("force", "qingbu", legions=-1), "force qingbu.legions"),
    ("units", lambda t: t["force"].remove(row(t["force"], "han")), "units.toml: force: 'han' is missing"),
    ("units", lambda t: t["force"].append(row(t["force"], "han")), "force.id: 'han' is used twice"),
    (
        "units",
        lambda t: t["force"].append({**row(t["force"], "qingbu"), "id": "nobody"}),
        "force nobody: no general",
    ),
    (
        "units",
        lambda t: t.update(royal_legions=4),
        "setup.toml: legion ji zangtu: more legions than counters",
    ),
    ("units", lambda t: t.pop("royal_legions"), "units.toml: royal_legions is missing"),
    ("setup", lambda t: t["legion"].append({"area": "ji", "force": "chu", "count": 0}), "must be 1 or more"),
    (
        "setup",
        lambda t: t["legion"].append(t["legion"][0]),
        "legion hanzhong han: must be 1 or more, on one line",
    ),
    (
        "setup",
        lambda t: t["legion"].append({"area": "ji", "force": "qin", "count": 1}),
        "no such area or force",
    ),
    (
        "setup",
        lambda t: t["legion"].append({"area": "ji", "force": "chu", "count": 1}),
        "controller.ji: missing",
    ),
    ("setup", lambda t: t["controller"].update(ji="chu"), "controller.ji: 'chu' has no unit there"),
    ("setup", lambda t: t["marker"].update(qingbu=-3), "marker.qingbu: -3 is outside"),
    ("setup", lambda t: t["marker"].update(tianrong=0), "marker.tianrong: no such lord"),
    ("setup", lambda t: t["marker"].pop("qingbu"), "marker.qingbu: missing"),
    ("tables", lambda t: t["spring"].pop(), "tables.toml: spring: needs six results"),
    ("tables", lambda t: t["autumn"].__setitem__(0, "chu"), "autumn: no lord is called 'chu'"),
    ("tables", lambda t: t["friendship"].__setitem__(0, ["royal", "han"]), "friendship: ['royal', 'han']"),
    ("tables", lambda t: t["death"].pop("royal"), "death.royal: needs six results"),
    ("tables", lambda t: t["death"].update(horse=[]), "death.horse: unknown key"),
    ("tables", lambda t: t["track"].update(chu=2), "track: chu must be below han"),
    ("tables", lambda t: t.update(turns=0), "tables.toml: turns is 0"),
    ("cards", with_("card", "spies", id="spy"), "the rules know no event 'spy'"),
    ("cards", with_("card", "spies", needs="2+"), "card spies.needs: '2+'"),
    ("cards", with_("card", "spies", copies=0), "card spies.copies: must be 1 or more"),
    ("cards", with_("card", "spies", side="qin"), "'qin' is none of both, chu, han"),
]


@pytest.mark.parametrize(("name", "change", "says"), BROKEN, ids=[says for _, _, says in BROKEN])
def test_refused_with_file_table_and_key(name: str, change: Change, says: str) -> None:
    with pytest.raises(UsageError) as error:
        changed(name, change)
    assert says in error.value.message
    assert error.value.message.partition(".toml: ")[0] in FILES


def test_unchanged_files_make_the_standard_pack() -> None:
    pack = Pack.from_tables(FILE)
    standard = load_pack()
    assert (pack.areas, pack.generals, pack.forces, pack.cards) == (
        standard.areas,
        standard.generals,
        standard.forces,
        standard.cards,
    )


def test_digest_is_of_the_files_bytes(tmp_path: Path) -> None:
    shutil.copytree(STANDARD, tmp_path / "own")
    assert load_pack(tmp_path / "own").digest == load_pack().digest
    shutil.copytree(STANDARD, tmp_path / "other")
    path = tmp_path / "other" / "setup.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("count = 6", "count = 5"), encoding="utf-8")
    assert load_pack(tmp_path / "other").digest != load_pack().digest


def test_files_that_are_missing_or_unknown(tmp_path: Path) -> None:
    shutil.copytree(STANDARD, tmp_path / "own")
    (tmp_path / "own" / "cards.toml").unlink()
    with pytest.raises(UsageError, match=r"cards\.toml is missing"):
        load_pack(tmp_path / "own")
    with pytest.raises(UsageError, match='"areas" is not part of the pack'):
        Pack.from_tables({"areas": {}})


def test_a_case_brings_a_map_of_three_areas() -> None:
    def thing(ident: str, **fields: Any) -> dict[str, Any]:
        return {"id": ident, "name": ident, "english": ident, **fields}

    lords = ("hanxin", "pengyue", "qingbu", "zhanger", "zhanghan")
    rulers = [("liubang", "han", "west"), ("xiangyu", "chu", "east")]
    generals = [thing(g, force=f, kind="ruler", military=2, start=a) for g, f, a in rulers]
    generals += [thing(f, force=f, kind="lord", military=1, start="aside") for f in lords]
    forces = [thing("chu", legions=3), thing("han", legions=3)]
    forces += [thing(f, legions=1, lowest=-2, highest=2) for f in lords]
    areas = [thing(name, supply=1, at=[0, 0]) for name in ("west", "pass", "east")]
    pack = Pack.from_tables(
        {
            "map": {"area": areas, "link": [["west", "pass"], ["pass", "east"]]},
            "units": {"general": generals, "force": forces, "royal_legions": 0},
            "setup": {"legion": [], "marker": dict.fromkeys(lords, 0), "controller": {}},
        }
    )
    assert pack.neighbours["pass"] == ("west", "east")
    assert pack.controllers == {"west": "han", "east": "chu"}
    assert pack.forces["han"].kind is Kind.RULER
    assert pack.digest != load_pack().digest


def test_packs_cannot_be_changed() -> None:
    pack = load_pack()
    with pytest.raises(TypeError):
        pack.areas["ji"] = pack.areas["julu"]  # type: ignore[index]
    with pytest.raises(AttributeError):
        pack.areas["ji"].supply = 9  # type: ignore[misc]


def test_names_in_any_script_stand_for_one_id() -> None:
    aliases = load_pack().aliases()
    assert {aliases[w] for w in ("彭城", "彭", "Peng")} == {"peng"}
    assert (aliases["項羽"], aliases["間諜"], aliases["武関"]) == ("xiangyu", "spies", "wuguan")
    assert "韓信" not in aliases, "two counters bear this name"
