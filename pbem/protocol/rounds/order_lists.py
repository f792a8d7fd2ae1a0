"""A list of orders made ready to be signed: what is said now, what is shown, and the sealed parts.

What follows an order after which another seat may have to decide is sealed: the enemy must not read
plans that the rulebook lets one keep, nor may they change. As far as the list can be foreseen (no die, no
other seat's decision) it is tried on a copy, and cut only where the decision really goes to another seat;
from there on the class of each order says whether it may. The open part names cards as its author
does; sealed parts name them by their slots, so that everybody can tell, when a part is opened, which
openings must come with it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pbem.engine.machine import Machine
from pbem.engine.notation import Handle, NotationError, parse, shown_handles, write
from pbem.engine.options import View
from pbem.engine.orders import Order, Stopped, choose, read_orders, segments, write_orders
from pbem.engine.position import Position
from pbem.engine.waits import Ask, Decision
from pbem.errors import PbemError, RulesError, UsageError


@dataclass(frozen=True, slots=True)
class Prepared:
    """A list in its parts."""

    first: str
    """What is carried out now, every order on the line where it was written."""
    shown: tuple[Handle, ...]
    """The cards that the first part shows."""
    parts: tuple[str, ...]
    """What is sealed."""
    count: int
    """How many orders the first part has."""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    by_slot: str
    shown: tuple[Handle, ...]
    interrupts: bool


def prepare(
    machine: Machine,
    pos: Position,
    view: View,
    listed: tuple[Order, ...],
    own: Collection[int] | None = None,
) -> Prepared:
    """Cut a list after each order that may make another seat decide.

    `own`: the lines that certainly leave the next decision to their own seat, where that has been tried.
    """
    used: set[Handle] = set()
    wild: set[int] = set()
    shown: dict[int, tuple[Handle, ...]] = {}
    by_slot: dict[int, Order] = {}
    orders = []
    if own is None:
        own = _foreseen(machine, pos, view, listed)
    for order in listed:
        head = _line(machine, pos, view, _plain(machine, pos, view, order.text), used)
        answers = [_line(machine, pos, view, line, used) for line in order.answers]
        lines = (head, *answers)
        orders.append(Order(head.text, order.at, order.optional, tuple(a.text for a in answers)))
        by_slot[order.at] = Order(head.by_slot, order.at, order.optional, tuple(a.by_slot for a in answers))
        shown[order.at] = tuple(handle for line in lines for handle in line.shown)
        if head.interrupts and order.at not in own:
            wild.add(order.at)
    if not orders:
        raise UsageError("there is no order in the list")
    first, *rest = segments(tuple(orders), lambda order: order.at in wild)
    return Prepared(
        write_orders(first, in_place=True),
        tuple(sorted({handle for order in first for handle in shown[order.at]})),
        tuple(write_orders(by_slot[order.at] for order in part) for part in rest),
        len(first),
    )


def _foreseen(machine: Machine, pos: Position, view: View, orders: tuple[Order, ...]) -> set[int]:
    """The lines that certainly leave the next decision to their own seat."""
    sure: set[int] = set()
    answers: tuple[str, ...] = ()
    at = 0
    while True:
        wait = machine.waits_for(pos)
        if not isinstance(wait, Ask) or wait.options.seat != view.seat:
            return sure - {at}
        known = View(view.seat, {h: v for h, v in view.known.items() if h in pos.hidden})
        chosen = choose(machine, pos, wait.options, known, orders, answers, ahead=bool(sure))
        if isinstance(chosen, Stopped):
            return sure
        if len(chosen.orders) < len(orders):
            at = orders[len(orders) - len(chosen.orders) - 1].at
        orders, answers = chosen.orders, chosen.answers
        shown = {h: known.known[h] for h in shown_handles(chosen.move) if h in known.known}
        try:
            pos = machine.apply(pos, Decision(str(view.seat), chosen.move, shown)).position
        except RulesError:
            return sure - {at}
        sure.add(at)


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
    if move.secret:
        text = write(move)
    return _Line(text, write(move) if shown else text, shown, machine.rules.interrupts(pos, move))


def named_cards(machine: Machine, pos: Position, seat: str, text: str) -> tuple[Handle, ...]:
    """The closed cards of a seat that a part of its list shows, by the slots it names, in slot order."""
    found = set()
    try:
        orders = read_orders(text)
    except NotationError:
        return ()
    for line in [line for order in orders for line in (order.text, *order.answers)]:
        try:
            meant = parse(line, machine.rules.moves, machine.rules.lookup(pos, {}))
        except RulesError:
            continue
        for handle in shown_handles(meant[0]):
            slot = pos.hidden.get(handle)
            if slot is not None and (slot.holder or slot.owner) == seat:
                found.add(handle)
    return tuple(sorted(found))
