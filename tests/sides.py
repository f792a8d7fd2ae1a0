"""Two sides of a game, each with its own home, played by bots that always decide the same.

Used with files, mail and git in turn: the same seed must give the same game, entry for entry, also
when the processes of both sides are killed again and again.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import traceback
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.demo.bot import sit_down
from pbem.demo.together import join_all, play_by_files, table_of
from pbem.doing import handover
from pbem.doing.watching import Watcher
from pbem.errors import BusyError
from pbem.home import Home
from pbem.protocol.crypto.keys import SigningKey, load_private
from pbem.table import Table

SEED = 11


@dataclass
class Side:
    """One player: a home, a game folder, and the key, which stands outside the home."""

    seat: str
    home: Home
    folder: Path
    key: Path

    def table(self) -> Table:
        return Table.open(self.folder, self.home)

    def sign_with(self) -> SigningKey:
        return load_private(self.key.read_bytes(), None)

    def play(self) -> bool:
        """The person at this side: decides what is asked, and hands it over as it is set."""
        table = self.table()
        made = sit_down(table, self.sign_with(), SEED)
        if made and handover.can_send(table):
            handover.send(table)
        return bool(made)

    def look(self) -> list[str]:
        """The machine at this side: one look of `pbem watch`."""
        said: list[str] = []
        watcher = Watcher(self.home, say=said.append)
        watcher.look()
        assert not [error for error in watcher.errors if not isinstance(error, BusyError)], said
        return said

    def is_over(self) -> bool:
        return not self.table().ledger.due()

    @property
    def fingerprint(self) -> str:
        return self.table().fingerprint


def sides(folder: Path, game: str) -> list[Side]:
    """The sides of a new game, signed by both and not begun; keys stand outside the homes."""
    found = []
    for seat in join_all(folder, game, SEED, domain="example.org").values():
        outside = folder / seat.name / "key-on-a-stick"
        (seat.home.path / "key").rename(outside)
        seat.home.set_config(address=seat.address)
        found.append(Side(seat.name, seat.home, table_of(seat).folder, outside))
    return found


@cache
def by_files(game: str) -> str:
    """The same game by handing over files: its fingerprint at the end."""
    with TemporaryDirectory() as folder:
        return play_by_files(join_all(Path(folder), game, SEED, domain="example.org"))


def by_watching(both: list[Side]) -> str:
    """The whole game with a machine and a person at each side; the fingerprint that both end with."""
    for _ in range(2000):
        for side in both:
            side.look()
            side.play()
        if all(side.is_over() for side in both):
            (fingerprint,) = {side.fingerprint for side in both}
            return fingerprint
    raise AssertionError("the game does not end")


OUTSIDE = ("open", "os.rename", "os.remove", "os.mkdir", "subprocess.Popen", "socket.connect")
"""What a process does outside its own memory, as the interpreter reports it."""


def by_killing(both: list[Side], kills: int, rng: random.Random) -> str:
    """Each side acts in a process of its own, killed again and again before the n-th thing it does outside.

    Where a killed process would have acted next is tried anew by the next one, as a person would.
    """
    reach = dict.fromkeys([side.seat for side in both], 40)
    for _ in range(4000):
        for side in both:
            before = rng.randrange(1, reach[side.seat]) if kills and rng.random() < 0.5 else 0
            killed, done = _acts(side, before)
            kills -= killed
            reach[side.seat] = max(2, done if not killed else reach[side.seat])
        if not kills and all(side.is_over() for side in both):
            (fingerprint,) = {side.fingerprint for side in both}
            return fingerprint
    raise AssertionError("the game does not end")


def _acts(side: Side, before: int) -> tuple[bool, int]:
    """One look and what is to be decided, killed before its n-th act (0: not): was it, and after how many."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        os.close(out)
        _act_and_exit(side, before, into)
    os.close(into)
    with os.fdopen(out, "rb") as report:
        told = report.read()
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert killed or not status, told.decode()
    return killed, 0 if killed else int(told)


def _act_and_exit(side: Side, before: int, into: int) -> None:
    """The child's part; it never returns."""
    done = 0

    def count(event: str, args: tuple[object, ...]) -> None:
        nonlocal done
        if event in OUTSIDE and not (event == "open" and args[1] in ("r", "rb")):
            done += 1
            if done == before:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    try:
        side.look()
        side.play()
        os.write(into, str(done).encode())
        os._exit(0)
    except BaseException:
        os.write(into, traceback.format_exc().encode())
    os._exit(1)
