"""11: supply lines, eight movement points from a castle or from a supplied Force.

The line runs outward and pays for every hex it enters, the Force's own included, as a moving Force would
(11.1-a, 11.1-b); here it is looked for backwards, from the Force, so that a castle near by ends the search.
"""

from __future__ import annotations

from games.kit.hexes import HexId
from games.sanada.position import SanadaPosition
from games.sanada.terms import ENEMY

REACH = 8
"""11.1."""


def supplied(pos: SanadaPosition, leader: str) -> bool:
    """11.1: whether a Force is in supply where it is; a garrison always is (11.1-c)."""
    piece = pos.units[leader]
    return piece.inside or hex_supplied(pos, pos.side(leader), piece.hex)


def hex_supplied(pos: SanadaPosition, side: str, place: HexId) -> bool:
    """Whether a Force of the side in the open of that hex is in supply."""
    memo = pos.index.memo
    key = ("supply", side, place)
    found = memo.get(key)
    if found is None:
        found = memo[key] = _trace(pos, side, place)
    return bool(found)


def source(pos: SanadaPosition, side: str, place: HexId) -> bool:
    """11.1-d: an own castle that is not invested and has no enemy Force outside."""
    castle = pos.castle_at(place)
    if castle is None:
        return False
    state = pos.castles[castle]
    return state.owner == side and state.siege is None and place not in pos.index.standing[ENEMY[side]]


def _trace(pos: SanadaPosition, side: str, start: HexId) -> bool:
    """Search backwards; every own Force that is reached is a relay and begins a line of its own (11.2)."""
    index, field = pos.index, pos.data.map
    own, foes, zone = index.standing[side], index.standing[ENEMY[side]], index.zone(ENEMY[side])
    castles, near, price = pos.data.castle_at, field.near, field.price
    if start in castles and source(pos, side, start):
        return True
    roots, seen = [start], {start}
    while roots:
        root = roots.pop()
        best = {root: 0}
        waiting: list[list[HexId]] = [[] for _ in range(REACH + 1)]
        waiting[0].append(root)
        for spent, now in enumerate(waiting):
            for here in now:
                if best[here] != spent:
                    continue
                extra = 1 if here in castles and enemy_castle(pos, side, here) else 0
                for there in near[here]:
                    total = spent + price[there][here] + extra
                    if total > REACH or best.get(there, total + 1) <= total:
                        continue
                    if there in castles and source(pos, side, there):
                        return True
                    if there in own:  # 11.3.2: a friend opens its hex, and relays
                        if there not in seen:
                            seen.add(there)
                            roots.append(there)
                        continue
                    if there in foes or there in zone:  # 11.3.1
                        continue
                    best[there] = total
                    waiting[total].append(there)
    return False


def enemy_castle(pos: SanadaPosition, side: str, place: HexId) -> bool:
    """14.2.7: a castle of the enemy that is not invested costs a point more."""
    castle = pos.castle_at(place)
    if castle is None:
        return False
    state = pos.castles[castle]
    return state.owner != side and state.siege is None
