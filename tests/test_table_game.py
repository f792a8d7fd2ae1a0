"""The table played: by random orders and by bots, with two to six seats, no card lost and none seen twice."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.table.dice import read
from games.table.kit import Kit
from games.table.moves import MOVES
from games.table.position import TablePosition
from games.table.rules import TABLE
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.engine.notation import keyword
from pbem.engine.options import PUBLIC, View
from pbem.playtest import fuzz
from pbem.playtest.local import begin, is_over, usual_start
from tests.commandline import pbem

KITS = tuple(TABLE.load_pack().kits)


def game(kit: str, seed: int, seats: int | None = None) -> tuple[Croupier, Any]:
    pack = TABLE.load_pack()
    start = usual_start(TABLE, pack, kit, seats)
    croupier = Croupier(Machine(TABLE, pack), random.Random(seed))
    return croupier, begin(croupier, start)


def every_card_is_there(pos: TablePosition) -> None:
    for deck in pos.piles:
        assert pos.count(deck) == len(pos.deck_kit(deck).cards), deck


@pytest.mark.parametrize("kit", KITS)
def test_random_orders_break_nothing(kit: str) -> None:
    found = fuzz.run(TABLE, kit, games=6)
    assert found["finished"] == 6 and found["decisions"] > 100


CARD_ORDERS = {
    "draw",
    "deal",
    "look",
    "turn",
    "shuffle",
    "gather",
    "play",
    "reveal",
    "remove",
    "aside",
    "keep",
}
CARD_ORDERS |= {"top", "bury", "give", "return", "take", "move"}


@pytest.mark.parametrize(("kit", "seats"), [("strategy", 2), ("cards", 2), ("cards", 6)])
def test_no_card_is_lost_or_made_whatever_is_ordered(kit: str, seats: int) -> None:
    given: set[str] = set()
    player = random_player(random.Random(5))

    def noted(pos: Any, options: Any, view: View) -> Any:
        move = player(pos, options, view)
        given.add(keyword(type(move)))
        return move

    for seed in range(4):
        croupier, pos = game(kit, seed, seats)
        while not is_over(croupier.machine, pos):
            every_card_is_there(pos)
            pos = croupier.play(pos, dict.fromkeys(pos.seats, noted)).position
    assert given >= CARD_ORDERS, CARD_ORDERS - given


def test_every_order_is_found_by_its_first_words() -> None:
    assert len({kind.notation for kind in MOVES}) == len(MOVES)
    assert all(kind.__doc__ for kind in MOVES)


def test_a_seat_sees_its_own_cards_and_no_others() -> None:
    croupier, pos = game("cards", 3, 3)
    for seat in pos.seats:
        view = croupier.view(pos, seat)
        shown = {piece.id: piece.name for piece in TABLE.scene(pos, view).pieces}
        for other in pos.seats:
            names = [shown[card] for card in pos.around[other].hand]
            assert all(names) if other == seat else not any(names)
    drawn = TABLE.scene(pos, PUBLIC)
    assert not any(piece.name for piece in drawn.pieces)
    assert {tray.seat for tray in drawn.trays if tray.title == "hand"} == set(pos.seats)
    (track,) = drawn.tracks
    assert track.title == "tricks" and [token.owner for token in track.tokens] == list(pos.seats)


@pytest.mark.parametrize(
    ("order", "faces", "result"),
    [
        ("2d6+1 attack", (3, 4), ["8"]),
        ("d%", (73,), ["73"]),
        ("4d10-2>=6 volley", (8, 7, 9, 1), ["2"]),
        ("2*battle, then odds/2-1-1 attack on 2214", (4, 6, 1), ["hit, double hit", "0: attacker retreats"]),
        ("weather for the day; fire+9", (6, 6, 4), ["12: clear", "13: two steps lost"]),
    ],
)
def test_dice_come_to_what_the_kit_says(order: str, faces: tuple[int, ...], result: list[str]) -> None:
    wishes = read(_kit("dice"), order)
    assert not isinstance(wishes, str)
    told = []
    for wish in wishes:
        own, faces = faces[: wish.throw.count], faces[wish.throw.count :]
        told.append(wish.told(own))
    assert told == result and not faces


@pytest.mark.parametrize(
    "order", ["", "attack 2d6", "0d6", "1d1", "101d6", "60d6 and 41d6", "odds", "fire/x", "9*dice"]
)
def test_what_cannot_be_rolled_is_said(order: str) -> None:
    assert isinstance(read(_kit("dice"), order), str)


def _kit(name: str) -> Kit:
    return TABLE.load_pack().kits[name]


def test_the_score_is_what_the_kit_calls_so() -> None:
    _, pos = game("strategy", 1)
    assert {(one.seat, one.points) for one in TABLE.score(pos)} == {("allies", 10), ("axis", 10)}
    assert {sheet.id for sheet in TABLE.tables(TABLE.load_pack())} >= {
        "dice-odds",
        "cards-pack",
        "chits-phases",
    }


def test_six_play_with_sealed_orders_and_a_stranger_verifies_it() -> None:
    told = pbem("demo", "table", "--scenario", "orders", "--seats", "6", "--seed", "4", "--json").json
    assert told["verified"] is True and told["audited"] is True and told["entries"] > 100
