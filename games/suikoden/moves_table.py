"""The orders of the multiplayer game (M). `moves` says why some come in two classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.suikoden.moves import Extra
from pbem.engine.notation import Handle, Move


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
    claims: ClassVar[bool] = True


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


TABLE: tuple[type[Move], ...] = (
    Place, PlaceOpen, Event, EventOpen, EventLeader, Extra, Challenge, Lead, Commit, Defend,
    DefendLeader, Unable, ByArms, ByWits, Effect, EffectOpen, EffectLeader, PassBattle, Capture,
    Swap, NoSwap, Rob,
)  # fmt: skip
"""What may be done in a turn, a duel and an event."""
