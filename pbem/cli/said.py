"""Records of what was done, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from pbem.words import count

if TYPE_CHECKING:
    from pbem.doing.handover import Handed, Written
    from pbem.doing.receiving import News
    from pbem.errors import PbemError
    from pbem.table import Received, Table


def handed_lines(table: Table, handed: Handed) -> list[str]:
    """What was handed over, and what to do with files."""
    if handed.nothing:
        return ["the others have everything"]
    out = list(handed.sent)
    if handed.problem is not None:
        hint = f" ({handed.problem.hint})" if handed.problem.hint else ""
        out.append(f"not sent by itself: {handed.problem.message}{hint}")
    return out + [written_line(table, one) for one in handed.written]


def written_line(table: Table, one: Written) -> str:
    """A file, what it holds and for whom."""
    from pbem.doing.handover import address_of

    moves = count(one.entries, "entry", "entries") if one.entries else ""
    what = " and ".join(part for part in ("the contract" if one.contract else "", moves) if part)
    who = []
    for seat in one.seats:
        address = address_of(table, seat)
        who.append(f"{table.contract.seats[seat].player} ({seat})" + (f" <{address}>" if address else ""))
    return f"written: {one.path} ({what}) for {', '.join(who)}"


def echo_handed(table: Table, handed: Handed) -> None:
    """Say what was handed over."""
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

    table, result = news.table, news.result
    click.echo(f"{name_of(home(), table)}: {counts(result)}")
    told = report.lines(table, [report.told(one) for one in result.logged])
    for line in (*told, *report.whose_turn(table), *notices(table)):
        click.echo(line)
    if news.draft:
        click.echo("the rest of your list is your draft now: `pbem orders` shows it")
    click.echo(report.fingerprint(table))


def show_played(news: News) -> None:
    """After an entry of one's own: the report, and what was handed over."""
    show_news(news)
    if news.handed is not None:
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


def counts(result: Received) -> str:
    """How many entries became what."""
    parts = [f"{count(len(result.logged), 'entry', 'entries')} logged"]
    if result.answered:
        parts.append(f"{count(len(result.answered), 'answer', 'answers')} of yours made")
    if result.repeated:
        parts.append(f"{result.repeated} here already")
    if result.waiting:
        parts.append(f"{result.waiting} kept until their turn comes")
    return ", ".join(parts)


def echo_refusals(errors: Sequence[PbemError]) -> None:
    """Say what was refused and why, without ending the command."""
    for error in errors:
        click.echo(f"refused: {error.message}", err=True)
        if error.hint:
            click.echo(f"hint: {error.hint}", err=True)
