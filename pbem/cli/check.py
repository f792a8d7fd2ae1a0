"""`pbem check`: what of some orders would be refused, and why; and how orders are given to a command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pbem.cli.common import (
    game_option,
    json_option,
    open_table,
    print_json,
)
from pbem.cli.completing import complete_order
from pbem.cli.draft import plan_options
from pbem.errors import RulesError, UsageError
from pbem.words import count

if TYPE_CHECKING:
    from pbem.rehearse import Finding, Rehearsal


def read_text(file: str | None, messages: tuple[str, ...]) -> str:
    """The orders: from a file, from standard input, or from the command line."""
    if messages:
        if file is not None:
            raise UsageError("give a file or -m, not both")
        return "\n".join(messages) + "\n"
    if file is None:
        raise UsageError("there are no orders", '`pbem play FILE`, or `pbem play -m "ORDER"`')
    try:
        if file == "-":
            return sys.stdin.buffer.read().decode()
        return Path(file).read_bytes().decode()
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text", "save it as UTF-8") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None


message_option = click.option(
    "-m",
    "messages",
    multiple=True,
    metavar="ORDER",
    shell_complete=complete_order,
    help="An order; again for more.",
)
file_argument = click.argument(
    "file", metavar="FILE|-", required=False, type=click.Path(allow_dash=True, dir_okay=False)
)


@click.command("check")
@file_argument
@message_option
@plan_options
@game_option
@json_option
def check_command(
    file: str | None,
    messages: tuple[str, ...],
    draft: bool,
    after: Path | None,
    game: str | None,
    as_json: bool,
) -> None:
    """Line, column, rule number and reason for each order that would be refused. The game is not touched.

    Orders are tried on a copy of the position, as far as they can be foreseen: up to the first die,
    draw or decision of another seat. Later ones are only read for their spelling.

    Example: pbem check move.txt
    """
    from pbem.doing.planning import list_of
    from pbem.rehearse import in_full, rehearse

    table = open_table(game)
    before = list_of(table, draft, after)
    text = read_text(file, messages) if file or messages or not before else ""
    tried = rehearse(table, in_full(table, before + text))
    if as_json:
        print_json(
            {
                "ok": not tried.findings,
                "legal": tried.done,
                "later": tried.later,
                "skipped": tried.skipped,
                "stops_at": tried.stops_at,
                "findings": [_as_table(one) for one in tried.findings],
            }
        )
        if tried.findings:
            raise SystemExit(RulesError.exit_code)
        return
    if tried.findings:
        refuse(tried, file if file and file != "-" else "orders")
    click.echo(f"{count(len(tried.done), 'order is', 'orders are')} legal")
    for line in tried.skipped:
        click.echo(f"skipped, as it is illegal now: {line}")
    if tried.later:
        click.echo(f"{len(tried.later)} more cannot be judged yet, since {tried.stops_at}")


def _as_table(one: Finding) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("line", "column", "order", "rule", "reason", "hint")}


def refuse(tried: Rehearsal, where: str) -> NoReturn:
    """Say every finding; the last one ends the command."""
    texts = []
    for one in tried.findings:
        rule = f" (rule {one.rule})" if one.rule else ""
        order = f"{one.order}: " if one.order else ""
        texts.append((f"{where}:{one.line}:{one.column}: {order}{one.reason}{rule}", one.hint))
    for text, hint in texts[:-1]:
        click.echo(f"pbem: error: {text}", err=True)
        if hint:
            click.echo(f"hint: {hint}", err=True)
    text, hint = texts[-1]
    raise RulesError(
        text, hint or "`pbem legal` lists what is legal now", rule=tried.findings[-1].rule or None
    )
