"""Clocks: until when a seat may answer, by one machine's own clock. No date in an entry decides anything.

A machine's clock for a question begins when its line comes to that tip, anew each time. An absence that a
decision took in gives its seat until then. What all absences of a seat may take together stands in the
contract; each is charged from the time of the log, not from the time that its author names.
"""

from __future__ import annotations

from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.invitation import Clocks
from pbem.protocol.papers.times import seconds
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.state import Away, State

HOUR = 3600


def clocks_of(contract: Contract, state: State) -> Clocks:
    """The clocks in force: those of the contract, unless the seats have agreed on others."""
    usual, agreed = contract.invite.clocks, state.terms
    if agreed is None:
        return usual
    return Clocks(
        agreed.move or usual.move,
        agreed.grace or usual.grace,
        agreed.audit or usual.audit,
        agreed.absence or usual.absence,
    )


def deadline(clocks: Clocks, state: State, owed: Due, came: int) -> int:
    """When a seat's time is over on a machine that came to this tip at `came`, in Unix seconds."""
    if owed.kind == "audit":
        return came + clocks.audit * HOUR
    away = state.absences.get(owed.seat)
    return max(came + clocks.move * HOUR, seconds(away.until) if away else 0)


def announce(clocks: Clocks, state: State, seat: str, until: str) -> Away | None:
    """The seat's absence after it announces another; None if more than its allowance would be used."""
    old = state.absences.get(seat)
    used = old.used if old else 0
    begin = max(state.since, old.until) if old and until > old.until else state.since
    hours = max(0, -(-(seconds(until) - seconds(begin)) // HOUR))
    if old and until <= old.until:
        hours = 0
    return Away(until, used + hours) if used + hours <= clocks.absence else None


def hours_left(clocks: Clocks, state: State, seat: str) -> int:
    """What is left of a seat's allowance, in hours."""
    away = state.absences.get(seat)
    return clocks.absence - (away.used if away else 0)
