"""Without a rule's code a case that cites the rule fails; many more rules: rules_out.py."""

from __future__ import annotations

import pytest

from tests.rules_out import drawn, shown


@pytest.mark.parametrize(("game", "rule"), drawn(3, seed=7))
def test_a_rule_that_is_taken_out_is_missed(game: str, rule: str) -> None:
    assert not shown(game, rule).startswith("missed")


def test_a_rule_that_is_there_is_not_missed() -> None:
    """The same cases pass with all rules in place, so it is the rule that they miss."""
    assert shown("kawagoe", "no such rule").startswith("missed")
