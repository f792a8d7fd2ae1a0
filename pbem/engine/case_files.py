"""A file of cases: what it shares with others by `base`, and each of its variants whole."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pbem.engine.case_run import CaseError, known, listed
from pbem.errors import MalformedError, UsageError
from pbem.system import read_small
from pbem.toml import read_foreign

LIMIT = 1 << 20
"""The most bytes that a file of cases may have."""

COMMON_KEYS = ("options", "seats", "table", "cards", "pack", "position")
"""What a case shares with others by `base`."""
CASE_KEYS = ("game", "rule", "rules", "title", "source", "base", "variant", *COMMON_KEYS, "play", "expect")
VARIANT_KEYS = ("title", "rule", "rules", *COMMON_KEYS, "play", "expect")


def read(path: Path) -> dict[str, Any]:
    """A file of cases: a stranger may have written it, so it is read with the limits of foreign bytes."""
    try:
        raw = read_small(path, LIMIT)
        return read_foreign(raw.replace(b"\r\n", b"\n"), limit=LIMIT)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except MalformedError as error:
        raise UsageError(f"{path.name}: {error.message}") from None


def _base(folder: Path, name: Any) -> dict[str, Any]:
    """What a case shares with others: a file beside it."""
    if not isinstance(name, str) or Path(name).name != name:
        raise UsageError(f"base = {name!r} is not the name of a file beside the case")
    base = read(folder / name)
    known(base, ("game", *COMMON_KEYS), name)
    return base


def variants(case: Mapping[str, Any], folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The cases of a file, each whole: one, or one for each [[variant]], with its title."""
    known(case, CASE_KEYS, "case")
    whole: dict[str, Any] = {}
    if "base" in case:
        whole = _base(folder, case["base"])
    _overlay(whole, {key: value for key, value in case.items() if key not in ("base", "variant")})
    if "variant" not in case:
        yield "", whole
        return
    if not listed(case, "variant"):
        raise CaseError("variant is empty: nothing would be run")
    for number, variant in enumerate(case["variant"], 1):
        known(variant, VARIANT_KEYS, f"variant {number}")
        one = copy.deepcopy(whole)
        _overlay(one, variant)
        yield f"variant {variant.get('title', number)}", one


def _overlay(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    """What a case or a variant says goes over what it shares with others; lists are replaced whole."""
    for key, value in more.items():
        if isinstance(value, Mapping) and isinstance(into.get(key), dict):
            _overlay(into[key], value)
        else:
            into[key] = copy.deepcopy(value)
