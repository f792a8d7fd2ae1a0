"""A complaint about a delivered box: its reader discloses the key of that one box, and everybody looks.

The box commits to its key, so a disclosed key that fits shows what was delivered: the giver is to blame
if it is not the card, the complainer if it is. A key that does not fit leaves it open which of the two
lies; then the audit makes the box again from the giver's secret (`made_box`).
"""

from __future__ import annotations

from pbem.engine.events import Fact
from pbem.engine.notation import Handle
from pbem.errors import VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.papers.bodies import Complaint
from pbem.protocol.papers.body_checks import pack_box, unpack_box
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.breach import (
    BoxDisputed,
    BoxWrong,
    ComplaintGroundless,
    ComplaintMisplaced,
    Culprit,
)
from pbem.protocol.rounds.card_boxes import content, delivery_context, fits, made_box
from pbem.protocol.rounds.leaving import leave
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.protocol.rounds.state import Why
from pbem.protocol.rounds.stretch import Stretch


def judge_by_secrets(runner: Stretch) -> None:
    """A complaint was left to the audit: with the secrets of all the box is made again, and compared."""
    state = runner.state
    if not state.disputed:
        return
    slot = Handle(state.disputed)
    boxed, hidden = state.boxes[slot], runner.pos.hidden[slot]
    if not {boxed.giver, hidden.owner} <= set(state.opened):
        return
    former = tuple((bytes.fromhex(one), b"") for one in state.opened_former.get(hidden.owner, ()))
    owner = Secrets(runner, hidden.owner, bytes.fromhex(state.opened[hidden.owner]), b"", former)
    giver = bytes.fromhex(state.opened[boxed.giver])
    try:
        found = owner.own_content(slot)
    except VerificationError:
        return
    if found is None or not fits(runner.contract.game, slot, hidden, content(*found)):
        return
    texts = (runner.contract.game, slot, boxed.reader)
    made = [made_box(*texts, key, content(*found), giver) for key in _keys_of(runner, boxed.reader)]
    same = boxed.box in map(pack_box, made)
    if not same and len(state.seats[boxed.reader].former) > 1:
        return  # made for a key between the first and the last, perhaps: nobody is named for that
    guilty = boxed.reader if same else boxed.giver
    fault = ComplaintGroundless(slot) if same else BoxWrong(slot)
    state.disputed = ""
    assert runner.entry is not None
    leave(runner, guilty, Why.BREACH, runner.entry.id, Fact.of(fault))


def _keys_of(runner: Stretch, reader: str) -> tuple[bytes, ...]:
    """The keys for which a box of this reader may have been made: it may have changed keys since."""
    now, first = runner.state.seats[reader].box, runner.contract.seats[reader].box
    return (first, bytes.fromhex(now)) if now else (first,)


def judge(runner: Stretch, entry: Entry, body: Complaint) -> None:
    """Who is to blame: the giver if the box does not hold the card, the complainer if it does."""
    boxed = runner.state.boxes.get(body.slot)
    hidden = runner.pos.hidden.get(body.slot)
    if boxed is None or hidden is None or not boxed.giver or boxed.reader != entry.seat:
        raise Culprit(entry.seat, ComplaintMisplaced(body.slot))
    game = runner.contract.game
    try:
        context = delivery_context(game, body.slot)
        plain = sealing.open_with_shared(bytes.fromhex(body.key), context, unpack_box(boxed.box))
    except VerificationError:
        runner.state.disputed = body.slot
        runner.end((), BoxDisputed(entry.seat, boxed.giver, body.slot))
        return
    if fits(game, body.slot, hidden, plain):
        raise Culprit(entry.seat, ComplaintGroundless(body.slot))
    raise Culprit(boxed.giver, BoxWrong(body.slot))
