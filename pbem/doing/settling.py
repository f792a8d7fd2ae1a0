"""After a breach: agreeing to go on all the same, and complaining about a card that is none."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from pbem.engine.notation import Handle
from pbem.errors import NotYourTurnError, UsageError
from pbem.protocol.log.settlements import settlement
from pbem.protocol.papers.bodies import Settle
from pbem.protocol.rounds.state import Verdict
from pbem.table import Table


def settling(table: Table, counts: str | None) -> tuple[Verdict, Settle]:
    """The verdict, and what this seat would sign to go on without the breach."""
    verdict = table.ledger.state.verdict
    if table.seat is None or verdict is None:
        raise NotYourTurnError(
            "there is no verdict that you could settle", "`pbem status` says how it stands"
        )
    if not verdict.first:
        return verdict, settlement(table.ledger, table.seat)
    return verdict, _half(verdict, _acceptable(table, verdict), counts)


def _acceptable(table: Table, verdict: Verdict) -> dict[str, Settle]:
    """Of a double, the halves that this seat may choose: one that its machine answered binds it."""
    found = {}
    for half in (verdict.first, verdict.entry):
        with suppress(UsageError):
            found[half] = settlement(table.ledger, str(table.seat), half)
    if not found:
        settlement(table.ledger, str(table.seat), verdict.first)  # says why
    return found


def _half(verdict: Verdict, found: Mapping[str, Settle], counts: str | None) -> Settle:
    """The half that is meant, by the beginning of its id; where only one can count it is that one."""
    if counts is None and len(found) == 1:
        return next(iter(found.values()))
    meant = [settle for half, settle in found.items() if counts and half.startswith(counts)]
    if len(meant) != 1:
        logged = " (it is in the log)"
        ways = [f"--counts {half[:12]}{logged if half == verdict.first else ''}" for half in found]
        raise UsageError("which of the two entries shall count?", ", or ".join(ways))
    return meant[0]


def bad_delivery(table: Table) -> Handle:
    """The first card handed to this seat whose box does not hold what it must."""
    bad = table.secrets.bad_deliveries() if table.secrets is not None else []
    if not bad:
        raise NotYourTurnError("every card that was handed to you is as it must be", "there is no complaint")
    return bad[0]
