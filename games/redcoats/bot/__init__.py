"""A player that tries to win."""

from __future__ import annotations

import random
from collections.abc import Callable

from pbem.engine.notation import Move
from pbem.engine.options import Options, View
from pbem.engine.position import Position


def player(seat: str, seed: int) -> Callable[[Position, Options, View], Move]:
    """A bot for one seat."""
    rng = random.Random(seed)

    def move(pos: Position, options: Options, view: View) -> Move:
        return options.sample(rng, view)

    return move
