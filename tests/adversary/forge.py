"""What a dishonest seat can sign: entries made from the schema of kinds and bodies, not from known attacks.

A body is what the seat's own machine would give, or that with a field changed, or made up field by field
from everything that the seat has ever seen. A head is the honest one, or that with fields changed. A
moment is any time at which the seat says it acted. Bytes are signed with any key that the seat has, once
or twice, or are somebody else's, from this game or another.
"""

from __future__ import annotations

import dataclasses
import hashlib
import types
import typing
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import nacl.bindings as nacl

from pbem.engine.codec import hints
from pbem.errors import PbemError
from pbem.protocol.crypto import sshsig
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.log import settlements
from pbem.protocol.papers.bodies import (
    ANSWERING,
    KINDS,
    Absence,
    Answers,
    ClaimTime,
    Forfeit,
    Revoke,
    TakeBack,
)
from pbem.protocol.papers.body_checks import pack_box
from pbem.protocol.papers.entry import SIGNATURE_LINE, Head, compose, read
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds.clocks import late_at
from pbem.protocol.rounds.key_papers import make_paper
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.protocol.rounds.sight import sealed_question
from tests.adversary.world import DAY, HOUR, Desk, raws_of
from tests.table import START, key_of

ORDER = 2**252 + 27742317777372353535851937790883648493
TEXTS = (
    "lose stone\n",
    "lose face\n",
    "boast 1\n",
    "hit b\n",
    "done\n",
    "swear\n",
    "hit a\nhit b\ndone\n",
    "?\n",
)


class Forger:
    """A dishonest seat: its own machine, which follows the game, and a pen."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.rng = desk.world.rng
        self.scene = desk.world.scene
        self.keys: list[SigningKey] = [desk.key]
        self.papers: list[str] = []
        self.signed: list[bytes] = []
        """Everything that was ever forged."""
        self.known: dict[bytes, Any] = {}
        """Bytes as entries; None if they are none."""
        self.kinds = self.rng.sample(list(KINDS), self.rng.choice((2, 3, 4, len(KINDS))))
        """What it likes to sign: a narrow taste goes deeper than a broad one."""
        self.untrue = self.rng.choice((0.0, 0.4, 0.9))
        """How often it says that it is another time."""
        self.bent = self.rng.choice((0.0, 0.2, 0.5))
        """How often a field of a head is changed."""
        self.made_up = self.rng.choice((0.0, 0.2, 0.5))
        """How often a field of a body is changed."""

    # --- what it knows

    @property
    def own(self) -> Secrets:
        assert self.desk.table.secrets is not None
        return self.desk.table.secrets

    def entries(self) -> list[Any]:
        """Everything it has seen of this game, the latest last."""
        found = []
        for raw in [*raws_of(self.desk), *self.signed][-40:]:
            if raw not in self.known:
                try:
                    self.known[raw] = read(raw)
                except PbemError:
                    self.known[raw] = None
            if self.known[raw] is not None:
                found.append(self.known[raw])
        return found

    def ids(self) -> list[str]:
        """Ids of entries, and what may stand in the place of one."""
        table = self.desk.table
        state = table.ledger.state
        found = [state.question, state.head, *table.ledger.pool, self.scene.contract.game.hex()]
        return [*found, *[name for seat in state.seats.values() for name in (seat.decision, seat.answer)]]

    def hexes(self) -> list[str]:
        """32 bytes of any meaning."""
        chain, mine = self.own._chain(0), self.desk.table.ledger.state.seats[self.desk.seat]
        links = [chain.link(n).hex() for n in range(max(1, mine.links), mine.links + 4)]
        theirs = [getattr(e.body, "link", "") for e in self.entries()]
        return [
            *self.ids(),
            *links,
            *filter(None, theirs),
            self.own.secret.hex(),
            self.rng.randbytes(32).hex(),
        ]

    def moments(self) -> list[int]:
        """Times that mean something, and some beside them."""
        world, state = self.desk.world, self.desk.table.ledger.state
        clocks = self.scene.contract.invite.clocks
        begun = seconds(state.clock) if state.clock else START
        since = seconds(state.since) if state.since else START
        late = begun + clocks.move * HOUR
        marks = [world.now, since, begun, late, late + clocks.absence * HOUR, START]
        claimed = self.desk.table.ledger.claimed(self.desk.seat)
        if claimed:
            marks += [seconds(claimed) + clocks.grace * HOUR] * 3
        return [mark + step for mark in marks for step in (0, 1, -1, HOUR, -HOUR, 3 * DAY)]

    def time(self) -> str:
        """A time as text, lawful or not."""
        rng = self.rng
        if rng.random() < 0.85:
            return stamp(max(0, rng.choice(self.moments())))
        return rng.choice(
            [
                "1969-12-31T23:59:59Z",
                "9999-12-31T23:59:59Z",
                "2100-01-01T00:00:00Z",
                "0001-01-01T00:00:00Z",
                "２００１-01-01T00:00:00Z",
                "2027-０1-15T08:00:00Z",
                "2027-02-30T08:00:00Z",
            ]
        )

    # --- bodies

    def sincere(self, kind: str, moment: int) -> Any:
        """What the seat's own machine would give, as if it were asked, and as if it were that moment."""
        rng, table, own = self.rng, self.desk.table, self.own
        ledger, state = table.ledger, table.ledger.state
        seats = list(self.scene.contract.invite.seats)
        clocks = self.scene.contract.invite.clocks
        owed = ledger.all_due().get(self.desk.seat)
        match kind:
            case "orders":
                if owed is not None and owed.kind == "orders" and owed.options is not None:
                    return own.orders_of(owed.options.sample(rng, own.view(owed.options)))
                return own.orders(rng.choice(TEXTS))
            case "sealed":
                question = sealed_question(ledger, self.desk.seat)
                if question is not None:
                    options, fills = question
                    return own.sealed_choice(options, options.sample(rng, own.view(options)), fills)
            case "answers":
                if owed is not None and owed.kind == "answers":
                    return own.answer(owed)
                return Answers(link=own.next_link())
            case "standing":
                kinds = [o.options.kind for o in ledger.all_due().values() if o.options]
                decision = rng.choice([*kinds, "loss", "boast"])
                seq = table.flow.next("decide")[0]
                return own.standing(decision, [rng.choice(TEXTS).split("\n")[0]], rng.random() < 0.5, seq)
            case "revoke":
                return Revoke(rng.choice(["loss", "boast", "deed"]))
            case "resign":
                return own.resign()
            case "take-back":
                return TakeBack(rng.randint(0, state.number))
            case "claim":
                late = late_at(clocks, state, ledger.missing(), stamp(moment))
                return ClaimTime(late or (rng.choice(seats),), state.question)
            case "forfeit":
                claimed = ledger.claimed(self.desk.seat)
                late = late_at(clocks, state, ledger.missing(), stamp(moment))
                return Forfeit(late or (rng.choice(seats),), claimed or stamp(moment), state.question)
            case "absence":
                return Absence(stamp(moment + rng.randint(-DAY, 21 * DAY)))
            case "rekey":
                return own.consent(rng.choice([*self.papers, self.paper()]))
            case "complaint":
                boxes = [h for h, b in state.boxes.items() if b.reader == self.desk.seat and b.giver]
                return own.complaint(
                    rng.choice(boxes) if boxes else rng.choice([*ledger.position.hidden, "x"])
                )
            case "settle":
                verdict = state.verdict
                half = rng.choice([verdict.first, verdict.entry]) if verdict and verdict.first else ""
                return settlements.settlement(ledger, self.desk.seat, half)
            case "audit":
                return own.audit()
        return KINDS[kind]()

    def paper(self, seat: str = "") -> str:
        """A paper for new keys: for this seat, or for another one, signed with any key that there is."""
        key = key_of(self.desk.seat, f"new {self.rng.randrange(4)}")
        self.keys.append(key)
        seat = seat or self.rng.choice([self.desk.seat, *self.scene.contract.invite.seats])
        old = self.desk.table.ledger.keys()[seat, "decide"]
        signer = self.rng.choice([self.desk.key] * 3 + self.keys)
        named = self.rng.choice([old, old, old, signer.public])
        made = make_paper(
            self.scene.contract,
            self.desk.table.ledger.state,
            seat,
            named,
            key,
            self.rng.randbytes(32),
            signer,
        ).decode()
        self.papers.append(made)
        return made

    def body(self, kind: str, moment: int) -> Any:
        """A body of this kind: sincere, changed in a field, or made up."""
        try:
            told = self.sincere(kind, moment)
        except (PbemError, KeyError, TypeError, IndexError):
            return self.made(KINDS[kind], "")
        return self.changed(told) if self.rng.random() < self.made_up else told

    def changed(self, record: Any) -> Any:
        """A record with one field made up, at any depth."""
        fields = list(hints(type(record)).items())
        if not fields:
            return record
        filled = [field for field in fields if getattr(record, field[0])]
        name, kind = self.rng.choice(filled if self.desk.by_hand and filled else fields)
        value = getattr(record, name)
        if (
            isinstance(value, tuple)
            and value
            and dataclasses.is_dataclass(value[0])
            and self.rng.random() < 0.6
        ):
            at = self.rng.randrange(len(value))
            return replace(record, **{name: (*value[:at], self.changed(value[at]), *value[at + 1 :])})
        if dataclasses.is_dataclass(value) and self.rng.random() < 0.6:
            return replace(record, **{name: self.changed(value)})
        return replace(record, **{name: self.made(kind, name)})

    def made(self, kind: Any, name: str) -> Any:
        """A value of this type, for a field of this name, from what is known."""
        while hasattr(kind, "__supertype__"):
            kind = kind.__supertype__
        origin, args, rng = typing.get_origin(kind), typing.get_args(kind), self.rng
        if origin in (types.UnionType, typing.Union):
            return None if rng.random() < 0.5 else self.made(args[0], name)
        if origin is tuple:
            if name in ("box", "share", "deck"):
                return pack_box(rng.randbytes(rng.choice((16, 31, 32, 64, 65, 96, 128, 208, 20_000))))
            return tuple(self.made(args[0], name) for _ in range(rng.choice((0, 1, 1, 2, 6))))
        if dataclasses.is_dataclass(kind):
            return kind(**{n: self.made(t, n) for n, t in hints(kind).items()})
        if kind is int:
            number = self.desk.table.ledger.state.number
            return rng.choice((0, 1, number - 1, number, number + 1, 10**6, -1))
        return self.text(name)

    def text(self, name: str) -> str:
        """A text for a field of this name; now and then for a field of any other."""
        rng, position = self.rng, self.desk.table.ledger.position
        pools: dict[str, Sequence[str]] = {
            "slot": [*position.hidden, "nowhere", "loss"],
            "seats": self.scene.contract.invite.seats,
            "culprit": self.scene.contract.invite.seats,
            "decision": ("loss", "boast", "deed", "bid"),
            "lines": [t.strip().split("\n")[0] for t in TEXTS],
            "orders": TEXTS,
            "text": TEXTS,
            "value": ("gold", "act", "rest", "bid 1", "lose face"),
            "until": [self.time()],
            "claimed": [self.time()],
            "paper": [*self.papers, "no paper"],
        }
        pool = pools.get(name) or [*self.hexes(), ""]
        return str(rng.choice(pool))

    # --- heads and signatures

    def head(self, kind: str, moment: int) -> Head:
        """The head that the seat's machine would write."""
        table = self.desk.table
        lane = "answer" if kind in ANSWERING else "decide"
        seq, prev = table.flow.next(lane)
        state = table.ledger.state
        seen = table.flow.unseen() if lane == "decide" and self.rng.random() < 0.7 else ()
        sent = state.since if lane == "answer" and state.since else stamp(moment)
        return Head(
            v=1,
            game=self.scene.contract.game.hex(),
            seat=self.desk.seat,
            lane=lane,
            seq=seq,
            prev=prev,
            head=state.head,
            pos=table.ledger.pos_digest,
            sent=sent,
            kind=kind,
            seen=seen,
        )

    def bend(self, head: Head) -> Head:
        """A head with one field changed."""
        rng, table = self.rng, self.desk.table
        match rng.choice(
            ("seq", "seq", "prev", "head", "head", "pos", "sent", "sent", "seen", "seat", "game")
        ):
            case "seq":
                return replace(head, seq=max(1, head.seq + rng.choice((-1, -1, 1, 2, 900))))
            case "prev":
                return replace(head, prev=rng.choice(self.ids()))
            case "head":
                return replace(head, head=rng.choice(self.ids()))
            case "pos":
                return replace(head, pos=rng.choice(self.hexes()))
            case "sent":
                return replace(head, sent=self.time())
            case "seen":
                known = [*table.ledger.pool, *self.ids()]
                return replace(head, seen=tuple(dict.fromkeys(rng.choices(known, k=rng.choice((1, 2, 5))))))
            case "seat":
                return replace(head, seat=rng.choice(self.scene.contract.invite.seats))
        return replace(head, game=rng.choice(self.hexes()))

    def sign(self, head: Head, body: Any) -> bytes | None:
        """The bytes, signed with one of the seat's keys; None if they would be no entry at all."""
        lane_key = self.desk.table.own.answering if self.desk.table.own else b""
        key = (
            SigningKey.from_seed(lane_key)
            if head.lane == "answer"
            else self.rng.choice(self.keys[:1] * 6 + self.keys)
        )
        try:
            raw = compose(head, body, key)
        except (PbemError, TypeError, ValueError, AttributeError):
            return None
        if self.rng.random() < 0.08:
            raw = sign_again(raw, key, self.rng.randbytes(64))
        self.signed.append(raw)
        return raw

    def entry(self) -> bytes | None:
        """Anything that this seat could sign now."""
        rng = self.rng
        moment = rng.choice(self.moments()) if rng.random() < self.untrue else self.desk.world.now
        if self.signed and rng.random() < 0.1:
            return self.again(rng.choice(self.signed))
        kind = "answers" if self.asked_by_hand() and rng.random() < 0.6 else rng.choice(self.kinds)
        head, body = self.head(kind, moment), self.body(kind, moment)
        while rng.random() < self.bent:
            head = self.bend(head)
        return self.sign(head, body)

    def asked_by_hand(self) -> bool:
        """Whether it is asked for an answer that its machine would give at once, and does not."""
        owed = self.desk.table.ledger.all_due().get(self.desk.seat) if self.desk.by_hand else None
        return owed is not None and owed.kind == "answers"

    def again(self, raw: bytes) -> bytes | None:
        """An entry of one's own with the same number and other bytes."""
        try:
            claim = read(raw)
        except PbemError:
            return None
        if self.rng.random() < 0.4:
            keys = [k for k in (*self.keys, SigningKey.from_seed(self.desk.table.own.answering)) if k]
            key = next((k for k in keys if _made_by(k, raw)), None)
            return sign_again(raw, key, self.rng.randbytes(64)) if key else None
        return self.sign(self.bend(claim.head), claim.body)

    def foreign(self) -> bytes:
        """Bytes of somebody else: from another game, or damaged."""
        rng = self.rng
        if rng.random() < 0.7:
            return rng.choice(self.scene.elsewhere)
        raw = bytearray(rng.choice(list(raws_of(self.desk)) or self.scene.elsewhere))
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
        return bytes(raw)


def _made_by(key: SigningKey, raw: bytes) -> bool:
    cut = raw.rfind(SIGNATURE_LINE) + 1
    try:
        sshsig.verify(read(raw).armour, raw[:cut], key.public)
    except PbemError:
        return False
    return True


def sign_again(raw: bytes, key: SigningKey, salt: bytes) -> bytes:
    """The same bytes under another signature, which fits as well: Ed25519 with a nonce of one's own."""
    cut = raw.rfind(SIGNATURE_LINE) + 1
    message = sshsig._signed(raw[:cut], sshsig.NAMESPACE)
    digest = bytearray(hashlib.sha512(key.seed).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    scalar = int.from_bytes(digest, "little") % ORDER
    nonce = int.from_bytes(hashlib.sha512(salt).digest(), "little") % ORDER
    point = nacl.crypto_scalarmult_ed25519_base_noclamp(nonce.to_bytes(32, "little"))
    hashed = int.from_bytes(hashlib.sha512(point + key.public + message).digest(), "little") % ORDER
    signature = point + ((nonce + hashed * scalar) % ORDER).to_bytes(32, "little")
    armour = sshsig._armour(key.public, signature, sshsig.NAMESPACE)
    return raw[:cut] + SIGNATURE_LINE[1:] + f'sshsig = """\n{armour}"""\n'.encode()
