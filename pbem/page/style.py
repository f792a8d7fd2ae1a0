"""Colours, sizes and fonts: everything that the look depends on and no game needs to know."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Literal

Names = Literal["original", "latin", "both"]
"""Which letters names are written in."""

FONT = "'Noto Sans CJK JP','Hiragino Sans','Yu Gothic',sans-serif"

PALETTE: tuple[tuple[str, str], ...] = (
    ("#6b3a16", "#fff"),  # 0 brown
    ("#e3a72b", "#111"),  # 1 ochre
    ("#a13d2e", "#fff"),  # 2 russet
    ("#9aa3ab", "#111"),  # 3 grey
    ("#5b3f8c", "#fff"),  # 4 purple
    ("#86c5ec", "#111"),  # 5 sky
    ("#b9481a", "#fff"),  # 6 vermilion
    ("#12559c", "#fff"),  # 7 blue
    ("#d9cda6", "#111"),  # 8 sand
    ("#1f7a4d", "#fff"),  # 9 green
    ("#f0a35e", "#111"),  # 10 orange
)
"""Fill and ink of each slot; their contrast is at least 4.5."""
NOBODY = ("#fffdf4", "#111")
DARK = tuple(fill if ink == "#fff" else dark for (fill, ink), dark in zip(PALETTE, (
    "", "#7d5600", "", "#4d5860", "", "#1d6fa5", "", "", "#6f6136", "", "#9a5312"), strict=True))  # fmt: skip
"""The same hue where it is written on paper."""

CORNER = 30.0
"""From the centre of a hex to its corner."""
HIGH = 51.96
"""From side to opposite side."""

PAPER, SHEET, TABLE = "#f1efdf", "#efe7cf", "#faf7ec"
INK, SOFT = "#1d1a16", "#6b6558"

GROUNDS: Mapping[str, tuple[str, str]] = {
    "plain": (PAPER, ""),
    "clear": (PAPER, ""),
    "field": ("#f6e7b8", "rows"),
    "woods": ("#cfe0b4", "trees"),
    "orchard": ("#dfe9bf", "orchard"),
    "marsh": ("#dbe8e4", "reeds"),
    "rough": ("#e2d3b5", "stones"),
    "hill": ("#e0cfa0", "hachures"),
    "mountain": ("#c9b08a", "peaks"),
    "town": ("#ecd9cc", "houses"),
    "village": ("#ecd9cc", "houses"),
    "city": ("#dcc3b4", "houses"),
    "castle": ("#d8c08e", "keep"),
    "fort": ("#d8c08e", "fort"),
    "bailey1": ("#cdb182", ""),
    "bailey2": ("#dcc69d", ""),
    "bailey3": ("#e8d9ba", ""),
    "sea": ("#b9d7e8", "waves"),
    "lake": ("#b9d7e8", "waves"),
    "river": ("#c6dfec", "waves"),
    "beach": ("#f5e9c0", "stones"),
    "off": ("#d9d5c8", ""),
}
"""Colour and symbol of each ground; the symbol keeps grounds apart in greyscale."""

EDGES: tuple[str, ...] = (
    "lake",
    "sea",
    "river",
    "stream",
    "slope",
    "hedge",
    "fieldwork",
    "abatis",
    "redoubt",
    "inner",
    "wall",
    "gate",
    "bridge",
    "ford",
    "closed",
)
"""Kinds of hexside, in the order in which they are drawn."""

LINKS = ("road", "track", "way", "sea")
STATES = ("unknown", "disordered", "acted", "astray", "back", "barred", "gone", "inside", "engaged")
MARKS = ("control", "taken", "siege", "fort", "objective", "engaged", "entry", "supply", "note")


def latin(text: str) -> bool:
    """Whether a text has no letter wider than a Latin one."""
    return not any(unicodedata.east_asian_width(char) in "WF" for char in text)


def ems(text: str) -> float:
    """How wide a text is, in its own size; a little more than most fonts need."""
    total = 0.0
    for char in text:
        if unicodedata.east_asian_width(char) in "WF":
            total += 1.0
        elif char in "iljtfI.,:;'|! ":
            total += 0.36
        elif char in "mwMW%—…":
            total += 0.92
        else:
            total += 0.66 if char.isupper() else 0.6
    return total


def named(name: str, gloss: str, names: Names) -> tuple[str, str]:
    """What is written large and what small beside it."""
    if names == "latin":
        return gloss or name, ""
    return name or gloss, gloss if names == "both" and gloss != name and name else ""
