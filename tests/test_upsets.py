"""Battles into which something breaks from outside, of every game; many more: upsets.py."""

from __future__ import annotations

import pytest

from tests.upsets import BATTLES, met, run


@pytest.mark.parametrize("game", BATTLES)
def test_a_battle_goes_on_when_somebody_is_gone(game: str) -> None:
    run(game, 12, seed=1)
    assert sum(count for what, count in met.items() if what.startswith(f"{game} ")) >= 12
