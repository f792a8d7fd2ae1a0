"""Looking at a game: status, legal moves, odds. Nothing here changes anything."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import game_option, home, json_option, open_table, print_json
from pbem.cli.completing import complete_words
from pbem.cli.draft import plan_options
from pbem.engine.waits import Ask, AskSealed
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.report import Told
    from pbem.table import Table

MOST = 10_000
"""So many legal moves are listed at most; a pattern narrows them down."""
SHOWN = 60


@click.command("status")
@game_option
@json_option
def status_command(game: str | None, as_json: bool) -> None:
    """Turn, phase with its rule number, what is asked of whom until when, the last report, the fingerprint.

    Two players at the same point have the same fingerprint: its first three groups are enough to
    compare over the phone.

    Example: pbem status
    """
    from pbem import report, timing
    from pbem.doing.incoming import name_of
    from pbem.doing.notices import notices

    table = open_table(game)
    news = report.since_own_decision(table)
    if as_json:
        print_json(_status(table, news))
        return
    invite = table.contract.invite
    who = f"you are {table.seat}" if table.seat else "you only watch"
    click.echo(f"{name_of(home(), table)}: {invite.rules}, {invite.scenario}; {who}")
    click.echo(report.headline(table))
    for line in (*report.whose_turn(table), *notices(table)):
        click.echo(line)
    for line in timing.status_lines(table, report.asked(table)):
        click.echo(line)
    for line in report.own_secrets(table):
        click.echo(line)
    click.echo(report.fingerprint(table))
    lines = report.lines(table, news)
    if lines:
        click.echo("\nlast report:")
        for line in lines:
            click.echo(line)
    due = table.due()
    if due is not None and due.options is not None:
        click.echo('\nnext: `pbem legal` lists your answers, `pbem play -m "ORDER"` plays one')


def _status(table: Table, news: list[Told]) -> dict[str, Any]:
    """The same as a record."""
    from pbem import report
    from pbem.doing.incoming import name_of

    invite = table.contract.invite
    return {
        "name": name_of(home(), table),
        "game": invite.rules,
        "scenario": invite.scenario,
        "seat": table.seat,
        "headline": table.ledger.machine.rules.headline(table.ledger.position),
        "rule": report.rule_now(table),
        "entries": table.ledger.state.number,
        "fingerprint": table.fingerprint,
        "asked": report.asked(table),
        "waiting": len(table.ledger.pool),
        "outcome": report.outcome(table) or None,
        "secrets": report.own_secrets(table),
        "report": [event.table() for one in news for event in one.events],
    }


@click.command("legal")
@click.argument("pattern", required=False)
@click.option("--all", "everything", is_flag=True, help=f"More than {SHOWN} lines.")
@plan_options
@game_option
@json_option
def legal_command(
    pattern: str | None, everything: bool, draft: bool, after: Path | None, game: str | None, as_json: bool
) -> None:
    """What you may do now, in the notation of orders; PATTERN picks (part of one, or * for anything).

    Example: pbem legal "attack 12*"
    """
    from pbem.doing.planning import list_of, question_after
    from pbem.engine.orders import fits
    from pbem.rehearse import question

    table = open_table(game)
    question(table)
    pos, options, view = question_after(table, list_of(table, draft, after))
    machine = table.ledger.machine
    listed = [machine.write_move(pos, move, view) for move in islice(options.list(view), MOST)]
    found = list(dict.fromkeys(order for order in listed if pattern is None or fits(order, pattern)))
    wait = machine.waits_for(pos)
    rule = wait.rule if isinstance(wait, (Ask, AskSealed)) else ""
    written = [kind.notation for kind in options.kinds()]
    if as_json:
        what = {"seat": options.seat, "kind": options.kind, "ask": options.ask, "rule": rule}
        print_json({**what, "written": written, "orders": found, "complete": len(listed) < MOST})
        return
    click.echo(f"# {options.ask or options.kind} (rule {rule}); written: {'; '.join(written)}")
    shown = found if everything else found[:SHOWN]
    for order in shown:
        click.echo(order)
    if len(found) > len(shown):
        click.echo(f"# and {len(found) - len(shown)} more: give a pattern, or --all")
    if len(listed) == MOST:
        click.echo(f"# the list ends after {MOST}; what it lacks may be legal too: `pbem check` tells")
    if not found:
        click.echo("# nothing fits the pattern" if pattern else "# nothing can be listed; see `written`")


@click.command("odds")
@click.argument("order", nargs=-1, required=True, shell_complete=complete_words)
@plan_options
@game_option
def odds_command(order: tuple[str, ...], draft: bool, after: Path | None, game: str | None) -> None:
    """The table, the modifiers and the chances of an attack before it is made.

    Example: pbem odds attack 1213 with ujiyasu
    """
    from pbem.doing.planning import list_of, place
    from pbem.engine.notation import parse
    from pbem.rehearse import in_full

    table = open_table(game)
    machine = table.ledger.machine
    pos, view = place(table, list_of(table, draft, after))
    text = in_full(table, " ".join(order))
    lines = machine.rules.macros(text, pos, view) or [text]
    told: Any = None
    for line in lines:
        for move in parse(line, machine.rules.moves, machine.rules.lookup(pos, view.known)):
            told = told or machine.rules.odds(pos, move)
    if told is None:
        hint = "give an attack that could be made now; --draft looks at what comes after your draft"
        raise UsageError(f"there are no odds to tell of {text!r}", hint)
    click.echo(told)
