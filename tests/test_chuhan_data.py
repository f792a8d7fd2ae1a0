"""The standard pack of chuhan against what the rulebook states and what play reports tell."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from games.chuhan.board import forces_in, legions_left, opening
from games.chuhan.camps import camp_of, friendship_shift, unsettled
from games.chuhan.pack import FILES, STANDARD, load_pack
from games.chuhan.reach import destinations
from games.chuhan.strength import cards_to_draw, highest_strategy, supply_areas
from games.chuhan.terms import (
    ASIDE,
    CUP,
    EITHER,
    Area,
    Attribute,
    Camp,
    Card,
    EventSide,
    General,
    Kind,
    Source,
)
from tests.chuhan_layout import at_start, layout

PACK = load_pack()
THINGS: list[Area | General | Card] = [*PACK.areas.values(), *PACK.generals.values(), *PACK.cards.values()]
RULES = tomllib.loads((STANDARD.parent / "rulebook.toml").read_text(encoding="utf-8"))["rule"]
BY_ID = {rule["id"]: rule for rule in RULES}

CHAPTERS = (
    "1 1-1 1-1-1 1-1-2 1-1-3 1-1-4 1-2 1-2-1 1-2-1-1 1-2-1-2 1-2-2 1-2-2-1 1-3 1-4 1-4-1",
    "2 2-1 2-2 2-3 2-4 2-5",
    "3 3-1 3-1-1 3-2 3-2b 3-2-1 3-2-2 3-3 3-4 3-5",
    "4 4-1 4-2 4-3 4-4 4-5",
    "5 5-1 5-2 5-2-1 5-2-2",
    "6 6-1 6-2 6-3 6-4 6-5 6-6 6-7 6-8 6-9 6-10",
)
PRINTED = [number for chapter in CHAPTERS for number in chapter.split()]


def named(name: str) -> str:
    """The id of the area, general or card with this name."""
    return next(t.id for t in THINGS if t.name == name)


# --- components (1) ----------------------------------------------------------------------------------


def test_17_areas_10_of_them_supply_areas() -> None:
    assert len(PACK.areas) == 17
    assert len(PACK.supply_areas()) == 10


def test_capitals_are_supply_areas() -> None:
    assert PACK.capitals == {Camp.CHU: named("彭"), Camp.HAN: named("漢中")}
    assert all(area in PACK.supply_areas() for area in PACK.capitals.values())


def test_110_counters() -> None:
    markers = len(PACK.markers) + 1
    assert markers == 6
    assert len(PACK.generals) + sum(PACK.stocks.values()) + markers == 110


def test_32_cards() -> None:
    assert len(PACK.deck()) == 32
    assert Counter(PACK.cards[c].needs for c in PACK.deck()) == {"1": 15, "2": 12, "3": 1, "1+": 4}
    sides = Counter(PACK.cards[c].side for c in PACK.deck())
    assert sides == {EventSide.BOTH: 22, EventSide.CHU: 5, EventSide.HAN: 5}


def test_cards_named_in_reports() -> None:
    eight = {
        "天下三分の計",
        "間諜",
        "背水の陣",
        "天下無双",
        "巨大食料庫",
        "新王の出現",
        "名士の仕官",
        "共に謀るに足らず",
    }
    told = {c.name for c in PACK.cards.values() if c.source is Source.REPORT}
    assert told == eight | {"国士無双", "虞美人", "贈り物"}


def test_every_general_has_a_military_value_and_some_a_strategy() -> None:
    with_strategy = [g for g in PACK.generals.values() if g.strategy is not None]
    assert 0 < len(with_strategy) < len(PACK.generals)


def test_values_on_record() -> None:
    known = {name: PACK.generals[named(name)] for name in ("張良", "韓信", "范增", "劉邦", "蕭何")}
    assert known["張良"].strategy == max(g.strategy or 0 for g in PACK.generals.values()) == 3
    assert (known["韓信"].military, known["韓信"].strategy) == (3, 2)
    assert known["范增"].strategy == 2
    assert known["劉邦"].military == 1
    assert known["蕭何"].attributes == (Attribute.LOGISTICS,)


# --- people and set-up (2, 4) ------------------------------------------------------------------------


def test_five_lords_and_their_markers() -> None:
    assert [PACK.forces[f].name for f in PACK.lords()] == ["韓信", "彭越", "黥布", "張耳", "章邯"]
    assert tuple(PACK.markers) == PACK.lords()


def test_lords_begin_neutral_and_two_can_join_one_side_only() -> None:
    board = at_start()
    assert {camp_of(board, f) for f in PACK.lords()} == {Camp.NEUTRAL}
    reach = {PACK.forces[f].name: (PACK.forces[f].lowest, PACK.forces[f].highest) for f in PACK.lords()}
    assert reach["張耳"] == (0, PACK.tables.track.han)
    assert reach["章邯"] == (PACK.tables.track.chu, 0)
    assert PACK.markers["qingbu"] == PACK.tables.track.chu + 1


def test_seven_in_the_cup_all_retainers() -> None:
    assert len(PACK.cup()) == 7
    assert {PACK.generals[g].kind for g in PACK.cup()} == {Kind.RETAINER}
    assert {"陳平", "韓信", "龍且", "夏侯嬰"} <= {PACK.generals[g].name for g in PACK.cup()}


def test_two_counters_of_han_xin() -> None:
    retainer, lord = [g for g in PACK.generals.values() if g.name == "韓信"]
    assert (retainer.kind, retainer.start, retainer.force) == (Kind.RETAINER, CUP, "han")
    assert (lord.kind, lord.start, lord.retainer) == (Kind.LORD, ASIDE, retainer.id)


def test_chen_ping_may_serve_either_side() -> None:
    assert [g.name for g in PACK.generals.values() if g.force == EITHER] == ["陳平"]


def test_royals_are_forces_of_their_own_with_one_stock() -> None:
    royals = [g for g in PACK.generals.values() if g.kind is Kind.ROYAL]
    assert "田榮" in [g.name for g in royals]
    assert {PACK.forces[g.id].stock for g in royals} == {"royal"}
    assert any(g.start == ASIDE for g in royals), "新王の出現 needs one"
    board = at_start()
    assert legions_left(board, "tianrong") == legions_left(board, "zhaoxie") == 9 - 5


def test_shared_and_single_areas_at_the_start() -> None:
    board = at_start()
    assert forces_in(board, "hanzhong") == ("han",)
    assert forces_in(board, "linzi") == ("chu", "tianrong")
    assert board.control["linzi"] == "tianrong"
    assert [a for a in PACK.areas if len(forces_in(board, a)) > 1] == ["linzi"]
    assert unsettled(board) == ()


def test_lords_stand_where_reports_saw_them() -> None:
    seen = {"章邯": "咸陽", "張耳": "襄國", "彭越": "鉅野", "田榮": "臨淄"}
    for general, area in seen.items():
        assert PACK.areas[PACK.generals[named(general)].start].name == area


# --- turn (3) ----------------------------------------------------------------------------------------


def test_seven_turns_and_seven_areas() -> None:
    assert (PACK.tables.turns, PACK.tables.sudden_death) == (7, 7)


def test_table_entries_fixed_by_the_examples() -> None:
    assert PACK.tables.autumn[0] == "hanxin"
    (first, one), (second, two) = PACK.tables.friendship[:2]
    assert first == second == "hanxin"
    assert one is two.opponent
    assert friendship_shift(PACK, (1, 2)) == {"hanxin": 0}


def test_qing_bu_two_boxes_to_han_is_one_chance_in_36() -> None:
    dice = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    assert len([d for d in dice if friendship_shift(PACK, d).get("qingbu") == 2]) == 1


def test_highest_strategy_at_the_start() -> None:
    board = at_start()
    assert (highest_strategy(board, Camp.HAN), highest_strategy(board, Camp.CHU)) == (1, 2)


@pytest.mark.parametrize(
    ("han", "chu", "hands"),
    [
        ("", "", (3, 4)),
        ("xiaohe", "", (4, 4)),
        ("", "linzi", (3, 5)),
        ("xianyang", "linzi ji", (5, 6)),
        ("xiaohe xianyang luoyang xiangguo", "linzi ji julu", (8, 7)),
    ],
    ids=["turn 1", "turn 1 with 蕭何", "turn 2", "turn 3", "another turn 3"],
)
def test_hand_sizes_on_record(han: str, chu: str, hands: tuple[int, int]) -> None:
    won = {a: "han" for a in han.split() if a in PACK.areas} | dict.fromkeys(chu.split(), "chu")
    generals = {"hanzhong": "xiaohe"} if "xiaohe" in han.split() else {}
    board = layout(generals, base=opening(PACK), control=won)
    assert (cards_to_draw(board, Camp.HAN), cards_to_draw(board, Camp.CHU)) == hands


@pytest.mark.parametrize("seventh", ["luoyang", "xiangguo"])
def test_seventh_area_of_chu_as_reported(seventh: str) -> None:
    won = dict.fromkeys(["linzi", "ji", "julu", seventh], "chu")
    assert len(supply_areas(layout({}, base=at_start(), control=won), Camp.CHU)) == 7


# --- map ---------------------------------------------------------------------------------------------


def test_map_is_whole_and_small() -> None:
    farthest = [max(PACK.steps[area].values()) for area in PACK.areas]
    assert {len(PACK.steps[area]) for area in PACK.areas} == {17}
    assert max(farthest) == 5
    assert sum(len(near) for near in PACK.neighbours.values()) == 2 * 28


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("漢中", "櫟陽"),
        ("漢中", "洛陽"),
        ("鉅野", "洛陽"),
        ("六", "武關"),
        ("臨淄", "薊"),
        ("咸陽", "洛陽"),
    ],
)
def test_moves_told_in_reports_are_two_steps(start: str, end: str) -> None:
    assert PACK.steps[named(start)][named(end)] == 2
    assert named(end) in destinations(layout({named(start): "chu:1"}), named(start), "chu")


def test_wuguan_threatens_both_and_ji_touches_julu() -> None:
    assert {named("漢中"), named("咸陽")} <= set(PACK.neighbours[named("武關")])
    assert named("鉅鹿") in PACK.neighbours[named("薊")]


# --- files and rulebook ------------------------------------------------------------------------------


def test_every_file_says_where_it_comes_from() -> None:
    assert tuple(PACK.provenance) == FILES
    assert {p.kind for p in PACK.provenance.values()} == {"reconstruction"}
    assert all(len(p.source) > 80 for p in PACK.provenance.values())


def test_names_in_the_files_that_the_book_does_not_have_say_so() -> None:
    assert Source.PRINTED not in {t.source for t in THINGS}
    book = {t.name for t in THINGS if t.source is Source.RULEBOOK}
    people = {"項羽", "劉邦", "韓信", "彭越", "黥布", "張耳", "章邯", "陳平", "田榮"}
    assert book == people | {"彭", "漢中", "臨淄"}


def test_rulebook_lists_all_53_rules_in_order() -> None:
    assert len(PRINTED) == 53
    assert [rule["id"] for rule in RULES][:53] == PRINTED


def test_rulebook_continues_with_the_reconstruction_and_every_card() -> None:
    rest = [rule["id"] for rule in RULES][53:]
    assert {rule["status"] for rule in RULES[53:]} == {"reconstructed"}
    assert [i for i in rest if i.startswith("12-")] == [f"12-{card}" for card in PACK.cards]
    assert len(set(BY_ID)) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["id"])
def test_rule_is_told_in_full(rule: dict[str, str]) -> None:
    assert set(rule) <= {"id", "title", "summary", "status", "reason", "ruling"}
    assert rule["status"] in ("enforced", "explains", "reconstructed")
    assert ("reason" in rule) == (rule["status"] == "explains")
    assert rule["title"] and rule["summary"].endswith(".")
    if rule["id"] in PRINTED:
        assert re.search(r"\([\u3000-\u9fff・,\s]+\)$", rule["title"]), "the Chinese term is missing"
        assert rule["status"] != "reconstructed"


def test_every_ruling_is_cited_once_at_least() -> None:
    cited: set[int] = set()
    for rule in RULES:
        for first, last in re.findall(r"A(\d\d)(?: to A(\d\d))?", rule.get("ruling", "")):
            cited |= set(range(int(first), int(last or first) + 1))
    assert cited == set(range(1, 69))


def test_rules_named_in_code_and_data_exist() -> None:
    number = re.compile(r"(?<![\w.-])([1-9]\d?(?:-\d{1,2}b?)+|12-[a-z-]+)(?![\w-])")
    folder = Path(STANDARD).parent
    for path in [*folder.glob("*.py"), *STANDARD.glob("*.toml")]:
        for found in number.findall(path.read_text(encoding="utf-8")):
            assert found in BY_ID, f"{path.name} cites {found}"
