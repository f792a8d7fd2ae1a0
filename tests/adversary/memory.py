"""A game folder's repository in memory, so that thousands of games can be played with the real `Table`.

It refuses what the real one refuses (dates, paths, sizes, a line that moved) and names a commit after
everything in it, so that two lines have the same ids exactly if they would have the same in git.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, ClassVar

import pbem.table
from pbem.errors import BusyError, PbemError, UsageError
from pbem.protocol.crypto import sshsig
from pbem.protocol.papers import contract, entry
from pbem.repository.layout import GAME
from pbem.repository.objects import Commit, check_commit, object_id


@lru_cache(maxsize=20_000)
def _blob(data: bytes) -> str:
    return object_id("blob", data)


class MemoryRepository:
    """One game folder. Only `.git/pbem` (entries that wait, what was signed) is on a disk."""

    shelf: ClassVar[dict[Path, MemoryRepository]] = {}

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line: list[tuple[str, Commit]] = []

    @classmethod
    def create(cls, path: Path) -> MemoryRepository:
        assert path not in cls.shelf
        path.mkdir(parents=True)
        cls.shelf[path] = cls(path)
        return cls.shelf[path]

    @classmethod
    def open(cls, path: Path) -> MemoryRepository:
        return cls.shelf[path]

    def copy(self, path: Path) -> MemoryRepository:
        """The same line in another folder."""
        new = type(self).create(path)
        new.line = list(self.line)
        return new

    @contextmanager
    def lock(self) -> Iterator[None]:
        yield

    def head(self) -> str | None:
        return self.line[-1][0] if self.line else None

    def history(self, head: str | None = None) -> list[str]:
        names = [name for name, _ in self.line]
        return names if head is None else names[: names.index(head) + 1]

    def append(self, commits: Sequence[Commit], *, parent: str | None) -> tuple[str, ...]:
        if parent != self.head():
            raise BusyError("the line moved meanwhile")
        for commit in commits:
            check_commit(commit, GAME)
        made = []
        for commit in commits:
            parts: list[Any] = [
                parent,
                commit.author,
                commit.when,
                commit.message,
                sorted(commit.files.items()),
            ]
            parent = hashlib.sha1(repr(parts).encode(), usedforsecurity=False).hexdigest()
            self.line.append((parent, commit))
            made.append(parent)
        return tuple(made)

    def rewind(self, commit: str) -> str:
        if commit not in self.history():
            raise UsageError("no commit of the line")
        del self.line[self.history().index(commit) + 1 :]
        return commit

    def read(self, path: str, rev: str | None = None) -> bytes:
        return self.read_many([path], rev)[0]

    def read_many(self, paths: Sequence[str], rev: str | None = None) -> list[bytes]:
        end = len(self.line) if rev is None else self.history().index(rev) + 1
        return [self._latest(path, end) for path in paths]

    def _latest(self, path: str, end: int) -> bytes:
        for _, commit in reversed(self.line[:end]):
            if path in commit.files:
                return commit.files[path]
        raise KeyError(path)

    def listed(self, revs: Sequence[str]) -> list[tuple[str, str]]:
        """Path and blob of every file at the end of one of these commits."""
        found: dict[tuple[str, str], None] = {}
        for rev in revs:
            files: dict[str, bytes] = {}
            for _, commit in self.line[: self.history().index(rev) + 1]:
                files |= commit.files
            found |= {(path, _blob(data)): None for path, data in files.items()}
        return list(found)

    def files(self, front: str = "") -> dict[str, bytes]:
        """Every file at the end of the line."""
        found: dict[str, bytes] = {}
        for _, commit in self.line:
            found |= {path: data for path, data in commit.files.items() if path.startswith(front)}
        return found

    def write_files(self) -> None:
        """There are no plain files."""


def _kept(real: Callable[..., Any]) -> Callable[..., Any]:
    """What many machines in one process would do to the same bytes many times, done once; refusals, too."""

    @lru_cache(maxsize=20_000)
    def once(*told: Any) -> tuple[Any, PbemError | None]:
        try:
            return real(*told), None
        except PbemError as error:
            return None, error

    @wraps(real)
    def again(*told: Any) -> Any:
        found, refused = once(*told)
        if refused is not None:
            raise refused.with_traceback(None)
        return found

    again.forget = once.cache_clear  # type: ignore[attr-defined]
    return again


_CACHED = {real: _kept(real) for real in (entry.read, sshsig.verify_raw, contract.read_contract)}


def forget() -> None:
    """Nothing is known of any bytes: what they are may be judged differently from here on."""
    for kept in _CACHED.values():
        kept.forget()  # type: ignore[attr-defined]


def _swap(old: Any, new: Any) -> None:
    """Put one function in the place of another wherever it was imported."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("pbem.", "tests.adversary")) and module is not None:
            for word in [w for w, value in vars(module).items() if value is old]:
                setattr(module, word, new)


@contextmanager
def in_memory() -> Iterator[Path]:
    """Tables opened in here live in memory; yields a folder for what they keep beside it."""
    fast = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="pbem-", dir=fast if fast.is_dir() else None))
    real = pbem.table.Repository
    pbem.table.Repository = MemoryRepository  # type: ignore[assignment,misc]
    for old, new in _CACHED.items():
        _swap(old, new)
    try:
        yield folder
    finally:
        pbem.table.Repository = real  # type: ignore[misc]
        for old, new in _CACHED.items():
            _swap(new, old)
        for path in [p for p in MemoryRepository.shelf if p.is_relative_to(folder)]:
            del MemoryRepository.shelf[path]
        shutil.rmtree(folder, ignore_errors=True)
