"""A lost or stolen key: by consent of all others a seat goes on with new keys and a new chain.

The seat writes a paper, signed with the key that is replaced or with the spare key of its acceptance;
every other seat signs a `rekey` entry with that same paper. So nobody is given new keys who did not ask
for them, whatever all others agree on, and a thief of the old key alone gains nothing.
If the game waits for that very seat, the consents of all others end the round; else they count when they
are seen. Entries of the old key that are not in the log by then never will be. What
the old secret sealed only the old secret opens; a new chain and new seals come from the new one.
A die that was waited for is thrown anew, and every other seat passes over the link it may have shown
for it: else the new chain could be fitted to links that are known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.errors import PbemError, VerificationError
from pbem.protocol.crypto import sshsig
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
from pbem.protocol.papers.contract import (
    NAMESPACE,
    Contract,
    Paper,
    box_secret,
    game_secret,
    hex32,
    paper_content,
    read_paper,
    secret_commitment,
    table_secret,
    write_paper,
)
from pbem.protocol.rounds.runner import Runner
from pbem.protocol.rounds.state import RESERVE, State

PASSED = 4
"""So many links are passed over: a line that goes back to the consents may have shown several."""


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


def make_paper(
    contract: Contract, seat: str, old: bytes, key: SigningKey, nonce: bytes, signer: SigningKey
) -> bytes:
    """The paper of a seat that needs new keys, signed with the old one (its public half) or the spare one."""
    table = contract.invite.table
    secret = game_secret(table_secret(key, table, seat, nonce.hex()), contract.listed)
    paper = NewKeys(
        game=contract.game.hex(),
        seat=seat,
        old=old.hex(),
        key=key.public_line(),
        answer=answering_key(key, table, seat).public.hex(),
        box=box_public(box_private(box_secret(key, table, seat, nonce.hex()))).hex(),
        nonce=nonce.hex(),
        tip=Chain(secret, contract.listed, seat, contract.invite.chain).tip.hex(),
        commitment=secret_commitment(contract.listed, seat, secret),
    )
    return write_paper(paper, NewKeys, signer)


def read_new_keys(contract: Contract, text: str) -> NewKeys:
    """A paper, checked: its game, its keys, its signature. (Not: is the old key in use?)"""
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
    if any(public in (seat.key, seat.answer, seat.spare) for seat in contract.seats.values()):
        raise VerificationError("the paper for new keys brings a key of the contract")
    _signer(contract, told, paper)
    return told


def _signer(contract: Contract, told: NewKeys, paper: Paper) -> str:
    """Which key of the seat signed a paper; refused if none did."""
    old, spare = hex32(told.old, "old"), contract.seats[told.seat].spare
    try:
        sshsig.verify(paper.armour, paper.signed, old, NAMESPACE)
        return "the old key"
    except VerificationError:
        if not spare:
            raise
    sshsig.verify(paper.armour, paper.signed, spare, NAMESPACE)
    return "its spare key"


def in_order(contract: Contract, text: str) -> NewKeys | None:
    """What a paper says, None if it is not in order."""
    try:
        return read_new_keys(contract, text)
    except PbemError:
        return None


def in_use(contract: Contract, state: State, seat: str) -> str:
    """The public key with which a seat decides now, in hex."""
    return state.seats[seat].key or contract.seats[seat].key.hex()


def pass_over_links(runner: Runner, seats: Iterable[str]) -> None:
    """The round is asked anew: links that these seats may have shown for it are used up."""
    for seat in seats:
        mine = runner.state.seats[seat]
        runner.state.change(seat, skip=min(mine.skip + PASSED, RESERVE))


def take_rekey(runner: Runner, seat: str, text: str) -> None:
    """One seat's consent; with the last one, the new keys count."""
    try:
        told = read_new_keys(runner.contract, text)
    except PbemError as error:
        runner.say(f"{seat} agreed to a paper that is not in order: {error.message}", seat=seat)
        return
    state = runner.state
    replaced = told.old != in_use(runner.contract, state, told.seat)
    if told.seat == seat or told.seat in state.opened or replaced:
        runner.say(f"{seat}: consent to new keys for {told.seat} has no effect", seat=seat)
        return
    state.rekeys[seat] = text
    runner.say(f"{seat} agrees to new keys for {told.seat}", seat=seat)
    others = [s for s in runner.pos.seats if s != told.seat and s not in state.opened]
    if any(state.rekeys.get(s) != text for s in others):
        return
    mine = state.seats[told.seat]
    known = mine.commitment or runner.contract.seats[told.seat].commitment
    state.rekeys.clear()
    runner.progress = True
    runner.committed()  # the new chain is fixed now: no link that is already out may meet one of it
    state.change(
        told.seat,
        key=parse_public_line(told.key).hex(),
        answer_key=told.answer,
        box=told.box,
        link=told.tip,
        links=0,
        skip=0,
        chain=0,
        commitment=told.commitment,
        former=(*mine.former, known),
    )
    by = _signer(runner.contract, told, read_paper(text.encode()))
    runner.say(f"{told.seat} goes on with new keys, as it signed with {by}", seat=told.seat)
