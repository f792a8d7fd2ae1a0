"""D11 to D15, D49, S11 to S14: a turn of the games for two, phase by phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.suikoden.ability import Until, When
from games.suikoden.battle import BattlePhase
from games.suikoden.domestic import Domestic
from games.suikoden.effects import Triggers, due
from games.suikoden.hands import both, taken
from games.suikoden.moves import (
    Discard,
    DiscardOpen,
    Done,
    Extra,
    Release,
    Return,
    TakeRouted,
)
from games.suikoden.piles import Draw
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import CardId, Keyword, Mode, State
from games.suikoden.told import CardCameBack, TurnBegan
from games.suikoden.values import has, watch
from pbem.engine.events import Event
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Options
from pbem.engine.procedure import Goto, Perform, Procedure, chooses, rule

HAND = 5


class CannotDraw(Event):
    says = "{seat} cannot draw a card"
    seat: str


@dataclass(slots=True)
class Turn(Procedure):
    """D11: six phases of one player."""

    seat: str
    again: bool = False
    """Q46: an extra turn begins with the return phase."""
    back: CardId = ""
    """Who came back in this turn."""

    @rule("D12")
    def start(self, pos: SuikodenPosition) -> Goto | Perform:
        """開始フェイズ: whoever has acted is ready again; then what works at the start (Q31)."""
        pos.active = self.seat
        pos.say(TurnBegan(self.seat, pos.turn))
        if self.again:
            return Goto("returning")
        pos.expire(Until.NEXT, by=self.seat)
        for card in pos.on_field(self.seat, State.ACTED):
            pos.set_state(card, State.READY)
        watch(pos)
        people = tuple(pos.on_field(self.seat))
        return Perform(Triggers(due(pos, people, When.START)))

    def wanderers(self, pos: SuikodenPosition) -> Options | None:
        found = pos.sides[self.seat].wander
        if not found:
            return None
        families = (
            Among(
                Return, [Return(c) for c in found], "D13", lambda m: f"{pos.call(m.person)} does not wander"
            ),
            Among(Done, [Done()], "D13"),
        )
        return Options(self.seat, families, "return", "who comes back from wandering")

    @chooses("D13", wanderers)
    def returning(self, pos: SuikodenPosition, move: Return | Done) -> Goto | None:
        """帰還フェイズ: one wanderer may come back, ready."""
        if isinstance(move, Done):
            return Goto("income")
        pos.leave_wander(self.seat, move.person)
        pos.put(move.person, self.seat, State.READY)
        pos.say(CardCameBack(move.person))
        watch(pos)
        self.back = move.person
        return None

    def supplies(self, pos: SuikodenPosition) -> Options | None:
        if not self.back or not has(pos, self.back, Keyword.SUPPLY) or not pos.deck_size(self.seat):
            return None
        families = (Among(Extra, [Extra()], "D02"), Among(Done, [Done()], "D02"))
        return Options(self.seat, families, "supply", "draw a card for 調達, or not")

    @chooses("D02", supplies)
    def supply(self, pos: SuikodenPosition, move: Extra | Done) -> Perform | None:
        """調達: who comes back in this phase may bring a card."""
        return Perform(Draw(self.seat, 1)) if isinstance(move, Extra) else None

    @rule("D15")
    def income(self, pos: SuikodenPosition) -> Perform | None:
        """収入フェイズ: a card must be drawn; in D who cannot has lost (D04, Q10)."""
        if pos.mode is Mode.DECK and not pos.deck_size(self.seat):
            foe = pos.foe(self.seat)
            pos.end((foe,), CannotDraw(self.seat, rule="D04"), level="annihilation")
            return None
        return Perform(Draw(self.seat, 1))

    def more(self, pos: SuikodenPosition) -> Options | None:
        side = pos.sides[self.seat]
        done = Among(Done, [Done()], "D15")
        if pos.mode is Mode.SHARED:
            if not side.routed:
                return None
            ask = f"take {pos.call(side.routed[-1])} from your routed pile, or not"
            return Options(self.seat, (Among(TakeRouted, [TakeRouted()], "S14"), done), "income", ask)
        if not side.wander or not pos.deck_size(self.seat):
            return None
        why = "only a wanderer of yours can be given up for a card"
        family = Among(Release, [Release(c) for c in side.wander], "D15", lambda m: why)
        return Options(self.seat, (family, done), "income", "discard a wanderer for one more card, or not")

    @chooses("D15", more)
    def extra_income(self, pos: SuikodenPosition, move: Any) -> Perform | None:
        """Once a turn: a wanderer for a card (D), or the top card of the routed pile (S14)."""
        side = pos.sides[self.seat]
        if isinstance(move, Release):
            pos.leave_wander(self.seat, move.person)
            pos.to_discard(self.seat, move.person)
            return Perform(Draw(self.seat, 1))
        if isinstance(move, TakeRouted):
            hand = (*side.hand, Handle(side.routed[-1]))
            pos.change(self.seat, hand=hand, routed=side.routed[:-1])
        return None

    @rule("D16")
    def domestic(self, pos: SuikodenPosition) -> Perform:
        """内政フェイズ."""
        return Perform(Domestic(self.seat))

    @rule("D25")
    def battle(self, pos: SuikodenPosition) -> Perform:
        """戦闘フェイズ."""
        return Perform(BattlePhase(self.seat))

    @rule("D24")
    def at_the_end(self, pos: SuikodenPosition) -> Perform:
        """What works at the end of a turn."""
        return Perform(Triggers(due(pos, tuple(pos.on_field(self.seat)), When.END)))

    def surplus(self, pos: SuikodenPosition) -> Options | None:
        hand = pos.sides[self.seat].hand
        if len(hand) <= HAND:
            return None
        ask = f"{len(hand) - HAND} of your {len(hand)} cards must go"
        return Options(self.seat, both((Discard, DiscardOpen), pos, hand, "D49"), "adjust", ask, hidden=True)

    @chooses("D49", surplus)
    def adjust(self, pos: SuikodenPosition, move: Discard | DiscardOpen) -> Goto:
        """終了フェイズ: five cards are kept."""
        pos.to_discard(self.seat, taken(pos, self.seat, move.card))
        return Goto("adjust")

    @rule("D18")
    def over(self, pos: SuikodenPosition) -> None:
        """Effects of the turn end; newcomers are ready from now on (D-14)."""
        pos.expire(Until.CLASH, Until.BATTLE, Until.TURN)
        pos.used = ()
        for seat in pos.seats:
            for card in pos.on_field(seat, State.PREPARING):
                pos.set_state(card, State.READY)
        watch(pos)
