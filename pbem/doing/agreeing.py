"""What players settle beside the rules: what this seat may offer, announce or call now.

Each of these is an entry of its own, signed like a move. The same offer of every seat, made at one point of
the game, is an agreement, and counts when the seat that decides there lists all of them in a note.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem import report
from pbem.errors import MalformedError, NotYourTurnError, RulesError, UsageError
from pbem.protocol.papers.bodies import Absence, Late, TakeBack
from pbem.protocol.papers.body_checks import check
from pbem.protocol.papers.entry import Entry
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds.agreements import may_agree
from pbem.protocol.rounds.clocks import HOUR, announce, clocks_of, deadline, hours_left
from pbem.protocol.rounds.state import Away, State
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
    return len(table.ledger.place.present) > 2


def offers(table: Table, kind: str) -> dict[str, Entry]:
    """The offers of a kind that are worth something here, by seat, this seat's own included."""
    here = [
        e for e in table.ledger.unseen() if e.head.kind == kind and e.head.after == table.ledger.place.tip
    ]
    return {entry.seat: entry for entry in here}


def offered_by(table: Table, kind: str) -> list[str]:
    """The other seats that offer this here."""
    return [seat for seat in offers(table, kind) if seat != table.seat]


def must_be_asked(table: Table) -> None:
    """Refuses an offer where it could never count: while a machine owes a link, an opening or a share."""
    if not may_agree(table.ledger.due()):
        names = ", ".join(seat for seat, owed in table.ledger.missing().items() if owed.lane == "answer")
        raise NotYourTurnError(
            f"an offer counts only where a decision is asked: first {names} must answer",
            "their program does it (`pbem receive` there); then offer it again",
        )


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
    for seat, entry in offers(table, "take-back").items():
        if seat != table.seat and isinstance(entry.body, TakeBack):
            return entry.body.to
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
    seat, state = str(table.seat), table.ledger.state
    clocks = clocks_of(table.contract, state)
    end = table.clock() if until == "now" else _until(until)
    if until == "now" and seat not in state.absences:
        raise RulesError("you are not away", "`pbem games` says who is")
    away = announce(clocks, state, seat, end)
    if away is None:
        left = hours_left(clocks, state, seat)
        raise RulesError(
            f"this absence would have no effect: {left} hours are left to you", "announce a shorter one"
        )
    owed, after = table.due(), replace_away(state, seat, away)
    clock = stamp(deadline(clocks, after, owed, seconds(table.came()))) if owed is not None else ""
    return Leave(Absence(end), hours_left(clocks, after, seat), clocks.absence, clock)


def replace_away(state: State, seat: str, away: Away) -> State:
    """The state as it would be with this absence."""
    after = state.copy()
    after.absences[seat] = away
    return after


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


# --- calls


def call(table: Table) -> Late:
    """Whom this seat may call late now, by its own clock: who has not answered, or gave no word on it."""
    must_play(table)
    ledger, missing = table.ledger, table.ledger.missing()
    if not missing:
        raise NotYourTurnError("nobody owes anything", "`pbem status` says how the game stands")
    if table.seat in missing:
        raise NotYourTurnError("you owe an answer yourself", "give it first")
    late = late_seats(table)
    if not late:
        clocks, came = clocks_of(table.contract, ledger.state), seconds(table.came())
        first = min(deadline(clocks, ledger.state, owed, came) for owed in missing.values())
        left = first + clocks.grace * HOUR - seconds(table.clock())
        raise NotYourTurnError(
            f"the time of {', '.join(missing)} is not over yet on this machine",
            f"{-(-left // HOUR)} hours are left, with the grace",
        )
    return Late(late)


def late_seats(table: Table) -> tuple[str, ...]:
    """Whom this machine would call late: all whose answers it lacks, once the time of all of them is over.

    If others have known of that very call for as long again and said nothing, they are named with them.
    """
    ledger, now, came = table.ledger, seconds(table.clock()), seconds(table.came())
    clocks, missing = clocks_of(table.contract, ledger.state), ledger.missing()
    grace = clocks.grace * HOUR
    over = [deadline(clocks, ledger.state, owed, came) + grace <= now for owed in missing.values()]
    if not missing or not all(over) or table.seat in missing:
        return ()
    silent = tuple(sorted(missing))
    since = table.called_since(silent)
    if since is None or now < seconds(since) + clocks.move * HOUR + grace:
        return silent
    said = {entry.seat for entry in ledger.called()[silent]} | {str(table.seat)}
    return tuple(sorted({*silent, *(set(ledger.place.present) - said)}))


def can_count(table: Table, late: tuple[str, ...]) -> bool:
    """Whether a call of these seats can put them out: those who sign it must be more than those named."""
    return len(table.ledger.place.voters(late)) > len(late)
