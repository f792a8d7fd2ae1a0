"""Players at one table who have nothing but commands, and one among them who signs what no command would.

Everything that an honest player does here goes through `pbem`; the dishonest one works on its own folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import registry
from pbem.engine.rules import Rules
from pbem.home import Home
from pbem.protocol.papers.times import seconds, stamp
from pbem.table import Table
from pbem.transport.bundle import pack
from tests.attack_kit import copies
from tests.cli import Desk, Done
from tests.homes import Party, party
from tests.scenes import Deeds

DEEDS = Deeds()


@dataclass
class Circle:
    """A desk whose people are called by their seats."""

    desk: Desk
    seats: tuple[str, ...]

    def run(self, seat: str, *args: str, **more: Any) -> Done:
        return self.desk.run(f"home-{seat}", *args, **more)

    def ok(self, seat: str, *args: str, **more: Any) -> Done:
        return self.desk.ok(f"home-{seat}", *args, **more)

    def copy(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Circle:
        """The same table in another folder; what follows does not touch this one."""
        return replace(self, desk=self.desk.copy(folder, monkeypatch))

    def folder(self, seat: str) -> Path:
        return self.desk.folder / f"game-{seat}"

    def table(self, seat: str) -> Table:
        """The game as a program of this seat would open it now."""
        return Table.open(self.folder(seat), Home(self.desk.folder / f"home-{seat}"))

    def hand(self, taker: str, raws: Sequence[bytes]) -> Done:
        """Entries in a file, which a player takes in."""
        file = self.desk.folder / "handed.pbem"
        file.write_bytes(pack(raws))
        return self.run(taker, "receive", str(file))

    def spread(self, seat: str, *args: str) -> None:
        """A player runs a command that may sign something, and everybody else takes that in."""
        file = self.desk.folder / "spread.pbem"
        file.unlink(missing_ok=True)
        self.run(seat, *args, "--out", str(file), "--yes")
        for taker in [one for one in self.seats if one != seat and file.exists()]:
            self.ok(taker, "receive", str(file))

    def post(self, *seats: str) -> None:
        """These players send each other what they have, until nothing is new."""
        for _ in range(20):
            moved = False
            for seat in seats or self.seats:
                file = self.desk.folder / "post.pbem"
                file.unlink(missing_ok=True)
                self.ok(seat, "send", "--out", str(file))
                for taker in [one for one in seats or self.seats if one != seat and file.exists()]:
                    told = self.ok(taker, "receive", str(file), "--json").json["games"]
                    moved = moved or any(one["logged"] or one["answered"] for one in told)
            if not moved:
                return
        raise AssertionError("the post does not come to rest")

    def status(self, seat: str) -> Any:
        return self.ok(seat, "status", "--json").json

    def one_log(self, *seats: str) -> bool:
        """Whether these players hold the same log."""
        return len({self.status(seat)["fingerprint"] for seat in seats or self.seats}) == 1

    def verified(self, seat: str) -> Done:
        """What a stranger is told who looks at this player's folder."""
        return self.desk.run("zoe", "verify", str(self.folder(seat)))


def circle(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    count: int,
    rules: Rules = DEEDS,
    ready: Callable[[Party], bool] = lambda game: True,
    **more: Any,
) -> Circle:
    """A game played at random until it is as the attack needs it; commands find its rules by any name."""
    monkeypatch.setattr(registry, "load", lambda name: rules)
    game = party(folder, monkeypatch, count, rules=rules, **more)
    game.exchange()
    while not ready(game):
        assert game.decide() is not None, "it never came to that"
        game.exchange()
    return Circle(Desk(folder, monkeypatch), tuple(game.tables))


def circles(
    folder: Path, monkeypatch: pytest.MonkeyPatch, count: int, rules: Rules = DEEDS
) -> Callable[[], Circle]:
    """The same table as often as it is asked for, each time in a folder of its own."""
    return copies(circle(folder / "start", monkeypatch, count, rules), folder, monkeypatch)


def days_later(table: Circle, days: float) -> None:
    """So many days after the present question was asked, on every machine."""
    since = seconds(table.status(table.seats[0])["asked"][0]["since"])
    for module in ("pbem.table", "pbem.protocol.papers.times"):
        table.desk.patch.setattr(f"{module}.now", lambda: stamp(since + int(days * 24 * 3600)))


# --- new keys


def new_key(table: Circle, seat: str) -> str:
    """A player makes a new key in its own home; returns the file with which it asks the others for it."""
    folder = table.desk.folder
    (folder / f"home-{seat}/key").rename(folder / "old-key")
    table.ok(seat, "key", "new")
    paper = str(folder / "paper.pbem")
    table.ok(seat, "rekey", "--with", str(folder / "old-key"), "--out", paper, "--yes")
    return paper


def consent(table: Circle, seat: str, paper: str) -> str:
    """A player agrees to it; returns the file for the others."""
    file = str(table.desk.folder / f"consent-{seat}.pbem")
    table.ok(seat, "rekey", paper, "--out", file, "--yes")
    return file
