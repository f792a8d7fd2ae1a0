"""A table of real machines in one process: clocks that are simulated, mail that is late, lost or doubled.

Every seat is a `Table` over a repository in memory, opened anew now and then as a new process would.
Honest seats do what the command line does, in time. What an honest seat must never suffer is `Harm`.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pbem.doing import agreeing
from pbem.engine.rules import Rules
from pbem.errors import PbemError
from pbem.filing import commit_of, first_commit
from pbem.home import Home, TableSecrets
from pbem.outgoing import outgoing
from pbem.protocol.crypto.keys import SigningKey, answering_key
from pbem.protocol.papers.bodies import Absence, Body, Draw, Forfeit, Note, Revoke, TakeBack
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.times import seconds, stamp
from pbem.table import Received, Table
from tests.adversary.memory import MemoryRepository
from tests.scenes import Deeds, Thieves, Weather
from tests.table import START, Network, Player, entry_of, give, make_contract, play_out, secret_of, settle
from tests.tiny import TINY

HOUR = 3600
DAY = 24 * HOUR
PLAYED: dict[str, tuple[Rules, dict[str, str]]] = {
    "own": (TINY, {"deck": "own"}),
    "shared": (TINY, {"deck": "shared"}),
    "deeds": (Deeds(), {"deck": "own"}),
    "weather": (Weather(), {}),
    "thieves": (Thieves(), {"deck": "own"}),
}
"""The tiny game with decks of one's own and a shared one; without cards; with scheduled dice; with thefts."""


class Harm(AssertionError):
    """Something that no honest seat may suffer."""


@dataclass
class Scene:
    """A game that honest seats played, to begin anywhere in it."""

    name: str
    contract: Contract
    keys: dict[str, SigningKey]
    rules: Rules
    line: list[tuple[str, Any]]
    rests: list[int]
    """The numbers of entries after which the game waited for a decision."""
    elsewhere: list[bytes]
    """What the same keys signed in another game."""


@lru_cache(maxsize=64)
def scene(name: str, count: int, salt: int) -> Scene:
    """A game, played once and kept."""
    rules, options = PLAYED[name]
    told = {"options": options, "rules": rules, "salt": f"{name} {salt}"}
    contract, keys = make_contract(count, **told)
    table = {seat: Player(contract, seat, keys[seat], rules) for seat in contract.seats}
    one = next(iter(table.values()))
    rng = random.Random(f"{name} {count} {salt}")
    begin = one.ledger
    rests, first = [0], first_commit(begin)
    settle(table)
    while True:
        rests.append(one.ledger.state.number)
        raw = next((r for p in table.values() if (r := p.decide(rng, _more(rng))) is not None), None)
        if raw is None:
            break
        give(table, raw)
        settle(table)
    line = MemoryRepository(Path(name))
    line.append([first, *map(commit_of, one.log)], parent=None)
    other, _ = make_contract(count, **told, table="cd" * 16)
    there = {seat: Player(other, seat, keys[seat], rules) for seat in other.seats}
    elsewhere = play_out(there, rng) if name == "weather" else _some(there, rng)
    return Scene(name, contract, keys, rules, line.line, sorted(set(rests)), elsewhere)


def _more(rng: random.Random) -> str:
    return Network.more(Network({}, rng)) if rng.random() < 0.3 else ""


def _some(table: dict[str, Player], rng: random.Random) -> list[bytes]:
    """The first entries of a game, of every seat."""
    made = settle(table)
    for _ in range(4 * len(table)):
        raw = next((r for p in table.values() if (r := p.decide(rng)) is not None), None)
        if raw is None:
            break
        made.append(raw)
        give(table, raw)
        made += settle(table)
    return made


@dataclass
class Desk:
    """One seat's machine and the person before it."""

    world: World
    seat: str
    key: SigningKey
    home: Home
    folder: Path
    table: Table = field(init=False)
    inbox: list[list[bytes]] = field(default_factory=list)
    skew: int = 0
    by_hand: bool = False
    """Whether its machine leaves every answer to a person."""
    told: dict[str, Any] = field(default_factory=dict)
    """What each other seat was last sent, so that nothing is sent twice without need."""

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """A new process."""
        scene = self.world.scene
        self.table = Table.open(self.folder, self.home, scene.rules, scene.rules.load_pack())
        self.table.clock = lambda: stamp(self.world.now + self.skew)

    # --- what a person at this machine does

    def read(self, count: int | None = None) -> Received:
        """Some of the mail, in any order."""
        rng = self.world.rng
        rng.shuffle(self.inbox)
        mails = [
            self.inbox.pop() for _ in range(len(self.inbox) if count is None else min(count, len(self.inbox)))
        ]
        raws = [raw for mail in mails for raw in mail]
        return self.guard("receive", lambda: self.table.receive(raws, answer=not self.by_hand))

    def guard(self, what: str, act: Callable[[], Any]) -> Any:
        """Nothing that others sent makes a command of an honest seat fail."""
        try:
            return act()
        except Exception as error:
            raise Harm(f"{self.seat}: `{what}` fails: {type(error).__name__}: {error}") from error

    def sign(self, kind: str, make: Callable[[Any], Body]) -> bytes:
        return self.table.play(kind, make, self.key)[0]

    def decide(self) -> bool:
        """What is asked of this seat, if anything."""
        table, rng = self.table, self.world.rng
        if table.secrets is None:
            return False
        bad = table.secrets.bad_deliveries()
        if bad and table.ledger.state.verdict is None:
            self.guard("complain", lambda: self.sign("complaint", lambda own: own.complaint(bad[0])))
            return True
        owed = table.due()
        if owed is None:
            return False
        if owed.kind == "audit":
            self.guard("audit", table.publish)
            return True
        if owed.lane == "answer":
            self.guard("answer", lambda: table.receive([]))
            return True
        assert owed.options is not None
        view = table.secrets.view(owed.options)
        move = owed.options.sample(rng, view)
        text = table.ledger.machine.write_move(table.ledger.position, move, view)
        more = _more(rng) if owed.kind == "orders" else ""
        self.guard("play", lambda: table.orders(f"{text}\n{more}" if more else text, self.key))
        return True

    def claim(self) -> bool:
        """Claim or forfeit, if somebody's clock has run out."""
        try:
            body = agreeing.claim(self.table)
        except PbemError:
            return False
        kind = "forfeit" if isinstance(body, Forfeit) else "claim"
        self.guard(kind, lambda: self.sign(kind, lambda own: body))
        return True

    def aside(self) -> None:
        """Something out of turn that an honest player may say."""
        rng, table = self.world.rng, self.table
        kinds = ["standing", "standing", "revoke", "draw", "note", "take-back", "absence"]
        kind = rng.choice(kinds)
        state = table.ledger.state
        if kind == "take-back" and not state.barrier < state.number:
            return
        until = stamp(self.world.now + rng.randint(1, 72) * HOUR)
        seq = table.flow.next("decide")[0]
        lines = rng.choice([["lose stone", "lose face"], ["lose point"], ["boast 1"]])
        decision = "boast" if lines == ["boast 1"] else "loss"
        make: dict[str, Callable[[Any], Body]] = {
            "standing": lambda own: own.standing(decision, lines, rng.random() < 0.5, seq),
            "revoke": lambda own: Revoke(decision),
            "draw": lambda own: Draw(),
            "note": lambda own: Note(),
            "take-back": lambda own: TakeBack(rng.randint(state.barrier, state.number - 1)),
            "absence": lambda own: Absence(until),
        }
        self.guard(kind, lambda: self.sign(kind, make[kind]))

    def post(self) -> None:
        """Send everybody what they have not acknowledged; the mail may be late or lost."""
        pool = sorted(self.table.ledger.pool)
        for seat, other in self.world.desks.items():
            mark = (self.table.fingerprint, pool)
            if seat == self.seat or self.told.get(seat) == mark:
                continue
            mail = self.guard("send", lambda seat=seat: outgoing(self.table, seat))
            if not mail:
                continue
            if self.world.rng.random() < 0.85:
                self.told[seat] = mark
                other.inbox.append(mail)


class World:
    """Honest machines, one that is not, and the time."""

    def __init__(self, scene: Scene, folder: Path, rng: random.Random, at: int) -> None:
        self.scene = scene
        self.rng = rng
        self.trace: list[str] = []
        self.desks: dict[str, Desk] = {}
        self.cheat = rng.choice(scene.contract.invite.seats)
        self.gone = ""
        """An honest seat that has vanished for good."""
        self.now = START + 1 * HOUR
        number = scene.rests[at % len(scene.rests)]
        for seat, key in scene.keys.items():
            home = Home(folder / f"home-{seat}")
            secret, box = secret_of(scene.contract, key, seat)
            answering = answering_key(key, scene.contract.invite.table, seat)
            home.keep_secrets(scene.contract.game.hex(), TableSecrets(seat, secret, box, answering.seed, ()))
            repo = MemoryRepository.create(folder / f"game-{seat}")
            repo.line = scene.line[: number + 1]
            self.desks[seat] = Desk(self, seat, key, home, repo.path, skew=rng.choice((0, 0, 60, -60)))
            known = self.desks[seat].table.ledger.state.seats[seat].decided
            home.journal(scene.contract.game.hex()).take_pen(repo.path, known)
        since = self.desks[self.cheat].table.ledger.state.since
        self.now = max(self.now, seconds(since) + HOUR if since else 0)

    @property
    def honest(self) -> list[Desk]:
        """Everybody but one, and but for one that may have vanished."""
        return [desk for seat, desk in self.desks.items() if seat not in (self.cheat, self.gone)]

    def note(self, what: str) -> None:
        """Remember what happened, for the report of a find."""
        self.trace.append(f"{stamp(self.now)} {what}")

    # --- time

    def exchange(self, act: bool = True, rounds: int = 200) -> None:
        """All mail between honest seats arrives, and they do what is asked of them, until nothing moves."""
        for _ in range(rounds):
            for desk in self.honest:
                desk.told.clear()
                desk.inbox += [outgoing(desk_.table, desk.seat) for desk_ in self.honest if desk_ is not desk]
            before = self.stand()
            moved = False
            for desk in self.honest:
                desk.read()
                moved |= act and desk.decide()
                self.now += 60
            if not moved and self.stand() == before:
                return
        raise Harm(f"no rest after {rounds} rounds of mail")

    def stand(self) -> list[Any]:
        """Where each honest machine stands."""
        return [(d.seat, d.table.fingerprint, sorted(d.table.ledger.pool)) for d in self.honest]

    def pass_time(self, span: int) -> None:
        """Time goes by, in which honest seats read their mail and answer, daily at least."""
        end = self.now + span
        while self.now < end:
            self.now = min(self.now + DAY, end)
            self.exchange()

    # --- what must hold

    def check(self) -> None:
        """No honest seat is named anywhere, or thrown out."""
        names = {desk.seat for desk in self.honest}
        for desk in self.honest:
            opened = names & set(desk.table.ledger.state.opened_boxes)
            if opened:
                raise Harm(f"{desk.seat} holds that {', '.join(sorted(opened))} vanished, and has the secret")
            verdict = desk.table.ledger.state.verdict
            if verdict is None:
                continue
            blamed = names & set(verdict.culprits)
            if blamed:
                raise Harm(f"{desk.seat} holds that {', '.join(sorted(blamed))} {verdict.reason}")
            if not verdict.culprit and not verdict.slot and verdict.reason.event != "Disputed":
                raise Harm(f"{desk.seat}: nobody is to blame: {verdict.reason}")

    def decided(self) -> None:
        """What was left to the audit is not left open."""
        for desk in self.honest:
            verdict = desk.table.ledger.state.verdict
            if verdict is not None and verdict.slot:
                raise Harm(f"{desk.seat}: nobody is to blame in the end: {verdict.reason}")

    def agree(self) -> None:
        """Every honest machine holds the same line, byte for byte."""
        lines = {desk.seat: desk.table.repo.line for desk in self.honest}
        first, *others = lines
        for other in others:
            one, two = lines[first], lines[other]
            at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a[0] != b[0]), None)
            if at is not None or len(one) != len(two):
                at = min(len(one), len(two)) if at is None else at
                raise Harm(f"different logs from entry {at}: {_at(one, at)} / {_at(two, at)}")


def _at(line: list[tuple[str, Any]], number: int) -> str:
    if number >= len(line):
        return "nothing"
    commit = line[number][1]
    moves = b"".join(data for path, data in commit.files.items() if path.startswith("moves/"))
    return f"{commit.message.strip()} ({hashlib.sha256(moves).hexdigest()[:6]})"


def raws_of(desk: Desk) -> Iterable[bytes]:
    """Every entry that a machine holds, logged or waiting."""
    yield from (data for path, data in desk.table.repo.files("moves/").items())
    yield from (entry.raw for entry in desk.table.ledger.pool.values())


__all__ = ["DAY", "HOUR", "Desk", "Harm", "Scene", "World", "entry_of", "raws_of", "scene"]
