"""Sizes, fonts and kinds: everything that the look depends on and no game needs to know.

The colours stand in static/board.css, each once for light and dark. The renderer writes classes, so that a
page may forbid inline styles and follow the reader's theme; a picture that stands alone carries the rules
with the light colours put in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pbem.page.shipped import static

Names = Literal["original", "latin", "both"]
"""Which letters names are written in."""

FONT = "'Noto Sans','Noto Sans CJK JP','Hiragino Sans','Yu Gothic',system-ui,sans-serif"
SERIF = "'Noto Serif','Noto Serif CJK JP','Hiragino Mincho ProN','Yu Mincho',serif"

CORNER = 30.0
"""From the centre of a hex to its corner."""
HIGH = 51.96
"""From side to opposite side."""

_COLOUR = re.compile(r"--([\w-]+):(?:light-dark\(([^,)]+),([^)]+)\)|([^;}]+))[;}]")


@cache
def colours(dark: bool = False) -> Mapping[str, str]:
    """Every colour of board.css by its name, for a light or a dark room."""
    found = {}
    for name, light, night, both in _COLOUR.findall(static("board.css")):
        found[name] = both or (night if dark else light)
    return found


@cache
def own_style() -> str:
    """The rules of board.css for a picture that stands alone: light colours in place of variables."""
    rules = static("board.css").split("/* grounds */", 1)[1]
    rules = re.sub(r"/\*.*?\*/", "", rules, flags=re.DOTALL)
    known = colours()
    rules = re.sub(r"var\(--([\w-]+)\)", lambda found: known[found[1]], rules).replace("\n", "")
    return rules + ".relief{filter:url(#relief);mix-blend-mode:hard-light;opacity:.6}"


PALETTE: tuple[tuple[str, str], ...] = tuple(
    (colours()[f"slot{slot}"], colours()[f"ink{slot}"]) for slot in range(11)
)
"""Fill and ink of each slot; their contrast is at least 4.5."""


@dataclass(frozen=True, slots=True)
class Ground:
    """How a kind of ground is drawn."""

    form: Literal["plain", "blob", "exact", "water", "around"]
    """A blob has a soft outline through the middles of the hexsides; an exact one keeps them; `around` takes
    the ground of its neighbours."""
    tint: str
    sign: str = ""
    height: float = 0.0
    """How far it rises in the relief."""


GROUNDS: Mapping[str, Ground] = {
    "plain": Ground("plain", "plain"),
    "clear": Ground("plain", "plain"),
    "field": Ground("blob", "field", "furrows"),
    "woods": Ground("blob", "woods", "trees"),
    "orchard": Ground("blob", "orchard", "grove"),
    "marsh": Ground("blob", "marsh", "reeds"),
    "rough": Ground("blob", "rough", "stones", 0.34),
    "hill": Ground("blob", "rough", "hachures", 0.34),
    "mountain": Ground("blob", "mountain", "peaks", 1.06),
    "town": Ground("blob", "town", "houses"),
    "village": Ground("blob", "town", "houses"),
    "city": Ground("blob", "town", "houses"),
    "castle": Ground("around", "plain"),
    "fort": Ground("around", "plain"),
    "bailey1": Ground("exact", "bailey1"),
    "bailey2": Ground("exact", "bailey2"),
    "bailey3": Ground("exact", "bailey3"),
    "sea": Ground("water", "water"),
    "lake": Ground("water", "water"),
    "river": Ground("water", "water"),
    "beach": Ground("blob", "beach", "stones"),
    "off": Ground("exact", "off"),
}
"""Every ground that a scene may name; its sign or relief keeps it apart in greyscale."""

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
PLACE_SIGNS = ("castle", "town", "port", "summit", "fort")
STATES = ("unknown", "disordered", "acted", "astray", "back", "barred", "gone", "inside", "engaged")
MARKS = ("control", "taken", "siege", "fort", "objective", "engaged", "entry", "supply", "note")


def slot(colour: int | None) -> str:
    """The end of an owner's class: its slot of the palette, x for nobody."""
    return "x" if colour is None else str(colour % len(PALETTE))


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


_NEVER_FIRST = "、。）］」』！？："
"""Signs that no line begins with."""


def wrapped(text: str, most: float) -> list[str]:
    """A text in lines of at most so many ems, broken at spaces and between wide letters."""
    lines: list[str] = []
    for word in re.findall(r"[\u2e80-\uffef]|[^\s\u2e80-\uffef]+|\s+", text):
        if word.isspace():
            if lines and not lines[-1].endswith(" "):
                lines[-1] += " "
        elif lines and (ems(lines[-1] + word) <= most or word in _NEVER_FIRST):
            lines[-1] += word
        else:
            lines.append(word)
    return [line.rstrip() for line in lines]


def named(name: str, gloss: str, names: Names) -> tuple[str, str]:
    """What is written large and what small beside it."""
    if names == "latin":
        return gloss or name, ""
    return name or gloss, gloss if names == "both" and gloss != name and name else ""
