"""A player for demonstrations and practice: it makes use of what lies there, and ends after some turns.

A table has no rules, so nothing can be won by skill: the bot only shows how the orders go together.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from games.table.choices import NOBODY
from games.table.display import score
from games.table.moves import (
    Agree,
    Ask,
    Attach,
    Call,
    End,
    Gather,
    NextPhase,
    NoReaction,
    Pass,
    PassTo,
    TakeFrom,
)
from games.table.position import TablePosition
from pbem.engine.notation import Move
from pbem.engine.options import Options, View

TURNS = 3
"""After so many turns it says that the game is over."""
DEEDS = 3
"""After so many orders it passes the word on."""
LEFT = (Ask, Attach, Call, End, Gather, NextPhase, NoReaction, Pass, PassTo, TakeFrom)
"""What it does not do for the fun of it."""


def player(seat: str, seed: int) -> Callable[[TablePosition, Options, View], Move]:
    """A bot for one seat."""
    rng = Random(f"table {seat} {seed}")

    def decide(pos: TablePosition, options: Options, view: View) -> Move:
        match options.kind:
            case "end":
                return Agree()
            case "reaction":
                return NoReaction()
            case "word" if pos.turn > TURNS:
                return End(_leader(pos))
            case "word" if pos.deeds >= DEEDS:
                return _on(pos)
        families = [family for family in options.families if family.kind not in LEFT]
        rng.shuffle(families)
        found = (family.sample(rng, view) for family in families)
        move: Move = next(move for move in found if move is not None)
        return move

    return decide


def _on(pos: TablePosition) -> Move:
    """The last seat of a round begins the next phase, where there are phases; the others pass the word on."""
    last = pos.word == pos.seats[-1] and pos.deeds == DEEDS
    return NextPhase() if pos.box.phases and last else Pass()


def _leader(pos: TablePosition) -> str:
    """Who has most points; nobody where that is not one seat."""
    points = {one.seat: one.points or 0 for one in score(pos) if one.seat}
    best = [seat for seat, own in points.items() if own == max(points.values())]
    return best[0] if len(best) == 1 else NOBODY
