"""Running the rules between two rounds: orders, standing orders, dice from the present seed.

`Runner` works on copies of position and state and goes on until the position waits for something
that only another entry can give. Whatever it does follows from the log alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.engine.handles import stock, stock_of
from pbem.engine.machine import Machine, Result, shown_handles
from pbem.engine.notation import Handle, NotationError
from pbem.engine.options import Options, View
from pbem.engine.orders import Chosen, Stopped, choose, read_orders, write_orders
from pbem.engine.position import Claim, Event, Outcome, Position, Unlawful
from pbem.engine.waits import Answer, Ask, Chance, Decision, Delivered, Over, Rolled
from pbem.errors import RulesError
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.chance import integers, seed
from pbem.protocol.papers.bodies import Opening
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.breach import Culprit
from pbem.protocol.rounds.due import missing_links
from pbem.protocol.rounds.resigned import play_for
from pbem.protocol.rounds.standing_orders import standing_choice
from pbem.protocol.rounds.state import Queue, State, slot_place


class Runner:
    """One stretch of the game between two rounds."""

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
        self.void: str | None = None
        """Why the entry just taken in had no legal first order."""
        self.progress = False
        """Whether the question that was waited for is settled: then the clock begins anew."""
        self.pool: dict[str, Entry] = {}
        self.answered: set[str] = set()
        """The seats that have given to the round what it asked for."""

    @property
    def position(self) -> Position:
        """The position as it stands; a runner can be looked at like a ledger (`Sight`)."""
        return self.pos

    # --- the engine's door

    def apply(self, answer: Answer) -> None:
        """One answer through the engine; an opening that cannot be true is its author's breach."""
        try:
            self._take(self.machine.apply(self.pos, answer))
        except Unlawful as error:
            raise Culprit(error.seat, f"{error.reason} (rule {error.rule})") from None

    def _take(self, result: Result) -> None:
        old, self.pos = self.pos, result.position
        if (old.hidden, old.decks) != (self.pos.hidden, self.pos.decks):
            self.barrier()
        self.events += result.events
        self.claims += result.claims

    def say(self, text: str, **data: Any) -> None:
        """An event of the protocol, not of a rule."""
        self.events.append(Event("", text, data))

    def barrier(self) -> None:
        """Something hidden was drawn, moved, sealed or opened: no take-back behind this."""
        self.state.barrier = self.state.number

    def committed(self) -> None:
        """A seat fixed something after the last seed (a shuffle): the next die needs new links of all."""
        state = self.state
        state.seed, state.fresh = "", {}
        if self.entry is not None:
            state.decisions += (self.entry.id,)

    # --- running on

    def run(self) -> None:
        """Go on until only another entry can help."""
        while self.state.verdict is None:
            wait = self.machine.waits_for(self.pos)
            if isinstance(wait, Chance):
                went_on = self._roll(wait)
            elif isinstance(wait, Ask):
                went_on = self._ask(wait.options)
            else:
                went_on = deck_duties.settle(self, wait)
            if not went_on and not play_for(self):
                break
        if isinstance(self.machine.waits_for(self.pos), Over):
            self.state.queues.clear()
        self._tidy()

    def _tidy(self) -> None:
        """Boxes of slots that are no longer closed, or no longer theirs, are dropped."""
        decks_alive = {stock(name, deck.epoch) for name, deck in self.pos.decks.items()}
        alive = {stock_of(h) for h in self.pos.hidden} | decks_alive
        for name in list(self.state.boxes):
            if name not in self.pos.hidden and name not in alive:
                del self.state.boxes[name]

    def _roll(self, wait: Chance) -> bool:
        state = self.state
        if all(bound == 1 for bound in wait.bounds):
            self.apply(Rolled((0,) * len(wait.bounds)))
            return True
        if not state.seed:
            if missing_links(self.pos, state):
                return False
            state.event += 1
            links = [bytes.fromhex(state.fresh[s]) for s in self.pos.seats]
            decided = [bytes.fromhex(d) for d in state.decisions]
            state.seed = seed(self.contract.game, state.event, decided, links).hex()
            state.request = 0
            state.decisions = ()
            state.fresh = {}
        values = integers(bytes.fromhex(state.seed), state.request, wait.bounds)
        self.say(
            f"event {state.event}, request {state.request}: {', '.join(map(str, values))}",
            event=state.event,
            request=state.request,
            bounds=list(wait.bounds),
            values=list(values),
        )
        state.request += 1
        self.apply(Rolled(values))
        return True

    def _ask(self, options: Options) -> bool:
        """A question: the seat's list answers it, or its standing order; else a round opens.

        The list goes first only with what it says to this very question: what it says to later ones must
        not be skipped, sent back or opened for one that the standing order covers.
        """
        seat = options.seat
        self._drop_lists_of_others(seat)
        queue = self.state.queues.get(seat)
        standing = self.state.standing.get(f"{seat} {options.kind}")
        if standing is not None and standing.seal is None:
            answered = queue is not None and self._answers_now(options, queue)
            if not answered and self.standing_answer(options, standing.lines, standing.entry):
                return True
        return queue is not None and self._from_list(options, queue)

    def _answers_now(self, options: Options, queue: Queue) -> bool:
        """Whether the open part of a list answers a question without skipping anything."""
        known = {o.slot: o.value for o in queue.opens}
        view = View(options.seat, known)
        chosen = choose(self.machine, self.pos, options, view, queue.orders, queue.answers)
        return isinstance(chosen, Chosen) and not chosen.skipped

    def standing_answer(self, options: Options, lines: Sequence[str], entry: str) -> bool:
        """Play the first legal answer of a standing order; False if none fits."""
        chosen = standing_choice(self.machine, self.pos, options, lines)
        if chosen is None:
            return False
        self.say(
            f"standing order of {options.seat} for {options.kind}: {chosen.text}",
            seat=options.seat,
            standing=entry,
        )
        self.state.declined = False
        if chosen.move is None:
            self.end(tuple(s for s in self.pos.seats if s != options.seat), f"{options.seat} resigns")
        else:
            self.apply(Decision(options.seat, chosen.move))
        return True

    def end(self, winners: tuple[str, ...], reason: str) -> None:
        """The game ends beside the rules: by agreement, or because a seat gives up."""
        pos = self.pos.copy()
        pos.outcome = Outcome(winners, reason)
        pos.stack, pos.stage, pos.pending = [], "", ()
        self.pos = pos
        self.progress = True
        self.state.queues.clear()
        self.say(reason, winners=list(winners))

    # --- lists of orders

    def _drop_lists_of_others(self, seat: str) -> None:
        """Another seat decides: what the others' lists still say in the open goes back to them."""
        for other, queue in list(self.state.queues.items()):
            if other == seat or not queue.orders:
                continue
            self._return_draft(other, queue, f"{seat} has to decide first", None)

    def _from_list(self, options: Options, queue: Queue) -> bool:
        seat = options.seat
        known = {o.slot: o.value for o in queue.opens}
        chosen = choose(self.machine, self.pos, options, View(seat, known), queue.orders, queue.answers)
        for skipped in chosen.skipped:
            self.say(f"{seat}: skipped: {skipped}", seat=seat, skipped=skipped)
        if isinstance(chosen, Stopped):
            return self._list_stops(options, queue, chosen)
        self.state.queues[seat] = replace(
            queue, orders=chosen.orders, answers=chosen.answers, done=queue.done + 1
        )
        shown = {h: known[h] for h in shown_handles(chosen.move) if h in known}
        try:
            self.apply(Decision(seat, chosen.move, shown))
        except RulesError as error:
            return self._list_stops(options, queue, Stopped(error.message, error.rule))
        if shown:
            deck_duties.show(self, seat, [o for o in queue.opens if o.slot in shown])
        return True

    def _list_stops(self, options: Options, queue: Queue, stopped: Stopped) -> bool:
        seat = options.seat
        if stopped.reason is None:
            if queue.tail:
                return False  # the next part of the list must be opened
            del self.state.queues[seat]
            return True
        if not queue.done:
            self.void = stopped.reason if stopped.rule is None else f"{stopped.reason} (rule {stopped.rule})"
        where = f"line {stopped.line}: " if stopped.line else ""
        rule = f" (rule {stopped.rule})" if stopped.rule else ""
        self._return_draft(seat, queue, f"{where}{stopped.reason}{rule}", options)
        self.state.queues.pop(seat, None)
        return True

    def _return_draft(self, seat: str, queue: Queue, why: str, options: Options | None) -> None:
        rest = write_orders(queue.orders)
        sealed_rest = len(queue.tail) if options is not None else 0
        tail = f" and {sealed_rest} sealed parts" if sealed_rest else ""
        data: dict[str, Any] = {"seat": seat, "returned": rest, "why": why}
        if self.void is not None:
            data["void"] = True
        self.say(f"{seat}: the rest of the list goes back{tail}: {why}", **data)
        if options is None:
            self.state.queues[seat] = replace(queue, orders=())
            if not queue.tail and not queue.answers:
                del self.state.queues[seat]

    def start_list(self, seat: str, queue: Queue, text: str) -> None:
        """A list of orders begins (or its next part)."""
        try:
            orders = read_orders(text)
        except NotationError as error:
            self.void = error.message
            self.say(f"{seat}: {error.message}", seat=seat, returned=text, why=error.message, void=True)
            self.state.queues.pop(seat, None)
            return
        self.state.queues[seat] = replace(queue, orders=orders, answers=queue.answers)

    # --- openings

    def check_opening(self, seat: str, opening: Opening) -> None:
        """A seat opens a slot that it may see into: the commitment must fit."""
        slot = self.pos.hidden.get(opening.slot)
        if slot is None:
            raise Culprit(seat, f"{opening.slot} is no closed slot")
        if (slot.holder or slot.owner) != seat:
            raise Culprit(seat, f"{opening.slot} is not {seat}'s to open")
        if not slot.owner:
            deck_duties.check_shown(self, seat, opening)
            return
        if not opening.nonce:
            raise Culprit(seat, f"the opening of {opening.slot} has no nonce")
        nonce, place = bytes.fromhex(opening.nonce), slot_place(opening.slot)
        made = sealing.commitment(self.contract.game, slot.owner, place, opening.value.encode(), nonce)
        if made.hex() != slot.commitment:
            raise Culprit(seat, f"the opening of {opening.slot} does not fit its commitment")

    def delivered(self) -> None:
        """The cards that were to be delivered can now be seen by their taker."""
        self.apply(Delivered())
        self.barrier()
