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
    """A piece of the secret of a seat that is out, or proof that the box dealt for it holds none."""

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
    pieces: tuple[Given, ...] = ()
    """The pieces that this seat holds of the secrets of seats that are out."""


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
    """The seat gives up, in the place of whatever it is asked.

    With three or more seats its secrets go with it, so that the others can go on at once.
    """

    secret: str = ""
    box: str = ""
    """The seed of its X25519 key: cards handed to it can then be opened too."""
    former: tuple[str, ...] = ()
    """Secrets from before a replacement of its keys, oldest first."""


@dataclass(frozen=True, slots=True)
class Draw(Record):
    """An offer: the game ends in a draw here."""


@dataclass(frozen=True, slots=True)
class TakeBack(Record):
    """An offer: the game goes on from the position after entry `to`."""

    to: int


@dataclass(frozen=True, slots=True)
class Rekey(Record):
    """An offer: a seat goes on with new keys. Its own offer is signed with its key or its spare key."""

    paper: str
    """The new keys (`key_papers.NewKeys`): the same text in the offer of every seat."""
    piece: Dealt | None = None
    """With three or more seats: the piece of the author's secret, sealed to the new keys."""


@dataclass(frozen=True, slots=True)
class Terms(Record):
    """An offer: from here on other clocks, in hours, or another version of the rules. 0 and "": as before."""

    version: str = ""
    move: int = 0
    grace: int = 0
    audit: int = 0
    absence: int = 0


@dataclass(frozen=True, slots=True)
class Note(Record):
    """The agreement that is listed under `seen` counts here: every seat has offered it at this tip."""


@dataclass(frozen=True, slots=True)
class Say(Record):
    """A word to the others: signed, shown, never interpreted."""

    text: str


@dataclass(frozen=True, slots=True)
class Absence(Record):
    """The seat is away until then: the others' clocks give it that time. It replaces an earlier one."""

    until: str


@dataclass(frozen=True, slots=True)
class Late(Record):
    """A call: by this machine's own clock these seats have not answered in time, at this tip."""

    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ask(Record):
    """A restored home asks the others what they have of its seat, before it decides anything."""

    nonce: str


@dataclass(frozen=True, slots=True)
class Have(Record):
    """The answer: with this entry came everything that its author has of the seat that asked."""

    asked: str
    """The id of the question."""


@dataclass(frozen=True, slots=True)
class Complaint(Record):
    """A delivered box that does not hold what it must: its key, for all to see."""

    slot: Handle
    key: str


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
    | Resign
    | Complaint
    | Note
    | Audit
    | Standing
    | Revoke
    | Absence
    | Say
    | Draw
    | TakeBack
    | Rekey
    | Terms
    | Ask
    | Have
    | Late
)

KINDS: dict[str, type[Record]] = {
    "orders": Orders,
    "sealed": SealedChoice,
    "answers": Answers,
    "resign": Resign,
    "complaint": Complaint,
    "note": Note,
    "audit": Audit,
    "standing": Standing,
    "revoke": Revoke,
    "absence": Absence,
    "say": Say,
    "draw": Draw,
    "take-back": TakeBack,
    "rekey": Rekey,
    "terms": Terms,
    "ask": Ask,
    "have": Have,
    "late": Late,
}
"""The kinds of entry and their bodies."""

ANSWERING = frozenset({"answers", "audit", "have"})
"""Kinds that the answering key signs, in the lane `answer`. All others are decisions of a person."""

IN_TURN = frozenset({"orders", "sealed", "answers", "resign", "complaint", "note", "audit"})
"""Kinds that count only as the answer to what a seat is asked at a tip."""

DECISIONS = frozenset({"orders", "sealed"})
"""Kinds with which a person answers a question of the rules."""

OFFERS = frozenset({"draw", "take-back", "rekey", "terms"})
"""Kinds that count together: the same offer of every seat at one tip is an agreement."""

ASIDE = frozenset({"standing", "revoke", "absence", "say", "ask"}) | OFFERS
"""Kinds out of turn: they count when a decision takes them in."""

TAKES_IN = frozenset({"orders", "sealed", "resign", "note"})
"""Kinds that may take in what others, and their author, have signed out of turn."""
