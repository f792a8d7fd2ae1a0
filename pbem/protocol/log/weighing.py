"""Weighing: where what is known contradicts itself, the line is a function of the set of known entries.

Who signed two entries with one number, forfeits and consents that cross moves, a breach: each machine has
heard of them in another order and may have gone on differently. So as soon as a machine goes back, ends with
a verdict or holds two such halves, it takes everything from before the first of them out of the line again
and goes forward anew with all that is known by now, in an order that does not hang on its arrival. Two
machines that know the same entries then hold the same log.

Which of two halves counts is what others have built on; that may show only some rounds later, and where
several seats answered a round together only in the position that they name. So each half is tried.
"""

from __future__ import annotations

import copy
from dataclasses import fields

from pbem.protocol.log import doubles
from pbem.protocol.log.line import Line
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import Forfeit, Rekey, Settle
from pbem.protocol.papers.entry import Entry

CROSSING = (Forfeit, Rekey, Settle)
"""What may count where its author stood, whatever the line has gone on to."""


def weigh(ledger: Line) -> list[Logged]:
    """Go on, and where something contradicts the line, from before that again; returns what is new in it."""
    begun = ledger.state.number
    ledger.chosen, ledger.before = {}, {}
    made = ledger.forward()
    place = contested(ledger) if not ledger.more_comes else None
    if place is not None and (ledger.lowest is not None or _mark(ledger) != ledger.weighed):
        new = _again(ledger, place)
        made = [one for one in made if one.number <= ledger.state.number - len(new)] + new
        ledger.weighed = _mark(ledger)
    return made[_unchanged(ledger, made, begun) :]


def _unchanged(ledger: Line, made: list[Logged], begun: int) -> int:
    """How many of the first are what stood there before: whole rounds, which position.toml tells apart."""
    if not ledger.before or not made:
        return 0
    same, text = 0, ledger.text_after(made[0].number - 1)
    for count, one in enumerate(made, 1):
        if one.number > begun or ledger.before.get(one.number) != (one.entry.id, one.position):
            break
        if one.position != text:
            same, text = count, one.position
    return same


def _mark(ledger: Line) -> frozenset[str]:
    """What does not simply wait for its turn: the verdict, halves and what names them, what lies beside."""
    verdict = ledger.state.verdict
    ended = {verdict.entry, verdict.first} if verdict is not None else set()
    kept = ledger.kept()
    lying = {e.id for e in kept if isinstance(e.body, CROSSING) or _lies_beside(ledger, e)}
    told = (*kept, *_audits(ledger)) if ledger.halves else ()
    for half in ledger.halves.values():
        line = doubles.line_of(ledger, half)
        lying |= {e.id for e in told if doubles.names(e, half, line)}
    return frozenset(ended | ledger.halves.keys() | lying)


def _audits(ledger: Line) -> list[Entry]:
    """The audits at the end of the log: they count wherever they were signed, and so may name a half."""
    found: list[Entry] = []
    while (number := ledger.state.number - len(found)) and ledger.entry(number).head.kind == "audit":
        found.append(ledger.entry(number))
    return found


def _lies_beside(ledger: Line, entry: Entry) -> bool:
    """Whether an entry was signed beside the line, or in it before a verdict that left it out."""
    if ledger.is_beside(entry):
        return True
    verdict, place = ledger.state.verdict, ledger.place(entry.head.head)
    return verdict is not None and place is not None and place <= verdict.before


def contested(ledger: Line) -> int | None:
    """The last place that nothing known contradicts; None if nothing does."""
    found = [ledger.lowest] if ledger.lowest is not None else []
    verdict = ledger.state.verdict
    if verdict is not None:
        found.append(verdict.before)
        found += [place - 1 for place in (ledger.place(verdict.first),) if place]
    for half in ledger.halves.values():
        place = ledger.place(ledger.aside[half.id].id)
        if place and _matters(ledger, half, place):
            found.append(place - 1)
            found += [n for n in (ledger.place(half.head.head),) if n is not None]
    return min(found, default=None)


def _matters(ledger: Line, half: Entry, place: int) -> bool:
    """Whether another seat may have built on a half, or none on the one that the log has.

    Whoever goes on in this line from there has not: an old half that comes late costs no second look at it.
    """
    others = [e for e in (*ledger.kept(), *_audits(ledger)) if e.seat != half.seat]
    lost = {e.seat for e in others if ledger.is_beside(e)}
    line = doubles.line_of(ledger, half)
    if any(doubles.names(e, half, line) for e in others) or any(not _goes_on(ledger, s, place) for s in lost):
        return True
    return doubles.built_on(ledger, ledger.entry(place), place) is None


def _goes_on(ledger: Line, seat: str, place: int) -> bool:
    """Whether the line has something of a seat that was signed at a place, or after it."""
    mine = ledger.state.seats[seat]
    places = [ledger.place(name) for name in (mine.decision, mine.answer)]
    heads = [ledger.place(ledger.entry(n).head.head) for n in places if n]
    return any(n is not None and n >= place for n in heads)


def _again(ledger: Line, place: int) -> list[Logged]:
    """Forward from a place, with everything that is known."""
    while True:
        if place < ledger.state.number:
            ledger.cut(place)
        ledger.wait_again()
        ledger.tried, ledger.voided, ledger.chosen, ledger.beside = set(), set(), {}, {}
        ledger.lowest = None
        made = ledger.forward()
        lowest, ledger.lowest = ledger.lowest, None
        if lowest is None or lowest >= place:
            return made
        place = lowest


# --- which half others have built on


def preferred(ledger: Line, halves: list[Entry], here: bool) -> Entry:
    """Of several entries with one number the one that counts; `here`: in the present round."""
    name = frozenset(e.id for e in halves)
    if name not in ledger.chosen:
        ranked = sorted(halves, key=lambda e: doubles.rank(ledger, e))
        if len(ranked) == 1 or not here:
            return ranked[0]
        ledger.chosen[name] = ranked[0].id if ledger.trial else _most_built_on(ledger, ranked)
    return next(e for e in halves if e.id == ledger.chosen[name])


def _most_built_on(ledger: Line, ranked: list[Entry]) -> str:
    """Each half is tried; where others have built on several, the lowest id counts until the line ends.

    Then both stand in the log with what was built on them, and a replay must come to the same choice.
    """
    others = [e for e in ledger.kept() if e.seat != ranked[0].seat]
    if all(e.head.pos == ledger.pos_digest for e in others):
        return _first_kept(ledger, ranked)  # nobody has gone on from here
    built = {half.id: _try(ledger, half, ranked) for half in ranked}
    found = sorted((half for half in ranked if built[half.id]), key=lambda half: half.id)
    if not found:
        return _first_kept(ledger, ranked)
    for other in found[1:]:
        ledger.beside[other.id] = (*built[found[0].id], *built[other.id])
    return found[0].id


def _first_kept(ledger: Line, ranked: list[Entry]) -> str:
    """The first of those that every machine keeps."""
    kept = sorted(ranked, key=lambda e: doubles.worth(ledger, e, e.head.prev))[: doubles.KEPT]
    return next(half.id for half in ranked if half in kept)


def is_built_on(ledger: Line, half: Entry, first: Entry | None) -> bool:
    """Whether others have gone on from an entry for which there is no room; `first`: the one in the log.

    Who names it is known; who only names a position that follows from it is known after a trial.
    """
    lost = any(e.seat != half.seat and ledger.is_beside(e) for e in ledger.kept())
    if ledger.trial or not lost or not ledger.trials:
        return False
    ledger.trials -= 1
    trial, place = _copy(ledger), ledger.place(first.id) if first is not None else None
    if place:
        trial.cut(place - 1)
    trial.pool[half.id] = half
    trial.wait_again()
    return bool(_try(trial, half, [e for e in trial.pool.values() if e.number == half.number]))


def _copy(ledger: Line) -> Line:
    """The same line, with which something is tried."""
    trial = copy.copy(ledger)
    for one in fields(ledger):
        value = getattr(ledger, one.name)
        if isinstance(value, (dict, set)):
            setattr(trial, one.name, value.copy())
    trial.trial = True
    return trial


def _try(ledger: Line, half: Entry, halves: list[Entry]) -> tuple[Entry, ...]:
    """What would follow from a half, up to the first entry of another seat that builds on it, if any does."""
    trial, own = _copy(ledger), doubles.line_of(ledger, half)
    for other in halves:
        if other is not half:
            del trial.pool[other.id]
    begun = ledger.state.number
    trial.forward()
    line = [trial.entry(n) for n in range(begun + 1, trial.state.number + 1)]
    first = line.index(half) if half in line else len(line)
    before = trial.digest_after(begun + first)
    places = {trial.digest_after(begun + n): n for n in range(first + 1, len(line) + 1)}
    places.pop(before, None)

    def builds(entry: Entry) -> bool:
        return entry.seat != half.seat and (doubles.names(entry, half, own) or entry.head.pos in places)

    for at, entry in enumerate(line):
        if builds(entry):
            return tuple(line[: at + 1])
    for entry in sorted(trial.kept(), key=lambda e: e.id):
        if builds(entry):
            found = doubles.proof(trial, half, entry, builds)
            return (*line[: places.get(found[-1].head.pos, 0)], *found)
    return ()
