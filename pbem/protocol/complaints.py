"""A complaint about a delivered box: its reader discloses the key of that one box, and everybody looks."""

from __future__ import annotations

from pbem.errors import VerificationError
from pbem.protocol import sealed
from pbem.protocol.bodies import Complaint
from pbem.protocol.entry import Entry
from pbem.protocol.running import Culprit, Runner, nonce_of, unpack_box
from pbem.protocol.state import Verdict, slot_place


def delivery_context(game: bytes, slot: str) -> tuple[str, ...]:
    """What a delivered box is bound to."""
    return ("delivery", game.hex(), slot)


def content(value: str, nonce: bytes) -> bytes:
    """What a delivered box holds: the nonce, then the card."""
    return nonce + value.encode()


def read_content(plain: bytes) -> tuple[str, bytes]:
    """The card and the nonce in a delivered box."""
    try:
        return plain[32:].decode(), plain[:32]
    except UnicodeDecodeError:
        raise VerificationError("the delivered box holds no card") from None


def fits(runner: Runner, slot: str, plain: bytes) -> bool:
    """Whether a box's content opens the slot's commitment."""
    hidden = next((h for name, h in runner.pos.hidden.items() if name == slot), None)
    if hidden is None or len(plain) < 32:
        return False
    value, nonce = read_content(plain)
    made = sealed.commitment(runner.contract.game, hidden.owner, f"slot {slot}", value.encode(), nonce)
    return made.hex() == hidden.commitment


def judge(runner: Runner, entry: Entry) -> None:
    """Who is to blame: the giver if the box does not hold the card, the complainer if it does."""
    body = entry.body
    assert isinstance(body, Complaint)
    boxed = runner.state.boxes.get(body.slot)
    hidden = runner.pos.hidden.get(body.slot)
    if boxed is None or hidden is None or boxed.reader != entry.seat:
        raise Culprit(entry.seat, f"a complaint about {body.slot}, which was not delivered to it")
    key = nonce_of(body.key, entry.seat)
    try:
        plain = sealed.open_with_shared(
            key, delivery_context(runner.contract.game, body.slot), unpack_box(boxed.box)
        )
        lawful = fits(runner, body.slot, plain)
    except VerificationError:
        runner.state.verdict = Verdict(
            "",
            f"{entry.seat} and {hidden.owner} disagree about the box of {body.slot}; the audit decides",
            entry.id,
        )
        runner.say("a complaint that only the audit can settle", slot=body.slot)
        return
    guilty = entry.seat if lawful else hidden.owner
    what = (
        "complained without cause" if lawful else f"delivered a box without the card {slot_place(body.slot)}"
    )
    runner.state.verdict = Verdict(guilty, what, entry.id)
    runner.say(f"verdict: {guilty} {what}", culprit=guilty)
