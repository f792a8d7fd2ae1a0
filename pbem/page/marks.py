"""Marks that lie on a place, and the signs of castles, towns, ports and summits."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.scene import Mark, Owner
from pbem.page.counters import colour, pill
from pbem.page.printed import badge
from pbem.page.style import ems
from pbem.page.svg import tag, title, words

_KEEP = "M-11 9.5h22v-6.5h-22zM-7.5 3v-4.5h15v4.5M-4.5 -6v-3.5h9v3.5"
_ROOFS = "M-13.5 3.5l4-5.5h19l4 5.5zM-10 -4l3.5-4.5h13l3.5 4.5zM-6.5 -9.5l6.5-5.5 6.5 5.5z"
_HOUSE = "M-9 8v-7l5.5-5 5.5 5v7zM3 8v-5l4-3.6 4 3.6v5z"
_HEX = "M-27 0L-13.5-23.4H13.5L27 0L13.5 23.4H-13.5Z"
_ANCHOR = "M0 -9v17M-5 -5h10M-8 2a8 7 0 0 0 16 0"


def place_sign(sign: str, owner: Owner | None) -> str:
    """What stands in a place, small and as seen from afar; a castle wears the band of its holder."""
    drawn = _sign(sign)
    if owner is not None:
        drawn += tag("rect", class_=f"s{colour(owner)} edge", x=-11, y=9.5, width=22, height=5, rx=1)
    near = tag("g", drawn, class_="near")
    return near + tag("g", drawn, class_="far", transform="scale(1.75)")


def _sign(sign: str) -> str:
    if sign in ("castle", "fort"):
        return tag("path", class_="keep", d=_KEEP) + tag("path", class_="keep-roof", d=_ROOFS)
    if sign == "town":
        return tag("path", class_="keep", d=_HOUSE)
    if sign == "port":
        return tag("circle", class_="keep", r=11) + tag("path", class_="line rail", d=_ANCHOR)
    return tag("path", class_="keep", d="M-10 8l10-17 10 17z")


def mark_look(mark: Mark, owners: Mapping[str, Owner], flat: bool = False) -> tuple[str, float, float]:
    """A mark, and how far from the middle of its place it lies; `flat`: as a pill, at the foot of an area."""
    owner = owners.get(mark.owner)
    hue = colour(owner)
    told = title(mark_words(mark, owners))
    sign = pill(mark.text or mark.kind, f"s{hue}", f"i{hue}")
    if flat:
        return told + sign, 0, 0
    if mark.kind in ("control", "taken"):
        ring = tag(
            "path", class_=f"line l{hue}", d="M-27 0L-13.5-23.4H13.5L27 0L13.5 23.4H-13.5Z", stroke_width=3
        )
        return told + ring + (_flag(mark, owner, 21, -17) if mark.text else ""), 0, 0
    if mark.kind == "siege":
        ring = tag("circle", class_=f"line l{hue}", r=26, stroke_width=4, stroke_dasharray="7 4")
        return told + ring + _flag(mark, owner, 0, 26), 0, 0
    if mark.kind == "fort":
        wall = "M-24 20h48v-8h-8v4h-8v-4h-16v4h-8v-4h-8z"
        return told + tag("path", class_=f"s{hue} edge", d=wall), 0, 0
    if mark.kind in ("objective", "entry", "supply"):
        return told + badge(mark.kind, mark.text, -19, 13), 0, 0
    return told + sign, 0, 21


def _flag(mark: Mark, owner: Owner | None, x: float, y: float) -> str:
    text = mark.text or (owner.badge if owner else "")
    if not text:
        return ""
    wide = max(12.0, ems(text) * 8.5 + 5)
    hue = colour(owner)
    box = tag("rect", class_=f"s{hue} edge", x=x - wide / 2, y=y - 6.5, width=wide, height=13, rx=2)
    return box + words(text, x, y + 3.2, 8.5, f"i{hue}", bold=True, most=wide - 2)


def mark_words(mark: Mark, owners: Mapping[str, Owner]) -> str:
    """A mark in words."""
    owner = owners.get(mark.owner)
    who = f" by {owner.gloss or owner.name}" if owner else ""
    return f"{mark.kind}{who}{f': {mark.text}' if mark.text else ''}"
