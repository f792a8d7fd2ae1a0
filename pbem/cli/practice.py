"""`pbem practice`: a game against the bot, with the same commands as against people."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import home, signing_key
from pbem.cli.contract import complete_game, complete_seat, name_option


@click.command("practice")
@click.argument("game", shell_complete=complete_game)
@click.option("--as", "seat", shell_complete=complete_seat, help="Your seat; without it, the first.")
@click.option("--scenario", help="Which scenario; without it, the game's first.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the contract.")
@click.option("--players", type=click.IntRange(2, 6), help="How many play, where the game leaves it open.")
@click.option(
    "--into", type=click.Path(file_okay=False, path_type=Path), help="The folder that the game goes into."
)
@name_option
def practice_command(
    game: str,
    seat: str | None,
    scenario: str | None,
    options: tuple[str, ...],
    players: int | None,
    into: Path | None,
    name: str | None,
) -> None:
    """Play against the bot: every other seat is played by the game itself, at once.

    All commands are the same as against people, and so is the game: signed, verified, audited. The bot
    agrees to every take-back and draw.

    Example: pbem practice kawagoe --as hojo
    """
    from pbem import report
    from pbem.doing.incoming import name_of
    from pbem.doing.inviting import Wanted, myself
    from pbem.doing.practising import practise

    here = home()
    wanted = Wanted(game, scenario, options, players, seat, comment="practice against the bot")
    begun = practise(here, wanted, (myself(here, name, None)[0], ""), signing_key, into or Path.cwd())
    table = begun.table
    click.echo(f"{name_of(here, table)}: you are {begun.seat}, the bot is {', '.join(begun.bots)}")
    click.echo(f"folder: {table.folder}")
    for line in (*begun.said, *report.whose_turn(table)):
        click.echo(line)
    click.echo(f"next: `pbem primer {game}` explains it, `pbem legal` lists your answers")
