"""Events for the page: the sentence, and fields that point at the board (path, units, dice, place)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from pbem.engine.rules import AnyRules
from pbem.engine.scene import Scene
from pbem.report import QUIET, spoken

WHO = ("unit", "units", "force", "forces", "general", "generals", "attackers", "defenders", "group", "leader")
"""Fields that name pieces."""
WHERE = ("target", "hex", "area", "place", "to")
"""Fields that name a place."""
DICE = ("die", "dice", "rolls", "roll")
"""Fields that say what was thrown."""

THROWN = {6, 10}
"""Sides of the dice that games throw; other bounds are draws by lot unless the event says what was thrown."""


def told(events: Iterable[Mapping[str, Any]], scene: Scene, rules: AnyRules) -> list[dict[str, Any]]:
    """Events of one entry, each with its chapter of the book and what the protocol threw for it."""
    found: list[dict[str, Any]] = []
    fell: list[list[int]] = []
    slots, titles = colours(scene), chapters(rules)
    for event in events:
        if any(key in event for key in QUIET):
            bounds = event.get("bounds", ())
            fell += [[int(v) + 1, int(b)] for v, b in zip(event.get("values", ()), bounds, strict=False)]
            continue
        found.append(_one(event, fell, slots))
        found[-1]["chapter"] = _chapter(found[-1]["rule"], titles)
        fell = []
    return found


def _one(event: Mapping[str, Any], fell: Sequence[list[int]], slots: Mapping[str, int]) -> dict[str, Any]:
    units = list(dict.fromkeys(word for name in WHO for word in _words(event.get(name))))
    one: dict[str, Any] = {"rule": str(event["rule"]), "text": spoken(event), "units": units}
    path = [str(place) for place in event.get("path") or ()]
    if len(path) > 1:
        one["path"] = path
    where = next((str(event[name]) for name in WHERE if isinstance(event.get(name), str)), "")
    if where or path:
        one["place"] = where or path[-1]
    if fell and (any(name in event for name in DICE) or {bound for _, bound in fell} <= THROWN):
        one["dice"] = list(fell)
    slot = next((slots[unit] for unit in units if unit in slots), None)
    if slot is not None:
        one["slot"] = slot
    return one


def _words(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, (list, tuple)) else []


def colours(scene: Scene) -> dict[str, int]:
    """The palette's slot of every piece's owner."""
    owners = {owner.id: owner.colour for owner in scene.owners}
    return {piece.id: owners[piece.owner] for piece in scene.pieces if piece.owner in owners}


@cache
def chapters(rules: AnyRules) -> Mapping[str, str]:
    """The titles of a game's rules by number."""
    return {str(rule["id"]): str(rule.get("title", "")) for rule in rules.summaries()}


def _chapter(rule: str, titles: Mapping[str, str]) -> str:
    """The title of the chapter that a rule stands in."""
    head = re.split(r"[.-]", rule)[0]
    return next((titles[name] for name in (head, f"{head}.0", rule) if titles.get(name)), "")
