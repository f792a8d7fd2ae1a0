"""Time and receipts of a game, as records and in words: clocks, calls, absences, what each seat has seen.

Clocks are this machine's own: each begins when its line comes to where it stands. Nothing is
known of a mail that was not answered: a seat has certainly seen what its own entries name, no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.protocol.papers.times import seconds, stamp

if TYPE_CHECKING:
    from pbem.protocol.rounds.due import Due
    from pbem.table import Table

UNITS = (("day", 24 * 3600), ("hour", 3600), ("minute", 60))


def span(length: int) -> str:
    """A length of time in words: the greatest unit of which there are at least two."""
    unit, size = next((one for one in UNITS if length >= 2 * one[1]), UNITS[-1])
    count = length // size
    return f"{count} {unit}{'' if count == 1 else 's'}"


# --- records


def clock_of(table: Table, owed: Due) -> dict[str, Any]:
    """Since when this machine waits for a seat, until when it may answer, and who has called it late."""
    from pbem.protocol.rounds.clocks import clocks_of, deadline

    state, clocks = table.ledger.state, clocks_of(table.contract, table.ledger.state)
    came = table.came()
    end = deadline(clocks, state, owed, seconds(came))
    calls = [e.seat for late, calls in table.ledger.called().items() if owed.seat in late for e in calls]
    return {
        "since": came,
        "deadline": stamp(end),
        "left": end - seconds(table.clock()),
        "calls": list(dict.fromkeys(calls)),
    }


def absences(table: Table) -> list[dict[str, Any]]:
    """Who is away until when, and what is left to each seat that used some of its allowance."""
    from pbem.protocol.rounds.clocks import clocks_of, hours_left

    state, now = table.ledger.state, table.clock()
    clocks = clocks_of(table.contract, state)
    return [
        {
            "seat": seat,
            "until": away.until if now < away.until else None,
            "hours_left": hours_left(clocks, state, seat),
        }
        for seat, away in sorted(state.absences.items())
    ]


def receipts(table: Table) -> list[dict[str, Any]]:
    """Up to which entry each other seat has certainly seen the game, and how many later ones it lacks."""
    from pbem.outgoing import receipt

    found = []
    for seat in table.ledger.position.seats:
        if seat != table.seat:
            known, lacks = receipt(table, seat)
            seen = known if lacks else table.ledger.state.number
            found.append({"seat": seat, "seen": seen, "unacknowledged": len(lacks)})
    return found


# --- words


def clock_words(one: Mapping[str, Any], own: str | None) -> str:
    """The clock of one that is asked: since when, until when, how much is left."""
    since = f"since {one['since'] or 'the beginning'}"
    if not one["deadline"]:
        return since
    if one["left"] > 0:
        return f"{since}, until {one['deadline']} ({span(one['left'])} left)"
    call = "" if own is None or own == one["seat"] or own in one["calls"] else ": `pbem late` says so"
    return f"{since}, run out at {one['deadline']}{call}"


def _call_lines(asked: Sequence[Mapping[str, Any]], own: str | None) -> list[str]:
    return [
        f"{_who(one['seat'], own)}: called late by {', '.join(_who(seat, own) for seat in one['calls'])}"
        for one in asked
        if one["calls"]
    ]


def _who(seat: str, own: str | None) -> str:
    return "you" if seat == own else seat


def status_lines(table: Table, asked: Sequence[Mapping[str, Any]]) -> list[str]:
    """The clocks of one game, one line for each that is asked, and absences."""
    own = table.seat
    out = []
    for one in asked:
        whose = "your clock" if one["seat"] == own else f"clock of {one['seat']}"
        out.append(f"{whose}: {clock_words(one, own)}")
    return out + _call_lines(asked, own) + _away_lines(absences(table), own)


def _away_lines(away: Sequence[Mapping[str, Any]], own: str | None) -> list[str]:
    out = []
    for one in away:
        until = f"away until {one['until']}; " if one["until"] else ""
        out.append(f"{_who(one['seat'], own)}: {until}{span(one['hours_left'] * 3600)} of absence left")
    return out


def game_lines(game: Mapping[str, Any]) -> list[str]:
    """A game of the list in a few lines: clocks, claims, absences, receipts, what has not left yet."""
    own, asked = game["seat"], game["asked"]
    out = [f"{_who(one['seat'], own)}: {one['what']}, {clock_words(one, own)}" for one in asked]
    out += _call_lines(asked, own)
    out += _away_lines(game["absences"], own)
    if game["entries"] and asked and own is not None:
        out += _receipt_lines(game["receipts"], game["entries"])
    if game["handed"] is False:
        out.append("not handed over yet: `pbem send` does it")
    return out


def _receipt_lines(told: Sequence[Mapping[str, Any]], entries: int) -> list[str]:
    full = [one["seat"] for one in told if not one["unacknowledged"]]
    out = [f"{', '.join(full)} {'has' if len(full) == 1 else 'have'} seen everything"] if full else []
    for one in told:
        count = one["unacknowledged"]
        if count:
            are = "1 later one is" if count == 1 else f"{count} later ones are"
            upto = f"entry {one['seen']} of {entries}" if one["seen"] else "nothing yet"
            out.append(f"{one['seat']} has seen {upto}; {are} not acknowledged")
    return out
