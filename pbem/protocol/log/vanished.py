"""Forfeits after which the game goes on: which one counts where entries have crossed.

What the machines of all others have confirmed stands, on every machine, whatever they had gone on to.
Until then an answer of the late seat that comes to light is stronger: the line goes back to before the
forfeit and takes the answer. So every set of entries leads to one log, a seat whose answer has reached
anybody in time is not thrown out, and nothing that comes later can undo what all have confirmed.
Of several forfeits one that stands counts, then the first place, then the first in seat order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.protocol.log import forfeits
from pbem.protocol.log.line import Line
from pbem.protocol.papers.bodies import Absence, Answers, Forfeit
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.due import Due, decides_alone, fits_round
from pbem.protocol.rounds.leaving import goes_on, staying
from pbem.protocol.rounds.state import State


@dataclass(frozen=True)
class Place:
    """The round that a forfeit is about: after this entry of the log."""

    number: int
    state: State
    wanted: Mapping[str, Due]
    digest: str
    known: tuple[Entry, ...]
    """What was logged after it, and what waits."""


def place_of(ledger: Line, forfeit: Entry) -> Place | None:
    """The round that a forfeit is about, if the line has it."""
    number = ledger.place(forfeit.head.head)
    if number is None:
        return None
    then = ledger.moment(number)
    wanted = {seat: owed for seat, owed in then.wanted.items() if seat not in then.state.opened}
    later = [ledger.entry(n) for n in range(number + 1, ledger.state.number + 1)]
    return Place(number, then.state, wanted, then.digest, (*later, *ledger.pool.values()))


def leads_on(ledger: Line, forfeit: Entry, place: Place) -> bool:
    """Whether the game would go on after this forfeit."""
    return goes_on(ledger.contract, place.state, _late(forfeit), place.wanted)


def _late(forfeit: Entry) -> tuple[str, ...]:
    return forfeit.body.seats if isinstance(forfeit.body, Forfeit) else ()


# --- what all others have confirmed


def stands(ledger: Line, forfeit: Entry, place: Place) -> bool:
    """Whether all that remain have confirmed a forfeit, or one that followed because some did not."""
    left = staying(ledger.contract, place.state, _late(forfeit))
    return _confirmed(forfeit, frozenset(left), place.known)


def _confirmed(forfeit: Entry, left: frozenset[str], known: Iterable[Entry]) -> bool:
    known = tuple(known)
    here = [e for e in known if e.head.head == forfeit.id]
    given = {e.seat for e in here if isinstance(e.body, Answers) and e.body.gone}
    missing = left - given - {forfeit.seat}
    if not missing:
        return True
    further = [e for e in here if isinstance(e.body, Forfeit) and missing <= set(e.body.seats)]
    return any(e.seat in left and _confirmed(e, left - set(_late(e)), known) for e in further)


# --- what comes to light before that


def answer_of_late(ledger: Line, forfeit: Entry, place: Place) -> Entry | None:
    """An answer of a late seat to the round, or an absence with which the forfeit is not lawful."""
    for seat in _late(forfeit):
        if seat in place.wanted and (found := _answer(ledger, place, place.wanted[seat])) is not None:
            return found
    chains = [ledger.chain(seat, "decide", place.state, place.known) for seat in _late(forfeit)]
    told = [entry for chain in chains for entry in chain if isinstance(entry.body, Absence)]
    if told and not lawful_there(ledger, forfeit, place, told):
        return max(told, key=lambda e: (e.head.seq, e.id))
    return None


def _answer(ledger: Line, place: Place, owed: Due, after_notes: bool = False) -> Entry | None:
    """What a seat has given to the round, in its own order and without a gap.

    A note asks the round anew: whether what came after it answers that one shows only when it is tried.
    """
    asked, kinds = {place.state.head}, {owed.kind, "resign"} if owed.lane == "decide" else {owed.kind}
    alone, since = decides_alone(owed, place.wanted), place.state.since
    for entry in ledger.chain(owed.seat, owed.lane, place.state, place.known):
        head = entry.head
        here = head.head in asked and (head.pos == place.digest or head.head != place.state.head)
        dated = head.sent == since or (owed.lane == "decide" and head.sent > since)
        if not (here and dated and entry.id not in ledger.voided):
            continue
        fits = head.kind in kinds or fits_round(head.kind, owed, alone)
        if fits and not _has_seen(ledger, place, entry):
            return None  # the round waits for what it takes in, whatever comes after it
        if head.kind in kinds:
            return entry
        if after_notes and fits:
            asked.add(entry.id)
    return None


def _has_seen(ledger: Line, place: Place, entry: Entry) -> bool:
    """Whether what an entry takes in has arrived."""
    later = {e.id for e in place.known if e.id not in ledger.pool}
    waiting = [one for one in entry.head.seen if one not in later]
    if len(waiting) == len(entry.head.seen):
        return ledger.seen(entry) is not None
    return all(one in ledger.pool for one in waiting)


def lawful_there(ledger: Line, forfeit: Entry, place: Place, told: Iterable[Entry] = ()) -> bool:
    """Whether a forfeit is lawful where its author stood, after what it had seen and what is told besides."""
    if forfeits.new_keys_since(ledger, place.number, place.state):
        return False  # they have taken this place
    mine = [e for e in place.known if (e.seat, e.head.lane) == (forfeit.seat, "decide")]
    by_id = {entry.id: entry for entry in mine}
    chain, at = [forfeit], forfeit
    while at.head.prev != place.state.seats[forfeit.seat].decision:
        if at.head.prev not in by_id or len(chain) > len(mine):
            return False
        at = by_id[at.head.prev]
        chain.append(at)
    chain.reverse()
    ids = {one for entry in chain for one in entry.head.seen}
    seen = [e for e in place.known if e.id in ids]
    return forfeits.holds(ledger, place.state, chain, dict(place.wanted), [*seen, *told])


def _after_a_note(ledger: Line, forfeit: Entry, place: Place) -> Entry | None:
    """What may be an answer of a late seat that took notice first."""
    found = [_answer(ledger, place, place.wanted[s], True) for s in _late(forfeit) if s in place.wanted]
    return next((e for e in found if e is not None and (_missed(e), place.number) not in ledger.tried), None)


def _missed(answer: Entry) -> str:
    """The mark of what had its chance to answer the round, and did not."""
    return f"{answer.id} missed"


# --- going back


def _may_count(ledger: Line, forfeit: Entry) -> bool:
    """Whether a forfeit of the present round counts, as far as it is known here."""
    place = place_of(ledger, forfeit)
    if place is None or not leads_on(ledger, forfeit, place):
        return True
    if stands(ledger, forfeit, place):
        return True
    if answer_of_late(ledger, forfeit, place) is not None:
        return False
    return _after_a_note(ledger, forfeit, place) is None


def lawful_forfeit(ledger: Line, wanted: dict[str, Due]) -> list[Entry] | None:
    """A seat's entries up to a forfeit that is lawful in the present round, as its author saw it."""
    found: list[list[Entry]] = []
    claimants = {e.seat for e in ledger.pool.values() if isinstance(e.body, Forfeit)}
    for seat in ledger.position.seats:
        if seat not in claimants or seat in ledger.missing():
            continue
        chain = ledger.chain(seat, "decide")
        for number, entry in enumerate(chain):
            if not isinstance(entry.body, Forfeit) or entry.head.head != ledger.state.head:
                continue
            upto = chain[: number + 1]
            if ledger.seen(entry) is None or not forfeits.holds(ledger, ledger.state, upto, wanted):
                continue
            if _may_count(ledger, entry):
                found.append(upto)
    if len(found) > 1:
        found.sort(key=lambda chain: not _stands_here(ledger, chain[-1]))
    return found[0] if found else None


def _stands_here(ledger: Line, forfeit: Entry) -> bool:
    """Whether a forfeit of the present round has been confirmed by all others."""
    place = place_of(ledger, forfeit)
    return place is not None and stands(ledger, forfeit, place)


def go_back(ledger: Line) -> bool:
    """Go back to a forfeit that stands, or to before one that does not; True if the line was cut."""
    if not ledger.contract.invite.threshold or ledger.state.verdict is not None:
        return False
    return _to_what_stands(ledger) or _to_an_answer(ledger)


def _known_forfeits(ledger: Line) -> list[Entry]:
    """Forfeits that wait, and those in the log that waiting confirmations name."""
    found = [e for e in ledger.pool.values() if isinstance(e.body, Forfeit)]
    named = {e.head.head for e in ledger.pool.values() if isinstance(e.body, Answers) and e.body.gone}
    numbers = [ledger.place(name) for name in sorted(named)]
    found += [e for e in (ledger.entry(n) for n in numbers if n) if isinstance(e.body, Forfeit)]
    return [e for e in found if e.id not in ledger.voided]


def _order(ledger: Line, forfeit: Entry) -> tuple[int, str]:
    return ledger.position.seats.index(forfeit.seat), forfeit.id


def _to_what_stands(ledger: Line) -> bool:
    for forfeit in sorted(_known_forfeits(ledger), key=lambda e: _order(ledger, e)):
        place = place_of(ledger, forfeit)
        if place is None or place.number == ledger.state.number or _in_force(ledger, forfeit.id):
            continue
        final = stands(ledger, forfeit, place)
        later = _after_a_note(ledger, forfeit, place)
        mark = (f"{forfeit.id} stands" if final else f"{forfeit.id} {later and later.id}", place.number)
        if later is not None and not final and not set(_late(forfeit)) & set(ledger.missing()):
            continue  # what came after a note answers the present round: it is taken first
        if mark in ledger.tried or not leads_on(ledger, forfeit, place):
            continue
        if not _goes_before(ledger, forfeit, place, final) or not lawful_there(ledger, forfeit, place):
            continue
        ledger.tried.add(mark)
        if later is not None:
            ledger.tried.add((_missed(later), place.number))
        ledger.cut(place.number)
        return True
    return False


def _in_force(ledger: Line, name: str) -> bool:
    """Whether the line has gone on from this forfeit."""
    number = ledger.place(name)
    if not number:
        return False
    leaving = ledger.state_after(number).leaving
    return leaving is not None and leaving.entry == name


def _goes_before(ledger: Line, forfeit: Entry, place: Place, final: bool) -> bool:
    """Whether a forfeit goes before what the line has done in its place."""
    same = [e for e in place.known if isinstance(e.body, Forfeit) and e.head.head == forfeit.head.head]
    rival = next((e for e in same if e is not forfeit and _in_force(ledger, e.id)), None)
    if rival is None:
        asked = ledger.state.question == place.state.question
        return final or (asked and answer_of_late(ledger, forfeit, place) is None)
    if stands(ledger, rival, place) != final:
        return final
    return _order(ledger, forfeit) < _order(ledger, rival) and (
        final or answer_of_late(ledger, forfeit, place) is None
    )


def _to_an_answer(ledger: Line) -> bool:
    leaving = ledger.state.leaving
    while leaving is not None and not leaving.confirmed:
        number = ledger.place(leaving.entry)
        if not number:
            return False
        forfeit = ledger.entry(number)
        place = place_of(ledger, forfeit)
        if place is None:
            return False
        answer = answer_of_late(ledger, forfeit, place)
        answer = answer or _after_a_note(ledger, forfeit, place)
        mark = (answer.id if answer is not None else "", place.number)
        if answer is not None and mark not in ledger.tried and not stands(ledger, forfeit, place):
            ledger.tried.add(mark)
            ledger.cut(place.number)
            return True
        leaving = place.state.leaving
    return False
