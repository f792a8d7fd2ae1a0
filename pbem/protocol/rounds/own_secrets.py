"""One seat's own side: what it gives to a round, what it signs, what it complains about.

Every device of a player makes the same bytes, because all of it follows from the seat's secrets and the
public log. `answer` gives what a round owes without a decision; it never decides anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pbem.engine.croupier import slot_values
from pbem.engine.handles import at_place, slot_handle, stock
from pbem.engine.notation import Handle, Move, shown_handles, write
from pbem.engine.options import Options
from pbem.engine.orders import Order, read_orders
from pbem.engine.waits import Ask, Deliver, Shuffle
from pbem.errors import RulesError, UsageError, VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.canonical import keyed
from pbem.protocol.crypto.chance import shuffle
from pbem.protocol.crypto.keys import box_private
from pbem.protocol.papers.bodies import (
    Answers,
    Audit,
    Complaint,
    Delivery,
    Opening,
    Orders,
    Rekey,
    Resign,
    SealedChoice,
    Standing,
    TailOpening,
)
from pbem.protocol.papers.body_checks import check_lines, check_orders, pack_box, unpack_box
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.card_boxes import content, delivery_context, fits, made_box
from pbem.protocol.rounds.due import Due, present
from pbem.protocol.rounds.holding import given_pieces
from pbem.protocol.rounds.key_papers import piece_again
from pbem.protocol.rounds.order_lists import Prepared, named_cards, prepare
from pbem.protocol.rounds.own_knowledge import Knowledge
from pbem.protocol.rounds.standing_orders import standing_choice
from pbem.protocol.rounds.state import StandingOrder, signed_at, slot_place, standing_place, tail_place
from pbem.toml import dumps, read_foreign


class Secrets(Knowledge):
    """What one seat can do beyond what everybody can."""

    # --- answers without a decision

    def answer(self, owed: Due) -> Answers:
        """Exactly what the round asks of this seat's machine."""
        link, tip = (self.next_link(), self.next_tip()) if owed.link else ("", "")
        if owed.tail:
            return Answers(link=link, tip=tip, tail=self._tail())
        if owed.standing:
            return Answers(standing=self._standing(owed.standing))
        if owed.shuffle is not None:
            return self._shuffle(owed.shuffle)
        if owed.deliver is not None:
            return Answers(deliver=self._deliver(owed.deliver))
        if owed.pieces:
            return Answers(pieces=given_pieces(self.ledger, self.seat, owed.pieces, self.answering))
        if owed.deck:
            ledger = self.ledger
            wait = ledger.machine.waits_for(ledger.position)
            secret = self._deck_secret
            return Answers(deck=deck_duties.make(ledger.position, ledger.state, wait, self.seat, secret))
        return Answers(link=link, tip=tip, opens=tuple(self.opening(h) for h in owed.opens))

    def _tail(self) -> TailOpening:
        ledger = self.ledger
        queue = ledger.state.queues[self.seat]
        place = tail_place(queue.place, queue.part)
        text, secret = self._unbox(place, queue.tail[0].box)
        cards = named_cards(ledger.machine, ledger.position, self.seat, text)
        nonce = sealing.nonce(secret, self.game, place, text)
        return TailOpening(text, nonce.hex(), tuple(self.opening(h) for h in cards))

    def _standing(self, decision: str) -> tuple[Opening, ...]:
        ledger = self.ledger
        standing = ledger.state.standing[f"{self.seat} {decision}"]
        assert standing.seal is not None
        place = standing_place(standing.place)
        text, secret = self._unbox(place, standing.seal.box)
        wait = ledger.machine.waits_for(ledger.position)
        assert isinstance(wait, Ask)
        if standing_choice(ledger.machine, ledger.position, wait.options, text.split("\n")) is None:
            return ()
        return (Opening(Handle(decision), text, sealing.nonce(secret, self.game, place, text).hex()),)

    def _shuffle(self, wait: Shuffle) -> Answers:
        returned = [self.value(h) for h in wait.returned]
        cards = [*wait.cards, *(str(v) for v in returned)]
        name = stock(wait.deck, wait.epoch)
        order = shuffle(keyed(self.secret, "shuffle", self.game, name), 0, len(cards))
        listed = [cards[i] for i in order]
        commits = []
        for number, value in enumerate(listed):
            place = slot_place(at_place(name, number))
            nonce = sealing.nonce(self.secret, self.game, place, value)
            made = sealing.commitment(self.game, self.seat, place, value.encode(), nonce)
            commits.append(made.hex())
        box = sealing.box_for_self(
            self.secret, self.game, self.seat, f"deck {name}", "\n".join(listed).encode()
        )
        return Answers(commits=tuple(commits), box=pack_box(box))

    def _deliver(self, wait: Deliver) -> tuple[Delivery, ...]:
        found = []
        for handle in wait.handles:
            held = content(*self._fitting(handle))
            box = made_box(self.game, handle, wait.taker, self._box_of(wait.taker), held, self.secret)
            found.append(Delivery(handle, pack_box(box)))
        return tuple(found)

    def _box_of(self, seat: str) -> bytes:
        replaced = self.ledger.state.seats[seat].box
        return bytes.fromhex(replaced) if replaced else self.ledger.contract.seats[seat].box

    # --- decisions

    def orders(self, text: str) -> Orders:
        """The body of a list of orders."""
        return self.body(self.prepared(read_orders(text)))

    def prepared(self, listed: tuple[Order, ...], own: Collection[int] | None = None) -> Prepared:
        """A list that was read, in its parts; `own` as in `prepare`."""
        ledger = self.ledger
        wait = ledger.machine.waits_for(ledger.position)
        options = wait.options if isinstance(wait, Ask) and wait.options.seat == self.seat else None
        return prepare(ledger.machine, ledger.position, self.view(options), listed, own)

    def body(self, made: Prepared) -> Orders:
        """The body of a list in its parts: openings for the cards it shows, the tail sealed."""
        for part in made.parts:
            _check_sealed(part)
            check_orders("tail", part)
        place = signed_at(self.ledger.state.tip)
        tail = tuple(self.seal(tail_place(place, number), part) for number, part in enumerate(made.parts))
        opens = tuple(self.opening(h) for h in made.shown)
        return Orders(self.next_link(), made.first, opens, tail, self.next_tip())

    def orders_of(self, move: Move) -> Orders:
        """The body of a list of one order, given as a move."""
        opens = tuple(self.opening(h) for h in sorted(set(shown_handles(move))))
        return Orders(self.next_link(), write(move) + "\n", opens, (), self.next_tip())

    def sealed_choice(self, options: Options, move: Move, fills: bool) -> SealedChoice:
        """The body of a secret decision."""
        refusal = options.why_not(move, self.view(options))
        if refusal is not None:
            raise RulesError(refusal.reason, rule=refusal.rule or None)
        values: Iterable[str] = slot_values(move) if fills else (write(move),)
        serial = self.ledger.position.serial + 1
        seals = tuple(
            self.seal(slot_place(slot_handle(serial, self.seat, number)), value)
            for number, value in enumerate(values)
        )
        return SealedChoice(self.next_link(), seals, self.next_tip())

    def standing_text(self, order: StandingOrder) -> str:
        """What a sealed standing order of this seat says."""
        return self._unbox(standing_place(order.place), order.seal.box)[0] if order.seal is not None else ""

    def tail_texts(self) -> tuple[str, ...]:
        """What the sealed rest of this seat's list says, part by part."""
        queue = self.ledger.state.queues.get(self.seat)
        if queue is None:
            return ()
        parts = enumerate(queue.tail, queue.part)
        return tuple(self._unbox(tail_place(queue.place, part), seal.box)[0] for part, seal in parts)

    def standing(self, decision: str, lines: Sequence[str], secret: bool, prev: str) -> Standing:
        """The body of a standing order; `prev` is this seat's last entry out of turn before it."""
        if not secret:
            return Standing(decision, tuple(lines))
        _check_sealed("\n".join(lines))
        check_lines("lines", lines)
        return Standing(
            decision, seal=self.seal(standing_place(signed_at(self.ledger.state.tip, prev)), "\n".join(lines))
        )

    def resign(self) -> Resign:
        """The body of a resignation: with three or more seats left it brings the secrets along."""
        if len(present(self.ledger.position, self.ledger.state)) <= 2:
            return Resign()
        former = tuple(secret.hex() for secret, _ in self.former)
        return Resign(self.secret.hex(), self.box_secret.hex(), former)

    def rekey(self, paper: str) -> Rekey:
        """The offer of new keys for another seat, with the piece that it holds, sealed to them."""
        ledger = self.ledger
        return Rekey(paper, piece_again(ledger.contract, ledger.state, self.seat, self.secret, paper))

    def audit(self) -> Audit:
        """The body that publishes this seat's secrets."""
        return Audit(self.secret.hex(), tuple(secret.hex() for secret, _ in self.former))

    # --- complaints

    def bad_deliveries(self) -> list[Handle]:
        """Cards delivered to this seat whose box does not hold what it must."""
        found = []
        for name, boxed in self.ledger.state.boxes.items():
            handle = Handle(name)
            slot = self.ledger.position.hidden.get(handle)
            if slot is None or boxed.reader != self.seat or not boxed.giver:
                continue
            try:
                held = self._content(handle)
            except VerificationError:
                held = None
            if held is None or not fits(self.game, handle, slot, content(*held)):
                found.append(handle)
        return found

    def complaint(self, handle: Handle) -> Complaint:
        """The body of a complaint: the key of this one box, for all to see."""
        boxed = self.ledger.state.boxes.get(handle)
        if boxed is None or boxed.reader != self.seat or not boxed.giver:
            raise UsageError(f"{handle} was not delivered to {self.seat}")
        context = delivery_context(self.game, handle)
        key = sealing.shared_key(box_private(self.box_secret), unpack_box(boxed.box), context)
        return Complaint(handle, key.hex())


def _check_sealed(text: str) -> None:
    """What is sealed must be fit to be opened: an entry that nobody can read would never do it."""
    read_foreign(dumps({"text": text}, wrap=True).encode())
