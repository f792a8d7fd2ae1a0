"""What the commands share: which game is meant, asking once, printing tables and JSON."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.errors import PbemError, UsageError
from pbem.words import did_you_mean

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.protocol.crypto.keys import SigningKey
    from pbem.table import Table

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document for scripts.")
yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask; for scripts.")

FIRST_STEPS = (
    "`pbem practice GAME` plays against the bot, `pbem new GAME` invites someone, "
    "`pbem join FILE` accepts an invitation"
)
"""For who has no game yet."""


def game_option(function: F) -> F:
    """-g NAME|FOLDER: the game that is meant."""
    option = click.option(
        "--game",
        "-g",
        "game",
        metavar="NAME",
        shell_complete=_complete_games,
        help="The game: its name or folder. Without it: the folder you are in, or your only game.",
    )
    return option(function)


def _complete_games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in home().games() if name.startswith(incomplete)]


def complete_seats(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The seats of the game that is meant, for the shell."""
    try:
        seats = open_table(ctx.params.get("game")).contract.invite.seats
    except PbemError:
        return []
    return [seat for seat in seats if seat.startswith(incomplete)]


def home() -> Home:
    """The player's own folder."""
    from pbem.home import Home

    return Home()


def game_folder(name: str | None) -> Path:
    """The folder of the game that is meant."""
    games = home().games()
    if name is not None:
        if name in games:
            return games[name]
        if (Path(name) / "game.toml").exists() or (Path(name) / ".git").exists():
            return Path(name)
        hint = did_you_mean(name, games, "your games are") if games else FIRST_STEPS
        raise UsageError(f"no game is called {name!r}", hint)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "game.toml").exists() and (folder / ".git").exists():
            return folder
    if len(games) == 1:
        return next(iter(games.values()))
    if not games:
        raise UsageError("you have no game yet", FIRST_STEPS)
    raise UsageError("which game is meant?", f"-g NAME, one of: {', '.join(games)}")


def open_table(name: str | None) -> Table:
    """The game that is meant, as it stands."""
    from pbem.table import Table

    return Table.open(game_folder(name), home())


def ask_passphrase(question: str, again: bool = False) -> bytes:
    """A passphrase, typed unseen, or from PBEM_PASSPHRASE where nobody can be asked."""
    if not sys.stdin.isatty():
        given = os.environ.get("PBEM_PASSPHRASE")
        if given is None:
            raise UsageError("the key has a passphrase and nobody can be asked", "set PBEM_PASSPHRASE")
        return given.encode()
    typed = click.prompt(question, hide_input=True, confirmation_prompt=again, err=True)
    return str(typed).encode()


def signing_key() -> SigningKey:
    """The player's key; asks for its passphrase if it has one."""
    return home().key(lambda: ask_passphrase("passphrase of your key"))


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def confirm(question: str, yes: bool) -> None:
    """Ask once; anything but yes ends the command with nothing done."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here", "add --yes to go on without a question")
    if not click.confirm(question):
        raise UsageError("nothing was done")


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr for what takes over a second, if that is a terminal; else nothing is drawn."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    start = time.monotonic()
    bars: list[Any] = []

    def step(done: int, of: int) -> None:
        if not bars:
            if time.monotonic() - start < 1:
                return
            from rich.console import Console
            from rich.progress import Progress

            bars.append(Progress(console=Console(stderr=True), transient=True))
            bars[0].start()
            bars[0].add_task(title, total=of)
        bars[0].update(bars[0].task_ids[0], completed=done, total=of)

    try:
        yield step
    finally:
        for bar in bars:
            bar.stop()
