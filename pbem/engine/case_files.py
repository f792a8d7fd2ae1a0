"""A file of cases: what it shares with others by `base`, and each of its variants whole."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pbem.engine.case_checks import known, listed
from pbem.errors import UsageError

COMMON_KEYS = ("options", "seats", "table", "cards", "pack", "position")
"""What a case shares with others by `base`."""
CASE_KEYS = ("game", "rule", "rules", "title", "source", "base", "variant", *COMMON_KEYS, "play", "expect")
VARIANT_KEYS = ("title", "rule", "rules", *COMMON_KEYS, "play", "expect")


def read(path: Path) -> dict[str, Any]:
    """A file of cases."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"not a TOML file: {error}") from None


def variants(case: Mapping[str, Any], folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The cases of a file, each whole: one, or one for each [[variant]], with its title."""
    known(case, CASE_KEYS, "case")
    whole: dict[str, Any] = {}
    if "base" in case:
        base = read(folder / str(case["base"]))
        known(base, ("game", *COMMON_KEYS), str(case["base"]))
        whole = dict(base)
    _overlay(whole, {key: value for key, value in case.items() if key not in ("base", "variant")})
    if "variant" not in case:
        yield "", whole
        return
    for number, variant in enumerate(listed(case, "variant"), 1):
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
