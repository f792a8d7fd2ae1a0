"""Files that go with a move: an order holds the name, size and digest of one, and so its signature does.

The word is `turn3.vsav:18234:` and 64 hex digits of SHA-256. A game says which of its orders may have one by
the type of a field, `Attached`; whoever gives the order names a file on the disk, and pbem writes the word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NewType

Attached = NewType("Attached", str)
"""The word of an order that names an attachment."""

_WORD = re.compile(r"([^\s\"':/\\]{1,80}):([0-9]{1,10}):([0-9a-f]{64})")
_IN_TEXT = re.compile(rf"(?<!\S)\"?{_WORD.pattern}(?![^\s\"])")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file by what makes it this one and no other."""

    name: str
    size: int
    digest: str

    def word(self) -> str:
        """As it stands in an order."""
        return f"{self.name}:{self.size}:{self.digest}"


def read(word: str) -> Attachment | None:
    """The attachment that a word names, None if it names none."""
    found = _WORD.fullmatch(word)
    return _of(found) if found and not found[1].startswith(".") else None


def in_text(text: str) -> list[Attachment]:
    """All attachments that a text names."""
    return [_of(found) for found in _IN_TEXT.finditer(text) if not found[1].startswith(".")]


def _of(found: re.Match[str]) -> Attachment:
    return Attachment(found[1], int(found[2]), found[3])
