"""Two sides of a game, each with its own home, played by bots that always decide the same.

Used with files, mail and git in turn: the same seed must give the same game, entry for entry. As a
program (`python -m tests.sides FOLDER`) it is one side on its own: it watches and plays until the game
is over, and may be killed at any moment.
"""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pbem.cli import delivery
from pbem.cli.watching import Watcher
from pbem.demo.bot import sit_down
from pbem.demo.together import join_all, play_by_files, table_of
from pbem.errors import BusyError
from pbem.home import Home
from pbem.protocol.keys import SigningKey, load_private
from pbem.table import Table
from tests.disk import do_not_wait

SEED = 11
BETWEEN = {"tiny": 1.5, "kawagoe": 5.0}
"""So many seconds at most pass from one kill to the next."""
ROOT = Path(__file__).parent.parent


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
        if made and delivery.can_deliver(table):
            delivery.deliver(table)
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


def by_files(folder: Path, game: str) -> str:
    """The same game by handing over files: its fingerprint at the end."""
    return play_by_files(join_all(folder, game, SEED, domain="example.org"))


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


def main(folder: Path) -> None:
    """One side until the game is over: which one, says `side.json` in the folder.

    Who has nothing to do waits for the other's bell. A bell that a killed process did not ring is made
    up for by looking again after a while.
    """
    facts = json.loads((folder / "side.json").read_text("utf-8"))
    side = Side(facts["seat"], Home(Path(facts["home"])), Path(facts["folder"]), Path(facts["key"]))
    own, *others = [os.open(path, os.O_RDWR | os.O_NONBLOCK) for path in facts["bells"]]
    print("ready", flush=True)
    while not (side.is_over() and delivery.is_handed(side.table())):
        busy = bool(side.look())
        try:
            busy = side.play() or busy
        except BusyError:
            continue
        if busy:
            for bell in others:
                os.write(bell, b".")
        elif select.select([own], [], [], 2.0)[0]:
            os.read(own, 4096)


def write_side(side: Side, both: list[Side]) -> Path:
    """What `main` needs to know."""
    folder = side.key.parent
    bells = [str(one.key.parent / "bell") for one in (side, *(o for o in both if o is not side))]
    facts = {"seat": side.seat, "home": str(side.home.path), "folder": str(side.folder), "key": str(side.key)}
    (folder / "side.json").write_text(json.dumps({**facts, "bells": bells}), "utf-8")
    return folder


def by_killing(both: list[Side], kills: int, between: float, rng: random.Random) -> str:
    """Each side is a process; one or the other is killed again and again, and started anew."""
    for side in both:
        os.mkfifo(side.key.parent / "bell")
    folders = {side.seat: write_side(side, both) for side in both}
    running = {seat: _start(folder) for seat, folder in folders.items()}
    try:
        for _ in range(kills):
            seat = rng.choice(list(running))
            with suppress(subprocess.TimeoutExpired):
                running[seat].wait(rng.uniform(0, between))
            running[seat].kill()
            running[seat].wait()
            running[seat] = _start(folders[seat])
        for process in running.values():
            assert process.wait(600) == 0
    finally:
        for process in running.values():
            process.kill()
            process.wait()
    (fingerprint,) = {side.fingerprint for side in both}
    return fingerprint


def _start(folder: Path) -> subprocess.Popen[str]:
    """A side as a process, at work."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.sides", str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.stdout.close()
    return process


if __name__ == "__main__":
    os.umask(0o077)
    do_not_wait()
    main(Path(sys.argv[1]))
