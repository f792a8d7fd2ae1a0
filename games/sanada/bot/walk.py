"""How a bot moves: every Force once towards its goal, not into a stronger enemy's arms."""

from __future__ import annotations

from games.kit.hexes import HexId
from games.sanada.advice import worth
from games.sanada.bot.muster import Thought, listed
from games.sanada.bot.plan import Mind, is_close
from games.sanada.moves import (
    Act,
    Check,
    EndMoves,
    Garrison,
    Halt,
    Invest,
    Join,
    Leave,
    March,
)
from games.sanada.position import SanadaPosition
from games.sanada.terms import HIDEYORI, KANTO, OSAKA, OSAKA_CASTLE
from pbem.engine.notation import Move
from pbem.engine.options import Options

BRAVE = {OSAKA: 1.3, KANTO: 1.1}
"""The worst balance against us that we accept beside an enemy."""
STUBBORN = 1.7
"""The same for Osaka before its own gate, where few points win."""
SURE = 4
"""Checks are tried with these action points and more; a failure costs attrition."""


def act(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """Whoever is not where it should be; a siege if one can be begun."""
    sieges = listed(options, Invest)
    if sieges:
        return sieges[0]
    for move in (*listed(options, Act), *listed(options, Check)):
        assert isinstance(move, Act | Check)
        leader = move.force
        if mind.tried.get(leader, 0) >= 1:
            continue
        if isinstance(move, Check) and (pos.unit(leader).action < SURE or len(pos.force(leader)) < 2):
            continue
        goal = mind.goal(pos, leader)
        if pos.units[leader].hex == goal and not _wants_gate(mind, pos, leader):
            continue
        mind.tried[leader] = mind.tried.get(leader, 0) + 1
        return move
    return EndMoves()


def _wants_gate(mind: Mind, pos: SanadaPosition, leader: str) -> bool:
    """Whether a Force at its goal should change sides of the wall."""
    piece = pos.units[leader]
    castle = pos.castle_at(piece.hex)
    if castle is None or pos.castles[castle].owner != mind.seat:
        return False
    return piece.inside != _better_inside(mind, pos, leader, piece.hex)


def _better_inside(mind: Mind, pos: SanadaPosition, leader: str, place: HexId) -> bool:
    if leader == HIDEYORI:
        return True
    home = pos.stronghold(OSAKA_CASTLE).hex
    if mind.seat == OSAKA and place == home:
        mind.goal(pos, leader)
        if leader in mind.guards:
            return is_close(pos) or mind.around(pos, KANTO, home, 6) > 0
        brave = STUBBORN if is_close(pos) else BRAVE[OSAKA]
        return mind.danger(pos, home, pos.at(home)) > brave
    return mind.danger(pos, place, pos.at(place) or pos.force(leader)) > BRAVE[mind.seat]


def move(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """Joins first; then the step that brings it nearest, and a gate at the end."""
    actor = next(m.force for m in listed(options, Halt) if isinstance(m, Halt))
    join = _recruit(pos, options, actor)
    if join:
        return join
    sieges = listed(options, Invest)
    if sieges:
        return sieges[0]
    here, goal = pos.units[actor].hex, mind.goal(pos, actor)
    if here == goal or mind.tried.get(f"{actor} moved"):
        return _gate(mind, pos, options, actor) or Halt(actor)
    mind.tried[f"{actor} moved"] = 1
    step = _step(mind, pos, options, actor, goal)
    return step or _gate(mind, pos, options, actor) or Halt(actor)


def _recruit(pos: SanadaPosition, options: Options, actor: str) -> Move | None:
    """The best unit beside the actor that may join it, if no better commander beside it has room for one."""
    if not pos.unit(actor).track or len(pos.force(actor)) > 4:
        return None
    here = sorted(pos.leaders(pos.place(actor)), key=lambda u: worth(pos, u), reverse=True)
    alone = [u for u in here if len(pos.force(u)) == 1]
    for leader in sorted((u for u in here if pos.unit(u).track), key=lambda u: pos.unit(u).action == 0):
        if pos.unit(leader).track < len(pos.force(leader)):
            continue
        for unit in alone:
            if unit != leader and options.why_not(Join(unit, leader)) is None:
                return Join(unit, leader) if leader == actor else None
    return None


def _gate(mind: Mind, pos: SanadaPosition, options: Options, actor: str) -> Move | None:
    if not _wants_gate(mind, pos, actor):
        return None
    moves = [*listed(options, Garrison), *listed(options, Leave)]
    return moves[0] if moves else None


def _step(mind: Mind, pos: SanadaPosition, options: Options, actor: str, goal: HexId) -> Move | None:
    """The nearest reachable hex to the goal where we are not in danger."""
    way = mind.way(pos, goal)
    here = pos.units[actor].hex
    units = tuple(u for u in pos.at(pos.place(actor)) if mind.goal(pos, pos.leader(u)) == goal)
    steps = [m for m in listed(options, March) if isinstance(m, March)]
    steps.sort(key=lambda m: (way.get(m.hex, 999), m.hex))
    now = way.get(here, 999)
    for step in steps[:25]:
        if way.get(step.hex, 999) >= now:
            break
        company = (*pos.at(step.hex), *units)
        if mind.danger(pos, step.hex, company) <= BRAVE[mind.seat]:
            return step
    return None


WALK: dict[str, Thought] = {"act": act, "move": move}
