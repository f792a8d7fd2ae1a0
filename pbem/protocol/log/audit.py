"""The audit: when a seat's secret is out, everything it kept hidden is looked at again.

`Auditor` watches a game being replayed, entry by entry. With a seat's secret it checks its chains, every
sealed choice against the options of its moment, every list of its own deck, every card it handed over,
every sealed standing order that was said not to cover a question, and every claim. The first thing that
is not as it must be names its author. Shared decks are checked by re-deriving every shuffle. A seat whose
keys were replaced has several secrets: each is good for what was closed with it, and what only a lost one
could show is a gap: not audited, never lawful and never a breach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbem.engine.handles import at_place, card_handle, slot_handle, stock
from pbem.engine.notation import Handle, Move
from pbem.engine.options import Options, View
from pbem.engine.position import Claim, Position
from pbem.engine.waits import Ask, AskSealed, Shuffle
from pbem.errors import PbemError, RulesError
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.keys import box_private, box_public
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.logged import Logged
from pbem.protocol.log.place import Tip
from pbem.protocol.papers import piece_fields
from pbem.protocol.papers.bodies import Answers, Delivery, Rekey, SealedChoice
from pbem.protocol.papers.body_checks import pack_box, unpack_box
from pbem.protocol.papers.contract import Contract, secret_commitment
from pbem.protocol.papers.pieces import deal
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.card_boxes import content, made_box
from pbem.protocol.rounds.key_papers import NewKeys, in_order
from pbem.protocol.rounds.own_knowledge import chain_of
from pbem.protocol.rounds.standing_orders import standing_choice
from pbem.protocol.rounds.state import slot_place, standing_place


@dataclass(frozen=True)
class Problem:
    """What is wrong, at which entry, and whose it is."""

    entry: int
    seat: str
    cause: str


@dataclass
class Auditor:
    """Looks behind every seal of the seats whose secrets are published."""

    contract: Contract
    secrets: Mapping[str, bytes]
    former: Mapping[str, tuple[bytes, ...]] = field(default_factory=dict)
    """Secrets from before a replacement of keys, oldest first."""
    truth: dict[Handle, str] = field(default_factory=dict)
    """Everything hidden that is known by now, by slot."""
    problems: list[Problem] = field(default_factory=list)
    gaps: dict[str, list[str]] = field(default_factory=dict)
    """What could not be looked at although the seat published a secret, by seat."""
    _claims: list[tuple[int, Claim, Position]] = field(default_factory=list)
    _papers: list[tuple[int, NewKeys]] = field(default_factory=list)
    """Every paper for new keys, with the entry that brought it first."""
    _shuffles: dict[tuple[str, int | None, str], int] = field(default_factory=dict)
    """The entry in which a seat shuffled a shared deck, by deck, epoch and seat."""

    def begin(self) -> None:
        """Before the first entry: the secret that the contract commits to makes the first chain."""
        listed = self.contract.listed
        for seat in self.secrets:
            signed = self.contract.seats[seat]
            first = self._committed(seat, signed.commitment)
            if first is None:
                continue  # lost with a replaced key, or false: the ledger says so where it is published
            if chain_of(first, listed, seat, self.contract.invite.chain).tip != signed.tip:
                self._blame(0, seat, "the chain's tip in the contract does not come from the secret")
            self._dealt(seat, first)

    def _dealt(self, seat: str, secret: bytes) -> None:
        """The pieces in the contract are those of the secret, also if nobody ever needed them."""
        invite, listed, signed = self.contract.invite, self.contract.listed, self.contract.seats[seat]
        if not invite.threshold:
            return
        holds = {s: self.contract.seats[s].hold for s in invite.seats}
        of = signed.commitment
        made = piece_fields.deal_all(listed, invite.seats, invite.threshold, seat, secret, of, holds)
        if made != signed.pieces:
            self._blame(0, seat, "the pieces in the contract are not those of the secret")
        if self._box_of(seat, secret, signed.seed) != signed.box:
            self._blame(0, seat, "the seed in the contract is not the one of its boxes")

    def _box_of(self, seat: str, secret: bytes, seed: Sequence[str]) -> bytes:
        """The public key of the boxes that a sealed seed opens."""
        try:
            found = piece_fields.open_box_seed(self.contract.listed, seat, secret, seed)
            return box_public(box_private(found))
        except (PbemError, ValueError):
            return b""

    def _new_keys(self, number: int, told: NewKeys) -> None:
        """A paper for new keys that counted: its chain, its pieces and its seed come from the new secret."""
        invite, listed, seat = self.contract.invite, self.contract.listed, told.seat
        secret = self._committed(seat, told.commitment)
        if secret is None:
            return  # never published, or lost with a later change: `finish` says so
        if chain_of(secret, listed, seat, invite.chain).tip.hex() != told.tip:
            self._blame(number, seat, "the tip in its paper for new keys does not come from the secret")
        if not invite.threshold:
            return
        for holder, dealt in told.pieces.items():
            keys = [self.contract.seats[holder].hold, *(p.hold for _, p in self._papers if p.seat == holder)]
            texts = (listed, invite.seats, secret, told.commitment, invite.threshold, holder)
            if dealt not in [deal(*texts, bytes.fromhex(key)) for key in keys]:
                self._blame(number, seat, "the pieces in its paper for new keys are not those of the secret")
                return
        if self._box_of(seat, secret, told.seed).hex() != told.box:
            self._blame(number, seat, "the seed in its paper for new keys is not the one of its boxes")

    def _all(self, seat: str) -> tuple[bytes, ...]:
        """Every secret of a seat, the present one first."""
        own = (self.secrets[seat],) if seat in self.secrets else ()
        return (*own, *reversed(self.former.get(seat, ())))

    def _committed(self, seat: str, commitment: str) -> bytes | None:
        """The secret behind a commitment."""
        listed = self.contract.listed
        return next((s for s in self._all(seat) if secret_commitment(listed, seat, s) == commitment), None)

    def _in_force(self, ledger: Ledger, seat: str) -> bytes | None:
        """The secret with which a seat closes things now; None if it was not published."""
        return self._committed(seat, ledger.state.seats[seat].commitment or self._first(seat))

    def _first(self, seat: str) -> str:
        return self.contract.seats[seat].commitment

    def _gap(self, seat: str, what: str) -> None:
        known = self.gaps.setdefault(seat, [])
        if what not in known:
            known.append(what)

    def _blame(self, entry: int, seat: str, cause: str) -> None:
        self.problems.append(Problem(entry, seat, cause))

    # --- before an entry is taken in

    def look(self, ledger: Ledger, number: int, seat: str, body: object, after: Tip | None = None) -> None:
        """An entry that is about to count, with the ledger as it was; `after` is the tip that it names."""
        if seat not in self.secrets or after not in (None, ledger.state.tip):
            return
        self._tip(ledger, number, seat, str(getattr(body, "tip", "")))
        wait = ledger.machine.waits_for(ledger.position)
        if isinstance(body, SealedChoice) and isinstance(wait, AskSealed):
            options = next((o for o in wait.options if o.seat == seat), None)
            if options is not None:
                self._sealed(ledger, number, options, wait.fills, body)
        elif isinstance(body, Answers):
            owed = ledger.due().get(seat)
            if isinstance(wait, Shuffle):  # what a seat gives last for it is the list that it shuffled
                self._shuffles[wait.deck, wait.epoch - 1, seat] = number
            if owed is not None and owed.shuffle is not None:
                name = stock(owed.shuffle.deck, owed.shuffle.epoch)
                returned = [self.truth.get(h, "?") for h in owed.shuffle.returned]
                self._own_deck(ledger, number, seat, name, [*owed.shuffle.cards, *returned], body)
            if owed is not None and owed.standing and not body.standing:
                self._declined(ledger, number, seat, owed.standing)
            if owed is not None and owed.deliver is not None:
                for delivery in body.deliver:
                    self._delivered(ledger, number, seat, owed.deliver.taker, delivery)

    def _tip(self, ledger: Ledger, number: int, seat: str, tip: str) -> None:
        """A further chain comes from the secret in use, like the first."""
        mine = ledger.state.seats[seat]
        if not tip:
            return
        secret = self._in_force(ledger, seat)
        if secret is None:
            self._gap(seat, "its further chains")
            return
        length = self.contract.invite.chain
        if chain_of(secret, self.contract.listed, seat, length, mine.chain + 1).tip.hex() != tip:
            self._blame(number, seat, "the tip of its next chain does not come from its secret")

    def _delivered(self, ledger: Ledger, number: int, giver: str, taker: str, given: Delivery) -> None:
        """A card handed over is the one in the slot, in the one box that the giver's secret makes."""
        slot, game = ledger.position.hidden[given.slot], self.contract.game
        secret = self._in_force(ledger, giver)
        place, value = slot_place(given.slot), self.truth.get(given.slot)
        if secret is None or value is None:
            self._gap(giver, f"the card {given.slot}, which it handed over")
            return
        public = ledger.state.seats[taker].box or self.contract.seats[taker].box.hex()
        for owner in self._all(slot.owner):
            card = content(value, sealing.nonce(owner, game, place, value))
            box = made_box(game, given.slot, taker, bytes.fromhex(public), card, secret)
            if pack_box(box) == given.box:
                return
        self._blame(number, giver, f"the box in which {given.slot} was handed over does not hold that card")

    def _open(self, seat: str, place: str, box: Sequence[str], commit: str, secret: bytes) -> str | None:
        """What a seal holds, if the box opens and fits the commitment."""
        try:
            text = sealing.open_own_box(secret, self.contract.game, seat, place, unpack_box(box)).decode()
        except (PbemError, ValueError):
            return None
        return text if self._fits(seat, place, text, commit, secret) else None

    def _fits(self, seat: str, place: str, text: str, commit: str, secret: bytes) -> bool:
        nonce = sealing.nonce(secret, self.contract.game, place, text)
        return sealing.commitment(self.contract.game, seat, place, text.encode(), nonce).hex() == commit

    def _sealed(self, ledger: Ledger, number: int, options: Options, fills: bool, body: SealedChoice) -> None:
        seat = options.seat
        serial, secret = ledger.position.serial + 1, self._in_force(ledger, seat)
        if secret is None:
            self._gap(seat, "what it sealed with a former key")
            return
        values = []
        for slot, seal in enumerate(body.seals):
            handle = slot_handle(serial, seat, slot)
            value = self._open(seat, slot_place(handle), seal.box, seal.commit, secret)
            if value is None:
                self._blame(number, seat, f"the seal {handle} does not hold what was committed to")
                return
            self.truth[handle] = value
            values.append(value)
        view = View(seat, {h: v for h, v in self.truth.items() if h in ledger.position.hidden})
        try:
            move = self._move(ledger, options, fills, values, view)
            refusal = options.why_not(move, view)
            reason = refusal.reason if refusal else None
        except RulesError as error:
            reason = error.message
        if reason is not None:
            self._blame(number, seat, f"the sealed choice {' '.join(values)!r} was not legal: {reason}")

    def _move(self, ledger: Ledger, options: Options, fills: bool, values: list[str], view: View) -> Move:
        if not fills:
            return ledger.machine.read_move(ledger.position, options, values[0], view)
        (kind,) = options.kinds()
        head = kind.notation.split()[0]
        return ledger.machine.read_move(ledger.position, options, " ".join([head, *values]), view)

    def _own_deck(
        self, ledger: Ledger, number: int, seat: str, name: str, cards: list[str], body: Answers
    ) -> None:
        game, secret = self.contract.game, self._in_force(ledger, seat)
        if secret is None:
            self._gap(seat, f"its shuffle of {name}")
            return
        try:
            box = unpack_box(body.box)
            listed = sealing.open_own_box(secret, game, seat, f"deck {name}", box).decode().split("\n")
        except (PbemError, ValueError):
            self._blame(number, seat, f"the shuffle of {name} cannot be read with the secret")
            return
        if "?" in cards:
            self._gap(seat, f"the cards that went back into {name}")
            cards = listed
        for slot, (value, commit) in enumerate(zip(listed, body.commits, strict=False)):
            handle = at_place(name, slot)
            if not self._fits(seat, slot_place(handle), value, commit, secret):
                self._blame(number, seat, f"slot {slot} of {name} does not hold what was committed to")
                return
            self.truth[handle] = value
        if len(listed) != len(body.commits) or Counter(listed) != Counter(cards):
            self._blame(number, seat, f"the shuffle of {name} is not the deck")

    def _declined(self, ledger: Ledger, number: int, seat: str, decision: str) -> None:
        standing = ledger.state.standing[f"{seat} {decision}"]
        assert standing.seal is not None
        place, seal = standing_place(standing.place), standing.seal
        opened = (self._open(seat, place, seal.box, seal.commit, one) for one in self._all(seat))
        text = next((one for one in opened if one is not None), None)
        if text is None:
            mine = ledger.state.seats[seat]
            commitments = {*mine.former, mine.commitment, self._first(seat)}
            if any(one and self._committed(seat, one) is None for one in commitments):
                self._gap(seat, f"its sealed standing order for {decision}")
            else:
                self._blame(number, seat, f"the sealed standing order for {decision} cannot be opened")
            return
        wait = ledger.machine.waits_for(ledger.position)
        assert isinstance(wait, Ask)
        chosen = standing_choice(ledger.machine, ledger.position, wait.options, text.split("\n"))
        if chosen is not None:
            self._blame(number, seat, f"its standing order did cover the question: {chosen.text!r}")

    # --- after it

    def note(self, ledger: Ledger, logged: Logged) -> None:
        """Claims that an entry made, and new keys, for the end."""
        for claim in logged.claims:
            self._claims.append((logged.number, claim, ledger.position))
        if isinstance(logged.entry.body, Rekey):
            told = in_order(self.contract, logged.entry.body.paper)
            if told is not None and all(known != told for _, known in self._papers):
                self._papers.append((logged.number, told))

    def finish(self, ledger: Ledger) -> None:
        """At the end: chains whose secret is lost, shared decks, then every claim against the truth."""
        for seat in self.secrets:
            mine = ledger.state.seats[seat]
            made = (self._first(seat), *mine.former, mine.commitment)
            if any(one and self._committed(seat, one) is None for one in made):
                self._gap(seat, "its chain from before a change of keys")
        for number, told in self._papers:
            mine = ledger.state.seats[told.seat]
            if told.seat in self.secrets and told.commitment in (*mine.former, mine.commitment):
                self._new_keys(number, told)
        self._shared(ledger)
        rules = ledger.machine.rules
        for number, claim, pos in self._claims:
            if claim.seat not in self.secrets:
                continue
            try:
                holds = rules.claims[claim.name](pos, self.truth, **claim.args)
            except KeyError:
                self._gap(claim.seat, f"its claim {claim.name!r} of entry {number}")
                continue
            if not holds:
                self._blame(number, claim.seat, f"the claim {claim.name!r} (rule {claim.rule}) was false")

    def _shared(self, ledger: Ledger) -> None:
        for name in ledger.state.decks:
            deck = deck_duties.load(ledger.state, name)
            first = {s: self._committed(s, self._first(s)) for s in deck.seats}
            secrets = {seat: secret for seat, secret in first.items() if secret is not None}
            if lacking := [seat for seat in deck.seats if seat not in secrets]:
                why = f"for want of a secret of {', '.join(lacking)}"
                for seat in deck.seats:
                    self._gap(seat, f"the shuffles of deck {name} ({why})")
                continue
            from pbem.protocol.deck.remaking import audit

            finding = audit(deck, secrets)
            if finding.culprit is not None:
                place = (name, finding.epoch, finding.culprit)
                number = self._shuffles.get(place, ledger.state.number)
                self._blame(number, finding.culprit, f"deck {name}: {finding.reason}")
                continue
            names = ledger.state.decks[name].names
            for slot, card in finding.cards.items():
                self.truth[card_handle(name, slot.epoch + 1, slot.place)] = names[card]
