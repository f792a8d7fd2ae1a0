"""Running the rules between two rounds: orders, standing orders, dice from the present seed.

`Runner` works on copies of position and state and goes on until the position waits for something
that only another entry can give. Whatever it does follows from the log alone.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.engine.handles import stock, stock_of
from pbem.engine.notation import shown_handles
from pbem.engine.options import Options, View
from pbem.engine.orders import Chosen, Stopped, choose, write_orders
from pbem.engine.waits import Ask, Chance, Decision, Over, Rolled
from pbem.errors import RulesError
from pbem.protocol.crypto.chance import integers, seed
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.due import missing_links
from pbem.protocol.rounds.events import ListReturned, NumbersFell, OrderSkipped
from pbem.protocol.rounds.resigned import play_for
from pbem.protocol.rounds.state import Queue
from pbem.protocol.rounds.stretch import Stretch


class Runner(Stretch):
    """The rules run on, until only another entry can help."""

    def run(self) -> None:
        """Go on until only another entry can help."""
        while True:
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
        self.say(NumbersFell(state.event, state.request, wait.bounds, values))
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
        chosen = self._chosen(options, view, queue)
        return isinstance(chosen, Chosen) and not chosen.skipped

    # --- lists of orders

    def _chosen(self, options: Options, view: View, queue: Queue) -> Chosen | Stopped:
        ahead = queue.done > 0
        return choose(self.machine, self.pos, options, view, queue.orders, queue.answers, ahead=ahead)

    def _drop_lists_of_others(self, seat: str) -> None:
        """Another seat decides: what the others' lists still say in the open goes back to them."""
        for other, queue in list(self.state.queues.items()):
            if other == seat or not queue.orders:
                continue
            self.say(ListReturned(other, write_orders(queue.orders), waits=seat))
            self.state.queues[other] = replace(queue, orders=())
            if not queue.tail and not queue.answers:
                del self.state.queues[other]

    def _from_list(self, options: Options, queue: Queue) -> bool:
        seat = options.seat
        known = {o.slot: o.value for o in queue.opens}
        chosen = self._chosen(options, View(seat, known), queue)
        for skipped in chosen.skipped:
            self.say(OrderSkipped(seat, skipped.line, skipped.order, skipped.rule, aside=skipped.reason))
        if isinstance(chosen, Stopped):
            return self._list_stops(options, queue, chosen)
        self.state.queues[seat] = replace(
            queue, orders=chosen.orders, answers=chosen.answers, done=queue.done + 1
        )
        shown = {h: known[h] for h in shown_handles(chosen.move) if h in known}
        try:
            self.apply(Decision(seat, chosen.move, shown))
            self.carried += 1
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
        left = ListReturned(
            seat,
            write_orders(queue.orders),
            sealed=len(queue.tail),
            line=stopped.line or 0,
            broken=stopped.rule or "",
            aside=stopped.reason,
        )
        self.say(left)
        self.state.queues.pop(seat, None)
        return True
