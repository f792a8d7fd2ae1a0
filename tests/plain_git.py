"""Game folders for tests of the repository, and plain git beside it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from pbem.repository import Commit, Repository


def entry(number: int, seat: str = "hojo", **more: bytes) -> Commit:
    files = {
        f"moves/{(number - 1) // 100 + 1:04}/{number:06}-{seat}.toml": b"orders = %d\n" % number,
        f"log/{(number - 1) // 100 + 1:04}/{number:06}.toml": b"dice = %d\n" % number,
        "position.toml": b"turn = %d\n" % number,
    }
    if number == 1:
        files["game.toml"] = b'rules = "tiny"\n'
    return Commit({**files, **more}, f"{seat}: entry {number}\n", seat, 1_700_000_000 + number)


def raw_git(folder: Path, *args: str, data: bytes = b"") -> str:
    """Plain git, as an outsider would run it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment["GIT_CONFIG_GLOBAL"] = os.devnull
    done = subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "safe.directory=*", *args],
        cwd=folder,
        input=data,
        capture_output=True,
        check=True,
        env=environment,
    )
    return done.stdout.decode().strip()


def unpacked(folder: Path) -> None:
    """Every object of a game folder stands in a file of its own, as git may leave it, too."""
    packs = folder / ".git/objects/pack"
    for pack in sorted(packs.glob("*.pack")):
        data = pack.read_bytes()
        pack.with_suffix(".idx").unlink()
        pack.unlink()
        raw_git(folder, "unpack-objects", "-q", data=data)


def begun(folder: Path) -> Repository:
    """A game folder with two entries."""
    repo = Repository.create(folder)
    repo.append([entry(1), entry(2)], parent=None)
    repo.write_files()
    return repo
