"""`pbem new` and `pbem join`: from an invitation to a contract that everybody has signed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import confirm, did_you_mean, home, signing_key, write_file, yes_option
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.engine.rules import AnyRules
    from pbem.home import Home
    from pbem.lobby import Lobby
    from pbem.protocol.contract import Clocks

CLOCKS = ("move", "grace", "audit", "absence")


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
    "--pack", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Data of your own."
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
    from pbem.cli.papers import provenance, terms
    from pbem.engine import registry
    from pbem.lobby import new_table

    here = home()
    key = signing_key()
    rules = registry.load(game)
    data = rules.load_pack(pack)
    if pack is not None:
        here.set_config(packs={**here.config().get("packs", {}), data.digest: str(pack.absolute())})
    chosen = _scenario(rules, data, scenario)
    seats = _seats(rules, data, chosen, players)
    mine = seat or seats[0]
    if mine not in seats:
        raise UsageError(f"there is no seat {mine!r}", did_you_mean(mine, seats, "the seats are"))
    me = _myself(here, name, address)
    lobby = new_table(
        here,
        rules.name,
        rules.version,
        data.digest,
        provenance(data),
        chosen,
        seats,
        _options(rules, data, options),
        _clocks(clocks),
        comment,
    )
    click.echo(terms(here, lobby))
    confirm(f"invite others to this, with you as {mine}?", yes)
    lobby.accept(key, mine, *me)
    file = out or Path(f"{rules.name}-{lobby.table[:8]}.pbem")
    write_papers(lobby, file)
    click.echo(f"written: {file}")
    _what_next(file, [s for s in seats if s != mine])


def _what_next(file: Path, others: list[str]) -> None:
    if len(others) == 1:
        click.echo(f"next: mail {file} to whoever shall play {others[0]}; they run: pbem join {file.name}")
    else:
        click.echo(f"next: mail {file} to one of the others ({', '.join(others)}); each runs `pbem join")
        click.echo("FILE` and hands the file that comes out to the next, until it comes back to you")
    click.echo("then: `pbem receive FILE` with what comes back, and the game begins")


def write_papers(lobby: Lobby, file: Path) -> None:
    """All papers of a table as one file."""
    from pbem.transport.bundle import pack

    write_file(file, pack(lobby.bundle()))


def _scenario(rules: AnyRules, pack: Any, wanted: str | None) -> str:
    known = rules.scenarios(pack)
    if wanted is None:
        return next(iter(known))
    if wanted not in known:
        raise UsageError(
            f"{rules.name} has no scenario {wanted!r}", did_you_mean(wanted, known, "the scenarios are")
        )
    return wanted


def _seats(rules: AnyRules, pack: Any, scenario: str, players: int | None) -> tuple[str, ...]:
    least, most = rules.seats
    count = players or least
    if not least <= count <= most:
        raise UsageError(f"{rules.name} is for {least} to {most} players, not {count}")
    return rules.seat_names(pack, scenario, count)


def _options(rules: AnyRules, pack: Any, given: Sequence[str]) -> Mapping[str, str]:
    known = rules.options(pack)
    chosen = {name: values[0] for name, values in known.items()}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{text!r} is no option", "write it as NAME=VALUE")
        if name not in known:
            raise UsageError(
                f"{rules.name} has no option {name!r}", did_you_mean(name, known, "the options are")
            )
        if value not in known[name]:
            raise UsageError(
                f"option {name} cannot be {value!r}", did_you_mean(value, known[name], "the values are")
            )
        chosen[name] = value
    return chosen


def _clocks(given: Sequence[str]) -> Clocks:
    from pbem.protocol.contract import USUAL_CLOCKS, Clocks

    hours = {name: getattr(USUAL_CLOCKS, name) for name in CLOCKS}
    for text in given:
        name, equals, value = text.partition("=")
        name, value = (name, value) if equals else ("move", name)
        if name not in CLOCKS:
            raise UsageError(f"there is no clock {name!r}", did_you_mean(name, CLOCKS, "the clocks are"))
        least = 0 if name == "absence" else 1
        if not value.isascii() or not value.isdigit() or not least <= int(value) <= 100_000:
            raise UsageError(f"{value!r} is no number of hours", "for example --clock 72 or --clock grace=24")
        hours[name] = int(value)
    return Clocks(**hours)


def _myself(here: Home, name: str | None, address: str | None) -> tuple[str, str]:
    """Name and address for the contract: as given, as remembered, or as the system knows the user."""
    import getpass

    known = here.config()
    chosen = name or known.get("name")
    if not chosen:
        try:
            chosen = getpass.getuser()
        except (OSError, KeyError, ImportError):
            chosen = "player"
    where = address if address is not None else known.get("address", "")
    for what, text in (("name", chosen), ("address", where)):
        if len(text) > 120 or not text.isprintable():
            raise UsageError(f"your {what} does not fit a contract", "at most 120 printable characters")
    if name or address is not None:
        here.set_config(name=str(chosen), address=str(where) or None)
    return str(chosen), str(where)


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
    from pbem.cli.papers import missing, sign_if_complete, terms
    from pbem.cli.returning import adopted, come_back, is_game

    if is_game(file):
        come_back(file, into, yes)
        return
    here = home()
    lobby = _one_table(here, file)
    if adopted(lobby):
        click.echo(f"your key has the seat {lobby.own_seat} already; this home sits there too from now on")
        click.echo(f"next: `pbem receive {file}` takes the papers in")
        return
    mine = _choose_seat(lobby, file, seat)
    key = signing_key()
    click.echo(terms(here, lobby))
    confirm(f"take the seat {mine} and sign this?", yes)
    lobby.accept(key, mine, *_myself(here, name, address))
    lobby.save(into=str(into.absolute()))
    sign_if_complete(here, lobby)
    answer = out or Path(f"{lobby.invite.rules}-{lobby.table[:8]}-{mine}.pbem")
    write_papers(lobby, answer)
    click.echo(f"written: {answer}")
    _say_next(lobby, answer, missing(lobby))


def _one_table(here: Home, file: str) -> Lobby:
    """The table that the papers in a file belong to."""
    from pbem.cli.incoming import find_files
    from pbem.cli.papers import is_entry
    from pbem.lobby import open_lobbies

    papers = [raw for raw in find_files([file]).raws if not is_entry(raw)]
    if not papers:
        raise UsageError(f"there is no invitation in {file}", "`pbem receive FILE` takes moves in")
    lobbies = open_lobbies(here, papers)
    if len(lobbies) != 1:
        raise UsageError(f"{file} holds invitations to {len(lobbies)} tables", "join them one by one")
    return lobbies[0]


def _choose_seat(lobby: Lobby, file: str, seat: str | None) -> str:
    """The seat that is meant, if it is free."""
    if lobby.own_seat is not None:
        raise UsageError(f"you already sit at {lobby.own_seat}", f"`pbem receive {file}` takes it in")
    free = lobby.free_seats()
    if not free:
        raise UsageError("no seat is free at this table", "ask the host for a new invitation")
    mine = seat or free[0]
    if mine not in free:
        raise UsageError(f"seat {mine!r} is not free", did_you_mean(mine, free, "free:"))
    if seat is None and len(free) > 1:
        raise UsageError("which seat do you take?", f"--seat, one of: {', '.join(free)}")
    return mine


def _say_next(lobby: Lobby, answer: Path, waiting: Sequence[str]) -> None:
    taken = lobby.accepts()
    if lobby.free_seats():
        click.echo(f"next: mail {answer} to whoever takes the next seat ({', '.join(lobby.free_seats())})")
    else:
        who = ", ".join(f"{taken[s].name} <{taken[s].address}>" if taken[s].address else s for s in waiting)
        click.echo(f"next: mail {answer} to {who}; they run: pbem receive {answer.name}")
    click.echo("then: `pbem receive FILE` with what comes back, and the game begins")
