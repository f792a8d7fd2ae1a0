"""The files of the page and of the replay as they are shipped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"


@cache
def static(name: str) -> str:
    """One of them."""
    return (STATIC / name).read_text(encoding="utf-8")
