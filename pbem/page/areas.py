"""An area of a map of areas: a box with its name, its badges and rows of counters."""

from __future__ import annotations

from pbem.engine.scene import Owner, Piece, Place
from pbem.page.counters import SIZE, colour
from pbem.page.printed import badge, place_title
from pbem.page.style import Names, ems, named
from pbem.page.svg import n, tag, title, words

ROW = 4
"""Counters in a row."""
HEAD = 25.0


def rows_of(pieces: list[Piece]) -> list[list[Piece]]:
    """One force a row, at most four counters long; leaders first."""
    forces: dict[tuple[str, str], list[Piece]] = {}
    for piece in pieces:
        leader = piece.under or (piece.id if any(p.under == piece.id for p in pieces) else "")
        forces.setdefault((piece.owner, leader), []).append(piece)
    rows = []
    for force in forces.values():
        rows += [force[i : i + ROW] for i in range(0, len(force), ROW)]
    merged: list[list[Piece]] = []
    for row in rows:  # short rows of two forces share a line
        if merged and len(rows) > 2 and len(merged[-1]) + len(row) <= ROW:
            merged[-1] = [*merged[-1], *row]
        else:
            merged.append(row)
    return merged


def area_box(
    place: Place, rows: list[list[Piece]], owner: Owner | None, names: Names
) -> tuple[str, float, float, float]:
    """The box without its counters, its width and height, and how high its head is."""
    large, small = named(place.name, place.gloss, "both" if names == "original" else names)
    step = SIZE + 3
    written = ems(large) * 15 + (ems(small) * 11 + 6 if small else 0)
    wide = max([written + 18 * len(place.badges) + 18, *(len(row) * step + 10 for row in rows)])
    high = HEAD + len(rows) * step + (5 if rows else 0)
    held = f", held by {owner.gloss or owner.name}" if owner else ""
    frame = {"width": wide, "height": high, "rx": 7}
    out = title(place_title(place, held)) + tag(
        "rect", class_="shadow", **frame, transform="translate(1.5,3)"
    )
    out += tag("rect", class_="node", **frame)
    hue = colour(owner)
    if owner:
        r = 7
        low = f"V{n(HEAD)}Z" if rows else f"V{n(HEAD - r)}a{r} {r} 0 0 1-{r} {r}H{r}a{r} {r} 0 0 1-{r}-{r}Z"
        first = HEAD if rows else HEAD - r
        top = f"M0 {n(first)}V{r}a{r} {r} 0 0 1 {r}-{r}H{n(wide - r)}a{r} {r} 0 0 1 {r} {r}"
        out += tag("path", class_=f"s{hue}", d=top + low)
    ink = f"i{hue}" if owner else "card-ink"
    out += tag("rect", class_="frame", **frame)
    out += words(large, 8, 17.6, 15, ink, anchor="start", bold=True)
    out += words(small, 13 + ems(large) * 15, 17, 11, ink, anchor="start", bold=True)
    x = wide - 12
    for kind, text in reversed(place.badges):
        out += badge(kind, text, x, HEAD / 2)
        x -= 18
    return out, wide, high, HEAD
