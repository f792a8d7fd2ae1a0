"""M23 to M29: who may fight and help in a battle of the multiplayer game, and how it is reckoned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.suikoden.hands import face
from games.suikoden.moves_table import Commit, Defend, Unable
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import Attribute, LandId
from games.suikoden.told import TrophiesWon
from games.suikoden.victory import TROPHIES
from pbem.engine.events import Event, Fact, Named
from pbem.engine.options import Family, Refusal, View

BONUS = {Attribute.GI: 1, Attribute.YU: 2}
"""M31: what blue and green add."""


def is_person(pos: SuikodenPosition, card: str) -> bool:
    """Whether a card is a person and no land."""
    return card in pos.data.people


def trophies_won(pos: SuikodenPosition, seat: str, number: str) -> bool:
    """M05: ten trophies win at once."""
    count = len(pos.sides[seat].trophies)
    if count >= TROPHIES:
        pos.end((seat,), TrophiesWon(seat, count, rule=number), level="trophies")
    return pos.outcome is not None


class Commits(Family[Commit]):
    """M23: one person of the hand."""

    kind = Commit

    def __init__(self, pos: SuikodenPosition, seat: str, kind: Any = Commit, rule: str = "M23") -> None:
        self.pos, self.hand, self.kind, self.rule = pos, pos.sides[seat].hand, kind, rule

    def moves(self, view: View) -> Iterable[Commit]:
        for slot in self.hand:
            card = face(self.pos, view, slot)
            if card is not None and is_person(self.pos, card):
                yield self.kind((slot,))

    def why_not(self, move: Commit, view: View) -> Refusal | None:
        if len(move.cards) != 1 or move.cards[0] not in self.hand:
            return Refusal(self.rule, "one card of your hand")
        card = face(self.pos, view, move.cards[0])
        if card is not None and not is_person(self.pos, card):
            return Refusal(self.rule, f"{self.pos.call(card)} is no person")
        return None


class LandMoved(Event):
    says = "{seat} takes {land} from {giver}"
    seat: str
    land: Named
    giver: str


def move_land(pos: SuikodenPosition, land: LandId, giver: str, taker: str) -> None:
    """A land on the field changes hands."""
    left = list(pos.sides[giver].lands)
    left.remove(land)
    pos.change(giver, lands=tuple(left))
    pos.change(taker, lands=(*pos.sides[taker].lands, land))
    pos.say(LandMoved(taker, land, giver))


def totals(pos: SuikodenPosition) -> tuple[int, int]:
    """M24: value, die and effects of both."""
    duel = pos.duel
    assert duel is not None
    one, two = pos.person(duel.attack), pos.person(duel.defence)
    mine, theirs = (one.wit, two.wit) if duel.wit else (one.attack, two.defence)
    return mine + duel.dice[0] + duel.bonus[0], theirs + duel.dice[1] + duel.bonus[1]


class Reckoned(Event):
    """One side of a comparison, number by number."""

    says = "{card} {stat}{value}+{die}{bonus:?+{bonus}|} = {total}"
    card: Named
    stat: str
    value: int
    die: int
    bonus: int
    total: int


def reckoning(pos: SuikodenPosition) -> tuple[Fact, Fact]:
    """The comparison, number by number."""
    duel = pos.duel
    assert duel is not None
    one, two = pos.person(duel.attack), pos.person(duel.defence)
    values = (one.wit, two.wit) if duel.wit else (one.attack, two.defence)
    stats = ("智", "智") if duel.wit else ("攻", "防")

    def side(n: int, card: str) -> Fact:
        total = values[n] + duel.dice[n] + duel.bonus[n]
        return Fact.of(Reckoned(card, stats[n], values[n], duel.dice[n], duel.bonus[n], total))

    return side(0, duel.attack), side(1, duel.defence)


def leader_effect(pos: SuikodenPosition, seat: str) -> Refusal | None:
    """M16: why the leader gives no effect now."""
    duel = pos.duel
    assert duel is not None
    side = pos.sides[seat]
    if seat not in (duel.attacker, duel.defender):
        return Refusal("M29", "a leader does not support others")
    if side.spent:
        return Refusal("M16", "your leader has acted")
    if (seat == duel.attacker and duel.attack_leads) or (seat == duel.defender and duel.defence_leads):
        return Refusal("M16", "your leader fights and gives no effect")
    if pos.person(side.leader).attribute is Attribute.YELLOW:
        return Refusal("M25", "yellow has no effect in a battle")
    return None


def no_effect(pos: SuikodenPosition) -> Any:
    """M25: why a card of the hand gives no effect."""

    def check(card: str) -> Refusal | None:
        if not is_person(pos, card):
            return Refusal("M25", f"{pos.call(card)} is no person")
        if pos.person(card).attribute is Attribute.YELLOW:
            return Refusal("M25", "yellow has no effect in a battle")
        return None

    return check


class Defends(Family[Defend]):
    """M23: for who has a person in the hand."""

    kind = Defend

    def __init__(self, pos: SuikodenPosition, seat: str) -> None:
        self.pos, self.hand = pos, pos.sides[seat].hand

    def moves(self, view: View) -> list[Defend]:
        known = [face(self.pos, view, h) for h in self.hand]
        return [Defend()] if any(c is not None and is_person(self.pos, c) for c in known) else []

    def why_not(self, move: Defend, view: View) -> Refusal | None:
        known = [face(self.pos, view, h) for h in self.hand]
        if all(c is not None and not is_person(self.pos, c) for c in known):
            return Refusal("M23", "you have nobody in your hand")
        return None


class Unables(Family[Unable]):
    """M23, M-9: only who has nobody; with a ready leader it must answer, unless agreed otherwise."""

    kind = Unable

    def __init__(self, pos: SuikodenPosition, seat: str) -> None:
        self.pos, self.side = pos, pos.sides[seat]

    def moves(self, view: View) -> list[Unable]:
        return [] if self.why_not(Unable(), view) else [Unable()]

    def why_not(self, move: Unable, view: View) -> Refusal | None:
        if not self.side.spent and self.pos.option("leader-must-defend") == "yes":
            return Refusal("M23", "your leader is ready and must answer")
        known = [face(self.pos, view, h) for h in self.side.hand]
        if any(c is not None and is_person(self.pos, c) for c in known):
            return Refusal("M23", "you have somebody who must answer")
        return None
