"""Settlements: a line that has ended with a verdict goes on all the same.

Whoever it was: if all other seats sign the same `settle`, the breach is taken out of the line and the
game goes on. A settlement counts only where there is a verdict to settle, so nobody can vote a lawful
entry away.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from pbem.errors import MalformedError, UsageError
from pbem.protocol.log.line import Line
from pbem.protocol.papers.bodies import Settle
from pbem.protocol.papers.entry import Entry, as_entry, read
from pbem.protocol.rounds.state import Verdict, culprits

# --- settlements


def tally(ledger: Line) -> dict[str, tuple[str, str]]:
    """What all seats but the culprit agree on: by void entry, culprit and the entry that counts.

    Who has left the game has no vote; who has only published its secret for the audit has.
    """
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
        blamed = culprits(what[0])
        voters = [s for s in ledger.position.seats if s not in ledger.state.opened_boxes and s not in blamed]
        if voters and all(votes.get((void, s)) == what for s in voters):
            found[void] = what
    return found


def _voted_on(ledger: Line, ids: set[str]) -> bool:
    """Whether anybody has voted on one of these: a look that costs less than counting."""
    known = (*ledger.votes.values(), *ledger.pool.values())
    if any(isinstance(e.body, Settle) and e.body.void in ids for e in known):
        return True
    return any(key.partition(" ")[0] in ids for key in ledger.state.settles)


def votes_in(raws: Iterable[bytes]) -> dict[str, Entry]:
    """The settlements among entries that are about to be replayed, for `Ledger.votes`.

    They are believed only until their turn comes, where their signatures are checked like all others.
    """
    found = {}
    for raw in raws:
        if b'\nkind = "settle"\n' not in raw:
            continue
        with suppress(MalformedError):
            entry = as_entry(read(raw))
            if isinstance(entry.body, Settle):
                found[entry.id] = entry
    return found


def is_settled(ledger: Line, verdict: Verdict) -> bool:
    """Whether all others agreed to go on as if the entry of this verdict had never been."""
    agreed = tally(ledger).get(verdict.entry)
    if agreed is not None and verdict.late:
        return agreed[0] in ("", verdict.culprit)  # the forfeit does not count, disputed or not
    return agreed == (verdict.culprit, verdict.first)


def passed_over(ledger: Line, half: Entry, other: Entry) -> bool:
    """Whether all others agreed that `half` of a double does not count, but `other` does."""
    return _voted_on(ledger, {half.id}) and tally(ledger).get(half.id) == (half.seat, other.id)


def without_settled(ledger: Line, halves: list[Entry]) -> list[Entry]:
    """Entries with one number, less those that all but their author agreed to pass over for another one."""
    ids = {e.id for e in halves}
    if not _voted_on(ledger, ids):
        return halves
    agreed = tally(ledger)
    return [e for e in halves if agreed.get(e.id) not in [(e.seat, other) for other in ids]]


def go_back(ledger: Line) -> bool:
    """If the verdict is settled, take its evidence out of the line; True if the line was cut."""
    verdict = ledger.state.verdict
    if verdict is None:
        return False
    if is_settled(ledger, verdict):
        ledger.cut(verdict.before)
        return True
    if verdict.first and tally(ledger).get(verdict.first) == (verdict.culprit, verdict.entry):
        number = verdict.before
        while ledger.entry(number).id != verdict.first:
            number -= 1
        ledger.cut(number - 1)
        return True
    return False


def settlement(ledger: Line, seat: str, counts: str = "") -> Settle:
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
    passed = verdict.entry if counts == verdict.first else verdict.first
    if _has_answered(ledger, seat, verdict, passed):
        raise UsageError(f"you have answered entry {passed[:12]}", "only that one can count for you")
    return Settle(verdict.culprit, passed, counts)


def _has_answered(ledger: Line, seat: str, verdict: Verdict, half: str) -> bool:
    """Whether a seat has answered one half of a double, in the line, as evidence after it, or in what waits.

    Only what shows a link or something hidden binds it. Where several seats answered a round together, the
    position alone tells which half was there.
    """
    place = ledger.place(verdict.first) or 0
    line = {ledger.entry(n).id for n in range(place, verdict.before + 1) if n}
    last, pos = ledger.entry(verdict.before).id, ledger.digest_after(verdict.before)
    own = [e for n in range(place + 1, ledger.state.number + 1) if (e := ledger.entry(n)).seat == seat]
    for entry in (*own, *(e for e in ledger.pool.values() if e.seat == seat)):
        if entry.head.lane != "answer" and not getattr(entry.body, "link", ""):
            continue
        named = {entry.head.head, *entry.head.seen}
        other = verdict.entry in named or (entry.head.head == last and entry.head.pos != pos)
        if half == (verdict.entry if other else verdict.first) and (other or named & line):
            return True
    return False
