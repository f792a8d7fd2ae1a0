"""Special abilities as data: when, if, price, what is done. The same few records for all 148 people.

Invariants: an `Ability` that exists is well formed (ability_text.py reads it), and nothing here knows a
position. The words are those of the rulebook's own effects: see `pbem tables suikoden verbs`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from games.suikoden.terms import Attribute, Keyword, Stat


class When(enum.Enum):
    """At which moment an ability works."""

    ALWAYS = "always"
    START = "start"
    END = "end"
    ENTERED = "entered"
    DOMESTIC = "domestic"
    HAND_DOMESTIC = "hand-domestic"
    DECLARE = "declare"
    MUSTERED = "mustered"
    SORTIED = "mustered-attack"
    FIGHTS = "fights"
    INTERCEPTS = "intercepts"
    CLASH = "clash"
    HAND_CLASH = "hand-clash"
    SHOT = "shot"
    WON = "won"
    LOST = "lost"
    RETREATS = "retreats"


class Until(enum.Enum):
    """How long an effect lasts."""

    CLASH = "clash"
    BATTLE = "battle"
    TURN = "turn"
    NEXT = "next"
    """Until the next start phase of whoever used it."""
    LIVE = ""
    """As long as its condition holds (`always`)."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which people are meant; all parts must fit."""

    names: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    keyword: Keyword | None = None
    cost: int | None = None
    """At most so many symbols."""
    others: bool = False
    """Not the source itself."""


@dataclass(frozen=True, slots=True)
class Selector:
    """side.zone[filter]#count"""

    side: str
    zone: str
    filter: Filter = Filter()
    count: int = 1
    """How many at most; 0 means all."""
    exact: bool = True


SELF = Selector("self", "field")
MINE = Selector("mine", "fight")
OPPOSING = Selector("opp", "fight")


@dataclass(frozen=True, slots=True)
class Price:
    """One part of a price: all parts or nothing (Q25)."""

    kind: str
    """act, wander, hand, deck, discard-self, exile-self, trophy."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Condition:
    """What must be true."""

    kind: str
    """field, opp-has, opp-is, role, land, hand."""
    side: str = ""
    filter: Filter = Filter()
    word: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that is done."""

    verb: str
    selector: Selector | None = None
    player: str = ""
    """me, foe, both."""
    stats: tuple[tuple[Stat, int], ...] = ()
    keyword: Keyword | None = None
    number: int = 0
    word: str = ""
    until: Until = Until.LIVE


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of a card."""

    when: When
    do: tuple[Effect, ...]
    condition: Condition | None = None
    price: tuple[Price, ...] = ()
    back: Price | None = None
    """Paid afterwards to take a hand card back (D24)."""
    limit: Until | None = None
    """Once per clash, battle or turn."""
    text: str = ""
    """As written in the pack."""

    def costs(self, kind: str) -> int:
        """How much of one kind the price asks for."""
        return sum(part.count for part in self.price if part.kind == kind)
