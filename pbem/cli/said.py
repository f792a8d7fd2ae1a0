"""Records of what was done, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pbem.doing.handover import Handed
    from pbem.doing.receiving import News
    from pbem.errors import PbemError
    from pbem.table import Table


def echo_handed(table: Table, handed: Handed) -> None:
    """Say what was handed over."""
    from pbem.doing.telling import handed_lines

    for line in handed_lines(table, handed):
        click.echo(line)


def raise_unsent(handed: Handed) -> None:
    """A host that did not answer ends the command with its exit code, after everything was said."""
    from pbem.errors import TransportError

    if isinstance(handed.problem, TransportError):
        raise handed.problem


def show_news(news: News) -> None:
    """The report of what was taken in: events with their rules, whose turn, the fingerprint."""
    from pbem import report
    from pbem.cli.common import home
    from pbem.doing.incoming import name_of
    from pbem.doing.notices import notices
    from pbem.doing.telling import counts

    table, result = news.table, news.result
    click.echo(f"{name_of(home(), table)}: {counts(result)}")
    told = report.lines(table, [report.told(one) for one in result.logged])
    bots = news.handed.sent if news.handed is not None and news.handed.practice else ()
    for line in (*told, *bots, *report.whose_turn(table), *notices(table)):
        click.echo(line)
    if news.draft:
        click.echo("the rest of your list is your draft now: `pbem orders` shows it")
    click.echo(report.fingerprint(table))


def show_played(news: News) -> None:
    """After an entry of one's own: the report, and what was handed over."""
    show_news(news)
    if news.handed is not None and not news.handed.practice:
        echo_handed(news.table, news.handed)
        raise_unsent(news.handed)


def played_json(news: News) -> dict[str, Any]:
    """The same for scripts."""
    handed = news.handed
    return {
        "logged": [one.number for one in news.result.logged],
        "waiting": news.result.waiting,
        "answered": len(news.result.answered),
        "entries": news.table.ledger.state.number,
        "fingerprint": news.table.fingerprint,
        "files": [str(one.path) for one in handed.written] if handed is not None else [],
    }


def echo_refusals(errors: Sequence[PbemError]) -> None:
    """Say what was refused and why, each reason once, without ending the command."""
    for (message, hint), times in Counter((error.message, error.hint) for error in errors).items():
        click.echo(f"refused{f' {times} times' if times > 1 else ''}: {message}", err=True)
        if hint:
            click.echo(f"hint: {hint}", err=True)
