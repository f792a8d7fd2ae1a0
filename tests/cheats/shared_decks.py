"""Cheats with a deck that several seats share: shares, keys, points, hands, cards returned, shuffles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.errors import VerificationError
from pbem.protocol.crypto.canonical import encode
from pbem.protocol.deck import dealing, masking, remaking, shuffling, wire
from pbem.protocol.deck import state as deck_state
from pbem.protocol.deck.masking import Masked
from pbem.protocol.deck.shares import prove_shares
from pbem.protocol.deck.state import card_of, card_point, deck_scalar
from tests.cheats.kit import End, always, cheat
from tests.test_masking import BAD_POINTS
from tests.test_shared_deck import KEYS, SECRETS, at, fresh, ready, secrets_of, show, shuffle

FIRST, SECOND = wire.Spot(0, 0), wire.Spot(0, 1)
ANY_SHARE = (masking, "check_shares", always)
ANY_CARD = (dealing, "_own_cards", lambda deck, seat, slots: dealing._at(deck, slots))
ANY_PASS = (masking, "check_passed_on", always)


def _unreadable(deck: deck_state.Deck, slot: wire.Spot) -> bool:
    """Whether the drawer cannot make out its card any more."""
    try:
        dealing.find_card(deck, "a", SECRETS["a"], slot)
    except VerificationError:
        return True
    return False


# --- shares


@cheat(End.REFUSED, ANY_SHARE)
def a_wrong_share_robs_the_drawer() -> bool:
    """b gives a share that opens no card: a has drawn, and holds nothing."""
    deck = dealing.draw(shuffle(fresh()), "a", [FIRST])
    honest = dealing.make_shares(deck, "b", SECRETS["b"], [FIRST])
    wrong = replace(honest, shares=(masking.add(honest.shares[0], masking.BASE),))
    return _unreadable(dealing.take_shares(deck, "b", wrong)[0], FIRST)


@cheat(End.REFUSED, ANY_SHARE)
def a_wrong_share_turns_a_card_into_another() -> bool:
    """The holder knows its card, so it can compute the share that makes everybody see another one."""
    deck = ready(2, 6, a=1)
    (slot,) = deck_state.held_by(deck, "a")
    card = dealing.find_card(deck, "a", SECRETS["a"], slot)
    wish = (card + 1) % 6
    honest = dealing.make_show(deck, "a", SECRETS["a"], [slot])
    shift = masking.sub(card_point(deck, 0, card), card_point(deck, 0, wish))
    wrong = replace(honest, shares=(masking.add(honest.shares[0], shift),))
    return dealing.take_show(deck, "a", wrong)[1] == (deck_state.Shown(slot, wish),)


@cheat(End.REFUSED, ANY_SHARE)
def a_share_of_another_slot_is_given() -> bool:
    """b answers the draw of one card with its share of another."""
    deck = dealing.draw(shuffle(fresh()), "a", [FIRST, SECOND])
    other = dealing.make_shares(deck, "b", SECRETS["b"], [SECOND])
    return _unreadable(dealing.take_shares(deck, "b", replace(other, slots=(FIRST,)))[0], FIRST)


@cheat(End.REFUSED, ANY_SHARE)
def two_shares_change_places() -> bool:
    """b gives both shares that it owes, each under the other's slot."""
    deck = dealing.draw(shuffle(fresh()), "a", [FIRST, SECOND])
    swapped = replace(dealing.make_shares(deck, "b", SECRETS["b"], [FIRST, SECOND]), slots=(SECOND, FIRST))
    return _unreadable(dealing.take_shares(deck, "b", swapped)[0], FIRST)


def _reshuffled() -> tuple[deck_state.Deck, wire.Spot, Any]:
    deck = ready(2, 4, a=2, b=2)
    old = dealing.make_show(deck, "b", SECRETS["b"], deck_state.held_by(deck, "b")[:1])
    for seat in "ab":
        deck, _ = show(deck, seat, *deck_state.held_by(deck, seat))
    deck = shuffle(shuffling.begin_shuffle(deck, deck.open))
    slot = deck_state.stock(deck)[0]
    return dealing.draw(deck, "a", [slot]), slot, old


@cheat(End.REFUSED, ANY_SHARE)
def a_share_is_made_with_the_key_of_an_old_epoch() -> bool:
    """The discards were shuffled anew; b multiplies with the key from before."""
    deck, slot, _ = _reshuffled()
    scalar = deck_scalar(SECRETS["b"], "deck", 0)
    stale = prove_shares(deck, "b", SECRETS["b"], scalar, [at(deck, slot)], encode("deck-share", b""))
    return _unreadable(dealing.take_shares(deck, "b", stale)[0], slot)


@cheat(End.REFUSED, ANY_SHARE)
def an_old_share_is_sent_again_for_a_new_card() -> bool:
    """b repeats a share from before the shuffle under the new slot's number."""
    deck, slot, old = _reshuffled()
    return _unreadable(dealing.take_shares(deck, "b", replace(old, slots=(slot,)))[0], slot)


# --- keys and points


@cheat(End.REFUSED, (masking, "check_key", always))
def a_rogue_key_opens_the_whole_deck_alone() -> bool:
    """b chooses its key so that the sum of all is one whose secret it knows."""
    target = masking.public_scalar("test", "target")
    rogue = masking.sub(masking.base(target), KEYS["a"].keys[0])
    forged = wire.Keys(0, (rogue,), (masking.prove_key(target, b"whatever", b"s"),))
    keys = {"a": KEYS["a"].keys[:1], "b": deck_state.check_keys(b"list", "b", "deck", forged)}
    deck = shuffling.begin_shuffle(deck_state.new_deck(b"game", "deck", keys, range(4)), range(4))
    deck = shuffling.take_shuffle(deck, "a", shuffling.make_shuffle(deck, "a", SECRETS["a"]))
    seen = [card_of(deck, 0, masking.sub(one.b, masking.times(target, one.a))) for one in deck.masked]
    return sorted(card for card in seen if card is not None) == [0, 1, 2, 3]


@cheat(End.REFUSED, (masking, "check_key", always))
def a_key_of_another_seat_is_taken_over() -> bool:
    """b publishes a's keys as its own, proofs and all."""
    return bool(deck_state.check_keys(b"list", "b", "deck", KEYS["a"]))


@cheat(End.REFUSED, (masking, "point", lambda data, what="": data))
def a_point_of_small_order_is_planted() -> bool:
    """Whoever multiplies it with its key gives some of the key away."""
    bad = next(iter(BAD_POINTS.values()))
    deck = fresh()
    step = shuffling.make_shuffle(deck, "a", SECRETS["a"])
    card = Masked(bad, step.masked[2].b)
    planted = replace(step, masked=(*step.masked[:2], card, *step.masked[3:]))
    return shuffling.take_shuffle(deck, "a", planted).masked[2] == card


# --- hands


def _betrayal() -> tuple[deck_state.Deck, wire.Spot, int, Any]:
    deck = ready(3, 6, a=1)
    (slot,) = deck_state.held_by(deck, "a")
    card = dealing.find_card(deck, "a", SECRETS["a"], slot)
    deck = dealing.take_hand_over(deck, "a", dealing.make_hand_over(deck, "a", SECRETS["a"], "b", [slot]))
    share = masking.sub(at(deck, slot).masked.b, card_point(deck, 0, card))
    own = prove_shares(deck, "a", SECRETS["a"], deck_scalar(SECRETS["a"], "deck", 0), [at(deck, slot)], b"")
    return deck, slot, card, replace(own, shares=(share,))


@cheat(End.REFUSED, ANY_CARD, ANY_SHARE)
def the_giver_shows_others_the_card_it_gave_away() -> bool:
    """The giver still knows the card, so it can compute the taker's share; it may not publish it."""
    deck, slot, card, message = _betrayal()
    return dealing.take_show(deck, "a", message)[1] == (deck_state.Shown(slot, card),)


@cheat(End.REFUSED, ANY_CARD)
def a_card_is_played_that_was_never_drawn() -> bool:
    """a shows a card that still lies in the stock."""
    deck = ready(2, 6, a=1, b=1)
    slot = deck_state.stock(deck)[0]
    scalar = deck_scalar(SECRETS["a"], "deck", 0)
    claim = prove_shares(deck, "a", SECRETS["a"], scalar, [at(deck, slot)], encode("deck-show", b""))
    return dealing.take_show(deck, "a", claim)[1] == (deck_state.Shown(slot, None),)


@cheat(End.REFUSED, ANY_CARD)
def a_card_of_another_hand_is_played() -> bool:
    """a shows a card that b holds."""
    deck = ready(2, 6, a=1, b=1)
    slot = deck_state.held_by(deck, "b")[0]
    scalar = deck_scalar(SECRETS["a"], "deck", 0)
    claim = prove_shares(deck, "a", SECRETS["a"], scalar, [at(deck, slot)], encode("deck-show", b""))
    return dealing.take_show(deck, "a", claim)[1] == (deck_state.Shown(slot, None),)


def _handed(made_up: bool) -> bool:
    deck = ready(3, 6, a=2)
    (good, bad) = deck_state.held_by(deck, "a")
    hand = dealing.hand(deck, "a", SECRETS["a"])
    honest = dealing.make_hand_over(deck, "a", SECRETS["a"], "b", [good])
    wrong = replace(dealing.make_hand_over(deck, "a", SECRETS["a"], "b", [bad]).cards[0], slot=good)
    if made_up:
        shift = masking.sub(card_point(deck, 0, hand[bad]), card_point(deck, 0, hand[good]))
        moved = Masked(honest.cards[0].masked.a, masking.add(honest.cards[0].masked.b, shift))
        wrong = replace(honest.cards[0], masked=moved)
    cheated = dealing.take_hand_over(deck, "a", replace(honest, cards=(wrong,)))
    return dealing.hand(cheated, "b", SECRETS["b"]) == {good: hand[bad]}


@cheat(End.REFUSED, ANY_PASS)
def a_worse_card_of_the_hand_is_handed_over() -> bool:
    """a keeps the good card that was drawn, and hands over another one of its hand."""
    return _handed(made_up=False)


@cheat(End.REFUSED, ANY_PASS)
def a_card_out_of_thin_air_is_handed_over() -> bool:
    """a keeps the good card that was drawn, and makes up another one."""
    return _handed(made_up=True)


# --- cards returned, and shuffles


def _returning() -> deck_state.Deck:
    deck = ready(2, 6, a=2)
    return shuffling.begin_shuffle(deck, (), [deck_state.held_by(deck, "a")[0], *deck_state.stock(deck)])


@cheat(End.REFUSED, ANY_PASS)
def another_card_is_returned_unseen() -> bool:
    """a returns another card than the one whose slot it gives up."""
    deck = _returning()
    carry = shuffling.make_carry(deck, "a", SECRETS["a"])
    (honest,) = carry.returned
    moved = Masked(honest.masked.a, masking.add(honest.masked.b, masking.BASE))
    return bool(shuffling.take_carry(deck, "a", replace(carry, returned=(replace(honest, masked=moved),))))


@cheat(End.REFUSED, ANY_SHARE)
def the_stock_is_carried_over_with_a_wrong_key() -> bool:
    """b spoils the stock while it goes over to the next epoch's key."""
    deck = _returning()
    carry = shuffling.make_carry(deck, "b", SECRETS["b"])
    (honest,) = carry.switches
    points = (masking.add(honest.shares[0], masking.BASE), *honest.shares[1:])
    return bool(shuffling.take_carry(deck, "b", replace(carry, switches=(replace(honest, shares=points),))))


def _blind(deck: deck_state.Deck, secrets: Any) -> Any:
    """As if the audit did not make the shuffles again."""
    return remaking.Remade(None)


@cheat(End.NAMED, (remaking, "audit", _blind))
def the_shuffler_doubles_a_card() -> End:
    """a shuffles a deck in which one card stands twice; nobody can see it before the audit."""
    deck = fresh()
    twice = replace(deck, masked=(deck.masked[0], *deck.masked[:-1]))
    step = shuffling.make_shuffle(twice, "a", SECRETS["a"])
    deck = shuffling.take_shuffle(deck, "a", step)
    deck = shuffling.take_shuffle(deck, "b", shuffling.make_shuffle(deck, "b", SECRETS["b"]))
    culprit = remaking.audit(deck, secrets_of(deck)).culprit
    return End.NAMED if culprit == "a" else End.SUCCEEDS if culprit is None else End.HEALED


@cheat(End.NAMED, (remaking, "audit", _blind))
def the_shuffler_uses_an_order_of_its_own() -> End:
    """a shuffles with other randomness than its secret's, to know where a card lies."""
    deck = fresh()
    step = shuffling.make_shuffle(deck, "a", SECRETS["a"])
    planned = replace(step, masked=tuple(reversed(step.masked)))
    deck = shuffling.take_shuffle(deck, "a", planned)
    deck = shuffling.take_shuffle(deck, "b", shuffling.make_shuffle(deck, "b", SECRETS["b"]))
    culprit = remaking.audit(deck, secrets_of(deck)).culprit
    return End.NAMED if culprit == "a" else End.SUCCEEDS if culprit is None else End.HEALED
