"""The index of a game folder, written so that `git status` shows nothing to whoever looks with git.

pbem itself never reads it for anything else. What is new takes its place among the entries that are there;
where the index is missing, or is not one that can be read, the caller gives every file of the last commit.
"""

from __future__ import annotations

import hashlib
import struct
from bisect import bisect_left
from collections.abc import Callable, Mapping

from pbem.errors import VerificationError
from pbem.repository.disk import Disk

_LIMIT = 64 << 20
_FIXED = struct.Struct(">24x I 12x 20s H")
"""Of an entry: no facts of the file (git looks itself), its mode, none, its id, the length of its name."""
_MODE = 0o100644


class Index:
    """The index at one path of a disk."""

    def __init__(self, disk: Disk, path: str) -> None:
        self._disk, self._path = disk, path

    def update(
        self, new: Mapping[str, str], gone: set[str], everything: Callable[[], Mapping[str, str]]
    ) -> None:
        """These files (path -> blob) are other ones now, and those have gone."""
        try:
            entries = self._read()
        except (OSError, VerificationError):
            entries, new = {}, everything()
        for path in gone:
            entries.pop(path.encode(), None)
        known = sorted(entries)
        for path, blob in new.items():
            name = path.encode()
            at = bisect_left(known, name)
            if at == len(known) or known[at] != name:
                known.insert(at, name)
            entries[name] = _entry(name, blob)
        body = b"".join([b"DIRC", struct.pack(">II", 2, len(known)), *(entries[name] for name in known)])
        fresh = f"{self._path}.lock"
        self._disk.write(fresh, body + hashlib.sha1(body, usedforsecurity=False).digest())
        self._disk.rename(fresh, self._path)

    def _read(self) -> dict[bytes, bytes]:
        """Name -> entry, as the index has them."""
        raw = self._disk.read(self._path, _LIMIT)
        if raw[:8] != b"DIRC\0\0\0\2" or hashlib.sha1(raw[:-20], usedforsecurity=False).digest() != raw[-20:]:
            raise VerificationError("this is no index that can be read")
        found: dict[bytes, bytes] = {}
        at = 12
        for _ in range(struct.unpack_from(">I", raw, 8)[0]):
            end = raw.find(b"\0", at + 62)
            size = (end - at + 8) & ~7
            found[raw[at + 62 : end]] = raw[at : at + size]
            at += size
            if end < 0 or at > len(raw) - 20:
                raise VerificationError("the index is damaged")
        return found


def _entry(name: bytes, blob: str) -> bytes:
    entry = _FIXED.pack(_MODE, bytes.fromhex(blob), min(len(name), 0xFFF)) + name
    return entry + bytes(8 - len(entry) % 8)
