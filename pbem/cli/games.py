"""`pbem games`: the player's games, or the games there are to play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import FIRST_STEPS, confirm, home, json_option, print_json, yes_option
from pbem.errors import PbemError, UsageError
from pbem.words import did_you_mean

if TYPE_CHECKING:
    from pbem.lobby import Lobby
    from pbem.table import Table


@click.command("games")
@click.option("--available", is_flag=True, help="The games that can be played, with their scenarios.")
@json_option
def games_command(available: bool, as_json: bool) -> None:
    """Your games: what is asked of whom since when and until when, who is away, who has seen what.

    When the time of a player is over, `pbem late` says so to the others. What the others have seen is
    what their own entries show. Invitations under way are listed too.

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

    games = _games()
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
        for line in (*timing.game_lines(game), *game["offers"]):
            click.echo(f"  {line}")
    for lobby in lobbies:
        click.echo(f"table {lobby['table'][:8]}: {lobby['game']}, to sign: {', '.join(lobby['missing'])}")
    if not games and not lobbies:
        click.echo(f"you have no games yet: {FIRST_STEPS}")


def _games() -> list[dict[str, Any]]:
    """Every game for the list; a folder that cannot be opened does not hide the others."""
    from pbem.doing.summaries import Summaries

    here = home()
    summaries, found = Summaries(here), []
    for name, folder in here.games().items():
        try:
            told = summaries.of("games", folder, _game)
            found.append({"name": name, "folder": str(folder), **told})
        except PbemError as error:
            found.append({"name": name, "folder": str(folder), "problem": error.message})
    return found


def _game(table: Table) -> dict[str, Any]:
    """One game for the list."""
    from pbem import report, timing
    from pbem.doing.handover import known_handed
    from pbem.doing.notices import offers
    from pbem.protocol.log.results import result

    return {
        "game": table.contract.invite.rules,
        "scenario": table.contract.invite.scenario,
        "result": result(table.ledger),
        "seat": table.seat,
        "headline": table.ledger.machine.rules.headline(table.ledger.position),
        "entries": table.ledger.state.number,
        "fingerprint": table.fingerprint,
        "asked": report.asked(table),
        "outcome": report.outcome(table) or None,
        "absences": timing.absences(table),
        "receipts": timing.receipts(table),
        "handed": known_handed(table),
        "offers": offers(table),
    }


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


@click.command("next")
@json_option
def next_command(as_json: bool) -> None:
    """The next game that waits for a decision of yours: the one whose clock runs out first.

    Example: pbem next
    """
    waiting = []
    for game in _games():
        mine = [
            one for one in game.get("asked", ()) if one["seat"] == game["seat"] and one["kind"] != "answers"
        ]
        waiting += [(one["deadline"] or "9999", game["name"], one["what"], game["folder"]) for one in mine]
    waiting.sort()
    if as_json:
        print_json([{"game": n, "deadline": d, "what": w, "folder": f} for d, n, w, f in waiting])
        return
    if not waiting:
        click.echo("no game waits for you")
        return
    deadline, name, what, place = waiting[0]
    until = f" until {deadline}" if deadline != "9999" else ""
    click.echo(f"{name}: asked of you{until}: {what}")
    click.echo(f"next: `pbem status -g {name}`; it is in {place}")
    if len(waiting) > 1:
        click.echo(f"then: {', '.join(dict.fromkeys(one[1] for one in waiting[1:]))}")


@click.command("withdraw")
@click.argument("table", metavar="TABLE")
@yes_option
def withdraw_command(table: str, yes: bool) -> None:
    """Take back an invitation, or an acceptance, whose contract this home has not signed yet.

    TABLE is its name in `pbem games`. What others were sent they still have; but without your signature
    no game can begin from it.

    Example: pbem withdraw 1a2b3c4d
    """
    from pbem.lobby import withdraw

    lobby = withdraw_meant(table)
    confirm(f"withdraw from table {lobby.table[:8]} ({lobby.invite.rules})?", yes)
    withdraw(lobby)
    click.echo(f"table {lobby.table[:8]} is forgotten: no game begins from it with your signature")


def withdraw_meant(name: str) -> Lobby:
    """The open table that is meant, by the beginning of its id."""
    open_tables = [one["table"] for one in _lobbies()]
    meant = [one for one in open_tables if one.startswith(name)]
    if len(meant) != 1:
        listed = did_you_mean(name, [one[:8] for one in open_tables], "open tables:")
        raise UsageError(f"no open table is called {name!r}", listed)
    from pbem.lobby import Lobby

    return Lobby.load(home(), meant[0])
