"""One game as one machine knows it: the line that its entries make, and the entries beside it.

The line follows from the entries alone (`line`); everything else here is a cache of it, so that an entry
costs no look at the whole game. Only what names another tip than the last is judged from that tip on.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pbem.engine.events import Event
from pbem.engine.machine import Machine
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules
from pbem.errors import UsageError, VerificationError
from pbem.protocol.crypto.keys import parse_public_line
from pbem.protocol.log.line import Split, line
from pbem.protocol.log.logged import Logged
from pbem.protocol.log.place import Place, Step, Tip
from pbem.protocol.papers.bodies import ASIDE, IN_TURN, Late, Rekey
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry, Unverified, verify
from pbem.protocol.papers.invitation import WITNESS
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.key_papers import in_order
from pbem.protocol.rounds.runner import Runner
from pbem.protocol.rounds.state import SeatState, State, split

NEAR = 256
"""So far back the tips are looked for that entries name which have waited for some time."""
ROOM = 256
"""So many entries of one seat wait beside the line at most."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The log from before this ledger was opened."""

    position: Callable[[int], str]
    """position.toml after an entry."""
    entry: Callable[[int], Entry]


def _unread(number: int) -> Any:
    raise UsageError(f"entry {number} is not at hand", "rebuild the game from its moves")


class Ledger:
    """The state of one game on one machine."""

    def __init__(self, place: Place, reader: Reader, opening: tuple[Event, ...] = ()) -> None:
        self.place = place
        """Where the line has come to."""
        self.opening = opening
        """What happened before the first entry."""
        self.pool: dict[str, Entry] = {}
        """Entries that are not in the line, by id."""
        self.split: Split | None = None
        """The fork at which the game ended, if it did."""
        self.last_steps: tuple[Step, ...] = ()
        """The rounds of the line from where it was judged last."""
        self._reader = reader
        self._logged: dict[int, Logged] = {}
        """What was logged since this ledger was opened."""
        self._numbers: dict[str, int] = {}
        """The numbers of logged entries, by id, as far back as somebody has asked."""

    # --- beginning and going on

    @classmethod
    def start(
        cls, contract: Contract, rules: AnyRules, pack: Any, runner_kind: type[Runner] = Runner
    ) -> Ledger:
        """A new game, settled as far as it goes without an entry."""
        invite = contract.invite
        machine = Machine(rules, pack)
        first = machine.start(invite.scenario, dict(invite.options), invite.seats)
        seats = {s.name: SeatState(link=s.tip.hex()) for s in contract.seats.values()}
        state = State(tip=(contract.game.hex(),), since=contract.begin, seats=seats)
        runner = Runner(contract, machine, first.position, state)
        runner.run()
        place = Place(contract, machine, runner.pos, state, runner=runner_kind)
        reader = Reader(lambda number: place.text if number == 0 else _unread(number), _unread)
        return cls(place, reader, (*first.events, *runner.events))

    @classmethod
    def resume(cls, contract: Contract, rules: AnyRules, pack: Any, text: str, reader: Reader) -> Ledger:
        """A game as its last position.toml left it."""
        machine = Machine(rules, pack)
        return cls(_read_place(contract, machine, text), reader)

    # --- how it stands

    @property
    def contract(self) -> Contract:
        """What the seats have signed."""
        return self.place.contract

    @property
    def machine(self) -> Machine:
        """The rules with their data."""
        return self.place.machine

    @property
    def position(self) -> Position:
        """The game's position."""
        return self.place.position

    @property
    def state(self) -> State:
        """The protocol's part of it."""
        return self.place.state

    @property
    def text(self) -> str:
        """position.toml."""
        return self.place.text

    def due(self) -> dict[str, Due]:
        """What the game waits for, by seat; nothing after a fork that ended it."""
        return self.place.asked if self.split is None else {}

    def missing(self) -> dict[str, Due]:
        """What of it has not arrived. Orders that still wait here are none: they could not be carried out."""
        waiting = [e for e in self.pool.values() if e.head.kind != "orders"]
        given = {e.seat for e in waiting if self.place.answers(e, self.pool)}
        return {seat: owed for seat, owed in self.due().items() if seat not in given}

    def called(self) -> dict[tuple[str, ...], list[Entry]]:
        """The calls at this tip, by the seats that they name, those that can never count included."""
        here = [e for e in self.pool.values() if e.head.after == self.place.tip]
        found: dict[tuple[str, ...], list[Entry]] = {}
        for entry in sorted(here, key=lambda e: e.id):
            if isinstance(entry.body, Late) and entry.key == self.place.key(entry.seat):
                found.setdefault(entry.body.seats, []).append(entry)
        return found

    def unseen(self) -> list[Entry]:
        """Entries out of turn that a decision can take in here, each after what its author signed before."""
        found: list[Entry] = []
        for seat in self.place.present:
            at, waiting = self.state.seats[seat].spoken, [e for e in self.pool.values() if e.seat == seat]
            follows = {e.head.prev: e for e in sorted(waiting, key=lambda e: e.id, reverse=True) if _aside(e)}
            while at in follows and len(found) < ROOM:
                found.append(follows[at])
                at = follows[at].id
        return found

    def last_aside(self, seat: str) -> str:
        """A seat's last entry out of turn: what its next one follows."""
        mine = [e for e in self.unseen() if e.seat == seat]
        return mine[-1].id if mine else self.state.seats[seat].spoken

    # --- taking entries in

    def admit(self, unverified: Unverified) -> Entry:
        """Well-formed bytes as an entry of this game: cheap checks first, the signature last."""
        head, contract = unverified.head, self.contract
        if head.game != contract.game.hex():
            raise VerificationError("the entry belongs to another game")
        if head.seat == WITNESS and contract.invite.witness:
            if head.kind != "late":
                raise VerificationError("the witness of this game signs calls, and nothing else")
            return verify(unverified, (contract.invite.witness_key,))
        if head.seat not in contract.seats:
            raise VerificationError(f"nobody at this table sits in seat {head.seat!r}")
        if head.sent < contract.begin:
            raise VerificationError(f"the entry is dated {head.sent}, before the game began")
        return verify(unverified, self._keys(head.seat, head.lane, head.kind))

    def _keys(self, seat: str, lane: str, kind: str) -> set[bytes]:
        """Every key that a seat has, has had, or has asked for: where each counts is judged at its tip."""
        mine, now = self.contract.seats[seat], self.state.seats[seat]
        asked = [e.body for e in self.pool.values() if e.seat == seat and isinstance(e.body, Rekey)]
        papers = [told for body in asked if (told := in_order(self.contract, body.paper)) is not None]
        if lane == "answer":
            return {mine.answer, *map(bytes.fromhex, [now.answer_key, *(p.answer for p in papers)])} - {b""}
        found = {mine.key, bytes.fromhex(now.key), *(parse_public_line(p.key) for p in papers)}
        return (found | {mine.spare} if kind == "rekey" else found) - {b""}

    def knows(self, name: str) -> bool:
        """Whether an entry is here: it waits, or stands in the part of the log that was looked at."""
        return name in self.pool or name in self._numbers

    def offer(self, entries: Iterable[Entry]) -> list[Logged]:
        """Take entries in; returns what became part of the log.

        What is returned are the last entries of the log: where fewer were logged before them than the caller
        holds, the rest is replaced. Nobody else has built on that.
        """
        begin = self.state.number
        for entry in entries:
            if self.knows(entry.id):
                continue
            self.pool[entry.id] = entry
            begin = min(begin, self._from(entry.head.after))
            if entry.id in self._numbers:  # in the log, further back than anybody has looked so far
                del self.pool[entry.id]
        made = self._judge(begin)
        self._make_room()
        return made

    def wait(self, entries: Iterable[Entry]) -> list[Logged]:
        """Entries that waited when the game was last open wait again; returns what they lead to."""
        self.pool.update((entry.id, entry) for entry in entries)
        tips = {entry.head.after for entry in self.pool.values()}
        return self._judge(min((self._from(tip, NEAR) for tip in tips), default=self.state.number))

    def look(self) -> None:
        """See whether the game ended at a fork here; nothing is logged."""
        found = line(self.place, self.pool, self.text_after) if self.pool else None
        if found is not None and not found.steps:
            self.split = found.split

    # --- where the line is judged from

    def _from(self, tip: Tip, depth: int = 1 << 30) -> int:
        """The number of the place where something signed after a tip may change the line."""
        while tip != self.place.tip:
            number = self._number_of(tip, depth)
            if number is not None:
                return number
            before = self.pool.get(tip[0])
            if before is None:
                break
            tip = before.head.after
        return self.state.number

    def _number_of(self, tip: Tip, depth: int) -> int | None:
        """How many entries the log had when it came to a tip; None if it never did, or too long ago."""
        if tip == (self.contract.game.hex(),):
            return 0
        lowest = self.state.number - len(self._numbers) + 1
        end = max(1, self.state.number - depth)
        while tip[-1] not in self._numbers and lowest > end:
            lowest -= 1
            self._numbers[self.entry(lowest).id] = lowest
        number = self._numbers.get(tip[-1])
        if number is None or number < len(tip):
            return None
        members = tuple(self.entry(n).id for n in range(number - len(tip) + 1, number + 1))
        return number if members == tip else None

    def entry(self, number: int) -> Entry:
        """An entry of the log."""
        return self._logged[number].entry if number in self._logged else self._reader.entry(number)

    def text_after(self, number: int) -> str:
        """position.toml after an entry of the log."""
        if number == self.state.number:
            return self.text
        return self._logged[number].position if number in self._logged else self._reader.position(number)

    # --- the line

    def _judge(self, begin: int) -> list[Logged]:
        """The line from a place on; what it is made of leaves the pool, what it leaves waits there again."""
        start, later = self.place, list[Entry]()
        if begin < self.state.number:
            start = _read_place(self.contract, self.machine, self.text_after(begin), self.place.runner)
            later = [self.entry(n) for n in range(begin + 1, self.state.number + 1)]
        known = {**{entry.id: entry for entry in later}, **self.pool}
        found = line(start, known, self.text_after)
        self.split, self.last_steps = found.split, found.steps
        made = _as_logged(begin, start.text, found.steps)
        ids = [one.entry.id for one in made]
        same = next((n for n, e in enumerate(later) if ids[n : n + 1] != [e.id]), len(later))
        if made or later:
            self._stand(
                begin + same, found.steps[-1].place if found.steps else start, made[same:], later[same:]
            )
        return made[same:]

    def _stand(self, kept: int, place: Place, made: list[Logged], left: list[Entry]) -> None:
        """The log has these entries after the first `kept`; those that it had there instead wait again."""
        self.place = place
        self._logged = {number: one for number, one in self._logged.items() if number <= kept}
        self._numbers = {name: number for name, number in self._numbers.items() if number <= kept}
        self.pool.update((entry.id, entry) for entry in left)
        for one in made:
            self.pool.pop(one.entry.id, None)
            self._logged[one.number] = one
            self._numbers[one.entry.id] = one.number

    def _make_room(self) -> None:
        """Of a seat's entries after one tip those are kept that others name, and the lowest."""
        named = {name for e in self.pool.values() for name in (*e.head.after, *e.head.seen, e.head.prev)}
        same: dict[object, list[Entry]] = {}
        for entry in sorted(self.pool.values(), key=lambda e: (not self.place.answers(e, self.pool), e.id)):
            body = entry.body.seats if isinstance(entry.body, Late) else ()
            what = entry.head.prev if _aside(entry) else entry.head.kind in IN_TURN
            same.setdefault((entry.seat, entry.key, entry.head.after, what, body), []).append(entry)
        kept = [e for group in same.values() for n, e in enumerate(group) if n == 0 or e.id in named]
        kept.sort(key=lambda e: (e.head.after != self.place.tip, e.id not in named, e.id))
        count: dict[str, int] = {}
        self.pool = {}
        for entry in kept:
            count[entry.seat] = count.get(entry.seat, 0) + 1
            if count[entry.seat] <= ROOM:
                self.pool[entry.id] = entry


def _aside(entry: Entry) -> bool:
    return entry.head.kind in ASIDE


def _read_place(contract: Contract, machine: Machine, text: str, runner: type[Runner] = Runner) -> Place:
    table, state = split(tomllib.loads(text))
    return Place(contract, machine, machine.read(table), state, text, runner)


def _as_logged(begin: int, text: str, steps: Iterable[Step]) -> list[Logged]:
    """The rounds of a line as entries of the log; position.toml changes with the last entry of each."""
    made: list[Logged] = []
    for step in steps:
        for entry, told in zip(step.after.order, step.after.told, strict=True):
            last = entry is step.after.order[-1]
            text = step.place.text if last else text
            claims = step.after.claims if last else ()
            made.append(Logged(begin + len(made) + 1, entry, told, claims, text))
    return made
