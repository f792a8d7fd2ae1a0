"""What is printed on the counters and the map of sanada, as frozen records and enums.

Invariants: a place is a hex number for the open field of a hex, or hex number and "/in" for the inside of
its castle: a garrison is not in the hex (17.3.2). Sides are the seats' names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from games.kit.hexes import HexId

OSAKA, KANTO = "osaka", "kanto"
SIDES = (OSAKA, KANTO)
ENEMY = {OSAKA: KANTO, KANTO: OSAKA}
INSIDE = "/in"
"""Ends the name of the place inside a castle."""

IEYASU, HIDETADA, HIDEYORI = "ieyasu", "hidetada", "hideyori"
"""The units that 24.3, 25, 26.2.1 and 27.2 name."""
OSAKA_CASTLE = "osaka"
KYOTO, SAKAI = "2419", "1626"
"""The towns of 26.2.1."""
PROVINCES = ("omi", "mino", "owari")
REGIONS = ("north", "east", "west")
"""Where reinforcements enter (23.1.1)."""
AREAS = (*PROVINCES, *REGIONS)


class Rank(StrEnum):
    """2.2.2: what kind of unit a counter is, the highest first (four kinds, 2.2.2-a)."""

    SODAISHO = "sodaisho"
    """総大将."""
    TAISHO = "taisho"
    """大将."""
    BUSHO = "busho"
    """武将."""
    GUNZEI = "gunzei"
    """軍勢."""


HEIGHT = {Rank.SODAISHO: 3, Rank.TAISHO: 2, Rank.BUSHO: 1, Rank.GUNZEI: 0}
"""Ranks in order (18.2)."""


class Colour(StrEnum):
    """2.2.3: the camp of a unit."""

    BLUE = "blue"
    """Osaka, 譜代."""
    GREEN = "green"
    """Osaka, 牢人."""
    RED = "red"
    """Kanto, 譜代."""
    ORANGE = "orange"
    """Kanto, 外様."""


CAMPS = {Colour.BLUE: OSAKA, Colour.GREEN: OSAKA, Colour.RED: KANTO, Colour.ORANGE: KANTO}


class Ground(StrEnum):
    """Terrain of a hex (2.1.2, 14.1)."""

    FLAT = "flat"
    ROUGH = "rough"
    MARSH = "marsh"
    MOUNTAIN = "mountain"
    SEA = "sea"
    LAKE = "lake"


LEGEND = {
    ".": Ground.FLAT,
    "h": Ground.ROUGH,
    "m": Ground.MARSH,
    "^": Ground.MOUNTAIN,
    "~": Ground.SEA,
    "o": Ground.LAKE,
}
CLOSED = (Ground.MOUNTAIN, Ground.SEA, Ground.LAKE)
"""14.1.4: nobody enters."""
RIVER, SEA_SIDE = "river", "sea"
HEXSIDES = (RIVER, SEA_SIDE)


@dataclass(frozen=True, slots=True)
class Unit:
    """2.2.4: one army unit as printed; both faces carry the same values (2.2.1)."""

    id: str
    name: str
    gloss: str
    rank: Rank
    colour: Colour
    side: str
    """Whose colour it has; in scenario 4 one unit may serve the other side."""
    combat: int
    """戦闘力, the Combat Rating."""
    action: int
    """行動力, the Action Points."""
    clan: str
    """The rectangular banner it shares with others; "" for a square one (2.2.4(5))."""
    track: int
    """Boxes of its command track (7.3.3); 0 if it has none."""
    known: str
    """Where its values are stated, if they are."""


@dataclass(frozen=True, slots=True)
class Stronghold:
    """5: a castle as printed on the map."""

    id: str
    name: str
    hex: HexId
    owner: str
    strength: int
    durability: int
    lord: str
    """25.2.2: the unit whose return home makes it unusable."""
    known: str


@dataclass(frozen=True, slots=True)
class Placing:
    """One Force of a line-up: the leader first; a hex, or a region in which any hex will do."""

    units: tuple[str, ...]
    hex: HexId
    region: str
    inside: bool


@dataclass(frozen=True, slots=True)
class Arrival:
    """23.1.1: units that enter in a turn, or later (23.2.2), in a region."""

    turn: int
    region: str
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """27.1: the result from so many points of Osaka on; no least for the lowest."""

    level: str
    winner: str
    least: int | None


@dataclass(frozen=True, slots=True)
class Scenario:
    """How a game begins, how long it lasts, and who wins it."""

    id: str
    title: str
    rule: str
    first: str
    """The date of the first turn, month/day."""
    turns: int
    muster: int
    """24.1.1: so many units begin at Osaka Castle."""
    osaka: tuple[str, ...]
    """The pool of the Osaka player."""
    usual: tuple[tuple[str, ...], ...]
    """A lawful first choice from it, by Forces."""
    kanto: tuple[Placing, ...]
    arrivals: tuple[Arrival, ...]
    bands: tuple[Band, ...]
    frozen: tuple[HexId, ...]
    """Units that begin there cannot move …"""
    thaw_turn: int
    """… before this turn (S1-5), if it is not 0;"""
    thaw_near: int
    """… before an Osaka Force has come so near (S2-5), if it is not 0."""
    castles: Mapping[str, tuple[int, int]]
    """Castles with other values than printed (S2-5)."""
    defector: str
    """S4-5: the Kanto unit that may join Osaka; "" if none."""
    defects_on: int
    never_decisive: str
    """The side whose sudden victory has no grade (S2-4); "" if none."""


def date(first: str, turn: int) -> str:
    """The date of a turn: three days each, thirty days a month (S1-1)."""
    month, day = (int(part) for part in first.split("/"))
    days = (month - 1) * 30 + day - 1 + 3 * (turn - 1)
    return f"{days // 30 + 1}/{days % 30 + 1}"


def hex_of(place: str) -> HexId:
    """The hex of a place, inside or out."""
    return place[:4]


def is_inside(place: str) -> bool:
    """Whether a place is the inside of a castle."""
    return place.endswith(INSIDE)
