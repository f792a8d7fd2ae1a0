"""What players settle beside the rules: offers, resignation, clocks, absence, a new key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.papers.times import seconds, stamp
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
    assert f"{seat_of(desk, other)} offers: draw; `pbem draw` agrees" in told
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
    assert 'event = "TakenBack"' in desk.ok(other, "log").out
    for player in (who, other):
        assert desk.ok("zoe", "verify", str(table_of(desk, player).folder), "--json").json["ok"]


def test_a_resignation_in_turn_ends_the_game_when_it_is_received(desk: Desk, who: str, other: str) -> None:
    refused = desk.run(other, "resign", "--yes")
    assert refused.code == 4 and "nothing is asked of you now" in refused.err
    assert desk.run(who, "resign", typed="n\n").code == 2
    desk.ok(who, "resign", "--out", "resign.pbem", "--yes")
    told = desk.ok(other, "receive", "resign.pbem").out
    assert f"{seat_of(desk, other)} won: {seat_of(desk, who)} resigns" in told
    exchange(desk)
    assert desk.ok(who, "status", "--json").json["asked"][0]["kind"] == "audit"


# --- clocks


def later(monkeypatch: pytest.MonkeyPatch, desk: Desk, who: str, added: int) -> None:
    """It is so many seconds after this machine came to the present question."""
    since = seconds(desk.ok(who, "status", "--json").json["asked"][0]["since"])
    for module in ("pbem.table", "pbem.doing.summaries", "pbem.protocol.papers.times"):
        monkeypatch.setattr(f"{module}.now", lambda: stamp(since + added))


def test_a_seat_is_called_late_only_when_its_time_and_the_grace_are_over(
    desk: Desk, who: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    me, them = seat_of(desk, who), seat_of(desk, other)
    early = desk.run(other, "late", "--yes")
    assert early.code == 4 and f"the time of {me} is not over yet" in early.err
    mine = desk.run(who, "late", "--yes")
    assert mine.code == 4 and "you owe an answer yourself" in mine.err
    later(monkeypatch, desk, other, 17 * DAY - 60)
    grace = desk.run(other, "late", "--yes")
    assert grace.code == 4 and "1 hours are left, with the grace" in grace.err
    later(monkeypatch, desk, other, 17 * DAY)
    asks = desk.run(other, "late", typed="n\n")
    assert asks.code == 2 and f"say that {me} did not answer in time?" in asks.out
    assert "this game has no witness: what you sign puts nobody out" in desk.ok(other, "late", "--yes").out
    exchange(desk)
    assert f"{them} called you late; answer now" in desk.ok(who, "status").out
    assert "without a witness it puts nobody out" in desk.ok(other, "status").out
    assert desk.ok(other, "status", "--json").json["outcome"] is None
    desk.ok(who, "play", "-m", "done", "--yes")
    exchange(desk)
    assert asked(desk, other)["kind"] == "sealed", "an answer still counts"
    assert not asked(desk, other)["calls"]


# --- absence


def day(desk: Desk, who: str, added: int) -> str:
    """A day, so many after the present question was asked."""
    since = seconds(desk.ok(who, "status", "--json").json["asked"][0]["since"])
    return stamp(since + added * DAY)[:10]


def asked(desk: Desk, who: str) -> dict[str, Any]:
    (game,) = desk.ok(who, "games", "--json").json
    (one,) = game["asked"]
    return dict(one)


def test_an_absence_that_a_decision_took_in_gives_its_seat_until_then(
    desk: Desk, who: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, desk, who, 60)
    until, seat = day(desk, who, 19), seat_of(desk, who)
    told = desk.run(who, "absence", until, typed="n\n")
    assert told.code == 2 and f"away until {until}T23:59:59Z?" in told.out
    assert f"your clock then runs until {until}T23:59:59Z" in told.out
    desk.ok(who, "absence", until, "--yes")
    desk.ok(who, "play", "-m", "done", "--yes")
    exchange(desk)
    for player in (who, other):
        assert asked(desk, player)["seat"] == seat
        assert asked(desk, player)["deadline"] == f"{until}T23:59:59Z"
    later(monkeypatch, desk, other, 18 * DAY)
    early = desk.run(other, "late", "--yes")
    assert early.code == 4 and "is not over yet" in early.err
    later(monkeypatch, desk, other, 24 * DAY)
    desk.ok(other, "late", "--yes")
    assert desk.ok("zoe", "verify", str(table_of(desk, who).folder), "--json").json["ok"]


def test_an_absence_counts_when_the_next_decision_takes_it_in(
    desk: Desk, who: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, desk, who, 60)
    until, seat = day(desk, who, 9), seat_of(desk, other)
    desk.ok(other, "absence", f"{until}T23:59:00Z", "--out", "away.pbem", "--yes")
    assert "1 kept until their turn comes" in desk.ok(who, "receive", "away.pbem").out
    assert "away until" not in desk.ok(who, "games").out
    desk.ok(who, "play", "-m", "done", "--out", "move.pbem", "--yes")
    desk.ok(other, "receive", "move.pbem")
    assert f"you: away until {until}T23:59:00Z; 11 days of absence left" in desk.ok(other, "games").out
    assert f"{seat}: away until {until}T23:59:00Z; 11 days of absence left" in desk.ok(who, "games").out
    assert 'event = "WentAway"' in desk.ok(other, "log").out


def test_an_absence_that_would_have_no_effect_is_not_signed(
    desk: Desk, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, desk, who, DAY)
    number = desk.ok(who, "status", "--json").json["entries"]
    for text in ("soon", "2026-02-30", "2026-08-20T12:00"):
        assert desk.run(who, "absence", text, "--yes").code == 2
    refused = desk.run(who, "absence", "now", "--yes")
    assert refused.code == 3 and "you are not away" in refused.err
    refused = desk.run(who, "absence", day(desk, who, 30), "--yes")
    assert refused.code == 3 and "504 hours are left to you" in refused.err
    assert desk.ok(who, "status", "--json").json["entries"] == number


def test_who_is_back_early_says_so_and_gets_no_hours_back(
    desk: Desk, who: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, desk, who, 60)
    desk.ok(who, "absence", day(desk, who, 19), "--yes")
    desk.ok(who, "play", "-m", "done", "--yes")
    exchange(desk)
    (game,) = desk.ok(who, "games", "--json").json
    (away,) = game["absences"]
    assert away["until"] and "you: away until" in desk.ok(who, "games").out
    later(monkeypatch, desk, other, 3 * DAY)
    desk.ok(who, "absence", "now", "--yes")
    desk.ok(who, "play", "-m", desk.ok(who, "legal", "--json").json["orders"][0], "--yes")
    exchange(desk)
    (game,) = desk.ok(who, "games", "--json").json
    (back,) = game["absences"]
    assert back == {**away, "until": None}, "what was announced is used up"
    told = desk.ok(who, "games").out
    assert "you: away" not in told and "of absence left" in told


# --- pbem games


def test_games_tells_clocks_calls_absences_and_receipts(
    desk: Desk, who: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    me, them = seat_of(desk, who), seat_of(desk, other)
    since, number = asked(desk, who)["since"], desk.ok(who, "status", "--json").json["entries"]
    end = stamp(seconds(since) + 14 * DAY)
    for added, words in (
        (60, "13 days left"),
        (14 * DAY - 4 * 3600, "4 hours left"),
        (14 * DAY - 60, "1 minute left"),
    ):
        later(monkeypatch, desk, who, added)
        assert f"  you: what to do, since {since}, until {end} ({words})\n" in desk.ok(who, "games").out
        assert f"your clock: since {since}, until {end} ({words})\n" in desk.ok(who, "status").out
        assert f"clock of {me}: since {since}, until {end} ({words})\n" in desk.ok(other, "status").out
    later(monkeypatch, desk, other, 17 * DAY)
    assert (
        f"{me}: what to do, since {since}, run out at {end}: `pbem late` says so\n"
        in desk.ok(other, "games").out
    )
    assert f"you: what to do, since {since}, run out at {end}\n" in desk.ok(who, "games").out
    desk.ok(other, "late", "--out", "late.pbem", "--yes")
    desk.ok(who, "receive", "late.pbem")
    assert f"  you: called late by {them}\n" in desk.ok(who, "games").out
    told = desk.ok(other, "games").out
    assert f"  {me}: called late by you\n" in told and "`pbem late`" not in told
    desk.ok(who, "play", "-m", "done", "--yes")
    (game,) = desk.ok(who, "games", "--json").json
    (receipt,) = game["receipts"]
    assert receipt["seat"] == them and receipt["unacknowledged"] > 0 and receipt["seen"] <= number
    assert f"  {them} has seen entry {receipt['seen']} of {game['entries']}; " in desk.ok(who, "games").out
    assert game["handed"] is None, "by hand: only the player knows"
    exchange(desk)
    desk.ok(other, "draw", "--out", "offer.pbem", "--yes")
    desk.ok(who, "receive", "offer.pbem")
    assert f"  {them} has seen everything\n" in desk.ok(who, "games").out


def test_games_tells_what_has_not_left_yet(desk: Desk, who: str) -> None:
    box = desk.folder / "mails"
    desk.ok(who, "mail", "send", "save", str(box))
    (game,) = desk.ok(who, "games", "--json").json
    assert game["handed"] is False
    assert "  not handed over yet: `pbem send` does it\n" in desk.ok(who, "games").out
    desk.ok(who, "send")
    assert "not handed over" not in desk.ok(who, "games").out
    (mail,) = box.iterdir()
    assert b"the clock runs out at" in mail.read_bytes().replace(b"\n    ", b" ").replace(b"\r\n    ", b" ")


# --- a new key


@pytest.mark.parametrize("in_turn", [False, True])
def test_a_seat_goes_on_with_a_new_key_by_consent(desk: Desk, who: str, other: str, in_turn: bool) -> None:
    """A player loses the key, in turn or not, makes a new one in a new home; the spare key signs for it."""
    who, other = (other, who) if in_turn else (who, other)
    folder = str(table_of(desk, other).folder)
    seat = seat_of(desk, other)
    desk.ok("new", "key", "new")
    assert desk.run("new", "rekey", "-g", folder, "--yes").code == 2
    ask = ("rekey", "-g", folder, "--seat", seat, "--out", "paper.pbem", "--yes")
    assert "the key that you had, or its spare" in desk.run("new", *ask).err
    alone = desk.run("new", *ask, "--with", str(desk.folder / "new" / "key"))
    assert alone.code == 2 and f"is neither the key of {seat} nor its spare one" in alone.err
    desk.ok("new", *ask, "--with", str(desk.folder / other / "spare"))
    mark = desk.ok("new", "key", "show", "--json").json["fingerprint"]
    told = desk.ok(who, "receive", "paper.pbem").out
    assert f"{seat} offers: rekey; `pbem rekey` shows it and agrees" in told
    shown = desk.run(who, "rekey", typed="n\n")
    assert shown.code == 2 and f"from now:  {mark}" in shown.out
    desk.ok(who, "rekey", "--out", "consent.pbem", "--yes")
    told = desk.ok("new", "receive", "consent.pbem").out
    assert f"{seat} goes on with new keys, as it signed with its spare key" in told
    assert desk.ok("new", "status", "--json").json["seat"] == seat
    if in_turn:
        desk.ok("new", "play", "-m", "done", "--out", "move.pbem", "--yes")
        assert "done" in desk.ok(who, "receive", "move.pbem").out


@pytest.mark.parametrize("command", ["resign", "draw", "takeback", "absence now"])
def test_a_spectator_settles_nothing(desk: Desk, command: str) -> None:
    folder = str(table_of(desk, "ann").folder)
    assert desk.run("zoe", *command.split(), "-g", folder, "--yes").code == 4
    assert PLAYER["a"] == "ann"


def test_without_a_bad_card_there_is_nothing_to_complain_about(desk: Desk, who: str) -> None:
    refused = desk.run(who, "dispute", "--complain", "--yes")
    assert refused.code == 4 and "every card that was handed to you is as it must be" in refused.err
