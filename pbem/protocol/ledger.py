"""The ledger: which entries count, in which order, and what they lead to.

Invariants: the log is a sequence of rounds, the same on every machine whatever the order in which
entries arrive; an entry that cannot be used yet waits in the pool; a round is logged when every seat
has given what it owes; a signed breach of the protocol ends the line with a verdict that names its
author. The ledger knows nothing of files and git.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pbem import toml
from pbem.engine.machine import Machine
from pbem.engine.position import Claim, Event, Position
from pbem.engine.rules import Rules
from pbem.errors import VerificationError
from pbem.protocol.bodies import IN_TURN
from pbem.protocol.contract import Contract
from pbem.protocol.entry import Entry
from pbem.protocol.rounds import Due, due
from pbem.protocol.running import Culprit, Runner
from pbem.protocol.state import SeatState, State, Verdict, join, position_digest, split
from pbem.protocol.taking import take_aside, take_in_turn


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


@dataclass
class Ledger:
    """The state of one game after its last logged round, and the entries that wait."""

    contract: Contract
    machine: Machine
    position: Position
    state: State
    text: str
    """position.toml as it stands."""
    earlier: Callable[[int], str]
    """position.toml after an earlier entry, for a take-back."""
    pool: dict[str, Entry] = field(default_factory=dict)
    """Entries that are not in the log, by id."""
    opening: tuple[Event, ...] = ()
    """What happened before the first entry."""

    # --- beginning and going on

    @classmethod
    def start(cls, contract: Contract, rules: Rules, pack: Any, earlier: Callable[[int], str]) -> Ledger:
        """A new game, settled as far as it goes without an entry."""
        invite = contract.invite
        if (rules.name, rules.version) != (invite.rules, invite.version):
            raise VerificationError(
                f"the game needs {invite.rules} version {invite.version}, here is {rules.version}",
                f"install a pbem that has {invite.rules} {invite.version}",
            )
        if pack.digest != invite.data:
            raise VerificationError(
                "the data pack is not the one of the contract",
                "use `pbem pack use` with the same pack as the others",
            )
        machine = Machine(rules, pack)
        first = machine.start(invite.scenario, dict(invite.options), invite.seats)
        game = contract.game.hex()
        seats = {
            s.name: SeatState(link=s.tip.hex(), decision=game, answer=game) for s in contract.seats.values()
        }
        state = State(head=game, since=invite.made, seats=seats)
        runner = Runner(contract, machine, first.position, state)
        runner.run()
        text = join(runner.pos, state)
        events = (*first.events, *runner.events)
        return cls(contract, machine, runner.pos, state, text, earlier, opening=events)

    @classmethod
    def resume(
        cls, contract: Contract, rules: Rules, pack: Any, text: str, earlier: Callable[[int], str]
    ) -> Ledger:
        """A game as its last position.toml left it."""
        machine = Machine(rules, pack)
        table, state = split(tomllib.loads(text))
        return cls(contract, machine, machine.read(table), state, text, earlier)

    # --- what is owed

    @property
    def pos_digest(self) -> str:
        """The digest that entries of the present round name."""
        return position_digest(self.text)

    def due(self) -> dict[str, Due]:
        """What the present round waits for, by seat."""
        return due(self.position, self.machine.waits_for(self.position), self.state)

    def missing(self) -> dict[str, Due]:
        """What of it has not arrived."""
        wanted = self.due()
        return {seat: one for seat, one in wanted.items() if self._in_turn(one, wanted) is None}

    def keys(self) -> dict[tuple[str, str], bytes]:
        """The public keys that sign now: those of the contract, unless replaced."""
        found = dict(self.contract.keys)
        for name, seat in self.state.seats.items():
            if seat.key:
                found[name, "decide"] = bytes.fromhex(seat.key)
                found[name, "answer"] = bytes.fromhex(seat.answer_key)
        return found

    # --- taking entries in

    def offer(self, entry: Entry) -> list[Logged]:
        """Take an entry in; returns what became part of the log because of it."""
        if entry.head.game != self.contract.game.hex():
            raise VerificationError("the entry belongs to another game")
        if entry.id in self.pool:
            return []
        self._refuse_old(entry)
        self.pool[entry.id] = entry
        return self.advance()

    def advance(self) -> list[Logged]:
        """Log every round that the waiting entries complete."""
        logged: list[Logged] = []
        while True:
            made = self._close_round()
            if not made:
                return logged
            logged += made

    def _refuse_old(self, entry: Entry) -> None:
        seat = self.state.seats[entry.seat]
        last = seat.decided if entry.head.lane == "decide" else seat.answered
        if entry.head.seq <= last:
            raise Stale(entry)

    def doubles(self) -> list[tuple[Entry, Entry]]:
        """Pairs of different decisions of one seat with the same number, among the entries that wait."""
        first: dict[tuple[str, int], Entry] = {}
        found = []
        for entry in sorted(self.pool.values(), key=lambda e: e.id):
            if entry.head.lane != "decide":
                continue
            key = (entry.seat, entry.head.seq)
            if key in first:
                found.append((first[key], entry))
            first.setdefault(key, entry)
        return found

    def _chain(self, seat: str, lane: str) -> list[Entry]:
        """A seat's waiting entries in their own order, as far as there is no gap."""
        mine = {e.head.seq: e for e in self.pool.values() if e.seat == seat and e.head.lane == lane}
        state = self.state.seats[seat]
        seq, last = (state.decided, state.decision) if lane == "decide" else (state.answered, state.answer)
        found = []
        while (entry := mine.get(seq + 1)) is not None and entry.head.prev == last:
            found.append(entry)
            seq, last = seq + 1, entry.id
        return found

    def _in_turn(self, owed: Due, wanted: dict[str, Due]) -> list[Entry] | None:
        """The seat's entries up to the one that answers the round, or None if it is not there."""
        chain = self._chain(owed.seat, owed.lane)
        for number, entry in enumerate(chain):
            if entry.head.head != self.state.head:
                continue
            if entry.head.pos != self.pos_digest:
                raise VerificationError(
                    f"{entry.seat} sees another position than this machine does",
                    "compare the fingerprints of `pbem status`, and the versions of pbem",
                )
            kind = entry.head.kind
            alone = owed.lane == "decide" and sum(d.lane == "decide" for d in wanted.values()) == 1
            if kind == owed.kind or (
                owed.lane == "decide" and (kind == "resign" or (alone and kind not in IN_TURN))
            ):
                return chain[: number + 1] if self._seen(entry) is not None else None
        return None

    def _seen(self, entry: Entry) -> list[Entry] | None:
        """The out-of-turn entries that one takes in, or None if one of them has not arrived."""
        found: list[Entry] = []
        for one in entry.head.seen:
            other = self.pool.get(one)
            if other is None or other.head.lane != "decide" or other.seat == entry.seat:
                return None
            chain = self._chain(other.seat, "decide")
            if other not in chain:
                return None
            found += [e for e in chain[: chain.index(other) + 1] if e not in found]
        return found

    def _close_round(self) -> list[Logged]:
        """Log the present round if it is complete."""
        if self.state.verdict is not None:
            return []
        wanted = self.due()
        if not wanted:
            return []
        forfeit = self._forfeit(wanted)
        if forfeit is not None:
            return self._log([forfeit], wanted, {})
        answers: dict[str, Entry] = {}
        order: list[Entry] = []
        for seat, owed in wanted.items():
            chain = self._in_turn(owed, wanted)
            if chain is None:
                return []
            answers[seat] = chain[-1]
            for entry in [*(self._seen(chain[-1]) or []), *chain]:
                if entry not in order:
                    order.append(entry)
        return self._log(order, wanted, answers)

    def _forfeit(self, wanted: dict[str, Due]) -> Entry | None:
        """A claim or forfeit in the waiting round, by a seat that owes nothing."""
        for seat in self.position.seats:
            if seat in wanted:
                continue
            chain = self._chain(seat, "decide")
            for entry in chain[:1]:
                if entry.head.kind in ("claim", "forfeit") and entry.head.head == self.state.head:
                    return entry
        return None

    # --- logging

    def _log(self, order: list[Entry], wanted: dict[str, Due], answers: dict[str, Entry]) -> list[Logged]:
        """Carry a complete round out. position.toml changes with its last entry."""
        runner = Runner(self.contract, self.machine, self.position, self.state.copy())
        try:
            told = self._carry_out(runner, order, wanted, answers)
        except Culprit as error:
            guilty = next((e for e in order if e.seat == error.seat), order[-1])
            runner, order = self._judge(error, guilty), [guilty]
            told = [tuple(runner.events)]
        first = self.state.number + 1
        final = join(runner.pos, runner.state)
        logged = []
        for number, (entry, events) in enumerate(zip(order, told, strict=True), first):
            last = entry is order[-1]
            claims = tuple(runner.claims) if last else ()
            logged.append(Logged(number, entry, events, claims, final if last else self.text))
        self.position, self.state, self.text = runner.pos, runner.state, final
        for entry in order:
            self.pool.pop(entry.id, None)
        return logged

    def _carry_out(
        self, runner: Runner, order: list[Entry], wanted: dict[str, Due], answers: dict[str, Entry]
    ) -> list[tuple[Event, ...]]:
        """First what stands beside the round, then the round itself; the events of each entry."""
        told: list[tuple[Event, ...]] = []
        in_turn: dict[str, Entry] = {}
        for entry in order:
            runner.state.number += 1
            _advance(runner.state, entry)
            if answers.get(entry.seat) is entry and entry.head.kind in (*IN_TURN, "answers"):
                in_turn[entry.seat] = entry
            else:
                take_aside(self, runner, entry, wanted)
            told.append(tuple(runner.events))
            runner.events = []
        if len(in_turn) == len(wanted) and runner.state.verdict is None and runner.pos.outcome is None:
            take_in_turn(runner, wanted, {seat: e.body for seat, e in in_turn.items()}, in_turn)
        runner.run()
        told[-1] += tuple(runner.events)
        return told

    def _judge(self, error: Culprit, entry: Entry) -> Runner:
        """The line ends before the breach: only the culprit's entry is kept, as the evidence."""
        runner = Runner(self.contract, self.machine, self.position, self.state.copy())
        runner.state.number += 1
        runner.state.head, runner.state.since = entry.id, entry.head.sent
        runner.state.verdict = Verdict(error.seat, error.reason, entry.id)
        runner.say(f"verdict: {error.seat} broke the protocol: {error.reason}", culprit=error.seat)
        return runner


class Stale(Exception):
    """An entry whose number the log already has: a repeat, or one half of a double."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.id)
        self.entry = entry


def _advance(state: State, entry: Entry) -> None:
    """An entry of a seat is logged: sequence, head."""
    head = entry.head
    if head.lane == "decide":
        state.change(head.seat, decided=head.seq, decision=entry.id)
    else:
        state.change(head.seat, answered=head.seq, answer=entry.id)
    state.head, state.since = entry.id, max(state.since, head.sent)
