"""What lies on the table, the same on every machine: hands by handle, open cards by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from games.table.kit import Deck, Kit, KitPack, Phase
from pbem.engine.codec import Record
from pbem.engine.handles import read_card
from pbem.engine.notation import Handle
from pbem.engine.position import Position

TOLD = 12
"""So many lines of the journal lie on the table; the log has them all."""
LINE = 200
"""So many letters of each."""


@dataclass(frozen=True, slots=True)
class Seat(Record):
    """What lies before one seat."""

    hand: tuple[Handle, ...] = ()
    """Seen by this seat alone."""
    aside: tuple[Handle, ...] = ()
    """Set aside face down, seen by this seat alone."""
    front: tuple[str, ...] = ()
    """Face up, each with its deck: `strategy/suez`."""


@dataclass(frozen=True, slots=True)
class Pile(Record):
    """What has left a deck and belongs to it still, and what of it somebody knows."""

    discard: tuple[str, ...] = ()
    """Face up, the last one on top."""
    closed: tuple[Handle, ...] = ()
    """Discarded face down."""
    removed: tuple[str, ...] = ()
    """Out of the game, in the open."""
    top: tuple[Handle, ...] = ()
    """On the deck, the next one first: somebody has looked at them or put them there."""
    bottom: tuple[Handle, ...] = ()
    """Under it, the next one first."""


@dataclass(frozen=True, slots=True)
class CupNow(Record):
    """A cup and what was pulled from it."""

    chits: tuple[str, ...]
    out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Level(Record):
    """Where a track or counter stands."""

    value: int


@dataclass(slots=True, kw_only=True)
class TablePosition(Position):
    """Public. A card that everybody has seen lies face up until it is shuffled in again."""

    kit: str = ""
    word: str = ""
    """The seat that has the word."""
    deeds: int = 0
    """Orders given since the word was passed on."""
    phase: int = 0
    around: dict[str, Seat] = field(default_factory=dict)
    piles: dict[str, Pile] = field(default_factory=dict)
    cups: dict[str, CupNow] = field(default_factory=dict)
    tracks: dict[str, Level] = field(default_factory=dict)
    journal: tuple[str, ...] = ()

    @property
    def box(self) -> Kit:
        """The kit that is played with."""
        pack: KitPack = self.pack
        return pack.kits[self.kit]

    def deck_kit(self, name: str) -> Deck:
        """What the kit says of a deck on the table."""
        return self.box.decks_for(self.seats)[name]

    @property
    def present_phase(self) -> Phase | None:
        """The phase that goes on, if the kit has any."""
        return self.box.phases[self.phase] if self.box.phases else None

    # --- cards

    def change(self, seat: str, **fields: object) -> None:
        """Something before a seat changes."""
        self.around[seat] = replace(self.around[seat], **fields)  # type: ignore[arg-type]

    def change_pile(self, deck: str, **fields: object) -> None:
        """Something of a deck's piles changes."""
        self.piles[deck] = replace(self.piles[deck], **fields)  # type: ignore[arg-type]

    def knower(self, handle: Handle) -> str:
        """The seat that can tell what a face-down card is; "" if nobody can."""
        slot = self.hidden[handle]
        return slot.holder or slot.owner

    def lift(self, handles: Iterable[Handle]) -> None:
        """Take face-down cards from wherever they lie, a deck's unordered rest excepted."""
        gone = set(handles)

        def left(cards: tuple[Handle, ...]) -> tuple[Handle, ...]:
            return tuple(card for card in cards if card not in gone)

        for seat, lies in self.around.items():
            if gone & {*lies.hand, *lies.aside}:
                self.change(seat, hand=left(lies.hand), aside=left(lies.aside))
        for deck, pile in self.piles.items():
            if gone & {*pile.closed, *pile.top, *pile.bottom}:
                self.change_pile(deck, closed=left(pile.closed), top=left(pile.top), bottom=left(pile.bottom))

    def rest(self, deck: str) -> tuple[Handle, ...]:
        """The cards of a deck that nobody has seen, in no order; none before its first shuffle."""
        return self.decks[deck].rest if deck in self.decks else ()

    def size(self, deck: str) -> int:
        """How many cards a deck has."""
        pile = self.piles[deck]
        return len(pile.top) + len(self.rest(deck)) + len(pile.bottom)

    def holds(self, seat: str, deck: str) -> int:
        """How many face-down cards of a deck a seat has in hand."""
        return sum(deck_of(handle) == deck for handle in self.around[seat].hand)

    def face_down(self) -> Iterator[Handle]:
        """Every face-down card, where it lies."""
        for lies in self.around.values():
            yield from (*lies.hand, *lies.aside)
        for name, pile in self.piles.items():
            yield from (*pile.closed, *pile.top, *pile.bottom)
            yield from self.rest(name)

    def count(self, deck: str) -> int:
        """How many cards of a deck lie on the table, open and closed."""
        pile = self.piles[deck]
        faces = [one for lies in self.around.values() for one in lies.front if deck_and_card(one)[0] == deck]
        closed = [card for card in self.face_down() if deck_of(card) == deck]
        return len(faces) + len(closed) + len(pile.discard) + len(pile.removed)

    # --- the journal

    def tell(self, line: str) -> None:
        """A line for the journal on the table."""
        self.journal = (*self.journal, line[:LINE])[-TOLD:]


def deck_of(handle: Handle) -> str:
    """The deck that a face-down card comes from."""
    card = read_card(handle)
    return card.deck if card is not None else ""


def face(deck: str, card: str) -> str:
    """An open card before a seat: which deck it belongs to, and what it is."""
    return f"{deck}/{card}"


def deck_and_card(open_card: str) -> tuple[str, str]:
    """The reverse of `face`."""
    deck, _, card = open_card.partition("/")
    return deck, card
