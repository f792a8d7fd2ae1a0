"""What the protocol writes into the log of chance and of lists of orders, beside the events of the rules."""

from __future__ import annotations

from pbem.engine.events import Event, OrderText


class NumbersFell(Event):
    """Integers that a seed gave: what the rule makes of them is told by the next event."""

    says = "drawn by lot, all seats together (draw {request} of seed {seed}): {values}"
    quiet = True
    seed: int
    request: int
    bounds: tuple[int, ...]
    values: tuple[int, ...]


class OrderSkipped(Event):
    says = "{seat}: skipped: line {line}: {order}{aside:?: {aside}|}{broken:? (rule {broken})|}"
    seat: str
    line: int
    order: OrderText
    broken: str
    """The rule that forbids it, if it is one."""


class ListReturned(Event):
    """What is left of a list goes back: another seat decides first, or an order is not legal."""

    says = (
        "{seat}: the rest of the list goes back{sealed:? and {sealed:# sealed part|# sealed parts}|}: "
        "{waits:?{waits} has to decide first|{line:?line {line}|an order}{aside:?: {aside}| is not legal}"
        "{broken:? (rule {broken})|}}"
    )
    seat: str
    returned: str
    sealed: int = 0
    waits: str = ""
    line: int = 0
    broken: str = ""


class StandingUsed(Event):
    says = "standing order of {seat} for {decision}: {order}"
    seat: str
    decision: str
    order: OrderText
    standing: str
    """The entry that gave it."""
