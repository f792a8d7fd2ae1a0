"""`pbem games`: the player's games, or the games there are to play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pbem.cli.common import home, json_option, print_json
from pbem.errors import PbemError


@click.command("games")
@click.option("--available", is_flag=True, help="The games that can be played, with their scenarios.")
@json_option
def games_command(available: bool, as_json: bool) -> None:
    """Your games: what is asked of whom since when and until when, who is away, who has seen what.

    A clock that has run out can be claimed (`pbem claim`). What the others have seen is what their own
    entries show. Invitations under way are listed too.

    Example: pbem games --available
    """
    if available:
        _available(as_json)
    else:
        _mine(as_json)


def _available(as_json: bool) -> None:
    from pbem.engine import registry

    listed: list[dict[str, Any]] = []
    for name in registry.names():
        try:
            rules = registry.load(name)
            listed.append(
                {
                    "game": name,
                    "title": rules.title,
                    "scenarios": dict(rules.scenarios(rules.load_pack())),
                    "seats": list(rules.seats),
                }
            )
        except PbemError as error:  # a broken game is named, and the others are listed
            listed.append({"game": name, "problem": error.message})
    if as_json:
        for game in listed:
            game["scenarios"] = list(game.get("scenarios", ()))
        print_json(listed)
        return
    for game in listed:
        if "problem" in game:
            click.echo(f"{game['game']}: {game['problem']}", err=True)
            continue
        least, most = game["seats"]
        players = least if least == most else f"{least} to {most}"
        click.echo(f"{game['game']}: {game['title']}, {players} players")
        for scenario, title in game["scenarios"].items():
            click.echo(f"  {scenario}: {title}")


def _mine(as_json: bool) -> None:
    from pbem import timing

    games = [_game(name, folder) for name, folder in home().games().items()]
    lobbies = _lobbies()
    if as_json:
        print_json([*games, *lobbies])
        return
    for game in games:
        if "problem" in game:
            click.echo(f"{game['name']}: {game['problem']} ({game['folder']})")
            continue
        who = f"you are {game['seat']}" if game["seat"] else "you watch"
        click.echo(f"{game['name']}: {game['game']}, {game['headline']}; {who}")
        if game["outcome"]:
            click.echo(f"  over: {game['outcome']}")
        for line in timing.game_lines(game):
            click.echo(f"  {line}")
    for lobby in lobbies:
        click.echo(f"table {lobby['table'][:8]}: {lobby['game']}, to sign: {', '.join(lobby['missing'])}")
    if not games and not lobbies:
        click.echo("you have no games yet: `pbem new GAME` invites someone, `pbem join FILE` accepts")


def _game(name: str, folder: Path) -> dict[str, Any]:
    """One game for the list; a folder that cannot be opened does not hide the others."""
    from pbem import report, timing
    from pbem.doing.handover import known_handed
    from pbem.table import Table

    try:
        table = Table.open(folder, home())
        return {
            "name": name,
            "folder": str(folder),
            "game": table.contract.invite.rules,
            "scenario": table.contract.invite.scenario,
            "seat": table.seat,
            "headline": table.ledger.machine.rules.headline(table.ledger.position),
            "entries": table.ledger.state.number,
            "fingerprint": table.fingerprint,
            "asked": report.asked(table),
            "outcome": report.outcome(table) or None,
            "absences": timing.absences(table),
            "receipts": timing.receipts(table),
            "handed": known_handed(table),
        }
    except PbemError as error:
        return {"name": name, "folder": str(folder), "problem": error.message}


def _lobbies() -> list[dict[str, Any]]:
    """Tables whose contract is not complete."""
    from pbem.doing.papers import missing
    from pbem.lobby import Lobby

    found = []
    here = home()
    for path in sorted((here.path / "tables").glob("lobby-*.toml")):
        lobby = Lobby.load(here, path.stem.removeprefix("lobby-"))
        if lobby.own_seat is not None and lobby.note("folder") is None:
            found.append(
                {
                    "table": lobby.table,
                    "game": lobby.invite.rules,
                    "seat": lobby.own_seat,
                    "missing": missing(lobby),
                }
            )
    return found
