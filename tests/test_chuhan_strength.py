"""Strategy, supply, victory, the dice of a battle, the death check and the way home."""

from __future__ import annotations

import pytest

from games.chuhan.board import legions_left
from games.chuhan.pack import load_pack
from games.chuhan.strength import (
    Losses,
    Party,
    Throw,
    cards_to_draw,
    counter_bonus,
    death_check,
    event_refusal,
    fallen_ruler,
    first_to_act,
    guarded,
    highest_strategy,
    hits,
    leading_general,
    losses,
    refuge,
    supply_value,
    throws,
    verdict,
)
from games.chuhan.terms import CUP, GONE, Camp, Fate
from tests.chuhan_layout import at_start, layout

CHU, HAN = Camp.CHU, Camp.HAN
PACK = load_pack()


# --- strategy and supply -----------------------------------------------------------------------------


def test_1_2_1_2_allied_lords_lend_no_strategy() -> None:
    board = layout({"wan": "hanxin-lord liubang"}, markers={"hanxin": 2})
    assert highest_strategy(board, HAN) == 1


def test_1_2_1_2_acted_generals_count_and_those_off_the_board_do_not() -> None:
    assert highest_strategy(layout({"wan": "zhangliang*"}), HAN) == 3
    assert highest_strategy(layout({CUP: "zhangliang", GONE: "liubang"}), HAN) == 0


def test_9_7_chen_ping_counts_for_whom_he_serves() -> None:
    board = layout({"wan": "chenping"}, serves={"chenping": "chu"})
    assert (highest_strategy(board, CHU), highest_strategy(board, HAN)) == (2, 0)


def test_6_1_equal_strategy_lets_han_begin() -> None:
    assert first_to_act(at_start()) is CHU
    assert first_to_act(layout({"wan": "fanzeng hanxin"})) is HAN


@pytest.mark.parametrize(
    ("card", "side", "units", "refused"),
    [
        ("gifts", HAN, "liubang", False),
        ("gifts", HAN, "caocan", True),
        ("great-granary", CHU, "xiangyu", True),
        ("new-king", CHU, "fanzeng", False),
        ("new-king", HAN, "liubang fanzeng", True),
        ("spies", HAN, "liubang", False),
        ("spies", HAN, "hanxin fanzeng", True),
        ("spies", HAN, "zhangliang fanzeng", False),
        ("spies", CHU, "xiangyu caocan", True),
        ("lady-yu", HAN, "zhangliang", True),
        ("songs-of-chu", CHU, "fanzeng", True),
        ("songs-of-chu", HAN, "zhangliang", False),
    ],
)
def test_1_4_1_required_strategy(card: str, side: Camp, units: str, refused: bool) -> None:
    found = event_refusal(layout({"wan": units}), card, side)
    assert (found is not None) == refused
    assert found is None or found.rule == "1-4-1"


def test_3_2_a_contested_area_counts_for_its_controller_alone() -> None:
    assert supply_value(at_start(), CHU) == 4, "臨淄 is 田榮's"


def test_3_2_an_empty_capital_counts_for_nobody() -> None:
    assert supply_value(layout({}, control={"xianyang": "han"}), HAN) == 2


def test_9_2_logistics_is_one_card_more_even_without_supply() -> None:
    assert cards_to_draw(layout({"wan": "xiaohe*"}), HAN) == 1
    assert cards_to_draw(layout({CUP: "xiaohe"}), HAN) == 0


def test_1_2_2_1_counters_left() -> None:
    board = layout({"wan": "chu:4+3", "chen": "chu:1"})
    assert legions_left(board, "chu") == 19 - 8
    shared = layout({"wan": "tianrong:4", "chen": "zangtu:5"})
    assert legions_left(shared, "weibao") == 0


# --- victory -----------------------------------------------------------------------------------------

SUPPLY = PACK.supply_areas()


def held(chu: str, han: str = "") -> dict[str, str]:
    return dict.fromkeys(chu.split(), "chu") | dict.fromkeys(han.split(), "han")


def test_8_1_a_ruler_out_of_the_game() -> None:
    fallen = fallen_ruler(layout({GONE: "xiangyu"}, base=at_start()))
    assert fallen is not None
    assert (fallen.rule, fallen.winner) == ("8-1", HAN)
    assert fallen_ruler(at_start()) is None


def test_8_2_seven_areas_end_the_game_on_any_turn_and_six_do_not() -> None:
    seven = verdict(layout({}, control=held(" ".join(SUPPLY[:7]))), 2)
    assert seven is not None
    assert (seven.rule, seven.winner) == ("8-2", CHU)
    assert verdict(layout({}, control=held(" ".join(SUPPLY[:6]))), 6) is None


@pytest.mark.parametrize(
    ("chu", "han", "winner"),
    [
        ("peng shouchun chen", "hanzhong xianyang", CHU),
        ("peng", "hanzhong", HAN),
        ("peng", "xianyang", None),
        ("", "", None),
    ],
    ids=["more areas", "equal, more worth", "equal in both", "nothing"],
)
def test_8_3_after_the_last_turn(chu: str, han: str, winner: Camp | None) -> None:
    found = verdict(layout({}, control=held(chu, han)), 7)
    assert found is not None
    assert (found.rule, found.winner) == ("8-3", winner)


def test_4_2_b_a_lords_areas_count_for_victory() -> None:
    control = held("peng", "hanzhong") | {"linzi": "pengyue"}
    found = verdict(layout({}, control=control, markers={"pengyue": -2}), 7)
    assert found is not None
    assert found.winner is CHU


# --- battle ------------------------------------------------------------------------------------------


def test_7_2_4_the_highest_value_leads_and_the_list_breaks_ties() -> None:
    assert leading_general(PACK, Party("han", ("liubang", "hanxin"))) == "hanxin"
    assert leading_general(PACK, Party("han", ("xiahouying", "caocan", "fankuai"))) == "fankuai"
    assert leading_general(PACK, Party("han", (), 3)) is None


def test_7_2_5_own_value_for_generals_the_leaders_for_legions() -> None:
    party = Party("han", ("liubang", "hanxin"), ready=1, acted=1)
    expected = (Throw("liubang", 1), Throw("hanxin", 3), Throw(None, 3), Throw(None, 3))
    assert throws(PACK, party, attacking=True) == expected
    assert hits(expected, (1, 3, 3, 4)) == 3
    assert hits(expected, (2, 4, 1, 1)) == 2


def test_1_2_2_legions_without_a_general_throw_nothing() -> None:
    assert throws(PACK, Party("chu", (), 5), attacking=True) == ()


def test_9_3_valiant_throws_twice_in_the_attack_only() -> None:
    party = Party("chu", ("xiangyu",), 1)
    assert [t.general for t in throws(PACK, party, attacking=True)] == ["xiangyu", "xiangyu", None]
    assert [t.general for t in throws(PACK, party, attacking=False)] == ["xiangyu", None]


@pytest.mark.parametrize(
    ("bonus", "targets"), [(1, [5, 2, 5]), (2, [5, 3, 5]), (-1, [3, 0, 3]), (-9, [0, 0, 0])]
)
def test_7_2_5_changed_values_stay_between_0_and_5(bonus: int, targets: list[int]) -> None:
    found = throws(PACK, Party("chu", ("xiangyu", "fanzeng"), 1), attacking=False, bonus=bonus)
    assert [t.target for t in found] == targets


def test_9_4_the_tactician_weakens_the_counter_attack_only_as_leader() -> None:
    assert counter_bonus(PACK, Party("han", ("fankuai", "hanxin"), 2)) == -1
    assert counter_bonus(PACK, Party("hanxin", ("hanxin-lord",))) == -1
    assert counter_bonus(PACK, Party("han", ("fankuai",), 2)) == 0
    assert counter_bonus(PACK, Party("han", (), 2)) == 0


@pytest.mark.parametrize(
    ("hit", "lost"),
    [
        (0, Losses(0, 0, 0)),
        (1, Losses(1, 0, 0)),
        (3, Losses(2, 1, 0)),
        (4, Losses(2, 1, 1)),
        (9, Losses(2, 1, 2)),
    ],
)
def test_7_2_6_acted_legions_first_then_the_others_then_generals(hit: int, lost: Losses) -> None:
    assert losses(Party("han", ("liubang", "fankuai"), ready=1, acted=2), hit) == lost


# --- death check -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("general", "fates"),
    [("liubang", "dfffss"), ("fankuai", "ddffss"), ("qingbu", "ddffss"), ("tianrong", "ddddss")],
)
def test_7_3_1_the_table(general: str, fates: str) -> None:
    name = {"d": Fate.DIES, "f": Fate.FLEES, "s": Fate.STANDS}
    assert [death_check(PACK, general, die) for die in range(1, 7)] == [name[f] for f in fates]


def test_9_5_beside_a_guard_a_one_is_a_two() -> None:
    assert death_check(PACK, "liubang", 1, guard=True) is Fate.FLEES
    assert guarded(PACK, "liubang", Party("han", ("liubang", "fankuai")))
    assert guarded(PACK, "liubang", Party("han", ("liubang", "xiahouying")))
    assert not guarded(PACK, "liubang", Party("han", ("liubang", "caocan")))
    assert not guarded(PACK, "fankuai", Party("han", ("xiahouying", "fankuai")))


def test_7_3_4_retainers_flee_to_the_capital_though_nobody_holds_it() -> None:
    assert refuge(layout({"wan": "hanxin chu:1"}), "hanxin", "wan") == "hanzhong"


@pytest.mark.parametrize("battle", ["hanzhong", "wan"])
def test_7_3_4_else_to_the_nearest_area_of_the_own_force(battle: str) -> None:
    units = {
        "hanzhong": "chu:1",
        "luoyang": "han:1",
        "xianyang": "han:1",
        "ji": "han:1",
        battle: "hanxin chu:1",
    }
    board = layout(units, control={"luoyang": "han", "xianyang": "han", "ji": "han", battle: "han"})
    assert refuge(board, "hanxin", battle) == {"hanzhong": "xianyang", "wan": "luoyang"}[battle]


def test_7_3_4_of_equally_near_areas_the_first_on_the_list() -> None:
    units = {"hanzhong": "chu:1", "chen": "han:1", "wuguan": "han:1", "wan": "hanxin chu:1"}
    assert refuge(layout(units, control={"chen": "han", "wuguan": "han"}), "hanxin", "wan") == "wuguan"


def test_7_3_4_areas_of_allies_or_entered_by_others_are_no_refuge() -> None:
    units = {"hanzhong": "chu:1", "luoyang": "han:1 zangtu:1", "juye": "pengyue", "wan": "hanxin chu:1"}
    control = {"luoyang": "han", "juye": "pengyue"}
    assert refuge(layout(units, control=control, markers={"pengyue": 2}), "hanxin", "wan") is None


@pytest.mark.parametrize(
    ("home", "box", "safe"),
    [("", 1, True), ("tianrong", 1, True), ("tianrong", 2, False), ("han:1", 2, True), ("chu:1", 0, False)],
)
def test_7_3_4_a_lord_flees_home_if_other_camps_are_not_there(home: str, box: int, safe: bool) -> None:
    board = layout({"juye": home, "wan": "pengyue chu:1"}, markers={"pengyue": box})
    assert refuge(board, "pengyue", "wan") == ("juye" if safe else None)


def test_7_3_5_a_lord_beaten_at_home_and_a_royal_have_no_refuge() -> None:
    assert refuge(layout({"juye": "pengyue chu:1"}), "pengyue", "juye") is None
    assert refuge(layout({"linzi": "tianrong chu:1"}), "tianrong", "linzi") is None
