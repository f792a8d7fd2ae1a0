"""What the protocol page says of shared decks is enough to check every message of a game."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import pytest

from pbem.protocol.deck import shuffling, wire
from pbem.protocol.deck import state as deck_state
from tests.second_deck import Deck
from tests.table import Player, play_out, players, same_everywhere, secret_of
from tests.test_shared_deck import KEYS, SECRETS, ready
from tests.tiny.turns import DECK


@lru_cache(maxsize=8)
def played(count: int, salt: int) -> tuple[Player, dict[str, bytes]]:
    table = players(count, scenario="long", options={"deck": "shared"}, salt=f"page {salt}")
    play_out(table, random.Random(salt))
    one = same_everywhere(table)
    return one, {seat: secret_of(one.contract, player.key, seat)[0] for seat, player in table.items()}


def messages(player: Player) -> list[tuple[str, str, Any]]:
    """(author, "deck" or the value of an opening, lines) of a game, in the order of its log."""
    found = []
    for logged in player.log:
        body, seat = logged.entry.body, logged.entry.seat
        if getattr(body, "deck", ()):
            found.append((seat, "deck", body.deck))
        shown = (*getattr(body, "opens", ()), *getattr(getattr(body, "tail", None), "opens", ()))
        found += [(seat, one.value, one) for one in shown if one.share]
    return found


def read(player: Player, secrets: dict[str, bytes], change: Any = None) -> Deck:
    contract, seats = player.contract, list(player.contract.seats)
    deck = Deck(contract.game, contract.listed, "deck", seats, secrets)
    for name, seat in contract.seats.items():
        deck.take(name, seat.decks["deck"])
    count = len(DECK) * len(seats)
    for seat, what, lines in messages(player):
        if what == "deck":
            deck.take(seat, change(lines) if change else lines)
            continue
        epoch, place = (int(part) for part in lines.slot.removeprefix("deck-").split("."))
        deck.take(seat, lines.share)
        assert (DECK * len(seats))[deck.shown((epoch - 1, place), count)] == what
        deck.counts["shown"] = deck.counts.get("shown", 0) + 1
    return deck


def test_every_message_of_shared_decks_is_checked_from_the_page_alone() -> None:
    counts: dict[str, int] = {}
    for count, salt in [(2, 1), (2, 2), (3, 3), (3, 4)]:
        for kind, number in read(*played(count, salt)).counts.items():
            counts[kind] = counts.get(kind, 0) + number
    assert set(counts) == {"K", "S", "X", "H", "shown"} and counts["X"] > 20, counts


@pytest.mark.parametrize("seat", ["a", "b"])
def test_another_secret_does_not_make_the_same_deck(seat: str) -> None:
    player, secrets = played(2, 1)
    with pytest.raises(AssertionError):
        read(player, secrets | {seat: bytes(32)})


def test_a_changed_message_is_found() -> None:
    def change(lines: tuple[str, ...]) -> tuple[str, ...]:
        first = lines[0]
        return (first[:-5] + ("A" if first[-5] != "A" else "B") + first[-4:], *lines[1:])

    with pytest.raises((AssertionError, ValueError, RuntimeError, TypeError, KeyError)):
        read(*played(2, 1), change)


def test_cards_carried_over_unseen_are_checked_and_shuffled_from_the_page_alone() -> None:
    deck = ready(2, 6, a=2)
    second = Deck(b"game", b"list", "deck", ["a", "b"], SECRETS)
    for seat in "ab":
        second.take(seat, wire.to_lines(KEYS[seat]))
    second.lying = {tuple(one.slot): tuple(one.masked) for one in deck.lying}
    back = [deck_state.held_by(deck, "a")[0], *deck_state.stock(deck)]
    deck = shuffling.begin_shuffle(deck, (), back)
    for seat in "ab":
        carry = shuffling.make_carry(deck, seat, SECRETS[seat])
        second.take(seat, wire.to_lines(carry))
        deck = shuffling.take_carry(deck, seat, carry)
    cards = [second.lying[tuple(slot)] for slot in sorted(back)]
    assert cards == [tuple(card) for card in deck.masked]
    step = shuffling.make_shuffle(deck, "a", SECRETS["a"])
    assert second.shuffle("a", 1, cards) == [tuple(card) for card in step.masked]
    assert second.counts["C"] == 2
