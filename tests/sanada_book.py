"""A second reading of the sanada rulebook, written from the rules alone, without the program's lookups.

Slow and plain on purpose. `test_sanada_reading.py` compares the program with it in random games.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from games.sanada.battle import Battle
from games.sanada.march import MovingPhase
from games.sanada.position import SanadaPosition
from games.sanada.retreat import Rout
from games.sanada.rules import SANADA
from games.sanada.terms import KANTO, OSAKA

PACK = SANADA.load_pack()
TERRAIN = PACK.map.grid.terrain
FEATURES = PACK.map.grid.features
CLOSED = {"sea", "lake", "mountain"}
PRICE = {"flat": 1, "rough": 2, "marsh": 2}
OTHER = {OSAKA: KANTO, KANTO: OSAKA}
RANKS = ["gunzei", "busho", "taisho", "sodaisho"]
CASTLES = {castle.hex: castle.id for castle in PACK.castles.values()}


@cache
def around(place: str) -> list[str]:
    """The adjacent hexes; even columns stand half a hex lower."""
    column, row = int(place[:2]), int(place[2:])
    low = 0 if column % 2 else 1
    steps = [(0, -1), (0, 1)] + [(dx, dy) for dx in (-1, 1) for dy in (low - 1, low)]
    found = [f"{column + dx:02d}{row + dy:02d}" for dx, dy in steps]
    return [h for h in found if h in TERRAIN]


@cache
def steps(place: str) -> list[str]:
    """14.1.4, 14.1.5: where one can go from a hex, whoever stands there."""
    return [n for n in around(place) if TERRAIN[n] not in CLOSED and "sea" not in FEATURES[place][n]]


def apart(a: str, b: str) -> int:
    """A count of hexes, ring by ring."""
    seen = edge = {a}
    count = 0
    while b not in seen:
        edge = {n for h in edge for n in around(h)} - seen
        seen = seen | edge
        count += 1
    return count


def open_castle(pos: SanadaPosition, place: str) -> str | None:
    castle = CASTLES.get(place)
    return castle if castle and not pos.castles[castle].closed else None


def standing(pos: SanadaPosition, side: str) -> set[str]:
    """Hexes in whose open a side stands."""
    return {p.hex for u, p in pos.units.items() if pos.side(u) == side and not p.inside}


def zone(pos: SanadaPosition, side: str) -> set[str]:
    """9, 9.1.1, 9.1.2."""
    sources = standing(pos, side)
    for castle, state in pos.castles.items():
        if state.owner == side and state.siege is None and not state.closed:
            sources = sources | {PACK.castles[castle].hex}
    return {n for h in sources for n in steps(h)} - standing(pos, OTHER[side])


def price(pos: SanadaPosition, side: str, a: str, b: str) -> int:
    """14.1.2, 14.2.3, 14.2.7."""
    castle = open_castle(pos, b)
    hostile = castle and pos.castles[castle].owner != side and pos.castles[castle].siege is None
    return PRICE[TERRAIN[b]] + ("river" in FEATURES[a][b]) + bool(hostile)


def fed(pos: SanadaPosition, side: str) -> set[str]:
    """11: hexes in which a Force in the open would be supplied; lines run outward, relay by relay."""
    foes, barred = standing(pos, OTHER[side]), zone(pos, OTHER[side])
    own = standing(pos, side)
    sources = {
        PACK.castles[c].hex
        for c, s in pos.castles.items()
        if s.owner == side and s.siege is None and not s.closed and PACK.castles[c].hex not in foes
    }
    reached: set[str] = set()
    todo = list(sources)
    begun = set(todo)
    while todo:
        start = todo.pop()
        best = {start: 0}
        edge = [start]
        while edge:
            here = edge.pop(0)
            if here != start and (here in barred):
                continue
            for n in steps(here):
                total = best[here] + price(pos, side, here, n)
                if total <= 8 and n not in foes and total < best.get(n, 99):
                    best[n] = total
                    edge.append(n)
        for h in best:
            if h not in barred or h in sources or h in own:
                reached.add(h)
                if h in own and h not in begun:
                    begun.add(h)
                    todo.append(h)
    return reached | sources


def is_fed(pos: SanadaPosition, leader: str, hexes: set[str]) -> bool:
    return pos.units[leader].inside or pos.units[leader].hex in hexes


def force(pos: SanadaPosition, leader: str) -> list[str]:
    return [u for u, p in pos.units.items() if u == leader or p.under == leader]


def marches(pos: SanadaPosition, phase: MovingPhase) -> set[str]:
    """14.2, 14.3, 17.1.2, 17.3.3: every hex that the acting Force can reach now."""
    piece = pos.units[phase.actor]
    foes, barred = standing(pos, OTHER[phase.seat]), zone(pos, OTHER[phase.seat])
    if piece.inside and piece.hex in foes:
        return set()
    spent = all(pos.units[u].down for u in force(pos, phase.actor))
    begin = phase.used + (1 if piece.inside else 0)
    far = phase.fed and not phase.zoned
    best = {(piece.hex, False): begin}
    edge = [(piece.hex, False)]
    while edge:
        here, dirty = edge.pop()
        for n in steps(here):
            if n in foes or (spent and n in barred):
                continue
            state = (n, dirty or n in barred)
            total = best[here, dirty] + price(pos, phase.seat, here, n)
            limit = 16 if far and not state[1] else 8
            if total <= limit and total < best.get(state, 99):
                best[state] = total
                edge.append(state)
    return {h for h, _ in best} - {piece.hex}


# --- 18: battles


def there(pos: SanadaPosition, place: str) -> list[str]:
    """18.1.1, 18.7.8: who fights in a place."""
    hex_, inside = place[:4], place.endswith("/in")
    return [
        u
        for u, p in pos.units.items()
        if p.hex == hex_ and p.inside == inside and (inside or u not in pos.routed)
    ]


def strength(pos: SanadaPosition, units: list[str]) -> int:
    return sum(1 if pos.units[u].down else 2 for u in units)


def rating(pos: SanadaPosition, units: list[str]) -> int:
    """18.2."""
    leaders = [PACK.units[u] for u in units if not pos.units[u].under]
    if not leaders:
        return 0
    top = max(RANKS.index(u.rank) for u in leaders)
    return max(u.combat for u in leaders if RANKS.index(u.rank) == top)


def table(points: int, die: int) -> int:
    """T-combat: a cell depends only on the sum of row and column."""
    heads = [1, 2, 3, 5, 7, 11, 16, 21, 31, 41, 51, 61, 71, 81]
    column = max(i for i, least in enumerate(heads) if points >= least)
    total = min(max(die, 1), 15) + column
    for least, hits in ((28, 9), (26, 8), (24, 7), (22, 6), (20, 5), (18, 4), (16, 3), (14, 2), (11, 1)):
        if total >= least:
            return hits
    return 0


def modifiers(pos: SanadaPosition, attacker: str, defender: str) -> tuple[int, int]:
    """18.3.2, 18.10.1, 22.2.1 by the usual options: for the attacker's dice and for the defender's."""
    own, foe = rating(pos, there(pos, attacker)), rating(pos, there(pos, defender))
    if attacker[:4] == defender[:4]:
        return own - foe, foe - own
    river = "river" in FEATURES[attacker][defender]
    foe += 2 * river + (TERRAIN[defender] in ("rough", "marsh"))
    side = pos.side(there(pos, defender)[0])
    foe += pos.forts.get(defender) == side
    return own - foe - river, foe - own - river


def blows(pos: SanadaPosition, battle: Battle) -> list[tuple[str, str, int, int]]:
    """Every roll of a round: who against whom, with which strength and modifier."""
    places = in_battle(battle)
    live = [e for e in battle.edges if {e.attacker, e.defender} <= places]

    def share(place: str, foe: str) -> int:
        given = [s.points for s in battle.shares if (s.place, s.foe) == (place, foe)]
        return given[0] if given else strength(pos, there(pos, place))

    found = []
    for edge in live:
        plus = modifiers(pos, edge.attacker, edge.defender)
        for i, (a, b) in enumerate(((edge.attacker, edge.defender), (edge.defender, edge.attacker))):
            if share(a, b):
                found.append((a, b, share(a, b), plus[i]))
    return found


def in_battle(battle: Battle) -> set[str]:
    """18.9: the places that still have an enemy in it."""
    gone = battle.out
    live = [e for e in battle.edges if e.attacker not in gone and e.defender not in gone]
    return {place for e in live for place in (e.attacker, e.defender)}


def holds_out(pos: SanadaPosition, battle: Battle, place: str) -> bool:
    """18.3.6(1), (2): whether somebody stays face-up there, once hits that are still to be named are."""
    up = sum(not pos.units[u].down for u in there(pos, place))
    return up > sum(h.hits for h in battle.hits if h.place == place)


def retreats(pos: SanadaPosition, rout: Rout) -> set[tuple[str, tuple[str, ...]]]:
    """18.7.1, 18.7.3, 18.7.4: every way back of every Force that has to go."""
    foes = standing(pos, OTHER[rout.seat])
    found: set[tuple[str, tuple[str, ...]]] = set()

    def away(a: str, b: str) -> bool:
        gains = [apart(b, f[:4]) - apart(a, f[:4]) for f in rout.foes]
        return min(gains) >= 0 and max(gains) > 0

    def refuge(place: str) -> bool:
        castle = open_castle(pos, place)
        if castle is None or pos.castles[castle].owner != rout.seat:
            return False
        inside = sum(p.hex == place and p.inside for p in pos.units.values())
        own = pos.play.castles.get(castle)
        walls = (own[1] if own else PACK.castles[castle].durability) - pos.castles[castle].lost
        return inside < 2 * walls

    for leader in [u for u in rout.beaten if u in pos.units and not pos.units[u].under]:
        ways: list[tuple[str, ...]] = [()]
        for way in ways:
            here = way[-1] if way else pos.units[leader].hex
            if way:
                found.add((leader, way))
                if refuge(here):
                    found.add((leader, (*way, "in")))
            if len(way) < 3:
                ways += [(*way, n) for n in steps(here) if n not in foes and away(here, n)]
    return found


# --- 10, 19.1: castles


def assault(pos: SanadaPosition, castle: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """19.1.3, 19.1.4: strength and modifier of the attacker, and of the castle."""
    place = PACK.castles[castle].hex
    own, garrison = there(pos, place), there(pos, place + "/in")
    a, b = rating(pos, own), rating(pos, garrison)
    better = 1 if a > b else -1 if a < b else 0
    changed = pos.play.castles.get(castle)
    walls = changed[0] if changed else PACK.castles[castle].strength
    return (strength(pos, own), better - walls), (strength(pos, garrison) + 1, walls - better)


# --- 26: points


def lost_value(unit: str) -> int:
    """26.2.1(4)-(6): what an eliminated unit gives its enemy."""
    if unit == "hidetada":
        return 20
    if unit in ("ieyasu", "hideyori"):
        return 0
    return {"gunzei": 0, "busho": 1, "taisho": 5, "sodaisho": 5}[PACK.units[unit].rank]


def castle_value(pos: SanadaPosition, castle: str) -> int:
    changed = pos.play.castles.get(castle)
    return {1: 0, 2: 1, 3: 2}.get(changed[1] if changed else PACK.castles[castle].durability, 4)


def beaten_value(pos: SanadaPosition, units: list[str]) -> int:
    """26.2.1(9): those who lead Forces."""
    ranks = [PACK.units[u].rank for u in units if not pos.units[u].under]
    return sum({"taisho": 2, "sodaisho": 10}.get(rank, 0) for rank in ranks)


def presence(pos: SanadaPosition, side: str) -> int:
    """26.2.1(7), (8): for the side itself."""
    if side == KANTO:
        castle = pos.castles["osaka"]
        return 3 if castle.owner == OSAKA and castle.siege is not None else 0
    hexes = {p.hex: None for u, p in pos.units.items() if pos.side(u) == OSAKA}
    total = 0
    if "2419" in hexes:
        lord = pos.units.get("hideyori")
        total += 8 if lord and lord.hex == "2419" else 3
    total += "1626" in hexes
    for province, points in (("omi", 1), ("mino", 1), ("owari", 3)):
        total += points * any(h in hexes for h in PACK.map.grid.areas[province])
    return total


def change(before: SanadaPosition, after: SanadaPosition, events: Any) -> int:
    """What a step should have added to Osaka's score, from what changed and what was said to be beaten."""
    total = 0
    for unit in after.fallen[len(before.fallen) :]:
        sign = 1 if after.side(unit) == KANTO else -1
        total += sign * lost_value(unit)
    for castle, state in after.castles.items():
        if state.owner != before.castles[castle].owner:
            total += castle_value(after, castle) * (1 if state.owner == OSAKA else -1)
    return total
