"""The hidden hand of a shared deck really is hidden, over the real protocol; and no draw can be foreseen.

Two games are a pair if they differ only in the cards that one seat, the hider, has not played. `hidden_hand`
says how such games are made. All games of a line are compared with its first one, and no two of them have
the same unplayed cards, so that each two of them are a pair: 6 games of a line are 15 pairs. More of them:
`python -m tests.test_hidden_hand 15` plays 15 games for each hider, 210 pairs.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from games.chuhan.moves import Reinforce
from games.chuhan.rules import CHUHAN
from pbem.demo.bot import order_text
from pbem.engine.notation import Handle, write
from pbem.engine.options import Options, View
from pbem.engine.waits import Chance, Deliver
from pbem.protocol.crypto.chance import integers, seed
from pbem.protocol.deck import masking
from pbem.protocol.deck.state import KEYS_AHEAD, Lying, card_of, deck_scalar
from pbem.protocol.deck.wire import Spot
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.events import NumbersFell
from tests.hidden_hand import DECK, SEATS, Game, Line, Moved, Policy, begun, difference, waited
from tests.hidden_watch import Side
from tests.table import Player, give, players


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where every game is played."""
    return tmp_path_factory.mktemp("hidden") / "work"


@pytest.fixture(scope="module")
def first_turn(work: Path) -> Path:
    return begun(work, work.with_name("first"))


@pytest.fixture(scope="module")
def fifth_turn(first_turn: Path, work: Path) -> Path:
    """So many cards lie open that the deck runs out in this turn, and the discards become the new one."""
    return waited(work, first_turn, work.with_name("fifth"), "line", 4)


def moved_card(game: Game, moved: Moved, slot: Spot) -> str:
    """What lies in a slot when cards are moved."""
    place = moved.get(slot.epoch, {}).get(slot.place, slot.place)
    return game.loose[Spot(slot.epoch, place)]


def twins(game: Game, epoch: int, rng: random.Random) -> Iterator[tuple[Moved, tuple[str, ...]]]:
    """Other truths about the loose cards of an epoch, and what hand the hider has then: each one new."""
    places = [slot.place for slot in game.loose if slot.epoch == epoch]
    known = {game.hand}
    for _ in range(1000):
        moved = {epoch: dict(zip(places, rng.sample(places, len(places)), strict=True))}
        hand = tuple(sorted(moved_card(game, moved, slot) for slot in game.kept))
        if hand not in known:
            known.add(hand)
            yield moved, hand


def pairs_of(line: Line, work: Path, games: int, epoch: int = 0) -> int:
    """Play a line so many times; every game but the first with other unplayed cards. Returns the pairs."""
    first = line.game(work, {})
    hands = [first.hand]
    truths = twins(first, epoch, random.Random(f"{line}"))
    for _ in range(games - 1):
        moved, hand = next(truths)
        other = line.game(work, moved)
        assert other.hand == hand
        assert difference(first, other) == ""
        hands.append(hand)
    return sum(one != two for one, two in combinations(hands, 2))


@pytest.mark.parametrize("hider", SEATS)
def test_games_that_differ_in_unplayed_cards_look_the_same_to_the_other_seat(
    hider: str, first_turn: Path, work: Path
) -> None:
    """Mails both ways byte for byte in size, reports, lists of orders, board, log, folder, history, home."""
    assert pairs_of(Line("line", hider, first_turn, actions=2), work, 6) == 15


def test_so_they_do_when_the_discards_were_shuffled_anew(fifth_turn: Path, work: Path) -> None:
    """Han's cards are of the new deck, while Chu holds cards of the old one."""
    assert pairs_of(Line("line", "han", fifth_turn, actions=2, turn=5), work, 3, epoch=1) == 3


class Shows(Policy):
    """Pays with the last of the cards that it should keep."""

    def last(self, side: Side, options: Options) -> str:
        return write(Reinforce("xiangyu", side.table.ledger.position.hand(side.seat)[-1]))


def test_a_card_that_is_played_is_seen(first_turn: Path, work: Path) -> None:
    """The same two truths, and the comparison finds the one card that was laid open."""
    line = Line("line", "chu", first_turn, actions=1)
    kept = line.game(work, {})
    slot, card = list(kept.kept.items())[-1]
    truths = (moved for moved, _ in twins(kept, 0, random.Random(1)))
    moved = next(moved for moved in truths if moved_card(kept, moved, slot) != card)
    line = replace(line, policy=Shows)
    assert difference(line.game(work, {}), line.game(work, moved)).startswith("mail")


# --- draws


def dealing(wait: type[Chance] | type[Deliver], taker: str = "", salt: str = "") -> dict[str, Player]:
    """A table of chuhan, nothing fixed, where cards are about to be dealt, or to be seen by their taker."""
    table = players(2, scenario="standard", rules=CHUHAN, salt=salt)
    rng = random.Random(1)
    for player in [*table.values()] * 10:
        found = player.ledger.machine.waits_for(player.ledger.position)
        if isinstance(found, wait) and getattr(found, "taker", "") == taker:
            return table
        raw = player.answer() or player.decide(rng)
        if raw is not None:
            give(table, raw)
    raise AssertionError("no cards are dealt")


@pytest.mark.parametrize("other", SEATS)
def test_which_slots_are_drawn_hangs_on_the_link_of_the_other_seat(other: str) -> None:
    """Chu has decided, and its link is out; Han's comes when Chu's is fixed, and is fixed by its chain."""
    table = dealing(Chance)
    chu, han = (table[seat] for seat in SEATS)
    state, wait = chu.ledger.state, chu.ledger.machine.waits_for(chu.ledger.position)
    assert isinstance(wait, Chance) and list(state.fresh) == ["chu"]
    decided = [bytes.fromhex(one) for one in state.decisions]
    links = {"chu": bytes.fromhex(state.fresh["chu"]), "han": bytes.fromhex(han.secrets.next_link())}

    def drawn(link: bytes) -> tuple[int, ...]:
        both = (links | {other: link}).values()
        return integers(seed(chu.contract.game, state.event + 1, decided, list(both)), 0, wait.bounds)

    rng = random.Random(2)
    assert len({drawn(rng.randbytes(32)) for _ in range(200)}) == 200
    answer = han.answer()
    assert answer is not None
    give(table, answer)
    (values,) = [
        e.values for one in chu.log for e in one.events if isinstance(e, NumbersFell) and e.seed == 1
    ]
    assert tuple(values) == drawn(links[other])


@pytest.mark.parametrize("owner", SEATS)
def test_with_all_its_secrets_the_owner_cannot_tell_its_cards_before_the_others_share(owner: str) -> None:
    """No card of the stock either; `test_shared_deck` has that its own program refuses to."""
    table = dealing(Deliver, owner)
    player, other = table[owner], next(one for one in table.values() if one.seat != owner)
    deck = deck_duties.load(player.ledger.state, DECK)
    drawn = [one for one in deck.lying if one.holder == owner and one.owed == (other.seat,)]
    assert len(drawn) >= 3
    scalars = [deck_scalar(player.secrets.secret, DECK, epoch) for epoch in range(KEYS_AHEAD)]

    def opened(one: Lying) -> list[str | None]:
        """What each key of the owner makes of a card."""
        points = [masking.sub(one.masked.b, masking.times(x, one.masked.a)) for x in scalars]
        cards = [card_of(deck, one.slot.epoch, point) for point in (one.masked.b, *points)]
        return [None if card is None else player.ledger.state.decks[DECK].names[card] for card in cards]

    unseen = [one for one in deck.lying if one.holder is None or one in drawn]
    assert not any(card for one in unseen for card in opened(one))
    share = other.answer()
    assert share is not None
    give(table, share)
    lying = {one.slot: one for one in deck_duties.load(player.ledger.state, DECK).lying}
    known = player.secrets.view().known
    for one in drawn:
        card = known[Handle(f"{DECK}-{one.slot.epoch + 1}.{one.slot.place}")]
        assert [found for found in opened(lying[one.slot]) if found] == [card]


def test_an_order_of_a_bot_does_not_tell_of_a_second_card_of_that_name() -> None:
    table = dealing(Deliver, "chu")
    share = table["han"].answer()
    assert share is not None
    give(table, share)
    ledger = table["chu"].ledger
    played, kept = ledger.position.hand("chu")[:2]
    texts = [
        order_text(ledger.machine, ledger.position, Reinforce("xiangyu", played), View("chu", known))
        for known in ({played: "gifts", kept: "gifts"}, {played: "gifts", kept: "spies"})
    ]
    assert texts == ["reinforce xiangyu paying gifts"] * 2


def test_which_card_is_played_by_name_says_nothing_of_the_slots_before_it() -> None:
    """A name stands for the first card in an order that only the owner knows, not in that of the slots."""
    orders = []
    for salt in range(6):
        table = dealing(Deliver, "chu", str(salt))
        share = table["han"].answer()
        assert share is not None
        give(table, share)
        chu = table["chu"]
        known = list(chu.secrets.view().known)
        assert sorted(known) == sorted(chu.ledger.position.hand("chu"))
        assert list(chu.secrets.view().known) == known
        orders.append([sorted(known).index(handle) for handle in known])
    assert len({tuple(order) for order in orders}) > 2


def main(games: int) -> None:
    """The same comparison for both hiders at another size."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        first = begun(work, work.with_name("first"))
        for hider in SEATS:
            pairs = pairs_of(Line("line", hider, first, actions=2), work, games)
            print(f"{hider}: {games} games, {pairs} pairs that look the same to the other seat")


if __name__ == "__main__":
    main(int(sys.argv[1]))
