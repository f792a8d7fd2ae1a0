"""Redcoats against a second reading of the book, in a few games; a longer run: redcoats_reading.py."""

from __future__ import annotations

import pytest

from tests.redcoats_reading import BATTLES, compared, game


@pytest.mark.parametrize("scenario", ["trenton", "princeton", "stony-point", "kings-mountain", "harlem"])
def test_a_game_by_the_book(scenario: str) -> None:
    game(scenario, 1, BATTLES[scenario])


def test_enough_was_compared() -> None:
    game("trenton-what-if", 3, 0.02)
    wanted = {"movement": 10, "movement of one": 50, "fire": 20, "division": 20, "odds": 100}
    wanted |= {"retreat": 40, "morale": 200}
    assert all(compared[kind] >= least for kind, least in wanted.items()), compared
