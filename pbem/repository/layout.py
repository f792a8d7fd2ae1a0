"""Which paths a line of commits may hold, and how large they may be.

Invariants: a path is allowed only by a fixed pattern, so no path can leave the folder, name a
hook, a submodule file or anything that git or a shell would act on. A tree is walked only into
folders that the pattern knows: a tree bomb has no folder to unfold in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.errors import VerificationError

BLOB_LIMIT = 1 << 20
"""No object of a game is larger than this; sizes are asked for before anything is read."""

FILE_LIMIT = 50_000
"""A tree with more files than this, or a line with more commits, is not a game."""

TREE_LIMIT = 64 << 20
"""Nor is one whose files have more bytes together, however often it names the same ones."""

LISTS_LIMIT = 16 << 20
"""So many bytes of folders are read at one level of it."""

SEAT = r"[a-z][a-z0-9-]{0,15}"
_SEAT = re.compile(SEAT)
_OBJECT_ID = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one kind of tree."""

    what: str
    """How messages call such a tree."""
    files: re.Pattern[str]
    folders: re.Pattern[str]

    def allows(self, path: str) -> bool:
        """True when a file of this path may exist."""
        return self.files.fullmatch(path) is not None

    def check(self, path: str) -> str:
        """The path itself, or a refusal that names it."""
        if not self.allows(path):
            raise VerificationError(
                f"{self.what} cannot hold the path {shown(path)}",
                "only paths of the fixed pattern are read or written; nothing was",
            )
        return path


GAME = Layout(
    "a game",
    re.compile(
        r"(?:game|position)\.toml"
        rf"|moves/[0-9]{{4}}/[0-9]{{6}}-{SEAT}\.toml"
        r"|log/[0-9]{4}/[0-9]{6}\.toml"
    ),
    re.compile(r"moves|log|(?:moves|log)/[0-9]{4}"),
)
"""The main line: contract, moves, log, position."""


def shown(text: str, limit: int = 80) -> str:
    """Foreign text as printable ASCII, cut: a hostile name must not act on a terminal."""
    return ascii(text if len(text) <= limit else text[: limit - 3] + "...")


def check_seat(seat: str) -> str:
    """The seat itself, or a refusal."""
    if _SEAT.fullmatch(seat) is None:
        raise VerificationError(
            f"{shown(seat)} is no name for a seat", "a letter, then up to 15 of a-z, 0-9 and hyphen"
        )
    return seat


def check_id(object_id: str) -> str:
    """A full SHA-1 object id, never a name that git would look up."""
    if _OBJECT_ID.fullmatch(object_id) is None:
        raise VerificationError(f"{shown(object_id)} is not a full commit id", "give all 40 hex digits")
    return object_id
