"""The ledger: which entries count, in which order, and what they lead to.

Invariants: the log is a sequence of rounds, the same on every machine whatever the order in which
entries arrive; an entry that cannot be used yet waits in the pool; a round is logged when every seat
has given what it owes; a signed breach of the protocol ends the line with a verdict that names its
author. The log only grows, unless what is known contradicts itself (`weighing`) or a settlement takes a
breach out again: then `state.number` says how many entries are left. Offering the entries of a log in
its order makes the same log again. The ledger knows nothing of files and git.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

from pbem.engine.machine import Machine
from pbem.engine.rules import AnyRules
from pbem.errors import VerificationError
from pbem.protocol.crypto.sshsig import signer
from pbem.protocol.log import consents, doubles, forfeits, settlements, vanished, weighing
from pbem.protocol.log.line import Line, keys_of
from pbem.protocol.log.logged import Logged, OtherPosition, Stale
from pbem.protocol.papers.bodies import IN_TURN
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry, Unverified, verify
from pbem.protocol.papers.times import DAY, seconds
from pbem.protocol.rounds.carry_out import Round, carry_out
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.runner import Runner
from pbem.protocol.rounds.state import SeatState, State, join, split

AHEAD = 64
"""So many entries of a seat may wait in a lane for those before them."""
RETIRED = 256
"""So far back an entry of a former key may have its place: then it is passed over for good."""


class Ledger(Line):
    """The state of one game after its last logged round: takes entries in, and closes rounds."""

    # --- beginning and going on

    @classmethod
    def start(cls, contract: Contract, rules: AnyRules, pack: Any, earlier: Callable[[int], str]) -> Ledger:
        """A new game, settled as far as it goes without an entry."""
        invite = contract.invite
        machine = Machine(rules, pack)
        first = machine.start(invite.scenario, dict(invite.options), invite.seats)
        game = contract.game.hex()
        seats = {
            s.name: SeatState(link=s.tip.hex(), decision=game, answer=game) for s in contract.seats.values()
        }
        begin = contract.begin
        state = State(head=game, since=begin, clock=begin, question=game, seats=seats)
        runner = Runner(contract, machine, first.position, state)
        runner.run()
        text = join(runner.pos, state)
        events = (*first.events, *runner.events)
        return cls(contract, machine, runner.pos, state, text, earlier, opening=events)

    @classmethod
    def resume(
        cls,
        contract: Contract,
        rules: AnyRules,
        pack: Any,
        text: str,
        earlier: Callable[[int], str],
        logged: Callable[[int], Entry] | None = None,
        marked: Callable[[int], str] | None = None,
    ) -> Ledger:
        """A game as its last position.toml left it. `logged` is needed to go back in a settlement."""
        machine = Machine(rules, pack)
        table, state = split(tomllib.loads(text))
        return cls(contract, machine, machine.read(table), state, text, earlier, logged=logged, marked=marked)

    # --- taking entries in

    def offer(self, entry: Entry) -> list[Logged]:
        """Take an entry in; returns what became part of the log because of it.

        After a settlement the returned numbers may begin below the last one logged: what the caller
        holds beyond `state.number - len(returned)` is then replaced.
        """
        if any(entry.id in kept for kept in (self.pool, self.early, self.halves, self.apart, self.retired)):
            return []
        if self.is_old(entry):
            known = self._recent(entry)
            if known is None or not doubles.is_double(known, entry):
                raise Stale(entry)
            return self.put_aside(known, entry)
        if self._misdated_here(entry):
            raise VerificationError(
                f"the entry is dated {entry.head.sent}, what it answers {self.state.since}"
            )
        seat = self.state.seats[entry.seat]
        if self._crowded(entry, seat.decision if entry.head.lane == "decide" else seat.answer):
            raise VerificationError(f"{entry.seat} has signed too many entries with number {entry.head.seq}")
        self.pool[entry.id] = entry
        if entry.head.kind == "settle":
            self.votes[entry.id] = entry
        begun, made = self.state.number, self.advance()
        same = not made and self.state.number == begun and self.state.verdict is None
        if same and self.elsewhere(entry) and not self.halves:
            raise OtherPosition(
                f"{entry.seat} sees another position than this machine does",
                "compare the fingerprints of `pbem status`, and the versions of pbem",
            )
        return made

    def admit(self, unverified: Unverified) -> Entry:
        """Well-formed bytes as an entry of this game: cheap checks first, the signature last."""
        head = unverified.head
        if head.game != self.contract.game.hex():
            raise VerificationError("the entry belongs to another game")
        if head.seat not in self.state.seats:
            raise VerificationError(f"nobody at this table sits in seat {head.seat!r}")
        if head.seq > self._last(head) + AHEAD:
            raise VerificationError(
                f"entry {head.seq} of {head.seat} is too far ahead: {self._last(head)} are known",
                "ask for the entries before it",
            )
        if head.sent < self.contract.begin:
            raise VerificationError(f"the entry is dated {head.sent}, before the game began")
        return verify(unverified, self.keys() | self._former_key(unverified))

    def _former_key(self, unverified: Unverified) -> dict[tuple[str, str], bytes]:
        """The key that a seat had before, for an entry that was signed while it was in use.

        A third seat may have built on it that did not know of the new keys. Of two seats none can have.
        """
        head = unverified.head
        replaced = self.state.seats[head.seat].key and len(self.contract.seats) > 2
        place = self.place(head.head) if replaced else None
        if place is None or place < self.state.number - RETIRED:
            return {}
        if signer(unverified.armour) == self.keys()[head.seat, head.lane]:
            return {}
        then = keys_of(self.contract, self.state_after(place))
        return {(head.seat, head.lane): then[head.seat, head.lane]}

    def _misdated_here(self, entry: Entry) -> bool:
        here = entry.head.head == self.state.head and entry.head.pos == self.pos_digest
        return here and entry.head.kind in (*IN_TURN, "answers") and self._misdated(entry)

    def _crowded(self, entry: Entry, prev: str, first: Entry | None = None) -> bool:
        """Whether enough entries with this number wait that are worth more; `first`: the one in the log."""
        rooms = (self.pool, self.apart, self.retired, self.halves, self.early)
        same = [e for room in rooms for e in room.values() if _room(e) == _room(entry)]
        if len(same) < doubles.KEPT:
            return False
        least = sorted((*same, entry), key=lambda e: doubles.worth(self, e, prev), reverse=True)
        out = next((e for e in least if not weighing.is_built_on(self, e, first)), least[0])
        for room in rooms if out is not entry else ():
            room.pop(out.id, None)
        return out is entry

    def advance(self) -> list[Logged]:
        """Log every round that the waiting entries complete."""
        return self._go_on()

    def _wait_for_their_time(self) -> None:
        """What is dated later than now waits aside: a claim to the second, anything else by the day."""
        known = {**self.pool, **self.early, **self.halves}
        if not self.time:
            self.early = {}
        else:
            self.early = {name: entry for name, entry in known.items() if self._is_early(entry)}
        self.halves = {name: entry for name, entry in self.halves.items() if name not in self.early}
        self.pool = {n: e for n, e in known.items() if n not in self.early and n not in self.halves}

    def _is_early(self, entry: Entry) -> bool:
        """What is dated no later than the log itself waits for nothing, or its author would sign it again."""
        claims = entry.head.kind in ("claim", "forfeit")
        if not claims and entry.head.sent <= self.state.since:
            return False
        allowance = 0 if claims else DAY
        return seconds(entry.head.sent) > seconds(self.time) + allowance

    def _go_on(self) -> list[Logged]:
        """Everything that follows from what is known by now."""
        self._wait_for_their_time()
        return weighing.weigh(self)

    def forward(self) -> list[Logged]:
        """Round after round, as far as it goes; what is known by now may send the line back on the way."""
        made: list[Logged] = []
        while True:
            self._retire()
            self._set_halves_aside()
            self._set_apart()
            new: list[Logged] | None = []
            if self.trial or not self._goes_back():
                new = self._close_round()
                if new is None and self.state.verdict is None and not self.trial:
                    new = doubles.settle(self)
            made = [one for one in made if one.number <= self.state.number - len(new or ())]
            if new is None:
                return made
            made += new

    def _goes_back(self) -> bool:
        """Whether what is known by now belongs before the end of the line; then it was cut."""
        deciding = (settlements.go_back, forfeits.go_back, vanished.go_back, consents.go_back)
        return any(go_back(self) for go_back in deciding)

    def put_aside(self, first: Entry, second: Entry) -> list[Logged]:
        """`first` stands in the log, `second` bears the same number: see what others have built on."""
        if not doubles.is_double(first, second):
            raise VerificationError("these two entries are no double")
        if settlements.passed_over(self, second, first) or self._crowded(second, first.head.prev, first):
            return []
        self.halves[second.id], self.aside[second.id] = second, first
        return self._go_on()  # in its time

    def preferred(self, fitting: list[Entry], head: str, here: bool) -> Entry:
        """What no settlement took out comes first, then what others have built on."""
        left = settlements.without_settled(self, fitting)
        told = [e for e in left if head in ("", e.head.head)] or left
        return weighing.preferred(self, told, here)

    def doubles(self) -> list[tuple[Entry, Entry]]:
        """Pairs of different decisions of one seat with the same number, among the entries that wait."""
        same: dict[object, list[Entry]] = {}
        for entry in sorted(self.pool.values(), key=lambda e: e.id):
            same.setdefault(_room(entry), []).append(entry)
        pairs = (pair for halves in same.values() for pair in combinations(halves, 2))
        return [(one, other) for one, other in pairs if doubles.is_double(one, other)]

    def _retire(self) -> None:
        """What was signed with a key that is not in use here waits aside, for a while."""
        keys = self.keys()
        known = {**self.pool, **self.retired}
        other = {n: e for n, e in known.items() if e.key != keys[e.seat, e.head.lane] and not self.is_old(e)}
        late = self.state.number - RETIRED
        self.retired = {n: e for n, e in other.items() if (self.place(e.head.head) or 0) >= late}
        self.pool = {n: e for n, e in known.items() if n not in other}

    def _set_halves_aside(self) -> None:
        """Entries in the pool whose number the log has meanwhile taken from another entry."""
        for entry in [e for e in self.pool.values() if self.is_old(e)]:
            del self.pool[entry.id]
            known = self.aside.get(entry.id) or self._recent(entry)
            if known is not None and doubles.is_double(known, entry):
                self.halves[entry.id], self.aside[entry.id] = entry, known

    def _set_apart(self) -> None:
        """What sees another position blocks nothing, unless a double explains it or somebody builds on it."""
        known = {**self.pool, **self.apart}
        ties = {one for e in known.values() for one in (e.head.prev, *e.head.seen)}
        lone = [e for e in known.values() if e.id not in ties and not self.halves and self.elsewhere(e)]
        self.apart = {} if self.state.verdict is not None else {e.id: e for e in lone}
        self.pool = {name: entry for name, entry in known.items() if name not in self.apart}

    def put_by(self, entry: Entry) -> None:
        """An entry kept from before waits again, without effect so far."""
        if self.is_old(entry):
            raise Stale(entry)
        (self.early if self.time and self._is_early(entry) else self.pool)[entry.id] = entry

    # --- rounds

    def _close_round(self) -> list[Logged] | None:
        """Log the present round if something completes it; None if nothing does."""
        wanted = self.due()
        if self.state.verdict is not None and (late := forfeits.surfaced(self)) is not None:
            return late
        if not wanted:
            return None
        found = consents.agreed_here(self, wanted)
        if found is None and (chain := vanished.lawful_forfeit(self, wanted)):
            order = [*(self.seen(chain[-1]) or []), *chain]
            found = Round(order, given=self._given(order, wanted))
        found = found or self._complete(wanted)
        return None if found is None else self._log(found)

    def _given(self, order: list[Entry], wanted: dict[str, Due]) -> frozenset[str]:
        """The seats whose answers to the round are among these entries."""
        chains = {seat: self._in_turn(owed, wanted) for seat, owed in wanted.items()}
        return frozenset(seat for seat, chain in chains.items() if chain is not None and chain[-1] in order)

    def _complete(self, wanted: dict[str, Due]) -> Round | None:
        """Every seat has given what it owes."""
        answers: dict[str, Entry] = {}
        order: list[Entry] = []
        for seat, owed in wanted.items():
            chain = self._in_turn(owed, wanted)
            if chain is None:
                return None
            answers[seat] = chain[-1]
            order += [e for e in (*(self.seen(chain[-1]) or []), *chain) if e not in order]
        return Round(order, answers)

    def _log(self, found: Round) -> list[Logged]:
        """Carry a complete round out. A verdict that was settled already only makes its entry void."""
        runner, told = carry_out(self.scene(), found)
        verdict = runner.state.verdict
        if verdict is not None and verdict is not self.state.verdict:
            if settlements.is_settled(self, verdict):
                self.voided.add(verdict.entry)
                return []
            runner.state.verdict = replace(verdict, before=self.state.number)
        return self.commit(runner, found.order, told)


def _room(entry: Entry) -> object:
    """Those with one number share a room; who stole a key that was replaced takes none from the new one."""
    return entry.number, entry.key
