"""Forfeits on time: which one ends the line, where, and what turns a forfeit into a dispute.

A forfeit counts if it is lawful after what its author had seen. It ends the line where its author stood,
also on machines that have gone on meanwhile: they go back to that place, so all hold the same log. Of
several the one that goes back furthest counts, then the first in seat order. If an answer of a late seat,
or an absence, comes to light after it, nobody can tell whose fault that is: the verdict says disputed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from pbem.engine.events import Fact
from pbem.engine.waits import Over
from pbem.protocol.log.line import Line
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import IN_TURN, Absence, ClaimTime, Forfeit, Resign
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.breach import Culprit
from pbem.protocol.rounds.carry_out import end
from pbem.protocol.rounds.clocks import take_absence, why_unlawful
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.events import Disputed
from pbem.protocol.rounds.leaving import goes_on
from pbem.protocol.rounds.out_of_turn import take_aside
from pbem.protocol.rounds.state import State, Verdict

ANSWERS_A_ROUND = (*IN_TURN, "answers", "audit")


def _named(forfeit: Entry) -> tuple[str, ...]:
    return forfeit.body.seats if isinstance(forfeit.body, Forfeit) else ()


def announced(ledger: Line, seats: Iterable[str]) -> list[Entry]:
    """The waiting entries of these seats, each up to the last absence that it announces."""
    found: list[Entry] = []
    for seat in seats:
        chain = ledger.chain(seat, "decide")
        while chain and not isinstance(chain[-1].body, Absence):
            chain.pop()
        found += chain
    return found


def with_absences(ledger: Line) -> State:
    """The state as the next decision here takes it: absences that wait are counted."""
    state = ledger.state.copy()
    for entry in announced(ledger, ledger.position.seats):
        if isinstance(entry.body, Absence):
            take_absence(ledger.contract.invite.clocks, state, entry)
    return state


def holds(
    ledger: Line, state: State, chain: list[Entry], wanted: dict[str, Due], known: Sequence[Entry] = ()
) -> bool:
    """Whether a forfeit, the last of a seat's entries, is lawful after what it has seen and what is known."""
    if any(isinstance(entry.body, Resign) for entry in chain):
        return False  # who has resigned claims nothing: else its round would begin the clock anew
    state, clocks = state.copy(), ledger.contract.invite.clocks
    before = {e.id: e for e in (*known, *(ledger.seen(chain[-1]) or ())) if isinstance(e.body, Absence)}
    for entry in sorted(before.values(), key=lambda e: e.head.seq):
        take_absence(clocks, state, entry)
    for entry in chain:
        if entry.id in ledger.voided or not isinstance(entry.body, (ClaimTime, Forfeit)):
            continue
        lawful = why_unlawful(clocks, state, entry, wanted) is None
        if entry is chain[-1]:
            return lawful
        if lawful and isinstance(entry.body, ClaimTime):
            state.claims[entry.seat] = entry.head.sent
    return False


def new_keys_since(ledger: Line, number: int, state: State) -> bool:
    """Whether somebody has new keys since an entry of the log, and not by what a forfeit of it took in.

    A forfeit logs the consents that were given before it, so each of two that cross may change a key: that
    must not keep the other from its place.
    """
    end = _end_of_round(ledger, number)
    if end > number and isinstance(ledger.entry(end).body, Forfeit):
        state = ledger.state_after(end)
    return any(state.seats[seat].key != now.key for seat, now in ledger.state.seats.items())


def _end_of_round(ledger: Line, number: int) -> int:
    """The last entry of the round that follows an entry of the log: position.toml changes with it."""
    before = ledger.text_after(number)
    later = range(number + 1, ledger.state.number + 1)
    return next((n for n in later if ledger.text_after(n) != before), number)


# --- a forfeit of a round that the line has left behind


def go_back(ledger: Line) -> bool:
    """If a waiting forfeit was lawful where its author stood, go back there; True if the line was cut."""
    standing = _standing(ledger)
    for entry in sorted(ledger.pool.values(), key=lambda e: e.id):
        if not isinstance(entry.body, Forfeit) or entry.id in ledger.voided:
            continue
        number = ledger.place(entry.head.head)
        order = ledger.position.seats.index(entry.seat)
        if number is None or number == ledger.state.number or (entry.id, number) in ledger.tried:
            continue
        if standing is not None and standing <= (number, order):
            continue
        if _was_lawful(ledger, entry, number):
            ledger.tried.add((entry.id, number))
            ledger.cut(number)
            return True
    return False


def _standing(ledger: Line) -> tuple[int, int] | None:
    """Where the forfeit that ended the line stands: its author's place, and seat.

    What a forfeit takes in may hold a breach: then its round ends the line, too, with another verdict.
    """
    verdict = ledger.state.verdict
    if verdict is None:
        return None
    number = ledger.place(verdict.entry) if verdict.late else _end_of_round(ledger, verdict.before)
    forfeit = ledger.entry(number) if number else None
    if forfeit is None or not isinstance(forfeit.body, Forfeit):
        return 0, 0
    return ledger.place(forfeit.head.head) or 0, ledger.position.seats.index(forfeit.seat)


def _was_lawful(ledger: Line, forfeit: Entry, number: int) -> bool:
    """Whether a forfeit is lawful as its author saw the game, after that entry of the log."""
    later = [ledger.entry(n) for n in range(number + 1, ledger.state.number + 1)]
    mine = [e for e in later if e.seat == forfeit.seat]
    if any(e.head.kind in ANSWERS_A_ROUND and (ledger.place(e.head.head) or 0) > number for e in mine):
        return False  # its author has gone on from a later place
    chain = ledger.chain(forfeit.seat, "decide")
    if forfeit not in chain:
        return False
    chain = [*(e for e in mine if e.head.lane == "decide"), *chain[: chain.index(forfeit) + 1]]
    then = ledger.moment(number)
    if new_keys_since(ledger, number, then.state):
        return False  # they have taken this place
    ended = ledger.state.verdict is not None and not ledger.state.verdict.late
    if not ended and goes_on(ledger.contract, then.state, _named(forfeit), then.wanted):
        return False  # a forfeit after which the game goes on has rules of its own (`vanished`)
    ids = {one for entry in chain for one in entry.head.seen}
    return holds(ledger, then.state, chain, then.wanted, [e for e in later if e.id in ids])


# --- what comes to light after it


def surfaced(ledger: Line) -> list[Logged] | None:
    """After a forfeit the answer, or an absence, comes to light."""
    verdict = ledger.state.verdict
    if verdict is None or not verdict.late:
        return None
    order = _evidence(ledger, verdict)
    number = ledger.place(verdict.entry)
    if not order or number is None:
        return None
    if verdict.disputed:
        if _weight(ledger, order[-1]) >= _weight(ledger, _shown(ledger, number)):
            return None
        ledger.cut(number)
        return []
    entry = order[-1]
    runner = ledger.scene().runner()
    runner.state.number += len(order)
    runner.state.verdict = None
    if entry.head.kind == "audit":
        with suppress(Culprit):
            take_aside(runner, entry, {entry.seat: Due(entry.seat, "audit")}, ledger.text_after)
    reason = Fact.of(Disputed(verdict.culprit, verdict.reason, entry.head.kind, entry.head.sent))
    told = Verdict("", reason, verdict.entry, before=verdict.before, round=verdict.round, late=verdict.late)
    runner, events = end(runner, order, told)
    return ledger.commit(runner, order, events)


def _shown(ledger: Line, number: int) -> Entry:
    """What came to light after the forfeit with this number: the entry that makes it disputed."""
    first = ledger.entry(number + 1)
    for later in range(number + 1, ledger.state.number + 1):
        entry = ledger.entry(later)
        if entry.seat == first.seat and entry.head.kind in ANSWERS_A_ROUND:
            return entry
    return first


def _weight(ledger: Line, entry: Entry) -> tuple[bool, int, bool]:
    """Of several things that have come to light one is logged, the same everywhere: as `_evidence` looks.

    Two of one seat and lane weigh the same: their own order decides, and the line does not go back for it.
    """
    seat = ledger.position.seats.index(entry.seat)
    return entry.head.kind not in ANSWERS_A_ROUND, seat, entry.head.lane == "answer"


def _evidence(ledger: Line, verdict: Verdict) -> list[Entry]:
    """Waiting entries of the first late seat that has answered; or announcements that change the forfeit."""
    over = isinstance(ledger.machine.waits_for(ledger.position), Over)
    kinds = ("audit",) if over else (*IN_TURN, "answers")
    for seat in ledger.position.seats:
        if seat not in verdict.late:
            continue
        for lane in ("decide", "answer"):
            chain = ledger.chain(seat, lane)
            found = next((n for n, entry in enumerate(chain) if entry.head.kind in kinds), None)
            if found is not None:
                return chain[: found + 1]
    return [] if verdict.disputed else _surfaced_absence(ledger, verdict)


def _surfaced_absence(ledger: Line, verdict: Verdict) -> list[Entry]:
    """Waiting announcements with which the forfeit at the end of the line would not have been lawful."""
    told, number = announced(ledger, verdict.late), ledger.place(verdict.entry)
    if not told or number is None:
        return []
    forfeit = ledger.entry(number)
    place = ledger.place(forfeit.head.head)
    if place is None:
        return []
    then = ledger.moment(place)
    mine = [ledger.entry(n) for n in range(place + 1, number + 1)]
    chain = [e for e in mine if e.seat == forfeit.seat and e.head.lane == "decide"]
    seen = [e for e in mine if isinstance(e.body, Absence)]
    return [] if holds(ledger, then.state, chain, then.wanted, [*seen, *told]) else told
