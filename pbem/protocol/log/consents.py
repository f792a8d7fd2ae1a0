"""Consents to new keys: a round in which all others agree, also where a move of the old key crossed them."""

from __future__ import annotations

from pbem.protocol.log.line import Line
from pbem.protocol.papers.bodies import Rekey
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.carry_out import Round
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.key_papers import NewKeys, in_use
from pbem.protocol.rounds.state import State


def agreed_here(ledger: Line, wanted: dict[str, Due]) -> Round | None:
    """All others agree, in this round, to new keys for a seat that it waits for.

    That counts even if an entry of the old key is here: the others had not seen it, and all of them
    must come to the same.
    """
    if ledger.state.verdict is not None:
        return None
    if not any(isinstance(entry.body, Rekey) for entry in ledger.pool.values()):
        return None
    agreed = _agreed(ledger, ledger.state, ledger.pos_digest, wanted, list(ledger.pool.values()))
    return Round(agreed) if agreed else None


def go_back(ledger: Line) -> bool:
    """All others agreed to new keys in a round that the line has left: go back; True if it was cut."""
    consents = [e for e in ledger.pool.values() if isinstance(e.body, Rekey)]
    for entry in sorted(consents, key=lambda e: e.id):
        number = ledger.place(entry.head.head)
        if number is None or number == ledger.state.number or (entry.id, number) in ledger.tried:
            continue
        later = [ledger.entry(n) for n in range(number + 1, ledger.state.number + 1)]
        known = {e.seat for e in (*later, *ledger.pool.values()) if _same_consent(e, entry)}
        told = ledger.paper(entry.body.paper) if isinstance(entry.body, Rekey) else None
        if told is None or not known.issuperset(_others(ledger, told.seat, ledger.state)):
            continue
        then, all_known = ledger.moment(number), [*later, *ledger.pool.values()]
        agreed = _agreed(ledger, then.state, then.digest, then.wanted, all_known)
        if agreed and agreed != later[: len(agreed)]:
            ledger.tried.add((entry.id, number))
            ledger.cut(number)
            return True
    return False


def _agreed(ledger: Line, at: State, digest: str, wanted: dict[str, Due], known: list[Entry]) -> list[Entry]:
    """The consents of all others to one paper in the round after a state, with what came before each.

    Of several papers the one that needs the fewest entries counts: a replay takes that one, too.
    """
    found: list[list[Entry]] = []
    for paper in sorted({e.body.paper for e in known if isinstance(e.body, Rekey)}):
        told = ledger.paper(paper)
        if told is None or not _may_replace(ledger, told, at, wanted):
            continue
        chains = []
        for seat in _others(ledger, told.seat, at):
            chain = ledger.chain(seat, "decide", at, known)
            last = next((n for n, e in enumerate(chain) if _consents(ledger, e, paper, at, digest)), None)
            chains.append([] if last is None else chain[: last + 1])
        if all(chains):
            found.append([entry for chain in chains for entry in chain])
    return min(found, key=len, default=[])


def _consents(ledger: Line, entry: Entry, paper: str, at: State, digest: str) -> bool:
    """Whether an entry agrees to a paper in the round after a state."""
    if not isinstance(entry.body, Rekey) or entry.body.paper != paper or entry.id in ledger.voided:
        return False
    return (entry.head.head, entry.head.pos) == (at.head, digest) and entry.head.sent >= at.since


def _may_replace(ledger: Line, told: NewKeys, state: State, wanted: dict[str, Due]) -> bool:
    """Whether a round waits for the seat of a paper, under its old key, and others are there to agree."""
    old = in_use(ledger.contract, state, told.seat)
    return told.seat in wanted and told.old == old and bool(_others(ledger, told.seat, state))


def _others(ledger: Line, seat: str, state: State) -> list[str]:
    return [s for s in ledger.position.seats if s != seat and s not in state.opened]


def _same_consent(one: Entry, other: Entry) -> bool:
    same = one.head.head == other.head.head and one.head.pos == other.head.pos
    if not isinstance(one.body, Rekey) or not isinstance(other.body, Rekey):
        return False
    return same and one.body.paper == other.body.paper
