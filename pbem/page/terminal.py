"""The board for a terminal, from the same scene as the pictures: hexes that touch, areas, lists.

Nothing depends on colour. A hex is five columns wide and two lines high: above its number, or the unit on
it; below its ground and roads, or the unit's values. The sides are drawn with signs that the key explains.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pbem.engine.options import PUBLIC, View
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules
from pbem.engine.scene import Owner, Piece, Place, Scene, Track
from pbem.page.counters import describe
from pbem.page.layout import mark_words, total_of
from pbem.page.plain import cut, fold, fold_items, joined, owners_of, pad, shorts, table, width
from pbem.page.style import Names, named

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


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a unit may go and what it may attack, for the marks of `--legal`."""

    to: Mapping[str, str] = field(default_factory=dict)
    """Place: cost, or "" where it is not known."""
    attack: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """How a board is printed."""

    columns: int = 100
    colour: bool = False
    names: Names = "both"
    stacks: bool = False
    reach: Reach | None = None
    reserved: frozenset[str] = frozenset()
    """Words of the notation: no short name is one of them."""


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
        parts += [_areas_map(scene, way), _areas_list(scene, way)]
    if way.reach is not None:
        parts.append(_reach_words(scene, way.reach, way))
    if way.stacks:
        parts.append(_stacks(scene, way))
    parts += [_trays(scene, way), *(_track(track, way) for track in scene.tracks)]
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


# --- areas


def _areas_map(scene: Scene, way: Way) -> str:
    """Every area at its place: its name, signs and controller; below, what stands there."""
    places = scene.board.places
    left, top = min(p.at[0] for p in places), min(p.at[1] for p in places)
    wide = max(p.at[0] for p in places) - left or 1
    high = max(p.at[1] for p in places) - top or 1
    rows = max(8, min(34, round(high / wide * way.columns * 0.42)))
    lines: dict[int, list[tuple[int, str]]] = {}
    owners, held = owners_of(scene), _held(scene)
    for place in places:
        x = round((place.at[0] - left) / wide * (way.columns - 22))
        y = round((place.at[1] - top) / high * rows)
        mark = next((m for m in scene.marks if m.place == place.id and m.kind == "control"), None)
        owner = owners.get(mark.owner) if mark else None
        signs = "".join("*" if kind == "capital" else text for kind, text in place.badges)
        head = " ".join(filter(None, [_label(place, way), signs, _letter(owner)]))
        if way.reach is not None and place.id in way.reach.to:
            head = f">{head}<{way.reach.to[place.id]}"
        if way.reach is not None and place.id in way.reach.attack:
            head = f"!{head}!"
        lines.setdefault(y, []).append((x, head.rstrip()))
        stand = _count(held.get(place.id, []), owners)
        if stand:
            lines.setdefault(y + 1, []).append((x, stand))
    out = []
    for y in range(max(lines) + 1):
        line = ""
        for x, text in sorted(lines.get(y, [])):
            line = pad(line, x) if width(line) < x else line + " "
            line += text
        out.append(line.rstrip())
    return "\n".join(out)


def _label(place: Place, way: Way) -> str:
    return place.id if way.names == "latin" or not place.name else f"{place.id} {place.name}"


def _letter(owner: Owner | None) -> str:
    return f"[{owner.badge}]" if owner else "[-]"


def _count(pieces: list[Piece], owners: Mapping[str, Owner]) -> str:
    """`楚3 漢2`: how many units of whom."""
    found: dict[str, int] = {}
    for piece in pieces:
        badge = owners[piece.owner].badge if piece.owner in owners else "-"
        found[badge] = found.get(badge, 0) + piece.count
    return " ".join(f"{badge}{count}" for badge, count in found.items())


def _areas_list(scene: Scene, way: Way) -> str:
    held, owners = _held(scene), owners_of(scene)
    near: dict[str, list[str]] = {}
    for link in scene.board.links:
        near.setdefault(link.a, []).append(link.b)
        near.setdefault(link.b, []).append(link.a)
    rows = []
    for place in scene.board.places:
        mark = next((m for m in scene.marks if m.place == place.id and m.kind == "control"), None)
        signs = " ".join(f"{kind} {text}".strip() for kind, text in place.badges)
        who = owners[mark.owner] if mark and mark.owner in owners else None
        units = "; ".join(_pieces(held.get(place.id, []), owners, way))
        touches = f"touches {', '.join(sorted(near.get(place.id, [])))}"
        held_by = (who.gloss or who.name) if who else "-"
        rows.append((place.id, place.name, signs, held_by, units or "nobody"))
        rows.append(("", "", "", "", touches))
    return "\n".join(table(rows, way.columns))


def _pieces(pieces: list[Piece], owners: Mapping[str, Owner], way: Way) -> list[str]:
    """Units of each owner: `Chu: 項羽 Xiang Yu 4, 3 legions`."""
    found: dict[str, list[str]] = {}
    for piece in pieces:
        owner = owners.get(piece.owner)
        who = (owner.gloss if way.names != "original" and owner.gloss else owner.name) if owner else ""
        large, small = named(piece.name or piece.id, piece.gloss, way.names)
        name = f"{large} {small}".strip()
        text = f"{piece.count} {name}" if piece.kind == "count" else f"{name} {piece.values}".strip()
        found.setdefault(who, []).append(text + ("'" if "acted" in piece.states else ""))
    return [f"{who}: {', '.join(texts)}" if who else ", ".join(texts) for who, texts in found.items()]


# --- lists for every game


def _held(scene: Scene) -> dict[str, list[Piece]]:
    held: dict[str, list[Piece]] = {}
    for piece in scene.pieces:
        held.setdefault(piece.place, []).append(piece)
    return held


def _stacks(scene: Scene, way: Way) -> str:
    """Every unit of every place, the top one first, forces under their leaders."""
    owners, short = dict(owners_of(scene)), shorts(scene, way.reserved)
    held = _held(scene)
    lines = ["stacks (top first):"]
    for place in sorted(scene.board.places, key=lambda p: p.id):
        pieces = list(reversed(held.get(place.id, [])))
        leaders = [p for p in pieces if not p.under]
        ordered = [q for p in leaders for q in (p, *(u for u in pieces if u.under == p.id))]
        ordered += [p for p in pieces if p not in ordered]
        for number, piece in enumerate(ordered):
            word = piece.picks[0][0] if len(piece.picks) == 1 and piece.picks[0] else ""
            name = f"{short[word]} = {word}: " if short.get(word, word) != word else f"{word}: "
            name = name if word else ""
            indent = "  " if piece.under else ""
            head = place.id if number == 0 else " " * width(place.id)
            lines.append(f"{head}  {indent}{name}{describe(piece, owners.get(piece.owner))}")
    return "\n".join(line for text in lines for line in _hanging(text, way.columns)) if len(lines) > 1 else ""


def _hanging(text: str, columns: int) -> list[str]:
    first, *rest = fold(text, columns - 8)
    return [first, *(f"        {line}" for line in rest)]


def _trays(scene: Scene, way: Way) -> str:
    held, owners = _held(scene), owners_of(scene)
    lines = []
    for tray in scene.trays:
        pieces = held.get(tray.id, [])
        hidden = sum(p.count for p in pieces if "back" in p.states and not p.name)
        shown = [p for p in pieces if not ("back" in p.states and not p.name)]
        parts = [_one(piece, owners, way) for piece in shown]
        if hidden:
            parts.append(f"{hidden} face down")
        who = owners[tray.seat].gloss or owners[tray.seat].name if tray.seat in owners else tray.seat
        head = f"{who}, {tray.title}" if who else tray.title
        note = f" ({tray.note})" if tray.note else ""
        lines += fold_items(f"{head}{note}:", parts or ["nothing"], way.columns, "; ")
    return "\n".join(lines)


def _one(piece: Piece, owners: Mapping[str, Owner], way: Way) -> str:
    """A card or unit beside the map, with the word that orders use."""
    large, small = named(piece.name or piece.id, piece.gloss, way.names)
    word = piece.picks[0][0] if piece.picks else ""
    name = joined([f"{word} = {large}" if word and word != large else large])
    beside = f"({small})" if small and small != word else ""
    extra = joined([beside, piece.values, piece.corner, *piece.states])
    return f"{name} {extra}".rstrip()


def _track(track: Track, way: Way) -> str:
    if not track.tokens:
        return ""
    rows = []
    each = any(token.low is not None for token in track.tokens)
    for token in track.tokens if each else track.tokens[:0]:
        cells = []
        for box, text in enumerate(track.boxes):
            within = (token.low is None or box >= token.low) and (token.high is None or box <= token.high)
            cells.append(f"[{text}]" if box == token.box else f" {text} " if within else "")
        rows.append((token.name, *cells))
    if each:
        return "\n".join([f"{track.title}:", *table(rows, way.columns)])
    boxes, last = track.boxes, track.boxes[-1]
    there = joined(f"{t.name} {boxes[t.box] if t.box < len(boxes) else t.box}" for t in track.tokens)
    return f"{there} of {last}" if track.title in there else f"{track.title}: {there} of {last}"


def _reach_words(scene: Scene, reach: Reach, way: Way) -> str:
    places = [f"{place} ({cost})" if cost else place for place, cost in reach.to.items()]
    lines = fold_items("can go to (cost):", places or ["nowhere"], way.columns)
    if reach.attack:
        lines += fold_items("can attack:", reach.attack, way.columns)
    return "\n".join(lines)
