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
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.machine import Machine
from pbem.engine.position import Event, Position
from pbem.engine.rules import AnyRules
from pbem.errors import UsageError, VerificationError
from pbem.protocol.log import doubles, forfeits, settlements, vanished
from pbem.protocol.log.logged import Logged, OtherPosition, Stale
from pbem.protocol.papers.bodies import IN_TURN, ClaimTime, Complaint, Rekey
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry, Head, Unverified, verify
from pbem.protocol.papers.times import DAY, seconds
from pbem.protocol.rounds.carry_out import Round, Scene, Told, carry_out
from pbem.protocol.rounds.due import Due, decides_alone, due, fits_round
from pbem.protocol.rounds.key_papers import NewKeys, in_order, in_use
from pbem.protocol.rounds.runner import Runner
from pbem.protocol.rounds.state import SeatState, State, join, position_digest, split

DEPTH = 16384
"""So far back an entry is looked for that a late one names: one seat's notes and voids must not hide it."""
TEXTS = 1024
"""So many positions are remembered; older ones are read again."""
AHEAD = 64
"""So many entries of a seat may wait in a lane for those before them."""


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
    """position.toml after an earlier entry, for a take-back or a settlement."""
    pool: dict[str, Entry] = field(default_factory=dict)
    """Entries that are not in the log, by id."""
    opening: tuple[Event, ...] = ()
    """What happened before the first entry."""
    logged: Callable[[int], Entry] | None = None
    """An entry of the log by its number, from before this ledger was opened."""
    votes: dict[str, Entry] = field(default_factory=dict)
    """Settlements known by now. A replay of a finished log puts all of them here first."""
    time: str = ""
    """What time it is here: what is dated later waits aside. Empty: nothing waits for its time."""
    early: dict[str, Entry] = field(default_factory=dict)
    """Entries from the future."""
    apart: dict[str, Entry] = field(default_factory=dict)
    """Answers to the present round, given in another position: refused, unless a double explains it."""
    halves: dict[str, Entry] = field(default_factory=dict)
    """Entries whose number the log has given to another of the same author: by id."""
    aside: dict[str, Entry] = field(default_factory=dict)
    """By the same ids, and by those of halves from the future: the entry that the log has."""
    tried: set[tuple[str, int]] = field(default_factory=set)
    """For which waiting entries the line went back, and to where."""
    voided: set[str] = field(default_factory=set)
    """Breaches that a settlement took out of the line."""
    _line: dict[int, Entry] = field(default_factory=dict)
    """The entries logged since this ledger was opened."""
    _texts: dict[int, str] = field(default_factory=dict)
    """position.toml after each of them: who keeps the log may not have been told of it yet."""
    _digest: tuple[str, str] = ("", "")
    _due: tuple[State | None, dict[str, Due]] = (None, {})
    _places: dict[str, int] = field(default_factory=dict)
    """The numbers of the last entries of the log, by id, as far back as somebody has asked."""
    _papers: dict[str, NewKeys | None] = field(default_factory=dict)
    """Papers for new keys that have been looked at; None: not in order."""

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

    @property
    def pos_digest(self) -> str:
        """The digest that entries of the present round name."""
        if self._digest[0] is not self.text:
            self._digest = (self.text, position_digest(self.text))
        return self._digest[1]

    def all_due(self) -> dict[str, Due]:
        """What the present round asks for, by seat, resigned seats included."""
        if self._due[0] is not self.state:
            wait = self.machine.waits_for(self.position)
            self._due = (self.state, due(self.position, wait, self.state))
        return self._due[1]

    def due(self) -> dict[str, Due]:
        """What the present round waits for, by seat."""
        return {seat: owed for seat, owed in self.all_due().items() if seat not in self.state.opened}

    def missing(self) -> dict[str, Due]:
        """What of it has not arrived."""
        wanted = self.due()
        return {seat: owed for seat, owed in wanted.items() if self._in_turn(owed, wanted) is None}

    def present(self) -> tuple[str, ...]:
        """What has been given to the present round so far: a forfeit names it as `seen`."""
        wanted = self.due()
        chains = [self._in_turn(owed, wanted) for owed in wanted.values()]
        return tuple(chain[-1].id for chain in chains if chain is not None)

    def keys(self) -> dict[tuple[str, str], bytes]:
        """The public keys that sign now: those of the contract, unless replaced."""
        found = dict(self.contract.keys)
        for name, seat in self.state.seats.items():
            if seat.key:
                found[name, "decide"] = bytes.fromhex(seat.key)
                found[name, "answer"] = bytes.fromhex(seat.answer_key)
        return found

    def claimed(self, seat: str) -> str | None:
        """When a seat claimed that the clock of the present question had run out, logged or not."""
        claims = [e for e in self.chain(seat, "decide") if isinstance(e.body, ClaimTime)]
        here = [e for e in claims if _question(e) == self.state.question]
        return here[-1].head.sent if here else self.state.claims.get(seat)

    def entry(self, number: int) -> Entry:
        """An entry of the log."""
        if number not in self._line:
            if self.logged is None:
                raise UsageError(f"entry {number} is not at hand", "rebuild the game from its moves")
            self._line[number] = self.logged(number)
        return self._line[number]

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

    def elsewhere(self, entry: Entry) -> bool:
        """Whether a waiting answer to the present round was given in another position."""
        head = entry.head
        answers = head.head == self.state.head and head.kind in (*IN_TURN, "answers")
        return answers and head.pos != self.pos_digest

    def _misdated_here(self, entry: Entry) -> bool:
        here = entry.head.head == self.state.head and entry.head.pos == self.pos_digest
        return here and entry.head.kind in (*IN_TURN, "answers") and self._misdated(entry)

    def _crowded(self, entry: Entry) -> bool:
        """Whether enough entries with this number wait, and nobody names this one."""
        kept = (*self.pool.values(), *self.apart.values())
        same = [e for e in kept if _number(e) == _number(entry)]
        return len(same) >= doubles.KEPT and not any(doubles.names(e, entry) for e in self.pool.values())

    def _misdated(self, entry: Entry) -> bool:
        """An automatic answer copies the time of what it answers; a decision is not dated before that."""
        if entry.head.kind == "answers":
            return entry.head.sent != self.state.since
        return entry.head.lane == "decide" and entry.head.sent < self.state.since

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

    def forget_half(self, half: Entry, again: bool) -> None:
        """A half is no longer aside; `again`: it waits like any other entry."""
        del self.halves[half.id], self.aside[half.id]
        if again:
            self.pool[half.id] = half

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

    def place(self, name: str) -> int | None:
        """The number of an entry of the log, looked for from its end; 0 for the beginning."""
        if name == self.contract.game.hex():
            return 0
        if name not in self._places:
            for number in range(self.state.number - len(self._places), max(0, self.state.number - DEPTH), -1):
                try:
                    known = self.entry(number).id
                except UsageError:
                    return None
                self._places[known] = number
                if known == name:
                    break
        return self._places.get(name)

    def cut(self, to: int) -> None:
        """Back to the position after an entry; what came later waits in the pool again."""
        text = self.text_after(to)
        table, state = split(tomllib.loads(text))
        for number in range(state.number + 1, self.state.number + 1):
            entry = self.entry(number)
            self.pool[entry.id] = entry
        self.rest_on(self.machine.read(table), state, text)

    def text_after(self, number: int) -> str:
        """position.toml after an entry of the log."""
        return self._texts.get(number) or self.earlier(number)

    def is_old(self, entry: Entry) -> bool:
        """Whether the log has this number already."""
        return entry.head.seq <= self._last(entry.head)

    def _last(self, head: Head) -> int:
        """The last number of the log in a seat's lane."""
        seat = self.state.seats[head.seat]
        return seat.decided if head.lane == "decide" else seat.answered

    def put_by(self, entry: Entry) -> None:
        """An entry kept from before waits again, without effect so far."""
        if self.is_old(entry):
            raise Stale(entry)
        (self.early if self.time and self._is_early(entry) else self.pool)[entry.id] = entry

    def kept(self) -> list[Entry]:
        """Entries that are not in the log and may still matter, to others too (future ones do not)."""
        return [*self.pool.values(), *self.halves.values(), *self.apart.values()]

    def waiting_of(self, seat: str, lane: str) -> list[Entry]:
        """All of a seat's entries that are not in the log, in their own order."""
        kept = (*self.pool.values(), *self.early.values(), *self.apart.values())
        found = [e for e in kept if e.seat == seat]
        return sorted((e for e in found if e.head.lane == lane), key=lambda e: e.head.seq)

    def _recent(self, entry: Entry) -> Entry | None:
        """The logged entry with the same number, if it was logged since this ledger was opened."""
        return next((e for e in reversed(self._line.values()) if _number(e) == _number(entry)), None)

    # --- which entries answer the round

    def chain(
        self, seat: str, lane: str, at: State | None = None, known: Iterable[Entry] | None = None
    ) -> list[Entry]:
        """A seat's waiting entries in their own order, as far as there is no gap.

        With an earlier state of the line (`at`), those that would wait there.
        """
        mine: dict[int, list[Entry]] = {}
        for entry in self.pool.values() if known is None else known:
            if entry.seat == seat and entry.head.lane == lane:
                mine.setdefault(entry.head.seq, []).append(entry)
        now = self.state if at is None else at
        state = now.seats[seat]
        seq, last = (state.decided, state.decision) if lane == "decide" else (state.answered, state.answer)
        found: list[Entry] = []
        dated = state.dated if lane == "decide" else ""
        while fitting := [e for e in mine.get(seq + 1, ()) if e.head.prev == last and e.head.sent >= dated]:
            if len(fitting) > 1:
                fitting = settlements.without_settled(self, fitting)
            entry = fitting[0]
            if len(fitting) > 1:
                here = now.head if lane == "answer" else ""
                entry = min(fitting, key=lambda e: (here not in ("", e.head.head), *doubles.rank(self, e)))
            found.append(entry)
            seq, last = seq + 1, entry.id
            dated = entry.head.sent if lane == "decide" else ""
        return found

    def _in_turn(self, owed: Due, wanted: dict[str, Due]) -> list[Entry] | None:
        """The seat's entries up to the one that answers the round, or None if it is not there."""
        alone = decides_alone(owed, wanted)
        found = self._upto(owed.seat, owed.lane, lambda entry: fits_round(entry.head.kind, owed, alone))
        if found is None and (owed.opens or owed.deliver):
            found = self._upto(owed.seat, "decide", lambda entry: isinstance(entry.body, Complaint))
        return found if found is not None and self.seen(found[-1]) is not None else None

    def _upto(self, seat: str, lane: str, fits: Callable[[Entry], bool]) -> list[Entry] | None:
        """A seat's waiting entries up to the first that names this round and fits."""
        chain = self.chain(seat, lane)
        for number, entry in enumerate(chain):
            here = entry.head.head == self.state.head and entry.head.pos == self.pos_digest
            here = here or entry.head.kind == "audit"
            if here and not self._misdated(entry) and entry.id not in self.voided and fits(entry):
                return chain[: number + 1]
        return None

    def seen(self, entry: Entry) -> list[Entry] | None:
        """The entries that one takes in, or None if one of them, or what it follows, has not arrived.

        What cannot be taken in (an own entry, an answer) is passed over.
        """
        found: list[Entry] = []
        for one in entry.head.seen:
            other = self.pool.get(one)
            if other is None:
                return None
            if other.head.lane == "answer" and entry.head.kind != "forfeit":
                continue
            if other.head.lane == "decide" and other.seat == entry.seat:
                continue
            chain = self.chain(other.seat, other.head.lane)
            if other not in chain:
                return None
            found += [e for e in chain[: chain.index(other) + 1] if e not in found]
        return found

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
            text = self.text_after(number)
            table, state = split(tomllib.loads(text))
            pos = self.machine.read(table)
            wanted = due(pos, self.machine.waits_for(pos), state)
            agreed = self._agreed(state, position_digest(text), wanted, [*later, *self.pool.values()])
            if agreed and agreed != later[: len(agreed)]:
                self.tried.add((entry.id, number))
                self.cut(number)
                return True
        return False

    def scene(self) -> Scene:
        """Where the next round is carried out."""
        return Scene(
            self.contract,
            self.machine,
            self.position,
            self.state,
            self.all_due(),
            self.text_after,
            self.voided,
        )

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

    def commit(self, runner: Runner, order: list[Entry], told: Told) -> list[Logged]:
        """What a runner came to is the state of the game; position.toml changes with the last entry."""
        first = self.state.number + 1
        final = join(runner.pos, runner.state)
        logged = []
        for number, (entry, events) in enumerate(zip(order, told, strict=True), first):
            self._places[entry.id] = number
            last = entry is order[-1]
            claims = tuple(runner.claims) if last else ()
            logged.append(Logged(number, entry, events, claims, final if last else self.text))
            self._line[number], self._texts[number] = entry, logged[-1].position
            self._texts.pop(number - TEXTS, None)
        gone = {entry.id for entry in order}
        replaced = [s for s, new in runner.state.seats.items() if new.key != self.state.seats[s].key]
        for name in [n for n, e in self.pool.items() if n in gone or e.seat in replaced]:
            del self.pool[name]
        for kept in (self.early, self.halves):  # nothing of an old key comes up again in its time
            for name in [n for n, e in kept.items() if e.seat in replaced]:
                del kept[name]
                self.aside.pop(name, None)
        self.rest_on(runner.pos, runner.state, final)
        return logged

    def rest_on(self, position: Position, state: State, text: str) -> None:
        """Stand on a position; entries of the log beyond it are forgotten."""
        before, self.position, self.state, self.text = self.state.number, position, state, text
        if state.number < before:
            for number in [n for n in self._line if n > state.number]:
                del self._line[number]
                self._texts.pop(number, None)
            self._places = {name: number for name, number in self._places.items() if number <= state.number}


def _question(entry: Entry) -> str:
    return entry.body.question if isinstance(entry.body, ClaimTime) else ""


def _number(entry: Entry) -> tuple[str, str, int]:
    return entry.seat, entry.head.lane, entry.head.seq


def _same_consent(one: Entry, other: Entry) -> bool:
    same = one.head.head == other.head.head and one.head.pos == other.head.pos
    if not isinstance(one.body, Rekey) or not isinstance(other.body, Rekey):
        return False
    return same and one.body.paper == other.body.paper
