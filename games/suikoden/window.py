"""6-2, 6-3 THE WINDOW OF A CLASH: shots, abilities of participants, abilities from the hand.

The attacker is asked first; each use or pass is one decision, and two passes in a row close the window
(ruling B-11). A seat is passed over without being asked only where everybody can see that it has nothing:
with cards in the hand that would tell the others too much (ruling I-2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from games.suikoden.ability import Until, When
from games.suikoden.deeds import shot_at
from games.suikoden.hands import both, no_abilities, taken, unknown
from games.suikoden.moves import Pass, Play, PlayOpen, Use
from games.suikoden.moves_battle import Shoot
from games.suikoden.payments import unaffordable
from games.suikoden.position import SuikodenPosition
from games.suikoden.targets import open_participants, without_object
from games.suikoden.terms import CardId, Mode
from games.suikoden.using import Using
from games.suikoden.values import abilities, archery, banned
from pbem.engine.events import Event, Named
from pbem.engine.options import Among, Family, Options, Refusal
from pbem.engine.procedure import Goto, Perform, Procedure, chooses, rule


def participants(pos: SuikodenPosition, seat: str) -> list[CardId]:
    """Everybody of a seat who was mustered and is still on the field."""
    battle = pos.battle
    assert battle is not None
    names = battle.sortie if seat == battle.attacker else battle.guard
    return [card for card in names if card in pos.field]


def why_no_shot(pos: SuikodenPosition, seat: str, move: Shoot) -> Refusal | None:
    """D41: a ready participant with 射撃, at an enemy who lies open."""
    clash = pos.clash
    assert clash is not None
    card = move.person
    if card not in participants(pos, seat):
        return Refusal("D41", f"{pos.call(card)} does not take part on your side")
    if not pos.ready(card):
        return Refusal("G05", f"{pos.call(card)} has acted")
    if not archery(pos, card):
        return Refusal("D41", f"{pos.call(card)} has no 射撃")
    if card in (clash.attack, clash.defence) and pos.option("fighter-may-shoot") == "no":
        return Refusal("D41", f"{pos.call(card)} is fighting and does not shoot")
    if banned(pos, "shoot", seat=seat):
        return Refusal("D42", "you may not shoot now")
    if move.target not in open_participants(pos, pos.foe(seat)):
        return Refusal("D41", f"{pos.call(move.target)} is no enemy who lies open in this battle")
    return None


def clash_ability(pos: SuikodenPosition, seat: str, card: CardId) -> tuple[int | None, Refusal | None]:
    """D42: the ability that a participant can use now, or why there is none."""
    clash = pos.clash
    assert clash is not None
    name = pos.call(card)
    if card not in participants(pos, seat):
        return None, Refusal("D42", f"{name} does not take part on your side")
    if not pos.ready(card):
        return None, Refusal("G05", f"{name} has acted")
    bad: Refusal | None = None
    for number, ability in enumerate(abilities(pos, card)):
        if ability.when is When.SHOT:
            if not clash.shot:
                bad = Refusal("Q33", f"{name} answers a shot, and there was none just now")
                continue
        elif ability.when is not When.CLASH:
            continue
        if ability.limit is Until.CLASH and card in clash.used:
            bad = Refusal("D42", f"{name} has used it in this clash")
            continue
        bad = unaffordable(pos, seat, card, ability) or without_object(pos, seat, card, ability)
        if bad is None and ability.do[0].verb == "cancel" and ability.do[0].word == "method":
            bad = _no_method(pos, seat)
        if bad is None:
            return number, None
    return None, bad or Refusal("D42", f"{name} has no ability for a battle")


def _no_method(pos: SuikodenPosition, seat: str) -> Refusal | None:
    clash, battle = pos.clash, pos.battle
    assert clash is not None and battle is not None
    used = clash.answer if seat == battle.attacker else clash.method
    if used is None or pos.foe(seat) in clash.void:
        return Refusal("D42", "the enemy uses no stratagem")
    return None


def from_hand(pos: SuikodenPosition, seat: str) -> Any:
    """D42: whether a card of the hand can be used now."""

    def check(card: CardId) -> Refusal | None:
        assert pos.clash is not None
        for ability in pos.person(card).abilities if card in pos.data.people else ():
            if ability.when is not When.HAND_CLASH:
                continue
            if card in pos.clash.used:
                return Refusal("Q40", f"{pos.call(card)} has been used in this clash")
            if banned(pos, "hand", seat=seat):
                return Refusal("D42", "you may use no card of your hand now")
            return unaffordable(pos, seat, card, ability, in_hand=True) or without_object(
                pos, seat, card, ability
            )
        return Refusal("D42", f"{pos.call(card)} has no ability from the hand for a battle")

    return check


class ShotFired(Event):
    says = "{card} shoots at {target}: -{value}"
    card: Named
    target: Named
    value: int


@dataclass(slots=True)
class Window(Procedure):
    """6-2 and 6-3, until both pass."""

    seat: str
    """Who is asked next; the attacker first."""
    passed: int = 0

    def uses(self, pos: SuikodenPosition) -> Options | None:
        if self.passed >= 2:
            return None
        seat = self.seat
        shots = list(self._shots(pos))
        own = [card for card in participants(pos, seat) if clash_ability(pos, seat, card)[0] is not None]
        hand = pos.sides[seat].hand if pos.mode is Mode.DECK else ()
        families: list[Family[Any]] = [
            Among(Pass, [Pass()], "D42"),
            Among(Shoot, shots, "D41", lambda m: why_no_shot(pos, seat, m)),
        ]
        if pos.mode is Mode.DECK:
            used = [Use(card) for card in own]
            families.append(Among(Use, used, "D42", lambda m: clash_ability(pos, seat, m.person)[1]))
            families += both((Play, PlayOpen), pos, hand, "D42", from_hand(pos, seat))
        else:
            families += no_abilities(Use, Play, PlayOpen)
        return Options(seat, tuple(families), "window", "use something, or pass", hidden=unknown(pos, hand))

    def _shots(self, pos: SuikodenPosition) -> Iterator[Shoot]:
        targets = open_participants(pos, pos.foe(self.seat))
        for card in participants(pos, self.seat):
            if archery(pos, card):
                for target in targets:
                    if why_no_shot(pos, self.seat, Shoot(card, target)) is None:
                        yield Shoot(card, target)

    @chooses("D42", uses)
    def use(self, pos: SuikodenPosition, move: Any) -> Goto | Perform:
        """One use, or a pass."""
        clash, battle = pos.clash, pos.battle
        assert clash is not None and battle is not None
        seat, self.seat = self.seat, pos.foe(self.seat)
        if isinstance(move, Pass):
            self.passed += 1
            pos.clash = replace(clash, shot=False)
            return Goto("use") if self.passed < 2 else Goto("close")
        self.passed = 0
        match move:
            case Shoot(person, target):
                value = archery(pos, person)
                pos.act(person)
                pos.battle = replace(battle, shown=(*battle.shown, person))
                pos.say(ShotFired(person, target, value, rule="D41"))
                shot_at(pos, target, seat, value)
                pos.clash = replace(clash, shot=True)
                return Goto("use")
            case Use(person):
                number, _ = clash_ability(pos, seat, person)
                assert number is not None
                used = (*clash.used, person)
                pos.battle = replace(battle, shown=(*battle.shown, person))
                pos.clash = replace(clash, used=used, shot=False)
                return Perform(Using(seat, person, number), then="use")
            case Play(card) | PlayOpen(card):
                who = taken(pos, seat, card)
                pos.clash = replace(clash, used=(*clash.used, who), shot=False)
                found = pos.person(who).abilities
                index = next(n for n, a in enumerate(found) if a.when is When.HAND_CLASH)
                return Perform(Using(seat, who, index, in_hand=True), then="use")
        raise AssertionError(move)

    @rule("D42")
    def close(self, pos: SuikodenPosition) -> None:
        """Nothing changes a value any more."""
