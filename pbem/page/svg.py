"""Small pieces of SVG as text. Everything is escaped here; colours are classes of static/board.css."""

from __future__ import annotations

from html import escape
from math import hypot

from pbem.page.style import FONT, ems, own_style

Point = tuple[float, float]


def n(value: float) -> str:
    """A number, short."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def tag(name: str, inner: str = "", /, **attributes: str | float | None) -> str:
    """An element; `stroke_width=2` becomes stroke-width, None is left out."""
    out = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        text = n(value) if isinstance(value, (int, float)) else escape(value, quote=True)
        out.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    head = " ".join(out)
    return f"<{head}>{inner}</{name}>" if inner else f"<{head}/>"


def title(text: str) -> str:
    """The words that a pointer at rest shows."""
    return f"<title>{escape(text)}</title>" if text else ""


def words(
    text: str,
    x: float,
    y: float,
    size: float,
    kind: str = "ink",
    *,
    anchor: str = "middle",
    bold: bool = False,
    halo: bool = False,
    most: float | None = None,
) -> str:
    """A line of text; `kind` is its class, `most` the width it may take at most, else it gets smaller."""
    if not text:
        return ""
    if most is not None:
        size = min(size, most / max(ems(text) * (1.06 if bold else 1.0), 0.1))
    return tag(
        "text",
        escape(text),
        class_=f"{kind} halo" if halo else kind,
        x=x,
        y=y,
        font_size=size,
        text_anchor=None if anchor == "start" else anchor,
        font_weight="700" if bold else None,
        stroke_width=max(1.8, size / 4) if halo else None,
    )


def path(points: list[Point], *, close: bool = False) -> str:
    """The `d` of a broken line."""
    return "M" + "L".join(f"{n(x)} {n(y)}" for x, y in points) + ("Z" if close else "")


def line(a: Point, b: Point, kind: str, width: float) -> str:
    """A straight stroke."""
    return tag("path", class_=f"line {kind}", d=path([a, b]), stroke_width=width)


def between(a: Point, b: Point, part: float = 0.5) -> Point:
    """A point on the way from a to b."""
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def unit(a: Point, b: Point) -> Point:
    """The direction from a to b."""
    long = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return (b[0] - a[0]) / long, (b[1] - a[1]) / long


def document(inner: str, box: tuple[float, float, float, float], size: tuple[str, str], about: str) -> str:
    """A whole file, with its own style."""
    x, y, w, h = box
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
        f'viewBox="{n(x)} {n(y)} {n(w)} {n(h)}" font-family="{FONT}" role="img">'
        f"{title(about)}<style>{escape(own_style(), quote=False)}</style>{inner}</svg>\n"
    )


def escape_text(text: str) -> str:
    """Text for HTML."""
    return escape(text, quote=True)
