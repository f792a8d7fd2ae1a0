"""The contract of a game, in three steps: invite, accept, sign.

Invariants: every paper is kept as it was signed; `list` is the digest of the invite and of all
acceptances; nothing that play will use is revealed before a seat has seen the whole list; the last
to sign can only abort. game.toml is made of the papers alone and holds them, so that it can be
rebuilt byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from pbem import toml
from pbem.engine.codec import CodecError, decode, encode
from pbem.errors import MalformedError, VerificationError
from pbem.protocol.crypto import sshsig
from pbem.protocol.crypto.canonical import digest, keyed
from pbem.protocol.crypto.chance import Chain
from pbem.protocol.crypto.keys import (
    SigningKey,
    answering_key,
    box_private,
    box_public,
    check_box_public,
    check_public,
    fingerprint,
    parse_public_line,
)
from pbem.protocol.deck import state as deck_state
from pbem.protocol.deck import wire
from pbem.protocol.papers import piece_fields
from pbem.protocol.papers.pieces import Dealt, check_threshold
from pbem.protocol.papers.times import check_time

NAMESPACE = "pbem-contract-v1"
CHAIN_LENGTH = 4096
MAX_WORDS = 1000
"""Characters of any text in a paper: names, addresses and comments are shown to others."""
PAPER_LIMIT = 256 * 1024
LONGEST = 24 * 366
"""No clock of a contract runs for longer, in hours."""
_SIGNATURE = "\n[signature]\n"
_SEAT = re.compile(r"[a-z][a-z0-9-]{0,15}")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Clocks:
    """How long, in hours, a decision may take; what follows before a forfeit; how long the audit may take."""

    move: int
    grace: int
    audit: int
    absence: int
    """What each seat may be away for in the whole game, if it says so beforehand: its clock stands still."""


USUAL_CLOCKS = Clocks(move=24 * 14, grace=24 * 3, audit=24 * 14, absence=24 * 21)


@dataclass(frozen=True, slots=True)
class Invite:
    """Step 1: what is to be played."""

    table: str
    rules: str
    version: str
    data: str
    """Digest of the data pack."""
    provenance: str
    """Where the data pack comes from, in a few words."""
    scenario: str
    seats: tuple[str, ...]
    options: dict[str, str]
    clocks: Clocks
    chain: int = CHAIN_LENGTH
    threshold: int = 0
    """With three or more seats: so many of the others together can open the secret of one that vanished."""
    made: str = ""
    """When it was written, as its author says."""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Accept:
    """Step 2: a seat, its keys and a fresh nonce."""

    invite: str
    """Digest of the invite's bytes."""
    table: str
    seat: str
    name: str
    key: str
    """The public line of the seat's Ed25519 key."""
    answer: str
    """The answering key."""
    box: str
    """The X25519 key."""
    nonce: str
    address: str = ""
    """Where the player reads mail."""
    spare: str = ""
    """A second Ed25519 key, kept elsewhere: it can do nothing but sign for new keys. Empty: none."""
    hold: str = ""
    """With three or more seats: the point to which the others seal pieces of their secrets."""


@dataclass(frozen=True, slots=True)
class Signing:
    """Step 3: the seat has seen the whole list; what play will use."""

    list: str
    seat: str
    commitment: str
    """To the seat's secret of this game, published in the audit."""
    tip: str
    """The end of its hash chain."""
    decks: dict[str, tuple[str, ...]]
    """Keys for decks that the seats share, with proofs of possession."""
    sent: str
    """When it was signed: the first clock begins with the last of these."""
    pieces: dict[str, Dealt] = field(default_factory=dict)
    """With three or more seats: the secret in pieces, one for each other seat."""
    seed: tuple[str, ...] = ()
    """With them: the seed of the X25519 key, in a box that the secret opens."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A signed (or, for the invite, plain) document as bytes."""

    raw: bytes
    signed: bytes
    table: Mapping[str, Any]
    armour: str


def write_paper(value: Any, kind: Any, key: SigningKey | None) -> bytes:
    """A paper's bytes; signed if there is a key."""
    signed = toml.dumps(encode(value, kind))
    if key is None:
        return signed.encode()
    signed += "\n"
    armour = sshsig.sign(key, signed.encode(), NAMESPACE)
    return f'{signed}{_SIGNATURE[1:]}sshsig = """\n{armour}"""\n'.encode()


def read_paper(raw: bytes) -> Paper:
    """A foreign paper, well formed; nothing is believed yet."""
    table = toml.read_foreign(raw, limit=PAPER_LIMIT)
    signature = table.pop("signature", None)
    if signature is None:
        return Paper(raw, raw, table, "")
    cut = raw.rfind(_SIGNATURE.encode())
    armour = signature.get("sshsig") if isinstance(signature, dict) else None
    tail = f'{_SIGNATURE[1:]}sshsig = """\n{armour}"""\n'.encode()
    if cut < 0 or not isinstance(armour, str) or raw[cut + 1 :] != tail:
        raise MalformedError("the [signature] table is not in its canonical form")
    return Paper(raw, raw[: cut + 1], table, armour)


def paper_content(paper: Paper, kind: type[T], name: str) -> T:
    """What a paper says, in its one form."""
    try:
        value: T = decode(dict(paper.table), kind)
    except CodecError as error:
        raise MalformedError(f"{name}: {error.message}") from None
    if toml.dumps(encode(value, kind)).encode().rstrip(b"\n") != paper.signed.rstrip(b"\n"):
        raise MalformedError(f"{name} is not in its canonical form")
    for key, text in paper.table.items():
        if isinstance(text, str):
            toml.check_line(text, f"{name}: {key}", MAX_WORDS)
    return value


def read_invite(raw: bytes) -> Invite:
    """An invitation from a stranger, checked for shape."""
    invite = paper_content(read_paper(raw), Invite, "the invitation")
    if not re.fullmatch(r"[0-9a-f]{32}", invite.table):
        raise MalformedError("the invitation's table id must be 32 hex digits")
    seats = invite.seats
    if not 2 <= len(seats) <= 6 or len(set(seats)) != len(seats) or not all(map(_SEAT.fullmatch, seats)):
        raise MalformedError("the invitation must name two to six different seats")
    if not 64 <= invite.chain <= 65536:
        raise MalformedError("the invitation's chain length must be from 64 to 65536")
    check_threshold(len(seats), invite.threshold)
    _check_clocks(invite.clocks)
    check_time("the invitation's made", invite.made)
    return invite


def _check_clocks(clocks: Clocks) -> None:
    if not all(1 <= hours <= LONGEST for hours in (clocks.move, clocks.grace, clocks.audit)):
        raise MalformedError(f"the invitation's clocks must be from an hour to {LONGEST} hours")
    if not 0 <= clocks.absence <= LONGEST:
        raise MalformedError(f"the invitation's hours of absence must be from 0 to {LONGEST}")


def read_accept(raw: bytes, invite_raw: bytes) -> Accept:
    """An acceptance of this invitation: signature, keys (small-order ones are refused), nonce."""
    invite = read_invite(invite_raw)
    paper = read_paper(raw)
    accept = paper_content(paper, Accept, "the acceptance")
    if accept.invite != digest("invite", invite_raw).hex() or accept.table != invite.table:
        raise VerificationError("the acceptance belongs to another invitation")
    if accept.seat not in invite.seats:
        raise VerificationError(f"the invitation has no seat {accept.seat!r}")
    public = parse_public_line(accept.key)
    check_public(public)
    check_public(hex32(accept.answer, "answer"))
    check_box_public(hex32(accept.box, "box"))
    hex32(accept.nonce, "nonce")
    if accept.spare:
        check_public(hex32(accept.spare, "spare"))
    piece_fields.check_hold(invite.threshold, accept.hold)
    sshsig.verify(paper.armour, paper.signed, public, NAMESPACE)
    return accept


def hex32(text: str, name: str) -> bytes:
    """32 bytes as papers write them."""
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise MalformedError(f"{name}: expected 64 hex digits")
    return bytes.fromhex(text)


def list_digest(invite: bytes, accepts: Sequence[bytes]) -> bytes:
    """The digest of the whole list: invite and acceptances in seat order."""
    return digest("list", invite, len(accepts), *accepts)


# --- what a player derives from the private key


def table_secret(key: SigningKey, table: str, seat: str, nonce: str) -> bytes:
    """s of PROTOCOL: never leaves the machine."""
    return key.derive("table", table, seat, bytes.fromhex(nonce))


def game_secret(secret: bytes, listed: bytes) -> bytes:
    """What everything in one game is derived from, and what the audit publishes."""
    return keyed(secret, "list", listed)


def box_secret(key: SigningKey, table: str, seat: str, nonce: str) -> bytes:
    """The seed of the seat's X25519 key."""
    return key.derive("box", table, seat, bytes.fromhex(nonce))


def make_accept(
    key: SigningKey,
    invite_raw: bytes,
    seat: str,
    name: str,
    nonce: bytes,
    address: str = "",
    spare: bytes = b"",
) -> bytes:
    """An acceptance, signed."""
    invite = read_invite(invite_raw)
    if seat not in invite.seats:
        raise VerificationError(
            f"the invitation has no seat {seat!r}", f"its seats are {', '.join(invite.seats)}"
        )
    box = box_public(box_private(box_secret(key, invite.table, seat, nonce.hex())))
    answering = answering_key(key, invite.table, seat)
    accept = Accept(
        invite=digest("invite", invite_raw).hex(),
        table=invite.table,
        seat=seat,
        name=name,
        key=key.public_line(),
        answer=answering.public.hex(),
        box=box.hex(),
        nonce=nonce.hex(),
        address=address,
        spare=spare.hex(),
        hold=piece_fields.hold_of(answering, invite.table, seat, invite.threshold),
    )
    return write_paper(accept, Accept, key)


def secret_commitment(listed: bytes, seat: str, secret: bytes) -> str:
    """The commitment to a seat's game secret."""
    return digest("secret", listed, seat, secret).hex()


def make_signing(
    key: SigningKey, invite: bytes, accepts: Sequence[bytes], seat: str, sent: str, decks: Sequence[str] = ()
) -> bytes:
    """The seat's signature under the whole list, with what play needs; `decks` are those the seats share."""
    listed = list_digest(invite, accepts)
    told = read_invite(invite)
    mine = read_accept(accepts[told.seats.index(seat)], invite)
    secret = game_secret(table_secret(key, told.table, seat, mine.nonce), listed)
    of = secret_commitment(listed, seat, secret)
    signing = Signing(
        list=listed.hex(),
        seat=seat,
        commitment=of,
        tip=Chain(secret, listed, seat, told.chain).tip.hex(),
        decks={name: _deck_keys(listed, seat, name, secret) for name in decks},
        sent=sent,
        pieces=piece_fields.deal_all(
            listed, told.seats, told.threshold, seat, secret, of, _holds(invite, accepts)
        ),
        seed=piece_fields.box_seed(
            listed, told.threshold, seat, secret, box_secret(key, told.table, seat, mine.nonce)
        ),
    )
    return write_paper(signing, Signing, key)


def _holds(invite: bytes, accepts: Sequence[bytes]) -> dict[str, str]:
    found = [read_accept(raw, invite) for raw in accepts]
    return {one.seat: one.hold for one in found}


def _deck_keys(listed: bytes, seat: str, name: str, secret: bytes) -> tuple[str, ...]:
    return wire.to_lines(deck_state.make_keys(listed, seat, name, secret))


# --- the finished contract


@dataclass(frozen=True)
class Seat:
    """Who plays where, with which keys."""

    name: str
    player: str
    key: bytes
    answer: bytes
    box: bytes
    tip: bytes
    commitment: str
    address: str
    decks: Mapping[str, tuple[str, ...]]
    signed: str
    """When the seat says it signed."""
    hold: str
    pieces: Mapping[str, Dealt]
    seed: tuple[str, ...]
    spare: bytes = b""
    """The key that may sign for new keys in the place of the one in use; empty: none."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the seat's key, as ssh-keygen shows it."""
        return fingerprint(self.key)


@dataclass(frozen=True)
class Contract:
    """A contract that every seat has signed."""

    papers: Mapping[str, bytes]
    invite: Invite
    seats: Mapping[str, Seat]
    listed: bytes
    game: bytes

    @property
    def begin(self) -> str:
        """When the game begins: when the last seat signed. No entry is dated before it."""
        return max(seat.signed for seat in self.seats.values())

    @cached_property
    def keys(self) -> dict[tuple[str, str], bytes]:
        """Public keys by seat and lane."""
        found = {(name, "decide"): seat.key for name, seat in self.seats.items()}
        return found | {(name, "answer"): seat.answer for name, seat in self.seats.items()}

    def text(self) -> str:
        """game.toml: a summary for readers, then the papers themselves."""
        seats = [
            {"seat": s.name, "player": s.player, "fingerprint": s.fingerprint, "address": s.address}
            for s in self.seats.values()
        ]
        invite = encode(self.invite, Invite)
        papers = {name: raw.decode() for name, raw in self.papers.items()}
        return toml.dumps({"game": self.game.hex(), "invite": invite, "players": seats, "papers": papers})


def conclude(papers: Mapping[str, bytes]) -> Contract:
    """The contract that the papers make: every signature and every digest is checked."""
    invite_raw = papers.get("invite")
    if invite_raw is None:
        raise VerificationError("the contract has no invitation")
    invite = read_invite(invite_raw)
    wanted = {"invite", *(f"{step}-{seat}" for step in ("accept", "sign") for seat in invite.seats)}
    if set(papers) != wanted:
        odd = sorted(set(papers) ^ wanted)
        raise VerificationError(f"the contract is not complete: {', '.join(odd)}")
    raws = [papers[f"accept-{seat}"] for seat in invite.seats]
    accepts = [read_accept(raw, invite_raw) for raw in raws]
    listed = list_digest(invite_raw, raws)
    seats = {}
    for seat, accept in zip(invite.seats, accepts, strict=True):
        if accept.seat != seat:
            raise VerificationError(f"the acceptance of {accept.seat} stands in the place of {seat}")
        seats[accept.seat] = _seat(invite, accept, papers[f"sign-{accept.seat}"], listed)
    if len({tuple(s.decks) for s in seats.values()}) != 1:
        raise VerificationError("the seats do not share the same decks", "do they all have the same pbem?")
    if len({s.key for s in seats.values()}) != len(seats):
        raise VerificationError("two seats have the same key", "each seat needs a key of its own")
    if invite.threshold and len({s.hold for s in seats.values()}) != len(seats):
        raise VerificationError("two seats hold pieces with the same key", "each seat needs a key of its own")
    game = digest("game", listed, *(papers[f"sign-{seat}"] for seat in invite.seats))
    return Contract({name: papers[name] for name in sorted(papers)}, invite, seats, listed, game)


def _seat(invite: Invite, accept: Accept, signed: bytes, listed: bytes) -> Seat:
    paper = read_paper(signed)
    signing = paper_content(paper, Signing, f"the signature of {accept.seat}")
    public = parse_public_line(accept.key)
    sshsig.verify(paper.armour, paper.signed, public, NAMESPACE)
    if signing.seat != accept.seat or signing.list != listed.hex():
        raise VerificationError(f"{accept.seat} signed another list", "start again from one invitation")
    check_time("sent", signing.sent)
    _check_deck_keys(listed, signing)
    piece_fields.check_dealing(invite.seats, invite.threshold, signing.seat, signing.pieces, signing.seed)
    return Seat(
        name=accept.seat,
        player=accept.name,
        key=public,
        answer=bytes.fromhex(accept.answer),
        box=bytes.fromhex(accept.box),
        tip=hex32(signing.tip, "tip"),
        commitment=hex32(signing.commitment, "commitment").hex(),
        address=accept.address,
        decks=signing.decks,
        signed=signing.sent,
        spare=bytes.fromhex(accept.spare),
        hold=accept.hold,
        pieces=signing.pieces,
        seed=signing.seed,
    )


def _check_deck_keys(listed: bytes, signing: Signing) -> None:
    if not signing.decks:
        return
    for name, lines in signing.decks.items():
        keys = wire.from_lines(lines)
        if not isinstance(keys, wire.Keys):
            raise VerificationError(f"{signing.seat} sent no keys for deck {name}")
        deck_state.check_keys(listed, signing.seat, name, keys)


def read_contract(raw: bytes) -> Contract:
    """The contract in a game.toml, which must be exactly what its papers make."""
    table = toml.read_foreign(raw, limit=4 * PAPER_LIMIT)
    papers = table.get("papers")
    if not isinstance(papers, dict) or not all(isinstance(p, str) for p in papers.values()):
        raise MalformedError("game.toml holds no papers")
    contract = conclude({name: text.encode() for name, text in papers.items()})
    if contract.text().encode() != raw:
        raise VerificationError("game.toml is not what its papers make")
    return contract
