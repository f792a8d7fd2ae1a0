"""What lies beside the map: trays, piles, panels of a seat, tracks. Each is a block that flows as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pbem.engine.scene import Owner, Piece, Scene, Token, Track, Tray
from pbem.page.counters import CARD, SIZE, look
from pbem.page.style import DARK, INK, NOBODY, PALETTE, SOFT, Names, ems, named
from pbem.page.svg import tag, title, words

GAP = 12.0


@dataclass(frozen=True, slots=True)
class Item:
    """Something drawn: what it is, how it looks, where."""

    id: str
    """A piece's id, or `sum:`, `mark:`, `node:`, `tray:`, `track:`, `panel:` and what it belongs to."""
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

    def paint(self, owner: str) -> tuple[str, str]:
        """Fill and ink of an owner."""
        found = self.owners.get(owner)
        return PALETTE[found.colour % len(PALETTE)] if found else NOBODY

    def panel(self, seat: str, wide: float) -> Block:
        """The trays of a seat in a frame."""
        block = Block(wide, 0)
        owner = self.owners.get(seat)
        name = " ".join(filter(None, named(owner.name, owner.gloss, self.manner.names))) if owner else seat
        moving = seat in self.manner.to_move
        x, y, high = GAP, 24.0, 0.0
        inner: list[Item] = []
        for tray in self.scene.trays:
            if tray.seat != seat:
                continue
            drawn = self.tray(tray, wide - 2 * GAP)
            if x > GAP and x + drawn.wide > wide - GAP:
                x, y, high = GAP, y + high + 6, 0.0
            inner += [replace(i, x=i.x + x, y=i.y + y) for i in drawn.items]
            block.boxes |= {k: (a + x, b + y, c, d) for k, (a, b, c, d) in drawn.boxes.items()}
            x += drawn.wide + GAP
            high = max(high, drawn.high)
        block.high = y + high + 8
        frame = tag(
            "rect",
            width=wide,
            height=block.high,
            rx=8,
            fill="#fff6d5" if moving else "#fffdf6",
            stroke="#8a6500" if moving else "#cfc7ad",
            stroke_width=3 if moving else 1,
        )
        you = " (you)" if seat == self.manner.you else ""
        told = f"{name}{you}{'  ◀ to move' if moving else ''}"
        colour = DARK[owner.colour % len(DARK)] if owner else INK
        frame += words(told, 10, 17, 13, colour, anchor="start", bold=True, most=wide - 20)
        block.items = [Item(f"panel:{seat}", frame, 0, 0), *inner]
        return block

    def tray_width(self, tray: Tray) -> float:
        size = [_size(p) for p in self.held.get(tray.id, ())]
        label = ems(tray.title) * 10 + (ems(tray.note) * 8.5 if tray.note else 0) + 8
        if tray.layout == "pile":
            return max(label, CARD[0] + 6)
        if tray.layout == "grid":
            return max(label, sum(w + 4 for w, _ in size[:16]) + 4)
        return max(label, sum(w + 4 for w, _ in size) + 4)

    def tray(self, tray: Tray, most: float) -> Block:
        """A title, and the pieces in a row, in lines or in a pile."""
        pieces = self.held.get(tray.id, [])
        label = words(tray.title, 0, 9, 10, SOFT, anchor="start", most=most)
        label += words(tray.note, ems(tray.title) * 10 + 6, 9, 8.5, SOFT, anchor="start") if tray.note else ""
        block = Block(min(max(self.tray_width(tray), 40.0), most), 14)
        block.items = [Item(f"tray:{tray.id}", label, 0, 0)]
        if tray.layout == "text":
            block.high = 18
        elif not pieces:
            frame = tag("rect", y=14, width=block.wide, height=24, rx=4, fill="none", stroke="#cfc7ad")
            block.items[0] = Item(f"tray:{tray.id}", label + frame, 0, 0)
            block.high = 42
        elif tray.layout == "pile":
            self._pile(block, pieces)
        else:
            self._lines(block, pieces, wrap=tray.layout == "grid", most=most)
        block.boxes[tray.id] = (0, 12, block.wide, block.high - 12)
        return block

    def _pile(self, block: Block, pieces: list[Piece]) -> None:
        w, h = _size(pieces[-1])
        for number, piece in enumerate(pieces[-4:]):
            self._put(block, piece, w / 2 + 1.5 * number, 16 + h / 2 - 1.5 * number + 4)
        total = sum(p.count for p in pieces)
        if total > 1:
            block.items.append(Item(f"sum:{pieces[-1].place}", pill(str(total)), w / 2 + 4, 16 + h + 7))
        block.high = 16 + h + 17

    def _lines(self, block: Block, pieces: list[Piece], *, wrap: bool, most: float) -> None:
        x, y, high = 0.0, 15.0, 0.0
        sizes = [_size(p) for p in pieces]
        whole = sum(w + 4 for w, _ in sizes)
        room = block.wide
        squeeze = 1.0 if whole <= room or wrap else (room - sizes[-1][0]) / max(whole - sizes[-1][0], 1)
        for piece, (w, h) in zip(pieces, sizes, strict=True):
            if wrap and x > 0 and x + w > room + 4:
                x, y, high = 0.0, y + high + 4, 0.0
            self._put(block, piece, x + w / 2, y + h / 2)
            x += (w + 4) * squeeze
            high = max(high, h)
        block.high = y + high + 6

    def _put(self, block: Block, piece: Piece, x: float, y: float) -> None:
        owner = self.owners.get(piece.owner)
        drawn = look(piece, owner, self.corner.get(piece.owner, 2), self.manner.names)
        sideways = piece.kind in ("card", "land") and "acted" in piece.states
        block.items.append(Item(piece.id, drawn, x, y, 1.0, 90.0 if sideways else 0.0, piece.place))

    # --- tracks

    def track(self, track: Track) -> Block:
        """Tokens in one row of boxes; where tokens have limits of their own, a row each."""
        rows = (
            [[t] for t in track.tokens]
            if any(t.low is not None for t in track.tokens)
            else [list(track.tokens)]
        )
        many = len(rows) > 1 or any(t.low is not None for t in track.tokens)
        box = max(24.0, min(60.0, max((ems(b) * 9 + 8 for b in track.boxes), default=24)))
        left = max((ems(r[0].name) * 10 + 8 for r in rows), default=0) if many else 0
        out = words(track.title, 0, 9, 10, SOFT, anchor="start")
        for number, text in enumerate(track.boxes):
            out += words(text, left + box * (number + 0.5), 22, 8.5, SOFT, most=box - 2)
        for r, row in enumerate(rows):
            y = 27 + 20.0 * r
            if many:
                out += words(row[0].name, 0, y + 13, 10, INK, anchor="start", bold=True)
            for number in range(len(track.boxes)):
                if many and not _within(row[0], number):
                    continue
                out += tag(
                    "rect",
                    x=left + box * number + 1,
                    y=y,
                    width=box - 2,
                    height=17,
                    rx=3,
                    fill="#fff",
                    stroke="#a39a80",
                )
            for place, token in enumerate(row):
                out += self._token(token, left, box, y, place, row)
        wide = max(left + box * len(track.boxes), ems(track.title) * 10)
        return Block(wide + 6, 27 + 20.0 * len(rows) + 4, [Item(f"track:{track.id}", out, 0, 0)])

    def _token(self, token: Token, left: float, box: float, y: float, place: int, row: list[Token]) -> str:
        same = [t for t in row if t.box == token.box]
        shift = (same.index(token) - (len(same) - 1) / 2) * 9
        fill, ink = self.paint(token.owner)
        owner = self.owners.get(token.owner)
        text = owner.badge if owner else token.name[:1]
        x = left + box * (token.box + 0.5) + shift
        disc = tag("circle", cx=x, cy=y + 8.5, r=7.5, fill=fill, stroke="#111", stroke_width=1.2)
        return tag("g", title(token.name) + disc + words(text, x, y + 11.8, 9, ink, bold=True, most=12))


def _within(token: Token, box: int) -> bool:
    return (token.low is None or box >= token.low) and (token.high is None or box <= token.high)


def _size(piece: Piece) -> tuple[float, float]:
    if piece.kind in ("card", "land"):
        return (CARD[1], CARD[1]) if "acted" in piece.states else CARD
    if piece.kind == "chit":
        return 33.0, 33.0
    if piece.kind == "marker":
        return 46.0, 16.0
    return SIZE, SIZE


def pill(text: str, fill: str = "#111", ink: str = "#fff") -> str:
    """A dark pill with a word or a number in it."""
    wide = max(16.0, ems(text) * 8.4 + 8)
    return tag(
        "rect", x=-wide / 2, y=-6.5, width=wide, height=13, rx=6.5, fill=fill, stroke="#fff", stroke_width=1
    ) + words(text, 0, 3.1, 8.4, ink, bold=True)
