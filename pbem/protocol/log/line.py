"""The line: the log as it stands, the round that is open, and the entries that wait beside it.

Whoever judges a double, a forfeit, a settlement or a vanished seat looks at the line, goes back on it (`cut`)
and goes on from there (`commit`). What is taken in, and when a round is complete, is the ledger's part.
"""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pbem.engine.events import Event
from pbem.engine.machine import Machine
from pbem.engine.position import Position
from pbem.errors import UsageError
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import IN_TURN, ClaimTime, Complaint
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry, Head
from pbem.protocol.rounds.carry_out import Scene, Told
from pbem.protocol.rounds.due import Due, decides_alone, due, fits_round
from pbem.protocol.rounds.key_papers import NewKeys, in_order
from pbem.protocol.rounds.runner import Runner
from pbem.protocol.rounds.state import State, join, position_digest, split

DEPTH = 16384
"""So far back an entry is looked for that a late one names: one seat's notes and voids must not hide it."""
TEXTS = 1024
"""So many positions are remembered; older ones are read again."""
MOMENTS = 32
"""So many earlier rounds are kept as they were read, and so many digests of positions."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What an earlier round was about."""

    state: State
    wanted: dict[str, Due]
    """What it asked for, by seat, resigned seats included."""
    digest: str
    """The position that its entries name."""


@dataclass
class Line(ABC):
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
    marked: Callable[[int], str] | None = None
    """The digest of position.toml after such an entry, as the log has it."""
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
    retired: dict[str, Entry] = field(default_factory=dict)
    """Entries of keys that are not in use where the line stands: they count only if it goes back."""
    chosen: dict[frozenset[str], str] = field(default_factory=dict)
    """Of entries with one number, which one others have built on (`weighing`)."""
    beside: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    """What others have built on a half that does not count, from there on: by its id."""
    weighed: frozenset[str] = frozenset()
    """What was known when the line was last weighed."""
    trial: bool = False
    """Whether this is a copy with which something is tried."""
    trials: int = 16
    """So many entries for which there is no room are tried before they go: it costs a round each."""
    more_comes: bool = False
    """Whether more entries are about to be offered: the line is weighed after the last of them."""
    lowest: int | None = None
    """How far the line went back since it was weighed, if it did."""
    before: dict[int, tuple[str, str]] = field(default_factory=dict)
    """What stood there: entry and position by number."""
    _line: dict[int, Entry] = field(default_factory=dict)
    """The entries logged since this ledger was opened."""
    _texts: dict[int, str] = field(default_factory=dict)
    """position.toml after each of them: who keeps the log may not have been told of it yet."""
    _digests: dict[str, str] = field(default_factory=dict)
    """The digests of positions, by their position.toml."""
    _due: tuple[State | None, dict[str, Due]] = (None, {})
    _places: dict[str, int] = field(default_factory=dict)
    """The numbers of the last entries of the log, by id, as far back as somebody has asked."""
    _moments: dict[str, Moment] = field(default_factory=dict)
    """Earlier rounds that somebody asked for, by their position.toml."""
    _papers: dict[str, NewKeys | None] = field(default_factory=dict)
    """Papers for new keys that have been looked at; None: not in order."""

    @property
    def pos_digest(self) -> str:
        """The digest that entries of the present round name."""
        return self._digest_of(self.text)

    def _digest_of(self, text: str) -> str:
        """The digest of a position.toml, looked up if it was asked for lately."""
        if text not in self._digests:
            self._digests[text] = position_digest(text)
            if len(self._digests) > MOMENTS:
                del self._digests[next(iter(self._digests))]
        return self._digests[text]

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
        return keys_of(self.contract, self.state)

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

    def elsewhere(self, entry: Entry) -> bool:
        """Whether a waiting answer to the present round was given in another position."""
        head = entry.head
        answers = head.head == self.state.head and head.kind in (*IN_TURN, "answers")
        return answers and head.pos != self.pos_digest

    def is_beside(self, entry: Entry) -> bool:
        """Whether an entry was signed in a position that the line has not been in."""
        place = self.place(entry.head.head)
        return place is None or entry.head.pos != self.digest_after(place)

    def _misdated(self, entry: Entry) -> bool:
        """An automatic answer copies the time of what it answers; a decision is not dated before that."""
        if entry.head.kind == "answers":
            return entry.head.sent != self.state.since
        return entry.head.lane == "decide" and entry.head.sent < self.state.since

    def paper(self, text: str) -> NewKeys | None:
        """A paper for new keys, if it is in order."""
        if text not in self._papers:
            self._papers[text] = in_order(self.contract, text)
        return self._papers[text]

    def wait_again(self) -> None:
        """Everything that is kept waits like any other entry, in an order that arrival does not change."""
        self.pool = dict(sorted({e.id: e for e in self.kept()}.items()))
        self.halves, self.aside, self.apart, self.retired = {}, {}, {}, {}

    def forget_half(self, half: Entry, again: bool) -> None:
        """A half is no longer aside; `again`: it waits like any other entry."""
        del self.halves[half.id], self.aside[half.id]
        if again:
            self.pool[half.id] = half

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
            self.before.setdefault(number, (entry.id, self.text_after(number)))
        self.lowest = state.number if self.lowest is None else min(self.lowest, state.number)
        self.rest_on(self.machine.read(table), state, text)

    def state_after(self, number: int) -> State:
        """The protocol's state after an entry of the log."""
        return self.moment(number).state

    def moment(self, number: int) -> Moment:
        """How the game stood after an entry of the log."""
        text = self.text_after(number)
        if text not in self._moments:
            table, state = split(tomllib.loads(text))
            pos = self.machine.read(table)
            wanted = due(pos, self.machine.waits_for(pos), state)
            self._moments[text] = Moment(state, wanted, self._digest_of(text))
            if len(self._moments) > MOMENTS:
                del self._moments[next(iter(self._moments))]
        return self._moments[text]

    def text_after(self, number: int) -> str:
        """position.toml after an entry of the log."""
        if number == self.state.number:
            return self.text
        return self._texts.get(number) or self.earlier(number)

    def digest_after(self, number: int) -> str:
        """The digest of position.toml after an entry of the log; an older one stands in the log itself."""
        if number in (0, self.state.number) or number in self._texts or self.marked is None:
            return self._digest_of(self.text_after(number))
        return self.marked(number)

    def is_old(self, entry: Entry) -> bool:
        """Whether the log has this number already."""
        return entry.head.seq <= self._last(entry.head)

    def _last(self, head: Head) -> int:
        """The last number of the log in a seat's lane."""
        seat = self.state.seats[head.seat]
        return seat.decided if head.lane == "decide" else seat.answered

    def kept(self) -> list[Entry]:
        """Entries that are not in the log and may still matter, to others too (future ones do not)."""
        return [*self.pool.values(), *self.halves.values(), *self.apart.values(), *self.retired.values()]

    def waiting_of(self, seat: str, lane: str) -> list[Entry]:
        """All of a seat's entries that are not in the log, in their own order; of its present key alone."""
        kept, key = (*self.pool.values(), *self.early.values(), *self.apart.values()), self.keys()[seat, lane]
        found = [e for e in kept if e.seat == seat and e.head.lane == lane and e.key == key]
        return sorted(found, key=lambda e: e.head.seq)

    def _recent(self, entry: Entry) -> Entry | None:
        """The logged entry with the same number, if it was logged since this ledger was opened."""
        return next((e for e in reversed(self._line.values()) if e.number == entry.number), None)

    @abstractmethod
    def forward(self) -> list[Logged]:
        """Round after round, as far as what is known leads; returns what was logged."""

    @abstractmethod
    def preferred(self, fitting: list[Entry], head: str, here: bool) -> Entry:
        """Which of several entries with one number counts; `head`: the round that an answer should name."""

    @abstractmethod
    def doubles(self) -> list[tuple[Entry, Entry]]:
        """Pairs of different decisions of one seat with the same number, among the entries that wait."""

    def chain(
        self, seat: str, lane: str, at: State | None = None, known: Iterable[Entry] | None = None
    ) -> list[Entry]:
        """A seat's waiting entries in their own order, as far as there is no gap.

        With an earlier state of the line (`at`), those that would wait there.
        """
        return list(self._one_by_one(seat, lane, at, known))

    def _one_by_one(
        self, seat: str, lane: str, at: State | None = None, known: Iterable[Entry] | None = None
    ) -> Iterator[Entry]:
        """The same, each only when it is asked for: which of two halves counts is not cheap to tell."""
        mine: dict[int, list[Entry]] = {}
        now = self.state if at is None else at
        key = keys_of(self.contract, now)[seat, lane]
        for entry in self.pool.values() if known is None else known:
            if entry.seat == seat and entry.head.lane == lane and entry.key == key:
                mine.setdefault(entry.head.seq, []).append(entry)
        state = now.seats[seat]
        seq, last = (state.decided, state.decision) if lane == "decide" else (state.answered, state.answer)
        dated = state.dated if lane == "decide" else ""
        while fitting := [e for e in mine.get(seq + 1, ()) if e.head.prev == last and e.head.sent >= dated]:
            entry = fitting[0]
            if len(fitting) > 1:
                here = at is None and known is None
                entry = self.preferred(fitting, now.head if lane == "answer" else "", here)
            yield entry
            seq, last = seq + 1, entry.id
            dated = entry.head.sent if lane == "decide" else ""

    def _in_turn(self, owed: Due, wanted: dict[str, Due]) -> list[Entry] | None:
        """The seat's entries up to the one that answers the round, or None if it is not there."""
        alone = decides_alone(owed, wanted)
        found = self._upto(owed.seat, owed.lane, lambda entry: fits_round(entry.head.kind, owed, alone))
        if found is None and (owed.opens or owed.deliver):
            found = self._upto(owed.seat, "decide", lambda entry: isinstance(entry.body, Complaint))
        return found if found is not None and self.seen(found[-1]) is not None else None

    def _upto(self, seat: str, lane: str, fits: Callable[[Entry], bool]) -> list[Entry] | None:
        """A seat's waiting entries up to the first that names this round and fits."""
        chain = []
        for entry in self._one_by_one(seat, lane):
            chain.append(entry)
            here = entry.head.head == self.state.head and entry.head.pos == self.pos_digest
            here = here or entry.head.kind == "audit"
            if here and not self._misdated(entry) and entry.id not in self.voided and fits(entry):
                return chain
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
        for entry in order:
            self.pool.pop(entry.id, None)
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


def keys_of(contract: Contract, state: State) -> dict[tuple[str, str], bytes]:
    """The public keys that sign after a state: those of the contract, unless replaced."""
    found = dict(contract.keys)
    for name, seat in state.seats.items():
        if seat.key:
            found[name, "decide"] = bytes.fromhex(seat.key)
            found[name, "answer"] = bytes.fromhex(seat.answer_key)
    return found


def _question(entry: Entry) -> str:
    return entry.body.question if isinstance(entry.body, ClaimTime) else ""
