"""How a seat gets out of a game, and how the others go on without it.

A seat is out because it resigned, was late by the clocks of all others, or broke the protocol. With one
seat left the game is over. Else the others give the pieces that they hold of its secret (whoever resigns
brings it along), and from then on it plays on in the open: everybody works out what it owes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine.events import Event, Fact
from pbem.errors import PbemError
from pbem.protocol.crypto.keys import box_private, box_public
from pbem.protocol.papers import piece_fields, pieces
from pbem.protocol.papers.bodies import Answers, Audit, Body, Resign
from pbem.protocol.papers.contract import secret_commitment
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.breach import BoxKeyWrong, Culprit, FormerSecretMissing, SecretWrong
from pbem.protocol.rounds.due import present
from pbem.protocol.rounds.holding import check_given, secrets_of
from pbem.protocol.rounds.state import Gone, State, Why
from pbem.protocol.rounds.stretch import Stretch


class SeatLeft(Event):
    says = "{seat} is out: it {why:late=did not answer in time|resigned=resigns|breach=broke the protocol}"
    seat: str
    why: str
    fault: Fact | None = None


class LastSeatLeft(Event):
    """The outcome of a game in which one seat is left."""

    says = "{seat} {why:late=did not answer in time|resigned=resigns|breach=broke the protocol}"
    seat: str
    why: str


class SecretMissing(Event):
    """The outcome of a game that cannot go on without a seat."""

    says = "the secret of {seat} cannot be put together, so the game ends here"
    seat: str


class SecretOpened(Event):
    says = "the secret of {seat} is put together from the pieces of {holders}: it plays on in the open"
    seat: str
    holders: tuple[str, ...]
    secret: str


class SecretPublished(Event):
    says = "{seat} publishes its secret for the audit"
    seat: str


def leave(runner: Stretch, seat: str, why: Why, entry: str, fault: Fact | None = None) -> None:
    """A seat is out. With one left the game is over; without enough pieces of its secret it ends, too."""
    state = runner.state
    state.gone[seat] = Gone(why, entry, fault)
    runner.say(SeatLeft(seat, why.value, fault))
    _drop_plans(state, seat)
    left = present(runner.pos, state)
    threshold = runner.contract.invite.threshold
    if len(left) < 2 or runner.pos.outcome is not None:
        runner.end(left, LastSeatLeft(seat, why.value))
        state.closed = ()
    elif seat not in state.opened:
        state.closed = tuple(s for s in runner.pos.seats if s in (*state.closed, seat))
    if state.closed and (not threshold or len(left) < threshold):
        runner.end((), SecretMissing(state.closed[0]))
        state.closed = ()


def _drop_plans(state: State, seat: str) -> None:
    """What a seat had under way ends."""
    state.queues.pop(seat, None)
    for orders in (state.standing, state.announced):
        for key in [k for k in orders if k.startswith(f"{seat} ")]:
            del orders[key]


# --- secrets that their owner publishes


def resign(runner: Stretch, entry: Entry, body: Resign) -> None:
    """A seat gives up. With three or more in, it publishes its secrets, and the others go on at once."""
    seat = entry.seat
    if len(present(runner.pos, runner.state)) > 2:
        _publish(runner, seat, body.secret, body.former)
        box = runner.state.seats[seat].box or runner.contract.seats[seat].box.hex()
        if not body.box or box_public(box_private(bytes.fromhex(body.box))).hex() != box:
            raise Culprit(seat, BoxKeyWrong())
        runner.state.opened_boxes[seat] = body.box
    leave(runner, seat, Why.RESIGNED, entry.id)


def publish_for_audit(runner: Stretch, seat: str, body: Audit) -> None:
    """The game is over, and a seat publishes its secrets."""
    _publish(runner, seat, body.secret, body.former)
    runner.say(SecretPublished(seat))


def _publish(runner: Stretch, seat: str, secret: str, former: Sequence[str]) -> None:
    """Every secret that a seat ever had is owed: its old key, or the copy for its spare key, gives each."""
    mine, listed = runner.state.seats[seat], runner.contract.listed
    known = mine.commitment or runner.contract.seats[seat].commitment
    if not secret or secret_commitment(listed, seat, bytes.fromhex(secret)) != known:
        raise Culprit(seat, SecretWrong())
    if tuple(secret_commitment(listed, seat, bytes.fromhex(one)) for one in former) != mine.former:
        raise Culprit(seat, FormerSecretMissing())
    runner.state.opened[seat] = secret
    if former:
        runner.state.opened_former[seat] = tuple(former)


# --- secrets that the others put together


def put_together(runner: Stretch, bodies: Mapping[str, Body]) -> None:
    """All that are in have given their pieces: the seats that are out play on in the open."""
    state = runner.state
    given: dict[str, dict[str, bytes]] = {}
    for holder, body in bodies.items():
        assert isinstance(body, Answers)
        for of, piece in check_given(runner.contract, state, holder, state.closed, body.pieces).items():
            given.setdefault(of, {})[holder] = piece
    opening, state.closed = state.closed, ()
    for seat in opening:
        if runner.pos.outcome is None and not _open(runner, seat, given):
            runner.end((), SecretMissing(seat))


def _open(runner: Stretch, seat: str, given: Mapping[str, Mapping[str, bytes]]) -> bool:
    """Put a seat's secrets together; False if the pieces that it dealt do not make them."""
    contract, state = runner.contract, runner.state
    invite, listed = contract.invite, contract.listed
    found = {
        of: pieces.put_together(listed, invite.seats, seat, of, invite.threshold, given.get(of, {}))
        for of in secrets_of(contract, state, seat)
    }
    *former, now = found.values()
    if now is None:
        return False
    mine = state.seats[seat]
    try:
        seed = piece_fields.open_box_seed(listed, seat, now, mine.seed or contract.seats[seat].seed)
        public = box_public(box_private(seed)).hex()
    except (PbemError, ValueError):
        return False
    if public != (mine.box or contract.seats[seat].box.hex()):
        return False
    state.opened[seat], state.opened_boxes[seat] = now.hex(), seed.hex()
    if former and former[0] is not None:
        state.opened_former[seat] = (former[0].hex(),)
    holders = tuple(s for s in runner.pos.seats if any(s in one for one in given.values()))
    runner.say(SecretOpened(seat, holders, now.hex()))
    return True
