"""A game folder that is killed at any point is as before or as after; one writer at a time."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.errors import BusyError, UsageError
from pbem.repository import MAIN, Repository, expected_ids
from tests.plain_git import begun, entry


@pytest.fixture
def game(tmp_path: Path) -> Repository:
    return begun(tmp_path / "game")


def test_the_line_grows_only_from_its_end(game: Repository) -> None:
    first, head = game.history()
    for parent in (None, first):
        with pytest.raises(BusyError, match="moved meanwhile"):
            game.append([entry(3)], parent=parent)
    assert game.head() == head
    assert len(game.append([entry(3)], parent=head)) == 1
    assert game.append([], parent=first) == ()


def test_one_writer_at_a_time(game: Repository) -> None:
    other = Repository.open(game.path)
    with game.lock(), game.lock():
        with pytest.raises(BusyError, match="another pbem"), other.lock():
            pass
        with pytest.raises(BusyError):
            other.append([entry(3)], parent=other.head())
        game.append([entry(3)], parent=game.head())
    with other.lock():
        assert other.head() == game.head()


def test_stale_locks_of_a_killed_run_are_cleared(game: Repository) -> None:
    for name in ("index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", f"{MAIN}.lock"):
        (game.git.git_dir / name).write_text("")
    game.append([entry(3)], parent=game.head())
    assert sorted(p.name for p in game.git.git_dir.rglob("*.lock")) == ["pbem.lock"]


CHILD = """
import os, signal, sys
from pathlib import Path
from typing import IO
from pbem.repository import Repository, files, store
from pbem.repository.plumbing import Plumbing
sys.path.insert(0, {tests!r})
from tests.plain_git import entry

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

point = {point!r}
run = Plumbing.run
def stop_at(name, after, cut=False):
    def patched(self, *args, **kwargs):
        if args[0] != name:
            return run(self, *args, **kwargs)
        if cut:
            kwargs["data"] = kwargs["data"][: len(kwargs["data"]) // 2]
        if after:
            run(self, *args, **kwargs)
        die()
    Plumbing.run = patched

def after_calls(owner, name, count):
    original, calls = getattr(owner, name), []
    def patched(*args, **kwargs):
        calls.append(name)
        if len(calls) > count:
            die()
        return original(*args, **kwargs)
    setattr(owner, name, patched)

{{
    "before import": lambda: stop_at("fast-import", False),
    "import cut": lambda: stop_at("fast-import", True, cut=True),
    "after import": lambda: stop_at("fast-import", True),
    "before ref": lambda: stop_at("update-ref", False),
    "after ref": lambda: stop_at("update-ref", True),
    "before files": lambda: after_calls(files.PlainFiles, "write", 0),
    "between files": lambda: after_calls(files.PlainFiles, "write", 2),
    "before rename": lambda: after_calls(files.os, "replace", 1),
    "before mark": lambda: after_calls(store, "write_whole", 0),
}}[point]()
repo = Repository.open(Path({folder!r}))
repo.append([entry(n) for n in range(3, 8)], parent=repo.head())
repo.write_files()
"""


def killed(program: str) -> None:
    """Runs a program that must die by its own SIGKILL."""
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize(
    ("point", "moved"),
    [
        ("before import", False),
        ("import cut", False),
        ("after import", False),
        ("before ref", False),
        ("after ref", True),
        ("before files", True),
        ("between files", True),
        ("before rename", True),
        ("before mark", True),
    ],
)
def test_killed_anywhere_it_is_before_or_after(game: Repository, point: str, moved: bool) -> None:
    commits = [entry(n) for n in range(1, 9)]
    expected = expected_ids(commits)
    killed(CHILD.format(tests=str(Path(__file__).parent.parent), point=point, folder=str(game.path)))
    repo = Repository.open(game.path)
    assert repo.head() == expected[6 if moved else 1]
    assert (repo.compare_files() != []) == (moved and point != "before mark")
    repo.write_files()
    assert repo.compare_files() == []
    repo.append(commits[7 if moved else 2 :], parent=repo.head())
    repo.write_files()
    assert repo.history() == list(expected) and repo.compare_files() == []


def test_killed_while_creating_leaves_no_half_repository(tmp_path: Path) -> None:
    killed(
        "import os, signal\nfrom pathlib import Path\nfrom pbem.repository import Repository, store\n"
        "store.os.rename = lambda *a: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"Repository.create(Path({str(tmp_path / 'game')!r}))"
    )
    with pytest.raises(UsageError, match="not a game folder"):
        Repository.open(tmp_path / "game")
    repo = Repository.create(tmp_path / "game")
    assert len(repo.append([entry(1)], parent=None)) == 1
    with pytest.raises(UsageError, match="already holds"):
        Repository.create(tmp_path / "game")


def test_the_lock_outlives_a_killed_run_while_its_git_still_writes(game: Repository, tmp_path: Path) -> None:
    """Clearing the ref lock of a git that is still alive would let it rename ours."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = (
        "import sys\nfrom pathlib import Path\nfrom pbem.repository import Repository\n"
        "repo = Repository.open(Path(sys.argv[1]))\n"
        "with repo.lock():\n    repo.git.run('hash-object', '--no-filters', sys.argv[2])\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(game.path), str(pipe)])
    with open(pipe, "wb"):  # opens once the child's git reads, and holds it there
        child.kill()
        child.wait()
        with pytest.raises(BusyError), game.lock():
            pass
    with open(game.git.git_dir / "pbem.lock", "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # returns when that git has ended
    game.append([entry(3)], parent=game.head())


def test_the_line_goes_back_only_to_a_commit_of_its_own(game: Repository) -> None:
    first = game.history()[1]
    game.append([entry(3)], parent=game.head())
    game.write_files()
    assert game.rewind(first) == first == game.head()
    game.write_files()
    assert game.compare_files() == [] and not (game.path / "moves/0001/000003-hojo.toml").exists()
    with pytest.raises(UsageError):
        game.rewind("0" * 40)
