"""How a piece looks, drawn around (0, 0): where it lies is somebody else's business.

The side is the shape of the corners, the house is colour and badge, each state has a form of its own: a
picture without colour tells the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pbem.engine.scene import Owner, Piece
from pbem.page.style import NOBODY, PALETTE, TABLE, Names, ems, latin, named
from pbem.page.svg import line, tag, title, words

SIZE = 37.0
"""A counter: the largest square in a hex."""
CARD = (54.0, 74.0)
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
def look(piece: Piece, owner: Owner | None, corner: int, names: Names = "original") -> str:
    """The picture of a piece; `corner` is the number of its side, which shapes the corners."""
    told = title(describe(piece, owner))
    if piece.kind in ("card", "land"):
        return told + _card(piece, owner, names)
    if piece.kind == "chit":
        return told + _chit(piece, owner, names)
    if piece.kind == "marker":
        return told + _marker(piece, owner, names)
    return told + _counter(piece, owner, corner, names)


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


def _colours(owner: Owner | None) -> tuple[str, str]:
    return PALETTE[owner.colour % len(PALETTE)] if owner else NOBODY


def _counter(piece: Piece, owner: Owner | None, corner: int, names: Names) -> str:
    fill, ink = _colours(owner)
    shape = outline(corner, SIZE)
    out = [
        tag(
            "path",
            **shape,
            fill=fill,
            stroke="#111",
            stroke_width=1.3,
            stroke_dasharray="4 2.4" if "astray" in piece.states else None,
        )
    ]
    if "back" in piece.states:
        out.append(tag("path", **shape, fill="url(#lattice)"))
    if "unknown" in piece.states:
        out.append(tag("path", **shape, fill="url(#hatch2)" if ink == "#fff" else "url(#hatch)"))
    general = piece.kind == "general"
    if general:
        out.append(tag("path", d=_band(corner), fill="#111"))
    top_ink = "#fff" if general else ink
    if owner:
        left = -HALF + 6.5 + INSET[corner % 6]
        out.append(words(owner.badge, left, -HALF + 9.2, 8.5, top_ink, bold=True, most=10))
    out.append(_corner(piece, top_ink, HALF - 1.5 - INSET[corner % 6]))
    if piece.kind == "count":
        out.append(words(str(piece.count), 2, 3.5, 19, ink, bold=True, most=28))
        out.append(_name(piece, names, ink, 13.2, 8.0))
    else:
        middle = 2.6 if piece.values else 7.0
        out.append(_name(piece, names, ink, middle, 9.0))
        if piece.values:
            out.append(tag("rect", x=-16.2, y=7.3, width=32.4, height=9.8, rx=4.4, fill="#fff"))
            out.append(words(piece.values, 0, 15.7, 10.5, "#111", bold=True, most=31))
        if piece.count > 1:
            out.append(_disc(HALF - 4, -2, f"x{piece.count}"))
    return _stated(piece, "".join(out), corner)


def _corner(piece: Piece, ink: str, right: float) -> str:
    """Pips, the corner's number and the trait, from the right."""
    out = []
    if piece.corner:
        wide = max(7.0, ems(piece.corner) * 8 + 2)
        out.append(
            tag("rect", x=right - wide, y=-HALF + 1.5, width=wide, height=9.4, rx=1, fill="#ffe97a")
            + words(piece.corner, right - wide / 2, -HALF + 9, 8.5, "#111", bold=True)
        )
        right -= wide + 1
    if piece.trait:
        out.append(words(piece.trait, right - 4.5, -HALF + 9, 8, ink, bold=True, most=9))
        right -= 9.5
    if piece.steps:
        left, of = piece.steps
        if of > 5:
            out.append(words(f"{left}/{of}", right, -HALF + 8.6, 7, ink, anchor="end", bold=True, most=16))
        else:
            for step in range(of):
                full = step < left
                out.append(
                    tag(
                        "circle",
                        cx=right - 2.4 - 4.6 * (of - 1 - step),
                        cy=-HALF + 6.2,
                        r=1.75,
                        fill=ink if full else "none",
                        stroke=ink,
                        stroke_width=0.8,
                    )
                )
    return "".join(out)


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
            small, 0, middle + 3.3, 6, ink, bold=True, most=35
        )
    lines = split(large)
    if len(lines) == 1:
        return words(large, 0, middle + (0 if size > 8 else 0.6), size, ink, bold=True, most=35)
    return words(lines[0], 0, middle - 3.4, size - 1, ink, bold=True, most=35) + words(
        lines[1], 0, middle + 3.8, size - 1, ink, bold=True, most=35
    )


def _disc(x: float, y: float, text: str, fill: str = "#111", ink: str = "#fff", ring: str = "#fff") -> str:
    return tag("circle", cx=x, cy=y, r=6.4, fill=fill, stroke=ring, stroke_width=1) + words(
        text, x, y + 3, 8, ink, bold=True, most=11
    )


def _stated(piece: Piece, inner: str, corner: int) -> str:
    """The states that lie over a counter."""
    states = piece.states
    shape = outline(corner, SIZE)
    if "acted" in states:
        inner += tag("path", **shape, fill="#fff", fill_opacity=0.5)
        inner += tag("path", d=f"M{HALF} {-HALF}V{-HALF + 17}L{HALF - 17} {-HALF}Z", fill="#111")
        inner += words("済", HALF - 5.2, -HALF + 8.2, 7.5, "#fff", bold=True)
    if "inside" in states:
        y = -HALF
        inner += tag("path", d=f"M{-HALF} {y}v-4h6v2.5h6v-2.5h6v2.5h6v-2.5h6v2.5h7v-2.5v4Z", fill="#111")
    if "barred" in states:
        inner += line((-HALF, HALF), (HALF, -HALF), "#b3001b", 2)
    if "gone" in states:
        inner = tag("g", inner, opacity=0.55)
        inner += line((-HALF, -HALF), (HALF, HALF), "#111", 1.6) + line(
            (-HALF, HALF), (HALF, -HALF), "#111", 1.6
        )
    if "engaged" in states:
        inner += tag(
            "circle", cx=-HALF + 3, cy=HALF - 4, r=6, fill="#fff", stroke="#b3001b", stroke_width=1.4
        )
        inner += line((-HALF, HALF - 7), (-HALF + 6, HALF - 1), "#111", 1.5)
        inner += line((-HALF + 6, HALF - 7), (-HALF, HALF - 1), "#111", 1.5)
    if "disordered" in states:
        inner = tag("g", inner, transform="rotate(12)")
        inner += tag("circle", cx=-HALF - 2.5, cy=1, r=6.2, fill="#fff", stroke="#b3001b", stroke_width=1.8)
        inner += words("混", -HALF - 2.5, 3.9, 8, "#b3001b", bold=True)
    return inner


def _back(colour: str) -> str:
    w, h = CARD
    x, y = -w / 2, -h / 2
    back = tag("rect", x=x, y=y, width=w, height=h, rx=4, fill=colour, stroke="#111", stroke_width=1)
    return back + tag("rect", x=x + 2, y=y + 2, width=w - 4, height=h - 4, rx=3, fill="url(#lattice)")


def _card(piece: Piece, owner: Owner | None, names: Names) -> str:
    fill, ink = _colours(owner)
    w, h = CARD
    x, y = -w / 2, -h / 2
    if "back" in piece.states and not piece.name:
        return _back(fill if owner and owner.colour >= 0 else "#3d4655")
    face = "#e9f2dc" if piece.kind == "land" else "#fffdf8"
    out = [tag("rect", x=x, y=y, width=w, height=h, rx=4, fill=face, stroke="#111", stroke_width=1)]
    out.append(
        tag(
            "path",
            d=f"M{x + 0.5} {y + 17}V{y + 4}a4 4 0 0 1 4 -4H{-x - 4.5}a4 4 0 0 1 4 4V{y + 17}Z",
            fill=fill,
        )
    )
    head = (owner.badge if owner else "") or piece.trait
    out.append(words(head, x + 5, y + 12.6, 10, ink, anchor="start", bold=True, most=28))
    if piece.corner:
        wide = min(36.0, max(14.0, ems(piece.corner) * 8 + 4))
        box = {"x": -x - 2 - wide, "y": y + 1.7, "width": wide, "height": 14, "rx": 7}
        out.append(tag("rect", **box, fill="#fff", stroke="#111", stroke_width=0.8))
        out.append(words(piece.corner, -x - 2 - wide / 2, y + 12, 9, "#111", bold=True, most=wide - 2.5))
    large, small = named(piece.name, piece.gloss, "both" if names == "original" else names)
    lines = split(large)
    top = -4 if len(lines) == 1 else -7
    for number, text in enumerate(lines):
        out.append(words(text, 0, top + 11 * number, 10, "#111", bold=True, most=w - 5))
    low = top + 11 * len(lines) + 1
    for number, text in enumerate(split(small, 12) if len(lines) == 1 else (small,)):
        out.append(words(text, 0, low + 7 * number, 6.2, "#444", most=w - 5))
    if piece.values:
        out.append(
            tag("rect", x=x + 3, y=-y - 15.5, width=w - 6, height=12.5, rx=3, fill="#fff", stroke="#111")
        )
        out.append(words(piece.values, 0, -y - 5.4, 10.5, "#111", bold=True, most=w - 9))
    if "barred" in piece.states and piece.values:
        out.append(_disc(x + 6, -y - 21, "✕"))
    elif "barred" in piece.states:
        out.append(tag("rect", x=x + 2, y=-y - 12, width=w - 4, height=9.5, fill="#111"))
        out.append(words("✕", 0, -y - 4.4, 8, "#fff", bold=True))
    if "unknown" in piece.states:
        out.append(tag("rect", x=x, y=y, width=w, height=h, rx=4, fill="url(#hatch)"))
    if "back" in piece.states:  # face down, but its owner knows it
        out.append(tag("path", d=f"M{x} {-y}V{y + 26}L{x + 26} {y}H{x}Z", fill="none"))
        out.append(tag("rect", x=x, y=y, width=w, height=6, rx=3, fill="#3d4655"))
    if piece.count > 1:
        out.append(_disc(-x - 3, -y - 3, f"x{piece.count}"))
    if "gone" in piece.states:
        return tag("g", "".join(out), opacity=0.5)
    return "".join(out)


def _chit(piece: Piece, owner: Owner | None, names: Names) -> str:
    fill, ink = ("#3d4655", "#fff") if "back" in piece.states and not piece.name else _colours(owner)
    out = [tag("circle", r=15.5, fill=fill, stroke="#111", stroke_width=1.3)]
    if "back" in piece.states and not piece.name:
        out.append(tag("circle", r=14.5, fill="url(#lattice)"))
        out.append(words(owner.badge if owner else "?", 0, 4, 11, "#fff", bold=True))
        return "".join(out)
    large, _ = named(piece.name, piece.gloss, names)
    lines = split(large, 3)
    for number, text in enumerate(lines):
        out.append(words(text, 0, 3.2 + 9 * number - 4.5 * (len(lines) - 1), 8.5, ink, bold=True, most=27))
    if "acted" in piece.states:
        out.append(tag("circle", r=15.5, fill="#fff", fill_opacity=0.55))
    if piece.count > 1:
        out.append(_disc(12, -11, f"x{piece.count}"))
    return "".join(out)


def _marker(piece: Piece, owner: Owner | None, names: Names) -> str:
    fill, ink = _colours(owner)
    large, _ = named(piece.name, piece.gloss, names)
    text = f"{large} {piece.values}".strip()
    wide = min(44.0, max(14.0, ems(text) * 8 + 6))
    return tag(
        "rect", x=-wide / 2, y=-6.5, width=wide, height=13, rx=6.5, fill=fill, stroke="#111", stroke_width=1
    ) + words(text, 0, 3, 8, ink, bold=True, most=wide - 4)


def swatch(owner: Owner | None) -> str:
    """The colour of an owner, for paper around counters."""
    return _colours(owner)[0] if owner else TABLE
