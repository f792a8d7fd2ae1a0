"""The one door between the store and the machine: files by path, a lock, and when something is on disk.

Everything else in this folder that keeps a game is plain Python over a `Disk`, so the same store runs on a
file system, in a browser and in memory. Only `plumbing`, which starts git for fetching, pushing and packing,
goes past it.

A `Disk` has one root. Paths are relative to it, with slashes. Anything that goes wrong is an `OSError`.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from pbem import system


class Lock(Protocol):
    """A lock that is held."""

    fd: int | None
    """What a child process inherits so that it holds the lock, too; None where there are no children."""

    def release(self) -> None:
        """Let the next one in."""


class Disk(Protocol):
    """The files below one folder."""

    def read(self, path: str, most: int) -> bytes:
        """The bytes of a plain file that has at most so many."""

    def part(self, path: str, start: int, size: int) -> bytes:
        """Up to `size` bytes of a plain file, from `start` on."""

    def write(self, path: str, data: bytes) -> None:
        """A new file with these bytes takes the place of whatever file had this name, not in one step.

        Folders on the way are made.
        """

    def write_at(self, path: str, start: int, data: bytes) -> None:
        """These bytes stand from `start` to the end of the file, and are on disk when this returns."""

    def rename(self, old: str, new: str) -> None:
        """One file or folder takes the place of another, in one step."""

    def remove(self, path: str) -> None:
        """Take a file away, if it is there."""

    def names(self, folder: str) -> list[str]:
        """What stands in a folder, sorted; nothing if there is no such folder."""

    def make(self, folder: str) -> None:
        """The folder is there, with those above it."""

    def sync(self, *paths: str) -> None:
        """These files or folders are on disk when this returns."""

    def lock(self, path: str, seconds: float) -> Lock | None:
        """The lock of this name, waited for so long; None if another process holds it."""

    def boot(self) -> str:
        """The same text as long as nothing that was written can have been lost with the machine."""


class FileDisk:
    """A folder of a file system. No link below it is followed, and no pipe is waited for.

    Each folder on the way is looked at before it is used. Whoever can write into the folder at that very
    moment could win the race, but they could as well write what they want directly.
    """

    def __init__(self, root: Path) -> None:
        self.root = str(root.absolute())

    def read(self, path: str, most: int) -> bytes:
        with os.fdopen(self._open(path), "rb") as file:
            facts = os.fstat(file.fileno())
            if not stat.S_ISREG(facts.st_mode) or facts.st_size > most:
                raise OSError(errno.EFBIG, f"no plain file of at most {most} bytes", path)
            return file.read(most)

    def part(self, path: str, start: int, size: int) -> bytes:
        with os.fdopen(self._open(path), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "no plain file", path)
            file.seek(start)
            return file.read(size)

    def write(self, path: str, data: bytes) -> None:
        whole = self._at(path, make=True)
        try:
            fd = os.open(whole, system.CREATE, 0o644)
        except FileExistsError:
            os.unlink(whole)
            fd = os.open(whole, system.CREATE, 0o644)
        try:
            with os.fdopen(fd, "wb", buffering=0) as file:
                _write_all(file.fileno(), data)
        except BaseException:
            os.unlink(whole)
            raise

    def write_at(self, path: str, start: int, data: bytes) -> None:
        whole = self._at(path, make=True)
        is_new = not os.path.lexists(whole)
        fd = os.open(whole, system.UPDATE, 0o644)
        try:
            os.ftruncate(fd, start)
            os.lseek(fd, start, os.SEEK_SET)
            _write_all(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)
        if is_new:
            self.sync(path.rpartition("/")[0])

    def rename(self, old: str, new: str) -> None:
        os.replace(self._at(old), self._at(new, make=True))

    def remove(self, path: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._at(path))

    def names(self, folder: str) -> list[str]:
        try:
            return sorted(os.listdir(self._at(f"{folder}/x")[:-2]))
        except FileNotFoundError:
            return []

    def make(self, folder: str) -> None:
        self._at(f"{folder}/x", make=True)

    def sync(self, *paths: str) -> None:
        for path in paths:
            whole = self._at(path) if path else self.root
            if not os.path.isdir(whole):
                fd = os.open(whole, system.READ_AND_SYNC)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)
            else:
                system.sync_folder(Path(whole))

    def lock(self, path: str, seconds: float) -> Lock | None:
        return system.wait_for_lock(Path(self._at(path, make=True)), seconds)

    def boot(self) -> str:
        return system.boot()

    def _open(self, path: str) -> int:
        return os.open(self._at(path), system.READ)

    def _at(self, path: str, make: bool = False) -> str:
        """The whole path, after a look at each folder on the way."""
        *folders, name = path.split("/")
        whole = self.root
        for folder in folders:
            whole = f"{whole}/{folder}"
            try:
                mode = os.lstat(whole).st_mode
            except FileNotFoundError:
                if not make:
                    raise
                os.mkdir(whole, 0o755)
                continue
            if not stat.S_ISDIR(mode):
                raise OSError(
                    errno.ENOTDIR, "it is a link" if stat.S_ISLNK(mode) else "it is no folder", whole
                )
        return f"{whole}/{name}"


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]
