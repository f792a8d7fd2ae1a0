"""Every rule of chuhan is played through in a case of its own."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from games.chuhan.pack import load_pack
from games.chuhan.rules import CHUHAN
from pbem.engine import cases

FOLDER = Path(__file__).parent / "cases" / "chuhan"
CASES = sorted(FOLDER.glob("*.toml"))
OPEN = ("enforced", "reconstructed")
BREAKABLE = """
1-2 1-2-2-1 1-4-1 3-1 3-1-1 4 4-2 4-3 4-4 4-5 5-2-2 6 6-2 6-3 6-4 6-5 6-7
7-1-1 7-1-2 7-1-3 7-1-4 7-2-2 7-2-3 7-2-7 7-2-9 7-2-10 10-1 10-3
"""
"""Rules that an order can break."""


@cache
def read(path: Path) -> dict:
    return tomllib.loads(path.read_text("utf-8"))


def cited(path: Path) -> list[str]:
    case = read(path)
    return case.get("rules", [case.get("rule")])


def tries_to_break(path: Path) -> bool:
    case = read(path)
    return bool(case.get("expect", {}).get("illegal")) or any(
        "refused" in play for play in case.get("play", [])
    )


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    assert cases.run(path) == []


def test_every_rule_with_an_effect_has_a_case() -> None:
    known = [rule["id"] for rule in CHUHAN.summaries() if rule["status"] in OPEN]
    shown = {number for path in CASES for number in cited(path)}
    assert [number for number in known if number not in shown] == []


def test_cases_cite_rules_that_exist() -> None:
    known = [rule["id"] for rule in CHUHAN.summaries()]
    assert [path.name for path in CASES if not set(cited(path)) <= set(known)] == []


def test_every_step_cites_a_rule_that_exists() -> None:
    known = [rule["id"] for rule in CHUHAN.summaries()]
    steps = [
        (kind.__name__, step.name, step.rule) for kind in CHUHAN.procedures for step in kind.steps.values()
    ]
    assert [step for step in steps if step[2] not in known] == []


@pytest.mark.parametrize(
    "number",
    BREAKABLE.split(),
)
def test_rules_that_can_be_broken_are_tried(number: str) -> None:
    assert any(tries_to_break(path) for path in CASES if number in cited(path))


@pytest.mark.parametrize("card", load_pack().cards)
def test_every_event_has_a_case_that_uses_it_and_one_that_is_refused(card: str) -> None:
    own = [path for path in CASES if f"12-{card}" in cited(path)]
    assert any(tries_to_break(path) for path in own)
    assert any(not tries_to_break(path) for path in own)


def test_the_examples_of_the_book_are_cases() -> None:
    sources = [read(path).get("source", "") for path in CASES]
    for number in ("3-2-1", "3-3", "4-1", "4-3", "5-1", "5-2"):
        assert any(source.startswith("the book's own example") and number in source for source in sources), (
            number
        )
