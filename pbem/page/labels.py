"""Words on the map: by priority, in the first of eight places around their sign that hits nothing.

What finds no room is drawn with the class `tucked`: hidden, until its place is pointed at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.page.printed import badge, badge_width
from pbem.page.style import ems, latin
from pbem.page.svg import Point, tag, words

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
_BUCKET = 80.0


class Room:
    """What is taken on the map, and what lies within it."""

    def __init__(self, size: tuple[float, float], taken: Iterable[Box] = ()) -> None:
        self.size = size
        self._buckets: dict[tuple[int, int], list[Box]] = {}
        for box in taken:
            self.take(box)

    def _keys(self, box: Box) -> Iterable[tuple[int, int]]:
        for x in range(int(box[0] // _BUCKET), int(box[2] // _BUCKET) + 1):
            for y in range(int(box[1] // _BUCKET), int(box[3] // _BUCKET) + 1):
                yield x, y

    def take(self, box: Box) -> None:
        """Nothing else may lie here."""
        for key in self._keys(box):
            self._buckets.setdefault(key, []).append(box)

    def free(self, box: Box) -> bool:
        """Whether a box lies on the map and hits nothing."""
        left, top, right, low = box
        if left < 2 or top < 2 or right > self.size[0] - 2 or low > self.size[1] - 2:
            return False
        return not any(
            left < r and right > a and top < d and low > b
            for key in self._keys(box)
            for a, b, r, d in self._buckets.get(key, ())
        )


@dataclass(frozen=True, slots=True)
class Label:
    """A name, its gloss under it, and badges beside it."""

    name: str
    gloss: str = ""
    badges: tuple[tuple[str, str], ...] = ()
    size: float = 12.0
    kind: str = "ink"

    @property
    def named(self) -> float:
        """The width of the name."""
        return ems(self.name) * self.size * (0.9 if latin(self.name) else 1.02)

    @property
    def wide(self) -> float:
        """The width of the first line, or of the second if that is longer."""
        first = self.named + sum(badge_width(*b) + 2 for b in self.badges)
        return max(first + (3 if self.name and self.badges else 0), ems(self.gloss) * self.size * 0.66)

    @property
    def high(self) -> float:
        """Of both lines."""
        return max(self.size * 1.08, 14.0 if self.badges else 0.0) + (self.size * 0.84 if self.gloss else 0.0)

    def draw(self, anchor: str) -> str:
        """The label in a box of its size whose upper left corner is (0, 0)."""
        at = {"start": 0.0, "middle": self.wide / 2, "end": self.wide}[anchor]
        named = ems(self.name) * self.size * 1.04
        whole = (
            named + (3 if self.name and self.badges else 0) + sum(badge_width(*b) + 2 for b in self.badges)
        )
        x = {"start": 0.0, "middle": (self.wide - whole) / 2, "end": self.wide - whole}[anchor]
        line = max(self.size * 1.08, 14.0 if self.badges else 0.0)
        out = words(
            self.name, x, line - self.size * 0.2, self.size, self.kind, anchor="start", bold=True, halo=True
        )
        x += self.named + (3 if self.name and self.badges else 0)
        for kind, text in self.badges:
            wide = badge_width(kind, text)
            out += badge(kind, text, x + wide / 2, line / 2 + 0.5)
            x += wide + 2
        small = self.size * 0.72
        return out + words(
            self.gloss, at, line + small * 0.86, small, f"{self.kind} gloss", anchor=anchor, halo=True
        )


def around(at: Point, half: tuple[float, float], label: Label) -> Iterable[tuple[Box, str]]:
    """The eight boxes of a label around something so large, the best first, and how its lines are set."""
    (x, y), (a, b), w, h = at, half, label.wide, label.high
    for left, top, anchor in (
        (x - w / 2, y + b + 1, "middle"),
        (x + a + 2, y - h / 2, "start"),
        (x - a - 2 - w, y - h / 2, "end"),
        (x - w / 2, y - b - 1 - h, "middle"),
        (x + a * 0.7 + 1, y + b * 0.7 + 1, "start"),
        (x - a * 0.7 - 1 - w, y + b * 0.7 + 1, "end"),
        (x + a * 0.7 + 1, y - b * 0.7 - 1 - h, "start"),
        (x - a * 0.7 - 1 - w, y - b * 0.7 - 1 - h, "end"),
    ):
        yield (left, top, left + w, top + h), anchor


def settle(room: Room, label: Label, spots: Iterable[tuple[Box, str]]) -> tuple[str, float, float]:
    """The label in its first free spot, as markup, left and top; tucked away where there is none."""
    first: tuple[Box, str] | None = None
    for box, anchor in spots:
        first = first or (box, anchor)
        if room.free(box):
            room.take(box)
            return label.draw(anchor), box[0], box[1]
    assert first is not None, "a label has spots"
    return tag("g", label.draw(first[1]), class_="tucked"), first[0][0], first[0][1]
