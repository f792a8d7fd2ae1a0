"""A player that tries to win."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from pbem.engine.notation import Move


def player(seat: str, seed: int) -> Callable[..., Move]:
    """The bot of a seat."""
    rng = Random(f"{seat}{seed}")

    def decide(pos: Any, options: Any, view: Any) -> Move:
        return options.sample(rng, view)  # type: ignore[no-any-return]

    return decide
