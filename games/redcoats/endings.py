"""6.0, 9.1(2), 11.15: where a counter may end its move among the hexes that it reaches."""

from __future__ import annotations

from games.kit.hexes import HexId
from games.redcoats.paths import Walk
from games.redcoats.position import RedcoatsPosition
from pbem.engine.options import Refusal


def may_end(pos: RedcoatsPosition, unit: str, place: HexId) -> Refusal | None:
    """6.0, 9.1(2), 5.6: whether a unit may end its move in a hex that it can reach."""
    counter = pos.book[unit]
    if not pos.room(unit, place):
        reason = f"there is no room for {unit} in {place}: at most 12 strength points"
        return Refusal("6.0", reason, also=_counted(pos, unit, place))
    piece = pos.units.get(unit)
    if piece is None:
        return None
    if piece.disrupted and not _closer(pos, unit, place):
        return Refusal(
            "9.1", f"{unit} is disrupted: it must come nearer to its line of communication or a leader"
        )
    if counter.is_leader and place not in pos.men(counter.side) and pos.adjacent(counter.side, place):
        return Refusal("11.15", f"{unit} cannot be beside the enemy without troops in {place}")
    return None


def _counted(pos: RedcoatsPosition, unit: str, place: HexId) -> tuple[str, ...]:
    """6.2, 6.3: the rules by which guns and disrupted units take room."""
    there = (unit, *pos.combat(pos.book[unit].side, place))
    guns = any(pos.book[u].is_gun for u in there)
    shaken = any(u in pos.units and pos.units[u].disrupted for u in there)
    return (*(["6.2"] if guns else []), *(["6.3"] if shaken else []))


def _closer(pos: RedcoatsPosition, unit: str, place: HexId) -> bool:
    """9.1(2): strictly nearer, at the end, to one hex of the line or to one leader."""
    land, start = pos.land, pos.units[unit].hex
    return any(land.distance(place, goal) < land.distance(start, goal) for goal in rallies(pos, unit))


def rallies(pos: RedcoatsPosition, unit: str) -> tuple[HexId, ...]:
    """9.1(2): where a disrupted unit may go: its line of communication, and leaders as they stand."""
    side = pos.book[unit].side

    def look() -> tuple[HexId, ...]:
        leaders = [pos.units[u].hex for u in _leaders(pos, side) if u in pos.units]
        return tuple(dict.fromkeys((*pos.setting.lines[side], *leaders)))

    found: tuple[HexId, ...] = pos.remember(("rallies", side), look)
    return found


def not_closer(pos: RedcoatsPosition, unit: str, found: Walk) -> frozenset[HexId]:
    """Of the hexes that a disrupted unit reaches, those that are not nearer."""
    known, cubes, start = pos.ways(pos.book[unit].side), pos.land.grid.cubes, found.start
    closer: set[HexId] = set()
    for goal in rallies(pos, unit):
        if (found, goal) not in known:
            gx, gy, gz = cubes[goal]
            now = pos.land.distance(start, goal)
            known[found, goal] = [
                place
                for place in found.cost
                for x, y, z in (cubes[place],)
                if abs(x - gx) < now and abs(y - gy) < now and abs(z - gz) < now
            ]
        closer.update(known[found, goal])
    return frozenset(found.cost.keys() - closer)


def _leaders(pos: RedcoatsPosition, side: str) -> tuple[str, ...]:
    caches, key = pos.data.caches, f"leaders {pos.setting.roster} {side}"
    if key not in caches:
        caches[key] = tuple(sorted(u for u, c in pos.book.items() if c.is_leader and c.side == side))
    return caches[key]  # type: ignore[no-any-return]
