"""A player that tries to win, in all three modes.

It decides by what its seat sees: the position and its own cards. One table says which function answers which
kind of question; where none has an opinion, any legal answer does.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from games.suikoden.bot import fight, home, many
from games.suikoden.bot.thought import Thought
from games.suikoden.hands import Hidden
from pbem.engine.notation import Move
from pbem.engine.options import NoAnswer, Options, View

ANSWERS: dict[str, Callable[[Thought], Move | None]] = {
    "build": home.build,
    "begin": home.begin,
    "return": home.returning,
    "supply": home.supply,
    "income": home.income,
    "domestic": home.domestic,
    "pay": home.pay,
    "price": home.give_up,
    "toss": home.give_up,
    "adjust": home.give_up,
    "take-back": home.take_back,
    "target": fight.target,
    "bring": home.bring,
    "declare": fight.declare,
    "sortie": fight.sortie,
    "guard": fight.guard,
    "send": fight.send,
    "advance": fight.advance,
    "meet": fight.meet,
    "hold": fight.hold,
    "method": fight.method,
    "window": fight.window,
    "retreat": fight.retreat,
    "plunder": fight.plunder,
    "continue": fight.go_on,
    "place": many.place,
    "main": many.main,
    "commit": many.commit,
    "defend": many.defend,
    "way": many.way,
    "effect": many.effect,
    "support": many.support,
    "capture": many.capture,
    "exchange": many.exchange,
    "rob": many.rob,
}


def player(seat: str, seed: int) -> Callable[..., Move]:
    """The bot of a seat."""
    rng = Random(f"{seat}{seed}")

    def decide(pos: Any, options: Options, view: View) -> Move:
        thought = Thought(pos, options, view, rng)
        answer = ANSWERS.get(options.kind)
        move = answer(thought) if answer is not None else None
        if move is not None and options.contains(move, view):
            return move
        try:
            return options.sample(rng, view)
        except NoAnswer:
            return _blind(options)

    return decide


def _blind(options: Options) -> Move:
    """An answer for a seat whose cards are not known here, as somebody else thinks ahead."""
    for family in options.families:
        if isinstance(family, Hidden) and family.cards:
            return family.kind(family.cards[0], *family.more[0])  # type: ignore[no-any-return]
    raise NoAnswer(f"no legal answer to {options.kind!r} for {options.seat}")
