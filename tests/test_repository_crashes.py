"""A game folder that is killed at any point is as before or as after; one writer at a time."""

from __future__ import annotations

import errno
import fcntl
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import BusyError, UsageError, disk_error
from pbem.repository import MAIN, Repository, expected_ids
from pbem.repository.disk import FileDisk
from pbem.repository.line import check_line
from tests.memory_disk import MemoryDisk, PowerLost
from tests.plain_git import begun, entry, raw_git


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


def killed(program: str) -> None:
    """Runs a program that must die by its own SIGKILL."""
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


def was_killed(act: Callable[[], object], before: int) -> bool:
    """The act in a process of its own, killed before its n-th change of the disk; false if there are less."""
    child = os.fork()
    if not child:
        left = before

        def dies(real: Callable[..., Any]) -> Callable[..., Any]:
            def changed(*args: Any) -> Any:
                nonlocal left
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*args)

            return changed

        for name in ("write", "write_at", "rename", "remove"):
            setattr(FileDisk, name, dies(getattr(FileDisk, name)))
        try:
            act()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def test_killed_anywhere_it_is_before_or_after_and_healed_by_whoever_opens_it(game: Repository) -> None:
    commits = [entry(n) for n in range(1, 9)]
    expected = expected_ids(commits)
    seen = Counter[bool]()
    for number in range(1, 100):
        place = game.path.with_name(f"killed-{number}")
        shutil.copytree(game.path, place)
        first = Repository.open(place)

        def add(repo: Repository = first) -> None:
            repo.append(commits[2:7], parent=expected[1])
            repo.write_files()

        if not was_killed(add, number):
            break
        repo = Repository.open(place)
        moved = repo.head() == expected[6]
        seen[moved] += 1
        assert moved or repo.head() == expected[1]
        assert repo.compare_files() == [] and raw_git(place, "status", "--short") == ""
        check_line(repo, commits[: 7 if moved else 2])
        repo.append(commits[7 if moved else 2 :], parent=repo.head())
        repo.write_files()
        assert repo.history() == list(expected) and repo.compare_files() == []
        assert raw_git(place, "fsck", "--strict", "--full") == ""
    assert seen[False] == 1 and seen[True] > 30, "the record is the moment that counts"


@pytest.mark.parametrize("cause", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES])
def test_a_disk_that_takes_nothing_more_is_named_and_nothing_is_lost(
    game: Repository, monkeypatch: pytest.MonkeyPatch, cause: int
) -> None:
    """At every change of the disk, and at all that follow: the line is before or after, and goes on later."""
    expected = expected_ids([entry(n) for n in range(1, 5)])
    for number in range(1, 100):
        place = game.path.with_name(f"full-{number}")
        shutil.copytree(game.path, place)
        repo, left = Repository.open(place), [number]

        def full(real: Callable[..., Any], left: list[int] = left) -> Callable[..., Any]:
            def changed(*args: Any) -> Any:
                left[0] -= 1
                if left[0] <= 0:
                    raise OSError(cause, os.strerror(cause), "somewhere")
                return real(*args)

            return changed

        with monkeypatch.context() as patch:
            for name in ("write", "write_at", "rename", "remove"):
                patch.setattr(FileDisk, name, full(getattr(FileDisk, name)))
            try:
                repo.append([entry(3)], parent=expected[1])
                repo.write_files()
            except OSError as error:
                told = disk_error(error)
                assert told is not None and told.exit_code == 7
            looked = Repository.open(place)
            assert looked.head() in expected[1:3], "who only reads can go on"
        again = Repository.open(place)
        assert again.compare_files() == []
        if again.head() == expected[1]:
            again.append([entry(3)], parent=expected[1])
        again.append([entry(4)], parent=again.head())
        again.write_files()
        assert again.history() == list(expected) and raw_git(place, "status", "--short") == ""
        if left[0] > 0:
            break


@pytest.mark.parametrize("seed", range(60))
def test_a_loss_of_power_anywhere_loses_nothing_that_was_told_to_be_done(seed: int) -> None:
    """Only the record is waited for: what else was written may be there, as it was before, or empty."""
    rng = random.Random(seed)
    commits = [entry(n) for n in range(1, 13)]
    expected = expected_ids(commits)
    disk, done = MemoryDisk(), 0
    for _ in range(6):
        disk.left = rng.randrange(120)
        repo = Repository(disk, Path("nowhere"))
        try:
            repo.heal()
            assert (repo.head() or None) == (expected[done - 1] if done else None)
            while done < len(commits):
                more = rng.randrange(1, 4)
                repo.append(commits[done : done + more], parent=repo.head())
                done = min(done + more, len(commits))
                repo.write_files()
        except PowerLost:
            disk.lose_power(rng)
            again = Repository(disk, Path("nowhere"))
            again.heal()
            line = again.history()
            assert len(line) >= done and line == list(expected[: len(line)])
            done = len(line)
            if done:
                check_line(again, commits[:done])
                assert again.compare_files() == []


def test_one_entry_or_many_are_waited_for_once() -> None:
    disk = MemoryDisk()
    repo = Repository(disk, Path("nowhere"))
    for first, last in ((1, 2), (2, 3), (3, 60)):
        before = disk.waits
        repo.append([entry(n) for n in range(first, last)], parent=repo.head())
        repo.write_files()
        assert disk.waits - before == 1


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
