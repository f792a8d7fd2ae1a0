"""The rules of the tiny game: every primitive of the engine, for two to six seats."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.engine.handles import seat_of
from pbem.engine.notation import Handle
from pbem.engine.options import PUBLIC, Among, Family, Options, Refusal, View
from pbem.engine.position import Unlawful
from pbem.engine.procedure import (
    Deal,
    Dice,
    Drawn,
    Finish,
    Goto,
    Passing,
    Perform,
    Procedure,
    Shuffling,
    chooses,
    chooses_secretly,
    deals,
    draws,
    fills_secretly,
    opens,
    passes,
    rolls,
    rule,
    shuffles,
)
from pbem.engine.rules import Rules
from pbem.engine.scene import Owner, Piece, Scene, Tray
from pbem.engine.shown import Choice
from tests.tiny.moves import Ambush, Bid, Boast, Bury, Done, Fetch, Hit, Lose, Play, PutChits, Swear
from tests.tiny.position import Discards, Player, TinyPosition

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
        pos.end(winners if len(winners) == 1 else (), f"most points: {best}")
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
            raise Unlawful(seat, "2.1", f"{drawn.value!r} is no chit")
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
                pos.decks[name] = Dealt(deck).bury(card)
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


class Dealt:
    """Small operations on a deck."""

    def __init__(self, deck: Any) -> None:
        self.deck = deck

    def bury(self, card: Handle) -> Any:
        from dataclasses import replace

        return replace(self.deck, bottom=(*self.deck.bottom, card))


@dataclass(slots=True)
class Refill(Procedure):
    """6.6: after burying, one card is drawn; an empty deck is made anew of its discards."""

    seat: str

    def one(self, pos: TinyPosition) -> tuple[Deal, ...]:
        return (Deal(pos.deck_of(self.seat), self.seat),)

    @deals("6.6", one)
    def refill(self, pos: TinyPosition, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        pos.change(self.seat, hand=(*pos.players[self.seat].hand, *dealt[0]))


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


@dataclass(slots=True)
class Effect(Procedure):
    """6.0 CARDS: what a played card does."""

    seat: str
    card: str
    taken: Handle | None = None

    @rule("6.1")
    def discard(self, pos: TinyPosition) -> Goto | None:
        """The card goes to the discards, then its effect."""
        name = pos.deck_of(self.seat)
        pos.discards[name] = Discards((*pos.discards[name].cards, self.card))
        if self.card == "gold":
            pos.score(self.seat, 3)
        return Goto(
            {"gold": "recycle", "spy": "steal", "mill": "mill", "map": "look", "fortune": "fortune"}[
                self.card
            ]
        )

    def victim(self, pos: TinyPosition) -> str:
        return pos.seats[(pos.seats.index(self.seat) + 1) % len(pos.seats)]

    def their_hand(self, pos: TinyPosition) -> tuple[Handle, ...]:
        return pos.players[self.victim(pos)].hand

    @draws("6.2", their_hand)
    def steal(self, pos: TinyPosition, item: Handle) -> None:
        """Spy: a random card of the next seat's hidden hand ..."""
        self.taken = item
        pos.take_from_hand(self.victim(pos), item)

    def stolen(self, pos: TinyPosition) -> Passing | None:
        return Passing((self.taken,), self.victim(pos), self.seat) if self.taken else None

    @passes("6.2", stolen)
    def hand_over(self, pos: TinyPosition) -> Goto:
        """... goes to the spy, unseen by the others."""
        pos.change(self.seat, hand=(*pos.players[self.seat].hand, self.taken))
        return Goto("recycle")

    def own_stock(self, pos: TinyPosition) -> tuple[Handle, ...] | None:
        return pos.decks[pos.deck_of(self.seat)].rest if self.card == "mill" else None

    @draws("6.3", own_stock, opened=True)
    def mill(self, pos: TinyPosition, drawn: Drawn) -> Goto:
        """Mill: a card of the own deck is turned up and discarded."""
        name = pos.deck_of(self.seat)
        pos.draw_from(name, [drawn.handle])
        pos.discards[name] = Discards((*pos.discards[name].cards, drawn.value))
        return Goto("recycle")

    def search(self, pos: TinyPosition) -> Options | None:
        deck = pos.decks[pos.deck_of(self.seat)]
        if self.card != "map" or not deck.rest or pos.shared:
            return None
        families = (Sought(deck.rest), Among(Done, [Done()], "6.4"))
        return Options(self.seat, families, "search", "a card to fetch", hidden=True, looks=deck.rest)

    @chooses("6.4", search)
    def look(self, pos: TinyPosition, move: Fetch | Done) -> None:
        """Map: the owner looks through its deck and may take a card; that it is no gold is a claim."""
        if isinstance(move, Done):
            return
        name = pos.deck_of(self.seat)
        pos.draw_from(name, [move.card])
        pos.change(self.seat, hand=(*pos.players[self.seat].hand, move.card))
        pos.claim(self.seat, "fetched no gold", card=move.card)

    def luck(self, pos: TinyPosition) -> tuple[str, ...] | None:
        return pos.pool if self.card == "fortune" else None

    @draws("6.5", luck)
    def fortune(self, pos: TinyPosition, item: str) -> None:
        """Fortune: a number drawn from an open pool, for good."""
        pos.pool = tuple(n for n in pos.pool if n != item)
        pos.score(self.seat, {"one": 1, "two": 2, "three": 3, "four": 4}[item])

    def empty(self, pos: TinyPosition) -> Shuffling | None:
        name = pos.deck_of(self.seat)
        deck = pos.decks[name]
        if len(deck) or not pos.discards[name].cards:
            return None
        return Shuffling(name, deck.owner, pos.discards[name].cards)

    @shuffles("6.8", empty)
    def recycle(self, pos: TinyPosition) -> Finish:
        """An empty deck is made anew of its discards."""
        pos.discards[pos.deck_of(self.seat)] = Discards()
        return Finish()


class Sought(Family[Fetch]):
    """A card of the own deck, gold excepted: the others cannot see that, so it is also a claim."""

    kind = Fetch

    def __init__(self, rest: tuple[Handle, ...]) -> None:
        self.rest = rest

    def moves(self, view: View) -> Iterable[Fetch]:
        return [Fetch(h) for h in self.rest if view.value(h) not in (None, "gold")]

    def why_not(self, move: Fetch, view: View) -> Refusal | None:
        return None if move.card in self.rest else Refusal("6.4", "the card is not in the deck")


@dataclass(frozen=True)
class TinyPack:
    """The tiny game has no data but its length."""

    turns: int = 3
    digest: str = hashlib.sha256(b"tiny").hexdigest()


def _no_gold(pos: Any, truth: Mapping[Handle, str], seat: str, hand: list[Handle]) -> bool:
    return all(truth[h] != "gold" for h in hand)


class TinyRules(Rules[TinyPosition, TinyPack]):
    """Registered in tests only."""

    name = "tiny"
    title = "Tiny"
    version = "1"
    seats = (2, 6)
    position = TinyPosition
    procedures = (Game, Turn, Action, Refill, Blow, Effect)
    moves = (PutChits, Bid, Hit, Lose, Boast, Play, Bury, Fetch, Swear, Ambush, Done)
    asks = dict.fromkeys(("chits", "bid", "deed", "ambush", "loss", "boast", "search"), ())
    claims = {"no gold": _no_gold, "fetched no gold": lambda pos, truth, card: truth[card] != "gold"}

    def load_pack(self, path: Path | None = None) -> TinyPack:
        return TinyPack()

    def pack_from(self, tables: Mapping[str, Any]) -> TinyPack:
        return TinyPack(**tables)

    def scenarios(self, pack: TinyPack) -> Mapping[str, str]:
        return {"short": "Two turns", "long": "Six turns"}

    def choices(self, pack: TinyPack) -> tuple[Choice, ...]:
        meanings = ("each seat has a deck of its own", "all draw from one deck")
        return (Choice("deck", ("own", "shared"), "1.1", "Which deck the hands come from.", meanings),)

    def seat_names(self, pack: TinyPack, scenario: str, count: int) -> tuple[str, ...]:
        return tuple("abcdef"[:count])

    def advice(self, pos: Any, options: Options) -> Any:
        """A loss is taken where it hurts least: a face, else a stone; everything else needs a person."""
        if options.kind != "loss":
            return None
        listed = list(options.list())
        return next((m for what in ("face", "stone") for m in listed if getattr(m, "what", "") == what), None)

    def shared_decks(self, pack: TinyPack, scenario: str, options: Mapping[str, str]) -> tuple[str, ...]:
        return ("deck",) if options.get("deck") == "shared" else ()

    def start(
        self, pack: TinyPack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> TinyPosition:
        shared = options.get("deck") == "shared"
        pos = TinyPosition(seats=seats, last_turn={"short": 2, "long": 6}[scenario], shared=shared)
        for seat in seats:
            pos.players[seat] = Player()
            pos.discards[pos.deck_of(seat)] = Discards()
        pos.stack.append(Game())
        return pos

    def names(self, pos: TinyPosition) -> Iterable[str]:
        return ("stone", "point", "face", "act", "rest", *DECK)

    def headline(self, pos: TinyPosition) -> str:
        return f"turn {pos.turn} of {pos.last_turn}"

    def scene(self, pos: TinyPosition, view: View = PUBLIC) -> Scene:
        pieces, trays = [], []
        for seat, player in pos.players.items():
            hand = f"hand-{seat}"
            trays.append(Tray(hand, "hand", seat, note=self._stand(player)))
            for handle in player.hand:
                known = view.value(handle)
                states = () if known else ("back",)
                picks = ((known,),) if known else ()
                pieces.append(Piece(handle, hand, "card", "", known or "", states=states, picks=picks))
        owners = tuple(Owner(seat, seat, seat, number, seat) for number, seat in enumerate(pos.players))
        return Scene(headline=self.headline(pos), owners=owners, pieces=tuple(pieces), trays=tuple(trays))

    def _stand(self, player: Player) -> str:
        return f"{player.points} points, {player.stones} stones"

    def explain(self, pos: TinyPosition, place: str) -> str:
        return f"{place}: {self._stand(pos.players[place])}" if place in pos.seats else place

    def odds(self, pos: TinyPosition, move: Any) -> str | None:
        return "hurts with 3 to 6: 67 %" if isinstance(move, Hit) else None

    def check(self, pos: TinyPosition) -> None:
        for seat, player in pos.players.items():
            assert player.stones >= 0, f"{seat} owes stones"
            assert all(h in pos.hidden for h in player.hand), f"{seat} holds an opened card"

    def hand(self, pos: TinyPosition, seat: str) -> tuple[Handle, ...]:
        return pos.players[seat].hand

    def bot(self, seat: str, seed: int) -> Any:
        from random import Random

        rng = Random(f"{seat}{seed}")
        return lambda pos, options, view: options.sample(rng, view)


TINY = TinyRules()
