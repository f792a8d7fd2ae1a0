"""Where everything lies: stacks on hexes, forces in areas, names; trays, tracks and panels around the map.

The result is a list of items in the order in which they are drawn, each a look (drawn around (0, 0)), a spot,
a scale and a turn. A picture, the page and the replay are made from the same items; whoever compares two
lists knows what moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pbem.engine.scene import Mark, Piece, Place, Scene
from pbem.page.areas import area_box, rows_of
from pbem.page.beside import GAP, Beside, Block, Item, Manner
from pbem.page.counters import SIZE, colour, pill, shield
from pbem.page.labels import Box
from pbem.page.lettering import Lettering
from pbem.page.marks import mark_look, place_sign
from pbem.page.printed import Sheet, badge
from pbem.page.svg import tag

SHINGLE = (5.0, 12.0)
"""How far a lower counter of a small stack shows, so that its value strip can be read."""
STEP = SIZE + 3
"""From one counter of an area to the next."""
TABLE = 1040.0
"""How wide a table without a map is, unless the page says how wide it has room for."""
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
        scene = replace(scene, trays=tuple(tray for tray in scene.trays if tray.layout != "choice"))
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
        self.out = Layout(width=sheet.width, height=sheet.height)
        self.groups = len(scene.board.places) + 2
        self.tops: list[Item] = []
        """Sums of stacks: above everything on the map, whatever stands in the hex below."""
        self.stands: dict[str, Box] = {}
        """What counters cover of the map, by place."""
        self.shields: dict[str, Box] = {}
        self.beside = Beside(scene, self.owners, self.corner, self.held, manner)

    def arrange(self) -> Layout:
        """Map first, then its names, then what lies around it."""
        for number, place in enumerate(self.scene.board.places):
            before = len(self.out.items)
            if self.sheet.hexes:
                self._hex(place)
            else:
                self._area(place)
            self._raise(before, number)
        before = len(self.out.items)
        if self.scene.board.places:
            letters = Lettering(self.scene, self.sheet, self.manner.names, self.stands, self.shields)
            self.out.items += letters.items()
        self._raise(before, self.groups - 2)
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

    def _add(self, piece: Piece, x: float, y: float, scale: float = 1.0) -> None:
        drawn = self.beside.look(piece, full=False)
        if piece.kind in ("unit", "general", "count"):
            drawn = tag("g", drawn, class_="near") if self.sheet.hexes else drawn
        self.out.items.append(Item(piece.id, drawn, x, y, scale, 0.0, piece.place))

    def _other(self, ident: str, drawn: str, x: float, y: float) -> None:
        self.out.items.append(Item(ident, drawn, x, y))

    # --- hexes

    def _hex(self, place: Place) -> None:
        pieces, marks = self.held.get(place.id, []), self.marks.get(place.id, [])
        x, y = self.sheet.at[place.id]
        sign = place.sign or (place.ground if place.ground in ("castle", "fort") else "")
        if sign:
            holder = next((m for m in marks if m.kind in ("control", "taken")), None)
            owner = self.owners.get(holder.owner if holder else place.owner)
            self._other(f"sign:{place.id}", place_sign(sign, owner), x, y)
        shown = [m for m in marks if not (sign and m.kind == "control")]
        for number, mark in enumerate(shown):
            drawn, dx, dy = mark_look(mark, self.owners)
            self._other(f"mark:{place.id}:{number}", drawn, x + dx, y + dy)
        large = [p for p in pieces if p.kind not in ("marker", "chit")]
        small = [p for p in pieces if p.kind in ("marker", "chit")]
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
            self._add(piece, x - 17 + 11 * number, y + 20, 0.8 if piece.kind == "marker" else 0.5)
        if place.badges and not place.name:
            for number, (kind, text) in enumerate(place.badges):
                spot = x - 24 if number % 2 == 0 else x + 24
                self.tops.append(Item(f"badge:{place.id}:{number}", badge(kind, text, 0, 0), spot, y, 0.8))
        if large:
            deep = max(map(len, camps.values())) - 1
            wide, high = 20 + (2.5 * deep if deep < 3 else 4), 20 + (6 * deep if deep < 3 else 8)
            self.stands[place.id] = (x - wide, y + 1.5 - high, x + wide, y + 1.5 + high)
            self._shield(place, camps, bool(sign))

    def _shield(self, place: Place, camps: dict[str, list[Piece]], sign: bool) -> None:
        """What is seen of a stack from afar: how many, in their colour."""
        x, y = self.sheet.at[place.id]
        x, y = (x + 24, y - 18) if sign else (x, y)
        for number, camp in enumerate(camps.values()):
            hue = colour(self.owners.get(camp[-1].owner))
            drawn = tag("g", shield(str(sum(p.count for p in camp)), hue), class_="far")
            self.tops.append(
                Item(f"shield:{place.id}:{number}", drawn, x, y + 26 * number, 1.0, 0.0, place.id)
            )
        self.shields[place.id] = (x - 16, y - 15, x + 16, y + 15 + 26 * (len(camps) - 1))

    def _stack(self, pieces: list[Piece], where: str, x: float, y: float, scale: float) -> None:
        """Shingled if they are few, so that every value can be read; else edges, the count and the sum."""
        many = len(pieces)
        if many <= 3:
            dx, dy = SHINGLE[0] * scale, SHINGLE[1] * scale
            left, top = x - dx * (many - 1) / 2, y - dy * (many - 1) / 2
            for number, piece in enumerate(pieces):
                deep = many - 1 - number
                self._add(piece, left + dx * deep, top + dy * deep, scale)
            return
        for number, piece in enumerate(pieces):
            deep = min(many - 1 - number, 3)
            self._add(piece, x + (2.4 * deep - 3) * scale, y + (-2.4 * deep - 1) * scale, scale)
        total = total_of(pieces)
        said = tag("g", pill(f"{many} · Σ{total}" if total else f"{many}"), class_="near")
        self.tops.append(Item(f"sum:{where}", said, x, y + 23 * scale, scale, 0.0, pieces[-1].place))

    # --- areas

    def _area(self, place: Place) -> None:
        cx, cy = self.sheet.at[place.id]
        rows = rows_of(self.held.get(place.id, []))
        marks = self.marks.get(place.id, [])
        control = next((m for m in marks if m.kind in ("control", "taken")), None)
        owner = self.owners.get(control.owner) if control else None
        drawn, wide, high, head = area_box(place, rows, owner, self.manner.names)
        x, y = cx - wide / 2, cy - head / 2
        self._other(f"node:{place.id}", drawn, x, y)
        self.out.boxes[place.id] = (x, y, wide, high)
        self.stands[place.id] = (x, y, x + wide, y + high)
        top = y + head + STEP / 2 + 2
        for row in rows:
            left = cx - (len(row) - 1) * STEP / 2
            for number, piece in enumerate(row):
                self._add(piece, left + number * STEP, top)
            top += STEP
        for number, mark in enumerate(m for m in marks if m is not control):
            look, _, _ = mark_look(mark, self.owners, flat=True)
            self._other(f"mark:{place.id}:{number}", look, x + 20 + 44 * number, y + high + 4)

    # --- around the map

    def _around(self) -> None:
        scene, seats = self.scene, self._seats()
        alone = not scene.board.places
        panel = (self.manner.wide or TABLE) - 2 * GAP
        wide = panel * (1 if len(seats) <= 2 or panel < 700 else 2) + 3 * GAP
        if not alone:
            wide = self.manner.wide or self.sheet.width
        self.out.width = max(wide, self.out.width)
        top = self.out.height + (GAP if self.out.height else 0)
        common = [self.beside.tray(tray, wide - 2 * GAP) for tray in scene.trays if not tray.seat]
        tracks = [self.beside.track(track, wide - 2 * GAP) for track in scene.tracks]
        panels = [
            self.beside.panel(seat, panel if alone else self._panel_width(seat, wide)) for seat in seats
        ]
        if alone:  # the others above, the middle of the table, one's own panel below
            own = panels[:1] if seats and seats[0] == self.manner.you else []
            top = self._flow(panels[len(own) :], wide, top + GAP)
            top = self._flow([*common, *tracks], wide, top, centred=True) + GAP
            self.out.height = self._flow(own, wide, top)
        else:
            hands = [p for p, seat in zip(panels, seats, strict=True) if self._holds_cards(seat)]
            others = [p for p in panels if p not in hands]
            self.out.height = self._flow([*hands, *tracks, *others, *common], wide, top)
        self.out.height = self.out.height or 40.0

    def _holds_cards(self, seat: str) -> bool:
        """Whether a seat has a hand of cards, which is looked at more often than any track."""
        trays = {tray.id for tray in self.scene.trays if tray.seat == seat}
        return any(piece.kind == "card" for tray in trays for piece in self.held.get(tray, ()))

    def _seats(self) -> list[str]:
        found = list(dict.fromkeys(tray.seat for tray in self.scene.trays if tray.seat))
        you = self.manner.you
        return sorted(found, key=lambda seat: seat != you) if you in found else found

    def _panel_width(self, seat: str, wide: float) -> float:
        need = sum(self.beside.tray_width(t) + GAP for t in self.scene.trays if t.seat == seat) + GAP
        return min(max(need, 160.0), wide - 2 * GAP)

    def _flow(self, blocks: list[Block], wide: float, top: float, centred: bool = False) -> float:
        """Blocks from left to right, a new line where there is no room; the bottom of the last one."""
        x, high = GAP, 0.0
        whole = sum(block.wide + GAP for block in blocks)
        if centred and whole < wide - GAP:
            x = (wide - whole + GAP) / 2
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
