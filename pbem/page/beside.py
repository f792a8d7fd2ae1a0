"""What lies beside the map: trays, piles, panels of a seat, tracks. Each is a block that flows as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pbem.engine.scene import Owner, Piece, Scene, Token, Track, Tray
from pbem.page.cards import FULL, LAND, SMALL, card
from pbem.page.counters import SIZE, colour, counter, pill
from pbem.page.style import Names, ems, named
from pbem.page.svg import tag, title, words

GAP = 14.0
TITLE = 18.0
"""The room that the title of a tray takes."""
VERSUS = 1.34
"""How much larger than others two cards are that fight."""
LEAST_OVERLAP = 20.0
"""How much of a card that lies under the next one is seen at least."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something drawn: what it is, how it looks, where."""

    id: str
    """A piece's id, or what it is and what it belongs to, with a colon between: sum, sign, shield, mark,
    name, far, region, mapname, node, tray, track, panel."""
    look: str
    x: float
    y: float
    scale: float = 1.0
    turn: float = 0.0
    place: str = ""
    """The place or tray of a piece."""
    z: int = 0
    """What lies above what: higher ones are drawn later. What does not move keeps its height."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a scene is to be shown to somebody."""

    names: Names = "original"
    you: str = ""
    """The seat whose panel comes first."""
    to_move: tuple[str, ...] = ()
    """Seats whose panels are framed."""
    wide: float = 0.0
    """How wide what lies beside the map may be; 0: as wide as the map."""

    def on_screen(self, wide: object) -> Manner:
        """The same for a board so wide, within reason, if that is a number."""
        return (
            replace(self, wide=float(min(max(wide, 480), 1600))) if isinstance(wide, int) and wide else self
        )


@dataclass(slots=True)
class Block:
    """A group of items that flows as one."""

    wide: float
    high: float
    items: list[Item] = field(default_factory=list)
    boxes: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)


class Beside:
    """Draws the blocks of one scene."""

    def __init__(
        self,
        scene: Scene,
        owners: Mapping[str, Owner],
        corner: Mapping[str, int],
        held: Mapping[str, list[Piece]],
        manner: Manner,
    ) -> None:
        self.scene, self.owners, self.corner, self.held, self.manner = scene, owners, corner, held, manner

    def look(self, piece: Piece, full: bool) -> str:
        """A piece as it is drawn for this table."""
        owner = self.owners.get(piece.owner)
        if piece.kind in ("card", "land"):
            return card(piece, owner, self.manner.names, full)
        return counter(piece, owner, self.corner.get(piece.owner, 2), self.manner.names)

    def panel(self, seat: str, wide: float) -> Block:
        """The trays of a seat in a frame, with its name on the edge."""
        block = Block(wide, 0)
        owner = self.owners.get(seat)
        name = " ".join(filter(None, named(owner.name, owner.gloss, self.manner.names))) if owner else seat
        moving = seat in self.manner.to_move
        x, y, high = GAP, 22.0, 0.0
        inner: list[Item] = []
        for tray in self.scene.trays:
            if tray.seat != seat:
                continue
            drawn = self.tray(tray, wide - 2 * GAP)
            if x > GAP and x + drawn.wide > wide - GAP:
                room = wide - GAP - x
                if tray.layout == "grid" and room > wide / 2:
                    drawn = self.tray(tray, room)
                else:
                    x, y, high = GAP, y + high + 8, 0.0
            inner += [replace(i, x=i.x + x, y=i.y + y) for i in drawn.items]
            block.boxes |= {k: (a + x, b + y, c, d) for k, (a, b, c, d) in drawn.boxes.items()}
            x += drawn.wide + GAP
            high = max(high, drawn.high)
        block.high = y + high + 8
        kind = "panel moving" if moving else "panel"
        frame = tag("rect", class_=kind, width=wide, height=block.high, rx=14)
        told = " · ".join(filter(None, (name, "you" * (seat == self.manner.you), "to move" * moving)))
        hue = colour(owner)
        long = min(ems(told) * 14 + 24, wide - 20)
        frame += tag("rect", class_=f"s{hue}", x=14, y=-11, width=long, height=22, rx=11)
        frame += words(told, 26, 4.8, 13.5, f"i{hue}", anchor="start", bold=True, most=long - 24)
        block.items = [Item(f"panel:{seat}", frame, 0, 0), *inner]
        return block

    def tray_width(self, tray: Tray) -> float:
        """How wide a tray would like to be."""
        sizes = [size_of(p, tray) for p in self.held.get(tray.id, ())]
        if tray.layout == "pile":
            return max(ems(tray.title) * 13, SMALL[0] + 8)
        label = ems(tray.title) * 13 + (ems(tray.note) * 12 + 8 if tray.note else 0) + 4
        if not sizes:
            return label
        if _closed(self.held.get(tray.id, ())):
            return max(label, SMALL[0] + LEAST_OVERLAP * (len(sizes) - 1) + 8)
        wide = sizes[:16] if tray.layout == "grid" else sizes
        return max(label, sum(w + 6 for w, _ in wide))

    def tray(self, tray: Tray, most: float) -> Block:
        """A title, and the pieces in a row, in lines or in a pile."""
        pieces = self.held.get(tray.id, [])
        label = words(tray.title, 0, 11, 12.5, "soft", anchor="start", bold=True, most=most)
        if tray.note and tray.layout != "pile":  # how many lie there is said on the pile
            label += words(tray.note, ems(tray.title) * 13 + 8, 11, 12, "soft", anchor="start")
        block = Block(min(max(self.tray_width(tray), 48.0), most), TITLE)
        block.items = [Item(f"tray:{tray.id}", label, 0, 0)]
        if tray.layout == "text":
            block.high = TITLE + 4
        elif not pieces:
            frame = tag("rect", class_="tray", y=TITLE, width=block.wide, height=30, rx=6)
            block.items[0] = Item(f"tray:{tray.id}", label + frame, 0, 0)
            block.high = TITLE + 34
        elif tray.layout == "pile":
            self._pile(block, tray, pieces)
        elif tray.layout == "versus":
            block = self._versus(tray, pieces, most)
        else:
            self._lines(block, tray, pieces)
        block.boxes[tray.id] = (0, TITLE - 2, block.wide, block.high - TITLE)
        return block

    def _pile(self, block: Block, tray: Tray, pieces: list[Piece]) -> None:
        w, h = size_of(pieces[-1], tray)
        for number, piece in enumerate(pieces[-4:]):
            self._put(block, tray, piece, w / 2 + 1.5 * number, TITLE + 5 + h / 2 - 1.5 * number)
        total = sum(p.count for p in pieces)
        if total > 1:
            block.items.append(Item(f"sum:{pieces[-1].place}", pill(str(total)), w / 2 + 4, TITLE + 8 + h))
        block.high = TITLE + h + 18

    def _versus(self, tray: Tray, pieces: list[Piece], most: float) -> Block:
        """Two cards against each other, larger than the rest, and how it stands between them."""
        grown = min(VERSUS, most / (3.3 * FULL[0]))
        w, h = FULL[0] * grown, FULL[1] * grown
        middle = 1.3 * w
        block = Block(2 * w + middle, h + 16)
        said = words(tray.title, w + middle / 2, h * 0.36, 14, "soft", bold=True, most=middle - 16)
        said += words(tray.note, w + middle / 2, h * 0.36 + 56, 52, "ink", bold=True, most=middle - 16)
        block.items = [Item(f"tray:{tray.id}", said, 0, 0)]
        for number, piece in enumerate(pieces[:2]):
            x = w / 2 + number * (w + middle)
            block.items.append(
                Item(piece.id, self.look(piece, full=True), x, 8 + h / 2, grown, 0.0, piece.place)
            )
        return block

    def _lines(self, block: Block, tray: Tray, pieces: list[Piece]) -> None:
        x, y, high = 0.0, TITLE + 2, 0.0
        sizes = [size_of(p, tray) for p in pieces]
        whole, room = sum(w + 6 for w, _ in sizes), block.wide
        wrap = tray.layout == "grid"
        squeeze = (
            1.0 if whole <= room + 6 or wrap else (room - sizes[-1][0]) / max(whole - sizes[-1][0] - 6, 1)
        )
        for piece, (w, h) in zip(pieces, sizes, strict=True):
            if wrap and x > 0 and x + w > room + 6:
                x, y, high = 0.0, y + high + 6, 0.0
            self._put(block, tray, piece, x + w / 2, y + h / 2)
            x += (w + 6) * squeeze
            high = max(high, h)
        block.high = y + high + 8

    def _put(self, block: Block, tray: Tray, piece: Piece, x: float, y: float) -> None:
        cards = piece.kind in ("card", "land")
        sideways = cards and "acted" in piece.states
        drawn = self.look(piece, is_full(piece, tray))
        block.items.append(Item(piece.id, drawn, x, y, 1.0, 90.0 if sideways else 0.0, piece.place))

    # --- tracks

    def track(self, track: Track, most: float) -> Block:
        """Tokens in one row of boxes; where tokens have limits of their own, a row each."""
        limited = any(t.low is not None for t in track.tokens)
        rows = [[t] for t in track.tokens] if limited else [list(track.tokens)]
        box = max(30.0, min(62.0, max((ems(b) * 12 + 12 for b in track.boxes), default=30)))
        left = 0.0
        if limited:
            left = max(ems(text) * 13 + 8 for text in (track.title, *(row[0].name for row in rows)))
        elif box * len(track.boxes) > most and not any(t.owner for t in track.tokens):
            track, rows = _window(track, int(most / box))
        box = min(box, max(20.0, (most - left) / max(len(track.boxes), 1)))
        out = words(track.title, 0, 11, 12.5, "soft", anchor="start", bold=True)
        if limited:
            for number, text in enumerate(track.boxes):
                out += words(text, left + box * (number + 0.5), 11, 12, "soft", bold=True, most=box - 2)
        for r, row in enumerate(rows):
            y = TITLE + 24.0 * r
            if limited:
                out += words(row[0].name, 0, y + 15, 13, "ink", anchor="start", bold=True)
            out += self._boxes(track, row, left, box, y, limited)
            for token in row:
                out += self._token(token, left, box, y, row)
        wide = max(left + box * len(track.boxes), ems(track.title) * 13)
        return Block(wide + 6, TITLE + 24.0 * len(rows) + 4, [Item(f"track:{track.id}", out, 0, 0)])

    def _boxes(self, track: Track, row: list[Token], left: float, box: float, y: float, limited: bool) -> str:
        """The boxes of a row; the one that a token of nobody lies in is filled."""
        now = {token.box for token in row if not token.owner}
        out = ""
        for number, text in enumerate(track.boxes):
            if limited and not _within(row[0], number):
                continue
            kind = "box now" if number in now else "box"
            x = left + box * number
            out += tag("rect", class_=kind, x=x + 2, y=y, width=box - 4, height=22, rx=6)
            if not limited:
                ink = "on-blue" if number in now else "soft"
                out += words(text, x + box / 2, y + 15.4, 12, ink, bold=number in now, most=box - 6)
        return out

    def _token(self, token: Token, left: float, box: float, y: float, row: list[Token]) -> str:
        if not token.owner:
            return tag("g", title(token.name))
        same = [t for t in row if t.box == token.box]
        shift = (same.index(token) - (len(same) - 1) / 2) * 11
        owner = self.owners.get(token.owner)
        hue, text = colour(owner), owner.badge if owner else token.name[:1]
        x = left + box * (token.box + 0.5) + shift
        drawn = tag("circle", class_=f"s{hue} edge", cx=x, cy=y + 11, r=9)
        return tag(
            "g", title(token.name) + drawn + words(text, x, y + 14.8, 10.5, f"i{hue}", bold=True, most=14)
        )


def _window(track: Track, room: int) -> tuple[Track, list[list[Token]]]:
    """So much of a long track as there is room for: from the box before the present one, and the last."""
    now = min((token.box for token in track.tokens), default=0)
    first = max(0, min(now - 1, len(track.boxes) - room))
    boxes = track.boxes[first : first + room]
    if first + room < len(track.boxes):
        boxes = (*boxes[:-1], f"…{track.boxes[-1]}")
    tokens = tuple(replace(token, box=token.box - first) for token in track.tokens)
    return replace(track, boxes=boxes, tokens=tokens), [list(tokens)]


def _within(token: Token, box: int) -> bool:
    return (token.low is None or box >= token.low) and (token.high is None or box <= token.high)


def _closed(pieces: Iterable[Piece]) -> bool:
    """Whether all are cards that nobody here knows: they may lie one over the other."""
    held = list(pieces)
    return len(held) > 1 and all(p.kind == "card" and "back" in p.states and not p.name for p in held)


def is_full(piece: Piece, tray: Tray) -> bool:
    """A card with a text shows it where cards lie in a row, and where it fights."""
    known = bool(piece.name) and (bool(piece.text) or bool(piece.values))
    return known and "acted" not in piece.states and (tray.layout == "row" or "engaged" in piece.states)


def size_of(piece: Piece, tray: Tray) -> tuple[float, float]:
    """How much room a piece takes in a tray."""
    if piece.kind in ("card", "land"):
        w, h = (LAND if piece.kind == "land" else FULL) if is_full(piece, tray) else SMALL
        return (h, w) if "acted" in piece.states else (w, h)
    if piece.kind == "chit":
        return 33.0, 33.0
    if piece.kind == "marker":
        return 46.0, 16.0
    return SIZE, SIZE
