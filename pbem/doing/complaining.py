"""Complaining about a card that was handed over in a box that does not hold it."""

from __future__ import annotations

from pbem.engine.notation import Handle
from pbem.errors import NotYourTurnError
from pbem.table import Table


def bad_delivery(table: Table) -> Handle:
    """The first card handed to this seat whose box does not hold what it must."""
    bad = table.secrets.bad_deliveries() if table.secrets is not None else []
    if not bad:
        raise NotYourTurnError("every card that was handed to you is as it must be", "there is no complaint")
    if table.due() is None:
        raise NotYourTurnError("nothing is asked of you now", "a complaint takes the place of your answer")
    return bad[0]
