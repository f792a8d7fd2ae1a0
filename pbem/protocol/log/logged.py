"""What the ledger hands out: entries that have become part of the log, and those that came too late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem import toml
from pbem.engine.events import Event
from pbem.engine.position import Claim
from pbem.errors import VerificationError
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.state import position_digest


class Stale(Exception):
    """An entry whose number the log already has: a repeat, or one half of a double."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.id)
        self.entry = entry


class OtherPosition(VerificationError):
    """An answer to the present round was given in another position than the one here. It is kept."""


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry that has become part of the log."""

    number: int
    entry: Entry
    events: tuple[Event, ...]
    claims: tuple[Claim, ...]
    position: str
    """position.toml after it."""

    def text(self) -> str:
        """The log file: what the entry led to."""
        head = self.entry.head
        table: dict[str, Any] = {
            "number": self.number,
            "entry": self.entry.id,
            "seat": head.seat,
            "kind": head.kind,
            "sent": head.sent,
            "position": position_digest(self.position),
        }
        if self.events:
            table["events"] = [event.table() for event in self.events]
        return toml.dumps(table)
