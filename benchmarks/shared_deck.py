"""What a shared deck costs: processor time, and characters in the mails.

Run: python benchmarks/shared_deck.py
"""

from __future__ import annotations

from time import process_time as clock
from typing import Any

from pbem.protocol.deck import dealing, shuffling, wire
from pbem.protocol.deck import lines as deck_lines
from pbem.protocol.deck import state as deck_state
from pbem.protocol.deck.remaking import audit
from pbem.protocol.deck.state import Deck, _faces

Secrets = dict[str, bytes]
LIMIT = 64 * 1024
"""Bytes of an entry, at most (PROTOCOL, Entry)."""


def size(message: wire.Message) -> int:
    """Characters of the message in an entry: each line with quotes, comma and line end."""
    return sum(len(line) + 4 for line in wire.to_lines(message))


def row(what: str, seconds: float, characters: int = 0) -> None:
    """One line of the report."""
    mail = f"{characters:7d} characters in the entry, {100 * characters / LIMIT:4.1f} %" if characters else ""
    print(f"  {what:50s} {1000 * seconds:8.1f} ms   {mail}")


def measure(cards: int, seats: int) -> None:
    """One deck: keys, set-up, draws, a show, a hand-over, a return to the stock, the audit."""
    print(f"\n{cards} cards, {seats} seats")
    secrets = {seat: bytes([i]) * 32 for i, seat in enumerate("abcdef"[:seats], 1)}
    deck = set_up(cards, secrets, keys(secrets))
    deck = play(deck, secrets)
    deck = return_cards(deck, secrets)
    start = clock()
    assert audit(deck, secrets).culprit is None
    row("audit of two shuffles", clock() - start)


def keys(secrets: Secrets) -> dict[str, Any]:
    """The keys of all seats, made and checked."""
    ahead, seats = deck_state.KEYS_AHEAD, len(secrets)
    start = clock()
    made = {seat: deck_state.make_keys(b"list", seat, "deck", secret) for seat, secret in secrets.items()}
    row(f"{ahead} keys with proofs, made by one seat", (clock() - start) / seats, size(made["a"]))
    start = clock()
    checked = {seat: deck_state.check_keys(b"list", seat, "deck", made[seat]) for seat in secrets}
    row(f"{ahead} keys of one seat checked", (clock() - start) / seats)
    return checked


def set_up(cards: int, secrets: Secrets, checked: dict[str, Any]) -> Deck:
    """The first shuffle. Each seat is a machine of its own: it computes the points and checks every list."""
    start = clock()
    deck = shuffling.begin_shuffle(deck_state.new_deck(b"game", "deck", checked, range(cards)), range(cards))
    whole = len(secrets) * (clock() - start)
    for seat, secret in secrets.items():
        start = clock()
        step = shuffling.make_shuffle(deck, seat, secret)
        made = clock() - start
        start = clock()
        deck = shuffling.take_shuffle(deck, seat, step)
        taken = clock() - start
        whole += made + len(secrets) * taken
    row("masking and shuffling by one seat", made, size(step))
    row("checking one list", taken)
    row("SET-UP IN ALL, every seat's work added up", whole)
    start = clock()
    lines = deck_lines.state_lines(deck_lines.from_state_lines(deck_lines.state_lines(deck)))
    kept = sum(len(line) for line in lines)
    row(f"state written, read, written: {len(lines)} lines, {kept} bytes", clock() - start)
    return deck


def play(deck: Deck, secrets: Secrets) -> Deck:
    """Cards drawn, found by their drawer, shown and handed over."""
    slots = deck_state.stock(deck)[:6]
    deck = dealing.draw(deck, "a", slots)
    start = clock()
    for seat in [seat for seat in secrets if seat != "a"]:
        shares = dealing.make_shares(deck, seat, secrets[seat], slots)
        deck, _ = dealing.take_shares(deck, seat, shares)
    row(f"draw of {len(slots)} cards: others' shares, made and checked", clock() - start, size(shares))
    _faces.cache_clear()
    start = clock()
    dealing.hand(deck, "a", secrets["a"])
    row("drawer finds its cards, with a cold table of points", clock() - start)
    start = clock()
    show = dealing.make_show(deck, "a", secrets["a"], slots[:1])
    deck, _ = dealing.take_show(deck, "a", show)
    row("a card shown, made and checked", clock() - start, size(show))
    start = clock()
    given = dealing.make_hand_over(deck, "a", secrets["a"], "b", slots[1:2])
    deck = dealing.take_hand_over(deck, "a", given)
    row("a card handed over, made and checked", clock() - start, size(given))
    return deck


def return_cards(deck: Deck, secrets: Secrets) -> Deck:
    """Stock and a hand go back into the deck, which is shuffled again."""
    deck = shuffling.begin_shuffle(deck, deck.open, [*deck_state.stock(deck), *deck_state.held_by(deck, "a")])
    for seat in shuffling.carriers(deck):
        start = clock()
        carry = shuffling.make_carry(deck, seat, secrets[seat])
        deck = shuffling.take_carry(deck, seat, carry)
        if seat == "a":
            row("stock and a hand carried over by one seat, checked", clock() - start, size(carry))
    for seat, secret in secrets.items():
        deck = shuffling.take_shuffle(deck, seat, shuffling.make_shuffle(deck, seat, secret))
    return deck


if __name__ == "__main__":
    for cards, seats in ((32, 2), (148, 2), (148, 6)):
        measure(cards, seats)
