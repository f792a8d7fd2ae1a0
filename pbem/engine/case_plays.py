"""The plays of a case: orders and sealed answers, each refused or carried out as it says.

Every line counts: an order that is refused must be the last of its play and its play the last of the case,
and an answer prepared under an order must be used.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.engine.case_alone import came_by_itself
from pbem.engine.case_chance import ChanceMissing, Script, ScriptedCroupier
from pbem.engine.case_run import CaseError, Judged, Run, judge, known, rules_named, waits
from pbem.engine.machine import Machine, Result
from pbem.engine.notation import NotationError, UnknownCard, parse
from pbem.engine.options import Options
from pbem.engine.orders import Chosen, Order, choose, read_orders
from pbem.engine.position import Unlawful
from pbem.engine.waits import Ask, AskSealed
from pbem.errors import UsageError

PLAY_KEYS = ("seat", "orders", "dice", "draws", "table", "refused", "seal", "unlawful", "stop", "expect")


class Refused(Exception):
    """An order of a play is refused: by which rules, why, and whether it was the last."""

    def __init__(self, judged: Judged, *, last: bool) -> None:
        super().__init__(judged.reason)
        self.judged, self.last = judged, last


def play(state: Run, given: Any, where: str) -> bool:
    """Carry out one play; False if the case ends with it, by a refusal."""
    known(given, PLAY_KEYS, where)
    _says_something(given, where)
    expected, unlawful = (_wanted(state, given, key, where) for key in ("refused", "unlawful"))
    try:
        if "seal" in given:
            _seal(state, given["seal"])
        else:
            _orders(state, given.get("seat"), _text(given.get("orders", "")))
    except CaseError as error:
        raise CaseError(f"{where}: {error}") from None
    except Refused as error:
        _refused(state, error, expected, where)
        return False
    except Unlawful as error:
        if unlawful is None or (unlawful and error.rule not in unlawful):
            state.problems.append(f"{where}: unlawful by {error.rule}: {error.reason}")
        return False
    if expected is not None or unlawful is not None:
        wanted = given.get("refused", given.get("unlawful"))
        state.problems.append(f"{where}: was accepted, should be refused ({wanted})")
    left = state.croupier.script.left()
    if left:
        state.problems.append(f"{where}: not used: {left}")
        state.croupier.script.clear()
    return True


def _says_something(given: dict[str, Any], where: str) -> None:
    if not any(value not in ("", [], {}) for key, value in given.items() if key != "seat"):
        raise CaseError(f"{where} states nothing: no orders, no chance, no expectation")


def _wanted(state: Run, given: dict[str, Any], key: str, where: str) -> tuple[str, ...] | None:
    """The rules of a refusal that is expected; none named: any; None: it is not expected."""
    value = given.get(key)
    if value is None or value is True:
        return None if value is None else ()
    return rules_named(state.rules, value, where)


def _refused(state: Run, error: Refused, expected: tuple[str, ...] | None, where: str) -> None:
    judged = error.judged
    if expected is None:
        state.problems.append(f"{where}: refused by {judged.rule}: {judged.reason}")
    elif expected and not set(expected) & set(judged.rules):
        named = " or ".join(expected)
        state.problems.append(f"{where}: refused by {judged.rule} ({judged.reason}), not by {named}")
    elif not error.last:
        state.problems.append(f"{where}: an earlier order is refused, not the last: {judged.reason}")


def whole(state: Run, options: Options, order: str) -> Judged:
    """What the rules say to an order with all the steps that it stands for, as if it were played now."""
    if not isinstance(state.wait(), Ask):
        return judge(state, options, order)
    machine = Machine(state.rules, state.machine.pack)
    croupier = ScriptedCroupier(machine, Script(state.croupier.script.names))
    croupier.truth = dict(state.croupier.truth)
    trial = replace(state, machine=machine, croupier=croupier, events=[], problems=[], told=0, trial=True)
    try:
        _orders(trial, options.seat, order)
    except Refused as error:
        return error.judged
    except ChanceMissing as error:
        raise CaseError(f"{order!r} takes several steps and chance between them: play it ({error})") from None
    return Judged(True)


def _text(orders: Any) -> str:
    """A list of orders as it is written: a text, or an array with a line in each place."""
    return "\n".join(map(str, orders)) if isinstance(orders, list) else str(orders)


def _orders(state: Run, seat: str | None, text: str) -> None:
    if seat is not None and seat not in state.position.seats:
        raise UsageError(f"no seat is called {seat!r}", f"seats are: {', '.join(state.position.seats)}")
    try:
        orders = read_orders(text)
    except NotationError as error:
        raise CaseError(error.message) from None
    end = orders[-1].at if orders else 0
    answers: tuple[str, ...] = ()
    while orders or answers:
        wait = state.wait()
        answers = tuple(text for text in answers if not came_by_itself(state, wait, seat, Order(text, 0)))
        if orders and came_by_itself(state, wait, seat, orders[0]):
            orders = orders[1:]
            continue
        if isinstance(wait, AskSealed) and orders:
            answers, orders = _unused(state, answers), _sealed_order(state, wait, seat, orders)
            continue
        elsewhere = _asked_elsewhere(wait, seat)
        if elsewhere is not None:
            if not orders:
                break
            raise Refused(elsewhere, last=orders[0].at == end)
        assert isinstance(wait, Ask)
        options = wait.options
        view = state.croupier.view(state.position, options.seat, options)
        chosen = choose(state.machine, state.position, options, view, orders, answers, ahead=False)
        _readable(state, options, orders[: len(orders) - len(getattr(chosen, "orders", orders))])
        if not isinstance(chosen, Chosen):
            if not orders:
                break
            wrong = next((order for order in orders if order.at == chosen.line), orders[0])
            judged = judge(state, options, wrong.text)
            judged = replace(judged, legal=False, rule=judged.rule or wait.rule)
            raise Refused(judged, last=wrong.at == end)
        if chosen.text not in answers:
            _unused(state, answers)
        orders, answers = chosen.orders, chosen.answers
        if state.trial and not orders:
            return
        state.told = len(state.events) + 1  # behind the event of this order itself
        _advance(state, state.croupier.decide(state.position, chosen.move, options.seat))
    _unused(state, answers)


def _asked_elsewhere(wait: Any, seat: str | None) -> Judged | None:
    """Why no order of the seat is looked for now."""
    if not isinstance(wait, Ask):
        return Judged(False, str(getattr(wait, "rule", "")), f"the position waits for {waits(wait)}")
    if seat not in (None, wait.options.seat):
        return Judged(False, wait.rule, f"it is {wait.options.seat}'s decision, not {seat}'s")
    return None


def _sealed_order(
    state: Run, wait: AskSealed, seat: str | None, orders: tuple[Order, ...]
) -> tuple[Order, ...]:
    """A secret answer among orders, where only one seat is asked for one; the orders after it."""
    asked, *others = [one.seat for one in wait.options]
    if others:
        wanted = ", ".join(f'{one} = "…"' for one in (asked, *others))
        raise CaseError(f"secret answers are asked of several seats: write seal = {{ {wanted} }}")
    if seat not in (None, asked):
        judged = Judged(False, wait.rule, f"it is {asked}'s decision, not {seat}'s")
        raise Refused(judged, last=len(orders) == 1)
    _seal(state, {asked: orders[0].text}, last=len(orders) == 1)
    return orders[1:]


def _readable(state: Run, options: Options, passed: tuple[Order, ...]) -> None:
    """Orders marked `?` that were skipped must have been orders all the same."""
    for order in passed[:-1]:
        judge(state, options, order.text)


def _unused(state: Run, answers: tuple[str, ...]) -> tuple[str, ...]:
    """Prepared answers that are over without having been used: none may be left."""
    for text in answers:
        try:
            parse(text, state.rules.moves, state.rules.lookup(state.position, state.croupier.truth))
        except UnknownCard:
            pass
        except NotationError as error:
            raise CaseError(f"the prepared answer {text!r} cannot be read: {error.message}") from None
        names = state.names()
        word = names.unknown(text)
        if word is not None:
            raise CaseError(
                f"the prepared answer {text!r} names {word!r}, which is unknown: {names.near(word)}"
            )
        raise CaseError(f"the prepared answer {text!r} is never used")
    return ()


def _seal(state: Run, texts: Any, *, last: bool = True) -> None:
    wait = state.wait()
    if not isinstance(wait, AskSealed):
        reason = f"no sealed answers are asked for: the position waits for {waits(wait)}"
        raise Refused(Judged(False, str(getattr(wait, "rule", "")), reason), last=last)
    known(texts, state.position.seats, "seal")
    moves = {}
    for options in wait.options:
        if options.seat not in texts:
            raise UsageError(f"`seal` lacks {options.seat}")
        view = state.croupier.view(state.position, options.seat, options)
        judged = judge(state, options, texts[options.seat])
        if not judged.legal:
            raise Refused(judged, last=last)
        moves[options.seat] = state.machine.read_move(state.position, options, texts[options.seat], view)
    _advance(state, state.croupier.seal(state.position, wait, moves))


def _advance(state: Run, result: Result) -> None:
    state.position = result.position
    state.events += result.events
