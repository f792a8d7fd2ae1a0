"""13.0 as it stands: the points that the game would end with now, and what would end it at once."""

from __future__ import annotations

from games.kawagoe.book import UJIYASU
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO, HOUSES
from games.kawagoe.victory import CLASS_POINTS, LINE, anti_points, final_field, line_open
from pbem.engine.shown import Tally

WORDS = {
    "siege": "the ring around the castle is closed",
    "steps": "Hojo steps lost",
    "named": "多目, 弁千代, 綱成 (Tame, Benchiyo, Tsunashige) gone",
    "intrusion": "besiegers in the castle",
}


def score(pos: KawagoePosition) -> tuple[Tally, ...]:
    """Points so far, side by side; nobody knows yet what a counter is worth that was never turned over."""
    field = final_field(pos)
    found = [Tally(HOJO, "line of communication to the castle", LINE if line_open(pos, field) else 0, "13.1")]
    gone = [u for u in pos.fallen if pos.side(u) == ANTI]
    shaken = [u for u, piece in pos.units.items() if piece.disordered]
    classes = [pos.unit_class(u) for u in (*gone, *shaken)]
    for cls, points in CLASS_POINTS.items():
        number = classes.count(cls)
        if points and number:
            text = f"{number} {cls}{'' if number == 1 else 's'} gone or in disorder"
            found.append(Tally(HOJO, text, number * points, "13.1"))
    if None in classes:
        text = f"{classes.count(None)} unknown counters in disorder: up to a point each"
        found.append(Tally(HOJO, text, None, "13.1"))
    fallen = sum(unit in pos.fallen for unit in pos.book.commanders)
    text = f"総大将 (commanders) fallen: {fallen} of {len(HOUSES)}; all of them win"
    found.append(Tally(HOJO, text, None, "13.3"))
    for name, points in anti_points(pos, field).items():
        found.append(Tally(ANTI, WORDS[name], points, "13.2"))
    if UJIYASU in pos.units:
        left = pos.steps(UJIYASU)
        found.append(Tally(ANTI, f"氏康 (Ujiyasu) has {left} steps left; his fall wins", None, "13.4"))
    castle = pos.pack.map.castle
    held = sum(h in pos.taken and h not in pos.held(HOJO) for h in castle)
    found.append(Tally(ANTI, f"castle hexes taken: {held} of {len(castle)}; all of them win", None, "13.4"))
    return tuple(found)
