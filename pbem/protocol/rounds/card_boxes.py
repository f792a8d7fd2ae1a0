"""A hidden card in a sealed box for one other seat: what it holds, and what it is bound to."""

from __future__ import annotations

from pbem.engine.position import Hidden
from pbem.errors import VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.canonical import keyed


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
    return sealing.seal_to(public, delivery_context(game, slot), card, entropy)


def fits(game: bytes, slot: str, hidden: Hidden, plain: bytes) -> bool:
    """Whether a box's content opens the slot's commitment."""
    try:
        value, nonce = read_content(plain)
    except VerificationError:
        return False
    if len(nonce) != 32:
        return False
    made = sealing.commitment(game, hidden.owner, f"slot {slot}", value.encode(), nonce)
    return made.hex() == hidden.commitment
