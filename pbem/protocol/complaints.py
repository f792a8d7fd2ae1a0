"""A complaint about a delivered box: its reader discloses the key of that one box, and everybody looks.

The box commits to its key, so a disclosed key that fits shows what was delivered: the giver is to blame
if it is not the card, the complainer if it is. A key that does not fit leaves it open which of the two
lies; then the audit makes the box again from the giver's secret (`made_box`).
"""

from __future__ import annotations

from pbem.engine.position import Hidden
from pbem.errors import VerificationError
from pbem.protocol import sealed
from pbem.protocol.bodies import Complaint
from pbem.protocol.canonical import keyed
from pbem.protocol.entry import Entry
from pbem.protocol.running import Culprit, Runner
from pbem.protocol.shapes import unpack_box
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


def made_box(game: bytes, slot: str, taker: str, public: bytes, card: bytes, giver_secret: bytes) -> bytes:
    """The one box that a giver's machine makes of a card (`content`) for a taker's X25519 key."""
    entropy = keyed(giver_secret, "deliver", game, slot, taker)
    return sealed.seal_to(public, delivery_context(game, slot), card, entropy)


def fits(game: bytes, slot: str, hidden: Hidden, plain: bytes) -> bool:
    """Whether a box's content opens the slot's commitment."""
    try:
        value, nonce = read_content(plain)
    except VerificationError:
        return False
    if len(nonce) != 32:
        return False
    made = sealed.commitment(game, hidden.owner, f"slot {slot}", value.encode(), nonce)
    return made.hex() == hidden.commitment


def judge(runner: Runner, entry: Entry) -> None:
    """Who is to blame: the giver if the box does not hold the card, the complainer if it does."""
    body = entry.body
    assert isinstance(body, Complaint)
    boxed = runner.state.boxes.get(body.slot)
    hidden = runner.pos.hidden.get(body.slot)
    if boxed is None or hidden is None or not boxed.giver or boxed.reader != entry.seat:
        raise Culprit(entry.seat, f"a complaint about {body.slot}, which was not delivered to it")
    game = runner.contract.game
    try:
        context = delivery_context(game, body.slot)
        plain = sealed.open_with_shared(bytes.fromhex(body.key), context, unpack_box(boxed.box))
    except VerificationError:
        reason = f"{entry.seat} and {boxed.giver} disagree about the box of {body.slot}; the audit decides"
        runner.state.verdict = Verdict("", reason, entry.id)
        runner.say(f"verdict: {reason}", slot=body.slot)
        return
    lawful = fits(game, body.slot, hidden, plain)
    guilty = entry.seat if lawful else boxed.giver
    what = (
        "complained without cause" if lawful else f"delivered a box without the card {slot_place(body.slot)}"
    )
    runner.state.verdict = Verdict(guilty, what, entry.id)
    runner.say(f"verdict: {guilty} {what}", culprit=guilty)
