"""Where a unit may go and what it may attack now: the index of next words, read as a map."""

from __future__ import annotations

from pbem.engine.nextwords import Index
from pbem.engine.scene import Scene
from pbem.errors import UsageError
from pbem.page.plain import Reach, spelled_out


def reach(index: Index, scene: Scene, words: str, reserved: frozenset[str]) -> Reach:
    """The places that the words of an order may be joined with, with costs; attacks are those with odds."""
    picks = tuple(spelled_out(words, scene, reserved).split())
    found = index.picked(picks)
    if not found.fits and not found.offered:
        raise UsageError(
            f"no order that is legal now has {' '.join(picks)} in it", "`pbem legal` lists them all"
        )
    places = {place.id for place in scene.board.places}
    to: dict[str, str] = {}
    attack: list[str] = []
    named = [*(offer.word for offer in found.offered), *found.implied]
    for word in dict.fromkeys(named):
        place = word.rpartition("@")[2]
        if place not in places:
            continue
        orders = index.picked((*picks, word)).complete if "@" not in word else ()
        seen = [index.outlook(order) for order in orders]
        if any(one.odds for one in seen):
            attack.append(place)
        if not seen or any(not one.odds for one in seen):
            costs = [one.cost for one in seen if one.cost]
            to[place] = min(costs, key=_number) if costs else ""
    return Reach(to, tuple(attack))


def _number(cost: str) -> float:
    try:
        return float(cost)
    except ValueError:
        return 0.0
