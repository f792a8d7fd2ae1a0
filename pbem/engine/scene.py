"""`Scene`: what is on the table, without pixels. A game says what there is; one renderer draws it.

`Rules.scene(position, view)` makes it, and only what the view knows goes in. Ids are the words that
orders use. The `Board` is what is printed: one object for a pack and a scenario, so that it is drawn once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Words = tuple[str, ...]
"""Words of an order that are chosen together."""


@dataclass(frozen=True, slots=True)
class Place:
    """A hex or an area."""

    id: str
    at: tuple[float, float]
    """Hex: column and row as printed, lowered columns half a row down. Node: any plane, x to the right."""
    shape: Literal["hex", "node"] = "hex"
    ground: str = ""
    """Clear, woods, marsh, town, hill, mountain, sea, lake, castle, bailey …"""
    name: str = ""
    gloss: str = ""
    """The name in Latin letters, if `name` is not."""
    number: str = ""
    badges: tuple[tuple[str, str], ...] = ()
    """(kind, text): supply 3, capital, entry A …"""
    sign: Literal["", "castle", "town", "port", "summit", "fort"] = ""
    """What stands there, drawn beside its name."""
    owner: str = ""
    """Whose it is, until a mark of control says otherwise."""
    rank: int = 0
    """0 to 3: whose name gives way where there is no room; 3 never does if it can be helped."""
    height: float | None = None
    """How high it lies, in steps of a slope; None: as its ground and the slopes around it say."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What lies on the side between two neighbouring hexes."""

    a: str
    b: str
    kind: str
    """River, stream, lake, wall, inner, gate, bridge, ford, slope, fieldwork, hedge."""
    toward: str = ""
    """The lower or the sheltered hex, where the two sides differ."""
    flow: bool = False
    """A river's mouth: its end lies at this side, and it widens toward it."""


@dataclass(frozen=True, slots=True)
class Link:
    """A road, way or sea lane between two places."""

    a: str
    b: str
    kind: str = "road"


@dataclass(frozen=True, slots=True)
class Region:
    """Places that belong together: a province, a camp."""

    id: str
    name: str
    places: tuple[str, ...]
    gloss: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the country, drawn by hand in the plane of the places: decoration without a rule."""

    kind: Literal["coast", "river", "ridge", "road"]
    points: tuple[tuple[float, float], ...]
    width: float = 1.0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Area:
    """A stretch of the country, drawn by hand in the plane of the places: decoration without a rule."""

    kind: Literal["sea", "mountain", "lowland"]
    points: tuple[tuple[float, float], ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class MapName:
    """The name of a sea, a lake, a range: written on the map, along its course."""

    text: str
    gloss: str
    at: tuple[float, float]
    """In the plane of the places."""
    turn: float = 0.0
    """Degrees, clockwise."""
    size: float = 16.0
    kind: Literal["water", "land"] = "water"


@dataclass(frozen=True, slots=True)
class Board:
    """What is printed on the map."""

    places: tuple[Place, ...] = ()
    edges: tuple[Edge, ...] = ()
    links: tuple[Link, ...] = ()
    regions: tuple[Region, ...] = ()
    north: float = 0.0
    """Degrees, clockwise from the top of the picture."""
    key: tuple[tuple[str, str], ...] = ()
    """(kind of ground, edge, link or badge, its words): the legend."""
    numbering: str = ""
    """How a place's number is read, in one sentence for under the board."""
    lines: tuple[Line, ...] = ()
    areas: tuple[Area, ...] = ()
    names: tuple[MapName, ...] = ()


@dataclass(frozen=True, slots=True)
class Owner:
    """A house, nation or camp whose pieces look alike."""

    id: str
    name: str
    badge: str
    """One character."""
    colour: int
    """A slot of the renderer's palette, 0 to 10."""
    side: str = ""
    """The seat it belongs to now."""
    gloss: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A counter, card or marker."""

    id: str
    place: str
    """A place, or a tray."""
    kind: Literal["unit", "general", "count", "card", "land", "chit", "marker"] = "unit"
    owner: str = ""
    name: str = ""
    gloss: str = ""
    values: str = ""
    """As printed: "5-6", "3/2", "?-5"."""
    corner: str = ""
    """The command value or another number of the corner."""
    trait: str = ""
    steps: tuple[int, int] | None = None
    """Left, of how many."""
    states: tuple[str, ...] = ()
    """unknown disordered acted astray back barred gone inside engaged."""
    count: int = 1
    under: str = ""
    """The leader of its force."""
    picks: tuple[Words, ...] = ()
    """What a click may mean, alternatives: (("tame",),). Empty: a click means its place."""
    text: str = ""
    """What a card says, in sentences."""
    byname: str = ""
    """A second name, under the first on a card."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something laid on a place that is no piece: control, taken, siege, fort, objective."""

    place: str
    kind: str
    owner: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Tray:
    """A place off the map: a hand, deck, reserve, cup, command track. Those of a seat form its panel."""

    id: str
    title: str
    seat: str = ""
    layout: Literal["row", "pile", "grid", "versus", "text", "choice"] = "row"
    """In a row, in lines, in a pile; two against each other, the note large between them; a note alone; or
    cards to choose from, which lie nowhere: the page shows them in a browser of its own."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """A marker on a track."""

    owner: str
    name: str
    box: int
    low: int | None = None
    high: int | None = None
    """Where it may go, if not everywhere."""


@dataclass(frozen=True, slots=True)
class Track:
    """A row of boxes: turns, friendship, victory points."""

    id: str
    title: str
    boxes: tuple[str, ...]
    tokens: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """All of it."""

    board: Board = Board()
    headline: str = ""
    owners: tuple[Owner, ...] = ()
    pieces: tuple[Piece, ...] = ()
    """Of one place: the top one last."""
    marks: tuple[Mark, ...] = ()
    trays: tuple[Tray, ...] = ()
    tracks: tuple[Track, ...] = ()
