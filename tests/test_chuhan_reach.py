"""7-1: groups, steps, what stops and what holds."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.chuhan.board import Layout, legions_in
from games.chuhan.groups import Moves, Terms
from games.chuhan.position import Company
from games.chuhan.reach import USUAL, Group, March, Path, destinations, may_leave, paths, refusal
from games.chuhan.rules import CHUHAN
from games.chuhan.terms import PLAYERS, Camp
from tests.chuhan_layout import at_start, layout

CHU, HAN = Camp.CHU, Camp.HAN
THREE = March(steps=3)
SECRET = March(held=False, slips=True)


def why(board: Layout, side: Camp, group: Group, path: str, march: March = USUAL) -> str:
    """The rule that forbids the move, or "" if it is legal."""
    found = refusal(board, side, group, tuple(path.split()), march)
    return found.rule if found else ""


def test_7_1_2_one_or_two_steps() -> None:
    board = layout({"hanzhong": "han:1"})
    assert tuple(destinations(board, "hanzhong", "han")) == (
        "xianyang",
        "wuguan",
        "yueyang",
        "luoyang",
        "wan",
    )
    assert destinations(board, "hanzhong", "han")["luoyang"] == ("wuguan", "luoyang")
    group = Group("han", "hanzhong", legions=1)
    assert why(board, HAN, group, "xianyang yueyang") == ""
    for path in (
        "",
        "yueyang",
        "xianyang hanzhong",
        "xianyang luoyang",
        "wuguan luoyang xingyang",
        "atlantis",
    ):
        assert why(board, HAN, group, path) == "7-1-2", path


def test_12_matchless_captain_goes_three_steps() -> None:
    board = layout({"hanzhong": "caocan"})
    group = Group("han", "hanzhong", ("caocan",))
    assert why(board, HAN, group, "wuguan luoyang xingyang", THREE) == ""
    assert why(board, HAN, group, "wuguan xianyang wuguan", THREE) == "7-1-2"
    assert "xingyang" in destinations(board, "hanzhong", "han", THREE)
    assert all(len(set(path)) == len(path) for path in paths(board, "hanzhong", "han", THREE))


@pytest.mark.parametrize(
    ("there", "rule"),
    [("chu:1", "7-1-3"), ("zangtu", "7-1-3"), ("zhanger:1", ""), ("han:0+1", ""), ("", "")],
    ids=["enemy", "royal", "ally", "own", "empty"],
)
def test_7_1_3_other_camps_stop_a_group(there: str, rule: str) -> None:
    board = layout({"hanzhong": "han:1", "wuguan": there}, markers={"zhanger": 2})
    group = Group("han", "hanzhong", legions=1)
    assert why(board, HAN, group, "wuguan wan") == rule
    assert why(board, HAN, group, "wuguan") == ""
    assert ("wan" in destinations(board, "hanzhong", "han")) == (rule == "")


def test_12_secret_road_is_not_stopped_in_the_first_area() -> None:
    board = layout({"hanzhong": "han:1", "wuguan": "chu:9", "luoyang": "chu:1"})
    group = Group("han", "hanzhong", legions=1)
    assert why(board, HAN, group, "wuguan luoyang") == "7-1-3"
    assert why(board, HAN, group, "wuguan luoyang", SECRET) == ""
    further = March(steps=3, slips=True)
    assert why(board, HAN, group, "wuguan luoyang xingyang", further) == "7-1-3"


@pytest.mark.parametrize(
    ("units", "leave"),
    [
        ("xiangyu chu:4 tianrong tianrong:3", 1),
        ("xiangyu chu:4 tianrong tianrong:4", 0),
        ("xiangyu chu:4 tianrong tianrong:2+2", 0),
        ("xiangyu chu:4", 5),
        ("xiangyu chu:2+2 tianrong", 3),
        ("xiangyu* chu:1+8 tianrong", 1),
        ("xiangyu chu:1 qingbu:3 tianrong tianrong:2", 2),
    ],
    ids=[
        "one more",
        "equal",
        "acted ones hold",
        "alone",
        "acted ones count",
        "only ready leave",
        "allies count",
    ],
)
def test_7_1_4_held(units: str, leave: int) -> None:
    board = layout({"linzi": units}, markers={"qingbu": -2})
    assert may_leave(board, "linzi", "chu") == leave


def test_7_1_4_more_than_the_surplus_is_refused() -> None:
    board = layout({"linzi": "xiangyu chu:4 tianrong tianrong:2"})
    assert why(board, CHU, Group("chu", "linzi", ("xiangyu",), 1), "peng") == ""
    assert why(board, CHU, Group("chu", "linzi", ("xiangyu",), 2), "peng") == "7-1-4"
    assert why(board, CHU, Group("chu", "linzi", ("xiangyu",), 2), "peng", SECRET) == ""


def test_4_4_a_lord_who_changed_camp_holds_at_once() -> None:
    units = {"hanzhong": "liubang han:2 hanxin-lord hanxin:2"}
    assert may_leave(layout(units, markers={"hanxin": 2}), "hanzhong", "han") == 3
    assert may_leave(layout(units, markers={"hanxin": 1}), "hanzhong", "han") == 0


def test_9_6_raiders_are_not_held() -> None:
    board = layout({"juye": "pengyue pengyue:1 chu:7"}, markers={"pengyue": 2})
    assert may_leave(board, "juye", "pengyue") == 2
    assert why(board, HAN, Group("pengyue", "juye", ("pengyue",), 1), "xingyang") == ""


def test_12_lady_yu_an_ally_beside_the_group_lends_it_no_freedom() -> None:
    """彭越's raiders are not held (9-6); 項羽 beside them is."""
    board = layout({"juye": "xiangyu pengyue pengyue:1 han:5"}, markers={"pengyue": -2})
    terms = Terms("12-lady-yu", ruler=True)
    company = Company("chu", "juye", ("xiangyu",), moved=True)
    assert may_leave(board, "juye", "pengyue") == 2 and may_leave(board, "juye", "chu") == 0
    assert not Moves(board, CHU, terms, within=company).any()


@pytest.mark.parametrize(
    ("group", "rule"),
    [
        (Group("han", "wan", ("hanxin",), 2), ""),
        (Group("han", "wan", legions=2), ""),
        (Group("han", "wan"), "7-1-1"),
        (Group("han", "wan", ("hanxin",), -1), "7-1-1"),
        (Group("han", "wan", ("hanxin", "hanxin")), "7-1-1"),
        (Group("han", "wan", ("fankuai",)), "7-1-1"),
        (Group("han", "wan", ("nobody",)), "7-1-1"),
        (Group("han", "nowhere", ("hanxin",)), "7-1-1"),
        (Group("han", "wan", legions=3), "6-6"),
        (Group("han", "wan", ("caocan",)), "6-6"),
        (Group("han", "wan", ("hanxin", "pengyue")), "4-3"),
        (Group("pengyue", "wan", ("pengyue",)), ""),
        (Group("qingbu", "liu", ("qingbu",)), "6-6"),
        (Group("chu", "peng", legions=1), "6-6"),
        (Group("nobody", "peng", legions=1), "6-6"),
    ],
)
def test_7_1_1_a_group_is_un_acted_units_of_one_force_of_the_own_camp(group: Group, rule: str) -> None:
    units = {"wan": "hanxin caocan* han:2+3 pengyue", "liu": "qingbu", "peng": "chu:1", "luoyang": "fankuai"}
    board = layout(units, markers={"pengyue": 2})
    assert why(board, HAN, group, "wuguan") == rule


def walks(board: Layout, start: str, steps: int) -> list[Path]:
    """Every way to walk along links, legal or not."""
    found: list[Path] = []
    ends: list[Path] = [()]
    for _ in range(steps):
        ends = [(*path, near) for path in ends for near in board.pack.neighbours[path[-1] if path else start]]
        found += ends
    return found


@pytest.mark.parametrize("march", [USUAL, THREE, SECRET], ids=["usual", "three steps", "secret road"])
def test_what_is_listed_is_what_is_accepted(march: March) -> None:
    board = at_start()
    for start in board.pack.areas:
        for side in PLAYERS:
            legions = min(legions_in(board, start, side).ready, may_leave(board, start, side, march))
            if legions:
                group = Group(side, start, legions=legions)
                accepted = [p for p in walks(board, start, 4) if not refusal(board, side, group, p, march)]
                assert accepted == list(paths(board, start, side, march))


@pytest.mark.parametrize("seed", range(20))
def test_12_a_random_move_is_found_beside_a_lord_who_may_not_make_it(seed: int) -> None:
    """項羽 may march and 黥布, of his camp and in the same area, may not: neither hides the other."""
    pos = CHUHAN.start(CHUHAN.load_pack(), "standard", {}, ("chu", "han"))
    for general, state in pos.generals.items():
        pos.generals[general] = replace(state, acted=True)
    pos.legions.clear()
    pos.generals["xiangyu"] = replace(pos.generals["xiangyu"], place="liu", acted=False)
    pos.generals["qingbu"] = replace(pos.generals["qingbu"], acted=False)
    pos.markers["qingbu"] = -2
    found = Moves(pos, CHU, Terms("12-lady-yu", ruler=True)).pick(Random(seed))
    assert found is not None and found[0].generals == ("xiangyu",)
