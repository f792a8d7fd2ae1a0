"""12 ATTRITION: one die for a Force that is out of supply or has failed a check."""

from __future__ import annotations

from games.sanada.position import SanadaPosition
from pbem.engine.events import Event


class WornDown(Event):
    says = (
        "attrition of {force}, {units:# unit|# units}: "
        "{die}{starving:?, out of supply +1|}{spent:?, all face-down +1|}: {hits}"
    )
    force: str
    units: int
    die: int
    starving: bool
    spent: bool
    total: int
    hits: int


def attrition(pos: SanadaPosition, leader: str, die: int, starving: bool) -> int:
    """12.2.1, 12.2.2: the hits that a die means for a Force, by its size and its state before the roll."""
    units = pos.force(leader)
    spent = pos.spent(units)
    total = die + starving + spent
    hits = pos.data.tables.worn(len(units), total)
    pos.say(WornDown(leader, len(units), die, starving, spent, total, hits, rule="12.2.2"))
    return hits
