"""The orders of suikoden, each with its notation. 水滸伝's names do as well as ids.

A card of the hand is hidden, and playing it shows it; but a card that came back to the hand in the open is
known to all. So there are two classes of such orders, written alike: one names a hidden card (`Handle`), the
other, `…Open`, a card that everybody knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.suikoden.terms import Keyword
from pbem.engine.notation import Handle, Move


class Order(Move):
    """Another player may have to decide after it."""

    __slots__ = ()
    interrupts: ClassVar[bool] = True


class Quiet(Move):
    """The same player decides again before anybody else does."""

    __slots__ = ()
    interrupts: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Done(Order):
    """Nothing more of what is asked."""

    notation = "done"


@dataclass(frozen=True, slots=True)
class Pass(Order):
    """D42, M13: use nothing now."""

    notation = "pass"


# --- setting up


@dataclass(frozen=True, slots=True)
class Build(Order):
    """D05: forty people and lands of ten stars, by slot; nobody else learns which."""

    notation = "build {people*} lands {lands*}"
    secret: ClassVar[tuple[str, ...]] = ("people", "lands")
    people: tuple[Handle, ...]
    lands: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Redeal(Order):
    """D05, S09: what was dealt allows no lawful choice; checked."""

    notation = "redeal"


@dataclass(frozen=True, slots=True)
class Begin(Order):
    """S09: who stands on the field from the start, and the five cards that are kept."""

    notation = "begin {person} keeping {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("person", "cards")
    person: Handle
    cards: tuple[Handle, ...]


# --- a turn (D, S)


@dataclass(frozen=True, slots=True)
class Return(Quiet):
    """D13: a wanderer comes back."""

    notation = "return {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Release(Quiet):
    """D15: a wanderer is discarded for one more card."""

    notation = "release {person}"
    person: str


@dataclass(frozen=True, slots=True)
class TakeRouted(Quiet):
    """S14: the top card of the own routed pile."""

    notation = "take"


@dataclass(frozen=True, slots=True)
class Recruit(Quiet):
    """D17: somebody of the hand comes to the field; the payments follow one by one."""

    notation = "recruit {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class RecruitOpen(Quiet):
    """D17: the same with a card that everybody knows."""

    notation = "recruit {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Pay(Quiet):
    """D17: one symbol is paid by somebody on the field."""

    notation = "pay {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Discard(Quiet):
    """A card of the hand is given up."""

    notation = "discard {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class DiscardOpen(Quiet):
    """A card of the hand that everybody knows is given up."""

    notation = "discard {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Mill(Quiet):
    """D02: the top card of the own deck pays."""

    notation = "mill"


@dataclass(frozen=True, slots=True)
class Trade(Quiet):
    """D21: people act for a card by their wits."""

    notation = "trade {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hunt(Quiet):
    """D22: people act for a card by their attack."""

    notation = "hunt {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repair(Quiet):
    """D20: people wander for a destroyed land."""

    notation = "repair {land} by {people*}"
    land: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scout(Quiet):
    """D23: 情報 looks at the top three."""

    notation = "scout {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Use(Order):
    """D24, D42: a special ability of somebody on the field."""

    notation = "use {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Play(Order):
    """D24, D42: a special ability from the hand."""

    notation = "play {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class PlayOpen(Order):
    """D24, D42: the same with a card that everybody knows."""

    notation = "play {card}"
    card: str


# --- what an ability asks


@dataclass(frozen=True, slots=True)
class Target(Quiet):
    """Whom an effect is about."""

    notation = "target {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Name(Quiet):
    """Which player an effect is about."""

    notation = "name {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class Bring(Quiet):
    """Whom of the hand or deck an effect brings, shown to all."""

    notation = "bring {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class BringOpen(Quiet):
    """The same with a card that everybody knows."""

    notation = "bring {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Arrange(Quiet):
    """The top cards of the own deck in a new order, unseen by the others."""

    notation = "arrange {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class TakeBack(Quiet):
    """D24: pay what is asked and take the card back to the hand."""

    notation = "take-back"


# --- battle (D, S)


@dataclass(frozen=True, slots=True)
class Attack(Quiet):
    """D26: the attack is declared."""

    notation = "attack"


@dataclass(frozen=True, slots=True)
class Join(Quiet):
    """Q41: a card of the hand joins the attack face down."""

    notation = "join {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class JoinOpen(Quiet):
    """Q41: the same with a card that everybody knows."""

    notation = "join {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Grove(Quiet):
    """Q48: the own 竹林 fights as a person."""

    notation = "grove"


@dataclass(frozen=True, slots=True)
class Sortie(Order):
    """D27: who attacks."""

    notation = "sortie {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guard(Order):
    """D27: who defends."""

    notation = "guard {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Abandon(Order):
    """D27: nobody defends, and the land is given up."""

    notation = "abandon"


@dataclass(frozen=True, slots=True)
class Send(Order):
    """D28: the one who attacks now, face down."""

    notation = "send {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advance(Order):
    """D28: somebody who lies face up attacks now."""

    notation = "advance {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Conceal(Quiet):
    """D28, D29: one of those who lie face down, named next."""

    notation = "conceal"


@dataclass(frozen=True, slots=True)
class Intercept(Quiet):
    """D30: the defender comes out to meet the attack, by a stratagem if one is named."""

    notation = "intercept {method}"
    method: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Siege(Quiet):
    """D31: the defender stays behind the walls; 妖術 may be named."""

    notation = "siege {method}"
    method: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Stand(Order):
    """D47: somebody who lies face up defends, besieged."""

    notation = "stand {person} {method}"
    person: str
    method: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Hold(Order):
    """D29: the one who defends now, face down."""

    notation = "hold {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Force(Order):
    """D32: the attack is made by arms."""

    notation = "force"


@dataclass(frozen=True, slots=True)
class Scheme(Order):
    """D32: the attack is made by a stratagem."""

    notation = "scheme {method}"
    method: Keyword


@dataclass(frozen=True, slots=True)
class Shoot(Order):
    """D41: 射撃 at somebody who lies face up."""

    notation = "shoot {person} at {target}"
    person: str
    target: str


@dataclass(frozen=True, slots=True)
class Retreat(Order):
    """D44: the loser gets away for cards of the deck."""

    notation = "retreat"


@dataclass(frozen=True, slots=True)
class Fall(Order):
    """D44: no retreat."""

    notation = "fall"


@dataclass(frozen=True, slots=True)
class Plunder(Order):
    """D02 強奪: a trophy taken back, or a card of the enemy's hand."""

    notation = "plunder {what}"
    what: str


@dataclass(frozen=True, slots=True)
class GoOn(Quiet):
    """D47: the next attacker."""

    notation = "continue"


@dataclass(frozen=True, slots=True)
class Stop(Order):
    """D47: the attack is broken off."""

    notation = "stop"


# --- multiplayer


@dataclass(frozen=True, slots=True)
class Place(Quiet):
    """M18: a land of the hand comes to the field."""

    notation = "place {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class PlaceOpen(Quiet):
    """M18: the same with a card that everybody knows."""

    notation = "place {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Event(Order):
    """M20: a yellow card of the hand makes an event."""

    notation = "event {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class EventOpen(Order):
    """M20: the same with a card that everybody knows."""

    notation = "event {card}"
    card: str


@dataclass(frozen=True, slots=True)
class EventLeader(Order):
    """M20: the yellow leader makes an event."""

    notation = "event-leader"


@dataclass(frozen=True, slots=True)
class Extra(Order):
    """M21: one more card instead."""

    notation = "draw"


@dataclass(frozen=True, slots=True)
class Challenge(Quiet):
    """M23: attack a player with a card of the hand, set next."""

    notation = "challenge {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class Lead(Order):
    """M16: attack a player with the leader."""

    notation = "lead {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class Commit(Order):
    """M23: the person who fights, face down."""

    notation = "commit {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Defend(Quiet):
    """M23: answer with a card of the hand, set next."""

    notation = "defend"


@dataclass(frozen=True, slots=True)
class DefendLeader(Order):
    """M16: the leader answers."""

    notation = "defend-leader"


@dataclass(frozen=True, slots=True)
class Unable(Order):
    """M23: there is nobody who could answer; checked in the audit."""

    notation = "unable"


@dataclass(frozen=True, slots=True)
class ByArms(Order):
    """M24: 攻 against 防."""

    notation = "arms"


@dataclass(frozen=True, slots=True)
class ByWits(Order):
    """M24: 智 against 智."""

    notation = "wits"


@dataclass(frozen=True, slots=True)
class Effect(Order):
    """M25, M29: a card's attribute for or against one of the two players who fight."""

    notation = "effect {card} on {seat}"
    card: Handle
    seat: str


@dataclass(frozen=True, slots=True)
class EffectOpen(Order):
    """M25, M29: the same with a card that everybody knows."""

    notation = "effect {card} on {seat}"
    card: str
    seat: str


@dataclass(frozen=True, slots=True)
class EffectLeader(Order):
    """M16: the ready leader's attribute."""

    notation = "effect-leader on {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class PassBattle(Order):
    """M13: use nothing in this battle any more."""

    notation = "pass-battle"


@dataclass(frozen=True, slots=True)
class Capture(Order):
    """M27: take one of the loser's lands, at random."""

    notation = "capture"


@dataclass(frozen=True, slots=True)
class Swap(Order):
    """M28, event 1: the person of the hand who becomes the leader."""

    notation = "leader {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoSwap(Order):
    """M28, event 1: nobody in the hand could; checked in the audit."""

    notation = "nobody"


@dataclass(frozen=True, slots=True)
class Rob(Order):
    """M28, events 4 and 5: from whom a card or a land is taken at random."""

    notation = "rob {seat}"
    seat: str


MOVES: tuple[type[Move], ...] = (
    Build, Redeal, Begin, Return, Release, TakeRouted, Recruit, RecruitOpen, Pay, Discard, DiscardOpen, Mill,
    Trade, Hunt, Repair, Scout, Use, Play, PlayOpen, Target, Name, Bring, BringOpen, Arrange, TakeBack, Attack,
    Join, JoinOpen, Grove, Sortie, Guard, Abandon, Send, Advance, Conceal, Intercept, Siege, Stand, Hold, Force,
    Scheme, Shoot, Retreat, Fall, Plunder, GoOn, Stop, Place, PlaceOpen, Event, EventOpen, EventLeader, Extra,
    Challenge, Lead, Commit, Defend, DefendLeader, Unable, ByArms, ByWits, Effect, EffectOpen, EffectLeader,
    PassBattle, Capture, Swap, NoSwap, Rob, Pass, Done,
)  # fmt: skip
