"""Names of the book in a case: wherever an id may stand, so may what the rulebook or the tables call it.

Orders have always read both. A position, its stack, hidden cards, events and what is drawn follow here, so
that who writes a case from the book alone need not learn the ids of the data files.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from typing import Any

from pbem.engine.codec import hints
from pbem.engine.handles import card_handle
from pbem.engine.notation import Handle
from pbem.engine.position import Deck, Hidden, Outcome, Position
from pbem.errors import UsageError

MOST = 1000
"""So many cards may lie in a pile of which a case gives only the size."""


def ids(value: Any, names: Mapping[str, str]) -> Any:
    """A value, or a list of values, with names in place of which the ids are put."""
    if isinstance(value, list):
        return [ids(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def lay_decks(changes: dict[str, Any], names: Mapping[str, str]) -> dict[Handle, str]:
    """Decks that a case lists by their cards, as face-down decks of the position; which handle is which."""
    truth: dict[Handle, str] = {}
    decks = changes.get("decks")
    if not isinstance(decks, Mapping):
        return truth
    laid = dict(decks)
    for deck, cards in decks.items():
        if isinstance(cards, list):
            found = {card_handle(deck, 1, place): card for place, card in enumerate(ids(cards, names))}
            laid[deck] = {"owner": "", "epoch": 1, "cards": list(found.values()), "rest": list(found)}
            truth |= found
    changes["decks"] = laid
    return truth


def lay_sizes(
    kind: type[Position], changes: Mapping[str, Any], seats: tuple[str, ...]
) -> tuple[dict[str, Any], dict[Handle, str]]:
    """Piles of which a case gives only the size: so many cards that nobody can name, and whose they are."""
    whose: dict[Handle, str] = {}

    def laid(inner: Any, data: Any, path: tuple[str, ...]) -> Any:
        origin, args = typing.get_origin(inner), typing.get_args(inner)
        if origin is tuple and args[0] is Handle and type(data) is int:
            if not 0 <= data <= MOST:
                raise UsageError(f"{'.'.join(path)} = {data}: a pile has 0 to {MOST} cards")
            seat = next((part for part in path if part in seats), "")
            made = [Handle(f"{'-'.join(path[-2:])}-{number}") for number in range(data)]
            whose.update(dict.fromkeys(made, seat))
            return made
        if not isinstance(data, Mapping):
            return data
        if origin is dict:
            return {key: laid(args[1], value, (*path, key)) for key, value in data.items()}
        if dataclasses.is_dataclass(inner):
            declared = hints(typing.cast(type, inner))
            return {key: laid(declared.get(key), value, (*path, key)) for key, value in data.items()}
        return data

    return laid(kind, changes, ()), whose


def record_keys(data: Mapping[str, Any]) -> set[str]:
    """What a position itself calls its records: there such a word is no other thing's name."""
    inner = (record_keys(value) for value in data.values() if isinstance(value, Mapping))
    return {*data, *(key for keys in inner for key in keys)}


def position_ids(
    kind: type[Position], changes: Mapping[str, Any], names: Mapping[str, str]
) -> dict[str, Any]:
    """What a case says of a position, by ids: keys and texts that are names of something."""
    found: dict[str, Any] = _read(kind, changes, names)
    if isinstance(found.get("stack"), list):
        found["stack"] = [_frame(frame, names) for frame in found["stack"]]
    return found


def _frame(frame: Any, names: Mapping[str, str]) -> Any:
    if not isinstance(frame, Mapping):
        return frame
    return {key: value if key == "at" else ids(value, names) for key, value in frame.items()}


def _read(kind: Any, data: Any, names: Mapping[str, str]) -> Any:
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if type(None) in args:
        return _read(next(a for a in args if a is not type(None)), data, names)
    if origin is dict and isinstance(data, Mapping):
        return {ids(key, names): _read(args[1], value, names) for key, value in data.items()}
    if origin is tuple and isinstance(data, list):
        inner = args[0] if len(args) == 2 and args[1] is Ellipsis else str
        return [_read(inner, item, names) for item in data]
    if dataclasses.is_dataclass(kind) and isinstance(data, Mapping):
        if kind in (Hidden, Deck, Outcome):
            return dict(data)
        declared = hints(typing.cast(type, kind))
        return {key: _read(declared.get(key), value, names) for key, value in data.items()}
    return ids(data, names) if kind is str else data
