"""A lost or stolen key: by consent of all others a seat goes on with new keys and a new chain.

The seat writes a paper, signed with the new key; every other seat signs a `rekey` entry with that
same paper. The old secret is not replaced for what it already sealed, only for what comes.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.codec import CodecError, decode
from pbem.errors import PbemError
from pbem.protocol import sshsig
from pbem.protocol.chance import Chain
from pbem.protocol.contract import (
    NAMESPACE,
    Contract,
    box_secret,
    game_secret,
    read_paper,
    secret_commitment,
    table_secret,
    write_paper,
)
from pbem.protocol.keys import (
    SigningKey,
    answering_key,
    box_private,
    box_public,
    check_box_public,
    check_public,
    parse_public_line,
)
from pbem.protocol.running import Culprit, Runner


@dataclass(frozen=True, slots=True)
class NewKeys:
    """The paper: what replaces the seat's part of the contract."""

    game: str
    seat: str
    key: str
    answer: str
    box: str
    nonce: str
    tip: str
    commitment: str


def make_paper(contract: Contract, seat: str, key: SigningKey, nonce: bytes) -> bytes:
    """The paper of a seat that needs new keys, signed with the new key."""
    table = contract.invite.table
    secret = game_secret(table_secret(key, table, seat, nonce.hex()), contract.listed)
    paper = NewKeys(
        game=contract.game.hex(),
        seat=seat,
        key=key.public_line(),
        answer=answering_key(key, table, seat).public.hex(),
        box=box_public(box_private(box_secret(key, table, seat, nonce.hex()))).hex(),
        nonce=nonce.hex(),
        tip=Chain(secret, contract.listed, seat, contract.invite.chain).tip.hex(),
        commitment=secret_commitment(contract.listed, seat, secret),
    )
    return write_paper(paper, NewKeys, key)


def read_new_keys(contract: Contract, text: str) -> NewKeys:
    """A paper, checked: its game, its keys, its signature."""
    paper = read_paper(text.encode())
    try:
        told: NewKeys = decode(dict(paper.table), NewKeys)
    except CodecError as error:
        raise PbemError(f"the paper for new keys: {error.message}") from None
    if told.game != contract.game.hex() or told.seat not in contract.seats:
        raise PbemError("the paper for new keys belongs to another game")
    public = parse_public_line(told.key)
    check_public(public)
    check_public(bytes.fromhex(told.answer))
    check_box_public(bytes.fromhex(told.box))
    sshsig.verify(paper.armour, paper.signed, public, NAMESPACE)
    return told


def take_rekey(runner: Runner, seat: str, text: str) -> None:
    """One seat's consent; with the last one, the new keys count."""
    try:
        told = read_new_keys(runner.contract, text)
    except (PbemError, ValueError) as error:
        raise Culprit(seat, f"agreed to a paper that is not in order: {error}") from None
    state = runner.state
    state.rekeys[seat] = text
    runner.say(f"{seat} agrees to new keys for {told.seat}", seat=seat)
    others = [s for s in runner.pos.seats if s != told.seat]
    if any(state.rekeys.get(s) != text for s in others):
        return
    state.rekeys.clear()
    state.change(
        told.seat,
        key=parse_public_line(told.key).hex(),
        answer_key=told.answer,
        box=told.box,
        link=told.tip,
        links=0,
        commitment=told.commitment,
    )
    runner.say(f"{told.seat} goes on with new keys", seat=told.seat)
