"""How a counter looks, drawn around (0, 0): where it lies is somebody else's business.

The side is the shape of the corners, the house is colour and badge, each state has a form of its own: a
picture without colour tells the same. A counter is a group of class `counter`, a card one of class `card`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pbem.engine.scene import Owner, Piece
from pbem.page.style import PALETTE, Names, ems, latin, named, slot
from pbem.page.svg import tag, title, words

SIZE = 37.0
"""A counter: the largest square in a hex."""
HALF = SIZE / 2
INSET = (0.0, 0.0, 3.5, 3.5, 0.0, 1.5)
"""How far the corners of each shape push what is written in them inwards."""

DEFS = (
    '<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0V5" stroke="#000" stroke-opacity=".28" stroke-width="2"/></pattern>'
    '<pattern id="hatch2" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0V5" stroke="#fff" stroke-opacity=".3" stroke-width="2"/></pattern>'
    '<pattern id="lattice" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0H6M0 0V6" stroke="#fff" stroke-opacity=".35" stroke-width="1"/></pattern>'
)
"""Patterns that looks refer to."""

_WORDS = {
    "unknown": "not turned over",
    "disordered": "in disorder",
    "acted": "has acted",
    "astray": "out of command",
    "back": "face down",
    "barred": "barred",
    "gone": "gone",
    "inside": "inside the walls",
    "engaged": "engaged",
}


@lru_cache(maxsize=8192)
def counter(piece: Piece, owner: Owner | None, corner: int, names: Names = "original") -> str:
    """The picture of a counter, chit or marker; `corner`, the number of its side, shapes the corners."""
    told = title(describe(piece, owner))
    if piece.kind == "chit":
        return told + _chit(piece, owner, names)
    if piece.kind == "marker":
        return told + _marker(piece, owner, names)
    return told + tag("g", _counter(piece, owner, corner, names), class_="counter")


def describe(piece: Piece, owner: Owner | None) -> str:
    """A piece in one line, for pointers, readers and lists."""
    if "back" in piece.states and not piece.name:
        return f"face down{f', {owner.gloss or owner.name}' if owner else ''}"
    name = piece.name or piece.gloss or piece.id
    parts = [f"{name} {piece.gloss}" if piece.gloss and piece.gloss != name else name]
    if piece.count > 1 and piece.kind != "count":
        parts[0] += f" x{piece.count}"
    if piece.kind == "count":
        parts[0] = f"{piece.count} {parts[0]}"
    if owner:
        parts.append(owner.gloss or owner.name)
    if piece.values:
        parts.append(piece.values)
    if piece.steps:
        parts.append(f"{piece.steps[0]} of {piece.steps[1]} steps")
    if piece.corner:
        parts.append(f"[{piece.corner}]")
    if piece.trait:
        parts.append(piece.trait)
    parts += [_WORDS.get(state, state) for state in piece.states]
    text = ", ".join(parts)
    if piece.picks and piece.picks[0] != (piece.id,) and len(piece.picks) == 1:
        text += f" ({' '.join(piece.picks[0])})"
    elif piece.picks and piece.picks[0] == (piece.id,) and piece.id not in text:
        text += f" ({piece.id})"
    return f"{text}: {piece.text}" if piece.text else text


def outline(corner: int, size: float, grow: float = 0.0) -> Mapping[str, str | float | None]:
    """The attributes of a counter's shape: square, round or cut corners by side."""
    half = size / 2 + grow
    if corner == 2:
        c = 7.0
        points = f"M{-half + c} {-half}H{half - c}L{half} {-half + c}V{half - c}L{half - c} {half}"
        return {"d": points + f"H{-half + c}L{-half} {half - c}V{-half + c}Z"}
    r = (2.0, 8.0, 0.0, 14.0, 5.0, 11.0)[corner % 6]
    w = 2 * (half - r)
    arc = f"a{r} {r} 0 0 1 "
    d = f"M{-half + r} {-half}h{w}{arc}{r} {r}v{w}{arc}{-r} {r}h{-w}{arc}{-r} {-r}v{-w}{arc}{r} {-r}Z"
    return {"d": d}


def _band(corner: int) -> str:
    """The black band of a general, within the corners of his counter."""
    low = -HALF + 10.6
    cut = (2.0, 8.0, 7.0, 10.0, 5.0, 10.0)[corner % 6]
    if corner == 2:
        return f"M{-HALF} {low}V{-HALF + cut}L{-HALF + cut} {-HALF}H{HALF - cut}L{HALF} {-HALF + cut}V{low}Z"
    arc = f"a{cut} {cut} 0 0 1 {cut} "
    return f"M{-HALF} {low}V{-HALF + cut}{arc}{-cut}H{HALF - cut}{arc}{cut}V{low}Z"


def colour(owner: Owner | None) -> str:
    """The end of the classes of an owner's colours."""
    return slot(owner.colour if owner else None)


def white_ink(owner: Owner | None) -> bool:
    """Whether white is written on an owner's colour."""
    return owner is not None and PALETTE[owner.colour % len(PALETTE)][1] == "#fff"


def _counter(piece: Piece, owner: Owner | None, corner: int, names: Names) -> str:
    hue, shape = colour(owner), outline(corner, SIZE)
    ink = f"i{hue}"
    edge = "edge astray" if "astray" in piece.states else "edge"
    out = [tag("path", **shape, class_="shadow", transform="translate(1,1.8)")]
    out.append(tag("path", **shape, class_=f"s{hue} {edge}"))
    if "back" in piece.states:
        out.append(tag("path", **shape, fill="url(#lattice)"))
    if "unknown" in piece.states:
        out.append(tag("path", **shape, fill="url(#hatch2)" if white_ink(owner) else "url(#hatch)"))
    general = piece.kind == "general"
    if general:
        out.append(tag("path", d=_band(corner), class_="night"))
    top = "white" if general else ink
    if owner:
        left = -HALF + 6.5 + INSET[corner % 6]
        out.append(words(owner.badge, left, -HALF + 9.2, 8.5, top, bold=True, most=10))
    out.append(_corner(piece, top, HALF - 1.5 - INSET[corner % 6]))
    if piece.kind == "count":
        out.append(words(str(piece.count), 2, 3.5, 20, ink, bold=True, most=28))
        out.append(_name(piece, names, ink, 13.2, 8.0))
    else:
        out.append(_name(piece, names, ink, 2.6 if piece.values else 7.0, 9.6))
        if piece.values:
            out.append(tag("rect", class_="strip", x=-16.4, y=7, width=32.8, height=10.4, rx=3))
            out.append(words(piece.values, 0, 15.9, 11, "black", bold=True, most=32))
        if piece.count > 1:
            out.append(disc(HALF - 4, -2, f"x{piece.count}"))
    return _stated(piece, "".join(out), corner)


def _corner(piece: Piece, ink: str, right: float) -> str:
    """Pips, the corner's number and the trait, from the right."""
    out = []
    if piece.corner:
        wide = max(8.0, ems(piece.corner) * 8 + 3)
        out.append(
            tag("rect", class_="corner", x=right - wide, y=-HALF + 1.3, width=wide, height=9.6, rx=1.5)
        )
        out.append(words(piece.corner, right - wide / 2, -HALF + 9.1, 9, "black", bold=True))
        right -= wide + 1
    if piece.trait:
        out.append(words(piece.trait, right - 4.5, -HALF + 9, 8, ink, bold=True, most=9))
        right -= 9.5
    if piece.steps:
        left, of = piece.steps
        if of > 5:
            out.append(words(f"{left}/{of}", right, -HALF + 8.6, 7, ink, anchor="end", bold=True, most=16))
        else:
            out += [_pip(right - 2.6 - 4.9 * (of - 1 - k), ink, k < left) for k in range(of)]
    return "".join(out)


def _pip(x: float, ink: str, full: bool) -> str:
    """A step: full while it is left, a ring when it is lost."""
    ring = f"M{x - 1.95:.1f} {-HALF + 6.2:.1f}a1.95 1.95 0 1 0 3.9 0a1.95 1.95 0 1 0-3.9 0z"
    hole = f"M{x - 1.2:.1f} {-HALF + 6.2:.1f}a1.2 1.2 0 1 1 2.4 0a1.2 1.2 0 1 1-2.4 0z"
    return tag("path", class_=ink, d=ring if full else ring + hole)


def split(text: str, most: int = 4) -> tuple[str, ...]:
    """A name on one line or two: from five letters of a wide script, or at a space of a Latin one."""
    if latin(text):
        if len(text) <= 8 or " " not in text:
            return (text,)
        spaces = [i for i, char in enumerate(text) if char == " "]
        cut = min(spaces, key=lambda i: abs(i - len(text) / 2))
        return text[:cut], text[cut + 1 :]
    if len(text) <= most:
        return (text,)
    if " " in text:
        head, _, tail = text.partition(" ")
        return head, tail
    cut = (len(text) + 1) // 2 if len(text) != 5 else 2
    return text[:cut], text[cut:]


def _name(piece: Piece, names: Names, ink: str, middle: float, size: float) -> str:
    large, small = named(piece.name, piece.gloss, names)
    if small:
        return words(large, 0, middle - 2.6, size - 0.5, ink, bold=True, most=35) + words(
            small, 0, middle + 3.5, 6.2, f"{ink} gloss", bold=True, most=35
        )
    lines = split(large)
    if len(lines) == 1 and latin(large) and len(large) <= 4:  # a letter and a number: an unknown unit
        return words(large, 0, middle + 1.8, 13.5, ink, bold=True, most=33)
    if len(lines) == 1:
        return words(large, 0, middle + (0 if size > 8 else 0.6), size, ink, bold=True, most=35)
    return words(lines[0], 0, middle - 4.4, size - 1, ink, bold=True, most=35) + words(
        lines[1], 0, middle + 2.9, size - 1, ink, bold=True, most=35
    )


def disc(x: float, y: float, text: str, kind: str = "night", ink: str = "white") -> str:
    """A small disc with a number in it."""
    drawn = tag("circle", class_=f"{kind} rim", cx=x, cy=y, r=6.6)
    return drawn + words(text, x, y + 3, 8.4, ink, bold=True, most=11)


def _cross(x: float, y: float, far: float, kind: str, width: float) -> str:
    d = f"M{x - far} {y - far}L{x + far} {y + far}M{x - far} {y + far}L{x + far} {y - far}"
    return tag("path", class_=f"line {kind}", d=d, stroke_width=width)


def _stated(piece: Piece, inner: str, corner: int) -> str:
    """The states that lie over a counter."""
    states = piece.states
    if "acted" in states:
        inner += tag("path", **outline(corner, SIZE), class_="veil")
        inner += tag("path", d=f"M{HALF} {HALF}V{HALF - 16}L{HALF - 16} {HALF}Z", class_="night")
        inner += words("済", HALF - 5, HALF - 1.8, 7.5, "white", bold=True)
    if "inside" in states:
        y = -HALF
        inner += tag("path", d=f"M{-HALF} {y}v-4h6v2.5h6v-2.5h6v2.5h6v-2.5h6v2.5h7v-2.5v4Z", class_="night")
    if "barred" in states:
        bar = f"M{-HALF} {HALF}L{HALF} {-HALF}"
        inner += tag("path", class_="line stroke-red", d=bar, stroke_width=2)
    if "gone" in states:
        inner = tag("g", inner, opacity=0.55) + _cross(0, 0, HALF, "stroke-black", 1.6)
    if "engaged" in states:
        inner += tag("circle", class_="alarm", cx=-HALF + 3, cy=HALF - 4, r=6)
        inner += _cross(-HALF + 3, HALF - 4, 3, "stroke-black", 1.5)
    if "disordered" in states:
        inner = tag("g", inner, transform="rotate(12)")
        inner += tag("circle", class_="alarm", cx=HALF - 1, cy=-HALF + 2, r=6.6)
        inner += words("混", HALF - 1, -HALF + 5.1, 8.6, "red-ink", bold=True)
    return inner


def _chit(piece: Piece, owner: Owner | None, names: Names) -> str:
    closed = "back" in piece.states and not piece.name
    out = [tag("circle", class_="shadow", r=15.5, cx=0.8, cy=1.6)]
    out.append(tag("circle", class_="back edge" if closed else f"s{colour(owner)} edge", r=15.5))
    if closed:
        out.append(tag("circle", r=14.5, fill="url(#lattice)"))
        out.append(words(owner.badge if owner else "?", 0, 4, 11, "white", bold=True))
        return "".join(out)
    large, _ = named(piece.name, piece.gloss, names)
    lines = split(large, 3)
    ink = f"i{colour(owner)}"
    for number, text in enumerate(lines):
        out.append(words(text, 0, 3.2 + 9 * number - 4.5 * (len(lines) - 1), 9, ink, bold=True, most=27))
    if "acted" in piece.states:
        out.append(tag("circle", class_="veil", r=15.5))
    if piece.count > 1:
        out.append(disc(12, -11, f"x{piece.count}"))
    return "".join(out)


def _marker(piece: Piece, owner: Owner | None, names: Names) -> str:
    large, _ = named(piece.name, piece.gloss, names)
    text = f"{large} {piece.values}".strip()
    wide = min(44.0, max(14.0, ems(text) * 8 + 6))
    box = tag("rect", class_=f"s{colour(owner)} edge", x=-wide / 2, y=-6.5, width=wide, height=13, rx=6.5)
    return box + words(text, 0, 3, 8, f"i{colour(owner)}", bold=True, most=wide - 4)


def pill(text: str, kind: str = "night", ink: str = "white") -> str:
    """A pill with a word or a number in it."""
    wide = max(17.0, ems(text) * 9 + 9)
    box = tag("rect", class_=f"{kind} rim", x=-wide / 2, y=-7, width=wide, height=14, rx=7)
    return box + words(text, 0, 3.3, 9, ink, bold=True)


def shield(text: str, hue: str) -> str:
    """How many stand there, in their owner's colour: what is seen of a stack from afar."""
    wide = max(26.0, ems(text) * 19 + 12)
    box = tag("rect", class_=f"s{hue} edge", x=-wide / 2, y=-14, width=wide, height=28, rx=5)
    return box + words(text, 0, 7, 19, f"i{hue}", bold=True)
