"""The board for a terminal, from the same scene as the pictures: hexes that touch, areas, lists.

Nothing depends on colour. A hex is five columns wide and two lines high: above its number, or the unit on
it; below its ground and roads, or the unit's values. The sides are drawn with signs that the key explains.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.engine.options import PUBLIC, View
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules
from pbem.engine.scene import Piece, Place, Scene
from pbem.page.layout import total_of
from pbem.page.lists import areas_list, areas_map, reach_words, stacks, track, trays
from pbem.page.marks import mark_words
from pbem.page.plain import Way, cut, fold, fold_items, owners_of, pad, shorts, width
from pbem.page.style import named

STEP = 6
LEFT = 4
SIDES = {
    "river": "=",
    "stream": "~",
    "lake": "O",
    "sea": "O",
    "wall": "#",
    "gate": "H",
    "inner": "+",
    "bridge": "B",
    "ford": "F",
    "slope": "v",
    "hedge": '"',
    "fieldwork": "M",
    "redoubt": "W",
    "abatis": "X",
    "closed": "!",
}
ROAD, ROAD_OVER = "*", "%"
LETTERS = {
    "plain": " ",
    "clear": " ",
    "field": "f",
    "woods": "w",
    "orchard": "o",
    "marsh": "m",
    "rough": "r",
    "hill": "h",
    "mountain": "A",
    "town": "t",
    "village": "t",
    "city": "c",
    "castle": "C",
    "fort": "C",
    "bailey1": "1",
    "bailey2": "2",
    "bailey3": "3",
    "sea": "~",
    "lake": "~",
    "river": "~",
    "beach": "b",
    "off": "x",
}
PAINT = (33, 93, 31, 37, 35, 36, 91, 34, 33, 32, 93)
"""Terminal colours of the palette's slots."""
WATER, GREEN, BROWN, BRIGHT = 34, 32, 33, 7


def show(rules: AnyRules, pos: Position, view: View = PUBLIC, way: Way = Way()) -> str:  # noqa: B008 (frozen)
    """The position of any game for the terminal, readable without colour."""
    return board(rules.scene(pos, view), replace(way, reserved=literals(rules)))


def literals(rules: AnyRules) -> frozenset[str]:
    """The words that the notation of a game is made of."""
    return frozenset(w for move in rules.moves for w in move.notation.split() if not w.startswith("{"))


def board(scene: Scene, way: Way = Way()) -> str:  # noqa: B008 (frozen)
    """The whole board as text."""
    parts = [scene.headline] if scene.headline else []
    places = scene.board.places
    if places and places[0].shape == "hex":
        parts += [_Hexes(scene, way).text(), *_hex_lists(scene, way)]
    elif places:
        parts += [areas_map(scene, way), areas_list(scene, way)]
    if way.reach is not None:
        parts.append(reach_words(scene, way.reach, way))
    if way.stacks:
        parts.append(stacks(scene, way))
    parts += [trays(scene, way), *(track(one, way) for one in scene.tracks)]
    return "\n\n".join(part for part in parts if part) + "\n"


# --- hexes


class _Hexes:
    """A canvas of letters, each with its colour."""

    def __init__(self, scene: Scene, way: Way) -> None:
        self.scene, self.way = scene, way
        board = scene.board
        self.owners = owners_of(scene)
        self.short = shorts(scene, way.reserved)
        self.left = min(p.at[0] for p in board.places)
        self.top = min(p.at[1] for p in board.places)
        self.spot = {
            p.id: (round(p.at[0] - self.left), round(2 * (p.at[1] - self.top))) for p in board.places
        }
        self.by_spot = {spot: here for here, spot in self.spot.items()}
        self.kinds: dict[tuple[str, str], list[str]] = {}
        for edge in board.edges:
            for pair in ((edge.a, edge.b), (edge.b, edge.a)):
                self.kinds.setdefault(pair, []).append(edge.kind)
        self.roads = {pair for link in board.links for pair in ((link.a, link.b), (link.b, link.a))}
        self.on_road = {a for a, _ in self.roads}
        self.held: dict[str, list[Piece]] = {}
        for piece in scene.pieces:
            self.held.setdefault(piece.place, []).append(piece)
        self.marked = {mark.place for mark in scene.marks}
        sides = [o.side for o in scene.owners if o.side]
        self.first = sides[0] if sides else ""

    def text(self) -> str:
        columns = max(x for x, _ in self.spot.values()) + 1
        room = max(2, (self.way.columns - LEFT - 1) // STEP)
        strips = -(-columns // room)
        each = -(-columns // strips)
        return "\n\n".join(
            self._strip(first, min(first + each, columns)) for first in range(0, columns, each)
        )

    def _strip(self, first: int, last: int) -> str:
        lines = max(y for _, y in self.spot.values()) + 2
        self.canvas = [[(" ", 0)] * (LEFT + STEP * (last - first) + 1) for _ in range(lines)]
        rows: dict[int, str] = {}
        numbered = {self.spot[p.id]: p.number for p in self.scene.board.places if p.number}
        for place in self.scene.board.places:
            x, y = self.spot[place.id]
            if first <= x < last:
                self._hex(place, LEFT + STEP * (x - first), y)
                if len(place.number) == 4 and y % 2 == 0:
                    rows.setdefault(y, place.number[2:])
        head = [" "] * len(self.canvas[0])
        for x in range(first, last):
            number = next((n for (cx, _), n in numbered.items() if cx == x and len(n) == 4), "")
            at = LEFT + STEP * (x - first) + 2
            head[at : at + 2] = number[:2].rjust(2)
        for y, text in rows.items():
            self._put(text, 0, y, 0)
        return "\n".join(["".join(head).rstrip(), *(self._line(line) for line in self.canvas)])

    def _line(self, line: list[tuple[str, int]]) -> str:
        if not self.way.colour:
            return "".join(char for char, _ in line).rstrip()
        out, now = "", 0
        for char, paint in line:
            if paint != now:
                out += "\x1b[0m" if not paint else f"\x1b[0;{paint}m"
                now = paint
            out += char
        return (out + ("\x1b[0m" if now else "")).rstrip()

    def _put(self, text: str, x: int, y: int, paint: int) -> None:
        for char in text:
            wide = width(char)
            if x + wide <= len(self.canvas[y]):
                self.canvas[y][x] = (char, paint)
                if wide == 2:
                    self.canvas[y][x + 1] = ("", paint)
            x += max(wide, 1)

    def _side(self, here: str, dx: int, dy: int, plain: str) -> tuple[str, int]:
        x, y = self.spot[here]
        other = self.by_spot.get((x + dx, y + dy))
        if other is None:
            return plain, 0
        kinds = self.kinds.get((here, other), [])
        found = next((SIDES[kind] for kind in SIDES if kind in kinds and kind not in ("gate", "bridge")), "")
        if "gate" in kinds or "bridge" in kinds:
            return SIDES["gate" if "gate" in kinds else "bridge"], BROWN
        if (here, other) in self.roads:
            return (ROAD_OVER if found else ROAD), BROWN
        paint = WATER if found in "=~O" and found else 0
        return (found or plain), paint

    def _hex(self, place: Place, x: int, y: int) -> None:
        here = place.id
        for text, paint, at, line in (
            (*self._side(here, -1, -1, "/"), x, y),
            (*self._side(here, 1, -1, "\\"), x + STEP, y),
            (*self._side(here, -1, 1, "\\"), x, y + 1),
            (*self._side(here, 1, 1, "/"), x + STEP, y + 1),
        ):
            self._put(text, at, line, paint)
        low, paint = self._side(here, 0, 2, "_")
        self._put(low * 5, x + 1, y + 1, paint)
        upper, lower, colour = self._words(place)
        self._put(pad(upper, 5), x + 1, y, colour)
        if lower:
            at = x + 1 + (5 - width(lower)) // 2
            self._put(lower, at, y + 1, colour)

    def _words(self, place: Place) -> tuple[str, str, int]:
        here = place.id
        letter = "!" if here in self.marked else LETTERS.get(place.ground or "plain", "?")
        reach = self.way.reach
        pieces = [p for p in self.held.get(here, ()) if p.kind not in ("marker", "chit")]
        if reach is not None and here in reach.to:
            cost = reach.to[here]
            return (pieces and self._name(pieces, letter)) or f" {place.number}", f">{cost}<", BRIGHT
        if not pieces:
            road = ROAD if here in self.on_road else " "
            ground = f"{letter}{road}" if letter != " " else f" {road}" if road != " " else ""
            return f" {place.number}" if len(place.number) <= 4 else place.number, ground, 0
        upper = self._name(pieces, letter)
        lower = _values(pieces)
        if reach is not None and here in reach.attack:
            return upper, f"!{lower}!"[:5], BRIGHT
        owner = self.owners.get(pieces[-1].owner)
        return upper, lower, PAINT[owner.colour % len(PAINT)] if owner else 0

    def _name(self, pieces: list[Piece], letter: str) -> str:
        top = pieces[-1]
        word = top.picks[0][0] if top.picks and len(top.picks[0]) == 1 else top.name or top.id
        name = self.short.get(word) or cut(word, 4)
        owner = self.owners.get(top.owner)
        if owner and owner.side and owner.side == self.first:
            name = name.capitalize()
        elif top.kind == "general":
            name = name.upper()
        if "disordered" in top.states:
            return f"({name}"[:4] + ")"
        return f"{letter}{name}"


def _values(pieces: list[Piece]) -> str:
    if len(pieces) == 1:
        return pieces[0].values or (f"x{pieces[0].count}" if pieces[0].count > 1 else "")
    return f"{total_of(pieces) or '?'}x{len(pieces)}"


def _hex_lists(scene: Scene, way: Way) -> list[str]:
    """The key, named places, and marks."""
    board = scene.board
    grounds = dict.fromkeys(p.ground or "plain" for p in board.places)
    words = dict(board.key)
    letters = [f"{LETTERS[g]} {words.get(g, g)}" for g in grounds if LETTERS.get(g, " ") != " "]
    kinds = dict.fromkeys(e.kind for e in board.edges)
    signs = [f"{SIDES[k]} {words.get(k, k)}" for k in kinds if k in SIDES]
    if board.links:
        signs += [f"{ROAD} {words.get('road', 'road')}"]
        signs += [f"{ROAD_OVER} road across it"] if kinds else []
    sides = list(dict.fromkeys(o.side for o in scene.owners if o.side))
    about = f"A unit: short name, values below; Abc {sides[0]}, " if sides else "A unit: "
    about += "abc the others, ABC a general, (abc in disorder; 11x2: two units, the sum of their strengths."
    lines = fold_items("ground:", letters, way.columns) + fold_items("sides:", signs, way.columns)
    lines += [*fold(about, way.columns), *fold(board.numbering, way.columns)]
    places = [
        f"{p.id} {' '.join(filter(None, named(p.name, p.gloss, way.names)))}" for p in board.places if p.name
    ]
    if places:
        lines += fold_items("places:", places, way.columns)
    return ["\n".join(lines), _marks(scene, way)]


def _marks(scene: Scene, way: Way) -> str:
    owners = dict(owners_of(scene))
    shown = [f"{mark.place} {mark_words(mark, owners)}" for mark in scene.marks]
    return "\n".join(fold_items("marks (!):", shown, way.columns)) if shown else ""
