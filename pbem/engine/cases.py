"""Rule cases: a position, orders, the dice that fall, and what must come of it, all in one TOML file.

`run(path)` returns the problems found: none means the case passes. A case may bring its own pack,
begin at any step of any procedure, and fix a table's result. `[cards.SEAT]` names hidden cards that a seat
holds (handle = what it is); the position says where they lie. The format is in `pbem help cases`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.engine import registry
from pbem.engine.case_alone import came_by_itself
from pbem.engine.case_chance import Script, ScriptedCroupier
from pbem.engine.case_checks import CaseError, Run, begun, cite, document, expect, judge, known, listed, waits
from pbem.engine.case_files import read, variants
from pbem.engine.case_names import ids, lay_decks, position_ids, record_keys
from pbem.engine.machine import Machine, Result
from pbem.engine.names import Names, texts_of
from pbem.engine.notation import Handle, NotationError, UnknownCard, parse
from pbem.engine.options import Options
from pbem.engine.orders import Chosen, Order, choose, read_orders
from pbem.engine.position import Hidden, Position, Unlawful
from pbem.engine.rules import AnyRules
from pbem.engine.waits import Ask, AskSealed
from pbem.errors import PbemError, RulesError, UsageError

EVERY = "*"
PLAY_KEYS = ("seat", "orders", "dice", "draws", "table", "refused", "seal", "unlawful", "expect")


def run(path: Path, data: Mapping[str, Any] | None = None) -> list[str]:
    """What is wrong with a case; an empty list means that it passes."""
    try:
        case = read(path) if data is None else data
        parts = list(variants(case, path.parent))
    except (PbemError, CaseError) as error:
        return [_said(error)]
    problems: list[str] = []
    for title, one in parts:
        found = _tried(one)
        problems += [f"{title}: {problem}" for problem in found] if title else found
    return problems


def _said(error: PbemError | CaseError) -> str:
    if isinstance(error, CaseError):
        return str(error)
    return error.message + (f" ({error.hint})" if error.hint else "")


def _tried(case: Mapping[str, Any]) -> list[str]:
    """A case has the dice of rolls on fixed tables, or not: the number of its dice says which.

    They are not among its dice if the others come out even without them, whatever else is wrong with it.
    """
    without = Script()
    found = _run(case, without)
    if without.even or not any("table" in part for part in (case, *listed(case, "play"))):
        return found
    among = Script(given=True)
    other = _run(case, among)
    return other if among.even else found


def _run(case: Mapping[str, Any], script: Script) -> list[str]:
    problems: list[str] = []
    try:
        state = _begin(case, script)
        state.problems = problems
        for number, play in enumerate(listed(case, "play"), 1):
            before = len(state.events)
            if number > 1:  # the first one's chance was there before the position was settled
                _prescribe(state.croupier.script, play)
            went_on = _play(state, play, f"play {number}")
            if "expect" in play:
                expect(state, play["expect"], before if number > 1 else 0)
            if not went_on:
                break
        expect(state, case.get("expect", {}))
    except (PbemError, CaseError) as error:
        problems.append(_said(error))
    except Exception as error:  # whatever the rules do with a position that could not come about
        problems.append(f"the rules cannot cope with this position: {type(error).__name__}: {error}")
    return problems


# --- the beginning


def _begin(case: Mapping[str, Any], script: Script) -> Run:
    if not isinstance(case.get("game"), str):
        raise UsageError("the case does not say which game it is about", 'game = "kawagoe"')
    rules = registry.load(case["game"])
    for key in ("rule", "rules"):
        for number in case.get(key, []) if key == "rules" else [case[key]] if key in case else []:
            cite(rules, number, key)
    pack = rules.pack_from(case["pack"]) if "pack" in case else rules.load_pack()
    machine = Machine(rules, pack)
    base, changes = _empty(rules, pack, case)
    base.pack = pack
    raw = document(base)
    every = rules.aliases(base)
    held = {
        handle for cards in known(case.get("cards", {}), base.seats, "cards").values() for handle in cards
    }
    own = {*held, *base.seats, *record_keys(raw)}
    called = {name: ident for name, ident in every.items() if name not in own}
    changes = {key: _cleared(raw, key, value) for key, value in changes.items()}
    changes = position_ids(type(base), changes, called)
    laid = lay_decks(changes, every)
    _merge(raw, changes)
    pos = machine.read(raw)
    script.names, script.tables = called, copy.deepcopy(dict(case.get("table", {})))
    croupier = ScriptedCroupier(machine, script)
    _hold_cards(pos, croupier, case, every)
    pos.hidden |= {handle: Hidden("") for handle in laid}
    croupier.truth |= laid
    pos.pack = pack
    there = texts_of(rules, pack)
    _are_cards(Names(rules, base, there), croupier.truth)
    _exist(Names(rules, base, there, (*pos.hidden, *croupier.truth.values())), pos, changes)
    rules.complete(pos)
    first = listed(case, "play")[:1]
    _prescribe(script, first[0] if first else {})
    if script.tables:  # names and results are looked at before anything is rolled
        for name, one in script.tables.items():
            for result in one if isinstance(one, list) else [one]:
                rules.fix_tables(pack, {name: result})
    result = croupier.settle(machine.settle(pos)) if pos.stack else Result(pos, ())
    return Run(rules, machine, croupier, result.position, list(result.events), there, called)


def _empty(rules: AnyRules, pack: Any, case: Mapping[str, Any]) -> tuple[Position, dict[str, Any]]:
    """The position that a case starts from, and what it says about it."""
    changes = dict(known(case.get("position", {}), tuple(case.get("position", {})), "position"))
    scenario = changes.pop("scenario", None)
    scenarios = rules.scenarios(pack)
    if scenario is not None and scenario not in scenarios:
        raise UsageError(f"there is no scenario {scenario!r}", f"scenarios are: {', '.join(scenarios)}")
    options = _options(rules, pack, case.get("options", {}))
    usual = rules.seat_names(pack, scenario or "", len(case.get("seats", ())) or rules.seats[0])
    seats = tuple(case.get("seats", ())) or usual
    strange = [seat for seat in seats if seat not in usual]
    if strange:
        raise UsageError(f"no seat is called {strange[0]!r}", f"seats are: {', '.join(usual)}")
    if scenario is not None:
        return begun(rules, pack, scenario, options, seats, changes.get("stack")), changes
    return rules.blank(pack, options, seats), changes


def _options(rules: AnyRules, pack: Any, given: Any) -> dict[str, str]:
    known_options = rules.options(pack)
    known(given, tuple(known_options), "options")
    for name, value in given.items():
        if value not in known_options[name]:
            raise UsageError(f"options: {name} = {value!r}", f"values are: {', '.join(known_options[name])}")
    return {name: values[0] for name, values in known_options.items()} | dict(given)


def _hold_cards(
    pos: Position, croupier: ScriptedCroupier, case: Mapping[str, Any], called: Mapping[str, str]
) -> None:
    for seat, cards in known(case.get("cards", {}), pos.seats, "cards").items():
        for handle, value in cards.items():
            pos.hidden[Handle(handle)] = Hidden("", holder=seat)
            croupier.truth[Handle(handle)] = ids(value, called)


def _are_cards(names: Names, truth: Mapping[Handle, str]) -> None:
    """Hidden cards are cards that exist."""
    for handle, card in truth.items():
        if card not in names:
            raise CaseError(f"cards: {handle} = {card!r} is unknown: {names.near(card)}")


def _exist(names: Names, pos: Position, changes: Mapping[str, Any]) -> None:
    """What the case says of the position is about things that exist."""
    found = list(names.problems(type(pos), changes, "position"))
    for number, (frame, raw) in enumerate(zip(pos.stack, changes.get("stack", []), strict=False)):
        found += names.problems(type(frame), raw, f"position.stack[{number}]")
    if found:
        raise CaseError(found[0])


def _prescribe(script: Script, play: Any) -> None:
    """The chance of one [[play]]."""
    if isinstance(play, Mapping):
        script.add(play)
        script.tables |= copy.deepcopy(dict(play.get("table", {})))


def _merge(into: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for key, value in changes.items():
        if value == "remove":
            into.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = copy.deepcopy(value) if not isinstance(value, Mapping) else _clean(value)


def _cleared(raw: dict[str, Any], key: str, value: Any) -> Any:
    """What is left to merge: `"*" = "remove"` empties a table of the position first."""
    if not isinstance(value, Mapping) or value.get(EVERY) != "remove":
        return value
    raw.pop(key, None)
    return {name: one for name, one in value.items() if name != EVERY}


def _clean(value: Mapping[str, Any]) -> dict[str, Any]:
    return {k: _clean(v) if isinstance(v, Mapping) else v for k, v in value.items() if v != "remove"}


# --- plays


def _play(state: Run, play: Any, where: str) -> bool:
    """Carry out one step of a case; False if a refusal that was expected ends it."""
    known(play, PLAY_KEYS, where)
    expected, unlawful = play.get("refused"), play.get("unlawful")
    for wanted in (expected, unlawful):
        if wanted is not None and wanted is not True:
            cite(state.rules, wanted, where)
    try:
        if "seal" in play:
            _seal(state, play["seal"])
        else:
            _orders(state, play.get("seat"), _text(play.get("orders", "")))
    except CaseError as error:
        raise CaseError(f"{where}: {error}") from None
    except RulesError as error:
        if expected is None:
            state.problems.append(f"{where}: refused by {error.rule}: {error.message}")
        elif expected not in (True, error.rule, *error.also):
            state.problems.append(f"{where}: refused by {error.rule} ({error.message}), not by {expected}")
        return False
    except Unlawful as error:
        if unlawful not in (True, error.rule):
            state.problems.append(f"{where}: unlawful by {error.rule}: {error.reason}")
        return False
    if expected is not None or unlawful is not None:
        state.problems.append(f"{where}: was accepted, should be refused ({expected or unlawful})")
    left = state.croupier.script.left()
    if left:
        state.problems.append(f"{where}: not used: {left}")
        state.croupier.script.clear()
    return True


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
    answers: tuple[str, ...] = ()
    while orders or answers:
        wait = state.wait()
        over = bool(answers) and not orders
        if orders and came_by_itself(state, wait, seat, orders[0]):
            orders = orders[1:]
            continue
        if isinstance(wait, AskSealed) and orders:
            answers, orders = (), _sealed_order(state, wait, seat, orders)
            continue
        if not isinstance(wait, Ask):
            if over:
                break
            raise RulesError(f"nobody is asked for {orders[0].text!r}: the position waits for {waits(wait)}")
        options = wait.options
        if seat is not None and options.seat != seat:
            if over:
                break
            raise RulesError(f"it is {options.seat}'s decision, not {seat}'s", rule=wait.rule)
        view = state.croupier.view(state.position, options.seat, options)
        chosen = choose(state.machine, state.position, options, view, orders, answers, ahead=False)
        _readable(state, options, orders[: len(orders) - len(getattr(chosen, "orders", orders))])
        if not isinstance(chosen, Chosen):
            if not orders:
                break
            wrong = next((order for order in orders if order.at == chosen.line), orders[0])
            judged = judge(state, options, wrong.text)
            rule = judged.rule or wait.rule
            raise RulesError(judged.reason or "nothing is left to do", rule=rule, also=judged.also)
        _unused(state, answers, chosen)
        orders, answers = chosen.orders, chosen.answers
        state.told = len(state.events) + 1  # behind the event of this order itself
        _advance(state, state.croupier.decide(state.position, chosen.move, options.seat))
    _prepared(state, answers)


def _sealed_order(
    state: Run, wait: AskSealed, seat: str | None, orders: tuple[Order, ...]
) -> tuple[Order, ...]:
    """A secret answer among orders, where only one seat is asked for one; the orders after it."""
    asked, *others = [one.seat for one in wait.options]
    if others:
        wanted = ", ".join(f'{one} = "…"' for one in (asked, *others))
        raise CaseError(f"secret answers are asked of several seats: write seal = {{ {wanted} }}")
    if seat not in (None, asked):
        raise RulesError(f"it is {asked}'s decision, not {seat}'s", rule=wait.rule)
    _seal(state, {asked: orders[0].text})
    return orders[1:]


def _readable(state: Run, options: Options, passed: tuple[Order, ...]) -> None:
    """Orders marked `?` that were skipped must have been orders all the same."""
    for order in passed[:-1]:
        judge(state, options, order.text)


def _unused(state: Run, answers: tuple[str, ...], chosen: Chosen) -> None:
    """Prepared answers that the next order makes void must have been orders."""
    if chosen.text not in answers:
        _prepared(state, answers)


def _prepared(state: Run, answers: tuple[str, ...]) -> None:
    for text in answers:
        try:
            parse(text, state.rules.moves, state.rules.lookup(state.position, state.croupier.truth))
        except UnknownCard:
            continue
        except NotationError as error:
            raise CaseError(f"the prepared answer {text!r} cannot be read: {error.message}") from None
        names = state.names()
        word = names.unknown(text)
        if word is not None:
            raise CaseError(
                f"the prepared answer {text!r} names {word!r}, which is unknown: {names.near(word)}"
            )


def _seal(state: Run, texts: Any) -> None:
    wait = state.wait()
    if not isinstance(wait, AskSealed):
        raise RulesError(f"no sealed answers are asked for: the position waits for {waits(wait)}")
    known(texts, state.position.seats, "seal")
    moves = {}
    for options in wait.options:
        if options.seat not in texts:
            raise UsageError(f"`seal` lacks {options.seat}")
        view = state.croupier.view(state.position, options.seat, options)
        judged = judge(state, options, texts[options.seat])
        if not judged.legal:
            raise RulesError(judged.reason, rule=judged.rule)
        moves[options.seat] = state.machine.read_move(state.position, options, texts[options.seat], view)
    _advance(state, state.croupier.seal(state.position, wait, moves))


def _advance(state: Run, result: Result) -> None:
    state.position = result.position
    state.events += result.events
