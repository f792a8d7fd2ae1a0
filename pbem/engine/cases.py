"""Rule cases: a position, orders, the dice that fall, and what must come of it, all in one TOML file.

`run(path)` returns the problems found: none means the case passes. A case may bring its own pack,
begin at any step of any procedure, and fix a table's result. `[cards.SEAT]` names hidden cards that a seat
holds (handle = what it is); the position says where they lie. The format is in `pbem help cases`.
"""

from __future__ import annotations

import copy
import random
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.engine.croupier import Croupier
from pbem.engine.machine import Machine, Result
from pbem.engine.notation import Handle
from pbem.engine.options import Options
from pbem.engine.orders import Chosen, choose, read_orders
from pbem.engine.position import Event, Hidden, Position, Unlawful
from pbem.engine.rules import AnyRules
from pbem.engine.waits import Ask, AskSealed, Chance, Fall, Over, Shuffle
from pbem.errors import PbemError, RulesError, UsageError

CASE_KEYS = {
    "game",
    "rule",
    "rules",
    "title",
    "source",
    "table",
    "options",
    "seats",
    "cards",
    "pack",
    "position",
    "play",
    "expect",
}
PLAY_KEYS = {"seat", "orders", "dice", "draws", "refused", "seal", "unlawful"}
EXPECT_KEYS = {"events", "no_events", "asks", "legal", "illegal", "outcome", "position"}


@dataclass
class Script:
    """The chance that a case prescribes, used up in order."""

    dice: list[int] = field(default_factory=list)
    draws: list[Any] = field(default_factory=list)
    fixed: bool = False
    """A table's result is fixed, so that a die that is not prescribed may show anything."""


class ScriptedCroupier(Croupier):
    """A croupier whose dice and draws come from the case."""

    def __init__(self, machine: Machine, script: Script) -> None:
        super().__init__(machine, random.Random(0))
        self.script = script
        self.position: Position | None = None

    def numbers(self, wait: Chance) -> tuple[int, ...]:
        if wait.fall is Fall.DICE:
            return tuple(self._die(bound) for bound in wait.bounds)
        if wait.fall is Fall.DEAL:
            return tuple(self.rng.randrange(bound) for bound in wait.bounds)
        return tuple(self._draw(bound) for bound in wait.bounds)

    def _die(self, bound: int) -> int:
        if not self.script.dice:
            if self.script.fixed:
                return 0
            raise UsageError("a die falls that the case does not prescribe", "add it to `dice`")
        value = self.script.dice.pop(0)
        if not 1 <= value <= bound:
            raise UsageError(f"a die with {bound} faces cannot show {value}")
        return value - 1

    def _draw(self, bound: int) -> int:
        if bound == 1 and not self.script.draws:
            return 0
        if not self.script.draws:
            raise UsageError(f"one of {bound} is drawn and the case does not say which", "add it to `draws`")
        item = self.script.draws.pop(0)
        if isinstance(item, int):
            return item
        assert self.position is not None
        frame = self.position.stack[-1]
        source = list(frame.step.source(frame, self.position))
        shown = [str(self.truth.get(Handle(str(s)), str(s))) for s in source]
        for names in (source, shown):
            if item in names:
                return names.index(item)
        raise UsageError(f"{item!r} cannot be drawn here", f"there are: {', '.join(map(str, shown))}")

    def order(self, wait: Shuffle, size: int) -> list[int]:
        return list(range(size))

    def _answer(self, pos: Position, wait: Any) -> Any:
        self.position = pos
        return super()._answer(pos, wait)


@dataclass
class Run:
    """One case under way."""

    rules: AnyRules
    machine: Machine
    croupier: ScriptedCroupier
    position: Position
    events: list[Event]
    problems: list[str] = field(default_factory=list)


def run(path: Path, data: Mapping[str, Any] | None = None) -> list[str]:
    """What is wrong with a case; an empty list means that it passes."""
    try:
        case = data if data is not None else tomllib.loads(path.read_text(encoding="utf-8"))
        _known(case, CASE_KEYS, "case")
        state = _begin(case)
        for number, play in enumerate(case.get("play", []), 1):
            _known(play, PLAY_KEYS, f"play {number}")
            if number > 1:  # the first one's chance was there before the position was settled
                _load_script(state.croupier.script, play)
            if not _play(state, play, f"play {number}"):
                break
        _expect(state, case.get("expect", {}))
        return state.problems
    except tomllib.TOMLDecodeError as error:
        return [f"not a TOML file: {error}"]
    except PbemError as error:
        return [error.message + (f" ({error.hint})" if error.hint else "")]
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        return [f"{type(error).__name__}: {error}"]


def _known(table: Mapping[str, Any], keys: set[str], where: str) -> None:
    unknown = [k for k in table if k not in keys]
    if unknown:
        raise UsageError(f"{where}: unknown key {unknown[0]!r}", f"keys are: {', '.join(sorted(keys))}")


def _begin(case: Mapping[str, Any]) -> Run:
    from pbem.engine import registry

    rules = registry.load(case["game"])
    pack = rules.pack_from(case["pack"]) if "pack" in case else rules.load_pack()
    if "table" in case:
        pack = rules.fix_tables(pack, case["table"])
    machine = Machine(rules, pack)
    state = dict(case.get("position", {}))
    scenario = state.pop("scenario", None)
    options = {name: values[0] for name, values in rules.options(pack).items()} | dict(
        case.get("options", {})
    )
    seats = tuple(case.get("seats", ())) or rules.seat_names(pack, scenario or "", rules.seats[0])
    if scenario is not None:
        base = rules.start(pack, scenario, options, seats)
    else:
        base = rules.blank(pack, options, seats)
    data = _document(base)
    _merge(data, state)
    pos = machine.read(data)
    rules.complete(pos)
    script = Script(fixed="table" in case)
    first = case.get("play", [{}])[:1]
    _load_script(script, first[0] if first else {})
    croupier = ScriptedCroupier(machine, script)
    for seat, cards in case.get("cards", {}).items():
        for handle, value in cards.items():
            pos.hidden[Handle(handle)] = Hidden("", holder=seat)
            croupier.truth[Handle(handle)] = value
    result = croupier.settle(machine.settle(pos)) if pos.stack else Result(pos, ())
    return Run(rules, machine, croupier, result.position, list(result.events))


def _load_script(script: Script, play: Mapping[str, Any]) -> None:
    script.dice += list(play.get("dice", []))
    script.draws += list(play.get("draws", []))


def _document(pos: Position) -> dict[str, Any]:
    return tomllib.loads(pos.text())


def _merge(into: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for key, value in changes.items():
        if value == "remove":
            into.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = copy.deepcopy(value) if not isinstance(value, Mapping) else _clean(value)


def _clean(value: Mapping[str, Any]) -> dict[str, Any]:
    return {k: _clean(v) if isinstance(v, Mapping) else v for k, v in value.items() if v != "remove"}


def _play(state: Run, play: Mapping[str, Any], where: str) -> bool:
    """Carry out one step of a case; False if a refusal that was expected ends it."""
    expected = play.get("refused")
    unlawful = play.get("unlawful")
    try:
        if "seal" in play:
            _seal(state, play["seal"])
        else:
            _orders(state, play.get("seat"), play.get("orders", ""))
    except RulesError as error:
        if expected is None:
            state.problems.append(f"{where}: refused by {error.rule}: {error.message}")
        elif expected is not True and error.rule != expected:
            state.problems.append(f"{where}: refused by {error.rule} ({error.message}), not by {expected}")
        return False
    except Unlawful as error:
        if unlawful is None or unlawful not in (True, error.rule):
            state.problems.append(f"{where}: unlawful by {error.rule}: {error.reason}")
        return False
    if expected is not None or unlawful is not None:
        state.problems.append(f"{where}: was accepted, should be refused ({expected or unlawful})")
    script = state.croupier.script
    if script.dice or script.draws:
        state.problems.append(f"{where}: not used: dice {script.dice}, draws {script.draws}")
        script.dice.clear()
        script.draws.clear()
    return True


def _orders(state: Run, seat: str | None, text: str) -> None:
    orders = read_orders(text)
    answers: tuple[str, ...] = ()
    while orders or answers:
        wait = state.machine.waits_for(state.position)
        if not isinstance(wait, Ask):
            if answers and not orders:
                return
            raise RulesError(f"nobody is asked for {orders[0].text!r}: the position waits for {_waits(wait)}")
        options = wait.options
        if seat is not None and options.seat != seat:
            if answers and not orders:
                return
            raise RulesError(f"it is {options.seat}'s decision, not {seat}'s", rule=wait.rule)
        view = state.croupier.view(state.position, options.seat, options)
        chosen = choose(state.machine, state.position, options, view, orders, answers)
        if not isinstance(chosen, Chosen):
            if not orders:
                return
            raise RulesError(chosen.reason or "nothing is left to do", rule=chosen.rule or wait.rule)
        orders, answers = chosen.orders, chosen.answers
        _advance(state, state.croupier.decide(state.position, chosen.move, options.seat))


def _seal(state: Run, texts: Mapping[str, str]) -> None:
    wait = state.machine.waits_for(state.position)
    if not isinstance(wait, AskSealed):
        raise RulesError(f"no sealed answers are asked for: the position waits for {_waits(wait)}")
    moves = {}
    for options in wait.options:
        if options.seat not in texts:
            raise UsageError(f"`seal` lacks {options.seat}")
        view = state.croupier.view(state.position, options.seat, options)
        moves[options.seat] = state.machine.read_move(state.position, options, texts[options.seat], view)
    _advance(state, state.croupier.seal(state.position, wait, moves))


def _advance(state: Run, result: Result) -> None:
    state.position = result.position
    state.events += result.events


def _waits(wait: Any) -> str:
    if isinstance(wait, Ask):
        return f"{wait.options.seat}'s {wait.options.kind or 'decision'}"
    return "nothing: the game is over" if isinstance(wait, Over) else type(wait).__name__.lower()


def _expect(state: Run, expect: Mapping[str, Any]) -> None:
    _known(expect, EXPECT_KEYS, "expect")
    _expect_events(state, expect.get("events", []), expect.get("no_events", []))
    wait = (
        state.machine.waits_for(state.position) if state.position.stack or state.position.outcome else Over()
    )
    options = _options(wait)
    for key, value in expect.get("asks", {}).items():
        found = [getattr(o, key, None) if key != "rule" else getattr(wait, "rule", None) for o in options]
        if value not in found:
            state.problems.append(f"asks: expected {key} = {value!r}, found {found or _waits(wait)}")
    for order in expect.get("legal", []):
        reason = _refusal(state, options, order)
        if reason is not None:
            state.problems.append(f"should be legal: {order}: {reason[0]}: {reason[1]}")
    for item in expect.get("illegal", []):
        _expect_illegal(state, options, item)
    if "outcome" in expect:
        outcome = _document(state.position).get("outcome")
        _compare(state, expect["outcome"], outcome, "outcome")
    if "position" in expect:
        _compare(state, expect["position"], _document(state.position), "position")


def _options(wait: Any) -> tuple[Options, ...]:
    if isinstance(wait, Ask):
        return (wait.options,)
    return wait.options if isinstance(wait, AskSealed) else ()


def _refusal(state: Run, options: Iterable[Options], order: str) -> tuple[str | None, str] | None:
    last: tuple[str | None, str] = (None, "nobody is asked")
    for one in options:
        try:
            state.machine.read_move(
                state.position, one, order, state.croupier.view(state.position, one.seat, one)
            )
        except RulesError as error:
            last = (error.rule, error.message)
        else:
            return None
    return last


def _expect_illegal(state: Run, options: tuple[Options, ...], item: Any) -> None:
    order, rule = (item, None) if isinstance(item, str) else (item["order"], item.get("rule"))
    reason = _refusal(state, options, order)
    if reason is None:
        state.problems.append(f"should be illegal: {order}")
    elif rule is not None and reason[0] != rule:
        state.problems.append(f"{order}: refused by {reason[0]} ({reason[1]}), not by {rule}")


def _fits(event: Event, wanted: Mapping[str, Any]) -> bool:
    found = event.table()
    for key, value in wanted.items():
        if key == "text":
            if value not in found["text"]:
                return False
        elif found.get(key) != value:
            return False
    return True


def _expect_events(state: Run, wanted: list[Any], unwanted: list[Any]) -> None:
    at = 0
    for one in wanted:
        hit = next((i for i in range(at, len(state.events)) if _fits(state.events[i], one)), None)
        if hit is None:
            near = [e.table() for e in state.events if e.rule == one.get("rule")]
            state.problems.append(f"no event {one} (of that rule: {near or 'none'})")
        else:
            at = hit + 1
    for one in unwanted:
        hits = [e.table() for e in state.events if _fits(e, one)]
        if hits:
            state.problems.append(f"unwanted event {hits[0]}")


def _compare(state: Run, wanted: Any, found: Any, path: str) -> None:
    """Every key that the case states has that value; a field that is not written has its default."""
    if wanted == "removed":
        if found is not None:
            state.problems.append(f"{path}: should be gone, is {found}")
    elif isinstance(wanted, Mapping):
        for key, value in wanted.items():
            _compare(state, value, found.get(key) if isinstance(found, Mapping) else None, f"{path}.{key}")
    elif found != wanted and not (found is None and wanted == _default(state, path)):
        state.problems.append(f"{path}: expected {wanted!r}, found {found!r}")


def _default(state: Run, path: str) -> Any:
    """What a field that is not written holds."""
    value: Any = state.position
    for part in path.split(".")[1:]:
        value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
    return list(value) if isinstance(value, tuple) else getattr(value, "value", value)


def main(paths: list[str]) -> int:
    """Run cases and say which fail (`pbem case` does the same with tables and JSON)."""
    failed = 0
    for path in paths:
        problems = run(Path(path))
        failed += bool(problems)
        for problem in problems:
            print(f"{path}: {problem}")
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
