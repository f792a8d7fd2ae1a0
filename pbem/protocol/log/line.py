"""The line: what counts in a game, as a function of the entries that are known.

From a place forward, while a round is complete there. Where a seat has signed two entries after one tip,
several rounds follow it (a fork): that one counts on which others have built. What a seat has built on
stays: no vote, date, number or arrival order takes it out. If seats have built on both, the game ends there.

A seat has built on a round if anything it signed names that round, or one that leads back to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pbem.protocol.log.place import Earlier, Known, Place, Step, Tip
from pbem.protocol.papers.entry import Entry
from pbem.protocol.papers.invitation import WITNESS

Ways = Mapping[Tip, set[str]]
"""The seats that have built on each of several rounds."""


@dataclass(frozen=True, slots=True)
class Split:
    """A fork at which the game ends: seats have built on two rounds after one tip."""

    tip: Tip
    named: tuple[str, ...]
    """Who signed two entries after it, or was late by the clocks of all others."""


@dataclass(frozen=True, slots=True)
class Line:
    """Round after round from a place on; and where it ends at a fork, whose fork it is."""

    steps: tuple[Step, ...]
    split: Split | None = None


def line(start: Place, known: Known, earlier: Earlier) -> Line:
    """As far as the known entries lead from a place."""
    ways, steps = built(known), list[Step]()
    cache: dict[Tip, Step] = {}
    at: dict[Tip, list[Entry]] = {}
    for entry in known.values():
        at.setdefault(entry.head.after, []).append(entry)

    def before(number: int) -> str:
        """position.toml after an entry of this line."""
        done = [one.place for one in steps if one.place.state.number <= number]
        if done:
            return done[-1].text
        return start.text if number >= start.state.number else earlier(number)

    while True:
        place = steps[-1].place if steps else start
        chosen = _next(place, at.get(place.tip, []), known, ways.get(place.tip, {}), before, cache)
        if chosen is None or isinstance(chosen, Split):
            return Line(tuple(steps), chosen)
        steps.append(chosen)


def built(known: Known) -> dict[Tip, dict[Tip, set[str]]]:
    """By tip, and by round after it: the seats that have signed something after that round."""
    found: dict[Tip, dict[Tip, set[str]]] = {}
    for entry in known.values():
        tip = entry.head.after if entry.seat != WITNESS else ()
        while tip and all(name in known for name in tip):
            before = known[tip[0]].head.after
            by = found.setdefault(before, {}).setdefault(tip, set())
            if entry.seat in by or any(known[name].head.after != before for name in tip):
                break
            by.add(entry.seat)
            tip = before
    return found


def _next(
    place: Place, here: list[Entry], known: Known, ways: Ways, before: Earlier, cache: dict[Tip, Step]
) -> Step | Split | None:
    """The round that counts after a place; None if none is complete, a split if two are built on."""

    def step(tip: Tip) -> Step:
        if tip not in cache:
            cache[tip] = place.go_on(tuple(known[name] for name in tip), known, before)
        return cache[tip]

    found = _complete(place, here, known, step)
    rounds = {late: _rounds(place, one, ways) for late, one in found.items()}
    if not rounds:
        return None
    if len(rounds) == 1 and len(only := next(iter(rounds.values()))) == 1:
        return step(next(iter(only)))
    inside = {tip: set(step(tip).place.present) for by in rounds.values() for tip in by}
    stay = {late: set.intersection(*(inside[tip] for tip in by)) for late, by in rounds.items()}
    on = {late: set[str]().union(*by.values()) for late, by in rounds.items()}
    on = _in_order(on, set(place.present) - stay.get((), set()))
    late = _best(on, stay)
    if late is None:
        ends = [late for late, alone in _lone(on).items() if alone & stay[late]]
        return Split(
            place.tip, _blamed({late: {own[0].seat for own in found[late].each if own} for late in ends})
        )
    makers = {own[0].seat for own in found[late].each if len(own) > 1}
    tip = _best({tip: by - makers for tip, by in rounds[late].items()}, inside)
    return Split(place.tip, tuple(sorted(makers))) if tip is None else step(tip)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What may make a round: of each seat that takes part in it, the entries that may be its part."""

    each: list[list[Entry]]
    whole: bool
    """Whether every seat has given its part; without it only a note makes a round."""


def _complete(
    place: Place, here: list[Entry], known: Known, step: Callable[[Tip], Step]
) -> dict[tuple[str, ...], _Parts]:
    """What the entries at a tip may lead on to, by the seats that are called late (none: answers)."""
    found: dict[tuple[str, ...], _Parts] = {}
    each = [[e for e in here if e.seat == seat and place.answers(e, known)] for seat in place.asked]
    if len(each) == 1:
        each = [[e for e in each[0] if e.head.kind != "orders" or not step((e.id,)).after.idle]]
    whole = bool(each) and all(any(e.head.kind != "note" for e in own) for own in each)
    if whole or any(e.head.kind == "note" for own in each for e in own):
        found[()] = _Parts(each, whole)
    for late in sorted({named for e in here if (named := place.calls(e)) is not None}):
        voices = [[e for e in here if e.seat == s and place.calls(e) == late] for s in place.voters(late)]
        if all(voices):
            found[late] = _Parts(voices, True)
    return found


def _rounds(place: Place, parts: _Parts, ways: Ways) -> dict[Tip, set[str]]:
    """The rounds that these entries make, and who has built on each.

    First the one that counts if nobody has: of each seat what its newest key signed, then the lowest id.
    """

    def rank(entry: Entry) -> tuple[bool, str]:
        return entry.key == place.key(entry.seat, entry.head.lane), entry.id

    notes = sorted((e for own in parts.each for e in own if e.head.kind == "note"), key=rank)
    plain = [sorted((e for e in own if e.head.kind != "note"), key=rank) for own in parts.each]
    tips = [tuple(own[0].id for own in plain)] if parts.whole else []
    tips += [(note.id,) for note in notes]
    if parts.whole and notes and rank(notes[0]) < rank(plain[0][0]):
        tips = [(notes[0].id,), *tips]
    found: dict[Tip, set[str]] = {tips[0]: set()}
    for tip, by in ways.items():
        fits = len(tip) == len(plain) and all(
            name in {e.id for e in own} for name, own in zip(tip, plain, strict=True)
        )
        if fits or tip in tips:
            found[tip] = by
    return found


def _lone(on: Mapping[Tip, set[str]]) -> dict[Tip, set[str]]:
    """By way: the seats that have built on it and on no other."""
    often = Counter(seat for seats in on.values() for seat in seats)
    return {way: {seat for seat in seats if often[seat] == 1} for way, seats in on.items()}


def _best(on: Mapping[Tip, set[str]], inside: Mapping[Tip, set[str]]) -> Tip | None:
    """The way that goes before every other one; None: seats have gone on from two.

    One goes before another if a seat has built on it alone that is in on both, and none the other way round.
    If there is no such seat on either side: of two calls that one on which a seat has built alone that is in
    on it, if none has on the other. If there is none of these either, the one that stands first.
    """
    alone, order = {way: seats & inside[way] for way, seats in _lone(on).items()}, list(on)

    def before(one: Tip, other: Tip) -> bool:
        for_one, for_other = alone[one] & inside[other], alone[other] & inside[one]
        if not for_one and not for_other and () not in (one, other):
            for_one, for_other = alone[one], alone[other]
        return not for_other and (bool(for_one) or order.index(one) < order.index(other))

    return next((way for way in order if all(before(way, other) for other in order if other != way)), None)


def _in_order(on: Mapping[Tip, set[str]], given_up: set[str]) -> dict[Tip, set[str]]:
    """Answers and calls in the order in which they count if no seat speaks for one.

    The answers come first if a seat that is not called late has built on them, or left with them; else
    last. Of calls the shorter one.
    """
    called = {seat for late in on for seat in late}
    first = () in on and bool((on[()] | given_up) - called)
    return dict(sorted(on.items(), key=lambda one: (bool(one[0]) == first, len(one[0]), one[0])))


def _blamed(signed: Mapping[tuple[str, ...], set[str]]) -> tuple[str, ...]:
    """Who is named where seats have gone on from answers and a call, or from two calls, and who signed each.

    The seats that were called late; of two calls who is in both, or, if nobody is, who signed both.
    """
    if () in signed:
        return tuple(sorted({seat for late in signed for seat in late}))
    both = set.intersection(*(set(late) for late in signed))
    return tuple(sorted(both or set.intersection(*signed.values())))
