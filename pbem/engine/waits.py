"""What a settled position waits for, and the answers that fit.

One answer completes one wait. Decisions come from a person; all the rest is chance and secrets,
settled by the protocol between machines (or by a croupier in cases, fuzz and arena).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.engine.notation import Handle, Move
from pbem.engine.options import Options


@dataclass(frozen=True, slots=True)
class Ask:
    """One seat decides, in the open."""

    rule: str
    options: Options


@dataclass(frozen=True, slots=True)
class AskSealed:
    """Several seats decide, each without knowing the others' answers."""

    rule: str
    options: tuple[Options, ...]
    fills: bool
    """True: each answer makes slots that stay closed until drawn. False: all are opened together next."""


class Fall(enum.Enum):
    """What chance decides."""

    DICE = "dice"
    DRAW = "draw"
    DEAL = "deal"


@dataclass(frozen=True, slots=True)
class Chance:
    """A joint random number below each bound."""

    rule: str
    bounds: tuple[int, ...]
    what: str
    fall: Fall = Fall.DICE


@dataclass(frozen=True, slots=True)
class Open:
    """Slots to be opened for all, by their owners (or by every seat, for a shared deck)."""

    rule: str
    handles: tuple[Handle, ...]
    moves: bool = False
    """True if what is in them are sealed moves, written as orders."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A deck to be shuffled: the owner commits to slots, or every seat masks in turn."""

    rule: str
    deck: str
    owner: str
    epoch: int
    cards: tuple[str, ...]
    returned: tuple[Handle, ...] = ()


@dataclass(frozen=True, slots=True)
class Deliver:
    """Cards to be made visible to one seat: by the other seats' shares, or by the giver."""

    rule: str
    handles: tuple[Handle, ...]
    giver: str
    """The seat that hands over; "" when a shared deck deals."""
    taker: str


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended."""


Wait = Ask | AskSealed | Chance | Open | Shuffle | Deliver | Over


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's move, with the openings of the hidden cards that it shows."""

    seat: str
    move: Move
    shown: Mapping[Handle, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sealed:
    """The commitments of every seat asked, one per slot."""

    commitments: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Rolled:
    """A number below each bound, from zero."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """What was in the slots."""

    values: Mapping[Handle, str]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The deck is ready; its owner's commitments, one per card (none for a shared deck)."""

    commitments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivered:
    """The taker can see the cards."""


Answer = Decision | Sealed | Rolled | Opened | Shuffled | Delivered
