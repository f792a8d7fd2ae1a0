"""1.0 to 5.0 and 7.0 of the tiny game: decks, turns, deeds and hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.engine.events import Event
from pbem.engine.handles import seat_of
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.position import Unlawful
from pbem.engine.procedure import (
    Deal,
    Dice,
    Drawn,
    Goto,
    Perform,
    Procedure,
    Shuffling,
    chooses,
    chooses_secretly,
    deals,
    draws,
    fills_secretly,
    opens,
    rolls,
    rule,
    shuffles,
)
from pbem.toml import quoted
from tests.tiny.cards import Effect, Refill
from tests.tiny.moves import Ambush, Bid, Boast, Bury, Done, Hit, Lose, Play, PutChits, Swear
from tests.tiny.position import TinyPosition


class MostPoints(Event):
    says = "most points: {points}"
    points: int


DECK = ("gold", "gold", "spy", "mill", "map", "fortune")


class FromHand(Family[Any]):
    """A card of the seat's hidden hand."""

    def __init__(self, kind: type[Play] | type[Bury], pos: TinyPosition, seat: str) -> None:
        self.kind = kind
        self.hand = pos.players[seat].hand

    def moves(self, view: View) -> Iterable[Any]:
        return [self.kind(h) for h in self.hand if view.value(h) is not None]

    def why_not(self, move: Any, view: View) -> Refusal | None:
        return None if move.card in self.hand else Refusal("6.1", "the card is not in your hand")


class Oath(Family[Swear]):
    """An oath is listed for who can swear it; whether it was true only the audit can tell."""

    kind = Swear

    def __init__(self, hand: tuple[Handle, ...]) -> None:
        self.hand = hand

    def moves(self, view: View) -> Iterable[Swear]:
        return [] if any(view.value(h) == "gold" for h in self.hand) else [Swear()]

    def why_not(self, move: Swear, view: View) -> Refusal | None:
        return None if self.moves(view) else Refusal("6.7", "you hold gold")


@dataclass(slots=True)
class Game(Procedure):
    """1.0 THE GAME: decks, then turns."""

    seat: int = 0

    def own_deck(self, pos: TinyPosition) -> Shuffling | None:
        if pos.shared:
            return Shuffling("deck", "", DECK * len(pos.seats)) if self.seat == 0 else None
        seat = pos.seats[self.seat]
        return Shuffling(f"deck-{seat}", seat, DECK)

    @shuffles("1.1", own_deck)
    def decks(self, pos: TinyPosition) -> Goto | None:
        """Every seat has a deck of six cards, or all share one."""
        self.seat += 1
        return Goto("decks") if self.seat < len(pos.seats) and not pos.shared else None

    def first_hands(self, pos: TinyPosition) -> tuple[Deal, ...]:
        return tuple(Deal(pos.deck_of(seat), seat, 2) for seat in pos.seats)

    @deals("1.2", first_hands)
    def hands(self, pos: TinyPosition, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """Two cards each, seen by their owner alone."""
        for seat, cards in zip(pos.seats, dealt, strict=True):
            pos.change(seat, hand=cards)

    @rule("1.3")
    def turn(self, pos: TinyPosition) -> Perform | None:
        """Turns until the last; then most points win."""
        pos.turn += 1
        if pos.turn <= pos.last_turn:
            return Perform(Turn(), then="turn")
        best = max(p.points for p in pos.players.values())
        winners = tuple(s for s in pos.seats if pos.players[s].points == best)
        pos.end(winners if len(winners) == 1 else (), MostPoints(best))
        return None


@dataclass(slots=True)
class Turn(Procedure):
    """2.0 A TURN: chits, bids, then each drawn seat acts."""

    def chits(self, pos: TinyPosition) -> list[Options]:
        two = [
            PutChits(("act", "act")),
            PutChits(("act", "rest")),
            PutChits(("rest", "act")),
            PutChits(("rest", "rest")),
        ]
        return [
            Options(s, (Among(PutChits, two, "2.1"),), "chits", "two chits for the cup", slots=2)
            for s in pos.seats
        ]

    @fills_secretly("2.1", chits)
    def fill(self, pos: TinyPosition, slots: Mapping[str, tuple[Handle, ...]]) -> None:
        """Each seat puts two chits into the cup, unseen."""
        pos.cup = tuple(h for made in slots.values() for h in made)

    def bids(self, pos: TinyPosition) -> list[Options]:
        return [
            Options(
                s,
                (Among(Bid, [Bid(n) for n in range(pos.players[s].stones + 1)], "3.1"),),
                "bid",
                "a bid in stones",
            )
            for s in pos.seats
        ]

    @chooses_secretly("3.1", bids)
    def bid(self, pos: TinyPosition, moves: Mapping[str, Bid]) -> None:
        """The only highest bid wins two points and is paid."""
        best = max(m.stones for m in moves.values())
        top = [s for s, m in moves.items() if m.stones == best]
        if len(top) == 1 and best:
            pos.score(top[0], 2)
            pos.change(top[0], stones=pos.players[top[0]].stones - best)

    def in_cup(self, pos: TinyPosition) -> tuple[Handle, ...] | None:
        return pos.cup if len(pos.cup) > len(pos.seats) else None

    @draws("2.2", in_cup, opened=True)
    def draw(self, pos: TinyPosition, drawn: Drawn) -> Perform | Goto:
        """A chit is drawn: its owner acts or rests. Some chits are never drawn: the audit checks them."""
        pos.cup = tuple(h for h in pos.cup if h != drawn.handle)
        seat = seat_of(drawn.handle)
        if drawn.value not in ("act", "rest"):
            raise Unlawful(seat, "2.1", f"{quoted(drawn.value)} is no chit")
        return Perform(Action(seat), then="draw") if drawn.value == "act" else Goto("draw")

    @rule("2.3")
    def empty(self, pos: TinyPosition) -> None:
        """Chits left in the cup go back unseen."""
        for handle in pos.cup:
            del pos.hidden[handle]
        pos.cup = ()


@dataclass(slots=True)
class Action(Procedure):
    """4.0 ACTION: up to three deeds of one seat, then an ambush."""

    seat: str
    left: int = 3
    trap: Handle | None = None

    def deeds(self, pos: TinyPosition) -> Options | None:
        if self.left == 0:
            return None
        me = pos.players[self.seat]
        families: list[Family[Any]] = [
            Among(
                Hit, [Hit(s) for s in pos.seats if s != self.seat], "5.1", lambda m: f"{m.target} is no enemy"
            ),
            Oath(me.hand),
            Among(Done, [Done()], "4.1"),
        ]
        if me.hand:
            families.append(FromHand(Play, pos, self.seat))
            if not pos.shared:
                families.append(FromHand(Bury, pos, self.seat))
        return Options(self.seat, tuple(families), "deed", "what to do", hidden=bool(me.hand))

    @chooses("4.1", deeds)
    def deed(self, pos: TinyPosition, move: Any) -> Any:
        """Hit, play, bury, swear, or be done."""
        self.left -= 1
        match move:
            case Done():
                return Goto("set_trap")
            case Hit(target):
                return Perform(Blow(self.seat, target), then="deed")
            case Swear():
                pos.claim(self.seat, "no gold", seat=self.seat, hand=list(pos.players[self.seat].hand))
                pos.score(self.seat, 1)
            case Bury(card):
                pos.take_from_hand(self.seat, card)
                name = pos.deck_of(self.seat)
                deck = pos.decks[name]
                pos.decks[name] = replace(deck, bottom=(*deck.bottom, card))
                return Perform(Refill(self.seat), then="deed")
            case Play(card):
                pos.take_from_hand(self.seat, card)
                return Perform(Effect(self.seat, pos.face(card)), then="deed")
        return Goto("deed")

    def traps(self, pos: TinyPosition) -> list[Options] | None:
        hand = pos.players[self.seat].hand
        if not hand or pos.shared:
            return None
        listed = [Ambush((h,)) for h in hand]
        return [
            Options(self.seat, (Among(Ambush, listed, "7.1"),), "ambush", "a card set face down", slots=1)
        ]

    @fills_secretly("7.1", traps)
    def set_trap(self, pos: TinyPosition, slots: Mapping[str, tuple[Handle, ...]]) -> None:
        """One hand card is named in secret."""
        (self.trap,) = slots[self.seat]

    def the_trap(self, pos: TinyPosition) -> tuple[Handle, ...] | None:
        return (self.trap,) if self.trap else None

    @opens("7.2", the_trap)
    def spring(self, pos: TinyPosition, values: Mapping[Handle, str]) -> None:
        """It is opened: first which slot, then the card itself."""
        named = Handle(values[self.trap])
        if named not in pos.players[self.seat].hand:
            raise Unlawful(self.seat, "7.1", "the card set face down was not in hand")
        self.trap = named

    @opens("7.3", the_trap)
    def show(self, pos: TinyPosition, values: Mapping[Handle, str]) -> None:
        """Gold set face down is worth one point."""
        pos.take_from_hand(self.seat, self.trap)
        if values[self.trap] == "gold":
            pos.score(self.seat, 1)


@dataclass(slots=True)
class Blow(Procedure):
    """5.0 A HIT: one die, and the target chooses its loss."""

    seat: str
    target: str
    hurt: bool = False

    @rolls("5.1", Dice(1, 6))
    def roll(self, pos: TinyPosition, dice: tuple[int, ...]) -> None:
        """Three or more hurts."""
        self.hurt = dice[0] >= 3

    def losses(self, pos: TinyPosition) -> Options | None:
        if not self.hurt:
            return None
        me = pos.players[self.target]
        listed = [Lose(what) for what, n in (("stone", me.stones), ("point", me.points), ("face", 1)) if n]
        return Options(self.target, (Among(Lose, listed, "5.2"),), "loss", "what to lose")

    @chooses("5.2", losses)
    def lose(self, pos: TinyPosition, move: Lose) -> None:
        """The target gives up a stone, a point, or face."""
        me = pos.players[self.target]
        if move.what == "stone":
            pos.change(self.target, stones=me.stones - 1)
        elif move.what == "point":
            pos.score(self.target, -1)

    def boasts(self, pos: TinyPosition) -> Options | None:
        if not self.hurt:
            return None
        return Options(self.seat, (Among(Boast, [Boast(0), Boast(1)], "5.3"),), "boast", "boast 0 or 1")

    @chooses("5.3", boasts)
    def boast(self, pos: TinyPosition, move: Boast) -> None:
        """The attacker may take a point."""
        pos.score(self.seat, move.points)
