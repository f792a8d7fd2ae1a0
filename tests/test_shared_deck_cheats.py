"""What a shared deck refuses beside the catalogue of cheats: proofs out of place, bad points, other slots."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.errors import VerificationError
from pbem.protocol.deck import dealing, masking, shuffling, wire
from pbem.protocol.deck import state as deck_state
from pbem.protocol.deck.masking import Masked
from tests.test_masking import BAD_POINTS
from tests.test_shared_deck import (
    KEYS,
    SECRETS,
    fresh,
    ready,
    refused,
    shuffle,
    without,
)

# --- shares ------------------------------------------------------------------------------------------

FIRST, SECOND = wire.Spot(0, 0), wire.Spot(0, 1)


def test_a_proof_of_another_game_deck_seat_or_event_is_refused():
    deck = dealing.draw(shuffle(fresh(3)), "a", [FIRST])
    honest = dealing.make_shares(deck, "b", SECRETS["b"], [FIRST], b"event 7")
    assert dealing.take_shares(deck, "b", honest, b"event 7")
    for state, seat, context in (
        (deck, "b", b"event 8"),
        (replace(deck, game=b"other"), "b", b"event 7"),
        (replace(deck, name="other"), "b", b"event 7"),
        (deck, "c", b"event 7"),
    ):
        with refused(seat, "not made with its key"):
            dealing.take_shares(state, seat, honest, context)


def test_a_share_given_for_a_draw_does_not_show_a_card_nor_the_other_way_round():
    deck = ready(2, 4, a=1)
    (slot,) = deck_state.held_by(deck, "a")
    with refused("a", "none it owes"):
        dealing.take_shares(deck, "a", dealing.make_show(deck, "a", SECRETS["a"], [slot]))
    drawn = dealing.draw(deck, "a", deck_state.stock(deck)[:1])
    with refused("b", "not in its hand"):
        dealing.take_show(
            drawn, "b", dealing.make_shares(drawn, "b", SECRETS["b"], dealing.owes(drawn, "b")[0])
        )


def test_a_machine_gives_no_share_of_a_slot_that_is_not_owed():
    """The interface takes slot numbers only, and of those only what the state says is owed."""
    deck = ready(3, 6, a=1, b=1)
    own, others = deck_state.held_by(deck, "a")[0], deck_state.held_by(deck, "b")[0]
    for slots in ([deck_state.stock(deck)[0]], [own], [others], [wire.Spot(0, 60)], [wire.Spot(3, 0)], []):
        with pytest.raises(VerificationError):
            dealing.make_shares(deck, "a", SECRETS["a"], slots)
    drawn = dealing.draw(deck, "b", deck_state.stock(deck))
    slot = dealing.owes(drawn, "a")[0][0]
    for slots in ([slot, slot], [slot, own]):
        with pytest.raises(VerificationError):
            dealing.make_shares(drawn, "a", SECRETS["a"], slots)


# --- keys and points ---------------------------------------------------------------------------------


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
        deck_state.check_keys(listing, seat, name, replace(KEYS["a"], first=first), first)
    with refused("a", "is that of epoch 3, not 0"):
        deck_state.check_keys(b"list", "a", "deck", KEYS["a"], first=3)


@pytest.mark.parametrize("name", BAD_POINTS)
def test_small_order_and_foreign_points_are_refused_wherever_they_come_in(name):
    bad = BAD_POINTS[name]
    deck = fresh()
    step = shuffling.make_shuffle(deck, "a", SECRETS["a"])
    for card in (Masked(bad, step.masked[2].b), Masked(step.masked[2].a, bad)):
        planted = replace(step, masked=(*step.masked[:2], card, *step.masked[3:]))
        with without(masking, "point", lambda data, what="": data):
            assert shuffling.take_shuffle(deck, "a", planted).masked[2] == card
        with refused("a", "card 2 of a shuffle is not a point"):
            shuffling.take_shuffle(deck, "a", planted)
    with refused("a", "the key of epoch 0 is not a point"):
        deck_state.check_keys(b"list", "a", "deck", replace(KEYS["a"], keys=(bad, *KEYS["a"].keys[1:])))
    dealt = ready(2, 5, a=1)
    (held,) = deck_state.held_by(dealt, "a")
    drawn = dealing.draw(dealt, "b", deck_state.stock(dealt)[:2])
    shares = dealing.make_shares(drawn, "a", SECRETS["a"], dealing.owes(drawn, "a")[0])
    with refused("a", "the share of slot .* is not a point"):
        dealing.take_shares(drawn, "a", replace(shares, shares=(shares.shares[0], bad)))
    given = dealing.make_hand_over(dealt, "a", SECRETS["a"], "b", [held])
    for masked in (Masked(bad, given.cards[0].masked.b), Masked(given.cards[0].masked.a, bad)):
        with refused("a", "the card passed on from slot .* is not a point"):
            dealing.take_hand_over(
                dealt, "a", replace(given, cards=(replace(given.cards[0], masked=masked),))
            )


# --- hands -------------------------------------------------------------------------------------------


def test_a_hand_over_goes_to_the_seat_it_names_and_only_from_the_holder():
    deck = ready(3, 6, a=1)
    slots = deck_state.held_by(deck, "a")
    honest = dealing.make_hand_over(deck, "a", SECRETS["a"], "b", slots)
    with refused("a", "passes on another card"):
        dealing.take_hand_over(deck, "a", replace(honest, taker="c"))
    for taker in ("a", "z", deck_state.TABLE):
        with refused("a", "hands cards to no other seat"):
            dealing.take_hand_over(deck, "a", replace(honest, taker=taker))
    with refused("c", "is not in its hand"):
        dealing.take_hand_over(deck, "c", honest)
    with refused("a", "names no slot"):
        dealing.take_hand_over(deck, "a", replace(honest, cards=honest.cards * 2))
    with refused("a", "is not in its hand"):
        dealing.take_hand_over(dealing.take_hand_over(deck, "a", honest), "a", honest)


# --- cards returned unseen ---------------------------------------------------------------------------


def returning() -> deck_state.Deck:
    deck = ready(2, 6, a=2)
    return shuffling.begin_shuffle(deck, (), [deck_state.held_by(deck, "a")[0], *deck_state.stock(deck)])


def test_a_seat_carries_exactly_what_waits_for_it():
    deck = returning()
    a, b = (shuffling.make_carry(deck, seat, SECRETS[seat]) for seat in "ab")
    for wrong in (replace(a, returned=()), replace(a, switches=()), replace(a, epoch=0), b):
        with refused("a", "carries other cards than those that wait for it"):
            shuffling.take_carry(deck, "a", wrong)
    with refused("a", "has no card of deck deck to carry over"):
        shuffling.take_carry(shuffling.take_carry(deck, "a", a), "a", a)
