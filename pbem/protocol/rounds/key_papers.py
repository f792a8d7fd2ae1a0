"""New keys of a seat: what replaces its part of the contract. Every offer repeats it word for word."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from pbem.errors import PbemError, VerificationError
from pbem.protocol.crypto.chance import Chain
from pbem.protocol.crypto.keys import (
    SigningKey,
    answering_key,
    box_private,
    box_public,
    check_box_public,
    check_public,
    parse_public_line,
)
from pbem.protocol.papers import piece_fields, pieces
from pbem.protocol.papers.acceptance import box_secret, table_secret
from pbem.protocol.papers.contract import Contract, game_secret, secret_commitment
from pbem.protocol.papers.kept import Kept, check_kept, keep_for_spare
from pbem.protocol.papers.paper import hex32, paper_content, read_paper, write_paper
from pbem.protocol.papers.pieces import Dealt
from pbem.protocol.rounds.holding import hold_of
from pbem.protocol.rounds.state import State


@dataclass(frozen=True, slots=True)
class NewKeys:
    """The paper: what replaces the seat's part of the contract."""

    game: str
    seat: str
    old: str
    """The key in use until then: the paper is worth nothing once that has been replaced."""
    key: str
    answer: str
    box: str
    nonce: str
    tip: str
    commitment: str
    hold: str = ""
    pieces: dict[str, Dealt] = field(default_factory=dict)
    seed: tuple[str, ...] = ()
    """As in the contract: with new keys the new secret is dealt."""
    kept: tuple[str, ...] = ()
    """As in the contract: what answering needs, sealed to the spare key."""


def make_paper(contract: Contract, state: State, seat: str, old: bytes, key: SigningKey, nonce: bytes) -> str:
    """The paper of a seat that wants new keys in the place of the old one (its public half)."""
    table, invite, listed = contract.invite.table, contract.invite, contract.listed
    secret = game_secret(table_secret(key, table, seat, nonce.hex()), contract.listed)
    of = secret_commitment(listed, seat, secret)
    answering, box = answering_key(key, table, seat), box_secret(key, table, seat, nonce.hex())
    holds = {s: hold_of(contract, state, s) for s in invite.seats}
    paper = NewKeys(
        game=contract.game.hex(),
        seat=seat,
        old=old.hex(),
        key=key.public_line(),
        answer=answering.public.hex(),
        box=box_public(box_private(box)).hex(),
        nonce=nonce.hex(),
        tip=Chain(secret, contract.listed, seat, contract.invite.chain).tip.hex(),
        commitment=of,
        hold=piece_fields.hold_of(answering, table, seat, invite.threshold),
        pieces=piece_fields.deal_all(listed, invite.seats, invite.threshold, seat, secret, of, holds),
        seed=piece_fields.box_seed(listed, invite.threshold, seat, secret, box),
        kept=keep_for_spare(contract.seats[seat].spare, listed, seat, Kept(secret, answering.seed, box)),
    )
    return write_paper(paper, NewKeys, None).decode()


def read_new_keys(contract: Contract, text: str) -> NewKeys:
    """A paper, checked: its game and its keys. (Not: is the old key in use?)"""
    paper = read_paper(text.encode())
    told = paper_content(paper, NewKeys, "the paper for new keys")
    if told.game != contract.game.hex() or told.seat not in contract.seats:
        raise VerificationError("the paper for new keys belongs to another game")
    public = parse_public_line(told.key)
    check_public(public)
    check_public(hex32(told.answer, "answer"))
    check_box_public(hex32(told.box, "box"))
    for name in ("nonce", "tip", "commitment"):
        hex32(getattr(told, name), name)
    invite = contract.invite
    piece_fields.check_hold(invite.threshold, told.hold)
    piece_fields.check_dealing(invite.seats, invite.threshold, told.seat, told.pieces, told.seed)
    known = {key for seat in contract.seats.values() for key in (seat.key, seat.answer, seat.spare)}
    if public in known or public.hex() == told.old:
        raise VerificationError("the paper for new keys brings a key that is known already")
    check_kept(contract.seats[told.seat].spare, told.kept, told.seat)
    return told


@lru_cache(maxsize=32)
def in_order(contract: Contract, text: str) -> NewKeys | None:
    """What a paper says, None if it is not in order."""
    try:
        return read_new_keys(contract, text)
    except PbemError:
        return None


def in_use(contract: Contract, state: State, seat: str) -> str:
    """The public key with which a seat decides now, in hex."""
    return state.seats[seat].key or contract.seats[seat].key.hex()


def piece_again(contract: Contract, state: State, seat: str, secret: bytes, text: str) -> Dealt | None:
    """With a consent to new keys: the piece that their owner holds of this seat's secret, sealed to them."""
    told, invite = in_order(contract, text), contract.invite
    if told is None or not invite.threshold:
        return None
    of = state.seats[seat].commitment or contract.seats[seat].commitment
    key = bytes.fromhex(told.hold)
    return pieces.deal(contract.listed, invite.seats, secret, of, invite.threshold, told.seat, key)
