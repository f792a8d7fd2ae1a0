"""Orders: a file to edit, a check, the play itself, and standing orders.

Until `play` has signed, everything is a draft; after it, nothing is undone but by take-back.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pbem.cli.common import (
    confirm,
    game_option,
    json_option,
    open_table,
    print_json,
    signing_key,
    yes_option,
)
from pbem.cli.completing import complete_order
from pbem.cli.draft import plan_options
from pbem.cli.exchange import out_option
from pbem.doing.files import write_file
from pbem.errors import RulesError, UsageError
from pbem.words import count

if TYPE_CHECKING:
    from pbem.doing.playing import Promise
    from pbem.rehearse import Finding, Rehearsal
    from pbem.table import Table

LISTED = 40
"""So many legal answers stand in an order file."""


# --- a file to edit


@click.command("orders")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the file here.")
@click.option("--edit", is_flag=True, help="Open it in $EDITOR, check it, and offer to play it.")
@game_option
def orders_command(out: Path | None, edit: bool, game: str | None) -> None:
    """A commented order file to edit: the question, how answers are written, your draft if there is one.

    Example: pbem orders --out move.txt
    """
    table = open_table(game)
    text = order_file(table)
    if not edit:
        if out is None:
            click.echo(text, nl=False)
        else:
            write_file(out, text.encode())
            click.echo(f"written: {out}; edit it, then `pbem check {out}` and `pbem play {out}`")
        return
    _edit(table, text, out)


def _edit(table: Table, text: str, out: Path | None) -> None:
    from pbem.drafts import write_draft

    edited = click.edit(text, extension=".txt")
    if edited is None:
        raise UsageError("the file was not saved", "nothing was changed")
    if out is not None:
        write_file(out, edited.encode())
    write_draft(table, "".join(f"{line}\n" for line in edited.split("\n") if not line.startswith("#")))
    _play(table, edited, "your draft", yes=False, out=None, as_json=False)


def order_file(table: Table) -> str:
    """The question, how its answers are written, some of them, and the draft."""
    from pbem import report
    from pbem.drafts import read_draft
    from pbem.rehearse import question

    options = question(table)
    assert table.secrets is not None
    view = table.secrets.view(options)
    machine, pos = table.ledger.machine, table.ledger.position
    some = list(islice(options.list(view), LISTED + 1))
    rule = report.asked(table)[0]["rule"]
    lines = [
        f"# {table.contract.invite.rules}, {table.seat}, after entry {table.ledger.state.number}: "
        + report.headline(table),
        f"# asked: {options.ask or options.kind} (rule {rule})",
        *(f"# written: {kind.notation}" for kind in options.kinds()),
        "#",
        "# One order a line; what begins with # is not read. Indented lines under an order answer the",
        "# questions that it may raise: the first legal one is taken. ? before an order: skip it if it",
        "# is illegal by then. Orders after one that lets another decide are sealed until they are due.",
        "#",
        "# legal now:",
        *(f"#   {machine.write_move(pos, move, view)}" for move in some[:LISTED]),
    ]
    if len(some) > LISTED:
        lines.append("#   … and more: `pbem legal PATTERN`")
    draft = read_draft(table)
    if draft:
        lines += ["#", "# your draft:", draft.rstrip("\n")]
    return "\n".join([*lines, ""])


# --- check


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
        _refuse(tried, file if file and file != "-" else "orders")
    click.echo(f"{count(len(tried.done), 'order is', 'orders are')} legal")
    for line in tried.skipped:
        click.echo(f"skipped, as it is illegal now: {line}")
    if tried.later:
        click.echo(f"{len(tried.later)} more cannot be judged yet, since {tried.stops_at}")


def _as_table(one: Finding) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("line", "column", "order", "rule", "reason", "hint")}


def _refuse(tried: Rehearsal, where: str) -> NoReturn:
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


# --- play


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
    _play(table, text, where, yes, out, as_json, say)


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


def _play(
    table: Table, text: str, where: str, yes: bool, out: Path | None, as_json: bool, say: str = ""
) -> None:
    from pbem.cli.said import played_json, raise_unsent, show_played
    from pbem.doing import playing

    try:
        promised = playing.promise(table, text)
    except playing.OrdersRefused as error:
        _refuse(error.tried, where)
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


# --- standing orders


@click.command("standing")
@click.argument("decision", required=False)
@click.argument("orders", nargs=-1)
@click.option("--sealed", is_flag=True, help="Keep it secret until it first answers.")
@click.option("--revoke", is_flag=True, help="End the standing order for this kind of decision.")
@out_option
@game_option
@yes_option
def standing_command(
    decision: str | None,
    orders: tuple[str, ...],
    sealed: bool,
    revoke: bool,
    out: Path | None,
    game: str | None,
    yes: bool,
) -> None:
    """Give, show or revoke standing orders: answers to a kind of decision before it is asked.

    DECISION is the kind that `pbem legal --json` and the log name (loss, retreat …); the first legal
    of ORDERS is taken each time. Without arguments: those in force. It saves a mail at each such
    question, and counts once an entry of the others has seen it.

    An answer may have a condition, and `resign` is one, too: "pass unless attack*" passes unless such an
    order is legal; "resign if PATTERN" gives up when one is.

    The answer `auto` plays the game's own advice where it has one.

    Example: pbem standing loss "lose stone" "lose face"
    """
    from functools import partial

    from pbem.cli.said import show_played
    from pbem.doing import standing
    from pbem.doing.playing import sign
    from pbem.protocol.papers.bodies import Revoke
    from pbem.protocol.rounds.own_secrets import Secrets

    table = open_table(game)
    if decision is None:
        _show_standing(table)
        return
    if revoke:
        standing.must_be_in_force(table, decision)
        confirm(f"revoke the standing order for {decision}?", yes)
        show_played(sign(table, "revoke", lambda secrets: Revoke(decision), signing_key, out))
        return
    standing.check_kind(table, decision)
    if not orders:
        raise UsageError("a standing order needs at least one answer", 'pbem standing KIND "ORDER" …')
    standing.check_answers(table, orders)
    for order in orders:
        click.echo(f"  {'sealed' if sealed else 'open'}: {order}")
    confirm(f"as {table.seat}, answer every {decision!r} with the first legal of these?", yes)
    seq = table.flow.next("decide")[0]
    make = partial(Secrets.standing, decision=decision, lines=orders, secret=sealed, seq=seq)
    show_played(sign(table, "standing", make, signing_key, out))


def _show_standing(table: Table) -> None:
    found = table.ledger.state.standing
    if not found:
        click.echo("no standing orders are in force")
    for name, order in sorted(found.items()):
        seat, _, decision = name.partition(" ")
        what = "; ".join(order.lines) if order.lines else "sealed"
        click.echo(f"{'you' if seat == table.seat else seat}: {decision}: {what}")
