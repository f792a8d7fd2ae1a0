"""The reconstructed data of redcoats never contradicts what the rulebook states."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.redcoats.pack import DATA, MAPS, Pack, load_pack
from games.redcoats.position import STACK
from games.redcoats.printed import SIDES, Arm, Scenario
from games.redcoats.rules import REDCOATS
from games.redcoats.setup import usual
from pbem.errors import UsageError
from tests.misprints import misprinted

PACK = load_pack()
every_battle = pytest.mark.parametrize("battle", PACK.scenarios.values(), ids=list(PACK.scenarios))

LINES = {
    "brooklyn": (["1006"], ["4301", "4924", "2434"]),
    "harlem": (["5501"], ["6126"]),
    "white-plains": (["2514", "2814", "3114"], ["1834", "2834"]),
    "trenton": (["1006", "1401"], ["1812", "3003"]),
    "princeton": (["5901"], ["6801", "6521"]),
    "stony-point": (["4501"], ["5606"]),
}
"""10.1; 5001 of Princeton is 5901 (10.1-a)."""
TIMES = {
    "brooklyn": ("0830", "1330", 11, "british", (23, 120)),
    "brooklyn-what-if": ("0830", "1830", 21, "british", (70, 120)),
    "harlem": ("1130", "1430", 7, "american", (35, 35)),
    "white-plains": ("0900", "1730", 18, "british", (100, 100)),
    "trenton": ("0730", "0900", 4, "american", (30, 20)),
    "trenton-what-if": ("0730", "1000", 6, "american", (30, 20)),
    "princeton": ("0800", "1130", 8, "british", (40, 16)),
    "stony-point": ("2330", "0200", 6, "american", (20, 12)),
    "kings-mountain": ("1500", "1630", 4, "american", (13, 12)),
}
"""16.0 and 18.2: first and last turn, how many, who moves first, levels."""
EXTENT = {
    "brooklyn": (10, 49, 1, 34),
    "harlem": (51, 61, 1, 26),
    "trenton": (10, 30, 1, 12),
    "white-plains": (16, 31, 14, 34),
    "stony-point": (45, 56, 1, 10),
    "princeton": (59, 68, 1, 21),
}
PLACES = {
    "brooklyn": "2108 1920 2111 2207 1511 2306 1025 1009 2917 2827 3617 4109 4603 1006 4301 4730 2834 2434 "
    "4924",
    "harlem": "5610 5410 5409 5209 5311 5613 5710 5905 5206 5704 5204 5603 5514 5615 5516 5424 5425 6126 "
    "6124 5423",
    "white-plains": "1834 2834 1629 2123 2514 3017 1825 2726 2618 2319 2814 3114",
    "trenton": "1507 1604 1704 1808 1908 1605 1607 1307 1401 1006 1608 1812 3003",
    "princeton": "6802 6702 6703 6606 6719 5901 6704 6510 6511 6718 6801 6521",
    "stony-point": "5106 5107 5305 5306 5406 5407 5408 5506 5606 4603 4609 4807 4910 4501",
    "kings-mountain": "6634",
}
"""Every hex that the book names."""


@every_battle
def test_times_levels_and_first_players(battle: Scenario) -> None:
    start, end, turns, first, levels = TIMES[battle.id]
    assert (battle.start, battle.clock(battle.turns), battle.turns) == (start, end, turns)
    assert battle.first == first
    assert tuple(battle.levels[side] / 2 for side in SIDES) == levels


def test_every_scenario_is_known() -> None:
    assert set(TIMES) == set(PACK.scenarios)


@every_battle
def test_lines_of_communication(battle: Scenario) -> None:
    if battle.field in LINES:
        assert tuple(list(battle.lines[side]) for side in SIDES) == LINES[battle.field]
    else:
        assert battle.lines["american"] == ("6634",)
        assert set(battle.lines["british"]) == set(PACK.fields[battle.field].areas["mountain"])


@pytest.mark.parametrize("name", MAPS)
def test_named_hexes_are_land_on_the_map(name: str) -> None:
    field = PACK.fields[name]
    for place in PLACES[name].split():
        assert field.terrain[place] != "water", place
    if name in EXTENT:
        columns = {int(h[:2]) for h in field.hexes}
        rows = {int(h[2:]) for h in field.hexes}
        assert (min(columns), max(columns), min(rows), max(rows)) == EXTENT[name]


def test_what_the_battles_say_of_their_maps() -> None:
    fields = PACK.fields
    assert all(fields["harlem"].terrain[f"51{row:02d}"] == "water" for row in range(1, 27)), "the Hudson"
    bronx = fields["white-plains"].grid.features
    assert any("bridge" in f for f in bronx["2123"].values())
    assert any("ford" in f for f in bronx["1629"].values())
    assert any("hedge" in works.values() for works in fields["white-plains"].edges.works.values())
    assert any("bridge" in f for f in fields["princeton"].grid.features["6704"].values())
    assert any("bridge" in f for sides in fields["trenton"].grid.features.values() for f in sides.values())
    assert all(h in fields["brooklyn"].areas["lines"] for h in ("2108", "1920"))
    west = set(fields["white-plains"].areas["west"])
    crossed = [
        (a, b)
        for a in west
        for b in fields["white-plains"].open[a]
        if b not in west and not {"bridge", "ford"} & set(bronx[a][b])
    ]
    assert crossed == [], "the Bronx is crossed at the bridge and the ford alone"


@every_battle
def test_every_edge_line_and_entry_is_on_the_edge_and_everything_hangs_together(battle: Scenario) -> None:
    field = PACK.fields[battle.field]
    for group in battle.groups:
        assert group.enter is None or group.enter in field.edge, group.id
    if battle.field != "kings-mountain":
        assert (
            all(h in field.edge for side in SIDES for h in battle.lines[side])
            or battle.field == "stony-point"
        )
    start = battle.lines["american"][0]
    reached, queue = {start}, [start]
    for here in queue:
        for n in field.open[here]:
            if n not in reached:
                reached.add(n)
                queue.append(n)
    assert all(h in reached for h in field.hexes if field.terrain[h] != "water")


@every_battle
def test_set_ups_fit_into_their_hexes(battle: Scenario) -> None:
    """6.0-d: no printed or usual start is overfull."""
    pos = REDCOATS.start(PACK, battle.id, {}, SIDES)
    for group in battle.groups:
        if group.enter is None:
            pos.put(usual(pos, group))
    for side in SIDES:
        for place in pos.at(side):
            assert pos.load(side, place) <= STACK, place
    assert not set(pos.men("american")) & set(pos.men("british"))


@pytest.mark.parametrize("name", MAPS)
def test_counters_keep_to_what_the_book_says(name: str) -> None:
    for counter in PACK.rosters[name].values():
        if counter.arm in (Arm.INFANTRY, Arm.LIGHT):
            assert counter.ma == 4, "11.13"
        if counter.arm is Arm.DRAGOON:
            assert 4 < counter.ma < 9, "4.31"
        if counter.is_gun:
            assert counter.ma < 6 and 2 <= counter.range <= 5, "4.31, 7.2"
        if counter.is_foot:
            assert 0 < counter.back_strength <= counter.strength <= STACK
            assert counter.back_morale < counter.morale < 10 and counter.points > 0
    points = {min(c.points, 4) for roster in PACK.rosters.values() for c in roster.values() if c.is_foot}
    assert {2, 3, 4} <= points, "13.2: all three rows are used"


def test_dismounted_dragoons_are_infantry() -> None:
    """1.23-c."""
    assert PACK.rosters["trenton"]["16-drag"].arm is Arm.INFANTRY
    assert PACK.rosters["princeton"]["16-drag"].arm is Arm.INFANTRY
    assert PACK.rosters["brooklyn"]["16-drag"].arm is Arm.DRAGOON


def test_regenerated_units_are_as_the_book_says() -> None:
    """BK-17.2: strength 1, morale 5, and so many that they never run out."""
    regrow = PACK.scenarios["brooklyn-what-if"].regrow
    assert regrow is not None and len(regrow.units) >= 2 * 10
    counters = [PACK.rosters["brooklyn"][u] for u in regrow.units]
    assert {(c.strength, c.morale) for c in counters} == {(1, 5)} and regrow.level == 4


def test_the_aid_card_honours_the_examples() -> None:
    aid = PACK.aid
    at = aid.odds.columns.index("2:3")
    assert aid.odds.columns[at : at + 5] == ("2:3", "1:1", "3:2", "2:1", "3:1")
    assert (aid.grounds["woods"].cost, aid.grounds["town"].cost, aid.grounds["swamp"].cost) == (4, 4, 6)
    assert (aid.grounds["woods"].light, aid.grounds["town"].light, aid.grounds["swamp"].light) == (2, 2, 4)
    assert (aid.sides["fieldwork"].cost, aid.sides["fieldwork"].assault) == (2, 1), "HH-17.0"
    assert aid.grounds["clear"].cost == 2 and aid.morale.disengage == 3
    assert aid.odds.result(aid.odds.columns.index("3:1"), 8) == "DE"


def test_a_better_die_or_column_is_never_worse() -> None:
    """The assault table is one ladder."""
    ladder = ["AE", "AD", "AR1", "AM1", "AM0", "NE", "AM0 DM0", "DM0", "DM1", "DR1", "DD", "DE"]
    rank = {cell: number for number, cell in enumerate(ladder)}
    rows = [[rank[cell] for cell in PACK.aid.odds.rows[die]] for die in range(1, 11)]
    assert all(row == sorted(row) for row in rows)
    assert all(list(column) == sorted(column) for column in zip(*rows, strict=True))
    shots = ["-", "M0", "M1", "M2", "DD"]
    fire = [[shots.index(cell) for cell in PACK.aid.fire[die]] for die in range(1, 11)]
    assert all(row == sorted(row) for row in fire)
    assert all(list(column) == sorted(column) for column in zip(*fire, strict=True))


def test_every_file_says_where_it_comes_from() -> None:
    assert {name: p.kind for name, p in PACK.provenance.items()} == dict.fromkeys(
        (*MAPS, "options", "tables", "units"), "reconstruction"
    ) | {"scenarios": "rulebook"}
    assert all(p.source for p in PACK.provenance.values())


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("units", 'values = "3-6-8"', 'values = "3-6"', "value-command range"),
        ("units", 'arm = "gun"', 'arm = "rocket"', "rocket"),
        ("scenarios", '"4301"', '"9901"', "not on the map"),
        ("scenarios", '"lasher"', '"lascher"', "no counter"),
        ("tables", "DR1|DD|DE|DE|DE|DE", "DR1|DD|DE|DE|DE", "columns"),
        ("harlem", 'lowered = "even"', 'lowered = "even"\nlowerd = "even"', "not a known key"),
        ("trenton", "[hexsides]", "[hexsides]\nditch = []", "ditch"),
    ],
)
def test_a_typing_error_is_named(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    misprinted(DATA, tmp_path, file, old, new)
    with pytest.raises(UsageError) as refused:
        load_pack(tmp_path)
    assert file in refused.value.message and re.search(said, f"{refused.value.message} {refused.value.hint}")


def test_a_case_brings_its_own_field() -> None:
    pack = Pack.from_tables({"units": {"american": {"a1": {"values": "4-4-6/2-4/3"}}}})
    assert list(pack.scenarios) == ["case"] and pack.rosters["case"]["a1"].strength == 4
    with pytest.raises(UsageError):
        Pack.from_tables({"maps": {}})
