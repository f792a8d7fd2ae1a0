"""Whole games of chuhan: hidden hands, saved positions, listing and accepting, bots, words for players."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from itertools import islice

import pytest

from games.chuhan import rules as module
from games.chuhan.march import MarchPhase
from games.chuhan.moves import FightOn, MoveGroup, PlayEvent, Reinforce, Wait
from games.chuhan.position import ChuhanPosition
from games.chuhan.rules import CHUHAN
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.engine.notation import Handle, Move
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.waits import Ask, Over
from pbem.errors import RulesError, UsageError
from pbem.page.plain import width
from pbem.page.terminal import show
from pbem.playtest import arena
from tests.table import play_out, players, same_everywhere

PACK = CHUHAN.load_pack()
MACHINE = Machine(CHUHAN, PACK)
SEATS = ("chu", "han")


def begin(seed: int) -> tuple[Croupier, ChuhanPosition]:
    croupier = Croupier(MACHINE, random.Random(seed))
    return croupier, croupier.settle(MACHINE.start("standard", {}, SEATS)).position


def wander(seed: int, decisions: int) -> tuple[Croupier, ChuhanPosition]:
    """A position in the middle of a random game."""
    croupier, pos = begin(seed)
    players = dict.fromkeys(SEATS, random_player(random.Random(seed)))
    for _ in range(decisions):
        if isinstance(MACHINE.waits_for(pos), Over):
            break
        pos = croupier.play(pos, players).position
    return croupier, pos


def asked(pos: ChuhanPosition) -> Options | None:
    wait = MACHINE.waits_for(pos)
    return wait.options if isinstance(wait, Ask) else None


def chu_to_act() -> tuple[Croupier, ChuhanPosition, Options]:
    """Turn 1, with Chu to act."""
    for seed in range(100):
        croupier, pos = begin(seed)
        while (options := asked(pos)) is not None and options.kind != "action":
            pos = croupier.play(pos, dict.fromkeys(SEATS, random_player(croupier.rng))).position
        if options is not None and options.seat == "chu":
            return croupier, pos, options
    raise AssertionError("Chu never begins")


# --- hidden hands


def other_truth(
    croupier: Croupier, pos: ChuhanPosition, handles: list[Handle], rng: random.Random
) -> Croupier:
    """The same game in which these cards, and some of the deck, are others."""
    twin = Croupier(MACHINE, croupier.rng)
    twin.truth = dict(croupier.truth)
    loose = [*handles, *pos.decks["fate"].rest]
    values = [twin.truth[h] for h in loose]
    rng.shuffle(values)
    twin.truth |= dict(zip(loose, values, strict=True))
    return twin


def seen(croupier: Croupier, pos: ChuhanPosition, seat: str) -> list[object]:
    """Everything that a seat can look at."""
    view = croupier.view(pos, seat)
    options = asked(pos)
    found: list[object] = [pos.text(), show(CHUHAN, pos, view), CHUHAN.headline(pos), view.known]
    if options is not None:
        mine = view if options.seat == seat else PUBLIC
        found += [
            options.seat,
            options.ask,
            options.hidden,
            list(islice(options.list(mine), 60)),
            options.only(),
        ]
    return found


def quiet(options: Options, rng: random.Random, view: View) -> Move:
    """A random answer that plays no event, since spies would open a card of the other hand."""
    while True:
        move = options.sample(rng, view)
        if not isinstance(move, PlayEvent):
            return move


@pytest.mark.parametrize("chunk", range(4))
def test_two_games_that_differ_in_unplayed_cards_look_the_same_to_the_opponent(chunk: int) -> None:
    pairs = 0
    for seed in range(chunk * 1000, chunk * 1000 + 400):
        croupier, pos = wander(seed, 2 + seed % 23)
        rng = random.Random(seed)
        hidden, watcher = rng.sample(SEATS, 2)
        if not pos.stack or not isinstance(pos.stack[-1], MarchPhase) or len(pos.hand(hidden)) < 2:
            continue
        kept, *unplayed = pos.hand(hidden)
        twin = other_truth(croupier, pos, unplayed, rng)
        state = rng.getstate()
        logs = []
        for game in (croupier, twin):
            rng.setstate(state)
            game.rng = random.Random(seed + 1)
            logs.append(list(follow(game, pos, hidden, watcher, kept, rng)))
        assert logs[0] == logs[1]
        pairs += 1
        if pairs == 50:
            return
    raise AssertionError(f"only {pairs} pairs")


def follow(
    game: Croupier, pos: ChuhanPosition, hidden: str, watcher: str, kept: Handle, rng: random.Random
) -> Iterator[object]:
    """The rest of the march as the watcher sees it; the other plays the one card that is the same in both."""
    turn = pos.turn
    while pos.turn == turn and (options := asked(pos)) is not None:
        yield seen(game, pos, watcher)
        if options.seat == hidden and options.kind == "action":
            ruler = PACK.ruler(module.Camp(hidden))
            spend = Reinforce(str(ruler), kept)
            move: Move = spend if options.contains(spend) else Wait()
        else:
            view = game.view(pos, watcher) if options.seat == watcher else PUBLIC
            move = quiet(options, rng, view)
        if isinstance(move, Wait) and pos.stack[-1].waits == 1:
            return
        result = game.decide(pos, move, options.seat)
        pos = result.position
        if pos.turn == turn and pos.stack and isinstance(pos.stack[-1], MarchPhase):
            yield [event.table() for event in result.events]


def test_only_an_empty_hand_waits_by_itself() -> None:
    croupier, pos, options = chu_to_act()
    assert options.hidden and options.only() is None
    assert [type(move) for move in options.list(PUBLIC)] == [Wait]
    assert len(list(islice(options.list(croupier.view(pos, options.seat)), 50))) == 50


def test_a_card_must_be_shown_to_be_used() -> None:
    _, pos, options = chu_to_act()
    card = pos.hand(options.seat)[0]
    refusal = options.why_not(PlayEvent(card), PUBLIC)
    assert refusal is not None and refusal.rule == "6-3"


# --- saved positions, listing and accepting


@pytest.mark.parametrize("seed", range(12))
def test_a_position_read_again_asks_the_same(seed: int) -> None:
    croupier, pos = wander(seed, 5 + 5 * seed)
    again = MACHINE.read(tomllib.loads(pos.text()))
    assert again.text() == pos.text()
    options, other = asked(pos), asked(again)
    if options is None or other is None:
        assert options is other
        return
    view = croupier.view(pos, options.seat)
    assert list(islice(options.list(view), 300)) == list(islice(other.list(view), 300))
    assert show(CHUHAN, again, view) == show(CHUHAN, pos, view)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_listed_is_accepted_and_what_is_sampled_is_listed(seed: int) -> None:
    croupier, pos = wander(seed, 4 + 4 * seed)
    options = asked(pos)
    if options is None:
        return
    view = croupier.view(pos, options.seat)
    listed = list(options.list(view))
    assert len(listed) == len(set(listed))
    rng = random.Random(seed)
    for move in rng.sample(listed, min(200, len(listed))):
        assert options.why_not(move, view) is None
        text = MACHINE.write_move(pos, move, view)
        read = MACHINE.read_move(pos, options, text, view)
        assert MACHINE.write_move(pos, read, view) == text
    for _ in range(60):
        assert options.sample(rng, view) in listed


# --- words


def test_chinese_names_do_as_well_as_ids() -> None:
    croupier, pos, options = chu_to_act()
    view = croupier.view(pos, "chu")
    name = PACK.cards[str(view.value(pos.hand("chu")[0]))].name
    move = MACHINE.read_move(pos, options, f"move 項羽 from 臨淄 to 彭城 paying {name}", view)
    assert isinstance(move, MoveGroup) and (move.units, move.start, move.area) == (
        ("xiangyu",),
        "linzi",
        "peng",
    )


def test_han_xin_is_who_of_the_two_is_on_the_board() -> None:
    pos = CHUHAN.start(PACK, "standard", {}, SEATS)
    assert CHUHAN.aliases(pos)["韓信"] == "hanxin"
    pos.place_general("hanxin-lord", "wan")
    assert CHUHAN.aliases(pos)["韓信"] == "hanxin-lord"


def test_a_legion_of_a_lord_may_be_named_in_chinese() -> None:
    croupier, pos, _ = chu_to_act()
    pos = pos.copy()
    pos.markers["qingbu"] = -2
    pos.wait = None
    options = asked(pos)
    assert options is not None
    card = PACK.cards[croupier.truth[pos.hand("chu")[0]]].id
    move = MACHINE.read_move(
        pos, options, f"move 黥布:2 from 六 to 宛 paying {card}", croupier.view(pos, "chu")
    )
    assert isinstance(move, MoveGroup) and CHUHAN.odds(pos, move) is None


def test_the_board_shows_every_area_and_no_hidden_card() -> None:
    croupier, pos, _ = chu_to_act()
    public, own = show(CHUHAN, pos), show(CHUHAN, pos, croupier.view(pos, "chu"))
    for area in PACK.areas.values():
        assert area.id in public and area.name in public
    held = [croupier.truth[h] for h in pos.hand("chu")]
    assert all(f"{card} = " in own for card in held)
    assert not any(f"{card} = " in public for card in PACK.cards)
    assert max(map(width, public.splitlines())) <= 100


def test_one_thing_explained() -> None:
    _, pos = begin(1)
    assert CHUHAN.explain(pos, "彭城").splitlines()[0] == "Peng 彭 (peng): supply 2, capital of chu"
    assert "two random cards" in CHUHAN.explain(pos, "間諜").lower()
    assert CHUHAN.explain(pos, "項羽").startswith("Xiang Yu 4 (xiangyu, 項羽), ruler of chu")
    assert CHUHAN.explain(pos, "Rome") == "nothing is known of Rome"


def test_the_odds_of_the_first_fight() -> None:
    _, pos = begin(1)
    pos.stack = [MarchPhase("chu")]
    text = CHUHAN.odds(pos, FightOn(("xiangyu", "4"), "linzi", Handle("c")))
    assert text is not None
    assert "against Tian Rong (1 generals, 3 legions)" in text
    assert "6 dice hit on 4 or less: 4.0 hits on average" in text
    assert "a general hit: 68%" in text
    assert CHUHAN.odds(pos, Wait()) is None


def test_the_deck_is_shared_and_options_are_named() -> None:
    assert CHUHAN.shared_decks(PACK, "standard", {}) == ("fate",)
    assert CHUHAN.options(PACK)["strategy"] == ("force", "camp")
    pos = CHUHAN.start(PACK, "standard", {"strategy": "camp", "first-action": "higher-strategy"}, SEATS)
    assert pos.options == {"strategy": "camp"}


def test_unknown_scenarios_and_tables_are_refused() -> None:
    with pytest.raises(UsageError, match="no scenario"):
        CHUHAN.start(PACK, "short", {}, SEATS)
    with pytest.raises(UsageError, match="no table"):
        CHUHAN.fix_tables(PACK, {"crt": 1})
    fixed = CHUHAN.fix_tables(
        PACK, {"death": "flees", "autumn": "royal", "spring": 2, "friendship": ["qingbu", "han"]}
    )
    assert set(fixed.tables.death["royal"]) == {"flees"} and set(fixed.tables.spring) == {2}


def test_an_order_that_is_no_order_says_what_to_write() -> None:
    croupier, pos, options = chu_to_act()
    view = croupier.view(pos, options.seat)
    with pytest.raises(RulesError, match="written: move"):
        MACHINE.read_move(pos, options, "move xiangyu to peng", view)
    with pytest.raises(RulesError, match="no hidden card called"):
        MACHINE.read_move(pos, options, "reinforce fanzeng paying nothing", view)


# --- between two machines


def test_a_whole_game_between_seats_that_share_only_bytes() -> None:
    table = players(2, scenario="standard", rules=CHUHAN)
    play_out(table, random.Random(1))
    one = same_everywhere(table)
    assert one.over and one.ledger.state.gone == {} and not one.ledger.state.disputed
    assert set(one.ledger.state.opened) == set(SEATS)


# --- bots


@pytest.mark.parametrize("seat", SEATS)
def test_the_bot_beats_random_play(seat: str) -> None:
    other = SEATS[seat == "chu"]
    players = {other: lambda seed: random_player(random.Random(seed))}
    ended = arena.run(CHUHAN, games=3, seed=5, players=players)
    assert [one.winners for one in ended] == [(seat,)] * 3
