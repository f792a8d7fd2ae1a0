"""`pbem save` and `pbem restore`: a whole home as one encrypted file, for safety or for another place."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import ask_passphrase, home
from pbem.errors import UsageError


@click.command("save")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--move", is_flag=True, help="Go on elsewhere: this home answers, but decides no more.")
def save_command(file: Path, move: bool) -> None:
    """Everything of yours in one file with a passphrase: key, settings, games, what you signed.

    A browser and every other machine can restore it. With --move the file takes your pen along: open it
    in one place only.

    Example: pbem save everything.pbem-home
    """
    from pbem.doing.keeping import save
    from pbem.home import write_private

    if file.exists():
        raise UsageError(f"{file} exists already", "choose another name")
    raw = save(home(), ask_passphrase("a passphrase for the file", again=True).decode(), moving=move)
    write_private(file.absolute(), raw)
    click.echo(f"saved: {file} ({len(raw):,} bytes)")
    if move:
        click.echo("this home decides no more: restore the file in one place, and play there")


@click.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore_command(file: Path) -> None:
    """Put a saved home in the place of an empty one: from a browser, another machine, or a loss.

    Example: pbem restore everything.pbem-home
    """
    from pbem.doing.keeping import restore

    here = home()
    found = restore(here, file.read_bytes(), ask_passphrase("passphrase of the file").decode())
    click.echo(f"restored: {here.path} ({found.games} games)")
    if not found.decides:
        click.echo(
            "this is a copy: it answers; `pbem join FOLDER` lets you decide here if you do so nowhere else"
        )
