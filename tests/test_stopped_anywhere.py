"""Commands that are killed anywhere, and what the next command finds, whichever it is.

A reading command comes first: it opens the folder, and so finishes or undoes what was left. Then the game is
in order, nothing was signed twice, and the stopped command can be run again.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pbem.verify import verify_folder
from tests.cli import Desk, begin, exchange, table_of
from tests.plain_git import raw_git
from tests.stopping import stopped


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A game in which both have decided, and ann has ben's part as a file and at a host."""
    desk = Desk(tmp_path / "start", monkeypatch)
    desk.folder.mkdir()
    begin(desk)
    raw_git(desk.folder, "init", "-q", "--bare", "host")
    for who in ("ann", "ben"):
        desk.ok(who, "play", "-m", "put rest act", "--yes")
    exchange(desk)
    desk.ok("ben", "play", "-m", desk.ok("ben", "legal", "--json").json["orders"][0], "--yes")
    desk.ok("ben", "send", "--out", "move.pbem")
    return desk


def in_order(desk: Desk, who: str) -> None:
    """Whoever looks next finds a game that verifies, each entry once, and signed once."""
    for look in (("status",), ("games",)):
        desk.ok(who, *look)
    table = table_of(desk, who)
    found = verify_folder(table.folder)
    assert found.ok, found.problem
    assert raw_git(table.folder, "status", "--short") == ""
    assert raw_git(table.folder, "fsck", "--strict", "--full", "--no-dangling") == ""
    entries = table.entries(range(1, table.ledger.state.number + 1))
    assert max(Counter(entry.id for entry in entries).values(), default=1) == 1
    assert len(table.repo.history()) == len(entries) + 1


COMMANDS = {
    "play": ("play", "-m", "ORDER", "--yes", "--out", "mine.pbem"),
    "receive": ("receive", "move.pbem", "--out", "answers.pbem"),
    "sync": ("sync", "host"),
    "watch": ("watch", "--once"),
    "send": ("send", "--out", "again.pbem"),
    "say": ("say", "good morning"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_was_stopped_leaves_a_game_in_order(
    begun: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    order = begun.ok("ann", "legal", "--json").json["orders"][0]
    command = [order if word == "ORDER" else word for word in COMMANDS[name]]
    for again in stopped(begun, tmp_path, monkeypatch, "ann", *command):
        in_order(again, "ann")
        assert again.run("ann", *command).code in (0, 2, 4)
        in_order(again, "ann")
        again.ok("ann", "receive", "move.pbem", "--out", "answers.pbem")
        exchange(again)
        assert len({again.ok(who, "status", "--json").json["fingerprint"] for who in ("ann", "ben")}) == 1


def test_a_key_that_was_stopped_is_there_or_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path / "start", monkeypatch)
    desk.folder.mkdir()
    for again in stopped(desk, tmp_path, monkeypatch, "ann", "key", "new"):
        if again.run("ann", "key", "new").code != 0:
            assert "SHA256:" in again.ok("ann", "key", "show").out
        again.ok("ann", "new", "tiny", "--out", "invitation.pbem", "--yes")


def test_verify_says_that_a_write_was_finished(begun: Desk) -> None:
    table = table_of(begun, "ann")
    (table.folder / "position.toml").unlink()
    (table.folder / ".git/pbem.files").write_text(f"{table.repo.history()[0]}\n")
    told = begun.ok("ann", "verify", str(table.folder)).out
    assert told.startswith("unfinished write, healed") and "in order: " in told
    assert "unfinished" not in begun.ok("ann", "verify", str(table.folder)).out
