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


@pytest.mark.parametrize(("seats", "schedules"), [(2, 8), (3, 8), (6, 2)])
def test_no_honest_seat_is_harmed(seats: int, schedules: int) -> None:
    assert harm.search(seats, schedules, SEED) == []


@pytest.mark.parametrize(("seats", "walks"), [(2, 6), (3, 3), (6, 1)])
def test_nobody_foresees_what_falls(seats: int, walks: int) -> None:
    games = list(foresight.GAMES)
    for number in range(walks):
        assert foresight.run_one(games[number % len(games)], seats, SEED, number, steps=30) is None


@pytest.mark.parametrize(("seats", "games"), [(2, 12), (3, 9), (6, 2)])
def test_nothing_is_called_lawful_that_was_not_made_again(seats: int, games: int) -> None:
    names = list(comfort.GAMES)
    for number in range(games):
        assert comfort.run_one(names[number % len(names)], seats, SEED, number) is None


def test_the_search_for_foresight_finds_it_where_it_is() -> None:
    with ExitStack() as stack:
        for owner, name, substitute in removed("the_asked_seat_foresees_by_a_standing_order"):
            stack.enter_context(patch.object(owner, name, substitute))
        found = [foresight.run_one(game, 2, SEED, 0, steps=30) for game in ("own", "deeds", "weather")]
    assert any(found)


def test_the_search_for_harm_finds_it_where_it_is() -> None:
    with ExitStack() as stack:
        for owner, name, substitute in removed("an_entry_of_another_game_numbers_the_next_move"):
            stack.enter_context(patch.object(owner, name, substitute))
        assert any(harm.run_one("deeds", 2, 1, number) for number in range(60))


def test_the_search_for_false_comfort_finds_it_where_it_is() -> None:
    with ExitStack() as stack:
        for owner, name, substitute in removed("the_owner_puts_nothing_but_gold_into_its_deck"):
            stack.enter_context(patch.object(owner, name, substitute))
        assert any(comfort.run_one("own", 2, 1, number) for number in range(40))
