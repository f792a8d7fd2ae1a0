"""What a standing order answers to a question.

A line is an answer, an order, `resign` or `auto`, that may have a condition: `ANSWER if PATTERN`,
`ANSWER unless PATTERN`. The pattern fits when one of the orders that are legal at the question fits it,
among the first of those that everybody can see. The first line that holds and is legal is taken; none
ever shows a card, or says what only the audit can check. Everything follows from the position, so every
machine finds the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from pbem.engine.machine import Machine
from pbem.engine.notation import Move, shown_handles
from pbem.engine.options import Options, View
from pbem.engine.orders import Chosen, choose, fits
from pbem.engine.position import Position

RESIGN = "resign"
AUTO = "auto"
"""The game's own advice: the routine answer, which every machine finds alike."""
LISTED = 1000
"""So many legal orders are held against a pattern."""
_CONDITION = re.compile(r"\s(if|unless)\s")


@dataclass(frozen=True, slots=True)
class Fired:
    """The answer of a standing order: a move, or None for giving up."""

    text: str
    move: Move | None


def read_line(line: str) -> tuple[str, str, str]:
    """The answer of a line, and its condition: "if" or "unless" with a pattern, or two empty words."""
    line = line.strip()
    found = _CONDITION.search(line)
    if found is None:
        return line, "", ""
    return line[: found.start()].rstrip(), found[1], line[found.end() :].lstrip()


def standing_choice(machine: Machine, pos: Position, options: Options, lines: Sequence[str]) -> Fired | None:
    """What a standing order answers to a question; None if it does not cover it."""
    view = View(options.seat)
    for line in lines:
        answer, word, pattern = read_line(line)
        if word and (word == "if") != _legal(machine, pos, options, view, pattern):
            continue
        if answer == RESIGN:
            if len(pos.seats) == 2:  # of more, a resignation brings secrets along
                return Fired(line, None)
            continue
        if answer == AUTO:
            move = machine.rules.advice(pos, options)
            if move is None or shown_handles(move) or move.claims:
                continue
            if options.contains(move, view):
                return Fired(machine.write_move(pos, move, view), move)
            continue
        chosen = choose(machine, pos, options, view, (), (answer,), ahead=True)
        if isinstance(chosen, Chosen) and not shown_handles(chosen.move):
            return Fired(line, chosen.move)
    return None


def _legal(machine: Machine, pos: Position, options: Options, view: View, pattern: str) -> bool:
    listed = islice(options.list(view), LISTED)
    return any(fits(machine.write_move(pos, move, view), pattern) for move in listed)
