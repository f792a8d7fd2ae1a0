"""A game on this machine: the folder with its repository, the ledger, and (for a player) the seat.

Invariants: what is signed is in the home's journal before anything leaves; one decision per number; the
ref moves before the plain files do; entries that cannot be used yet stand in .git/pbem/pool. Nothing
secret is ever written into the game folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.engine.rules import AnyRules
from pbem.errors import MalformedError, NotYourTurnError, PbemError, UsageError
from pbem.filing import first_commit
from pbem.flow import Flow
from pbem.home import Home, TableSecrets
from pbem.journal import Journal
from pbem.packs import rules_for
from pbem.pool import Pool
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.log.doubles import is_double
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.logged import Logged, OtherPosition, Stale
from pbem.protocol.papers.bodies import ANSWERING, Body
from pbem.protocol.papers.contract import Contract, read_contract
from pbem.protocol.papers.entry import Entry, entry_id, read
from pbem.protocol.papers.times import DAY, now, seconds
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.protocol.rounds.sight import sealed_question
from pbem.repository import Repository
from pbem.shelf import POSITION, Shelf


@dataclass
class Received:
    """What became of bytes that came in."""

    logged: list[Logged] = field(default_factory=list)
    answered: list[bytes] = field(default_factory=list)
    """Own automatic answers made on the way."""
    waiting: int = 0
    """Entries kept until others arrive."""
    repeated: int = 0
    refused: list[PbemError] = field(default_factory=list)


class Table:
    """One game, open for reading, and for playing if this home has a seat."""

    def __init__(
        self, repo: Repository, contract: Contract, ledger: Ledger, home: Home | None, head: str | None
    ) -> None:
        self.repo = repo
        self.contract = contract
        self.home = home
        kept = home.secrets(contract.game.hex()) if home is not None else None
        self.own: TableSecrets | None = kept
        self.flow = Flow(ledger, kept.seat if kept else None)
        self.secrets = (
            Secrets(ledger, kept.seat, kept.secret, kept.box, kept.former, kept.answering) if kept else None
        )
        self.clock: Callable[[], str] = now
        """What time it is; a demonstration that can be repeated brings its own."""
        self._pool = Pool(repo.path)
        self._shelf = Shelf(repo, self._pool, ledger.state.number, head)
        self._waiting: list[str] = []
        """What stood in the pool when this was last looked at."""
        self._unusable: list[str] = []
        """What of that waits for nothing any more."""
        self._sits = False
        self._other_decision = False
        """Whether the number that was signed last had been signed before, for another decision."""

    @property
    def ledger(self) -> Ledger:
        """The game as it stands here."""
        return self.flow.ledger

    # --- opening

    @classmethod
    def create(cls, folder: Path, contract: Contract, rules: AnyRules, pack: Any, home: Home | None) -> Table:
        """Begin a game in a new folder; the same contract gives the same first commit everywhere."""
        ledger = Ledger.start(contract, rules, pack, lambda number: "")
        Repository.begin(folder, first_commit(ledger))
        return cls.open(folder, home, rules=rules, pack=pack)

    @classmethod
    def open(cls, folder: Path, home: Home | None, rules: AnyRules | None = None, pack: Any = None) -> Table:
        """A game as it stands: one read of its last position, no replay."""
        return cls._of(Repository.open(folder), home, rules, pack)

    @classmethod
    def _of(cls, repo: Repository, home: Home | None, rules: AnyRules | None, pack: Any) -> Table:
        """Position and log as one commit has them: what is added goes on from that commit, or not at all."""
        head = repo.head()
        raw_game, raw_position = repo.read_many(["game.toml", POSITION], head)
        contract = read_contract(raw_game)
        rules, pack = rules_for(contract.invite, home, rules, pack)

        def earlier(number: int) -> str:
            return table._shelf.position_after(number)

        read: dict[int, Entry] = {}

        def logged(number: int) -> Entry:
            if number not in read:
                some = range(max(1, number - 63), number + 1)
                read.update(zip(some, table.entries(some), strict=True))
            return read[number]

        def marked(number: int) -> str:
            return table._shelf.digest_after(number)

        ledger = Ledger.resume(contract, rules, pack, raw_position.decode(), earlier, logged, marked)
        table = cls(repo, contract, ledger, home, head)
        table._load_pool()
        return table

    @property
    def folder(self) -> Path:
        """The game folder."""
        return self.repo.path

    @property
    def seat(self) -> str | None:
        """The seat of this home, None for a spectator."""
        return self.own.seat if self.own else None

    @property
    def changes(self) -> int:
        """How often the keys of this home's seat were replaced so far."""
        return len(self.ledger.state.seats[self.seat].former) if self.seat else 0

    @property
    def head(self) -> str | None:
        """The last commit that this table knows of."""
        return self._shelf.head

    @property
    def fingerprint(self) -> str:
        """The commit id of the last entry: the same for everybody at the same point."""
        return self.head or ""

    # --- entries that wait

    def _load_pool(self) -> None:
        """Entries kept from before; one that has been logged meanwhile is dropped under the next lock."""
        self.ledger.time = self.clock()
        self._waiting = self._pool.names()
        for name in self._waiting:
            try:
                self.ledger.put_by(self.ledger.admit(read(self._pool.read(name))))
            except Stale as stale:
                known = self._other_half(stale.entry)
                if known is None:
                    self._unusable.append(name)
                else:
                    self.ledger.halves[name], self.ledger.aside[name] = stale.entry, known
            except (PbemError, OSError):
                self._unusable.append(name)

    # --- taking in

    def receive(self, raws: Iterable[bytes], answer: bool = True) -> Received:
        """Verify and apply what others sent; answers that need no decision are made at once."""
        result = Received()
        with self.sitting():
            self.ledger.more_comes = True
            try:
                for raw in raws:
                    self._take(raw, result)
            finally:
                self.ledger.more_comes = False
            result.logged += self._commit(self.ledger.advance())
            if answer:
                self._answer_all(result)
        result.waiting = len(self.ledger.pool) + len(self.ledger.early)
        return result

    @contextmanager
    def sitting(self) -> Iterator[None]:
        """Under the lock, from the end of the line; what is logged meanwhile is added to it in one go.

        What waits is kept then, too. Before that nobody has been told that anything was taken in: whoever
        brought it to a run that is killed has it still. A sitting within a sitting is part of it.
        """
        with self.repo.lock():
            if self._sits:
                yield
                return
            self._sits = True
            try:
                self._catch_up()
                yield
            finally:
                self._sits = False
                self._shelf.flush()
                self._pool.save()
                self._waiting = self._pool.names()
            self.repo.write_files()

    def _catch_up(self) -> None:
        """Another process may have moved the line, or have died before it could log what was complete."""
        if self.repo.head() != self.head or self._pool.names() != self._waiting:
            fresh = self._of(self.repo, self.home, self.ledger.machine.rules, self.ledger.machine.pack)
            self.flow, self.secrets, self._shelf = fresh.flow, fresh.secrets, fresh._shelf
            self._pool, self._waiting, self._unusable = fresh._pool, fresh._waiting, fresh._unusable
        for name in self._unusable:
            with suppress(OSError):
                self._pool.drop(name)
        self._unusable = []
        self.ledger.time = self.clock()
        self._commit(self.ledger.advance())
        self._recall()

    def _take(self, raw: bytes, result: Received) -> None:
        try:
            ledger = self.ledger
            if entry_id(raw) in (ledger.pool.keys() | ledger.early.keys() | ledger.apart.keys()):
                result.repeated += 1
                return
            result.logged += self.flow.take(raw, self._pool.keep, self._commit)
        except Stale as stale:
            self._stale(stale.entry, result)
        except OtherPosition as error:
            result.refused.append(error)
        except PbemError as error:
            self._pool.drop(entry_id(raw))
            result.refused.append(error)

    def _stale(self, entry: Entry, result: Received) -> None:
        """A number the log already has: the same entry again, or half of a double."""
        self._shelf.flush()
        known = self._other_half(entry)
        if known is not None:
            result.logged += self._commit(self.ledger.put_aside(known, entry))
        else:
            result.repeated += 1
        if entry.id not in (self.ledger.halves.keys() | self.ledger.pool.keys() | self.ledger.early.keys()):
            self._pool.drop(entry.id)

    def _other_half(self, entry: Entry) -> Entry | None:
        """The logged entry with which one makes a double, if it is not that one again."""
        if self._shelf.holds(entry.raw):
            return None
        known = self._shelf.find(entry.seat, entry.head.lane, entry.head.seq)
        return known if known is not None and is_double(known, entry) else None

    def _commit(self, logged: Sequence[Logged]) -> Sequence[Logged]:
        """Keep what was logged. A settlement may have cut the line back first: what counts still waits."""
        kept = self.ledger.state.number - len(logged)
        if kept < self._shelf.number:
            for entry in self.ledger.kept():
                self._pool.keep(entry)
            self._pool.save()
            self._shelf.cut(kept)
        self._shelf.add(logged)
        return logged

    # --- giving

    def due(self) -> Due | None:
        """What this seat owes now, unless it has given it."""
        return self.flow.due()

    def _answer_all(self, result: Received) -> None:
        """Make every automatic answer that is owed; each may lead to the next."""
        while self.secrets is not None and self.own is not None:
            owed, key = self.due(), SigningKey.from_seed(self.own.answering)
            if owed is None or owed.kind != "answers":
                return
            if key.public != self.ledger.keys()[owed.seat, "answer"]:
                return  # the seat has new keys by now, which this home has not taken into use
            body = self.secrets.answer(owed)
            raw = self._sign("answers", body, key)
            if raw in result.answered:
                return  # signed before, for another place: it does not answer this one
            result.answered.append(raw)
            self._take(raw, result)
            if result.refused:
                return

    def journal(self) -> Journal | None:
        """What this home has signed in the game with the keys that count now; None for a spectator."""
        if self.home is None or self.seat is None:
            return None
        return self.home.journal(self.contract.game.hex(), self.changes)

    def _sign(self, kind: str, body: Body, key: SigningKey, seen: tuple[str, ...] = ()) -> bytes:
        """Sign once: if this number was signed before, those very bytes come back."""
        lane, journal = "answer" if kind in ANSWERING else "decide", self.journal()
        assert journal is not None
        if key.public != self.ledger.keys()[str(self.seat), lane]:
            raise UsageError(f"this is not the key of seat {self.seat}", "`pbem key use` the right one")
        seq, _ = self.flow.next(lane)
        journal.check(self.folder, lane, seq)
        before = journal.signed(lane, seq)
        self._other_decision = before is not None and lane == "decide" and read(before).body != body
        if before is not None:
            return before
        self._check_clock()
        time = self.clock() if lane == "decide" else ""
        raw = self.flow.sign(kind, body, key, time, seen)
        _check_readable(raw)
        return journal.keep(lane, seq, raw)

    def _check_clock(self) -> None:
        """Nothing is dated before the log: where the clock is days behind it, an own entry would wait aside.

        The question would stay open here, and be answered again and again under ever new numbers.
        """
        time, since = self.clock(), self.ledger.state.since
        if seconds(since) > seconds(time) + DAY:
            raise UsageError(
                f"the clock of this machine says {time}, the log is at {since} already: nothing was signed",
                "set the clock right, then try again",
            )

    def must_decide_here(self) -> None:
        """Refuses, before anything is shown or asked, where this home may not sign a decision."""
        journal = self.journal()
        if journal is not None:
            journal.check(self.folder, "decide", self.flow.next("decide")[0])
            self._check_clock()

    def _recall(self) -> None:
        """What this home signed and this folder lacks: a run was stopped, or the folder was restored."""
        journal = self.journal()
        if journal is None or not journal.is_own(self.folder):
            return
        for lane in ("decide", "answer"):
            asked = 0
            while asked != (next_one := self.flow.next(lane)[0]):
                asked = next_one
                raw = journal.signed(lane, asked)
                if raw is not None:
                    self._take(raw, Received())

    def play(self, kind: str, make: Callable[[Secrets], Body], key: SigningKey) -> tuple[bytes, Received]:
        """Sign a decision of this seat and apply it; then make what answers are owed."""
        if self.secrets is None or self.seat is None:
            raise UsageError("you have no seat in this game", "`pbem join` takes one in a new game")
        result = Received()
        asked = self.ledger.state.head
        with self.sitting():
            if kind in ("orders", "sealed") and (self.due() is None or self.ledger.state.head != asked):
                raise UsageError(
                    "a decision that you signed before was taken up first, or the game has gone on",
                    "nothing else was signed; `pbem send` hands over what you have signed",
                )
            body = make(self.secrets)
            seen = self.flow.unseen() + (self.ledger.present() if kind == "forfeit" else ())
            raw = self._sign(kind, body, key, tuple(dict.fromkeys(seen)))
            other = self._other_decision
            self._take(raw, result)
            self._answer_all(result)
        if result.refused:
            raise result.refused[0]
        if other:
            raise UsageError(
                "another decision was signed before for this question: that one counts and is on its way",
                "a second signature would be a double; `pbem send` hands the first one over",
            )
        return raw, result

    def publish(self) -> Received:
        """The game is over: publish this seat's secret for the audit. No main key is needed."""
        result = Received()
        owed = self.due()
        if owed is None or owed.kind != "audit" or self.secrets is None or self.own is None:
            raise NotYourTurnError("the audit does not wait for you", "`pbem status` says what is owed")
        with self.sitting():
            key = SigningKey.from_seed(self.own.answering)
            raw = self._sign("audit", self.secrets.audit(), key)
            self._take(raw, result)
        if result.refused:
            raise result.refused[0]
        return result

    def orders(self, text: str, key: SigningKey) -> tuple[bytes, Received]:
        """Sign and carry out a list of orders, or a sealed choice where that is asked."""
        owed = self.due()
        if owed is None or owed.lane != "decide":
            raise NotYourTurnError("nothing is asked of you now", "`pbem status` says who is to move")
        if owed.kind == "sealed":
            question = sealed_question(self.ledger, owed.seat)
            assert question is not None and self.secrets is not None
            options, fills = question
            move = self.ledger.machine.read_move(
                self.ledger.position, options, text.strip(), self.secrets.view(options)
            )
            return self.play("sealed", lambda s: s.sealed_choice(options, move, fills), key)
        return self.play("orders", lambda s: s.orders(text), key)

    def entries(self, numbers: Iterable[int]) -> list[Entry]:
        """Logged entries by number, as they were signed."""
        return self._shelf.entries(numbers)


def _check_readable(raw: bytes) -> None:
    """What nobody could read (an invisible letter, too many lines) would use its number up for good."""
    try:
        read(raw)
    except MalformedError as error:
        raise UsageError(
            f"nobody could read this, so nothing was signed: {error.message}", "write it in another way"
        ) from None
