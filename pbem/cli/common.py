"""What the commands share: which game is meant, asking once, printing tables and JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.protocol.keys import SigningKey
    from pbem.table import Table

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document for scripts.")
yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask; for scripts.")


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
        import difflib

        near = difflib.get_close_matches(name, games, n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else "`pbem games` lists your games"
        raise UsageError(f"no game is called {name!r}", hint)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "game.toml").exists() and (folder / ".git").exists():
            return folder
    if len(games) == 1:
        return next(iter(games.values()))
    if not games:
        raise UsageError("you have no game yet", "`pbem new GAME` invites someone, `pbem join FILE` accepts")
    raise UsageError("which game is meant?", f"-g NAME, one of: {', '.join(games)}")


def open_table(name: str | None) -> Table:
    """The game that is meant, as it stands."""
    from pbem.table import Table

    return Table.open(game_folder(name), home())


def signing_key() -> SigningKey:
    """The player's key; asks for its passphrase if it has one."""

    def passphrase() -> bytes:
        if not sys.stdin.isatty():
            import os

            given = os.environ.get("PBEM_PASSPHRASE")
            if given is not None:
                return given.encode()
            raise UsageError("the key has a passphrase and nobody can be asked", "set PBEM_PASSPHRASE")
        return str(click.prompt("passphrase of your key", hide_input=True, err=True)).encode()

    return home().key(passphrase)


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
