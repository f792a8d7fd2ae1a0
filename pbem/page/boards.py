"""Boards for the page: the drawn base once, looks once, and then only which thing lies where.

A frame holds, for static/stage.js and the page:
- `base` (its name), and what depends on the board alone (PRINTED): `markup`, `mini` (the same for a small
  map), `map` (width and height of its part of the sheet; trays and tracks lie below), `at` (the middles of
  places), `grounds` (each place's terrain, in the words of the legend); and the `names` of places;
- `looks`, and `items`: [id, number of its look, x, y, z, scale, turn, place]. An item is a piece (its id), or
  sum: sign: shield: mark: name: far: region: mapname: node: tray: track: panel: and what it belongs to;
- `boxes` of areas and trays; `pieces`; `cards` to choose from that lie nowhere: word, number of look, text.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from typing import Any

from pbem.engine.machine import Machine
from pbem.engine.position import Position
from pbem.engine.scene import Owner, Piece, Scene
from pbem.engine.waits import Ask, AskSealed
from pbem.page.beside import Manner
from pbem.page.cards import card
from pbem.page.counters import describe
from pbem.page.picture import definitions, draw, key_words

PRINTED = ("markup", "mini", "map", "at", "grounds")
"""The parts of a frame that a page which has its base need not be sent again."""


class Boards:
    """Looks are numbered for as long as the page runs: a page asks with how many it has."""

    def __init__(self) -> None:
        self._looks: dict[str, int] = {}
        self._list: list[str] = []
        self._lock = threading.Lock()

    def frame(self, scene: Scene, manner: Manner, known: int, show: Callable[[str], str]) -> dict[str, Any]:
        """Everything that a page needs to show a scene."""
        drawing = draw(scene, manner)
        layout, sheet = drawing.layout, drawing.sheet
        items = [
            [i.id, self._number(i.look), round(i.x, 1), round(i.y, 1), i.z, i.scale, i.turn, i.place]
            for i in layout.items
        ]
        owners = {owner.id: owner for owner in scene.owners}
        words = dict(scene.board.key)
        aside = {tray.id for tray in scene.trays if tray.layout == "choice"}
        pieces = {p.id: _piece(p, owners.get(p.owner), show) for p in scene.pieces if p.place not in aside}
        cards = {
            show(p.picks[0][0]): [self._number(card(p, owners.get(p.owner), manner.names)), p.text]
            for p in scene.pieces
            if p.place in aside and p.picks
        }
        return {
            "base": base_of(sheet.markup),
            "markup": definitions() + sheet.markup,
            "mini": sheet.mini,
            "map": [round(sheet.width, 1), round(sheet.height, 1)],
            "at": {place: [round(x, 1), round(y, 1)] for place, (x, y) in sheet.at.items()},
            "hexes": sheet.hexes,
            "boxes": {place: [round(v, 1) for v in box] for place, box in layout.boxes.items()},
            "size": [round(layout.width, 1), round(layout.height, 1)],
            "looks": self._list[max(0, known) :],
            "from": max(0, min(known, len(self._list))),
            "items": items,
            "grounds": {
                p.id: key_words(words.get(p.ground, p.ground), manner.names)
                for p in scene.board.places
                if p.ground
            },
            "pieces": pieces,
            "cards": cards,
            "names": {p.id: " ".join(filter(None, (p.name, p.gloss))) for p in scene.board.places if p.name},
        }

    def _number(self, look: str) -> int:
        with self._lock:
            found = self._looks.get(look)
            if found is None:
                found = self._looks[look] = len(self._list)
                self._list.append(look)
            return found


def base_of(markup: str) -> str:
    """By what a page knows the base that it has drawn."""
    return hashlib.sha256(markup.encode()).hexdigest()[:16]


def _piece(piece: Piece, owner: Owner | None, show: Callable[[str], str]) -> list[Any]:
    """Where it lies, what a click on it means in the words that orders are written with, itself in words.

    Then its force's leader, its kind, its name, its values, its text, and the palette's slot of its owner.
    """
    picks = [[show(word) for word in words] for words in piece.picks]
    name = piece.gloss or piece.name or piece.id
    slot = owner.colour if owner is not None else None
    return [
        piece.place,
        picks,
        describe(piece, owner),
        piece.under,
        piece.kind,
        name,
        piece.values,
        piece.text,
        slot,
    ]


def seats_asked(machine: Machine, pos: Position) -> tuple[str, ...]:
    """Who has to decide now."""
    wait = machine.waits_for(pos)
    if isinstance(wait, Ask):
        return (wait.options.seat,)
    return tuple(options.seat for options in wait.options) if isinstance(wait, AskSealed) else ()
