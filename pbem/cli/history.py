"""The past of a game: the log as one document, one entry, or everything step by step."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import game_option, home, json_option, open_table, print_json, progress
from pbem.cli.completing import complete_things
from pbem.doing.files import write_file
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.table import Table


_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("log")
@click.option("--from", "first", type=click.IntRange(0), default=0, metavar="N", help="From entry N on.")
@game_option
@json_option
def log_command(first: int, game: str | None, as_json: bool) -> None:
    """The whole log as one TOML document: who, when, what followed under which rule, position digests.

    With --json also the players, the rules, the dates, and who won.

    Example: pbem log > game.log.toml
    """
    from pbem.doing.history import check_number
    from pbem.filing import log_path

    table = open_table(game)
    check_number(table, first)
    last = table.ledger.state.number
    invite = table.contract.invite
    if as_json:
        print_json(_log_table(table, first))
        return
    click.echo(f'game = "{table.contract.game.hex()}"\nrules = "{invite.rules}"')
    click.echo(f'scenario = "{invite.scenario}"\nfingerprint = "{table.fingerprint}"')
    paths = [log_path(number) for number in range(first, last + 1)]
    for raw in table.repo.read_many(paths):
        click.echo(f"\n[[entry]]\n{raw.decode()}", nl=False)


def _log_table(table: Table, first: int) -> dict[str, Any]:
    """The result of a game and every record of its log."""
    import tomllib

    from pbem.filing import log_path
    from pbem.protocol.log.results import result

    paths = [log_path(number) for number in range(first, table.ledger.state.number + 1)]
    entries = [tomllib.loads(raw.decode()) for raw in table.repo.read_many(paths)]
    return {"result": result(table.ledger), "fingerprint": table.fingerprint, "entry": entries}


@click.command("show")
@click.argument("number", metavar="N", type=click.IntRange(0))
@click.option("--raw", is_flag=True, help="The exact bytes that its author signed.")
@click.option("--board/--no-board", default=True, help="With the position after it.")
@game_option
@json_option
def show_command(number: int, raw: bool, board: bool, game: str | None, as_json: bool) -> None:
    """An earlier entry: who signed it and when, what it led to, and the position after it.

    Example: pbem show 12
    """
    from pbem import report
    from pbem.doing.history import check_number, position_after
    from pbem.page.terminal import show

    table = open_table(game)
    check_number(table, number)
    if raw:
        if number == 0:
            raise UsageError("nobody signed entry 0: it is the beginning", "game.toml holds the contract")
        sys.stdout.buffer.write(table.entries([number])[0].raw)
        sys.stdout.buffer.flush()
        return
    (one,) = report.read_log(table, number, number)
    pos = position_after(table, number)
    commit = table.repo.history()[number]
    if as_json:
        events = [event.table() for event in one.events]
        what = {"number": one.number, "seat": one.seat, "kind": one.kind, "sent": one.sent}
        print_json({**what, "fingerprint": commit, "events": events, "position": pos.text()})
        return
    head = (
        f"entry {number}: {one.kind} of {one.seat}, sent {one.sent}" if number else "entry 0: the beginning"
    )
    click.echo(head)
    click.echo(f"fingerprint: {commit}")
    for event in one.events:
        click.echo(f"  {event.rule:<6} {report.spoken(table, event)}")
    if board:
        click.echo(show(table.ledger.machine.rules, pos))


@click.command("replay")
@click.argument("source", metavar="[ZIP]", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--html", type=_FILE, metavar="FILE", help="Write it as one page to look at.")
@click.option("--proof", is_flag=True, help="With --html: every entry as signed, so that the page checks it.")
@click.option("--from", "first", type=click.IntRange(0), default=0, metavar="N", help="Begin after entry N.")
@click.option("--back", is_flag=True, help="From the last entry backwards.")
@click.option("--board/--no-board", default=True, help="With the position after each entry.")
@game_option
def replay_command(
    source: Path | None,
    html: Path | None,
    proof: bool,
    first: int,
    back: bool,
    board: bool,
    game: str | None,
) -> None:
    """The game step by step: each entry that led to something, and the position after it.

    On a terminal, Enter goes on, b goes back and q ends; else everything is printed at once. With
    --html: one file that opens in any browser without a network, shows every step, and makes the dice
    again; ZIP is a game as `pbem dispute --out` writes it.

    Example: pbem replay --html kawagoe.html --proof
    """
    from pbem.doing.history import check_number

    if html is not None:
        _write_page(source, html, proof, game)
        return
    if source is not None or proof:
        raise UsageError("a zip and --proof go with --html", "pbem replay --html FILE [ZIP]")
    table = open_table(game)
    check_number(table, first)
    _walk(table, first, back, board)


def _walk(table: Table, first: int, back: bool, board: bool) -> None:
    """Step by step, in both directions where somebody sits at the keyboard."""
    from pbem import report
    from pbem.doing.history import position_after
    from pbem.page.terminal import show

    last = table.ledger.state.number
    history = table.repo.history()
    told = report.read_log(table, first, last)
    steps = [
        (one, lines) for one in told if (lines := report.lines(table, [one])) or one.number in (first, last)
    ]
    at, by = (len(steps) - 1, -1) if back else (0, 1)
    while 0 <= at < len(steps):
        one, lines = steps[at]
        for line in lines or [f"entry {one.number}"]:
            click.echo(line)
        if board:
            click.echo(show(table.ledger.machine.rules, position_after(table, one.number)))
        click.echo(f"-- {one.number} of {last}, {history[one.number][:12]}")
        asks = sys.stdin.isatty() and sys.stdout.isatty() and len(steps) > 1
        key = click.getchar() if asks and 0 <= at + by < len(steps) else ""
        if key in ("q", "\x03", "\x04"):
            return
        at = max(at - by, 0) if key in ("b", "\x1b[D") else at + by


def _write_page(source: Path | None, html: Path, proof: bool, game: str | None) -> None:
    from pbem.dispute import files_of, read_file
    from pbem.page.replay import replay_page

    files = read_file(source) if source is not None else files_of(open_table(game))
    with progress("verifying") as step:
        page = replay_page(files, home(), proof, step)
    write_file(html, page.encode())
    click.echo(f"written: {html}, {len(page.encode()) // 1000} kB; open it in a browser")


@click.command("history")
@click.argument("words", nargs=-1, shell_complete=complete_things)
@click.option("--turn", type=click.IntRange(0), metavar="N", help="Only this turn.")
@click.option("--dice", is_flag=True, help="Only how the dice fell for each side.")
@game_option
@json_option
def history_command(
    words: tuple[str, ...], turn: int | None, dice: bool, game: str | None, as_json: bool
) -> None:
    """What happened to a unit, at a place, in a turn: every event of the log that names all WORDS.

    Example: pbem history ujiyasu --turn 2
    """
    from pbem.doing.history import about, dice_by_seat, happened

    table = open_table(game)
    known = table.ledger.machine.rules.aliases(table.ledger.position)
    found = about(happened(table), [known.get(word, word) for word in words], turn)
    if as_json:
        names = ("entry", "turn", "seat", "text", "dice")
        events = [{**{name: getattr(one, name) for name in names}, **one.event.table()} for one in found]
        print_json({"events": [] if dice else events, "dice": dice_by_seat(found)})
        return
    shown = 0
    for one in () if dice else found:
        if one.turn and one.turn != shown:
            shown = one.turn
            click.echo(f"turn {shown}")
        click.echo(f"  {one.entry:>4} {one.event.rule:<6} {one.text}")
    for seat, fallen in sorted(dice_by_seat(found).items()):
        mean = sum(fallen) / len(fallen)
        click.echo(f"dice of {seat}: {' '.join(map(str, fallen))} (mean {mean:.2f})")
    if not found:
        click.echo(
            "nothing in the log names that" if words or turn is not None else "nothing has happened yet"
        )
    elif dice and not dice_by_seat(found):
        click.echo("no die has fallen there")
