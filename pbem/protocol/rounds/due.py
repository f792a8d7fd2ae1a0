"""What a round waits for: a pure function of the position and the protocol's state.

A round is complete when every seat named here has given what is named. Answers of one round name
the same head and position, whatever else has arrived. A seat that resigned is named too: what it owes
is worked out by everybody (`resigned`), so that nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.engine.notation import Handle
from pbem.engine.options import Options
from pbem.engine.position import Position
from pbem.engine.waits import Ask, AskSealed, Chance, Deliver, Open, Over, Shuffle, Wait
from pbem.protocol.papers.bodies import IN_TURN
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.state import Leaving, State


@dataclass(frozen=True, slots=True)
class Due:
    """What one seat owes in the present round."""

    seat: str
    kind: str
    """"orders", "sealed", "answers" or "audit"."""
    options: Options | None = None
    """The question, for a decision."""
    link: bool = False
    opens: tuple[Handle, ...] = ()
    tail: bool = False
    standing: str = ""
    """The kind of decision for which a sealed standing order must be opened or declined."""
    shuffle: Shuffle | None = None
    deliver: Deliver | None = None
    deck: str = ""
    """A shared deck that waits for a message of this seat."""
    gone: tuple[str, ...] = ()
    """Seats that forfeit: to be confirmed."""
    pieces: tuple[str, ...] = ()
    """Seats that have forfeited: the pieces of their secrets."""

    @property
    def lane(self) -> str:
        """Who gives it: a person (`decide`) or a machine (`answer`)."""
        return "decide" if self.kind in ("orders", "sealed") else "answer"


def due(pos: Position, wait: Wait, state: State) -> dict[str, Due]:
    """What each seat owes now, in seat order. Empty: nothing more will happen."""
    if state.verdict is not None:
        return _audits(pos, state)
    if state.leaving is not None:
        return _left_behind(pos, state, state.leaving)
    match wait:
        case Over():
            return _audits(pos, state)
        case Ask(options=options):
            return _decision(pos, state, options)
        case AskSealed(options=many):
            asked = {o.seat: Due(o.seat, "sealed", o) for o in many}
            return {s: asked[s] for s in pos.seats if s in asked}
        case Chance():
            return {s: Due(s, "answers", link=True) for s in missing_links(pos, state)}
        case Open(handles=handles):
            return _openings(pos, state, handles)
        case Shuffle(owner=owner) if owner:
            return {owner: Due(owner, "answers", shuffle=wait)}
        case Deliver(giver=giver) if giver and pos.hidden[wait.handles[0]].owner:
            return {giver: Due(giver, "answers", deliver=wait)}
        case Shuffle() | Deliver():
            return {s: Due(s, "answers", deck=name) for s, name in deck_duties.owed(pos, state, wait)}
    raise AssertionError(f"nobody owes anything for {wait!r}")


def _audits(pos: Position, state: State) -> dict[str, Due]:
    """The game is over, or ended by a verdict: what was hidden until then is looked at all the same."""
    return {s: Due(s, "audit") for s in pos.seats if s not in state.opened}


def _left_behind(pos: Position, state: State, leaving: Leaving) -> dict[str, Due]:
    """Seats forfeit: those that remain confirm it, all but the author, then all give their pieces."""
    staying = [s for s in pos.seats if s not in state.opened and s not in leaving.seats]
    if leaving.confirmed:
        return {s: Due(s, "answers", pieces=leaving.seats) for s in staying}
    return {s: Due(s, "answers", gone=leaving.seats) for s in staying if s != leaving.by}


def fits_round(kind: str, owed: Due, alone: bool) -> bool:
    """Whether an entry of a kind that names this round completes a seat's part in it.

    A seat that decides may resign instead; one that decides alone may give any other decision
    instead, which opens the same question again.
    """
    if kind == owed.kind:
        return True
    return owed.lane == "decide" and (kind == "resign" or (alone and kind not in (*IN_TURN, "say")))


def decides_alone(owed: Due, wanted: Mapping[str, Due]) -> bool:
    """Whether a seat is the only one that decides in a round."""
    return owed.lane == "decide" and sum(d.lane == "decide" for d in wanted.values()) == 1


def _decision(pos: Position, state: State, options: Options) -> dict[str, Due]:
    seat = options.seat
    queue = state.queues.get(seat)
    if queue is not None and queue.tail:
        return {seat: Due(seat, "answers", tail=True, link=_owes_link(state, seat))}
    standing = state.standing.get(f"{seat} {options.kind}")
    if standing is not None and standing.seal is not None and not state.declined:
        return {seat: Due(seat, "answers", standing=options.kind)}
    found = {seat: Due(seat, "orders", options)}
    found |= {s: Due(s, "answers", link=True) for s in _early(pos, state, options)}
    return {s: found[s] for s in pos.seats if s in found}


def _early(pos: Position, state: State, options: Options) -> list[str]:
    """Seats whose link for a scheduled die rides along with the decision before it.

    The die is safe because the scheduled seat's own link comes only after the decision; where that
    seat's secret is published, nothing may come early.
    """
    last = options.scheduled
    if last not in pos.seats or last == options.seat or last in state.opened:
        return []
    return [s for s in pos.seats if s not in (options.seat, last)]


def _owes_link(state: State, seat: str) -> bool:
    """A link rides with a tail if the next die will need one of this seat: after another's decision."""
    return not state.seed and bool(state.decisions) and seat not in state.fresh


def missing_links(pos: Position, state: State) -> list[str]:
    """The seats whose link the next seed still needs, in seat order."""
    return [s for s in pos.seats if s not in state.fresh]


def _openings(pos: Position, state: State, handles: tuple[Handle, ...]) -> dict[str, Due]:
    shared = deck_duties.openers(pos, state, handles)
    if shared:
        return {s: Due(s, "answers", deck=name) for s, name in shared}
    by_seat: dict[str, list[Handle]] = {}
    for handle in handles:
        slot = pos.hidden[handle]
        by_seat.setdefault(slot.holder or slot.owner, []).append(handle)
    return {s: Due(s, "answers", opens=tuple(by_seat[s])) for s in pos.seats if s in by_seat}
