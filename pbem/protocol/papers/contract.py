"""The contract of a game: invitation and acceptances make a list, and every seat signs the whole of it.

Invariants: `list` is the digest of the invite and of all acceptances; nothing that play will use is
revealed before a seat has seen the whole list; the last to sign can only abort. game.toml is made of the
papers alone and holds them, so that it can be rebuilt byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pbem import toml
from pbem.engine.codec import encode
from pbem.errors import MalformedError, VerificationError
from pbem.protocol.crypto import sshsig
from pbem.protocol.crypto.canonical import digest, keyed
from pbem.protocol.crypto.chance import Chain
from pbem.protocol.crypto.keys import (
    SigningKey,
    answering_key,
    fingerprint,
    parse_public_line,
)
from pbem.protocol.deck import state as deck_state
from pbem.protocol.deck import wire
from pbem.protocol.papers import piece_fields
from pbem.protocol.papers.acceptance import Accept, box_secret, read_accept, table_secret
from pbem.protocol.papers.invitation import Invite, read_invite
from pbem.protocol.papers.kept import Kept, check_kept, keep_for_spare
from pbem.protocol.papers.paper import (
    NAMESPACE,
    PAPER_LIMIT,
    hex32,
    paper_content,
    read_paper,
    write_paper,
)
from pbem.protocol.papers.pieces import Dealt
from pbem.protocol.papers.times import check_time


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
    kept: tuple[str, ...] = ()
    """With a spare key: what answering needs, sealed to it."""


def list_digest(invite: bytes, accepts: Sequence[bytes]) -> bytes:
    """The digest of the whole list: invite and acceptances in seat order."""
    return digest("list", invite, len(accepts), *accepts)


# --- the third step: a seat signs the list


def game_secret(secret: bytes, listed: bytes) -> bytes:
    """What everything in one game is derived from, and what the audit publishes."""
    return keyed(secret, "list", listed)


def secret_commitment(listed: bytes, seat: str, secret: bytes) -> str:
    """The commitment to a seat's game secret."""
    return digest("secret", listed, seat, secret).hex()


def make_signing(
    key: SigningKey, invite: bytes, accepts: Sequence[bytes], seat: str, sent: str, decks: Sequence[str] = ()
) -> bytes:
    """The seat's signature under the whole list, with what play needs; `decks` are those the seats share."""
    listed = list_digest(invite, accepts)
    told = read_invite(invite)
    read = [read_accept(raw, invite, told) for raw in accepts]
    mine, holds = read[told.seats.index(seat)], {one.seat: one.hold for one in read}
    secret = game_secret(table_secret(key, told.table, seat, mine.nonce), listed)
    of, box = secret_commitment(listed, seat, secret), box_secret(key, told.table, seat, mine.nonce)
    copy = Kept(secret, answering_key(key, told.table, seat).seed, box)
    signing = Signing(
        list=listed.hex(),
        seat=seat,
        commitment=of,
        tip=Chain(secret, listed, seat, told.chain).tip.hex(),
        decks={name: _deck_keys(listed, seat, name, secret) for name in decks},
        sent=sent,
        pieces=piece_fields.deal_all(listed, told.seats, told.threshold, seat, secret, of, holds),
        seed=piece_fields.box_seed(listed, told.threshold, seat, secret, box),
        kept=keep_for_spare(bytes.fromhex(mine.spare), listed, seat, copy),
    )
    return write_paper(signing, Signing, key)


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
    kept: tuple[str, ...] = ()
    spare: bytes = b""
    """The key that may sign for new keys in the place of the one in use; empty: none."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the seat's key, as ssh-keygen shows it."""
        return fingerprint(self.key)


@dataclass(frozen=True, eq=False)
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
    accepts = [read_accept(raw, invite_raw, invite) for raw in raws]
    listed = list_digest(invite_raw, raws)
    seats = {}
    for seat, accept in zip(invite.seats, accepts, strict=True):
        if accept.seat != seat:
            raise VerificationError(f"the acceptance of {accept.seat} stands in the place of {seat}")
        seats[accept.seat] = _seat(invite, accept, papers[f"sign-{accept.seat}"], listed)
    if len({tuple(s.decks) for s in seats.values()}) != 1:
        raise VerificationError("the seats do not share the same decks", "do they all have the same pbem?")
    keys = [s.key for s in seats.values()] + ([invite.witness_key] if invite.witness else [])
    if len(set(keys)) != len(keys):
        raise VerificationError(
            "two seats have the same key", "each seat and the witness need a key of their own"
        )
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
    check_kept(bytes.fromhex(accept.spare), signing.kept, signing.seat)
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
        kept=signing.kept,
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
