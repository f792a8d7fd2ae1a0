"""The audit: when a seat's secret is out, everything it kept hidden is looked at again.

`Auditor` watches a game being replayed, entry by entry. With a seat's secret it checks its chain, every
sealed choice against the options of its moment, every list of its own deck, every sealed standing order
that was said not to cover a question, and every claim. The first thing that is not as it must be names
its author. Shared decks are checked by re-deriving every shuffle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbem.engine.notation import Handle, Move
from pbem.engine.options import Options, View
from pbem.engine.position import Claim, Position
from pbem.engine.waits import Ask, AskSealed
from pbem.errors import PbemError, RulesError
from pbem.protocol import decks, sealed
from pbem.protocol.bodies import Answers, SealedChoice
from pbem.protocol.chance import Chain
from pbem.protocol.contract import Contract, secret_commitment
from pbem.protocol.ledger import Ledger, Logged
from pbem.protocol.running import standing_choice, unpack_box
from pbem.protocol.state import slot_place, standing_place


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
    truth: dict[Handle, str] = field(default_factory=dict)
    """Everything hidden that is known by now, by slot."""
    problems: list[Problem] = field(default_factory=list)
    _claims: list[tuple[int, Claim, Position]] = field(default_factory=list)

    def begin(self) -> None:
        """Before the first entry: the secrets are those committed to, and make the chains."""
        for seat, secret in self.secrets.items():
            signed = self.contract.seats[seat]
            listed = self.contract.listed
            if secret_commitment(listed, seat, secret) != signed.commitment:
                self._blame(0, seat, "the published secret is not the one committed to")
            elif Chain(secret, listed, seat, self.contract.invite.chain).tip != signed.tip:
                self._blame(0, seat, "the chain's tip in the contract does not come from the secret")

    def _blame(self, entry: int, seat: str, cause: str) -> None:
        self.problems.append(Problem(entry, seat, cause))

    # --- before an entry is taken in

    def look(self, ledger: Ledger, number: int, seat: str, body: object) -> None:
        """An entry that is about to count, with the ledger as it was."""
        if seat not in self.secrets:
            return
        wait = ledger.machine.waits_for(ledger.position)
        if isinstance(body, SealedChoice) and isinstance(wait, AskSealed):
            options = next((o for o in wait.options if o.seat == seat), None)
            if options is not None:
                self._sealed(ledger, number, options, wait.fills, body)
        elif isinstance(body, Answers):
            owed = ledger.due().get(seat)
            if owed is not None and owed.shuffle is not None:
                name = f"{owed.shuffle.deck}-{owed.shuffle.epoch}"
                returned = [self.truth.get(h, "?") for h in owed.shuffle.returned]
                self._own_deck(number, seat, name, [*owed.shuffle.cards, *returned], body)
            if owed is not None and owed.standing and not body.standing:
                self._declined(ledger, number, seat, owed.standing)

    def _open(self, seat: str, place: str, box: Sequence[str], commit: str) -> str | None:
        """What a seal holds, if the box opens and fits the commitment."""
        secret, game = self.secrets[seat], self.contract.game
        try:
            text = sealed.open_own_box(secret, game, seat, place, unpack_box(box)).decode()
        except (PbemError, ValueError):
            return None
        nonce = sealed.nonce(secret, game, place)
        made = sealed.commitment(game, seat, place, text.encode(), nonce)
        return text if made.hex() == commit else None

    def _sealed(self, ledger: Ledger, number: int, options: Options, fills: bool, body: SealedChoice) -> None:
        seat = options.seat
        serial = ledger.position.serial + 1
        values = []
        for slot, seal in enumerate(body.seals):
            handle = Handle(f"s{serial}.{seat}.{slot}")
            value = self._open(seat, slot_place(handle), seal.box, seal.commit)
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

    def _own_deck(self, number: int, seat: str, name: str, cards: list[str], body: Answers) -> None:
        secret, game = self.secrets[seat], self.contract.game
        try:
            box = unpack_box(body.box)
            listed = sealed.open_own_box(secret, game, seat, f"deck {name}", box).decode().split("\n")
        except (PbemError, ValueError):
            self._blame(number, seat, f"the shuffle of {name} cannot be read with the secret")
            return
        for slot, (value, commit) in enumerate(zip(listed, body.commits, strict=False)):
            place = slot_place(Handle(f"{name}.{slot}"))
            nonce = sealed.nonce(secret, game, place)
            if sealed.commitment(game, seat, place, value.encode(), nonce).hex() != commit:
                self._blame(number, seat, f"slot {slot} of {name} does not hold what was committed to")
                return
            self.truth[Handle(f"{name}.{slot}")] = value
        if len(listed) != len(body.commits) or Counter(listed) != Counter(cards):
            self._blame(number, seat, f"the shuffle of {name} is not the deck")

    def _declined(self, ledger: Ledger, number: int, seat: str, decision: str) -> None:
        standing = ledger.state.standing[f"{seat} {decision}"]
        assert standing.seal is not None
        text = self._open(seat, standing_place(standing.seq), standing.seal.box, standing.seal.commit)
        if text is None:
            self._blame(number, seat, f"the sealed standing order for {decision} cannot be opened")
            return
        wait = ledger.machine.waits_for(ledger.position)
        assert isinstance(wait, Ask)
        chosen = standing_choice(ledger.machine, ledger.position, wait.options, text.split("\n"))
        if chosen is not None:
            self._blame(number, seat, f"its standing order did cover the question: {chosen.text!r}")

    # --- after it

    def note(self, ledger: Ledger, logged: Logged) -> None:
        """Claims that an entry made, for the end."""
        for claim in logged.claims:
            self._claims.append((logged.number, claim, ledger.position))

    def finish(self, ledger: Ledger) -> None:
        """At the end: shared decks, then every claim against the truth."""
        self._shared(ledger)
        rules = ledger.machine.rules
        for number, claim, pos in self._claims:
            if claim.seat not in self.secrets:
                continue
            try:
                holds = rules.claims[claim.name](pos, self.truth, **claim.args)
            except KeyError:
                continue  # it concerns a card of a seat that has not published its secret
            if not holds:
                self._blame(number, claim.seat, f"the claim {claim.name!r} (rule {claim.rule}) was false")

    def _shared(self, ledger: Ledger) -> None:
        for name in ledger.state.decks:
            deck = decks.load(ledger.state, name)
            if any(seat not in self.secrets for seat in deck.seats):
                continue
            from pbem.protocol.deck_audit import audit

            finding = audit(deck, {seat: self.secrets[seat] for seat in deck.seats})
            if finding.culprit is not None:
                self._blame(ledger.state.number, finding.culprit, f"deck {name}: {finding.reason}")
                continue
            names = ledger.state.decks[name].names
            for slot, card in finding.cards.items():
                self.truth[Handle(f"{name}-{slot.epoch + 1}.{slot.place}")] = names[card]
