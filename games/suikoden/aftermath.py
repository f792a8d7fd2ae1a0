"""6-1, 6-4, ⑦ to ⑨: the comparison and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.suikoden import victory
from games.suikoden.ability import When
from games.suikoden.effects import Arrive, Triggers, due
from games.suikoden.grounds import LandLost
from games.suikoden.moves_battle import Fall, Plunder, Retreat
from games.suikoden.piles import MillCards
from games.suikoden.position import GROVE, SuikodenPosition
from games.suikoden.terms import CardId, Keyword, Mode
from games.suikoden.told import Discarded, TrophyTaken
from games.suikoden.values import (
    abilities,
    account,
    banned,
    battle_land,
    compared,
    has,
    strength,
    uses_wit,
)
from pbem.engine.events import Event, Fact, Named
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Options
from pbem.engine.procedure import Finish, Goto, Perform, Procedure, chooses, draws, opens, rule


def retreat_cost(pos: SuikodenPosition, loser: CardId, winner: CardId, margin: int) -> int:
    """D44: the difference; twice for who was the target of 妖術; then cards and lands; at least 1 (B-4)."""
    clash = pos.clash
    assert clash is not None
    cost = margin
    if method_of(pos, winner) is Keyword.SORCERY:
        cost *= 2
    for card, side in ((loser, "self"), (winner, "opp")):
        for ability in abilities(pos, card):
            for deed in ability.do if ability.when is When.RETREATS else ():
                if deed.selector is None or deed.selector.side != side:
                    continue
                if deed.word == "times":
                    cost *= deed.number
                elif deed.word == "more":
                    cost += deed.number
    land = battle_land(pos)
    if land is not None and clash.siege and loser == clash.defence:
        cost -= land.refuge
    return max(1, cost)


def method_of(pos: SuikodenPosition, card: CardId) -> Keyword | None:
    """The stratagem of a fighter that has effect: not void, and no 妖術 against 妖術."""
    clash = pos.clash
    assert clash is not None
    declared = clash.method if card == clash.attack else clash.answer
    if declared is None or not uses_wit(pos, card):
        return None
    other = clash.defence if card == clash.attack else clash.attack
    against = clash.answer if card == clash.attack else clash.method
    both = declared is against is Keyword.SORCERY and uses_wit(pos, other)
    return None if both else declared


def refuge_of(pos: SuikodenPosition, loser: CardId, winner: CardId) -> str:
    """Where a retreat leads: wander, hand (水計), or what a card says (Q30, Q43)."""
    for mark in pos.marks:
        if mark.kind == "retreat" and mark.card == loser:
            return mark.word
    for ability in abilities(pos, loser):
        for deed in ability.do if ability.when is When.RETREATS else ():
            if deed.selector is not None and deed.selector.side == "self" and deed.word in ("field", "hand"):
                return deed.word
    return "hand" if method_of(pos, winner) is Keyword.WATER else "wander"


class FighterGone(Event):
    says = "one of the two is gone: nobody wins"


class Compared(Event):
    says = (
        "{attacker} {one} vs {defender} {two}: {attack} {result:1=>|0==|<} {defence}, "
        "{result:1=the attacker wins|0=a draw|the defender wins}"
    )
    attacker: Named
    one: Fact
    defender: Named
    two: Fact
    attack: int
    defence: int
    result: int
    """1, 0 or -1."""


class BothGoHome(Event):
    says = "both go home, acted"


class ClashWon(Event):
    says = "{winner} wins"
    winner: Named
    loser: Named
    margin: int


class RetreatPaid(Event):
    says = "{card} retreats for {cost}"
    card: Named
    cost: int


class WentTo(Event):
    says = "{card} goes to: {to}"
    card: Named
    to: str


class CavalryStruck(Event):
    says = "騎馬: {seat} loses a card of the deck"
    seat: str
    cards: int


class Robbed(Event):
    says = "強奪: {seat} loses {card} from the hand"
    seat: str
    card: Named


class SorcererWandered(Event):
    says = "{card} wanders after 妖術"
    card: Named


@dataclass(slots=True)
class Aftermath(Procedure):
    """From the comparison to the spoils."""

    seat: str
    """The attacker."""
    winner: CardId = ""
    loser: CardId = ""
    margin: int = 0
    rides: bool = False
    """騎馬 takes its card: the winner had it and the loser no 陽動, when the clash was won."""
    robs: bool = False
    """The winner had 強奪 then."""
    retreated: bool = False
    took: str = ""

    def _owner(self, pos: SuikodenPosition, card: CardId) -> str:
        clash = pos.clash
        assert clash is not None
        return self.seat if card == clash.attack else pos.foe(self.seat)

    @rule("D34")
    def compare(self, pos: SuikodenPosition) -> Goto | None:
        """The higher value wins, equal ones are a draw."""
        clash = pos.clash
        assert clash is not None
        attack, defence = clash.attack, clash.defence
        if attack not in pos.field or defence not in pos.field:
            for card in (attack, defence):
                pos.act(card)
            pos.say(FighterGone())
            return Goto("close")
        mine, theirs = strength(pos, attack), strength(pos, defence)
        one, two = (account(pos, card, compared(pos, card)) for card in (attack, defence))
        told = Compared(attack, one, defence, two, mine, theirs, (mine > theirs) - (mine < theirs))
        pos.say(told.under(self._line(pos)))
        self.margin = abs(mine - theirs)
        if mine > theirs:
            self.winner, self.loser = attack, defence
        elif theirs > mine:
            self.winner, self.loser = defence, attack
        return None

    def _line(self, pos: SuikodenPosition) -> str:
        """Which line of the list in 6-1 it is."""
        clash = pos.clash
        assert clash is not None
        by_wit, answered = uses_wit(pos, clash.attack), uses_wit(pos, clash.defence)
        if clash.siege and not answered:
            return "D38" if by_wit else "D36"
        if answered:
            return "D40" if by_wit else "D39"
        return "D37" if by_wit else "D35"

    @rule("D43")
    def place(self, pos: SuikodenPosition) -> Perform | Goto:
        """6-4: winners act, but for who wins a siege inside; in a draw both act."""
        clash = pos.clash
        assert clash is not None
        if not self.winner:
            pos.act(clash.attack)
            pos.act(clash.defence)
            pos.say(BothGoHome())
            return Goto("sorcery")
        decoy = has(pos, self.loser, Keyword.DECOY)
        self.rides = has(pos, self.winner, Keyword.CAVALRY) and not decoy
        self.robs = has(pos, self.winner, Keyword.PLUNDER)
        if not (clash.siege and self.winner == clash.defence):
            pos.act(self.winner)
        pos.say(ClashWon(self.winner, self.loser, self.margin))
        queue = due(pos, (self.winner,), When.WON), due(pos, (self.loser,), When.LOST)
        order = queue if self.winner == clash.attack else queue[::-1]
        return Perform(Triggers(order[0] + order[1]))

    def retreats(self, pos: SuikodenPosition) -> Options | None:
        if not self.loser or self.loser not in pos.field:
            return None
        seat = self._owner(pos, self.loser)
        cost = retreat_cost(pos, self.loser, self.winner, self.margin)
        if banned(pos, "retreat", card=self.loser) or pos.deck_size(seat) < cost:
            return None
        families = (Among(Retreat, [Retreat()], "D44"), Among(Fall, [Fall()], "D44"))
        ask = f"{pos.call(self.loser)} may retreat for {cost} cards of the deck"
        return Options(seat, families, "retreat", ask)

    @chooses("D44", retreats)
    def retreat(self, pos: SuikodenPosition, move: Retreat | Fall) -> Perform | None:
        """⑦ The loser gets away for as many cards of the deck as the difference."""
        if isinstance(move, Fall):
            return None
        self.retreated = True
        cost = retreat_cost(pos, self.loser, self.winner, self.margin)
        seat = self._owner(pos, self.loser)
        pos.say(RetreatPaid(self.loser, cost))
        to = pos.foe(seat) if pos.mode is Mode.SHARED else ""
        return Perform(MillCards(seat, cost, to))

    @rule("D44")
    def away(self, pos: SuikodenPosition) -> None:
        """Who retreats wanders; 水計 sends home to the hand, and some cards say otherwise."""
        if victory.check(pos) or not self.retreated:
            return
        card = self.loser
        where = refuge_of(pos, card, self.winner)
        if card.startswith(GROVE):
            pos.act(card)  # D-16: back on top of its lands when the battle is over
        elif where == "field":
            pos.act(card)
        elif where == "wander":
            pos.to_wander(card)
        else:
            seat = pos.leave_field(card)
            if where == "hand":
                pos.change(seat, hand=(*pos.sides[seat].hand, Handle(card)))
            else:
                pos.to_discard(seat, card)
        pos.say(WentTo(card, where))

    @rule("D02")
    def cavalry(self, pos: SuikodenPosition) -> Perform | None:
        """⑦a 騎馬: the loser's player discards a card of the deck, unless 陽動 or the mountain hinders it."""
        clash = pos.clash
        assert clash is not None
        if not self.rides:
            return None
        land = battle_land(pos)
        if land is not None and land.slope and clash.siege and self.winner == clash.attack:
            return None
        seat = self._owner(pos, self.loser)
        pos.say(CavalryStruck(seat, min(1, pos.deck_size(seat))))
        return Perform(MillCards(seat, 1)) if pos.deck_size(seat) else None

    def booty(self, pos: SuikodenPosition) -> Options | None:
        clash = pos.clash
        assert clash is not None
        attacker_won = clash.siege and self.winner == clash.attack
        if not attacker_won or not self.robs:
            return None
        foe = pos.sides[pos.foe(self.seat)]
        listed = [Plunder(w) for w, pile in (("trophy", foe.trophies), ("hand", foe.hand)) if pile]
        if not listed:
            return None
        why = "there is nothing of that to take"
        return Options(self.seat, (Among(Plunder, listed, "D02", lambda m: why),), "plunder", "強奪: what")

    @chooses("D02", booty)
    def plunder(self, pos: SuikodenPosition, move: Plunder) -> None:
        """⑦a 強奪: a lost person back, or a card of the enemy's hand, at random."""
        self.took = move.what

    def lost_people(self, pos: SuikodenPosition) -> tuple[CardId, ...] | None:
        return pos.sides[pos.foe(self.seat)].trophies if self.took == "trophy" else None

    @draws("D02", lost_people)
    def freed(self, pos: SuikodenPosition, item: CardId) -> Perform:
        """One of the enemy's trophies comes back to the field."""
        foe = pos.foe(self.seat)
        left = list(pos.sides[foe].trophies)
        left.remove(item)
        pos.change(foe, trophies=tuple(left))
        return Perform(Arrive(self.seat, item))

    def their_hand(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        return pos.sides[pos.foe(self.seat)].hand if self.took == "hand" else None

    @draws("D02", their_hand)
    def stolen(self, pos: SuikodenPosition, item: str) -> None:
        """One card of the enemy's hand is discarded."""
        self.took = item

    def stolen_card(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        return (Handle(self.took),) if self.took in pos.hidden else None

    @opens("D02", stolen_card)
    def shown(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """It is turned up."""
        self._discarded(pos, self.took, values[Handle(self.took)])
        self.took = ""

    def _discarded(self, pos: SuikodenPosition, slot: str, card: CardId) -> None:
        foe = pos.foe(self.seat)
        pos.leave_hand(foe, Handle(slot))
        pos.to_discard(foe, card)
        pos.say(Robbed(foe, card))

    @rule("D45")
    def spoils(self, pos: SuikodenPosition) -> Perform | None:
        """⑧, ⑨: a trophy after an interception, a land after a siege."""
        if self.took and self.took in pos.data.people and self.took in pos.sides[pos.foe(self.seat)].hand:
            self._discarded(pos, self.took, self.took)
        clash, battle = pos.clash, pos.battle
        assert clash is not None and battle is not None
        inside_lost = clash.siege and self.loser == clash.defence
        if self.loser.startswith(GROVE):  # D-16: a grove that retreats lies on top again
            return None if self.retreated else self._grove_falls(pos)
        if not self.retreated and self.loser in pos.field:
            self._falls(pos, trophy=not clash.siege)
        if victory.check(pos) or not inside_lost:
            return None
        if self.retreated and pos.option("siege-retreat") == "saves-land":
            return None
        pos.battle = replace(battle, razed=True)
        return Perform(LandLost(pos.foe(self.seat)))

    def _falls(self, pos: SuikodenPosition, *, trophy: bool) -> None:
        card = self.loser
        seat = pos.leave_field(card)
        captor = pos.foe(seat)
        burnt = method_of(pos, self.winner) in (Keyword.FIRE, Keyword.WATER)
        if trophy and not burnt:
            pos.change(captor, trophies=(*pos.sides[captor].trophies, card))
            pos.say(TrophyTaken(card, captor, rule="D45"))
        else:
            pos.to_discard(seat, card)
            number = "D02" if burnt and trophy else "D46"
            pos.say(Discarded(card, rule=number))

    def _grove_falls(self, pos: SuikodenPosition) -> Perform:
        """Q49: a grove that falls is destroyed; only the defender's ends the battle."""
        assert pos.battle is not None
        owner = self.loser.removeprefix(GROVE)
        if owner == pos.battle.defender:
            pos.battle = replace(pos.battle, razed=True)
        return Perform(LandLost(owner))

    @rule("Q09")
    def sorcery(self, pos: SuikodenPosition) -> None:
        """⑨a Who used 妖術 and did not lose wanders."""
        clash = pos.clash
        assert clash is not None and pos.battle is not None
        for card in (clash.attack, clash.defence):
            if card == self.loser or card not in pos.field:
                continue
            if method_of(pos, card) is not Keyword.SORCERY:
                continue
            if pos.option("sorcerer-wanders") == "battle":
                pos.battle = replace(pos.battle, used=(*pos.battle.used, f"sorcery {card}"))
                continue
            pos.to_wander(card)
            pos.say(SorcererWandered(card))

    @rule("D47")
    def close(self, pos: SuikodenPosition) -> Finish:
        """The pair is done."""
        victory.check(pos)
        return Finish()
