"""M28 EVENTS: what the die brings when a yellow person is used; that die is never rolled again (Q23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.suikoden.contest import Commits, is_person, move_land, trophies_won
from games.suikoden.hands import face
from games.suikoden.moves_table import NoSwap, Rob, Swap
from games.suikoden.piles import Draw, MillCards
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import LandId
from games.suikoden.told import LeaderNamed
from pbem.engine.events import Event
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.position import Unlawful
from pbem.engine.procedure import (
    Dice,
    Finish,
    Goto,
    Passing,
    Perform,
    Procedure,
    chooses,
    chooses_secretly,
    draws,
    opens,
    passes,
    rolls,
    rule,
)

EVENTS = {
    1: "everybody exchanges the leader for a person of the hand",
    2: "two cards of the deck become trophies",
    3: "three cards of the deck",
    4: "a random card of another player's hand",
    5: "a random land of another player",
    6: "the whole hand is discarded",
}


class EventRolled(Event):
    says = "event {die}: {die:" + "|".join(f"{die}={words}" for die, words in EVENTS.items()) + "}"
    die: int
    seat: str


class CardStolen(Event):
    says = "{seat} takes a card of {victim}'s hand"
    seat: str
    victim: str


@dataclass(slots=True)
class Fortune(Procedure):
    """One event."""

    seat: str
    die: int = 0
    victim: str = ""
    item: str = ""
    new: tuple[str, ...] = ()
    """Event 1: `seat slot` for everybody who exchanges the leader."""

    @rolls("M28", Dice(1, 6))
    def roll(self, pos: SuikodenPosition, dice: tuple[int, ...]) -> Goto:
        """The die decides."""
        self.die = dice[0]
        pos.say(EventRolled(self.die, self.seat))
        return Goto({1: "exchange", 2: "two_trophies", 3: "three_cards", 6: "show_hand"}.get(self.die, "rob"))

    # --- 1

    def exchanges(self, pos: SuikodenPosition) -> list[Options]:
        ask = "the person of your hand who becomes your leader"
        seats = [s for s in pos.clockwise(self.seat) if pos.sides[s].hand]
        ordered = [s for s in pos.seats if s in seats]
        return [
            Options(s, (Commits(pos, s, Swap, "M28"), NoSwaps(pos, s)), "exchange", ask, hidden=True)
            for s in ordered
        ]

    @chooses_secretly("M28", exchanges)
    def exchange(self, pos: SuikodenPosition, moves: Mapping[str, Any]) -> None:
        """1: all at once, sealed; who has nobody says so, for the audit."""
        new = []
        for seat, move in moves.items():
            if isinstance(move, NoSwap):
                pos.claim(seat, "nobody in hand", hand=[str(h) for h in pos.sides[seat].hand])
            else:
                new.append(f"{seat} {move.cards[0]}")
        self.new = tuple(new)

    def new_leaders(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        found = tuple(Handle(one.split()[1]) for one in self.new)
        return tuple(h for h in found if h in pos.hidden) or None

    @opens("M28", new_leaders)
    def show_leaders(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """1: they are turned up."""
        named = []
        for one in self.new:
            seat, slot = one.split()
            card = values.get(Handle(slot), slot)
            if not is_person(pos, card):
                raise Unlawful(seat, "M28", f"{pos.call(card)} is no person")
            if slot in values:
                hand = tuple(Handle(card) if h == slot else h for h in pos.sides[seat].hand)
                pos.change(seat, hand=hand)
            named.append(f"{seat} {card}")
        self.new = tuple(named)

    @rule("M28")
    def exchanged(self, pos: SuikodenPosition) -> Finish:
        """1: the old leader goes to the hand; the new one lies as the old one did (ruling M-22)."""
        for one in self.new:
            seat, card = one.split()
            side = pos.sides[seat]
            hand = tuple(Handle(side.leader) if h == card else h for h in side.hand)
            pos.change(seat, hand=hand, leader=card)
            pos.say(LeaderNamed(seat, card))
        return Finish()

    # --- 2, 3

    @rule("M28")
    def two_trophies(self, pos: SuikodenPosition) -> Perform:
        """2: lands count as well (ruling M-20)."""
        return Perform(MillCards(self.seat, 2, self.seat))

    @rule("M28")
    def ten(self, pos: SuikodenPosition) -> Finish:
        """2: ten trophies win at once."""
        trophies_won(pos, self.seat, "M05")
        return Finish()

    @rule("M28")
    def three_cards(self, pos: SuikodenPosition) -> Perform:
        """3: three cards."""
        return Perform(Draw(self.seat, 3), then="done")

    # --- 4, 5

    def victims(self, pos: SuikodenPosition) -> Options | None:
        others = pos.clockwise(self.seat)[1:]
        found = [s for s in others if (pos.sides[s].hand if self.die == 4 else pos.sides[s].lands)]
        if not found:
            return None
        why = "name another player who has such a card"
        what = "a card of the hand" if self.die == 4 else "a land"
        family = Among(Rob, [Rob(s) for s in found], "M28", lambda m: why)
        return Options(self.seat, (family,), "rob", f"who loses {what}")

    @chooses("M28", victims)
    def rob(self, pos: SuikodenPosition, move: Rob) -> None:
        """4, 5: from whom."""
        self.victim = move.seat

    def their_hand(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        return pos.sides[self.victim].hand if self.victim and self.die == 4 else None

    @draws("M28", their_hand)
    def steal(self, pos: SuikodenPosition, item: str) -> None:
        """4: a card at random, seen by nobody else."""
        self.item = item
        pos.leave_hand(self.victim, Handle(item))

    def stolen(self, pos: SuikodenPosition) -> Passing | None:
        hidden = self.item and self.item in pos.hidden
        return Passing((Handle(self.item),), self.victim, self.seat) if hidden else None

    @passes("M28", stolen)
    def hand_over(self, pos: SuikodenPosition) -> None:
        """4: it is handed over."""

    @rule("M28")
    def stolen_card(self, pos: SuikodenPosition) -> Finish | None:
        """4: it is in the other hand."""
        if not self.item:
            return None
        pos.change(self.seat, hand=(*pos.sides[self.seat].hand, Handle(self.item)))
        pos.say(CardStolen(self.seat, self.victim))
        return Finish()

    def their_lands(self, pos: SuikodenPosition) -> tuple[LandId, ...] | None:
        return pos.sides[self.victim].lands if self.victim and self.die == 5 else None

    @draws("M28", their_lands)
    def seize(self, pos: SuikodenPosition, item: LandId) -> None:
        """5: a land at random."""
        move_land(pos, item, self.victim, self.seat)

    @rule("M28")
    def done(self, pos: SuikodenPosition) -> Finish:
        """The event is over."""
        return Finish()

    # --- 6

    def hidden_hand(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        return tuple(h for h in pos.sides[self.seat].hand if h in pos.hidden) or None

    @opens("M28", hidden_hand)
    def show_hand(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """6: the whole hand is shown ..."""
        hand = tuple(Handle(values.get(h, h)) for h in pos.sides[self.seat].hand)
        pos.change(self.seat, hand=hand)

    @rule("M28")
    def drop_hand(self, pos: SuikodenPosition) -> None:
        """6: ... and discarded."""
        pos.discards = (*pos.discards, *pos.sides[self.seat].hand)
        pos.change(self.seat, hand=())


class NoSwaps(Family[NoSwap]):
    """M28, event 1: only who has nobody in the hand."""

    kind = NoSwap

    def __init__(self, pos: SuikodenPosition, seat: str) -> None:
        self.pos, self.hand = pos, pos.sides[seat].hand

    def moves(self, view: View) -> list[NoSwap]:
        return [] if self.why_not(NoSwap(), view) else [NoSwap()]

    def why_not(self, move: NoSwap, view: View) -> Refusal | None:
        known = [face(self.pos, view, h) for h in self.hand]
        if any(c is not None and is_person(self.pos, c) for c in known):
            return Refusal("M28", "you have somebody who could lead")
        return None
