"""14.2, 14.3: ways over the map for one Force.

Every step pays its terrain, river and enemy castle; no step enters an enemy's hex (14.2.5) or, for a spent
Force, an enemy zone (14.2.6). Up to eight points zones are free; beyond that the Force must have begun in
supply and the whole way must be clean of enemy zones (14.3), so a clean way is looked for first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from games.kit.hexes import HexId
from games.kit.ways import Flood
from games.sanada.position import SanadaPosition
from games.sanada.supply import enemy_castle
from games.sanada.terms import ENEMY
from pbem.engine.options import Refusal

ALLOWANCE, STRATEGIC = 8, 16
"""14.2.2, 14.3."""
EXIT = 1
"""17.1.2: leaving a castle."""


@dataclass(frozen=True, slots=True)
class Traveller:
    """A Force under way, as far as its ways depend on it."""

    side: str
    hex: HexId
    used: int
    """Points it has used in this phase, and the point for the gate if it is inside."""
    strategic: bool
    """Whether it may still go beyond eight points."""
    spent: bool
    """All face-down."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way that was found."""

    path: tuple[HexId, ...]
    """Without the start."""
    cost: int
    clean: bool
    """It enters no enemy zone."""


def step_price(pos: SanadaPosition, side: str, here: HexId, there: HexId) -> int:
    """14.2.3, 14.2.7: what one step costs; only for steps that terrain allows."""
    extra = 1 if there in pos.data.castle_at and enemy_castle(pos, side, there) else 0
    return pos.data.map.price[here][there] + extra


def _flood(pos: SanadaPosition, who: Traveller, clean: bool, *, foes: bool = True) -> Flood:
    """The cheapest ways from where the Force is; enemy castles that are not invested cost a point more."""
    enemy, land = ENEMY[who.side], pos.data.map
    return Flood(
        land.exits,
        land.grid.cubes,
        who.hex,
        (STRATEGIC if clean and who.strategic else ALLOWANCE) - who.used,
        closed=pos.index.standing[enemy] if foes else (),
        barred=pos.index.zone(enemy) if clean or who.spent else (),
        tolls=_tolls(pos, who.side),
    )


def _tolls(pos: SanadaPosition, side: str) -> frozenset[HexId]:
    memo, key = pos.index.memo, ("tolls", side)
    if key not in memo:
        castles = pos.castles
        hostile = [
            place
            for place, castle in pos.data.castle_at.items()
            if castles[castle].owner != side and enemy_castle(pos, side, place)
        ]
        memo[key] = frozenset(hostile)
    return memo[key]  # type: ignore[no-any-return]


def _way(pos: SanadaPosition, who: Traveller, goal: HexId, clean: bool, *, foes: bool = True) -> Way | None:
    """The cheapest way to a hex; between equals the first one clockwise."""
    flood = _flood(pos, who, clean, foes=foes)
    path = flood.path(goal)
    return None if path is None else Way(path, flood.price(goal), clean or who.spent)


def reachable(pos: SanadaPosition, who: Traveller) -> Iterator[HexId]:
    """Where the Force may go."""
    if not who.strategic:
        yield from _flood(pos, who, clean=False).hexes()
        return
    seen: dict[HexId, None] = {}
    for place in _flood(pos, who, clean=True).hexes():
        seen[place] = None
        yield place
    if not who.spent:
        for place in _flood(pos, who, clean=False).hexes():
            if place not in seen:
                yield place


def find_way(pos: SanadaPosition, who: Traveller, goal: HexId) -> Way | None:
    """The way that the Force takes: a clean one if it may still march strategically, else the cheapest."""
    memo = pos.index.memo
    key = ("way", who, goal)
    if key not in memo:
        way = _way(pos, who, goal, clean=True) if who.strategic else None
        memo[key] = way or _way(pos, who, goal, clean=False)
    return memo[key]  # type: ignore[no-any-return]


def blocked(pos: SanadaPosition, who: Traveller, goal: HexId) -> Refusal | None:
    """None if the hex can be reached; else the rule that stands in the way."""
    if find_way(pos, who, goal) is not None:
        return None
    if not pos.data.map.is_open(goal):
        return Refusal("14.1.4", f"{goal} is {pos.data.map.ground(goal)}: nobody enters it")
    if goal in pos.index.standing[ENEMY[who.side]]:
        return Refusal("14.2.5", f"the enemy is in {goal}")
    if who.spent:
        fit = Traveller(who.side, who.hex, who.used, who.strategic, False)
        if find_way(pos, fit, goal) is not None:
            return Refusal(
                "14.2.6", f"a Force that is all face-down enters no enemy zone on the way to {goal}"
            )
    if goal in pos.data.map.grid.neighbours[who.hex] and goal not in pos.data.map.near[who.hex]:
        return Refusal("14.1.5", f"water is between {who.hex} and {goal}, and it is too far around")
    if _way(pos, who, goal, clean=False, foes=False) is not None:
        return Refusal("14.2.5", f"the enemy bars every way to {goal}")
    if goal in pos.data.map.near[who.hex] and not (who.strategic and _near_enough(pos, who, goal)):
        return Refusal("14.2.3", f"the points that are left do not pay for {goal}")
    wide = Traveller(who.side, who.hex, who.used, True, who.spent)
    if not who.strategic and _way(pos, wide, goal, clean=True) is not None:
        return Refusal(
            "14.3", f"{goal} is beyond {ALLOWANCE} points, and this Force cannot march strategically"
        )
    if who.strategic and _near_enough(pos, who, goal):
        return Refusal("14.3", f"no way to {goal} within {STRATEGIC - who.used} points avoids enemy zones")
    left = (STRATEGIC if who.strategic else ALLOWANCE) - who.used
    return Refusal("14.2.4", f"{max(left, 0)} points are not enough to reach {goal} from {who.hex}")


def _near_enough(pos: SanadaPosition, who: Traveller, goal: HexId) -> bool:
    """Whether only zones keep a strategic march from a hex."""
    free = Traveller(who.side, who.hex, who.used - (STRATEGIC - ALLOWANCE), False, False)
    return _way(pos, free, goal, clean=False) is not None


def wander(pos: SanadaPosition, who: Traveller, rng: Random) -> HexId | None:
    """A random hex that can be reached, found by walking at random; None if there is none."""
    index, castles, exits = pos.index, pos.data.castle_at, pos.data.map.exits
    foes, zone = index.standing[ENEMY[who.side]], index.zone(ENEMY[who.side])
    here, used, clean = who.hex, who.used, who.strategic
    while True:
        limit = STRATEGIC if clean else ALLOWANCE
        steps = []
        for there, price in exits[here]:
            if (
                there in foes
                or there == who.hex
                or (there in zone and (who.spent or used + price > ALLOWANCE))
            ):
                continue
            if there in castles and enemy_castle(pos, who.side, there):
                price += 1
            if used + price <= (ALLOWANCE if there in zone else limit):
                steps.append((there, price))
        if not steps:
            break
        here, price = steps[rng.randrange(len(steps))]
        used += price
        clean = clean and here not in zone
        if rng.random() < 0.15:
            break
    return None if here == who.hex else here
