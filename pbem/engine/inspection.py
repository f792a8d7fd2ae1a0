"""A rule module looked over when it is loaded, so that a slip of its author is named at once and not met
in somebody's tenth turn.

Everything that the engine would compile later is compiled now: the codec of the position, of every frame
and move, every notation. What a step refers to (a procedure to perform, a move to offer) must be listed.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from pbem.engine.codec import decoder, encoder, hints
from pbem.engine.events import BESIDE, events_of
from pbem.engine.notation import Move, keyword, notation_parts
from pbem.engine.position import Position
from pbem.engine.procedure import Procedure
from pbem.engine.rules import AnyRules
from pbem.engine.wording import placeholders

T = TypeVar("T")
_KIND = re.compile(r"[a-z][a-z-]{1,24}")


def faults(rules: AnyRules) -> list[str]:
    """What is wrong with a rule module, each in a sentence; nothing if it can be played."""
    found = list(_codecs("position", rules.position))
    for kind in rules.procedures:
        found += _procedure(kind)
    for move in rules.moves:
        found += _move(move)
    twice = {p.__name__ for p in rules.procedures if rules.procedure_names.get(p.__name__) is not p}
    found += [f"two procedures are called {name}" for name in sorted(twice)]
    return found + list(_events(rules)) + list(_unlisted(rules))


def _events(rules: AnyRules) -> Iterator[str]:
    """The words of an event may name its fields alone."""
    for name, event in events_of(rules.position).items():
        for field in sorted(placeholders(event.says) - {*event.fields, *BESIDE}):
            yield f"event {name} has no field {field}, which its words name"


def _codecs(what: str, kind: type[Any]) -> Iterator[str]:
    """A record must be a dataclass with slots, all of whose fields can be written, read and shared."""
    if not dataclasses.is_dataclass(kind) or "__dataclass_params__" not in vars(kind):
        yield f"{what} {kind.__name__} lacks @dataclass"
        return
    if "__slots__" not in vars(kind):
        yield f"{what} {kind.__name__} lacks slots=True: a misspelt field would be a new one"
    try:
        declared = hints(kind)
        for name, one in declared.items():
            if not (issubclass(kind, Position) and name in Position.__dataclass_fields__):
                encoder(one), decoder(one)
    except (TypeError, NameError) as error:
        yield f"{what} {kind.__name__}: {error}; lists and sets cannot be kept, tuples can"


def _procedure(kind: type[Procedure]) -> Iterator[str]:
    yield from _codecs("procedure", kind)
    if not kind.steps:
        yield f"procedure {kind.__name__} has no step"
    if kind.__post_init__ is not Procedure.__post_init__:
        yield f"procedure {kind.__name__} has a __post_init__ of its own, so it would begin at no step"


def _move(kind: type[Move]) -> Iterator[str]:
    try:
        frozen = kind.__dataclass_params__.frozen if "__dataclass_params__" in vars(kind) else False  # type: ignore[attr-defined]
        if not frozen:
            yield f"move {kind.__name__} is no frozen dataclass"
            return
        keyword(kind), notation_parts(kind)
        for name, one in hints(kind).items():
            encoder(one), decoder(one)
            del name
    except (AttributeError, IndexError, TypeError, NameError) as error:
        yield f"move {kind.__name__}: {error}"
        return
    for name in kind.secret:
        if name not in hints(kind):
            yield f"move {kind.__name__} keeps {name} secret, which is none of its fields"


def _unlisted(rules: AnyRules) -> Iterator[str]:
    """Procedures and moves that steps refer to by name and that the module does not list."""
    functions: list[Callable[..., Any]] = [type(rules).start]
    for kind in rules.procedures:
        for step in kind.steps.values():
            functions += [step.run, *([step.source] if callable(step.source) else [])]
        functions += [m for m in vars(kind).values() if isinstance(m, types.FunctionType)]
    listed = {*rules.procedures, *rules.moves}
    told: set[type] = set()
    for function in functions:
        for one in _classes(function):
            if one not in listed and one not in told and not _abstract(one):
                told.add(one)
                what = "procedures" if issubclass(one, Procedure) else "moves"
                yield f"{function.__qualname__} refers to {one.__name__}, which is not among the {what}"


def _classes(function: Callable[..., Any]) -> Iterable[type]:
    """The procedures and moves that a function names."""
    code = getattr(function, "__code__", None)
    space = getattr(function, "__globals__", {})
    for name in _names(code) if code is not None else ():
        one = space.get(name)
        if isinstance(one, type) and issubclass(one, (Procedure, Move)):
            yield one


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _names(const)


def _abstract(kind: type) -> bool:
    """A base that others are made from: it cannot be performed or offered itself."""
    if issubclass(kind, Procedure):
        return not kind.steps or bool(kind.__subclasses__())
    return not hasattr(kind, "notation")
