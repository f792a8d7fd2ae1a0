"""Orders tried on a copy of the position, before anything is signed.

The rehearsal goes as far as the rules can be foreseen: up to the first die, draw, opening or decision
of another seat. What comes later is only read: a misspelt order is found, an illegal one cannot be.
The game itself is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice, product

from pbem import attached
from pbem.engine.croupier import visible
from pbem.engine.notation import NotationError, UnknownCard, parse, shown_handles, words
from pbem.engine.options import Options, View
from pbem.engine.orders import ListError, Order, SaidAhead, Stopped, choose, read_orders
from pbem.engine.position import Position
from pbem.engine.waits import Ask, AskSealed, Decision
from pbem.errors import NotYourTurnError, RulesError, UsageError
from pbem.table import Table

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")
SOME = 5000
"""So many legal moves are looked at for a word that may be meant."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An order that would be refused."""

    line: int
    column: int
    order: str
    rule: str
    reason: str
    hint: str = ""


@dataclass
class Rehearsal:
    """What became of a list of orders."""

    findings: list[Finding] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    """Orders that can be foreseen, and are legal."""
    skipped: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    """Orders whose legality depends on what nobody knows yet."""
    stops_at: str = ""
    """Why the rehearsal could not go further."""
    orders: tuple[Order, ...] = ()
    """The list as it was read."""
    own: set[int] = field(default_factory=set)
    """The lines that certainly leave the next decision to this seat."""
    asked: str = ""
    """The question to this seat that the list leaves open at its end, "" if none can be foreseen."""


def question(table: Table) -> Options:
    """The question to this seat; NotYourTurnError if there is none."""
    if table.seat is None:
        raise NotYourTurnError("you only watch this game", "`pbem status` says who is to move")
    due = table.due()
    if due is None or due.options is None:
        raise NotYourTurnError("nothing is asked of you now", "`pbem status` says who is to move")
    return due.options


def view_of(table: Table, pos: Position, options: Options) -> View:
    """What this seat sees of a position that its orders may have changed."""
    assert table.secrets is not None and table.seat is not None
    known = {}
    for handle in visible(pos, table.seat, options):
        if handle in table.ledger.position.hidden:
            value = table.secrets.value(handle)
            if value is not None:
                known[handle] = value
    return View(table.seat, known)


def in_full(table: Table, text: str) -> str:
    """Orders with the short names of the board and the files that they attach written out.

    What is signed has whole words only.
    """
    from pbem.page.plain import spelled_out
    from pbem.page.terminal import literals

    rules = table.ledger.machine.rules
    text = attached.spelled_out(rules, table.folder, text)
    return spelled_out(text, rules.scene(table.ledger.position), literals(rules))


def rehearse(table: Table, text: str) -> Rehearsal:
    """Try a list of orders."""
    result = Rehearsal()
    options = question(table)
    try:
        orders = read_orders(text)
    except ListError as error:
        result.findings.append(Finding(error.line, 1, "", "", error.reason, error.hint or ""))
        return result
    result.orders = orders
    if not orders:
        raise UsageError("there is no order in the list", "`pbem orders` writes a file to start from")
    wait = table.ledger.machine.waits_for(table.ledger.position)
    columns = _columns(text)
    if isinstance(wait, AskSealed):
        _sealed(table, options, orders, columns, result)
        return result
    rest = _carry_out(table, orders, columns, result)
    for order in rest:
        result.later.append(order.text)
        _read_only(table, order, columns, result)
    _read_answers(table, text, result)
    result.findings.sort(key=lambda one: (one.line, one.column))
    return result


def _columns(text: str) -> dict[int, int]:
    """How far the order itself is from the beginning of its line."""
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        bare = line[1:] if line.startswith("?") else line
        found[number] = len(line) - len(bare.lstrip())
    return found


def _sealed(
    table: Table, options: Options, orders: tuple[Order, ...], columns: dict[int, int], result: Rehearsal
) -> None:
    view = view_of(table, table.ledger.position, options)
    for extra in orders[1:]:
        result.findings.append(
            Finding(extra.at, 1, extra.text, "", "one sealed answer is asked for, and one alone")
        )
    first = orders[0]
    try:
        table.ledger.machine.read_move(table.ledger.position, options, first.text, view)
        result.done.append(first.text)
    except RulesError as error:
        result.findings.insert(
            0, _finding(table, table.ledger.position, options, view, first, columns, error)
        )


def _carry_out(
    table: Table, orders: tuple[Order, ...], columns: dict[int, int], result: Rehearsal
) -> tuple[Order, ...]:
    """As far as it can be foreseen; returns the orders that were not reached."""
    machine, pos = table.ledger.machine, table.ledger.position
    answers: tuple[str, ...] = ()
    at = 0
    while True:
        wait = machine.waits_for(pos)
        if isinstance(wait, AskSealed) and not orders and not answers:
            mine = [options for options in wait.options if options.seat == table.seat]
            result.asked = next((options.ask or options.kind for options in mine), "")
        if not isinstance(wait, Ask) or wait.options.seat != table.seat:
            result.stops_at = _why(wait) if orders or answers else ""
            result.own.discard(at)
            return orders
        options = wait.options
        if not orders and not answers:
            result.asked = options.ask or options.kind
            return ()
        view = view_of(table, pos, options)
        chosen = choose(machine, pos, options, view, orders, answers, ahead=bool(result.done))
        result.skipped += map(str, chosen.skipped)
        if isinstance(chosen, Stopped):
            if chosen.reason is None:
                result.asked = options.ask or options.kind
                return ()
            wrong = next(order for order in orders if order.at == chosen.line)
            refusal = NotationError(chosen.reason, chosen.hint, column=chosen.column or 1)
            refusal.rule = chosen.rule or wait.rule
            result.findings.append(_finding(table, pos, options, view, wrong, columns, refusal))
            orders = tuple(order for order in orders if order.at > wrong.at)
            continue
        shown = {h: view.known[h] for h in shown_handles(chosen.move) if h in view.known}
        try:
            pos = machine.apply(pos, Decision(str(table.seat), chosen.move, shown)).position
            result.done.append(chosen.text)
            if len(chosen.orders) < len(orders):
                at = orders[len(orders) - len(chosen.orders) - 1].at
            result.own.add(at)
        except RulesError as error:
            wrong = Order(chosen.text, orders[0].at if orders else 1)
            result.findings.append(_finding(table, pos, options, view, wrong, columns, error))
        orders, answers = chosen.orders, chosen.answers


def _why(wait: object) -> str:
    if isinstance(wait, Ask):
        return f"{wait.options.seat} decides first"
    names = {"Chance": "chance decides first", "Over": "the game is over"}
    return names.get(type(wait).__name__, "something hidden comes first")


def _finding(
    table: Table,
    pos: Position,
    options: Options,
    view: View,
    order: Order,
    columns: dict[int, int],
    error: RulesError,
) -> Finding:
    column = error.column if isinstance(error, NotationError) else 1
    hint = did_you_mean(table, pos, options, view, order.text)
    if (
        not hint and column == 1
    ):  # the first word decides what is asked for; a guess at a later one may be illegal
        hint = error.hint or ""
    return Finding(
        order.at, column + columns.get(order.at, 0), order.text, error.rule or "", error.message, hint
    )


def did_you_mean(table: Table, pos: Position, options: Options, view: View, text: str) -> str:
    """A hint for words that nothing here has, but almost: only where the order is legal with it."""
    import difflib

    try:
        written = [word.text for word in words(text)]
    except NotationError:
        return ""
    known = list(dict.fromkeys(_vocabulary(table, pos, options, view)))
    near = {w: difflib.get_close_matches(w, known, n=3, cutoff=0.6) for w in written if w not in known}
    if not near or not all(near.values()):
        return ""
    for chosen in islice(product(*near.values()), 27):
        instead = dict(zip(near, chosen, strict=True))
        if _is_legal(table, pos, options, view, " ".join(instead.get(word, word) for word in written)):
            return f"did you mean {', '.join(f'{new} instead of {old}' for old, new in instead.items())}?"
    return ""


def _is_legal(table: Table, pos: Position, options: Options, view: View, text: str) -> bool:
    machine = table.ledger.machine
    for line in machine.rules.macros(text, pos, view) or [text]:
        try:
            machine.read_move(pos, options, line, view)
        except RulesError:
            return False
        break  # the orders that a macro becomes are asked for one after the other
    return True


def _vocabulary(table: Table, pos: Position, options: Options, view: View) -> Iterable[str]:
    machine = table.ledger.machine
    for kind in machine.rules.moves:
        yield from kind.notation.split()
    for move in islice(options.list(view), SOME):
        yield from machine.write_move(pos, move, view).split()
    aliases = machine.rules.aliases(pos)
    yield from aliases
    yield from aliases.values()
    for name in type(pos).__dataclass_fields__:
        value = getattr(pos, name)
        if isinstance(value, dict):
            yield from map(str, value)


def _read_only(table: Table, order: Order, columns: dict[int, int], result: Rehearsal) -> None:
    """An order that comes too late to be judged: it must at least be one that can be given ahead."""
    problem = _unreadable(table, order.text)
    if problem is not None:
        column = problem.column + columns.get(order.at, 0)
        result.findings.append(
            Finding(order.at, column, order.text, problem.rule or "", problem.message, problem.hint or "")
        )


def _read_answers(table: Table, text: str, result: Rehearsal) -> None:
    """Indented lines answer questions that may never be asked: they must be readable."""
    for number, line in enumerate(text.split("\n"), 1):
        bare = _COMMENT.sub("", line)
        if not bare.strip() or bare[0] not in " \t":
            continue
        problem = _unreadable(table, bare.strip())
        if problem is not None:
            column = problem.column + len(bare) - len(bare.lstrip())
            result.findings.append(
                Finding(number, column, bare.strip(), problem.rule or "", problem.message, problem.hint or "")
            )


def _unreadable(table: Table, text: str) -> NotationError | None:
    machine, pos = table.ledger.machine, table.ledger.position
    assert table.secrets is not None
    view = table.secrets.view()
    if machine.rules.macros(text, pos, view) is not None:
        return None
    try:
        meant = parse(text, machine.rules.moves, machine.rules.lookup(pos, view.known))
    except UnknownCard:
        return None  # a card that is not in hand yet may be by then; its name cannot be judged now
    except NotationError as error:
        return error
    return SaidAhead.of(meant)
