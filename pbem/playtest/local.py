"""Whole games on one machine, for fuzz and arena: which game is the n-th, and how it is begun.

Game n of a seed is always the same game, whatever was played before it, so that it can be played
again alone or on another core.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from pbem.engine.croupier import Croupier
from pbem.engine.machine import Machine
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules
from pbem.engine.seating import seats_of
from pbem.engine.waits import Over
from pbem.errors import UsageError


@dataclass(frozen=True)
class Start:
    """What a game is begun with."""

    scenario: str
    options: dict[str, str]
    seats: tuple[str, ...]


def scenarios(rules: AnyRules, pack: Any, wanted: str | None) -> list[str]:
    """The scenario asked for, or all of them."""
    known = list(rules.scenarios(pack))
    if wanted is None:
        return known
    if wanted not in known:
        raise UsageError(f"{rules.name} has no scenario {wanted!r}", f"there are: {', '.join(known)}")
    return [wanted]


def usual_start(rules: AnyRules, pack: Any, scenario: str, seats: int | None = None) -> Start:
    """A scenario with the usual options and as few seats as it takes, or as many as are asked for."""
    options = {name: values[0] for name, values in rules.options(pack).items()}
    return Start(scenario, options, seats_of(rules, pack, scenario, seats))


def any_start(
    rules: AnyRules, pack: Any, wanted: str | None, rng: random.Random, seats: int | None = None
) -> Start:
    """A scenario with options and, unless it is told, a number of seats as they fall."""
    scenario = rng.choice(scenarios(rules, pack, wanted))
    options = {name: rng.choice(values) for name, values in rules.options(pack).items()}
    names = rules.seat_names(pack, scenario, rng.randint(*rules.seats))
    return Start(scenario, options, seats_of(rules, pack, scenario, seats) if seats else names)


def begin(croupier: Croupier, start: Start) -> Position:
    """The first position that asks somebody."""
    return croupier.settle(croupier.machine.start(start.scenario, start.options, start.seats)).position


def is_over(machine: Machine, pos: Position) -> bool:
    """Whether the game has ended."""
    return isinstance(machine.waits_for(pos), Over)
