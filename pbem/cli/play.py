"""`pbem play`: what a signature would commit to, and then the signature."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.check import file_argument, message_option, read_text, refuse
from pbem.cli.common import (
    confirm,
    game_option,
    json_option,
    open_table,
    print_json,
    signing_key,
    yes_option,
)
from pbem.cli.exchange import out_option

if TYPE_CHECKING:
    from pbem.doing.playing import Promise
    from pbem.table import Table


@click.command("play")
@file_argument
@message_option
@click.option("--draft", is_flag=True, help="Your draft, and after it what you give here.")
@click.option("--say", default="", metavar="TEXT", help="A word to the others, in the same mail.")
@out_option
@game_option
@yes_option
@json_option
def play_command(
    file: str | None,
    messages: tuple[str, ...],
    draft: bool,
    say: str,
    out: Path | None,
    game: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Sign orders and carry them out; then hand over what the others need.

    Shows first what will be signed and what it commits to, and asks once. Orders that would be
    refused are not signed.

    Example: pbem play -m "move ujiyasu to 1213" -m "done moving"
    """
    from pbem.doing.planning import list_of

    table = open_table(game)
    if _finish_left_behind(table, out):
        return
    text = list_of(table, draft, None)
    text += read_text(file, messages) if file or messages or not draft else ""
    where = "your draft" if draft else file if file and file != "-" else "orders"
    play_orders(table, text, where, yes, out, as_json, say)


def _finish_left_behind(table: Table, out: Path | None) -> bool:
    """A decision that a stopped run signed is handed over first; then nothing else is signed."""
    from pbem.cli.said import echo_handed, raise_unsent
    from pbem.doing.playing import finish_left_behind

    handed = finish_left_behind(table, out)
    if handed is None:
        return False
    click.echo("your last decision was signed, and not handed over, when pbem was stopped; it is now:")
    echo_handed(table, handed)
    click.echo("nothing else was signed: `pbem status` says what is asked of you now")
    raise_unsent(handed)
    return True


def play_orders(
    table: Table, text: str, where: str, yes: bool, out: Path | None, as_json: bool, say: str = ""
) -> None:
    """Show what would be signed, ask, sign, and say what came of it."""
    from pbem.cli.said import played_json, raise_unsent, show_played
    from pbem.doing import playing

    try:
        promised = playing.promise(table, text)
    except playing.OrdersRefused as error:
        refuse(error.tried, where)
    if not as_json:
        for line in commitment(promised):
            click.echo(line)
    confirm("sign and carry out?", yes)
    news = playing.play(promised, signing_key, out, say)
    if not as_json:
        show_played(news)
        return
    print_json(played_json(news))
    if news.handed is not None:
        raise_unsent(news.handed)


def commitment(promised: Promise) -> list[str]:
    """What will be signed, and what it commits to."""
    from pbem import report

    tried = promised.tried
    out = [f"as {promised.table.seat}, {report.fingerprint(promised.table)}:"]
    out += [f"  open:   {line}" for line in promised.open]
    out += [f"  sealed: {line}" for line in promised.sealed]
    if promised.in_secret:
        return [*out, "only you can read it until the rules open it; it is binding"]
    out += [f"  shows:  {what}" for what in promised.shows]
    if promised.sealed:
        out.append("the sealed orders are binding and are opened, part by part, when they are due")
    if tried.stops_at:
        out.append(f"what happens after {len(tried.done)} of them is not known yet: {tried.stops_at}")
    out += [f"skipped if still illegal then: {line}" for line in tried.skipped]
    if promised.unanswered:
        out.append(f"the list leaves unanswered, and you will be asked: {promised.unanswered}")
    return out
