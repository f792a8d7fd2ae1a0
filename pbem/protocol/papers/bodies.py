"""What an entry may say: one closed schema per kind.

Hashes, links and nonces are lower-case hex; boxes and shares are base64 cut into lines. A field at
its default is not written, so one body has one form. `shapes` checks what types alone cannot say.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.codec import Record
from pbem.engine.notation import Handle
from pbem.protocol.papers.pieces import Dealt


@dataclass(frozen=True, slots=True)
class Opening(Record):
    """A closed slot and the proof of what is in it."""

    slot: Handle
    value: str
    nonce: str = ""
    """Opens the commitment of a sealed slot or of a card of the seat's own deck."""
    share: tuple[str, ...] = ()
    """For a card of a shared deck: the seat's share and its proof."""


@dataclass(frozen=True, slots=True)
class Seal(Record):
    """A commitment, and the plaintext for its author's own eyes (so that the key is the only backup)."""

    commit: str
    box: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Orders(Record):
    """A decision in the open: what is carried out now, and sealed parts that follow."""

    link: str
    orders: str
    opens: tuple[Opening, ...] = ()
    """The cards that the open part shows; those of sealed parts come with their opening."""
    tail: tuple[Seal, ...] = ()
    tip: str = ""
    """The tip of the author's next chain, with the last link used of the present one."""


@dataclass(frozen=True, slots=True)
class SealedChoice(Record):
    """A secret decision: one seal per slot."""

    link: str
    seals: tuple[Seal, ...]
    tip: str = ""


@dataclass(frozen=True, slots=True)
class TailOpening(Record):
    """The next sealed part of an order list, as it was signed, and the cards it shows."""

    text: str
    nonce: str
    opens: tuple[Opening, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivery(Record):
    """A hidden card for one other seat's eyes, in a sealed box."""

    slot: Handle
    box: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Given(Record):
    """A piece of a vanished seat's secret, or proof that the box dealt for it holds none."""

    of: str
    """The commitment to that secret."""
    piece: str = ""
    shown: tuple[str, ...] = ()
    """What the box's point gives with the holder's key, and the proof of it."""


@dataclass(frozen=True, slots=True)
class Answers(Record):
    """What a machine owes and gives without a decision; exactly what the round asks of the seat."""

    link: str = ""
    tip: str = ""
    opens: tuple[Opening, ...] = ()
    tail: TailOpening | None = None
    commits: tuple[str, ...] = ()
    """A shuffle of the own deck: one commitment per slot, in slot order."""
    box: tuple[str, ...] = ()
    """The same shuffle for the author's own eyes."""
    deliver: tuple[Delivery, ...] = ()
    deck: tuple[str, ...] = ()
    """A message of a shared deck: a shuffle, shares, a carried card."""
    standing: tuple[Opening, ...] = ()
    """A sealed standing order that covers the question, opened; empty: it does not cover it."""
    gone: tuple[str, ...] = ()
    """The seats that forfeit on time: nothing of them has arrived here either."""
    pieces: tuple[Given, ...] = ()
    """The pieces of their secrets that this seat holds."""


@dataclass(frozen=True, slots=True)
class Standing(Record):
    """A standing order for one kind of decision: preferred answers, or a seal of them."""

    decision: str
    lines: tuple[str, ...] = ()
    seal: Seal | None = None


@dataclass(frozen=True, slots=True)
class Revoke(Record):
    """The standing order for this kind of decision ends."""

    decision: str


@dataclass(frozen=True, slots=True)
class Resign(Record):
    """The seat gives up. With three or more seats its secrets go with it, so that the others can go on."""

    secret: str = ""
    box: str = ""
    """The seed of its X25519 key: cards handed to it can then be opened too."""
    former: tuple[str, ...] = ()
    """Secrets from before a replacement of its keys, oldest first."""


@dataclass(frozen=True, slots=True)
class Draw(Record):
    """Offer or acceptance of a draw: it holds until somebody decides."""


@dataclass(frozen=True, slots=True)
class TakeBack(Record):
    """Offer or acceptance to go back to the position after entry `to`."""

    to: int


@dataclass(frozen=True, slots=True)
class Note(Record):
    """Only takes in what has been `seen`; the round begins anew."""


@dataclass(frozen=True, slots=True)
class Say(Record):
    """A word to the others: signed, shown, never interpreted. It opens no round and answers none."""

    text: str


@dataclass(frozen=True, slots=True)
class Forfeit(Record):
    """The clock and its grace have run out for these seats; `claimed` is the time of the claim before it.

    `seen` names what others gave to the waiting round, so that everybody logs the same.
    """

    seats: tuple[str, ...]
    claimed: str
    question: str
    """As in the claim."""


@dataclass(frozen=True, slots=True)
class ClaimTime(Record):
    """Notice that the clock of these seats has run out; a forfeit may follow after the grace."""

    seats: tuple[str, ...]
    question: str
    """The question they have not answered: the entry with which it was asked."""


@dataclass(frozen=True, slots=True)
class Absence(Record):
    """The seat is away from when this was sent until then: its clock stands still.

    It replaces what the seat announced before; a time that is not after `sent` ends that.
    """

    until: str


@dataclass(frozen=True, slots=True)
class Rekey(Record):
    """Consent that a seat goes on with new keys: the paper, which the seat itself has signed."""

    paper: str
    piece: Dealt | None = None
    """With three or more seats: the piece of the author's secret, sealed to the new keys."""


@dataclass(frozen=True, slots=True)
class Complaint(Record):
    """A delivered box that does not hold what it must: its key, for all to see."""

    slot: Handle
    key: str


@dataclass(frozen=True, slots=True)
class Settle(Record):
    """Consent to go on after a verdict against `culprit`: the entry `void` does not count.

    Of two halves of a double the other one, `counts`, does. All seats but the culprit must agree.
    """

    culprit: str
    void: str
    counts: str = ""


@dataclass(frozen=True, slots=True)
class Audit(Record):
    """The seat's secret, when the game is over."""

    secret: str
    former: tuple[str, ...] = ()
    """Secrets from before a replacement of its keys, oldest first; a lost one cannot be published."""


Body = (
    Orders
    | SealedChoice
    | Answers
    | Standing
    | Revoke
    | Resign
    | Draw
    | TakeBack
    | Note
    | Say
    | ClaimTime
    | Forfeit
    | Absence
    | Rekey
    | Complaint
    | Settle
    | Audit
)

KINDS: dict[str, type[Record]] = {
    "orders": Orders,
    "sealed": SealedChoice,
    "answers": Answers,
    "standing": Standing,
    "revoke": Revoke,
    "resign": Resign,
    "draw": Draw,
    "take-back": TakeBack,
    "note": Note,
    "say": Say,
    "claim": ClaimTime,
    "forfeit": Forfeit,
    "absence": Absence,
    "rekey": Rekey,
    "complaint": Complaint,
    "settle": Settle,
    "audit": Audit,
}
"""The kinds of entry and their bodies."""

ANSWERING = frozenset({"answers", "audit"})
"""Kinds that the answering key signs, in the lane `answer`. All others are decisions of a person."""

IN_TURN = frozenset({"orders", "sealed"})
"""Kinds that only count when the seat is asked."""
