"""Time and receipts of a game, as records and in words: clocks, claims, absences, what each seat has seen.

All of it follows from the log, from the entries that wait and from what time it is here. Nothing is
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
    """Since when a seat is asked, until when it may answer, and who has claimed that it is late."""
    from pbem.protocol.log.forfeits import with_absences
    from pbem.protocol.rounds.clocks import deadline, forfeit_at

    state, clocks = with_absences(table.ledger), table.contract.invite.clocks
    if not state.clock:
        return {"since": state.since, "deadline": "", "left": None, "claims": []}
    end = deadline(clocks, state, owed)
    claimed = {seat: table.ledger.claimed(seat) for seat in table.ledger.position.seats if seat != owed.seat}
    return {
        "since": state.clock,
        "deadline": stamp(end),
        "left": end - seconds(table.clock()),
        "claims": [
            {"seat": seat, "claimed": at, "forfeit": forfeit_at(clocks, at)}
            for seat, at in claimed.items()
            if at is not None and seconds(at) >= end
        ],
    }


def absences(table: Table) -> list[dict[str, Any]]:
    """Who is away until when, and what is left to each seat that used some of its allowance."""
    from pbem.protocol.log.forfeits import with_absences
    from pbem.protocol.rounds.clocks import hours_left

    state, clocks, now = with_absences(table.ledger), table.contract.invite.clocks, table.clock()
    return [
        {
            "seat": seat,
            "until": away.until if away.begin <= now < away.until else None,
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
    claim = "" if own is None or own == one["seat"] or own in _claimants(one) else ": `pbem claim`"
    return f"{since}, run out at {one['deadline']}{claim}"


def _claimants(one: Mapping[str, Any]) -> list[str]:
    return [claim["seat"] for claim in one["claims"]]


def _claim_lines(asked: Sequence[Mapping[str, Any]], own: str | None) -> list[str]:
    told = {}
    for one in asked:
        for claim in one["claims"]:
            told[claim["seat"]] = f"claimed by {_who(claim['seat'], own)}; forfeit from {claim['forfeit']}"
    return list(told.values())


def _who(seat: str, own: str | None) -> str:
    return "you" if seat == own else seat


def status_lines(table: Table, asked: Sequence[Mapping[str, Any]]) -> list[str]:
    """The clocks of one game, one line for each that is asked, and absences."""
    own = table.seat
    out = []
    for one in asked:
        whose = "your clock" if one["seat"] == own else f"clock of {one['seat']}"
        out.append(f"{whose}: {clock_words(one, own)}")
    return out + _claim_lines(asked, own) + _away_lines(absences(table), own)


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
    out += _claim_lines(asked, own)
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
