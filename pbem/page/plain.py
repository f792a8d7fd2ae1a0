"""Text for terminals: widths, tables, short names that are understood when they are copied."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.engine.scene import Owner, Piece, Scene
from pbem.page.style import Names

SHORT = 4
"""A short name has so many letters at most."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a unit may go and what it may attack, for the marks of `--legal`."""

    to: Mapping[str, str] = field(default_factory=dict)
    """Place: cost, or "" where it is not known."""
    attack: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """How a board is printed."""

    columns: int = 100
    colour: bool = False
    names: Names = "both"
    stacks: bool = False
    reach: Reach | None = None
    reserved: frozenset[str] = frozenset()
    """Words of the notation: no short name is one of them."""


def width(text: str) -> int:
    """Columns on a terminal: Chinese and Japanese characters take two, combining marks none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def pad(text: str, columns: int) -> str:
    """The text with spaces up to a width."""
    return text + " " * (columns - width(text))


def cut(text: str, columns: int) -> str:
    """The text, shortened to a width."""
    if width(text) <= columns:
        return text
    out = ""
    for char in text:
        if width(out + char) > columns - 1:
            break
        out += char
    return out + "…"


def table(rows: Sequence[Sequence[str]], most: int = 100) -> list[str]:
    """Aligned columns; the last one goes on below itself where it is too long."""
    if not rows:
        return []
    widths = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    left = sum(w + 2 for w in widths[:-1])
    lines = []
    for row in rows:
        head = "".join(pad(cell, w + 2) for cell, w in zip(row[:-1], widths[:-1], strict=True))
        for number, part in enumerate(fold(row[-1], max(most - left, 20)) or [""]):
            lines.append(((head if number == 0 else " " * left) + part).rstrip())
    return lines


def fold(text: str, columns: int) -> list[str]:
    """Lines of at most so many columns, broken at spaces."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(lines[-1]) + 1 + width(word) <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def fold_items(head: str, items: Sequence[str], columns: int, comma: str = ", ") -> list[str]:
    """`head: one, two, three` over several lines, never broken within an item that fits a line."""
    lines = [head]
    for number, item in enumerate(items):
        text = item + (comma.rstrip() if number < len(items) - 1 else "")
        if width(lines[-1]) + 1 + width(text) <= columns:
            lines[-1] += f" {text}"
        else:
            lines += [f"  {part}" for part in fold(text, columns - 2)]
    return lines


def shorts(scene: Scene, reserved: Collection[str] = ()) -> dict[str, str]:
    """A short name for every unit of a hex board: at most four letters, no two alike, no word of an order.

    Short names are for the eye and for copying; orders are signed with the whole word (`spelled_out`).
    """
    if not scene.board.places or scene.board.places[0].shape != "hex":
        return {}
    whole = sorted({piece.picks[0][0] for piece in scene.pieces if _nameable(piece)})
    closed = {word.lower() for word in (*reserved, *(p.id for p in scene.board.places))}
    taken: dict[str, str] = {word: word for word in whole if len(word) <= SHORT}
    for word in whole:
        if word in taken:
            continue
        bare = re.sub(r"[^A-Za-z0-9]", "", word) or word
        tries = [bare[:4], bare[:2] + bare[-2:], bare[0] + bare[-3:], bare[:3] + bare[-1:]]
        if sum(other.startswith(bare[:3]) for other in whole) == 1:
            tries.insert(0, bare[:3])
        tries += [f"{bare[:2]}{number:02d}" for number in range(1, 100)]
        taken[next(t for t in tries if t not in taken and t.lower() not in closed)] = word
    return {word: short for short, word in taken.items()}


def _nameable(piece: Piece) -> bool:
    return len(piece.picks) == 1 and len(piece.picks[0]) == 1 and piece.kind in ("unit", "general")


def spelled_out(text: str, scene: Scene, reserved: Collection[str] = ()) -> str:
    """An order with the board's short names written in full; whatever else it says stays as it is."""
    meant = {short.lower(): word for word, short in shorts(scene, reserved).items() if short != word}

    def whole(found: re.Match[str]) -> str:
        return meant.get(found.group().lower(), found.group())

    return re.sub(r"[A-Za-z0-9]+(?:[-'][A-Za-z0-9]+)*", whole, text) if meant else text


def owners_of(scene: Scene) -> Mapping[str, Owner]:
    """Owners by id."""
    return {owner.id: owner for owner in scene.owners}


def joined(parts: Iterable[str]) -> str:
    """What there is, with commas."""
    return ", ".join(part for part in parts if part)
