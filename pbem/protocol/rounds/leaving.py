"""A seat that vanished: the others put its secret together, and it plays on in the open.

A forfeit that leaves enough seats to go on does not end the line. First the machines of all others confirm
that nothing of the seat has arrived with them either; then they give their pieces. Two steps, because
pieces cannot be taken back: as long as one machine has something of the late seat, none is given. From
there on everything is as after a resignation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.errors import PbemError
from pbem.protocol.crypto.keys import box_private, box_public
from pbem.protocol.papers import piece_fields, pieces
from pbem.protocol.papers.bodies import Answers, Body, Forfeit
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds import events
from pbem.protocol.rounds.breach import Culprit
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.holding import check_given, secrets_of
from pbem.protocol.rounds.state import RESERVE, Leaving, State
from pbem.protocol.rounds.stretch import Stretch

PASSED = 4
"""So many links are passed over: a line that goes back to a forfeit may have shown several."""


def staying(contract: Contract, state: State, gone: Sequence[str]) -> list[str]:
    """The seats that remain when these are gone."""
    before = state.leaving.seats if state.leaving is not None else ()
    return [s for s in contract.invite.seats if s not in state.opened and s not in (*before, *gone)]


def goes_on(contract: Contract, state: State, gone: Sequence[str], wanted: Mapping[str, Due]) -> bool:
    """Whether the game goes on without these seats: two remain at least, and enough hold pieces."""
    threshold = contract.invite.threshold
    if not threshold or any(owed.kind == "audit" for owed in wanted.values()):
        return False
    return len(staying(contract, state, gone)) >= max(2, threshold)


def begin_leaving(runner: Stretch, entry: Entry, wanted: Mapping[str, Due]) -> None:
    """A lawful forfeit: the seats it names are about to leave.

    A link that was asked for just now stays the next one, so the die that was waited for falls as it
    would have fallen; later ones that a line may have shown from which all go back are passed over.
    """
    state, body = runner.state, entry.body
    assert isinstance(body, Forfeit)
    before = state.leaving
    if before is None:
        for seat in staying(runner.contract, state, body.seats):
            mine, asked = state.seats[seat], wanted.get(seat)
            if asked is not None and asked.lane == "answer" and asked.link:
                state.change(seat, then=min(mine.then + PASSED, RESERVE))
            else:
                state.change(seat, skip=min(mine.skip + PASSED, RESERVE))
    seats = tuple(s for s in runner.pos.seats if s in body.seats or (before and s in before.seats))
    state.leaving = Leaving(seats, entry.id, entry.seat)
    runner.progress = True
    runner.say(events.LeavingClaimed(seats, entry.seat))


def leave(runner: Stretch, bodies: Mapping[str, Body]) -> None:
    """The round is complete: all have confirmed, or all have given their pieces."""
    leaving = runner.state.leaving
    assert leaving is not None
    if not leaving.confirmed:
        runner.state.leaving = replace(leaving, confirmed=True)
        runner.say(events.LeavingConfirmed(leaving.seats))
        return
    given: dict[str, dict[str, bytes]] = {}
    for holder, body in bodies.items():
        assert isinstance(body, Answers)
        good = check_given(runner.contract, runner.state, holder, leaving.seats, body.pieces)
        for of, piece in good.items():
            given.setdefault(of, {})[holder] = piece
    for seat in leaving.seats:
        _open(runner, seat, given)
    runner.state.leaving = None


def _open(runner: Stretch, seat: str, given: Mapping[str, Mapping[str, bytes]]) -> None:
    """Put a seat's secrets together; from here it plays on in the open."""
    contract, state = runner.contract, runner.state
    invite, listed = contract.invite, contract.listed
    found = {
        of: pieces.put_together(listed, invite.seats, seat, of, invite.threshold, given.get(of, {}))
        for of in secrets_of(contract, state, seat)
    }
    *former, now = found.values()
    if now is None:
        raise Culprit(seat, events.PiecesFalse())
    mine = state.seats[seat]
    try:
        seed = piece_fields.open_box_seed(listed, seat, now, mine.seed or contract.seats[seat].seed)
        public = box_public(box_private(seed)).hex()
    except (PbemError, ValueError):
        public = ""
    if public != (mine.box or contract.seats[seat].box.hex()):
        raise Culprit(seat, events.BoxesClosed())
    state.opened[seat], state.opened_boxes[seat] = now.hex(), seed.hex()
    if former and former[0] is not None:
        state.opened_former[seat] = (former[0].hex(),)
    plays_in_the_open(state, seat)
    holders = tuple(s for s in runner.pos.seats if any(s in one for one in given.values()))
    runner.say(events.SecretPutTogether(seat, now.hex(), holders))
    runner.progress = True


def plays_in_the_open(state: State, seat: str) -> None:
    """What a seat had under way ends when its secret is published."""
    state.queues.pop(seat, None)
    state.offers.pop(seat, None)
    for orders in (state.standing, state.announced):
        for key in [k for k in orders if k.startswith(f"{seat} ")]:
            del orders[key]
