"""A kit: what lies on the table. A player writes it as one small TOML file; `reading` reads it.

Everything here is frozen and printed, like the contents of a box. Ids are the words that orders use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

EACH = "each"
"""The owner of a deck of which every seat has one of its own."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice of one kind that are thrown together."""

    count: int
    sides: int
    plus: int = 0
    least: int | None = None
    """A pool: so many dice show this number or more. None: the dice are added up."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a chart: the totals it is for, and its results, one for each column."""

    low: int
    high: int
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A table to roll on."""

    id: str
    title: str
    roll: Throw
    columns: tuple[str, ...]
    """Empty: it has one column without a name."""
    rows: tuple[Row, ...]

    def result(self, total: int, column: str) -> str:
        """What a total gives; beyond the last row it counts as the last, before the first as the first."""
        total = max(self.rows[0].low, min(self.rows[-1].high, total))
        row = next(row for row in self.rows if row.low <= total <= row.high)
        return row.results[self.columns.index(column) if self.columns else 0]


@dataclass(frozen=True, slots=True)
class Cup:
    """Chits that are drawn in the open."""

    id: str
    title: str
    chits: tuple[str, ...]
    """One text for each chit that is in it at the start."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Face-down cards: one deck for all, of one seat, or of each seat one."""

    id: str
    title: str
    cards: tuple[str, ...]
    """One text for each card, copies included."""
    text: Mapping[str, str]
    """What is printed on a card, where the kit says it."""
    owner: str = ""
    """The seat whose deck it is; "each": every seat has one; "" if all share it."""
    hand: int = 0
    """So many cards are dealt to whoever may hold them before the game begins."""
    limit: int = 0
    """No more cards of this deck may be in one hand; 0: as many as one likes."""
    played: Literal["front", "discard"] = "front"
    """Where a played card goes."""
    discards: Literal["open", "closed"] = "open"
    """Whether discarded cards lie face up."""
    reshuffle: Literal["empty", "order", "never"] = "empty"
    """When the discards become the deck again: by themselves when it is empty, by order, never."""
    renews: tuple[str, ...] = ()
    """Cards that have the discards shuffled in at once when they are played or discarded."""


@dataclass(frozen=True, slots=True)
class Track:
    """A number that everybody sees: a row of boxes, or a counter."""

    id: str
    title: str
    low: int
    high: int
    start: int
    boxes: tuple[str, ...] = ()
    """What stands in the boxes, from `low` on; empty: the numbers."""
    each: bool = False
    """Every seat has one."""
    scores: bool = False
    """It is the score."""
    drawn: bool = True
    """Shown as a row of boxes; else as a number."""

    def shown(self, value: int) -> str:
        """A value as players call it."""
        return self.boxes[value - self.low] if self.boxes else str(value)


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a turn."""

    id: str
    title: str
    reminder: str = ""
    word: str = ""
    """The seat that has the word when it begins; "": whoever has it keeps it."""
    seals: str = ""
    """What everybody writes in secret when it begins; "": nothing."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a seat is in the game."""

    title: str
    note: str = ""


@dataclass(frozen=True)
class Kit:
    """All of it."""

    id: str
    title: str
    note: str
    seats: tuple[str, ...]
    least: int
    """The fewest seats that it can be played with."""
    free: bool
    """Whoever has the word gives it to whom it likes; else it goes round in the order of the seats."""
    reactions: tuple[str, ...]
    """Orders after which everybody else is asked for a reaction."""
    roles: Mapping[str, Role]
    dice: Mapping[str, tuple[str, ...]]
    """Dice with words on their faces."""
    charts: Mapping[str, Chart]
    cups: Mapping[str, Cup]
    decks: Mapping[str, Deck]
    tracks: Mapping[str, Track]
    phases: tuple[Phase, ...]

    @cached_property
    def deck_of_card(self) -> Mapping[str, Deck]:
        """Which deck a card belongs to."""
        return {card: deck for deck in self.decks.values() for card in deck.cards}

    def decks_for(self, seats: tuple[str, ...]) -> dict[str, Deck]:
        """The decks on the table by the names that orders use, when these seats play."""
        found: dict[str, Deck] = {}
        for deck in self.decks.values():
            names = [f"{deck.id}-{seat}" for seat in seats] if deck.owner == EACH else [deck.id]
            found.update(dict.fromkeys(names, deck))
        return found

    def tracks_for(self, seats: tuple[str, ...]) -> dict[str, Track]:
        """The tracks and counters likewise."""
        found: dict[str, Track] = {}
        for track in self.tracks.values():
            names = [f"{track.id}-{seat}" for seat in seats] if track.each else [track.id]
            found.update(dict.fromkeys(names, track))
        return found

    def owner(self, name: str) -> str:
        """Whose deck one on the table is; "" if all share it."""
        deck = self.decks.get(name)
        if deck is not None:
            return deck.owner
        return next(
            seat for seat in self.seats if name.endswith(f"-{seat}") and name[: -len(seat) - 1] in self.decks
        )


@dataclass(frozen=True, slots=True)
class Made:
    """Where a kit comes from, as its author says it."""

    source: str
    kind: Literal["kit"] = "kit"


@dataclass(frozen=True)
class KitPack:
    """The kits that can be played: those that ship with pbem, or one of a player's own."""

    kits: Mapping[str, Kit]
    digest: str
    raw: bytes = b""
    """The file of a kit that is the only one."""
    provenance: Mapping[str, Made] = field(default_factory=lambda: MappingProxyType({}))
