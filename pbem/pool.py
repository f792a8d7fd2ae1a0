"""Entries that wait, as files in .git/pbem/pool: whoever opens the game next finds them.

Invariants: a file is there with all its bytes or not at all, and is named by the entry's id. What was taken
in and goes on to the log at once never becomes a file: only what still waits at the end is written, on disk
before anybody is told that it was taken in. Files are written and taken away under the lock of the game. The
folder may have come from elsewhere, so it is read with limits.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from itertools import islice
from pathlib import Path

from pbem.protocol.papers.entry import LIMIT, Entry
from pbem.system import read_small, write_whole

MOST_FILES = 5000
"""So many entries that wait are read when a game is opened: more than all seats have room for."""


class Pool:
    """The entries that wait in one game folder."""

    def __init__(self, game: Path) -> None:
        self._folder = game / ".git" / "pbem" / "pool"
        self._fresh: dict[str, bytes] = {}
        """What was taken in and is no file yet."""

    def keep(self, entry: Entry) -> None:
        """The entry waits; it is on disk after the next `save`."""
        self._fresh[entry.id] = entry.raw

    def save(self) -> None:
        """What waits is on disk when this returns."""
        if self._fresh:
            self._folder.mkdir(parents=True, exist_ok=True)
        for name in list(self._fresh):
            write_whole(self._file(name), self._fresh[name])
            del self._fresh[name]

    def drop(self, name: str) -> None:
        """The entry waits no longer."""
        if self._fresh.pop(name, None) is None:
            self._file(name).unlink(missing_ok=True)

    def only(self, names: Collection[str]) -> None:
        """Nothing waits any more but these."""
        for name in (*self._fresh, *self.names()):
            if name not in names:
                self.drop(name)

    def read(self, name: str) -> bytes:
        """The bytes of one that waits."""
        return read_small(self._file(name), LIMIT)

    def names(self) -> list[str]:
        """The ids of those that wait as files, in order; not more than a game can have."""
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(self._folder) as found:
            files = [one.name for one in islice(found, MOST_FILES)]
            return sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml"))
        return []

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.toml"
