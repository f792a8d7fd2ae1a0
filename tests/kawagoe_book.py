"""A second reading of the kawagoe rulebook, written from the rules alone, without the program's lookups.

Slow and plain on purpose. `test_kawagoe_reading.py` compares the program with it in random games.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from games.kawagoe.combat import Combat
from games.kawagoe.movement import Movement
from games.kawagoe.moves import Charge, March
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.rules import KAWAGOE

PACK = KAWAGOE.load_pack()
TERRAIN = PACK.map.terrain
FEATURES = PACK.map.grid.features
ROADS = PACK.map.roads
LOWER = {"ninokuruwa", "sannokuruwa"}
CASTLE = {"honjo", *LOWER}


def around(place: str) -> list[str]:
    """The adjacent hexes; even columns stand half a hex lower."""
    column, row = int(place[:2]), int(place[2:])
    low = 0 if column % 2 else 1
    steps = [(0, -1), (0, 1)] + [(dx, dy) for dx in (-1, 1) for dy in (low - 1, low)]
    found = [f"{column + dx:02d}{row + dy:02d}" for dx, dy in steps]
    return [h for h in found if h in TERRAIN]


def inside(place: str) -> bool:
    return TERRAIN[place] in CASTLE


def zone(pos: KawagoePosition, side: str) -> set[str]:
    """8.1, 8.2, 6.41(2)."""
    found = set()
    for unit, piece in pos.units.items():
        if pos.side(unit) == side and not piece.disordered:
            for n in around(piece.hex):
                a, b = TERRAIN[piece.hex], TERRAIN[n]
                across = "lake" in FEATURES[piece.hex][n]
                upwards = b == "honjo" and a in LOWER
                sideways = {a, b} == LOWER
                if not (across or upwards or sideways or (inside(n) and not inside(piece.hex))):
                    found.add(n)
    return found


def cost(a: str, b: str) -> int | None:
    """6.12 and the chart of the pack; walls open at gates only (6.12-b)."""
    if "lake" in FEATURES[a][b] or (inside(a) != inside(b) and "gate" not in FEATURES[a][b]):
        return None
    if b in ROADS[a]:
        return PACK.costs.road
    chart = {"plain": PACK.costs.plain, "woods": PACK.costs.woods, "marsh": PACK.costs.marsh}
    water = PACK.costs.river * ("river" in FEATURES[a][b]) + PACK.costs.stream * ("stream" in FEATURES[a][b])
    return chart.get(TERRAIN[b], PACK.costs.castle) + water


def commands(pos: KawagoePosition, general: str) -> set[str]:
    """10.2, 10.4, 8.3: every way of at most so many hexes."""
    start = pos.units[general].hex
    if pos.units[general].disordered:
        return set()
    hojo = {piece.hex for unit, piece in pos.units.items() if pos.side(unit) == HOJO}
    own = {piece.hex for unit, piece in pos.units.items() if pos.side(unit) == ANTI}
    closed = hojo | (zone(pos, HOJO) - own)
    found = edge = {start}
    for _ in range(pos.book[general].command):
        edge = {n for h in edge if h == start or h not in closed for n in around(h)}
        found = found | edge
    return found


def points(pos: KawagoePosition, phase: Movement, unit: str) -> int:
    """6.12 with 5.32, 5.52-b and 10.3."""
    printed = pos.movement(unit)
    if phase.seat == HOJO:
        return printed * (2 if phase.chit == "katta" and unit in ("tsunashige", "benchiyo") else 1)
    if phase.general or pos.book[unit].general:
        return printed
    house = [g for g in pos.units if pos.book[g].general and pos.book[g].group == pos.book[unit].group]
    led = any(pos.units[unit].hex in commands(pos, general) for general in house)
    return printed if led else printed // 2 + printed % 2


def groups(pos: KawagoePosition, phase: Movement) -> dict[tuple[str, ...], int]:
    """5.2-5.5, 6.14, 6.41(1): who may move, alone or as a stack, with how many points."""
    house = PACK.chits[phase.chit].house
    fresh = [
        unit
        for unit, piece in pos.units.items()
        if pos.side(unit) == phase.seat
        and not piece.disordered
        and unit not in phase.moved
        and (not house or pos.book[unit].group == house)
        and (not phase.general or unit in phase.named)
    ]
    found = {(unit,): points(pos, phase, unit) for unit in fresh}
    for a in fresh:
        for b in fresh:
            if a < b and pos.units[a].hex == pos.units[b].hex:
                found[a, b] = min(found[a,], found[b,])
    if phase.mover:
        found[phase.mover] = phase.left
    return found


def expected(pos: KawagoePosition, phase: Movement) -> set[tuple[Any, ...]]:
    """Every move and charge that 6.1-6.3, 7.0 and 9.54 allow."""
    foe = HOJO if phase.seat == ANTI else ANTI
    control = zone(pos, foe)
    enemies = {piece.hex for unit, piece in pos.units.items() if pos.side(unit) == foe}
    friends = Counter(piece.hex for unit, piece in pos.units.items() if pos.side(unit) == phase.seat)
    room = 2 if phase.seat == HOJO else 1
    found: set[tuple[Any, ...]] = set()
    for units, purse in groups(pos, phase).items():
        start = pos.units[units[0]].hex
        left = {start: purse}
        queue = [] if start in control else [start]
        for here in queue:
            for n in around(here):
                price = cost(here, n)
                if price is None or n in enemies or n == start or friends[n] + len(units) > room:
                    continue
                if left[here] - price > left.get(n, -1):
                    left[n] = left[here] - price
                    found.add((March, units, n))
                    if n not in control:
                        queue.append(n)
        for n in around(start):
            price = cost(start, n)
            wet = "river" in FEATURES[start][n] or (TERRAIN[n] == "marsh" and n not in ROADS[start])
            walls = TERRAIN[start] != TERRAIN[n] and (inside(n) or (inside(start) and price is None))
            barred = phase.seat != HOJO or n not in enemies or wet or walls
            if not barred and price is not None and price + 3 <= purse:
                found.add((Charge, units, n))
    return found


# --- 9.2-9.4, 9.54: the odds


def bailey(place: str) -> str | None:
    return TERRAIN[place] if inside(place) else None


def strength(pos: KawagoePosition, unit: str) -> int:
    """What is printed, halved out of command (10.3)."""
    printed = pos.strength(unit)
    if pos.side(unit) == HOJO or pos.book[unit].general:
        return printed
    house = [g for g in pos.units if pos.book[g].general and pos.book[g].group == pos.book[unit].group]
    led = any(pos.units[unit].hex in commands(pos, general) for general in house)
    return printed if led else printed // 2 + printed % 2


def doubled(unit: str, place: str, target: str) -> bool:
    """5.33, under 勝った勝った."""
    gate = any("gate" in FEATURES[place][n] for n in around(place))
    outward = inside(place) and gate and not inside(target)
    return unit in ("tsunashige", "benchiyo") and (not inside(place) or outward)


def table_column(attack: int, defence: int, shift: int) -> str:
    """9.2(3), 9.41: fractions for the defender, ends of the table, then the shift."""
    columns = PACK.crt.columns
    ratio = attack // defence if attack >= defence else 1 / math.ceil(defence / attack)
    worth = [int(c.split(":")[0]) / int(c.split(":")[1]) for c in columns]
    first = max((i for i, value in enumerate(worth) if value <= ratio + 1e-9), default=0)
    return columns[min(max(first + shift, 0), len(columns) - 1)]


def odds(pos: KawagoePosition, attackers: tuple[str, ...], target: str, katta: bool) -> dict[str, Any]:
    """Strengths, shift, die modifier and column of one combat, all units known."""
    where = [pos.units[u].hex for u in attackers]
    attack = [
        strength(pos, u) * (2 if katta and doubled(u, h, target) else 1)
        for u, h in zip(attackers, where, strict=True)
    ]
    defence = [strength(pos, u) for u in sorted(pos.units) if pos.units[u].hex == target]
    water = [next((w for w in ("river", "stream") if w in FEATURES[h][target]), "") for h in where]
    over_river = all(w == "river" for w in water)
    shift = -over_river - (TERRAIN[target] == "marsh")
    modifier = (all(water) and not over_river) + (TERRAIN[target] == "woods")
    if inside(target) and bailey(target) not in [bailey(h) for h in where]:
        shift += all(bailey(h) == "honjo" for h in where) - 1
    column = table_column(sum(attack), sum(defence), shift)
    return {"attack": attack, "defence": defence, "shift": shift, "modifier": modifier, "column": column}


# --- 9.6: retreats without chains


def distance(a: str, b: str) -> int:
    """Hexes from one to the other."""
    across = abs(int(a[:2]) - int(b[:2]))
    halves = [2 * int(h[2:]) + (int(h[:2]) % 2 == 0) for h in (a, b)]
    return across + max(0, (abs(halves[0] - halves[1]) - across) // 2)


class NeedsChain(Exception):
    """No hex is open, but a friend could be pushed (9.65): left to the search of test_kawagoe_retreat.py."""


class Retreat:
    """9.61-9.64, 9.54-g: where the units that still have to go may be driven."""

    def __init__(self, pos: KawagoePosition, combat: Combat) -> None:
        self.side, self.units = combat.side(), combat.routing
        foe = HOJO if self.side == ANTI else ANTI
        self.foes = combat.origins if combat.part == "D" else (combat.target,)
        self.number = int(combat.loss())
        self.zone = zone(pos, foe)
        self.enemies = {piece.hex for unit, piece in pos.units.items() if pos.side(unit) == foe}
        self.start = {u: piece.hex for u, piece in pos.units.items() if pos.side(u) == self.side}

    def routes(self) -> set[tuple[str, tuple[str, ...]]]:
        return {(u, way) for u in self.units for way in self.best(self.start, self.units, u)}

    def best(self, stand: dict[str, str], units: tuple[str, ...], unit: str) -> list[tuple[str, ...]]:
        rest = tuple(u for u in units if u != unit)
        return self.walk(stand, unit, stand[unit], self.number, rest)

    def walk(
        self, stand: dict[str, str], unit: str, here: str, left: int, rest: tuple[str, ...]
    ) -> list[tuple[str, ...]]:
        if left == 0:
            after = stand | {unit: here}
            return [()] if not rest or any(self.best(after, rest, u) for u in rest) else []
        crowd = Counter(h for u, h in stand.items() if u != unit)
        away = [
            h
            for h in around(here)
            if "lake" not in FEATURES[here][h]
            and h not in self.enemies
            and all(distance(h, foe) > distance(here, foe) for foe in self.foes)
        ]
        open_ = [h for h in away if crowd[h] < (2 if self.side == HOJO else 1)]
        if not open_ and away and self.side == ANTI:
            raise NeedsChain
        for rank in sorted({(h in self.zone, crowd[h] > 0) for h in open_}):
            found = [
                (h, *onward)
                for h in open_
                if (h in self.zone, crowd[h] > 0) == rank
                for onward in self.walk(stand, unit, h, left - 1 if bailey(h) == bailey(here) else 0, rest)
            ]
            if found:
                return found
        return []


# --- 9.8: advances


def advances(pos: KawagoePosition, combat: Combat) -> set[tuple[str, tuple[str, ...]]]:
    """9.81-9.83, 9.54-e: who may follow where, from what the combat has recorded."""
    foe = HOJO if combat.seat == ANTI else ANTI
    held = {h: pos.side(pos.at(h)[0]) for h in {piece.hex for piece in pos.units.values()}}
    begun = {pos.side(u) for u in combat.advanced}
    if combat.melee:
        return set()
    if foe not in begun and combat.seat not in combat.gone and held.get(combat.target) != foe:
        side, units, left, loss = combat.seat, combat.attackers, {combat.target}, combat.defence_loss
    elif combat.seat not in begun and foe not in combat.gone:
        left = {h for h in combat.origins if held.get(h) != combat.seat}
        side, units, loss = foe, combat.defenders, combat.attack_loss
    else:
        return set()
    same = bailey(combat.target) in [bailey(h) for h in combat.origins]
    about_castle = any(inside(h) for h in (combat.target, *combat.origins))
    found = set()
    for unit in units:
        if unit not in pos.units or unit in combat.advanced:
            continue
        start = pos.units[unit].hex

        def enters(h: str, unit: str = unit, start: str = start) -> bool:
            there = [u for u, piece in pos.units.items() if piece.hex == h and u != unit]
            intrudes = side != combat.seat and inside(h) and not inside(start)
            return held.get(h, side) == side and len(there) < (2 if side == HOJO else 1) and not intrudes

        for first in left & set(around(start)):
            if "lake" in FEATURES[start][first] or not enters(first):
                continue
            found.add((unit, (first,)))
            out = inside(start) and not inside(first) and "gate" in FEATURES[start][first]
            if about_castle and not same and not out:
                continue
            for trail in combat.fled:
                for end in range(2, len(trail)):
                    if trail[0] == first and all(enters(h) for h in trail[:end]):
                        found.add((unit, trail[:end]))
            if loss == "E":
                found |= {
                    (unit, (first, n)) for n in around(first) if cost(first, n) is not None and enters(n)
                }
    return found


# --- 13.1, 13.2: points


def points_of_hojo(pos: KawagoePosition) -> int:
    """An open road, and who is gone or in disorder."""
    besiegers = {p.hex for u, p in pos.units.items() if pos.side(u) == ANTI and not p.disordered}
    hojo = {p.hex for u, p in pos.units.items() if pos.side(u) == HOJO}
    free = set(TERRAIN) - besiegers - (zone(pos, ANTI) - hojo)
    reached = {h for h in free if inside(h)}
    edge = list(reached)
    for h in edge:
        edge += [n for n in ROADS[h] if n in free - reached]
        reached |= set(edge)
    gone = [u for u in pos.fallen if pos.side(u) == ANTI] + [u for u, p in pos.units.items() if p.disordered]
    worth = {"levy": 0, "captain": 1, "general": 3, "commander": 5}
    line = 15 if reached & set(PACK.map.areas["entry"]) else 0
    return line + sum(worth[str(pos.unit_class(u))] for u in gone)


def points_of_besiegers(pos: KawagoePosition) -> int:
    """The siege, steps, the three named units, and somebody in the castle."""
    besiegers = {p.hex for u, p in pos.units.items() if pos.side(u) == ANTI and not p.disordered}
    hojo = {p.hex for u, p in pos.units.items() if pos.side(u) == HOJO}
    ring = {n for h in TERRAIN if inside(h) for n in around(h) if not inside(n)}
    total = 15 if ring <= besiegers | (zone(pos, ANTI) - hojo) else 0
    total += 10 if any(inside(h) for h in besiegers) else 0
    total += 2 * sum(piece.lost for u, piece in pos.units.items() if pos.side(u) == HOJO)
    named = {"tame": 8, "benchiyo": 8, "tsunashige": 10}
    return total + sum(named.get(u, 6) for u in pos.fallen if pos.side(u) == HOJO)
