"""Where everything lies: stacks on hexes, forces in areas, trays, tracks and panels around the map.

The result is a list of items in the order in which they are drawn, each a look (drawn around (0, 0)), a spot,
a scale and a turn. A picture, the page and the replay are made from the same items; whoever compares two
lists knows what moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pbem.engine.scene import Mark, Owner, Piece, Place, Scene
from pbem.page.beside import GAP, Beside, Block, Item, Manner, pill
from pbem.page.counters import SIZE, look
from pbem.page.printed import Sheet, badge
from pbem.page.style import INK, PALETTE, ems, named
from pbem.page.svg import n, tag, title, words

SHINGLE = (5.0, 12.0)
"""How far a lower counter of a small stack shows, so that its value strip can be read."""
NAMED = (20.0, 26.0, 32.0, 29.0)
"""How far above the middle of a hex its name stands, over a stack of one, two, three, or more."""
NARROW = 52.0
"""How wide the name of an empty hex may be where the next hexes are not empty."""
NODE_SCALE = 1.0
ROW = 4
"""Counters in a row of an area."""
PANEL = 632.0
LAYERS = 100
"""Heights within one place or block."""


@dataclass(slots=True)
class Layout:
    """Items, and the size of the whole."""

    items: list[Item] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0
    boxes: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    """Areas and trays as drawn: left, top, width, height."""


class Arranger:
    """Lays out one scene."""

    def __init__(self, scene: Scene, sheet: Sheet, manner: Manner) -> None:
        self.scene, self.sheet, self.manner = scene, sheet, manner
        self.owners = {owner.id: owner for owner in scene.owners}
        sides = list(dict.fromkeys(o.side for o in scene.owners if o.side))
        self.corner = {
            o.id: sides.index(o.side)
            if o.side in sides[:2]
            else (2 if not o.side else 3 + sides.index(o.side))
            for o in scene.owners
        }
        self.held: dict[str, list[Piece]] = {}
        for piece in scene.pieces:
            self.held.setdefault(piece.place, []).append(piece)
        self.marks: dict[str, list[Mark]] = {}
        for mark in scene.marks:
            self.marks.setdefault(mark.place, []).append(mark)
        taken = {place.id for place in scene.board.places if place.name} | set(self.held)
        self.full = [sheet.at[ident] for ident in taken if ident in sheet.at] if sheet.hexes else []
        self.out = Layout(width=sheet.width, height=sheet.height)
        self.groups = len(scene.board.places) + 1
        self.tops: list[Item] = []
        """Sums of stacks: above everything on the map, whatever stands in the hex below."""
        self.beside = Beside(scene, self.owners, self.corner, self.held, manner)

    def arrange(self) -> Layout:
        """Map first, then what lies around it."""
        for number, place in enumerate(self.scene.board.places):
            before = len(self.out.items)
            if self.sheet.hexes:
                self._hex(place)
            else:
                self._node(place)
            self._raise(before, number)
        before = len(self.out.items)
        self.out.items += self.tops
        self._raise(before, self.groups - 1)
        self._around()
        return self.out

    def _raise(self, before: int, group: int) -> None:
        """Give the items added since then their heights."""
        items = self.out.items
        for number in range(before, len(items)):
            items[number] = replace(items[number], z=group * LAYERS + min(number - before, LAYERS - 1))

    def _add(self, piece: Piece, x: float, y: float, scale: float = 1.0, turn: float = 0.0) -> None:
        owner = self.owners.get(piece.owner)
        drawn = look(piece, owner, self.corner.get(piece.owner, 2), self.manner.names)
        self.out.items.append(Item(piece.id, drawn, x, y, scale, turn, piece.place))

    def _other(self, ident: str, drawn: str, x: float, y: float, scale: float = 1.0) -> None:
        self.out.items.append(Item(ident, drawn, x, y, scale))

    # --- hexes

    def _hex(self, place: Place) -> None:
        pieces, marks = self.held.get(place.id, []), self.marks.get(place.id, [])
        if not pieces and not marks and not place.name:
            return
        x, y = self.sheet.at[place.id]
        small = [p for p in pieces if p.kind in ("marker", "chit")]
        large = [p for p in pieces if p.kind not in ("marker", "chit")]
        if not large:
            self._hex_name(place, x, y)
        self._hex_marks(marks, place.id, x, y)
        camps: dict[str, list[Piece]] = {}
        for piece in large:
            owner = self.owners.get(piece.owner)
            camps.setdefault(owner.side if owner else "", []).append(piece)
        if len(camps) <= 1:
            self._stack(large, place.id, x, y + 1.5, 1.0)
        else:
            step = 27.0 / (len(camps) - 1)
            for number, camp in enumerate(camps.values()):
                self._stack(camp, f"{place.id}:{number}", x - 13.5 + step * number, y + 2, 0.68)
        for number, piece in enumerate(small):
            scale = 0.8 if piece.kind == "marker" else 0.5
            self._add(piece, x - 17 + 11 * number, y + 20, scale)
        if large:
            self._hex_name(place, x, y, len(large) if len(camps) == 1 else 1)

    def _hex_name(self, place: Place, x: float, y: float, deep: int = 0) -> None:
        """In the middle of an empty hex, small above a stack so many counters deep; never over the edge."""
        if not place.name:
            return
        large, small = named(place.name, place.gloss, self.manner.names)
        if deep:
            drawn = words(large, 0, 0, 9, INK, bold=True, halo="#fffdf4", most=74)
            half, y = min(37.0, ems(large) * 4.8), y - NAMED[min(deep, len(NAMED)) - 1]
        else:
            most = NARROW if self._beset(x, y) else None
            y -= 6 if small and place.badges else 0
            drawn = words(large, 0, 4, 13, INK, bold=True, halo="#fffdf4", most=most)
            drawn += words(small, 0, 15, 8.5, INK, halo="#fffdf4", most=most)
            half = most / 2 if most else max(ems(large) * 7, ems(small) * 4.3)
        x = max(half + 2, min(x, self.sheet.width - half - 2))
        self._other(f"name:{place.id}", drawn, x, y)

    def _beset(self, x: float, y: float) -> bool:
        """Whether counters or a name in the next column would cover a name longer than its hex."""
        return any(abs(x - px) < 60 and abs(y - py) < 30 and (x, y) != (px, py) for px, py in self.full)

    def _stack(self, pieces: list[Piece], where: str, x: float, y: float, scale: float) -> None:
        many = len(pieces)
        if not many:
            return
        if many <= 3:
            dx, dy = SHINGLE[0] * scale, SHINGLE[1] * scale
            left, top = x - dx * (many - 1) / 2, y - dy * (many - 1) / 2
            for number, piece in enumerate(pieces):
                deep = many - 1 - number
                self._add(piece, left + dx * deep, top + dy * deep, scale)
            text = total_of(pieces) if many > 1 else ""
            if text:
                disc = sum_disc(text)
                self.tops.append(Item(f"sum:{where}", disc, left + 18 * scale, top - 17 * scale, scale))
            return
        for number, piece in enumerate(pieces):
            deep = min(many - 1 - number, 3)
            self._add(piece, x + (2.2 * deep - 2) * scale, y + (-2.4 * deep - 1) * scale, scale)
        total = total_of(pieces)
        said = pill(f"{many}·Σ{total}" if total else f"{many}")
        self.tops.append(Item(f"sum:{where}", said, x - 10 * scale, y + 24 * scale, scale))

    def _hex_marks(self, marks: Sequence[Mark], where: str, x: float, y: float) -> None:
        for number, mark in enumerate(marks):
            fill, ink = self.beside.paint(mark.owner)
            told = title(mark_words(mark, self.owners))
            if mark.kind in ("control", "taken"):
                ring = "M-26 0L-13-22.5H13L26 0L13 22.5H-13Z"
                shape = tag("path", d=ring, fill="none", stroke=fill, stroke_width=4)
                self._other(f"mark:{where}:{number}", told + shape + self._flag(mark, 21, -17), x, y)
            elif mark.kind == "siege":
                ring = tag("circle", r=25, fill="none", stroke=fill, stroke_width=4, stroke_dasharray="7 4")
                self._other(f"mark:{where}:{number}", told + ring + self._flag(mark, 0, 24), x, y)
            elif mark.kind == "fort":
                wall = tag("path", d="M-24 20h48v-8h-8v4h-8v-4h-16v4h-8v-4h-8z", fill=fill, stroke="#111")
                self._other(f"mark:{where}:{number}", told + wall, x, y)
            elif mark.kind in ("objective", "entry", "supply"):
                self._other(f"mark:{where}:{number}", told + badge(mark.kind, mark.text, -19, 13), x, y)
            else:
                sign = pill(mark.text or mark.kind, fill, ink)
                self._other(f"mark:{where}:{number}", told + sign, x, y + 21)

    def _flag(self, mark: Mark, x: float, y: float) -> str:
        owner = self.owners.get(mark.owner)
        fill, ink = self.beside.paint(mark.owner)
        text = mark.text or (owner.badge if owner else "")
        if not text:
            return ""
        wide = max(12.0, ems(text) * 8 + 4)
        box = tag("rect", x=x - wide / 2, y=y - 6, width=wide, height=12, rx=2, fill=fill, stroke="#111")
        return box + words(text, x, y + 3, 8, ink, bold=True, most=wide - 2)

    # --- areas

    def _node(self, place: Place) -> None:
        cx, cy = self.sheet.at[place.id]
        rows = self._rows(self.held.get(place.id, []))
        large, small = named(
            place.name, place.gloss, "both" if self.manner.names == "original" else self.manner.names
        )
        step = SIZE * NODE_SCALE + 3
        signs = [*place.badges]
        head = ems(large) * 13 + (ems(small) * 7.5 + 5 if small else 0) + 17 * len(signs) + 14
        control = next((m for m in self.marks.get(place.id, ()) if m.kind in ("control", "taken")), None)
        head += 17 if control else 0
        wide = max([head, *(len(row) * step + 8 for row in rows)])
        high = 22 + len(rows) * step + (4 if rows else 0)
        x, y = cx - wide / 2, cy - 11
        drawn = self._node_box(place, (wide, high), large, small, control)
        self._other(f"node:{place.id}", drawn, x, y)
        self.out.boxes[place.id] = (x, y, wide, high)
        top = y + 22 + step / 2 + 1
        for row in rows:
            left = cx - (len(row) - 1) * step / 2
            for number, piece in enumerate(row):
                self._add(piece, left + number * step, top, NODE_SCALE)
            top += step
        others = [m for m in self.marks.get(place.id, ()) if m is not control]
        for number, mark in enumerate(others):
            fill, ink = self.beside.paint(mark.owner)
            told = title(mark_words(mark, self.owners))
            sign = pill(mark.text or mark.kind, fill, ink)
            self._other(f"mark:{place.id}:{number}", told + sign, x + 20 + 44 * number, y + high + 4)

    def _rows(self, pieces: list[Piece]) -> list[list[Piece]]:
        """One force a row, at most four counters long; leaders first."""
        forces: dict[tuple[str, str], list[Piece]] = {}
        for piece in pieces:
            leader = piece.under or (piece.id if any(p.under == piece.id for p in pieces) else "")
            forces.setdefault((piece.owner, leader), []).append(piece)
        rows = []
        for force in forces.values():
            rows += [force[i : i + ROW] for i in range(0, len(force), ROW)]
        merged: list[list[Piece]] = []
        for row in rows:  # short rows of two forces share a line
            if merged and len(rows) > 2 and len(merged[-1]) + len(row) <= ROW:
                merged[-1] = [*merged[-1], *row]
            else:
                merged.append(row)
        return merged

    def _node_box(
        self, place: Place, size: tuple[float, float], large: str, small: str, control: Mark | None
    ) -> str:
        wide, high = size
        owner = self.owners.get(control.owner) if control else None
        fill, ink = PALETTE[owner.colour % len(PALETTE)] if owner else ("#fffdf4", INK)
        told = place.name + (f" {place.gloss}" if place.gloss and place.gloss != place.name else "")
        told += "".join(f", {kind} {text}".rstrip() for kind, text in place.badges)
        told += f", held by {owner.gloss or owner.name}" if owner else ""
        r = 6
        frame = {"width": wide, "height": high, "rx": r}
        out = title(told) + tag("rect", **frame, fill="#fffdf4", fill_opacity=0.94)
        if high > 22:
            head = f"M0 22V{r}a{r} {r} 0 0 1 {r} -{r}H{n(wide - r)}a{r} {r} 0 0 1 {r} {r}V22Z"
            out += tag("path", d=head, fill=fill)
        else:
            out += tag("rect", **frame, fill=fill)
        out += tag("rect", **frame, fill="none", stroke="#111", stroke_width=1.2)
        out += words(large, 6, 15.6, 13, ink, anchor="start", bold=True)
        out += words(small, 9 + ems(large) * 13, 15, 7.5, ink, anchor="start")
        x = wide - 11
        for kind, text in reversed(place.badges):
            out += badge(kind, text, x, 11)
            x -= 17
        if owner:
            out += tag("rect", x=x - 6.5, y=4.5, width=13, height=13, rx=2, fill="#fff", stroke="#111")
            out += words(owner.badge, x, 14.4, 9.5, "#111", bold=True, most=12)
        return out

    # --- around the map

    def _around(self) -> None:
        scene, seats = self.scene, self._seats()
        wide = self.out.width or (PANEL + 2 * GAP if len(seats) <= 2 else 2 * PANEL + 3 * GAP)
        self.out.width = wide
        top = self.out.height + (GAP if self.out.height else 0)
        blocks = [self.beside.track(track) for track in scene.tracks]
        blocks += [self.beside.tray(tray, wide - 2 * GAP) for tray in scene.trays if not tray.seat]
        alone = not scene.board.places
        panels = [self.beside.panel(seat, self._panel_width(seat, wide, alone)) for seat in seats]
        if alone:
            top = self._flow(blocks, wide, top)
            self.out.height = self._flow(panels, wide, top)
        else:
            self.out.height = self._flow([*panels, *blocks], wide, top)
        if not self.out.height:
            self.out.height = 40

    def _seats(self) -> list[str]:
        found = list(dict.fromkeys(tray.seat for tray in self.scene.trays if tray.seat))
        you = self.manner.you
        return sorted(found, key=lambda seat: seat != you) if you in found else found

    def _panel_width(self, seat: str, wide: float, alone: bool) -> float:
        if alone:
            return PANEL
        need = sum(self.beside.tray_width(t) + GAP for t in self.scene.trays if t.seat == seat) + GAP
        return min(max(need, 120.0), wide - 2 * GAP)

    def _flow(self, blocks: list[Block], wide: float, top: float) -> float:
        """Blocks from left to right, a new line where there is no room; the bottom of the last one."""
        x, high = GAP, 0.0
        for block in blocks:
            before = len(self.out.items)
            self.groups += 1
            if x > GAP and x + block.wide > wide:
                x, top, high = GAP, top + high + GAP, 0.0
            for item in block.items:
                self.out.items.append(replace(item, x=item.x + x, y=item.y + top))
            self._raise(before, self.groups)
            for ident, (bx, by, bw, bh) in block.boxes.items():
                self.out.boxes[ident] = (bx + x, by + top, bw, bh)
            x += block.wide + GAP
            high = max(high, block.high)
        return top + high + (GAP if blocks else 0)


def total_of(pieces: Iterable[Piece]) -> str:
    """What their first values come to, if all are known."""
    total = 0
    for piece in pieces:
        found = re.match(r"\d+", piece.values)
        if found is None:
            return ""
        total += int(found.group()) * piece.count
    return str(total)


def sum_disc(text: str) -> str:
    return tag("circle", r=8, fill="#111", stroke="#fff", stroke_width=1) + words(
        text, 0, 3.6, 10, "#fff", bold=True, most=13
    )


def mark_words(mark: Mark, owners: dict[str, Owner]) -> str:
    """A mark in words."""
    owner = owners.get(mark.owner)
    who = f" by {owner.gloss or owner.name}" if owner else ""
    return f"{mark.kind}{who}{f': {mark.text}' if mark.text else ''}"
