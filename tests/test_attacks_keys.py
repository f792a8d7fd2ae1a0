"""New keys at the command line: who is honest goes on with a new key undisturbed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.circle import circle, new_key
from tests.test_attacks_audit import consent


def test_consents_that_come_in_a_file_give_the_new_key_its_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = circle(tmp_path, monkeypatch, 2)
    table.ok("a", "receive", consent(table, "b", new_key(table, "a")))
    table.ok("a", "play", "-m", "swear", "--yes")
    table.post()
    assert table.one_log() and table.verified("b").code == 0


def test_consents_that_come_through_git_give_the_new_key_its_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has no file to receive goes on with its new key all the same."""
    table = circle(tmp_path, monkeypatch, 2)
    host = str(tmp_path / "host.git")
    table.desk.shell(f"git init -q --bare --initial-branch=main {host}")
    consent(table, "b", new_key(table, "a"))
    table.ok("b", "sync", host)
    assert "a goes on with new keys" in table.ok("a", "sync", host).out
    table.ok("a", "play", "-m", "swear", "--yes")
    for seat in "ab":
        table.ok(seat, "sync")
    assert table.one_log() and table.verified("b").code == 0
