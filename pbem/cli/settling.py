"""After a breach: agreeing to go on all the same, and complaining about a card that is none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import confirm, signing_key
from pbem.errors import NotYourTurnError, UsageError

if TYPE_CHECKING:
    from pbem.protocol.bodies import Settle
    from pbem.protocol.state import Verdict
    from pbem.table import Table


def settle(table: Table, counts: str | None, out: Path | None, yes: bool) -> None:
    """Sign that the game goes on without the breach; it does when all but its author have signed."""
    from pbem.cli.order import finish
    from pbem.protocol.disputes import settlement

    verdict = table.ledger.state.verdict
    if table.seat is None or verdict is None:
        raise NotYourTurnError(
            "there is no verdict that you could settle", "`pbem status` says how it stands"
        )
    body: Settle = settlement(table.ledger, table.seat, _half(verdict, counts))
    click.echo(f"verdict against {verdict.culprit or 'nobody'}: {verdict.reason}")
    if body.counts:
        click.echo(f"of the two entries {body.counts[:12]} counts, and {body.void[:12]} does not")
    else:
        click.echo(f"entry {body.void[:12]} does not count")
    confirm("agree to go on like this?", yes)
    _, result = table.play("settle", lambda own: body, signing_key())
    finish(table, result, out, as_json=False)


def _half(verdict: Verdict, counts: str | None) -> str:
    """The half of a double that is meant, by the beginning of its id."""
    if not verdict.first:
        return ""
    halves = (verdict.first, verdict.entry)
    meant = [one for one in halves if counts and one.startswith(counts)]
    if len(meant) != 1:
        hint = f"--counts {verdict.first[:12]} (it is in the log), or --counts {verdict.entry[:12]}"
        raise UsageError("which of the two entries shall count?", hint)
    return meant[0]


def complain(table: Table, out: Path | None, yes: bool) -> None:
    """Disclose the key of a box that does not hold the card it must, so that everybody sees it."""
    from pbem.cli.order import finish

    bad = table.secrets.bad_deliveries() if table.secrets is not None else []
    if not bad:
        raise NotYourTurnError("every card that was handed to you is as it must be", "there is no complaint")
    confirm(f"show everybody that the box of {bad[0]} does not hold what it must?", yes)
    _, result = table.play("complaint", lambda own: own.complaint(bad[0]), signing_key())
    finish(table, result, out, as_json=False)
