"""D05 to D10, S06 to S10 SET-UP of the games for two, and the sequence of turns.

D: the two halves are dealt from shared decks, so that each player sees only his own; a deck is then chosen by
slot, which tells the others nothing (ruling D-1). That it is lawful is a claim, checked in the audit.
"""

from __future__ import annotations

from collections import Counter as CountOf
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random

from games.suikoden.grounds import turn_up
from games.suikoden.moves import Build, Redeal
from games.suikoden.piles import Draw
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import LANDS, PEOPLE
from games.suikoden.turn import HAND, Turn
from pbem.engine.events import Event
from pbem.engine.notation import Handle
from pbem.engine.options import Family, Offers, Options, Refusal, View
from pbem.engine.procedure import (
    Deal,
    Dice,
    Drawn,
    Goto,
    Perform,
    Procedure,
    Shuffling,
    chooses_secretly,
    deals,
    draws,
    rolls,
    rule,
    shuffles,
)

DECK_SIZE = 40
CHEAP = 10
STARS = 10


def highest(pos: SuikodenPosition, dice: tuple[int, ...]) -> str | None:
    """D07, P-12: who rolled highest; None if that is not one."""
    best = max(dice)
    return pos.seats[dice.index(best)] if dice.count(best) == 1 else None


def dice_for_all(procedure: Procedure, pos: SuikodenPosition) -> Dice:
    """A die for every player."""
    return Dice(len(pos.seats), 6)


class Begins(Event):
    says = "{first} begins"
    first: str


class DeckBuilt(Event):
    says = "{seat} has {lands:# land|# lands}"
    seat: str
    lands: int


def begins(pos: SuikodenPosition, dice: tuple[int, ...], step: str) -> Goto | None:
    """The first player is who rolled highest; a tie is rolled again."""
    first = highest(pos, dice)
    if first is None:
        return Goto(step)
    pos.first = pos.active = first
    pos.say(Begins(first))
    return None


@dataclass(slots=True)
class DeckGame(Procedure):
    """D06: a game with decks of one's own."""

    number: int = 0

    @rolls("D07", dice_for_all)
    def who_begins(self, pos: SuikodenPosition, dice: tuple[int, ...]) -> Goto | None:
        """① By the highest die."""
        return begins(pos, dice, "who_begins")

    def all_people(self, pos: SuikodenPosition) -> Shuffling:
        back = tuple(h for s in pos.seats for h in pos.sides[s].half)
        if back:
            return Shuffling(PEOPLE, "", (), back)
        return Shuffling(PEOPLE, "", pos.data.deck())

    @shuffles("D05", all_people)
    def shuffle_people(self, pos: SuikodenPosition) -> None:
        """All people ..."""

    def every_land(self, pos: SuikodenPosition) -> Shuffling:
        back = tuple(h for s in pos.seats for h in pos.sides[s].estate)
        if back:
            return Shuffling(LANDS, "", (), back)
        return Shuffling(LANDS, "", pos.data.all_lands())

    @shuffles("D05", every_land)
    def shuffle_lands(self, pos: SuikodenPosition) -> None:
        """... and all lands."""
        for seat in pos.seats:
            pos.change(seat, half=(), estate=())

    def halves(self, pos: SuikodenPosition) -> tuple[Deal, ...]:
        sizes = ((PEOPLE, len(pos.decks[PEOPLE]) // 2), (LANDS, len(pos.decks[LANDS]) // 2))
        return tuple(Deal(name, seat, size) for name, size in sizes for seat in pos.seats)

    @deals("D05", halves)
    def deal(self, pos: SuikodenPosition, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """Half of them for each player, seen by him alone."""
        for number, seat in enumerate(pos.seats):
            pos.change(seat, half=dealt[number], estate=dealt[number + 2])

    def builders(self, pos: SuikodenPosition) -> list[Options]:
        ask = "forty people and lands of ★10 from your half"
        return [Options(s, (Builds(pos, s), Redeals(pos, s)), "build", ask, hidden=True) for s in pos.seats]

    @chooses_secretly("D05", builders)
    def build(self, pos: SuikodenPosition, moves: Mapping[str, Build | Redeal]) -> Goto | None:
        """Each picks a deck by slot; what is not picked leaves the game unseen."""
        lacking = [seat for seat, move in moves.items() if isinstance(move, Redeal)]
        for seat in lacking:
            pos.claim(seat, "fewer than ten cheap people", half=list(pos.sides[seat].half))
        if lacking:
            return Goto("shuffle_people")
        for seat, move in moves.items():
            assert isinstance(move, Build)
            pos.claim(seat, "a lawful deck", people=list(move.people), lands=list(move.lands))
            for handle in (*pos.sides[seat].half, *pos.sides[seat].estate):
                if handle not in move.people and handle not in move.lands:
                    del pos.hidden[handle]
            pos.change(seat, deck=move.people, stack=move.lands, half=(), estate=())
            pos.say(DeckBuilt(seat, len(move.lands), rule="D05"))
        self.number = 0
        return None

    def land_of(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        seats = pos.clockwise(pos.first)
        return pos.sides[seats[self.number]].stack if self.number < len(seats) else None

    @draws("D09", land_of, opened=True)
    def first_land(self, pos: SuikodenPosition, drawn: Drawn) -> Goto:
        """③ The top land of each is turned up."""
        turn_up(pos, pos.clockwise(pos.first)[self.number], drawn)
        self.number += 1
        return Goto("first_land")

    @rule("D10")
    def hands(self, pos: SuikodenPosition) -> Perform:
        """④ Five cards, first player first."""
        self.number = 1
        return Perform(Draw(pos.first, HAND))

    @rule("D10")
    def second_hand(self, pos: SuikodenPosition) -> Perform:
        """④ And the second player."""
        return Perform(Draw(pos.foe(pos.first), HAND))

    @rule("D11")
    def turns(self, pos: SuikodenPosition) -> Perform:
        """Turn after turn until somebody has won."""
        return next_turn(pos)


def next_turn(pos: SuikodenPosition) -> Perform:
    """The other player's turn, or another one of the same (Q46)."""
    again, pos.again = pos.again, False
    pos.turn += 1
    seat = pos.active if again or pos.turn == 1 else pos.foe(pos.active)
    return Perform(Turn(seat, again), then="turns")


class Builds(Family[Build]):
    """D05: forty people, at least ten of them cheap, and lands of exactly ten stars."""

    kind = Build

    def __init__(self, pos: SuikodenPosition, seat: str) -> None:
        self.pos = pos
        self.people, self.lands = pos.sides[seat].half, pos.sides[seat].estate

    def _size(self) -> int:
        return min(DECK_SIZE, len(self.people))

    def moves(self, view: View) -> Iterable[Build]:
        for seed in range(8):
            move = self.sample(Random(seed), view)
            if move is not None:
                yield move

    def why_not(self, move: Build, view: View) -> Refusal | None:
        for named, dealt in ((move.people, self.people), (move.lands, self.lands)):
            if len(set(named)) != len(named) or any(h not in dealt for h in named):
                return Refusal("D05", "only cards of your half, each once")
        if len(move.people) != self._size():
            return Refusal("D05", f"a deck has {self._size()} people, not {len(move.people)}")
        if not 4 <= len(move.lands) <= 10:
            return Refusal("Q05", "a deck has four to ten lands")
        known = [view.value(h) for h in (*move.people, *move.lands)]
        if None in known:
            return None  # the audit checks what only the owner sees
        return unlawful_deck(
            self.pos, [str(view.value(h)) for h in move.people], [str(view.value(h)) for h in move.lands]
        )

    def _word(self, card: str) -> str:
        return self.pos.data.people[card].name if card in self.pos.data.people else card

    def offers(self, words: tuple[str, ...], view: View) -> Offers[Build] | None:
        """The cards of one's half that are not chosen yet; the order once they make a lawful deck."""
        if any(view.value(h) is None for h in (*self.people, *self.lands)):
            return None
        left = CountOf(words)
        chosen: dict[str, list[Handle]] = {"people": [], "lands": []}
        found: list[tuple[str, str]] = []
        for name, dealt in (("people", self.people), ("lands", self.lands)):
            for handle in dealt:
                word = self._word(str(view.value(handle)))
                if left[word] > 0:
                    left[word] -= 1
                    chosen[name].append(handle)
                elif name == "lands" or len(chosen["people"]) < self._size():
                    found.append((word, name))
        move = Build(tuple(chosen["people"]), tuple(chosen["lands"]))
        complete = (move,) if self.why_not(move, view) is None else ()
        return Offers(tuple(dict.fromkeys(found)), complete)

    def sample(self, rng: Random, view: View) -> Build | None:
        pack = self.pos.data
        if any(view.value(h) is None for h in (*self.people, *self.lands)):
            return None
        people = list(self.people)
        rng.shuffle(people)
        cheap = [h for h in people if pack.people[str(view.value(h))].cheap]
        if len(cheap) < CHEAP:
            return None
        chosen = cheap[:CHEAP] + [h for h in people if h not in cheap[:CHEAP]]
        lands = list(self.lands)
        for _ in range(50):
            rng.shuffle(lands)
            stars, picked = 0, []
            for h in lands:
                worth = pack.lands[str(view.value(h))].stars
                if stars + worth <= STARS:
                    stars += worth
                    picked.append(h)
            if stars == STARS:
                order = {h: n for n, h in enumerate((*self.people, *self.lands))}
                deck = sorted(chosen[: self._size()], key=order.__getitem__)
                return Build(tuple(deck), tuple(sorted(picked, key=order.__getitem__)))
        return None


def unlawful_deck(pos: SuikodenPosition, people: list[str], lands: list[str]) -> Refusal | None:
    """D05: ten cheap people, ten stars."""
    cheap = sum(pos.data.people[card].cheap for card in people)
    if cheap < CHEAP:
        return Refusal("D05", f"{cheap} people cost nothing or one 白: there must be {CHEAP}")
    stars = sum(pos.data.lands[land].stars for land in lands)
    if stars != STARS:
        return Refusal("D05", f"the lands are worth ★{stars}, not ★{STARS}")
    return None


class Redeals(Family[Redeal]):
    """D-2: a half with fewer than ten cheap people is dealt again; a claim."""

    kind = Redeal

    def __init__(self, pos: SuikodenPosition, seat: str) -> None:
        self.pos, self.half = pos, pos.sides[seat].half

    def moves(self, view: View) -> list[Redeal]:
        return [] if self.why_not(Redeal(), view) else [Redeal()]

    def why_not(self, move: Redeal, view: View) -> Refusal | None:
        known = [view.value(h) for h in self.half]
        if None in known or few_cheap(self.pos, [str(card) for card in known]):
            return None
        return Refusal("D05", f"your half has {CHEAP} cheap people or more")


def few_cheap(pos: SuikodenPosition, cards: list[str]) -> bool:
    """Whether a half cannot make a deck."""
    return sum(c in pos.data.people and pos.data.people[c].cheap for c in cards) < CHEAP
