"""What a home tells of each of its games without opening it.

A summary is kept in the home under a mark of everything that it follows from: the last commit of the game,
the entries that wait, the home's own files about the game, its settings, this program. Where one of these is
another, or cannot be told, the game is opened and the summary made anew. They may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem import __version__
from pbem.doing.incoming import game_id
from pbem.errors import PbemError
from pbem.home import CONFIG, Home
from pbem.protocol.papers.times import now, seconds
from pbem.repository.disk import FileDisk
from pbem.repository.refs import Refs
from pbem.repository.upkeep import FILES_MARK, MAIN

if TYPE_CHECKING:
    from pbem.table import Table

FOLDER = "summaries"
Summary = dict[str, Any]


class Summaries:
    """The summaries of one home, as its files are now."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._files = _files_by_game(home)
        self._program = f"{__version__} {_program()}"

    def of(self, kind: str, folder: Path, make: Callable[[Table], Summary]) -> Summary:
        """What `make` tells of a game; `kind` names it. It is opened only if the summary is not at hand."""
        from pbem.table import Table

        mark = self.mark(folder)
        found = self.kept(kind, folder, mark)
        if found is None:
            found = make(Table.open(folder, self._home))
            if not found.get("absences"):  # who is away today may be back tomorrow
                self.keep(kind, folder, found)
        return _as_of_now(found)

    def mark(self, folder: Path) -> str | None:
        """What a summary of this game follows from; None if the folder has to be opened to know."""
        from pbem.pool import Pool

        try:
            disk = FileDisk(folder)
            head = Refs(disk, ".git/").read(MAIN)
            is_written = disk.read(f".git/{FILES_MARK}", 100).decode("ascii", "replace").strip() == head
            game = game_id(folder)
        except (OSError, PbemError):
            return None
        if head is None or game is None or not is_written:
            return None
        parts = [self._program, str(folder), head, *Pool(folder).names(), *self._files.get(game, ())]
        return hashlib.sha256("\n".join([*parts, *self._files[""]]).encode()).hexdigest()

    def kept(self, kind: str, folder: Path, mark: str | None) -> Summary | None:
        """What was kept of a game under this mark."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            found = json.loads(self._file(kind, folder).read_bytes())
            if mark is not None and found["mark"] == mark:
                return dict(found["told"])
        return None

    def keep(self, kind: str, folder: Path, told: Summary) -> None:
        """Keeps what is told of a game as it is now, if that can be done: nothing depends on it."""
        game = game_id(folder) or ""
        self._files[game] = _files_of(self._home, game)
        mark = self.mark(folder)
        if mark is None:
            return
        path = self._file(kind, folder)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
            fresh.write_text(json.dumps({"mark": mark, "told": told}, ensure_ascii=False), encoding="utf-8")
            os.replace(fresh, path)

    def _file(self, kind: str, folder: Path) -> Path:
        name = hashlib.sha256(str(folder).encode()).hexdigest()[:24]
        return self._home.path / FOLDER / f"{kind}-{name}.json"


def _files_of(home: Home, game: str) -> list[str]:
    """How the home's files about one game are now; without a game, its settings."""
    top = home.path / "tables"
    with suppress(OSError):
        if not game:
            return [_facts(os.stat(home.path / CONFIG))]
        names = [name for name in os.listdir(top) if game in name]
        return sorted(f"{name} {_facts(os.stat(top / name))}" for name in names)
    return []


def _files_by_game(home: Home) -> dict[str, list[str]]:
    """By game id, how the home's files about it are now; under "" the settings."""
    found = {"": _files_of(home, "")}
    with suppress(OSError), os.scandir(home.path / "tables") as files:
        for one in files:
            for part in one.name.removesuffix(".toml").split("-"):
                if len(part) >= 32:
                    found.setdefault(part, []).append(f"{one.name} {_facts(one.stat())}")
    for facts in found.values():
        facts.sort()
    return found


def _facts(facts: os.stat_result) -> str:
    return f"{facts.st_ino} {facts.st_size} {facts.st_mtime_ns}"


def _program() -> int:
    """When this program was changed last: what a newer one says of a game may be something else."""
    newest, pending = 0, [Path(__file__).parents[1], Path(__file__).parents[2] / "games"]
    while pending:
        with suppress(OSError), os.scandir(pending.pop()) as found:
            for one in found:
                if one.is_dir() and one.name != "__pycache__":
                    pending.append(Path(one.path))
                elif one.name.endswith((".py", ".toml")):
                    newest = max(newest, one.stat().st_mtime_ns)
    return newest


def _as_of_now(found: Summary) -> Summary:
    """How much is left of each clock, as it is now."""
    for one in found.get("asked", ()):
        if one.get("deadline"):
            one["left"] = seconds(one["deadline"]) - seconds(now())
    return found
