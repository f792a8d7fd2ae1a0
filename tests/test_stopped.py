"""Every command, killed anywhere, is finished or undone by running it again: papers, moves, answers.

The command is killed before its first act outside its memory, then before its second, and so on to its end;
each time it is run again from where it was left, and must come to what it comes to unkilled.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.doing import receiving
from pbem.journal import slot
from pbem.lobby import Lobby
from pbem.repository import Commit, Repository
from tests.cli import Desk, Done, begin, exchange, table_of
from tests.stopping import stopped, stopped_and_run_again


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path / "start", monkeypatch)


def invited(desk: Desk) -> None:
    desk.folder.mkdir(exist_ok=True)
    for who in ("ann", "ben"):
        desk.ok(who, "key", "new")
    desk.ok("ann", "new", "tiny", "--name", "Ann", "--out", "invitation.pbem", "--yes")


JOIN = ("join", "invitation.pbem", "--name", "Ben", "--into", "bens", "--out", "answer.pbem", "--yes")
TAKE = ("receive", "answer.pbem", "--into", "anns", "--out", "first.pbem")


def test_an_invitation_that_was_stopped_is_made_by_running_it_again(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.folder.mkdir(exist_ok=True)
    for who in ("ann", "ben"):
        desk.ok(who, "key", "new")
    command = ("new", "tiny", "--name", "Ann", "--out", "invitation.pbem", "--yes")
    for again in stopped_and_run_again(desk, tmp_path, monkeypatch, "ann", *command):
        again.ok("ben", *JOIN)
        assert "everybody has signed: the game begins" in again.ok("ann", *TAKE).out


def test_an_answer_that_was_stopped_is_written_by_running_it_again(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited(desk)
    for again in stopped_and_run_again(desk, tmp_path, monkeypatch, "ben", *JOIN):
        told = again.ok("ann", *TAKE).out
        assert "everybody has signed: the game begins" in told


def test_a_contract_that_was_stopped_begins_by_running_it_again(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host's last signature: killed anywhere, the game begins, and a file for the others is written."""
    invited(desk)
    desk.ok("ben", *JOIN)
    for again in stopped_and_run_again(desk, tmp_path, monkeypatch, "ann", *TAKE):
        assert (again.folder / "first.pbem").exists()
        again.ok("ben", "receive", "first.pbem", "--out", "second.pbem")
        exchange(again)
        assert len({again.ok(who, "status", "--json").json["fingerprint"] for who in ("ann", "ben")}) == 1


def test_a_guest_whose_game_was_stopped_begins_by_running_it_again(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited(desk)
    desk.ok("ben", *JOIN)
    desk.ok("ann", *TAKE)
    command = ("receive", "first.pbem", "--out", "second.pbem")
    for again in stopped_and_run_again(desk, tmp_path, monkeypatch, "ben", *command):
        exchange(again)
        assert len({again.ok(who, "status", "--json").json["fingerprint"] for who in ("ann", "ben")}) == 1


@pytest.fixture
def begun(desk: Desk) -> Desk:
    desk.folder.mkdir(exist_ok=True)
    begin(desk)
    return desk


def test_a_move_that_was_stopped_is_signed_once_and_handed_over(
    begun: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("play", "-m", "put rest act", "--out", "move.pbem", "--yes")
    for again in stopped_and_run_again(begun, tmp_path, monkeypatch, "ann", *command):
        assert (again.folder / "move.pbem").exists()
        journal = table_of(again, "ann").home.journal(table_of(again, "ann").contract.game.hex())
        again.ok("ben", "receive", "move.pbem")
        waiting = [e for e in table_of(again, "ben").ledger.pool.values() if e.seat == "a"]
        assert [e.raw for e in waiting] == [journal.signed(slot(e.head, e.body)) for e in waiting] != []
        assert len([e for e in waiting if e.head.kind == "sealed"]) == 1


def taken_in(desk: Desk) -> tuple[str, ...]:
    """The command with which ann takes in what leads to answers of hers."""
    for who in ("ann", "ben"):
        desk.ok(who, "play", "-m", "put rest act", "--yes")
    exchange(desk)
    for who in ("ann", "ben"):
        desk.ok(who, "play", "-m", desk.ok(who, "legal", "--json").json["orders"][0], "--yes")
    desk.ok("ben", "send", "--out", "move.pbem")
    return ("receive", "move.pbem", "--out", "answers.pbem")


def test_what_was_being_taken_in_is_taken_in_and_answered(
    begun: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = taken_in(begun)
    for again in stopped_and_run_again(begun, tmp_path, monkeypatch, "ann", *command):
        assert (again.folder / "answers.pbem").exists()
        again.ok("ben", "receive", "answers.pbem")
        exchange(again)
        assert len({again.ok(who, "status", "--json").json["fingerprint"] for who in ("ann", "ben")}) == 1


# --- the same, with the mend taken out


def always(*_: Any, **__: Any) -> bool:
    return True


def never(*_: Any, **__: Any) -> bool:
    return False


def _begins_anew(path: Path, first: Commit) -> Repository:
    """As if a folder that a killed run has begun could not be taken up."""
    repo = Repository.create(path)
    with repo.lock():
        repo.append([first], parent=None)
        repo.write_files()
    return repo


def _no_folder(desk: Desk, told: Done) -> bool:
    return told.code == 2 and "already holds a git repository" in told.err


def _no_file(desk: Desk, told: Done) -> bool:
    return told.code == 0 and not (desk.folder / "first.pbem").exists()


@pytest.mark.parametrize(
    ("removed", "harmed"),
    [((Repository, "begin", _begins_anew), _no_folder), ((Lobby, "is_handed", always), _no_file)],
    ids=["the folder stands in its own way", "nothing is written for the others"],
)
def test_a_contract_that_was_stopped_is_lost_where_nobody_takes_it_up(
    desk: Desk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    removed: tuple[Any, str, Any],
    harmed: Callable[[Desk, Done], bool],
) -> None:
    invited(desk)
    desk.ok("ben", *JOIN)
    monkeypatch.setattr(*removed)
    places = stopped(desk, tmp_path, monkeypatch, "ann", *TAKE)
    assert any(harmed(again, again.run("ann", *TAKE)) for again in places)


def test_answers_that_were_stopped_stay_at_home_where_nobody_looks_for_them(
    begun: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = taken_in(begun)
    monkeypatch.setattr(receiving, "is_left_behind", never)
    places = stopped(begun, tmp_path, monkeypatch, "ann", *command)
    assert any(
        again.run("ann", *command).code == 0 and not (again.folder / "answers.pbem").exists()
        for again in places
    )
