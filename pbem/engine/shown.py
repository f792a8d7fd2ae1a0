"""What a game tells its players besides the board: tables, terms, points so far, options explained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of the game: combat results, terrain costs, a roster, a list of cards."""

    id: str
    """One word: `pbem tables kawagoe crt`."""
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rule: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """A word that players of the printed game know in Japanese or Chinese."""

    term: str
    reading: str
    english: str
    means: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """One line of the score: what gives whom how much, by which rule."""

    seat: str
    what: str
    points: int | None
    """None: it decides without points (a sudden victory that is near)."""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of the contract: a reading on which players may well differ."""

    id: str
    values: tuple[str, ...]
    """The usual one first."""
    rule: str
    question: str
    """What is decided, in one sentence."""
    meanings: tuple[str, ...] = ()
    """One sentence for each value."""
