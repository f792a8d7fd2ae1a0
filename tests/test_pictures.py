"""Pictures: one renderer for every game, the same scene always the same bytes, nothing hidden in them."""

from __future__ import annotations

import random
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.engine import registry
from pbem.engine.croupier import Croupier
from pbem.engine.machine import Machine
from pbem.engine.options import PUBLIC
from pbem.engine.position import Position
from pbem.engine.scene import Owner, Piece, Scene
from pbem.engine.waits import Over
from pbem.page.beside import Manner
from pbem.page.picture import draw, picture
from pbem.page.style import EDGES, GROUNDS, LINKS, MARKS, PALETTE, PLACE_SIGNS, STATES
from pbem.playtest.local import begin, usual_start
from tests import sampler as scenes

OURS = ("kawagoe", "chuhan", "sanada", "redcoats", "suikoden", "table")
GAMES = [name for name in registry.names() if name in OURS]


def played(game: str, steps: int = 40, seed: int = 3) -> tuple[Any, Croupier, Position]:
    """A game between bots, some decisions in."""
    rules = registry.load(game)
    pack = rules.load_pack()
    croupier = Croupier(Machine(rules, pack), random.Random(seed))
    start = usual_start(rules, pack, next(iter(rules.scenarios(pack))))
    pos = begin(croupier, start)
    bots = {seat: rules.bot(seat, seed) for seat in start.seats}
    for _ in range(steps):
        if isinstance(croupier.machine.waits_for(pos), Over):
            break
        pos = croupier.play(pos, bots).position
    return rules, croupier, pos


def _all_scenes() -> list[Scene]:
    return [scenes.hexes(), scenes.table(), scenes.table(2)]


@pytest.mark.parametrize("game", GAMES)
def test_the_start_of_every_scenario_is_drawn(game: str) -> None:
    rules = registry.load(game)
    pack = rules.load_pack()
    for scenario in rules.scenarios(pack):
        start = usual_start(rules, pack, scenario)
        pos = Machine(rules, pack).start(start.scenario, start.options, start.seats).position
        scene = rules.scene(pos, PUBLIC)
        drawn = picture(scene, Manner(), rules.title)
        ElementTree.fromstring(drawn)
        assert re.search(r'width="[0-9.]+mm" height="[0-9.]+mm"', drawn)
        _known(scene)


def _known(scene: Scene) -> None:
    """The renderer has a form of its own for everything in a scene."""
    board = scene.board
    places = {place.id for place in board.places} | {tray.id for tray in scene.trays}
    assert {place.ground or "plain" for place in board.places} <= set(GROUNDS)
    assert {place.sign for place in board.places} <= {"", *PLACE_SIGNS}
    assert {edge.kind for edge in board.edges} <= set(EDGES)
    assert {link.kind for link in board.links} <= set(LINKS)
    assert {mark.kind for mark in scene.marks} <= set(MARKS)
    assert {state for piece in scene.pieces for state in piece.states} <= set(STATES)
    assert {piece.place for piece in scene.pieces} <= places, "a piece lies nowhere"
    ids = [piece.id for piece in scene.pieces]
    assert len(ids) == len(set(ids)), "two pieces have one id"
    assert {piece.owner for piece in scene.pieces} <= {owner.id for owner in scene.owners} | {""}
    assert all(0 <= owner.colour < len(PALETTE) for owner in scene.owners)


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_in_the_middle_of_a_game_hides_what_is_hidden(game: str) -> None:
    rules, croupier, pos = played(game)
    public = rules.scene(pos, PUBLIC)
    _known(public)
    assert picture(public) == picture(rules.scene(pos, PUBLIC)), "the same scene gives the same bytes"
    for seat in pos.seats:
        _known(rules.scene(pos, croupier.view(pos, seat)))
    closed = [piece for piece in public.pieces if piece.id in pos.hidden]
    for piece in closed:
        assert not piece.name and not piece.text and not piece.picks, f"{piece} shows a closed slot"


@pytest.mark.parametrize("game", GAMES)
def test_what_is_clicked_is_a_word_of_orders(game: str) -> None:
    """Places and picks are ids that the rules understand: nothing is translated between board and orders."""
    rules, croupier, pos = played(game, 20)
    for seat in pos.seats:
        scene = rules.scene(pos, croupier.view(pos, seat))
        for piece in scene.pieces:
            for words in piece.picks:
                assert all(word and not word.isspace() for word in words)


def test_every_ground_state_and_mark_has_a_form() -> None:
    for scene in _all_scenes():
        ElementTree.fromstring(picture(scene, Manner(names="both", you="p2", to_move=("p2",))))
    shown = {piece.id: item for item in draw(scenes.hexes()).layout.items for piece in [item]}
    looks = {state: shown[f"u{n}"].look for n, state in enumerate(STATES)}
    assert len(set(looks.values())) == len(STATES)


def test_nobodys_name_can_carry_markup() -> None:
    evil = '<script>alert(1)</script>"onload="x'
    scene = Scene(
        headline=evil,
        owners=(Owner("o", evil, "<", 0, evil),),
        pieces=(Piece("p", "t", "card", "o", evil, evil, evil, evil, evil, text=evil),),
        trays=(scenes.Tray("t", evil, "o", note=evil),),
    )
    drawn = picture(scene, Manner(names="both"), evil)
    root = ElementTree.fromstring(drawn)
    assert not [e for e in root.iter() if e.tag.endswith("script") or "onload" in e.attrib]


def test_a_stack_of_three_shows_every_value_and_a_deep_one_its_sum() -> None:
    items = {item.id: item for item in draw(scenes.hexes()).layout.items}
    three = [items[f"three{n}"] for n in range(3)]
    assert all(three[n].y - three[n + 1].y >= 12 for n in range(2)), "each value strip stays in sight"
    assert "11 · Σ15" in items["sum:0303"].look
