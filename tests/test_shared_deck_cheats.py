"""The cheats of a shared deck: each is refused at once or proven in the audit, with the culprit named.

Every attack first succeeds with the check that stops it taken out, so that the check is what stops it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.errors import VerificationError
from pbem.protocol import masking
from pbem.protocol import shared_deck as sd
from pbem.protocol.canonical import encode
from pbem.protocol.deck_parts import prove_shares
from pbem.protocol.deck_state import card_of, card_point, deck_scalar
from pbem.protocol.masking import Masked
from tests.test_masking import BAD_POINTS
from tests.test_shared_deck import (
    KEYS,
    SECRETS,
    always,
    at,
    fresh,
    ready,
    refused,
    show,
    shuffle,
    without,
)

# --- shares ------------------------------------------------------------------------------------------

FIRST, SECOND = sd.Slot(0, 0), sd.Slot(0, 1)


def test_wrong_share_would_rob_the_drawer():
    deck = sd.draw(shuffle(fresh()), "a", [FIRST])
    honest = sd.make_shares(deck, "b", SECRETS["b"], [FIRST])
    wrong = replace(honest, shares=(masking.add(honest.shares[0], masking.BASE),))
    with without(masking, "check_shares", always):
        robbed, _ = sd.take_shares(deck, "b", wrong)
    with pytest.raises(VerificationError, match="no card of the deck"):
        sd.find_card(robbed, "a", SECRETS["a"], FIRST)
    with refused("b", "not made with its key"):
        sd.take_shares(deck, "b", wrong)


def test_wrong_share_would_turn_a_card_into_another():
    """The holder knows its card, so it can compute the share that makes everybody see another one."""
    deck = ready(2, 6, a=1)
    (slot,) = sd.held_by(deck, "a")
    card = sd.find_card(deck, "a", SECRETS["a"], slot)
    wish = (card + 1) % 6
    honest = sd.make_show(deck, "a", SECRETS["a"], [slot])
    shift = masking.sub(card_point(deck, 0, card), card_point(deck, 0, wish))
    wrong = replace(honest, shares=(masking.add(honest.shares[0], shift),))
    with without(masking, "check_shares", always):
        assert sd.take_show(deck, "a", wrong)[1] == (sd.Shown(slot, wish),)
    with refused("a", "not made with its key"):
        sd.take_show(deck, "a", wrong)


def test_share_of_another_slot():
    deck = sd.draw(shuffle(fresh()), "a", [FIRST, SECOND])
    honest = sd.make_shares(deck, "b", SECRETS["b"], [FIRST])
    other = sd.make_shares(deck, "b", SECRETS["b"], [SECOND])
    swapped = replace(sd.make_shares(deck, "b", SECRETS["b"], [FIRST, SECOND]), slots=(SECOND, FIRST))
    assert other.shares != honest.shares
    for wrong in (replace(other, slots=(FIRST,)), swapped):
        with without(masking, "check_shares", always):
            taken, _ = sd.take_shares(deck, "b", wrong)
        with pytest.raises(VerificationError, match="no card of the deck"):
            sd.find_card(taken, "a", SECRETS["a"], FIRST)
        with refused("b", "not made with its key"):
            sd.take_shares(deck, "b", wrong)


def test_share_of_another_epoch():
    """A share made with the old key, and an old message under a new slot's number."""
    deck = ready(2, 4, a=2, b=2)
    old = sd.make_show(deck, "b", SECRETS["b"], sd.held_by(deck, "b")[:1])
    for seat in "ab":
        deck, _ = show(deck, seat, *sd.held_by(deck, seat))
    deck = shuffle(sd.begin_shuffle(deck, deck.open))
    slot = sd.stock(deck)[0]
    deck = sd.draw(deck, "a", [slot])
    context = encode("deck-share", b"")
    stale = prove_shares(
        deck, "b", SECRETS["b"], deck_scalar(SECRETS["b"], "deck", 0), [at(deck, slot)], context
    )
    for wrong in (stale, replace(old, slots=(slot,))):
        with without(masking, "check_shares", always):
            taken, _ = sd.take_shares(deck, "b", wrong)
        with pytest.raises(VerificationError, match="no card of the deck"):
            sd.find_card(taken, "a", SECRETS["a"], slot)
        with refused("b", "not made with its key"):
            sd.take_shares(deck, "b", wrong)


def test_a_proof_of_another_game_deck_seat_or_event_is_refused():
    deck = sd.draw(shuffle(fresh(3)), "a", [FIRST])
    honest = sd.make_shares(deck, "b", SECRETS["b"], [FIRST], b"event 7")
    assert sd.take_shares(deck, "b", honest, b"event 7")
    for state, seat, context in (
        (deck, "b", b"event 8"),
        (replace(deck, game=b"other"), "b", b"event 7"),
        (replace(deck, name="other"), "b", b"event 7"),
        (deck, "c", b"event 7"),
    ):
        with refused(seat, "not made with its key"):
            sd.take_shares(state, seat, honest, context)


def test_a_share_given_for_a_draw_does_not_show_a_card_nor_the_other_way_round():
    deck = ready(2, 4, a=1)
    (slot,) = sd.held_by(deck, "a")
    with refused("a", "none it owes"):
        sd.take_shares(deck, "a", sd.make_show(deck, "a", SECRETS["a"], [slot]))
    drawn = sd.draw(deck, "a", sd.stock(deck)[:1])
    with refused("b", "not in its hand"):
        sd.take_show(drawn, "b", sd.make_shares(drawn, "b", SECRETS["b"], sd.owes(drawn, "b")[0]))


def test_a_machine_gives_no_share_of_a_slot_that_is_not_owed():
    """The interface takes slot numbers only, and of those only what the state says is owed."""
    deck = ready(3, 6, a=1, b=1)
    own, others = sd.held_by(deck, "a")[0], sd.held_by(deck, "b")[0]
    for slots in ([sd.stock(deck)[0]], [own], [others], [sd.Slot(0, 60)], [sd.Slot(3, 0)], []):
        with pytest.raises(VerificationError):
            sd.make_shares(deck, "a", SECRETS["a"], slots)
    drawn = sd.draw(deck, "b", sd.stock(deck))
    slot = sd.owes(drawn, "a")[0][0]
    for slots in ([slot, slot], [slot, own]):
        with pytest.raises(VerificationError):
            sd.make_shares(drawn, "a", SECRETS["a"], slots)


# --- keys and points ---------------------------------------------------------------------------------


def test_rogue_key_would_open_the_whole_deck_alone():
    target = masking.public_scalar("test", "target")
    rogue = masking.sub(masking.base(target), KEYS["a"].keys[0])
    forged = sd.Keys(0, (rogue,), (masking.prove_key(target, b"whatever", b"s"),))
    with without(masking, "check_key", always):
        keys = {"a": KEYS["a"].keys[:1], "b": sd.check_keys(b"list", "b", "deck", forged)}
    deck = sd.begin_shuffle(sd.new_deck(b"game", "deck", keys, range(4)), range(4))
    deck = sd.take_shuffle(deck, "a", sd.make_shuffle(deck, "a", SECRETS["a"]))
    cards = deck.masked
    seen = [card_of(deck, 0, masking.sub(one.b, masking.times(target, one.a))) for one in cards]
    assert sorted(card for card in seen if card is not None) == [0, 1, 2, 3]
    with refused("b", "no proof that it knows the secret of its key of epoch 0"):
        sd.check_keys(b"list", "b", "deck", forged)


@pytest.mark.parametrize(
    ("listing", "seat", "name", "first"),
    [
        (b"other", "a", "deck", 0),
        (b"list", "b", "deck", 0),
        (b"list", "a", "other", 0),
        (b"list", "a", "deck", 1),
    ],
)
def test_a_key_proof_is_bound_to_list_seat_deck_and_epoch(listing, seat, name, first):
    with refused(seat, "no proof that it knows"):
        sd.check_keys(listing, seat, name, replace(KEYS["a"], first=first), first)
    with refused("a", "is that of epoch 3, not 0"):
        sd.check_keys(b"list", "a", "deck", KEYS["a"], first=3)


@pytest.mark.parametrize("name", BAD_POINTS)
def test_small_order_and_foreign_points_are_refused_wherever_they_come_in(name):
    bad = BAD_POINTS[name]
    deck = fresh()
    step = sd.make_shuffle(deck, "a", SECRETS["a"])
    for card in (Masked(bad, step.masked[2].b), Masked(step.masked[2].a, bad)):
        planted = replace(step, masked=(*step.masked[:2], card, *step.masked[3:]))
        with without(masking, "point", lambda data, what="": data):
            assert sd.take_shuffle(deck, "a", planted).masked[2] == card
        with refused("a", "card 2 of a shuffle is not a point"):
            sd.take_shuffle(deck, "a", planted)
    with refused("a", "the key of epoch 0 is not a point"):
        sd.check_keys(b"list", "a", "deck", replace(KEYS["a"], keys=(bad, *KEYS["a"].keys[1:])))
    dealt = ready(2, 5, a=1)
    (held,) = sd.held_by(dealt, "a")
    drawn = sd.draw(dealt, "b", sd.stock(dealt)[:2])
    shares = sd.make_shares(drawn, "a", SECRETS["a"], sd.owes(drawn, "a")[0])
    with refused("a", "the share of slot .* is not a point"):
        sd.take_shares(drawn, "a", replace(shares, shares=(shares.shares[0], bad)))
    given = sd.make_hand_over(dealt, "a", SECRETS["a"], "b", [held])
    for masked in (Masked(bad, given.cards[0].masked.b), Masked(given.cards[0].masked.a, bad)):
        with refused("a", "the card passed on from slot .* is not a point"):
            sd.take_hand_over(dealt, "a", replace(given, cards=(replace(given.cards[0], masked=masked),)))


# --- hands -------------------------------------------------------------------------------------------


def test_share_of_a_handed_card_shown_to_others():
    """The giver still knows the card, so it can compute the taker's share; it may not publish it."""
    deck = ready(3, 6, a=1)
    (slot,) = sd.held_by(deck, "a")
    card = sd.find_card(deck, "a", SECRETS["a"], slot)
    deck = sd.take_hand_over(deck, "a", sd.make_hand_over(deck, "a", SECRETS["a"], "b", [slot]))
    share = masking.sub(at(deck, slot).masked.b, card_point(deck, 0, card))
    own = prove_shares(deck, "a", SECRETS["a"], deck_scalar(SECRETS["a"], "deck", 0), [at(deck, slot)], b"")
    betrayal = replace(own, shares=(share,))
    with without(sd, "_own_cards", lambda deck, seat, slots: sd._at(deck, slots)):
        with without(masking, "check_shares", always):
            assert sd.take_show(deck, "a", betrayal)[1] == (sd.Shown(slot, card),)
        with refused("a", "not made with its key"):
            sd.take_show(deck, "a", betrayal)
    for seat in "ac":
        with refused(seat, "is not in its hand"):
            sd.take_show(deck, seat, betrayal)
        with refused(seat, "none it owes a share of"):
            sd.take_shares(deck, seat, betrayal)
    assert sd.hand(deck, "b", SECRETS["b"]) == {slot: card}


def test_card_played_that_was_never_drawn():
    deck = ready(2, 6, a=1, b=1)
    mine, theirs, undrawn = sd.held_by(deck, "a")[0], sd.held_by(deck, "b")[0], sd.stock(deck)[0]
    scalar = deck_scalar(SECRETS["a"], "deck", 0)
    for slot in (undrawn, theirs):
        context = encode("deck-show", b"")
        claim = prove_shares(deck, "a", SECRETS["a"], scalar, [at(deck, slot)], context)
        with without(sd, "_own_cards", lambda deck, seat, slots: sd._at(deck, slots)):
            assert sd.take_show(deck, "a", claim)[1] == (sd.Shown(slot, None),)
        with refused("a", f"slot {slot} of deck deck is not in its hand"):
            sd.take_show(deck, "a", claim)
    played, _ = show(deck, "a", mine)
    with refused("a", f"there is no card in slot {mine}"):
        sd.take_show(played, "a", sd.make_show(deck, "a", SECRETS["a"], [mine]))
    early = sd.draw(deck, "a", [undrawn])
    with pytest.raises(VerificationError, match="still lacks a share of b"):
        sd.make_show(early, "a", SECRETS["a"], [undrawn])


def test_wrong_card_handed_over():
    """a keeps the good card and hands over another one, of its hand or out of thin air."""
    deck = ready(3, 6, a=2)
    (good, bad) = sd.held_by(deck, "a")
    hand = sd.hand(deck, "a", SECRETS["a"])
    of_hand = sd.make_hand_over(deck, "a", SECRETS["a"], "b", [bad])
    honest = sd.make_hand_over(deck, "a", SECRETS["a"], "b", [good])
    made_up = masking.sub(card_point(deck, 0, hand[bad]), card_point(deck, 0, hand[good]))
    moved = Masked(honest.cards[0].masked.a, masking.add(honest.cards[0].masked.b, made_up))
    for wrong in (replace(of_hand.cards[0], slot=good), replace(honest.cards[0], masked=moved)):
        message = replace(honest, cards=(wrong,))
        with without(masking, "check_passed_on", always):
            cheated = sd.take_hand_over(deck, "a", message)
        assert sd.hand(cheated, "b", SECRETS["b"]) == {good: hand[bad]}
        with refused("a", f"passes on another card than the one in slot {good}"):
            sd.take_hand_over(deck, "a", message)


def test_a_hand_over_goes_to_the_seat_it_names_and_only_from_the_holder():
    deck = ready(3, 6, a=1)
    slots = sd.held_by(deck, "a")
    honest = sd.make_hand_over(deck, "a", SECRETS["a"], "b", slots)
    with refused("a", "passes on another card"):
        sd.take_hand_over(deck, "a", replace(honest, taker="c"))
    for taker in ("a", "z", sd.TABLE):
        with refused("a", "hands cards to no other seat"):
            sd.take_hand_over(deck, "a", replace(honest, taker=taker))
    with refused("c", "is not in its hand"):
        sd.take_hand_over(deck, "c", honest)
    with refused("a", "names no slot"):
        sd.take_hand_over(deck, "a", replace(honest, cards=honest.cards * 2))
    with refused("a", "is not in its hand"):
        sd.take_hand_over(sd.take_hand_over(deck, "a", honest), "a", honest)


# --- cards returned unseen ---------------------------------------------------------------------------


def returning() -> sd.Deck:
    deck = ready(2, 6, a=2)
    return sd.begin_shuffle(deck, (), [sd.held_by(deck, "a")[0], *sd.stock(deck)])


def test_wrong_card_returned_unseen():
    """a returns another card than the one whose slot it gives up."""
    deck = returning()
    carry = sd.make_carry(deck, "a", SECRETS["a"])
    (honest,) = carry.returned
    moved = Masked(honest.masked.a, masking.add(honest.masked.b, masking.BASE))
    wrong = replace(carry, returned=(replace(honest, masked=moved),))
    with without(masking, "check_passed_on", always):
        assert sd.take_carry(deck, "a", wrong)
    with refused("a", "passes on another card"):
        sd.take_carry(deck, "a", wrong)


def test_stock_carried_over_with_a_wrong_key():
    deck = returning()
    carry = sd.make_carry(deck, "b", SECRETS["b"])
    (honest,) = carry.switches
    points = (masking.add(honest.shares[0], masking.BASE), *honest.shares[1:])
    wrong = replace(carry, switches=(replace(honest, shares=points),))
    with without(masking, "check_shares", always):
        assert sd.take_carry(deck, "b", wrong)
    with refused("b", "not made with its key"):
        sd.take_carry(deck, "b", wrong)


def test_a_seat_carries_exactly_what_waits_for_it():
    deck = returning()
    a, b = (sd.make_carry(deck, seat, SECRETS[seat]) for seat in "ab")
    for wrong in (replace(a, returned=()), replace(a, switches=()), replace(a, epoch=0), b):
        with refused("a", "carries other cards than those that wait for it"):
            sd.take_carry(deck, "a", wrong)
    with refused("a", "has no card of deck deck to carry over"):
        sd.take_carry(sd.take_carry(deck, "a", a), "a", a)
