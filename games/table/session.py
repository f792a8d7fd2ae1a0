"""1.0 THE TABLE: the decks are shuffled, hands are dealt, and then whoever has the word gives orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.table import events
from games.table.choices import acts
from games.table.moves import Ask, Call, End, NextPhase, Pass, PassTo
from games.table.position import TablePosition
from games.table.talk import Ending, Reacting, Writing, performing
from pbem.engine.notation import Move, keyword
from pbem.engine.options import Options
from pbem.engine.procedure import Deal, Goto, Perform, Procedure, Shuffling, chooses, deals, rule, shuffles


@dataclass(slots=True)
class Session(Procedure):
    """1.0 THE TABLE."""

    deck: int = 0
    """How many decks are shuffled."""
    reacted: str = ""
    """An order that the others may still react to, in words."""

    def next_deck(self, pos: TablePosition) -> Shuffling | None:
        names = list(pos.piles)
        if self.deck >= len(names):
            return None
        name = names[self.deck]
        return Shuffling(name, pos.box.owner(name), pos.deck_kit(name).cards)

    @shuffles("5.1", next_deck)
    def decks(self, pos: TablePosition) -> Goto:
        """Every deck is shuffled before the game begins."""
        self.deck += 1
        return Goto("decks")

    def first_hands(self, pos: TablePosition) -> tuple[Deal, ...]:
        found = []
        for name in pos.piles:
            deck, owner = pos.deck_kit(name), pos.box.owner(name)
            takers = (owner,) if owner else pos.seats
            found += [Deal(name, seat, deck.hand) for seat in takers if deck.hand]
        return tuple(found)

    @deals("5.2", first_hands)
    def hands(self, pos: TablePosition, dealt: tuple[tuple[Any, ...], ...]) -> None:
        """Then hands are dealt, each seen by its own seat alone."""
        for deal, cards in zip(self.first_hands(pos), dealt, strict=True):
            pos.change(deal.to, hand=(*pos.around[deal.to].hand, *cards))

    @rule("1.5")
    def begin(self, pos: TablePosition) -> Perform | None:
        """The first turn begins, and its first phase if the kit has phases."""
        pos.turn = 1
        return self._new_phase(pos)

    def may(self, pos: TablePosition) -> Options:
        return acts(pos, pos.word)

    @chooses("1.3", may)
    def act(self, pos: TablePosition, move: Move) -> Any:
        """The seat that has the word gives an order."""
        seat = pos.word
        pos.deeds += 1
        match move:
            case Pass():
                return self._pass(pos, pos.seats[(pos.seats.index(seat) + 1) % len(pos.seats)])
            case PassTo(other):
                return self._pass(pos, other)
            case NextPhase():
                return self._next_phase(pos) or Goto("act")
            case Call(text):
                return Perform(Writing(text), then="act")
            case Ask(other, text):
                return Perform(Reacting((other,), text or f"{seat} asks you"), then="act")
            case End(winner, text):
                events.end_proposed(pos, seat, winner)
                asked = tuple(one for one in pos.seats if one not in (seat, winner))
                return Perform(Ending(seat, winner, text, asked), then="act")
        if keyword(type(move)) in pos.box.reactions:
            self.reacted = f"{seat}'s {keyword(type(move))}"
        return performing(pos, seat, move, "others")

    @rule("2.3")
    def others(self, pos: TablePosition) -> Perform | Goto:
        """The kit says after which orders the others are asked for a reaction."""
        if not self.reacted:
            return Goto("act")
        at = pos.seats.index(pos.word)
        to, self.reacted = self.reacted, ""
        return Perform(Reacting(pos.seats[at + 1 :] + pos.seats[:at], to), then="act")

    def _pass(self, pos: TablePosition, seat: str) -> Goto:
        pos.word, pos.deeds = seat, 0
        events.word_passed(pos, seat)
        if not pos.box.phases and seat == pos.seats[0]:
            pos.turn += 1
            events.turn_begins(pos)
        return Goto("act")

    def _next_phase(self, pos: TablePosition) -> Perform | None:
        pos.phase = (pos.phase + 1) % len(pos.box.phases)
        pos.turn += pos.phase == 0
        return self._new_phase(pos)

    def _new_phase(self, pos: TablePosition) -> Perform | None:
        phase = pos.present_phase
        if phase is None:
            return None
        events.phase_begins(pos, phase)
        if phase.word in pos.seats and phase.word != pos.word:
            pos.word, pos.deeds = phase.word, 0
            events.word_passed(pos, phase.word)
        return Perform(Writing(phase.seals), then="act") if phase.seals else None
