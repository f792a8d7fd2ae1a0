"""What can be seen of a game, by whoever looks: the ledger between two rounds, or a stretch within one."""

from __future__ import annotations

from typing import Protocol

from pbem.engine.machine import Machine
from pbem.engine.options import Options
from pbem.engine.position import Position
from pbem.engine.waits import AskSealed
from pbem.protocol.papers.contract import Contract
from pbem.protocol.rounds.state import State


class Sight(Protocol):
    """What can be seen of a game: a ledger, or a runner in the middle of a round."""

    @property
    def contract(self) -> Contract: ...
    @property
    def machine(self) -> Machine: ...
    @property
    def position(self) -> Position: ...
    @property
    def state(self) -> State: ...


def sealed_question(ledger: Sight, seat: str) -> tuple[Options, bool] | None:
    """The secret question to a seat, and whether it fills slots."""
    wait = ledger.machine.waits_for(ledger.position)
    if not isinstance(wait, AskSealed):
        return None
    options = next((o for o in wait.options if o.seat == seat), None)
    return None if options is None else (options, wait.fills)
