"""Where open cards lie, and what a value means on a track: asked before an order is given, and when it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.table.position import TablePosition, deck_and_card, face

DISCARDS, REMOVED = "discards", "removed"
"""Where open cards may be moved, besides seats and decks."""
_CHANGE = re.compile(r"[+-][0-9]{1,5}")
_NUMBER = re.compile(r"[0-9]{1,5}|=-[0-9]{1,5}")


def open_cards(pos: TablePosition, seat: str) -> Iterator[tuple[str, str, str]]:
    """Every open card: its name, its deck, and where it lies; those before `seat` first."""
    for other in (seat, *(one for one in pos.seats if one != seat)):
        for deck, card in map(deck_and_card, pos.around[other].front):
            yield card, deck, other
    for deck, pile in pos.piles.items():
        yield from ((card, deck, DISCARDS) for card in reversed(pile.discard))
        yield from ((card, deck, REMOVED) for card in pile.removed)


def take_open(pos: TablePosition, seat: str, card: str, of: str = "") -> str:
    """Take an open card from the first place where one of its name lies, of one deck if told; its deck."""
    found = ((deck, place) for name, deck, place in open_cards(pos, seat) if name == card)
    deck, place = next((deck, place) for deck, place in found if of in ("", deck))
    if place in pos.seats:
        pos.change(place, front=_without_last(pos.around[place].front, face(deck, card)))
    elif place == DISCARDS:
        pos.change_pile(deck, discard=_without_last(pos.piles[deck].discard, card))
    else:
        pos.change_pile(deck, removed=_without_last(pos.piles[deck].removed, card))
    return deck


def _without_last(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = len(cards) - 1 - cards[::-1].index(card)
    return cards[:at] + cards[at + 1 :]


def track_value(pos: TablePosition, name: str, value: str) -> int | str:
    """The number that `5`, `+2`, `-1`, `=-3` or the name of a box means; or why it means none."""
    track = pos.box.tracks_for(pos.seats)[name]
    if value in track.boxes:
        return track.low + track.boxes.index(value)
    if _CHANGE.fullmatch(value):
        found = pos.tracks[name].value + int(value)
    elif _NUMBER.fullmatch(value):
        found = int(value.removeprefix("="))
    else:
        known = f" or one of {', '.join(track.boxes)}" if track.boxes else ""
        return f"{value} is no value of {name}: write 5, +2, -1{known}"
    if not track.low <= found <= track.high:
        return f"{name} goes from {track.shown(track.low)} to {track.shown(track.high)}, not to {found}"
    return found
