"""`pbem open`: the page on this machine's own address, for the browser of this player alone."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import ask_passphrase, game_folder, home
from pbem.errors import PbemError

if TYPE_CHECKING:
    from pbem.page.desk import Desk
    from pbem.page.keeper import Keeper


@click.command("open")
@click.argument("game", required=False)
@click.option("--no-browser", is_flag=True, help="Only say where the private file is that opens the page.")
def open_command(game: str | None, no_browser: bool) -> None:
    """Your games in the browser: board, orders by clicking, reports, rules. Ctrl-C ends it.

    The page is on 127.0.0.1 and can be opened with the private file alone that this command writes. It
    uses no network; a passphrase is typed here in the terminal, never in the page.

    Example: pbem open kawagoe
    """
    from urllib.parse import quote

    from pbem.page.running import Running
    from pbem.page.server import Server

    here = game_folder(game).absolute() if game is not None else None
    called = _called(here) if here is not None else ""
    wanted = f"&game={quote(called)}" if called else ""
    running = Running(home())
    address = running.address()
    if address is not None:
        door = write_door(address + wanted)
        click.echo(f"the page runs already at {address.partition('/#')[0]}; open it with {door}")
        _show(door, no_browser)
        return
    opening = Opening()
    server = Server(opening)
    running.note(server)
    door = write_door(server.address() + wanted)
    for ending in (signal.SIGINT, signal.SIGTERM):  # from the background, too, the door is taken away
        signal.signal(ending, signal.default_int_handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    click.echo(f"the page is at {server.origin}; open it with {door}")
    try:
        _show(door, no_browser)
        _wait(opening.begin(here, called).keeper)
    except KeyboardInterrupt:
        click.echo("")
    finally:
        for left in home().path.glob("open-*.html"):
            left.unlink(missing_ok=True)
        running.forget()
        server.shutdown()


def _show(door: Path, no_browser: bool) -> None:
    if not no_browser and not webbrowser.open(door.as_uri()):
        click.echo("no browser could be started: open that file in one")


class Opening:
    """Answers as soon as the desk is laid: meanwhile the browser starts and asks for the page itself."""

    def __init__(self) -> None:
        self._desk: Desk | None = None
        self._laid = threading.Event()

    def begin(self, here: Path | None, called: str) -> Desk:
        """Lay the desk, with the game that is asked for already open."""
        from pbem.page.desk import Desk

        self._desk = desk = Desk(home(), here)
        self._laid.set()
        if called:
            desk.warm(called)
        return desk

    def __call__(self, path: str, data: Mapping[str, Any]) -> Any:
        self._laid.wait()
        assert self._desk is not None
        return self._desk(path, data)


def _called(here: Path) -> str:
    return next((name for name, folder in home().games().items() if folder == here), here.name)


def write_door(address: str) -> Path:
    """A file that only its owner can read, which leads to the page: command lines can be read by others."""
    from pbem.home import write_private

    place = home().path / f"open-{os.getpid()}.html"
    text = f'<!DOCTYPE html><meta charset="utf-8"><script>location.replace("{address}")</script>'
    write_private(place, text.encode())
    return place


def _wait(keeper: Keeper) -> None:
    """Sit in the terminal, and ask for the passphrase when the page needs the key."""
    while True:
        keeper.wanted.wait()
        try:
            if keeper.makes:
                keeper.make(ask_passphrase("a passphrase for your new key", again=True))
                click.echo("thank you: your key is made, go on in the page")
            else:
                keeper.unlock(lambda: ask_passphrase("passphrase of your key (the page wants to sign)"))
                click.echo("thank you: sign again in the page")
        except PbemError as error:
            keeper.wanted.clear()
            click.echo(f"pbem: error: {error.message}", err=True)
        sys.stdout.flush()
