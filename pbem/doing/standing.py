"""Standing orders before they are signed: a kind of decision that there is, answers that can be read."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.notation import parse
from pbem.engine.orders import SaidAhead
from pbem.errors import UsageError
from pbem.protocol.papers.bodies import Standing
from pbem.protocol.rounds.standing_orders import AUTO, RESIGN, read_line
from pbem.table import Table
from pbem.words import did_you_mean


def check_kind(table: Table, decision: str) -> None:
    """Refuses a kind of decision that this game never asks of this seat."""
    table.must_decide_here()
    asks, seat = table.ledger.machine.rules.asks, str(table.seat)
    known = sorted(kind for kind, seats in asks.items() if not seats or seat in seats)
    if not asks or decision in known:
        return
    who = f" of {seat}" if decision in asks else ""
    hint = did_you_mean(decision, known, "you may be asked for")
    raise UsageError(f"{table.contract.invite.rules} never asks for {decision!r}{who}", hint)


def must_be_in_force(table: Table, decision: str) -> None:
    """Refuses to revoke what was never given."""
    table.must_decide_here()
    state, seat = table.ledger.state, str(table.seat)
    given = {
        name.partition(" ")[2] for name in (*state.standing, *state.announced) if name.startswith(f"{seat} ")
    }
    given |= {
        entry.body.decision
        for entry in table.ledger.pool.values()
        if entry.seat == seat and isinstance(entry.body, Standing)
    }
    if decision not in given:
        listed = did_you_mean(decision, sorted(given), "yours are for")
        raise UsageError(
            f"you have given no standing order for {decision!r}",
            listed if given else "there is none in force",
        )


def check_answers(table: Table, orders: Sequence[str]) -> None:
    """Every answer is one that the game knows; whether it is legal only the question will tell."""
    rules, pos = table.ledger.machine.rules, table.ledger.position
    for order in orders:
        answer, _, _ = read_line(order)
        if answer == AUTO:
            continue
        if answer != RESIGN:
            wrong = SaidAhead.of(parse(answer, rules.moves, rules.lookup(pos, {})))
            if wrong is not None:
                raise wrong
        elif len(pos.seats) > 2:
            raise UsageError(
                "with three or more seats nobody can resign beforehand: it publishes your secret",
                "`pbem resign` does it when the time has come",
            )
