"""The plain files of a game folder: copies of what the main line holds, for people to read.

Invariants: a file appears whole or not at all (new file, fsync, rename); only paths of the layout
are touched; no link is followed, so nothing is written outside the folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from pbem import system
from pbem.errors import VerificationError
from pbem.repository.folders import Folder, hold
from pbem.repository.layout import BLOB_LIMIT, Layout

_NEW = ".pbem-new"


class PlainFiles:
    """Reads and writes below one folder; on leaving, every folder written to is on disk."""

    def __init__(self, folder: Path, layout: Layout) -> None:
        self._path = folder
        self._layout = layout
        self._open: dict[str, Folder] = {"": hold(folder)}
        self._written: set[str] = set()

    def __enter__(self) -> PlainFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                for folder in sorted(self._written):
                    self._open[folder].sync()
        finally:
            for held in self._open.values():
                held.close()

    def read(self, path: str) -> bytes | None:
        """The content, or None when there is no such regular file of a lawful size."""
        folder, _, name = self._layout.check(path).rpartition("/")
        try:
            fd = self._folder(folder, make=False).open(name, system.READ)
        except OSError:
            return None
        try:
            facts = os.fstat(fd)
            if not stat.S_ISREG(facts.st_mode) or facts.st_size > BLOB_LIMIT:
                return None
            with os.fdopen(fd, "rb", closefd=False) as file:
                return file.read(BLOB_LIMIT + 1)
        finally:
            os.close(fd)

    def write(self, path: str, data: bytes) -> None:
        """Puts the file in place, in one step."""
        folder, _, name = self._layout.check(path).rpartition("/")
        try:
            where = self._folder(folder, make=True)
            with suppress(FileNotFoundError):
                where.unlink(_NEW)
            with os.fdopen(where.open(_NEW, system.CREATE), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            where.replace(_NEW, name)
        except OSError as error:
            raise VerificationError(
                f"{path} cannot be written in {self._path}: {error.strerror}",
                "remove whatever stands in its place, then run the command again",
            ) from error
        self._written.add(folder)

    def remove(self, path: str) -> None:
        """Takes a file away, if it is there."""
        folder, _, name = self._layout.check(path).rpartition("/")
        try:
            with suppress(FileNotFoundError):
                self._folder(folder, make=False).unlink(name)
        except OSError as error:
            raise VerificationError(
                f"{path} cannot be removed from {self._path}: {error.strerror}",
                "remove it by hand, then run the command again",
            ) from error
        self._written.update({folder} & self._open.keys())

    def names(self) -> Iterator[str]:
        """Every path of the layout that exists in the folder, as whatever kind of file."""
        pending = [""]
        while pending:
            folder = pending.pop()
            try:
                found = self._folder(folder, make=False).names()
            except OSError:
                continue
            for path in (f"{folder}/{name}" if folder else name for name in found):
                if self._layout.allows(path):
                    yield path
                elif self._layout.folders.fullmatch(path):
                    pending.append(path)

    def _folder(self, folder: str, *, make: bool) -> Folder:
        """A folder below ours, reached without following a link."""
        if folder not in self._open:
            above, _, name = folder.rpartition("/")
            self._open[folder], made = self._folder(above, make=make).below(name, make=make)
            if made:
                self._written.add(above)
        return self._open[folder]
