"""The map, counters and tables of kawagoe keep every fact that the rulebook states."""

from __future__ import annotations

import math
import re
from itertools import combinations_with_replacement

import pytest

from games.kawagoe.pack_files import load_pack, pack_from
from games.kawagoe.printed import GROUPS, HOUSES, UnitClass
from games.kit.hexes import is_lowered, split

PACK = load_pack()
MAP = PACK.map
SETUP = PACK.scenarios["kawagoe"].default_setup


def centre(hex_id):
    """Kilometres east and north of hex 0000; south is up on the sheet, so columns run west and rows north."""
    column, row = split(hex_id)
    lower = 0.5 if is_lowered(column, MAP.grid.lowered) else 0.0
    return -column * 0.3 * math.sqrt(3) / 2, (row + lower) * 0.3


def offset(to, start):
    (x, y), (x0, y0) = centre(to), centre(start)
    return x - x0, y - y0


def middle(hexes):
    points = [centre(h) for h in hexes]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def walk(start, step):
    found = dict.fromkeys(start)
    queue = list(found)
    for here in queue:
        for other in step(here):
            if other not in found:
                found[other] = None
                queue.append(other)
    return found


# 2.1 units, 5.1 chits, 3.1 turns


def test_there_are_6_and_12_and_4_hojo_units_of_three_steps():
    for group, wanted in {"garrison": 6, "ujiyasu-army": 12, "sagami": 4}.items():
        assert sum(u.group == group for u in PACK.units.values()) == wanted
    assert {u.steps for u in PACK.units.values()} == {3}
    assert all(len(u.strength) == len(u.movement) == 4 for u in PACK.units.values())


def test_the_named_units_are_where_the_rules_need_them():
    names = {u.name: u for u in PACK.units.values()}
    assert names["北条綱成"].group == names["福島弁千代"].group == "garrison"
    assert names["北条氏康"].group == names["多目元忠"].group == "ujiyasu-army"
    commanders = {
        u.name: u.house for u in PACK.units.values() if u.cls is UnitClass.COMMANDER and u.side == "anti"
    }
    assert commanders == {"足利晴氏": "koga", "上杉憲政": "yamanouchi", "上杉朝定": "ougigayatsu"}


def test_the_two_printed_counters_are_kept():
    norimasa = PACK.units["norimasa"]
    assert (norimasa.strength[3], norimasa.movement[3], norimasa.command, norimasa.steps) == (5, 5, 3, 3)
    assert PACK.pools["koga"].movement == 5


def test_units_lose_strength_with_steps_and_generals_alone_command():
    for unit in PACK.units.values():
        assert unit.strength[3] > unit.strength[2] > unit.strength[1] > unit.strength[0] == 0
        assert (unit.command > 0) == (unit.side == "anti")
        assert (unit.cls in (UnitClass.COMMANDER, UnitClass.GENERAL)) or unit.side == "hojo"


def test_unknown_units_are_captains_and_levies_one_counter_each():
    for pool in PACK.pools.values():
        assert len(pool.counters) == len(set(pool.counters)) == len(pool.identities)
        assert {i.cls for i in pool.identities} == {UnitClass.CAPTAIN, UnitClass.LEVY}
    ids = [c for pool in PACK.pools.values() for c in pool.counters] + list(PACK.units)
    assert len(ids) == len(set(ids))


def test_everything_fits_on_156_counters():
    three_step = 2 * len(PACK.units)
    unknown = sum(len(pool.counters) for pool in PACK.pools.values())
    chits = sum(chit.count for chit in PACK.chits.values())
    turn_and_score, disorder = 5, 12
    assert three_step + unknown + chits + turn_and_score + disorder == 156


def test_the_besiegers_are_many_and_poor():
    hojo = [u.strength[3] for u in PACK.units.values() if u.side == "hojo"]
    anti = [u.strength[3] for u in PACK.units.values() if u.side == "anti"]
    anti += [i.strength for pool in PACK.pools.values() for i in pool.identities]
    assert len(anti) > 3 * len(hojo)
    assert sum(anti) > 1.4 * sum(hojo)
    assert sum(anti) / len(anti) < sum(hojo) / len(hojo) / 2


def test_the_chits_are_those_of_5_11():
    hojo = {c.kind: c.count for c in PACK.chits.values() if c.side == "hojo"}
    assert hojo == {"side": 2, "katta": 1}
    anti = [(c.kind, c.house, c.count) for c in PACK.chits.values() if c.side == "anti"]
    assert sorted(anti) == sorted((kind, house, 1) for kind in ("house", "general") for house in HOUSES)


def test_the_game_lasts_six_turns_and_relief_comes_in_turns_1_and_4():
    scenario = PACK.scenarios["kawagoe"]
    assert scenario.turns == 6
    assert scenario.arrivals == {"ujiyasu-army": 1, "sagami": 4}


# 2.3 the map


def test_the_sheet_has_the_scale_and_size_of_the_book():
    columns, rows = {split(h)[0] for h in MAP.hexes}, {split(h)[1] for h in MAP.hexes}
    assert (len(columns), len(rows), len(MAP.hexes)) == (30, 24, 720)
    castle_x, castle_y = middle(MAP.castle)
    sheet_x, sheet_y = middle(MAP.hexes)
    assert abs(castle_x - sheet_x) < 0.6 and abs(castle_y - sheet_y) < 0.6, (
        "the castle is in the middle (2.3)"
    )


def test_isanuma_lies_between_1008_and_1009_and_other_pairs():
    assert MAP.lake["1008"]["1009"] and MAP.lake["1009"]["1008"]
    assert "1009" not in MAP.zoc_into["1008"] and "1008" not in MAP.zoc_into["1009"]
    assert MAP.cost["1008"]["1009"] is None
    pairs = [(a, b) for a in MAP.hexes for b in MAP.neighbours[a] if a < b and MAP.lake[a][b]]
    assert len(pairs) > 3
    east, north = offset("1008", "1712")
    assert 1.4 < east < 2.4 and -1.6 < north < -0.6, "about 1.8 km east and 1.2 km south of the castle"


def test_named_places_lie_where_they_do_in_the_country():
    names = {name: h for h, name in MAP.names.items()}
    east, north = offset(names["砂久保"], "1712")
    assert east < -2 and north < -2 and 3.5 < math.hypot(east, north) < 4.5, "4 km to the south-west"
    east, north = offset(names["東明寺"], "1712")
    assert east < 0 < north, "north-west of the castle"
    assert names["東明寺口"] in MAP.gate_hexes


def test_every_terrain_that_the_rules_name_is_on_the_map():
    assert set(MAP.terrain.values()) == {"plain", "woods", "marsh", "honjo", "ninokuruwa", "sannokuruwa"}
    kinds = {c for near in MAP.crossing.values() for c in near.values()}
    assert kinds == {"river", "stream", None}
    assert any(MAP.roads[h] for h in MAP.hexes if MAP.terrain[h] == "marsh"), "roads lead through marsh (6.3)"


def test_each_bailey_is_one_piece_and_they_touch():
    for bailey in ("honjo", "ninokuruwa", "sannokuruwa"):
        part = [h for h in MAP.castle if MAP.bailey[h] == bailey]
        inside = walk(part[:1], lambda h, part=part: [n for n in MAP.neighbours[h] if n in part])
        assert sorted(inside) == sorted(part)
    borders = {frozenset((MAP.bailey[a], MAP.bailey[b])) for a in MAP.castle for b in MAP.neighbours[a]}
    for pair in (("honjo", "ninokuruwa"), ("honjo", "sannokuruwa"), ("ninokuruwa", "sannokuruwa")):
        assert frozenset(pair) in borders, "every row of the siege table can happen"


def covers_castle(hexes):
    held = set(hexes)
    return all(h in held or any(h in MAP.zoc_into[u] for u in held) for h in MAP.castle)


def test_six_units_can_cover_the_castle_in_many_ways():
    ways = [
        w
        for w in combinations_with_replacement(MAP.castle, 6)
        if max(map(w.count, w)) <= 2 and covers_castle(w)
    ]
    assert len(ways) > 100


def test_the_garrison_cannot_be_careless():
    assert not covers_castle([h for h in MAP.castle if MAP.bailey[h] != "honjo"]), "実城 needs its own unit"


def test_gates_join_castle_hexes_to_the_ring_and_lie_on_roads():
    assert len(MAP.gates) >= 3
    for inside, outside in MAP.gates:
        assert MAP.bailey[inside] and not MAP.bailey[outside] and outside in MAP.ring
        assert MAP.gate[inside][outside] and MAP.gate[outside][inside]
        assert outside in MAP.roads[inside]
    assert {MAP.bailey[inside] for inside, _ in MAP.gates} == {"honjo", "ninokuruwa", "sannokuruwa"}


def test_every_hex_can_be_reached_from_every_other():
    out = walk(["0101"], lambda h: [n for n, _ in MAP.exits[h]])
    assert len(out) == len(MAP.hexes)
    assert all(
        (a in MAP.cost[b]) and (MAP.cost[a][b] is None) == (MAP.cost[b][a] is None)
        for a in out
        for b in MAP.cost[a]
    )


def test_roads_join_every_gate_and_every_entry_road():
    by_road = walk([inside for inside, _ in MAP.gates][:1], MAP.roads.__getitem__)
    assert all(inside in by_road and outside in by_road for inside, outside in MAP.gates)
    ends = [h for h in MAP.entry if MAP.roads[h]]
    assert len(ends) >= 3 and all(h in by_road for h in ends)
    assert any(h in MAP.reinforcement for h in ends)
    assert len(by_road) == sum(bool(road) for road in MAP.roads.values()), "no stray piece of road"


def test_roads_outside_reach_every_entry_road_without_the_castle():
    """13.1: for each entry road there is a line of communication that enters at a gate."""
    for end in (h for h in MAP.entry if MAP.roads[h]):
        outside = walk([end], lambda h: [n for n in MAP.roads[h] if not MAP.bailey[n]])
        assert any(gate in outside for _, gate in MAP.gates)


def test_the_houses_stand_west_south_and_east():
    x, y = middle(MAP.castle)
    koga, ougi, yama = (middle(MAP.areas[house]) for house in HOUSES)
    assert koga[0] - x > 0.5 and abs(koga[1] - y) < koga[0] - x
    assert x - ougi[0] > 0.3 and ougi[1] > yama[1]
    assert y - yama[1] > 0.8


def test_siege_areas_close_the_ring_and_leave_the_entry_area_alone():
    owner = {h: house for house in HOUSES for h in MAP.areas[house]}
    assert len(owner) == sum(len(MAP.areas[house]) for house in HOUSES)
    assert {owner[h] for h in MAP.ring} == set(HOUSES)
    assert not any(h in owner or MAP.bailey[h] for h in MAP.entry)
    for house in HOUSES:
        area = MAP.areas[house]
        assert len(walk(area[:1], lambda h, area=area: [n for n in MAP.neighbours[h] if n in area])) == len(
            area
        )


def test_relief_comes_from_the_edge_and_sagami_from_the_south():
    assert all(MAP.grid.is_edge(h) for h in MAP.entry)
    assert set(MAP.reinforcement) < set(MAP.entry)
    assert all(offset(h, "1712")[1] < -1.5 for h in MAP.reinforcement)
    assert len(MAP.reinforcement) * 2 >= GROUPS["sagami"] and len(MAP.entry) * 2 >= GROUPS["ujiyasu-army"]


# 6.3, 6.12, 8.2, 9.4 what terrain allows


def expected_zoc(a, b):
    """8.2 typed as printed: from where (row) to where (column)."""
    table = {
        "outside": {"outside"},
        "honjo": {"outside", "honjo", "ninokuruwa", "sannokuruwa"},
        "ninokuruwa": {"outside", "ninokuruwa"},
        "sannokuruwa": {"outside", "sannokuruwa"},
    }
    return not MAP.lake[a][b] and (MAP.bailey[b] or "outside") in table[MAP.bailey[a] or "outside"]


def test_zones_of_control_reach_what_8_2_says():
    for a in MAP.hexes:
        assert MAP.zoc_into[a] == tuple(b for b in MAP.neighbours[a] if expected_zoc(a, b))
        assert MAP.zoc_from[a] == tuple(b for b in MAP.neighbours[a] if expected_zoc(b, a))


def test_walls_open_at_gates_only_and_bailey_borders_are_open():
    for a in MAP.castle:
        for b in MAP.neighbours[a]:
            if MAP.bailey[b]:
                assert MAP.cost[a][b] is not None
            else:
                assert (MAP.cost[a][b] is not None) == ((a, b) in MAP.gates)


def test_the_ring_is_every_hex_beside_the_castle():
    beside = {n for h in MAP.castle for n in MAP.neighbours[h] if not MAP.bailey[n]}
    assert set(MAP.ring) == beside


def test_a_halved_unit_cannot_enter_everything():
    assert PACK.costs.marsh + PACK.costs.stream > math.ceil(5 / 2), "6.12 says that this can happen"
    assert PACK.costs.road <= PACK.costs.plain < PACK.costs.woods < PACK.costs.marsh


SMALL = {
    "rows": ["....", "..m.", "w123", "...."],
    "hexsides": {"river": ["0101/0102"], "stream": ["0201/0202", "0301/0302"], "gate": ["0403/0404"]},
    "roads": {"r": ["0102", "0101", "0201", "0202"], "marsh": ["0202", "0302"]},
}


def small(**changes):
    return pack_from({"map": {**SMALL, **changes}}).map


@pytest.mark.parametrize(
    ("a", "b", "cost"),
    [
        ("0301", "0401", 1),  # plain
        ("0101", "0102", 1),  # a road over a river
        ("0201", "0202", 1),  # a road over a stream
        ("0202", "0302", 1),  # a road into marsh
        ("0301", "0302", 4),  # marsh beyond a stream
        ("0302", "0301", 2),  # plain beyond a stream
        ("0401", "0302", 3),  # marsh
        ("0102", "0103", 2),  # woods
        ("0203", "0303", 1),  # from bailey to bailey
        ("0403", "0404", 1),  # out of a gate
        ("0303", "0304", None),  # over a wall
        ("0202", "0203", None),  # over a wall, inwards
    ],
)
def test_movement_costs(a, b, cost):
    assert small().cost[a][b] == cost


@pytest.mark.parametrize(
    ("a", "b", "may"),
    [
        ("0101", "0102", False),  # never over a river, bridge or not
        ("0201", "0202", True),  # over a stream
        ("0202", "0302", True),  # into marsh along the road
        ("0401", "0302", False),  # into marsh beside the road
        ("0203", "0303", False),  # between baileys
        ("0403", "0404", True),  # out of a gate
        ("0404", "0403", False),  # in at a gate
        ("0303", "0304", False),  # over a wall
    ],
)
def test_where_terrain_lets_hojo_charge(a, b, may):
    assert small().charge[a][b] is may


def test_charges_run_freely_inside_one_bailey():
    assert small(rows=["....", "....", ".222", "...."], roads={}).charge["0203"]["0303"]


def test_water_counts_in_combat_even_under_a_bridge():
    field = small()
    assert field.crossing["0101"]["0102"] == "river"
    assert field.crossing["0202"]["0201"] == "stream"
    assert field.crossing["0202"]["0302"] is None


def test_the_lake_closes_a_hexside_to_movement_zones_and_charges():
    field = pack_from({"map": {"rows": ["..", ".."], "hexsides": {"lake": ["0101/0102"]}}}).map
    assert field.cost["0101"]["0102"] is None and not field.charge["0101"]["0102"]
    assert field.zoc_into["0101"] == ("0201",)


# 9.4, 9.5 the combat results table


def test_the_table_runs_from_1_3_to_10_1_with_the_results_that_the_book_names():
    assert (PACK.crt.columns[0], PACK.crt.columns[-1]) == ("1:3", "10:1")
    cells = {cell for row in PACK.crt.rows.values() for cell in row}
    assert cells == {"A1", "A1/D1", "A1/D2", "A1/DE", "D2", "乱戦", "AE", "DE"} == set(PACK.ladder)


def test_better_odds_and_lower_dice_are_never_worse_for_the_attacker():
    rank = {result: n for n, result in enumerate(PACK.ladder)}
    grid = [[rank[cell] for cell in PACK.crt.rows[die]] for die in range(1, 7)]
    for row in grid:
        assert row == sorted(row)
    for column in zip(*grid, strict=True):
        assert list(column) == sorted(column, reverse=True)


def test_the_ladder_agrees_with_what_the_results_cost():
    def losses(result):
        a, d = re.search(r"A(\w)", result), re.search(r"D(\w)", result)
        parts = [(m[1] if m else "0").replace("E", "9") for m in (a, d)]
        return (1, 1) if result == "乱戦" else (int(parts[0]), int(parts[1]))

    for low, result in enumerate(PACK.ladder):
        for better in PACK.ladder[low + 1 :]:
            (a, d), (a2, d2) = losses(result), losses(better)
            assert not (a2 >= a and d2 <= d and (a, d) != (a2, d2)), f"{better} is worse than {result}"


# 4.0 the set-up that we ship


def command_range(general, garrison, held):
    """10.2: hexes within reach of a general, not through Hojo units or their unheld zones of control."""
    zone = {n for h in garrison for n in MAP.zoc_into[h]}
    start = SETUP[PACK.units[general].house][general]
    reached, edge = {start}, [start]
    for _ in range(PACK.units[general].command):
        edge = [n for h in edge if h == start or h not in zone or h in held for n in MAP.neighbours[h]]
        edge = [n for n in dict.fromkeys(edge) if n not in reached and n not in garrison]
        reached.update(edge)
    return reached


def test_the_shipped_garrison_covers_the_castle():
    assert set(SETUP["garrison"]) == {u.id for u in PACK.units.values() if u.group == "garrison"}
    places = list(SETUP["garrison"].values())
    assert set(places) <= set(MAP.castle) and max(map(places.count, places)) <= 2 and covers_castle(places)


@pytest.mark.parametrize("house", HOUSES)
def test_the_shipped_besiegers_stand_in_their_area_and_in_command(house):
    placed = SETUP[house]
    generals = [u.id for u in PACK.units.values() if u.house == house]
    assert set(placed) == {*generals, *PACK.pools[house].counters}
    assert len(set(placed.values())) == len(placed) and set(placed.values()) <= set(MAP.areas[house])
    held = {h for other in HOUSES for h in SETUP[other].values()}
    garrison = set(SETUP["garrison"].values())
    led = set().union(*(command_range(g, garrison, held) for g in generals))
    assert all(placed[counter] in led for counter in PACK.pools[house].counters)


@pytest.mark.parametrize("house", HOUSES)
def test_the_shipped_besiegers_close_their_part_of_the_ring_themselves(house):
    held = set(SETUP[house].values())
    for h in (h for h in MAP.ring if h in MAP.areas[house]):
        assert h in held or any(n in held for n in MAP.zoc_from[h])
