"""Standing orders with a condition: they fire where it holds, on every machine alike, and may give up."""

from __future__ import annotations

import random
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.orders import fits
from pbem.protocol.rounds.standing_orders import read_line
from tests.scenes import play, table_of, texts
from tests.table import Player, give, play_out, same_everywhere


def hurt_with(lines: tuple[str, ...], count: int = 2, sealed: bool = False) -> tuple[dict[str, Player], bool]:
    """A table where b, with this standing order for a loss, is hurt; whether it is asked all the same."""
    for salt in range(20):
        table = table_of(count, salt=str(salt))
        b = table["b"]
        give(table, b.entry("standing", b.secrets.standing("loss", lines, sealed, b.head("standing").prev)))
        play(table, "a", "swear")
        play(table, "a", "hit b")
        owed = b.owed()
        asked = owed is not None and owed.options is not None and owed.options.kind == "loss"
        if asked or any(text.startswith("standing order of b") for text in texts(table)):
            return table, asked
    raise AssertionError("b is never hurt")


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("lose face unless lose stone", "lose stone"), "lose stone"),
        (("lose face if lose stone", "lose stone"), "lose face if lose stone"),
        (("lose face if *ston?", "lose stone unless lose *x*", "lose face"), "lose stone unless lose *x*"),
        (("lose face if lose gold",), None),
        (("lose gold if lose face", "lose face unless lose f*"), None),
    ],
)
def test_the_first_line_that_holds_and_is_legal_answers(
    lines: tuple[str, ...], answer: str | None, sealed: bool
) -> None:
    table, asked = hurt_with(lines, sealed=sealed)
    fired = [text for text in texts(table) if text.startswith("standing order of b")]
    assert fired == ([f"standing order of b for loss: {answer}"] if answer else [])
    assert asked == (answer is None)
    same_everywhere(table)


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
def test_of_two_one_may_give_up_beforehand(sealed: bool) -> None:
    table, asked = hurt_with(("resign if lose face", "lose stone"), sealed=sealed)
    one = same_everywhere(table)
    assert not asked and one.ledger.position.outcome is not None
    assert one.ledger.position.outcome.winners == ("a",) and "b resigns" in texts(table)
    play_out(table, random.Random(0))
    assert same_everywhere(table).over and not one.ledger.due()


def test_of_three_nobody_gives_up_beforehand() -> None:
    """It would have to publish a secret."""
    table, asked = hurt_with(("resign", "lose face"), count=3)
    assert not asked and "standing order of b for loss: lose face" in texts(table)
    assert table["a"].ledger.position.outcome is None


def test_a_line_and_its_condition() -> None:
    assert read_line("stay") == ("stay", "", "")
    assert read_line(" stay unless advance ujiyasu * ") == ("stay", "unless", "advance ujiyasu *")
    assert read_line("resign if lose if") == ("resign", "if", "lose if")
    assert read_line("stay unless") == ("stay unless", "", "")
    assert read_line("stay  if\tx  y") == ("stay", "if", "x  y")


@given(st.text("ab ", max_size=12), st.text("ab *", max_size=8))
def test_patterns_are_those_of_a_shell(order: str, pattern: str) -> None:
    expected = fnmatchcase(order, pattern) if "*" in pattern else pattern in order
    assert fits(order, pattern) == expected


def test_a_pattern_of_stars_costs_nothing() -> None:
    assert not fits("a" * 4000, "a*" * 2000 + "b")


def both_standing(salt: str) -> dict[str, Player]:
    """A table where a boasts and b loses face by standing orders."""
    table = table_of(2, salt=salt)
    for seat, kind, line in (("a", "boast", "boast 1"), ("b", "loss", "lose face")):
        one = table[seat]
        order = one.secrets.standing(kind, (line,), False, one.head("standing").prev)
        give(table, one.entry("standing", order))
    return table


@pytest.mark.parametrize("rest", ["? done", "done"], ids=["where legal", "in any case"])
def test_a_list_waits_while_a_standing_order_answers(rest: str) -> None:
    """What the list says to later questions is neither skipped, nor sent back, nor opened too early."""
    for salt in range(20):
        table = both_standing(f"list {salt}")
        play(table, "a", f"swear\nhit b\n{rest}")
        if "standing order of a for boast: boast 1" in texts(table):
            break
    assert not any("skipped" in text or "goes back" in text for text in texts(table))
    assert same_everywhere(table).asked == "b", "the whole list is carried out"
    assert same_everywhere(table).ledger.position.players["a"].points == 2


def test_what_the_list_says_to_the_question_itself_goes_first() -> None:
    for salt in range(20):
        table = both_standing(f"list {salt}")
        play(table, "a", "swear\nhit b\n    boast 0\n? done")
        if "standing order of b for loss: lose face" in texts(table):
            break
    assert not any(text.startswith("standing order of a") for text in texts(table))
    assert same_everywhere(table).ledger.position.players["a"].points == 1
