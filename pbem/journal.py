"""What a home has signed, by game, lane and number: kept before it counts or leaves anywhere.

Two different decisions under one number end a game, so an honest player must not be able to sign them by
mistake. Invariants:
- Bytes are in the journal, on disk, before they are in a game folder: whatever folder is opened next, the
  same number gives the same bytes. A folder that lost them (a crash, a restored copy) gets them back.
- A home signs in one folder of a game, its own: neither in the other side's, nor in a copy.
- Numbers go on when a seat gets new keys, and what the old ones signed last may not count: each set of keys
  has a shelf of its own.
- A home decides only where it has decided so far. A copy of a home (another machine, a restored backup)
  knows by its own file that it is one, and a home that sees a decision of its seat which it has not signed
  knows that there is another: both answer, and decide only when their owner says so (`pbem join FOLDER`).
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from pbem import toml
from pbem.errors import UsageError
from pbem.system import place_of, sync_folder, write_once, write_whole

PEN = "pen.toml"


@dataclass(frozen=True, slots=True)
class Pen:
    """Where a seat is played, and from which decision on this home knows all of them."""

    folder: Path
    since: int
    place: str
    """The file that this was written into, as the system knows it: a copy is another file. "" if another
    home decides."""


class Journal:
    """What one home has signed in one game, with the keys that its seat has after so many changes."""

    def __init__(self, folder: Path, changes: int = 0) -> None:
        self.path = folder
        self._entries = folder / f"keys-{changes}" if changes else folder

    # --- entries

    def signed(self, lane: str, seq: int) -> bytes | None:
        """The entry with this number, None if this home has signed none."""
        try:
            return (self._entries / f"{lane}-{seq:06d}.toml").read_bytes()
        except FileNotFoundError:
            return None

    def last(self, lane: str) -> int:
        """The highest number that this home has signed, 0 if none."""
        names = [p.stem for p in self._entries.glob(f"{lane}-*.toml")] if self._entries.exists() else []
        return max((int(name.rpartition("-")[2]) for name in names), default=0)

    def keep(self, lane: str, seq: int, raw: bytes) -> bytes:
        """Keep a new entry; returns what stands under its number, which another run may have kept first."""
        self._entries.mkdir(parents=True, exist_ok=True, mode=0o700)
        place = self._entries / f"{lane}-{seq:06d}.toml"
        return raw if write_once(place, raw) else place.read_bytes()

    def _make_folder(self) -> None:
        for folder in (self.path.parent, self.path):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    # --- the pen

    def pen(self) -> Pen | None:
        """Where this home plays the game; None if it never took it up."""
        try:
            table = tomllib.loads((self.path / PEN).read_text(encoding="utf-8"))
            return Pen(Path(table["folder"]), int(table["since"]), str(table["place"]))
        except FileNotFoundError:
            return None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, ValueError):
            raise UsageError(f"{self.path / PEN} is damaged", "`pbem join FOLDER` writes it anew") from None

    def take_pen(self, folder: Path, since: int, decides: bool = True) -> None:
        """From now on this home plays in this folder, and decides there unless another home does.

        Up to decision number `since` it need not know them all.
        """
        self._make_folder()
        fresh = self.path / f".{PEN}.new"
        write_whole(fresh, b"", 0o600)
        told = {"folder": str(folder.resolve()), "since": since, "place": place_of(fresh) if decides else ""}
        with fresh.open("r+b") as file:  # the same file, since its place is written into it
            file.write(toml.dumps(told).encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.path / PEN)
        sync_folder(self.path)

    def is_own(self, folder: Path) -> bool:
        """Whether this is the folder in which this home plays the game."""
        pen = self.pen()
        return pen is not None and pen.folder == folder.resolve()

    def check(self, folder: Path, lane: str, seq: int) -> None:
        """Refuses, with what to do, to sign number `seq` where a second signature could come about."""
        here = f"`pbem join {folder}` makes this the place where you decide"
        pen = self.pen()
        if pen is None:
            raise UsageError("this home does not play in this folder", here)
        if pen.folder != folder.resolve():
            gone = not pen.folder.exists()
            place = f"that {'was' if gone else 'is'} {pen.folder}"
            raise UsageError(
                f"this is not the folder where you play this game: {place}",
                here if gone else "go there, or name the game with -g; nothing was signed",
            )
        if lane != "decide":
            return
        if not pen.place:
            raise UsageError(
                "your key took this seat in another home, which may decide as well: this one only answers",
                f"if you decide nowhere else, {here}",
            )
        if pen.place != place_of(self.path / PEN):
            raise UsageError(
                "this home was copied or restored: what you may have signed elsewhere is not known here",
                f"take in what the others sent last; if you decide nowhere else, {here}",
            )
        if seq - 1 > pen.since and self.signed("decide", seq - 1) is None:
            raise UsageError(
                f"your decision number {seq - 1} was signed elsewhere, so the next one may be, too",
                f"if you decide nowhere else any more, {here}",
            )
