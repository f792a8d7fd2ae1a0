"""The kit that games share: hex geometry, strict packs, drawn maps, tables, ways, stacks, zones, cards."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kit import hexes
from games.kit.cards import Played, known, without
from games.kit.hexmap import read_hexmap
from games.kit.odds import odds, reached, read_odds_table, read_rows
from games.kit.packs import Table, digest_of_directory, read_choice, read_files
from games.kit.stacks import Counts, Stacks, count, leave, stand
from games.kit.ways import Flood, steps
from games.kit.zones import line_passes, reached_from
from pbem.engine.notation import Handle, Move
from pbem.engine.options import Refusal, View
from pbem.errors import UsageError

LETTERS = {".": "plain", "w": "woods"}
lowered = st.sampled_from(["even", "odd"])
inner_hex = st.builds(hexes.join, st.integers(2, 98), st.integers(2, 98))
near_hex = st.builds(hexes.join, st.integers(20, 26), st.integers(20, 26))


# hexes


@given(inner_hex, lowered)
def test_adjacency_is_mutual_and_at_distance_one(hex_id, low):
    around = hexes.neighbours(hex_id, low)
    assert len(set(around)) == 6
    for other in around:
        assert hex_id in hexes.neighbours(other, low)
        assert hexes.distance(hex_id, other, low) == 1


@given(inner_hex, lowered)
def test_neighbours_go_round_clockwise_from_the_hex_above(hex_id, low):
    around = hexes.neighbours(hex_id, low)
    column, row = hexes.split(hex_id)
    assert around[0] == hexes.join(column, row - 1)
    assert around[3] == hexes.join(column, row + 1)
    assert [hexes.split(h)[0] - column for h in around] == [0, 1, 1, 0, -1, -1]
    for one, next_one in zip(around, around[1:] + around[:1], strict=True):
        assert hexes.distance(one, next_one, low) == 1


@given(near_hex, near_hex, lowered)
def test_distance_is_the_length_of_the_shortest_walk(start, goal, low):
    steps = {start: 0}
    queue = deque([start])
    while goal not in steps:
        here = queue.popleft()
        for other in hexes.neighbours(here, low):
            if other not in steps:
                steps[other] = steps[here] + 1
                queue.append(other)
    assert hexes.distance(start, goal, low) == steps[goal]


def test_which_columns_are_lowered_decides_who_is_adjacent():
    assert "0909" in hexes.neighbours("1008", "even")
    assert "0909" not in hexes.neighbours("1008", "odd")


@pytest.mark.parametrize("bad", ["", "108", "10081", "ab08", "0008", "1000", "10 8", "１００８", "-108"])
def test_what_is_not_a_hex_number_is_refused(bad):
    with pytest.raises(UsageError, match="not a hex number"):
        hexes.split(bad)


# packs


def test_an_unknown_key_is_named_with_file_and_table():
    with (
        pytest.raises(UsageError, match=r"units\.toml: \[unit\.2\] comand is not a known key"),
        Table({"unit": [{}, {"comand": 3}]}, "units.toml") as top,
    ):
        for entry in top.tables("unit"):
            with entry:
                pass


@pytest.mark.parametrize("value", [True, 1.5, "3", -1])
def test_only_whole_numbers_in_range_are_numbers(value):
    with pytest.raises(UsageError, match=r"file: \[a\] n "):
        Table({"a": {"n": value}}, "file").table("a").integer("n")


def test_missing_and_mistyped_values_are_named():
    table = Table({"t": 3, "l": ["a", 1], "s": "abc"}, "file")
    for call in (lambda: table.text("t"), lambda: table.texts("l"), lambda: table.texts("s")):
        with pytest.raises(UsageError, match="must be a"):
            call()
    with pytest.raises(UsageError, match="gone is missing"):
        table.text("gone")
    with pytest.raises(UsageError, match="t is not a table"):
        table.table("t")
    with pytest.raises(UsageError, match='s is "abc"'):
        table.choice("s", ("x", "y"))


@pytest.mark.parametrize(
    "data",
    [{}, {"provenance": "memory"}, {"provenance": "rulebook"}, {"provenance": "reconstruction", "how": " "}],
)
def test_a_file_must_say_where_it_comes_from(data):
    with pytest.raises(UsageError):
        Table(data, "map.toml").provenance()


def test_a_pack_holds_its_files_and_no_others(tmp_path: Path):
    (tmp_path / "map.toml").write_text("a = 1\n", encoding="utf-8")
    assert read_files(tmp_path, ("map",))["map"].integer("a") == 1
    with pytest.raises(UsageError, match=r"units\.toml is missing"):
        read_files(tmp_path, ("map", "units"))
    (tmp_path / "extra.toml").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"extra\.toml is not part of the pack"):
        read_files(tmp_path, ("map",))
    with pytest.raises(UsageError, match="is not a directory"):
        read_files(tmp_path / "nowhere", ("map",))


@pytest.mark.parametrize("content", [b"a = ", b"\xff\xfe", b"a = " + b"[" * 5000])
def test_a_broken_file_is_refused_by_name(tmp_path: Path, content: bytes):
    (tmp_path / "map.toml").write_bytes(content)
    with pytest.raises(UsageError, match=r"map\.toml"):
        read_files(tmp_path, ("map",))


def test_the_digest_covers_names_and_bytes_and_their_border(tmp_path: Path):
    def digest(name: str, files: dict[str, str]) -> str:
        directory = tmp_path / name
        directory.mkdir()
        for file, content in files.items():
            (directory / file).write_text(content, encoding="utf-8")
        return digest_of_directory(directory)

    first = digest("1", {"a.toml": "x = 1\n", "b.toml": ""})
    assert digest("2", {"b.toml": "", "a.toml": "x = 1\n"}) == first, "the order of writing does not matter"
    others = [
        digest("3", {"a.toml": "x = 1", "b.toml": "\n"}),
        digest("4", {"a.toml": "", "b.toml": "x = 1\n"}),
        digest("5", {"a.toml": "x = 1\n", "c.toml": ""}),
        digest("6", {"a.toml": "x = 1\n"}),
    ]
    assert len({first, *others}) == 5


# hexmap


def drawn(**keys):
    with Table(keys, "map.toml") as table:
        return read_hexmap(table, LETTERS, ("river",))


def test_a_map_is_drawn_with_letters_from_its_origin():
    grid = drawn(rows=["..w", ". ."], origin="1008")
    assert grid.hexes == ("1008", "1108", "1208", "1009", "1209")
    assert grid.terrain["1208"] == "woods"
    assert "1109" not in grid.terrain, "a space is no hex"
    assert grid.neighbours["1008"] == ("1108", "1009"), "only hexes on the map, in fixed order"
    assert grid.distance("1008", "1208") == 2


def test_hexsides_and_roads_lie_between_adjacent_hexes_both_ways():
    grid = drawn(rows=["..", ".."], hexsides={"river": ["0101/0102"]}, roads={"a": ["0101", "0102", "0202"]})
    assert grid.features["0101"]["0102"] == grid.features["0102"]["0101"] == ("river",)
    assert grid.features["0102"]["0202"] == ()
    assert set(grid.roads["0102"]) == {"0101", "0202"}
    assert grid.roads["0201"] == ()


def test_areas_are_lists_or_a_drawing_whose_letters_may_mean_several():
    by_list = drawn(rows=["..", ".."], areas={"camp": ["0102"]})
    assert by_list.areas == {"camp": ("0102",)}
    by_drawing = drawn(
        rows=["..", ".."], areas={"rows": ["a.", "ba"], "legend": {"a": ["x"], "b": ["x", "y"]}}
    )
    assert by_drawing.areas == {"x": ("0101", "0102", "0202"), "y": ("0102",)}


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"rows": [".q"]}, 'rows has the letter "q" in row 01'),
        ({"rows": ["  "]}, "rows draws no hex"),
        ({"rows": ["."], "origin": "1"}, "origin is refused"),
        ({"rows": ["...", "..."], "hexsides": {"river": ["0101/0301"]}}, 'river names "0101/0301"'),
        ({"rows": ["..", ".."], "hexsides": {"river": ["0101-0102"]}}, "river names"),
        ({"rows": ["..", ".."], "hexsides": {"rivre": ["0101/0102"]}}, "hexsides.rivre is not a known kind"),
        ({"rows": ["..."], "roads": {"r": ["0101", "0301"]}}, "roads.r goes from 0101 to 0301"),
        ({"rows": ["."], "areas": {"camp": ["0909"]}}, 'camp names "0909"'),
        ({"rows": ["."], "areas": {"rows": ["q"], "legend": {}}}, 'rows has the letter "q"'),
        ({"rows": ["."], "names": {"0909": "nowhere"}}, 'names names "0909"'),
        ({"rows": ["."], "lowered": "both"}, "lowered is"),
        ({"rows": ["."], "colour": "red"}, "colour is not a known key"),
    ],
)
def test_a_slip_of_the_pen_on_a_map_is_refused(keys, problem):
    with pytest.raises(UsageError) as refusal:
        drawn(**keys)
    assert "map.toml: " in refusal.value.message
    assert problem in refusal.value.message


def test_a_map_prints_as_it_was_drawn():
    grid = drawn(rows=["..w", "w. "])
    text = grid.draw({h: "w" if terrain == "woods" else "." for h, terrain in grid.terrain.items()})
    assert text.splitlines() == ["01 .   w", "     .", "02 w", "     ."]


# odds

COLUMNS = ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "6:1", "10:1"]


def small_table(columns=COLUMNS, **changes):
    rows = {str(face): [f"{face}{c}" for c in columns] for face in range(1, 7)} | changes
    return read_odds_table(
        Table({"columns": columns, **rows}, "t"), [f"{f}{c}" for f in range(1, 7) for c in columns]
    )


@given(st.integers(1, 300), st.integers(1, 300))
def test_fractions_are_dropped_for_the_defender(attack, defence):
    table = small_table()
    column = table.columns[table.column(attack, defence)]
    left, right = (int(part) for part in odds(attack, defence).split(":"))
    assert Fraction(left, right) <= Fraction(attack, defence)
    reached = [c for c, (a, d) in zip(table.columns, table.ratios, strict=True) if a * right <= left * d]
    assert column == (reached[-1] if reached else "1:3")


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (6, 7, "1:2"),
        (7, 6, "1:1"),
        (11, 6, "1:1"),
        (1, 30, "1:3"),
        (99, 1, "10:1"),
        (9, 1, "6:1"),
        (5, 1, "4:1"),
    ],
)
def test_columns_as_a_player_would_find_them(attack, defence, column):
    table = small_table()
    assert table.columns[table.column(attack, defence)] == column


def test_strengths_of_zero_go_to_the_ends():
    table = small_table()
    assert table.columns[table.column(0, 5)] == "1:3"
    assert table.columns[table.column(3, 0)] == "10:1"
    assert (odds(0, 5), odds(3, 0), odds(6, 7), odds(25, 6)) == ("0:1", "3:0", "1:2", "4:1")


def test_shifts_and_dice_stay_on_the_table():
    table = small_table()
    assert [table.shift(1, by) for by in (-3, -1, 1, 99)] == [0, 0, 2, 7]
    assert table.result(2, 7) == table.result(2, 6) == "61:1"


def test_a_table_with_a_wrong_heading_row_or_cell_is_refused():
    for columns in (["1:1", "1:2"], ["1:1", "2:2"], ["1-1"], ["0:1"]):
        with pytest.raises(UsageError, match="columns"):
            small_table(columns)
    with pytest.raises(UsageError, match="3 has 1 results"):
        small_table(**{"3": ["31:3"]})
    with pytest.raises(UsageError, match='has the result "zz"'):
        small_table(**{"3": ["zz"] * 8})


def test_steps_go_through_free_places_only() -> None:
    near = {"a": "b", "b": "acd", "c": "bd", "d": "bc"}
    assert steps(["a"], near) == {"a": 0, "b": 1, "c": 2, "d": 2}
    assert steps(["a"], near, lambda place: place != "b") == {"a": 0}
    assert steps(["a"], near, reach=1) == {"a": 0, "b": 1}


def test_a_flood_pays_tolls_stops_and_never_enters_what_is_closed() -> None:
    row = [hexes.join(column, 1) for column in range(1, 7)]
    exits = {h: tuple((n, 1) for n in row if abs(hexes.split(n)[0] - hexes.split(h)[0]) == 1) for h in row}
    cubes = {h: hexes.cube(h, "even") for h in row}
    assert list(Flood(exits, cubes, row[0], 3).hexes()) == row[1:4]
    assert list(Flood(exits, cubes, row[0], 5, stops={row[2]}).hexes()) == row[1:3]
    assert list(Flood(exits, cubes, row[0], 5, closed={row[3]}).hexes()) == row[1:3]
    paid = Flood(exits, cubes, row[0], 3, tolls={row[1]})
    assert paid.path(row[3]) is None
    assert (paid.path(row[2]), paid.price(row[2])) == (tuple(row[1:3]), 3)
    assert list(Flood(exits, cubes, row[0], -1).hexes()) == []
    dear = {h: tuple((n, 9) for n, _ in near) for h, near in exits.items()}
    assert Flood(dear, cubes, row[2], 4, first=True).all() == {row[1]: (row[2], 4), row[3]: (row[2], 4)}
    assert not Flood(dear, cubes, row[2], 4).all()
    one_way = Flood(exits, cubes, row[2], 5, may=lambda there, here: there > here, spent=3)
    assert one_way.all() == {row[3]: (row[2], 4), row[4]: (row[3], 5)}


def test_a_line_may_end_anywhere_but_goes_on_only_where_it_passes() -> None:
    near = {"a": "b", "b": "ac", "c": "bd", "d": "c"}
    passes = line_passes(foes={"d"}, zone={"b", "c"}, friends={"b"})
    assert [place for place in "abcd" if passes(place)] == ["a", "b"]
    assert steps(["a"], near, through=passes) == {"a": 0, "b": 1, "c": 2}
    assert steps(["c"], near, through=passes) == {"c": 0, "b": 1, "d": 1, "a": 2}, "a start is no obstacle"


def test_a_zone_that_reaches_one_way_comes_from_the_other() -> None:
    near = {"1": ("2", "3"), "2": ("1",), "3": ("1",)}
    assert reached_from(near, {"1": ("2",), "2": (), "3": ("1",)}) == {"1": ("3",), "2": ("1",), "3": ()}


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from(["0101", "0102"])), max_size=30))
def test_stacks_and_counts_are_those_of_who_stands_there(walks: list[tuple[str, str]]) -> None:
    stacks: Stacks = {}
    counts: Counts = {}
    where: dict[str, str] = {}
    for unit, place in walks:
        if unit in where:
            leave(stacks, unit, where[unit])
            count(counts, [where[unit]], -1)
        stand(stacks, unit, place)
        count(counts, [place], 1)
        where[unit] = place
    for place in ("0101", "0102"):
        there = tuple(sorted(unit for unit, at in where.items() if at == place))
        assert (stacks.get(place, ()), counts.get(place, 0)) == (there, len(there))
        assert (place in stacks) == (place in counts) == bool(there)


def test_a_table_may_be_drawn_and_its_strengths_may_be_fractions() -> None:
    table = Table({"columns": ["1:2", "1:1"], "1": "NE | AE", "2": ["AE", "AE"]}, "tables.toml")
    crt = read_odds_table(table, ("NE", "AE"), faces=2)
    assert crt.rows == {1: ("NE", "AE"), 2: ("AE", "AE")}
    assert [crt.column(Fraction(n, 2), Fraction(3, 2)) for n in (1, 2, 3)] == [0, 0, 1]
    assert [crt.column(n, 1.5) for n in (0.75, 1, 1.5)] == [0, 0, 1], "what a bot expects is no whole number"
    assert set(crt.always("NE").rows.values()) == {("NE", "NE")}
    assert [reached((1, 4, 9), strength) for strength in (0, 1, 8, 9, 99)] == [-1, 0, 1, 2, 2]
    with pytest.raises(UsageError, match="1 has 3 results"):
        read_rows(Table({"1": "NE|NE|AE"}, "tables.toml"), ("NE", "AE"), 2, 1)


def test_a_line_is_a_row_of_hexes_of_the_map() -> None:
    grid = drawn(rows=["....", "... "], origin="0101")
    assert grid.cells("0101", grid.line("0101", "0401").order) == ("0101", "0201", "0301", "0401")
    assert grid.by_cube[grid.cubes["0302"]] == "0302"
    assert "0402" not in grid.cells("0302", grid.line("0302", "0401").order), "it is not on the map"


def test_an_option_explains_every_value() -> None:
    keys = {"values": ["a", "b"], "rule": "1.2", "question": "Which?", "meanings": ["This.", "That."]}
    assert read_choice("which", Table(keys, "scenarios.toml")).values == ("a", "b")
    with pytest.raises(UsageError, match="meanings are 1"):
        read_choice("which", Table({**keys, "meanings": ["This."]}, "scenarios.toml"))


@dataclass(frozen=True)
class Lay(Move):
    """A card, and where it is laid."""

    notation = "lay {card} {where}"
    card: Handle
    where: str


def test_a_hidden_card_is_offered_to_who_sees_it_and_checked_when_it_is_shown() -> None:
    ace, two, other = Handle("deck-a-1.0"), Handle("deck-a-1.1"), Handle("deck-a-1.2")
    family = Played(
        Lay,
        (ace, two),
        lambda card: None if card == "ace" else Refusal("7", "only an ace"),
        Refusal("5", "not in your hand"),
        Refusal("6", "show it"),
        (("left",), ("right",)),
    )
    owner, stranger = View("a", {ace: "ace", two: "two"}), View("b", {})
    assert list(family.moves(owner)) == [Lay(ace, "left"), Lay(ace, "right")]
    assert list(family.moves(stranger)) == []
    tried = [Lay(ace, "left"), Lay(ace, "up"), Lay(two, "left"), Lay(other, "left")]
    assert [(found := family.why_not(move, owner)) and found.rule for move in tried] == [None, "5", "7", "5"]
    hidden = family.why_not(tried[0], stranger)
    assert hidden is not None and hidden.rule == "6"
    assert known((ace, other), owner) == [ace] and without((ace, two, other), two) == (ace, other)
