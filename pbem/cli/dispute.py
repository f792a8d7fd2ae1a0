"""`pbem dispute`: one file for an outsider, the verdict, and complaints about a card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    confirm,
    game_option,
    home,
    json_option,
    open_table,
    print_json,
    progress,
    signing_key,
    yes_option,
)
from pbem.doing.files import write_file
from pbem.doing.judging import judgement_lines, words_of
from pbem.errors import VerificationError

if TYPE_CHECKING:
    from pbem.dispute import Judgement
    from pbem.table import Table


@click.command("dispute")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where the file goes.")
@click.option("--complain", is_flag=True, help="Show that a card handed to you is not what it must be.")
@game_option
@yes_option
@json_option
def dispute_command(
    file: Path | None,
    out: Path | None,
    complain: bool,
    game: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """One file with all that an outsider needs, and a plain verdict. With FILE: judge such a file.

    Nothing in it is secret, and the judge believes nothing but the signatures.

    Example: pbem dispute --out kawagoe-dispute.zip
    """
    from pbem import dispute

    if complain:
        _complain(open_table(game), out, yes)
        return
    if file is not None:
        files = dispute.read_file(file)
        with progress("judging") as step:
            judgement = dispute.judge(files, home(), step)
        _show_judgement(judgement, files.get(dispute.VERDICT), as_json)
        return
    table = open_table(game)
    files = dispute.files_of(table)
    with progress("judging") as step:
        judgement = dispute.judge(files, home(), step)
    words = words_of(judgement)
    place = out or Path(f"{table.contract.invite.rules}-{table.contract.game.hex()[:8]}-dispute.zip")
    write_file(place, dispute.make(files, words))
    if as_json:
        print_json({**judgement.verdict.table(), "file": str(place)})
        return
    click.echo(words, nl=False)
    for line in _now(table):
        click.echo(line)
    click.echo(f"written: {place}; anybody who has pbem judges it with `pbem dispute {place.name}`")


def _now(table: Table) -> list[str]:
    """Who is waited for, since when, and what the contract allows."""
    from pbem import report

    out = []
    for one in report.asked(table):
        since, end = one["since"] or "the beginning", one["deadline"] or "no end"
        out.append(f"{one['seat']} owes since {since} (the clock runs until {end}): {one['what']}")
    return out


def _differ(told: bytes | None, words: str) -> bool:
    """Whether the words in a dispute file are others than those that it comes to."""
    return told is not None and told != words.encode()


def _show_judgement(judgement: Judgement, told: bytes | None, as_json: bool) -> None:
    differs = _differ(told, words_of(judgement))
    if as_json:
        print_json({**judgement.verdict.table(), "waiting": judgement.waiting, "words_differ": differs})
        if not judgement.verdict.ok:
            raise SystemExit(1)
        return
    for line in judgement_lines(judgement):
        click.echo(line)
    if differs:
        click.echo("verdict.txt in the file says something else: it was changed, or made by another release;")
        click.echo("only the lines above follow from what was signed")
    if not judgement.verdict.ok:
        raise VerificationError("the game is not in order", "the lines above name the first bad entry")


# --- complaints


def _complain(table: Table, out: Path | None, yes: bool) -> None:
    """Disclose the key of a box that does not hold the card it must, so that everybody sees it."""
    from pbem.cli.said import show_played
    from pbem.doing.complaining import bad_delivery
    from pbem.doing.playing import sign

    bad = bad_delivery(table)
    confirm(f"show everybody that the box of {bad} does not hold what it must?", yes)
    show_played(sign(table, "complaint", lambda own: own.complaint(bad), signing_key, out))
