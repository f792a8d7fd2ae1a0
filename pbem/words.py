"""Words that everything which speaks to a player shares."""

from __future__ import annotations

from collections.abc import Iterable

MOST = 24
"""So many names are listed."""


def near(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name, "" if nothing is near."""
    import difflib

    found = difflib.get_close_matches(word, list(known), n=2)
    return f"did you mean {' or '.join(found)}?" if found else ""


def did_you_mean(word: str, known: Iterable[str], otherwise: str) -> str:
    """A hint for a misspelt name: what is near, or else what there is, as far as one can read it."""
    names = list(known)
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return near(word, names) or f"{otherwise} {', '.join(names[:MOST]) or 'none'}{more}"


def count(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"
