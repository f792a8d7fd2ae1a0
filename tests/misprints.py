"""Data and orders with something wrong in them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from pbem.engine.codec import hints
from pbem.engine.notation import Move


def misprinted(data: Path, folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of a pack in which one file says something else."""
    for path in data.glob("*.toml"):
        text = path.read_text("utf-8")
        if path.stem == file:
            assert old in text
            text = text.replace(old, new, 1)
        (folder / path.name).write_text(text, "utf-8")
    return folder


def nonsense(rng: random.Random, kind: type[Move], words: list[str]) -> Move:
    """A move with words from anywhere in its fields."""
    values: dict[str, Any] = {}
    for name, declared in hints(kind).items():
        values[name] = rng.choice(words)
        if declared == tuple[str, ...]:
            values[name] = tuple(rng.choice(words) for _ in range(rng.randrange(0, 4)))
    return kind(**values)
