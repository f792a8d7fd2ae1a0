"""What players settle beside the rules: what this seat may offer, accept, announce or claim now.

Each of these is an entry of its own, signed and logged like a move. Offers of several seats count
when all agree; an entry out of turn counts from the moment an entry in turn has seen it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem import report
from pbem.doing.notices import unseen
from pbem.errors import MalformedError, NotYourTurnError, RulesError, UsageError
from pbem.protocol.log.forfeits import with_absences
from pbem.protocol.papers.bodies import Absence, ClaimTime, Forfeit, TakeBack
from pbem.protocol.papers.body_checks import check
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds.clocks import announce, deadline, forfeit_at, hours_left, late_at
from pbem.protocol.rounds.leaving import goes_on
from pbem.table import Table


def must_be_on(table: Table) -> None:
    """Refuses a spectator, a home that does not decide here, and a game that is over."""
    must_play(table)
    table.must_decide_here()
    if report.outcome(table):
        raise NotYourTurnError(f"the game is over: {report.outcome(table)}", "`pbem audit` ends it for good")


def must_play(table: Table) -> None:
    """Refuses a spectator."""
    if table.seat is None:
        raise NotYourTurnError("you only watch this game", "a player can do this")


def opens_secret(table: Table) -> bool:
    """Whether resigning publishes the seat's secret: with three or more, the others go on without it."""
    return len([s for s in table.contract.invite.seats if s not in table.ledger.state.opened]) > 2


def offered_by(table: Table, what: str) -> list[str]:
    """The other seats that offer this, logged or waiting to be seen."""
    found = [s for s, offer in table.ledger.state.offers.items() if offer.split()[0] == what]
    found += [entry.seat for entry in unseen(table) if entry.head.kind == what]
    return [s for s in dict.fromkeys(found) if s != table.seat]


# --- take-back


def takeback_to(table: Table, number: int | None) -> int:
    """The entry to go back to: as given, as offered, or the one before this seat's last decision."""
    state = table.ledger.state
    if number is not None and number >= state.number:
        raise UsageError(
            f"there is no entry after {number} that could be taken back", f"the last entry is {state.number}"
        )
    to = number if number is not None else _offered_number(table)
    to = to if to is not None else _before_own(table)
    if not state.barrier <= to < state.number:
        raise RulesError(
            f"no take-back to entry {to}: something hidden was drawn or opened at entry {state.barrier}",
            f"from {state.barrier} to {state.number - 1} is possible"
            if state.barrier < state.number
            else "nothing can be taken back now",
        )
    return to


def _offered_number(table: Table) -> int | None:
    for entry in unseen(table):
        if isinstance(entry.body, TakeBack):
            return entry.body.to
    for seat, offer in table.ledger.state.offers.items():
        if seat != table.seat and offer.startswith("take-back "):
            return int(offer.split()[1])
    return None


def _before_own(table: Table) -> int:
    """The number of the entry before this seat's last decision."""
    last = table.ledger.state.number
    for one in reversed(report.read_log(table, max(1, last - 200), last) if last else []):
        if one.seat == table.seat and one.kind == "orders":
            return one.number - 1
    raise RulesError("you have decided nothing that could be taken back", "`pbem takeback N` names an entry")


# --- absence


@dataclass(frozen=True, slots=True)
class Leave:
    """An absence that would count, and what it leaves."""

    body: Absence
    left: int
    """Hours of absence that are left then."""
    of: int
    clock: str
    """Until when this seat's clock then runs, "" if none does."""


def leave(table: Table, until: str) -> Leave:
    """What an absence until a day or time ("now": back again) would mean; refused if it has no effect."""
    must_be_on(table)
    seat, clocks, state = str(table.seat), table.contract.invite.clocks, with_absences(table.ledger)
    sent = max(table.clock(), state.since)
    end = sent if until == "now" else _until(until)
    why = announce(clocks, state, seat, sent, end)
    if why is not None:
        words = "you are not away" if until == "now" else report.spoken(table, why)
        raise RulesError(f"this absence would have no effect: {words}", "`pbem games` says what is left")
    owed = table.due()
    clock = stamp(deadline(clocks, state, owed)) if owed is not None and state.clock else ""
    return Leave(Absence(end), hours_left(clocks, state, seat), clocks.absence, clock)


def _until(text: str) -> str:
    """A day, to its end, or a time, as entries write it."""
    end = text if "T" in text else f"{text}T23:59:59Z"
    try:
        check(Absence(end))
    except MalformedError:
        raise UsageError(
            f"{text!r} is no day and no time", "write it as 2026-08-20 or 2026-08-20T12:00:00Z"
        ) from None
    return end


# --- claims


def claim(table: Table) -> ClaimTime | Forfeit:
    """What this seat may claim now: that a clock has run out, or, after the grace, the forfeit."""
    must_play(table)
    missing = table.ledger.missing()
    if not missing:
        raise NotYourTurnError("nobody owes anything", "`pbem status` says how the game stands")
    if table.seat in missing:
        raise NotYourTurnError("you owe an entry of this round yourself", "give it first")
    state, clocks, now = with_absences(table.ledger), table.contract.invite.clocks, table.clock()
    claimed = table.ledger.claimed(str(table.seat))
    late = late_at(clocks, state, missing, claimed) if claimed is not None else ()
    if claimed is not None and late:
        end = forfeit_at(clocks, claimed)
        if now < end:
            raise _not_yet("grace", late, seconds(end) - seconds(now))
        return Forfeit(late, claimed, state.question)
    late = late_at(clocks, state, missing, now)
    if not late:
        first = min(deadline(clocks, state, owed) for owed in missing.values())
        raise _not_yet("clock", tuple(missing), first - seconds(now))
    return ClaimTime(late, state.question)


def others_go_on(table: Table, gone: tuple[str, ...]) -> bool:
    """Whether the game goes on after a forfeit of these seats, or ends with it."""
    ledger = table.ledger
    return goes_on(table.contract, ledger.state, gone, ledger.due())


def _not_yet(what: str, late: tuple[str, ...], left: int) -> NotYourTurnError:
    return NotYourTurnError(
        f"the {what} of {', '.join(late)} has not run out yet", f"{-(-left // 3600)} hours are left"
    )
