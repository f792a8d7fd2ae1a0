"""17.0: the exclusive rules of the seven battles that bend the standard ones, each asked where it matters."""

from __future__ import annotations

from collections.abc import Callable

from games.kit.hexes import HexId
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import AMERICAN, ENEMY, Closed, Crossing
from pbem.engine.events import Event
from pbem.engine.options import Refusal

Ban = Callable[[HexId, HexId], str]
"""The rule that forbids a step from one hex to the next, or ""."""


def allowance(pos: RedcoatsPosition, unit: str) -> int:
    """4.11: movement in half points."""
    counter = pos.book[unit]
    return allowance_of_one(pos, counter.side) * counter.ma


def allowance_of_one(pos: RedcoatsPosition, side: str) -> int:
    """TR-17.1: the half points of one movement point; doubled for the surprise on the first turn."""
    return 4 if pos.setting.doubled == side and pos.turn == 1 else 2


def hex_limit(pos: RedcoatsPosition, unit: str) -> int | None:
    """BK-17.1: Grant's force goes two hexes a turn before 1100."""
    slow = pos.setting.slow
    if slow is None or pos.turn >= slow.before:
        return None
    group = pos.setting.group_of(unit)
    return slow.hexes if group is not None and group.id == slow.group else None


def stands_still(pos: RedcoatsPosition, unit: str) -> Refusal | None:
    """HH-17.0, SP-17.0: who may not move at all; retreats are another matter."""
    counter = pos.book[unit]
    if pos.units[unit].held:
        reason = f"{unit} has not been released: the fight must come to it first"
        return Refusal("HH-17.0", reason, also=("HH-16.0",))
    if pos.setting.frozen == counter.side:
        if counter.is_gun:
            return Refusal("SP-17.0", f"{unit} is a gun of the fort and never moves")
        if pos.turn < 3:
            return Refusal("SP-17.0", f"{unit} does not move on the first two turns")
    return None


def immovable(pos: RedcoatsPosition, unit: str) -> bool:
    """SP-17.0-a: guns that cannot even retreat."""
    counter = pos.book[unit]
    return counter.is_gun and pos.setting.frozen == counter.side


class Released(Event):
    says = "{unit} is drawn into the fight"
    unit: str


def release(pos: RedcoatsPosition, place: HexId) -> None:
    """HH-17.0: whoever has an enemy beside him, or is fired at or assaulted, is drawn into the fight."""
    for side in (AMERICAN, ENEMY[AMERICAN]):
        for unit in pos.here(side, place):
            if pos.units[unit].held:
                pos.mark(unit, held=False)
                pos.say(Released(unit, rule="HH-17.0"))


def contact(pos: RedcoatsPosition, place: HexId) -> None:
    """HH-17.0: somebody has come to a hex: neighbours who were held are released."""
    if not any(group.held for group in pos.setting.groups):
        return
    for side in (AMERICAN, ENEMY[AMERICAN]):
        if place in pos.men(side):
            for near in pos.land.neighbours[place]:
                if near in pos.at(ENEMY[side]):
                    release(pos, near)
                    release(pos, place)


def step_ban(pos: RedcoatsPosition, unit: str) -> Ban | None:
    """BK-17.2, WP-17.0: what a battle's own rules close to a unit; None: nothing."""
    side = pos.book[unit].side
    bars = tuple(
        bar
        for bar in pos.setting.closed
        if bar.side == side and pos.turn < bar.before and not (bar.spared and unit in pos.chosen)
    )
    crossing = next((c for c in pos.setting.crossings if c.side == side), None)
    if not bars and crossing is None:
        return None
    west, group = _west(pos), pos.setting.group_of(unit)
    printed = group.enter if group is not None else None

    def ban(a: HexId, b: HexId) -> str:
        a = a or printed or b  # who arrives may stand in its own entry hex, whatever is closed
        for bar in bars:
            if _beyond(bar, a, b):
                return bar.rule
        if crossing is not None and a != b and _may_not_cross(pos, crossing, unit, a, b, west):
            return "WP-17.0"
        return ""

    return ban


def _west(pos: RedcoatsPosition) -> frozenset[HexId]:
    caches = pos.data.caches
    key = f"west {pos.setting.field}"
    if key not in caches:
        caches[key] = frozenset(pos.land.areas.get("west", ()))
    return caches[key]  # type: ignore[no-any-return]


def _beyond(bar: Closed, a: HexId, b: HexId) -> bool:
    """Whoever stands beyond the line may move there, but no further (BK-17.2-b)."""
    if bar.column and int(b[:2]) < bar.column:
        return int(b[:2]) < int(a[:2])
    return bool(bar.row) and int(b[2:]) < bar.row and int(b[2:]) < int(a[2:])


def _may_not_cross(
    pos: RedcoatsPosition, crossing: Crossing, unit: str, a: HexId, b: HexId, west: frozenset[HexId]
) -> bool:
    """WP-17.0: into the west only the chosen, the British among them over the ford, nobody of theirs by the
    bridge; the way back is open."""
    if crossing.closed and crossing.closed in (a, b) and "bridge" in pos.land.grid.features[a][b]:
        return True
    if b not in west or a in west:
        return False
    return unit not in pos.chosen or (crossing.only is not None and crossing.only not in (a, b))
