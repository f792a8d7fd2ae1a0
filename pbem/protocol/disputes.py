"""When a line ends: doubles, forfeits that a move contradicts, and settlements that go on all the same.

A double is two different decisions of one seat with one number (or two different answers of its
machine to one round): the two entries alone prove it. The line ends where the second half comes to
light. Whoever it was: if all other seats sign the same `settle`, the breach is taken out of the line
and the game goes on. A settlement counts only where there is a verdict to settle, so nobody can vote
a lawful entry away.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.errors import MalformedError, UsageError, VerificationError
from pbem.protocol.beside import take_aside
from pbem.protocol.bodies import IN_TURN, Absence, ClaimTime, Forfeit, Settle
from pbem.protocol.carrying import end
from pbem.protocol.clocks import take_absence, why_unlawful
from pbem.protocol.entry import Entry, entry_id, read, verify
from pbem.protocol.rounds import Due, due
from pbem.protocol.running import Culprit
from pbem.protocol.state import State, Verdict, split

if TYPE_CHECKING:
    from pbem.protocol.ledger import Ledger, Logged

ANSWERS_A_ROUND = (*IN_TURN, "answers", "audit")


# --- doubles


def is_double(one: Entry, other: Entry) -> bool:
    """Two different decisions with one number, or two different answers to one round."""
    a, b = one.head, other.head
    same = (a.game, a.seat, a.lane, a.seq) == (b.game, b.seat, b.lane, b.seq) and one.id != other.id
    return same and (a.lane == "decide" or a.head == b.head)


def double_proof(one: bytes, other: bytes, keys: Mapping[tuple[str, str], bytes]) -> str:
    """The seat that signed both of two entries that exclude each other. Needs nothing but its keys."""
    first, second = verify(read(one), keys), verify(read(other), keys)
    if not is_double(first, second):
        raise VerificationError("these two entries are no double: they may both have been signed")
    return first.seat


def end_with_double(ledger: Ledger, first: Entry, second: Entry) -> list[Logged]:
    """The line ends with the half of a double that is not in it."""
    what = "decisions" if first.head.lane == "decide" else "answers"
    reason = f"signed two different {what} with number {first.head.seq}"
    verdict = Verdict(first.seat, reason, second.id, first.id, ledger.state.number)
    return _append(ledger, [second], verdict)


def _append(ledger: Ledger, order: list[Entry], verdict: Verdict) -> list[Logged]:
    runner = ledger.scene().runner()
    runner.state.number += len(order)
    runner, told = end(runner, order, verdict)
    return ledger.commit(runner, order, told)


# --- settlements


def tally(ledger: Ledger) -> dict[str, tuple[str, str]]:
    """What all seats but the culprit agree on: by void entry, culprit and the entry that counts."""
    waiting = [e for e in ledger.pool.values() if isinstance(e.body, Settle)]
    if not (waiting or ledger.votes or ledger.state.settles):
        return {}
    votes: dict[tuple[str, str], tuple[str, str]] = {}
    for key, vote in ledger.state.settles.items():
        void, _, voter = key.partition(" ")
        culprit, _, counts = vote.partition(" ")
        votes[void, voter] = (culprit, counts)
    for entry in sorted([*ledger.votes.values(), *waiting], key=lambda e: e.head.seq):
        body = entry.body
        assert isinstance(body, Settle)
        votes.setdefault((body.void, entry.seat), (body.culprit, body.counts))
    found = {}
    for (void, _), what in votes.items():
        blamed = Verdict(what[0], "").culprits
        voters = [s for s in ledger.position.seats if s not in ledger.state.opened and s not in blamed]
        if all(votes.get((void, s)) == what for s in voters):
            found[void] = what
    return found


def votes_in(raws: Iterable[bytes]) -> dict[str, Entry]:
    """The settlements among entries that are about to be replayed, for `Ledger.votes`.

    They are believed only until their turn comes, where their signatures are checked like all others.
    """
    found = {}
    for raw in raws:
        if b'\nkind = "settle"\n' not in raw:
            continue
        with suppress(MalformedError):
            claim = read(raw)
            entry = Entry(claim.raw, claim.head, claim.body, entry_id(claim.raw))
            if isinstance(entry.body, Settle):
                found[entry.id] = entry
    return found


def is_settled(ledger: Ledger, verdict: Verdict) -> bool:
    """Whether all others agreed to go on as if the entry of this verdict had never been."""
    return tally(ledger).get(verdict.entry) == (verdict.culprit, verdict.first)


def passed_over(ledger: Ledger, half: Entry, other: Entry) -> bool:
    """Whether all others agreed that `half` of a double does not count, but `other` does."""
    return tally(ledger).get(half.id) == (half.seat, other.id)


def without_settled(ledger: Ledger, halves: list[Entry]) -> list[Entry]:
    """Entries with one number, less those that all others agreed to pass over for another of them."""
    agreed, ids = tally(ledger), {e.id for e in halves}
    return [e for e in halves if agreed.get(e.id, ("", ""))[1] not in ids or e.id not in agreed]


def go_back(ledger: Ledger) -> bool:
    """If the verdict is settled, take its evidence out of the line; True if the line was cut."""
    verdict = ledger.state.verdict
    if verdict is None:
        return False
    if is_settled(ledger, verdict):
        _cut(ledger, verdict.before)
        return True
    if verdict.first and tally(ledger).get(verdict.first) == (verdict.culprit, verdict.entry):
        number = verdict.before
        while ledger.entry(number).id != verdict.first:
            number -= 1
        _cut(ledger, number - 1)
        return True
    return False


def _cut(ledger: Ledger, to: int) -> None:
    """Back to the position after an entry; what came later waits in the pool again."""
    text = ledger.earlier(to)
    table, state = split(tomllib.loads(text))
    for number in range(state.number + 1, ledger.state.number + 1):
        entry = ledger.entry(number)
        ledger.pool[entry.id] = entry
    ledger.rest_on(ledger.machine.read(table), state, text)


def settlement(ledger: Ledger, seat: str, counts: str = "") -> Settle:
    """The body with which a seat agrees to go on; of a double, `counts` is the half that it takes.

    A seat whose machine answered one half must not choose the other: its links are known by now.
    """
    verdict = ledger.state.verdict
    if verdict is None or seat in verdict.culprits:
        raise UsageError("there is no verdict that you could settle")
    if not verdict.first:
        return Settle(verdict.culprit, verdict.entry)
    if counts not in (verdict.first, verdict.entry):
        raise UsageError("name the entry that counts", f"one of {verdict.first}, {verdict.entry}")
    if counts == verdict.first:
        return Settle(verdict.culprit, verdict.entry, verdict.first)
    number = verdict.before
    while ledger.entry(number).id != verdict.first:
        if ledger.entry(number).seat == seat:
            raise UsageError(
                f"you have answered entry {verdict.first[:12]}", "only that one can count for you"
            )
        number -= 1
    return Settle(verdict.culprit, verdict.first, verdict.entry)


# --- forfeits


def lawful_forfeit(ledger: Ledger, wanted: dict[str, Due]) -> list[Entry] | None:
    """A seat's entries up to a forfeit that is lawful in the present round, and that nothing contradicts."""
    claimants = {e.seat for e in ledger.pool.values() if isinstance(e.body, Forfeit)}
    for seat in ledger.position.seats:
        if seat not in claimants or seat in ledger.missing():
            continue
        chain = _forfeiting(ledger, ledger.state, seat, wanted)
        if chain is None or ledger.seen(chain[-1]) is None:
            continue
        told = announced(ledger, _named(chain[-1]))
        if not told or _holds(ledger, ledger.state, chain, wanted, told):
            return chain
    return None


def _named(forfeit: Entry) -> tuple[str, ...]:
    return forfeit.body.seats if isinstance(forfeit.body, Forfeit) else ()


def _named_question(forfeit: Entry) -> str:
    return forfeit.body.question if isinstance(forfeit.body, Forfeit) else ""


def announced(ledger: Ledger, seats: Iterable[str]) -> list[Entry]:
    """The waiting entries of these seats, each up to the last absence that it announces."""
    found: list[Entry] = []
    for seat in seats:
        chain = ledger._chain(seat, "decide")
        while chain and not isinstance(chain[-1].body, Absence):
            chain.pop()
        found += chain
    return found


def with_absences(ledger: Ledger) -> State:
    """The state as the next decision here takes it: absences that wait are counted."""
    state = ledger.state.copy()
    for entry in announced(ledger, ledger.position.seats):
        if isinstance(entry.body, Absence):
            take_absence(ledger.contract.invite.clocks, state, entry)
    return state


def _forfeiting(
    ledger: Ledger, state: State, seat: str, wanted: dict[str, Due], known: Sequence[Entry] = ()
) -> list[Entry] | None:
    """A seat's entries up to the first forfeit that is lawful after what it has seen and what is known."""
    chain = ledger._chain(seat, "decide")
    for number, entry in enumerate(chain):
        if isinstance(entry.body, Forfeit) and _holds(ledger, state, chain[: number + 1], wanted, known):
            return chain[: number + 1]
    return None


def _holds(
    ledger: Ledger, state: State, chain: list[Entry], wanted: dict[str, Due], known: Sequence[Entry] = ()
) -> bool:
    """Whether a forfeit, the last of a seat's entries, is lawful after what it has seen and what is known."""
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


def surfaced(ledger: Ledger) -> list[Logged] | None:
    """After a forfeit the answer, or an absence, comes to light: nobody can tell whose fault that is."""
    verdict = ledger.state.verdict
    if verdict is None or not verdict.round:
        return None
    late = [
        e
        for e in sorted(ledger.pool.values(), key=lambda e: e.id)
        if e.seat in verdict.late and e.head.head == verdict.round and e.head.kind in ANSWERS_A_ROUND
    ][:1]
    order = late or _surfaced_absence(ledger, verdict)
    if not order:
        return None
    entry = order[-1]
    runner = ledger.scene().runner()
    runner.state.number += len(order)
    runner.state.verdict = None
    if entry.head.kind == "audit":
        with suppress(Culprit):
            take_aside(runner, entry, {}, ledger.earlier)
    what = "an answer" if late else "an absence"
    reason = f"disputed: {verdict.culprit} {verdict.reason}, but {what} dated {entry.head.sent} has surfaced"
    runner, told = end(runner, order, Verdict("", reason, verdict.entry, before=verdict.before))
    return ledger.commit(runner, order, told)


def _surfaced_absence(ledger: Ledger, verdict: Verdict) -> list[Entry]:
    """Waiting announcements with which the forfeit at the end of the line would not have been lawful."""
    told = announced(ledger, verdict.late)
    if not told:
        return []
    state, forfeit = ledger.state.copy(), ledger.entry(ledger.state.number)
    state.verdict = None
    wanted = due(ledger.position, ledger.machine.waits_for(ledger.position), state)
    return [] if _holds(ledger, state, [forfeit], wanted, told) else told


def late_forfeit(ledger: Ledger) -> list[Logged] | None:
    """A forfeit that an answer or an absence contradicts, by a seat that gave nothing since: disputed."""
    forfeits = [e for e in ledger.pool.values() if isinstance(e.body, Forfeit)]
    for entry in sorted(forfeits, key=lambda e: e.id):
        if entry.id in ledger.voided or ledger.state.verdict is not None:
            continue
        chain = ledger._chain(entry.seat, "decide")
        if entry not in chain:
            continue
        chain = chain[: chain.index(entry) + 1]
        here = _named_question(entry) == ledger.state.question
        if not (_excused(ledger, chain) if here else _answered(ledger, chain)):
            continue
        what = "an absence was announced" if here else "the answer is here"
        names = ", ".join(_named(entry))
        reason = f"disputed: {entry.seat} says that {names} did not play on in time, but {what}"
        verdict = Verdict("", reason, entry.id, before=ledger.state.number)
        if is_settled(ledger, verdict):
            ledger.voided.add(entry.id)
            return []
        told = announced(ledger, _named(entry)) if here else []
        return _append(ledger, [*told, *chain], verdict)
    return None


def _since(ledger: Ledger, forfeit: Entry) -> list[Entry] | None:
    """What was logged after the head that a forfeit names; None if its author gave something since."""
    found: list[Entry] = []
    for number in range(ledger.state.number, 0, -1):
        try:
            other = ledger.entry(number)
        except UsageError:
            return None
        if other.id == forfeit.head.head:
            return found
        if other.seat == forfeit.seat:
            return None
        found.append(other)
    return found if forfeit.head.head == ledger.contract.game.hex() else None


def _answered(ledger: Ledger, chain: list[Entry]) -> bool:
    """Whether a forfeit would have been lawful in its round, which was answered since."""
    since, late = _since(ledger, chain[-1]), _named(chain[-1])
    if since is None or not any(e.seat in late and e.head.kind in ANSWERS_A_ROUND for e in since):
        return False
    return _was_lawful(ledger, chain, since)[0]


def _excused(ledger: Ledger, chain: list[Entry]) -> bool:
    """Whether a forfeit is not lawful only because of absences that its author had not seen."""
    since, late = _since(ledger, chain[-1]), _named(chain[-1])
    if since is None:
        return False
    told = [e for e in (*since, *announced(ledger, late)) if e.seat in late and isinstance(e.body, Absence)]
    return bool(told) and _was_lawful(ledger, chain, since, told) == (True, False)


def _was_lawful(
    ledger: Ledger, chain: list[Entry], since: list[Entry], told: Sequence[Entry] = ()
) -> tuple[bool, bool]:
    """Whether a forfeit is lawful as its author saw the game, and with what else was announced."""
    text = ledger.earlier(ledger.state.number - len(since)) if since else ledger.text
    table, state = split(tomllib.loads(text))
    pos = ledger.machine.read(table)
    wanted = due(pos, ledger.machine.waits_for(pos), state)
    ids = {one for entry in chain for one in entry.head.seen}
    seen = [e for e in since if e.id in ids]
    return _holds(ledger, state, chain, wanted, seen), _holds(ledger, state, chain, wanted, [*seen, *told])
