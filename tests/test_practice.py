"""An evening alone: a game against the bot in one home, by the same commands, signed and audited like any."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import Desk


def play_out(desk: Desk, most: int = 80) -> None:
    """The first legal answer to every question, until the game is over."""
    for _ in range(most):
        status = desk.ok("ann", "status", "--json").json
        if status["outcome"]:
            return
        assert [one["seat"] for one in status["asked"]] == ["a"], "the bot never keeps anybody waiting"
        order = desk.ok("ann", "legal", "--json").json["orders"][0]
        desk.ok("ann", "play", "-m", order, "--yes")
    raise AssertionError("the game does not end")


def test_a_whole_game_against_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    assert desk.run("ann", "practice", "tiny").code == 2, "a key comes first"
    desk.ok("ann", "key", "new")
    begun = desk.ok("ann", "practice", "tiny", "--as", "a", "--into", "games")
    assert "tiny: you are a, the bot is b" in begun.out
    play_out(desk)
    desk.ok("ann", "audit", "--yes")
    (folder,) = (tmp_path / "games").iterdir()
    verified = desk.ok("ann", "verify", str(folder), "--json").json
    assert verified["ok"] and all(verified["audited"].values())


def test_the_other_seats_and_three_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    desk.ok("ann", "key", "new")
    begun = desk.ok("ann", "practice", "tiny", "--as", "c", "--players", "3", "--option", "deck=shared")
    assert "you are c, the bot is a, b" in begun.out
    assert [one["seat"] for one in desk.ok("ann", "status", "--json").json["asked"]] == ["c"]
    assert desk.run("ann", "practice", "tiny", "--as", "z").code == 2
    assert desk.run("ann", "practice", "nothing").code == 2


def test_what_the_bot_did_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    desk.ok("ann", "key", "new")
    desk.ok("ann", "practice", "tiny")
    told = desk.ok("ann", "play", "-m", "put act act", "--yes")
    assert "entry" in told.out and "written:" not in told.out
    homes = list((tmp_path / "ann" / "practice").glob("*/b"))
    assert len(homes) == 1 and (homes[0] / "key").stat().st_mode & 0o777 == 0o600


def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> Desk:
    desk = Desk(tmp_path, monkeypatch)
    desk.ok("ann", "key", "new")
    desk.ok("ann", "practice", "tiny", "--into", "games", *more)
    return desk


def test_the_bot_agrees_to_a_take_back_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = begun(tmp_path, monkeypatch, "--scenario", "long")
    for _ in range(24):  # until a decision comes that nothing hidden was drawn or opened after
        before = desk.ok("ann", "legal", "--json").json
        desk.ok("ann", "play", "-m", before["orders"][0], "--yes")
        told = desk.run("ann", "takeback", "--yes")
        if told.code == 0:
            break
    assert "all agree: back to the position" in told.out
    assert desk.ok("ann", "legal", "--json").json == before


@pytest.mark.parametrize("players", ["2", "3"])
def test_the_bots_agree_to_a_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: str) -> None:
    """At once; while all are asked in secret, with the player's own answer."""
    desk = begun(tmp_path, monkeypatch, "--players", players)
    desk.ok("ann", "play", "-m", "put act act", "--yes")
    desk.ok("ann", "draw", "--yes")
    if desk.ok("ann", "status", "--json").json["outcome"] is None:
        assert "signed by you: draw" in desk.ok("ann", "status").out
        desk.ok("ann", "play", "-m", desk.ok("ann", "legal", "--json").json["orders"][0], "--yes")
    assert "draw" in str(desk.ok("ann", "status", "--json").json["outcome"])
