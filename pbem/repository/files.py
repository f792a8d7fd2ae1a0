"""The plain files of a game folder: copies of what the main line holds, for people to read.

Invariants: a file appears whole or not at all; only paths of the layout are touched; no link is followed, so
nothing is written outside the folder. Nobody waits until they are on disk: they can be written again.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator

from pbem.errors import VerificationError
from pbem.repository.disk import Disk
from pbem.repository.layout import BLOB_LIMIT, Layout

_NEW = ".pbem-new"
_IN_THE_WAY = (errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOTEMPTY, errno.ELOOP)


class PlainFiles:
    """Reads and writes the files of a layout below the root of a disk."""

    def __init__(self, disk: Disk, layout: Layout) -> None:
        self._disk, self._layout = disk, layout

    def read(self, path: str) -> bytes | None:
        """The content, or None when there is no such regular file of a lawful size."""
        try:
            return self._disk.read(self._layout.check(path), BLOB_LIMIT)
        except OSError:
            return None

    def write(self, path: str, data: bytes) -> None:
        """Puts the file in place, in one step."""
        folder, slash, _ = self._layout.check(path).rpartition("/")
        try:
            self._disk.write(f"{folder}{slash}{_NEW}", data)
            self._disk.rename(f"{folder}{slash}{_NEW}", path)
        except OSError as error:
            raise _in_the_way(path, error, "written") from error

    def remove(self, path: str) -> None:
        """Takes a file away, if it is there."""
        try:
            self._disk.remove(self._layout.check(path))
        except OSError as error:
            raise _in_the_way(path, error, "removed") from error

    def names(self) -> Iterator[str]:
        """Every path of the layout that exists in the folder, as whatever kind of file."""
        pending = [""]
        while pending:
            folder = pending.pop()
            try:
                found = self._disk.names(folder)
            except OSError:
                continue
            for path in (f"{folder}/{name}" if folder else name for name in found):
                if self._layout.allows(path):
                    yield path
                elif self._layout.folders.fullmatch(path):
                    pending.append(path)


def _in_the_way(path: str, error: OSError, done: str) -> Exception:
    """Something stands where a file should be; a full disk and the like are what they are."""
    if error.errno not in _IN_THE_WAY:
        return error
    return VerificationError(
        f"{path} cannot be {done}: {error.strerror}",
        "remove whatever stands in its place, then run the command again",
    )
