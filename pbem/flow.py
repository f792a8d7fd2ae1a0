"""The one flow, without a disk: bytes from anybody become part of the log, or are refused and change nothing.

A table is this flow with a folder, verifying a finished game is the same flow run again from the first
entry, a test's player is the flow alone. No byte is read or verified twice on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pbem.errors import PbemError
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import ANSWERING, ASIDE, TAKES_IN, Body
from pbem.protocol.papers.entry import SEEN, VERSION, Entry, Head, compose, read
from pbem.protocol.rounds.due import Due


def _nothing(_: object) -> None:
    """Nothing is kept and nothing committed."""


def _raise(error: PbemError) -> None:
    raise error


@dataclass
class Flow:
    """One game as one seat (or a spectator) goes along with it."""

    ledger: Ledger
    seat: str | None = None

    def take(
        self,
        raws: Iterable[bytes],
        keep: Callable[[Entry], None] = _nothing,
        commit: Callable[[Sequence[Logged]], object] = _nothing,
        refuse: Callable[[PbemError], None] = _raise,
    ) -> list[Logged]:
        """Take entries in; returns what became part of the log because of them.

        What has passed every check that needs no round goes to `keep`, which puts it on disk. The ledger
        does (4) to (6) for each order of a complete round.
        """
        entries = []
        for raw in raws:
            try:
                unverified = read(raw)  # (1) read: well-formed bytes, nothing believed
                entry = self.ledger.admit(unverified)  # (2) verify: this game, this seat, signed by its key
            except PbemError as error:
                refuse(error)
                continue
            keep(entry)
            entries.append(entry)
        logged = self.ledger.offer(entries)  # (3) admit: is a round complete?
        #                                      (4) rules: legal, and what follows
        #                                      (5) chance: dice, chits, cards, asked for by a rule
        #                                      (6) invariants of the game
        commit(logged)  # (7) log, position and one commit for each entry, or nothing
        return logged  # (8) a report for each side: what happened, under the rules that made it happen

    def due(self) -> Due | None:
        """What this seat owes now, unless it has given it."""
        return self.ledger.missing().get(self.seat) if self.seat else None

    def unseen(self) -> tuple[str, ...]:
        """Entries out of turn that the next decision takes in; of each seat the last names those before."""
        found = self.ledger.unseen()[:SEEN]
        followed = {entry.head.prev for entry in found}
        return tuple(entry.id for entry in found if entry.id not in followed)

    def head(self, kind: str, now: str) -> Head:
        """The head of this seat's next entry of a kind."""
        ledger, lane = self.ledger, "answer" if kind in ANSWERING else "decide"
        return Head(
            v=VERSION,
            game=ledger.contract.game.hex(),
            seat=str(self.seat),
            lane=lane,
            after=ledger.place.tip,
            pos=ledger.place.digest,
            sent=now if lane == "decide" else ledger.state.since,
            kind=kind,
            prev=ledger.last_aside(str(self.seat)) if kind in ASIDE else "",
            seen=self.unseen() if kind in TAKES_IN else (),
        )

    def sign(self, kind: str, body: Body, key: SigningKey, now: str) -> bytes:
        """This seat's next entry. Who keeps what was signed looks there first: a tip is answered once."""
        return compose(self.head(kind, now), body, key)
