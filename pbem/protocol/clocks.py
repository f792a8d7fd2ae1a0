"""Clocks: when a claim and a forfeit are lawful. All times are those that signed entries name.

The clock of a question begins when it is asked and is not wound up by voids, notes or offers. First
comes a claim, after the grace a forfeit by the same seat. Whether an entry's own time is true nobody
can prove; a receiver should let an entry from the future wait until its time has come.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.protocol.bodies import ClaimTime, Forfeit
from pbem.protocol.contract import Clocks
from pbem.protocol.entry import Entry, seconds, stamp
from pbem.protocol.rounds import Due
from pbem.protocol.state import State

HOUR = 3600


def run_out(clocks: Clocks, state: State, wanted: Mapping[str, Due]) -> int:
    """When the clock of the present question runs out, in Unix seconds."""
    hours = clocks.audit if any(d.kind == "audit" for d in wanted.values()) else clocks.move
    return (seconds(state.clock) if state.clock else 0) + hours * HOUR


def why_unlawful(clocks: Clocks, state: State, entry: Entry, wanted: Mapping[str, Due]) -> str | None:
    """Why a claim or a forfeit has no effect now; None if it is lawful."""
    body, sent = entry.body, seconds(entry.head.sent)
    assert isinstance(body, (ClaimTime, Forfeit))
    if entry.head.head not in state.heads:
        return "the question has been answered since"
    if not set(body.seats) <= set(wanted) or entry.seat in body.seats:
        return "it names a seat that owes nothing"
    if isinstance(body, ClaimTime):
        if sent < run_out(clocks, state, wanted):
            return "the clock has not run out"
        return None
    claimed = state.claims.get(entry.seat)
    if claimed is None or body.claimed != claimed:
        return "there is no such claim before it"
    if sent < seconds(claimed) + clocks.grace * HOUR:
        return "the grace has not run out"
    return None


def claim_of(
    clocks: Clocks, state: State, missing: Mapping[str, Due], seat: str, at: str
) -> ClaimTime | None:
    """The claim that a seat may make at a time, or None if the clock has not run out."""
    late = tuple(s for s in missing if s != seat)
    if not late or seat in missing or seconds(at) < run_out(clocks, state, missing):
        return None
    return ClaimTime(late)


def forfeit_at(clocks: Clocks, claimed: str) -> str:
    """When a forfeit may follow a claim."""
    return stamp(seconds(claimed) + clocks.grace * HOUR)
