"""What players settle beside the rules: offers, resignation, clocks, absence, a new key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.protocol.entry import seconds, stamp
from tests.cli import PLAYER, Desk, begin, exchange, table_of, until_somebody_acts

DAY = 24 * 3600


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, str]]:
    """A game where somebody acts, and who that is."""
    patch = pytest.MonkeyPatch()
    acting = Desk(tmp_path_factory.mktemp("acting"), patch)
    begin(acting, "tiny", "--scenario", "long")
    yield acting, until_somebody_acts(acting)
    patch.undo()


@pytest.fixture
def desk(games: tuple[Desk, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return games[0].copy(tmp_path, monkeypatch)


@pytest.fixture
def who(games: tuple[Desk, str]) -> str:
    """Who is to act."""
    return games[1]


@pytest.fixture
def other(who: str) -> str:
    return {"ann": "ben", "ben": "ann"}[who]


def seat_of(desk: Desk, who: str) -> str:
    return str(desk.ok(who, "status", "--json").json["seat"])


# --- offers


def test_a_draw_is_offered_and_accepted(desk: Desk, who: str, other: str) -> None:
    desk.ok(other, "draw", "--out", "offer.pbem", "--yes")
    told = desk.ok(who, "receive", "offer.pbem").out
    assert "out of turn: draw; `pbem draw` agrees" in told
    asked = desk.run(who, "draw", typed="n\n")
    assert asked.code == 2 and "accept the draw that" in asked.out
    desk.ok(who, "draw", "--yes")
    exchange(desk)
    for player in (who, other):
        assert desk.ok(player, "status", "--json").json["outcome"] == "a draw: a draw was agreed"
    assert desk.run(who, "draw", "--yes").code == 4


def test_agreement_to_my_own_offer_is_taken_in_by_itself(desk: Desk, who: str, other: str) -> None:
    desk.ok(who, "draw", "--out", "offer.pbem", "--yes")
    desk.ok(other, "receive", "offer.pbem")
    desk.ok(other, "draw", "--out", "agreed.pbem", "--yes")
    assert "the game is over: a draw" in desk.ok(who, "receive", "agreed.pbem").out


def test_a_take_back_behind_something_hidden_is_refused(desk: Desk, who: str) -> None:
    refused = desk.run(who, "takeback", "1", "--yes")
    assert refused.code == 3 and "something hidden was drawn or opened" in refused.err


def test_what_nobody_else_saw_can_be_taken_back(desk: Desk, who: str, other: str) -> None:
    before = desk.ok(who, "board").out
    number = desk.ok(who, "status", "--json").json["entries"]
    desk.ok(who, "play", "-m", f"hit {seat_of(desk, other)}", "--yes")
    exchange(desk)
    for player in (other, who):
        desk.ok(player, "takeback", str(number), "--yes")
        exchange(desk)
    assert desk.ok(who, "board").out == before
    assert "all agree: back to the position after entry" in desk.ok(other, "log").out
    for player in (who, other):
        assert desk.ok("zoe", "verify", str(table_of(desk, player).folder), "--json").json["ok"]


def test_a_resignation_out_of_turn_ends_the_game_when_it_is_received(
    desk: Desk, who: str, other: str
) -> None:
    assert desk.run(other, "resign", typed="n\n").code == 2
    desk.ok(other, "resign", "--out", "resign.pbem", "--yes")
    told = desk.ok(who, "receive", "resign.pbem").out
    assert f"{seat_of(desk, who)} won: {seat_of(desk, other)} resigns" in told
    exchange(desk)
    assert desk.ok(other, "status", "--json").json["asked"][0]["kind"] == "audit"


# --- clocks


def later(monkeypatch: pytest.MonkeyPatch, desk: Desk, who: str, added: int) -> None:
    """It is so many seconds after the last entry."""
    since = seconds(desk.ok(who, "status", "--json").json["asked"][0]["since"])
    for module in ("pbem.table", "pbem.protocol.entry"):
        monkeypatch.setattr(f"{module}.now", lambda: stamp(since + added))


def test_a_clock_is_claimed_only_when_it_has_run_out(
    desk: Desk, who: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = desk.run(other, "claim", "--yes")
    assert early.code == 4 and "has not run out yet" in early.err and "hours are left" in early.err
    mine = desk.run(who, "claim", "--yes")
    assert mine.code == 4 and "you owe an entry" in mine.err
    later(monkeypatch, desk, other, 14 * DAY + 60)
    assert "`pbem claim` again after the grace" in desk.ok(other, "claim", "--yes").out
    exchange(desk)
    assert "says that your clock has run out" in desk.ok(who, "status").out
    again = desk.run(other, "claim", "--yes")
    assert again.code == 4 and "the grace" in again.err
    later(monkeypatch, desk, other, 18 * DAY)
    desk.ok(other, "claim", "--yes")
    exchange(desk)
    assert "in time" in desk.ok(who, "status", "--json").json["outcome"]


# --- absence


def test_an_absence_is_a_letter(desk: Desk, who: str) -> None:
    told = desk.ok(who, "absence", "2026-08-20", "--note", "no mail on the mountain").out
    assert "is away until 2026-08-20" in told and "no mail on the mountain" in told
    desk.ok(who, "absence", "2026-08-20", "--out", "away.eml")
    assert b"is away until" in (desk.folder / "away.eml").read_bytes()
    assert desk.run(who, "absence", "soon").code == 2


# --- a new key


@pytest.mark.parametrize("in_turn", [False, True])
def test_a_seat_goes_on_with_a_new_key_by_consent(desk: Desk, who: str, other: str, in_turn: bool) -> None:
    """A player loses the key, in turn or not, and makes a new one in a new home."""
    who, other = (other, who) if in_turn else (who, other)
    folder = str(table_of(desk, other).folder)
    seat = seat_of(desk, other)
    desk.ok("new", "key", "new")
    assert desk.run("new", "rekey", "-g", folder, "--yes").code == 2
    desk.ok("new", "rekey", "-g", folder, "--seat", seat, "--out", "paper.pbem", "--yes")
    mark = desk.ok("new", "key", "show", "--json").json["fingerprint"]
    assert "pbem rekey FILE" in desk.ok(who, "receive", "paper.pbem").out
    shown = desk.run(who, "rekey", "paper.pbem", typed="n\n")
    assert shown.code == 2 and f"from now:  {mark}" in shown.out
    desk.ok(who, "rekey", "paper.pbem", "--out", "consent.pbem", "--yes")
    told = desk.ok("new", "receive", "consent.pbem").out
    assert f"{seat} goes on with new keys" in told
    assert desk.ok("new", "status", "--json").json["seat"] == seat
    if in_turn:
        desk.ok("new", "play", "-m", "done", "--out", "move.pbem", "--yes")
        assert "done" in desk.ok(who, "receive", "move.pbem").out


@pytest.mark.parametrize("command", ["resign", "draw", "takeback"])
def test_a_spectator_settles_nothing(desk: Desk, command: str) -> None:
    folder = str(table_of(desk, "ann").folder)
    assert desk.run("zoe", command, "-g", folder, "--yes").code == 4
    assert PLAYER["a"] == "ann"
