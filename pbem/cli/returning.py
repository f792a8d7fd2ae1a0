"""Coming back to a game that one sits in already, on another machine or after a loss.

Nothing is needed but the key: the contract says which seat it took, and every secret follows from it.
What was signed on the other machine and never sent is not known here: do not decide the same twice.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import confirm, home, signing_key
from pbem.errors import UsageError, VerificationError

if TYPE_CHECKING:
    from pbem.lobby import Lobby
    from pbem.table import Table


def is_game(file: str) -> bool:
    """Whether this is a game folder or a dispute file, not an invitation."""
    return Path(file).is_dir() or (file != "-" and Path(file).is_file() and zipfile.is_zipfile(file))


def come_back(file: str, into: Path, yes: bool) -> None:
    """Take one's seat again in a game folder, or in a game that a dispute file holds."""
    from pbem.cli.exchange import show_result
    from pbem.lobby import return_to
    from pbem.table import Table

    place = Path(file)
    key = signing_key()
    if place.is_dir():
        table = Table.open(place, home())
        seat = return_to(home(), table, key)
    else:
        table, seat = _rebuild(place, into, yes)
    table = Table.open(table.folder, home())
    click.echo(f"you are {seat} again, in {table.folder}")
    show_result(table, table.receive([]))
    click.echo("what you signed elsewhere and never sent is not known here: do not decide it twice")


def _rebuild(place: Path, into: Path, yes: bool) -> tuple[Table, str]:
    """The game that a dispute file holds, in a folder of its own."""
    from pbem import dispute
    from pbem.cli.exchange import receive_all
    from pbem.cli.papers import rules_for
    from pbem.lobby import game_folder, return_to
    from pbem.protocol.contract import read_contract
    from pbem.table import Table

    files = dispute.read_file(place)
    if "game.toml" not in files:
        raise VerificationError(f"{place} holds no contract", "ask for the file again")
    contract = read_contract(files["game.toml"])
    rules, pack = rules_for(home(), contract.invite)
    folder = game_folder(into, contract).absolute()
    if folder.exists():
        raise UsageError(f"{folder} exists already", "`pbem join FOLDER` takes the seat again in it")
    confirm(f"rebuild the game in {folder}?", yes)
    table = Table.create(folder, contract, rules, pack, None)
    seat = return_to(home(), table, signing_key())
    raws = [files[name] for name in sorted(files) if name.startswith(("moves/", "waiting/"))]
    refused = receive_all(table, raws, answer=False).refused
    if refused:
        raise refused[0]
    return table, seat


def adopted(lobby: Lobby) -> bool:
    """Whether one's own key has taken a seat at this table already; then that seat is this home's."""
    return lobby.own_seat is None and lobby.adopt(signing_key()) is not None
