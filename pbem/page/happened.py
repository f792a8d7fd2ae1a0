"""Events for the page: the sentence, and fields that point at the board (path, units, dice, place).

A sentence comes in parts where it names dice: the page draws each die there, and the replay draws the one
that it has made again itself, so that no number of a report is taken for a die that fell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from pbem.engine.events import Event
from pbem.engine.machine import DiceFell, Ordered
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules
from pbem.engine.scene import Scene
from pbem.engine.wording import tell

WHO = ("unit", "units", "force", "forces", "general", "generals", "attackers", "defenders", "group", "leader")
"""Fields that name pieces."""
WHERE = ("target", "hex", "area", "place", "to")
"""Fields that name a place."""
THROWN = ("die", "dice")
"""Fields that repeat what was thrown."""
MARK = 70_000_000
"""Numbers from here on stand for dice while a sentence is made."""
_MARKED = re.compile(rf"({MARK // 1000}\d\d\d)")


def told(events: Iterable[Event], pos: Position, scene: Scene, rules: AnyRules) -> list[dict[str, Any]]:
    """Events that belong together, each with its chapter of the book and the dice that fell for it."""
    found: list[dict[str, Any]] = []
    fell: list[list[int]] = []
    slots, titles = colours(scene), chapters(rules)
    shown = [event for event in events if not event.quiet]
    for at, event in enumerate(shown):
        after = shown[at + 1] if at + 1 < len(shown) else None
        if isinstance(event, Ordered) and after is not None and not isinstance(after, Ordered):
            continue  # what came of it says it, too
        if isinstance(event, DiceFell):
            fell += [[value, event.sides] for value in event.dice]
            if after is not None:
                continue
        found.append(_one(event, fell, pos, slots))
        found[-1]["chapter"] = _chapter(event.rule, titles)
        fell = []
    return found


def _one(event: Event, fell: Sequence[list[int]], pos: Position, slots: Mapping[str, int]) -> dict[str, Any]:
    data = event.data
    units = list(dict.fromkeys(word for name in WHO for word in _words(data.get(name))))
    one: dict[str, Any] = {"rule": event.rule, "text": tell(event, pos), "units": units}
    path = [str(place) for place in data.get("path") or ()]
    if len(path) > 1:
        one["path"] = path
    where = next((str(data[name]) for name in WHERE if isinstance(data.get(name), str)), "")
    if where or path:
        one["place"] = where or path[-1]
    if fell:
        one["dice"] = list(fell)
        one["parts"] = parts(event, pos, len(fell))
    slot = next((slots[unit] for unit in units if unit in slots), None)
    if slot is not None:
        one["slot"] = slot
    return one


def parts(event: Event, pos: Position, count: int) -> list[str | int]:
    """The sentence of an event, with the number of a die in place of what it showed."""
    fields: dict[str, Any] = {"rule": event.rule, "aside": event.aside}
    fields |= {name: getattr(event, name) for name in type(event).fields}
    for name in THROWN:
        value = fields.get(name)
        if isinstance(value, int):
            fields[name] = MARK
        elif isinstance(value, tuple) and all(isinstance(die, int) for die in value):
            fields[name] = tuple(MARK + at for at in range(len(value)))
    split = _MARKED.split(tell(type(event)(**fields), pos))
    found = [int(part) - MARK if at % 2 else part for at, part in enumerate(split)]
    return [part for part in found if part != "" and not (isinstance(part, int) and part >= count)]


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
