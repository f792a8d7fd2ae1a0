"""Dice as they are written in an order: `2d6+1`, `5d6>=4`, `3*battle`, `crt/3-1+1`, and what they are for.

An order may throw several, each with its purpose; all are fixed before the first falls.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.table.kit import Chart, Kit, Throw

MOST = 100
"""So many dice may fall at once."""
_THROW = re.compile(r"([0-9]{0,3})d([0-9]{1,4}|%)(?:([+-])([0-9]{1,3}))?(?:>=([0-9]{1,4}))?")
_NAMED = re.compile(r"(?:([0-9]{1,3})\*)?([a-z][a-z0-9-]*)")
_PLUS = re.compile(r"(.*?)([+-][0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class Wish:
    """One throw of an order."""

    throw: Throw
    said: str
    """As it was written."""
    purpose: str = ""
    faces: tuple[str, ...] = ()
    """Of dice with words on them."""
    chart: Chart | None = None
    column: str = ""

    def told(self, dice: Sequence[int]) -> str:
        """What the dice come to, in words."""
        if self.faces:
            return ", ".join(self.faces[die - 1] for die in dice)
        if self.throw.least is not None:
            return str(sum(die + self.throw.plus >= self.throw.least for die in dice))
        total = sum(dice) + self.throw.plus
        if self.chart is None:
            return str(total)
        return f"{total}: {self.chart.result(total, self.column)}"


def throw_of(word: str) -> Throw | None:
    """Dice with numbers on them: `2d6+1`, `5d6>=4`; None if it is no such word."""
    found = _THROW.fullmatch(word)
    if found is None:
        return None
    count, sides, sign, plus, least = found.groups()
    faces = 100 if sides == "%" else int(sides)
    if faces < 2 or not 1 <= int(count or 1) <= MOST:
        return None
    extra = int(plus or 0) * (-1 if sign == "-" else 1)
    return Throw(int(count or 1), faces, extra, int(least) if least else None)


def read(kit: Kit, text: str) -> tuple[Wish, ...] | str:
    """The throws of an order, or why it has none."""
    found: list[Wish] = []
    words: list[list[str]] = []
    for word in text.split():
        wish = _wish(kit, word.rstrip(",;"))
        if wish is not None:
            found.append(wish)
            words.append([])
        elif not found:
            known = ", ".join(("2d6+1", "5d6>=4", *kit.dice, *kit.charts))
            return f"{word} is nothing that can be rolled; write for example: {known}"
        else:
            words[-1].append(word)
    if not found:
        return "say what is rolled, and then what for"
    if sum(wish.throw.count for wish in found) > MOST:
        return f"at most {MOST} dice fall at once"
    return tuple(_for(wish, said) for wish, said in zip(found, words, strict=True))


def _for(wish: Wish, words: list[str]) -> Wish:
    purpose = " ".join(words).removesuffix(" and").removesuffix(" then").rstrip(",;")
    return Wish(wish.throw, wish.said, purpose, wish.faces, wish.chart, wish.column)


def _wish(kit: Kit, word: str) -> Wish | None:
    throw = throw_of(word)
    if throw is not None:
        return Wish(throw, word)
    named = _NAMED.fullmatch(word)
    if named is not None and named[2] in kit.dice and 1 <= int(named[1] or 1) <= MOST:
        faces = kit.dice[named[2]]
        return Wish(Throw(int(named[1] or 1), len(faces)), word, faces=faces)
    return _on_chart(kit, word)


def _on_chart(kit: Kit, word: str) -> Wish | None:
    """`crt/3-1+1`: the chart, its column, and what is added to the dice."""
    name, slash, rest = word.partition("/")
    if not slash:
        parts = _PLUS.fullmatch(word)
        name, rest = (parts[1], parts[2] or "") if parts else (word, "")
    chart = kit.charts.get(name)
    if chart is None or bool(slash) != bool(chart.columns):
        return None
    for column in sorted(chart.columns, key=len, reverse=True) or ("",):
        if rest.startswith(column) and re.fullmatch(r"(?:[+-][0-9]{1,3})?", rest[len(column) :]):
            throw = chart.roll
            plus = throw.plus + int(rest[len(column) :] or 0)
            return Wish(Throw(throw.count, throw.sides, plus), word, chart=chart, column=column)
    return None
