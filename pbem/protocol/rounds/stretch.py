"""One stretch of the game between two rounds: position and state as they stand, and the doors to both.

Whatever is done to them goes through here, be it by the rules that run on (`runner`), by the answers of a
round (`in_turn`), by a shared deck (`deck_duties`) or by an entry out of turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.engine.events import Event, Fact
from pbem.engine.machine import FAULTS, Fault, Machine, Result
from pbem.engine.notation import Handle
from pbem.engine.options import Options
from pbem.engine.orders import ListError, read_orders
from pbem.engine.position import Claim, Outcome, Position, Unlawful
from pbem.engine.waits import Answer, Decision, Delivered
from pbem.protocol.crypto import sealing
from pbem.protocol.papers.bodies import Opening
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds.breach import (
    Culprit,
    NonceMissing,
    OpeningWrong,
    RulesFailed,
    SlotNotClosed,
    SlotOfAnother,
    UnlawfulOpening,
)
from pbem.protocol.rounds.events import ListReturned, StandingUsed
from pbem.protocol.rounds.standing_orders import standing_choice
from pbem.protocol.rounds.state import Queue, State, slot_place


class ResignedByOrder(Event):
    """The outcome of a game that a standing order gave up."""

    says = "{seat} resigns"
    seat: str


class Stretch:
    """Copies of position and state that a round may change."""

    def __init__(self, contract: Contract, machine: Machine, pos: Position, state: State) -> None:
        self.contract = contract
        self.machine = machine
        self.pos = pos
        self.state = state
        self.events: list[Event] = []
        self.claims: list[Claim] = []
        self.turned_up: dict[Handle, str] = {}
        """Cards of shared decks that this round has turned up."""
        self.entry: Entry | None = None
        """The entry that is being taken in."""
        self.carried = 0
        """How many orders of lists have been carried out."""

    @property
    def position(self) -> Position:
        """The position as it stands; a runner can be looked at like a ledger (`Sight`)."""
        return self.pos

    # --- the engine's door

    def apply(self, answer: Answer) -> None:
        """One answer through the engine; an opening that cannot be true is its author's breach.

        Where the rules themselves break down, an order is refused; anything else ends the game, with nobody
        named for it until the audit.
        """
        try:
            self._take(self.machine.apply(self.pos, answer))
        except Unlawful as error:
            raise Culprit(error.seat, UnlawfulOpening(rule=error.rule, aside=error.reason)) from None
        except FAULTS as error:
            fault = Fault(error)
            if isinstance(answer, Decision):
                raise fault from error
            raise Culprit("", RulesFailed()) from error

    def _take(self, result: Result) -> None:
        old, self.pos = self.pos, result.position
        if (old.hidden, old.decks) != (self.pos.hidden, self.pos.decks):
            self.barrier()
        self.events += result.events
        self.claims += result.claims

    def say(self, event: Event) -> None:
        """An event of the protocol, not of a rule."""
        self.events.append(event)

    def barrier(self) -> None:
        """Something hidden was drawn, moved, sealed or opened: no take-back behind this."""
        self.state.barrier = self.state.number

    def committed(self) -> None:
        """A seat fixed something after the last seed (a shuffle): the next die needs new links of all."""
        state = self.state
        state.seed, state.fresh = "", {}
        if self.entry is not None:
            state.decisions += (self.entry.id,)

    def check_opening(self, seat: str, opening: Opening) -> bool:
        """A seat opens a slot that it may see into: the commitment must fit.

        False: it is a card of a shared deck, whose message is another matter.
        """
        slot = self.pos.hidden.get(opening.slot)
        if slot is None:
            raise Culprit(seat, SlotNotClosed(opening.slot))
        if (slot.holder or slot.owner) != seat:
            raise Culprit(seat, SlotOfAnother(opening.slot))
        if not slot.owner:
            return False
        if not opening.nonce:
            raise Culprit(seat, NonceMissing(opening.slot))
        nonce, place = bytes.fromhex(opening.nonce), slot_place(opening.slot)
        made = sealing.commitment(self.contract.game, slot.owner, place, opening.value.encode(), nonce)
        if made.hex() != slot.commitment:
            raise Culprit(seat, OpeningWrong(opening.slot))
        return True

    def delivered(self) -> None:
        """The cards that were to be delivered can now be seen by their taker."""
        self.apply(Delivered())
        self.barrier()

    # --- what seats want

    def standing_answer(self, options: Options, lines: Sequence[str], entry: str) -> bool:
        """Play the first legal answer of a standing order; False if none fits."""
        chosen = standing_choice(self.machine, self.pos, options, lines)
        if chosen is None:
            return False
        before = len(self.events)
        self.say(StandingUsed(options.seat, options.kind, chosen.text, entry))
        if chosen.move is None:
            self.end(tuple(s for s in self.pos.seats if s != options.seat), ResignedByOrder(options.seat))
        else:
            try:
                self.apply(Decision(options.seat, chosen.move))
            except Fault:
                del self.events[before:]
                return False
        self.state.declined = False
        return True

    def end(self, winners: tuple[str, ...], reason: Event) -> None:
        """The game ends beside the rules: by agreement, or because a seat is out."""
        pos = self.pos.copy()
        pos.outcome = Outcome(winners, Fact.of(reason))
        pos.stack, pos.stage, pos.pending = [], "", ()
        self.pos = pos
        self.state.queues.clear()
        self.say(reason)

    def start_list(self, seat: str, queue: Queue, text: str) -> None:
        """A list of orders begins (or its next part)."""
        try:
            orders = read_orders(text)
        except ListError as error:
            self.say(ListReturned(seat, text, line=error.line, aside=error.reason))
            self.state.queues.pop(seat, None)
            return
        self.state.queues[seat] = replace(queue, orders=orders, answers=queue.answers)
