"""Strict reading of data packs: directories of TOML files that say where their contents come from.

Invariants: every key must be asked for by the game that reads the file, so a misspelt one is an error that
names file, table and key; numbers are integers; every file states its provenance; the digest of a pack is
SHA-256 over the sorted names and the exact bytes of its TOML files, so that a contract can pin it.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NoReturn, TypeVar

from pbem.engine.codec import CodecError, decode
from pbem.engine.shown import Choice
from pbem.errors import UsageError

_MISSING: Any = object()
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the contents of one file come from."""

    kind: Literal["rulebook", "reconstruction"]
    """"rulebook": printed in the rules at hand; "reconstruction": made by us."""
    source: str
    """The rules that print it, or how the reconstruction was made."""


class Table:
    """One TOML table, read key by key; leaving the `with` block refuses the keys nobody asked for."""

    __slots__ = ("_asked", "_data", "_left", "file", "path")

    def __init__(self, data: object, file: str, path: str = "") -> None:
        self.file = file
        self.path = path
        if not isinstance(data, Mapping):
            raise UsageError(
                f"{file}: {path or 'the file'} is not a table", "see the packs that ship with the game"
            )
        self._data: Mapping[str, Any] = data
        self._left = dict.fromkeys(data)
        self._asked: dict[str, None] = {}

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._left:
            known = ", ".join(self._asked)
            hint = f"keys here are: {known}" if known else "no keys are read here"
            self.refuse(next(iter(self._left)), "is not a known key", hint)

    def refuse(self, key: str, problem: str, hint: str | None = None) -> NoReturn:
        """Raise an error that names file, table and key."""
        table = f"[{self.path}] " if self.path else ""
        raise UsageError(f"{self.file}: {table}{key} {problem}", hint)

    def __iter__(self) -> Iterator[str]:
        """All keys, in file order."""
        return iter(tuple(self._data))

    def __contains__(self, key: str) -> bool:
        self._asked[key] = None
        return key in self._data

    def value(self, key: str, default: Any = _MISSING) -> Any:
        """The raw value; asking for it marks the key as known."""
        self._left.pop(key, None)
        self._asked[key] = None
        if key in self._data:
            return self._data[key]
        if default is _MISSING:
            self.refuse(key, "is missing", "every pack must state it")
        return default

    def text(self, key: str, default: str = _MISSING) -> str:
        value = self.value(key, default)
        if not isinstance(value, str):
            self.refuse(key, "must be a text")
        return value

    def choice(self, key: str, allowed: Sequence[str], default: str = _MISSING) -> str:
        value = self.text(key, default)
        if value not in allowed:
            self.refuse(key, f'is "{value}"', "it must be one of " + ", ".join(allowed))
        return value

    def integer(self, key: str, default: int = _MISSING, *, least: int = 0) -> int:
        value = self.value(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            self.refuse(key, "must be a whole number")
        if value < least:
            self.refuse(key, f"is {value}", f"it must be at least {least}")
        return value

    def texts(self, key: str, default: Sequence[str] = _MISSING) -> tuple[str, ...]:
        value = self.value(key, default)
        if isinstance(value, str) or not isinstance(value, Sequence):
            self.refuse(key, "must be a list of texts")
        if not all(isinstance(item, str) for item in value):
            self.refuse(key, "must be a list of texts")
        return tuple(value)

    def typed(self, key: str, kind: Any) -> Any:
        """A value read by the codec as `kind`; an error names the line by its id: nobody must count."""
        raw = self.value(key)
        try:
            return decode(raw, kind, self._inside(key))
        except CodecError as error:
            number = error.path.removeprefix(f"{self._inside(key)}[").partition("]")[0]
            row = raw[int(number)] if isinstance(raw, list) and number.isdigit() else None
            name = f" (id {row['id']!r})" if isinstance(row, dict) and "id" in row else ""
            hint = "see the pack that ships with the game"
            raise UsageError(f"{self.file}: {error.message}{name}", hint) from None

    def table(self, key: str, default: Mapping[str, Any] = _MISSING) -> Table:
        return Table(self.value(key, default), self.file, self._inside(key))

    def tables(self, key: str, default: Sequence[Mapping[str, Any]] = _MISSING) -> tuple[Table, ...]:
        """A list of tables, `[[key]]`, each named by its place in the list."""
        value = self.value(key, default)
        if not isinstance(value, Sequence) or isinstance(value, str):
            self.refuse(key, "must be a list of tables")
        return tuple(Table(item, self.file, f"{self._inside(key)}.{n}") for n, item in enumerate(value, 1))

    def named_tables(self, key: str, default: Mapping[str, Any] = _MISSING) -> dict[str, Table]:
        """A table of tables, `[key.name]`, by name."""
        outer = self.table(key, default)
        return {name: outer.table(name) for name in outer}

    def named_texts(self, key: str, default: Mapping[str, str] = _MISSING) -> dict[str, str]:
        """A table whose values are all texts."""
        outer = self.table(key, default)
        return {name: outer.text(name) for name in outer}

    def named_lists(
        self, key: str, default: Mapping[str, Sequence[str]] = _MISSING
    ) -> dict[str, tuple[str, ...]]:
        """A table whose values are all lists of texts."""
        outer = self.table(key, default)
        return {name: outer.texts(name) for name in outer}

    def provenance(self) -> Provenance:
        """`provenance = "rulebook"` with `rule`, or `provenance = "reconstruction"` with `how`."""
        kind = self.choice("provenance", ("rulebook", "reconstruction"))
        source = self.text("rule" if kind == "rulebook" else "how")
        if not source.strip():
            self.refuse("rule" if kind == "rulebook" else "how", "is empty", "say where the data comes from")
        return Provenance("rulebook" if kind == "rulebook" else "reconstruction", source)

    def _inside(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key


def read_choice(name: str, table: Table) -> Choice:
    """`[option.name]`: an option of the contract, its usual value first, with the meaning of each."""
    with table:
        values, meanings = table.texts("values"), table.texts("meanings")
        if len(values) != len(meanings):
            table.refuse("meanings", f"are {len(meanings)}", f"there are {len(values)} values")
        return Choice(name, values, table.text("rule"), table.text("question"), meanings)


class Lazily(Mapping[str, Part]):
    """Parts of a pack by name, each read when it is asked for first: a battle needs one map of seven."""

    def __init__(self, names: Iterable[str], read: Callable[[str], Part]) -> None:
        self._names, self._read = tuple(names), read
        self._parts: dict[str, Part] = {}

    def __getitem__(self, name: str) -> Part:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._parts:
            self._parts[name] = self._read(name)
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def read_files(directory: Path, names: Sequence[str]) -> dict[str, Table]:
    """The named files of a pack (without ".toml"); a missing or an unknown TOML file is refused."""
    check_directory(directory, names)
    return {name: read_file(directory, name) for name in names}


def check_directory(directory: Path, names: Sequence[str]) -> None:
    """Refuses a directory that holds a TOML file which is no part of the pack."""
    if not directory.is_dir():
        raise UsageError(
            f"{directory} is not a directory", "name the directory that holds the pack's TOML files"
        )
    for path in sorted(directory.glob("*.toml")):
        if path.stem not in names:
            raise UsageError(f"{path} is not part of the pack", "a pack holds " + ", ".join(names))


def read_file(directory: Path, name: str) -> Table:
    """One file of a pack."""
    path = directory / f"{name}.toml"
    try:
        return Table(tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    except FileNotFoundError:
        raise UsageError(f"{path} is missing", "a pack holds all files of the game") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", "packs are UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{path} is not valid TOML: {error}", "correct the line it names") from None


def read_over(
    files: Mapping[str, Table],
    read: Callable[[str, Table], Mapping[str, Any]],
    base: Mapping[str, Provenance] | None,
) -> tuple[dict[str, Any], dict[str, Provenance]]:
    """The parts that the files state, and what each file rests on.

    With the provenance of a `base` the files are a case's own tables, which go over it and need not say that.
    """
    parts: dict[str, Any] = {}
    provenance = dict(base or {})
    for name, table in files.items():
        provenance.pop(name, None)
        with table:
            if base is None or "provenance" in table:
                provenance[name] = table.provenance()
            parts.update(read(name, table))
    return parts, provenance


def check_names(tables: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse tables that are named like no file of the pack, as a case may bring them."""
    for name in tables:
        if name not in names:
            raise UsageError(f'"{name}" is not part of the pack', "a pack holds " + ", ".join(names))


def digest_of_directory(directory: Path) -> str:
    """SHA-256 over the sorted names and exact bytes of the TOML files, each with its length in front."""
    digest = hashlib.sha256()
    for path in sorted(directory.glob("*.toml"), key=lambda path: path.name):
        for part in (path.name.encode(), path.read_bytes()):
            digest.update(len(part).to_bytes(4, "big"))
            digest.update(part)
    return digest.hexdigest()


def digest_of_tables(tables: Mapping[str, Any]) -> str:
    """The digest of a pack that a case brings along as tables."""
    return hashlib.sha256(json.dumps(tables, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
