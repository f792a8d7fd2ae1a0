"""A folder below which nothing leads outside: reached step by step, no link followed.

Where the system can hold a folder open (`Held`), a link put in its place later changes nothing. Elsewhere
(`Named`, on Windows) each step is looked at before it is used; whoever can write into the folder at that very
moment could win the race, but they could as well write what they want directly.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path

from pbem import system


class Folder(ABC):
    """What is done in a folder, by plain names."""

    @abstractmethod
    def open(self, name: str, flags: int, mode: int = 0o644) -> int:
        """A descriptor of a file."""

    @abstractmethod
    def unlink(self, name: str) -> None:
        """Take a file away."""

    @abstractmethod
    def replace(self, old: str, new: str) -> None:
        """One file takes the place of another, in one step."""

    @abstractmethod
    def below(self, name: str, *, make: bool) -> tuple[Folder, bool]:
        """A folder in this one, and whether it was made."""

    @abstractmethod
    def names(self) -> list[str]:
        """What is in it, sorted."""

    @abstractmethod
    def sync(self) -> None:
        """All that was done in it is on disk."""

    def close(self) -> None:  # noqa: B027 (what is not held need not be let go)
        """It is not used any more."""


class Held(Folder):
    """A folder that is held open."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def open(self, name: str, flags: int, mode: int = 0o644) -> int:
        return os.open(name, flags, mode, dir_fd=self._fd)

    def unlink(self, name: str) -> None:
        os.unlink(name, dir_fd=self._fd)

    def replace(self, old: str, new: str) -> None:
        os.replace(old, new, src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def below(self, name: str, *, make: bool) -> tuple[Folder, bool]:
        made = False
        if make:
            with suppress(FileExistsError):
                os.mkdir(name, 0o755, dir_fd=self._fd)
                made = True
        return Held(os.open(name, os.O_RDONLY | os.O_DIRECTORY | system.NO_LINK, dir_fd=self._fd)), made

    def names(self) -> list[str]:
        return sorted(os.listdir(self._fd))

    def sync(self) -> None:
        os.fsync(self._fd)

    def close(self) -> None:
        os.close(self._fd)


class Named(Folder):
    """A folder by its path."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _at(self, name: str) -> Path:
        path = self._path / name
        if path.is_symlink() or (path.exists() and path.resolve() != self._path.resolve() / name):
            raise OSError(0, "it is a link")
        return path

    def open(self, name: str, flags: int, mode: int = 0o644) -> int:
        return os.open(self._at(name), flags, mode)

    def unlink(self, name: str) -> None:
        os.unlink(self._path / name)

    def replace(self, old: str, new: str) -> None:
        os.replace(self._path / old, self._path / new)

    def below(self, name: str, *, make: bool) -> tuple[Folder, bool]:
        made = False
        if make:
            with suppress(FileExistsError):
                os.mkdir(self._path / name)
                made = True
        path = self._at(name)
        if not path.is_dir():
            raise NotADirectoryError(20, "it is no folder")
        return Named(path), made

    def names(self) -> list[str]:
        return sorted(os.listdir(self._path))

    def sync(self) -> None:
        system.sync_folder(self._path)


def hold(path: Path) -> Folder:
    """The folder itself, which may be reached by links: its owner chose the path."""
    if system.HAS_DESCRIPTORS:
        return Held(os.open(path, os.O_RDONLY | os.O_DIRECTORY))
    return Named(path.resolve(strict=True))
