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
from pbem.protocol.deck import dealing, masking, shuffling, wire
from pbem.protocol.deck import lines as deck_lines
from pbem.protocol.deck import state as deck_state
from pbem.protocol.deck.masking import Masked
from pbem.protocol.deck.remaking import audit
from pbem.protocol.deck.state import card_of, deck_scalar

NAMES = "abcdef"
SECRETS = {seat: bytes([i]) * 32 for i, seat in enumerate(NAMES, 1)}
KEYS = {seat: deck_state.make_keys(b"list", seat, "deck", SECRETS[seat], count=4) for seat in NAMES}


def secrets_of(deck: deck_state.Deck) -> dict[str, bytes]:
    return {seat: SECRETS[seat] for seat in deck.seats}


def fresh(seats: int = 2, cards: int = 6) -> deck_state.Deck:
    """A deck of which nobody has shuffled yet."""
    keys = {seat: deck_state.check_keys(b"list", seat, "deck", KEYS[seat]) for seat in NAMES[:seats]}
    return shuffling.begin_shuffle(deck_state.new_deck(b"game", "deck", keys, range(cards)), range(cards))


def shuffle(deck: deck_state.Deck) -> deck_state.Deck:
    """Everybody carries over and shuffles honestly, as far as it is still to do."""
    for seat in shuffling.carriers(deck):
        deck = shuffling.take_carry(deck, seat, shuffling.make_carry(deck, seat, SECRETS[seat]))
    while (seat := shuffling.next_shuffler(deck)) is not None:
        deck = shuffling.take_shuffle(deck, seat, shuffling.make_shuffle(deck, seat, SECRETS[seat]))
    return deck


def settle(deck: deck_state.Deck) -> deck_state.Deck:
    """Everybody publishes the shares it owes."""
    for seat in deck.seats:
        for slots in dealing.owes(deck, seat):
            deck, _ = dealing.take_shares(deck, seat, dealing.make_shares(deck, seat, SECRETS[seat], slots))
    return deck


def ready(seats: int = 2, cards: int = 6, **hands: int) -> deck_state.Deck:
    """A shuffled deck from which seats have drawn so many cards."""
    deck = shuffle(fresh(seats, cards))
    for seat, count in hands.items():
        deck = settle(dealing.draw(deck, seat, deck_state.stock(deck)[:count]))
    return deck


def show(deck: deck_state.Deck, seat: str, *slots: wire.Spot) -> tuple[deck_state.Deck, list[int | None]]:
    deck, shown = dealing.take_show(deck, seat, dealing.make_show(deck, seat, SECRETS[seat], slots))
    return deck, [one.card for one in shown]


def at(deck: deck_state.Deck, slot: wire.Spot) -> deck_state.Lying:
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
    with pytest.raises(deck_state.Refused, match=match) as caught:
        yield
    assert caught.value.culprit == culprit
    assert caught.value.message.startswith(f"seat {culprit}: ")


# --- honest play -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
def test_hands_are_disjoint_and_what_is_shown_is_what_was_drawn(seats):
    deck = ready(seats, 2 * seats + 1, **dict.fromkeys(NAMES[:seats], 2))
    hands = {seat: dealing.hand(deck, seat, SECRETS[seat]) for seat in deck.seats}
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
    (slot,) = deck_state.held_by(deck, "a")
    one = at(deck, slot)
    for seat in "bc":
        rest = masking.sub(one.masked.b, masking.times(deck_scalar(SECRETS[seat], "deck", 0), one.masked.a))
        assert card_of(deck, 0, rest) is None
        with pytest.raises(VerificationError, match="not in its hand"):
            dealing.find_card(deck, seat, SECRETS[seat], slot)


def test_a_drawer_sees_nothing_before_the_last_share():
    deck = dealing.draw(shuffle(fresh(3)), "a", [wire.Spot(0, 4)])
    deck, _ = dealing.take_shares(deck, "b", dealing.make_shares(deck, "b", SECRETS["b"], [wire.Spot(0, 4)]))
    assert dealing.hand(deck, "a", SECRETS["a"]) == {}
    with pytest.raises(VerificationError, match="still lacks a share of c"):
        dealing.find_card(deck, "a", SECRETS["a"], wire.Spot(0, 4))


def test_a_card_turned_up_needs_everybody_and_is_seen_by_everybody():
    deck = dealing.turn_up(shuffle(fresh(3)), [wire.Spot(0, 0), wire.Spot(0, 3)])
    shown: tuple[deck_state.Shown, ...] = ()
    for seat in "cab":
        assert shown == ()
        (slots,) = dealing.owes(deck, seat)
        deck, shown = dealing.take_shares(deck, seat, dealing.make_shares(deck, seat, SECRETS[seat], slots))
    assert deck.open == tuple(sorted(one.card for one in shown))
    assert len(deck.open) == 2


def test_a_card_goes_from_hand_to_hand_and_only_its_last_holder_sees_and_plays_it():
    deck = ready(3, a=1)
    (slot,) = deck_state.held_by(deck, "a")
    card = dealing.find_card(deck, "a", SECRETS["a"], slot)
    for giver, taker in ("ab", "bc", "ca", "ab"):
        deck = dealing.take_hand_over(
            deck, giver, dealing.make_hand_over(deck, giver, SECRETS[giver], taker, [slot])
        )
        assert dealing.hand(deck, taker, SECRETS[taker]) == {slot: card}
        assert dealing.hand(deck, giver, SECRETS[giver]) == {}
    assert show(deck, "b", slot)[1] == [card]
    assert audit(deck, secrets_of(deck)).culprit is None


def test_discards_are_reshuffled_while_hands_keep_the_old_epoch():
    deck = ready(2, 6, a=3, b=3)
    kept = {seat: dealing.hand(deck, seat, SECRETS[seat]) for seat in "ab"}
    for seat in "ab":
        deck, _ = show(deck, seat, *list(kept[seat])[:2])
    discards = deck.open
    assert deck_state.stock(deck) == ()
    deck = shuffling.begin_shuffle(deck, discards)
    assert shuffling.carriers(deck) == ()
    deck = shuffle(deck)
    assert deck_state.stock(deck) == tuple(wire.Spot(1, i) for i in range(4))
    deck = settle(dealing.draw(deck, "a", deck_state.stock(deck)))
    hand = dealing.hand(deck, "a", SECRETS["a"])
    assert sorted(card for slot, card in hand.items() if slot.epoch == 1) == sorted(discards)
    assert {slot: card for slot, card in hand.items() if slot.epoch == 0} == dict(list(kept["a"].items())[2:])
    for seat in "ab":
        for epoch in (0, 1):
            slots = [slot for slot in deck_state.held_by(deck, seat) if slot.epoch == epoch]
            deck, _ = show(deck, seat, *slots) if slots else (deck, None)
    assert deck.open == tuple(range(6))
    assert audit(deck, secrets_of(deck)).culprit is None


def test_cards_return_unseen_to_the_stock_together_with_it_and_with_discards():
    deck = ready(3, 8, a=2, b=2)
    first, second = deck_state.held_by(deck, "a")
    returned = dealing.find_card(deck, "a", SECRETS["a"], first)
    deck, (discard,) = show(deck, "b", deck_state.held_by(deck, "b")[0])
    kept = {
        dealing.find_card(deck, "a", SECRETS["a"], second),
        *dealing.hand(deck, "b", SECRETS["b"]).values(),
    }
    unseen = {*range(8)} - kept
    deck = shuffling.begin_shuffle(deck, [discard], [first, *deck_state.stock(deck)])
    assert shuffling.carriers(deck) == ("a", "b", "c")
    with pytest.raises(VerificationError, match="not this seat's turn to shuffle"):
        shuffling.make_shuffle(deck, "a", SECRETS["a"])
    deck = shuffle(deck)
    assert returned in unseen
    assert discard in unseen
    deck = settle(dealing.draw(deck, "c", deck_state.stock(deck)))
    assert set(dealing.hand(deck, "c", SECRETS["c"]).values()) == unseen
    finding = audit(deck, secrets_of(deck))
    assert finding.culprit is None
    assert finding.cards[first] == returned


def test_the_stock_can_be_shuffled_again_and_again():
    deck = ready(2, 5, a=1)
    for _ in range(3):
        deck = shuffle(shuffling.begin_shuffle(deck, deck.open, deck_state.stock(deck), order="ba"))
    deck = settle(dealing.draw(deck, "b", deck_state.stock(deck)))
    seen = {**dealing.hand(deck, "a", SECRETS["a"]), **dealing.hand(deck, "b", SECRETS["b"])}
    assert sorted(seen.values()) == list(range(5))
    assert audit(deck, secrets_of(deck)).culprit is None


@pytest.mark.parametrize("seed", range(12))
def test_long_random_play_loses_and_doubles_no_card(seed):
    """Any mix of lawful events; every message goes through its text, every state through its lines."""
    rng = random.Random(seed)
    seats = NAMES[: rng.randint(2, 4)]
    keys = {seat: KEYS[seat].keys for seat in seats}
    deck = shuffle(
        shuffling.begin_shuffle(
            deck_state.new_deck(b"game", "deck", keys, range(7)), range(7), order=seats[::-1]
        )
    )
    for _ in range(14):
        seat, other = rng.sample(seats, 2)
        stock, mine = deck_state.stock(deck), deck_state.held_by(deck, seat)
        match rng.choice(["draw", "turn", "show", "give", "back", "shuffle"]):
            case "draw" if stock:
                deck = settle(dealing.draw(deck, seat, rng.sample(stock, rng.randint(1, min(2, len(stock))))))
            case "turn" if stock:
                deck = settle(dealing.turn_up(deck, [rng.choice(stock)]))
            case "show" if mine:
                slot = rng.choice(mine)
                card = dealing.find_card(deck, seat, SECRETS[seat], slot)
                deck, shown = show(deck, seat, slot)
                assert shown == [card]
            case "give" if mine:
                message = dealing.make_hand_over(deck, seat, SECRETS[seat], other, [rng.choice(mine)])
                assert wire.from_lines(wire.to_lines(message)) == message
                deck = dealing.take_hand_over(deck, seat, message)
            case "back" if len(deck.epochs) < 4 and (stock or mine):
                deck = shuffle(shuffling.begin_shuffle(deck, (), [*stock, *mine]))
            case "shuffle" if len(deck.epochs) < 4 and deck.open:
                deck = shuffle(shuffling.begin_shuffle(deck, rng.sample(deck.open, len(deck.open))))
        assert deck_lines.from_state_lines(deck_lines.state_lines(deck)) == deck
    finding = audit(deck, secrets_of(deck))
    assert finding.culprit is None
    assert sorted([*deck.open, *[finding.cards[one.slot] for one in deck.lying]]) == list(range(7))
    for seat in seats:
        assert all(
            finding.cards[slot] == card for slot, card in dealing.hand(deck, seat, SECRETS[seat]).items()
        )


# --- text and plain data -----------------------------------------------------------------------------


def messages() -> list[wire.Keys | wire.ShuffleStep | wire.Shares | wire.HandOver | wire.Carry]:
    deck = ready(2, 5, a=2)
    (slot, other) = deck_state.held_by(deck, "a")
    carrying = shuffling.begin_shuffle(deck, (), [slot, *deck_state.stock(deck)])
    drawing = dealing.draw(deck, "b", deck_state.stock(deck))
    return [
        KEYS["a"],
        shuffling.make_shuffle(fresh(), "a", SECRETS["a"]),
        dealing.make_shares(drawing, "a", SECRETS["a"], deck_state.stock(deck)),
        dealing.make_hand_over(deck, "a", SECRETS["a"], "b", [slot, other]),
        shuffling.make_carry(carrying, "a", SECRETS["a"]),
    ]


@pytest.mark.parametrize("which", range(5))
def test_a_message_has_one_text_of_short_lines(which):
    message = messages()[which]
    lines = wire.to_lines(message)
    assert wire.from_lines(lines) == message
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
            wire.from_lines(broken)


@given(st.sampled_from([b"K", b"S", b"X", b"H", b"C", b""]), st.binary(max_size=300))
def test_any_bytes_are_messages_in_their_one_encoding_or_refused(kind, data):
    data = kind + data
    lines = [base64.b64encode(data[i : i + 54]).decode() for i in range(0, len(data), 54)]
    try:
        found = wire.unpack(lines)
    except MalformedError:
        return
    assert wire.pack(found) == tuple(lines)


def test_a_big_deck_fits_into_an_entry():
    cards = tuple(Masked(bytes(32), bytes(32)) for _ in range(148))
    lines = wire.to_lines(wire.ShuffleStep(0, cards))
    assert sum(len(line) + 4 for line in lines) < 14_000


def test_messages_that_leave_together_share_one_text():
    together = messages()
    assert wire.unpack(wire.pack(together)) == tuple(together)
    assert wire.unpack(()) == ()
    for wrong in ((), wire.pack(together[:2])):
        with pytest.raises(MalformedError, match="deck messages stand where one belongs"):
            wire.from_lines(wrong)


def test_a_damaged_state_is_refused():
    deck = ready(2, 3, a=1)
    lines = deck_lines.state_lines(shuffling.begin_shuffle(deck, (), deck_state.stock(deck)))
    assert deck_lines.from_state_lines(lines)
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
                deck_lines.from_state_lines([*lines[:number], wrong, *lines[number + 1 :]])
    with pytest.raises(MalformedError):
        deck_lines.from_state_lines(lines[::-1])


# --- what the rules may not ask for ------------------------------------------------------------------


def test_a_deck_has_two_to_six_seats_and_distinct_cards_and_keys():
    keys = {seat: KEYS[seat].keys for seat in NAMES}
    for wrong in ({"a": keys["a"]}, {**keys, "g": keys["a"]}, {"a": keys["a"], "*": keys["b"]}):
        with pytest.raises(UsageError):
            deck_state.new_deck(b"game", "deck", wrong, range(3))
    with pytest.raises(VerificationError, match="two keys"):
        deck_state.new_deck(b"game", "deck", {"a": keys["a"], "b": keys["a"]}, range(3))
    with pytest.raises(UsageError, match="twice"):
        deck_state.new_deck(b"game", "deck", keys, [1, 1])


def test_only_the_stock_can_be_drawn_and_nobody_shuffles_without_keys_or_cards():
    deck = ready(2, 4, a=1)
    for slot in (deck_state.held_by(deck, "a")[0], wire.Spot(0, 9), wire.Spot(1, 0)):
        with pytest.raises(VerificationError, match="not in the stock"):
            dealing.draw(deck, "b", [slot])
    with pytest.raises(UsageError, match="no seat z"):
        dealing.draw(deck, "z", deck_state.stock(deck))
    for cards, slots, order in (
        ((), (), None),
        ((), deck_state.stock(deck), "a"),
        ((), deck_state.stock(deck), "aab"),
    ):
        with pytest.raises(UsageError):
            shuffling.begin_shuffle(deck, cards, slots, order)
    with pytest.raises(UsageError, match="already"):
        shuffling.begin_shuffle(fresh(), [0])
    for _ in range(3):
        deck = shuffle(shuffling.begin_shuffle(deck, (), deck_state.stock(deck)))
    with pytest.raises(VerificationError, match="no key for shuffle 4"):
        shuffling.begin_shuffle(deck, (), deck_state.stock(deck))
    for seat in "ab":
        more = deck_state.make_keys(b"game", seat, "deck", SECRETS[seat], first=4, count=2)
        deck = deck_state.more_keys(deck, seat, more)
        with pytest.raises(deck_state.Refused, match="epoch 6, not 4"):
            deck_state.more_keys(deck, seat, more)
    deck = shuffle(shuffling.begin_shuffle(deck, (), deck_state.stock(deck)))
    assert audit(deck, secrets_of(deck)).culprit is None


def test_a_secret_of_another_game_makes_nothing():
    with pytest.raises(UsageError, match="not the one behind seat a's keys"):
        shuffling.make_shuffle(fresh(), "a", b"other")


def test_a_seat_cannot_shuffle_twice_or_out_of_turn():
    deck = fresh()
    step = shuffling.make_shuffle(deck, "a", SECRETS["a"])
    for state, seat in ((deck, "b"), (shuffling.take_shuffle(deck, "a", step), "a")):
        with pytest.raises(deck_state.Refused, match="not this seat's turn"):
            shuffling.take_shuffle(state, seat, step)
