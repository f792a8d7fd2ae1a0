"""M22 to M27, M29 A BATTLE OF THE MULTIPLAYER GAME: two fighters, two dice, everybody's effects.

Fighters from the hand are sealed by slot, because a slot that comes back to the hand would be recognised; a
leader fights openly. That a sealed card is a person is proven at the opening, or, if nobody answers and it is
never opened, claimed for the audit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.suikoden.contest import (
    BONUS,
    Commits,
    Defends,
    Unables,
    is_person,
    leader_effect,
    move_land,
    no_effect,
    reckoning,
    totals,
    trophies_won,
)
from games.suikoden.hands import both, taken, unknown
from games.suikoden.moves import Done, Pass
from games.suikoden.moves_table import (
    ByArms,
    ByWits,
    Capture,
    Defend,
    DefendLeader,
    Effect,
    EffectLeader,
    EffectOpen,
    PassBattle,
)
from games.suikoden.position import Duel, SuikodenPosition
from games.suikoden.terms import Attribute, CardId, LandId
from games.suikoden.told import BackToHand, Discarded, FaceToFace, TrophyTaken
from pbem.engine.events import Event, Fact, Named
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Family, Options
from pbem.engine.position import Unlawful
from pbem.engine.procedure import (
    Dice,
    Goto,
    Procedure,
    chooses,
    draws,
    fills_secretly,
    opens,
    rolls,
    rule,
)


class DuelBegan(Event):
    says = "{attacker} attacks {defender}{leader:? with {leader}|}"
    attacker: str
    defender: str
    leader: Named | None


class LeaderAnswers(Event):
    says = "{card} answers"
    card: Named


class NobodyAnswers(Event):
    says = "{seat} has nobody to answer with"
    seat: str


class EffectUsed(Event):
    says = "{seat} uses {card} ({colour}) on {on}"
    seat: str
    card: Named
    colour: str
    on: str


class DuelDecided(Event):
    says = "{one} vs {two}: {result:1=the attacker wins|0=a draw|the defender wins}"
    one: Fact
    two: Fact
    attack: int
    defence: int
    result: int
    """1, 0 or -1."""


@dataclass(slots=True)
class DuelFought(Procedure):
    """M22: one battle."""

    attacker: str
    defender: str
    leads: bool = False
    won: bool = False
    """The attacker has won, or nobody answered."""
    reroll: str = ""
    """Whose die is rolled again."""
    at_seat: int = 0
    """Whose turn in the window it is."""

    @rule("M23")
    def begin(self, pos: SuikodenPosition) -> None:
        """① The target is named; a leader is shown."""
        leader = pos.sides[self.attacker].leader if self.leads else ""
        pos.duel = Duel(self.attacker, self.defender, attack=leader, attack_leads=self.leads)
        if self.leads:
            pos.change(self.attacker, spent=True)
        pos.say(DuelBegan(self.attacker, self.defender, leader or None))

    def attackers(self, pos: SuikodenPosition) -> list[Options] | None:
        if self.leads:
            return None
        return [Options(self.attacker, (Commits(pos, self.attacker),), "commit", "who attacks", slots=1)]

    @fills_secretly("M23", attackers)
    def set_attacker(self, pos: SuikodenPosition, slots: Mapping[str, tuple[Handle, ...]]) -> None:
        """① A person of the hand, face down."""
        assert pos.duel is not None
        (slot,) = slots[self.attacker]
        pos.duel = replace(pos.duel, attack_slot=slot)
        pos.claim(self.attacker, "a person", slot=slot)

    def replies(self, pos: SuikodenPosition) -> Options:
        side = pos.sides[self.defender]
        families: list[Family[Any]] = []
        if side.hand:
            families.append(Defends(pos, self.defender))
        ready = not side.spent
        families.append(
            Among(DefendLeader, [DefendLeader()] if ready else [], "M16", lambda m: "your leader has acted")
        )
        families.append(Unables(pos, self.defender))
        return Options(
            self.defender, tuple(families), "defend", "who answers the attack", hidden=unknown(pos, side.hand)
        )

    @chooses("M23", replies)
    def reply(self, pos: SuikodenPosition, move: Any) -> Goto | None:
        """① The defender must answer if he can."""
        assert pos.duel is not None
        if isinstance(move, DefendLeader):
            leader = pos.sides[self.defender].leader
            pos.duel = replace(pos.duel, defence=leader, defence_leads=True)
            pos.say(LeaderAnswers(leader))
            return None
        if isinstance(move, Defend):
            return None
        pos.claim(self.defender, "nobody in hand", hand=[str(h) for h in pos.sides[self.defender].hand])
        pos.say(NobodyAnswers(self.defender))
        self.won = True
        if pos.duel.attack_slot:
            del pos.hidden[pos.duel.attack_slot]
        return Goto("capture")

    def defenders(self, pos: SuikodenPosition) -> list[Options] | None:
        assert pos.duel is not None
        if pos.duel.defence_leads:
            return None
        return [Options(self.defender, (Commits(pos, self.defender),), "commit", "who defends", slots=1)]

    @fills_secretly("M23", defenders)
    def set_defender(self, pos: SuikodenPosition, slots: Mapping[str, tuple[Handle, ...]]) -> None:
        """① A person of the hand, face down."""
        assert pos.duel is not None
        pos.duel = replace(pos.duel, defence_slot=slots[self.defender][0])

    def ways(self, pos: SuikodenPosition) -> Options:
        families = (Among(ByArms, [ByArms()], "M23"), Among(ByWits, [ByWits()], "M23"))
        return Options(self.attacker, families, "way", "by arms or by wits")

    @chooses("M23", ways)
    def way(self, pos: SuikodenPosition, move: ByArms | ByWits) -> None:
        """① The attacker names 武 or 智 when both are set."""
        assert pos.duel is not None
        pos.duel = replace(pos.duel, wit=isinstance(move, ByWits))

    def seals(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        assert pos.duel is not None
        return tuple(h for h in (pos.duel.attack_slot, pos.duel.defence_slot) if h) or None

    @opens("M23", seals)
    def unseal(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """Which cards they are ..."""
        duel = pos.duel
        assert duel is not None
        found = {}
        for seat, slot in ((self.attacker, duel.attack_slot), (self.defender, duel.defence_slot)):
            if not slot:
                continue
            found[seat] = values[slot]
            if values[slot] not in pos.sides[seat].hand:
                raise Unlawful(seat, "M23", "the card set face down was not in the hand")
        pos.duel = replace(
            duel,
            attack=found.get(self.attacker, duel.attack),
            defence=found.get(self.defender, duel.defence),
            attack_slot=Handle(""),
            defence_slot=Handle(""),
        )

    def set_cards(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        assert pos.duel is not None
        return tuple(Handle(c) for c in (pos.duel.attack, pos.duel.defence) if c in pos.hidden) or None

    @opens("M23", set_cards)
    def turn_up(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """... and the cards themselves."""
        duel = pos.duel
        assert duel is not None
        for slot, card in values.items():
            seat = self.attacker if slot == duel.attack else self.defender
            pos.change(seat, hand=tuple(Handle(card) if h == slot else h for h in pos.sides[seat].hand))
        attack = values.get(Handle(duel.attack), duel.attack)
        defence = values.get(Handle(duel.defence), duel.defence)
        for seat, card in ((self.attacker, attack), (self.defender, defence)):
            if not is_person(pos, card):
                raise Unlawful(seat, "M23", f"{pos.call(card)} is no person")
        pos.duel = replace(duel, attack=attack, defence=defence)

    @rule("M23")
    def leave_hands(self, pos: SuikodenPosition) -> None:
        """Both lie in the middle."""
        duel = pos.duel
        assert duel is not None
        if not duel.attack_leads:
            pos.leave_hand(self.attacker, Handle(duel.attack))
        if not duel.defence_leads:
            pos.leave_hand(self.defender, Handle(duel.defence))
        pos.say(FaceToFace(duel.attack, duel.defence))

    @rolls("M24", Dice(2, 6))
    def roll(self, pos: SuikodenPosition, dice: tuple[int, ...]) -> None:
        """② The attacker's die, then the defender's."""
        assert pos.duel is not None
        pos.duel = replace(pos.duel, dice=dice)

    # --- effects and support

    def _order(self, pos: SuikodenPosition) -> tuple[str, ...]:
        """M-13: clockwise from the attacker, as turns go (M13)."""
        return pos.clockwise(self.attacker)

    def _may_use(self, pos: SuikodenPosition, seat: str) -> bool:
        duel = pos.duel
        assert duel is not None
        if seat in duel.done or seat in duel.passed or seat in duel.out:
            return False
        return bool(pos.sides[seat].hand) or leader_effect(pos, seat) is None

    def _asked(self, pos: SuikodenPosition) -> str | None:
        """Who is asked next; None when everybody has used an effect or passed."""
        order = self._order(pos)
        following = [order[(self.at_seat + step) % len(order)] for step in range(len(order))]
        return next((seat for seat in following if self._may_use(pos, seat)), None)

    def uses(self, pos: SuikodenPosition) -> Options | None:
        seat, duel = self._asked(pos), pos.duel
        if seat is None or duel is None:
            return None
        fighters = (self.attacker, self.defender)
        bad = leader_effect(pos, seat)
        able = [EffectLeader(s) for s in fighters] if bad is None else []
        hand = pos.sides[seat].hand
        named = ((self.attacker,), (self.defender,))
        number = "M25" if seat in fighters else "M29"
        families: list[Family[Any]] = [
            Among(Pass, [Pass()], "M25"),
            Among(PassBattle, [PassBattle()], "M25"),
            *both((Effect, EffectOpen), pos, hand, number, no_effect(pos), named),
            Among(EffectLeader, able, "M16", lambda m: bad),
        ]
        mine, theirs = totals(pos)
        ask = f"{pos.call(duel.attack)} {mine} : {theirs} {pos.call(duel.defence)}: an effect, or pass"
        return Options(seat, tuple(families), "effect" if seat in fighters else "support", ask)

    @chooses("M25", uses)
    def use(self, pos: SuikodenPosition, move: Any) -> Goto:
        """② One effect a player, from the hand or by a ready leader; bystanders from the hand (M29)."""
        duel = pos.duel
        assert duel is not None
        seat = self._asked(pos)
        assert seat is not None
        self.at_seat = self._order(pos).index(seat) + 1
        if isinstance(move, (Pass, PassBattle)):
            out = (*duel.out, seat) if isinstance(move, PassBattle) else duel.out
            pos.duel = replace(duel, passed=(*duel.passed, seat), out=out)
            return Goto("use")
        if isinstance(move, EffectLeader):
            card = pos.sides[seat].leader
            pos.change(seat, spent=True)
        else:
            card = taken(pos, seat, move.card)
            pos.discards = (*pos.discards, card)
        pos.duel = replace(duel, done=(*duel.done, seat), passed=())
        number = "M25" if seat in (self.attacker, self.defender) else "M29"
        colour = pos.person(card).attribute
        pos.say(EffectUsed(seat, card, colour.value, move.seat, rule=number))
        return self._effect(pos, colour, move.seat)

    def _effect(self, pos: SuikodenPosition, colour: Attribute, seat: str) -> Goto:
        duel = pos.duel
        assert duel is not None
        at = 0 if seat == self.attacker else 1
        if colour is Attribute.JIN:
            self.reroll = seat
            return Goto("roll_again")
        if colour is Attribute.BLACK:
            pos.duel = replace(duel, doomed=(*duel.doomed, seat))
        else:
            bonus = list(duel.bonus)
            bonus[at] += BONUS[colour]
            pos.duel = replace(duel, bonus=tuple(bonus))
        return Goto("use")

    @rule("M26")
    def closed(self, pos: SuikodenPosition) -> Goto:
        """Everybody has used an effect or passed."""
        return Goto("result")

    def one_die(self, pos: SuikodenPosition) -> Dice | None:
        return Dice(1, 6) if self.reroll else None

    @rolls("M31", one_die)
    def roll_again(self, pos: SuikodenPosition, dice: tuple[int, ...]) -> Goto:
        """Red: the new number stands."""
        duel = pos.duel
        assert duel is not None
        both_dice = list(duel.dice)
        both_dice[0 if self.reroll == self.attacker else 1] = dice[0]
        pos.duel = replace(duel, dice=tuple(both_dice))
        self.reroll = ""
        return Goto("use")

    # --- ③, ④

    @rule("M26")
    def result(self, pos: SuikodenPosition) -> Goto | None:
        """③ The higher total wins; equal ones are a draw."""
        duel = pos.duel
        assert duel is not None
        mine, theirs = totals(pos)
        won = (mine > theirs) - (mine < theirs)
        pos.say(DuelDecided(*reckoning(pos), mine, theirs, won, rule="M24"))
        self.won = mine > theirs
        self._home(pos, self.attacker, duel.attack, duel.attack_leads, lost=theirs > mine)
        self._home(pos, self.defender, duel.defence, duel.defence_leads, lost=mine > theirs)
        if trophies_won(pos, self.attacker, "M26"):
            return None
        return None if self.won else Goto("close")

    def _home(self, pos: SuikodenPosition, seat: str, card: CardId, leads: bool, *, lost: bool) -> None:
        """Back to the hand, to the discards, or a trophy; a leader stays."""
        duel = pos.duel
        assert duel is not None
        doomed = seat in duel.doomed
        if leads:
            if doomed or (lost and seat == self.defender):
                pos.change(seat, spent=True)
            return
        if doomed or (lost and seat == self.attacker):
            pos.discards = (*pos.discards, card)
            pos.say(Discarded(card, rule="M31" if doomed else "M26"))
        elif lost:
            captor = pos.sides[self.attacker]
            pos.change(self.attacker, trophies=(*captor.trophies, card))
            pos.say(TrophyTaken(card, self.attacker))
        else:
            pos.change(seat, hand=(*pos.sides[seat].hand, Handle(card)))
            pos.say(BackToHand(card))

    def prizes(self, pos: SuikodenPosition) -> Options | None:
        if not self.won or not pos.sides[self.defender].lands:
            return None
        families = (Among(Capture, [Capture()], "M27"), Among(Done, [Done()], "M27"))
        return Options(self.attacker, families, "capture", "take a land at random, or not")

    @chooses("M27", prizes)
    def capture(self, pos: SuikodenPosition, move: Capture | Done) -> Goto | None:
        """④ The winner may take one of the loser's lands."""
        return Goto("close") if isinstance(move, Done) else None

    def their_lands(self, pos: SuikodenPosition) -> tuple[LandId, ...]:
        return pos.sides[self.defender].lands

    @draws("M27", their_lands)
    def take_land(self, pos: SuikodenPosition, item: LandId) -> None:
        """④ Which one is chance; ★10 wins only at the beginning of a turn."""
        move_land(pos, item, self.defender, self.attacker)

    @rule("M27")
    def close(self, pos: SuikodenPosition) -> None:
        """The battle is over."""
        pos.duel = None
