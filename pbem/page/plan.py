"""Orders tried one after the other on copies, with the position after each; and what one only supposes.

A line that begins with `~` is a supposition: `~roll 3 5` sets the dice that would fall (a draw by its number
in the list), `~han: wait` an answer of another seat. It lets one plan on where nobody can know; it is never
part of what is signed.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace

from pbem.engine.events import Event
from pbem.engine.notation import NotationError, shown_handles
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.orders import Order, Stopped, choose, read_orders
from pbem.engine.position import Position
from pbem.engine.waits import Answer, Ask, AskSealed, Chance, Decision, Over, Rolled, Wait
from pbem.errors import PbemError, RulesError
from pbem.rehearse import view_of
from pbem.table import Table

MARK = "~"
KEPT = 64


@dataclass(frozen=True)
class Planned:
    """A position on the way, and what led to it."""

    position: Position
    events: tuple[Event, ...] = ()
    supposed: bool = False
    """Whether something on the way was only supposed."""
    used: int = 0
    """Lines of the list that are done."""


@dataclass(frozen=True)
class Wrong:
    """A line that would be refused."""

    line: int
    reason: str
    rule: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Plan:
    """How far a list goes."""

    steps: tuple[Planned, ...]
    wrong: tuple[Wrong, ...] = ()
    later: int = 0
    """Lines that cannot be judged yet."""
    stop: str = ""
    """Why nobody can know what comes next, "" if the seat itself is asked."""
    options: Options | None = None
    view: View = PUBLIC
    wait: Wait | None = None

    @property
    def last(self) -> Planned:
        """The position at the end of what can be foreseen."""
        return self.steps[-1]


@dataclass
class Planner:
    """Plans for one table; a list that grows by a line costs one apply."""

    table: Table
    _kept: OrderedDict[tuple[str, tuple[str, ...]], Plan] = field(default_factory=OrderedDict)

    def plan(self, lines: tuple[str, ...]) -> Plan:
        """The plan of a list; the longest part of it that was planned before is not planned again."""
        key = (self.table.fingerprint, lines)
        found = self._kept.get(key)
        if found is None:
            found = self._make(lines)
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _make(self, lines: tuple[str, ...]) -> Plan:
        begun = Plan((Planned(self.table.ledger.position),))
        if not lines:
            return self._ask(begun)
        text = lines[-1]
        if text.startswith((" ", "\t")) or not text.strip() or text.lstrip().startswith("#"):
            return self._whole(lines)
        before = self.plan(lines[:-1])
        if before.wrong or before.later:
            return replace(before, later=before.later + 1)
        return self._one(before, text, len(lines))

    def _whole(self, lines: tuple[str, ...]) -> Plan:
        """A list with prepared answers or comments, from its beginning."""
        plan = self._ask(Plan((Planned(self.table.ledger.position),)))
        try:
            orders = read_orders("\n".join(line for line in lines if not line.startswith(MARK)))
        except NotationError as error:
            return replace(plan, wrong=(Wrong(1, error.message),))
        for order in orders:
            if plan.wrong or plan.stop:
                plan = replace(plan, later=plan.later + 1)
                continue
            plan = self._order(plan, order)
        return plan

    def _one(self, before: Plan, text: str, number: int) -> Plan:
        if text.startswith(MARK):
            return self._suppose(before, text, number)
        if before.stop:
            return replace(before, later=1)
        bare = text[1:].strip() if text.startswith("?") else text
        return self._order(before, Order(bare, number, text.startswith("?")))

    def _order(self, before: Plan, order: Order) -> Plan:
        """One order, and the questions that its prepared answers settle."""
        machine, plan = self.table.ledger.machine, before
        orders: tuple[Order, ...] = (order,)
        answers: tuple[str, ...] = ()
        while orders or answers:
            if plan.options is None:
                return replace(plan, later=len(orders))
            pos = plan.last.position
            ahead = len(plan.steps) > 1
            chosen = choose(machine, pos, plan.options, plan.view, orders, answers, ahead=ahead)
            if isinstance(chosen, Stopped):
                if chosen.reason is None:
                    return plan
                wrong = Wrong(order.at, chosen.reason, chosen.rule or "", chosen.hint or "")
                return replace(plan, wrong=(wrong,))
            orders, answers = chosen.orders, chosen.answers
            shown = {h: plan.view.known[h] for h in shown_handles(chosen.move)}
            if isinstance(plan.wait, AskSealed):
                step = replace(plan.last, used=order.at)
                return Plan((*plan.steps, step), stop="the others answer in secret, too", wait=plan.wait)
            try:
                plan = self._apply(plan, Decision(str(self.table.seat), chosen.move, shown), order.at)
            except RulesError as error:
                return replace(plan, wrong=(Wrong(order.at, error.message, error.rule or ""),))
        return plan

    def _apply(self, plan: Plan, answer: Answer, used: int, supposed: bool = False) -> Plan:
        done = self.table.ledger.machine.apply(plan.last.position, answer)
        step = Planned(done.position, done.events, supposed or plan.last.supposed, used)
        return self._ask(Plan((*plan.steps, step)))

    def _ask(self, plan: Plan) -> Plan:
        """What the position at the end waits for."""
        table, pos = self.table, plan.last.position
        wait = table.ledger.machine.waits_for(pos)
        if table.seat is None or (plan.last.used == 0 and not plan.last.supposed and not self._asked()):
            return replace(plan, stop="nothing is asked of you now", wait=wait)
        asked: tuple[Options, ...] = ()
        if isinstance(wait, (Ask, AskSealed)):
            asked = wait.options if isinstance(wait, AskSealed) else (wait.options,)
        mine = next((options for options in asked if options.seat == table.seat), None)
        if mine is None:
            return replace(plan, stop=_why(wait), wait=wait)
        return replace(plan, options=mine, view=view_of(table, pos, mine), wait=wait)

    def _asked(self) -> bool:
        due = self.table.due()
        return due is not None and due.options is not None

    # --- suppositions

    def _suppose(self, before: Plan, text: str, number: int) -> Plan:
        try:
            answer = self._supposed(before.last.position, before.wait, text[1:].strip())
            return self._apply(before, answer, number, supposed=True)
        except PbemError as error:
            return replace(before, wrong=(Wrong(number, error.message, getattr(error, "rule", "") or ""),))

    def _supposed(self, pos: Position, wait: Wait | None, text: str) -> Answer:
        if isinstance(wait, Chance):
            words = text.split()[1:]
            if len(words) != len(wait.bounds) or not all(word.isdecimal() for word in words):
                raise RulesError(f"suppose {len(wait.bounds)} numbers, each from 1")
            return Rolled(tuple(int(word) - 1 for word in words))
        if isinstance(wait, Ask) and wait.options.seat != self.table.seat:
            order = text.partition(":")[2].strip()
            machine = self.table.ledger.machine
            return Decision(wait.options.seat, machine.read_move(pos, wait.options, order, PUBLIC))
        raise RulesError("nothing can be supposed here", "it is your own decision, or something hidden")


def supposable(plan: Plan) -> dict[str, object] | None:
    """What may be supposed where a plan stops: bounds of dice, or the answers of another seat."""
    wait = plan.wait
    if plan.options is not None:
        return None
    if isinstance(wait, Chance):
        return {"kind": "roll", "bounds": list(wait.bounds), "what": wait.what, "rule": wait.rule}
    if isinstance(wait, Ask):
        return {"kind": "answer", "seat": wait.options.seat, "ask": wait.options.ask, "rule": wait.rule}
    return None


def signed_lines(lines: tuple[str, ...]) -> tuple[str, ...]:
    """What of a list may be signed: everything before the first supposition."""
    for number, line in enumerate(lines):
        if line.startswith(MARK):
            return lines[:number]
    return lines


def _why(wait: Wait) -> str:
    if isinstance(wait, Chance):
        return f"dice are to fall ({wait.what})"
    if isinstance(wait, Ask):
        return f"{wait.options.seat} has to decide: {wait.options.ask or wait.options.kind}"
    if isinstance(wait, AskSealed):
        return "others answer in secret"
    if isinstance(wait, Over):
        return "the game is over"
    return "something hidden is to be opened"
