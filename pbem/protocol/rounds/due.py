"""What a round waits for: a pure function of the position and the protocol's state.

A round is complete when every seat named here has given what is named. A seat that is out and whose secret
is open is named too: what it owes is worked out by everybody (`resigned`), so that nobody waits for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.notation import Handle
from pbem.engine.options import Options
from pbem.engine.position import Position
from pbem.engine.waits import Ask, AskSealed, Chance, Deliver, Open, Over, Shuffle, Wait
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.state import State, Why


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
    pieces: tuple[str, ...] = ()
    """Seats that are out: the pieces of their secrets."""

    @property
    def lane(self) -> str:
        """Who gives it: a person (`decide`) or a machine (`answer`)."""
        return "decide" if self.kind in ("orders", "sealed") else "answer"


def due(pos: Position, wait: Wait, state: State) -> dict[str, Due]:
    """What each seat owes now, in seat order. Empty: nothing more will happen."""
    if state.closed:
        return {s: Due(s, "answers", pieces=state.closed) for s in present(pos, state)}
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


def present(pos: Position, state: State) -> tuple[str, ...]:
    """The seats that are in, in seat order."""
    return tuple(seat for seat in pos.seats if seat not in state.gone)


def _audits(pos: Position, state: State) -> dict[str, Due]:
    """The game is over: all that are in, or have resigned, publish their secrets."""
    asked = [s for s in pos.seats if s not in state.gone or state.gone[s].why is Why.RESIGNED]
    return {s: Due(s, "audit") for s in asked if s not in state.opened}


def _decision(pos: Position, state: State, options: Options) -> dict[str, Due]:
    seat = options.seat
    queue = state.queues.get(seat)
    if queue is not None and queue.tail:
        return {seat: Due(seat, "answers", tail=True, link=_owes_link(state, seat))}
    standing = state.standing.get(f"{seat} {options.kind}")
    if standing is not None and standing.seal is not None and not state.declined:
        return {seat: Due(seat, "answers", standing=options.kind)}
    return {seat: Due(seat, "orders", options)}


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
