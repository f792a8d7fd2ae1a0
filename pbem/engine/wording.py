"""Templates to words: the one place where an event becomes a sentence.

A template names fields in braces. After a colon it may say how a value is told; braces may stand in there:
    {units:# unit|# units}        one or many, # is the number (of a list: its length)
    {losses:?, {losses} lost|}    the first part if there is any, else the second
    {fate:dies=is killed|flees}   the part for this very value, else the last one
    {path:&-}                     the items joined by what follows, not by commas
    {places:*{key} in {value}}    each item told by a template of its own; {other[key]} is that of another
    {shift:+}                     a number with its sign
    {cost:/2# point|# points}     a number of halves; with a sign: {cost:/2+}
"""

from __future__ import annotations

import re
import string
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from pbem.engine.codec import per_type
from pbem.engine.events import NAMED, ORDER, Event, Fact, read_event
from pbem.engine.handles import read_card, read_slot
from pbem.engine.notation import Handle
from pbem.engine.position import Position

_CASE = re.compile(r"([\w-]+)=(.*)", re.DOTALL)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True, slots=True)
class _Reader:
    """Who is told something: where names come from, and which hidden cards this reader knows."""

    pos: Position
    known: Mapping[Handle, str]


def tell(event: Event | Fact, pos: Position, known: Mapping[Handle, str] | None = None) -> str:
    """What an event says to a reader.

    `pos` is any position of the game, for its names; `known` says what hidden cards are that the reader sees.
    """
    return _tell(event, _Reader(pos, known or {}))


def _tell(event: Event | Fact, reader: _Reader) -> str:
    if isinstance(event, Fact):
        event = read_event(event.encoded(), type(reader.pos))
    return _filled(type(event).says, event.__dict__, _kinds(type(event)), reader)


def fill(template: str, pos: Position, **values: Any) -> str:
    """A template that belongs to no event, with these values."""
    return _filled(template, values, {}, _Reader(pos, {}))


def _filled(template: str, values: Mapping[str, Any], kinds: Mapping[str, str], reader: _Reader) -> str:
    out = []
    for literal, name, spec in _parts(template):
        out.append(literal)
        if name is not None:
            value = values[name] if name in values else values[name.removesuffix("[key]")][values["key"]]
            out.append(_told(value, spec, kinds.get(name, ""), values, kinds, reader))
    return "".join(out)


@cache
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...]:
    found = string.Formatter().parse(template)
    return tuple((literal, name, spec or "") for literal, name, spec, _ in found)


def placeholders(template: str) -> set[str]:
    """The fields that a template names, those in the parts of its choices included."""
    found = set()
    for _, name, spec in _parts(template):
        if name is not None:
            inner = placeholders(spec) - ({"key", "value"} if spec.startswith("*") else set())
            found |= {name.removesuffix("[key]")} | inner
    return found


def _told(
    value: Any, spec: str, kind: str, values: Mapping[str, Any], kinds: Mapping[str, str], reader: _Reader
) -> str:
    if spec.startswith("*"):
        of_key, _, of_value = kind.rpartition(",")
        kind_of_item = {"key": of_key, "value": of_value}
        items = sorted(value.items()) if isinstance(value, Mapping) else enumerate(value, 1)
        return ", ".join(
            _filled(spec[1:], {**values, "key": key, "value": item}, {**kinds, **kind_of_item}, reader)
            for key, item in items
        )
    if spec.startswith("&"):
        return spec[1:].join(_word(item, kind, reader) for item in value)
    if spec.startswith("/2"):
        return _halves(value, spec[2:], values, kinds, reader)
    if spec == "+":
        return f"{value:+d}" if value else "0"
    if spec:
        return _filled(_chosen(value, spec), values, kinds, reader)
    return _word(value, kind, reader)


def halves(value: int) -> str:
    """A number of halves as people write it: 3, 1½, ½, 0, -½, -1½."""
    whole, half = divmod(abs(value), 2)
    number = (str(whole) if whole or not half else "") + "½" * half
    return f"-{number}" if value < 0 else number


def _halves(
    value: int, spec: str, values: Mapping[str, Any], kinds: Mapping[str, str], reader: _Reader
) -> str:
    number = f"+{halves(value)}" if spec == "+" and value >= 0 else halves(value)
    if not spec or spec == "+":
        return number
    one, many = _split(spec)
    return _filled((one if value == 2 else many).replace("#", number), values, kinds, reader)


def _chosen(value: Any, spec: str) -> str:
    """The part of a choice that fits a value."""
    cases = _split(spec.removeprefix("?"))
    if spec.startswith("?"):
        return cases[0] if value else "|".join(cases[1:])
    if _CASE.match(cases[0]) is None:
        number = len(value) if isinstance(value, (list, tuple, Mapping)) else value
        return cases[0 if number == 1 else 1].replace("#", str(number))
    for case in cases:
        found = _CASE.fullmatch(case)
        if found is None:
            return case
        if found[1] == str(value):
            return found[2]
    return str(value)


@cache
def _split(spec: str) -> tuple[str, ...]:
    """The parts of a choice: cut at bars that stand in no braces."""
    found, depth = [""], 0
    for char in spec:
        depth += (char == "{") - (char == "}")
        if char == "|" and not depth:
            found.append("")
        else:
            found[-1] += char
    return tuple(found)


def _word(value: Any, kind: str, reader: _Reader) -> str:
    if isinstance(value, Mapping) and "event" in value:  # a fact, as the log holds it
        value = Fact.decoded(dict(value), "")
    if isinstance(value, Fact):
        return _tell(value, reader)
    if isinstance(value, Mapping):
        return _told(value, "*{key} {value}", kind, {}, {}, reader)
    if isinstance(value, (list, tuple)):
        return ", ".join(_word(item, kind, reader) for item in value)
    if kind == ORDER:
        return _order(str(value), reader)
    if Handle(str(value)) in reader.known:
        return reader.pos.name_of(reader.known[Handle(str(value))])
    if kind == NAMED:
        return reader.pos.name_of(str(value))
    return _face_down(str(value)) or str(value) if kind == "Handle" else str(value)


def _order(text: str, reader: _Reader) -> str:
    """An order: cards that the reader knows by their names, others of one deck as so many face-down cards."""
    out: list[str] = []
    for deck, group in groupby(text.split(" "), lambda word: _deck(word, reader)):
        words = list(group)
        if deck:
            many = f"{len(words)} face-down cards" if len(words) > 1 else "a face-down card"
            out.append(f"{many} of {deck}")
        else:
            out += [_word(word, "Handle", reader) for word in words]
    return " ".join(out)


def _deck(word: str, reader: _Reader) -> str:
    card = read_card(Handle(word)) if Handle(word) not in reader.known else None
    return card.deck if card is not None else ""


def _face_down(word: str) -> str:
    """What a player calls a hidden thing; "" if the word is the handle of none."""
    slot, card = read_slot(Handle(word)), read_card(Handle(word))
    if slot is not None:
        nth = _ORDINALS[slot.number] if slot.number < len(_ORDINALS) else f"{slot.number + 1}th"
        return f"the {nth} that {slot.seat} put in, still closed"
    return f"a card of {card.deck}, face down" if card is not None else ""


@per_type
def _kinds(kind: type[Event]) -> dict[str, str]:
    """How the values of each field are called: by their names, as hidden things, or as they are."""
    found = typing.get_type_hints(kind, include_extras=True)
    return {name: _kind(found[name]) for name in kind.fields}


def _kind(hint: Any) -> str:
    for mark in getattr(hint, "__metadata__", ()):
        return str(mark)
    if hint is Handle:
        return "Handle"
    inner = [_kind(one) for one in typing.get_args(hint) if one is not Ellipsis]
    if typing.get_origin(hint) is dict:
        return ",".join(inner)
    return next(filter(None, inner), "")
