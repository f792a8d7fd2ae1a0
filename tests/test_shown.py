"""Every game explains itself: primer, glossary, tables, options, score, advice that machines share."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import registry
from pbem.engine.croupier import Croupier
from pbem.engine.machine import Machine
from pbem.engine.notation import keyword
from pbem.engine.options import PUBLIC
from pbem.engine.rules import AnyRules
from pbem.engine.waits import Ask
from pbem.playtest.local import begin, is_over, usual_start
from tests.cli import Desk
from tests.cli import begin as begin_game
from tests.commandline import pbem
from tests.installed import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OURS = list(PROJECT["entry-points"]["pbem.games"])
every_game = pytest.mark.parametrize("game", OURS)


def rules_of(game: str) -> AnyRules:
    return registry.load(game)


@every_game
def test_a_primer_is_one_page_with_orders_that_exist(game: str) -> None:
    ran = pbem("primer", game)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert 25 <= len(lines) <= 70 and max(map(len, lines)) <= 120
    assert f"pbem practice {game}" in ran.out and f"pbem rules {game}" in ran.out
    rules = rules_of(game)
    pack = rules.load_pack()
    seats = rules.seat_names(pack, next(iter(rules.scenarios(pack))), rules.seats[0])
    assert all(re.search(rf"\b{seat}", ran.out, re.IGNORECASE) for seat in seats), "who you are"
    orders = {line.split()[0] for line in lines if line.startswith("    ")}
    orders |= {word.partition(" ")[0] for word in re.findall(r"`([^`]+)`", ran.out)}
    assert len(orders & {keyword(kind) for kind in rules.moves}) >= 3, "your first orders"


@every_game
def test_terms_tables_and_options_are_explained(game: str) -> None:
    rules = rules_of(game)
    terms = rules.glossary()
    assert len(terms) >= 10 and len({term.term for term in terms}) == len(terms)
    assert all(term.english and term.reading for term in terms)
    pack = rules.load_pack()
    sheets = rules.tables(pack)
    assert len(sheets) >= 4 and len({sheet.id for sheet in sheets}) == len(sheets)
    for sheet in sheets:
        assert sheet.rows and all(len(row) == len(sheet.columns) for row in sheet.rows), sheet.id
    for choice in rules.choices(pack):
        assert choice.question.endswith((".", "?")) and len(choice.meanings) == len(choice.values), choice.id
        assert all(choice.meanings) and len(set(choice.meanings)) == len(choice.meanings), choice.id


@every_game
def test_the_commands_print_them(game: str) -> None:
    rules = rules_of(game)
    pack = rules.load_pack()
    sheet = rules.tables(pack)[0]
    assert sheet.title in pbem("tables", game).out
    assert pbem("tables", game, sheet.id, "--json").json[0]["columns"] == list(sheet.columns)
    assert pbem("tables", game, "nosuch").code == 2
    term = rules.glossary()[0]
    assert term.english in pbem("glossary", game).out
    assert pbem("glossary", game, term.term, "--json").json[0]["reading"] == term.reading
    assert pbem("glossary", game, "no such word").code == 2
    for choice in rules.choices(pack):
        said = pbem("rules", game, choice.id)
        assert said.code == 0 and choice.values[0] in said.out and "(usual)" in said.out


@every_game
def test_score_and_advice_in_play(game: str) -> None:
    """The score can be told at any moment; advice is lawful, the same after reading the position again.

    And a standing order can be given for whatever is asked.
    """
    rules = rules_of(game)
    assert rules.asks
    pack = rules.load_pack()
    machine = Machine(rules, pack)
    advised: dict[str, int] = {}
    scored = 0
    for number, scenario in enumerate(list(rules.scenarios(pack))[:3]):
        rng = random.Random(f"shown {number}")
        croupier = Croupier(machine, rng)
        start = usual_start(rules, pack, scenario)
        players = {seat: _random(rng) for seat in start.seats}
        pos = begin(croupier, start)
        for step in range(200):
            if is_over(machine, pos):
                break
            wait = machine.waits_for(pos)
            if step % 20 == 0:
                scored += bool(rules.score(pos))
            if isinstance(wait, Ask):
                assert wait.options.seat in (rules.asks[wait.options.kind] or (wait.options.seat,))
                move = rules.advice(pos, wait.options)
                if move is not None:
                    advised[wait.options.kind] = advised.get(wait.options.kind, 0) + 1
                    assert wait.options.why_not(move, PUBLIC) is None, f"{game}: advised {move}"
                    if advised[wait.options.kind] <= 3:
                        again = machine.read(tomllib.loads(pos.text()))
                        asked = machine.waits_for(again)
                        assert isinstance(asked, Ask) and rules.advice(again, asked.options) == move
            pos = croupier.play(pos, players).position
    assert scored, f"{game} has no score"
    assert advised, f"{game} advises nothing"


def _random(rng: random.Random) -> Any:
    return lambda pos, options, view: options.sample(rng, view)


def test_the_book_is_read_whole_by_chapter_and_by_word() -> None:
    whole = pbem("rules", "kawagoe").out
    assert "9.54" in whole and "13.5" in whole and len(whole) > 30_000
    chapter = pbem("rules", "kawagoe", "13", "--json").json
    assert [one["id"] for one in chapter][:3] == ["13.0", "13.1", "13.2"]
    assert [one["id"] for one in pbem("rules", "chuhan", "3-2", "--json").json] == ["3-2"]
    assert "3-2-1 Legions in autumn" in pbem("rules", "chuhan", "3-2").out
    found = pbem("rules", "kawagoe", "混乱", "--json").json
    assert {"6.4", "6.41"} <= {one["id"] for one in found}
    assert "cases that show it" in pbem("rules", "kawagoe", "9.77b").out
    assert pbem("rules", "kawagoe", "--list").out.splitlines()[0].split()[1] in ("explains", "enforced")


def test_the_score_of_a_game_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    begin_game(desk, "kawagoe")
    told = desk.ok("ann", "score")
    assert "hojo: " in told.out and "points so far" in told.out and "(13.1)" in told.out
    assert {"seat", "what", "points", "rule"} == set(desk.ok("ann", "score", "--json").json[0])


def test_a_game_without_them_says_so() -> None:
    assert pbem("primer", "tiny").code == 2 and "has no primer" in pbem("primer", "tiny").err


@every_game
def test_nobody_has_begun_before_chance_has_decided_it(game: str) -> None:
    """`pbem arena` counts the wins of who moved first, and only where dice or cards say who does."""
    rules = rules_of(game)
    pack = rules.load_pack()
    start = usual_start(rules, pack, next(iter(rules.scenarios(pack))))
    assert rules.began(rules.start(pack, start.scenario, start.options, start.seats)) == ""
