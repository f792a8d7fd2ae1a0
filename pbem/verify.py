"""Verification: from game.toml and moves/ alone, everything again.

The checks, in order: (1) structure: only lawful paths, modes and sizes; (2) the contract and every
signature under it; (3) every entry: bytes, signature, place in its round; (4) randomness and (5) rules,
by running the same ledger; (6) log/ and position.toml, byte for byte; (7) the commits, id by id; (8) when
secrets are published, every hidden card, chit and claim. The first bad entry ends it, and is named; if the
entries prove that a seat broke the protocol, so is that seat, whatever the files of the folder say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pbem.engine.wording import tell
from pbem.errors import PbemError, VerificationError
from pbem.filing import commit_of, first_commit, log_path, move_path
from pbem.flow import Flow
from pbem.home import Home
from pbem.packs import rules_for
from pbem.protocol.log.audit import Auditor, Problem
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.logged import Logged
from pbem.protocol.log.results import result
from pbem.protocol.papers.bodies import Answers, Audit, Resign
from pbem.protocol.papers.contract import Contract, read_contract
from pbem.protocol.papers.entry import Entry, read
from pbem.protocol.papers.pieces import SIZE, put_together
from pbem.protocol.rounds.state import Why
from pbem.repository import Commit, Ids, Repository
from pbem.repository.line import WrongLine, check_line


@dataclass
class Verification:
    """What a verification came to."""

    ok: bool
    entries: int
    fingerprint: str
    audited: dict[str, bool]
    problem: Problem | None = None
    """The first wrong entry."""
    outcome: str = ""
    """How the game ended, in words."""
    result: dict[str, Any] = field(default_factory=dict)
    """How it stands or ended, as facts."""
    gaps: dict[str, list[str]] = field(default_factory=dict)
    """What a published secret could not show, by seat: neither lawful nor a breach."""
    was_unfinished: bool = False
    """A killed run had left something of the folder unwritten; it was written before anything was checked."""
    truth: dict[Any, str] = field(default_factory=dict)
    """Every hidden thing that the published secrets disclose."""
    logged: list[Logged] = field(default_factory=list)
    """Every entry again, with what it led to, as far as it was in order."""
    positions: list[str] = field(default_factory=list)
    """position.toml at the beginning and after each of them."""
    whole: bool = False
    """Everything could be made again and is the same: at most somebody in it broke the protocol."""
    besides: list[Problem] = field(default_factory=list)
    """What else is wrong: a breach that the entries prove, or what in the folder does not fit them."""
    hint: str | None = None
    """How the folder is put right, where that is all that is wrong first."""

    def table(self) -> dict[str, Any]:
        """As `pbem verify --json` prints it."""
        return {
            "ok": self.ok,
            "entries": self.entries,
            "fingerprint": self.fingerprint,
            "outcome": self.outcome,
            "audited": self.audited,
            "gaps": self.gaps,
            "problem": asdict(self.problem) if self.problem else None,
            "besides": [asdict(one) for one in self.besides],
            "hint": self.hint,
            "result": self.result,
        }


class _Bad(Exception):
    def __init__(self, entry: int, seat: str, cause: str, hint: str | None = None) -> None:
        super().__init__(cause)
        self.problem = Problem(entry, seat, cause)
        self.hint = hint


def verify_folder(
    folder: Path, home: Home | None = None, progress: Callable[[int, int], None] = lambda done, of: None
) -> Verification:
    """The verdict on a game folder."""
    head, state = "", _State()
    try:
        repo = Repository.open(folder)
        head = repo.head() or ""
        replay = _line(repo, head, state, home, progress)
        _plain_files(repo)
        found = _verdict(replay, head)
        found.was_unfinished = repo.was_unfinished
        return found
    except (_Bad, PbemError) as error:
        return state.failed(error, head)


def verify_commit(repo: Repository, head: str, home: Home | None = None) -> Verification:
    """The verdict on the line that ends with a commit, as a host sees it: there are no plain files."""
    state = _State()
    try:
        return _verdict(_line(repo, head, state, home, lambda done, of: None), head)
    except (_Bad, PbemError) as error:
        return state.failed(error, head)


def _line(
    repo: Repository, head: str, state: _State, home: Home | None, progress: Callable[[int, int], None]
) -> _Replay:
    """(1) to (7), of the line that ends with this commit."""
    files = _files(repo, head)
    replay = state.run(files, home, progress)
    _same_files(files, replay)
    _same_commits(repo, replay, head)
    return replay


def verify_moves(
    files: dict[str, bytes],
    home: Home | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Verification:
    """The verdict on game.toml and moves/ alone, without a repository; the fingerprint follows from them."""
    state = _State()
    try:
        replay = state.run(files, home, progress)
        ids = Ids()
        return _verdict(replay, [ids.add(commit) for commit in replay.commits][-1])
    except (_Bad, PbemError) as error:
        return state.failed(error, "")


class _State:
    """A verification under way: what a failure can still tell."""

    def __init__(self) -> None:
        self.contract: Contract | None = None
        self.replay: _Replay | None = None

    def run(
        self, files: dict[str, bytes], home: Home | None, progress: Callable[[int, int], None]
    ) -> _Replay:
        self.contract = _contract(files)
        self.replay = _Replay(self.contract, files, home, progress)
        self.replay.run()
        return self.replay

    def failed(self, error: _Bad | PbemError, head: str) -> Verification:
        seats = self.contract.invite.seats if self.contract else ()
        done = self.replay.done if self.replay else 0
        failure = error.problem if isinstance(error, _Bad) else Problem(done, "", error.message)
        found = [failure]
        if self.replay is not None:
            named = [one for one in _breach(self.replay) if one.seat]
            found = [*named, *found, *_misfit(self.replay)]
        problem, *besides = sorted(dict.fromkeys(found), key=lambda one: one.entry)
        verdict = Verification(False, done, head, dict.fromkeys(seats, False), problem, besides=besides)
        verdict.hint = error.hint if problem == failure else None
        if self.replay is not None:
            verdict.logged, verdict.positions = self.replay.logged, self.replay.positions
            verdict.result = result(self.replay.ledger)
        return verdict


def _files(repo: Repository, head: str) -> dict[str, bytes]:
    """(1) Every file of the last commit, on lawful paths only."""
    if not head:
        raise VerificationError("the folder holds no game yet")
    paths = sorted(repo.tree(head))
    return dict(zip(paths, repo.read_many(paths, head), strict=True))


def _contract(files: dict[str, bytes]) -> Contract:
    """(2) The contract, with every signature under it."""
    if "game.toml" not in files:
        raise VerificationError("game.toml is missing")
    try:
        return read_contract(files["game.toml"])
    except PbemError as error:
        raise _Bad(0, "", f"game.toml: {error.message}") from None


class _Replay:
    """(3) to (5), and what (6) to (8) compare with."""

    def __init__(
        self,
        contract: Contract,
        files: dict[str, bytes],
        home: Home | None,
        progress: Callable[[int, int], None],
    ) -> None:
        self.contract = contract
        self.files = files
        self.progress = progress
        rules, pack = rules_for(contract.invite, home)
        self.positions: list[str] = []
        self.ledger = Ledger.start(contract, rules, pack)
        self.flow = Flow(self.ledger)
        self.positions.append(self.ledger.text)
        self.commits: list[Commit] = [first_commit(self.ledger)]
        self.logged: list[Logged] = []
        self.moves = self._moves()
        self.secrets, former = self._secrets()
        self.auditor = Auditor(contract, self.secrets, former)
        self.done = 0

    def _moves(self) -> list[tuple[int, str, bytes]]:
        found: list[tuple[int, str, bytes]] = []
        for path in sorted(p for p in self.files if p.startswith("moves/")):
            name = path.rsplit("/", 1)[1].removesuffix(".toml")
            number, _, seat = name.partition("-")
            if move_path(int(number), seat) != path or int(number) != len(found) + 1:
                raise _Bad(len(found) + 1, "", f"{path}: a move is missing or in the wrong place")
            found.append((int(number), seat, self.files[path]))
        return found

    def _secrets(self) -> tuple[dict[str, bytes], dict[str, tuple[bytes, ...]]]:
        """The secrets that the entries publish; believed only where they fit the contract."""
        found: dict[str, bytes] = {}
        former: dict[str, tuple[bytes, ...]] = {}
        given: dict[str, dict[str, bytes]] = {}
        for _, _, raw in self.moves:
            if b"\nsecret = " not in raw and b"\npieces = " not in raw:
                continue
            try:
                body, seat = read(raw).body, read(raw).head.seat
            except PbemError:
                continue
            if isinstance(body, (Audit, Resign)) and len(body.secret) == 64:
                found[seat] = bytes.fromhex(body.secret)
                former[seat] = tuple(bytes.fromhex(one) for one in body.former)
            if isinstance(body, Answers):
                for one in body.pieces:
                    given.setdefault(one.of, {})[seat] = bytes.fromhex(one.piece)
        for seat, secrets in self._put_together(given).items():
            found[seat], former[seat] = secrets[-1], secrets[:-1]
        return found, former

    def _put_together(self, given: dict[str, dict[str, bytes]]) -> dict[str, tuple[bytes, ...]]:
        """The secrets of seats that vanished, oldest first, from the pieces that the others gave."""
        invite, listed = self.contract.invite, self.contract.listed
        found: dict[str, tuple[bytes, ...]] = {}
        for of, pieces in given.items():
            good = {holder: piece for holder, piece in pieces.items() if len(piece) == SIZE}
            for seat in invite.seats:
                secret = put_together(listed, invite.seats, seat, of, invite.threshold, good)
                if secret is not None:
                    found[seat] = (*found.get(seat, ()), secret)
        return found

    def run(self) -> None:
        """Every entry again, in the order of the log."""
        self.auditor.begin()
        self._check_audit()
        for number, seat, raw in self.moves:
            try:
                new = self.flow.take([raw], partial(self._look, number, seat))
            except PbemError as error:
                raise _Bad(number, seat, error.message) from None
            except _Bad:
                raise
            except Exception as error:
                raise _Bad(number, seat, f"cannot be carried out: {error}") from None
            self._take(new)
            self._check_audit()
            self.done = number
            self.progress(number, len(self.moves))
        if len(self.logged) != len(self.moves):
            number, seat, _ = self.moves[len(self.logged)]
            raise _Bad(number, seat, "the entry does not complete its round, or is out of place")
        self.auditor.finish(self.ledger)
        self._check_audit()

    def _check_audit(self) -> None:
        if self.auditor.problems:
            problem = self.auditor.problems[0]
            raise _Bad(problem.entry, problem.seat, problem.cause)

    def _look(self, number: int, seat: str, entry: Entry) -> None:
        """A signed entry, before it counts: it is whose file it is, and what it hides is looked at."""
        if entry.seat != seat:
            raise _Bad(number, seat, f"the file is named after {seat}, the entry is {entry.seat}'s")
        self.auditor.look(self.ledger, number, seat, entry.body, entry.head.after)

    def _take(self, new: list[Logged]) -> None:
        for logged in new:
            number, seat, raw = self.moves[len(self.logged)]
            if logged.number != number or logged.entry.raw != raw:
                raise _Bad(number, seat, "the entries of its round stand in another order")
            self.logged.append(logged)
            self.positions.append(logged.position)
            self.commits.append(commit_of(logged))
            self.auditor.note(self.ledger, logged)


def _same_files(files: dict[str, bytes], replay: _Replay) -> None:
    """(6) log/ and position.toml are derived: they must be what the replay makes."""
    wanted: dict[str, tuple[int, str, bytes]] = {}
    for number, commit in enumerate(replay.commits):
        seat = replay.moves[number - 1][1] if number else ""
        for path, data in commit.files.items():
            wanted[path] = (number, seat, data)
    for path in sorted(wanted, key=lambda p: wanted[p][0]):
        number, seat, data = wanted[path]
        if files.get(path) != data:
            raise _Bad(number, "", f"{path} is not what the entries lead to")
    for path in sorted(set(files) - set(wanted)):
        raise _Bad(len(replay.moves), "", f"{path} does not belong to the game")


def _misfit(replay: _Replay) -> list[Problem]:
    """Where the log of a folder first tells of something else than the entries do, as far as they lead."""
    for number, commit in enumerate(replay.commits):
        path = log_path(number)
        if replay.files.get(path, commit.files[path]) != commit.files[path]:
            return [Problem(number, "", f"{path} is not what the entries lead to")]
    return []


def _same_commits(repo: Repository, replay: _Replay, head: str) -> None:
    """(7) One commit per entry, whose id follows from the entries; every object is there, as its id says."""
    try:
        check_line(repo, replay.commits, head)
    except WrongLine as error:
        raise _Bad(error.number, "", error.message, error.hint) from None


def _plain_files(repo: Repository) -> None:
    """The plain files of the folder are those of the last commit."""
    differ = repo.compare_files()
    if differ:
        cause = f"{differ[0]} in the folder differs from what was committed"
        raise _Bad(_number_of(differ[0]), "", cause, "`pbem join` with the folder writes it anew")


def _number_of(path: str) -> int:
    name = path.rsplit("/", 1)[-1][:6]
    return int(name) if name.isdigit() else 0


def _verdict(replay: _Replay, head: str) -> Verification:
    gaps = {seat: found for seat, found in replay.auditor.gaps.items() if seat in replay.secrets}
    audited = {seat: seat in replay.secrets and seat not in gaps for seat in replay.contract.invite.seats}
    position = replay.ledger.position
    outcome = tell(position.outcome.reason, position) if position.outcome else ""
    found = Verification(True, replay.done, head, audited, None, outcome, gaps, whole=True)
    found.result = result(replay.ledger)
    found.truth, found.logged, found.positions = dict(replay.auditor.truth), replay.logged, replay.positions
    for problem in _breach(replay):
        found.ok, found.problem = False, problem
    return found


def _breach(replay: _Replay) -> list[Problem]:
    """Who broke the protocol, as the entries themselves prove it."""
    numbers = {one.entry.id: one.number for one in replay.logged}
    pos, gone = replay.ledger.position, replay.ledger.state.gone
    return [
        Problem(numbers.get(one.entry, replay.done), seat, tell(one.fault, pos) if one.fault else "")
        for seat, one in gone.items()
        if one.why is Why.BREACH
    ]
