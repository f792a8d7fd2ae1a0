"""The command line in this process: players with homes of their own, and transcripts to compare with.

A transcript is what a terminal shows: a line `ann$ pbem …` runs a command as ann, the lines below are
what it prints (stdout and stderr as they come), `(exit N)` is the exit code if it is not 0. `…` stands
for any text within a line, a line `...` for any number of lines.
"""

from __future__ import annotations

import atexit
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from pbem.cli.main import main
from pbem.journal import Journal

ROOT = Path(__file__).parent.parent
PROMPT = re.compile(r"^([a-z]+)\$ (.+)$", re.MULTILINE)


class _Typed(io.StringIO):
    """Standard input at which somebody sits."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str
    both: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class _Tee(io.TextIOWrapper):
    """A stream that also writes into a common one, as on a terminal."""

    def __init__(self, common: io.StringIO) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)
        self.common = common

    def write(self, text: str) -> int:
        self.common.write(text)
        return super().write(text)

    def text(self) -> str:
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode()


class Desk:
    """A folder in which several people work, each with a home of their own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.patch = monkeypatch
        monkeypatch.delenv("PBEM_DEBUG", raising=False)
        monkeypatch.delenv("PBEM_PASSPHRASE", raising=False)

    def run(self, who: str, *args: str, typed: str | None = None, given: bytes = b"") -> Done:
        """Run a command as somebody; `typed` is what they type when asked, `given` is piped in."""
        common = io.StringIO()
        out, err = _Tee(common), _Tee(common)
        stdin: Any = _Typed(typed) if typed is not None else io.TextIOWrapper(io.BytesIO(given), "utf-8")
        with self.patch.context() as patch:
            patch.setenv("PBEM_HOME", str(self.folder / who))
            patch.chdir(self.folder)
            patch.setattr(sys, "stdin", stdin)
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            try:
                main(args)
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
        return Done(code, out.text(), err.text(), common.getvalue())

    def ok(self, who: str, *args: str, **more: Any) -> Done:
        """Run a command that must succeed."""
        done = self.run(who, *args, **more)
        assert done.code == 0, done.both
        return done

    def copy(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
        """The same people and games in another folder; what follows does not touch this one."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        for file in (*folder.glob("*/games.toml"), *folder.glob("*/tables/lobby-*.toml")):
            file.write_text(file.read_text().replace(str(self.folder), str(folder)))
        for file in folder.glob("*/signed/*/pen.toml"):  # a copied home would know that it is a copy
            file.write_text(file.read_text().replace(str(self.folder), str(folder)))
            journal = Journal(file.parent)
            pen = journal.pen()
            assert pen is not None
            journal.take_pen(pen.folder, asked=pen.asked, at=pen.at)
        return Desk(folder, monkeypatch)

    def shell(self, command: str) -> Done:
        """Run something that is not pbem."""
        done = subprocess.run(
            command, shell=True, cwd=self.folder, capture_output=True, text=True, check=False
        )
        return Done(done.returncode, done.stdout, done.stderr, done.stdout + done.stderr)

    # --- transcripts

    def play(self, transcript: str) -> None:
        """Run every command of a transcript and compare what it prints."""
        for who, command, wanted in steps(transcript):
            shown = self.show(who, command)
            assert matches(wanted, shown), f"{who}$ {command}\n--- wanted\n{wanted}\n--- shown\n{shown}"

    def show(self, who: str, command: str) -> str:
        """What a terminal shows of a command; every question is answered with yes."""
        if command.startswith("pbem "):
            done = self.run(who, *self._words(command)[1:], typed="y\n" * 3)
        else:
            done = self.shell(command)
        return tidy(done.both) + (f"(exit {done.code})\n" if done.code else "")

    def _words(self, command: str) -> list[str]:
        """The words of a command as a shell would pass them on."""
        found = []
        for word in shlex.split(command, comments=True):
            paths = sorted(self.folder.glob(word)) if "*" in word and "/" in word else []
            found += [str(path.relative_to(self.folder)) for path in paths] or [word]
        return found


def tidy(text: str) -> str:
    """Without the questions that were answered, and without spaces at line ends."""
    text = re.sub(r"[^\n]* \[y/N\]: (?:y\n)?", "", text)
    return "".join(f"{line.rstrip()}\n" for line in text.rstrip("\n").split("\n")) if text.strip() else ""


def steps(transcript: str) -> list[tuple[str, str, str]]:
    """(who, command, wanted output) of each command."""
    found: list[tuple[str, str, list[str]]] = []
    for line in transcript.splitlines():
        prompt = PROMPT.fullmatch(line)
        if prompt:
            found.append((prompt[1], prompt[2], []))
        elif found:
            found[-1][2].append(line)
    return [(who, command, tidy("\n".join(wanted))) for who, command, wanted in found]


def matches(wanted: str, shown: str) -> bool:
    """Whether the output is the one wanted."""
    pattern = ""
    for line in wanted.splitlines():
        if line == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += "[^\n]*?".join(re.escape(part) for part in line.split("…")) + r"\n"
    return re.fullmatch(pattern, shown) is not None


def masked(text: str, folder: Path) -> str:
    """What differs from run to run, and what a data pack may change, becomes `…`."""
    text = text.replace(str(folder), "…")
    for pattern, by in (
        (r"SHA256:[A-Za-z0-9+/]{43}", "SHA256:…"),
        (r"\b[0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{4} \([0-9a-f]{40}\)", "…"),
        (r"\b(?:[0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{16})\b", "…"),
        (r"kawagoe-[0-9a-f]{8}", "kawagoe-…"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "…"),
        (r"\d+ days left", "… days left"),
        (r"(?m)^(  4.\d    \w+: )[a-z0-9]+ in .*", r"\1…"),
        (r"(?m)^as usual:.*\n(?: {12}.*\n)*", "as usual:   …\n...\n"),
    ):
        text = re.sub(pattern, by, text)
    return text


def regenerate(file: Path) -> None:
    """Write a transcript anew from its commands: python -m tests.cli FILE"""
    import tempfile

    old = file.read_text(encoding="utf-8")
    patch = pytest.MonkeyPatch()
    desk = Desk(Path(tempfile.mkdtemp()), patch)
    out = [
        f"{who}$ {command}\n{masked(desk.show(who, command), desk.folder)}" for who, command, _ in steps(old)
    ]
    patch.undo()
    head = old[: PROMPT.search(old).start()] if PROMPT.search(old) else ""  # type: ignore[union-attr]
    file.write_text(head + "\n".join(out), encoding="utf-8")


def table_of(desk: Desk, who: str) -> Any:
    """The open table of somebody's only game."""
    from pbem.home import Home
    from pbem.table import Table

    home = Home(desk.folder / who)
    return Table.open(next(iter(home.games().values())), home)


def begin(desk: Desk, game: str = "tiny", *options: str) -> None:
    """Ann and Ben begin a game: a copy of one that was begun in the same way."""
    _begun(game, *options).copy(desk.folder, desk.patch)


@cache
def _begun(game: str, *options: str) -> Desk:
    """Once in each process: nobody plays on here."""
    with pytest.MonkeyPatch.context() as patch:
        place = TemporaryDirectory()
        atexit.register(place.cleanup)
        desk = Desk(Path(place.name), patch)
        begin_by_commands(desk, game, *options)
    return desk


def begin_by_commands(desk: Desk, game: str = "tiny", *options: str) -> None:
    """Ann and Ben begin a game here and now, as an attack on the beginning needs it."""
    for who in ("ann", "ben"):
        desk.ok(who, "key", "new")
    names = ("--name", "Ann", "--address", "ann@example.org")
    desk.ok("ann", "new", game, *options, *names, "--out", "invitation.pbem", "--yes")
    names = ("--name", "Ben", "--address", "ben@example.org")
    desk.ok("ben", "join", "invitation.pbem", *names, "--into", "ben-games", "--out", "answer.pbem", "--yes")
    desk.ok("ann", "receive", "answer.pbem", "--into", "ann-games", "--out", "first.pbem")
    desk.ok("ben", "receive", "first.pbem", "--out", "second.pbem")
    exchange(desk)


PLAYER = {"a": "ann", "b": "ben"}
SEAT = {"ann": "a", "ben": "b"}


def until_somebody_acts(desk: Desk) -> str:
    """Chits and bids until a seat is asked for a deed; returns who that is."""
    for _ in range(20):
        asked = desk.ok("ann", "status", "--json").json["asked"]
        if asked[0]["kind"] == "orders":
            return PLAYER[asked[0]["seat"]]
        for one in asked:
            orders = desk.ok(PLAYER[one["seat"]], "legal", "--json").json["orders"]
            desk.ok(PLAYER[one["seat"]], "play", "-m", orders[0], "--yes")
        exchange(desk)
    raise AssertionError("nobody acts")


def exchange(desk: Desk) -> None:
    """Ann and Ben mail each other until nothing is new."""
    os.makedirs(desk.folder / "post", exist_ok=True)
    for number in range(60):
        moved = False
        for who, other in (("ann", "ben"), ("ben", "ann")):
            file = f"post/{number}-{who}.pbem"
            desk.ok(who, "send", "--out", file)
            if (desk.folder / file).exists():
                done = desk.run(other, "receive", file, "--json")
                assert done.code == 0, done.both
                moved = moved or any(g["logged"] or g["answered"] for g in done.json["games"])
        if not moved:
            return
    raise AssertionError("the exchange does not come to rest")


if __name__ == "__main__":
    regenerate(Path(sys.argv[1]))
