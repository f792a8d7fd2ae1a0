"""Every rule of every book is there, in our words, and what is said to be enforced is shown to be."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import registry
from pbem.rulebook import cited
from tests.commandline import pbem

ROOT = Path(__file__).parent.parent
BOOKS = sorted(path.parent.name for path in (ROOT / "games").glob("*/rulebook.toml"))
IDS = ROOT / "tests" / "rulebooks"
"""The numbers of each book, in printed order."""
RULES = {"chuhan": 53, "kawagoe": 120, "redcoats": 178, "sanada": 263, "suikoden": 155, "table": 43}
"""So many numbers each book has."""
STATUSES = {"enforced", "explains", "reconstructed"}
FREE = {"kawagoe": 0.15, "redcoats": 0.15, "sanada": 0.15}
"""At most this part of a book may have nothing to enforce."""

every_book = pytest.mark.parametrize("game", BOOKS)


def rules_of(game: str) -> list[dict[str, Any]]:
    return tomllib.loads((ROOT / "games" / game / "rulebook.toml").read_text("utf-8"))["rule"]


def enforced(game: str) -> list[str]:
    return [rule["id"] for rule in rules_of(game) if rule["status"] == "enforced"]


def cases(game: str) -> set[str]:
    """The rules that a case is about, by what it says or by its name."""
    found: set[str] = set()
    ids = {rule["id"] for rule in rules_of(game)}
    for path in (ROOT / "tests" / "cases" / game).glob("*.toml"):
        found |= set(cited(path)) | {rule for rule in ids if path.name.startswith(f"{rule}-")}
    return found


@every_book
def test_every_number_of_the_book_is_there_in_order(game: str) -> None:
    book = (IDS / f"{game}.txt").read_text("utf-8").split()
    ours = [rule["id"] for rule in rules_of(game)]
    assert len(set(ours)) == len(ours)
    assert [rule for rule in ours if rule in set(book)] == book
    beyond = [rule["id"] for rule in rules_of(game) if rule["id"] not in set(book)]
    made = {rule["id"] for rule in rules_of(game) if rule["status"] == "reconstructed"}
    assert set(beyond) <= made, "a rule that is not in the book is said to be enforced by it"


def test_the_lists_of_numbers_are_whole() -> None:
    listed = {path.stem: path.read_text("utf-8").split() for path in IDS.glob("*.txt")}
    assert {game: len(set(numbers)) for game, numbers in listed.items()} == RULES


@every_book
def test_a_status_is_lawful_and_has_its_reason(game: str) -> None:
    for rule in rules_of(game):
        assert rule["status"] in STATUSES, rule["id"]
        assert rule["title"].strip() and rule["summary"].strip(), rule["id"]
        assert (rule["status"] == "explains") <= bool(rule.get("reason", "").strip()), rule["id"]
        assert set(rule) <= {"id", "title", "summary", "status", "reason", "ruling"}, rule["id"]


@pytest.mark.parametrize(("game", "part"), FREE.items())
def test_few_rules_have_nothing_to_enforce(game: str, part: float) -> None:
    explains = [rule["id"] for rule in rules_of(game) if rule["status"] == "explains"]
    assert len(explains) <= part * len(rules_of(game)), explains


@every_book
def test_what_is_enforced_is_cited_by_a_step_or_a_case(game: str) -> None:
    steps = {step.rule for procedure in registry.load(game).procedures for step in procedure.steps.values()}
    known = steps | cases(game)
    missing = [rule for rule in enforced(game) if rule not in known]
    assert not missing, f"{game}: neither a step nor a case cites {' '.join(missing)}"


@every_book
def test_what_is_enforced_has_a_case(game: str) -> None:
    known = cases(game)
    missing = [rule for rule in enforced(game) if rule not in known]
    assert not missing, f"{game}: there is no case for {' '.join(missing)}"


@every_book
def test_a_case_is_about_rules_that_exist(game: str) -> None:
    known = {rule["id"] for rule in rules_of(game)}
    assert sorted(cases(game) - known) == []


def test_rules_lists_a_book_for_scripts() -> None:
    listed = pbem("rules", "kawagoe", "--json").json
    assert [one["id"] for one in listed] == [rule["id"] for rule in rules_of("kawagoe")]
    assert set(listed[0]) == {"id", "title", "summary", "status"}


def test_one_rule_comes_with_its_rulings() -> None:
    said = pbem("rules", "kawagoe", "9.54")
    assert said.code == 0
    assert "[enforced]" in said.out and "Ruling 9.54-a" in said.out
    assert [one["id"] for one in pbem("rules", "kawagoe", "9.54", "--json").json] == ["9.54"]


@pytest.mark.parametrize(
    ("args", "words"),
    [(("kawagoe", "9.541"), "9.54"), (("kawagoe", "x"), "lists them"), (("kawago",), "the games are")],
)
def test_an_unknown_rule_or_game_gets_a_hint(args: tuple[str, ...], words: str) -> None:
    said = pbem("rules", *args)
    assert said.code == 2 and words in said.err and not said.out
