"""What stands on the map: units, castles and markers, each as it is now."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.hexes import HexId
from pbem.engine.codec import Record


@dataclass(frozen=True, slots=True)
class Piece(Record):
    """One unit on the map."""

    hex: HexId
    under: str = ""
    """The commander of its Force; "" if it leads one, be it alone (7.1)."""
    down: bool = False
    """On its back (2.2.1)."""
    inside: bool = False
    """In garrison of the castle in its hex (17)."""


@dataclass(frozen=True, slots=True)
class Castle(Record):
    """The state of a castle (5)."""

    owner: str
    lost: int = 0
    """Durability that assaults have taken (19.1.9)."""
    siege: int | None = None
    """The siege level if it is invested (19.2.3)."""
    closed: bool = False
    """Unusable since its lord went home (25.2.2)."""


@dataclass(frozen=True, slots=True)
class Marker(Record):
    """21: an engaged marker between two Forces, named by their leaders."""

    placer: str
    target: str
