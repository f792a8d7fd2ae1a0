"""Order lists: text that a player signs, carried out as far as it is legal.

Lines indented under an order answer its later questions to the same seat (lose, push, advance):
the first legal one is taken, each once. An order marked `?` is skipped when it is illegal. What
cannot be carried out goes back to the player as a draft. `#` begins a comment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pbem.engine.codec import Record
from pbem.engine.machine import FAULTS, Machine
from pbem.engine.notation import Move, NotationError
from pbem.engine.options import Options, View
from pbem.engine.position import Position
from pbem.errors import RulesError


class ListError(NotationError):
    """A list that has not the shape of one, at which line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


class SaidAhead(NotationError):
    """A claim for the audit before its question: an honest author could not know if it would be true."""

    def __init__(self) -> None:
        reason = "only the audit can check this: it cannot be said before it is asked"
        super().__init__(reason, "your cards may change: say it when you are asked, first in a list")

    @classmethod
    def of(cls, meant: Iterable[Move]) -> SaidAhead | None:
        """Why a line that can mean these moves is never legal ahead; None if it may be."""
        return cls() if all(move.claims for move in meant) else None


@dataclass(frozen=True, slots=True)
class Order(Record):
    """One order and the answers prepared for the questions that it may raise."""

    text: str
    at: int
    """The line where it stands in the list, from 1."""
    optional: bool = False
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """An optional order that is not legal now: its line, the rule that forbids it, and why."""

    line: int
    order: str
    rule: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.order}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a list says at a question: the move, and what is left of the list."""

    move: Move
    text: str
    orders: tuple[Order, ...]
    answers: tuple[str, ...]
    """Prepared answers of the order under way that are still unused."""
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Stopped:
    """The list cannot go on: why, at which line; None as reason if it simply is at its end."""

    reason: str | None
    rule: str | None = None
    line: int | None = None
    skipped: tuple[Skipped, ...] = ()
    column: int | None = None
    hint: str | None = None


def read_orders(text: str) -> tuple[Order, ...]:
    """The orders of a list. Only its shape is checked here."""
    found: list[Order] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = _without_comment(raw).rstrip()
        if not line.strip():
            continue
        if line[0] in " \t":
            if not found:
                raise ListError(number, "an answer without an order above it")
            last = found[-1]
            found[-1] = Order(last.text, last.at, last.optional, (*last.answers, line.strip()))
            continue
        optional = line.startswith("?")
        body = line[1:].strip() if optional else line
        if not body:
            raise ListError(number, "a question mark without an order")
        found.append(Order(body, number, optional))
    return tuple(found)


def fits(order: str, pattern: str) -> bool:
    """Whether an order fits a pattern: a part of it, or, with `*` for anything, the whole of it."""
    first, *rest = pattern.split("*")
    if not rest:
        return pattern in order
    *middle, last = rest
    if not order.startswith(first) or len(order) < len(first) + len(last) or not order.endswith(last):
        return False
    at, end = len(first), len(order) - len(last)
    for part in middle:
        found = order.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def _without_comment(line: str) -> str:
    inside = False
    for at, char in enumerate(line):
        if char == '"':
            inside = not inside
        elif char == "#" and not inside and (at == 0 or line[at - 1] in " \t"):
            return line[:at]
    return line


def write_orders(orders: Iterable[Order], *, in_place: bool = False) -> str:
    """The list as text again: for a draft, or each order on the line where its author wrote it."""
    out: list[str] = []
    for order in orders:
        if in_place:
            out += [""] * (order.at - 1 - len(out))
        out.append(("? " if order.optional else "") + order.text)
        out += [f"    {answer}" for answer in order.answers]
    return "\n".join(out) + ("\n" if out else "")


def expand(
    machine: Machine, pos: Position, view: View, orders: tuple[Order, ...], expanded: set[tuple[int, str]]
) -> tuple[Order, ...]:
    """The list with macros at its head replaced by what they stand for, which may be nothing.

    In one position a line is replaced once: where the first part of what it stands for is skipped, the rest
    would stand for the same again, for ever.
    """
    while orders:
        first = orders[0]
        if (first.at, first.text) in expanded:
            break
        lines = _stands_for(machine, pos, view, first.text)
        if lines is None:
            break
        expanded.add((first.at, first.text))
        made = [Order(text, first.at, first.optional) for text in lines]
        orders = orders[1:]
        if made:
            made[-1] = Order(made[-1].text, first.at, first.optional, first.answers)
            return (*made, *orders)
    return orders


def _stands_for(machine: Machine, pos: Position, view: View, text: str) -> list[str] | None:
    try:
        return machine.rules.macros(text, pos, view)
    except FAULTS:
        return None


def choose(
    machine: Machine,
    pos: Position,
    options: Options,
    view: View,
    orders: tuple[Order, ...],
    answers: tuple[str, ...],
    *,
    ahead: bool,
) -> Chosen | Stopped:
    """What a list answers to a question of its own seat.

    `ahead`: its author had not seen the question. A claim is not legal then, and never as a prepared answer.
    """
    for number, text in enumerate(answers):
        move = _legal(machine, pos, options, text, view)
        if move is not None and not move.claims:
            return Chosen(move, text, orders, answers[:number] + answers[number + 1 :])
    skipped: list[Skipped] = []
    expanded: set[tuple[int, str]] = set()
    while orders:
        orders = expand(machine, pos, view, orders, expanded)
        if not orders:
            break
        first, rest = orders[0], orders[1:]
        try:
            move = machine.read_move(pos, options, first.text, view)
            if ahead and move.claims:
                raise SaidAhead
        except RulesError as error:
            if first.optional:
                skipped.append(Skipped(first.at, first.text, error.rule or "", error.message))
                orders = rest
                continue
            column = error.column if isinstance(error, NotationError) else None
            return Stopped(error.message, error.rule, first.at, tuple(skipped), column, error.hint)
        return Chosen(move, first.text, rest, first.answers, tuple(skipped))
    return Stopped(None, skipped=tuple(skipped))


def _legal(machine: Machine, pos: Position, options: Options, text: str, view: View) -> Move | None:
    try:
        return machine.read_move(pos, options, text, view)
    except RulesError:
        return None


def segments(orders: tuple[Order, ...], interrupts: Callable[[Order], bool]) -> tuple[tuple[Order, ...], ...]:
    """The list cut after each order that may make another seat decide: all but the first part is sealed."""
    parts: list[list[Order]] = [[]]
    for order in orders:
        parts[-1].append(order)
        if interrupts(order):
            parts.append([])
    return tuple(tuple(part) for part in parts if part)
