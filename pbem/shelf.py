"""The log as a game folder has it: what its repository holds, and what goes there in one go.

Entries were verified when they were taken in: reading them again believes the folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.filing import commit_of, log_path, move_path
from pbem.pool import Pool
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.entry import Entry, as_entry, read
from pbem.repository import Repository
from pbem.repository.objects import object_id

POSITION = "position.toml"
_SEAT_LINE = re.compile(rb'^seat = "([a-z0-9-]+)"$', re.MULTILINE)


class Shelf:
    """The logged entries of one game, those not committed yet included."""

    def __init__(self, repo: Repository, pool: Pool, number: int, head: str | None) -> None:
        self._repo, self._pool = repo, pool
        self.head = head
        """The commit of the last entry: what is read here is read from it, and what is added follows it."""
        self.number = number
        """How many entries there are."""
        self._fresh: list[Logged] = []
        """Logged and not committed yet."""
        self._recent: dict[int, Entry] = {}
        """Entries logged while this was open, so that sending them again costs no read."""
        self._places = Places(repo)

    def add(self, logged: Sequence[Logged]) -> None:
        """What was logged stands at the end; it is committed later, with what follows."""
        self._fresh += logged
        self.number += len(logged)
        self._recent |= {one.number: one.entry for one in logged}

    def cut(self, to: int) -> None:
        """What came after entry `to` is no part of the line any more."""
        committed = self.number - len(self._fresh)
        self._fresh = [one for one in self._fresh if one.number <= to]
        self._recent = {number: entry for number, entry in self._recent.items() if number <= to}
        self.number = to
        if to < committed:
            self.head = self._repo.rewind(self._line()[to])

    def flush(self) -> None:
        """What has been logged becomes part of the repository; only then does it leave the pool."""
        if not self._fresh:
            return
        self.head = self._repo.append([commit_of(one) for one in self._fresh], parent=self.head)[-1]
        for one in self._fresh:
            self._pool.drop(one.entry.id)
        self._fresh = []

    def position_after(self, number: int) -> str:
        """The position as it was after an entry, as text."""
        self.flush()
        return self._repo.read(POSITION, self._line()[number]).decode()

    def _line(self) -> list[str]:
        return self._repo.history(self.head) if self.head else []

    def entries(self, numbers: Iterable[int]) -> list[Entry]:
        """Logged entries by number, as they were signed; at most two reads for all."""
        wanted = list(numbers)
        if all(n in self._recent for n in wanted):
            return [self._recent[n] for n in wanted]
        self.flush()
        logs = self._repo.read_many([log_path(n) for n in wanted], self.head)
        seats = [_SEAT_LINE.search(raw) for raw in logs]
        paths = [move_path(n, m.group(1).decode()) for n, m in zip(wanted, seats, strict=True) if m]
        return [trusted(raw) for raw in self._repo.read_many(paths, self.head)]

    def holds(self, raw: bytes) -> bool:
        """Whether exactly these bytes are in the repository."""
        return self._places.holds(raw)


class Places:
    """Which bytes the log of the repository has; looked at once for each state of the line."""

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._head: str | None = None
        self._ids: frozenset[str] = frozenset()

    def holds(self, raw: bytes) -> bool:
        """Whether exactly these bytes are in the log."""
        head = self._repo.head()
        if head != self._head:
            files = self._repo.listed([head]) if head is not None else []
            self._ids = frozenset(blob for path, blob in files if path.startswith("moves/"))
            self._head = head
        return object_id("blob", raw) in self._ids


def trusted(raw: bytes) -> Entry:
    """An entry of our own log, verified when it was taken in."""
    return as_entry(read(raw))
