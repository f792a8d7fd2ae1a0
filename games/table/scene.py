"""What lies on the table: a panel for every seat, then decks, cups, counters and the journal; no map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from games.table.display import headline
from games.table.kit import Track as Counting
from games.table.position import TablePosition, deck_and_card
from pbem.engine.notation import Handle
from pbem.engine.options import View
from pbem.engine.scene import Owner, Piece, Scene, Token, Track, Tray

JOURNAL = "journal"
SHOWN = 110
"""So many letters of the journal's end are shown beside the cards; the report has all of it."""


def scene(pos: TablePosition, view: View) -> Scene:
    """Everything on the table that the view knows."""
    pieces: list[Piece] = []
    trays: list[Tray] = []
    for seat in pos.seats:
        _panel(pos, seat, view, pieces, trays)
    for deck in pos.piles:
        _deck(pos, deck, view, pieces, trays)
    for name in pos.cups:
        _cup(pos, name, pieces, trays)
    counters = [name for name, track in _tracks(pos) if not track.drawn]
    trays += [
        Tray(f"counter-{name}", name, layout="text", note=str(pos.tracks[name].value)) for name in counters
    ]
    if pos.journal:
        trays.append(Tray(JOURNAL, "journal", layout="text", note=_end(pos.journal)))
    return Scene(
        headline=headline(pos),
        owners=tuple(_owner(pos, number, seat) for number, seat in enumerate(pos.seats)),
        pieces=tuple(pieces),
        trays=tuple(trays),
        tracks=tuple(_row(pos, track) for track in pos.box.tracks.values() if track.drawn),
    )


def _end(journal: tuple[str, ...]) -> str:
    """The last lines that fit, the last one at least in part."""
    shown = journal[-1][:SHOWN]
    for line in reversed(journal[:-1]):
        if len(shown) + len(line) + 3 > SHOWN:
            break
        shown = f"{line} · {shown}"
    return shown


def _owner(pos: TablePosition, number: int, seat: str) -> Owner:
    role = pos.box.roles.get(seat)
    return Owner(seat, role.title if role else seat, seat[0].upper(), number + 2, seat)


def _panel(pos: TablePosition, seat: str, view: View, pieces: list[Piece], trays: list[Tray]) -> None:
    lies = pos.around[seat]
    if pos.piles:
        trays.append(Tray(f"hand-{seat}", "hand", seat, note=_cards(len(lies.hand))))
        pieces += [_closed(pos, view, card, f"hand-{seat}") for card in lies.hand]
    if lies.aside:
        trays.append(Tray(f"aside-{seat}", "set aside", seat, note=_cards(len(lies.aside))))
        pieces += [_closed(pos, view, card, f"aside-{seat}") for card in lies.aside]
    if lies.front:
        trays.append(Tray(f"front-{seat}", "face up", seat))
        shown = [card for _, card in map(deck_and_card, lies.front)]
        pieces += _open(pos, shown, f"front-{seat}")


def _deck(pos: TablePosition, name: str, view: View, pieces: list[Piece], trays: list[Tray]) -> None:
    pile, owner = pos.piles[name], pos.box.owner(name)
    size = pos.size(name)
    trays.append(Tray(f"deck-{name}", name, owner, "pile", _cards(size)))
    unseen = size - len(pile.top)
    if unseen > 0:
        pieces.append(Piece(f"deck-{name}.rest", f"deck-{name}", "card", states=("back",), count=unseen))
    pieces += [_closed(pos, view, card, f"deck-{name}") for card in reversed(pile.top)]
    for where, title, cards in (
        ("discard", "discards", pile.discard),
        ("removed", "out of the game", pile.removed),
    ):
        if cards:
            trays.append(Tray(f"{where}-{name}", f"{name}: {title}", owner, "pile", _cards(len(cards))))
            pieces += _open(pos, cards, f"{where}-{name}")
    if pile.closed:
        tray = f"closed-{name}"
        trays.append(Tray(tray, f"{name}: discarded face down", owner, "pile", _cards(len(pile.closed))))
        pieces += [_closed(pos, view, card, tray) for card in pile.closed]


def _cup(pos: TablePosition, name: str, pieces: list[Piece], trays: list[Tray]) -> None:
    cup = pos.cups[name]
    trays.append(Tray(f"cup-{name}", f"{name}: in the cup", layout="grid", note=f"{len(cup.chits)} chits"))
    pieces += _chits(cup.chits, f"cup-{name}")
    if cup.out:
        trays.append(Tray(f"out-{name}", f"{name}: pulled", layout="grid"))
        pieces += _chits(cup.out, f"out-{name}")


def _chits(chits: Iterable[str], tray: str) -> list[Piece]:
    counted = Counter(chits).items()
    return [
        Piece(f"{tray}.{chit}", tray, "chit", name=chit, count=n, picks=((chit,),)) for chit, n in counted
    ]


def _closed(pos: TablePosition, view: View, card: Handle, tray: str) -> Piece:
    known = view.value(card)
    if known is None:
        return Piece(card, tray, "card", states=("back",))
    return Piece(card, tray, "card", name=known, picks=((known,),), text=_text(pos, known))


def _open(pos: TablePosition, cards: Iterable[str], tray: str) -> list[Piece]:
    return [
        Piece(f"{tray}.{number}", tray, "card", name=card, picks=((card,),), text=_text(pos, card))
        for number, card in enumerate(cards)
    ]


def _text(pos: TablePosition, card: str) -> str:
    return pos.box.deck_of_card[card].text.get(card, "")


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _tracks(pos: TablePosition) -> list[tuple[str, Counting]]:
    known = pos.box.tracks_for(pos.seats)
    return [(name, known[name]) for name in pos.tracks]


def _row(pos: TablePosition, track: Counting) -> Track:
    """A row of boxes with its marker, or one for each seat."""
    boxes = track.boxes or tuple(str(number) for number in range(track.low, track.high + 1))
    named = [(seat, f"{track.id}-{seat}") for seat in pos.seats] if track.each else [("", track.id)]
    tokens = [Token(seat, seat or track.id, pos.tracks[name].value - track.low) for seat, name in named]
    return Track(track.id, track.title, boxes, tuple(tokens))
