"""What an entry out of turn does when a decision takes it in: standing orders, absences, words, offers.

Nobody can back-date: it counts from that decision on, after everything that its author signed out of turn
before it. What cannot have an effect any more has none. Offers count only as an agreement (`agreements`).
"""

from __future__ import annotations

from pbem.engine.events import Event
from pbem.protocol.papers.bodies import (
    Absence,
    Draw,
    Rekey,
    Revoke,
    Say,
    Standing,
    TakeBack,
    Terms,
)
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.clocks import announce, clocks_of, hours_left
from pbem.protocol.rounds.state import StandingOrder, signed_at
from pbem.protocol.rounds.stretch import Stretch

STANDING = 16
"""So many standing orders a seat may have in force."""


class StandingGiven(Event):
    says = "{seat}: {sealed:?a sealed|a} standing order for {decision}"
    seat: str
    decision: str
    sealed: bool


class StandingRefused(Event):
    says = "{seat}: more than {most} standing orders; this one has no effect"
    seat: str
    most: int


class StandingEnded(Event):
    says = "{seat}: no standing order for {decision} any more"
    seat: str
    decision: str


class WentAway(Event):
    says = "{seat} is away until {until}; {left:# hour|# hours} of absence are left"
    seat: str
    until: str
    left: int


class AbsenceRefused(Event):
    says = "{seat}: this absence has no effect: {left:# hour is|# hours are} left"
    seat: str
    left: int


class Spoke(Event):
    says = "{seat} says: {said}"
    seat: str
    said: str


class Offered(Event):
    says = (
        "{seat} offers {what:draw=a draw|take-back=to go back to entry {to}|rekey=new keys|terms=other terms}"
    )
    seat: str
    what: str
    to: int | None = None


def take_aside(runner: Stretch, entry: Entry) -> None:
    """The effect of an entry out of turn that a decision has taken in."""
    seat, state = entry.seat, runner.state
    state.change(seat, spoken=entry.id)
    match entry.body:
        case Standing():
            _standing(runner, entry, entry.body)
        case Revoke(decision=decision):
            key = f"{seat} {decision}"
            if key in state.standing or key in state.announced:
                state.announced[key] = StandingOrder(decision, entry.id)
            runner.say(StandingEnded(seat, decision))
        case Say(text=text):
            runner.say(Spoke(seat, text))
        case Absence(until=until):
            _absence(runner, seat, until)
        case Draw() | TakeBack() | Rekey() | Terms():
            runner.say(Offered(seat, entry.head.kind, getattr(entry.body, "to", None)))
        case _:
            pass  # a question of a restored home


def _standing(runner: Stretch, entry: Entry, body: Standing) -> None:
    seat, state = entry.seat, runner.state
    key = f"{seat} {body.decision}"
    known = {k for k in (*state.standing, *state.announced) if k.startswith(f"{seat} ")}
    if key not in known and len(known) >= STANDING:
        runner.say(StandingRefused(seat, STANDING))
        return
    place = signed_at(entry.head.after, entry.head.prev)
    state.announced[key] = StandingOrder(body.decision, entry.id, body.lines, body.seal, place)
    runner.say(StandingGiven(seat, body.decision, body.seal is not None))


def _absence(runner: Stretch, seat: str, until: str) -> None:
    state = runner.state
    clocks = clocks_of(runner.contract, state)
    away = announce(clocks, state, seat, until)
    if away is None:
        runner.say(AbsenceRefused(seat, hours_left(clocks, state, seat)))
        return
    state.absences[seat] = away
    runner.say(WentAway(seat, until, hours_left(clocks, state, seat)))
