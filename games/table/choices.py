"""What may be ordered: the questions to a seat, each with its families of orders.

The table has no rules of a game. An order is refused only if it cannot be done: a card that is not in the
hand, a cup that is empty, a box that the track does not have, a word out of turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

from games.kit.families import Seldom
from games.table.dice import read as read_dice
from games.table.moves import (
    Agree,
    Ask,
    Attach,
    Bury,
    Call,
    DealOut,
    Discard,
    Do,
    Draw,
    Drop,
    End,
    Gather,
    Give,
    GoOn,
    Keep,
    Look,
    MoveCards,
    NextPhase,
    NoReaction,
    OnTop,
    Pass,
    PassTo,
    Play,
    Pull,
    PutIn,
    Remove,
    Return,
    Reveal,
    Roll,
    Seal,
    SetAside,
    SetTrack,
    ShuffleDeck,
    TakeFrom,
    TurnUp,
)
from games.table.places import DISCARDS, REMOVED, open_cards, track_value
from games.table.position import TablePosition, deck_of
from pbem.engine import attachment
from pbem.engine.attachment import Attached
from pbem.engine.notation import Handle, Move, Prose
from pbem.engine.options import Among, Family, Options, Refusal, View

TEXT = 1000
"""No line has more letters."""
AT_ONCE = 60
"""So many cards may be drawn by one order."""
NOBODY = "nobody"
SAMPLE = attachment.Attachment(
    "board.vsav", 5, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
)

TRIED_ROLLS = [
    Roll(Prose("2d6+1 attack on 2214, 1d10-1 morale of 3rd")),
    Roll(Prose("5d6>=4 volley and 3d% weather")),
]

Check = Callable[[Any], Refusal | str | None]
"""Why an order cannot be done; None if it can."""


class Free(Family[Any]):
    """Orders of one class that are too many to be listed: some usual ones, and a check for every other."""

    def __init__(
        self, kind: type[Move], rule: str, usual: Iterable[Move], check: Check, tried: Iterable[Move] = ()
    ) -> None:
        """`tried`: what random play gives besides, to see that it goes through."""
        self.kind, self._rule, self._usual, self._check = kind, rule, tuple(usual), check
        self._tried = tuple(tried)

    def moves(self, view: View) -> Iterator[Any]:
        return (move for move in self._usual if self._check(move) is None)

    def why_not(self, move: Any, view: View) -> Refusal | None:
        long = len(getattr(move, "text", getattr(move, "what", ""))) > TEXT
        reason = f"a line has at most {TEXT} letters" if long else self._check(move)
        return reason if reason is None or isinstance(reason, Refusal) else Refusal(self._rule, reason)

    def sample(self, rng: Random, view: View) -> Any:
        listed = [move for move in (*self._usual, *self._tried) if self._check(move) is None]
        return rng.choice(listed) if listed else None


class FromHand(Family[Any]):
    """Orders with face-down cards that the seat knows: in hand, set aside, or looked at on top of a deck."""

    def __init__(
        self,
        kind: Any,
        rule: str,
        cards: Iterable[Handle],
        check: Callable[[tuple[Handle, ...]], str | None] = lambda cards: None,
        more: tuple[tuple[Any, ...], ...] = ((),),
        where: str = "in your hand",
    ) -> None:
        self.kind, self._rule, self._cards = kind, rule, tuple(cards)
        self._check, self._more, self._where = check, more, where
        self._many = "cards" in kind.__dataclass_fields__

    def _made(self, cards: tuple[Handle, ...], more: tuple[Any, ...]) -> Move:
        made: Move = self.kind(cards if self._many else cards[0], *more)
        return made

    def moves(self, view: View) -> Iterator[Any]:
        for card in self._cards:
            if view.value(card) is not None and self._check((card,)) is None:
                yield from (self._made((card,), more) for more in self._more)

    def why_not(self, move: Any, view: View) -> Refusal | None:
        cards = move.cards if self._many else (move.card,)
        if not cards:
            return Refusal(self._rule, "name the cards")
        if len(getattr(move, "text", "")) > TEXT:
            return Refusal(self._rule, f"a line has at most {TEXT} letters")
        if any(card not in self._cards for card in cards) or len(set(cards)) < len(cards):
            return Refusal(self._rule, f"the card is not {self._where}")
        rest = [more for more in self._more if not more or more[0] == getattr(move, "seat", None)]
        if not rest:
            return Refusal(self._rule, f"{move.seat} is no other seat")
        reason = self._check(cards)
        return None if reason is None else Refusal(self._rule, reason)

    def sample(self, rng: Random, view: View) -> Any:
        known = [card for card in self._cards if view.value(card) is not None]
        for count in (rng.choice((1, 1, 2, 3)), 1) if self._many else (1,):
            cards = tuple(rng.sample(known, min(count, len(known))))
            if cards and self._check(cards) is None:
                return self._made(cards, rng.choice(self._more))
        return None


# --- the questions


def acts(pos: TablePosition, seat: str) -> Options:
    """1.3: the seat that has the word."""
    others = tuple(one for one in pos.seats if one != seat)
    families = [*_deeds(pos, seat), *_course(pos, seat, others)]
    phase = pos.present_phase
    now = f"{phase.title}: " if phase else ""
    return Options(seat, tuple(families), "word", f"{now}you have the word", hidden=True)


def reactions(pos: TablePosition, seat: str, to: str) -> Options:
    """2.3: a seat that is asked while another has the word."""
    families = (Among(NoReaction, [NoReaction()], "2.3"), *_deeds(pos, seat))
    return Options(seat, families, "reaction", f"your reaction to: {to}", hidden=True)


def writings(pos: TablePosition, seat: str, what: str) -> Options:
    """2.4: what a seat writes in secret."""
    family = Free(Seal, "2.4", [Seal(Prose("nothing"))], _said)
    return Options(seat, (family,), "written", f"write in secret: {what}", hidden=True)


def endings(pos: TablePosition, seat: str, by: str, winner: str) -> Options:
    """8.2: whether the game is over."""
    who = f"{winner} has won" if winner in pos.seats else "nobody has won"
    families = (Among(Agree, [Agree()], "8.2"), Seldom(GoOn(), "8.2", 0.1))
    return Options(seat, families, "end", f"{by} says that the game is over and {who}: do you agree?")


# --- what can be done


def _deeds(pos: TablePosition, seat: str) -> list[Family[Any]]:
    found: list[Family[Any]] = [
        Free(Do, "2.1", [], _said, [Do(Prose('1st corps 2213-2214, attacks "the mill"'))]),
        Free(Attach, "2.5", [], _is_file, [Attach(Attached(SAMPLE.word()), Prose("after my move"))]),
        Free(Roll, "3.1", _usual_rolls(pos), lambda move: _why_no_roll(pos, move), TRIED_ROLLS),
    ]
    if pos.cups:
        found += _cup_orders(pos)
    if pos.piles:
        found += [*_deck_orders(pos, seat), *_card_orders(pos, seat)]
    if pos.tracks:
        found.append(_track_orders(pos))
    return found


def _course(pos: TablePosition, seat: str, others: tuple[str, ...]) -> list[Family[Any]]:
    after = pos.seats[(pos.seats.index(seat) + 1) % len(pos.seats)]
    to = others if pos.box.free else (after,)
    found: list[Family[Any]] = [
        Free(Ask, "2.2", [Ask(other) for other in others], lambda m: _other(m.seat, others)),
        Free(Call, "2.4", [], _said, [Call(Prose("bids for the first move"))]),
        Among(Pass, [Pass()], "1.4"),
        Among(PassTo, [PassTo(one) for one in to], "1.4", lambda m: _no_pass(m.seat, others, after)),
        _Rare(End, "8.1", [End(one) for one in (*pos.seats, NOBODY)], lambda m: _winner(pos, m.winner)),
    ]
    if pos.box.phases:
        found.append(Among(NextPhase, [NextPhase()], "1.5"))
    return found


class _Rare(Free):
    """What ends the game: random play takes it seldom."""

    def sample(self, rng: Random, view: View) -> Any:
        return super().sample(rng, view) if rng.random() < 0.25 else None


def _said(move: Any) -> str | None:
    return None if move.text else "say something"


def _is_file(move: Attach) -> str | None:
    if attachment.read(move.file) is not None:
        return None
    return f"{move.file[:80]} is no file here: name one on your disk"


def _other(seat: str, others: tuple[str, ...]) -> str | None:
    return None if seat in others else f"{seat} is no other seat; the others are {', '.join(others)}"


def _no_pass(seat: str, others: tuple[str, ...], after: str) -> str:
    return _other(seat, others) or f"the word goes round: after you comes {after}"


def _winner(pos: TablePosition, winner: str) -> str | None:
    known = (*pos.seats, NOBODY)
    return None if winner in known else f"{winner} cannot win; write one of {', '.join(known)}"


# --- dice, cups, tracks


def _usual_rolls(pos: TablePosition) -> list[Roll]:
    kit = pos.box
    charts = [
        f"{c.id}/{column}" if column else c.id for c in kit.charts.values() for column in c.columns or ("",)
    ]
    return [Roll(Prose(what)) for what in ("1d6", "2d6", *kit.dice, *charts)]


def _why_no_roll(pos: TablePosition, move: Roll) -> str | None:
    found = read_dice(pos.box, move.what)
    return found if isinstance(found, str) else None


def _cup_orders(pos: TablePosition) -> list[Family[Any]]:
    def empty(move: Pull) -> str | None:
        if move.cup not in pos.cups:
            return f"there is no cup {move.cup}; there is {', '.join(pos.cups)}"
        return None if pos.cups[move.cup].chits else f"{move.cup} is empty"

    def not_out(move: PutIn) -> str | None:
        if move.cup not in pos.cups:
            return f"there is no cup {move.cup}; there is {', '.join(pos.cups)}"
        out = list(pos.cups[move.cup].out)
        for chit in move.chits:
            if chit not in out:
                return f"{chit} was not pulled from {move.cup}"
            out.remove(chit)
        return None if move.chits else "name the chits"

    back = [PutIn((chit,), name) for name, cup in pos.cups.items() for chit in dict.fromkeys(cup.out)]
    back += [PutIn(cup.out, name) for name, cup in pos.cups.items() if len(cup.out) > 1]
    return [
        Free(Pull, "4.1", [Pull(cup) for cup in pos.cups], empty),
        Free(PutIn, "4.2", back, not_out),
    ]


def _track_orders(pos: TablePosition) -> Family[Any]:
    def wrong(move: SetTrack) -> str | None:
        if move.track not in pos.tracks:
            return f"there is no track {move.track}; there is {', '.join(pos.tracks)}"
        found = track_value(pos, move.track, move.value)
        return found if isinstance(found, str) else None

    usual = [SetTrack(name, change) for name in pos.tracks for change in ("+1", "-1")]
    return Free(SetTrack, "7.1", usual, wrong)


# --- decks and cards


def _deck_orders(pos: TablePosition, seat: str) -> list[Family[Any]]:
    def missing(deck: str) -> str | None:
        return None if deck in pos.piles else f"there is no deck {deck}; there is {', '.join(pos.piles)}"

    def number(move: Any) -> str | None:
        if not 1 <= move.count <= AT_ONCE:
            return f"from 1 to {AT_ONCE} cards at once"
        return missing(move.deck)

    def drawn(move: Draw | DealOut) -> Refusal | str | None:
        each = (seat,) if isinstance(move, Draw) else pos.seats
        return number(move) or _nothing_left(pos, move.deck) or _too_many(pos, each, move.deck, move.count)

    def seen(move: Any) -> str | None:
        return number(move) or (None if pos.size(move.deck) else f"{move.deck} is empty")

    def shuffled(move: ShuffleDeck) -> str | None:
        return missing(move.deck) or _no_shuffle(pos, move.deck)

    decks = tuple(pos.piles)
    return [
        Free(Draw, "5.3", [Draw(n, deck) for deck in decks for n in (1, 2, 3)], drawn),
        Free(DealOut, "5.4", [DealOut(1, deck) for deck in decks], drawn),
        Free(Look, "5.5", [Look(n, deck) for deck in decks for n in (1, 3)], seen),
        Free(TurnUp, "5.6", [TurnUp(1, deck) for deck in decks], seen),
        Free(ShuffleDeck, "5.8", [ShuffleDeck(deck) for deck in decks], shuffled),
        _Rare(Gather, "5.9", [Gather(deck) for deck in decks], lambda move: missing(move.deck)),
    ]


def _nothing_left(pos: TablePosition, deck: str) -> str | None:
    pile = pos.piles[deck]
    renews = pos.deck_kit(deck).reshuffle == "empty" and (pile.discard or pile.closed)
    return None if pos.size(deck) or renews else f"{deck} is empty"


def _too_many(pos: TablePosition, seats: tuple[str, ...], deck: str, count: int) -> Refusal | None:
    limit = pos.deck_kit(deck).limit
    for seat in seats:
        has = pos.holds(seat, deck)
        if limit and has + count > limit:
            return Refusal("5.10", f"{seat} may hold {limit} cards of {deck}, and has {has}")
    return None


def _no_shuffle(pos: TablePosition, deck: str) -> str | None:
    if pos.deck_kit(deck).reshuffle == "never":
        return f"the kit says that {deck} is never shuffled again"
    pile = pos.piles[deck]
    return None if pos.size(deck) or pile.discard or pile.closed else f"there is no card to shuffle in {deck}"


def _card_orders(pos: TablePosition, seat: str) -> list[Family[Any]]:
    lies = pos.around[seat]
    others = tuple((one,) for one in pos.seats if one != seat)
    looked = [h for pile in pos.piles.values() for h in pile.top if pos.knower(h) == seat]
    mine = (*lies.hand, *lies.aside)

    def piled(style: str) -> Callable[[tuple[Handle, ...]], str | None]:
        order = {"open": "discard", "closed": "drop"}

        def check(cards: tuple[Handle, ...]) -> str | None:
            for deck in map(deck_of, cards):
                now = pos.deck_kit(deck).discards
                if now != style:
                    return f"the discards of {deck} are {now}: {order[now]}"
            return None

        return check

    def one_deck(cards: tuple[Handle, ...]) -> str | None:
        return None if len(set(map(deck_of, cards))) == 1 else "cards of one deck at a time"

    return [
        FromHand(Play, "6.1", mine),
        FromHand(Reveal, "6.2", (*mine, *looked)),
        FromHand(Discard, "6.3", (*mine, *looked), piled("open")),
        FromHand(Drop, "6.3", (*mine, *looked), piled("closed")),
        FromHand(Remove, "6.4", mine),
        FromHand(SetAside, "6.5", lies.hand),
        FromHand(Keep, "6.6", (*lies.aside, *looked), where="set aside, nor one that you have looked at"),
        FromHand(OnTop, "6.7", (*mine, *looked)),
        FromHand(Bury, "6.8", (*mine, *looked)),
        FromHand(Give, "6.9", mine, more=others),
        FromHand(Return, "6.10", (*mine, *looked), one_deck),
        Among(TakeFrom, _robbed(pos, seat), "6.11", lambda move: f"{move.seat} has no card to take"),
        _open_orders(pos, seat),
    ]


def _robbed(pos: TablePosition, seat: str) -> list[TakeFrom]:
    return [TakeFrom(other) for other in pos.seats if other != seat and pos.around[other].hand]


def _open_orders(pos: TablePosition, seat: str) -> Family[Any]:
    lying = [(card, deck) for card, deck, _ in open_cards(pos, seat)]

    def wrong(move: MoveCards) -> str | None:
        places = (*pos.seats, DISCARDS, REMOVED, *pos.piles)
        if move.place not in places:
            return f"{move.place} is no place; there is {', '.join(places)}"
        left = [card for card, deck in lying if move.place in (*pos.seats, DISCARDS, REMOVED, deck)]
        for card in move.cards:
            if card not in left:
                only = f" that belongs to {move.place}" if move.place in pos.piles else ""
                return f"no {card} lies in the open{only}"
            left.remove(card)
        return None if move.cards else "name the cards"

    usual = [
        MoveCards((card,), place) for card, _ in dict.fromkeys(lying) for place in (seat, DISCARDS, REMOVED)
    ]
    usual += [MoveCards((card,), deck) for card, deck in dict.fromkeys(lying)]
    return Free(MoveCards, "6.12", usual, wrong)
