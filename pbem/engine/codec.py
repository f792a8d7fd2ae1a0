"""The strict codec between frozen records and TOML values, in both directions.

Invariants: `decode(encode(x)) == x`; an unknown key, a missing key or a wrong type is refused with
its path; a field that equals its default is left out, so one value has one encoding; no set is
ever iterated. Encoders and decoders are compiled once per type. A type with `encoded` and `decoded` has
its own (`Fact`).
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Callable
from typing import Any

from pbem import toml
from pbem.errors import PbemError

F = typing.TypeVar("F", bound=Callable[..., Any])


def per_type(function: F) -> F:
    """Compute once per type; types are never forgotten."""
    return typing.cast(F, functools.cache(function))


Encoder = Callable[[Any], Any]
Decoder = Callable[[Any, str], Any]


class CodecError(PbemError):
    """A value that does not fit its type; `path` says where."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path or 'document'}: {message}")
        self.path = path


class Record:
    """Base of every frozen record of a position (unit, card, deck …); caches its line of position.toml."""

    __slots__ = ("_line",)
    _line: str

    def line(self) -> str:
        """This record as an inline table, computed once."""
        try:
            return self._line
        except AttributeError:
            text = toml.inline(encoder(type(self))(self))
            object.__setattr__(self, "_line", text)
            return text


def encode(value: Any, kind: Any) -> Any:
    """`value` of declared type `kind` as a TOML value."""
    return encoder(kind)(value)


def decode(data: Any, kind: Any, path: str = "") -> Any:
    """The value of type `kind` that `data` encodes; CodecError names the path of what does not fit."""
    return decoder(kind)(data, path)


def _strip(kind: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    while hasattr(kind, "__supertype__"):  # NewType
        kind = kind.__supertype__
    return kind, typing.get_origin(kind), typing.get_args(kind)


def _optional(args: tuple[Any, ...]) -> Any:
    inner = [a for a in args if a is not type(None)]
    if len(inner) != 1 or len(args) != 2:
        raise TypeError(f"only X | None is supported, not {args}")
    return inner[0]


@per_type
def hints(kind: Any) -> dict[str, Any]:
    """The declared types of a dataclass's fields, in order; class variables left out."""
    found = typing.get_type_hints(kind)
    return {f.name: found[f.name] for f in dataclasses.fields(kind) if f.metadata.get("codec", True)}


@per_type
def encoder(kind: Any) -> Encoder:
    """The compiled encoder of a type."""
    plain, origin, args = _strip(kind)
    if plain in (int, str, bool):
        return lambda value: value
    if origin in (types.UnionType, typing.Union):
        return encoder(_optional(args))
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            one = encoder(args[0])
            return lambda value: [one(v) for v in value]
        many = [encoder(a) for a in args]
        return lambda value: [e(v) for e, v in zip(many, value, strict=True)]
    if origin is dict:
        item = encoder(args[1])
        return lambda value: {str(k): item(v) for k, v in value.items()}
    if isinstance(plain, type) and issubclass(plain, enum.Enum):
        return lambda value: value.value
    if hasattr(plain, "encoded"):
        return lambda value: value.encoded()
    if dataclasses.is_dataclass(plain):
        return _dataclass_encoder(plain)
    raise TypeError(f"no codec for {kind!r}")


def _dataclass_encoder(kind: Any) -> Encoder:
    parts = [(name, encoder(t), _default(kind, name)) for name, t in hints(kind).items()]

    def run(value: Any) -> dict[str, Any]:
        found = {}
        for name, one, default in parts:
            item = getattr(value, name)
            if item is None or (default is not _REQUIRED and item == default):
                continue
            found[name] = one(item)
        return found

    return run


_REQUIRED: Any = object()


def _default(kind: Any, name: str) -> Any:
    field = next(f for f in dataclasses.fields(kind) if f.name == name)
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return _REQUIRED


@per_type
def decoder(kind: Any) -> Decoder:
    """The compiled strict decoder of a type."""
    plain, origin, args = _strip(kind)
    if plain in (int, str, bool):
        return _scalar(plain)
    if origin in (types.UnionType, typing.Union):
        return decoder(_optional(args))
    if origin is tuple:
        return _tuple_decoder(args)
    if origin is dict:
        return _dict_decoder(args)
    if isinstance(plain, type) and issubclass(plain, enum.Enum):
        return _enum_decoder(plain)
    if hasattr(plain, "decoded"):
        return plain.decoded  # type: ignore[no-any-return]
    if dataclasses.is_dataclass(plain):
        return _dataclass_decoder(plain)
    raise TypeError(f"no codec for {kind!r}")


def _scalar(kind: type) -> Decoder:
    def run(data: Any, path: str) -> Any:
        if type(data) is not kind:
            raise CodecError(path, f"expected {kind.__name__}, found {type(data).__name__}")
        return data

    return run


def _tuple_decoder(args: tuple[Any, ...]) -> Decoder:
    endless = len(args) == 2 and args[1] is Ellipsis
    ones = [decoder(a) for a in (args[:1] if endless else args)]

    def run(data: Any, path: str) -> Any:
        if not isinstance(data, list):
            raise CodecError(path, f"expected an array, found {type(data).__name__}")
        if endless:
            return tuple(ones[0](v, f"{path}[{i}]") for i, v in enumerate(data))
        if len(data) != len(ones):
            raise CodecError(path, f"expected {len(ones)} items, found {len(data)}")
        return tuple(one(v, f"{path}[{i}]") for i, (one, v) in enumerate(zip(ones, data, strict=True)))

    return run


def _dict_decoder(args: tuple[Any, ...]) -> Decoder:
    item = decoder(args[1])

    def run(data: Any, path: str) -> Any:
        if not isinstance(data, dict):
            raise CodecError(path, f"expected a table, found {type(data).__name__}")
        return {k: item(v, f"{path}.{k}" if path else k) for k, v in data.items()}

    return run


def _enum_decoder(kind: type[enum.Enum]) -> Decoder:
    known = {m.value: m for m in kind}

    def run(data: Any, path: str) -> Any:
        try:
            return known[data]
        except (KeyError, TypeError):
            told = toml.quoted(data) if isinstance(data, str) else data
            raise CodecError(path, f"{told} is none of {', '.join(map(str, known))}") from None

    return run


def _dataclass_decoder(kind: Any) -> Decoder:
    parts = {name: (decoder(t), _default(kind, name), _is_optional(t)) for name, t in hints(kind).items()}

    def run(data: Any, path: str) -> Any:
        if not isinstance(data, dict):
            raise CodecError(path, f"expected a table, found {type(data).__name__}")
        dot = f"{path}." if path else ""
        for key in data:
            if key not in parts:
                raise CodecError(dot + str(key), f"unknown key (expected {', '.join(parts)})")
        values = {}
        for name, (one, default, optional) in parts.items():
            if name in data:
                values[name] = one(data[name], dot + name)
            elif optional and default is _REQUIRED:
                values[name] = None
            elif default is _REQUIRED:
                raise CodecError(dot + name, "missing")
        return kind(**values)

    return run


def _is_optional(kind: Any) -> bool:
    _, origin, args = _strip(kind)
    return origin in (types.UnionType, typing.Union) and type(None) in args
