"""A machine that stops where a case says: after a phase or a step, before anything else happens.

`stop = "CombatPhase"` is the end of that procedure, `stop = "Battle.roll"` the moment when that step and
all that it has begun is done.
"""

from __future__ import annotations

from typing import Any

from pbem.engine.machine import Machine, Result
from pbem.engine.position import Position
from pbem.engine.procedure import Procedure, Step
from pbem.engine.rules import AnyRules
from pbem.engine.waits import Answer, Over
from pbem.errors import UsageError


class _Reached(Exception):
    def __init__(self, position: Position) -> None:
        self.position = position


class StoppingMachine(Machine):
    """Runs the rules of a case up to its stop."""

    def __init__(self, rules: AnyRules, pack: Any) -> None:
        super().__init__(rules, pack)
        self.stop = ""
        self.stopped = False
        self._depth: int | None = None
        """The step meant is done when the stack is no deeper than this."""
        self._going_on = False

    def stop_at(self, place: Any) -> None:
        """Go no farther than the end of a procedure or a step."""
        name, _, step = str(place).partition(".")
        kind = self.rules.procedure_names.get(name)
        if kind is None:
            raise UsageError(
                f"stop: there is no procedure {name!r}",
                f"procedures are: {', '.join(self.rules.procedure_names)}",
            )
        if step and step not in kind.steps:
            raise UsageError(f"stop: {name} has no step {step!r}", f"steps are: {', '.join(kind.steps)}")
        self.stop = str(place)

    def settle(self, pos: Position) -> Result:
        try:
            return super().settle(pos)
        except _Reached as reached:
            return self._halted(reached.position)

    def apply(self, pos: Position, answer: Answer) -> Result:
        try:
            return super().apply(pos, answer)
        except _Reached as reached:
            return self._halted(reached.position)

    def _halted(self, pos: Position) -> Result:
        self.stopped = True
        events, claims = tuple(pos.events), tuple(pos.claims)
        pos.events, pos.claims, pos.faces, pos.wait = [], [], {}, Over()
        return Result(pos, events, claims)

    def _advance(self, pos: Position, frame: Procedure, step: Step) -> None:
        deep = len(pos.stack)
        super()._advance(pos, frame, step)
        if not self._going_on:  # else what the step begins is not on the stack yet
            self._look(pos, frame, step, deep)

    def _go_on(self, pos: Position, frame: Procedure, step: Step, result: Any) -> None:
        deep = len(pos.stack)
        self._going_on = True
        super()._go_on(pos, frame, step, result)
        self._going_on = False
        self._look(pos, frame, step, deep)

    def _look(self, pos: Position, frame: Procedure, step: Step, deep: int) -> None:
        """Whether the stop is reached: `frame` was on top of a stack so deep, and its step has been run."""
        if not self.stop:
            return
        name = type(frame).__name__
        if self.stop == f"{name}.{step.name}":
            self._depth = deep
        ended = self.stop == name and (len(pos.stack) < deep or pos.stack[deep - 1] is not frame)
        if ended or (self._depth is not None and len(pos.stack) <= self._depth):
            raise _Reached(pos)
