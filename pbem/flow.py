"""The one flow, without a disk: bytes from anybody become part of the log, or are refused and change nothing.

A table is this flow with a folder, verifying a finished game is the same flow run again from the first
entry, a test's player is the flow alone. No byte is read or verified twice on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import ANSWERING, IN_TURN, Body
from pbem.protocol.papers.entry import VERSION, Entry, Head, compose, read
from pbem.protocol.rounds.due import Due


def _nothing(_: object) -> None:
    """Nothing is kept and nothing committed."""


@dataclass
class Flow:
    """One game as one seat (or a spectator) goes along with it."""

    ledger: Ledger
    seat: str | None = None

    def take(
        self,
        raw: bytes,
        keep: Callable[[Entry], None] = _nothing,
        commit: Callable[[Sequence[Logged]], object] = _nothing,
    ) -> list[Logged]:
        """Take one entry in; returns what became part of the log because of it.

        What has passed every check that needs no round goes to `keep`, which puts it on disk. The ledger
        does (4) to (6) for each order of a complete round.
        """
        unverified = read(raw)  # (1) read: well-formed bytes, nothing believed
        entry = self.ledger.admit(unverified)  # (2) verify: this game, this seat, a number in reach, signed
        keep(entry)
        logged = self.ledger.offer(entry)  # (3) admit: is its round complete?
        #                                    (4) rules: legal, and what follows
        #                                    (5) chance: dice, chits, cards, asked for by a rule
        #                                    (6) invariants of the game
        commit(logged)  # (7) log, position and one commit for each entry, or nothing
        return logged  # (8) a report for each side: what happened, under the rules that made it happen

    def due(self) -> Due | None:
        """What this seat owes now, unless it has given it."""
        return self.ledger.missing().get(self.seat) if self.seat else None

    def next(self, lane: str) -> tuple[int, str]:
        """The number of this seat's next entry in a lane, and the entry that it follows."""
        mine = self.ledger.state.seats[str(self.seat)]
        waiting = self.ledger.waiting_of(str(self.seat), lane)
        if waiting:
            return waiting[-1].head.seq + 1, waiting[-1].id
        return (mine.answered + 1, mine.answer) if lane == "answer" else (mine.decided + 1, mine.decision)

    def date(self, lane: str, now: str) -> str:
        """The time that the next entry names: an answer copies that of the log, so all devices make the same.

        A decision is not dated before what it follows, whatever the clock of this machine says.
        """
        since = self.ledger.state.since
        if lane == "answer":
            return since
        before = [entry.head.sent for entry in self.ledger.waiting_of(str(self.seat), lane)[-1:]]
        return max(now, since, self.ledger.state.seats[str(self.seat)].dated, *before)

    def unseen(self) -> tuple[str, ...]:
        """Out-of-turn entries of others that the next decision takes in."""
        found: list[str] = []
        for seat in self.ledger.position.seats:
            if seat != self.seat:
                chain = self.ledger.chain(seat, "decide")
                found += [entry.id for entry in chain if entry.head.kind not in IN_TURN]
        return tuple(found)

    def head(self, kind: str, now: str, seen: tuple[str, ...] = ()) -> Head:
        """The head of this seat's next entry of a kind."""
        lane = "answer" if kind in ANSWERING else "decide"
        seq, prev = self.next(lane)
        return Head(
            v=VERSION,
            game=self.ledger.contract.game.hex(),
            seat=str(self.seat),
            lane=lane,
            seq=seq,
            prev=prev,
            head=self.ledger.state.head,
            pos=self.ledger.pos_digest,
            sent=self.date(lane, now),
            kind=kind,
            seen=seen,
        )

    def sign(self, kind: str, body: Body, key: SigningKey, now: str, seen: tuple[str, ...] = ()) -> bytes:
        """This seat's next entry. Who keeps what was signed looks there first: a number is signed once."""
        return compose(self.head(kind, now, seen), body, key)
