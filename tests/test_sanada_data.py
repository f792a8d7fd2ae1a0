"""The data pack of sanada against what the book prints: hexes, castles, ratings, line-ups, every cell."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from games.sanada.pack import DATA, load_pack
from games.sanada.terms import KANTO, OSAKA, Colour, Rank, date
from pbem.errors import UsageError
from tests.misprints import misprinted

PACK = load_pack()


def test_every_printed_hex() -> None:
    printed = {
        "osaka": "1724",
        "nijo": "2419",
        "wakayama": "0732",
        "himeji": "0216",
        "ueno": "3025",
        "sasayama": "1514",
        "miyazu": "1704",
        "obama": "2807",
        "ibaraki": "1922",
        "kishiwada": "1328",
        "koriyama": "2226",
        "kameyama": "3824",
        "nagoya": "4921",
    }
    assert {castle: PACK.castles[castle].hex for castle in printed} == printed
    assert PACK.map.is_open("1626") and PACK.map.is_open("2606") and PACK.map.is_open("2706")
    assert "2706" in PACK.map.grid.neighbours["2606"] and "2706" not in PACK.map.near["2606"]
    assert PACK.map.names == {"2419": "京", "1626": "堺"}
    assert PACK.castles["nabari"].lord == "takatora", "25.2.2 names it without a hex"


def test_castles_with_known_values() -> None:
    known = {"ibaraki": (2, 2), "kishiwada": (2, 2), "koriyama": (3, 2), "yodo": (2, 1), "tatsuta": (2, 1)}
    found = {c: (PACK.castles[c].strength, PACK.castles[c].durability) for c in known}
    assert found == known
    assert PACK.scenarios["summer"].castles == {"osaka": (3, 12)}
    assert PACK.castles["osaka"].owner == OSAKA
    assert {c.owner for c in PACK.castles.values() if c.id != "osaka"} == {KANTO}


def test_lords_of_castles() -> None:
    """25.2.2."""
    lords = {
        "wakayama": "asano",
        "himeji": "toshitaka",
        "ueno": "takatora",
        "nabari": "takatora",
        "miyazu": "takatomo",
        "obama": "tadataka",
        "ibaraki": "katagiri",
        "kishiwada": "koide",
        "koriyama": "kuwayama",
    }
    assert {c.id: c.lord for c in PACK.castles.values() if c.lord} == lords
    assert all(PACK.units[lord].colour is Colour.ORANGE for lord in lords.values())


def test_known_ratings_and_tracks() -> None:
    known = {
        "yukimura": (5, 6),
        "goto": (4, 5),
        "akashi": (4, 5),
        "chosokabe": (4, 4),
        "katsunaga": (3, 4),
        "ban": (3, 2),
        "onjuku": (2, 0),
        "itakura": (1, 0),
        "kuwayama": (0, 0),
        "koide": (0, 0),
        "katagiri": (0, 0),
    }
    assert {u: (PACK.units[u].combat, PACK.units[u].action) for u in known} == known
    assert PACK.units["ieyasu"].combat == 3 and PACK.units["ieyasu"].action == 3
    assert PACK.units["toshitsune"].combat == 1
    assert PACK.units["yukimura"].track == 3
    assert PACK.units["ieyasu"].track >= 8 and PACK.units["toshitsune"].track >= 3
    assert max(u.combat for u in PACK.units.values()) == 5
    assert max(u.action for u in PACK.units.values()) == 6
    kanto = [u for u in PACK.units.values() if u.side == KANTO]
    assert sum(u.action == 0 for u in kanto) * 2 > len(kanto), "most Kanto units have action 0"


def test_ranks_and_colours() -> None:
    assert {u.id for u in PACK.units.values() if u.rank is Rank.SODAISHO} == {
        "hideyori",
        "ieyasu",
        "hidetada",
    }
    for taisho in ("yukimura", "goto", "yoshinao", "toshitsune", "naotaka"):
        assert PACK.units[taisho].rank is Rank.TAISHO
    for unit in PACK.units.values():
        assert bool(unit.track) == (unit.rank in (Rank.SODAISHO, Rank.TAISHO)), unit.id
        assert unit.side == (OSAKA if unit.colour in (Colour.BLUE, Colour.GREEN) else KANTO)
    assert PACK.units["masamori"].side == OSAKA and PACK.units["naotaka"].clan == PACK.units["ii-1"].clan


def test_the_clans_that_go_home() -> None:
    """25.1.3."""
    nine = ("maeda", "date", "ikeda", "asano", "mori", "nabeshima", "uesugi", "hachisuka", "satake")
    two = (*nine, "hosokawa", "kuroda", "kato")
    assert PACK.tables.home == {"fukushima": 3, **dict.fromkeys(two, 2), "others": 1}
    clans = {u.clan for u in PACK.units.values() if u.colour is Colour.ORANGE}
    assert {"fukushima", *two} <= clans


def test_reinforcements_and_line_ups() -> None:
    winter = {(date("10/7", a.turn), a.region): a.units for a in PACK.scenarios["winter"].arrivals}
    assert list(winter) == [("10/13", "north"), ("10/16", "east"), ("10/19", "west"), ("11/1", "east")]
    assert {"tadanao", "echizen-1", "echizen-2", "toshitsune", "maeda-1", "maeda-2"} <= {
        *winter["10/13", "north"]
    }
    assert {"ieyasu", "yorinobu"} <= {*winter["10/16", "east"]}
    west = {"tadatsugu", "ikeda-3", "ikeda-4", "hidenari", "mori-1", "mori-2", "nabeshima", "nabeshima-1"}
    assert {*west, "nabeshima-2", "tadao", "hachisuka"} == {*winter["10/19", "west"]}
    summer = {(date("4/1", a.turn), a.region): a.units for a in PACK.scenarios["summer"].arrivals}
    assert list(summer) == [("4/4", "east"), ("4/7", "east")]
    early = {"yorinobu", "tadateru", "takada-1", "takada-2", "takada-3", "mizuno", "masamune", "tadatsugu"}
    assert early <= {*summer["4/4", "east"]} and "hidetada" in summer["4/7", "east"]
    north = [p.units for p in PACK.scenarios["summer"].kanto if p.region == "north"]
    assert {"tadanao", "echizen-1", "echizen-2", "toshitsune", "maeda-1", "maeda-2"} <= {
        u for units in north for u in units
    }
    placed = {p.units[0]: p.hex for p in PACK.scenarios["winter"].kanto}
    assert placed["asano"] == "0732" and placed["toshitaka"] == "0216" and placed["takatora"] == "3025"


def test_scenarios_3_and_5_are_the_first_with_one_more() -> None:
    first = PACK.scenarios["winter"]
    for name, who in (("masayuki", "masayuki"), ("ukita", "hideie")):
        other = PACK.scenarios[name]
        assert {*other.osaka} == {*first.osaka, who}
        assert other.kanto == first.kanto and other.arrivals == first.arrivals
        assert (other.turns, other.muster, other.first) == (28, 20, "10/7")


def test_scenario_4_has_lists_of_its_own() -> None:
    """S4 prints both sides' units again: the house of Fukushima is with Masanori."""
    first, fourth = PACK.scenarios["winter"], PACK.scenarios["masanori"]
    assert {*fourth.osaka} == {*first.osaka, "masanori", "fukushima-1", "fukushima-2"}
    assert fourth.kanto == first.kanto and (fourth.turns, fourth.muster, fourth.first) == (28, 20, "10/7")
    late = [
        (a.turn, a.region, {*a.units} | ({"masakatsu"} if "hidetada" in a.units else set()))
        for a in fourth.arrivals
    ]
    assert late == [(a.turn, a.region, {*a.units}) for a in first.arrivals]
    assert fourth.defector == "yoshiaki"


def test_dates() -> None:
    assert date("10/7", 28) == "12/28" and date("10/7", 9) == "11/1" and date("4/1", 20) == "5/28"


def test_mobilization_and_replenishment() -> None:
    """T-mobilization, T-replenishment: 9 and 18 cells."""
    assert PACK.tables.mobilization == (1, 1, 1, 1, 2, 2, 3, 4, 5)
    assert PACK.tables.replenishment == {
        OSAKA: (0, 0, 0, 1, 1, 1, 2, 2, 3),
        KANTO: (2, 3, 3, 3, 4, 4, 5, 5, 6),
    }


def test_attrition() -> None:
    """T-attrition: 32 cells, each by a size that falls into the row."""
    rows = {1: "00000123", 3: "00000123", 4: "00001234", 6: "00001234", 7: "00011235", 10: "00011235"}
    for size, cells in {**rows, 11: "00112357", 20: "00112357"}.items():
        assert "".join(str(PACK.tables.worn(size, die)) for die in range(1, 9)) == cells


def test_siege() -> None:
    """T-siege: 24 cells."""
    rows = {Rank.SODAISHO: "000001", Rank.TAISHO: "000011", Rank.BUSHO: "001122", Rank.GUNZEI: "011223"}
    for rank, cells in rows.items():
        assert "".join(str(PACK.tables.siege_result(rank, die)) for die in range(1, 7)) == cells


def test_combat() -> None:
    """T-combat: 210 cells; a cell depends only on the sum of its row and column."""
    ends = ((1, 1), (2, 2), (3, 4), (5, 6), (7, 10), (11, 15), (16, 20), (21, 30), (31, 40), (41, 50))
    columns = (*ends, (51, 60), (61, 70), (71, 80), (81, 200))
    steps = ((11, 1), (14, 2), (16, 3), (18, 4), (20, 5), (22, 6), (24, 7), (26, 8), (28, 9))
    for index, (low, high) in enumerate(columns):
        for die in range(1, 16):
            wanted = max((hits for least, hits in steps if die + index >= least), default=0)
            assert PACK.tables.damage(low, die) == PACK.tables.damage(high, die) == wanted
        assert PACK.tables.damage(low, -3) == PACK.tables.damage(low, 1)
        assert PACK.tables.damage(low, 20) == PACK.tables.damage(low, 15)
    assert PACK.tables.damage(0, 15) == 0


def test_everybody_can_walk_to_osaka() -> None:
    """Every castle and entry hex is joined to Osaka by land."""
    reached, edge = {"1724"}, ["1724"]
    while edge:
        edge = [n for h in edge for n in PACK.map.near[h] if n not in reached and not reached.add(n)]  # type: ignore[func-returns-value]
    assert {c.hex for c in PACK.castles.values()} <= reached
    for region in ("north", "east", "west"):
        assert {*PACK.map.area(region)} <= reached
        assert all(PACK.map.grid.is_edge(h) for h in PACK.map.area(region))


def test_every_file_says_where_it_comes_from() -> None:
    assert {name: p.kind for name, p in PACK.provenance.items()} == {
        "castles": "reconstruction",
        "map": "reconstruction",
        "scenarios": "reconstruction",
        "tables": "rulebook",
        "units": "reconstruction",
    }


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("castles", 'hex = "1724"', 'hex = "1725"', "osaka castle stands in 1724"),
        ("castles", "strength = 4", "strenght = 4", "strength is missing"),
        ("units", 'rating = "5-6"', 'rating = "5/6"', "rating"),
        ("units", 'id = "ieyasu"', 'id = "ieyazu"', "ieyasu"),
        ("tables", "[1, 1, 1, 1, 2, 2, 3, 4, 5]", "[1, 1, 1]", "mobilization"),
        ("map", 'sea = ["2606/2706"]', "sea = []", "sea lies between"),
        ("scenarios", '"yukimura+daisuke', '"hideyori+daisuke', "Hideyori"),
        ("scenarios", '\nturn = "10/13"', '\nturn = "10/14"', '"10/14"'),
    ],
)
def test_a_pack_that_contradicts_the_book_is_refused(
    tmp_path: Path, file: str, old: str, new: str, problem: str
) -> None:
    misprinted(DATA, tmp_path, file, old, new)
    with pytest.raises(UsageError, match=problem):
        load_pack(tmp_path)


def test_bot_games_of_all_five_scenarios_end_in_three_ways_at_least() -> None:
    """Which side won, and how high; the shares of the sides are in test_arena.py."""
    measured = tomllib.loads((DATA.parent / "arena.toml").read_text("utf-8"))["bots"]
    assert [one["scenario"] for one in measured] == ["winter", "summer", "masayuki", "masanori", "ukita"]
    for one in measured:
        assert len({ending.partition(" ")[2] for ending in one["endings"]}) >= 3, one["scenario"]
