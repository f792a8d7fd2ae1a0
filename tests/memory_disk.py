"""A disk in memory, for the store alone; it can lose its power, and with it whatever was not waited for."""

from __future__ import annotations

import random


class Held:
    """The lock of a disk that only one process knows."""

    fd = None

    def __init__(self, disk: MemoryDisk) -> None:
        self._disk = disk

    def release(self) -> None:
        self._disk.is_locked = False


class PowerLost(Exception):
    """The machine stopped."""


class MemoryDisk:
    """Files by path, as they are now and as they would be after a loss of power."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.safe: dict[str, bytes] = {}
        self.whole: set[str] = set()
        """Names that may be lost, but not the bytes behind them: those were waited for."""
        self.is_locked = False
        self.starts = 0
        self.left = -1
        """So many more changes are made before the power goes; -1: it does not."""
        self.waits = 0
        """How often something was waited for."""

    def read(self, path: str, most: int) -> bytes:
        if path not in self.files:
            raise FileNotFoundError(2, "no such file", path)
        if len(self.files[path]) > most:
            raise OSError(27, "too large", path)
        return self.files[path]

    def part(self, path: str, start: int, size: int) -> bytes:
        return self.read(path, 1 << 40)[start : start + size]

    def write(self, path: str, data: bytes) -> None:
        self._change()
        self.files[path] = data
        self.whole.discard(path)

    def write_at(self, path: str, start: int, data: bytes) -> None:
        self._change()
        old = self.files.get(path, b"")[:start]
        self.files[path] = old + data[: len(data) // 2]
        self._change()
        self.files[path] = self.safe[path] = old + data
        self.waits += 1

    def rename(self, old: str, new: str) -> None:
        self._change()
        if old not in self.files:
            raise FileNotFoundError(2, "no such file", old)
        if self.safe.get(old) == self.files[old]:
            self.whole.add(new)
        else:
            self.whole.discard(new)
        self.files[new] = self.files.pop(old)

    def remove(self, path: str) -> None:
        self._change()
        self.files.pop(path, None)

    def names(self, folder: str) -> list[str]:
        top = f"{folder}/" if folder else ""
        below = [path.removeprefix(top) for path in self.files if path.startswith(top)]
        return sorted({path.partition("/")[0] for path in below})

    def make(self, folder: str) -> None:
        """Folders need not be made."""

    def sync(self, *paths: str) -> None:
        self.waits += len(paths)
        for path in paths:
            if path in self.files:
                self.safe[path] = self.files[path]
            else:  # a folder: what stands in it, and what does not, is known for good
                top = f"{path}/" if path else ""
                for name in [one for one in self.safe if one.startswith(top) and one not in self.files]:
                    del self.safe[name]

    def lock(self, path: str, seconds: float) -> Held | None:
        if self.is_locked:
            return None
        self.is_locked = True
        return Held(self)

    def boot(self) -> str:
        return f"start-{self.starts}"

    def _change(self) -> None:
        if self.left == 0:
            raise PowerLost
        self.left -= 1

    def lose_power(self, rng: random.Random) -> None:
        """What was not waited for is there, as it was before, or empty: each file for itself."""
        for path in sorted(self.files.keys() | self.safe.keys()):
            now, before = self.files.get(path), self.safe.get(path)
            if now == before:
                continue
            cut = now if path in self.whole else b""
            if before and now and now.startswith(before):
                cut = before  # what was only added to keeps its beginning
            left = rng.choice([now, before, cut if now is not None else before])
            self.files.pop(path, None)
            if left is not None:
                self.files[path] = left
        self.safe = dict(self.files)
        self.is_locked, self.left = False, -1
        self.starts += 1
