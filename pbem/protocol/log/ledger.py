"""The ledger: which entries count, in which order, and what they lead to.

Invariants: the log is a sequence of rounds, the same on every machine whatever the order in which
entries arrive; an entry that cannot be used yet waits in the pool; a round is logged when every seat
has given what it owes; a signed breach of the protocol ends the line with a verdict that names its
author. The log only grows, but for one case: a settlement (`disputes`) takes the breach out again,
and then `state.number` says how many entries are left. Offering the entries of a log in its order
makes the same log again. The ledger knows nothing of files and git.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pbem.engine.machine import Machine
from pbem.engine.rules import AnyRules
from pbem.errors import VerificationError
from pbem.protocol.log import doubles, forfeits, settlements, vanished
from pbem.protocol.log.line import Line
from pbem.protocol.log.logged import Logged, OtherPosition, Stale
from pbem.protocol.papers.bodies import IN_TURN, Rekey
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry, Unverified, verify
from pbem.protocol.papers.times import DAY, seconds
from pbem.protocol.rounds.carry_out import Round, carry_out
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.key_papers import NewKeys, in_order, in_use
from pbem.protocol.rounds.runner import Runner
from pbem.protocol.rounds.state import SeatState, State, join, split

AHEAD = 64
"""So many entries of a seat may wait in a lane for those before them."""


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
    ) -> Ledger:
        """A game as its last position.toml left it. `logged` is needed to go back in a settlement."""
        machine = Machine(rules, pack)
        table, state = split(tomllib.loads(text))
        return cls(contract, machine, machine.read(table), state, text, earlier, logged=logged)

    # --- what is owed

    # --- taking entries in

    def offer(self, entry: Entry) -> list[Logged]:
        """Take an entry in; returns what became part of the log because of it.

        After a settlement the returned numbers may begin below the last one logged: what the caller
        holds beyond `state.number - len(returned)` is then replaced.
        """
        if any(entry.id in kept for kept in (self.pool, self.early, self.halves, self.apart)):
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
        if self._crowded(entry):
            raise VerificationError(f"{entry.seat} has signed too many entries with number {entry.head.seq}")
        self.pool[entry.id] = entry
        if entry.head.kind == "settle":
            self.votes[entry.id] = entry
        made = self.advance()
        if not made and self.state.verdict is None and self.elsewhere(entry) and entry.id not in self.halves:
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
        return verify(unverified, self.keys())

    def _misdated_here(self, entry: Entry) -> bool:
        here = entry.head.head == self.state.head and entry.head.pos == self.pos_digest
        return here and entry.head.kind in (*IN_TURN, "answers") and self._misdated(entry)

    def _crowded(self, entry: Entry) -> bool:
        """Whether enough entries with this number wait, and nobody names this one."""
        kept = (*self.pool.values(), *self.apart.values())
        same = [e for e in kept if _number(e) == _number(entry)]
        return len(same) >= doubles.KEPT and not any(doubles.names(e, entry) for e in self.pool.values())

    def advance(self) -> list[Logged]:
        """Log every round that the waiting entries complete."""
        return self._go_on([])

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
        allowance = 0 if entry.head.kind in ("claim", "forfeit") else DAY
        return seconds(entry.head.sent) > seconds(self.time) + allowance

    def _go_on(self, made: list[Logged]) -> list[Logged]:
        self._wait_for_their_time()
        while True:
            self._set_halves_aside()
            self._set_apart()
            new: list[Logged] | None = []
            if not (
                settlements.go_back(self)
                or forfeits.go_back(self)
                or vanished.go_back(self)
                or self._rekeyed_before()
            ):
                new = self._close_round()
                if new is None and self.state.verdict is None:
                    new = doubles.settle(self)
            made = [one for one in made if one.number <= self.state.number - len(new or ())]
            if new is None:
                return made
            made += new

    def put_aside(self, first: Entry, second: Entry) -> list[Logged]:
        """`first` stands in the log, `second` bears the same number: see what others have built on."""
        if not doubles.is_double(first, second):
            raise VerificationError("these two entries are no double")
        same = [e for e in (*self.halves.values(), *self.early.values()) if _number(e) == _number(second)]
        named = any(doubles.names(e, second) for e in self.pool.values())
        if self.state.verdict is not None or (len(same) >= doubles.KEPT and not named):
            return []
        if settlements.passed_over(self, second, first):
            return []
        self.halves[second.id], self.aside[second.id] = second, first
        return self._go_on([])  # in its time

    def preferred(self, fitting: list[Entry], here: str) -> Entry:
        """What no settlement took out comes first, then what others have built on."""
        left = settlements.without_settled(self, fitting)
        return min(left, key=lambda e: (here not in ("", e.head.head), *doubles.rank(self, e)))

    def doubles(self) -> list[tuple[Entry, Entry]]:
        """Pairs of different decisions of one seat with the same number, among the entries that wait."""
        first: dict[tuple[str, str, int], Entry] = {}
        found = []
        for entry in sorted(self.pool.values(), key=lambda e: e.id):
            other = first.setdefault(_number(entry), entry)
            if doubles.is_double(other, entry):
                found.append((other, entry))
        return found

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

    # --- which entries answer the round

    # --- rounds

    def _close_round(self) -> list[Logged] | None:
        """Log the present round if something completes it; None if nothing does."""
        wanted = self.due()
        if self.state.verdict is not None and (late := forfeits.surfaced(self)) is not None:
            return late
        if not wanted:
            return None
        found = self._rekeyed(wanted)
        if found is None and (chain := vanished.lawful_forfeit(self, wanted)):
            found = Round([*(self.seen(chain[-1]) or []), *chain])
        found = found or self._complete(wanted)
        return None if found is None else self._log(found)

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

    def _rekeyed(self, wanted: dict[str, Due]) -> Round | None:
        """All others agree, in this round, to new keys for a seat that it waits for.

        That counts even if an entry of the old key is here: the others had not seen it, and all of them
        must come to the same.
        """
        if self.state.verdict is not None:
            return None
        if not any(isinstance(entry.body, Rekey) for entry in self.pool.values()):
            return None
        agreed = self._agreed(self.state, self.pos_digest, wanted, list(self.pool.values()))
        return Round(agreed) if agreed else None

    def _agreed(self, at: State, digest: str, wanted: dict[str, Due], known: list[Entry]) -> list[Entry]:
        """The consents of all others to one paper in the round after a state, with what came before each.

        Of several papers the one that needs the fewest entries counts: a replay takes that one, too.
        """
        found: list[list[Entry]] = []
        for paper in sorted({e.body.paper for e in known if isinstance(e.body, Rekey)}):
            told = self._paper(paper)
            if told is None or not self._may_replace(told, at, wanted):
                continue
            chains = []
            for seat in self._others(told.seat, at):
                chain = self.chain(seat, "decide", at, known)
                last = next((n for n, e in enumerate(chain) if self._consents(e, paper, at, digest)), None)
                chains.append([] if last is None else chain[: last + 1])
            if all(chains):
                found.append([entry for chain in chains for entry in chain])
        return min(found, key=len, default=[])

    def _consents(self, entry: Entry, paper: str, at: State, digest: str) -> bool:
        """Whether an entry agrees to a paper in the round after a state."""
        if not isinstance(entry.body, Rekey) or entry.body.paper != paper or entry.id in self.voided:
            return False
        return (entry.head.head, entry.head.pos) == (at.head, digest) and entry.head.sent >= at.since

    def _paper(self, text: str) -> NewKeys | None:
        if text not in self._papers:
            self._papers[text] = in_order(self.contract, text)
        return self._papers[text]

    def _may_replace(self, told: NewKeys, state: State, wanted: dict[str, Due]) -> bool:
        """Whether a round waits for the seat of a paper, under its old key, and others are there to agree."""
        old = in_use(self.contract, state, told.seat)
        return told.seat in wanted and told.old == old and bool(self._others(told.seat, state))

    def _others(self, seat: str, state: State) -> list[str]:
        return [s for s in self.position.seats if s != seat and s not in state.opened]

    def _rekeyed_before(self) -> bool:
        """All others agreed to new keys in a round that the line has left: go back; True if it was cut."""
        consents = [e for e in self.pool.values() if isinstance(e.body, Rekey)]
        for entry in sorted(consents, key=lambda e: e.id):
            number = self.place(entry.head.head)
            if number is None or number == self.state.number or (entry.id, number) in self.tried:
                continue
            later = [self.entry(n) for n in range(number + 1, self.state.number + 1)]
            known = {e.seat for e in (*later, *self.pool.values()) if _same_consent(e, entry)}
            told = self._paper(entry.body.paper) if isinstance(entry.body, Rekey) else None
            if told is None or not known.issuperset(self._others(told.seat, self.state)):
                continue
            then, all_known = self.moment(number), [*later, *self.pool.values()]
            agreed = self._agreed(then.state, then.digest, then.wanted, all_known)
            if agreed and agreed != later[: len(agreed)]:
                self.tried.add((entry.id, number))
                self.cut(number)
                return True
        return False

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


def _number(entry: Entry) -> tuple[str, str, int]:
    return entry.seat, entry.head.lane, entry.head.seq


def _same_consent(one: Entry, other: Entry) -> bool:
    same = one.head.head == other.head.head and one.head.pos == other.head.pos
    if not isinstance(one.body, Rekey) or not isinstance(other.body, Rekey):
        return False
    return same and one.body.paper == other.body.paper
