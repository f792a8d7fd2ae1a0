"""The moves of the tiny game, each with its notation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.engine.notation import Handle, Move


@dataclass(frozen=True, slots=True)
class PutChits(Move):
    """2.1: chits for the cup."""

    notation = "put {chits*}"
    chits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bid(Move):
    """3.1: a secret bid in stones."""

    notation = "bid {stones}"
    stones: int


@dataclass(frozen=True, slots=True)
class Hit(Move):
    """5.1: an attack; the target may have to choose a loss."""

    notation = "hit {target}"
    target: str


@dataclass(frozen=True, slots=True)
class Lose(Move):
    """5.2: what the target gives up."""

    notation = "lose {what}"
    what: str


@dataclass(frozen=True, slots=True)
class Boast(Move):
    """5.3: after a hit that hurt, the attacker names a price."""

    notation = "boast {points}"
    points: int


@dataclass(frozen=True, slots=True)
class Play(Move):
    """6.1: a card from the hidden hand."""

    notation = "play {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class Bury(Move):
    """6.6: a hidden card goes under the own deck, unseen."""

    notation = "bury {card}"
    secret: ClassVar[tuple[str, ...]] = ("card",)
    card: Handle


@dataclass(frozen=True, slots=True)
class Fetch(Move):
    """6.4: a card sought in the own deck, unseen by the others."""

    notation = "fetch {card}"
    claims: ClassVar[bool] = True
    secret: ClassVar[tuple[str, ...]] = ("card",)
    card: Handle


@dataclass(frozen=True, slots=True)
class Swear(Move):
    """6.7: "I hold no gold": checked in the audit."""

    notation = "swear"
    claims: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Ambush(Move):
    """7.1: one hand card set face down, by a sealed slot."""

    notation = "ambush {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Done(Move):
    """4.1: nothing more."""

    notation = "done"
