"""How a bot fights: when the odds are good, as long as they stay good."""

from __future__ import annotations

from games.sanada.battle import Battle
from games.sanada.bot.muster import Thought, listed
from games.sanada.bot.plan import Mind, expected_hits
from games.sanada.moves import (
    Allot,
    Assault,
    Attack,
    CallOff,
    EndAssaults,
    EndAttacks,
    GiveUp,
    Invest,
    PressOn,
    Stand,
)
from games.sanada.position import SanadaPosition
from games.sanada.strength import Edge, clash, fighters, strength
from games.sanada.terms import INSIDE, OSAKA_CASTLE
from pbem.engine.notation import Move
from pbem.engine.options import Options

GOOD, BAD = 1.25, 0.75
"""Balances from which a battle is begun, and below which it is given up."""


def _balance(mind: Mind, pos: SanadaPosition, edge: Edge) -> float:
    own, foe = fighters(pos, edge.attacker), fighters(pos, edge.defender)
    if not own or not foe:
        return 0.0
    found = clash(pos, edge, own, foe)
    tables = pos.data.tables
    a, b = strength(pos, own), strength(pos, foe)
    given = expected_hits(tables, a, found.for_attacker)
    taken = expected_hits(tables, b, found.for_defender)
    return (given / b + 0.001) / (taken / a + 0.001)


def attack(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """One target for each place, the best one, if it is good."""
    frame = pos.stack[-1]
    busy = {e.attacker for e in frame.edges}  # type: ignore[attr-defined]
    best: tuple[float, Attack] | None = None
    for move in listed(options, Attack):
        assert isinstance(move, Attack)
        if move.place in busy:
            continue
        value = _balance(mind, pos, Edge(move.place, move.hex))
        if value >= GOOD and (best is None or value > best[0]):
            best = value, move
    return best[1] if best else EndAttacks()


def stand(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """Fight on unless the exchange goes badly."""
    place = next(m.place for m in listed(options, Stand) if isinstance(m, Stand))
    frame = pos.stack[-1]
    edges: tuple[Edge, ...] = frame.live() if isinstance(frame, Battle) else ()
    values = [
        _balance(mind, pos, e) if e.attacker == place else 1 / max(_balance(mind, pos, e), 0.001)
        for e in edges
        if place in (e.attacker, e.defender)
    ]
    if values and min(values) < BAD:
        return GiveUp(place)
    return Stand(place)


def allot(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """Everything on the weakest enemy, the least on the others."""
    family = options.families[0]
    foes: tuple[str, ...] = family.foes  # type: ignore[attr-defined]
    points = list(family.least)  # type: ignore[attr-defined]
    weakest = min(range(len(foes)), key=lambda i: strength(pos, pos.at(foes[i])))
    points[weakest] += family.total - sum(points)  # type: ignore[attr-defined]
    place: str = family.place  # type: ignore[attr-defined]
    return Allot(place, tuple(f"{f}={n}" for f, n in zip(foes, points, strict=True)))


def _storm(pos: SanadaPosition, place: str) -> float:
    """How an assault would go, as a balance."""
    castle = pos.castle_at(place)
    assert castle is not None
    own, garrison = fighters(pos, place), pos.at(place + INSIDE)
    tables, walls = pos.data.tables, pos.strength(castle)
    a, b = strength(pos, own), strength(pos, garrison) + 1
    given = expected_hits(tables, a, 1 - walls)
    taken = expected_hits(tables, b, walls - 1)
    left = strength(pos, garrison) + pos.walls(castle)
    return (given / left + 0.001) / (taken / max(a, 1) + 0.001)


def assault(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """Castles that will fall before the army does; Osaka only in great strength."""
    if listed(options, PressOn):
        frame = pos.stack[-1]
        place: str = frame.place  # type: ignore[attr-defined]
        own = fighters(pos, place)
        tired = sum(pos.units[u].down for u in own) * 2 > len(own)
        return CallOff() if tired or _storm(pos, place) < 1.5 else PressOn()
    for move in listed(options, Assault):
        assert isinstance(move, Assault)
        needed = 3.0 if pos.castle_at(move.hex) == OSAKA_CASTLE else 2.0
        own = fighters(pos, move.hex)
        fresh = sum(pos.units[u].down for u in own) * 3 < len(own)
        if fresh and _storm(pos, move.hex) >= needed:
            return move
    return EndAssaults()


def invest(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """A siege costs nothing."""
    sieges = listed(options, Invest)
    return sieges[0] if sieges else None


BATTLE: dict[str, Thought] = {
    "attack": attack,
    "stand": stand,
    "allot": allot,
    "assault": assault,
    "invest": invest,
}
