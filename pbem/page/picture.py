"""A scene as a picture: the base drawn once for a board, the items of each position laid on it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from pbem.engine.scene import Board, Scene
from pbem.page import ground as land
from pbem.page import printed
from pbem.page.beside import Item, Manner
from pbem.page.counters import DEFS
from pbem.page.layout import Arranger, Layout
from pbem.page.marks import place_sign
from pbem.page.mesh import hexagon
from pbem.page.printed import Sheet
from pbem.page.style import GROUNDS, Names, ems, latin, wrapped
from pbem.page.svg import document, n, path, tag, words

_KEPT = 12
_sheets: OrderedDict[tuple[int, str], tuple[Board, Sheet]] = OrderedDict()


def sheet_of(scene: Scene) -> Sheet:
    """The drawn board; the same board is drawn once."""
    used = {region.owner for region in scene.board.regions}
    colours = ",".join(f"{o.id}{o.colour}" for o in scene.owners if o.id in used)
    key = (id(scene.board), colours)
    found = _sheets.get(key)
    if found is None or found[0] is not scene.board:
        drawn = printed.draw(scene.board, scene.owners)
        _sheets[key] = found = (scene.board, drawn)
        while len(_sheets) > _KEPT:
            _sheets.popitem(last=False)
    return found[1]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A scene with everything in its place."""

    sheet: Sheet
    layout: Layout


def draw(scene: Scene, manner: Manner = Manner()) -> Drawing:  # noqa: B008 (frozen)
    """The sheet and the items of a scene."""
    sheet = sheet_of(scene)
    return Drawing(sheet, Arranger(scene, sheet, manner).arrange())


def place_item(item: Item) -> str:
    """An item as markup."""
    move = f"translate({n(item.x)},{n(item.y)})"
    if item.scale != 1.0:
        move += f" scale({item.scale:g})"
    if item.turn:
        move += f" rotate({n(item.turn)})"
    return f'<g transform="{move}">{item.look}</g>'


def definitions() -> str:
    """What looks and grounds refer to."""
    return tag("defs", DEFS + land.defs())


def picture(scene: Scene, manner: Manner = Manner(), heading: str = "") -> str:  # noqa: B008 (frozen)
    """The whole as one SVG file that prints on A4: heading, board, pieces, what lies around, the legend."""
    drawing = draw(scene, manner)
    width, height = drawing.layout.width, drawing.layout.height
    legend, low = _legend(scene.board, width, manner.names)
    told = f"{heading}: {scene.headline}" if heading and scene.headline else heading or scene.headline
    head = wrapped(told, (width - 20) / 16)
    top = 11.0 + 19 * len(head)
    body = definitions() + tag("rect", x=0, y=-top, width=width, height=height + top + low, class_="table")
    for number, line in enumerate(head):
        body += words(line, 10, 20 - top + 19 * number, 15, "ink", anchor="start", bold=True)
    body += drawing.sheet.markup
    body += "".join(place_item(item) for item in drawing.layout.items)
    body += tag("g", legend, transform=f"translate(0,{n(height)})")
    whole = height + top + low
    return document(body, (0, -top, width, whole), _paper(width, whole), told)


def key_words(text: str, names: Names) -> str:
    """The words of the legend in the reader's language: those in another script are left out or alone."""
    parts = text.split()
    original, plain = [p for p in parts if not latin(p)], [p for p in parts if latin(p)]
    if not original or not plain or names == "both":
        return text
    return " ".join(plain if names == "latin" else original)


def _paper(width: float, height: float) -> tuple[str, str]:
    """A size in millimetres that fits an A4 sheet, upright or across."""
    wide, high = (277.0, 190.0) if width > height else (190.0, 277.0)
    scale = min(wide / width, high / height)
    return f"{width * scale:.1f}mm", f"{height * scale:.1f}mm"


def _legend(board: Board, width: float, names: Names) -> tuple[str, float]:
    """Signs and words under the picture."""
    out, x, y = "", 12.0, 16.0
    for kind, both in board.key:
        text = key_words(both, names)
        wide = 34 + ems(text) * 10 + 10
        if x + wide > width and x > 12:
            x, y = 12.0, y + 26
        out += _sign(board, kind, x + 14, y) + words(text, x + 33, y + 4, 10, "ink", anchor="start")
        x += wide + 8
    if board.key:
        y += 22
    for line in wrapped(board.numbering, (width - 24) / 10):
        out += words(line, 12, y + 2, 10, "soft", anchor="start")
        y += 14
    return (out, y) if out else ("", 0.0)


def _sign(board: Board, kind: str, x: float, y: float) -> str:
    """A little of what the legend's words mean."""
    drawn = {edge.kind for edge in board.edges} | {link.kind for link in board.links}
    if kind in printed.SIGNS and (kind in drawn or kind not in GROUNDS):
        return tag("g", printed.SIGNS[kind](), transform=f"translate({n(x)},{n(y)}) scale(0.7)")
    if kind in GROUNDS:
        ground = GROUNDS[kind]
        shape = tag("path", class_=f"g-{ground.tint}", d=path(hexagon((0, 0), 26), close=True))
        sign = f"{ground.sign}0" if ground.sign in ("trees", "grove", "reeds") else ground.sign
        shape += f'<use href="#s-{sign}"/>' if sign else ""
        shape += place_sign(kind, None) if kind in ("castle", "fort") else ""
        return tag("g", shape, transform=f"translate({n(x)},{n(y)}) scale(0.5)")
    return printed.badge(kind, "", x, y)
