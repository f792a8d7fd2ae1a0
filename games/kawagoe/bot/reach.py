"""Where a group can go and what is left of its points: the ways of 6.1 with their price, for plans."""

from __future__ import annotations

from games.kawagoe.position import ENEMY, STACK, KawagoePosition
from games.kit.hexes import HexId


def reach(pos: KawagoePosition, seat: str, size: int, start: HexId, points: int) -> dict[HexId, int]:
    """Every hex where the group may end its move, its own included, with the points left there."""
    foes, friends, zone = pos.held(ENEMY[seat]), pos.held(seat), pos.zone(ENEMY[seat])
    found = {start: points}
    if start in zone:
        return found
    exits, limit = pos.pack.map.exits, STACK[seat] - size
    waiting: list[list[HexId]] = [[] for _ in range(points + 1)]
    waiting[points].append(start)
    for left in range(points, 0, -1):
        for here in waiting[left]:
            if found[here] != left or (here in zone and here != start):
                continue
            for n, price in exits[here]:
                rest = left - price
                if rest < 0 or found.get(n, -1) >= rest or n in foes:
                    continue
                others = friends.get(n)
                if others and len(others) > limit:
                    continue
                found[n] = rest
                waiting[rest].append(n)
    return found
