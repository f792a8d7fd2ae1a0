"""A table of several seats in one process, each with its own ledger and secrets; only bytes cross.

For tests of the protocol. Entries are handed on by the test, in any order it likes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.rules import Rules
from pbem.engine.waits import Ask, Over
from pbem.flow import Flow
from pbem.protocol.crypto.keys import SigningKey, answering_key
from pbem.protocol.log.ledger import Ledger, Reader
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.acceptance import box_secret, make_accept, table_secret
from pbem.protocol.papers.bodies import KINDS, Draw, Revoke, Say
from pbem.protocol.papers.contract import Contract, conclude, game_secret, make_signing
from pbem.protocol.papers.entry import Entry, Head, as_entry, compose, read
from pbem.protocol.papers.invitation import USUAL_CLOCKS, WITNESS, Invite
from pbem.protocol.papers.paper import write_paper
from pbem.protocol.papers.pieces import usual_threshold
from pbem.protocol.papers.times import stamp
from pbem.protocol.rounds.key_papers import make_paper
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.protocol.rounds.sight import sealed_question
from tests.tiny import TINY

START = 1_700_000_000


def key_of(seat: str, salt: str = "") -> SigningKey:
    """A key that is always the same, so that tests can be repeated."""
    import hashlib

    return SigningKey.from_seed(hashlib.sha256(f"test key {seat} {salt}".encode()).digest())


def make_contract(
    count: int,
    scenario: str = "short",
    options: dict[str, str] | None = None,
    rules: Rules = TINY,
    salt: str = "",
    table: str = "ab" * 16,
    clocks: Any = USUAL_CLOCKS,
    chain: int = 1024,
    spare: bool = False,
    threshold: int | None = None,
    witness: bool = False,
) -> tuple[Contract, dict[str, SigningKey]]:
    """A contract that every seat has signed; with spare keys (`key_of(seat, "spare")`), if so wished."""
    pack = rules.load_pack()
    seats = rules.seat_names(pack, scenario, count)
    chosen = {name: values[0] for name, values in rules.options(pack).items()} | (options or {})
    invite = Invite(
        table=table,
        rules=rules.name,
        version=rules.version,
        data=pack.digest,
        provenance="test",
        scenario=scenario,
        seats=seats,
        options=chosen,
        clocks=clocks,
        chain=chain,
        threshold=usual_threshold(len(seats)) if threshold is None else threshold,
        witness=key_of(WITNESS).public_line() if witness else "",
        made=stamp(START),
    )
    raw = write_paper(invite, Invite, None)
    keys = {seat: key_of(seat, salt) for seat in seats}
    nonce = random.Random(f"nonce {salt}")
    spares = {seat: key_of(seat, "spare").public if spare else b"" for seat in seats}
    accepts = [make_accept(keys[s], raw, s, s.upper(), nonce.randbytes(32), spare=spares[s]) for s in seats]
    decks = rules.shared_decks(pack, scenario, chosen)
    papers = {"invite": raw}
    for seat, accept in zip(seats, accepts, strict=True):
        papers[f"accept-{seat}"] = accept
        papers[f"sign-{seat}"] = make_signing(keys[seat], raw, accepts, seat, stamp(START), decks)
    return conclude(papers), keys


def paper_of(player: Player, key: SigningKey, nonce: bytes = bytes(32)) -> str:
    """The paper with which a seat offers to go on with a new key."""
    return make_paper(player.contract, player.ledger.state, player.seat, player.key.public, key, nonce)


def secret_of(contract: Contract, key: SigningKey, seat: str) -> tuple[bytes, bytes]:
    """A seat's game secret and its box secret."""
    from pbem.protocol.papers.acceptance import read_accept

    accept = read_accept(contract.papers[f"accept-{seat}"], contract.papers["invite"])
    table = contract.invite.table
    secret = game_secret(table_secret(key, table, seat, accept.nonce), contract.listed)
    return secret, box_secret(key, table, seat, accept.nonce)


@dataclass
class Player:
    """One seat: its ledger, its secrets, its keys, and what it has logged."""

    contract: Contract
    seat: str
    key: SigningKey
    rules: Rules = TINY
    log: list[Logged] = field(default_factory=list)
    clock: int = START

    def __post_init__(self) -> None:
        pack = self.rules.load_pack()
        self.ledger = Ledger.start(self.contract, self.rules, pack)
        self.first = self.ledger.text
        self.answering = answering_key(self.key, self.contract.invite.table, self.seat)
        both = secret_of(self.contract, self.key, self.seat)
        self.secrets = Secrets(self.ledger, self.seat, *both, answering=self.answering.seed)
        self.signed: list[bytes] = []
        """Every entry of this seat, so that none is signed twice."""

    @property
    def flow(self) -> Flow:
        return Flow(self.ledger, self.seat)

    def earlier(self, number: int) -> str:
        return self.first if number == 0 else self.log[number - 1].position

    def reopen(self) -> None:
        """As if the program had been closed and opened again: one read of the position, and the pool."""
        old = self.ledger
        reader = Reader(self.earlier, lambda n: self.log[n - 1].entry)
        self.ledger = Ledger.resume(self.contract, self.rules, old.machine.pack, old.text, reader)
        self.keep(self.ledger.wait(old.pool.values()))
        self.secrets.ledger = self.ledger

    def receive(self, *raws: bytes) -> list[Logged]:
        """Take bytes in, as a stranger's."""
        return self.keep(self.flow.take(raws))

    def keep(self, new: list[Logged]) -> list[Logged]:
        """Put what was logged into the log; a round that nobody built on may have been replaced."""
        del self.log[self.ledger.state.number - len(new) :]
        self.log += new
        assert [one.number for one in self.log] == list(range(1, self.ledger.state.number + 1))
        return new

    def entry(self, kind: str, body: Any, **other: Any) -> bytes:
        """An entry of this seat, signed, where it stands; `other` fields of its head."""
        head = replace(self.head(kind), **other)
        assert isinstance(body, KINDS[kind])
        raw = compose(head, body, self.answering if head.lane == "answer" else self.key)
        self.signed.append(raw)
        return raw

    def head(self, kind: str) -> Head:
        """The head of the next entry of this seat."""
        self.clock += 60
        return self.flow.head(kind, stamp(self.clock))

    def owed(self) -> Any:
        return self.flow.due()

    def answer(self) -> bytes | None:
        """The automatic answer that is owed, if any."""
        owed = self.owed()
        if owed is None or owed.kind != "answers":
            return None
        return self.entry("answers", self.secrets.answer(owed))

    def decide(self, rng: random.Random, more: str = "") -> bytes | None:
        """A random decision, if one is asked; `more` is what follows it in the list."""
        owed = self.owed()
        if owed is None or owed.lane != "decide":
            return None
        view = self.secrets.view(owed.options)
        move = owed.options.sample(rng, view)
        if owed.kind == "sealed":
            question = sealed_question(self.ledger, self.seat)
            assert question is not None
            body: Any = self.secrets.sealed_choice(owed.options, move, question[1])
            return self.entry("sealed", body)
        text = self.ledger.machine.write_move(self.ledger.position, move, view)
        return self.entry("orders", self.secrets.orders(f"{text}\n{more}"))

    def audit(self) -> bytes | None:
        owed = self.owed()
        if owed is None or owed.kind != "audit":
            return None
        return self.entry("audit", self.secrets.audit())

    @property
    def over(self) -> bool:
        return isinstance(self.ledger.machine.waits_for(self.ledger.position), Over)

    @property
    def asked(self) -> str | None:
        wait = self.ledger.machine.waits_for(self.ledger.position)
        return wait.options.seat if isinstance(wait, Ask) else None

    @property
    def texts(self) -> list[tuple[str, str]]:
        """The log and the positions, byte for byte."""
        return [(one.text(), one.position) for one in self.log]


def players(count: int, **options: Any) -> dict[str, Player]:
    """A table of players, all at the start."""
    contract, keys = make_contract(count, **options)
    rules = options.get("rules", TINY)
    return {seat: Player(contract, seat, keys[seat], rules) for seat in contract.seats}


def give(table: dict[str, Player], raw: bytes) -> None:
    """Hand an entry to everybody."""
    for player in table.values():
        player.receive(raw)


def settle(table: dict[str, Player]) -> list[bytes]:
    """Exchange automatic answers until none is owed; returns them."""
    made: list[bytes] = []
    moved = True
    while moved:
        moved = False
        for player in table.values():
            raw = player.answer()
            if raw is not None:
                made.append(raw)
                moved = True
                give(table, raw)
    return made


def play_out(table: dict[str, Player], rng: random.Random, limit: int = 5000) -> list[bytes]:
    """A whole random game, everything delivered at once; returns every entry in the order it was made."""
    made = settle(table)
    for _ in range(limit):
        raw = None
        for player in table.values():
            raw = player.decide(rng) or player.audit()
            if raw is not None:
                break
        if raw is None:
            return made
        made.append(raw)
        give(table, raw)
        made += settle(table)
    raise AssertionError("the game does not end")


def entry_of(raw: bytes) -> Entry:
    """Bytes as an entry, unverified; for tests that look inside."""
    return as_entry(read(raw))


def same_everywhere(table: dict[str, Player]) -> Player:
    """Every log and position is the same, byte for byte; returns one of the players."""
    one, *others = table.values()
    for other in others:
        assert other.texts == one.texts
        assert other.ledger.text == one.ledger.text
    return one


class Network:
    """Players who reach each other only by mail that may be late, doubled and out of order."""

    def __init__(self, table: dict[str, Player], rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.sent: list[bytes] = []
        self.mail: dict[str, list[bytes]] = {seat: [] for seat in table}
        self.standing = 0.15
        """How often somebody says something out of turn."""

    def send(self, raw: bytes, author: Player) -> None:
        """One's own entry counts at once; the others have it some time."""
        self.sent.append(raw)
        author.receive(raw)
        for seat, box in self.mail.items():
            if seat != author.seat:
                box += [raw] * self.rng.choice((1, 1, 1, 2))

    def deliver(self, seat: str) -> None:
        """Some of the mail of one seat, in any order."""
        box = self.mail[seat]
        self.rng.shuffle(box)
        for _ in range(self.rng.randint(1, len(box)) if box else 0):
            self.table[seat].receive(box.pop())

    def act(self, player: Player) -> bool:
        """What a player does who looks at the game: answer, decide, or say something out of turn."""
        raw = player.answer() or player.decide(self.rng, self.more()) or player.audit()
        if raw is None and not player.over and self.rng.random() < self.standing:
            raw = self.aside(player)
        if raw is None:
            return False
        self.send(raw, player)
        return True

    def more(self) -> str:
        """Further orders of a list, often illegal by the time they are reached."""
        lines = ["hit a", "hit b", "? hit c", "? play gold", "play spy", "done"]
        return "\n".join(self.rng.choices([*lines, "? hit b\n    boast 1"], k=self.rng.choice((0, 0, 1, 3))))

    def aside(self, player: Player) -> bytes:
        """Something out of turn."""
        kind = self.rng.choice(["standing", "sealed standing", "sealed standing", "revoke", "draw", "say"])
        if kind == "draw":
            return player.entry("draw", Draw())
        if kind == "say":
            return player.entry("say", Say("well met"))
        if kind == "revoke":
            return player.entry("revoke", Revoke("loss"))
        lines = self.rng.choice([["lose stone", "lose face"], ["lose point"], ["lose point"], ["boast 1"]])
        decision = "boast" if lines == ["boast 1"] else "loss"
        prev = player.ledger.last_aside(player.seat)
        body = player.secrets.standing(decision, lines, kind == "sealed standing", prev)
        return player.entry("standing", body)

    def play(self, limit: int = 20_000) -> list[bytes]:
        """A whole game; every step somebody reads mail or acts. Returns all entries."""
        idle = 0
        for _ in range(limit):
            seat = self.rng.choice(list(self.table))
            if self.mail[seat] and self.rng.random() < 0.6:
                self.deliver(seat)
                idle = 0
            elif self.act(self.table[seat]):
                idle = 0
            else:
                idle += 1
            if idle > 200 and not any(self.mail.values()):
                return self.sent
        raise AssertionError("the game does not end")
