"""What exists in a game: every id that an order, a position or a case may name.

The pack says most of it: each key and each text in it is the name of something. A game adds what it makes
up itself (`Rules.names`): counters that are numbered, keys that are put together. Words are taken apart at
signs (`asakura@1612`, `chu:3`), and a number up to 99 counts something.
"""

from __future__ import annotations

import dataclasses
import difflib
import enum
import functools
import re
import typing
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from pbem.engine.codec import hints
from pbem.engine.notation import Handle, keyword, prose_from, words
from pbem.engine.position import Deck, Hidden, Outcome, Position
from pbem.engine.rules import AnyRules

_SIGNS = re.compile(r"[@:/+|=>_]")
_COUNT = re.compile(r"-?[0-9]{1,2}")


def texts(value: Any) -> set[str]:
    """Every text in a structure: keys, values, names of choices; each part is visited once."""
    found: set[str] = set()
    seen: set[int] = set()
    rest = [value]
    while rest:
        one = rest.pop()
        if type(one) is str:
            found.add(one)
        elif isinstance(one, enum.Enum):
            found.add(str(one.value))
        elif one is None or isinstance(one, (int, float)) or id(one) in seen:
            continue
        else:
            seen.add(id(one))
            if isinstance(one, Mapping):
                rest += [*one.keys(), *one.values()]
            elif isinstance(one, (list, tuple, Set)):
                rest += one
            elif dataclasses.is_dataclass(one):
                rest += [getattr(one, field.name, None) for field in dataclasses.fields(one)]
    return found


_kept: dict[tuple[str, str], set[str]] = {}


def texts_of(rules: AnyRules, pack: Any) -> set[str]:
    """The texts of a pack; those of the game's own are gathered once."""
    if pack.digest != rules.load_pack().digest:
        return texts(pack)
    key = (rules.name, str(pack.digest))
    if key not in _kept:
        _kept[key] = texts(pack)
    return _kept[key]


class Names:
    """The names of one game with one pack, as seen from a position."""

    def __init__(self, rules: AnyRules, pos: Position, pack: Set[str], more: Iterable[str] = ()) -> None:
        """`pack`: the texts of the pack."""
        aliases = rules.aliases(pos)
        self.known = {
            *pack,
            *rules.names(pos),
            *aliases,
            *aliases.values(),
            *pos.seats,
            *rules.scenarios(pos.pack),
            *(text for choice in rules.choices(pos.pack) for text in (choice.id, *choice.values)),
            *pos.hidden,
            *pos.decks,
            *more,
        }
        self.kinds = rules.moves
        self.literal = {word for kind in rules.moves for word in kind.notation.split()}

    def __contains__(self, word: str) -> bool:
        if not word or word in self.known or _COUNT.fullmatch(word):
            return True
        parts = _SIGNS.split(word)
        return len(parts) > 1 and all(part in self for part in parts)

    def unknown(self, order: str) -> str | None:
        """The first word of an order that names nothing."""
        found = [word.text for word in words(order)]
        before = [prose_from(kind) for kind in self.kinds if keyword(kind) in found[:1]]
        named = found[: max(before, default=None, key=lambda n: n or len(found))]
        return next((word for word in named if word not in self.literal and word not in self), None)

    def near(self, word: str) -> str:
        """What there is, for a sentence: names like this one, or some of all."""
        close = difflib.get_close_matches(word, self.known, n=5, cutoff=0.6)
        return f"did you mean {' or '.join(sorted(close))}?" if close else "nothing there is called so"

    def problems(self, kind: Any, data: Any, path: str) -> Iterator[str]:
        """Names in a table written by hand, read as `kind`, that do not exist, and fields that do not."""
        while hasattr(kind, "__supertype__"):
            if kind is Handle:
                if isinstance(data, str) and data not in self:
                    yield f"{path}: no card is called {data!r}; a hidden one is named in `cards`"
                return
            kind = kind.__supertype__
        origin, args = typing.get_origin(kind), typing.get_args(kind)
        if origin is tuple and isinstance(data, list):
            for number, item in enumerate(data):
                inner = (
                    args[0] if len(args) == 2 and args[1] is Ellipsis else args[min(number, len(args) - 1)]
                )
                yield from self.problems(inner, item, f"{path}[{number}]")
        elif origin is dict and isinstance(data, Mapping):
            yield from self._table(args[1], data, path)
        elif type(None) in args:
            yield from self.problems(next(a for a in args if a is not type(None)), data, path)
        elif dataclasses.is_dataclass(kind) and isinstance(data, Mapping):
            yield from self._record(kind, data, path)
        elif kind is str and isinstance(data, str) and data not in ("remove", "removed") and data not in self:
            yield f"{path}: {data!r} is unknown: {self.near(data)}"

    def _table(self, kind: Any, data: Mapping[str, Any], path: str) -> Iterator[str]:
        for key, value in data.items():
            if kind not in (Hidden, Deck) and key not in self:
                yield f"{path}.{key} is unknown: {self.near(key)}"
            yield from self.problems(kind, value, f"{path}.{key}")

    def _record(self, kind: Any, data: Mapping[str, Any], path: str) -> Iterator[str]:
        if kind in (Hidden, Deck, Outcome):
            return
        declared = hints(kind)
        for key, value in data.items():
            if key in declared:
                yield from self.problems(declared[key], value, f"{path}.{key}")
            elif key not in ("stack", "at"):
                yield f"{path}: no field is called {key!r} (fields: {', '.join(declared)})"


@functools.cache
def rule_numbers(rules: AnyRules) -> set[str]:
    """Every rule that may be cited: those of the rulebook and those of the steps."""
    listed = {str(one["id"]) for one in rules.summaries()}
    return listed | {step.rule for kind in rules.procedures for step in kind.steps.values()}
