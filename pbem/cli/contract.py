"""`pbem new` and `pbem join`: from an invitation to a contract that everybody has signed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import confirm, home, progress, signing_key, yes_option
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.lobby import Lobby


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The games that can be played, for the shell."""
    from pbem.engine import registry

    return [name for name in registry.names() if name.startswith(incomplete)]


def complete_seat(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The seats of the game on the line, for the shell."""
    from pbem.engine import registry

    game = ctx.params.get("game") or next(iter(ctx.args), "")  # click has not sorted a line without its end
    try:
        rules = registry.load(str(game))
        pack = rules.load_pack()
        scenario = ctx.params.get("scenario") or next(iter(rules.scenarios(pack)))
        seats = rules.seat_names(pack, str(scenario), ctx.params.get("players") or rules.seats[1])
    except Exception:
        return []
    return [seat for seat in seats if seat.startswith(incomplete)]


name_option = click.option("--name", help="Your name as the others will read it; remembered.")
address_option = click.option("--address", help="Where you read mail; remembered and shown to the others.")


@click.command("new")
@click.argument("game", shell_complete=complete_game)
@click.option("--scenario", help="Which scenario; without it, the game's first.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the contract.")
@click.option("--players", type=click.IntRange(2, 6), help="How many play, where the game leaves it open.")
@click.option("--seat", shell_complete=complete_seat, help="Your seat; without it, the first.")
@name_option
@address_option
@click.option(
    "--clock",
    "clocks",
    multiple=True,
    metavar="HOURS",
    help="Hours for a decision; or move=HOURS, grace=HOURS, audit=HOURS, absence=HOURS (0: none).",
)
@click.option(
    "--threshold",
    type=click.IntRange(2, 5),
    metavar="N",
    help="With three or more players: how many of the others together can open the hand of one who vanished.",
)
@click.option(
    "--pack",
    "--kit",
    "pack",
    type=click.Path(exists=True, path_type=Path),
    metavar="DIR|FILE",
    help="Data of your own; a kit of the table.",
)
@click.option("--comment", default="", help="A line for the others.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where the invitation goes.")
@yes_option
def new_command(
    game: str,
    scenario: str | None,
    options: tuple[str, ...],
    players: int | None,
    seat: str | None,
    name: str | None,
    address: str | None,
    clocks: tuple[str, ...],
    threshold: int | None,
    pack: Path | None,
    comment: str,
    out: Path | None,
    yes: bool,
) -> None:
    """Invite others to a game: writes a file for them to `pbem join`.

    Your seat is taken at once. The contract is signed when all seats are; nothing is secret in the
    file, and whoever has it can take a free seat.

    Example: pbem new kawagoe --seat hojo --name Ann --out invitation.pbem
    """
    from pbem.doing import inviting
    from pbem.doing.papers import terms

    here, key = home(), signing_key()
    wanted = inviting.Wanted(game, scenario, options, players, seat, clocks, pack, comment, threshold)
    lobby, mine = inviting.offer(here, wanted)
    me = inviting.myself(here, name, address)
    click.echo(terms(here, lobby))
    confirm(f"invite others to this, with you as {mine}?", yes)
    file = out or Path(f"{lobby.invite.rules}-{lobby.table[:8]}.pbem")
    inviting.take_seat(here, lobby, mine, me, lambda: key, file)
    click.echo(f"written: {file}")
    _what_next(file, [s for s in lobby.invite.seats if s != mine])


def _what_next(file: Path, others: list[str]) -> None:
    if len(others) == 1:
        click.echo(f"next: mail {file} to whoever shall play {others[0]}; they run: pbem join {file.name}")
    else:
        click.echo(f"next: mail {file} to one of the others ({', '.join(others)}); each runs `pbem join")
        click.echo("FILE` and hands the file that comes out to the next, until it comes back to you")
    click.echo("then: `pbem receive FILE` with what comes back, and the game begins")


@click.command("join")
@click.argument("file", metavar="FILE|DIR|-", type=click.Path(allow_dash=True))
@click.option("--seat", help="The seat you take; needed if several are free.")
@name_option
@address_option
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="Folder for the game folder.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where your answer goes.")
@yes_option
def join_command(
    file: str,
    seat: str | None,
    name: str | None,
    address: str | None,
    into: Path,
    out: Path | None,
    yes: bool,
) -> None:
    """Accept an invitation: shows everything it says, asks once, signs, and writes an answer.

    FILE is what you were sent: the .pbem file, the mail itself, or its text. A game folder or a
    dispute file in which your key has a seat already brings you back to it, on another machine or
    after a loss.

    Example: pbem join invitation.pbem --name Ben --out answer.pbem
    """
    from pbem.doing import inviting
    from pbem.doing.papers import missing, terms
    from pbem.doing.returning import adopted, is_game

    if is_game(file):
        _come_back(file, into, yes)
        return
    here = home()
    lobby = inviting.one_table(here, file)
    if adopted(lobby, signing_key):
        click.echo(f"your key has the seat {lobby.own_seat} already; this home sits there too from now on")
        click.echo(f"next: `pbem receive {file}` takes the papers in")
        return
    if lobby.own_seat is not None and lobby.is_handed():
        raise UsageError(f"you already sit at {lobby.own_seat}", f"`pbem receive {file}` takes it in")
    mine = lobby.own_seat or inviting.choose_seat(lobby, seat)
    if lobby.own_seat is None:
        click.echo(terms(here, lobby))
        confirm(f"take the seat {mine} and sign this?", yes)
    answer = out or Path(f"{lobby.invite.rules}-{lobby.table[:8]}-{mine}.pbem")
    inviting.take_seat(here, lobby, mine, inviting.myself(here, name, address), signing_key, answer, into)
    click.echo(f"written: {answer}")
    _say_next(lobby, answer, missing(lobby))


def _come_back(file: str, into: Path, yes: bool) -> None:
    """Take one's seat again in a game folder, or in a game that a dispute file holds."""
    from pbem.cli.said import show_news
    from pbem.doing import returning

    folder = Path(file)
    if not folder.is_dir():
        plan = returning.rebuilding(folder, into)
        confirm(f"rebuild the game in {plan.folder}?", yes)
        returning.rebuild(home(), plan, signing_key)
        folder = plan.folder
    click.echo("what you signed elsewhere and never sent is not known here")
    confirm("do you decide here from now on, and nowhere else?", yes)
    with progress("verifying") as step:
        seat, news = returning.come_back(home(), folder, signing_key, step)
    click.echo(f"you are {seat} again, in {news.table.folder}")
    show_news(news)


def _say_next(lobby: Lobby, answer: Path, waiting: Sequence[str]) -> None:
    taken = lobby.accepts()
    if lobby.free_seats():
        click.echo(f"next: mail {answer} to whoever takes the next seat ({', '.join(lobby.free_seats())})")
    else:
        who = ", ".join(f"{taken[s].name} <{taken[s].address}>" if taken[s].address else s for s in waiting)
        click.echo(f"next: mail {answer} to {who}; they run: pbem receive {answer.name}")
    click.echo("then: `pbem receive FILE` with what comes back, and the game begins")
