"""Events: what happened, as small typed records. The log holds their names and fields, and no sentence.

A game declares each kind of event beside the step that makes it, with the English sentence as a template:

    class Attacked(Event):
        says = "{attackers} attack {target}"
        attackers: tuple[str, ...]
        target: HexId

Invariants: names and fields are part of what is hashed, so they never change once a release has used them;
templates are not, so they may change at any time (wording.py turns them into words).
"""

from __future__ import annotations

import enum
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, ClassVar, Self, dataclass_transform

from pbem.engine.codec import CodecError, Record

NAMED = "named"
Named = Annotated[str, NAMED]
"""The type of a field with an id that readers see by its name (`Position.name_of`)."""
ORDER = "order"
OrderText = Annotated[str, ORDER]
"""The type of a field with an order, in which hidden cards may be named."""

BESIDE = ("rule", "aside")
"""What every event has beside its own fields."""
_DECLARED: list[type[Any]] = []
"""Every kind of event of the modules that are loaded."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _Declared:
    """Makes the annotations of a subclass its fields. (A dataclass costs 20 times as much to declare.)"""

    fields: ClassVar[tuple[str, ...]] = ()
    defaults: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        own = inspect.get_annotations(cls)
        names = [name for name in own if not str(own[name]).startswith("ClassVar") and name not in BESIDE]
        given = {name: vars(cls)[name] for name in names if name in vars(cls)}
        cls.fields, cls.defaults = (*cls.fields, *names), {**cls.defaults, **given}
        _DECLARED.append(cls)

    def __init__(self, *values: Any, rule: str = "", aside: str = "", **named: Any) -> None:
        kind = type(self)
        found = {**kind.defaults, **dict(zip(kind.fields, values, strict=False)), **named}
        if len(found) != len(kind.fields) or len(values) > len(kind.fields):
            raise TypeError(f"{kind.__name__} has the fields {', '.join(kind.fields)}")
        self.__dict__.update(found, rule=rule, aside=aside)


class Event(_Declared):
    """Something that happened: for the log and the report, not part of the position."""

    says: ClassVar[str] = ""
    """The sentence in English, with the names of fields in braces."""
    quiet: ClassVar[bool] = False
    """True for what only an audit shows."""
    rule: str = field(default="", kw_only=True)
    """The number of the rule; empty for an event of the protocol."""
    aside: str = field(default="", kw_only=True)
    """Words for whoever sees it happen, such as why an order is refused. They are not in the log."""

    def under(self, rule: str) -> Self:
        """This event, told under a rule unless it names one itself."""
        if not self.rule:
            self.__dict__["rule"] = rule
        return self

    @property
    def data(self) -> dict[str, Any]:
        """The fields as TOML values; what is None is left out."""
        own = self.__dict__
        return {name: _plain(own[name]) for name in type(self).fields if own[name] is not None}

    def table(self) -> dict[str, Any]:
        """As a record of the log."""
        return {"rule": self.rule, "event": type(self).__name__, **self.data}

    def words(self) -> set[str]:
        """The words in its fields, in small letters: ids, numbers, the words of an order."""
        return set(_words(self.data))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), self.rule))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


class Unknown(Event):
    """An event of a log that this release has no words for."""

    says = "{name} ({facts})"
    name: str
    facts: dict[str, Any]


def _plain(value: Any) -> Any:
    if type(value) in (str, int, bool):
        return value
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, enum.Enum):
        return value.value
    return value.encoded() if isinstance(value, Fact) else value


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (word for item in (*value, *value.values()) for word in _words(item))
    elif isinstance(value, list):
        yield from (word for item in value for word in _words(item))
    else:
        yield str(value).lower()
        yield from re.split(r"[^\w-]+", str(value).lower())


@dataclass(frozen=True, slots=True)
class Fact(Record):
    """An event as a value of the position or of another event: why the game ended, why somebody is blamed."""

    event: str
    data: Mapping[str, Any]

    @classmethod
    def of(cls, event: Event) -> Fact:
        """The name and the fields of an event."""
        return cls(type(event).__name__, event.data)

    def encoded(self) -> dict[str, Any]:
        """As a TOML table."""
        return {"event": self.event, **self.data}

    @classmethod
    def decoded(cls, data: Any, path: str) -> Fact:
        """What a TOML table says; its fields are those of the event."""
        if not isinstance(data, dict) or not isinstance(data.get("event"), str):
            raise CodecError(path, "expected a table with the name of an event")
        return cls(data["event"], {key: value for key, value in data.items() if key != "event"})


def events_of(kind: type) -> Mapping[str, type[Event]]:
    """Every event that the log of a game may hold: those of the package of `kind`, and pbem's own."""
    package = sys.modules[kind.__module__].__package__ or kind.__module__
    return _events_of(package, len(_DECLARED))


@cache
def _events_of(package: str, loaded: int) -> Mapping[str, type[Event]]:
    """By name. `loaded` makes the answer a new one when a module declares more."""
    found: dict[str, type[Event]] = {}
    for one in _DECLARED[:loaded]:
        if f"{one.__module__}.".startswith((f"{package}.", "pbem.")):
            if one.__name__ in found:
                raise AssertionError(f"two events are called {one.__name__}: {found[one.__name__]}, {one}")
            found[one.__name__] = one
    return found


def read_event(table: Mapping[str, Any], kind: type) -> Event:
    """The event that a record of the log tells of, in the game whose position is of this kind."""
    data = {key: value for key, value in table.items() if key not in ("rule", "event")}
    name, rule = str(table.get("event", "")), str(table.get("rule", ""))
    declared = events_of(kind).get(name)
    if declared is None or not data.keys() <= set(declared.fields):
        return Unknown(name, data, rule=rule)
    missing = dict.fromkeys(declared.fields)
    return declared(**{**missing, **data}, rule=rule)
