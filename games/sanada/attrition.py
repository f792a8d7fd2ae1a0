"""12 ATTRITION: one die for a Force that is out of supply or has failed a check."""

from __future__ import annotations

from games.sanada.position import SanadaPosition


def attrition(pos: SanadaPosition, leader: str, die: int, starving: bool) -> int:
    """12.2.1, 12.2.2: the hits that a die means for a Force, by its size and its state before the roll."""
    units = pos.force(leader)
    spent = pos.spent(units)
    total = die + starving + spent
    hits = pos.data.tables.worn(len(units), total)
    why = [words for true, words in ((starving, "out of supply +1"), (spent, "all face-down +1")) if true]
    pos.say(
        f"attrition of {leader}, {len(units)} units: {die}{''.join(f', {w}' for w in why)}: {hits}",
        rule="12.2.2",
        force=leader,
        units=len(units),
        die=die,
        total=total,
        hits=hits,
    )
    return hits
