"""S06 to S10 SET-UP of the game with one deck for both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from games.suikoden.grounds import to_middle
from games.suikoden.moves import Begin, Redeal
from games.suikoden.position import SuikodenPosition
from games.suikoden.setup import Redeals, begins, dice_for_all, next_turn
from games.suikoden.terms import PEOPLE, LandId, State
from games.suikoden.turn import HAND
from pbem.engine.events import Event, Named
from pbem.engine.notation import Handle
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.position import Unlawful
from pbem.engine.procedure import (
    Deal,
    Goto,
    Perform,
    Procedure,
    Shuffling,
    chooses_secretly,
    deals,
    draws,
    opens,
    rolls,
    rule,
    shuffles,
)

FIRST_DEAL = 10
STARTER_COST = 2


class Starts(Event):
    says = "{card} starts for {seat}"
    card: Named
    seat: str


@dataclass(slots=True)
class SharedGame(Procedure):
    """S06: a game with one deck for both."""

    starters: tuple[Handle, ...] = ()
    lacking: str = ""
    """A seat that shows ten cards among which nobody can start."""

    @rolls("S07", dice_for_all)
    def who_begins(self, pos: SuikodenPosition, dice: tuple[int, ...]) -> Goto | None:
        """① By the highest die."""
        return begins(pos, dice, "who_begins")

    def all_people(self, pos: SuikodenPosition) -> Shuffling:
        return Shuffling(PEOPLE, "", pos.data.deck())

    @shuffles("S08", all_people)
    def shuffle_people(self, pos: SuikodenPosition) -> None:
        """② All people in one deck, all lands in another."""
        pos.pool = pos.data.all_lands()

    def first_cards(self, pos: SuikodenPosition) -> tuple[Deal, ...]:
        seats = [s for s in pos.clockwise(pos.first) if not pos.sides[s].half]
        return tuple(Deal(PEOPLE, seat, FIRST_DEAL) for seat in seats)

    @deals("S09", first_cards)
    def deal(self, pos: SuikodenPosition, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """③ Ten cards each."""
        seats = [s for s in pos.clockwise(pos.first) if not pos.sides[s].half]
        for seat, cards in zip(seats, dealt, strict=True):
            pos.change(seat, half=cards)

    def choices(self, pos: SuikodenPosition) -> list[Options]:
        ask = "who starts on the field, and five cards to keep"
        return [
            Options(s, (Beginnings(pos, s), NoStarter(pos, s)), "begin", ask, hidden=True) for s in pos.seats
        ]

    @chooses_secretly("S09", choices)
    def choose(self, pos: SuikodenPosition, moves: Mapping[str, Begin | Redeal]) -> Goto | None:
        """③ One for the field, five for the hand; four go back unseen (ruling S-10)."""
        lacking = [seat for seat, move in moves.items() if isinstance(move, Redeal)]
        if lacking:
            self.lacking = lacking[0]
            return Goto("show_all")
        starters = []
        for seat, move in moves.items():
            assert isinstance(move, Begin)
            starters.append(move.person)
            rest = tuple(h for h in pos.sides[seat].half if h != move.person and h not in move.cards)
            pos.change(seat, hand=move.cards, half=rest)
        self.starters = tuple(starters)
        return Goto("mix")

    def ten(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        return pos.sides[self.lacking].half if self.lacking else None

    @opens("S09", ten)
    def show_all(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """S-9: nobody of cost two or less: all ten are shown."""
        if any(len(pos.person(card).cost) <= STARTER_COST for card in values.values()):
            raise Unlawful(self.lacking, "S09", "one of the ten could have started")
        pos.discards = tuple(values.values())

    def back_again(self, pos: SuikodenPosition) -> Shuffling:
        return Shuffling(PEOPLE, "", pos.discards, pos.decks[PEOPLE].rest)

    @shuffles("S09", back_again)
    def dealt_again(self, pos: SuikodenPosition) -> Goto:
        """They are shuffled back, and ten others are dealt."""
        pos.discards = ()
        pos.change(self.lacking, half=())
        self.lacking = ""
        return Goto("deal")

    def rest(self, pos: SuikodenPosition) -> Shuffling:
        back = tuple(h for s in pos.seats for h in pos.sides[s].half)
        return Shuffling(PEOPLE, "", (), (*pos.decks[PEOPLE].rest, *back))

    @shuffles("S09", rest)
    def mix(self, pos: SuikodenPosition) -> None:
        """③ The four cards of each are shuffled into the deck."""
        for seat in pos.seats:
            pos.change(seat, half=())

    def chosen(self, pos: SuikodenPosition) -> tuple[Handle, ...]:
        return self.starters

    @opens("S10", chosen)
    def show(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """④ Both turn up who starts, together."""
        for seat, handle in zip(pos.seats, self.starters, strict=True):
            card = values[handle]
            if len(pos.person(card).cost) > STARTER_COST:
                raise Unlawful(seat, "S09", f"{pos.call(card)} costs more than two")
            pos.put(card, seat, State.READY)
            pos.say(Starts(card, seat))

    def unseen(self, pos: SuikodenPosition) -> tuple[LandId, ...]:
        return pos.pool

    @draws("S10", unseen)
    def first_land(self, pos: SuikodenPosition, item: LandId) -> None:
        """④ The first land."""
        to_middle(pos, item)

    @rule("S11")
    def turns(self, pos: SuikodenPosition) -> Perform:
        """Turn after turn until somebody has won."""
        return next_turn(pos)


class Beginnings(Family[Begin]):
    """S09: somebody of cost two or less, and five others."""

    kind = Begin

    def __init__(self, pos: SuikodenPosition, seat: str) -> None:
        self.pos, self.half = pos, pos.sides[seat].half

    def _starts(self, card: str | None) -> bool:
        return card is None or len(self.pos.person(card).cost) <= STARTER_COST

    def moves(self, view: View) -> Iterable[Begin]:
        for handle in self.half:
            if view.value(handle) is not None and self._starts(view.value(handle)):
                rest = [h for h in self.half if h != handle]
                for kept in combinations(rest, HAND):
                    yield Begin(handle, kept)

    def why_not(self, move: Begin, view: View) -> Refusal | None:
        named = (move.person, *move.cards)
        if any(h not in self.half for h in named) or len(set(named)) != len(named):
            return Refusal("S09", "only cards that were dealt to you, each once")
        if len(move.cards) != HAND:
            return Refusal("S09", f"{HAND} cards are kept")
        if not self._starts(view.value(move.person)):
            return Refusal("S09", "who starts must cost two or less")
        return None

    def sample(self, rng: Random, view: View) -> Begin | None:
        able = [h for h in self.half if view.value(h) is not None and self._starts(view.value(h))]
        if not able:
            return None
        one = rng.choice(able)
        return Begin(one, tuple(rng.sample([h for h in self.half if h != one], HAND)))


class NoStarter(Redeals):
    """S-9: nobody of cost two or less among the ten."""

    def why_not(self, move: Redeal, view: View) -> Refusal | None:
        known: list[Any] = [view.value(h) for h in self.half]
        if None in known or all(len(self.pos.person(c).cost) > STARTER_COST for c in known):
            return None
        return Refusal("S09", "somebody among your ten can start")
