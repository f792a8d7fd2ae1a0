"""The public state of a shared deck as lines of text, one record per line, for the position.

Invariants: `from_state_lines(state_lines(deck)) == deck`, and only the lines that `state_lines` writes are
read: every other text is refused. Each line is a compact JSON list whose first word says what it is, so
that a drawn card is one changed line in a git diff.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.errors import MalformedError
from pbem.protocol.deck.masking import SIZE, Masked
from pbem.protocol.deck.state import Deck, Epoch, Lying
from pbem.protocol.deck.wire import Spot


def state_lines(deck: Deck) -> tuple[str, ...]:
    """The state, record by record."""
    rows: list[list[object]] = [["deck", deck.name, deck.game.hex(), deck.spoilt, list(deck.open)]]
    rows += [
        ["seat", seat, *[key.hex() for key in own]] for seat, own in zip(deck.seats, deck.keys, strict=True)
    ]
    for epoch in deck.epochs:
        lists = [each.hex() for each in epoch.lists]
        rows.append(["epoch", epoch.number, list(epoch.order), list(epoch.cards), lists])
        rows += [["unseen", *_card_row(one)] for one in epoch.unseen]
    rows += [["card", *_card_row(one)] for one in deck.lying]
    rows += [["masked", (card.a + card.b).hex()] for card in deck.masked]
    return tuple([json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows])


def _card_row(one: Lying) -> list[object]:
    return [*one.slot, (one.masked.a + one.masked.b).hex(), one.holder, list(one.owed)]


def from_state_lines(lines: Sequence[str]) -> Deck:
    """The state of these lines, written by this machine or in a replay: points are not checked again."""
    try:
        deck = _read([json.loads(line) for line in lines])
        same = state_lines(deck) == tuple(lines)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        same = False
    if not same:
        raise MalformedError("the state of a shared deck is damaged", "rebuild the position from the moves")
    return deck


def _read(rows: list[list[Any]]) -> Deck:
    """Builds on whatever is there; a wrong type or order does not survive the comparison that follows."""
    _, name, game, spoilt, opened = rows[0]
    deck = Deck(bytes.fromhex(game), name, (), (), tuple(opened), spoilt=spoilt)
    for kind, *row in rows[1:]:
        match kind:
            case "seat":
                keys = tuple([bytes.fromhex(key) for key in row[1:]])
                deck = replace(deck, seats=(*deck.seats, row[0]), keys=(*deck.keys, keys))
            case "epoch":
                number, order, cards, lists = row
                digests = tuple([bytes.fromhex(each) for each in lists])
                epoch = Epoch(number, tuple(order), tuple(cards), (), digests)
                deck = replace(deck, epochs=(*deck.epochs, epoch))
            case "unseen":
                last = deck.epochs[-1]
                last = replace(last, unseen=(*last.unseen, _card(*row)))
                deck = replace(deck, epochs=(*deck.epochs[:-1], last))
            case "card":
                deck = replace(deck, lying=(*deck.lying, _card(*row)))
            case "masked":
                deck = replace(deck, masked=(*deck.masked, _masked(*row)))
            case _:
                raise ValueError
    return deck


def _card(epoch: int, place: int, masked: str, holder: str | None, owed: list[str]) -> Lying:
    return Lying(Spot(epoch, place), _masked(masked), holder, tuple(owed))


def _masked(text: str) -> Masked:
    data = bytes.fromhex(text)
    return Masked(data[:SIZE], data[SIZE:])
