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


@dataclass(frozen=True, slots=True)
class Done(Move):
    """Nothing more of what is asked."""

    notation = "done"


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """D42, M13: use nothing now."""

    notation = "pass"


# --- setting up


@dataclass(frozen=True, slots=True)
class Build(Move):
    """D05: forty people and lands of ten stars, by slot; nobody else learns which."""

    notation = "build {people*} lands {lands*}"
    secret: ClassVar[tuple[str, ...]] = ("people", "lands")
    people: tuple[Handle, ...]
    lands: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Redeal(Move):
    """D05, S09: what was dealt allows no lawful choice; checked."""

    notation = "redeal"


@dataclass(frozen=True, slots=True)
class Begin(Move):
    """S09: who stands on the field from the start, and the five cards that are kept."""

    notation = "begin {person} keeping {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("person", "cards")
    person: Handle
    cards: tuple[Handle, ...]


# --- a turn (D, S)


@dataclass(frozen=True, slots=True)
class Return(Move):
    """D13: a wanderer comes back."""

    notation = "return {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Release(Move):
    """D15: a wanderer is discarded for one more card."""

    notation = "release {person}"
    person: str


@dataclass(frozen=True, slots=True)
class TakeRouted(Move):
    """S14: the top card of the own routed pile."""

    notation = "take"


@dataclass(frozen=True, slots=True)
class Recruit(Move):
    """D17: somebody of the hand comes to the field; the payments follow one by one."""

    notation = "recruit {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class RecruitOpen(Move):
    """D17: the same with a card that everybody knows."""

    notation = "recruit {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Pay(Move):
    """D17: one symbol is paid by somebody on the field."""

    notation = "pay {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """A card of the hand is given up."""

    notation = "discard {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class DiscardOpen(Move):
    """A card of the hand that everybody knows is given up."""

    notation = "discard {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Mill(Move):
    """D02: the top card of the own deck pays."""

    notation = "mill"


@dataclass(frozen=True, slots=True)
class Trade(Move):
    """D21: people act for a card by their wits."""

    notation = "trade {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hunt(Move):
    """D22: people act for a card by their attack."""

    notation = "hunt {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repair(Move):
    """D20: people wander for a destroyed land."""

    notation = "repair {land} by {people*}"
    land: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scout(Move):
    """D23: 情報 looks at the top three."""

    notation = "scout {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Use(Move):
    """D24, D42: a special ability of somebody on the field."""

    notation = "use {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Play(Move):
    """D24, D42: a special ability from the hand."""

    notation = "play {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class PlayOpen(Move):
    """D24, D42: the same with a card that everybody knows."""

    notation = "play {card}"
    card: str


# --- what an ability asks


@dataclass(frozen=True, slots=True)
class Target(Move):
    """Whom an effect is about."""

    notation = "target {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Name(Move):
    """Which player an effect is about."""

    notation = "name {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class Bring(Move):
    """Whom of the hand or deck an effect brings, shown to all."""

    notation = "bring {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class BringOpen(Move):
    """The same with a card that everybody knows."""

    notation = "bring {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Arrange(Move):
    """The top cards of the own deck in a new order, unseen by the others."""

    notation = "arrange {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class TakeBack(Move):
    """D24: pay what is asked and take the card back to the hand."""

    notation = "take-back"


# --- battle (D, S)


@dataclass(frozen=True, slots=True)
class Attack(Move):
    """D26: the attack is declared."""

    notation = "attack"


@dataclass(frozen=True, slots=True)
class Join(Move):
    """Q41: a card of the hand joins the attack face down."""

    notation = "join {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class JoinOpen(Move):
    """Q41: the same with a card that everybody knows."""

    notation = "join {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Grove(Move):
    """Q48: the own 竹林 fights as a person."""

    notation = "grove"


@dataclass(frozen=True, slots=True)
class Sortie(Move):
    """D27: who attacks."""

    notation = "sortie {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guard(Move):
    """D27: who defends."""

    notation = "guard {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Abandon(Move):
    """D27: nobody defends, and the land is given up."""

    notation = "abandon"


@dataclass(frozen=True, slots=True)
class Send(Move):
    """D28: the one who attacks now, face down."""

    notation = "send {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advance(Move):
    """D28: somebody who lies face up attacks now."""

    notation = "advance {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Conceal(Move):
    """D28, D29: one of those who lie face down, named next."""

    notation = "conceal"


@dataclass(frozen=True, slots=True)
class Intercept(Move):
    """D30: the defender comes out to meet the attack, by a stratagem if one is named."""

    notation = "intercept {method}"
    method: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Siege(Move):
    """D31: the defender stays behind the walls; 妖術 may be named."""

    notation = "siege {method}"
    method: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Stand(Move):
    """D47: somebody who lies face up defends, besieged."""

    notation = "stand {person} {method}"
    person: str
    method: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Hold(Move):
    """D29: the one who defends now, face down."""

    notation = "hold {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Force(Move):
    """D32: the attack is made by arms."""

    notation = "force"


@dataclass(frozen=True, slots=True)
class Scheme(Move):
    """D32: the attack is made by a stratagem."""

    notation = "scheme {method}"
    method: Keyword


@dataclass(frozen=True, slots=True)
class Shoot(Move):
    """D41: 射撃 at somebody who lies face up."""

    notation = "shoot {person} at {target}"
    person: str
    target: str


@dataclass(frozen=True, slots=True)
class Retreat(Move):
    """D44: the loser gets away for cards of the deck."""

    notation = "retreat"


@dataclass(frozen=True, slots=True)
class Fall(Move):
    """D44: no retreat."""

    notation = "fall"


@dataclass(frozen=True, slots=True)
class Plunder(Move):
    """D02 強奪: a trophy taken back, or a card of the enemy's hand."""

    notation = "plunder {what}"
    what: str


@dataclass(frozen=True, slots=True)
class GoOn(Move):
    """D47: the next attacker."""

    notation = "continue"


@dataclass(frozen=True, slots=True)
class Stop(Move):
    """D47: the attack is broken off."""

    notation = "stop"


# --- multiplayer


@dataclass(frozen=True, slots=True)
class Place(Move):
    """M18: a land of the hand comes to the field."""

    notation = "place {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class PlaceOpen(Move):
    """M18: the same with a card that everybody knows."""

    notation = "place {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Event(Move):
    """M20: a yellow card of the hand makes an event."""

    notation = "event {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class EventOpen(Move):
    """M20: the same with a card that everybody knows."""

    notation = "event {card}"
    card: str


@dataclass(frozen=True, slots=True)
class EventLeader(Move):
    """M20: the yellow leader makes an event."""

    notation = "event-leader"


@dataclass(frozen=True, slots=True)
class Extra(Move):
    """M21: one more card instead."""

    notation = "draw"


@dataclass(frozen=True, slots=True)
class Challenge(Move):
    """M23: attack a player with a card of the hand, set next."""

    notation = "challenge {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class Lead(Move):
    """M16: attack a player with the leader."""

    notation = "lead {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class Commit(Move):
    """M23: the person who fights, face down."""

    notation = "commit {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Defend(Move):
    """M23: answer with a card of the hand, set next."""

    notation = "defend"


@dataclass(frozen=True, slots=True)
class DefendLeader(Move):
    """M16: the leader answers."""

    notation = "defend-leader"


@dataclass(frozen=True, slots=True)
class Unable(Move):
    """M23: there is nobody who could answer; checked in the audit."""

    notation = "unable"


@dataclass(frozen=True, slots=True)
class ByArms(Move):
    """M24: 攻 against 防."""

    notation = "arms"


@dataclass(frozen=True, slots=True)
class ByWits(Move):
    """M24: 智 against 智."""

    notation = "wits"


@dataclass(frozen=True, slots=True)
class Effect(Move):
    """M25, M29: a card's attribute for or against one of the two players who fight."""

    notation = "effect {card} on {seat}"
    card: Handle
    seat: str


@dataclass(frozen=True, slots=True)
class EffectOpen(Move):
    """M25, M29: the same with a card that everybody knows."""

    notation = "effect {card} on {seat}"
    card: str
    seat: str


@dataclass(frozen=True, slots=True)
class EffectLeader(Move):
    """M16: the ready leader's attribute."""

    notation = "effect-leader on {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class PassBattle(Move):
    """M13: use nothing in this battle any more."""

    notation = "pass-battle"


@dataclass(frozen=True, slots=True)
class Capture(Move):
    """M27: take one of the loser's lands, at random."""

    notation = "capture"


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """M28, event 1: the person of the hand who becomes the leader."""

    notation = "leader {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoSwap(Move):
    """M28, event 1: nobody in the hand could; checked in the audit."""

    notation = "nobody"


@dataclass(frozen=True, slots=True)
class Rob(Move):
    """M28, events 4 and 5: from whom a card or a land is taken at random."""

    notation = "rob {seat}"
    seat: str


MOVES: tuple[type[Move], ...] = (
    Build, Redeal, Begin, Return, Release, TakeRouted, Recruit, RecruitOpen, Pay, Discard,
    DiscardOpen, Mill, Trade, Hunt, Repair, Scout, Use, Play, PlayOpen, Target, Name, Bring,
    BringOpen, Arrange, TakeBack, Attack, Join, JoinOpen, Grove, Sortie, Guard, Abandon, Send,
    Advance, Conceal, Intercept, Siege, Stand, Hold, Force, Scheme, Shoot, Retreat, Fall, Plunder,
    GoOn, Stop, Place, PlaceOpen, Event, EventOpen, EventLeader, Extra, Challenge, Lead, Commit,
    Defend, DefendLeader, Unable, ByArms, ByWits, Effect, EffectOpen, EffectLeader, PassBattle,
    Capture, Swap, NoSwap, Rob, Pass, Done,
)  # fmt: skip
