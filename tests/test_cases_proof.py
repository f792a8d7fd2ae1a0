"""A case that checks nothing, is not run to its last line, or states something that is never used fails."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.cases import run
from tests.cli import ROOT
from tests.commandline import pbem
from tests.test_cases_strict import ASKED, BEGIN, HIT, problems

CASES = ROOT / "tests" / "cases"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the case checks nothing"),
        ("[[play]]\ndice = [3]", "the case checks nothing"),
        ("[[play]]\n", "play 1 states nothing"),
        ('[[play]]\nseat = "a"\norders = ""', "play 1 states nothing"),
        ("variant = []\n[[play]]", "variant is empty"),
        ("[expect]\n", "expect is empty"),
        ("[expect]\nevents = []", "expect.events is empty"),
        ("[expect]\nlegal = []", "expect.legal is empty"),
        ("[expect]\nasks = {}", "expect.asks is empty"),
        ("[expect]\nposition = {}", "expect.position is empty"),
        ("[expect.position.players]", "expect.position.players is empty"),
        ("[expect.position.players.a]", "expect.position.players.a is empty"),
        ("[expect]\nhands = {}", "expect.hands is empty"),
        ("[expect.sees.a]", "expect.sees.a is empty"),
        (
            '[expect]\nexactly = { begins = "hti", orders = [] }',
            "begins = 'hti': no order that is asked for begins so",
        ),
        ('[expect]\nexactly = { begins = "hit zed", orders = [] }', "'zed' is unknown"),
        (
            '[expect]\nexactly = { begins = "swear", orders = ["hit b"] }',
            "'hit b' does not begin with 'swear'",
        ),
        (
            '[[play]]\nseat = "a"\norders = "hit a\\nhit b"\nrefused = "5.1"',
            "play 1: an earlier order is refused, not the last",
        ),
        (
            '[[play]]\nseat = "a"\norders = "hit a"\nrefused = "5.1"\n[[play]]\nseat = "a"\norders = "hit b"',
            "play 2 is never run: the case ends with play 1",
        ),
        (
            '[[play]]\nseat = "a"\norders = "hit b\\n    boast 9"\ndice = [1]',
            "the prepared answer 'boast 9' is never used",
        ),
        ('[[play]]\nseat = "a"\norders = "hit a"\nrefused = []', "play 1: which rule?"),
        ('[[play]]\nseat = "a"\norders = "hit a"\nrefused = ["5.1", "9.9"]', "tiny has no rule '9.9'"),
        (
            '[[play]]\nseat = "a"\norders = "hit a"\nrefused = ["5.2", "5.3"]',
            "refused by 5.1 (a is no enemy), not by 5.2 or 5.3",
        ),
    ],
)
def test_what_proves_nothing_fails(tmp_path: Path, text: str, said: str) -> None:
    begin = text + BEGIN if text.startswith("variant") else BEGIN
    found = problems(tmp_path, "" if text.startswith("variant") else text, begin.replace("[[play]]\n\n", ""))
    assert any(said in one for one in found), found


def test_a_refusal_may_be_by_any_of_several_rules(tmp_path: Path) -> None:
    play = '[[play]]\nseat = "a"\norders = "hit a"\nrefused = ["5.2", "5.1"]\n'
    assert problems(tmp_path, play) == []
    assert problems(tmp_path, '[expect]\nillegal = [{ order = "hit a", rule = ["5.2", "5.1"] }]') == []


# --- short orders are judged whole

MARCH = """
game = "sanada"
rule = "14"
title = "t"

[pack.map]
rows = [".........", ".........", ".........", ".........", ".........", "........."]

[pack.units]
unit = [
    { id = "goto", rank = "taisho", colour = "green", rating = "4-5", track = 3 },
    { id = "ban", rank = "busho", colour = "green", rating = "3-2" },
    { id = "doi", rank = "busho", colour = "red", rating = "1-0" },
]

[position]
stack = [
    { at = "Game.advance_marker" },
    { at = "Turn.osaka_reaction" },
    { at = "MovingPhase.act", seat = "osaka", kind = "movement" },
]
units = { goto = { hex = "0404" }, ban = { hex = "0101" }, doi = { hex = "0906" } }
"""


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ('legal = ["move goto to 0405"]', ""),
        ('legal = ["move goto to 0906"]', "should be legal: move goto to 0906"),
        ('illegal = [{ order = "move goto to 0906", rule = ["14.1.1", "14.2.1"] }]', "refused by"),
        ('illegal = [{ order = "move goto to 0405", rule = "14.1.1" }]', "should be illegal"),
        (
            'exactly = { begins = "move", orders = ["move goto to 0405"] }',
            "no order that is asked for begins so",
        ),
    ],
)
def test_an_order_of_several_steps_is_judged_whole(tmp_path: Path, expect: str, said: str) -> None:
    found = problems(tmp_path, f"[expect]\n{expect}\n", MARCH)
    assert said in found[0] if said else not found, found


# --- tables, cards, packs


def changed(name: str, **changes: Any) -> list[str]:
    path = CASES / name
    case: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    return run(path, {**case, **changes})


def test_a_table_holds_for_several_plays_and_must_be_used() -> None:
    name = str(next((CASES / "kawagoe").glob("9.51-*.toml")).relative_to(CASES))
    assert changed(name) == []
    case = tomllib.loads((CASES / name).read_text("utf-8"))
    one = case["table"]["crt"]
    assert changed(name, table={"crt": [one]}) == [], "a list is used up over all plays"
    last = [*case["play"][:-1], {**case["play"][-1], "table": {"crt": one}}]
    assert changed(name, play=last) == [f"not used: table crt = {one!r}"]


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("kawagoe", {"nonsense": {}}),
        ("kawagoe", {"units": {"nonsense": 1}}),
        ("redcoats", {"options": {}}),
        ("redcoats", {"units": {"nonsense": 1}}),
        ("sanada", {"nonsense": {}}),
        ("chuhan", {"nonsense": {}}),
        ("suikoden", {"people": {"nonsense": 1}}),
        ("suikoden", {"lands": {"nonsense": 1}}),
    ],
)
def test_an_unknown_table_of_a_pack_is_refused(tmp_path: Path, name: str, pack: dict[str, Any]) -> None:
    (found,) = run(tmp_path / "x.toml", {"game": name, "pack": pack, "expect": {"outcome": {"level": "x"}}})
    assert "is not" in found and next(iter(pack)) in found


SECRETS = """
game = "suikoden"
rule = "D17"
title = "t"

[cards.east]
e1 = "薛永"

[position]
stack = [
    { at = "DeckGame.turns", number = 1 },
    { at = "Turn.battle", seat = "east" },
    { at = "Domestic.action", seat = "east" },
]
field = { "関勝" = { seat = "east" } }

[position.sides]
east = { hand = ["e1"], deck = 7, land = "★砦" }
south = { deck = 3, land = "★★河川" }
"""


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ('sees = { east = { e1 = "薛永" }, south = { e1 = false } }', ""),
        ('sees = { east = { "薛永" = "薛永" } }', ""),
        ('sees = { south = { e1 = "薛永" } }', "sees.south.e1: expected '薛永', found 'unknown'"),
        ("sees = { east = { e1 = false } }", "sees.east.e1: expected that it is unknown, found"),
        ("sees = { east = { e9 = false } }", "sees: 'e9': no card is that"),
        ("sees = { wets = { e1 = false } }", "sees: unknown key 'wets'"),
        ('decks = { "sides.east.deck" = 7, "sides.south.deck" = 3 }', ""),
        ('decks = { "sides.east.deck" = 8 }', "decks.sides.east.deck: expected 8 cards, found 7"),
        ('decks = { "sides.east.dekc" = 8 }', "decks: there is no deck 'sides.east.dekc'"),
    ],
)
def test_who_sees_what_and_how_many_cards_lie_where(tmp_path: Path, expect: str, said: str) -> None:
    found = problems(tmp_path, f"[expect]\n{expect}\n", SECRETS)
    assert said in found[0] if said else not found, found


def test_a_card_that_lies_nowhere_is_named(tmp_path: Path) -> None:
    more = SECRETS.replace('e1 = "薛永"\n', 'e1 = "薛永"\ne2 = "張青"\n')
    assert problems(tmp_path, ASKED.replace('"a"', '"east"'), more) == [
        "cards: e2 lies nowhere: no hand and no pile of the position"
    ]


# --- stop


def test_a_case_stops_after_a_step_or_a_procedure(tmp_path: Path) -> None:
    """What comes after it does not happen: no die falls, and nobody is asked."""
    name = "redcoats/8.522-infantry-one-hex.toml"
    case: dict[str, Any] = tomllib.loads((CASES / name).read_text("utf-8"))
    there = {"position": {"units": {"a1": "removed", "b1": {"hex": "0505"}}}}
    for stop in ("Battle.rout", "Battle.suffer"):
        case["play"] = [{"stop": stop}]
        assert run(tmp_path / "x.toml", {**case, "expect": there}) == []
    for stop, said in (
        ("Batle", "stop: there is no procedure 'Batle'"),
        ("Battle.rot", "stop: Battle has no step 'rot'"),
        ("Recovery", "Recovery does not come to an end"),
    ):
        case["play"] = [{"stop": stop}]
        assert said in run(tmp_path / "x.toml", {**case, "expect": there})[0]
    case["play"] = [{"stop": "Battle.rout"}]
    asking = run(tmp_path / "x.toml", {**case, "expect": {"asks": {"seat": "british"}}})
    assert asking == ["asks: nobody is asked where the case stops"]
    case["play"] = [{"stop": "Battle.rout"}, {"orders": "stay"}]
    assert run(tmp_path / "x.toml", case) == ["play 2 is never run: the case ends with play 1"]


# --- foreign bytes


def test_a_case_is_read_with_the_limits_of_foreign_bytes(tmp_path: Path) -> None:
    bad = {
        "escape.toml": BEGIN + 'source = "\x1b[2J"\n' + HIT,
        "number.toml": BEGIN.replace("stones = 2", f"stones = {'9' * 5000}") + ASKED,
        "deep.toml": BEGIN + "[expect]\nevents = " + "[" * 5000 + "]" * 5000 + "\n",
        "large.toml": BEGIN + ASKED + "#" * (1 << 20),
        "outside.toml": BEGIN.replace('title = "t"', 'base = "../secret.toml"') + ASKED,
    }
    for name, text in bad.items():
        (tmp_path / name).write_text(text, "utf-8")
        assert len(run(tmp_path / name)) == 1, name
    os.mkfifo(tmp_path / "pipe.toml")
    assert "cannot be read" in run(tmp_path / "pipe.toml")[0]
    assert "cannot be read" in run(Path("/dev/zero"))[0]
    assert "cannot be read" in run(tmp_path)[0]


def test_a_message_cannot_play_tricks_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "trick.toml"
    path.write_text(BEGIN + '\n[[variant]]\ntitle = "\\u001b[2J"\nexpect = { asks = { seat = "b" } }\n')
    ran = pbem("case", path)
    assert ran.code == 1 and "\x1b" not in ran.out and "a control character, U+001B" in ran.out
