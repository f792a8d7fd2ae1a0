"""When a line ends: doubles, forfeits that a move contradicts, and settlements that go on all the same.

A double is two different decisions of one seat with one number (or two different answers of its
machine to one round): the two entries alone prove it. The line ends where the second half comes to
light. Whoever it was: if all other seats sign the same `settle`, the breach is taken out of the line
and the game goes on. A settlement counts only where there is a verdict to settle, so nobody can vote
a lawful entry away.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.errors import MalformedError, UsageError, VerificationError
from pbem.protocol.beside import take_aside
from pbem.protocol.bodies import IN_TURN, ClaimTime, Forfeit, Settle
from pbem.protocol.carrying import end
from pbem.protocol.clocks import why_unlawful
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
            entry = Entry(claim.raw, claim.head, claim.body, entry_id(claim.signed))
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
    """A seat's entries up to a forfeit that is lawful in the present round."""
    claimants = {e.seat for e in ledger.pool.values() if isinstance(e.body, Forfeit)}
    for seat in ledger.position.seats:
        if seat not in claimants or seat in ledger.missing():
            continue
        chain = _forfeiting(ledger, ledger.state, seat, wanted)
        if chain is not None and ledger.seen(chain[-1]) is not None:
            return chain
    return None


def _forfeiting(ledger: Ledger, state: State, seat: str, wanted: dict[str, Due]) -> list[Entry] | None:
    state = state.copy()
    clocks = ledger.contract.invite.clocks
    chain = ledger._chain(seat, "decide")
    for number, entry in enumerate(chain):
        if entry.id in ledger.voided or not isinstance(entry.body, (ClaimTime, Forfeit)):
            continue
        if why_unlawful(clocks, state, entry, wanted) is not None:
            continue
        if isinstance(entry.body, Forfeit):
            return chain[: number + 1]
        state.claims[seat] = entry.head.sent
    return None


def surfaced(ledger: Ledger) -> list[Logged] | None:
    """After a forfeit the answer comes to light after all: nobody can tell whose fault that is."""
    verdict = ledger.state.verdict
    if verdict is None or not verdict.round:
        return None
    late = [
        e
        for e in sorted(ledger.pool.values(), key=lambda e: e.id)
        if e.seat in verdict.late and e.head.head == verdict.round and e.head.kind in ANSWERS_A_ROUND
    ]
    if not late:
        return None
    entry = late[0]
    runner = ledger.scene().runner()
    runner.state.number += 1
    runner.state.verdict = None
    if entry.head.kind == "audit":
        with suppress(Culprit):
            take_aside(runner, entry, {}, ledger.earlier)
    reason = (
        f"disputed: {verdict.culprit} {verdict.reason}, but an answer dated {entry.head.sent} has surfaced"
    )
    runner, told = end(runner, [entry], Verdict("", reason, verdict.entry, before=verdict.before))
    return ledger.commit(runner, [entry], told)


def late_forfeit(ledger: Ledger) -> list[Logged] | None:
    """A forfeit of a round that has been answered here, by a seat that gave nothing since: disputed."""
    forfeits = [e for e in ledger.pool.values() if isinstance(e.body, Forfeit)]
    for entry in sorted(forfeits, key=lambda e: e.id):
        if entry.id in ledger.voided or entry.head.head in ledger.state.heads:
            continue
        if ledger.state.verdict is not None or not _disputed(ledger, entry):
            continue
        names = ", ".join(entry.body.seats) if isinstance(entry.body, Forfeit) else ""
        reason = f"disputed: {entry.seat} says that {names} did not play on in time, but the answer is here"
        verdict = Verdict("", reason, entry.id, before=ledger.state.number)
        if is_settled(ledger, verdict):
            ledger.voided.add(entry.id)
            return []
        chain = ledger._chain(entry.seat, "decide")
        return _append(ledger, chain[: chain.index(entry) + 1], verdict)
    return None


def _disputed(ledger: Ledger, forfeit: Entry) -> bool:
    """Whether a forfeit would have been lawful in its round, and its author gave nothing since."""
    body, number, answered = forfeit.body, ledger.state.number, False
    assert isinstance(body, Forfeit)
    while number > 0:
        try:
            other = ledger.entry(number)
        except UsageError:
            return False
        if other.id == forfeit.head.head:
            break
        if other.seat == forfeit.seat:
            return False
        answered |= other.seat in body.seats and other.head.kind in ANSWERS_A_ROUND
        number -= 1
    if not answered or (number == 0 and forfeit.head.head != ledger.contract.game.hex()):
        return False
    table, state = split(tomllib.loads(ledger.earlier(number)))
    pos = ledger.machine.read(table)
    chain = _forfeiting(ledger, state, forfeit.seat, due(pos, ledger.machine.waits_for(pos), state))
    return chain is not None and chain[-1] is forfeit
