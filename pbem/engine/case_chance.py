"""Chance as a case prescribes it: dice and draws in order, and tables whose result is fixed.

A roll on a fixed table takes no die of the case: its result is known, so its dice do not matter.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.case_names import ids
from pbem.engine.croupier import Croupier
from pbem.engine.machine import Machine
from pbem.engine.notation import Handle
from pbem.engine.position import Position
from pbem.engine.waits import Chance, Fall, Open, Shuffle
from pbem.errors import UsageError


class ChanceMissing(UsageError):
    """Something falls or is drawn that the case does not prescribe."""


@dataclass
class Script:
    """The chance that a case prescribes, used up in order."""

    names: Mapping[str, str] = field(default_factory=dict)
    """What the book calls things, and their ids."""
    dice: list[int] = field(default_factory=list)
    draws: list[Any] = field(default_factory=list)
    tables: dict[str, Any] = field(default_factory=dict)
    """Results that are fixed: one for good, or a list that is used up, one a roll on that table."""
    idle: set[str] = field(default_factory=set)
    """Fixed tables that nothing has been read on yet."""

    def add(self, play: Mapping[str, Any]) -> None:
        """What one [[play]] prescribes."""
        self.dice += list(play.get("dice", []))
        self.draws += ids(list(play.get("draws", [])), self.names)

    def fix(self, tables: Mapping[str, Any]) -> str:
        """Tables with these results from now on; what was never used of those they replace."""
        spare = self.spare(*(name for name in tables if name in self.tables))
        self.tables |= copy.deepcopy(dict(tables))
        self.idle |= set(tables)
        return spare

    def left(self) -> str:
        """What was prescribed for a play and has not fallen."""
        parts = [f"dice {self.dice}" if self.dice else "", f"draws {self.draws}" if self.draws else ""]
        return ", ".join(part for part in parts if part)

    def spare(self, *names: str) -> str:
        """What these tables (all, if none is named) would have given and nobody asked for."""
        found = []
        for name in names or tuple(self.tables):
            rest = self.tables[name]
            if name in self.idle or (isinstance(rest, list) and rest):
                found.append(f"table {name} = {rest!r}")
        return ", ".join(found)

    def clear(self) -> None:
        """Forget the rest of a play."""
        self.dice.clear()
        self.draws.clear()


class ScriptedCroupier(Croupier):
    """A croupier whose dice, draws and table results come from the case."""

    def __init__(self, machine: Machine, script: Script) -> None:
        super().__init__(machine, random.Random(0))
        self.script = script
        self.pack = machine.pack
        self.position: Position | None = None

    def numbers(self, wait: Chance) -> tuple[int, ...]:
        if wait.fall is Fall.DICE:
            return tuple(self._die(bound, wait) for bound in wait.bounds)
        if wait.fall is Fall.DEAL:
            return tuple(self._dealt(wait.bounds))
        return tuple(self._draw(bound, wait) for bound in wait.bounds)

    def _fixed(self, wait: Chance) -> list[str]:
        """The tables with a fixed result that this roll is read on."""
        return [name for name in self.script.tables if self.machine.rules.reads(name, wait.rule)]

    def _die(self, bound: int, wait: Chance) -> int:
        if self._fixed(wait):
            return 0
        if not self.script.dice:
            raise ChanceMissing(
                f"a die falls that the case does not prescribe: {wait.what} by rule {wait.rule}",
                "add it to `dice`",
            )
        value = self.script.dice.pop(0)
        if type(value) is not int or not 1 <= value <= bound:
            raise UsageError(f"a die with {bound} faces cannot show {value!r} (rule {wait.rule})")
        return value - 1

    def _draw(self, bound: int, wait: Chance) -> int:
        source, shown = self._source()
        if bound == 1 and (not self.script.draws or self.script.draws[0] not in (0, *source, *shown)):
            return 0  # there is nothing to choose: it need not be given
        if not self.script.draws:
            raise ChanceMissing(
                f"one of {bound} is drawn by rule {wait.rule} and the case does not say which",
                "add it to `draws`",
            )
        item = self.script.draws.pop(0)
        if type(item) is int and 0 <= item < bound:
            return item
        for names in (source, shown):
            if item in names:
                return names.index(item)
        raise UsageError(f"{item!r} cannot be drawn here", f"there are: {', '.join(map(str, shown))}")

    def _source(self) -> tuple[list[Any], list[str]]:
        """What may be drawn now, and what it shows."""
        assert self.position is not None
        frame = self.position.stack[-1]
        source = list(frame.step.source(frame, self.position))
        return source, [str(self.truth.get(Handle(str(s)), str(s))) for s in source]

    def _dealt(self, bounds: tuple[int, ...]) -> Iterator[int]:
        """Cards for a hand: those that the case names, as far as it names any; the others as it happens."""
        assert self.position is not None
        frame = self.position.stack[-1]
        left = {name: list(deck.rest) for name, deck in self.position.decks.items()}
        sizes = {name: len(deck) for name, deck in self.position.decks.items()}
        bound = iter(bounds)
        for deal in frame.step.source(frame, self.position):
            rest = left[deal.deck]
            for _ in range(min(deal.count, sizes[deal.deck])):
                sizes[deal.deck] -= 1
                yield self._dealt_one(next(bound), rest)

    def _dealt_one(self, bound: int, rest: list[Handle]) -> int:
        shown = [self.truth.get(handle) for handle in rest]
        wanted = self.script.draws[0] if self.script.draws else None
        if bound == len(rest) and isinstance(wanted, str) and wanted in shown:
            self.script.draws.pop(0)
            number = shown.index(wanted)
        else:
            number = self.rng.randrange(bound)
        if bound == len(rest):
            rest.pop(number)
        return number

    def order(self, wait: Shuffle, size: int) -> list[int]:
        return list(range(size))

    def fix(self, pos: Position, wait: Chance) -> None:
        """The tables as the next roll finds them."""
        results = {}
        for name in self._fixed(wait):
            result = self.script.tables[name]
            self.script.idle.discard(name)
            if isinstance(result, list):
                if not result:
                    raise UsageError(f"table {name}: one more result is wanted than the case lists")
                result = result.pop(0)
            results[name] = result
        self.machine.pack = pos.pack = self.machine.rules.fix_tables(self.pack, results)

    def _answer(self, pos: Position, wait: Any) -> Any:
        self.position = pos
        if self.script.tables and isinstance(wait, Chance) and wait.fall is Fall.DICE:
            self.fix(pos, wait)
        if isinstance(wait, Open):
            closed = [handle for handle in wait.handles if handle not in self.truth]
            if closed:
                raise ChanceMissing(f"what is in {closed[0]} is not stated", "name it in `cards`")
        return super()._answer(pos, wait)
