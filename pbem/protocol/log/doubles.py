"""Two different decisions of one seat under one number, two answers of its machine to one round, two audits.

The two entries alone prove it. It may be a mistake, of a seat with two machines perhaps: as long as other
seats have built on one half only, that half counts and the other is passed over, on every machine alike.
Where others have built on both, their lines lie apart: the line ends, and the verdict names the author.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.engine.events import Fact
from pbem.errors import VerificationError
from pbem.protocol.log import settlements
from pbem.protocol.log.line import Line
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.entry import Entry, read, verify
from pbem.protocol.rounds.carry_out import end
from pbem.protocol.rounds.events import SignedTwice
from pbem.protocol.rounds.state import Verdict

KEPT = 4
"""So many halves of one number are kept: those worth most (`worth`), so that every machine keeps the same."""


def is_double(one: Entry, other: Entry) -> bool:
    """Two different decisions with one number, two different answers to one round, or two audits.

    A secret is published once, and counts wherever it was signed.
    """
    a, b = one.head, other.head
    same = (a.game, a.seat, a.lane, a.seq) == (b.game, b.seat, b.lane, b.seq) and one.id != other.id
    one_place = a.lane == "decide" or a.head == b.head or a.kind == b.kind == "audit"
    return same and one.key == other.key and one_place


def double_proof(one: bytes, other: bytes, keys: Mapping[tuple[str, str], bytes]) -> str:
    """The seat that signed both of two entries that exclude each other. Needs nothing but its keys."""
    first, second = verify(read(one), keys), verify(read(other), keys)
    if not is_double(first, second):
        raise VerificationError("these two entries are no double: they may both have been signed")
    return first.seat


def line_of(ledger: Line, half: Entry) -> set[str]:
    """A half and what its author has signed after it: who names one of these builds on the half."""
    found = {half.id}
    lane = (half.seat, half.head.lane)
    later = [e for e in ledger.kept() if (e.seat, e.head.lane) == lane and e.head.seq > half.head.seq]
    for entry in sorted(later, key=lambda e: e.head.seq):
        if entry.head.prev in found:
            found.add(entry.id)
    return found


def names(entry: Entry, half: Entry, line: set[str]) -> bool:
    """Whether another seat's entry builds on a half with this line."""
    return entry.seat != half.seat and not line.isdisjoint((entry.head.head, *entry.head.seen))


def rank(ledger: Line, half: Entry) -> tuple[bool, bool, str]:
    """Which of several entries with one number counts: what others name, what its author went on from.

    What is set apart is looked at, too: it waits again as soon as one half stands in the line.
    """
    waiting = (*ledger.pool.values(), *ledger.apart.values())
    line = line_of(ledger, half)
    named = any(names(entry, half, line) for entry in waiting)
    followed = any(entry.head.prev == half.id for entry in waiting)
    return not named, not followed, half.id


def worth(ledger: Line, half: Entry, prev: str) -> tuple[bool, bool, bool, str]:
    """Which of many entries with one number are kept, on every machine the same ones, least first.

    What others name; what follows an entry that is known; what was signed in a position of the line. Never
    what comes after it: else two machines would send each other for ever what each has no room for.
    """
    seat, lane, seq = half.number
    before = [e.id for e in ledger.kept() if e.number == (seat, lane, seq - 1)]
    follows = half.head.prev in (prev, *before)
    return rank(ledger, half)[0], not follows, ledger.is_beside(half), half.id


def built_on(ledger: Line, half: Entry, number: int) -> Entry | None:
    """Who of the others has gone on from an entry of the log: as the log shows it first, else what waits."""
    line = {half.id}
    for later in range(number + 1, ledger.state.number + 1):
        entry = ledger.entry(later)
        if _goes_on_from(entry, half, line):
            return entry
        line.add(entry.id)
    waiting = [e for e in ledger.pool.values() if _goes_on_from(e, half, line) and not ledger.elsewhere(e)]
    return min(waiting, key=lambda e: e.id, default=None)


def with_own(ledger: Line, entry: Entry) -> list[Entry]:
    """A waiting entry with those that its author signed before it: else its number would be free again."""
    chain = ledger.chain(entry.seat, entry.head.lane)
    return chain[: chain.index(entry) + 1] if entry in chain else [entry]


def proof(ledger: Line, half: Entry, taker: Entry, builds: Callable[[Entry], bool]) -> list[Entry]:
    """A half, what its author signed after it as far as another seat names it, and that seat's entries.

    Nothing beyond the first that builds on the half, or who replays the log would end it earlier.
    """
    own = with_own(ledger, taker)
    last = next(n for n, entry in enumerate(own) if entry is taker or builds(entry))
    return [half, *_followed(ledger, half, own[last]), *own[: last + 1]]


def _followed(ledger: Line, half: Entry, taker: Entry) -> list[Entry]:
    """What the author of a half signed after it, up to what another seat's entry names."""
    line = line_of(ledger, half)
    known = {e.id: e for e in ledger.kept() if e.id in line}
    ways = []
    for name in line.intersection((taker.head.head, *taker.head.seen)):
        way: list[Entry] = []
        while name != half.id:
            way.insert(0, known[name])
            name = known[name].head.prev
        ways.append(way)
    return min(ways, key=lambda way: (len(way), [e.id for e in way]), default=[])


def _goes_on_from(entry: Entry, half: Entry, line: set[str]) -> bool:
    """Whether an entry of another seat names a half, or something that the line has after it."""
    return entry.seat != half.seat and (entry.head.head in line or half.id in entry.head.seen)


def settle(ledger: Line) -> list[Logged] | None:
    """Look at every half that is not in the line: None if nothing changes."""
    for second, half in list(ledger.halves.items()):
        first = ledger.aside[second]
        number = ledger.place(first.id)
        if number is None:
            ledger.forget_half(half, again=not ledger.is_old(half))
            continue
        if settlements.passed_over(ledger, half, first):
            ledger.forget_half(half, again=False)
            continue
        evidence = ledger.beside.get(second, ())
        takers = _takers(ledger, half, first) if not evidence else []
        if takers and (builder := built_on(ledger, first, number)) is not None:
            taker = min(takers, key=lambda e: e.id)
            evidence = (*with_own(ledger, builder), *proof(ledger, half, taker, takers.__contains__))
        if evidence:
            new = [e for e in evidence if ledger.place(e.id) is None]
            return end_with_double(ledger, first, half, list(dict.fromkeys((*new, half))))
    return _stuck(ledger)


def _takers(ledger: Line, half: Entry, first: Entry) -> list[Entry]:
    """Waiting entries of others that build on the half that is not in the line.

    Where several seats answered a round together, the position alone tells which half was there.
    """
    line = line_of(ledger, half)
    found = [entry for entry in ledger.pool.values() if names(entry, half, line)]
    last = ledger.entry(ledger.state.number)
    if half.head.head == first.head.head == last.head.head:
        found += [e for e in ledger.pool.values() if e.seat != half.seat and ledger.elsewhere(e)]
    return found


def _stuck(ledger: Line) -> list[Logged] | None:
    """Halves that both wait, and others build on both: no round can take them all in."""
    takers = _named(ledger)
    for one, other in ledger.doubles():
        both = {half: [e for e in takers.get(half.id, ()) if e.seat != half.seat] for half in (one, other)}
        if not all(both.values()):
            continue
        if settlements.passed_over(ledger, one, other) or settlements.passed_over(ledger, other, one):
            continue
        evidence = [one, other]
        for half, found in both.items():
            evidence += proof(ledger, half, min(found, key=lambda e: e.id), found.__contains__)
        return end_with_double(ledger, one, other, list(dict.fromkeys(evidence)))
    return None


def _named(ledger: Line) -> dict[str, list[Entry]]:
    """The waiting entries by what they build on: looked up once, since a dishonest seat may fill the room."""
    found: dict[str, list[Entry]] = {}
    known = {entry.id: entry for entry in ledger.kept()}
    for entry in ledger.pool.values():
        below: set[str] = set()
        for name in (entry.head.head, *entry.head.seen):
            while name in known and name not in below:
                below.add(name)
                name = known[name].head.prev
        for name in below:
            found.setdefault(name, []).append(entry)
    return found


def end_with_double(ledger: Line, first: Entry, second: Entry, order: list[Entry]) -> list[Logged]:
    """The line ends with the half of a double that is not in it, and with what was built on that."""
    reason = Fact.of(SignedTwice(first.head.lane, first.head.seq))
    verdict = Verdict(first.seat, reason, second.id, first.id, ledger.state.number)
    return append(ledger, order, verdict)


def append(ledger: Line, order: list[Entry], verdict: Verdict) -> list[Logged]:
    """The line ends with these entries as the evidence."""
    runner = ledger.scene().runner()
    runner.state.number += len(order)
    runner, told = end(runner, order, verdict)
    return ledger.commit(runner, order, told)
