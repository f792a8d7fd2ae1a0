"""Everything that the table reports: the events, and one small function that makes each."""

from __future__ import annotations

from collections.abc import Sequence

from games.table.dice import Wish
from games.table.kit import Phase, Track
from games.table.position import TablePosition
from pbem.engine.events import Event


class WordPassed(Event):
    says = "{seat} has the word"
    seat: str


class PhaseBegan(Event):
    says = "turn {turn}, {title}{reminder:?: {reminder}|}"
    turn: int
    phase: str
    title: str
    reminder: str


class TurnBegan(Event):
    says = "turn {turn}"
    turn: int


class Thrown(Event):
    says = "{purpose:?{purpose}|a roll}: {throw} ({shows:& }) gives {result}"
    seat: str
    purpose: str
    throw: str
    shows: tuple[int, ...]
    result: str


class ChitPulled(Event):
    says = "{seat} pulls {chit} from {cup}, {left} left"
    seat: str
    cup: str
    chit: str
    left: int


class TopDrawn(Event):
    says = "{seat} draws {count:# card|# cards} from the top of {deck}"
    seat: str
    deck: str
    count: int


class DeckEmpty(Event):
    says = "{deck} is empty"
    deck: str


class LookedAtTop(Event):
    says = "{seat} looks at the top {count:# card|# cards} of {deck}"
    seat: str
    deck: str
    count: int


class TurnedUp(Event):
    says = "{seat} turns up from {deck}: {cards:& }"
    seat: str
    deck: str
    cards: tuple[str, ...]


class CardsGiven(Event):
    says = "{seat} gives {count:# card|# cards} to {taker}"
    seat: str
    taker: str
    count: int


class CardTaken(Event):
    says = "{seat} takes a card from {victim}'s hand"
    seat: str
    victim: str


class CardsPutAway(Event):
    says = (
        "{seat} puts {count:# card|# cards} of {deck} "
        "{where:discards=on its discards|top=on top of it|bottom=under it}"
    )
    seat: str
    deck: str
    count: int
    where: str


class CardLies(Event):
    says = "{card} lies {place:discards=on the discards|removed=out of the game|face up before {seat}}"
    seat: str
    card: str
    place: str


class TrackSet(Event):
    says = "{track}: {shown_before} to {shown}"
    track: str
    before: int
    after: int
    shown_before: str
    shown: str


class Written(Event):
    says = "{seat} wrote ({what}): {wrote}"
    seat: str
    what: str
    wrote: str


class FileAttached(Event):
    says = "{seat} attaches {file} ({size} bytes, digest {digest})"
    seat: str
    file: str
    size: int
    digest: str


class EndProposed(Event):
    says = "{seat} says that the game is over: {winner:?{winner} has won|nobody has won}"
    seat: str
    winner: str


class EndRefused(Event):
    says = "{seat} does not agree: the game goes on"
    seat: str


class AgreedEnd(Event):
    """The outcome: all have agreed on it, for the reason that a player wrote."""

    says = "{reason:?{reason}|{winner:?{winner} has won|nobody has won}}"
    winner: str
    reason: str


def word_passed(pos: TablePosition, seat: str) -> None:
    """A seat has the word."""
    pos.say(WordPassed(seat, rule="1.4"))


def phase_begins(pos: TablePosition, phase: Phase) -> None:
    """A phase begins, with what the kit reminds of."""
    pos.say(PhaseBegan(pos.turn, phase.id, phase.title, phase.reminder, rule="1.5"))


def turn_begins(pos: TablePosition) -> None:
    """A turn begins, in a kit without phases."""
    pos.say(TurnBegan(pos.turn, rule="1.5"))


def rolled(pos: TablePosition, seat: str, wish: Wish, dice: Sequence[int]) -> str:
    """What one throw came to; also the line for the journal."""
    result = wish.told(dice)
    pos.say(Thrown(seat, wish.purpose, wish.said, tuple(dice), result))
    return f"{wish.purpose} {wish.said} = {result}".strip()


def pulled(pos: TablePosition, seat: str, cup: str, chit: str) -> None:
    """A chit was pulled from a cup."""
    pos.say(ChitPulled(seat, cup, chit, len(pos.cups[cup].chits)))


def drawn(pos: TablePosition, seat: str, deck: str, count: int) -> None:
    """Cards that somebody knew went from a deck into a hand."""
    pos.say(TopDrawn(seat, deck, count))


def deck_empty(pos: TablePosition, deck: str) -> None:
    """There was nothing left to draw."""
    pos.say(DeckEmpty(deck))


def looked(pos: TablePosition, seat: str, deck: str, count: int) -> None:
    """A seat has looked at the top of a deck."""
    pos.say(LookedAtTop(seat, deck, count))


def turned_up(pos: TablePosition, seat: str, deck: str, cards: Sequence[str]) -> None:
    """Cards of a deck were turned up."""
    pos.say(TurnedUp(seat, deck, tuple(cards)))


def given(pos: TablePosition, giver: str, taker: str, count: int) -> None:
    """Cards went from hand to hand."""
    pos.say(CardsGiven(giver, taker, count))


def taken(pos: TablePosition, seat: str, victim: str) -> None:
    """A card was taken from a hand at random."""
    pos.say(CardTaken(seat, victim))


AWAY = {"discards": "6.3", "top": "6.7", "bottom": "6.8"}
"""Where face-down cards go, and by which rule."""


def put_away(pos: TablePosition, seat: str, deck: str, count: int, where: str) -> None:
    """Face-down cards of a deck went somewhere, unseen."""
    pos.say(CardsPutAway(seat, deck, count, where, rule=AWAY[where]))


def lies_open(pos: TablePosition, seat: str, card: str, place: str) -> None:
    """An open card lies somewhere now."""
    pos.say(CardLies(seat, card, place, rule="1.6"))


def track_set(pos: TablePosition, name: str, track: Track, before: int, after: int) -> None:
    """A track or counter has another value."""
    pos.say(TrackSet(name, before, after, track.shown(before), track.shown(after), rule="7.1"))


def opened(pos: TablePosition, what: str, written: dict[str, str]) -> None:
    """Written orders are opened together."""
    for seat, text in written.items():
        pos.say(Written(seat, what, text))


def attached(pos: TablePosition, seat: str, name: str, size: int, digest: str) -> None:
    """A file goes with the move."""
    pos.say(FileAttached(seat, name, size, digest, rule="2.5"))


def end_proposed(pos: TablePosition, seat: str, winner: str) -> None:
    """A seat says that the game is over."""
    pos.say(EndProposed(seat, winner if winner in pos.seats else "", rule="8.1"))


def end_refused(pos: TablePosition, seat: str) -> None:
    """Another seat does not agree that the game is over."""
    pos.say(EndRefused(seat))
