"""The terminal board: the same scene, 100 columns, wide letters aligned, and what is copied is understood."""

from __future__ import annotations

import pytest

from pbem.engine.nextwords import Index
from pbem.engine.options import PUBLIC
from pbem.engine.waits import Ask
from pbem.errors import UsageError
from pbem.page.plain import Reach, Way, shorts, spelled_out, table, width
from pbem.page.reach import reach
from pbem.page.terminal import board, literals, show
from tests import sampler
from tests.test_pictures import GAMES, played


@pytest.mark.parametrize("game", GAMES)
def test_no_line_is_wider_than_100_columns_and_no_unit_is_missing(game: str) -> None:
    rules, croupier, pos = played(game)
    for seat in (None, *pos.seats):
        view = croupier.view(pos, seat) if seat else PUBLIC
        scene = rules.scene(pos, view)
        text = show(rules, pos, view, Way(stacks=True))
        assert max(map(width, text.splitlines())) <= 100
        assert "\x1b" not in text, "no colour unless asked for"
        for piece in scene.pieces:
            if piece.picks and piece.kind in ("unit", "general"):
                assert piece.picks[0][0] in text, f"{piece.id} cannot be found"


@pytest.mark.parametrize("game", GAMES)
def test_short_names_are_different_and_mean_one_unit(game: str) -> None:
    rules, _, pos = played(game)
    scene, reserved = rules.scene(pos, PUBLIC), literals(rules)
    short = shorts(scene, reserved)
    assert len(set(short.values())) == len(short)
    for word, name in short.items():
        assert len(name) <= 4 and name not in reserved
        assert spelled_out(f"move {name.upper()} to", scene, reserved).split()[1].lower() == word.lower()


def test_what_is_copied_from_the_board_is_an_order() -> None:
    rules, croupier, pos = played("kawagoe", 60)
    wait = croupier.machine.waits_for(pos)
    assert isinstance(wait, Ask)
    scene, reserved = rules.scene(pos, PUBLIC), literals(rules)
    text = show(rules, pos)
    for word, name in shorts(scene, reserved).items():
        if word in pos.units and len(pos.at(pos.units[word].hex)) == 1:
            assert any(spelled in text for spelled in (name, name.capitalize(), name.upper()))


def test_colour_is_never_alone() -> None:
    rules, _, pos = played("kawagoe", 60)
    plain = show(rules, pos)
    painted = show(rules, pos, PUBLIC, Way(colour=True))
    assert "\x1b[" in painted
    import re

    bare = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", painted).splitlines()]
    assert bare == plain.splitlines()


def test_a_wide_map_comes_in_strips() -> None:
    scene = sampler.hexes()
    narrow = board(scene, Way(columns=50))
    assert max(map(width, narrow.splitlines())) <= 50
    for place in ("0101", "0701", "1002"):
        assert place in narrow


def test_hexsides_roads_and_stacks_can_be_seen() -> None:
    text = board(sampler.hexes(), Way(stacks=True))
    for sign in "=~O#H+BFvM*":
        assert sign in text
    assert "15x11" in text and "12x3" in text
    assert text.count("Mori") == 11


def test_marks_of_legal() -> None:
    text = board(sampler.hexes(), Way(reach=Reach({"0405": "3"}, ("0303",))))
    assert ">3<" in text and "can go to (cost): 0405 (3)" in text and "can attack: 0303" in text


def test_reach_of_a_unit_with_costs() -> None:
    rules, croupier, pos = played("kawagoe", 60, 1)
    wait = croupier.machine.waits_for(pos)
    assert isinstance(wait, Ask)
    view = croupier.view(pos, wait.options.seat, wait.options)
    index = Index(croupier.machine, pos, wait.options, view)
    scene, reserved = rules.scene(pos, view), literals(rules)
    unit = next(offer.word for offer in index.picked(()).offered if "units" in offer.fields)
    found = reach(index, scene, unit, reserved)
    listed = {move.hex for move in wait.options.list(view) if getattr(move, "units", ()) == (unit,)}
    assert listed and set(found.to) | set(found.attack) == listed
    assert all(cost.isdigit() for cost in found.to.values())
    with pytest.raises(UsageError):
        reach(index, scene, "nobody", reserved)


def test_tables_align_wide_letters() -> None:
    lines = table([("漢中", "x"), ("a", "y")])
    assert [width(line) for line in lines] == [7, 7]
