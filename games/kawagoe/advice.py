"""The routine answers: the usual set-up, how a loss is taken, where a beaten enemy is driven, who advances.

A function of the public position in whole numbers alone, so that every machine finds the same. Hojo fall
back in the open and bleed in the castle; besiegers always fall back; who must bleed, bleeds where it costs
least; a beaten enemy is driven out of command and into zones of control; besiegers follow into the castle.
"""

from __future__ import annotations

from collections import Counter

from games.kawagoe.book import UJIYASU
from games.kawagoe.command import commanded
from games.kawagoe.moves import Advance, Deploy, Drive, Lose, Ready, Retreat, Stay
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.routes import read_route
from games.kawagoe.victory import CLASS_POINTS, NAMED_POINTS, STEP
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Options

DEAR = 1000
"""More than anything else is worth: 氏康, whose fall loses the game."""


def advise(pos: KawagoePosition, options: Options) -> Move | None:
    """The routine answer, or None where it needs a person."""
    listed = list(options.list(PUBLIC))
    match options.kind:
        case "loss":
            return _loss(pos, options.seat, listed)
        case "retreat":
            return max(listed, key=lambda move: (_driven(pos, move), _reversed(move)))
        case "advance":
            return _advance(pos, options.seat, listed)
        case "deploy":
            return _deploy(pos, listed)
    return None


def _deploy(pos: KawagoePosition, listed: list[Move]) -> Move | None:
    """The usual places of a group that has none yet; then ready."""
    waiting = {pos.book[unit].group for unit in pos.reserve}
    for move in listed:
        if isinstance(move, Deploy) and not move.places and move.group in waiting:
            return move
    return Ready() if Ready() in listed else None


def _loss(pos: KawagoePosition, seat: str, listed: list[Move]) -> Move:
    walls = pos.pack.map.bailey
    steps = [move for move in listed if isinstance(move, Lose)]
    inside = seat == HOJO and any(walls[pos.units[u].hex] for move in steps for u in move.units)
    if Retreat() in listed and not inside:
        return Retreat()
    if not steps:
        return listed[0]
    return min(steps, key=lambda move: (_price(pos, move), move.units))


def _price(pos: KawagoePosition, move: Lose) -> int:
    """What a loss gives the enemy, in tenths of a point; strength decides between equals."""
    total = 0
    for unit, count in Counter(move.units).items():
        gone = count == pos.steps(unit)
        if pos.side(unit) == HOJO:
            total += 10 * (NAMED_POINTS.get(unit, STEP * count) if gone else STEP * count)
            total += DEAR * count if unit == UJIYASU else 0
        elif gone:
            cls = pos.unit_class(unit)
            total += 10 * (CLASS_POINTS[cls] if cls is not None else 1)
        total += pos.strength(unit)
    return total


def _driven(pos: KawagoePosition, move: Move) -> int:
    """How much the enemy dislikes a way back."""
    assert isinstance(move, Drive)
    route, field = read_route(move.path), pos.pack.map
    end = route[-1][0]
    if pos.side(move.unit) == HOJO:
        crowd = sum(n in pos.held(ANTI) for n in field.neighbours[end])
        return 3 * crowd + 5 * (end in pos.zone(ANTI)) - 10 * (field.bailey[end] is not None)
    value = 4 * (end in pos.zone(HOJO)) + 3 * sum(len(step) - 1 for step in route)
    value += 5 * (not commanded(pos, move.unit)) - 50 * (field.bailey[end] is not None)
    return value - 3 * (end in field.ring)


def _reversed(move: Move) -> tuple[int, ...]:
    """Between equals the lowest hexes: the same on every machine."""
    assert isinstance(move, Drive)
    return tuple(-int(h) for step in read_route(move.path) for h in step)


def _advance(pos: KawagoePosition, seat: str, listed: list[Move]) -> Move:
    walls = pos.pack.map.bailey
    if seat == ANTI:
        for move in listed:
            if isinstance(move, Advance) and walls[move.path[-1]] is not None:
                return move
    return Stay()
