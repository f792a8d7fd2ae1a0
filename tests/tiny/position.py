"""The position of the tiny game: players with points, stones and hidden hands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pbem.engine.codec import Record
from pbem.engine.events import Event
from pbem.engine.notation import Handle
from pbem.engine.position import Position


class Ended(Event):
    """For games of tests that end somehow."""

    says = "{how}"
    how: str


@dataclass(frozen=True, slots=True)
class Player(Record):
    """What everybody can see of one seat."""

    points: int = 0
    stones: int = 3
    hand: tuple[Handle, ...] = ()


@dataclass(slots=True, kw_only=True)
class TinyPosition(Position):
    """Public and the same on every machine."""

    last_turn: int = 3
    shared: bool = False
    """Whether all hands come from one deck that the seats share."""
    cup: tuple[Handle, ...] = ()
    """Chits put in secretly and not drawn yet."""
    pool: tuple[str, ...] = ("one", "two", "three", "four")
    """What fortune has left, open to all."""
    discards: dict[str, Discards] = field(default_factory=dict)
    players: dict[str, Player] = field(default_factory=dict)

    def change(self, seat: str, **fields: object) -> None:
        """A player's new state."""
        self.players[seat] = replace(self.players[seat], **fields)

    def deck_of(self, seat: str) -> str:
        """The deck a seat draws from."""
        return "deck" if self.shared else f"deck-{seat}"

    def take_from_hand(self, seat: str, handle: Handle) -> None:
        """A card leaves a hand."""
        self.change(seat, hand=tuple(h for h in self.players[seat].hand if h != handle))

    def score(self, seat: str, points: int) -> None:
        """Points won."""
        self.change(seat, points=self.players[seat].points + points)


@dataclass(frozen=True, slots=True)
class Discards(Record):
    """Face-up cards of one deck."""

    cards: tuple[str, ...] = ()
