"""What stopped a player once: each of these says now what it did, or what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import PLAYER, Desk, begin, exchange, table_of, until_somebody_acts


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A game in which somebody is asked for a deed."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("evening"), patch)
        begin(desk, "tiny", "--scenario", "long")
        until_somebody_acts(desk)
        return desk


@pytest.fixture
def desk(played: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return played.copy(tmp_path, monkeypatch)


@pytest.fixture
def who(desk: Desk) -> str:
    return PLAYER[desk.ok("ann", "status", "--json").json["asked"][0]["seat"]]


# --- a move that cannot be mailed


def unreachable(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in whose contract nobody gave an address, and mail that is set all the same."""
    for name in ("ann", "ben"):
        desk.ok(name, "key", "new")
    desk.ok("ann", "new", "tiny", "--name", "Ann", "--out", "invitation.pbem", "--yes")
    command = ("join", "invitation.pbem", "--name", "Ben", "--into", "bens", "--out", "answer.pbem", "--yes")
    desk.ok("ben", *command)
    desk.ok("ann", "receive", "answer.pbem", "--into", "anns", "--out", "first.pbem")
    desk.ok("ben", "receive", "first.pbem", "--out", "second.pbem")
    exchange(desk)
    desk.ok("ann", "mail", "send", "save", str(desk.folder / "mails"))


def test_a_move_that_cannot_be_mailed_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    unreachable(desk, tmp_path, monkeypatch)
    told = desk.ok("ann", "play", "-m", "put rest act", "--yes").out
    assert "not sent by itself: no address is known of a, b" in told
    (line,) = [line for line in told.splitlines() if line.startswith("written: ")]
    file = line.removeprefix("written: ").partition(" (")[0]
    assert "1 kept until their turn comes" in desk.ok("ben", "receive", file).out
    watched = desk.ok("ann", "watch", "--once")
    assert not watched.err
    desk.ok("ann", "mail", "address", "b", "ben@example.org")
    desk.ok("ann", "mail", "address", "a", "ann@example.org")
    assert "open it with your mail program" in desk.ok("ann", "send").out
    (mail,) = (desk.folder / "mails").iterdir()
    assert b"To: Ben <ben@example.org>" in mail.read_bytes()
    assert "'c'" in desk.run("ann", "mail", "address", "c", "x@example.org").err
    assert desk.run("ann", "mail", "address", "b", "nowhere").code == 2


def test_a_host_that_does_not_answer_leaves_a_file(desk: Desk, who: str) -> None:
    desk.ok(who, "mail", "send", "program", "false")
    refused = desk.run(who, "play", "-m", "done", "--yes")
    assert refused.code == 5 and "signed and kept, but not sent" in refused.err
    assert "written: " in refused.out and "`pbem send` tries again" in refused.err


# --- standing orders


def test_a_standing_order_for_what_is_never_asked_is_refused(desk: Desk, who: str) -> None:
    refused = desk.run(who, "standing", "foo", "done", "--yes")
    assert refused.code == 2 and "tiny never asks for 'foo'" in refused.err
    for word in (
        "hit",
        "turn",
        "a",
        "stones",
    ):  # an order, a name, a seat: words of the rules, and no question
        assert desk.run(who, "standing", word, "done", "--yes").code == 2
    assert "did you mean loss?" in desk.run(who, "standing", "los", "lose face", "--yes").err
    refused = desk.run(who, "standing", "loss", "--revoke", "--yes")
    assert refused.code == 2 and "you have given no standing order for 'loss'" in refused.err
    desk.ok(who, "standing", "loss", "lose face", "--yes")
    desk.ok(who, "standing", "loss", "--revoke", "--yes")


def test_a_standing_order_for_what_only_the_other_side_is_asked_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path, monkeypatch)
    begin(desk, "kawagoe")
    seats = {desk.ok(name, "status", "--json").json["seat"]: name for name in ("ann", "ben")}
    desk.ok(seats["anti"], "standing", "general", "auto", "--yes")
    refused = desk.run(seats["hojo"], "standing", "general", "auto", "--yes")
    assert refused.code == 2 and "kawagoe never asks for 'general' of hojo" in refused.err
    assert "you may be asked for advance, attack, chits, deploy, loss, move, retreat" in refused.err


# --- receive


def test_receive_always_says_something(desk: Desk) -> None:
    for name, file in (("ben", "invitation.pbem"), ("ben", "answer.pbem"), ("ann", "answer.pbem")):
        assert "nothing new: this game has begun in" in desk.ok(name, "receive", file).out
    desk.ok("ann", "send", "--out", "again.pbem")
    again = desk.ok("ann", "receive", "again.pbem").out if (desk.folder / "again.pbem").exists() else "tiny"
    assert "tiny" in again


def test_receive_says_what_an_open_table_waits_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    for name in ("ann", "ben"):
        desk.ok(name, "key", "new")
    desk.ok("ann", "new", "tiny", "--name", "Ann", "--out", "invitation.pbem", "--yes")
    told = desk.ok("ann", "receive", "invitation.pbem").out
    assert "you are a, still to sign: a, b" in told and "their papers are awaited" in told
    desk.ok("ben", "join", "invitation.pbem", "--into", "bens", "--out", "answer.pbem", "--yes")
    told = desk.ok("ben", "receive", "answer.pbem").out
    assert "you are b, still to sign: a" in told and "nothing of yours is new" in told


# --- small things


def test_a_takeback_to_what_has_not_happened(desk: Desk, who: str) -> None:
    refused = desk.run(who, "takeback", "999", "--yes")
    assert refused.code == 2 and "hidden" not in refused.err and "the last entry is" in refused.err


def test_right_after_the_audit_it_is_published(desk: Desk, who: str) -> None:
    desk.ok(who, "resign", "--yes")
    exchange(desk)
    told = desk.ok(who, "audit", "--yes").out
    seat = desk.ok(who, "status", "--json").json["seat"]
    assert f"published: the secret of {seat}; it is audited when all are out" in told


def test_check_names_the_lines_that_are_skipped(desk: Desk, who: str) -> None:
    told = desk.ok(who, "check", "-m", "? hit nobody", "-m", "done").out
    skipped = "skipped, as it is illegal now: line 1: hit nobody: nobody is no enemy\n"
    assert told == f"1 order is legal\n{skipped}"


def test_git_status_is_clean(desk: Desk, who: str) -> None:
    desk.ok(who, "play", "-m", "done", "--yes")
    shown = desk.shell(f"git -C {table_of(desk, who).folder} status --porcelain")
    assert shown.out == ""


def test_did_you_mean_offers_only_what_is_legal(desk: Desk, who: str) -> None:
    """Both seats are named almost as it was typed; only one of them may be hit."""
    seat = desk.ok(who, "status", "--json").json["seat"]
    other = "b" if seat == "a" else "a"
    near = desk.run(who, "check", "-m", f"hti {other}").err
    assert "did you mean hit instead of hti?" in near
    assert "did you mean" not in desk.run(who, "check", "-m", f"hti {seat}").err.replace(
        "did you mean hit?", ""
    )


# --- planning


def test_planning_on_the_draft(desk: Desk, who: str) -> None:
    """Orders are added one by one, tried on a copy, looked at, taken away, and signed when they please."""
    other = "b" if desk.ok(who, "status", "--json").json["seat"] == "a" else "a"
    assert "there is no draft" in desk.run(who, "legal", "--draft").err
    first = desk.ok(who, "draft", "-m", "done").out
    assert first.startswith("done\n# then")
    refused = desk.run(who, "draft", "-m", "hit nobody")
    assert (refused.code in (0, 3) and "hit nobody" not in desk.ok(who, "draft").out) or refused.code == 0
    desk.ok(who, "board", "--draft")
    assert "1 order is legal" in desk.ok(who, "check", "--draft").out
    assert desk.ok(who, "undo").out.startswith("taken away: ")
    desk.ok(who, "draft", "--drop")
    assert desk.ok(who, "draft").out == "there is no draft\n"
    assert desk.run(who, "undo").code == 2
    (desk.folder / "plan.txt").write_text(f"hit {other}\n")
    assert "it cannot be foreseen" in desk.run(who, "legal", "--after", "plan.txt").err
    desk.ok(who, "draft", "-m", "done")
    desk.ok(who, "play", "--draft", "--yes")
    assert desk.ok(who, "draft").out == "there is no draft\n"


def test_status_shows_the_owner_what_only_they_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    begin(desk)
    desk.ok("ann", "play", "-m", "put rest act", "--yes")
    desk.ok("ben", "play", "-m", "put rest act", "--yes")
    exchange(desk)
    for look in ("status", "board"):
        assert "only you see this: sealed: act, rest" in desk.ok("ann", look).out
    desk.ok("ann", "standing", "loss", "lose face", "--sealed", "--yes")
    assert "lose face" not in desk.ok("ben", "status").out


def test_the_owner_reads_the_sealed_rest_of_a_list_and_standing_orders(desk: Desk, who: str) -> None:
    other = {"ann": "ben", "ben": "ann"}[who]
    target = desk.ok(other, "status", "--json").json["seat"]
    desk.ok(who, "standing", "loss", "lose face", "--out", "standing.pbem", "--yes")
    desk.ok(other, "receive", "standing.pbem")
    desk.ok(who, "play", "-m", f"hit {target}", "-m", "? done", "--out", "list.pbem", "--yes")
    desk.ok(other, "receive", "list.pbem", "--out", "answer.pbem")
    for look in ("status", "board"):
        mine, theirs = desk.ok(who, look).out, desk.ok(other, look).out
        assert "only you see this: the sealed rest of your list: ? done" in mine
        assert "everybody can read your standing order for loss: lose face" in mine
        assert "? done" not in theirs and "your standing order" not in theirs


def test_the_next_game_and_an_invitation_taken_back(desk: Desk, who: str) -> None:
    other = {"ann": "ben", "ben": "ann"}[who]
    assert "tiny: asked of you" in desk.ok(who, "next").out
    assert desk.ok(other, "next").out == "no game waits for you\n"
    desk.ok("ann", "new", "tiny", "--out", "second.pbem", "--yes")
    name = desk.ok("ann", "games").out.split("table ")[1][:8]
    assert desk.run("ann", "withdraw", "zzz", "--yes").code == 2
    assert "is forgotten" in desk.ok("ann", "withdraw", name, "--yes").out
    assert "table " not in desk.ok("ann", "games").out


def test_games_lists_offers(desk: Desk, who: str) -> None:
    other = {"ann": "ben", "ben": "ann"}[who]
    desk.ok(who, "draw", "--out", "offer.pbem", "--yes")
    desk.ok(other, "receive", "offer.pbem")
    assert "`pbem draw` agrees" in desk.ok(other, "games").out


# --- looking back


def test_history_by_word_and_turn_and_the_dice(desk: Desk, who: str) -> None:
    seat = desk.ok(who, "status", "--json").json["seat"]
    other = "b" if seat == "a" else "a"
    desk.ok(who, "play", "-m", f"hit {other}", "--yes")
    exchange(desk)
    told = desk.ok("ann", "history", "hit").out
    assert f"{seat}: hit {other}" in told and "dice of" not in told
    assert f"dice of {seat}: " in desk.ok("ann", "history", "--dice").out
    assert desk.ok("ann", "history", "nobody-of-this-name").out == "nothing in the log names that\n"
    assert {one["turn"] for one in desk.ok("ann", "history", "--turn", "1", "--json").json["events"]} <= {1}


def test_draws_are_told_in_words_and_replay_goes_backwards(desk: Desk) -> None:
    forth = desk.ok("ann", "replay", "--no-board").out
    back = desk.ok("ann", "replay", "--no-board", "--back").out
    assert "put in, still closed" in forth and "s1." not in forth
    assert sorted(forth.splitlines()) == sorted(back.splitlines()) and forth != back
    number = next(
        n for n in range(1, 60) if "drawn by lot" in desk.ok("ann", "show", str(n), "--no-board").out
    )
    assert "request" not in desk.ok("ann", "show", str(number), "--no-board").out


# --- words


def test_a_word_rides_along_with_a_move(desk: Desk, who: str) -> None:
    other = {"ann": "ben", "ben": "ann"}[who]
    seat = desk.ok(who, "status", "--json").json["seat"]
    assert "goes with your next move" in desk.ok(who, "say", "good", "luck").out
    assert "you say: good luck" in desk.ok(who, "status").out
    desk.ok(who, "play", "-m", "done", "--say", "your turn", "--out", "move.eml", "--yes")
    assert b"says: good luck" in (desk.folder / "move.eml").read_bytes().replace(b"=\r\n", b"")
    told = desk.ok(other, "receive", "move.eml").out
    assert f"{seat} says: good luck" in told and f"{seat} says: your turn" in told
    assert f"{seat} says: good luck" in desk.ok(other, "replay", "--no-board").out


def test_a_word_of_who_waits_leaves_at_once_and_a_draw_is_declined(desk: Desk, who: str) -> None:
    other = {"ann": "ben", "ben": "ann"}[who]
    assert "written: " in desk.ok(other, "say", "I wait", "--out", "word.pbem").out
    assert "says: I wait" in desk.ok(who, "receive", "word.pbem").out
    assert desk.run(who, "draw", "--decline", "--yes").code == 2
    desk.ok(other, "draw", "--out", "offer.pbem", "--yes")
    desk.ok(who, "receive", "offer.pbem")
    desk.ok(who, "draw", "--decline", "--out", "no.pbem", "--yes")
    assert "says: no draw: I play on" in desk.ok(other, "receive", "no.pbem").out


def test_auto_is_an_answer_of_a_standing_order(desk: Desk, who: str) -> None:
    desk.ok(who, "standing", "loss", "auto", "--yes")
