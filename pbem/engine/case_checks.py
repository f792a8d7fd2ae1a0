"""What a case expects, compared with what came of it.

An order that is expected to be refused must be one: readable, about things that exist, and an answer to
the question that is open. Otherwise a slip of the pen would prove a rule.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from pbem.engine.case_chance import ScriptedCroupier
from pbem.engine.case_names import ids, position_ids
from pbem.engine.croupier import visible
from pbem.engine.events import Event, events_of
from pbem.engine.handles import read_card
from pbem.engine.machine import Machine, NotAsked
from pbem.engine.names import Names, rule_numbers
from pbem.engine.notation import Handle, NotationError, UnknownCard
from pbem.engine.options import Options
from pbem.engine.orders import Order, expand
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules, Rules
from pbem.engine.waits import Ask, AskSealed, Over, Wait
from pbem.errors import RulesError, UsageError

EXPECT_KEYS = (
    "events",
    "no_events",
    "asks",
    "legal",
    "illegal",
    "exactly",
    "hands",
    "decks",
    "outcome",
    "position",
)
ASKS = ("seat", "kind", "ask", "rule")
MOST = 20_000
"""So many legal orders are compared with "exactly these"."""


class CaseError(Exception):
    """A case that says nothing about the rules, because it is wrong itself."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules say to an order: legal, or refused by a rule."""

    legal: bool
    rule: str = ""
    reason: str = ""
    also: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that forbids it."""
        return (self.rule, *self.also)


@dataclass
class Run:
    """One case under way."""

    rules: AnyRules
    machine: Machine
    croupier: ScriptedCroupier
    position: Position
    events: list[Event]
    texts: Set[str] = frozenset()
    """The names in the pack."""
    called: Mapping[str, str] = field(default_factory=dict)
    """What the book calls things, and their ids."""
    problems: list[str] = field(default_factory=list)
    told: int = 0
    """Events up to here lie behind an order that the case gave, or are what it has said itself."""

    def names(self) -> Names:
        """What exists, hidden cards that the case names included."""
        return Names(self.rules, self.position, self.texts, self.croupier.truth.values())

    def wait(self) -> Wait:
        """What the position waits for; a case without a stack waits for nothing."""
        pos = self.position
        return self.machine.waits_for(pos) if pos.stack or pos.outcome else Over()


def known(table: Any, keys: tuple[str, ...], where: str) -> Mapping[str, Any]:
    """A table of the case; refused if it is none or has other keys."""
    if not isinstance(table, Mapping):
        raise UsageError(f"{where} must be a table")
    unknown = [k for k in table if k not in keys]
    if unknown:
        raise UsageError(f"{where}: unknown key {unknown[0]!r}", f"keys are: {', '.join(sorted(keys))}")
    return table


def listed(table: Mapping[str, Any], key: str) -> list[Any]:
    """A list of the case."""
    value = table.get(key, [])
    if not isinstance(value, list):
        raise UsageError(f"{key} must be a list")
    return value


def waits(wait: Any) -> str:
    """What is waited for, in words."""
    if isinstance(wait, Ask):
        return f"{wait.options.seat}'s {wait.options.kind or 'decision'}"
    return "nothing: the game is over" if isinstance(wait, Over) else type(wait).__name__.lower()


def judge(state: Run, options: Options, order: str) -> Judged:
    """What the rules say to an order; CaseError if it is none, or none for this question."""
    pos, wait = state.position, state.wait()
    view = state.croupier.view(pos, options.seat, options)
    meant = expand(state.machine, pos, view, (Order(order, 1),), set())
    text = meant[0].text if meant else order
    rule = str(getattr(wait, "rule", ""))
    try:
        state.machine.read_move(pos, options, text, view)
    except NotAsked as error:
        raise CaseError(f"{order!r} answers another question: {error.message}") from None
    except UnknownCard as error:
        _exists(state, order, text)
        return Judged(False, error.rule or rule, error.message)
    except NotationError as error:
        hint = f" ({error.hint})" if error.hint else ""
        raise CaseError(f"{order!r} cannot be read: {error.message}{hint}") from None
    except RulesError as error:
        _exists(state, order, text)
        return Judged(False, error.rule or rule, error.message, error.also)
    return Judged(True)


def _exists(state: Run, order: str, text: str) -> None:
    names = state.names()
    word = names.unknown(text)
    if word is not None:
        raise CaseError(f"{order!r} names {word!r}, which is unknown: {names.near(word)}")


def begun(
    rules: AnyRules, pack: Any, scenario: str, options: Mapping[str, str], seats: tuple[str, ...], stack: Any
) -> Position:
    """What a case changes: a scenario at its start, or as it is set up if the stack is a later one."""
    pos: Position = rules.start(pack, scenario, options, seats)
    if stack is not None and stack != document(pos)["stack"]:
        rules.set_up(pos)
    return pos


def document(pos: Position) -> dict[str, Any]:
    """The position as position.toml has it."""
    return tomllib.loads(pos.text())


# --- expectations


def expect(state: Run, wanted: Any, since: int = 0) -> None:
    """Compare; what differs goes into the problems. `since`: only events from there on count."""
    wanted = known(wanted, EXPECT_KEYS, "expect")
    _events(state, listed(wanted, "events"), listed(wanted, "no_events"), state.events[since:])
    wait = state.wait()
    options = (
        (wait.options,) if isinstance(wait, Ask) else wait.options if isinstance(wait, AskSealed) else ()
    )
    asks = known(wanted.get("asks", {}), ASKS, "asks")
    for key, value in asks.items():
        found = [getattr(wait, "rule", None) if key == "rule" else getattr(o, key) for o in options]
        if value not in found:
            state.problems.append(f"asks: expected {key} = {value!r}, found {found or waits(wait)}")
    for item in listed(wanted, "legal"):
        _legal(state, options, item)
    for item in listed(wanted, "illegal"):
        _illegal(state, options, item)
    if "exactly" in wanted:
        _exactly(state, options, wanted["exactly"])
    _sizes(state, wanted)
    if "outcome" in wanted:
        _compare(state, wanted["outcome"], document(state.position).get("outcome"), "outcome")
    if "position" in wanted:
        _position(state, wanted["position"])


def _item(item: Any, where: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if isinstance(item, str):
        return {"order": item}
    table = known(item, keys, where)
    if not isinstance(table.get("order"), str):
        raise UsageError(f"{where}: `order` is missing")
    return table


def asked(state: Run, options: tuple[Options, ...], seat: Any) -> tuple[Options, ...]:
    """The questions meant: that to a seat, or all that are open."""
    if seat is not None and seat not in state.position.seats:
        raise UsageError(f"no seat is called {seat!r}", f"seats are: {', '.join(state.position.seats)}")
    found = tuple(one for one in options if seat is None or one.seat == seat)
    if not found:
        raise CaseError(f"{seat or 'nobody'} is not asked: the position waits for {waits(state.wait())}")
    return found


def _judged(state: Run, options: tuple[Options, ...], table: Mapping[str, Any]) -> Judged:
    """What is said to an order by the seat named, or, if none is, by any seat that it may be meant for."""
    refused, wrong = [], []
    for one in asked(state, options, table.get("seat")):
        try:
            judged = judge(state, one, table["order"])
        except CaseError as error:
            wrong.append(error)
            continue
        if judged.legal:
            return judged
        refused.append(judged)
    if not refused:
        raise wrong[0]
    return next((one for one in refused if table.get("rule") in one.rules), refused[0])


def _legal(state: Run, options: tuple[Options, ...], item: Any) -> None:
    table = _item(item, "legal", ("order", "seat"))
    judged = _judged(state, options, table)
    if not judged.legal:
        state.problems.append(f"should be legal: {table['order']}: {judged.rule}: {judged.reason}")


def _illegal(state: Run, options: tuple[Options, ...], item: Any) -> None:
    table = _item(item, "illegal", ("order", "seat", "rule"))
    order, rule = table["order"], table.get("rule")
    judged = _judged(state, options, table)
    if judged.legal:
        state.problems.append(f"should be illegal: {order}")
    elif rule is None:
        now = f"now {judged.rule} does: {judged.reason}"
        state.problems.append(f"illegal: which rule forbids {order!r}? {{ order = …, rule = … }}; {now}")
    elif rule not in judged.rules:
        state.problems.append(f"{order}: refused by {judged.rule} ({judged.reason}), not by {rule}")


def _exactly(state: Run, options: tuple[Options, ...], item: Any) -> None:
    """All legal orders, or all that begin with some words, are these and no others."""
    table: Mapping[str, Any] = {"orders": item}
    if not isinstance(item, list):
        table = known(item, ("orders", "seat", "begins"), "exactly")
    one, *others = asked(state, options, table.get("seat"))
    if others:
        raise CaseError("exactly: several are asked; say whose orders they are, { seat = …, orders = […] }")
    pos, view = state.position, state.croupier.view(state.position, one.seat, one)
    begins = str(table.get("begins", ""))
    moves = list(islice(one.list(view), MOST + 1))
    if len(moves) > MOST:
        raise CaseError(f"exactly: more than {MOST} orders are legal")
    legal = {state.machine.write_move(pos, move, view): move for move in moves}
    wanted = set()
    for order in listed(table, "orders"):
        if judge(state, one, order).legal:
            text = expand(state.machine, pos, view, (Order(order, 1),), set())[0].text
            wanted.add(state.machine.write_move(pos, state.machine.read_move(pos, one, text, view), view))
        else:
            state.problems.append(f"exactly: not legal: {order}")
    more = [text for text in legal if text.startswith(begins) and text not in wanted]
    if more:
        state.problems.append(f"exactly: also legal: {'; '.join(more[:10])}{' …' if len(more) > 10 else ''}")


def _sizes(state: Run, wanted: Mapping[str, Any]) -> None:
    pos = state.position
    for seat, size in wanted.get("hands", {}).items():
        if seat not in pos.seats:
            raise UsageError(f"hands: no seat is called {seat!r}", f"seats are: {', '.join(pos.seats)}")
        held = _held(state, seat)
        if len(held) != size:
            state.problems.append(f"hands.{seat}: expected {size} cards, found {len(held)}")
    for deck, size in wanted.get("decks", {}).items():
        if deck not in pos.decks:
            raise UsageError(
                f"decks: there is no deck {deck!r}", f"decks are: {', '.join(pos.decks) or 'none'}"
            )
        if len(pos.decks[deck]) != size:
            state.problems.append(f"decks.{deck}: expected {size} cards, found {len(pos.decks[deck])}")


def _held(state: Run, seat: str) -> list[Handle]:
    """The hand as the game has it, or every hidden card of the seat if it has no place for one."""
    if type(state.rules).hand is not Rules.hand:
        return list(state.rules.hand(state.position, seat))
    truth = state.croupier.truth
    return [h for h in visible(state.position, seat) if read_card(h) is not None or h in truth]


# --- events


def _fits(event: Event, wanted: Mapping[str, Any], called: Mapping[str, str]) -> bool:
    found = event.table()
    return all(found.get(key) in (value, ids(value, called)) for key, value in wanted.items())


def _events(state: Run, wanted: list[Any], unwanted: list[Any], events: list[Event]) -> None:
    at = 0
    for one in wanted:
        _event(state, one, "events")
        hit = next((i for i in range(at, len(events)) if _fits(events[i], one, state.called)), None)
        if hit is None:
            near = [e.table() for e in events if e.rule == one.get("rule")]
            state.problems.append(f"no event {one} (of that rule: {near or 'none'})")
        else:
            at = hit + 1
    for one in unwanted:
        _event(state, one, "no_events")
        hits = [e.table() for e in events if _fits(e, one, state.called)]
        if hits:
            state.problems.append(f"unwanted event {hits[0]}")


def _event(state: Run, one: Any, where: str) -> None:
    """An event that cannot happen proves nothing by not happening."""
    if not isinstance(one, Mapping) or not one:
        raise UsageError(f"{where}: an event is a table with at least one key")
    if "rule" in one:
        cite(state.rules, one["rule"], where)
    _fields(state, one, where)
    if where == "no_events":
        names = state.names()
        for key, value in one.items():
            for word in value if isinstance(value, list) else [value]:
                if key not in ("rule", "event") and isinstance(word, str) and word not in names:
                    raise CaseError(f"no_events: {key} = {word!r} is unknown: {names.near(word)}")


def _fields(state: Run, one: Mapping[str, Any], where: str) -> None:
    """An event and its fields must be declared."""
    known = events_of(type(state.position))
    name = one.get("event")
    if name is not None and name not in known:
        near = difflib.get_close_matches(str(name), known, n=3)
        raise CaseError(f"{where}: no event is called {name!r}" + (f": {', '.join(near)}?" if near else ""))
    kinds = known.values() if name is None else [known[name]]
    for key in one:
        if key not in ("rule", "event") and not any(key in kind.fields for kind in kinds):
            raise CaseError(f"{where}: {name or 'no event'} has {'no ' if name else 'a '}field {key!r}")


def cite(rules: AnyRules, rule: Any, where: str) -> None:
    """A rule that a case refers to must be one of the book."""
    numbers = rule_numbers(rules)
    if rule not in numbers:
        near = difflib.get_close_matches(str(rule), sorted(numbers), n=3)
        hint = f"did you mean {', '.join(near)}?" if near else f"`pbem rules {rules.name}` lists them"
        raise UsageError(f"{where}: {rules.name} has no rule {rule!r}", hint)


# --- positions


def _position(state: Run, wanted: Any) -> None:
    if not isinstance(wanted, Mapping):
        raise UsageError("expect.position must be a table")
    wanted = position_ids(type(state.position), wanted, state.called)
    problems = list(state.names().problems(type(state.position), wanted, "position"))
    if problems:
        raise CaseError(problems[0])
    _compare(state, wanted, document(state.position), "position")


def _compare(state: Run, wanted: Any, found: Any, path: str) -> None:
    """Every key that the case states has that value; a field that is not written has its default."""
    if wanted == "removed":
        if found is not None:
            state.problems.append(f"{path}: should be gone, is {found}")
    elif isinstance(wanted, Mapping):
        for key, value in wanted.items():
            _compare(state, value, found.get(key) if isinstance(found, Mapping) else None, f"{path}.{key}")
    elif not _same(state, wanted, found) and not (found is None and wanted == _default(state, path)):
        state.problems.append(f"{path}: expected {wanted!r}, found {found!r}")


def _same(state: Run, wanted: Any, found: Any) -> bool:
    """Equal; a hidden card may be called by what it is."""
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return all(_same(state, one, other) for one, other in zip(wanted, found, strict=True))
    return found == wanted or (isinstance(found, str) and state.croupier.truth.get(Handle(found)) == wanted)


def _default(state: Run, path: str) -> Any:
    """What a field that is not written holds."""
    value: Any = state.position
    for part in path.split(".")[1:]:
        value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
    return list(value) if isinstance(value, tuple) else getattr(value, "value", value)
