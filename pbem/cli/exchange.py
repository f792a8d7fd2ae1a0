"""`pbem receive` and `pbem send`: what comes in is verified before a word of it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    complete_seats,
    count,
    game_option,
    home,
    json_option,
    open_table,
    print_json,
    progress,
    signing_key,
)
from pbem.errors import PbemError, UsageError

if TYPE_CHECKING:
    from pbem.cli.papers import Taken
    from pbem.table import Received, Table

STEP = 20
"""So many entries are taken in between two looks at the clock."""

out_option = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the file for the others goes: .eml a mail, .txt text to paste, else a bundle.",
)


@click.command("receive")
@click.argument("files", metavar="FILE…|-", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--into", type=click.Path(file_okay=False, path_type=Path), help="Folder for a new game's folder."
)
@out_option
@json_option
def receive_command(files: tuple[str, ...], into: Path | None, out: Path | None, as_json: bool) -> None:
    """Verify and apply what the others sent; answer at once what needs no decision.

    A FILE may be a .pbem file, a saved mail, an mbox, or text that was pasted; - reads standard
    input. Taking the same thing in twice does no harm. What is refused changes nothing.

    Example: pbem receive answer.pbem
    """
    from pbem.cli import incoming, papers

    found = incoming.find_files(files)
    split = incoming.sort(found.raws)
    refused = [*found.problems, *split.refused]
    taken = papers.take(home(), split.papers, into) if split.papers else papers.Taken()
    refused += taken.refused
    results = _apply(split.entries, taken, refused)
    if split.rekeys:
        taken.said.append("someone asks to go on with a new key: `pbem rekey FILE` shows and agrees to it")
    if not as_json:
        for line in taken.said:
            click.echo(line)
        for table, result in results:
            show_result(table, result)
    written = _reply(results, taken, out, as_json)
    if as_json:
        print_json(_as_json(results, taken, refused, written))
    if refused:
        if not as_json:
            papers.echo_refusals(refused[1:])
        raise refused[0]


def _apply(
    entries: dict[str, list[bytes]], taken: Taken, refused: list[PbemError]
) -> list[tuple[Table, Received]]:
    """Give each game its entries; new games make their first answers."""
    from pbem.cli.incoming import table_of

    open_tables = list(taken.tables)
    results: list[tuple[Table, Received]] = []
    for game in (*entries, *(t.contract.game.hex() for t in taken.tables)):
        if any(table.contract.game.hex() == game for table, _ in results):
            continue
        table = table_of(game, open_tables)
        if table is None:
            hint = "`pbem games` lists yours; the papers of a new game come in its own file"
            refused.append(UsageError("there are entries of a game that is not known here", hint))
            continue
        result = receive_all(table, entries.get(game, []))
        table = _go_on(table, result)
        refused += result.refused
        results.append((table, result))
    return results


def receive_all(table: Table, raws: Sequence[bytes], answer: bool = True) -> Received:
    """Take entries in, with a bar if they are many; what they lead to is committed in one go."""
    from pbem.table import Received

    result = Received()
    with progress("taking in") as step, table.sitting():
        for first in range(0, len(raws), STEP):
            _add(result, table.receive(raws[first : first + STEP], answer=False))
            step(first, len(raws))
        _add(result, table.receive([], answer=answer))
    return result


def _go_on(table: Table, result: Received) -> Table:
    """What follows without a decision, but needs the main key: a new key of one's own, an agreement."""
    from pbem.cli.notices import completes
    from pbem.cli.rekeying import take_into_use
    from pbem.protocol.bodies import Note
    from pbem.table import Table

    if take_into_use(table):
        table = Table.open(table.folder, home())
        _add(result, table.receive([]))
    if completes(table):
        note, more = table.play("note", lambda own: Note(), signing_key())
        result.answered.append(note)
        _add(result, more)
    return table


def _add(result: Received, more: Received) -> None:
    result.logged += more.logged
    result.answered += more.answered
    result.repeated += more.repeated
    result.refused += more.refused
    result.waiting = more.waiting


def show_result(table: Table, result: Received) -> None:
    """The report of what was taken in: events with their rules, whose turn, the fingerprint."""
    from pbem import report
    from pbem.cli.incoming import name_of
    from pbem.cli.notices import notices
    from pbem.drafts import keep_returned

    click.echo(f"{name_of(table)}: {_counts(result)}")
    news = report.lines(table, [report.told(one) for one in result.logged])
    for line in (*news, *report.whose_turn(table), *notices(table)):
        click.echo(line)
    if keep_returned(table, result.logged):
        click.echo("the rest of your list is your draft now: `pbem orders` shows it")
    click.echo(report.fingerprint(table))


def _counts(result: Received) -> str:
    parts = [f"{count(len(result.logged), 'entry', 'entries')} logged"]
    if result.answered:
        parts.append(f"{count(len(result.answered), 'answer', 'answers')} of yours made")
    if result.repeated:
        parts.append(f"{result.repeated} here already")
    if result.waiting:
        parts.append(f"{result.waiting} kept until their turn comes")
    return ", ".join(parts)


def _reply(results: list[tuple[Table, Received]], taken: Taken, out: Path | None, quiet: bool) -> list[Path]:
    """Hand over what this seat answered, and papers that it signed; returns the files."""
    from pbem.cli.contract import write_papers
    from pbem.cli.handover import hand_over
    from pbem.cli.incoming import name_of

    files = []
    for table, result in results:
        if result.answered or (taken.signed and table in taken.tables):
            files += hand_over(table, name_of(table), out=out, quiet=quiet)
    for lobby in taken.replies:
        file = out or Path(f"{lobby.invite.rules}-{lobby.table[:8]}-{lobby.own_seat}.pbem")
        write_papers(lobby, file)
        files.append(file)
        if not quiet:
            click.echo(f"written: {file}, for everybody at the table")
    return files


def _as_json(
    results: list[tuple[Table, Received]], taken: Taken, refused: list[PbemError], files: list[Path]
) -> dict[str, Any]:
    from pbem.cli.incoming import name_of
    from pbem.drafts import keep_returned

    games = []
    for table, result in results:
        keep_returned(table, result.logged)
        games.append(
            {
                "game": name_of(table),
                "folder": str(table.folder),
                "logged": [one.number for one in result.logged],
                "answered": len(result.answered),
                "repeated": result.repeated,
                "waiting": result.waiting,
                "fingerprint": table.fingerprint,
            }
        )
    said = [error.message for error in refused]
    return {"games": games, "said": taken.said, "files": [str(file) for file in files], "refused": said}


@click.command("send")
@click.option("--to", metavar="SEAT", shell_complete=complete_seats, help="Only for this seat.")
@out_option
@game_option
def send_command(to: str | None, out: Path | None, game: str | None) -> None:
    """Hand over (again) what the others have not acknowledged: the same bytes as before.

    Example: pbem send --to anti --out again.eml
    """
    from pbem.cli.handover import hand_over
    from pbem.cli.incoming import name_of

    table = open_table(game)
    hand_over(table, name_of(table), to, out)
