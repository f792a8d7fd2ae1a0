"""The generic adversary, for a short while; `python -m tests.adversary` runs the same searches for longer.

No cheat is written down here. Each search tries whatever can be signed, and must find nothing; with a check
taken out it must find something, so that finding nothing means something.
"""

from __future__ import annotations

from contextlib import ExitStack
from unittest.mock import patch

import pytest

from tests.adversary import comfort, foresight, harm
from tests.adversary.__main__ import removed

SEED = 7


def without(cheat: str) -> ExitStack:
    """The program without the checks that stop a cheat."""
    stack = ExitStack()
    for owner, name, substitute in removed(cheat):
        stack.enter_context(patch.object(owner, name, substitute))
    return stack


@pytest.mark.parametrize(("seats", "schedules"), [(2, 8), (3, 4), (6, 1)])
def test_no_honest_seat_is_harmed(seats: int, schedules: int) -> None:
    games = list(harm.GAMES)
    for number in range(schedules):
        assert harm.run_one(games[number % len(games)], seats, SEED, number) is None


@pytest.mark.parametrize(("seats", "walks"), [(2, 6), (3, 3), (6, 1)])
def test_nobody_foresees_what_falls(seats: int, walks: int) -> None:
    games = list(foresight.GAMES)
    for number in range(walks):
        game = games[number % len(games)]
        assert foresight.run_one(game, seats, SEED, number, steps=20, share=0.2, limit=50) is None


@pytest.mark.parametrize(("seats", "games"), [(2, 6), (3, 3), (6, 1)])
def test_nothing_is_called_lawful_that_was_not_made_again(seats: int, games: int) -> None:
    names = list(comfort.GAMES)
    for number in range(games):
        assert comfort.run_one(names[number % len(names)], seats, SEED, number) is None


def test_the_search_for_foresight_finds_it_where_it_is() -> None:
    with without("the_asked_seat_foresees_by_a_standing_order"):
        assert any(foresight.run_one("weather", 2, 1, number, steps=20) for number in (3, 15))
