"""What an entry beside a round does: standing orders, resignation, offers, clocks, new keys, complaints.

It counts from the moment an entry in turn has seen it (or stands before one of its own author), so
nobody can back-date. What cannot have an effect any more has none; only a lie about something
committed to is a breach.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence

from pbem.engine.events import Fact
from pbem.protocol.crypto.keys import box_private, box_public
from pbem.protocol.papers.bodies import (
    Absence,
    Audit,
    ClaimTime,
    Complaint,
    Draw,
    Forfeit,
    Note,
    Rekey,
    Resign,
    Revoke,
    Say,
    Settle,
    Standing,
    TakeBack,
)
from pbem.protocol.papers.contract import secret_commitment
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds import events
from pbem.protocol.rounds.breach import Culprit
from pbem.protocol.rounds.clocks import hours_left, take_absence, why_unlawful
from pbem.protocol.rounds.complaints import judge, judge_by_secrets
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.in_turn import burn_link
from pbem.protocol.rounds.leaving import begin_leaving, goes_on, plays_in_the_open
from pbem.protocol.rounds.new_keys import take_rekey
from pbem.protocol.rounds.state import SeatState, StandingOrder, State, Verdict, split
from pbem.protocol.rounds.stretch import Stretch

STANDING = 16
"""So many standing orders a seat may have in force."""
VOTES = 16
"""So many agreements of a seat to go on after a verdict are kept."""


def take_aside(
    runner: Stretch, entry: Entry, wanted: Mapping[str, Due], earlier: Callable[[int], str]
) -> None:
    """An entry out of turn that has been seen, or an alternative to the answer of a round."""
    seat, state = entry.seat, runner.state
    if seat in state.opened_boxes and not isinstance(entry.body, Audit):
        runner.say(events.AlreadyOpen(seat))
        return
    if isinstance(entry.body, (Resign, Draw, TakeBack)) and _is_over(runner):
        runner.say(events.GameWasOver(seat, entry.head.kind))
        return
    match entry.body:
        case Standing():
            _standing(runner, entry, entry.body)
        case Revoke(decision=decision):
            if _stands(state, f"{seat} {decision}"):
                state.announced[f"{seat} {decision}"] = StandingOrder(decision, entry.id)
            runner.say(events.StandingEnded(seat, decision))
        case Resign():
            _resign(runner, seat, entry.body)
        case Draw():
            _offer(runner, seat, "draw")
            if _agreed(runner, "draw"):
                runner.end((), events.DrawAgreed())
        case TakeBack(to=to):
            _offer(runner, seat, f"take-back {to}")
            if _agreed(runner, f"take-back {to}"):
                _take_back(runner, earlier, to)
        case Note():
            runner.say(events.TookNotice(seat))
        case Say(text=text):
            runner.say(events.WasSaid(seat, text))
        case ClaimTime() | Forfeit():
            _time(runner, entry, wanted)
        case Absence():
            _absence(runner, entry)
        case Rekey(paper=paper, piece=piece):
            take_rekey(runner, seat, paper, piece)
        case Complaint():
            judge(runner, entry)
        case Settle():
            _vote(runner, seat, entry.body)
        case Audit() if _is_due(seat, wanted):
            _audit(runner, seat, entry.body)
        case Audit():
            runner.say(events.SecretNotDue(seat))
        case body:
            if entry.head.lane == "decide":
                burn_link(runner, seat, body)
            runner.say(events.CameTooLate(seat))


def _is_over(runner: Stretch) -> bool:
    """Whether how the game ended stands: whoever has published its secret since is not asked any more."""
    return runner.pos.outcome is not None or runner.state.verdict is not None


def _is_due(seat: str, wanted: Mapping[str, Due]) -> bool:
    """Whether a seat's secret is asked for: before that it would open what is still to be decided."""
    return seat in wanted and wanted[seat].kind == "audit"


def _standing(runner: Stretch, entry: Entry, body: Standing) -> None:
    seat, state = entry.seat, runner.state
    key = f"{seat} {body.decision}"
    known = {k for k in (*state.standing, *state.announced) if k.startswith(f"{seat} ")}
    if key not in known and len(known) >= STANDING:
        runner.say(events.TooManyStanding(seat, STANDING))
        return
    order = StandingOrder(body.decision, entry.id, body.lines, body.seal, entry.head.seq)
    state.announced[key] = order
    runner.say(events.StandingSet(seat, body.decision, body.seal is not None))


def _stands(state: State, key: str) -> bool:
    """Whether a seat has a standing order for a kind of decision, or has announced one or its end."""
    return key in state.standing or key in state.announced


def _vote(runner: Stretch, seat: str, body: Settle) -> None:
    """A vote is kept for the verdict that it is about, which may be on another line still."""
    state, key = runner.state, f"{body.void} {seat}"
    if key not in state.settles and sum(one.endswith(f" {seat}") for one in state.settles) >= VOTES:
        runner.say(events.TooManyVotes(seat, VOTES))
        return
    state.settles[key] = f"{body.culprit} {body.counts}"
    runner.say(events.SettlementVoted(seat, body.void))


# --- ends by agreement or by giving up


def _resign(runner: Stretch, seat: str, body: Resign) -> None:
    """Of two seats the other wins; of more, the seat plays on in the open."""
    state = runner.state
    others = tuple(s for s in runner.pos.seats if s != seat and s not in state.opened)
    if len(others) == 1:
        runner.end(others, events.Resigned(seat))
        return
    _publish(runner, seat, body.secret, body.former)
    box = runner.state.seats[seat].box or runner.contract.seats[seat].box.hex()
    if not body.box or box_public(box_private(bytes.fromhex(body.box))).hex() != box:
        raise Culprit(seat, events.BoxKeyFalse())
    state.opened_boxes[seat] = body.box
    plays_in_the_open(state, seat)
    runner.progress = True
    runner.say(events.ResignedInTheOpen(seat))


def _publish(runner: Stretch, seat: str, secret: str, former: tuple[str, ...]) -> None:
    """Secrets are what was committed to; a former one that was lost cannot be published."""
    mine, listed = runner.state.seats[seat], runner.contract.listed
    first = runner.contract.seats[seat].commitment
    known = mine.commitment or first
    if not secret or secret_commitment(listed, seat, bytes.fromhex(secret)) != known:
        raise Culprit(seat, events.SecretFalse())
    told = [secret_commitment(listed, seat, bytes.fromhex(one)) for one in former]
    if not set(told) <= set(mine.former):
        raise Culprit(seat, events.FormerSecretFalse())
    if _keeps_back(mine, first, told):
        raise Culprit(seat, events.FormerSecretKept())
    runner.state.opened[seat] = secret
    if former:
        runner.state.opened_former[seat] = former


def _keeps_back(mine: SeatState, first: str, told: Sequence[str]) -> bool:
    """Whether a seat used the deck keys of its first secret after it got others: then it has not lost it."""
    return mine.used_former and first not in told


def _audit(runner: Stretch, seat: str, body: Audit) -> None:
    _publish(runner, seat, body.secret, body.former)
    missing = len(runner.state.seats[seat].former) - len(body.former)
    runner.say(events.SecretPublished(seat, max(0, missing)))
    judge_by_secrets(runner)


def _offer(runner: Stretch, seat: str, what: str) -> None:
    runner.state.offers[seat] = what
    runner.say(events.Offered(seat, what))


def _agreed(runner: Stretch, what: str) -> bool:
    return all(runner.state.offers.get(s) == what for s in runner.pos.seats if s not in runner.state.opened)


def _take_back(runner: Stretch, earlier: Callable[[int], str], to: int) -> None:
    """Back to the position after an earlier entry; the protocol itself never goes back.

    Links stay revealed, events and shuffles keep their numbers, and the next die needs new links of
    all, so nothing that fell before can fall again.
    """
    state = runner.state
    state.offers.clear()
    if not state.barrier <= to < state.number:
        runner.say(events.NoTakeBack(to, state.barrier))
        return
    table, _ = split(tomllib.loads(earlier(to)))
    runner.pos = runner.machine.read(table)
    state.queues, state.seed, state.request = {}, "", 0
    state.decisions += (state.head,)
    state.fresh, state.declined = {}, False
    runner.progress = True
    runner.say(events.TakenBack(to))


# --- clocks


def _time(runner: Stretch, entry: Entry, wanted: Mapping[str, Due]) -> None:
    """A claim is noted; a forfeit ends the line, or the others go on. An unlawful one has no effect."""
    body, seat, state = entry.body, entry.seat, runner.state
    assert isinstance(body, (ClaimTime, Forfeit))
    why = why_unlawful(runner.contract.invite.clocks, state, entry, wanted)
    if why is not None:
        runner.say(events.WithoutEffect(seat, entry.head.kind, Fact.of(why)))
        return
    if isinstance(body, ClaimTime):
        state.claims[seat] = entry.head.sent
        runner.say(events.ClockClaimed(seat, body.seats))
        return
    if set(body.seats) & runner.answered:
        runner.say(events.WithoutEffect(seat, entry.head.kind, Fact.of(events.AnswerArrived())))
        return
    if goes_on(runner.contract, state, body.seats, wanted):
        begin_leaving(runner, entry, wanted)
        return
    old = state.verdict
    blamed = tuple(dict.fromkeys((*(old.culprits if old else ()), *body.seats)))
    reason = Fact.of(events.NotInTime(seat) if old is None else events.AuditWithheld(old.reason, body.seats))
    state.verdict = Verdict(", ".join(blamed), reason, entry.id, round=entry.head.head, late=body.seats)
    runner.progress = True
    runner.say(events.Judged(", ".join(body.seats), reason))


def _absence(runner: Stretch, entry: Entry) -> None:
    seat, state, clocks = entry.seat, runner.state, runner.contract.invite.clocks
    why = take_absence(clocks, state, entry)
    if why is not None:
        runner.say(events.WithoutEffect(seat, "absence", Fact.of(why)))
        return
    away = state.absences[seat]
    told = events.CameBack if away.until <= entry.head.sent else events.WentAway
    runner.say(told(seat, away.until, hours_left(clocks, state, seat)))
