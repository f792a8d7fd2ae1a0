"""Words that everything which speaks to a player shares."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str], otherwise: str) -> str:
    """A hint for a misspelt name: what is near, or else what there is."""
    import difflib

    names = list(known)
    near = difflib.get_close_matches(word, names, n=2)
    return f"did you mean {' or '.join(near)}?" if near else f"{otherwise} {', '.join(names) or 'none'}"


def count(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"
