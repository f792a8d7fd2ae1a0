"""What the ledger hands out: entries that have become part of the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem import toml
from pbem.engine.events import Event
from pbem.engine.position import Claim
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.state import position_digest


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
