"""What a home has signed, by game and by where it was signed: kept before it counts or leaves anywhere.

A seat that signs two answers after one tip makes a fork, so an honest player must not be able to do that by
mistake. Invariants:
- Bytes are in the journal, on disk, before they are in a game folder: whatever folder is opened next, the
  same place gives the same bytes. A folder that lost them (a crash, a restored copy) gets them back.
- A home signs in one folder of a game, its own: neither in the other side's, nor in a copy.
- A home decides only where it has decided so far. A copy of a home (another machine, a restored backup)
  knows by its own file that it is one, and a home that sees a decision of its seat which it has not signed
  knows that there is another: both answer, and decide only when their owner says so (`pbem join FOLDER`)
  and the others have told what they have of this seat.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from pbem import toml
from pbem.errors import UsageError
from pbem.protocol.papers.bodies import ASIDE, Body, Have, Late
from pbem.protocol.papers.entry import Head
from pbem.protocol.rounds.state import signed_at
from pbem.system import place_of, sync_folder, write_first, write_whole

PEN = "pen.toml"


@dataclass(frozen=True, slots=True)
class Pen:
    """Where a seat is played."""

    folder: Path
    place: str
    """The file that this was written into, as the system knows it: a copy is another file. "" if another
    home decides, or has decided."""
    asked: str = ""
    """The question with which a restored home asked the others what they have of its seat."""
    at: str = ""
    """When it asked, by its own clock."""


def slot(head: Head, body: Body) -> str:
    """The name of the place that an entry takes: a home signs one entry for each."""
    if isinstance(body, Late):
        return f"late-{signed_at(head.after, ' '.join(body.seats))}"
    if isinstance(body, Have):
        return f"have-{body.asked[:16]}"
    if head.kind in ASIDE:
        return f"aside-{signed_at(head.after, head.prev)}"
    return f"{head.lane}-{signed_at(head.after)}"


class Journal:
    """What one home has signed in one game."""

    def __init__(self, folder: Path) -> None:
        self.path = folder

    # --- entries

    def signed(self, name: str) -> bytes | None:
        """The entry that this home signed for a place (`slot`), None if it has signed none."""
        try:
            return (self.path / f"{name}.toml").read_bytes()
        except FileNotFoundError:
            return None

    def keep(self, name: str, raw: bytes) -> bytes:
        """Keep a new entry; returns what stands in its place, which another run may have kept first."""
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        return write_first(self.path / f"{name}.toml", raw)

    def _make_folder(self) -> None:
        for folder in (self.path.parent, self.path):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    # --- the pen

    def pen(self) -> Pen | None:
        """Where this home plays the game; None if it never took it up."""
        try:
            table = tomllib.loads((self.path / PEN).read_text(encoding="utf-8"))
            return Pen(
                Path(table["folder"]), str(table["place"]), table.get("asked", ""), table.get("at", "")
            )
        except FileNotFoundError:
            return None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, ValueError):
            raise UsageError(f"{self.path / PEN} is damaged", "`pbem join FOLDER` writes it anew") from None

    def take_pen(self, folder: Path, decides: bool = True, asked: str = "", at: str = "") -> None:
        """From now on this home plays in this folder, and decides there unless another home does.

        `asked`: a restored home decides only when the others have answered that question.
        """
        self._make_folder()
        fresh = self.path / f".{PEN}.new"
        write_whole(fresh, b"", 0o600)
        told = {"folder": str(folder.resolve()), "place": place_of(fresh) if decides else ""}
        told |= {"asked": asked, "at": at}
        with fresh.open("r+b") as file:  # the same file, since its place is written into it
            file.write(toml.dumps(told).encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.path / PEN)
        sync_folder(self.path)

    def decides_here(self) -> bool:
        """Whether this very home has decided in the game so far, wherever its folder was."""
        pen = self.pen()
        return pen is not None and bool(pen.place) and pen.place == place_of(self.path / PEN)

    def decides_elsewhere(self) -> None:
        """A decision of this seat has come up that this home did not sign: it decides no more by itself."""
        pen = self.pen()
        if pen is not None and pen.place:
            self.take_pen(pen.folder, decides=False)

    def is_own(self, folder: Path) -> bool:
        """Whether this is the folder in which this home plays the game."""
        pen = self.pen()
        return pen is not None and pen.folder == folder.resolve()

    def check(self, folder: Path, lane: str) -> None:
        """Refuses, with what to do, to sign where a second signature could come about."""
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
                "another home of yours decides in this game, or has decided: this one only answers",
                f"if you decide nowhere else any more, {here}",
            )
        if pen.place != place_of(self.path / PEN):
            raise UsageError(
                "this home was copied or restored: what you may have signed elsewhere is not known here",
                f"if you decide nowhere else any more, {here}",
            )
