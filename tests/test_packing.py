"""A long game stays small on disk, whoever is killed while it is packed, and reads the same afterwards."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import UsageError
from pbem.repository import Repository, expected_ids, plumbing, upkeep
from pbem.repository.disk import FileDisk
from pbem.repository.line import check_line
from tests.plain_git import entry, raw_git

COMMITS = [entry(n, seat=("hojo", "uesugi")[n % 2]) for n in range(1, 121)]
EXPECTED = expected_ids(COMMITS)


def played(folder: Path, first: int = 0, last: int = len(COMMITS)) -> Repository:
    """One commit after the other, as a game is played."""
    repo = Repository.create(folder) if not folder.exists() else Repository.open(folder)
    for commit in COMMITS[first:last]:
        repo.append([commit], parent=repo.head())
        repo.write_files()
    return repo


def files_of(repo: Repository) -> list[Path]:
    return [path for path in (repo.path / ".git").rglob("*") if path.is_file()]


def same(folder: Path, last: int = len(COMMITS)) -> None:
    """Everything is there, for us and for git."""
    repo = Repository.open(folder)
    assert repo.history() == list(EXPECTED[:last])
    check_line(repo, COMMITS[:last])
    assert raw_git(folder, "fsck", "--strict", "--full", "--no-dangling") == ""
    assert raw_git(folder, "rev-list", "--reverse", "main").split() == list(EXPECTED[:last])


def test_small_packs_are_put_together(tmp_path: Path) -> None:
    repo = played(tmp_path / "game")
    packs = [path for path in files_of(repo) if path.suffix == ".pack"]
    assert len(packs) <= 3 * 8 and not list((repo.path / ".git/objects").glob("??/*"))
    same(repo.path)


def test_git_packs_a_long_game_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "MANY_OBJECTS", 300)
    repo = played(tmp_path / "game")
    assert len(files_of(repo)) < 60 and (repo.path / ".git/pbem/added").stat().st_size < 100_000
    same(repo.path)


def test_without_git_a_long_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser: packs are put together, and the record begins anew all the same."""

    def no_git() -> None:
        raise UsageError("git cannot be run here")

    monkeypatch.setattr(upkeep, "MANY_OBJECTS", 300)
    monkeypatch.setattr(plumbing, "_gitpython", no_git)
    repo = played(tmp_path / "game")
    assert (repo.path / ".git/pbem/added").stat().st_size < 100_000
    same(repo.path)


def killed_at(act: Callable[[], object], before: int) -> bool:
    """The act in a process of its own, killed before its n-th change of the disk or call of git."""
    child = os.fork()
    if not child:
        left = before

        def dies(real: Callable[..., Any]) -> Callable[..., Any]:
            def called(*args: Any, **more: Any) -> Any:
                nonlocal left
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*args, **more)

            return called

        for owner, name in (
            *((FileDisk, name) for name in ("write", "write_at", "rename", "remove", "sync")),
            (plumbing.Plumbing, "run"),
        ):
            setattr(owner, name, dies(getattr(owner, name)))
        try:
            act()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_killed_anywhere_while_packs_are_put_together_or_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "MANY_OBJECTS", 71)
    before = played(tmp_path / "game", 0, 7)
    for number in range(1, 200):
        place = tmp_path / f"killed-{number}"
        shutil.copytree(before.path, place)
        repo = Repository.open(place)

        def add(repo: Repository = repo) -> None:
            repo.append([COMMITS[7]], parent=repo.head())
            repo.write_files()

        if not killed_at(add, number):
            break
        again = Repository.open(place)
        length = len(again.history())
        assert length in (7, 8)
        same(place, length)
        same(played(place, length, 12).path, 12)
        shutil.rmtree(place)
    assert number > 30
