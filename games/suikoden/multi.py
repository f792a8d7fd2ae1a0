"""M06 to M21, M30 MULTIPLAYER: set-up, the turn, and what may be done in it.

People stay in the hand: there is no field but leaders and lands (ruling M-5). The battle is in duel.py, the
events are in fortune.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from games.suikoden.contest import is_person
from games.suikoden.duel import DuelFought
from games.suikoden.fortune import Fortune
from games.suikoden.hands import both, face, taken, unknown
from games.suikoden.moves import Discard, DiscardOpen, Done, Extra
from games.suikoden.moves_table import Challenge, Event, EventLeader, EventOpen, Lead, Place, PlaceOpen
from games.suikoden.piles import Draw
from games.suikoden.position import SuikodenPosition
from games.suikoden.setup import begins, dice_for_all
from games.suikoden.terms import STOCK, Attribute, CardId, LandId
from games.suikoden.told import BeginsWith, LandPlaced, LeaderNamed, LeaderReady, StarsWon, TurnBegan
from games.suikoden.turn import HAND
from games.suikoden.victory import STARS, stars
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.procedure import (
    Deal,
    Goto,
    Perform,
    Procedure,
    Shuffling,
    chooses,
    deals,
    draws,
    rolls,
    rule,
    shuffles,
)

HANDS = {1: 5, 2: 5, 3: 4, 4: 4, 5: 3, 6: 3, 7: 2, 8: 2}
"""M12: the leader's highest value, and the cards of the first hand."""


def first_hand(pos: SuikodenPosition, leader: CardId) -> int:
    """M12: weak leaders begin with more cards; 0 counts as 1 (ruling M-4)."""
    return HANDS[min(8, max(1, pos.person(leader).best))]


@dataclass(slots=True)
class MultiGame(Procedure):
    """M06: two to six players."""

    number: int = 0

    @rolls("M07", dice_for_all)
    def who_begins(self, pos: SuikodenPosition, dice: tuple[int, ...]) -> Goto | None:
        """① The 親, by the highest die."""
        return begins(pos, dice, "who_begins")

    def of_rank(self, pos: SuikodenPosition) -> tuple[LandId, ...] | None:
        if self.number >= len(pos.seats):
            return None
        rank = (3, 2)[self.number] if self.number < 2 else 1
        left = list(pos.data.all_lands())
        for land in pos.pool:
            left.remove(land)
        return tuple(land for land in left if pos.data.lands[land].stars == rank)

    @draws("M08", of_rank)
    def choose_lands(self, pos: SuikodenPosition, item: LandId) -> Goto:
        """② One ★★★, one ★★, and ★ for everybody else."""
        pos.pool = (*pos.pool, item)
        self.number += 1
        return Goto("choose_lands")

    @rule("M08")
    def shuffled(self, pos: SuikodenPosition) -> None:
        """② They are shuffled."""
        self.number = 0

    def to_deal(self, pos: SuikodenPosition) -> tuple[LandId, ...] | None:
        return pos.pool or None

    @draws("M08", to_deal)
    def deal_lands(self, pos: SuikodenPosition, item: LandId) -> Goto:
        """② One each, from the 親 on, face up."""
        seat = pos.clockwise(pos.first)[self.number]
        left = list(pos.pool)
        left.remove(item)
        pos.pool = tuple(left)
        pos.change(seat, lands=(item,))
        pos.say(BeginsWith(seat, item))
        self.number += 1
        return Goto("deal_lands")

    @rule("M09")
    def leaders_next(self, pos: SuikodenPosition) -> None:
        """③ From the 親 on."""
        self.number = 0

    def free_people(self, pos: SuikodenPosition) -> tuple[CardId, ...] | None:
        if self.number >= len(pos.seats):
            return None
        taken_ones = {side.leader for side in pos.sides.values()}
        return tuple(card for card in pos.data.people if card not in taken_ones)

    @draws("M09", free_people)
    def leaders(self, pos: SuikodenPosition, item: CardId) -> Goto:
        """③ Each is dealt a person, who is the leader."""
        seat = pos.clockwise(pos.first)[self.number]
        pos.change(seat, leader=item)
        pos.say(LeaderNamed(seat, item))
        self.number += 1
        return Goto("leaders")

    def whole_deck(self, pos: SuikodenPosition) -> Shuffling:
        leaders = {side.leader for side in pos.sides.values()}
        people = tuple(card for card in pos.data.people if card not in leaders)
        lands = list(pos.data.all_lands())
        for side in pos.sides.values():
            lands.remove(side.lands[0])
        return Shuffling(STOCK, "", (*people, *lands))

    @shuffles("M10", whole_deck)
    def shuffle(self, pos: SuikodenPosition) -> None:
        """④ People and lands in one deck."""

    def first_hands(self, pos: SuikodenPosition) -> tuple[Deal, ...]:
        seats = pos.clockwise(pos.first)
        return tuple(Deal(STOCK, seat, first_hand(pos, pos.sides[seat].leader)) for seat in seats)

    @deals("M11", first_hands)
    def hands(self, pos: SuikodenPosition, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """⑤ As many cards as the leader's highest value says (M12)."""
        for seat, cards in zip(pos.clockwise(pos.first), dealt, strict=True):
            pos.change(seat, hand=cards)

    @rule("M13")
    def turns(self, pos: SuikodenPosition) -> Perform:
        """Clockwise from the 親."""
        pos.turn += 1
        pos.active = pos.first if pos.turn == 1 else pos.clockwise(pos.active)[1]
        return Perform(MultiTurn(pos.active), then="turns")


@dataclass(slots=True)
class MultiTurn(Procedure):
    """M13: one player's turn."""

    seat: str

    @rule("M14")
    def victory(self, pos: SuikodenPosition) -> None:
        """勝利宣言フェイズ: ★10 at the beginning of one's own turn (Q20)."""
        pos.say(TurnBegan(self.seat, pos.turn))
        held = stars(pos, self.seat)
        if held >= STARS:
            pos.end((self.seat,), StarsWon(self.seat, held, rule="M14"), level="occupation")

    @rule("M15")
    def leader_back(self, pos: SuikodenPosition) -> None:
        """頭領復帰フェイズ."""
        if pos.sides[self.seat].spent:
            pos.change(self.seat, spent=False)
            pos.say(LeaderReady(self.seat, pos.sides[self.seat].leader))

    @rule("M17")
    def draw(self, pos: SuikodenPosition) -> Perform:
        """手札補充フェイズ: one card."""
        return Perform(Draw(self.seat, 1))

    def lands_in_hand(self, pos: SuikodenPosition) -> Options | None:
        hand = pos.sides[self.seat].hand
        if not hand:
            return None

        def check(card: str) -> Refusal | None:
            return None if card in pos.data.lands else Refusal("M18", f"{pos.call(card)} is no land")

        families = (Among(Done, [Done()], "M18"), *both((Place, PlaceOpen), pos, hand, "M18", check))
        return Options(self.seat, families, "place", "a land from your hand, or none", hidden=True)

    @chooses("M18", lands_in_hand)
    def place(self, pos: SuikodenPosition, move: Any) -> None:
        """土地配置フェイズ: one land of the hand (Q21)."""
        if isinstance(move, Done):
            return
        land = taken(pos, self.seat, move.card)
        pos.change(self.seat, lands=(*pos.sides[self.seat].lands, land))
        pos.say(LandPlaced(self.seat, land))

    def deeds(self, pos: SuikodenPosition) -> Options:
        side = pos.sides[self.seat]
        targets = [s for s in pos.clockwise(self.seat)[1:] if pos.sides[s].lands]
        families: list[Family[Any]] = [Among(Done, [Done()], "M19")]
        if pos.deck_size(self.seat) or pos.discards:
            families.append(Among(Extra, [Extra()], "M21"))
        families += both((Event, EventOpen), pos, side.hand, "M20", lambda card: not_yellow(pos, card))
        yellow = pos.person(side.leader).attribute is Attribute.YELLOW
        able = [EventLeader()] if yellow and not side.spent else []
        why = "the leader must be yellow and ready"
        families.append(Among(EventLeader, able, "M20", lambda m: why))
        families.append(Challenges(pos, self.seat, targets))
        leads = [] if side.spent else [Lead(s) for s in targets]
        families.append(Among(Lead, leads, "M22", lambda m: self._why_not_lead(pos, m, targets)))
        return Options(
            self.seat,
            tuple(families),
            "main",
            "an event, a battle, a card, or nothing",
            hidden=unknown(pos, side.hand),
        )

    def _why_not_lead(self, pos: SuikodenPosition, move: Lead, targets: list[str]) -> Refusal:
        if pos.sides[self.seat].spent:
            return Refusal("M16", "your leader has acted")
        return _no_target(pos, self.seat, move.seat)

    @chooses("M19", deeds)
    def main(self, pos: SuikodenPosition, move: Any) -> Perform | None:
        """メインフェイズ: one of three things, or nothing."""
        match move:
            case Extra():
                return Perform(Draw(self.seat, 1))
            case Event(card) | EventOpen(card):
                who = taken(pos, self.seat, card)
                pos.discards = (*pos.discards, who)
                return Perform(Fortune(self.seat))
            case EventLeader():
                pos.change(self.seat, spent=True)
                return Perform(Fortune(self.seat))
            case Challenge(seat):
                return Perform(DuelFought(self.seat, seat))
            case Lead(seat):
                return Perform(DuelFought(self.seat, seat, leads=True))
        return None

    def surplus(self, pos: SuikodenPosition) -> Options | None:
        hand = pos.sides[self.seat].hand
        if len(hand) <= HAND:
            return None
        ask = f"{len(hand) - HAND} of your {len(hand)} cards must go"
        return Options(self.seat, both((Discard, DiscardOpen), pos, hand, "M30"), "adjust", ask, hidden=True)

    @chooses("M30", surplus)
    def adjust(self, pos: SuikodenPosition, move: Discard | DiscardOpen) -> Goto:
        """手札調整フェイズ: five cards are kept."""
        pos.discards = (*pos.discards, taken(pos, self.seat, move.card))
        return Goto("adjust")


def not_yellow(pos: SuikodenPosition, card: str) -> Refusal | None:
    """M20: only a yellow person makes an event."""
    if card in pos.data.people and pos.person(card).attribute is Attribute.YELLOW:
        return None
    return Refusal("M20", f"{pos.call(card)} is no yellow person")


def _no_target(pos: SuikodenPosition, seat: str, target: str) -> Refusal:
    if target == seat or target not in pos.seats:
        return Refusal("M22", f"{target} is no other player")
    return Refusal("M22", f"{target} has no land and cannot be attacked")


class Challenges(Family[Challenge]):
    """M22, M23: players with a land, for who has a person in the hand."""

    kind = Challenge

    def __init__(self, pos: SuikodenPosition, seat: str, targets: list[str]) -> None:
        self.pos, self.seat, self.targets = pos, seat, targets

    def moves(self, view: View) -> Iterable[Challenge]:
        known = [face(self.pos, view, h) for h in self.pos.sides[self.seat].hand]
        if any(card is not None and is_person(self.pos, card) for card in known):
            yield from (Challenge(seat) for seat in self.targets)

    def why_not(self, move: Challenge, view: View) -> Refusal | None:
        if move.seat not in self.targets:
            return _no_target(self.pos, self.seat, move.seat)
        known = [face(self.pos, view, h) for h in self.pos.sides[self.seat].hand]
        if all(card is not None and not is_person(self.pos, card) for card in known):
            return Refusal("M23", "you have nobody in your hand")
        return None
