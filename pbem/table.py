"""A game on this machine: the folder with its repository, the ledger, and (for a player) the seat.

Invariants: what is signed is in the home's journal before anything leaves; one answer after each tip; the
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
from pbem.journal import Journal, slot
from pbem.packs import rules_for
from pbem.pool import Pool
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.log.ledger import Ledger, Reader
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import IN_TURN, Answers, Body, Have, Note, Rekey, Say
from pbem.protocol.papers.contract import Contract, read_contract
from pbem.protocol.papers.entry import Entry, compose, entry_id, read
from pbem.protocol.papers.times import now, seconds
from pbem.protocol.rounds.clocks import HOUR, clocks_of
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.protocol.rounds.sight import sealed_question
from pbem.protocol.rounds.state import signed_at
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

    @property
    def ledger(self) -> Ledger:
        """The game as it stands here."""
        return self.flow.ledger

    # --- opening

    @classmethod
    def create(cls, folder: Path, contract: Contract, rules: AnyRules, pack: Any, home: Home | None) -> Table:
        """Begin a game in a new folder; the same contract gives the same first commit everywhere."""
        ledger = Ledger.start(contract, rules, pack)
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

        read: dict[int, Entry] = {}

        def logged(number: int) -> Entry:
            if number not in read:
                some = range(max(1, number - 63), number + 1)
                read.update(zip(some, table.entries(some), strict=True))
            return read[number]

        reader = Reader(lambda number: table._shelf.position_after(number), logged)
        ledger = Ledger.resume(contract, rules, pack, raw_position.decode(), reader)
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
    def head(self) -> str | None:
        """The last commit that this table knows of."""
        return self._shelf.head

    @property
    def fingerprint(self) -> str:
        """The commit id of the last entry: the same for everybody at the same point."""
        return self.head or ""

    # --- entries that wait

    def _load_pool(self) -> None:
        """Entries kept from before; one that cannot be read any more is dropped under the next lock."""
        self._waiting = self._pool.names()
        for name in self._waiting:
            try:
                entry = self.ledger.admit(read(self._pool.read(name)))
                self.ledger.pool[entry.id] = entry
            except (PbemError, OSError):
                self._unusable.append(name)
        self.ledger.look()

    # --- taking in

    def receive(self, raws: Iterable[bytes], answer: bool = True) -> Received:
        """Verify and apply what others sent; answers that need no decision are made at once."""
        result = Received()
        with self.sitting():
            self._take(raws, result)
            if answer:
                self._answer_all(result)
        result.waiting = len(self.ledger.pool)
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
                self._pool.only(self.ledger.pool)
                self._pool.save()
                self._waiting = self._pool.names()
            self.came()
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
        self._commit(self.ledger.wait(()))
        self._recall()

    def _take(self, raws: Iterable[bytes], result: Received) -> None:
        """Take entries in; one of a key that is not known yet may be explained by a later one."""
        fresh: list[bytes] = []
        for raw in raws:
            if self.ledger.knows(entry_id(raw)) or self._shelf.holds(raw):
                result.repeated += 1
            else:
                fresh.append(raw)
        unknown: list[PbemError] = []
        result.logged += self.flow.take(fresh, self._keep, self._commit, unknown.append)
        if unknown and len(unknown) < len(fresh):
            again = [raw for raw in fresh if not self.ledger.knows(entry_id(raw))]
            unknown = []
            result.logged += self.flow.take(again, self._keep, self._commit, unknown.append)
        result.refused += unknown

    def _keep(self, entry: Entry) -> None:
        self._pool.keep(entry)

    def _commit(self, logged: Sequence[Logged]) -> Sequence[Logged]:
        """Keep what was logged; a round on which nobody else has built may have been replaced."""
        kept = self.ledger.state.number - len(logged)
        if kept < self._shelf.number:
            for entry in self.ledger.pool.values():
                self._pool.keep(entry)
            self._pool.save()
            self._shelf.cut(kept)
        self._shelf.add(logged)
        journal = self.journal()
        for one in logged:
            mine = one.entry.seat == self.seat and one.entry.head.lane == "decide"
            if mine and journal is not None and journal.signed(slot(one.entry.head, one.entry.body)) is None:
                journal.decides_elsewhere()
        return logged

    # --- clocks

    def came(self) -> str:
        """When this machine's line came to where it stands: its clocks begin with that."""
        if self.home is None:
            return self.ledger.state.since
        return str(self._clock_file()["came"])

    def called_since(self, late: tuple[str, ...]) -> str | None:
        """Since when this machine has held a call here that names these seats; None if it holds none."""
        found = self._clock_file().get("calls", {}).get(" ".join(late)) if self.home is not None else None
        return str(found) if found is not None else None

    def _clock_file(self) -> dict[str, Any]:
        """When this machine came to its tip, and first held each call there; by its own clock."""
        assert self.home is not None
        name, tip = f"clock-{self.contract.game.hex()}.toml", signed_at(self.ledger.place.tip)
        known = self.home.read_table(name)
        fresh: dict[str, Any] = (
            known if known.get("tip") == tip else {"tip": tip, "came": self.clock(), "calls": {}}
        )
        calls = {" ".join(late): self.clock() for late in self.ledger.called()}
        fresh = {**fresh, "calls": {**calls, **fresh["calls"]}}
        if fresh != known:
            self.home.write_table(name, fresh)
        return fresh

    def must_hold(self) -> bool:
        """True while a complete call is younger than the grace: crossing mails meet before it is built on."""
        if self.ledger.state.by != "late":
            return False
        grace = clocks_of(self.contract, self.ledger.state).grace * HOUR
        return seconds(self.clock()) < seconds(self.came()) + grace

    # --- giving

    def due(self) -> Due | None:
        """What this seat owes now, unless it has given it."""
        return self.flow.due()

    def _answer_all(self, result: Received) -> None:
        """Make every automatic answer that is owed; each may lead to the next."""
        if self.secrets is None or self.own is None:
            return
        key = SigningKey.from_seed(self.own.answering)
        if key.public != self.ledger.place.key(self.own.seat, "answer"):
            return  # the seat has new keys by now, which this home has not taken into use
        self._tell_restored(result, key)
        if self.silent():
            return  # a restored home gives nothing before the others have told what they have of its seat
        while (owed := self.due()) is not None and owed.kind == "answers" and not self.must_hold():
            raw = self._sign("answers", self.secrets.answer(owed), key)
            if raw in result.answered:
                return  # signed before, and it does not answer this
            result.answered.append(raw)
            self._take([raw], result)
            if result.refused:
                return

    def _tell_restored(self, result: Received, key: SigningKey) -> None:
        """A restored home has asked what the others have of its seat: everything goes there with this."""
        for entry in list(self.ledger.pool.values()):
            if entry.head.kind == "ask" and entry.seat != self.seat:
                raw = self._sign("have", Have(entry.id), key)
                if not self.ledger.knows(entry_id(raw)):
                    result.answered.append(raw)
                    self._take([raw], result)

    def journal(self) -> Journal | None:
        """What this home has signed in the game; None for a spectator."""
        if self.home is None or self.seat is None:
            return None
        return self.home.journal(self.contract.game.hex())

    def _sign(self, kind: str, body: Body, key: SigningKey) -> bytes:
        """Sign once: if something was signed for this place before, those very bytes come back."""
        journal = self.journal()
        assert journal is not None
        head = self.flow.head(kind, self.clock())
        journal.check(self.folder, head.lane)
        name = slot(head, body)
        before = journal.signed(name)
        if before is not None:
            return before
        raw = compose(head, body, key)
        _check_readable(raw)
        return journal.keep(name, raw)

    def must_decide_here(self) -> None:
        """Refuses, before anything is shown or asked, where this home may not sign a decision."""
        journal = self.journal()
        if journal is None:
            return
        journal.check(self.folder, "decide")
        silent = self.silent()
        if silent:
            raise UsageError(
                f"this home was restored, and {', '.join(silent)} has not told it yet what you have signed",
                "take in their next mail; after the grace of the contract you may decide without it",
            )
        if self.must_hold():
            raise UsageError(
                "everybody has called somebody late, but their answer may still be under way",
                "the grace of the contract must pass first; `pbem receive` what comes until then",
            )

    def silent(self) -> list[str]:
        """The seats that a restored home still waits for before it decides."""
        journal = self.journal()
        pen = journal.pen() if journal is not None else None
        if pen is None or not pen.asked:
            return []
        grace = clocks_of(self.contract, self.ledger.state).grace * HOUR
        if seconds(self.clock()) >= seconds(pen.at) + grace:
            return []
        pool = self.ledger.pool.values()
        told = {e.seat for e in pool if isinstance(e.body, Have) and e.body.asked == pen.asked}
        return [seat for seat in self.ledger.place.present if seat not in (*told, self.seat)]

    def _recall(self) -> None:
        """What this home signed and this folder lacks: a run was stopped, or the folder was restored."""
        journal = self.journal()
        if journal is None or not journal.is_own(self.folder):
            return
        names = ("orders", Note()), ("answers", Answers()), ("say", Say("")), ("rekey", Rekey(""))
        while True:
            heads = [(self.flow.head(kind, self.clock()), body) for kind, body in names]
            raws = [raw for head, body in heads if (raw := journal.signed(slot(head, body))) is not None]
            lost = [raw for raw in raws if not self.ledger.knows(entry_id(raw))]
            if not lost:
                return
            before = len(self.ledger.pool), self.ledger.state.number
            self._take(lost, Received())
            if before == (len(self.ledger.pool), self.ledger.state.number):
                return

    def play(self, kind: str, make: Callable[[Secrets], Body], key: SigningKey) -> tuple[bytes, Received]:
        """Sign an entry of this seat's person and apply it; then make what answers are owed."""
        if self.secrets is None or self.seat is None:
            raise UsageError("you have no seat in this game", "`pbem join` takes one in a new game")
        result = Received()
        asked = self.ledger.place.tip
        with self.sitting():
            in_turn = kind in IN_TURN
            if in_turn and (self.due() is None or self.ledger.place.tip != asked):
                again = self._signed_before(make, asked)
                if again is not None:  # the same command, after a run that was stopped
                    self._answer_all(result)
                    return again, result
                raise UsageError(
                    "a decision that you signed before was taken up first, or the game has gone on",
                    "nothing else was signed; `pbem send` hands over what you have signed",
                )
            if in_turn or kind == "late":
                self.must_decide_here()
            body = make(self.secrets)
            self._must_be_own(kind, key)
            raw = self._sign(kind, body, key)
            other = in_turn and read(raw).body != body
            self._take([raw], result)
            self._answer_all(result)
        if result.refused:
            raise result.refused[0]
        if other:
            raise UsageError(
                "another decision was signed before for this question: that one counts and is on its way",
                "a second signature would make a fork; `pbem send` hands the first one over",
            )
        return raw, result

    def _signed_before(self, make: Callable[[Secrets], Body], tip: tuple[str, ...]) -> bytes | None:
        """What this home signed at a tip, if it is the very decision that is wanted now."""
        journal = self.journal()
        before = journal.signed(f"decide-{signed_at(tip)}") if journal is not None else None
        assert self.secrets is not None
        try:
            return before if before is not None and read(before).body == make(self.secrets) else None
        except PbemError:
            return None

    def _must_be_own(self, kind: str, key: SigningKey) -> None:
        """Refuses a key that is not this seat's; for new keys its spare key and the new one may sign."""
        seat = str(self.seat)
        mine = [self.ledger.place.key(seat), self.contract.seats[seat].spare if kind == "rekey" else b""]
        if key.public not in mine and kind != "note":
            raise UsageError(f"this is not the key of seat {seat}", "`pbem key use` the right one")

    def publish(self) -> Received:
        """The game is over: publish this seat's secret for the audit. No main key is needed."""
        result = Received()
        owed = self.due()
        if owed is None or owed.kind != "audit" or self.secrets is None or self.own is None:
            raise NotYourTurnError("the audit does not wait for you", "`pbem status` says what is owed")
        if self.must_hold():
            raise NotYourTurnError(
                "the game ended by a call that is younger than the grace: no secret leaves yet",
                "`pbem receive` what comes until then",
            )
        with self.sitting():
            key = SigningKey.from_seed(self.own.answering)
            raw = self._sign("audit", self.secrets.audit(), key)
            self._take([raw], result)
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
    """What nobody could read (an invisible letter, too many lines) must not be signed."""
    try:
        read(raw)
    except MalformedError as error:
        raise UsageError(
            f"nobody could read this, so nothing was signed: {error.message}", "write it in another way"
        ) from None
