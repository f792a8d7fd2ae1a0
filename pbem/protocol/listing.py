"""A list of orders made ready to be signed: what is said now, what is shown, and the sealed parts.

What follows an order after which another seat may have to decide is sealed: the enemy must not read
plans that the rulebook lets one keep, nor may they change. The open part names cards as its author
does; sealed parts name them by their slots, so that everybody can tell, when a part is opened, which
openings must come with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.machine import Machine, shown_handles
from pbem.engine.notation import Handle, parse, write
from pbem.engine.options import View
from pbem.engine.orders import Order, read_orders, segments, write_orders
from pbem.engine.position import Position
from pbem.engine.waits import Ask
from pbem.errors import PbemError, UsageError


@dataclass(frozen=True, slots=True)
class Prepared:
    """A list in its parts."""

    first: str
    """What is carried out now, every order on the line where it was written."""
    shown: tuple[Handle, ...]
    """The cards that the first part shows."""
    parts: tuple[str, ...]
    """What is sealed."""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    by_slot: str
    shown: tuple[Handle, ...]
    interrupts: bool


def prepare(machine: Machine, pos: Position, view: View, text: str) -> Prepared:
    """Cut a list after each order that may make another seat decide."""
    used: set[Handle] = set()
    wild: set[int] = set()
    shown: dict[int, tuple[Handle, ...]] = {}
    by_slot: dict[int, Order] = {}
    orders = []
    for order in read_orders(text):
        head = _line(machine, pos, view, _plain(machine, pos, view, order.text), used)
        answers = [_line(machine, pos, view, line, used) for line in order.answers]
        lines = (head, *answers)
        orders.append(Order(head.text, order.at, order.optional, tuple(a.text for a in answers)))
        by_slot[order.at] = Order(head.by_slot, order.at, order.optional, tuple(a.by_slot for a in answers))
        shown[order.at] = tuple(handle for line in lines for handle in line.shown)
        if head.interrupts:
            wild.add(order.at)
    if not orders:
        raise UsageError("there is no order in the list")
    first, *rest = segments(tuple(orders), lambda order: order.at in wild)
    return Prepared(
        write_orders(first, in_place=True),
        tuple(sorted({handle for order in first for handle in shown[order.at]})),
        tuple(write_orders(by_slot[order.at] for order in part) for part in rest),
    )


def _plain(machine: Machine, pos: Position, view: View, text: str) -> str:
    """A line in other words as the one order that it stands for, so that the cards it shows are seen."""
    lines = machine.rules.macros(text, pos, view)
    return lines[0] if lines is not None and len(lines) == 1 else text


def _line(machine: Machine, pos: Position, view: View, text: str, used: set[Handle]) -> _Line:
    wait = machine.waits_for(pos)
    options = wait.options if isinstance(wait, Ask) and wait.options.seat == view.seat else None
    try:
        meant = parse(text, machine.rules.moves, machine.rules.lookup(pos, view.known))
    except PbemError:
        return _Line(text, text, (), True)  # a macro, or wrong: it is looked at when its turn comes
    free = [m for m in meant if not used & set(shown_handles(m))] or meant
    move = next((m for m in free if options is not None and options.contains(m, view)), free[0])
    shown = shown_handles(move)
    used |= set(shown)
    if getattr(type(move), "secret", ()):
        text = write(move)
    return _Line(text, write(move) if shown else text, shown, type(move).interrupts)
