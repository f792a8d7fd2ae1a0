"""Moves and the one declaration of how each is written.

A `Move` class is a frozen dataclass with a `notation` such as `"charge {unit} {to}"`. Parsing,
printing, help and completion come from it. Placeholders: `{name}` takes one word, `{name*}` takes
every word up to the next literal word of the notation (or the end). Words with spaces are quoted.
A last `{name*}` typed `Prose` takes the rest of the line as it was typed.

A field typed `Handle` (a hidden card) is written by the card's name: the reader's view says which
handle that is, so the author's orders and what the others read after the opening are the same text.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import typing
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, NewType

from pbem.engine.codec import CodecError, decode, hints, per_type
from pbem.errors import RulesError
from pbem.toml import quoted

Handle = NewType("Handle", str)
"""The public name of something hidden: a slot of a cup or a deck. Never the thing itself."""
Prose = NewType("Prose", str)
"""Free words of a player for the others to read: the rest of an order's line. They name nothing."""

_WIDE = {n + 0xFEE0: n for n in range(0x30, 0x7B) if chr(n).isalnum()} | {0x3000: 0x20}
"""Letters, digits and the space of a Japanese or Chinese keyboard; one for one, so that columns stay."""
_WORD = re.compile(r'"([^"]*)"|(\S+)')
_PLACE = re.compile(r"\{(\w+)(\*?)\}")
MEANT = 64
"""So many readings of a list of cards are tried; a card's handle instead of its name has only one."""


class NotationError(RulesError):
    """Text that is not an order; `column` counts from 1."""

    def __init__(self, message: str, hint: str | None = None, *, column: int = 1) -> None:
        super().__init__(message, hint)
        self.column = column


class UnknownCard(NotationError):
    """A hidden card that the reader does not have: another reader, or a later moment, may know it."""


class Move:
    """Base of every move. Subclasses are frozen dataclasses that declare `notation`."""

    __slots__ = ()
    notation: ClassVar[str]
    interrupts: ClassVar[bool] = True
    """Whether carrying it out may make another seat decide before this one decides again.

    What follows it in a list is then sealed. A class that says False must never hand the decision over:
    the fuzzer watches.
    """
    claims: ClassVar[bool] = False
    """Whether it states something that only the audit can check ("I have nobody").

    It is legal only at the question that its author has seen: by a later one the cards may have changed.
    """
    secret: ClassVar[tuple[str, ...]] = ()
    """Fields whose hidden cards stay hidden when the move is made."""
    ordered: ClassVar[tuple[str, ...]] = ()
    """Fields of several words whose order matters (a path)."""


@dataclasses.dataclass(frozen=True, slots=True)
class Word:
    """A word of an order with the column where it starts."""

    text: str
    column: int


@dataclasses.dataclass(frozen=True, slots=True)
class _Part:
    literal: str | None
    field: str = ""
    many: bool = False
    prose: bool = False


def words(text: str) -> list[Word]:
    """The words of a line; a word in double quotes may hold spaces.

    Full-width letters and digits do as well, and so do commas between words.
    """
    text = text.translate(_WIDE)
    if text.count('"') % 2:
        raise NotationError("a quotation mark is not closed", column=text.index('"') + 1)
    found = [
        Word(m.group(1) if m.group(1) is not None else m.group(2).rstrip(",、"), m.start() + 1)
        for m in _WORD.finditer(text)
    ]
    return [word for word in found if word.text or text[word.column - 1] == '"']


@per_type
def notation_parts(kind: type[Move]) -> tuple[_Part, ...]:
    """The words of a notation, checked against the fields; TypeError if they do not fit."""
    found = []
    for word in kind.notation.split():
        place = _PLACE.fullmatch(word)
        found.append(_Part(None, place.group(1), bool(place.group(2))) if place else _Part(word))
    named = {p.field for p in found if p.literal is None}
    declared = set(hints(kind))
    if named != declared:
        raise TypeError(f"{kind.__name__}: notation names {sorted(named)}, fields are {sorted(declared)}")
    prose = [dataclasses.replace(p, prose=bool(p.field) and hints(kind)[p.field] is Prose) for p in found]
    if any(p.prose and not (p.many and p is prose[-1]) for p in prose):
        raise TypeError(f"{kind.__name__}: prose comes last in a notation, as {{name*}}")
    return tuple(prose)


def _given(move: Move, part: _Part) -> tuple[Any, ...]:
    """What a move says at one place of its notation."""
    value = getattr(move, part.field)
    if part.many and not part.prose:
        return tuple(value)
    return () if value is None or (part.prose and not value) else (value,)


def prose_from(kind: type[Move]) -> int | None:
    """After how many words the free words of an order begin; None if it has none."""
    parts = notation_parts(kind)
    return len(parts) - 1 if parts[-1].prose else None


def keyword(kind: type[Move]) -> str:
    """The first word of the notation, by which orders of this class begin."""
    return kind.notation.split()[0]


def _write_word(value: Any, show: Callable[[str], str]) -> str:
    text = show(str(getattr(value, "value", value)))
    return f'"{text}"' if not text or " " in text else text


def write(move: Move, show: Callable[[str], str] = lambda text: text) -> str:
    """The order line of a move; `show` turns an id or handle into the word to print."""
    out = []
    for part in notation_parts(type(move)):
        if part.literal is not None:
            out.append(part.literal)
            continue
        given = _given(move, part)
        out.extend(given if part.prose else (_write_word(v, show) for v in given))
    return " ".join(out)


Tokens = tuple[tuple[bool, str, str], ...]
"""The words of an order in turn: of a field with several, the field's name ("" for a literal), the word."""


def tokens(move: Move, show: Callable[[str], str] = lambda text: text) -> Tokens:
    """An order taken apart."""
    out: list[tuple[bool, str, str]] = []
    for part in notation_parts(type(move)):
        if part.literal is not None:
            out.append((False, "", part.literal))
            continue
        many = part.many and not part.prose
        out.extend((many, part.field, show(str(getattr(v, "value", v)))) for v in _given(move, part))
    return tuple(out)


def _fits(kind: type[Move], line: Sequence[Word], text: str) -> dict[str, list[Word]] | None:
    """Which words of `text` fill which field, or None if the literals do not match."""
    taken: dict[str, list[Word]] = {}
    parts = notation_parts(kind)
    at = 0
    for number, part in enumerate(parts):
        if part.literal is not None:
            if at >= len(line) or line[at].text != part.literal:
                return None
            at += 1
        elif part.prose:
            rest = [Word(text[word.column - 1 :].rstrip(), word.column) for word in line[at : at + 1]]
            taken[part.field], at = rest, len(line)
        elif part.many:
            stop = next((p.literal for p in parts[number + 1 :] if p.literal is not None), None)
            start = at
            while at < len(line) and (stop is None or line[at].text != stop):
                at += 1
            taken[part.field] = list(line[start:at])
        elif at < len(line):
            taken[part.field] = [line[at]]
            at += 1
        else:
            taken[part.field] = []
    return taken if at == len(line) else None


def parse(text: str, kinds: Iterable[type[Move]], lookup: Lookup) -> list[Move]:
    """Every move that `text` can mean (more than one only where a card's name fits several handles)."""
    line = words(text)
    if not line:
        raise NotationError("an empty order")
    kinds = list(kinds)
    same = [k for k in kinds if keyword(k) == line[0].text]
    if not same:
        raise NotationError(
            f"no order begins with {quoted(line[0].text)}", _guess(line[0].text, [keyword(k) for k in kinds])
        )
    problem: NotationError | None = None
    for kind in same:
        taken = _fits(kind, line, text)
        if taken is None:
            problem = problem or NotationError(
                f"an order of this kind is written: {kind.notation}", column=line[0].column
            )
            continue
        try:
            return _build(kind, taken, lookup)
        except NotationError as error:
            problem = error
    assert problem is not None
    raise problem


def _build(kind: type[Move], taken: Mapping[str, list[Word]], lookup: Lookup) -> list[Move]:
    built: list[dict[str, Any]] = [{}]
    for name, declared in hints(kind).items():
        found = taken[name]
        if declared is Handle:
            if not found:
                raise NotationError(f"{name} is missing; written: {kind.notation}")
            handles = _handles(name, found[0], lookup)
            built = [{**b, name: h} for b in built for h in handles]
            continue
        if declared == tuple[Handle, ...]:
            built = [{**b, name: chosen} for b in built for chosen in _different(name, found, lookup)]
            continue
        value = _prose(found) if declared is Prose else _value(kind, name, declared, found, lookup)
        if value is not None:
            built = [{**b, name: value} for b in built]
    return [kind(**b) for b in built]


def _prose(found: list[Word]) -> str:
    return found[0].text if found else ""


def _handles(name: str, word: Word, lookup: Lookup) -> list[Handle]:
    handles = lookup.handles(word.text)
    if not handles:
        raise UnknownCard(f"no hidden {name} called {quoted(word.text)} is known to you", column=word.column)
    return handles


def _different(name: str, found: list[Word], lookup: Lookup) -> list[tuple[Handle, ...]]:
    """One handle for each word, none twice: two copies of a card are two handles."""
    chosen: list[tuple[Handle, ...]] = [()]
    for word in found:
        handles = _handles(name, word, lookup)
        longer = ((*taken, h) for taken in chosen for h in handles if h not in taken)
        chosen = list(islice(longer, MEANT))
        if not chosen:
            raise NotationError(f"there are not so many {quoted(word.text)}", column=word.column)
    return chosen


def _value(kind: type[Move], name: str, declared: Any, found: list[Word], lookup: Lookup) -> Any:
    many = typing.get_origin(declared) is tuple
    raw: list[Any] = []
    inner = typing.get_args(declared)[0] if many else declared
    for word in found:
        if _is_int(inner):
            if not re.fullmatch(r"-?[0-9]{1,9}", word.text):
                raise NotationError(f"{name} must be a number, not {quoted(word.text)}", column=word.column)
            raw.append(int(word.text))
        else:
            raw.append(lookup.ident(word.text))
    if not many and not raw:
        if type(None) in typing.get_args(declared):
            return None
        raise NotationError(f"{name} is missing; written: {kind.notation}")
    try:
        return decode(raw if many else raw[0], declared, name)
    except CodecError as error:
        column = found[0].column if found else 1
        raise NotationError(
            error.message, lookup.guess(found[0].text) if found else None, column=column
        ) from None


def _is_int(kind: Any) -> bool:
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    return kind is int or int in typing.get_args(kind)


def _guess(word: str, known: Iterable[str]) -> str | None:
    near = difflib.get_close_matches(word, list(dict.fromkeys(known)), n=3, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else None


class Lookup:
    """How words become ids: aliases (names in any language) and the handles of known hidden cards."""

    def __init__(
        self,
        aliases: Mapping[str, str] | None = None,
        known: Mapping[Handle, str] | None = None,
        slots: Container[str] = (),
    ) -> None:
        self._aliases = aliases or {}
        self._known = known or {}
        self._slots = slots

    def ident(self, word: str) -> str:
        """The id a word stands for: itself, or what the alias names."""
        return self._aliases.get(word, word)

    def handles(self, word: str) -> list[Handle]:
        """The handles that may be meant by a card's name (or by the handle itself)."""
        if word in self._known or word in self._slots:
            return [Handle(word)]
        value = self.ident(word)
        return [h for h, v in self._known.items() if v == value]

    def guess(self, word: str) -> str | None:
        """A hint for a misspelt name."""
        return _guess(word, [*self._aliases, *self._aliases.values()])


def shown_handles(move: Move) -> tuple[Handle, ...]:
    """The hidden cards that a move shows: its `Handle` fields, unless the class keeps them secret."""
    found: list[Handle] = []
    for name, declared in hints(type(move)).items():
        value = getattr(move, name)
        if name in move.secret or value is None:
            continue
        if declared is Handle or declared == Handle | None:
            found.append(value)
        elif declared == tuple[Handle, ...]:
            found.extend(value)
    return tuple(found)
