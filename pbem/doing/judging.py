"""A verdict on a game in words: the same on the command line, on the page and in a dispute file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.words import count

if TYPE_CHECKING:
    from pbem.dispute import Judgement
    from pbem.protocol.log.audit import Problem
    from pbem.verify import Verification


def verdict_lines(verdict: Verification, published: Sequence[str] = ()) -> list[str]:
    """A verdict in words; `published` are seats whose secret is out and waits for the others'."""
    if verdict.problem is not None:
        besides = [f"besides: {_problem(one)}" for one in verdict.besides]
        return [f"not in order: {_problem(verdict.problem)}", *besides]
    entries = count(verdict.entries, "entry", "entries")
    out = ["unfinished write, healed: a command had been stopped here"] if verdict.was_unfinished else []
    out += [
        f"in order: {entries}, every signature, link, die, rule, file and commit",
        f"fingerprint: {verdict.fingerprint}",
    ]
    if verdict.outcome:
        out.append(f"outcome: {verdict.outcome}")
    done = [seat for seat, is_out in verdict.audited.items() if is_out]
    open_seats = [s for s, is_out in verdict.audited.items() if not is_out and s not in verdict.gaps]
    if done:
        out.append(f"audited: everything hidden of {', '.join(done)} was lawful")
    for seat, gaps in verdict.gaps.items():
        out.append(f"not audited: of {seat}: {'; '.join(gaps)}")
    ready = [seat for seat in open_seats if seat in published]
    if ready:
        out.append(f"published: the secret of {', '.join(ready)}; it is audited when all are out")
    left = [seat for seat in open_seats if seat not in ready]
    if left:
        when = "`pbem audit` publishes their secrets" if verdict.outcome else "the game goes on"
        out.append(f"not audited yet: {', '.join(left)} ({when})")
    return out


def _problem(problem: Problem) -> str:
    who = f" of {problem.seat}" if problem.seat else ""
    return f"entry {problem.entry}{who}: {problem.cause}"


def judgement_lines(judgement: Judgement) -> list[str]:
    """A judgement in words."""
    out = []
    if judgement.contract is not None:
        invite = judgement.contract.invite
        out.append(f"{invite.rules} version {invite.version}, scenario {invite.scenario}")
        for seat in judgement.contract.seats.values():
            out.append(f"  {seat.name}: {seat.player}, key {seat.fingerprint}")
    out += verdict_lines(judgement.verdict)
    out += [f"waiting, not part of the log: {words}" for words in judgement.waiting]
    return out


def words_of(judgement: Judgement) -> str:
    """What stands in a dispute file for who has no pbem; whoever has it makes the same words again."""
    limit = "what was not delivered, nobody can prove: this file shows what its maker has"
    return "".join(f"{line}\n" for line in (*judgement_lines(judgement), limit))
