"""D25 to D48 BATTLE: declaration, muster, clash after clash, end.

The set of those who take part is public: before the declaration everybody lies face up, and who is not chosen
is turned up again (ruling I-1). Only which of them is sent is secret: clash.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from games.suikoden import victory
from games.suikoden.ability import Until, When
from games.suikoden.clash import Fight, unspent
from games.suikoden.effects import Triggers, due
from games.suikoden.grounds import LandLost
from games.suikoden.hands import both, taken, unknown
from games.suikoden.moves import Done
from games.suikoden.moves_battle import Abandon, Attack, GoOn, Grove, Guard, Join, JoinOpen, Sortie, Stop
from games.suikoden.position import GROVE, Battle, SuikodenPosition
from games.suikoden.sets import Sets
from games.suikoden.terms import CardId, Mode, State
from games.suikoden.told import Discarded
from games.suikoden.values import abilities, no_battle
from pbem.engine.events import Event, Named
from pbem.engine.options import Among, Family, Options, Refusal
from pbem.engine.procedure import Finish, Goto, Perform, Procedure, chooses, rule


def joins(pos: SuikodenPosition, card: CardId) -> Refusal | None:
    """Q41: who may join an attack from the hand."""
    found = pos.data.people[card].abilities if card in pos.data.people else ()
    if any(a.when is When.DECLARE and a.do[0].verb == "join" for a in found):
        return None
    return Refusal("Q41", f"{pos.call(card)} cannot join from the hand")


def grove_free(pos: SuikodenPosition, seat: str) -> bool:
    """Q48: whether a seat's land can be made a fighter."""
    land = pos.data.lands.get(pos.current_land(seat))
    if land is None or not land.body:
        return False
    out = pos.battle.groves if pos.battle is not None else ()
    return not out if pos.mode is Mode.SHARED else seat not in out


def more_leaders(pos: SuikodenPosition, card: CardId, *, shown: bool = False) -> int:
    """Q27: by how much somebody who takes part raises 頭領; with `shown`, only who lies open for it."""
    found = 0
    for ability in abilities(pos, card):
        deed = ability.do[0]
        if ability.when is When.MUSTERED and deed.verb == "limit" and (not shown or deed.word == "open"):
            found += deed.number
    return found


def _groves(pos: SuikodenPosition, seat: str) -> Among[Grove]:
    free = [Grove()] if grove_free(pos, seat) else []
    return Among(Grove, free, "Q48", lambda m: "your land is no 竹林 that could fight")


def _attacks_only(move: Any) -> str:
    return "who joins from the hand joins attacks only"


class BattleForbidden(Event):
    says = "{card}: no battle can be declared"
    card: Named


class AttackDeclared(Event):
    says = "{attacker} attacks {defender}"
    attacker: str
    defender: str


class JoinedAttack(Event):
    says = "{card} joins the attack"
    card: Named


class GroveFights(Event):
    says = "{seat}'s 竹林 fights as a person"
    seat: str


class SortieMade(Event):
    says = "sortie: {people}"
    seat: str
    people: tuple[Named, ...]


class GuardMade(Event):
    says = "guard: {people}"
    seat: str
    people: tuple[Named, ...]


class BattleOver(Event):
    says = "the battle is over"


@dataclass(slots=True)
class BattlePhase(Procedure):
    """D25: at most one battle in a turn."""

    seat: str

    @rule("D26")
    def peace(self, pos: SuikodenPosition) -> Finish | None:
        """西門慶: no battle can be declared while he and a 美女 are there."""
        forbids = no_battle(pos)
        if forbids is None:
            return None
        pos.say(BattleForbidden(forbids, rule="D26"))
        return Finish()

    def declarations(self, pos: SuikodenPosition) -> Options | None:
        joined = pos.battle is not None
        ready = pos.on_field(self.seat, State.READY)
        families: list[Family[Any]] = []
        if not joined:
            families.append(Among(Done, [Done()], "D26"))
        if ready:
            families.append(Among(Attack, [Attack()], "D26"))
        families.append(_groves(pos, self.seat))
        hand = pos.sides[self.seat].hand if pos.mode is Mode.DECK else ()
        families += both((Join, JoinOpen), pos, hand, "Q41", lambda card: joins(pos, card))
        return Options(self.seat, tuple(families), "declare", "attack, or not", hidden=unknown(pos, hand))

    @chooses("D26", declarations)
    def declare(self, pos: SuikodenPosition, move: Any) -> Goto | Finish | None:
        """① An attack is declared, or there is none."""
        if isinstance(move, Done):
            return Finish()
        if pos.battle is None:
            pos.battle = Battle(self.seat, pos.foe(self.seat))
            pos.say(AttackDeclared(self.seat, pos.foe(self.seat)))
        if isinstance(move, Grove):
            self._grove(pos, self.seat)
            return Goto("declare")
        if isinstance(move, (Join, JoinOpen)):
            card = taken(pos, self.seat, move.card)
            pos.put(card, self.seat, State.READY)
            pos.battle = replace(pos.battle, joined=(*pos.battle.joined, card))
            pos.say(JoinedAttack(card, rule="Q41"))
            return Goto("declare")
        return None

    def _grove(self, pos: SuikodenPosition, seat: str) -> None:
        assert pos.battle is not None
        pos.put(GROVE + seat, seat, State.READY)
        pos.battle = replace(pos.battle, groves=(*pos.battle.groves, seat))
        pos.say(GroveFights(seat, rule="Q48"))

    def _muster(self, pos: SuikodenPosition, seat: str, kind: Any) -> Sets:
        """② As many as the own land's 頭領, and who raises it."""
        ready = pos.on_field(seat, State.READY)
        land = pos.data.lands.get(pos.current_land(seat))
        leaders = land.leaders if land is not None else 0
        extra = sum(more_leaders(pos, card) for card in ready)

        def bad(people: tuple[CardId, ...]) -> Refusal | None:
            most = leaders + sum(more_leaders(pos, card) for card in people)
            return None if len(people) <= most else Refusal("D27", f"頭領 {most}: no more may take part")

        return Sets(kind, pos, ready, "D27", bad, leaders + extra)

    def sorties(self, pos: SuikodenPosition) -> Options:
        return Options(self.seat, (self._muster(pos, self.seat, Sortie),), "sortie", "who attacks")

    @chooses("D27", sorties)
    def sortie(self, pos: SuikodenPosition, move: Sortie) -> Perform:
        """② The attackers; the others lie face up again and take no part."""
        assert pos.battle is not None
        shown = tuple(card for card in move.people if more_leaders(pos, card, shown=True))
        pos.battle = replace(pos.battle, sortie=move.people, shown=shown)
        pos.say(SortieMade(self.seat, move.people))
        return Perform(Triggers(due(pos, move.people, When.MUSTERED, When.SORTIED)))

    def guards(self, pos: SuikodenPosition) -> Options:
        foe = pos.foe(self.seat)
        families: list[Family[Any]] = [Among(Abandon, [Abandon()], "D27")]
        muster = self._muster(pos, foe, Guard)
        if muster.people:
            families.append(muster)
        families.append(_groves(pos, foe))
        families += [Among(kind, [], "Q42", _attacks_only) for kind in (Join, JoinOpen)]
        return Options(foe, tuple(families), "guard", "who defends, or abandon the land")

    @chooses("D27", guards)
    def guard(self, pos: SuikodenPosition, move: Any) -> Goto | Perform:
        """② The defenders; without any the land is given up."""
        assert pos.battle is not None
        foe = pos.battle.defender
        if isinstance(move, Grove):
            self._grove(pos, foe)
            return Goto("guard")
        if isinstance(move, Abandon):
            return Perform(LandLost(foe, abandoned=True), then="finish")
        shown = tuple(card for card in move.people if more_leaders(pos, card, shown=True))
        pos.battle = replace(pos.battle, guard=move.people, shown=(*pos.battle.shown, *shown))
        pos.say(GuardMade(foe, move.people))
        return Perform(Triggers(due(pos, move.people, When.MUSTERED)))

    @rule("D28")
    def fight(self, pos: SuikodenPosition) -> Perform:
        """③ to ⑨: one pair."""
        return Perform(Fight(self.seat))

    def ways_on(self, pos: SuikodenPosition) -> Options | None:
        assert pos.battle is not None
        if pos.battle.razed or not unspent(pos, self.seat):
            return None
        families = (Among(GoOn, [GoOn()], "D47"), Among(Stop, [Stop()], "D47"))
        return Options(self.seat, families, "continue", "send another, or stop")

    @chooses("D47", ways_on)
    def go_on(self, pos: SuikodenPosition, move: GoOn | Stop) -> Goto | None:
        """⑩ The attacker goes on with another, or stops."""
        return Goto("fight") if isinstance(move, GoOn) else None

    @rule("D48")
    def finish(self, pos: SuikodenPosition) -> None:
        """⑪ All lie face up again, as they are; who came for the battle leaves (Q41, Q48)."""
        battle = pos.battle
        assert battle is not None
        for card in [c for c in pos.field if c.startswith(GROVE)]:
            pos.leave_field(card)
        for card in battle.joined:
            stays = card in pos.field or card in pos.sides[battle.attacker].wander
            if card in pos.field:
                pos.leave_field(card)
            pos.leave_wander(battle.attacker, card)
            if stays:
                pos.to_discard(battle.attacker, card)
                pos.say(Discarded(card, rule="Q41"))
        for card in battle.used:
            if card.startswith("sorcery ") and card.split()[1] in pos.field:
                pos.to_wander(card.split()[1])
        pos.battle = None
        pos.expire(Until.CLASH, Until.BATTLE)
        pos.say(BattleOver())
        victory.check(pos)
