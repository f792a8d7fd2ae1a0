"""How a card looks, drawn around (0, 0): in full with its text, or small with its name and values."""

from __future__ import annotations

from functools import lru_cache

from pbem.engine.scene import Owner, Piece
from pbem.page.counters import colour, describe, disc
from pbem.page.style import Names, ems, latin, named, wrapped
from pbem.page.svg import n, tag, title, words

FULL, SMALL, LAND = (132.0, 184.0), (84.0, 116.0), (124.0, 116.0)
"""Width and height of a card with its text, of one without, and of a land."""
HEAD, FOOT = 27.0, 27.0
"""The band of colour above and the row of values below, on a card in full."""
TEXT = 12.0
LEAST = 9.4
"""The size of a card's text, and how small a long one may get."""
HOLLOW = "白"
"""A cost that anything pays: drawn as an empty pip."""


@lru_cache(maxsize=4096)
def card(piece: Piece, owner: Owner | None, names: Names = "original", full: bool = True) -> str:
    """The picture of a card or a land."""
    w, h = LAND if piece.kind == "land" and full else FULL if full else SMALL
    told = title(describe(piece, owner))
    if "back" in piece.states and not piece.name:
        return told + _group(_back(w, h), w, h)
    land = piece.kind == "land"
    out = [_sheet(w, h, "shadow", 1.5, 3), _sheet(w, h, "land-face" if land else "face")]
    if land and full:
        out.append(_land(piece, names, w, h))
    else:
        out.append(_head(piece, owner, w, h, full))
        out.append(_body(piece, names, w, h) if full else _middle(piece, names, w, h))
    if piece.values:
        out.append(_foot(piece, w, h, full and not land))
    out.append(_over(piece, w, h))
    inner = "".join(out)
    return told + _group(tag("g", inner, opacity=0.5) if "gone" in piece.states else inner, w, h)


def _group(inner: str, w: float, h: float) -> str:
    """A card with its size, for who shows it elsewhere."""
    return tag("g", inner, class_="card", data_size=f"{n(w)} {n(h)}")


def _sheet(w: float, h: float, kind: str, right: float = 0.0, down: float = 0.0) -> str:
    return tag("rect", class_=kind, x=-w / 2 + right, y=-h / 2 + down, width=w, height=h, rx=7)


def _band(w: float, edge: float, high: float, down: int) -> str:
    """A strip along the upper (1) or lower (-1) edge of a card, within its round corners."""
    x, turn = w / 2 - 0.5, 1 if down > 0 else 0
    start, low = edge + down * high, edge + down * 7
    arc = f"a6.5 6.5 0 0 {turn} 6.5 {-6.5 * down}H{n(x - 6.5)}a6.5 6.5 0 0 {turn} 6.5 {6.5 * down}"
    return f"M{n(-x)} {n(start)}V{n(low)}{arc}V{n(start)}Z"


def _back(w: float, h: float) -> str:
    out = _sheet(w, h, "shadow", 1.5, 3) + _sheet(w, h, "back")
    out += tag("rect", x=4 - w / 2, y=4 - h / 2, width=w - 8, height=h - 8, rx=4, fill="url(#lattice)")
    return out


def _head(piece: Piece, owner: Owner | None, w: float, h: float, full: bool) -> str:
    """The band: the owner's badge at the left, the cost at the right."""
    high = HEAD if full else 21.0
    x, y, hue = -w / 2, -h / 2, colour(owner)
    out = tag("path", class_=f"s{hue}" if owner else "night", d=_band(w, -h / 2, high, 1))
    ink = f"i{hue}" if owner else "white"
    size = 16 if full else 13
    badge = (owner.badge if owner else "") or piece.trait[:1]
    out += words(badge, x + 8, y + high / 2 + size * 0.36, size, f"{ink} serif", anchor="start", bold=True)
    return out + (_cost(piece, owner, -x - 5, y + high / 2, full) if piece.corner else "")


def _cost(piece: Piece, owner: Owner | None, right: float, y: float, full: bool) -> str:
    """Pips in the owner's colour where the cost is made of them, else its text."""
    badge = owner.badge if owner else ""
    r = 5.4 if full else 4.2
    if badge and set(piece.corner) <= {badge, HOLLOW}:
        wide = len(piece.corner) * (2 * r + 2.4) + 5
        out = tag(
            "rect", class_="white-pill", x=right - wide, y=y - r - 3, width=wide, height=2 * r + 6, rx=r + 3
        )
        for number, sign in enumerate(piece.corner):
            cx = right - wide + 3.7 + r + number * (2 * r + 2.4)
            out += tag(
                "circle", class_="hole" if sign == HOLLOW else f"s{colour(owner)}", cx=cx, cy=y, r=r - 0.4
            )
        return out
    size = 12 if full else 10
    wide = min(70.0, max(2 * r + 8, ems(piece.corner) * size + 8))
    box = tag(
        "rect", class_="white-pill", x=right - wide, y=y - r - 3, width=wide, height=2 * r + 6, rx=r + 3
    )
    return box + words(
        piece.corner, right - wide / 2, y + size * 0.36, size, "card-ink", bold=True, most=wide - 6
    )


def _names(piece: Piece, names: Names) -> tuple[str, str]:
    return named(piece.name, piece.gloss, "both" if names == "original" else names)


def _body(piece: Piece, names: Names, w: float, h: float) -> str:
    """Name, second names, keywords, and the text in sentences."""
    large, small = _names(piece, names)
    y = -h / 2 + HEAD + 20
    out = words(large, 0, y, 19 if not latin(large) else 16, "card-ink serif", bold=True, most=w - 14)
    if small:
        y += 14.5
        out += words(small, 0, y, 12, "card-ink", bold=True, most=w - 12)
    if piece.byname:
        y += 13
        out += words(piece.byname, 0, y, 11, "card-soft", most=w - 12)
    if piece.trait and piece.kind == "card" and len(piece.trait) > 1:
        y += 6
        out += _chips(piece.trait.split("  "), y, w)
        y += 14
    low = h / 2 - (FOOT if piece.values else 4)
    return out + _text(piece.text, w, y + 4, low)


def _land(piece: Piece, names: Names, w: float, h: float) -> str:
    """A land has no band: its name, what it does, its values."""
    large, small = _names(piece, names)
    x, y = 9 - w / 2, 22 - h / 2
    out = words(large, x, y, 16, "card-ink serif", anchor="start", bold=True, most=w - 14)
    if small:
        y += 14
        out += words(small, x, y, 11.5, "card-ink", anchor="start", bold=True, most=w - 14)
    return out + _text(piece.text, w, y + 4, h / 2 - 21)


def _chips(texts: list[str], y: float, w: float) -> str:
    """Keywords, each in a box of its own."""
    size = 11.0
    wide = [ems(text) * size + 9 for text in texts]
    whole = sum(wide) + 4 * (len(wide) - 1)
    scale = min(1.0, (w - 10) / whole)
    x, out = -whole * scale / 2, ""
    for text, each in zip(texts, wide, strict=True):
        out += tag("rect", class_="chip", x=x, y=y, width=each * scale, height=15, rx=4)
        out += words(text, x + each * scale / 2, y + 11.4, size * scale, "card-ink", bold=True)
        x += (each + 4) * scale
    return out


def _text(text: str, w: float, top: float, low: float) -> str:
    """A text that gets smaller until it fits."""
    if not text:
        return ""
    size, room = TEXT, w - 16
    lines = wrapped(text, 1.08 * room / size)
    while size > LEAST and len(lines) * size * 1.22 > low - top:
        size -= 0.4
        lines = wrapped(text, 1.08 * room / size)
    most = max(1, int((low - top) / (size * 1.22)))
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1].rstrip(" .,;") + " …"]
    return "".join(
        words(line, 8 - w / 2, top + size * (0.95 + 1.22 * number), size, "card-ink", anchor="start")
        for number, line in enumerate(lines)
    )


def _middle(piece: Piece, names: Names, w: float, h: float) -> str:
    """The name of a small card."""
    large, small = _names(piece, names)
    y = -h / 2 + 21
    lines = wrapped(large, (w - 8) / 15) if latin(large) else [large]
    top = y + (34 if len(lines) == 1 else 26)
    out = ""
    for number, text in enumerate(lines[:2]):
        out += words(text, 0, top + 16 * number, 17, "card-ink serif", bold=True, most=w - 8)
    for number, text in enumerate(wrapped(small, (w - 8) / 11)[:2]):
        out += words(
            text, 0, top + 16 * len(lines[:2]) + 13 * number, 11.5, "card-ink", bold=True, most=w - 8
        )
    return out


def _foot(piece: Piece, w: float, h: float, full: bool) -> str:
    """The values: each in a cell, where they are several."""
    high = FOOT if full else 21.0
    top, left = h / 2 - high, -w / 2
    cells = piece.values.split()
    out = tag("path", class_="foot", d=_band(w, h / 2, high, -1)) + tag(
        "path", class_="rule-line", d=f"M{n(left)} {n(top)}H{n(-left)}"
    )
    wide = w / len(cells)
    size = 17 if full else 14
    for number, cell in enumerate(cells):
        x = left + wide * (number + 0.5)
        if number:
            out += tag("path", class_="rule-line", d=f"M{n(x - wide / 2)} {n(top)}V{n(h / 2)}")
        label, value = (cell[0], cell[1:]) if not latin(cell[0]) and len(cell) > 1 else ("", cell)
        if label and len(cells) < 4:
            small = size * 0.68
            out += words(
                label, x - 2, top + high / 2 + small * 0.36, small, "card-soft", anchor="end", bold=True
            )
            out += words(
                value, x + 1, top + high / 2 + size * 0.36, size, "card-ink", anchor="start", bold=True
            )
        else:
            out += words(
                cell, x, top + high / 2 + size * 0.3, size * 0.8, "card-ink", bold=True, most=wide - 4
            )
    return out


def _over(piece: Piece, w: float, h: float) -> str:
    """The states that lie over a card."""
    out, x, y = "", -w / 2, -h / 2
    if "barred" in piece.states and piece.values:
        out += disc(x + 10, -y - 36, "✕")
    elif "barred" in piece.states:
        out += tag("path", class_="night", d=_band(w, -y, 18, -1))
        out += words("✕", 0, -y - 4.6, 12, "white", bold=True)
    if "unknown" in piece.states:
        out += tag("rect", x=x, y=y, width=w, height=h, rx=7, fill="url(#hatch)")
    if "back" in piece.states:  # face down, but its owner knows it
        out += tag("rect", class_="back", x=x, y=y, width=w, height=7, rx=3.5)
    if "engaged" in piece.states:
        out += tag(
            "rect",
            class_="line stroke-red",
            x=x - 2,
            y=y - 2,
            width=w + 4,
            height=h + 4,
            rx=9,
            stroke_width=3,
        )
    if piece.count > 1:
        out += disc(-x - 5, -y - 5, f"x{piece.count}")
    return out
