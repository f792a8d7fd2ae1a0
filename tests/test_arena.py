"""The balance that each game's arena.toml states is that of the data as it is, and can be measured again."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from pbem.engine import registry
from pbem.playtest import arena
from tests.cli import ROOT

GAMES = {"kawagoe": 1000, "chuhan": 300, "suikoden": 300}
"""How many games at least were to be played."""


def measured(game: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "games" / game / "arena.toml").read_text("utf-8"))


@pytest.mark.parametrize("game", GAMES)
def test_each_side_wins_its_share(game: str) -> None:
    found, rules = measured(game), registry.load(game)
    assert found["data"] == rules.load_pack().digest and found["version"] == rules.version
    assert found["games"] >= GAMES[game] and len(found["commit"]) == 40
    assert all(0.4 <= won / found["games"] <= 0.6 for won in found["wins"].values())
    assert sum(found["endings"].values()) == found["games"] == sum(found["wins"].values()) + found["draws"]


@pytest.mark.parametrize("game", GAMES)
def test_the_measured_games_can_be_played_again(game: str) -> None:
    found = measured(game)
    again = arena.run(registry.load(game), found["scenario"], arena.FIRST, found["seed"])
    assert [one.ending for one in again] == found["first"]


def test_kawagoe_ends_in_every_way() -> None:
    """Both sudden deaths, and at least four of the six levels."""
    endings = measured("kawagoe")["endings"]
    assert {"13.3 decisive: hojo", "13.4 decisive: anti"} <= set(endings)
    assert len({ending.partition(" ")[2] for ending in endings}) >= 4


def test_chuhan_ends_in_every_way() -> None:
    """By supply areas after the last turn, and before it."""
    kinds = {ending.partition(" ")[2].partition(":")[0] for ending in measured("chuhan")["endings"]}
    assert kinds == {"ruler", "sudden death", "supply"}
