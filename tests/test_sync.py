"""A game through a bare git remote: the same game as by files, whoever pushes first, killed or not."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from tests.commandline import pbem
from tests.sides import Side, by_files, by_killing, by_watching, sides


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    path = tmp_path / "host.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", path], check=True)
    return path


def through(both: list[Side], remote: Path) -> list[Side]:
    for side in both:
        side.home.set_config(remotes={side.table().contract.game.hex(): str(remote)})
    return both


def git(remote: Path, *args: str) -> str:
    done = subprocess.run(["git", "-C", remote, *args], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_game_through_git_is_the_game_by_files(tmp_path: Path, remote: Path) -> None:
    both = through(sides(tmp_path / "git", "tiny"), remote)
    fingerprint = by_watching(both)
    assert fingerprint == by_files("tiny")
    refs = git(remote, "for-each-ref", "--format=%(refname)").split()
    outboxes = sorted(f"refs/heads/pbem/outbox/{side.seat}" for side in both)
    assert refs == ["refs/heads/main", *outboxes]
    assert git(remote, "rev-parse", "main") == fingerprint


def test_killed_fifteen_times_it_is_still_the_same_game(tmp_path: Path, remote: Path) -> None:
    both = through(sides(tmp_path / "git", "tiny"), remote)
    assert by_killing(both, 15, random.Random(2)) == by_files("tiny")


def sync(side: Side, *args: object) -> dict[str, object]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_HOME", str(side.home.path))
        ran = pbem("sync", *args, "-g", side.folder, "--json")
        assert ran.code == 0, ran.err
        return dict(ran.json)


def test_the_command_fetches_applies_answers_and_pushes(tmp_path: Path, remote: Path) -> None:
    a, b = sides(tmp_path / "git", "tiny")
    first = sync(a, remote)
    assert first["answered"] == 1 and first["logged"] == [1]
    second = sync(b, remote)
    assert second["answered"] == 2 and second["waiting"] == 1
    third = sync(a)
    assert sync(b)["fingerprint"] == third["fingerprint"] == git(remote, "rev-parse", "main")
    again = sync(a)
    assert again == {**again, "logged": [], "answered": 0, "waiting": 0, "refused": []}


def test_a_remote_that_lost_everything_gets_it_again(tmp_path: Path, remote: Path) -> None:
    a, b = through(sides(tmp_path / "git", "tiny"), remote)
    for side in (a, b, a, b):
        side.look()
    before = held(remote)
    for ref in git(remote, "for-each-ref", "--format=%(refname)").split():
        git(remote, "update-ref", "-d", ref)
    sync(a)
    sync(b)
    sync(a)
    assert held(remote) == before


def held(remote: Path) -> dict[str, str]:
    """Every ref of a remote, and the tree that it holds."""
    refs = git(remote, "for-each-ref", "--format=%(refname)").split()
    return {ref: git(remote, "rev-parse", f"{ref}^{{tree}}") for ref in refs}


def test_one_bad_outbox_does_not_keep_the_others_from_us(
    tmp_path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = through(sides(tmp_path / "git", "tiny"), remote)
    a.look()
    b.look()
    blob = git(remote, "hash-object", "-w", "--stdin")
    tree = subprocess.run(
        ["git", "-C", remote, "mktree"], input=f"100644 blob {blob}\tREADME\n", capture_output=True, text=True
    ).stdout.strip()
    commit = git(
        remote, "-c", "user.name=x", "-c", "user.email=x", "commit-tree", tree, "-m", "not an outbox"
    )
    git(remote, "update-ref", "refs/heads/pbem/outbox/b", commit)
    monkeypatch.setenv("PBEM_HOME", str(a.home.path))
    ran = pbem("sync", "-g", a.folder)
    assert ran.code == 5 and "the outbox of b" in ran.err and "Traceback" not in ran.err
    assert a.fingerprint == git(remote, "rev-parse", "main") == b.fingerprint, "main holds what b has logged"


@pytest.mark.parametrize(
    "remote_name", ["ext::sh -c true", "--upload-pack=x", "nowhere", "gopher://x/y", "https://localhost:1/x"]
)
def test_an_address_that_is_none_is_refused_and_not_remembered(
    tmp_path: Path, remote_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, _ = sides(tmp_path / "git", "tiny")
    monkeypatch.setenv("PBEM_HOME", str(a.home.path))
    assert pbem("sync", "-g", a.folder, "--", remote_name).code == 5
    ran = pbem("sync", "-g", a.folder)
    assert ran.code == 2 and "no remote yet" in ran.err
