"""Everything that the table reports: one small function for each kind of event."""

from __future__ import annotations

from collections.abc import Sequence

from games.table.dice import Wish
from games.table.kit import Phase, Track
from games.table.position import TablePosition


def _many(count: int, one: str) -> str:
    return f"1 {one}" if count == 1 else f"{count} {one}s"


def word_passed(pos: TablePosition, seat: str) -> None:
    """A seat has the word."""
    pos.say(f"{seat} has the word", rule="1.4", seat=seat)


def phase_begins(pos: TablePosition, phase: Phase) -> None:
    """A phase begins, with what the kit reminds of."""
    reminder = f": {phase.reminder}" if phase.reminder else ""
    pos.say(f"turn {pos.turn}, {phase.title}{reminder}", rule="1.5", turn=pos.turn, phase=phase.id)


def turn_begins(pos: TablePosition) -> None:
    """A turn begins, in a kit without phases."""
    pos.say(f"turn {pos.turn}", rule="1.5", turn=pos.turn)


def rolled(pos: TablePosition, seat: str, wish: Wish, dice: Sequence[int]) -> str:
    """What one throw came to; also the line for the journal."""
    purpose = wish.purpose or "a roll"
    result = wish.told(dice)
    shown = " ".join(map(str, dice))
    pos.say(
        f"{purpose}: {wish.said} ({shown}) gives {result}",
        seat=seat,
        purpose=wish.purpose,
        throw=wish.said,
        shows=list(dice),
        result=result,
    )
    return f"{purpose}: {wish.said} gives {result}"


def pulled(pos: TablePosition, seat: str, cup: str, chit: str) -> None:
    """A chit was pulled from a cup."""
    left = len(pos.cups[cup].chits)
    pos.say(f"{seat} pulls {chit} from {cup}, {left} left", seat=seat, cup=cup, chit=chit, left=left)


def drawn(pos: TablePosition, seat: str, deck: str, count: int) -> None:
    """Cards that somebody knew went from a deck into a hand."""
    text = f"{seat} draws {_many(count, 'card')} from the top of {deck}"
    pos.say(text, seat=seat, deck=deck, count=count)


def deck_empty(pos: TablePosition, deck: str) -> None:
    """There was nothing left to draw."""
    pos.say(f"{deck} is empty", deck=deck)


def looked(pos: TablePosition, seat: str, deck: str, count: int) -> None:
    """A seat has looked at the top of a deck."""
    text = f"{seat} looks at the top {_many(count, 'card')} of {deck}"
    pos.say(text, seat=seat, deck=deck, count=count)


def turned_up(pos: TablePosition, seat: str, deck: str, cards: Sequence[str]) -> None:
    """Cards of a deck were turned up."""
    text = f"{seat} turns up from {deck}: {' '.join(cards)}"
    pos.say(text, seat=seat, deck=deck, cards=list(cards))


def given(pos: TablePosition, giver: str, taker: str, count: int) -> None:
    """Cards went from hand to hand."""
    text = f"{giver} gives {_many(count, 'card')} to {taker}"
    pos.say(text, seat=giver, taker=taker, count=count)


def taken(pos: TablePosition, seat: str, victim: str) -> None:
    """A card was taken from a hand at random."""
    pos.say(f"{seat} takes a card from {victim}'s hand", seat=seat, victim=victim)


AWAY = {"on its discards": "6.3", "on top of it": "6.7", "under it": "6.8"}
"""Where face-down cards go, and by which rule."""


def put_away(pos: TablePosition, seat: str, deck: str, count: int, where: str) -> None:
    """Face-down cards of a deck went somewhere, unseen."""
    text = f"{seat} puts {_many(count, 'card')} of {deck} {where}"
    pos.say(text, rule=AWAY[where], seat=seat, deck=deck, count=count, where=where)


def lies_open(pos: TablePosition, seat: str, card: str, place: str) -> None:
    """An open card lies somewhere now."""
    where = {"discard": "on the discards", "removed": "out of the game"}.get(place, f"face up before {seat}")
    pos.say(f"{card} lies {where}", rule="1.6", seat=seat, card=card, place=place)


def track_set(pos: TablePosition, name: str, track: Track, before: int, after: int) -> None:
    """A track or counter has another value."""
    text = f"{name}: {track.shown(before)} to {track.shown(after)}"
    pos.say(text, rule="7.1", track=name, before=before, after=after)


def opened(pos: TablePosition, what: str, written: dict[str, str]) -> None:
    """Written orders are opened together."""
    for seat, text in written.items():
        pos.say(f"{seat} wrote ({what}): {text}", seat=seat, what=what, wrote=text)


def attached(pos: TablePosition, seat: str, name: str, size: int, digest: str) -> None:
    """A file goes with the move."""
    text = f"{seat} attaches {name} ({size} bytes, {digest[:16]})"
    pos.say(text, rule="2.5", seat=seat, file=name, size=size, digest=digest)


def end_proposed(pos: TablePosition, seat: str, winner: str) -> None:
    """A seat says that the game is over."""
    who = f"{winner} has won" if winner in pos.seats else "nobody has won"
    pos.say(f"{seat} says that the game is over: {who}", rule="8.1", seat=seat, winner=winner)


def end_refused(pos: TablePosition, seat: str) -> None:
    """Another seat does not agree that the game is over."""
    pos.say(f"{seat} does not agree: the game goes on", seat=seat)
