"""The battle against a second reading of the book, in random games; `python -m tests.suikoden_book 10000`."""

from __future__ import annotations

import pytest

from tests.suikoden_book import Reading, watch


@pytest.mark.parametrize("scenario", ["deck-building", "shared-deck"])
def test_no_clash_differs_from_the_second_reading(scenario: str) -> None:
    assert watch(60, scenario) == []


def test_a_difference_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the land of a siege left out of the second reading, the two do not agree any more."""
    monkeypatch.setattr(Reading, "ground", lambda self, card, stat: 0)
    assert watch(60, "deck-building") != []
