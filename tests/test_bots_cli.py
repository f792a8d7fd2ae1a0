"""Fuzz finds every kind of fault and leaves a trail that shows it again; arena counts what bots win."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.playtest import fuzz
from tests.broken import LIAR, LISTER, MUTE, STRANGER
from tests.commandline import pbem
from tests.installed import install
from tests.tiny import TINY

FUZZ = {"games", "finished", "decisions", "crashes", "dead_ends", "runaways", "decisions_per_second"}
ARENA = {"games", "wins", "draws", "turns_mean", "endings"}


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, "broken")
    monkeypatch.chdir(tmp_path)


def test_random_play_of_sound_rules_finds_nothing(tmp_path: Path) -> None:
    ran = pbem("fuzz", "tiny", "--games", 30, "--seed", 7, "--json")
    assert ran.code == 0 and set(ran.json) == FUZZ
    assert ran.json["games"] == ran.json["finished"] == 30
    assert ran.json["decisions"] > 300 and ran.json["decisions_per_second"] > 0
    assert not list(tmp_path.iterdir())


def test_the_same_seed_gives_the_same_games_on_any_number_of_cores() -> None:
    def counted(*more: object) -> dict[str, int]:
        found = dict(pbem("fuzz", "tiny", "--games", 9, "--json", *more).json)
        del found["decisions_per_second"]
        return found

    assert counted() == counted("--jobs", 2) != counted("--seed", 1)


@pytest.mark.parametrize(
    ("game", "kind"), [("crash", "crashes"), ("stuck", "dead_ends"), ("endless", "runaways")]
)
def test_each_kind_of_fault_is_counted_and_can_be_played_again(game: str, kind: str, tmp_path: Path) -> None:
    ran = pbem("fuzz", game, "--games", 1, "--limit", 500, "--json")
    assert ran.code == 1
    assert ran.json[kind] == 1 and ran.json["finished"] == 0
    (trail,) = tmp_path.glob("*.fuzz.toml")
    assert str(trail.name) in ran.err
    table = tomllib.loads(trail.read_text("utf-8"))
    assert table["kind"] == kind and table["game"] == game

    again = pbem("fuzz", game, "--replay", trail, "--json")
    assert again.code == 1
    assert again.json["kind"] == kind and again.json["error"] == table["error"]
    assert again.json["decisions"] == len(table["decisions"])


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (LIAR, "HandsOver: a: nudge: its class says interrupts = False, and another seat decides"),
        (LISTER, "AssertionError: Listing.seats holds a list"),
        (STRANGER, "AssertionError: Done is not among the moves of stranger"),
        (MUTE, "AssertionError: 'deed' is not in asks for a"),
    ],
)
def test_slips_that_no_crash_shows_are_found_in_the_first_game(game: Any, said: str, tmp_path: Path) -> None:
    """However short the game is, its first decision is looked at closely."""
    found = fuzz.run(game, games=4, dump=tmp_path)
    assert found["crashes"] >= 1
    table = tomllib.loads(Path(found["files"][0]).read_text("utf-8"))
    assert table["error"] == said
    assert fuzz.replay(game, fuzz.read_trail(Path(found["files"][0]), game))["error"] == said


def test_a_trail_says_so_when_the_fault_is_gone(tmp_path: Path) -> None:
    pbem("fuzz", "crash", "--games", 1)
    (trail,) = tmp_path.glob("*.fuzz.toml")
    trail.write_text(trail.read_text("utf-8").replace('game = "crash"', 'game = "tiny"'), "utf-8")
    again = pbem("fuzz", "tiny", "--replay", trail)
    assert again.code == 0 and "does not fail any more" in again.out


def test_a_file_that_is_no_trail_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('game = "tiny"\n')
    assert pbem("fuzz", "tiny", "--replay", "x.toml").code == 2
    pbem("fuzz", "crash", "--games", 1)
    (trail,) = tmp_path.glob("*.fuzz.toml")
    ran = pbem("fuzz", "tiny", "--replay", trail)
    assert ran.code == 2 and "pbem fuzz crash" in ran.err


def test_arena_counts_every_game_once() -> None:
    ran = pbem("arena", "tiny", "--games", 20, "--scenario", "short", "--json")
    assert ran.code == 0 and set(ran.json) == ARENA
    assert ran.json["games"] == 20 and set(ran.json["wins"]) == {"a", "b"}
    assert sum(ran.json["wins"].values()) + ran.json["draws"] == 20
    assert pbem("arena", "tiny", "--games", 20, "--jobs", 2, "--json").json == ran.json
    said = pbem("arena", "tiny", "--games", 20)
    assert said.code == 0 and "20 games" in said.out
    assert sum(ran.json["endings"].values()) == 20


def test_each_bot_alone_against_random_play() -> None:
    ran = pbem("arena", "tiny", "--games", 10, "--against", "random", "--json")
    assert ran.code == 0 and ran.json["against"] == "random" and set(ran.json["wins"]) == {"a", "b"}
    assert pbem("arena", "tiny", "--games", 10, "--against", "random", "--jobs", 2, "--json").json == ran.json
    assert "a " in pbem("arena", "tiny", "--games", 2, "--against", "random").out


def test_a_result_says_what_was_measured(tmp_path: Path) -> None:
    """One file for all scenarios and both kinds of opponent: a new result takes its old one's place."""
    out = tmp_path / "arena.toml"

    def measured(*more: Any) -> tuple[Any, dict[str, Any]]:
        ran = pbem("arena", "tiny", "--games", 8, "--out", out, "--json", *more)
        return ran.json, tomllib.loads(out.read_text("utf-8"))

    measured("--scenario", "long", "--seed", 1)
    shown, found = measured("--seed", 3, "--jobs", 2)
    assert [one["scenario"] for one in found["bots"]] == ["short", "long"] and "random" not in found
    short = found["bots"][0]
    assert {name: short[name] for name in ARENA} == shown
    assert short["seed"] == 3 and short["data"] == TINY.load_pack().digest
    assert len(short["first"]) == 3 and set(short["first"]) <= set(short["endings"])
    shown, again = measured("--seed", 4, "--against", "random")
    assert again["bots"] == found["bots"] and again["random"][0]["wins"] == shown["wins"]
    assert {seat: len(first) for seat, first in again["random"][0]["first"].items()} == {"a": 3, "b": 3}
    assert [one["seed"] for one in measured("--seed", 5)[1]["bots"]] == [5, 1]


def test_the_cards_of_several_runs_are_counted_together(tmp_path: Path) -> None:
    """--more goes on after the games that the file holds, if it is the same program, data and seed."""
    out = tmp_path / "arena.toml"

    def counted(games: int, *more: Any) -> Any:
        run = ("arena", "tiny", "--games", games, "--seed", 2, "--cards", "--out", out, *more)
        assert pbem(*run).code == 0
        return tomllib.loads(out.read_text("utf-8"))["cards"]

    whole = counted(12)
    assert counted(5) != whole and counted(7, "--more") == whole
    assert whole[0]["games"] == 12 and sum(held for held, _ in whole[0]["cards"].values())
    other = pbem("arena", "tiny", "--cards", "--out", out, "--more", "--seed", 3)
    assert other.code == 2 and "another seed" in other.err
    assert pbem("arena", "tiny", "--cards", "--more").code == 2


@pytest.mark.parametrize("command", ["fuzz", "arena"])
def test_an_unknown_game_or_scenario_is_named(command: str) -> None:
    assert "tinny" in pbem(command, "tinny").err
    ran = pbem(command, "tiny", "--scenario", "medium")
    assert ran.code == 2 and "short, long" in ran.err
    assert pbem(command, "tiny", "--games", 0).code == 2
