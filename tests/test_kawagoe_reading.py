"""Zones of control, command, movement and charges of kawagoe against a second reading of the book.

Written from the rules alone, without the program's lookups and shortcuts; compared in random games.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from games.kawagoe.command import command_range
from games.kawagoe.movement import Movement
from games.kawagoe.moves import Charge, March
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.rules import KAWAGOE
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.engine.options import Options

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


def compare(pos: KawagoePosition, options: Options) -> bool:
    """Whether there were moves to compare; zones and command always are."""
    for side in (HOJO, ANTI):
        assert set(pos.zone(side)) == zone(pos, side), pos.text()
    for unit in pos.units:
        if pos.book[unit].general:
            assert command_range(pos, unit) == commands(pos, unit), (unit, pos.text())
    phase = pos.stack[-1]
    if not isinstance(phase, Movement):
        return False
    moves = [move for move in options.list() if isinstance(move, March | Charge)]
    listed = {(type(move), tuple(sorted(move.units)), move.hex) for move in moves}
    assert listed == expected(pos, phase), pos.text()
    return True


@pytest.mark.parametrize("seed", range(4))
def test_zones_command_movement_and_charges(seed: int) -> None:
    """8.0, 10.2, 6.0, 6.3: what is offered in random games is what the book allows, no more and no less."""
    rng, compared = random.Random(seed), 0
    croupier, anybody = Croupier(Machine(KAWAGOE, PACK), rng), random_player(rng)

    def player(pos: Any, options: Options, view: Any) -> Any:
        nonlocal compared
        if rng.random() < 0.15:
            compared += compare(pos, options)
        return anybody(pos, options, view)

    result = croupier.settle(croupier.machine.start("kawagoe", {}, (HOJO, ANTI)))
    while not result.position.outcome:
        result = croupier.play(result.position, {HOJO: player, ANTI: player})
    assert compared >= 10, "too little was compared to prove anything"
