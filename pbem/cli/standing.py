"""`pbem standing`: answers to a kind of decision before it is asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    confirm,
    game_option,
    open_table,
    signing_key,
    yes_option,
)
from pbem.cli.exchange import out_option
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.table import Table


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
    prev = table.ledger.last_aside(str(table.seat))
    make = partial(Secrets.standing, decision=decision, lines=orders, secret=sealed, prev=prev)
    show_played(sign(table, "standing", make, signing_key, out))


def _show_standing(table: Table) -> None:
    found = table.ledger.state.standing
    if not found:
        click.echo("no standing orders are in force")
    for name, order in sorted(found.items()):
        seat, _, decision = name.partition(" ")
        what = "; ".join(order.lines) if order.lines else "sealed"
        click.echo(f"{'you' if seat == table.seat else seat}: {decision}: {what}")
