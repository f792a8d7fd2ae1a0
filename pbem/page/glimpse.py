"""A glimpse of a game for the list of games: the part of its board where most pieces stand."""

from __future__ import annotations

import re
from statistics import median
from typing import Any

from pbem.engine.scene import Scene
from pbem.page.beside import Manner
from pbem.page.picture import definitions, draw, place_item

WIDE, HIGH = 520.0, 240.0
"""How much of the sheet is seen."""


def glimpse(scene: Scene, manner: Manner, mark: str) -> dict[str, Any]:
    """Markup and the part of the plane to show; `mark` keeps its ids apart from those of other pictures."""
    drawing = draw(scene, manner)
    sheet, layout = drawing.sheet, drawing.layout
    pieces = {piece.id for piece in scene.pieces}
    on_map = [item for item in layout.items if item.id in pieces and item.place in sheet.at]
    x = median(item.x for item in on_map) if on_map else (sheet.width or WIDE) / 2
    y = median(item.y for item in on_map) if on_map else (sheet.height or HIGH) / 2
    left = min(max(0.0, x - WIDE / 2), max(0.0, layout.width - WIDE))
    top = min(max(0.0, y - HIGH / 2), max(0.0, (sheet.height or layout.height) - HIGH))
    seen = [
        item
        for item in layout.items
        if left - 150 < item.x < left + WIDE + 40 and top - 150 < item.y < top + HIGH + 120
    ]
    markup = definitions() + sheet.mini + "".join(map(place_item, seen))
    markup = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{mark}-", markup)
    return {"markup": markup, "box": [round(left, 1), round(top, 1), WIDE, HIGH]}
