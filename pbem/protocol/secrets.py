"""One seat's own side: its links, seals and openings, and what it knows beyond the public position.

Everything follows from the seat's game secret (and, for boxes of others, its X25519 key) and from the
public log, so every device of a player makes the same bytes and there is nothing to back up but the
key. `answer` gives what a round owes without a decision; it never decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.engine.croupier import slot_values, visible
from pbem.engine.machine import shown_handles
from pbem.engine.notation import Handle, Move, parse, write
from pbem.engine.options import Options, View
from pbem.engine.orders import Order, read_orders, segments, write_orders
from pbem.engine.waits import Ask, AskSealed, Deliver, Shuffle
from pbem.errors import PbemError, RulesError, UsageError, VerificationError
from pbem.protocol import decks, sealed
from pbem.protocol.bodies import Answers, Delivery, Opening, Orders, Seal, SealedChoice, Standing, TailOpening
from pbem.protocol.canonical import keyed
from pbem.protocol.chance import Chain, shuffle
from pbem.protocol.complaints import content, delivery_context, read_content
from pbem.protocol.keys import box_private
from pbem.protocol.ledger import Ledger
from pbem.protocol.rounds import Due
from pbem.protocol.running import pack_box, unpack_box
from pbem.protocol.state import slot_place, standing_place, tail_place


@dataclass
class Secrets:
    """What one seat can do beyond what everybody can."""

    ledger: Ledger
    seat: str
    secret: bytes
    """The seat's secret of this game."""
    box_secret: bytes

    def __post_init__(self) -> None:
        contract = self.ledger.contract
        self.game = contract.game
        self._chain = Chain(self.secret, contract.listed, self.seat, contract.invite.chain)

    def __repr__(self) -> str:
        return f"Secrets of {self.seat}"

    @property
    def _private(self) -> X25519PrivateKey:
        return box_private(self.box_secret)

    # --- links

    def next_link(self) -> str:
        """The next link of the chain, for the next decision or answer."""
        return self._chain.link(self.ledger.state.seats[self.seat].links + 1).hex()

    # --- seals

    def _nonce(self, place: str) -> bytes:
        return sealed.nonce(self.secret, self.game, place)

    def seal(self, place: str, plaintext: str) -> Seal:
        """A commitment to a text at one place, with a box for oneself."""
        raw = plaintext.encode()
        commit = sealed.commitment(self.game, self.seat, place, raw, self._nonce(place))
        box = sealed.box_for_self(self.secret, self.game, self.seat, place, raw)
        return Seal(commit.hex(), pack_box(box))

    def _unbox(self, place: str, lines: Sequence[str]) -> str:
        raw = sealed.open_own_box(self.secret, self.game, self.seat, place, unpack_box(lines))
        return raw.decode()

    # --- what this seat knows

    def value(self, handle: Handle) -> str | None:
        """What a closed slot hides, if this seat can tell."""
        found = self._content(handle)
        return found[0] if found else None

    def _content(self, handle: Handle) -> tuple[str, bytes] | None:
        """Value and nonce of a closed slot."""
        state, slot = self.ledger.state, self.ledger.position.hidden[handle]
        if not slot.owner:
            value = decks.card(state, self.seat, self.secret, handle)
            return None if value is None else (value, b"")
        if slot.owner == self.seat:
            front = handle.rpartition(".")[0]
            if handle in state.boxes and state.boxes[handle].reader == self.seat:
                value = self._unbox(slot_place(handle), state.boxes[handle].box)
            elif front in state.boxes:
                listed = self._unbox(f"deck {front}", state.boxes[front].box).split("\n")
                value = listed[int(handle.rpartition(".")[2])]
            else:
                return None
            return value, self._nonce(slot_place(handle))
        if handle in state.boxes and state.boxes[handle].reader == self.seat:
            context = delivery_context(self.game, handle)
            return read_content(sealed.unseal(self._private, context, unpack_box(state.boxes[handle].box)))
        return None

    def view(self, options: Options | None = None) -> View:
        """Everything this seat may see now, beyond the public position."""
        pos = self.ledger.position
        known = {}
        for handle in visible(pos, self.seat, options):
            value = self.value(handle)
            if value is not None:
                known[handle] = value
        return View(self.seat, known)

    def opening(self, handle: Handle) -> Opening:
        """The opening of a slot, for all to see."""
        slot = self.ledger.position.hidden[handle]
        if not slot.owner:
            return decks.opening(self.ledger.state, self.seat, self.secret, handle)
        found = self._content(handle)
        if found is None:
            raise UsageError(f"{self.seat} cannot open {handle}")
        value, nonce = found
        return Opening(handle, value, nonce.hex())

    # --- answers without a decision

    def answer(self, owed: Due) -> Answers:
        """Exactly what the round asks of this seat's machine."""
        link = self.next_link() if owed.link else ""
        if owed.tail:
            return Answers(link=link, tail=self._tail())
        if owed.standing:
            return Answers(standing=self._standing(owed.standing))
        if owed.shuffle is not None:
            return self._shuffle(owed.shuffle)
        if owed.deliver is not None:
            return Answers(deliver=self._deliver(owed.deliver))
        if owed.deck:
            ledger = self.ledger
            wait = ledger.machine.waits_for(ledger.position)
            return Answers(deck=decks.make(ledger.position, ledger.state, wait, self.seat, self.secret))
        return Answers(link=link, opens=tuple(self.opening(h) for h in owed.opens))

    def _tail(self) -> TailOpening:
        queue = self.ledger.state.queues[self.seat]
        place = tail_place(queue.seq, queue.part)
        return TailOpening(self._unbox(place, queue.tail[0].box), self._nonce(place).hex())

    def _standing(self, decision: str) -> tuple[Opening, ...]:
        ledger = self.ledger
        standing = ledger.state.standing[f"{self.seat} {decision}"]
        assert standing.seal is not None
        place = standing_place(standing.seq)
        text = self._unbox(place, standing.seal.box)
        wait = ledger.machine.waits_for(ledger.position)
        assert isinstance(wait, Ask)
        for line in text.split("\n"):
            try:
                ledger.machine.read_move(ledger.position, wait.options, line, View(self.seat))
            except RulesError:
                continue
            return (Opening(Handle(decision), text, self._nonce(place).hex()),)
        return ()

    def _shuffle(self, wait: Shuffle) -> Answers:
        returned = [self.value(h) for h in wait.returned]
        cards = [*wait.cards, *(str(v) for v in returned)]
        name = f"{wait.deck}-{wait.epoch}"
        order = shuffle(keyed(self.secret, "shuffle", self.game, name), 0, len(cards))
        listed = [cards[i] for i in order]
        commits = []
        for number, value in enumerate(listed):
            place = slot_place(Handle(f"{name}.{number}"))
            made = sealed.commitment(self.game, self.seat, place, value.encode(), self._nonce(place))
            commits.append(made.hex())
        box = sealed.box_for_self(
            self.secret, self.game, self.seat, f"deck {name}", "\n".join(listed).encode()
        )
        return Answers(commits=tuple(commits), box=pack_box(box))

    def _deliver(self, wait: Deliver) -> tuple[Delivery, ...]:
        found = []
        for handle in wait.handles:
            held = self._content(handle)
            if held is None:
                raise UsageError(f"{self.seat} cannot hand over {handle}")
            context = delivery_context(self.game, handle)
            entropy = keyed(self.secret, "deliver", self.game, handle, wait.taker)
            public = self._box_of(wait.taker)
            box = sealed.seal_to(public, context, content(*held), entropy)
            found.append(Delivery(handle, pack_box(box)))
        return tuple(found)

    def _box_of(self, seat: str) -> bytes:
        replaced = self.ledger.state.seats[seat].box
        return bytes.fromhex(replaced) if replaced else self.ledger.contract.seats[seat].box

    # --- decisions

    def orders(self, text: str) -> Orders:
        """The body of a list of orders: openings for the cards it shows, the tail sealed."""
        prepared = [self._prepare(order) for order in read_orders(text)]
        if not prepared:
            raise UsageError("there is no order in the list")
        opens: dict[Handle, Opening] = {}
        for _, handles, _ in prepared:
            for handle in handles:
                opens[handle] = self.opening(handle)
        wild = {order.at for order, _, interrupts in prepared if interrupts}
        parts = segments(tuple(order for order, _, _ in prepared), lambda order: order.at in wild)
        seq = self.ledger.state.seats[self.seat].decided + 1 + self._waiting()
        tail = tuple(
            self.seal(tail_place(seq, number), write_orders(part)) for number, part in enumerate(parts[1:])
        )
        first = write_orders(parts[0])
        return Orders(self.next_link(), first, tuple(opens[h] for h in sorted(opens)), tail)

    def _waiting(self) -> int:
        """Own entries that are signed but not logged yet."""
        mine = [e for e in self.ledger.pool.values() if e.seat == self.seat and e.head.lane == "decide"]
        return len(mine)

    def _prepare(self, order: Order) -> tuple[Order, tuple[Handle, ...], bool]:
        """An order as the others may read it, the cards it shows, and whether others may decide after it."""
        text, handles, interrupts = self._rewrite(order.text)
        answers = []
        for line in order.answers:
            line, more, _ = self._rewrite(line)
            handles += more
            answers.append(line)
        return Order(text, order.at, order.optional, tuple(answers)), handles, interrupts

    def _rewrite(self, text: str) -> tuple[str, tuple[Handle, ...], bool]:
        ledger = self.ledger
        wait = ledger.machine.waits_for(ledger.position)
        options = wait.options if isinstance(wait, Ask) and wait.options.seat == self.seat else None
        view = self.view(options)
        try:
            meant = parse(
                text, ledger.machine.rules.moves, ledger.machine.rules.lookup(ledger.position, view.known)
            )
        except PbemError:
            return text, (), True  # a macro, or wrong: it is looked at when its turn comes
        move = next((m for m in meant if options is not None and options.contains(m, view)), meant[0])
        secret = getattr(type(move), "secret", ())
        if secret:
            text = write(move)
        return text, shown_handles(move), type(move).interrupts

    def sealed_choice(self, options: Options, move: Move, fills: bool) -> SealedChoice:
        """The body of a secret decision."""
        refusal = options.why_not(move, self.view(options))
        if refusal is not None:
            raise RulesError(refusal.reason, rule=refusal.rule or None)
        values: Iterable[str] = slot_values(move) if fills else (write(move),)
        serial = self.ledger.position.serial + 1
        seals = tuple(
            self.seal(slot_place(Handle(f"s{serial}.{self.seat}.{number}")), value)
            for number, value in enumerate(values)
        )
        return SealedChoice(self.next_link(), seals)

    def standing(self, decision: str, lines: Sequence[str], secret: bool, seq: int) -> Standing:
        """The body of a standing order."""
        if not secret:
            return Standing(decision, tuple(lines))
        return Standing(decision, seal=self.seal(standing_place(seq), "\n".join(lines)))

    def bad_deliveries(self) -> list[Handle]:
        """Cards delivered to this seat whose box does not hold what it must."""
        found = []
        for name, boxed in self.ledger.state.boxes.items():
            handle = Handle(name)
            slot = self.ledger.position.hidden.get(handle)
            if slot is None or boxed.reader != self.seat or slot.owner == self.seat:
                continue
            try:
                held = self._content(handle)
            except VerificationError:
                held = None
            if held is None or not self._fits(handle, *held):
                found.append(handle)
        return found

    def _fits(self, handle: Handle, value: str, nonce: bytes) -> bool:
        slot = self.ledger.position.hidden[handle]
        if len(nonce) != 32:
            return False
        made = sealed.commitment(self.game, slot.owner, slot_place(handle), value.encode(), nonce)
        return made.hex() == slot.commitment


def sealed_question(ledger: Ledger, seat: str) -> tuple[Options, bool] | None:
    """The secret question to a seat, and whether it fills slots."""
    wait = ledger.machine.waits_for(ledger.position)
    if not isinstance(wait, AskSealed):
        return None
    options = next((o for o in wait.options if o.seat == seat), None)
    return None if options is None else (options, wait.fills)
