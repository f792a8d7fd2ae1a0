"""What one seat knows beyond the public position: its links, what it sealed, what was sealed to it.

Everything follows from the seat's game secret (and, for boxes of others, its X25519 key) and from the public
log, so there is nothing to back up but the key. After a replacement of keys the former secrets still open
what they closed; everything new uses the new ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbem.engine.croupier import visible
from pbem.engine.handles import read_card, stock_of
from pbem.engine.notation import Handle
from pbem.engine.options import Options, View
from pbem.errors import UsageError, VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.canonical import keyed
from pbem.protocol.crypto.chance import Chain
from pbem.protocol.crypto.keys import box_private
from pbem.protocol.papers.bodies import (
    Opening,
    Seal,
)
from pbem.protocol.papers.body_checks import pack_box, unpack_box
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.card_boxes import content, delivery_context, fits, read_content
from pbem.protocol.rounds.sight import Sight
from pbem.protocol.rounds.state import slot_place


@lru_cache(maxsize=64)
def chain_of(secret: bytes, listed: bytes, seat: str, length: int, number: int = 0) -> Chain:
    """The hash chain of a seat; `number` counts the chains that ran out before it."""
    own = keyed(secret, "further chain", listed, number) if number else secret
    return Chain(own, listed, seat, length)


@dataclass
class Knowledge:
    """What one seat can tell and close beyond what everybody can."""

    ledger: Sight
    seat: str
    secret: bytes
    """The seat's secret of this game."""
    box_secret: bytes
    former: tuple[tuple[bytes, bytes], ...] = ()
    """The pairs (secret, box secret) from before each replacement of keys, oldest first."""
    answering: bytes = b""
    """The seed of the answering key: it opens the pieces that this seat holds."""

    def __post_init__(self) -> None:
        self.game = self.ledger.contract.game

    def __repr__(self) -> str:
        return f"{type(self).__name__} of {self.seat}"

    @property
    def _secrets(self) -> list[bytes]:
        """The secret in use, then the former ones."""
        return [self.secret, *(secret for secret, _ in reversed(self.former))]

    @property
    def _deck_secret(self) -> bytes:
        """Keys of shared decks stand in the contract: the first secret made them."""
        return self.former[0][0] if self.former else self.secret

    # --- links

    def _chain(self, number: int) -> Chain:
        contract = self.ledger.contract
        return chain_of(self.secret, contract.listed, self.seat, contract.invite.chain, number)

    def next_link(self) -> str:
        """The next link of the chain, for the next decision or answer."""
        mine = self.ledger.state.seats[self.seat]
        return self._chain(mine.chain).link(mine.next_link).hex()

    def next_tip(self) -> str:
        """The tip of the next chain if it must come with the next link, else ""."""
        mine = self.ledger.state.seats[self.seat]
        if not mine.brings_tip(self.ledger.contract.invite.chain):
            return ""
        return self._chain(mine.chain + 1).tip.hex()

    # --- seals

    def seal(self, place: str, plaintext: str) -> Seal:
        """A commitment to a text at one place, with a box for oneself."""
        raw = plaintext.encode()
        nonce = sealing.nonce(self.secret, self.game, place, plaintext)
        commit = sealing.commitment(self.game, self.seat, place, raw, nonce)
        box = sealing.box_for_self(self.secret, self.game, self.seat, place, raw)
        return Seal(commit.hex(), pack_box(box))

    def _unbox(self, place: str, lines: Sequence[str]) -> tuple[str, bytes]:
        """What an own box holds, and the secret that opened it."""
        problem: VerificationError | None = None
        for secret in self._secrets:
            try:
                raw = sealing.open_own_box(secret, self.game, self.seat, place, unpack_box(lines))
                return raw.decode(), secret
            except VerificationError as error:
                problem = error
        assert problem is not None
        raise problem

    # --- what this seat knows

    def value(self, handle: Handle) -> str | None:
        """What a closed slot hides, if this seat can tell."""
        try:
            found = self._content(handle)
        except VerificationError:
            return None  # a box that does not open: `bad_deliveries` names it
        return found[0] if found else None

    def _content(self, handle: Handle) -> tuple[str, bytes] | None:
        """Value and nonce of a closed slot."""
        state, slot = self.ledger.state, self.ledger.position.hidden[handle]
        if not slot.owner:
            value = deck_duties.card(state, self.seat, self._deck_secret, handle)
            return None if value is None else (value, b"")
        boxed = state.boxes.get(handle)
        if slot.owner == self.seat:
            return self.own_content(handle)
        if boxed is None or boxed.reader != self.seat:
            return None
        context, box = delivery_context(self.game, handle), unpack_box(boxed.box)
        problem: VerificationError | None = None
        for seed in (self.box_secret, *(box for _, box in reversed(self.former) if box)):
            try:
                return read_content(sealing.unseal(box_private(seed), context, box))
            except VerificationError as error:
                problem = error
        assert problem is not None
        raise problem

    def own_content(self, handle: Handle) -> tuple[str, bytes] | None:
        """Value and nonce of a slot that this seat itself closed."""
        boxes = self.ledger.state.boxes
        card = read_card(handle)
        front = stock_of(handle)
        if handle in boxes and boxes[handle].reader == self.seat and not boxes[handle].giver:
            value, secret = self._unbox(slot_place(handle), boxes[handle].box)
        elif card is not None and front in boxes:
            text, secret = self._unbox(f"deck {front}", boxes[front].box)
            value = text.split("\n")[card.place]
        else:
            return None
        return value, sealing.nonce(secret, self.game, slot_place(handle), value)

    def view(self, options: Options | None = None) -> View:
        """Everything this seat may see now, beyond the public position.

        A name stands for the first card that has it, so the order is one that only this seat knows:
        which of several slots is played by name says nothing about the others.
        """
        pos = self.ledger.position
        known = {}
        order = {h: keyed(self.secret, "order", self.game, h) for h in visible(pos, self.seat, options)}
        for handle in sorted(order, key=lambda h: order[h]):
            value = self.value(handle)
            if value is not None:
                known[handle] = value
        return View(self.seat, known)

    def opening(self, handle: Handle) -> Opening:
        """The opening of a slot, for all to see."""
        slot = self.ledger.position.hidden[handle]
        if not slot.owner:
            return deck_duties.opening(self.ledger.state, self.seat, self._deck_secret, handle)
        value, nonce = self._fitting(handle)
        return Opening(handle, value, nonce.hex())

    def _fitting(self, handle: Handle) -> tuple[str, bytes]:
        """Value and nonce of a slot, if they are what its owner committed to."""
        try:
            found = self._content(handle)
        except VerificationError:
            found = None
        if found is None or not fits(self.game, handle, self.ledger.position.hidden[handle], content(*found)):
            raise UsageError(
                f"{self.seat} cannot open {handle}: it was not handed over as it should",
                "a complaint shows who is to blame",
            )
        return found
