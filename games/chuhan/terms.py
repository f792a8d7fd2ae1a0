"""The words of the rulebook as types: camps, kinds of unit, and what is printed on map, counters and cards.

Invariants: every object is frozen and knows nothing of the position; ids are plain strings, so that
`"chu"` is at once a seat, a force and (as `Camp.CHU`) a camp. Words of the book and ours:
force = 勢力, camp = 陣營, general = 將官, ruler = 君主, retainer = 麾下武將, lord = 獨立諸侯,
royal = 王族, legion = 軍團, un-acted = 未行動, acted = 行動結束.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

AreaId = str
ForceId = str
GeneralId = str
CardId = str

CUP = "cup"
ASIDE = "aside"
GONE = "gone"
"""Where a general is who died, was captured or removed: out of the game."""
EITHER = "either"
"""The force of a retainer who may come to serve either side (4, 9-7)."""
ROYAL = "royal"
"""The stock of legions that all royals share (4-5), and the autumn result that names them (10-1)."""


def stack_key(area: AreaId, force: ForceId) -> str:
    """The key of a force's legions in an area: `linzi_chu`. No id has an underscore."""
    return f"{area}_{force}"


def force_of(key: str) -> ForceId:
    """Whose legions a stack holds."""
    return key.partition("_")[2]


class Camp(StrEnum):
    """2-1, 4: the two players' camps and the neutral one; the first two are also the players."""

    CHU = "chu"
    HAN = "han"
    NEUTRAL = "neutral"

    @property
    def opponent(self) -> Camp:
        """The other player's camp; the neutral camp has no opponent and is its own."""
        return {Camp.CHU: Camp.HAN, Camp.HAN: Camp.CHU}.get(self, self)


PLAYERS = (Camp.CHU, Camp.HAN)


class Kind(StrEnum):
    """1-2: the four kinds of general."""

    RULER = "ruler"
    RETAINER = "retainer"
    LORD = "lord"
    ROYAL = "royal"


class Attribute(StrEnum):
    """9-2 to 9-6: the special attributes of 1-2-1."""

    LOGISTICS = "logistics"
    VALIANT = "valiant"
    TACTICIAN = "tactician"
    GUARD = "guard"
    RAIDER = "raider"


class Fate(StrEnum):
    """7-3-2, 7-3-4: what a death check says."""

    DIES = "dies"
    FLEES = "flees"
    STANDS = "stands"


class Source(StrEnum):
    """Where a name comes from: the book, a play report, this reconstruction, or an owner's printed copy."""

    RULEBOOK = "rulebook"
    REPORT = "report"
    ADDED = "added"
    PRINTED = "printed"


class EventSide(StrEnum):
    """1-4-1: who may use a card's event."""

    BOTH = "both"
    CHU = "chu"
    HAN = "han"


@dataclass(frozen=True, slots=True)
class Area:
    """1-1-1: one of the areas of the map."""

    id: AreaId
    name: str
    english: str
    supply: int
    """Cards a turn for whoever controls it; 0 = no supply area."""
    at: tuple[int, int]
    """Where to draw it, west to east and north to south."""
    capital: Camp | None = None
    heartland: Camp | None = None
    """Whose levies may be raised here (12-sons-of-jiangdong, 12-elders-of-guanzhong)."""
    alias: tuple[str, ...] = ()
    source: Source = Source.PRINTED


@dataclass(frozen=True, slots=True)
class General:
    """1-2-1: a general's counter. The force of one who serves `EITHER` side is decided in play (9-7)."""

    id: GeneralId
    name: str
    english: str
    force: ForceId
    kind: Kind
    military: int
    start: str
    """The area where he begins, `CUP` or `ASIDE`."""
    strategy: int | None = None
    attributes: tuple[Attribute, ...] = ()
    retainer: GeneralId | None = None
    """For a lord who was a retainer first: that other counter of the same man (2-4)."""
    source: Source = Source.PRINTED


@dataclass(frozen=True, slots=True)
class ForceRow:
    """A line of `force` in units.toml: a player's force, or a lord's with his track and home."""

    id: ForceId
    name: str
    english: str
    legions: int
    lowest: int | None = None
    highest: int | None = None
    home: AreaId | None = None


@dataclass(frozen=True, slots=True)
class Force:
    """4: a force: a player's, a lord's or a royal's."""

    id: ForceId
    name: str
    english: str
    kind: Kind
    """RULER for the two players' forces, LORD, or ROYAL."""
    stock: str
    """Where its legions come from and go back to: its own id, or `ROYAL` (1-2-2-1, 4-5)."""
    general: GeneralId | None = None
    """The lord or royal himself; a player's force has none that it depends on but its ruler (8-1)."""
    lowest: int = 0
    highest: int = 0
    home: AreaId | None = None
    """A lord's refuge (7-3-4)."""


@dataclass(frozen=True, slots=True)
class Card:
    """1-4: one event; `copies` cards of the deck bear it."""

    id: CardId
    name: str
    english: str
    copies: int
    needs: str
    """1-4-1: a number, or `1+`."""
    side: EventSide
    text: str
    source: Source = Source.PRINTED

    @property
    def needs_lead(self) -> bool:
        """Whether it needs a higher strategy than the opponent's (1+) instead of a number."""
        return self.needs == "1+"


@dataclass(frozen=True, slots=True)
class LegionsAtStart:
    """2-2: legions of one force in one area."""

    area: AreaId
    force: ForceId
    count: int


@dataclass(frozen=True, slots=True)
class Track:
    """4-4, 10-3: the boxes at which a lord belongs to a player's camp."""

    chu: int
    han: int


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables printed on the map; each die table is indexed by die - 1."""

    turns: int
    sudden_death: int
    autumn: tuple[ForceId, ...]
    spring: tuple[int, ...]
    friendship: tuple[tuple[ForceId, Camp], ...]
    track: Track
    death: Mapping[str, tuple[Fate, ...]]
    """By kind of general."""
