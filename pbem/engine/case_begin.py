"""Where a case begins: its pack, its hidden cards, and a position that is settled before the first play."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine import registry
from pbem.engine.case_chance import Script, ScriptedCroupier
from pbem.engine.case_names import ids, lay_decks, lay_sizes, position_ids, record_keys
from pbem.engine.case_run import CaseError, Run, cite, document, known, listed
from pbem.engine.case_stop import StoppingMachine
from pbem.engine.machine import Result
from pbem.engine.names import Names, texts_of
from pbem.engine.notation import Handle
from pbem.engine.position import Hidden, Position
from pbem.engine.rules import AnyRules, Rules
from pbem.errors import UsageError

EVERY = "*"


def begin(case: Mapping[str, Any]) -> Run:
    """The case with its position settled, and the chance of its first play prescribed."""
    if not isinstance(case.get("game"), str):
        raise UsageError("the case does not say which game it is about", 'game = "kawagoe"')
    rules = registry.load(case["game"])
    for number in [*([case["rule"]] if "rule" in case else []), *listed(case, "rules")]:
        cite(rules, number, "rule" if "rule" in case else "rules")
    pack = rules.pack_from(case["pack"]) if "pack" in case else rules.load_pack()
    base, changes = _empty(rules, pack, case)
    base.pack = pack
    state = _laid(StoppingMachine(rules, pack), base, changes, case)
    if "table" in case:
        _fix(state, case["table"])
    first = listed(case, "play")[:1]
    prescribe(state, first[0] if first else {})
    pos = state.position
    result = state.croupier.settle(state.machine.settle(pos)) if pos.stack else Result(pos, ())
    state.position, state.events = result.position, list(result.events)
    return state


def _laid(machine: StoppingMachine, base: Position, changes: dict[str, Any], case: Mapping[str, Any]) -> Run:
    """The position as the case states it, with every hidden card in its place."""
    rules, pack, raw = machine.rules, machine.pack, document(base)
    every = rules.aliases(base)
    cards = known(case.get("cards", {}), base.seats, "cards")
    held = {handle for ones in cards.values() for handle in known(ones, tuple(ones), "cards")}
    own = {*held, *base.seats, *record_keys(raw)}
    called = {name: ident for name, ident in every.items() if name not in own}
    changes = {key: _cleared(raw, key, value) for key, value in changes.items()}
    changes, sized = lay_sizes(type(base), changes, base.seats)
    changes = position_ids(type(base), changes, called)
    laid = lay_decks(changes, every)
    _merge(raw, changes)
    pos = machine.read(raw)
    pos.pack = pack
    croupier = ScriptedCroupier(machine, Script(called))
    _hold_cards(pos, croupier, cards, every)
    pos.hidden |= {handle: Hidden("", holder=seat) for handle, seat in sized.items()}
    pos.hidden |= {handle: Hidden("") for handle in laid}
    croupier.truth |= laid
    there = texts_of(rules, pack)
    _are_cards(Names(rules, base, there), croupier.truth)
    _exist(Names(rules, base, there, (*pos.hidden, *croupier.truth.values())), pos, changes)
    rules.complete(pos)
    _used(rules, raw, held)
    return Run(rules, machine, croupier, pos, [], there, called)


def prescribe(state: Run, play: Any) -> None:
    """The chance of one [[play]], and where it stops."""
    if not isinstance(play, Mapping):
        return
    state.croupier.script.add(play)
    if "table" in play:
        _fix(state, play["table"])
    if "stop" in play:
        assert isinstance(state.machine, StoppingMachine)
        state.machine.stop_at(play["stop"])


def _fix(state: Run, tables: Any) -> None:
    """Names and results are looked at before anything is rolled."""
    for name, one in known(tables, tuple(tables), "table").items():
        for result in one if isinstance(one, list) else [one]:
            state.rules.fix_tables(state.croupier.pack, {name: result})
    spare = state.croupier.script.fix(tables)
    if spare:
        raise CaseError(f"not used: {spare}")


def _used(rules: AnyRules, raw: Mapping[str, Any], held: set[str]) -> None:
    """A card that the case names lies somewhere; where a game has no place for hands, it is in the hand."""
    if type(rules).hand is Rules.hand:
        return
    lost = held - set(_texts({key: value for key, value in raw.items() if key != "hidden"}))
    if lost:
        raise CaseError(f"cards: {', '.join(sorted(lost))} lies nowhere: no hand and no pile of the position")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from (key, *_texts(one))
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


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


def begun(
    rules: AnyRules, pack: Any, scenario: str, options: Mapping[str, str], seats: tuple[str, ...], stack: Any
) -> Position:
    """What a case changes: a scenario at its start, or as it is set up if the stack is a later one."""
    pos: Position = rules.start(pack, scenario, options, seats)
    if stack is not None and stack != document(pos)["stack"]:
        rules.set_up(pos)
    return pos


def _options(rules: AnyRules, pack: Any, given: Any) -> dict[str, str]:
    known_options = rules.options(pack)
    known(given, tuple(known_options), "options")
    for name, value in given.items():
        if value not in known_options[name]:
            raise UsageError(f"options: {name} = {value!r}", f"values are: {', '.join(known_options[name])}")
    return {name: values[0] for name, values in known_options.items()} | dict(given)


def _hold_cards(
    pos: Position, croupier: ScriptedCroupier, held: Mapping[str, Any], called: Mapping[str, str]
) -> None:
    for seat, cards in held.items():
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
