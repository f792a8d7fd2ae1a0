"""`pbem receive` and `pbem send`: what comes in is verified before a word of it is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    complete_seats,
    game_option,
    home,
    json_option,
    open_table,
    print_json,
    progress,
    signing_key,
)

if TYPE_CHECKING:
    from pbem.doing.receiving import Receipt

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
    from pbem.cli import said
    from pbem.doing.incoming import find_files
    from pbem.doing.receiving import receive

    with progress("taking in") as step:
        receipt = receive(home(), find_files(files), signing_key, into, out, step)
    if as_json:
        print_json(_as_json(receipt))
    else:
        _show(receipt)
        said.echo_refusals(receipt.refused[1:])
    if receipt.refused:
        raise receipt.refused[0]
    for news in receipt.news:
        if news.handed is not None:
            said.raise_unsent(news.handed)


def _show(receipt: Receipt) -> None:
    from pbem.cli.said import echo_handed, show_news

    for line in receipt.said:
        click.echo(line)
    for news in receipt.news:
        show_news(news)
    for news in receipt.news:
        if news.handed is not None:
            echo_handed(news.table, news.handed)
    for _, file in receipt.papers:
        click.echo(f"written: {file}, for everybody at the table")


def _as_json(receipt: Receipt) -> dict[str, Any]:
    from pbem.doing.incoming import name_of

    games: list[dict[str, Any]] = []
    files = [str(file) for _, file in receipt.papers]
    for news in receipt.news:
        games.append(
            {
                "game": name_of(home(), news.table),
                "folder": str(news.table.folder),
                "logged": [one.number for one in news.result.logged],
                "answered": len(news.result.answered),
                "repeated": news.result.repeated,
                "waiting": news.result.waiting,
                "fingerprint": news.table.fingerprint,
            }
        )
        if news.handed is not None:
            files += [str(one.path) for one in news.handed.written]
    refused = [error.message for error in receipt.refused]
    return {"games": games, "said": receipt.said, "files": files, "refused": refused}


@click.command("send")
@click.option("--to", metavar="SEAT", shell_complete=complete_seats, help="Only for this seat.")
@out_option
@game_option
def send_command(to: str | None, out: Path | None, game: str | None) -> None:
    """Hand over (again) what the others have not acknowledged: the same bytes as before.

    Example: pbem send --to anti --out again.eml
    """
    from pbem.cli import said
    from pbem.doing.handover import hand_over
    from pbem.doing.incoming import name_of

    table = open_table(game)
    handed = hand_over(table, name_of(home(), table), to, out)
    said.echo_handed(table, handed)
    said.raise_unsent(handed)
