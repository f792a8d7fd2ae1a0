"""Clocks: when a claim and a forfeit are lawful, and absences. All times are those that signed entries name.

The clock of a question begins when it is asked and is not wound up by voids, notes or offers. It stands
still for a seat that announced that it is away, as far as the allowance of the contract goes. First
comes a claim, after the grace a forfeit by the same seat. Whether an entry's own time is true nobody
can prove; a receiver should let an entry from the future wait until its time has come. Therefore what
an absence cost comes back only as far as a later decision of another seat confirms the early end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.engine.events import Event
from pbem.protocol.papers.bodies import Absence, ClaimTime, Forfeit
from pbem.protocol.papers.entry import Entry
from pbem.protocol.papers.invitation import Clocks
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds import events
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.state import Away, State

HOUR = 3600


def deadline(clocks: Clocks, state: State, owed: Due) -> int:
    """When the clock of the present question runs out for one seat, in Unix seconds.

    The time to publish the secret at the end is not extended.
    """
    begun = seconds(state.clock) if state.clock else 0
    if owed.kind == "audit":
        return begun + clocks.audit * HOUR
    away = state.absences.get(owed.seat)
    return begun + clocks.move * HOUR + (_stopped(clocks, state, away) if away else 0)


def _stopped(clocks: Clocks, state: State, away: Away) -> int:
    """For how long an absence stops the clock of the present question."""
    begun = seconds(state.clock) if state.clock else 0
    carried = away.carried if away.question == state.clock else 0
    begin, until = seconds(away.begin), seconds(away.until)
    if begin >= begun + clocks.move * HOUR + carried:
        return carried
    return carried + max(0, until - max(begin, begun))


def why_unlawful(clocks: Clocks, state: State, entry: Entry, wanted: Mapping[str, Due]) -> Event | None:
    """Why a claim or a forfeit has no effect now; None if it is lawful."""
    body, sent = entry.body, seconds(entry.head.sent)
    assert isinstance(body, (ClaimTime, Forfeit))
    if body.question != state.question:
        return events.QuestionAnswered()
    if not set(body.seats) <= set(wanted) or entry.seat in body.seats:
        return events.OwesNothing()
    ends = {seat: deadline(clocks, state, wanted[seat]) for seat in body.seats}
    if isinstance(body, ClaimTime):
        early = tuple(seat for seat, end in ends.items() if sent < end)
        return events.ClockRuns(early) if early else None
    claimed = state.claims.get(entry.seat)
    if claimed is None or body.claimed != claimed:
        return events.NoSuchClaim()
    early = tuple(seat for seat, end in ends.items() if seconds(claimed) < end)
    if early:
        return events.ClockRan(early)
    if sent < seconds(claimed) + clocks.grace * HOUR:
        return events.GraceRuns()
    return None


def late_at(clocks: Clocks, state: State, missing: Mapping[str, Due], at: str) -> tuple[str, ...]:
    """The seats whose own clock has run out at a time."""
    return tuple(s for s, owed in missing.items() if deadline(clocks, state, owed) <= seconds(at))


def claim_of(
    clocks: Clocks, state: State, missing: Mapping[str, Due], seat: str, at: str
) -> ClaimTime | None:
    """The claim that a seat may make at a time, or None if nobody's clock has run out."""
    late = late_at(clocks, state, missing, at)
    return ClaimTime(late, state.question) if late and seat not in missing else None


def forfeit_at(clocks: Clocks, claimed: str) -> str:
    """When a forfeit may follow a claim."""
    return stamp(seconds(claimed) + clocks.grace * HOUR)


# --- absence


def take_absence(clocks: Clocks, state: State, entry: Entry) -> Event | None:
    """Take an entry of that kind in; why it has no effect, or None if it has."""
    assert isinstance(entry.body, Absence)
    return announce(clocks, state, entry.seat, entry.head.sent, entry.body.until)


def announce(clocks: Clocks, state: State, seat: str, sent: str, until: str) -> Event | None:
    """A seat says at one time that it is away until another; why that has no effect, or None if it has."""
    old = state.absences.get(seat)
    lasts = old is not None and sent <= old.until
    if until <= sent and not lasts:
        return events.EndsBeforeItBegins()
    until = max(until, sent)
    if old is None:
        new = Away(sent, until, until)
    elif lasts:
        new = replace(old, begin=min(old.begin, sent), until=until, charged=max(until, old.charged))
    else:
        new = Away(
            sent,
            until,
            max(until, old.charged),
            old.settled + _span(old.begin, min(sent, old.charged)),
            _stopped(clocks, state, old),
            state.clock,
        )
    if _cost(new) > max(clocks.absence * HOUR, _cost(old) if old else 0):
        left = hours_left(clocks, state, seat)
        return events.AllowanceUsed(left) if clocks.absence else events.NoAllowance()
    state.absences[seat] = new
    return None


def confirm_return(state: State, entry: Entry) -> None:
    """A decision in turn of another seat: what was charged beyond an early end, from then on, comes back."""
    for seat, away in list(state.absences.items()):
        charged = max(away.until, min(away.charged, entry.head.sent))
        if seat != entry.seat and charged != away.charged:
            state.absences[seat] = replace(away, charged=charged)


def hours_left(clocks: Clocks, state: State, seat: str) -> int:
    """What is left of a seat's allowance, in whole hours."""
    away = state.absences.get(seat)
    return (clocks.absence * HOUR - (_cost(away) if away else 0)) // HOUR


def _cost(away: Away) -> int:
    return away.settled + _span(away.begin, away.charged)


def _span(begin: str, end: str) -> int:
    return seconds(end) - seconds(begin)
