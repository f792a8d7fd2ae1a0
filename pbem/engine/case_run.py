"""A case under way: where it stands, and what the rules say to one order.

An order that is expected to be refused must be one: readable, about things that exist, and an answer to
the question that is open. Otherwise a slip of the pen would prove a rule.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.case_chance import ScriptedCroupier
from pbem.engine.events import Event
from pbem.engine.machine import Machine, NotAsked
from pbem.engine.names import Names, rule_numbers
from pbem.engine.notation import NotationError, UnknownCard
from pbem.engine.options import Options
from pbem.engine.orders import Order, expand
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules
from pbem.engine.waits import Ask, Over, Wait
from pbem.errors import RulesError, UsageError


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
    trial: bool = False
    """An order is only tried: its last step is judged and not carried out."""

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


def cite(rules: AnyRules, rule: Any, where: str) -> None:
    """A rule that a case refers to must be one of the book."""
    numbers = rule_numbers(rules)
    if rule not in numbers:
        near = difflib.get_close_matches(str(rule), sorted(numbers), n=3)
        hint = f"did you mean {', '.join(near)}?" if near else f"`pbem rules {rules.name}` lists them"
        raise UsageError(f"{where}: {rules.name} has no rule {rule!r}", hint)


def rules_named(rules: AnyRules, given: Any, where: str) -> tuple[str, ...]:
    """The rules by any of which a refusal may be: one, or a list."""
    named = given if isinstance(given, list) else [given]
    if not named:
        raise UsageError(f"{where}: which rule?", "name one, or several of which any will do")
    for one in named:
        cite(rules, one, where)
    return tuple(named)


def waits(wait: Any) -> str:
    """What is waited for, in words."""
    if isinstance(wait, Ask):
        return f"{wait.options.seat}'s {wait.options.kind or 'decision'}"
    return "nothing: the game is over" if isinstance(wait, Over) else type(wait).__name__.lower()


def judge(state: Run, options: Options, order: str) -> Judged:
    """What the rules say to one step; CaseError if it is none, or none for this question."""
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


def document(pos: Position) -> dict[str, Any]:
    """The position as position.toml has it."""
    return tomllib.loads(pos.text())
