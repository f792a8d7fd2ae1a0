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

from pbem.errors import VerificationError
from pbem.repository.layout import BLOB_LIMIT, Layout

_NEW = ".pbem-new"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class PlainFiles:
    """Reads and writes below one folder; on leaving, every folder written to is on disk."""

    def __init__(self, folder: Path, layout: Layout) -> None:
        self._path = folder
        self._layout = layout
        self._open: dict[str, int] = {"": os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)}
        self._written: set[str] = set()

    def __enter__(self) -> PlainFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                for folder in sorted(self._written):
                    os.fsync(self._open[folder])
        finally:
            for fd in self._open.values():
                os.close(fd)

    def read(self, path: str) -> bytes | None:
        """The content, or None when there is no such regular file of a lawful size."""
        folder, _, name = self._layout.check(path).rpartition("/")
        try:
            fd = os.open(
                name,
                os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,
                dir_fd=self._folder(folder, make=False),
            )
        except OSError:
            return None
        with os.fdopen(fd, "rb") as file:
            facts = os.fstat(fd)
            if not stat.S_ISREG(facts.st_mode) or facts.st_size > BLOB_LIMIT:
                return None
            return file.read(BLOB_LIMIT + 1)

    def write(self, path: str, data: bytes) -> None:
        """Puts the file in place, in one step."""
        folder, _, name = self._layout.check(path).rpartition("/")
        try:
            where = self._folder(folder, make=True)
            with suppress(FileNotFoundError):
                os.unlink(_NEW, dir_fd=where)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(_NEW, flags, 0o644, dir_fd=where), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.rename(_NEW, name, src_dir_fd=where, dst_dir_fd=where)
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
                os.unlink(name, dir_fd=self._folder(folder, make=False))
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
                found = sorted(os.listdir(self._folder(folder, make=False)))
            except OSError:
                continue
            for path in (f"{folder}/{name}" if folder else name for name in found):
                if self._layout.allows(path):
                    yield path
                elif self._layout.folders.fullmatch(path):
                    pending.append(path)

    def _folder(self, folder: str, *, make: bool) -> int:
        """A descriptor for a folder below ours, reached without following a link."""
        if folder not in self._open:
            above, _, name = folder.rpartition("/")
            fd = self._folder(above, make=make)
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o755, dir_fd=fd)
                    self._written.add(above)
            self._open[folder] = os.open(name, _FOLDER, dir_fd=fd)
        return self._open[folder]
