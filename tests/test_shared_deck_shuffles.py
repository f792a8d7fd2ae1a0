"""Dishonest shuffles of a shared deck: refused at once where that can be seen, else named by the audit.

Every attack first succeeds with the check that stops it taken out, so that the check is what stops it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from pbem.errors import VerificationError
from pbem.protocol.crypto import chance
from pbem.protocol.deck import dealing, masking, remaking, shuffling, wire
from pbem.protocol.deck import state as deck_state
from pbem.protocol.deck.masking import Masked
from pbem.protocol.deck.remaking import audit
from pbem.protocol.deck.state import card_of, card_point
from tests.test_shared_deck import (
    SECRETS,
    at,
    fresh,
    ready,
    refused,
    secrets_of,
    settle,
    show,
    without,
)

# --- dishonest shuffles ------------------------------------------------------------------------------


def with_list(
    deck: deck_state.Deck, seat: str, change: Callable[[list[Masked]], list[Masked]]
) -> deck_state.Deck:
    """The seat shuffles honestly and then changes the list."""
    step = shuffling.make_shuffle(deck, seat, SECRETS[seat])
    return shuffling.take_shuffle(deck, seat, replace(step, masked=tuple(change(list(step.masked)))))


def veiled(deck: deck_state.Deck, epoch: int, point: bytes, salt: object = 0) -> Masked:
    """A card of the cheat's choice, masked as if it came from a shuffle."""
    key = deck_state.joint_key(deck, epoch)
    return masking.remask(masking.lay_open(point, key), key, masking.public_scalar("salt", str(salt)))


def named_by_the_audit(deck: deck_state.Deck, culprit: str) -> None:
    """With the comparison of shuffles taken out nobody is found; with it the culprit is."""
    with without(remaking, "_audit_shuffle", lambda *_: {}):
        assert audit(deck, secrets_of(deck)).culprit is None
    finding = audit(deck, secrets_of(deck))
    assert finding.culprit == culprit
    assert f"its shuffle of epoch {deck.epochs[-1].number}" in finding.reason
    assert finding.cards == {}


@pytest.mark.parametrize("culprit", ["a", "b", "c"])
def test_duplicate_card(culprit):
    deck = fresh(3)
    while (seat := shuffling.next_shuffler(deck)) is not None:
        if seat == culprit:
            key = deck_state.joint_key(deck, 0)
            twin = masking.public_scalar("twin")
            deck = with_list(deck, seat, lambda m: [m[0], masking.remask(m[0], key, twin), *m[2:]])  # noqa: B023
        else:
            deck = shuffling.take_shuffle(deck, seat, shuffling.make_shuffle(deck, seat, SECRETS[seat]))
    named_by_the_audit(deck, culprit)
    spoilt = settle(dealing.turn_up(deck, deck_state.stock(deck)))
    assert spoilt.spoilt.endswith("again")
    with pytest.raises(VerificationError, match="is spoilt"):
        shuffling.begin_shuffle(spoilt, spoilt.open)


def planted(seats: int = 2, cards: int = 8) -> deck_state.Deck:
    """The last seat throws the deck away and lays card i into slot i."""
    deck = fresh(seats, cards)
    while (seat := shuffling.next_shuffler(deck)) != deck.seats[-1]:
        deck = shuffling.take_shuffle(deck, seat, shuffling.make_shuffle(deck, seat, SECRETS[seat]))
    return with_list(deck, seat, lambda _: [veiled(deck, 0, card_point(deck, 0, c), c) for c in range(cards)])


def test_last_shuffler_who_plants_an_order_gains_no_draw_and_is_named():
    """Drawn from the top, the planted card would come every time; by joint index as often as any other."""
    deck = planted()
    cards = {slot: slot.place for slot in deck_state.stock(deck)}
    chains = [chance.Chain(SECRETS[seat], b"list", seat, 801) for seat in "ab"]
    drawn: Counter[int] = Counter()
    for event in range(1, 801):
        seed = chance.seed(b"game", event, [], [chain.link(event) for chain in chains])
        drawn[cards[deck_state.stock(deck)[chance.integer(seed, 0, 0, 8)]]] += 1
    from_the_top = {cards[deck_state.stock(deck)[0]] for _ in range(800)}
    assert from_the_top == {0}
    assert sum((count - 100) ** 2 / 100 for count in drawn.values()) < 18.5  # chi squared, 7 degrees, 1 %
    assert len(drawn) == 8
    named_by_the_audit(deck, "b")


def test_until_the_audit_a_planter_does_see_the_cards():
    """The limit that check_shuffle_step states: this is what a proof of shuffle would end."""
    deck = settle(dealing.draw(planted(), "a", [wire.Spot(0, 5)]))
    assert dealing.hand(deck, "a", SECRETS["a"]) == {wire.Spot(0, 5): 5}
    assert audit(deck, secrets_of(deck)).culprit == "b"


def reshuffled(
    change: Callable[[deck_state.Deck, list[Masked]], list[Masked]], unseen: bool = False
) -> deck_state.Deck:
    """b holds two cards; a's two are discarded and shuffled in again, b last and dishonestly."""
    deck = ready(2, 6, a=2, b=2)
    deck, _ = show(deck, "a", *deck_state.held_by(deck, "a"))
    deck = shuffling.begin_shuffle(deck, deck.open, deck_state.stock(deck) if unseen else ())
    for seat in shuffling.carriers(deck):
        deck = shuffling.take_carry(deck, seat, shuffling.make_carry(deck, seat, SECRETS[seat]))
    deck = shuffling.take_shuffle(deck, "a", shuffling.make_shuffle(deck, "a", SECRETS["a"]))
    return with_list(deck, "b", lambda masked: change(deck, masked))


@pytest.mark.parametrize("epoch", [0, 1])
def test_card_smuggled_into_a_reshuffle(epoch):
    """b lays a card of its hand into the discards, under its old point or a new one."""
    deck = ready(2, 6, a=2, b=2)
    wish = next(iter(dealing.hand(deck, "b", SECRETS["b"]).values()))
    deck = reshuffled(lambda deck, m: [veiled(deck, 1, card_point(deck, epoch, wish)), *m[1:]])
    named_by_the_audit(deck, "b")
    spoilt = settle(dealing.turn_up(deck, [wire.Spot(1, 0)]))
    assert spoilt.spoilt == "1.0 no card"


def test_card_smuggled_among_unseen_ones_is_named_too():
    """Where unseen cards come along, an old point is a lawful face: only the audit tells."""
    deck = ready(2, 6, a=2, b=2)
    wish = next(iter(dealing.hand(deck, "b", SECRETS["b"]).values()))
    deck = reshuffled(lambda deck, m: [veiled(deck, 1, card_point(deck, 0, wish)), *m[1:]], unseen=True)
    assert settle(dealing.turn_up(deck, [wire.Spot(1, 0)])).spoilt == ""
    named_by_the_audit(deck, "b")


def test_a_card_that_does_not_lie_open_cannot_be_called_a_discard():
    deck = ready(2, 6, a=2)
    deck, (card,) = show(deck, "a", deck_state.held_by(deck, "a")[0])
    hidden = next(iter(dealing.hand(deck, "a", SECRETS["a"]).values()))
    for cards in ([card, hidden], [hidden], [card, 17], [card, card]):
        with pytest.raises(VerificationError):
            shuffling.begin_shuffle(deck, cards)
    for slots in ([wire.Spot(0, 0)], [wire.Spot(0, 17)], [wire.Spot(1, 0)]):  # shown, or never there
        with pytest.raises(VerificationError, match="returned unseen"):
            shuffling.begin_shuffle(deck, [card], slots)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda m: m[:-1], "a shuffle of 6 cards returns 5"),
        (lambda m: [*m, m[0]], "a shuffle of 6 cards returns 7"),
        (lambda m: [m[1], *m[1:]], "repeats a point"),
        (lambda m: [Masked(m[0].a, m[1].b), *m[1:]], "repeats a point"),
    ],
)
def test_a_list_that_cannot_be_a_shuffle_is_refused_at_once(change, match):
    with without(shuffling, "check_shuffle_step", lambda *_: None):
        assert with_list(fresh(), "a", change)
    with refused("a", match):
        with_list(fresh(), "a", change)


def test_a_list_left_as_it_was_is_refused_at_once():
    deck = fresh()
    with refused("a", "not masked anew"):
        shuffling.take_shuffle(deck, "a", wire.ShuffleStep(0, deck.masked))
    deck = shuffling.take_shuffle(deck, "a", shuffling.make_shuffle(deck, "a", SECRETS["a"]))
    with refused("b", "not masked anew"):
        shuffling.take_shuffle(deck, "b", wire.ShuffleStep(0, deck.masked))
    with refused("b", "a proof, which this version does not know"):
        shuffling.take_shuffle(
            deck, "b", replace(shuffling.make_shuffle(deck, "b", SECRETS["b"]), proof=b"trust me")
        )
    with refused("b", "shuffles epoch 1 instead of 0"):
        shuffling.take_shuffle(deck, "b", replace(shuffling.make_shuffle(deck, "b", SECRETS["b"]), epoch=1))


def test_an_enemy_hand_card_planted_in_a_new_deck_opens_nothing():
    """b copies a's hand card into the new list to have a decrypt it: refused, and worthless anyway."""
    deck = ready(2, 6, a=2, b=2)
    deck, _ = show(deck, "b", *deck_state.held_by(deck, "b"))
    target = at(deck, deck_state.held_by(deck, "a")[0])
    deck = shuffling.begin_shuffle(deck, deck.open)
    deck = shuffling.take_shuffle(deck, "a", shuffling.make_shuffle(deck, "a", SECRETS["a"]))
    with refused("b", "repeats a point"):
        with_list(deck, "b", lambda m: [target.masked, *m[1:]])
    with without(shuffling, "check_shuffle_step", lambda *_: None):
        deck = with_list(deck, "b", lambda m: [target.masked, *m[1:]])
    deck = settle(dealing.draw(deck, "b", [wire.Spot(1, 0)]))
    assert card_of(deck, 0, at(deck, wire.Spot(1, 0)).masked.b) is None
    with pytest.raises(VerificationError, match="no card of the deck"):
        dealing.hand(deck, "b", SECRETS["b"])
    assert audit(deck, secrets_of(deck)).culprit == "b"


# --- the audit ---------------------------------------------------------------------------------------


def test_the_first_culprit_is_named_not_a_later_one():
    deck = planted()
    deck = settle(dealing.draw(deck, "b", deck_state.stock(deck)[:4]))
    deck, _ = show(deck, "b", *deck_state.held_by(deck, "b"))
    deck = shuffling.begin_shuffle(deck, deck.open)
    deck = with_list(deck, "a", lambda m: m[::-1])
    assert audit(deck, secrets_of(deck)).culprit == "b"


def test_an_unfinished_shuffle_is_audited_as_far_as_it_went():
    deck = with_list(fresh(), "a", lambda m: m[::-1])
    assert audit(deck, secrets_of(deck)).culprit == "a"
    deck = ready(2, 6, a=2)
    carrying = shuffling.begin_shuffle(deck, (), [*deck_state.held_by(deck, "a"), *deck_state.stock(deck)])
    assert audit(carrying, secrets_of(deck)).culprit is None


def test_a_missing_or_false_secret_names_its_seat():
    deck = ready(3)
    honest = secrets_of(deck)
    assert audit(deck, {seat: honest[seat] for seat in "ac"}).culprit == "b"
    finding = audit(deck, {**honest, "c": b"another"})
    assert (finding.culprit, finding.reason) == (
        "c",
        "its key of epoch 0 is not from its secret",
    )
