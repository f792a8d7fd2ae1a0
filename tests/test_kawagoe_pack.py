"""Loading a pack of kawagoe, the options and the rulebook: complete, and bad input is refused by name."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from games.kawagoe.battlefield import Costs
from games.kawagoe.pack_files import DATA, FILES, load_pack, pack_from
from pbem.errors import UsageError
from tests.misprints import misprinted

PACK = load_pack()

# options, provenance, the rulebook

SWITCHES = re.findall(
    r"\S+", "4.24-a 5.52-b 6.32b-b 6.41-a 9.11-a 9.4-b 9.54-a 9.61-b 9.64-a 9.73-a 13.1-b 13.2-b"
)

NUMBERS = re.findall(
    r"\S+",
    """
1.0 2.0 2.1 2.2 2.3 3.0 3.1 3.2 4.0 4.1 4.2 4.21 4.22 4.23 4.24 4.3 4.4 5.0 5.1 5.11 5.12 5.13 5.14
5.2 5.3 5.31 5.32 5.33 5.4 5.5 5.51 5.52 5.53 5.54 5.55 5.56 6.0 6.1 6.11 6.12 6.13 6.14 6.15 6.16
6.2 6.21 6.22 6.3 6.31 6.32 6.33 6.34 6.32b 6.4 6.41 6.42 6.43 7.0 8.0 8.1 8.2 8.3 9.0 9.1 9.11 9.12
9.13 9.14 9.15 9.16 9.17 9.2 9.3 9.4 9.41 9.42 9.43 9.5 9.51 9.52 9.53 9.54 9.6 9.61 9.62 9.63 9.64
9.65 9.7 9.71 9.72 9.73 9.74 9.75 9.76 9.77 9.77b 9.78 9.8 9.81 9.82 9.83 9.84 10.0 10.1 10.2 10.3
10.4 11.0 11.1 11.2 12.0 13.0 13.1 13.2 13.3 13.4 13.5 13.51 13.6
""",
)

RULES = tomllib.loads((DATA.parent / "rulebook.toml").read_text(encoding="utf-8"))["rule"]


def test_every_open_choice_is_an_option_with_our_ruling_as_default():
    assert sorted(option.ruling for option in PACK.options.values()) == sorted(SWITCHES)
    rulings = "\n".join(rule.get("ruling", "") for rule in RULES)
    for option in PACK.options.values():
        assert option.default == option.values[0] and len(option.values) >= 2
        line = next(line for line in rulings.splitlines() if line.startswith(f"{option.ruling}:"))
        assert f"(option {option.id})" in line


def test_every_file_says_where_it_comes_from():
    assert set(PACK.provenance) == set(FILES)
    assert PACK.provenance["chits"].kind == "rulebook"
    assert {PACK.provenance[name].kind for name in FILES if name != "chits"} == {"reconstruction"}


def test_the_rulebook_lists_all_120_rules_in_order():
    assert [rule["id"] for rule in RULES] == NUMBERS and len(NUMBERS) == 120


def test_rules_say_what_they_are_and_few_only_explain():
    for rule in RULES:
        assert set(rule) <= {"id", "title", "summary", "status", "reason", "ruling"}
        assert rule["status"] in ("enforced", "explains", "reconstructed")
        assert ("reason" in rule) == (rule["status"] == "explains")
        assert 20 < len(rule["summary"]) < 330 and rule["summary"].endswith(".")
        for line in rule.get("ruling", "").splitlines():
            assert re.match(rf"{re.escape(rule['id'])}-[a-z]: ", line), "a ruling stands under its own rule"
    assert sum(rule["status"] == "explains" for rule in RULES) <= 0.15 * len(RULES)


# loading


def test_a_copied_pack_is_the_same_and_a_changed_byte_is_another(tmp_path: Path):
    copy = tmp_path / "mine"
    shutil.copytree(DATA, copy)
    assert load_pack(copy) == PACK
    with (copy / "map.toml").open("a", encoding="utf-8") as file:
        file.write("# mine\n")
    assert load_pack(copy).digest != PACK.digest
    assert load_pack() is PACK


@pytest.mark.parametrize(
    ("file", "old", "new", "rule"),
    [
        ("units", 'name = "北条幻庵"\ngroup = "garrison"', 'group = "sagami"', "4.1"),
        ("units", 'id = "tame"', 'id = "tama"', "13.2"),
        ("units", 'sides = ["6-5", "4-5", "2-5"]', 'sides = ["6-5", "4-5"]', "9.52"),
        ("units", 'id = "ota"\nname = "太田資正"\ngroup = "ougigayatsu"\nclass = "general"',
         'id = "ota"\ngroup = "ougigayatsu"\nclass = "commander"', "13.3"),
        ("chits", "count = 2", "count = 3", "5.11"),
        ("tables", '"10:1"', '"9:1"', "9.41"),
        ("tables", '"AE", "A1", "乱戦"', '"AE", "A1", "boom", "乱戦"', "9.51"),
        ("map", '"1" = "honjo"', '"1" = "ninokuruwa"', "8.2"),
        ("map", '"1811/1810"', '"1809/1810"', "5.33"),
        ("map", '"大手下" = ["1810",', '"大手下" = ["1811", "1711", "1810",', "13.1"),
        ("map", 'y = ["yamanouchi"]', 'y = ["koga"]', "4.2"),
        ("map", 'R = ["entry", "reinforcement"]', 'R = ["entry"]', "7.0"),
        ("scenarios", 'tsunashige = "1811"\n', "", "4.2"),
        ("scenarios", 'tsunashige = "1811"', 'tsunashige = "3125"', "4.0"),
    ],
)  # fmt: skip
def test_a_pack_that_contradicts_the_book_is_refused_with_the_rule(tmp_path: Path, file, old, new, rule):
    with pytest.raises(UsageError, match=rf"contradicts rule {re.escape(rule)}:"):
        load_pack(misprinted(DATA, tmp_path, file, old, new))


def test_a_castle_too_large_for_six_units_is_refused(tmp_path: Path):
    copy = tmp_path / "mine"
    shutil.copytree(DATA, copy)
    text = (copy / "map.toml").read_text(encoding="utf-8")
    wide = re.sub(r'^    "[.wm]{30}", # 2[0-9]$', f'    "{"3" * 30}",', text, count=5, flags=re.M)
    (copy / "map.toml").write_text(wide, encoding="utf-8")
    with pytest.raises(UsageError, match=r"contradicts rule 4\.1: six units cannot cover the castle"):
        load_pack(copy)


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        ({"mapp": {}}, '"mapp" is not part of the pack'),
        ({"map": {"rows": ["."], "colour": "red"}}, "map: colour is not a known key"),
        ({"map": {"rows": ["."], "legend": {".": "lava"}}}, 'legend.. is "lava"'),
        ({"map": {"rows": ["."], "areas": {"kogaa": ["0101"]}}}, "areas.kogaa is not a known area"),
        ({"map": {"rows": ["..", ".."], "hexsides": {"wall": ["0101/0102"]}}}, "hexsides.wall is not"),
        ({"tables": {"movement": {"plain": 1}}}, "[movement] woods is missing"),
        (
            {"units": {"unit": [{"id": "A B", "group": "sagami", "class": "levy", "sides": []}]}},
            'id is "A B"',
        ),
        ({"units": {"unit": [{"id": "a", "group": "red", "class": "levy", "sides": []}]}}, 'group is "red"'),
        (
            {"units": {"unit": [{"id": "a", "group": "sagami", "class": "levy", "sides": ["5"]}]}},
            'sides has "5"',
        ),
        ({"units": {"pool": {"hojo": {"movement": 5, "letter": "h", "identity": []}}}}, 'house is "hojo"'),
        ({"scenarios": {"scenario": {"s": {"arrivals": {"tokugawa": 1}}}}}, "tokugawa is not a group"),
        ({"scenarios": {"scenario": {"s": {"default_setup": {"sagami": {}}}}}}, "sagami does not set up"),
        ({"scenarios": {"scenario": {"s": {"turn": 6}}}}, "[scenario.s] turn is not a known key"),
        ({"chits": {"chit": [{"id": "x", "side": "anti", "kind": "house"}]}}, "[chit.1] house is missing"),
    ],
)
def test_slips_in_the_tables_of_a_case_are_named(tables, problem):
    with pytest.raises(UsageError) as refusal:
        pack_from(tables)
    assert problem in refusal.value.message


def test_a_case_may_bring_its_own_map_units_and_tables():
    pack = pack_from(
        {
            "map": {"rows": ["..", "..", ".."], "origin": "1008", "hexsides": {"lake": ["1008/1009"]}},
            "units": {
                "unit": [{"id": "a", "group": "sagami", "class": "levy", "sides": ["4-6", "2-6"]}],
                "pool": {"koga": {"letter": "k", "movement": 4, "identity": [
                    {"id": "x", "class": "levy", "strength": 0, "count": 2}]}},
            },
            "tables": {"movement": dict.fromkeys(Costs.__slots__, 2)},
        }
    )  # fmt: skip
    assert pack.map.hexes[0] == "1008" and pack.map.cost["1008"]["1108"] == 2
    assert list(pack.units) == ["a"] and pack.units["a"].strength == (0, 2, 4)
    assert pack.pools["koga"].counters == ("k01", "k02") and pack.pools["yamanouchi"].counters == ()
    assert pack.crt is PACK.crt and pack.chits is PACK.chits and pack.options is PACK.options
    assert "map" not in pack.provenance and pack.digest != PACK.digest
