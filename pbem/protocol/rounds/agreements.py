"""Agreements: the same offer of every seat that is in, at one tip, counts when a note lists all of them.

There is no proposal, no refusal and no waiting: whoever decides plays on when it likes, and an offer is worth
nothing at any other tip. Agreements count only where decisions are asked, never while a machine owes a
link, an opening, a share or a piece: so no die that somebody has seen can fall again. The note is signed by
the seat that decides (of several, the first), in the place of its decision; for its own new keys with those.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import replace

from pbem.engine.events import Event
from pbem.engine.position import Position
from pbem.errors import PbemError
from pbem.protocol.crypto.keys import parse_public_line
from pbem.protocol.papers import pieces
from pbem.protocol.papers.bodies import Draw, Rekey, TakeBack, Terms
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.due import Due, present
from pbem.protocol.rounds.holding import hold_of, piece_for, piece_name
from pbem.protocol.rounds.key_papers import NewKeys, in_order, in_use
from pbem.protocol.rounds.state import Agreed, State, split
from pbem.protocol.rounds.stretch import Stretch

Offer = Draw | TakeBack | Rekey | Terms


class DrawAgreed(Event):
    """The outcome of a game that ended in an agreed draw."""

    says = "a draw was agreed"


class TakenBack(Event):
    says = "all agree: back to the position after entry {to}"
    to: int


class KeysReplaced(Event):
    says = "{seat} goes on with new keys{spare:?, as it signed with its spare key|}"
    seat: str
    spare: bool


class TermsAgreed(Event):
    says = "all agree on other terms"
    terms: dict[str, int | str]


def may_agree(wanted: dict[str, Due]) -> bool:
    """Whether agreements count here: every seat that is asked decides."""
    return bool(wanted) and all(owed.lane == "decide" for owed in wanted.values())


def agreed(contract: Contract, pos: Position, state: State, listed: Iterable[Entry]) -> list[Entry]:
    """The offers among these entries that make an agreement at this tip; empty if none is whole."""
    inside = present(pos, state)
    found: dict[tuple[str, str], dict[str, Entry]] = {}
    for entry in listed:
        if entry.head.after == state.tip and entry.seat in inside and _may_offer(contract, state, entry):
            found.setdefault((entry.head.kind, _what(entry)), {})[entry.seat] = entry
    whole = [
        offers for offers in found.values() if len(offers) == len(inside) and _holds(contract, state, offers)
    ]
    return list(min(whole, key=lambda offers: min(e.id for e in offers.values())).values()) if whole else []


def _what(entry: Entry) -> str:
    """What an offer is about: the same text for every seat."""
    body = entry.body
    if isinstance(body, Rekey):
        return body.paper
    assert isinstance(body, (Draw, TakeBack, Terms))
    return body.line()


def _may_offer(contract: Contract, state: State, entry: Entry) -> bool:
    """Whether the key in use signed an offer; for a seat's own new keys its spare key may have, too."""
    if not isinstance(entry.body, (Draw, TakeBack, Rekey, Terms)):
        return False
    if entry.key.hex() == in_use(contract, state, entry.seat):
        return True
    told = in_order(contract, entry.body.paper) if isinstance(entry.body, Rekey) else None
    return told is not None and told.seat == entry.seat and entry.key == contract.seats[entry.seat].spare


def _holds(contract: Contract, state: State, offers: dict[str, Entry]) -> bool:
    """Whether what all offer can be done."""
    body = next(iter(offers.values())).body
    if isinstance(body, TakeBack):
        return state.barrier <= body.to < state.number
    if isinstance(body, Terms):
        return body.version in ("", contract.invite.version)
    if not isinstance(body, Rekey):
        return True
    told = in_order(contract, body.paper)
    if told is None or told.seat not in offers or told.old != in_use(contract, state, told.seat):
        return False
    return not contract.invite.threshold or all(
        _same_piece(contract, state, entry, told) for seat, entry in offers.items() if seat != told.seat
    )


def _same_piece(contract: Contract, state: State, entry: Entry, told: NewKeys) -> bool:
    """The piece that the seat holds of the author's secret, sealed to its new key."""
    assert isinstance(entry.body, Rekey)
    seat, piece = entry.seat, entry.body.piece
    before = piece_for(contract, state, seat, _secret_of(contract, state, seat), told.seat)
    try:
        if piece is not None:
            pieces.check_dealt(piece)
    except PbemError:
        return False
    return piece is not None and (before is None or before.commit == piece.commit)


def _secret_of(contract: Contract, state: State, seat: str) -> str:
    return state.seats[seat].commitment or contract.seats[seat].commitment


def new_key(contract: Contract, offers: list[Entry], seat: str) -> str:
    """The key that an agreement gives to a seat, in hex; "" if it is about something else."""
    body = offers[0].body if offers else None
    told = in_order(contract, body.paper) if isinstance(body, Rekey) else None
    return parse_public_line(told.key).hex() if told is not None and told.seat == seat else ""


def take(runner: Stretch, offers: list[Entry], earlier: Callable[[int], str]) -> None:
    """What all have agreed on is done."""
    body = offers[0].body
    match body:
        case Draw():
            runner.end((), DrawAgreed())
        case TakeBack(to=to):
            _take_back(runner, earlier, to)
        case Rekey():
            _rekey(runner, offers)
        case Terms():
            runner.state.terms = Agreed(body.version, body.move, body.grace, body.audit, body.absence)
            told: dict[str, int | str] = {"version": body.version, "move": body.move, "grace": body.grace}
            told |= {"audit": body.audit, "absence": body.absence}
            runner.say(TermsAgreed({name: value for name, value in told.items() if value}))


def _take_back(runner: Stretch, earlier: Callable[[int], str], to: int) -> None:
    """A new position, with the pieces where they stood after an earlier entry; the protocol goes on.

    Links stay revealed, events and shuffles keep their numbers, and the next die needs new links of
    all, so nothing that fell before can fall again.
    """
    state = runner.state
    table, _ = split(tomllib.loads(earlier(to)))
    runner.pos = runner.machine.read(table)
    state.queues, state.seed, state.request = {}, "", 0
    assert runner.entry is not None
    state.decisions += (runner.entry.id,)
    state.fresh, state.declined = {}, False
    runner.say(TakenBack(to))


def _rekey(runner: Stretch, offers: list[Entry]) -> None:
    """The seat has new keys from here on; what was owed under the old secret has been given."""
    contract, state, first = runner.contract, runner.state, offers[0].body
    assert isinstance(first, Rekey)
    told = in_order(contract, first.paper)
    assert told is not None
    for entry in offers:
        if isinstance(entry.body, Rekey) and entry.body.piece is not None and entry.seat != told.seat:
            state.dealt[piece_name(_secret_of(contract, state, entry.seat), told.hold)] = entry.body.piece
    mine = state.seats[told.seat]
    runner.committed()
    state.seats[told.seat] = replace(
        mine,
        key=parse_public_line(told.key).hex(),
        answer_key=told.answer,
        box=told.box,
        link=told.tip,
        links=0,
        chain=0,
        commitment=told.commitment,
        former=(*mine.former, _secret_of(contract, state, told.seat)),
        hold=told.hold,
        seed=told.seed,
    )
    for holder, dealt in told.pieces.items():
        state.dealt[piece_name(told.commitment, hold_of(contract, state, holder))] = dealt
    by = next(entry for entry in offers if entry.seat == told.seat)
    runner.say(KeysReplaced(told.seat, by.key == contract.seats[told.seat].spare))
