"""A case cannot be fooled: a slip of the pen is named, and never counts as a refusal."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import registry
from pbem.engine.case_writer import Origin, case_of
from pbem.engine.cases import run
from tests.cli import Desk, begin
from tests.commandline import pbem

BEGIN = """
game = "tiny"
rule = "5.2"
title = "t"

[position]
scenario = "short"
turn = 1
stack = [{ at = "Game.turn" }, { at = "Action.deed", seat = "a" }]

[position.players]
a = { stones = 2 }
"""


def problems(folder: Path, text: str, begin: str = BEGIN) -> list[str]:
    path = folder / "case.toml"
    path.write_text(begin + text, "utf-8")
    return run(path)


ASKED = '\n[expect]\nasks = { seat = "a" }\n'
HIT = '\n[[play]]\nseat = "a"\norders = "hit b"\ndice = [3]\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[expect]\nillegal = ["hit a"]', "illegal: which rule forbids 'hit a'?"),
        (
            '[expect]\nillegal = [{ order = "hti a", rule = "5.1" }]',
            "'hti a' cannot be read: no order begins",
        ),
        (
            '[expect]\nillegal = [{ order = "hit a b", rule = "5.1" }]',
            "cannot be read: an order of this kind",
        ),
        ('[expect]\nillegal = [{ order = "hit zed", rule = "5.1" }]', "names 'zed', which is unknown"),
        ('[expect]\nillegal = [{ order = "bid 9", rule = "5.1" }]', "'bid 9' answers another question"),
        (
            '[expect]\nillegal = [{ order = "hit a", rule = "5.1", seat = "b" }]',
            "b is not asked: the position",
        ),
        ('[expect]\nillegal = [{ order = "hit a", rule = "5.1", seat = "z" }]', "no seat is called 'z'"),
        ('[expect]\nillegal = [{ order = "hit a", rule = "5.1", sea = "b" }]', "illegal: unknown key 'sea'"),
        ('[expect]\nillegal = [{ rule = "5.1" }]', "illegal: `order` is missing"),
        ('[expect]\nlegal = [{ order = "hit a", seat = "a" }]', "should be legal: hit a: 5.1: a is no enemy"),
        ('[[play]]\nseat = "a"\norders = "hit zed"\nrefused = "5.1"', "play 1: 'hit zed' names 'zed'"),
        ('[[play]]\nseat = "a"\norders = "hitt b"\nrefused = "5.1"', "play 1: 'hitt b' cannot be read"),
        (
            '[[play]]\nseat = "a"\norders = "lose face"\nrefused = true',
            "'lose face' answers another question",
        ),
        ('[[play]]\nseat = "a"\norders = "hit a"\nrefused = "5.11"', "play 1: tiny has no rule '5.11'"),
        ('[[play]]\nseat = "q"\norders = "hit a"\nrefused = "5.1"', "no seat is called 'q'"),
        ('[[play]]\nseat = "a"\norders = "? hti b\\ndone"', "play 1: 'hti b' cannot be read"),
        (
            '[[play]]\nseat = "a"\norders = "hit b\\n    boost 1"\ndice = [1]',
            "prepared answer 'boost 1' cannot be",
        ),
        ('[[play]]\nseat = "a"\norders = "  hit b"', "line 1: an answer without an order above it"),
        (
            '[[play]]\nseat = "a"\norders = "hit b"',
            "a die falls that the case does not prescribe: 1d6 by rule 5.1",
        ),
        ('[expect]\nno_events = [{ rule = "5.77" }]', "no_events: tiny has no rule '5.77'"),
        ('[expect]\nno_events = [{ rule = "5.1", seat = "zed" }]', "no_events: seat = 'zed' is unknown"),
        ("[expect]\nno_events = [{}]", "an event is a table with at least one key"),
        ('[expect.position.players]\nzed = "removed"', "position.players.zed is unknown"),
        (
            '[expect.position.players.a]\nstonse = "removed"',
            "position.players.a: no field is called 'stonse'",
        ),
        ("[expect]\nhands = { zed = 2 }", "hands: no seat is called 'zed'"),
        ("[expect]\nhands = { a = 2 }", "hands.a: expected 2 cards, found 0"),
        ("[expect]\ndecks = { fate = 2 }", "decks: there is no deck 'fate'"),
        ('[expect]\nasks = { set = "a" }', "asks: unknown key 'set'"),
        ('[expect]\nexactly = ["hit b", "done"]', "exactly: also legal: swear"),
        ('[expect]\nexactly = { begins = "hit", orders = ["hit a"] }', "exactly: not legal: hit a"),
        ('[expect]\nexactly = { begins = "hit", orders = ["hit q"] }', "names 'q', which is unknown"),
        ("[expect]\nlegal = 3", "legal must be a list"),
        ('[options]\ndeck = "borrowed"', "options: deck = 'borrowed' (values are: own, shared)"),
        ('[options]\ndekc = "own"', "options: unknown key 'dekc'"),
        ("[table]\ncrt = 1", "tiny has no table whose result can be fixed"),
        ('[cards.zed]\nx = "gold"', "cards: unknown key 'zed'"),
        ("[pack]\nlength = 3", "TypeError"),
    ],
)
def test_a_slip_is_named(tmp_path: Path, text: str, said: str) -> None:
    found = problems(tmp_path, text)
    assert any(said in one for one in found), found
    assert not any("KeyError" in one for one in found)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a = { stones = 2 }", "zed = { stones = 2 }", "position.players.zed is unknown"),
        ("a = { stones = 2 }", "a = { stonse = 2 }", "unknown key (expected points, stones, hand)"),
        (
            'scenario = "short"',
            'scenario = "shrot"',
            "there is no scenario 'shrot' (scenarios are: short, long)",
        ),
        ('seat = "a" }]', 'seat = "q" }]', "position.stack[1].seat: 'q' is unknown"),
        ("Action.deed", "Action.dead", "Action has no step 'dead' (steps: deed"),
        ('rule = "5.2"', 'rule = "5.22"', "rule: tiny has no rule '5.22' (did you mean"),
        ('rule = "5.2"', 'rules = ["5.2", "x"]', "rules: tiny has no rule 'x'"),
        ('game = "tiny"', "", "does not say which game"),
        ('rule = "5.2"', 'seats = ["a", "x"]', "no seat is called 'x'"),
        ('title = "t"', 'title = "t"\nbase = "_none.toml"', "_none.toml cannot be read: No such file"),
    ],
)
def test_names_are_checked_where_they_stand(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert problems(tmp_path, ASKED) == []
    assert old in BEGIN
    found = problems(tmp_path, ASKED, BEGIN.replace(old, new))
    assert any(said in one for one in found), found


def test_what_is_true_between_plays_and_who_is_asked(tmp_path: Path) -> None:
    text = f"""{HIT}
[play.expect]
asks = {{ seat = "b", kind = "loss" }}
exactly = ["lose stone", "lose face"]
illegal = [{{ order = "lose point", rule = "5.2", seat = "b" }}]
events = [{{ rule = "5.1", dice = [3] }}]

[[play]]
seat = "b"
orders = "lose stone"

[play.expect]
no_events = [{{ rule = "5.1" }}]
events = [{{ rule = "5.2" }}]
[play.expect.position.players]
b = {{ stones = 2 }}

[expect]
asks = {{ seat = "a", kind = "boast" }}
exactly = {{ begins = "boast", orders = ["boast 0", "boast 1"] }}
events = [{{ rule = "5.1" }}, {{ rule = "5.2" }}]
"""
    assert problems(tmp_path, text) == []
    wrong = text.replace('exactly = ["lose stone", "lose face"]', 'exactly = ["lose stone"]')
    assert problems(tmp_path, wrong) == ["exactly: also legal: lose face"]


def test_variants_share_what_they_do_not_say(tmp_path: Path) -> None:
    shared = BEGIN.replace('rule = "5.2"', "").replace('title = "t"', "")
    (tmp_path / "_table.toml").write_text(shared)
    text = """
rule = "5.1"
title = "three or more hurts"
base = "_table.toml"

[expect.asks]
seat = "b"

[[variant]]
title = "three"
[[variant.play]]
orders = "hit b"
dice = [3]

[[variant]]
title = "two does not"
expect = { asks = { seat = "a" } }
[[variant.play]]
orders = "hit b"
dice = [2]

[[variant]]
title = "nor does one"
[[variant.play]]
orders = "hit b"
dice = [1]
"""
    assert problems(tmp_path, text, "") == ["variant nor does one: asks: expected seat = 'b', found ['a']"]


def test_a_table_gives_one_result_after_the_other() -> None:
    path = next((Path(__file__).parent / "cases" / "kawagoe").glob("9.51-*.toml"))
    case: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    case["table"] = {"crt": [case["table"]["crt"], "D1"]}
    assert run(path, case) == ["not used: table crt = ['D1']"]
    case["table"] = {"crt": []}
    assert any("one more result is wanted" in one for one in run(path, case))
    case["table"] = {"crt": "D0"}
    assert any("'D0'" in one for one in run(path, case))


def test_a_roll_on_a_fixed_table_takes_no_die() -> None:
    path = Path(__file__).parent / "cases" / "redcoats" / "13.1-both-at-zero.toml"
    case: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    assert run(path, case) == []
    case["play"][0]["dice"] = [10, 3]
    assert any("not used: dice" in one for one in run(path, case))


REDCOATS = """
game = "redcoats"
rule = "8.1"
title = "t"
table = { assault = "DM0" }

[pack.units]
american.a1 = { values = "4-4-6/2-4/2" }
british.b1 = { values = "4-4-6/2-4/2" }

[position]
turn = 1
stack = [{ at = "Game.second_player" }, { at = "PlayerTurn.assault", seat = "american" }]
units = { a1 = { hex = "0505" }, b1 = { hex = "0504" } }
"""


def test_a_fixed_table_fixes_its_own_roll_alone(tmp_path: Path) -> None:
    """The roll on it takes no die; a morale check after it has its own, or is missed."""
    holds = "[expect]\nposition.units.b1 = { disrupted = false }\n"
    assert problems(tmp_path, f"[[play]]\ndice = [6]\n{holds}", REDCOATS) == []
    found = problems(tmp_path, holds, REDCOATS)
    assert found == ["a die falls that the case does not prescribe: 1d10 by rule 9.21 (add it to `dice`)"]


def test_a_scenario_stands_as_it_is_printed_unless_it_is_cleared(tmp_path: Path) -> None:
    """Who has one hex in the book is there at a later step too; `*` takes all away that are not named."""
    later = """
game = "redcoats"
rule = "SP-16.0"
title = "t"

[position]
scenario = "stony-point"
turn = 4
stack = [{ at = "Game.end_of_turn" }, { at = "PlayerTurn.move", seat = "british" }]
"""
    there = '[expect.position.units]\n71 = { hex = "5506" }\n'
    assert problems(tmp_path, there, later) == []
    cleared = 'units = { "*" = "remove", arty-4 = { hex = "5506" } }\n'
    gone = '[expect.position.units]\n71 = "removed"\narty-4 = { hex = "5506" }\n'
    assert problems(tmp_path, cleared + gone, later) == []
    rules = registry.load("redcoats")
    pos = rules.start(rules.load_pack(), "stony-point", {}, ("american", "british"))
    assert pos.stack
    rules.set_up(pos)
    pos.stack, pos.turn = [], 4
    del pos.units["71"]
    pos.lost = ("71",)
    text = case_of(rules, pos, Origin("stony-point", {}, pos.seats, None, {}, {}), "t")
    assert problems(tmp_path, "\n" + gone.replace("5506", "5606"), text) == [], "who was lost stays lost"


def test_a_bad_file_is_named_and_harms_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "b.toml").write_text("x = [")
    (tmp_path / "c.toml").write_text(BEGIN + ASKED)
    (tmp_path / "d.toml").write_text(BEGIN.replace("a = { stones = 2 }", 'a = { hand = ["none"] }'))
    (tmp_path / "_shared.toml").write_text("not a case")
    ran = pbem("case", tmp_path, "--json")
    assert ran.code == 1 and (ran.json["passed"], ran.json["failed"]) == (1, 3)
    assert [Path(one["file"]).name for one in ran.json["failures"]] == ["a.toml", "b.toml", "d.toml"]


def test_a_position_becomes_a_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    begin(desk)
    written = desk.ok("ann", "case", "--from", "tiny")
    path = tmp_path / "question.toml"
    path.write_text(written.out, "utf-8")
    assert run(path) == ["the case checks nothing: give it orders, a refusal or [expect]"]
    assert 'scenario = "short"' in written.out and "Game." in written.out
    assert desk.ok("ann", "case", "--from", "tiny@0").out != ""
    assert desk.run("ann", "case", "--from", "tiny@999").code == 2
    assert desk.run("ann", "case", "--from", "tiny", str(path)).code == 2
    again = path.read_text("utf-8") + '\n[expect]\nasks = { kind = "bid" }\n'
    path.write_text(again, "utf-8")
    assert any("asks: expected kind = 'bid'" in one for one in run(path))


NAMED = """
game = "suikoden"
rule = "D17"
title = "names of the book wherever an id may stand"

[cards.east]
e1 = "薛永"
d1 = "宋清"

[position]
stack = [
    { at = "DeckGame.turns", number = 1 },
    { at = "Turn.battle", seat = "east" },
    { at = "Domestic.action", seat = "east" },
]
field = { "関勝" = { seat = "east" }, "張清" = { seat = "east", state = "acted" } }

[position.sides]
east = { hand = ["e1"], deck = ["d1"], land = "★砦", discard = ["張青"] }
south = { land = "★★河川" }

[[play]]
seat = "east"
orders = "recruit 薛永"

[expect]
events = [{ rule = "D17", card = "薛永" }]
position = { field = { "薛永" = { state = "preparing" } }, sides = { east = { discard = ["張青"] } } }
"""


@pytest.mark.parametrize(
    ("was", "by", "said"),
    [
        ("", "", ""),
        ('{ "薛永" = { state = "preparing" } }', '{ "薛永" = { state = "ready" } }', "expected 'ready'"),
        ('e1 = "薛永"', 'e1 = "薛"', "cards: e1 = '薛' is unknown"),
        ('"★砦"', '"砦"', "'砦' is no land (lands are: fort-1"),
        ('deck = ["d1"]', 'deck = ["宋清"]', "decks are face down (cards = { east = { d1 = "),
        ('deck = ["d1"]', 'deck = ["d2"]', "sides.east.deck[0]: no card is called 'd2'"),
    ],
)
def test_things_are_called_as_the_book_calls_them(tmp_path: Path, was: str, by: str, said: str) -> None:
    found = problems(tmp_path, NAMED.replace(was, by), "")
    assert said in found[0] if said else not found, found


ALONE = (
    """
game = "suikoden"
rule = "D28"
title = "answers to questions that are not asked"

[cards.south]
d1 = "宋清"

[position]
stack = [{ at = "DeckGame.turns", number = 1 }, { at = "Turn.battle", seat = "east" }]
field = { "関勝" = { seat = "east" }, "李俊" = { seat = "south" }, "薛永" = { seat = "south" } }
sides = { east = { land = "★砦" }, south = { deck = ["d1"], land = "★砦" } }

[[play]]
orders = """
    + '"""'
    + """
attack
sortie 関勝
guard 李俊 薛永
send 関勝
intercept
hold 李俊
force
"""
    + '"""'
    + """

[expect]
events = [{ rule = "D33", attack = "関勝", defence = "李俊" }]
"""
)


def test_what_only_one_answer_was_given_to_may_be_said_and_a_secret_is_an_order(tmp_path: Path) -> None:
    """`send` and `force` were the only choices; `hold` is secret, and asked of one seat alone."""
    assert problems(tmp_path, ALONE, "") == []
    (found,) = problems(tmp_path, ALONE.replace("send 関勝", "send 関勝\nsend 関勝"), "")
    assert "'send 関勝' answers another question" in found
    assert "refused by D29" in problems(tmp_path, ALONE.replace("hold 李俊", "hold 宋清"), "")[0]
