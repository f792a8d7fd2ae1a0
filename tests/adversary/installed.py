"""Rules that `verify` finds, installed or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pbem.engine import registry


@contextmanager
def played_by(rules: Any) -> Iterator[None]:
    """`verify` finds these rules, installed or not."""
    real = registry.load
    registry.load = lambda name: rules  # type: ignore[assignment]
    try:
        yield
    finally:
        registry.load = real
