"""A folder from elsewhere, or a host, at the command line: no pipe or silence holds us, no setting leads."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pbem.repository import git_dir, line, plumbing
from tests.attack_kit import works_only_without
from tests.circle import Circle, circle
from tests.plain_git import unpacked
from tests.stopping import silent_host, waits_at


def nothing(*args: object, **more: object) -> None:
    """In place of a check: it finds nothing."""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Circle:
    found = circle(tmp_path, monkeypatch, 2)
    found.ok("a", "play", "-m", "swear", "--out", str(tmp_path / "move"), "--yes")
    return found


@pytest.mark.parametrize("name", ["HEAD", "refs/heads/main", "packed-refs"])
@pytest.mark.parametrize("command", ["verify", "receive", "status"])
def test_a_pipe_inside_git_holds_no_command(
    table: Circle, monkeypatch: pytest.MonkeyPatch, name: str, command: str
) -> None:
    """What pbem reads itself it does not wait for, whether it has looked at the folder or not."""
    at = table.folder("b") / ".git" / name
    at.unlink(missing_ok=True)
    os.mkfifo(at)
    more = {"verify": [str(table.folder("b"))], "receive": ["move"], "status": []}[command]
    told = table.run("b", command, *more)
    assert told.code == (1 if command == "verify" else 2)
    assert f"'.git/{name}' is neither a file nor a folder" in told.err
    monkeypatch.setattr(git_dir, "_strange_settings", lambda git_dir: ())
    table.run("b", command, *more)


def test_a_pipe_inside_git_does_not_hold_git(table: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    table.desk.shell("git init -q --bare host")
    at, address = table.folder("b") / ".git/HEAD", f"file://{table.desk.folder}/host"
    works_only_without(
        monkeypatch,
        lambda: waits_at(at, lambda: table.run("b", "sync", address)),
        (git_dir, "_strange_settings", lambda git_dir: ()),
    )
    assert "'.git/HEAD' is neither a file nor a folder" in table.run("b", "sync", address).err


@pytest.mark.parametrize("name", ["game.toml", "position.toml", "moves/0001/000001-a.toml"])
def test_a_pipe_in_place_of_a_plain_file_is_named_and_stops_nothing(table: Circle, name: str) -> None:
    """What was committed counts: the folder goes on, and whoever looks at it is told which file differs."""
    table.ok("b", "receive", "move")
    file = table.folder("b") / name
    file.unlink()
    os.mkfifo(file)
    told = table.verified("b")
    assert told.code == 1 and f"{name} in the folder differs from what was committed" in told.err
    table.ok("a", "play", "-m", "hit b", "--out", str(table.desk.folder / "next"), "--yes")
    assert "a: hit b" in table.ok("b", "receive", "next").out


def test_a_folder_in_place_of_a_plain_file_is_named(table: Circle) -> None:
    file = table.folder("b") / "game.toml"
    file.unlink()
    file.mkdir()
    told = table.verified("b")
    assert told.code == 1 and "game.toml in the folder differs from what was committed" in told.err


def test_a_silent_host_is_given_up_with_all_that_talks_to_it(
    table: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the call and says nothing; what waits for it would never end, and hold on to our folder."""
    top = table.desk.folder
    lives = silent_host(top, monkeypatch)
    monkeypatch.setattr(plumbing, "NETWORK_SECONDS", 0.5)

    def attack() -> bool:
        told = table.run("b", "sync", "ssh://example.invalid/game")
        assert told.code == 5 and "ssh://example.invalid/game: no answer within" in told.err
        assert "hint: try again later" in told.err
        return lives()

    works_only_without(monkeypatch, attack, (plumbing, "end_whole", lambda process: process.kill()))
    table.desk.shell("git init -q --bare host")
    for seat in "ab":
        table.ok(seat, "sync", f"file://{top}/host")
    assert table.one_log() and table.status("b")["entries"] == 1


# --- settings, and what lies behind the last commit


def test_no_setting_of_a_folder_makes_sync_run_a_hook(table: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a remote that is called as the players' own address, and a hook waits there."""
    top = table.desk.folder
    for name in ("ours", "theirs"):
        table.desk.shell(f"git init -q --bare {name}; mkdir -p {name}/hooks")
    (top / "theirs/hooks/pre-receive").write_text(f"#!/bin/sh\ntouch {top}/ran\n")
    (top / "theirs/hooks/pre-receive").chmod(0o755)
    table.desk.shell("git -C theirs config core.hooksPath $PWD/theirs/hooks")
    with (table.folder("b") / ".git/config").open("a") as config:
        config.write(f'[remote "file://{top}/ours"]\n\turl = {top}/theirs\n')

    def attack() -> bool:
        told = table.run("b", "sync", f"file://{top}/ours")
        if (top / "ran").exists():
            (top / "ran").unlink()
            return True
        assert told.code == 2 and "which pbem does not let git use" in told.err
        return False

    harmless = re.compile("core.*|remote.*", re.DOTALL)
    works_only_without(monkeypatch, attack, (git_dir, "_HARMLESS_KEY", harmless))


LOOKS = {
    "gone": ("the blob ", "fetch the game again"),
    "replaced": ("an object is replaced (refs/replace)", "remove it with: git replace -d"),
    "hidden": ("a graft (.git/info/grafts) hides commits", "remove .git/info/grafts"),
}
"""What verify says of a damage, and what is to be done."""


@pytest.mark.parametrize("damage", LOOKS)
def test_verify_looks_behind_the_last_commit(
    table: Circle, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """Its position is deleted, another commit stands in its place, or `git log` begins after it."""
    repo = table.table("a").repo
    first, last = repo.history()
    if damage == "gone":
        unpacked(repo.path)
        name = repo.tree(first)["position.toml"].id
        (repo.path / ".git/objects" / name[:2] / name[2:]).unlink()
    elif damage == "replaced":
        table.desk.shell(f"git -C {repo.path} replace -f {first} {last}")
    else:
        (repo.path / ".git/info").mkdir()
        (repo.path / ".git/info/grafts").write_text(f"{last}\n")
        assert table.desk.shell(f"git -C {repo.path} rev-list main").out == f"{last}\n"
    removed = [(line, "_check_objects", nothing), (line, "_check_disguises", nothing)]
    works_only_without(monkeypatch, lambda: table.verified("a").code == 0, *removed)
    told, (words, hint) = table.verified("a"), LOOKS[damage]
    assert told.code == 1 and f"not in order: entry 0: {words}" in told.err and "in order: " not in told.out
    assert hint in told.err.splitlines()[-1]
    table.ok("a", "play", "-m", "hit b", "--yes")
    table.post()
    assert table.one_log() and table.verified("b").code == 0
