"""A table of several seats in one process, each with its own ledger and secrets; only bytes cross.

For tests of the protocol. Entries are handed on by the test, in any order it likes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.rules import Rules
from pbem.engine.waits import Ask, Over
from pbem.protocol import bodies
from pbem.protocol.bodies import ANSWERING, KINDS
from pbem.protocol.contract import (
    USUAL_CLOCKS,
    Contract,
    Invite,
    box_secret,
    conclude,
    game_secret,
    make_accept,
    make_signing,
    table_secret,
    write_paper,
)
from pbem.protocol.entry import Entry, Head, compose, read, stamp, verify
from pbem.protocol.keys import SigningKey, answering_key
from pbem.protocol.ledger import Ledger, Logged, Stale
from pbem.protocol.secrets import Secrets, sealed_question
from tests.tiny import TINY

START = 1_800_000_000


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
) -> tuple[Contract, dict[str, SigningKey]]:
    """A contract that every seat has signed."""
    pack = rules.load_pack()
    seats = rules.seat_names(pack, scenario, count)
    chosen = {name: values[0] for name, values in rules.options(pack).items()} | (options or {})
    invite = Invite(
        table, rules.name, rules.version, pack.digest, "test", scenario, seats, chosen, clocks, chain=1024
    )
    raw = write_paper(invite, Invite, None)
    keys = {seat: key_of(seat, salt) for seat in seats}
    nonce = random.Random(f"nonce {salt}")
    accepts = [make_accept(keys[s], raw, s, s.upper(), nonce.randbytes(32)) for s in seats]
    decks = rules.shared_decks(pack, scenario, chosen)
    papers = {"invite": raw}
    for seat, accept in zip(seats, accepts, strict=True):
        papers[f"accept-{seat}"] = accept
        papers[f"sign-{seat}"] = make_signing(keys[seat], raw, accepts, seat, decks)
    return conclude(papers), keys


def secret_of(contract: Contract, key: SigningKey, seat: str) -> tuple[bytes, bytes]:
    """A seat's game secret and its box secret."""
    from pbem.protocol.contract import read_accept

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
        self.ledger = Ledger.start(self.contract, self.rules, pack, self.earlier)
        self.first = self.ledger.text
        self.secrets = Secrets(self.ledger, self.seat, *secret_of(self.contract, self.key, self.seat))
        self.answering = answering_key(self.key, self.contract.invite.table, self.seat)
        self.sent: dict[tuple[str, int], bytes] = {}
        self.known: set[bytes] = set()

    def earlier(self, number: int) -> str:
        return self.first if number == 0 else self.log[number - 1].position

    def receive(self, raw: bytes) -> list[Logged]:
        """Take bytes in, as a stranger's."""
        if raw in self.known:
            return []
        self.known.add(raw)
        entry = verify(read(raw), self.ledger.keys())
        try:
            new = self.ledger.offer(entry)
        except Stale:
            return []
        self.log += new
        return new

    def entry(self, kind: str, body: Any, seen: tuple[str, ...] = (), sent: str | None = None) -> bytes:
        """An entry of this seat, signed; the next in its lane."""
        lane = "answer" if kind in ANSWERING else "decide"
        state = self.ledger.state.seats[self.seat]
        seq, prev = (state.answered, state.answer) if lane == "answer" else (state.decided, state.decision)
        waiting = [e for e in self.ledger.pool.values() if e.seat == self.seat and e.head.lane == lane]
        for one in sorted(waiting, key=lambda e: e.head.seq):
            seq, prev = one.head.seq, one.id
        self.clock += 60
        head = Head(
            v=1,
            game=self.contract.game.hex(),
            seat=self.seat,
            lane=lane,
            seq=seq + 1,
            prev=prev,
            head=self.ledger.state.head,
            pos=self.ledger.pos_digest,
            sent=sent or (self.ledger.state.since or stamp(START) if lane == "answer" else stamp(self.clock)),
            kind=kind,
            seen=seen,
        )
        assert isinstance(body, KINDS[kind])
        return compose(head, body, self.answering if lane == "answer" else self.key)

    def owed(self) -> Any:
        return self.ledger.missing().get(self.seat)

    def answer(self) -> bytes | None:
        """The automatic answer that is owed, if any."""
        owed = self.owed()
        if owed is None or owed.kind != "answers":
            return None
        return self.entry("answers", self.secrets.answer(owed))

    def decide(self, rng: random.Random) -> bytes | None:
        """A random decision, if one is asked."""
        owed = self.owed()
        if owed is None or owed.lane != "decide":
            return None
        view = self.secrets.view(owed.options)
        move = owed.options.sample(rng, view)
        if owed.kind == "sealed":
            question = sealed_question(self.ledger, self.seat)
            assert question is not None
            return self.entry("sealed", self.secrets.sealed_choice(owed.options, move, question[1]))
        text = self.ledger.machine.write_move(self.ledger.position, move, view)
        return self.entry("orders", self.secrets.orders(text))

    def audit(self) -> bytes | None:
        owed = self.owed()
        if owed is None or owed.kind != "audit":
            return None
        return self.entry("audit", bodies.Audit(self.secrets.secret.hex()))

    @property
    def over(self) -> bool:
        return isinstance(self.ledger.machine.waits_for(self.ledger.position), Over)

    @property
    def asked(self) -> str | None:
        wait = self.ledger.machine.waits_for(self.ledger.position)
        return wait.options.seat if isinstance(wait, Ask) else None


def players(count: int, **options: Any) -> dict[str, Player]:
    """A table of players, all at the start."""
    contract, keys = make_contract(count, **options)
    rules = options.get("rules", TINY)
    return {seat: Player(contract, seat, keys[seat], rules) for seat in contract.seats}


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
                for other in table.values():
                    other.receive(raw)
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
        for other in table.values():
            other.receive(raw)
        made += settle(table)
    raise AssertionError("the game does not end")


def is_entry(raw: bytes) -> Entry:
    """Bytes as an entry, unverified; for tests that look inside."""
    claim = read(raw)
    from pbem.protocol.entry import entry_id

    return Entry(claim.raw, claim.head, claim.body, entry_id(claim.signed))
