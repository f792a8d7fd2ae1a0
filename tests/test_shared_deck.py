"""A deck shared by 2 to 6 seats: honest play, and what the rules may not ask of it.

The cheats are in test_shared_deck_cheats.py and test_shared_deck_shuffles.py; their helpers are here.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import MalformedError, UsageError, VerificationError
from pbem.protocol import masking
from pbem.protocol import shared_deck as sd
from pbem.protocol.deck_audit import audit
from pbem.protocol.deck_state import card_of, deck_scalar
from pbem.protocol.masking import Masked

NAMES = "abcdef"
SECRETS = {seat: bytes([i]) * 32 for i, seat in enumerate(NAMES, 1)}
KEYS = {seat: sd.make_keys(b"list", seat, "deck", SECRETS[seat], count=4) for seat in NAMES}


def secrets_of(deck: sd.Deck) -> dict[str, bytes]:
    return {seat: SECRETS[seat] for seat in deck.seats}


def fresh(seats: int = 2, cards: int = 6) -> sd.Deck:
    """A deck of which nobody has shuffled yet."""
    keys = {seat: sd.check_keys(b"list", seat, "deck", KEYS[seat]) for seat in NAMES[:seats]}
    return sd.begin_shuffle(sd.new_deck(b"game", "deck", keys, range(cards)), range(cards))


def shuffle(deck: sd.Deck) -> sd.Deck:
    """Everybody carries over and shuffles honestly, as far as it is still to do."""
    for seat in sd.carriers(deck):
        deck = sd.take_carry(deck, seat, sd.make_carry(deck, seat, SECRETS[seat]))
    while (seat := sd.next_shuffler(deck)) is not None:
        deck = sd.take_shuffle(deck, seat, sd.make_shuffle(deck, seat, SECRETS[seat]))
    return deck


def settle(deck: sd.Deck) -> sd.Deck:
    """Everybody publishes the shares it owes."""
    for seat in deck.seats:
        for slots in sd.owes(deck, seat):
            deck, _ = sd.take_shares(deck, seat, sd.make_shares(deck, seat, SECRETS[seat], slots))
    return deck


def ready(seats: int = 2, cards: int = 6, **hands: int) -> sd.Deck:
    """A shuffled deck from which seats have drawn so many cards."""
    deck = shuffle(fresh(seats, cards))
    for seat, count in hands.items():
        deck = settle(sd.draw(deck, seat, sd.stock(deck)[:count]))
    return deck


def show(deck: sd.Deck, seat: str, *slots: sd.Slot) -> tuple[sd.Deck, list[int | None]]:
    deck, shown = sd.take_show(deck, seat, sd.make_show(deck, seat, SECRETS[seat], slots))
    return deck, [one.card for one in shown]


def at(deck: sd.Deck, slot: sd.Slot) -> sd.Lying:
    return next(one for one in deck.lying if one.slot == slot)


def always(*_: object) -> bool:
    return True


@contextmanager
def without(module: object, name: str, stand_in: object) -> Iterator[None]:
    """Inside, a check is taken out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, stand_in)
        yield


@contextmanager
def refused(culprit: str, match: str) -> Iterator[None]:
    """Inside, a message is refused, and its author named."""
    with pytest.raises(sd.Refused, match=match) as caught:
        yield
    assert caught.value.culprit == culprit
    assert caught.value.message.startswith(f"seat {culprit}: ")


# --- honest play -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
def test_hands_are_disjoint_and_what_is_shown_is_what_was_drawn(seats):
    deck = ready(seats, 2 * seats + 1, **dict.fromkeys(NAMES[:seats], 2))
    hands = {seat: sd.hand(deck, seat, SECRETS[seat]) for seat in deck.seats}
    drawn = [card for hand in hands.values() for card in hand.values()]
    assert len(set(drawn)) == 2 * seats
    for seat, hand in hands.items():
        deck, shown = show(deck, seat, *hand)
        assert shown == list(hand.values())
    assert deck.open == tuple(sorted(drawn))
    finding = audit(deck, secrets_of(deck))
    assert finding.culprit is None
    assert {slot: finding.cards[slot] for hand in hands.values() for slot in hand} == {
        slot: card for hand in hands.values() for slot, card in hand.items()
    }


def test_nobody_but_the_drawer_can_finish_a_draw():
    deck = ready(3, a=1)
    (slot,) = sd.held_by(deck, "a")
    one = at(deck, slot)
    for seat in "bc":
        rest = masking.sub(one.masked.b, masking.times(deck_scalar(SECRETS[seat], "deck", 0), one.masked.a))
        assert card_of(deck, 0, rest) is None
        with pytest.raises(VerificationError, match="not in its hand"):
            sd.find_card(deck, seat, SECRETS[seat], slot)


def test_a_drawer_sees_nothing_before_the_last_share():
    deck = sd.draw(shuffle(fresh(3)), "a", [sd.Slot(0, 4)])
    deck, _ = sd.take_shares(deck, "b", sd.make_shares(deck, "b", SECRETS["b"], [sd.Slot(0, 4)]))
    assert sd.hand(deck, "a", SECRETS["a"]) == {}
    with pytest.raises(VerificationError, match="still lacks a share of c"):
        sd.find_card(deck, "a", SECRETS["a"], sd.Slot(0, 4))


def test_a_card_turned_up_needs_everybody_and_is_seen_by_everybody():
    deck = sd.turn_up(shuffle(fresh(3)), [sd.Slot(0, 0), sd.Slot(0, 3)])
    shown: tuple[sd.Shown, ...] = ()
    for seat in "cab":
        assert shown == ()
        (slots,) = sd.owes(deck, seat)
        deck, shown = sd.take_shares(deck, seat, sd.make_shares(deck, seat, SECRETS[seat], slots))
    assert deck.open == tuple(sorted(one.card for one in shown))
    assert len(deck.open) == 2


def test_a_card_goes_from_hand_to_hand_and_only_its_last_holder_sees_and_plays_it():
    deck = ready(3, a=1)
    (slot,) = sd.held_by(deck, "a")
    card = sd.find_card(deck, "a", SECRETS["a"], slot)
    for giver, taker in ("ab", "bc", "ca", "ab"):
        deck = sd.take_hand_over(deck, giver, sd.make_hand_over(deck, giver, SECRETS[giver], taker, [slot]))
        assert sd.hand(deck, taker, SECRETS[taker]) == {slot: card}
        assert sd.hand(deck, giver, SECRETS[giver]) == {}
    assert show(deck, "b", slot)[1] == [card]
    assert audit(deck, secrets_of(deck)).culprit is None


def test_discards_are_reshuffled_while_hands_keep_the_old_epoch():
    deck = ready(2, 6, a=3, b=3)
    kept = {seat: sd.hand(deck, seat, SECRETS[seat]) for seat in "ab"}
    for seat in "ab":
        deck, _ = show(deck, seat, *list(kept[seat])[:2])
    discards = deck.open
    assert sd.stock(deck) == ()
    deck = sd.begin_shuffle(deck, discards)
    assert sd.carriers(deck) == ()
    deck = shuffle(deck)
    assert sd.stock(deck) == tuple(sd.Slot(1, i) for i in range(4))
    deck = settle(sd.draw(deck, "a", sd.stock(deck)))
    hand = sd.hand(deck, "a", SECRETS["a"])
    assert sorted(card for slot, card in hand.items() if slot.epoch == 1) == sorted(discards)
    assert {slot: card for slot, card in hand.items() if slot.epoch == 0} == dict(list(kept["a"].items())[2:])
    for seat in "ab":
        for epoch in (0, 1):
            slots = [slot for slot in sd.held_by(deck, seat) if slot.epoch == epoch]
            deck, _ = show(deck, seat, *slots) if slots else (deck, None)
    assert deck.open == tuple(range(6))
    assert audit(deck, secrets_of(deck)).culprit is None


def test_cards_return_unseen_to_the_stock_together_with_it_and_with_discards():
    deck = ready(3, 8, a=2, b=2)
    first, second = sd.held_by(deck, "a")
    returned = sd.find_card(deck, "a", SECRETS["a"], first)
    deck, (discard,) = show(deck, "b", sd.held_by(deck, "b")[0])
    kept = {sd.find_card(deck, "a", SECRETS["a"], second), *sd.hand(deck, "b", SECRETS["b"]).values()}
    unseen = {*range(8)} - kept
    deck = sd.begin_shuffle(deck, [discard], [first, *sd.stock(deck)])
    assert sd.carriers(deck) == ("a", "b", "c")
    with pytest.raises(VerificationError, match="not this seat's turn to shuffle"):
        sd.make_shuffle(deck, "a", SECRETS["a"])
    deck = shuffle(deck)
    assert returned in unseen
    assert discard in unseen
    deck = settle(sd.draw(deck, "c", sd.stock(deck)))
    assert set(sd.hand(deck, "c", SECRETS["c"]).values()) == unseen
    finding = audit(deck, secrets_of(deck))
    assert finding.culprit is None
    assert finding.cards[first] == returned


def test_the_stock_can_be_shuffled_again_and_again():
    deck = ready(2, 5, a=1)
    for _ in range(3):
        deck = shuffle(sd.begin_shuffle(deck, deck.open, sd.stock(deck), order="ba"))
    deck = settle(sd.draw(deck, "b", sd.stock(deck)))
    seen = {**sd.hand(deck, "a", SECRETS["a"]), **sd.hand(deck, "b", SECRETS["b"])}
    assert sorted(seen.values()) == list(range(5))
    assert audit(deck, secrets_of(deck)).culprit is None


@pytest.mark.parametrize("seed", range(12))
def test_long_random_play_loses_and_doubles_no_card(seed):
    """Any mix of lawful events; every message goes through its text, every state through its lines."""
    rng = random.Random(seed)
    seats = NAMES[: rng.randint(2, 4)]
    keys = {seat: KEYS[seat].keys for seat in seats}
    deck = shuffle(
        sd.begin_shuffle(sd.new_deck(b"game", "deck", keys, range(7)), range(7), order=seats[::-1])
    )
    for _ in range(14):
        seat, other = rng.sample(seats, 2)
        stock, mine = sd.stock(deck), sd.held_by(deck, seat)
        match rng.choice(["draw", "turn", "show", "give", "back", "shuffle"]):
            case "draw" if stock:
                deck = settle(sd.draw(deck, seat, rng.sample(stock, rng.randint(1, min(2, len(stock))))))
            case "turn" if stock:
                deck = settle(sd.turn_up(deck, [rng.choice(stock)]))
            case "show" if mine:
                slot = rng.choice(mine)
                card = sd.find_card(deck, seat, SECRETS[seat], slot)
                deck, shown = show(deck, seat, slot)
                assert shown == [card]
            case "give" if mine:
                message = sd.make_hand_over(deck, seat, SECRETS[seat], other, [rng.choice(mine)])
                assert sd.from_lines(sd.to_lines(message)) == message
                deck = sd.take_hand_over(deck, seat, message)
            case "back" if len(deck.epochs) < 4 and (stock or mine):
                deck = shuffle(sd.begin_shuffle(deck, (), [*stock, *mine]))
            case "shuffle" if len(deck.epochs) < 4 and deck.open:
                deck = shuffle(sd.begin_shuffle(deck, rng.sample(deck.open, len(deck.open))))
        assert sd.from_state_lines(sd.state_lines(deck)) == deck
    finding = audit(deck, secrets_of(deck))
    assert finding.culprit is None
    assert sorted([*deck.open, *[finding.cards[one.slot] for one in deck.lying]]) == list(range(7))
    for seat in seats:
        assert all(finding.cards[slot] == card for slot, card in sd.hand(deck, seat, SECRETS[seat]).items())


# --- text and plain data -----------------------------------------------------------------------------


def messages() -> list[sd.Keys | sd.ShuffleStep | sd.Shares | sd.HandOver | sd.Carry]:
    deck = ready(2, 5, a=2)
    (slot, other) = sd.held_by(deck, "a")
    carrying = sd.begin_shuffle(deck, (), [slot, *sd.stock(deck)])
    drawing = sd.draw(deck, "b", sd.stock(deck))
    return [
        KEYS["a"],
        sd.make_shuffle(fresh(), "a", SECRETS["a"]),
        sd.make_shares(drawing, "a", SECRETS["a"], sd.stock(deck)),
        sd.make_hand_over(deck, "a", SECRETS["a"], "b", [slot, other]),
        sd.make_carry(carrying, "a", SECRETS["a"]),
    ]


@pytest.mark.parametrize("which", range(5))
def test_a_message_has_one_text_of_short_lines(which):
    message = messages()[which]
    lines = sd.to_lines(message)
    assert sd.from_lines(lines) == message
    assert all(len(line) <= 72 for line in lines)
    whole = "".join(lines)
    for broken in (
        lines[:-1],
        (*lines, "AAAA"),
        (lines[0][:-4], *lines[1:]),
        ("!" + lines[0][1:], *lines[1:]),
        ("é", *lines),
        ("Wg==", *lines[1:]),
        (whole,) if len(lines) > 1 else (lines[0] + "\n",),
        (),
        ("",),
    ):
        with pytest.raises(MalformedError):
            sd.from_lines(broken)


@given(st.sampled_from([b"K", b"S", b"X", b"H", b"C", b""]), st.binary(max_size=300))
def test_any_bytes_are_messages_in_their_one_encoding_or_refused(kind, data):
    data = kind + data
    lines = [base64.b64encode(data[i : i + 54]).decode() for i in range(0, len(data), 54)]
    try:
        found = sd.unpack(lines)
    except MalformedError:
        return
    assert sd.pack(found) == tuple(lines)


def test_a_big_deck_fits_into_an_entry():
    cards = tuple(Masked(bytes(32), bytes(32)) for _ in range(148))
    lines = sd.to_lines(sd.ShuffleStep(0, cards))
    assert sum(len(line) + 4 for line in lines) < 14_000


def test_messages_that_leave_together_share_one_text():
    together = messages()
    assert sd.unpack(sd.pack(together)) == tuple(together)
    assert sd.unpack(()) == ()
    for wrong in ((), sd.pack(together[:2])):
        with pytest.raises(MalformedError, match="deck messages stand where one belongs"):
            sd.from_lines(wrong)


def test_a_damaged_state_is_refused():
    deck = ready(2, 3, a=1)
    lines = sd.state_lines(sd.begin_shuffle(deck, (), sd.stock(deck)))
    assert sd.from_state_lines(lines)
    for number, line in enumerate(lines):
        for wrong in (
            "",
            "[]",
            "{}",
            "[" * 100_000,
            "7",
            line + " ",
            line[:-1],
            '["seat"]',
            '["card",0]',
            '["x"]',
        ):
            with pytest.raises(MalformedError):
                sd.from_state_lines([*lines[:number], wrong, *lines[number + 1 :]])
    with pytest.raises(MalformedError):
        sd.from_state_lines(lines[::-1])


# --- what the rules may not ask for ------------------------------------------------------------------


def test_a_deck_has_two_to_six_seats_and_distinct_cards_and_keys():
    keys = {seat: KEYS[seat].keys for seat in NAMES}
    for wrong in ({"a": keys["a"]}, {**keys, "g": keys["a"]}, {"a": keys["a"], "*": keys["b"]}):
        with pytest.raises(UsageError):
            sd.new_deck(b"game", "deck", wrong, range(3))
    with pytest.raises(VerificationError, match="two keys"):
        sd.new_deck(b"game", "deck", {"a": keys["a"], "b": keys["a"]}, range(3))
    with pytest.raises(UsageError, match="twice"):
        sd.new_deck(b"game", "deck", keys, [1, 1])


def test_only_the_stock_can_be_drawn_and_nobody_shuffles_without_keys_or_cards():
    deck = ready(2, 4, a=1)
    for slot in (sd.held_by(deck, "a")[0], sd.Slot(0, 9), sd.Slot(1, 0)):
        with pytest.raises(VerificationError, match="not in the stock"):
            sd.draw(deck, "b", [slot])
    with pytest.raises(UsageError, match="no seat z"):
        sd.draw(deck, "z", sd.stock(deck))
    for cards, slots, order in (((), (), None), ((), sd.stock(deck), "a"), ((), sd.stock(deck), "aab")):
        with pytest.raises(UsageError):
            sd.begin_shuffle(deck, cards, slots, order)
    with pytest.raises(UsageError, match="already"):
        sd.begin_shuffle(fresh(), [0])
    for _ in range(3):
        deck = shuffle(sd.begin_shuffle(deck, (), sd.stock(deck)))
    with pytest.raises(VerificationError, match="no key for shuffle 4"):
        sd.begin_shuffle(deck, (), sd.stock(deck))
    for seat in "ab":
        more = sd.make_keys(b"game", seat, "deck", SECRETS[seat], first=4, count=2)
        deck = sd.more_keys(deck, seat, more)
        with pytest.raises(sd.Refused, match="epoch 6, not 4"):
            sd.more_keys(deck, seat, more)
    deck = shuffle(sd.begin_shuffle(deck, (), sd.stock(deck)))
    assert audit(deck, secrets_of(deck)).culprit is None


def test_a_secret_of_another_game_makes_nothing():
    with pytest.raises(UsageError, match="not the one behind seat a's keys"):
        sd.make_shuffle(fresh(), "a", b"other")


def test_a_seat_cannot_shuffle_twice_or_out_of_turn():
    deck = fresh()
    step = sd.make_shuffle(deck, "a", SECRETS["a"])
    for state, seat in ((deck, "b"), (sd.take_shuffle(deck, "a", step), "a")):
        with pytest.raises(sd.Refused, match="not this seat's turn"):
            sd.take_shuffle(state, seat, step)
