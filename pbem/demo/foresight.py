"""What may follow an order: the questions it is likely to raise, and what would be answered then.

A player who writes a list by mail thinks ahead: "attack there; if I must lose somebody, him; then attack
here". A bot does the same by playing the order a few times on copies of the public position, with dice
of its own and the others' bots. It sees no die that will fall and no card that its seat cannot see.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from pbem.engine.croupier import Player
from pbem.engine.machine import Machine
from pbem.engine.notation import Move, shown_handles
from pbem.engine.options import View
from pbem.engine.position import Position
from pbem.engine.waits import Ask, Chance, Decision, Rolled

TRIES = 8
STEPS = 40
"""Questions and dice of one try, at most."""
PREPARED = 12
"""Answers prepared for one order, at most."""


@dataclass(frozen=True)
class Outlook:
    """What an order may lead to."""

    answers: tuple[str, ...]
    """What would be answered to the questions that it raises, the likeliest first."""
    position: Position | None
    """A position in which a question of this list is asked again, if the tries led to one."""


@dataclass
class Foresight:
    """One seat's way of thinking ahead."""

    machine: Machine
    seat: str
    bot: Player
    seed: int
    write: Callable[[Position, Move, View], str]

    def __post_init__(self) -> None:
        self._rng = random.Random(f"foresight {self.seed}")
        self._others: dict[str, Player] = {}
        self._answered: set[tuple[str, str]] = set()
        """Where in the rules the questions stand that the list has answered so far."""

    def answered(self, pos: Position) -> None:
        """The list answers the question of this position."""
        self._answered.add(_where(pos))

    def after(self, pos: Position, move: Move, view: View) -> Outlook:
        """What an order may lead to."""
        found: Counter[str] = Counter()
        again: Position | None = None
        for _ in range(TRIES):
            lines, reached = self._try(pos, move, view)
            found.update(list(dict.fromkeys(lines)))
            again = again or reached
        answers = [line for line, _ in found.most_common(PREPARED)]
        return Outlook(tuple(answers), again)

    def _try(self, pos: Position, move: Move, view: View) -> tuple[list[str], Position | None]:
        depth = len(pos.stack)
        shown = {h: view.known[h] for h in shown_handles(move)}
        now = self.machine.apply(pos, Decision(self.seat, move, shown)).position
        lines: list[str] = []
        for _ in range(STEPS):
            wait = self.machine.waits_for(now)
            if isinstance(wait, Chance):
                rolled = tuple(self._rng.randrange(bound) for bound in wait.bounds)
                now = self.machine.apply(now, Rolled(rolled)).position
                continue
            if not isinstance(wait, Ask):
                break
            seat = wait.options.seat
            if seat == self.seat and len(now.stack) <= depth:
                return lines, now if _where(now) in self._answered else None
            known = {h: v for h, v in view.known.items() if h in now.hidden} if seat == self.seat else {}
            answer = self._player(seat)(now, wait.options, View(seat, known))
            if any(handle not in known for handle in shown_handles(answer)):
                break
            if seat == self.seat:
                lines.append(self.write(now, answer, View(seat, known)))
            shown = {h: known[h] for h in shown_handles(answer)}
            now = self.machine.apply(now, Decision(seat, answer, shown)).position
        return lines, None

    def _player(self, seat: str) -> Player:
        if seat == self.seat:
            return self.bot
        if seat not in self._others:
            self._others[seat] = self.machine.rules.bot(seat, self.seed)
        return self._others[seat]


def _where(pos: Position) -> tuple[str, str]:
    return type(pos.stack[-1]).__name__, pos.stack[-1].at
