"""Sanada against a second reading of the book (sanada_book.py), in random and bot games: no difference."""

from __future__ import annotations

from tests.sanada_reading import Reading


def test_random_games() -> None:
    """9, 11, 14, 15: zones, supply with relays and marches in positions that nobody would seek."""
    reading = Reading(share=0.04)
    for seed in range(10, 15):
        reading.game(seed, bots=False, turns=5)
    found = reading.compared
    assert found["supply"] >= 500 and found["retreat"] >= 5, found
    assert found["movement"] >= 10 and found["reaction"] + found["forced"] >= 5, found


def test_bot_games() -> None:
    """10, 18, 19, 26: wars that are fought out: battles, assaults, sieges, castles taken, points."""
    reading = Reading(share=0.01)
    for seed in (*range(20, 30), 35):
        reading.game(seed, bots=True)
    found = reading.compared
    assert found["battle"] >= 60 and found["assault"] >= 20 and found["retreat"] >= 20, found
    assert found["stand"] >= 20, found
    assert found["siege level"] >= 10 and found["fall check"] >= 5 and found["castle taken"] >= 5, found
    assert found["points"] >= 50 and found["commanders beaten"] >= 10, found
