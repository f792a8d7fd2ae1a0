"""What an order does: at once where it can, else by a procedure that is returned.

Legality is settled before (`choices`): here every order is one that may be given.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.table import events
from games.table.chance import Pulling, Rolling
from games.table.decks import Dealing, Drawing, Giving, Looking, Shuffled, Taking, TurningUp
from games.table.moves import (
    Attach,
    Bury,
    DealOut,
    Discard,
    Do,
    Draw,
    Drop,
    Gather,
    Give,
    Keep,
    Look,
    MoveCards,
    OnTop,
    Play,
    Pull,
    PutIn,
    Remove,
    Return,
    Reveal,
    Roll,
    SetAside,
    SetTrack,
    ShuffleDeck,
    TakeFrom,
    TurnUp,
)
from games.table.places import DISCARDS, REMOVED, take_open, track_value
from games.table.position import CupNow, TablePosition, deck_and_card, deck_of, face
from pbem.engine import attachment
from pbem.engine.notation import Handle, Move
from pbem.engine.procedure import Procedure


def carry_out(pos: TablePosition, seat: str, move: Move) -> Procedure | None:
    """Do what an order says; the procedure that does the rest, if it needs one."""
    match move:
        case Do(text):
            pos.tell(f"{seat}: {text}")
        case Attach(file, text):
            _attach(pos, seat, file, text)
        case Roll(what):
            return Rolling(seat, what)
        case Pull(cup):
            return Pulling(seat, cup)
        case PutIn(chits, cup):
            _put_in(pos, chits, cup)
        case SetTrack(track, value):
            _set(pos, track, value)
        case Draw(count, deck):
            return Drawing(seat, deck, count)
        case DealOut(count, deck):
            return Dealing(deck, count, pos.seats)
        case Look(count, deck):
            return Looking(seat, deck, count)
        case TurnUp(count, deck):
            return TurningUp(seat, deck, count)
        case ShuffleDeck(deck):
            return Shuffled(deck)
        case Gather(deck):
            return _gather(pos, deck)
        case TakeFrom(victim):
            return Taking(seat, victim)
        case MoveCards(cards, place):
            return _move(pos, seat, cards, place)
        case _:
            return _with_hand(pos, seat, move)
    return None


def _attach(pos: TablePosition, seat: str, file: str, text: str) -> None:
    named = attachment.read(file)
    assert named is not None
    events.attached(pos, seat, named.name, named.size, named.digest)
    pos.tell(f"{seat}: {named.name} {text}".rstrip())


def _put_in(pos: TablePosition, chits: tuple[str, ...], name: str) -> None:
    cup = pos.cups[name]
    out = list(cup.out)
    for chit in chits:
        out.remove(chit)
    pos.cups[name] = CupNow((*cup.chits, *chits), tuple(out))


def _set(pos: TablePosition, name: str, value: str) -> None:
    track = pos.box.tracks_for(pos.seats)[name]
    before, after = pos.tracks[name].value, track_value(pos, name, value)
    assert isinstance(after, int)
    pos.tracks[name] = type(pos.tracks[name])(after)
    events.track_set(pos, name, track, before, after)


# --- cards of the hand


def _with_hand(pos: TablePosition, seat: str, move: Move) -> Procedure | None:
    match move:
        case Play(card):
            return _open(pos, seat, (card,), "played")
        case Reveal(cards):
            return _open(pos, seat, cards, "front")
        case Discard(cards):
            return _open(pos, seat, cards, DISCARDS)
        case Remove(card):
            return _open(pos, seat, (card,), REMOVED)
        case Give(cards, taker):
            return Giving(seat, taker, tuple(sorted(cards, key=deck_of)))
        case Return(cards):
            return Shuffled(deck_of(cards[0]), cards)
        case SetAside(cards):
            pos.lift(cards)
            pos.change(seat, aside=(*pos.around[seat].aside, *cards))
        case Keep(cards):
            pos.lift(cards)
            pos.change(seat, hand=(*pos.around[seat].hand, *cards))
        case Drop(cards):
            _put_away(pos, seat, cards, "discards")
        case OnTop(cards):
            _put_away(pos, seat, cards, "top")
        case Bury(cards):
            _put_away(pos, seat, cards, "bottom")
        case _:
            raise AssertionError(f"nothing is done with {move!r}")
    return None


def _by_deck(cards: Sequence[Handle]) -> dict[str, tuple[Handle, ...]]:
    found: dict[str, tuple[Handle, ...]] = {}
    for card in cards:
        found[deck_of(card)] = (*found.get(deck_of(card), ()), card)
    return found


def _put_away(pos: TablePosition, seat: str, cards: tuple[Handle, ...], where: str) -> None:
    pos.lift(cards)
    for deck, own in _by_deck(cards).items():
        pile = pos.piles[deck]
        match where:
            case "top":
                pos.change_pile(deck, top=(*own, *pile.top))
            case "bottom":
                pos.change_pile(deck, bottom=(*pile.bottom, *own))
            case _:
                pos.change_pile(deck, closed=(*pile.closed, *own))
        events.put_away(pos, seat, deck, len(own), where)


def _open(pos: TablePosition, seat: str, cards: tuple[Handle, ...], where: str) -> Procedure | None:
    """Cards are shown with the order, and lie open from now on."""
    pos.lift(cards)
    renew: dict[str, None] = {}
    for handle in cards:
        card, deck = pos.face(handle), deck_of(handle)
        kit = pos.deck_kit(deck)
        place = {"front": "front", "discard": DISCARDS}[kit.played] if where == "played" else where
        lay(pos, seat, card, deck, place)
        if card in kit.renews and where != "front":
            renew[deck] = None
    first, *later = renew or ("",)
    return Shuffled(first, later=tuple(later)) if first else None


def lay(pos: TablePosition, seat: str, card: str, deck: str, place: str) -> None:
    """An open card goes before a seat, on its discards, or out of the game."""
    if place == DISCARDS:
        pos.change_pile(deck, discard=(*pos.piles[deck].discard, card))
    elif place == REMOVED:
        pos.change_pile(deck, removed=(*pos.piles[deck].removed, card))
    else:
        pos.change(seat, front=(*pos.around[seat].front, face(deck, card)))
    events.lies_open(pos, seat, card, place)


# --- open cards


def _move(pos: TablePosition, seat: str, cards: tuple[str, ...], place: str) -> Procedure | None:
    for card in cards:
        deck = take_open(pos, seat, card, place if place in pos.piles else "")
        if place in pos.piles:
            continue
        if place in pos.seats:
            lay(pos, place, card, deck, "front")
        else:
            lay(pos, seat, card, deck, place)
    return Shuffled(place, opened=cards) if place in pos.piles else None


def _gather(pos: TablePosition, deck: str) -> Shuffled:
    """Every card of a deck that is still in the game, wherever it lies."""
    held: list[Handle] = []
    opened: list[str] = []
    for seat, lies in pos.around.items():
        held += [card for card in (*lies.hand, *lies.aside) if deck_of(card) == deck]
        opened += [card for home, card in map(deck_and_card, lies.front) if home == deck]
        pos.change(seat, front=tuple(one for one in lies.front if deck_and_card(one)[0] != deck))
    return Shuffled(deck, tuple(held), tuple(opened))
