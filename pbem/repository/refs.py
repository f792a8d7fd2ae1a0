"""Refs of a git directory: in files of their own, or in packed-refs as git writes them for a clone.

A ref moves by a new file that takes the place of the old one, under the name that git itself locks with.
"""

from __future__ import annotations

from contextlib import suppress

from pbem.errors import VerificationError
from pbem.repository.disk import Disk
from pbem.repository.layout import check_id

_LIMIT = 1024
_PACKED_LIMIT = 4 << 20


class Refs:
    """The refs below one git directory, `top` being its path on the disk with a slash, or nothing."""

    def __init__(self, disk: Disk, top: str) -> None:
        self._disk, self._top = disk, top

    def read(self, name: str) -> str | None:
        """The commit that a ref names, None if there is no such ref."""
        try:
            raw = self._disk.read(f"{self._top}{name}", _LIMIT)
        except (FileNotFoundError, IsADirectoryError):
            return self._packed().get(name)
        except OSError:
            raw = b""
        try:
            return check_id(raw.decode("ascii", "replace").strip())
        except VerificationError:
            raise VerificationError(f"{name} is damaged", "clone or rebuild the game") from None

    def move(self, name: str, commit: str) -> None:
        """From now on the ref names this commit; on disk whenever the machine likes."""
        path = f"{self._top}{name}"
        self._disk.write(f"{path}.lock", f"{commit}\n".encode())
        self._disk.rename(f"{path}.lock", path)

    def is_any(self, folder: str) -> bool:
        """True if there is a ref below a folder of refs."""
        return bool(self._disk.names(f"{self._top}{folder}")) or any(
            name.startswith(f"{folder}/") for name in self._packed()
        )

    def _packed(self) -> dict[str, str]:
        found: dict[str, str] = {}
        with suppress(OSError):
            raw = self._disk.read(f"{self._top}packed-refs", _PACKED_LIMIT)
            for line in raw.decode("utf-8", "replace").splitlines():
                commit, _, name = line.partition(" ")
                if not line.startswith(("#", "^")) and name:
                    found[name] = check_id(commit)
        return found
