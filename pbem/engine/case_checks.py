"""What a case expects, compared with what came of it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from itertools import islice
from typing import Any

from pbem.engine.case_names import ids, position_ids
from pbem.engine.case_plays import whole
from pbem.engine.case_run import (
    CaseError,
    Judged,
    Run,
    cite,
    document,
    judge,
    known,
    listed,
    rules_named,
    waits,
)
from pbem.engine.case_stop import StoppingMachine
from pbem.engine.croupier import visible
from pbem.engine.events import Event, events_of
from pbem.engine.handles import read_card
from pbem.engine.notation import Handle, keyword, words
from pbem.engine.options import Options
from pbem.engine.orders import Order, expand
from pbem.engine.rules import Rules
from pbem.engine.waits import Ask, AskSealed
from pbem.errors import UsageError

EXPECT_KEYS = (
    "events",
    "no_events",
    "asks",
    "legal",
    "illegal",
    "exactly",
    "hands",
    "decks",
    "sees",
    "outcome",
    "position",
)
ASKS = ("seat", "kind", "ask", "rule")
QUESTIONS = ("asks", "legal", "illegal", "exactly")
MOST = 20_000
"""So many legal orders are compared with "exactly these"."""


# --- expectations


def expect(state: Run, wanted: Any, since: int = 0) -> None:
    """Compare; what differs goes into the problems. `since`: only events from there on count."""
    wanted = known(wanted, EXPECT_KEYS, "expect")
    _states_something(wanted, "expect")
    _may_be_asked(state, wanted)
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
    _sees(state, wanted.get("sees", {}), options)
    if "outcome" in wanted:
        _compare(state, wanted["outcome"], document(state.position).get("outcome"), "outcome")
    if "position" in wanted:
        _position(state, wanted["position"])


def _states_something(wanted: Mapping[str, Any], where: str) -> None:
    """An expectation that is empty is always met."""
    if not wanted:
        raise CaseError(f"{where} is empty: it states nothing")
    for key, value in wanted.items():
        inside = isinstance(value, Mapping) and (where != "expect" or key in ("position", "sees", "outcome"))
        if inside:
            _states_something(value, f"{where}.{key}")
        elif value in ([], {}) and where == "expect":
            raise CaseError(f"{where}.{key} is empty: it states nothing")


def _may_be_asked(state: Run, wanted: Mapping[str, Any]) -> None:
    stopped = isinstance(state.machine, StoppingMachine) and state.machine.stopped
    asking = [key for key in QUESTIONS if key in wanted]
    if stopped and asking:
        raise CaseError(f"{asking[0]}: nobody is asked where the case stops")


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
            judged = whole(state, one, table["order"])
        except CaseError as error:
            wrong.append(error)
            continue
        if judged.legal:
            return judged
        refused.append(judged)
    if not refused:
        raise wrong[0]
    named = table.get("rule")
    wanted = set(named if isinstance(named, list) else [named])
    return next((one for one in refused if wanted & set(one.rules)), refused[0])


def _legal(state: Run, options: tuple[Options, ...], item: Any) -> None:
    table = _item(item, "legal", ("order", "seat"))
    judged = _judged(state, options, table)
    if not judged.legal:
        state.problems.append(f"should be legal: {table['order']}: {judged.rule}: {judged.reason}")


def _illegal(state: Run, options: tuple[Options, ...], item: Any) -> None:
    table = _item(item, "illegal", ("order", "seat", "rule"))
    order, rule = table["order"], table.get("rule")
    named = () if rule is None else rules_named(state.rules, rule, "illegal")
    judged = _judged(state, options, table)
    if judged.legal:
        state.problems.append(f"should be illegal: {order}")
    elif not named:
        now = f"now {judged.rule} does: {judged.reason}"
        state.problems.append(f"illegal: which rule forbids {order!r}? {{ order = …, rule = … }}; {now}")
    elif not set(named) & set(judged.rules):
        wanted = " or ".join(named)
        state.problems.append(f"{order}: refused by {judged.rule} ({judged.reason}), not by {wanted}")


def _exactly(state: Run, options: tuple[Options, ...], item: Any) -> None:
    """All legal orders, or all that begin with some words, are these and no others."""
    table: Mapping[str, Any] = {"orders": item}
    if not isinstance(item, list):
        table = known(item, ("orders", "seat", "begins"), "exactly")
    one, *others = asked(state, options, table.get("seat"))
    if others:
        raise CaseError("exactly: several are asked; say whose orders they are, { seat = …, orders = […] }")
    begins = _beginning(state, one, table.get("begins", ""))
    pos, view = state.position, state.croupier.view(state.position, one.seat, one)
    moves = list(islice(one.list(view), MOST + 1))
    if len(moves) > MOST:
        raise CaseError(f"exactly: more than {MOST} orders are legal")
    legal = {state.machine.write_move(pos, move, view): move for move in moves}
    wanted = set()
    for order in listed(table, "orders"):
        if not judge(state, one, order).legal:
            state.problems.append(f"exactly: not legal: {order}")
            continue
        steps = expand(state.machine, pos, view, (Order(order, 1),), set())
        if len(steps) > 1:
            raise CaseError(f"exactly: {order!r} stands for several orders: {steps[0].text}, …")
        move = state.machine.read_move(pos, one, steps[0].text, view)
        wanted.add(state.machine.write_move(pos, move, view))
    more = [text for text in legal if _begins(text, begins) and text not in wanted]
    if more:
        state.problems.append(f"exactly: also legal: {'; '.join(more[:10])}{' …' if len(more) > 10 else ''}")
    strange = [text for text in wanted if not _begins(text, begins)]
    if strange:
        raise CaseError(f"exactly: {strange[0]!r} does not begin with {' '.join(begins)!r}")


def _beginning(state: Run, options: Options, text: Any) -> list[str]:
    """The words that orders begin with; a slip in them would make a list of none true."""
    found = [word.text for word in words(str(text))]
    first = {keyword(kind) for kind in options.kinds() or state.rules.moves}
    if found and found[0] not in first:
        known_words = ", ".join(sorted(first))
        raise CaseError(f"exactly: begins = {text!r}: no order that is asked for begins so ({known_words})")
    names = state.names()
    strange = names.unknown(" ".join(found))
    if strange is not None:
        raise CaseError(f"exactly: begins = {text!r}: {strange!r} is unknown: {names.near(strange)}")
    return found


def _begins(order: str, begins: list[str]) -> bool:
    return [word.text for word in words(order)][: len(begins)] == begins


def _sizes(state: Run, wanted: Mapping[str, Any]) -> None:
    pos = state.position
    for seat, size in wanted.get("hands", {}).items():
        if seat not in pos.seats:
            raise UsageError(f"hands: no seat is called {seat!r}", f"seats are: {', '.join(pos.seats)}")
        held = _held(state, seat)
        if len(held) != size:
            state.problems.append(f"hands.{seat}: expected {size} cards, found {len(held)}")
    for deck, size in wanted.get("decks", {}).items():
        found = len(pos.decks[deck]) if deck in pos.decks else _pile(state, deck)
        if found != size:
            state.problems.append(f"decks.{deck}: expected {size} cards, found {found}")


def _pile(state: Run, path: str) -> int:
    """How long a list of the position is, by the way to it: sides.east.deck."""
    value: Any = state.position
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
    if not isinstance(value, tuple):
        there = ", ".join(state.position.decks) or "none"
        hint = f"shared decks are: {there}; any other pile by its fields, as in `sides.east.deck`"
        raise UsageError(f"decks: there is no deck {path!r}", hint)
    return len(value)


def _sees(state: Run, wanted: Any, options: tuple[Options, ...]) -> None:
    """What a seat knows of hidden cards: which one a card is, or `false`, that it does not know it."""
    pos, truth = state.position, state.croupier.truth
    for seat, cards in known(wanted, pos.seats, "sees").items():
        question = next((one for one in options if one.seat == seat), None)
        seen = state.croupier.view(pos, seat, question).known
        for name, card in cards.items():
            handle = _handle(state, name)
            found = seen.get(handle) if handle in pos.hidden else truth.get(handle)
            if card is False and found is not None:
                state.problems.append(f"sees.{seat}.{name}: expected that it is unknown, found {found!r}")
            elif card is not False and found != ids(card, state.called):
                state.problems.append(f"sees.{seat}.{name}: expected {card!r}, found {found or 'unknown'!r}")


def _handle(state: Run, name: str) -> Handle:
    """A hidden card by its handle, or by what it is if only one is that."""
    truth = state.croupier.truth
    if Handle(name) in state.position.hidden or Handle(name) in truth:
        return Handle(name)
    found = [handle for handle, card in truth.items() if card == ids(name, state.called)]
    if len(found) != 1:
        problem = f"{len(found)} cards are {name!r}: name one by its handle" if found else "no card is that"
        raise CaseError(f"sees: {name!r}: {problem}")
    return found[0]


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
