"""A complaint about a delivered box: its reader discloses the key of that one box, and everybody looks.

The box commits to its key, so a disclosed key that fits shows what was delivered: the giver is to blame
if it is not the card, the complainer if it is. A key that does not fit leaves it open which of the two
lies; then the audit makes the box again from the giver's secret (`made_box`).
"""

from __future__ import annotations

from dataclasses import replace

from pbem.engine.events import Fact
from pbem.engine.notation import Handle
from pbem.errors import VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.papers.bodies import Complaint
from pbem.protocol.papers.body_checks import pack_box, unpack_box
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds import events
from pbem.protocol.rounds.breach import Culprit
from pbem.protocol.rounds.card_boxes import content, delivery_context, fits, made_box
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.protocol.rounds.state import Verdict
from pbem.protocol.rounds.stretch import Stretch


def judge_by_secrets(runner: Stretch) -> None:
    """A complaint was left to the audit: with the secrets of all the box is made again, and compared."""
    state, verdict = runner.state, runner.state.verdict
    if verdict is None or not verdict.slot:
        return
    slot = Handle(verdict.slot)
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
    reason = Fact.of(events.ComplaintVain(slot) if same else events.BoxWithoutCard(slot))
    state.verdict = replace(verdict, culprit=guilty, reason=reason, slot="")
    runner.say(events.Judged(guilty, reason))


def _keys_of(runner: Stretch, reader: str) -> tuple[bytes, ...]:
    """The keys for which a box of this reader may have been made: it may have changed keys since."""
    now, first = runner.state.seats[reader].box, runner.contract.seats[reader].box
    return (first, bytes.fromhex(now)) if now else (first,)


def judge(runner: Stretch, entry: Entry) -> None:
    """Who is to blame: the giver if the box does not hold the card, the complainer if it does."""
    body = entry.body
    assert isinstance(body, Complaint)
    boxed = runner.state.boxes.get(body.slot)
    hidden = runner.pos.hidden.get(body.slot)
    if boxed is None or hidden is None or not boxed.giver or boxed.reader != entry.seat:
        raise Culprit(entry.seat, events.ComplaintAmiss(body.slot))
    game = runner.contract.game
    try:
        context = delivery_context(game, body.slot)
        plain = sealing.open_with_shared(bytes.fromhex(body.key), context, unpack_box(boxed.box))
    except VerificationError:
        reason = Fact.of(events.ComplaintOpen(entry.seat, boxed.giver, body.slot))
        runner.state.verdict = Verdict("", reason, entry.id, slot=body.slot)
        runner.progress = True
        runner.say(events.Judged("", reason, body.slot))
        return
    lawful = fits(game, body.slot, hidden, plain)
    guilty = entry.seat if lawful else boxed.giver
    reason = Fact.of(events.ComplaintVain(body.slot) if lawful else events.BoxWithoutCard(body.slot))
    runner.state.verdict = Verdict(guilty, reason, entry.id)
    runner.progress = True
    runner.say(events.Judged(guilty, reason))
