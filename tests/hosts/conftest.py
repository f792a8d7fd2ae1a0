"""A user, a host and game folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.repository import Repository
from tests.plain_git import raw_git


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user whose own hooks would leave a mark if they ran in a game folder."""
    folder = tmp_path / "home"
    (folder / "hooks").mkdir(parents=True)
    for name in ("pre-push", "reference-transaction", "post-checkout", "post-merge", "post-rewrite"):
        (folder / "hooks" / name).write_text(
            f'#!/bin/sh\ncase "$(git rev-parse --absolute-git-dir)" in */.git) touch {folder}/ran;; esac\n'
        )
        (folder / "hooks" / name).chmod(0o755)
    (folder / ".gitconfig").write_text(
        f"[core]\n\thooksPath = {folder}/hooks\n[fetch]\n\tprune = true\n\trecurseSubmodules = true\n"
        '[push]\n\tfollowTags = true\n\trecurseSubmodules = on-demand\n[protocol "ext"]\n\tallow = always\n'
    )
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    raw_git(tmp_path, "init", "-q", "--bare", "--initial-branch=main", "host.git")
    return tmp_path / "host.git"


@pytest.fixture
def new_game(tmp_path: Path) -> Iterator[Callable[[str], Repository]]:
    """Makes game folders; at the end, nothing outside them may have run."""
    yield lambda name: Repository.create(tmp_path / name)
    assert not (tmp_path / "home/ran").exists() and not (tmp_path / "ran").exists()


@pytest.fixture
def repo(new_game: Callable[[str], Repository]) -> Repository:
    return new_game("hojo")
