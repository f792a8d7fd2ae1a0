"""4 and 5: camps by marker, friendship dice, and who inherits an area."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.chuhan.board import forces_in, generals_in
from games.chuhan.camps import (
    Succession,
    camp_forces,
    camp_of,
    controlled,
    friendship_shift,
    lords_on_board,
    moved_marker,
    others_in,
    succession,
    unsettled,
)
from games.chuhan.pack import load_pack
from games.chuhan.terms import Camp
from tests.chuhan_layout import at_start, layout

CHU, HAN, NEUTRAL = Camp.CHU, Camp.HAN, Camp.NEUTRAL
PACK = load_pack()


@pytest.mark.parametrize(("box", "camp"), [(-2, CHU), (-1, NEUTRAL), (0, NEUTRAL), (1, NEUTRAL), (2, HAN)])
def test_4_4_a_lords_camp_by_his_marker(box: int, camp: Camp) -> None:
    assert camp_of(layout({}, markers={"pengyue": box}), "pengyue") is camp


def test_4_5_royals_are_neutral_whatever_a_marker_says() -> None:
    assert camp_of(layout({}, markers={"tianrong": 2}), "tianrong") is NEUTRAL


def test_7_3_6_a_lord_without_marker_is_neutral() -> None:
    board = layout({})
    others = {f: box for f, box in board.markers.items() if f != "pengyue"}
    assert camp_of(replace(board, markers=others), "pengyue") is NEUTRAL


def test_2_1_other_camps_are_the_opponents_and_the_neutrals() -> None:
    board = layout({"wan": "chu:1 han:1 qingbu:1 tianrong:1 pengyue"}, markers={"qingbu": -2, "pengyue": 2})
    assert others_in(board, "wan", CHU) == ("han", "pengyue", "tianrong")
    assert others_in(board, "wan", NEUTRAL) == ("chu", "han", "pengyue", "qingbu")
    assert camp_forces(board, HAN) == ("han", "pengyue")


def test_4_2_b_an_allied_lords_areas_are_the_players() -> None:
    board = layout({}, base=at_start(), markers={"zhanger": 2})
    assert controlled(board, HAN) == ("hanzhong", "xiangguo")


def test_3_3_only_lords_on_the_board_have_a_marker_to_move() -> None:
    assert lords_on_board(at_start()) == ("pengyue", "qingbu", "zhanger", "zhanghan")


@pytest.mark.parametrize(
    ("dice", "shift"),
    [
        ((1, 2), {"hanxin": 0}),
        ((1, 1), {"hanxin": 2}),
        ((2, 2), {"hanxin": -2}),
        ((3, 5), {"qingbu": -1, "pengyue": 1}),
    ],
)
def test_3_3_dice_are_added_before_a_marker_moves(dice: tuple[int, int], shift: dict[str, int]) -> None:
    assert friendship_shift(PACK, dice) == shift


@pytest.mark.parametrize(
    ("force", "box", "steps", "ends"),
    [("pengyue", 1, 2, 2), ("pengyue", -2, -1, -2), ("zhanger", 0, -1, 0), ("zhanghan", 0, 2, 0)],
)
def test_steps_beyond_a_lords_last_box_are_lost(force: str, box: int, steps: int, ends: int) -> None:
    assert moved_marker(PACK, force, box, steps) == ends


# --- control -----------------------------------------------------------------------------------------


def test_5_1_the_controller_keeps_an_area_with_one_acted_legion() -> None:
    board = layout({"wan": "chu:9 xiangyu han:0+1"}, control={"wan": "han"})
    assert unsettled(board) == ()
    assert succession(board, "wan", CHU) == Succession("5-1", "han")


def test_5_1_first_to_enter_and_last_to_leave() -> None:
    board = layout({"wan": "chu:1"}, control={"chen": "han"})
    assert unsettled(board) == ("wan", "chen")
    assert succession(board, "wan", CHU) == Succession("5-1", "chu")
    assert succession(board, "chen", CHU) == Succession("5-2", None)


def test_5_2_the_only_force_left_takes_over() -> None:
    board = layout({"linzi": "xiangyu chu:2"}, control={"linzi": "tianrong"})
    assert succession(board, "linzi", CHU, ("chu", "tianrong")) == Succession("5-2", "chu")


def test_5_2_1_a_same_camp_before_those_who_fought() -> None:
    board = layout({"wan": "chu:3 pengyue:1"}, control={"wan": "han"}, markers={"pengyue": 2})
    assert succession(board, "wan", CHU, ("chu", "han")) == Succession("5-2-1", "pengyue")


def test_5_2_1_a_neutral_is_a_camp_too() -> None:
    board = layout({"linzi": "chu:3 tianheng"}, control={"linzi": "tianrong"})
    assert succession(board, "linzi", CHU, ("chu", "tianrong")) == Succession("5-2-1", "tianheng")


def test_5_2_1_camps_are_those_of_the_moment_the_controller_vanished() -> None:
    board = layout({"wan": "chu:3 han:1"}, control={"wan": "pengyue"}, markers={"pengyue": 0})
    assert succession(board, "wan", CHU, ("chu", "pengyue"), former_camp=HAN) == Succession("5-2-1", "han")


def test_5_2_1_b_who_fought_before_who_looked_on() -> None:
    board = layout({"wan": "chu:1 zangtu:1"}, control={"wan": "han"})
    assert succession(board, "wan", CHU, ("chu", "han")) == Succession("5-2-1", "chu")


def test_5_2_2_a_the_players_own_force_among_his_camp() -> None:
    board = layout(
        {"wan": "han:1 pengyue:1"}, control={"wan": "zhanger"}, markers={"pengyue": 2, "zhanger": 2}
    )
    assert succession(board, "wan", CHU) == Succession("5-2-2", "han")


def test_5_2_2_a_else_that_player_chooses() -> None:
    markers = {"pengyue": 2, "zhanger": 2}
    board = layout({"wan": "chu:4 zhanger:1 pengyue:1"}, control={"wan": "han"}, markers=markers)
    expected = Succession("5-2-2", chooser=HAN, candidates=("pengyue", "zhanger"))
    assert succession(board, "wan", CHU, ("chu", "han")) == expected


def test_5_2_2_a_among_neutrals_the_acting_player_chooses() -> None:
    board = layout({"linzi": "chu:3 tianheng weibao"}, control={"linzi": "tianrong"})
    expected = Succession("5-2-2", chooser=CHU, candidates=("weibao", "tianheng"))
    assert succession(board, "linzi", CHU, ("chu", "tianrong")) == expected


def test_5_2_2_c_the_opponents_force_before_neutrals() -> None:
    board = layout({"wan": "chu:1 tianheng"}, control={"wan": "han"})
    assert succession(board, "wan", HAN) == Succession("5-2-2", "chu")


def test_5_2_2_c_else_the_opponent_chooses_among_his_lords() -> None:
    markers = {"hanxin": -2, "qingbu": -2}
    board = layout({"wan": "tianheng qingbu:1 hanxin:1"}, control={"wan": "han"}, markers=markers)
    expected = Succession("5-2-2", chooser=CHU, candidates=("hanxin", "qingbu"))
    assert succession(board, "wan", HAN) == expected
    one = layout({"wan": "tianheng qingbu:1"}, control={"wan": "han"}, markers=markers)
    assert succession(one, "wan", HAN) == Succession("5-2-2", "qingbu")


def test_5_2_2_c_else_the_acting_player_chooses() -> None:
    neutral = layout({"wan": "tianheng weibao"}, control={"wan": "han"})
    expected = Succession("5-2-2", chooser=CHU, candidates=("weibao", "tianheng"))
    assert succession(neutral, "wan", CHU) == expected
    players = layout({"linzi": "chu:1 han:1"}, control={"linzi": "tianrong"})
    expected = Succession("5-2-2", chooser=HAN, candidates=("chu", "han"))
    assert succession(players, "linzi", HAN) == expected


def test_answers_do_not_depend_on_the_order_of_the_tables() -> None:
    board = layout({"wan": "han:1 pengyue:1 tianheng weibao caocan fankuai"}, base=at_start())
    turned = replace(
        board,
        generals=dict(reversed(list(board.generals.items()))),
        legions=dict(reversed(list(board.legions.items()))),
        control=dict(reversed(list(board.control.items()))),
        markers=dict(reversed(list(board.markers.items()))),
    )
    for area in PACK.areas:
        assert forces_in(board, area) == forces_in(turned, area)
        assert generals_in(board, area, "han") == generals_in(turned, area, "han")
    assert succession(board, "wan", CHU) == succession(turned, "wan", CHU)
    assert controlled(board, CHU) == controlled(turned, CHU)
    assert lords_on_board(board) == lords_on_board(turned)
