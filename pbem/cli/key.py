"""`pbem key`: the one thing a player must keep. Nothing here prints a private key or a passphrase."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import FIRST_STEPS, ask_passphrase, home, json_option, print_json, signing_key
from pbem.errors import UsageError


@click.group("key")
def key_command() -> None:
    """Make, show or choose your key: it signs your moves, and all your secrets come from it.

    One key serves all your games. Keep a copy of its file in a safe place: whoever has it can move
    for you. If it is lost, the spare key beside it and the consent of the others let you go on with a
    new one (`pbem rekey`).

    Example: pbem key new
    """


@key_command.command("new")
@click.option("--passphrase", is_flag=True, help="Protect the file with a passphrase, asked for now.")
def new(passphrase: bool) -> None:
    """Make a key for pbem. An existing one is never overwritten.

    Example: pbem key new --passphrase
    """
    here = home()
    if here.config().get("key") is not None:
        raise UsageError(f"you use the key {here.key_path()}", "`pbem key show` shows it")
    secret = ask_passphrase("a passphrase for your new key", again=True) if passphrase else None
    key = here.new_key(secret)
    here.spare()
    click.echo(f"your key: {here.key_path()} (keep a copy in a safe place; only you may read it)")
    click.echo(f"spare key: {here.spare_path()} (keep it elsewhere: it signs for a new key, no more)")
    click.echo(f"fingerprint: {key.fingerprint}")
    click.echo(f"next: {FIRST_STEPS}")


@key_command.command("show")
@json_option
def show(as_json: bool) -> None:
    """The fingerprint and the public line of your key; both may be shown to anybody.

    Example: pbem key show
    """
    here = home()
    line = here.public_line()
    if line is None:
        line = signing_key().public_line()
    from pbem.protocol.crypto.keys import fingerprint, parse_public_line

    mark = fingerprint(parse_public_line(line))
    if as_json:
        print_json({"fingerprint": mark, "public": line, "file": str(here.key_path())})
        return
    click.echo(f"fingerprint: {mark}")
    click.echo(f"public key:  {line}")
    click.echo(f"file:        {here.key_path()}")


@key_command.command("use")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def use(file: Path) -> None:
    """Use an SSH key that you have already: an Ed25519 one, passphrase allowed.

    Games that you play already need the key they were begun with.

    Example: pbem key use ~/.ssh/id_ed25519
    """
    from pbem.protocol.crypto.keys import load_private

    try:
        raw = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None
    key = load_private(raw, lambda: ask_passphrase("passphrase of your key"))
    home().set_config(key=str(file.absolute()))
    click.echo(f"you use {file.absolute()}")
    click.echo(f"fingerprint: {key.fingerprint}")
