"""Players that try to win: Osaka strikes while Kanto gathers, then holds its castle; Kanto closes in.

A bot is a function of the position and its own luck: what it keeps between calls are only distances.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from games.sanada.advice import advice
from games.sanada.bot.battle import BATTLE
from games.sanada.bot.muster import MUSTER
from games.sanada.bot.plan import Mind
from games.sanada.bot.walk import WALK
from games.sanada.position import SanadaPosition
from pbem.engine.notation import Move
from pbem.engine.options import Options, View

ANSWERS = MUSTER | WALK | BATTLE


def player(seat: str, seed: int) -> Callable[[SanadaPosition, Options, View], Move]:
    """The bot of a seat."""
    rng = Random(seed)
    mind = Mind(seat)

    def answer(pos: SanadaPosition, options: Options, view: View) -> Move:
        mind.look(pos)
        thought = ANSWERS.get(options.kind)
        move = thought(mind, pos, options) if thought else None
        move = move or advice(pos, options)
        if move is not None and options.why_not(move, view) is None:
            return move
        return options.sample(rng, view)

    return answer
