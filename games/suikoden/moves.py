"""The orders of suikoden, each with its notation. 水滸伝's names do as well as ids.

A card of the hand is hidden, and playing it shows it; but a card that came back to the hand in the open is
known to all. So there are two classes of such orders, written alike: one names a hidden card (`Handle`), the
other, `…Open`, a card that everybody knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

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


@dataclass(frozen=True, slots=True)
class Extra(Move):
    """D02, M21: one more card."""

    notation = "draw"


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


HOME: tuple[type[Move], ...] = (
    Build, Redeal, Begin, Return, Release, TakeRouted, Recruit, RecruitOpen, Pay, Discard,
    DiscardOpen, Mill, Trade, Hunt, Repair, Scout, Use, Play, PlayOpen, Target, Name, Bring,
    BringOpen, Arrange, TakeBack,
)  # fmt: skip
"""Setting up, the turn, and what an ability asks."""
