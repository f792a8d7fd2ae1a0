"""The orders of the table, each with its notation and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.engine.attachment import Attached
from pbem.engine.notation import Handle, Move, Prose


class Steady(Move):
    """An order after which the same seat goes on."""

    __slots__ = ()
    interrupts: ClassVar[bool] = False


# --- words


@dataclass(frozen=True, slots=True)
class Do(Move):
    """2.1: what one did on the board."""

    notation = "do {text*}"
    text: Prose


@dataclass(frozen=True, slots=True)
class Ask(Move):
    """2.2: a question to another seat, which answers before the word comes back."""

    notation = "ask {seat} {text*}"
    seat: str
    text: Prose = Prose("")


@dataclass(frozen=True, slots=True)
class NoReaction(Move):
    """2.3: nothing (more) to say to that."""

    notation = "no reaction"


@dataclass(frozen=True, slots=True)
class Call(Move):
    """2.4: everybody writes something in secret now."""

    notation = "call {text*}"
    text: Prose


@dataclass(frozen=True, slots=True)
class Seal(Move):
    """2.4: written orders, a bid, a plan: opened together with those of the others."""

    notation = "seal {text*}"
    text: Prose


@dataclass(frozen=True, slots=True)
class Attach(Steady):
    """2.5: a file goes with the move; its name, size and digest are signed."""

    notation = "attach {file} {text*}"
    file: Attached
    text: Prose = Prose("")


# --- dice and cups


@dataclass(frozen=True, slots=True)
class Roll(Steady):
    """3.1: dice, and what each throw is for."""

    notation = "roll {what*}"
    what: Prose


@dataclass(frozen=True, slots=True)
class Pull(Steady):
    """4.1: a chit from a cup."""

    notation = "pull {cup} {text*}"
    cup: str
    text: Prose = Prose("")


@dataclass(frozen=True, slots=True)
class PutIn(Steady):
    """4.2: chits go back into their cup."""

    notation = "put {chits*} into {cup}"
    chits: tuple[str, ...]
    cup: str


# --- decks


@dataclass(frozen=True, slots=True)
class Draw(Steady):
    """5.3: cards from a deck into one's hand."""

    notation = "draw {count} from {deck}"
    count: int
    deck: str


@dataclass(frozen=True, slots=True)
class DealOut(Steady):
    """5.4: cards from a deck to everybody."""

    notation = "deal {count} from {deck}"
    count: int
    deck: str


@dataclass(frozen=True, slots=True)
class Look(Steady):
    """5.5: the top cards of a deck, seen by one seat."""

    notation = "look at the top {count} of {deck}"
    count: int
    deck: str


@dataclass(frozen=True, slots=True)
class TurnUp(Steady):
    """5.6: the top cards of a deck, for all to see."""

    notation = "turn {count} of {deck}"
    count: int
    deck: str


@dataclass(frozen=True, slots=True)
class ShuffleDeck(Steady):
    """5.8: the discards go back into the deck."""

    notation = "shuffle {deck}"
    deck: str


@dataclass(frozen=True, slots=True)
class Gather(Steady):
    """5.9: all cards of a deck, those in hands too, make a new one."""

    notation = "gather {deck}"
    deck: str


# --- cards


@dataclass(frozen=True, slots=True)
class Play(Move):
    """6.1: a card from the hand, for all to see."""

    notation = "play {card} {text*}"
    card: Handle
    text: Prose = Prose("")


@dataclass(frozen=True, slots=True)
class Reveal(Move):
    """6.2: cards are laid open before their seat."""

    notation = "reveal {cards*}"
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Discard(Steady):
    """6.3: cards to an open discard pile."""

    notation = "discard {cards*}"
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Drop(Steady):
    """6.3: cards to a closed discard pile, unseen."""

    notation = "drop {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Remove(Move):
    """6.4: a card is played and leaves the game."""

    notation = "remove {card} {text*}"
    card: Handle
    text: Prose = Prose("")


@dataclass(frozen=True, slots=True)
class SetAside(Steady):
    """6.5: cards are set aside face down."""

    notation = "aside {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Keep(Steady):
    """6.6: cards that were looked at or set aside go into the hand."""

    notation = "keep {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class OnTop(Steady):
    """6.7: cards go on top of their deck, the first one uppermost."""

    notation = "top {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    ordered: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Bury(Steady):
    """6.8: cards go under their deck."""

    notation = "bury {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    ordered: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Give(Steady):
    """6.9: cards to another seat, unseen by the rest."""

    notation = "give {cards*} to {seat}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]
    seat: str


@dataclass(frozen=True, slots=True)
class Return(Steady):
    """6.10: cards go back into their deck unseen, and it is shuffled."""

    notation = "return {cards*}"
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class TakeFrom(Steady):
    """6.11: a card at random from another hand."""

    notation = "take from {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class MoveCards(Steady):
    """6.12: open cards go elsewhere."""

    notation = "move {cards*} to {place}"
    cards: tuple[str, ...]
    place: str


# --- the course of play


@dataclass(frozen=True, slots=True)
class SetTrack(Steady):
    """7.1: a track or counter."""

    notation = "set {track} {value}"
    track: str
    value: str


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """1.4: the word goes to the next seat."""

    notation = "pass"


@dataclass(frozen=True, slots=True)
class PassTo(Move):
    """1.4: the word goes to a seat."""

    notation = "pass to {seat}"
    seat: str


@dataclass(frozen=True, slots=True)
class NextPhase(Move):
    """1.5: the next phase begins."""

    notation = "phase"


@dataclass(frozen=True, slots=True)
class End(Move):
    """8.1: the game is over, and who has won it."""

    notation = "end {winner} {text*}"
    winner: str
    text: Prose = Prose("")


@dataclass(frozen=True, slots=True)
class Agree(Move):
    """8.2: yes, it is over."""

    notation = "agree"


@dataclass(frozen=True, slots=True)
class GoOn(Move):
    """8.2: no, it goes on."""

    notation = "go on"


FROM_HAND = (Play, Reveal, Discard, Drop, Remove, SetAside, Keep, OnTop, Bury, Give, Return)
MOVES: tuple[type[Move], ...] = (
    Do, Ask, NoReaction, Call, Seal, Attach, Roll, Pull, PutIn, Draw, DealOut, Look, TurnUp, ShuffleDeck,
    Gather, *FROM_HAND, TakeFrom, MoveCards, SetTrack, Pass, PassTo, NextPhase, End, Agree, GoOn,
)  # fmt: skip
