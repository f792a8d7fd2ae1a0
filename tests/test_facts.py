"""No word of any program or game is hashed: with other words everything has the same bytes and commits."""

from __future__ import annotations

import random
import re
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

import pbem.protocol.rounds.events  # noqa: F401
from games.kawagoe.chits import ChitDrawn, TurnBegan
from games.kawagoe.movement import Moved
from pbem.engine import events, registry
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import DrawnByLot, Machine, Ordered, SlotOpened
from pbem.engine.notation import Handle
from pbem.engine.waits import Over
from pbem.engine.wording import placeholders, tell
from pbem.errors import RulesError
from pbem.protocol.rounds.state import split
from pbem.report import once
from pbem.verify import verify_moves
from tests.cli import ROOT
from tests.scenes import orders, table_of
from tests.table import Network, Player, give, play_out, players, same_everywhere, settle
from tests.tiny import TINY

GAMES = ("chuhan", "kawagoe", "redcoats", "sanada", "suikoden")


@contextmanager
def other_words() -> Iterator[None]:
    """Every template of every game and of pbem says something else, and so does every refusal of an order."""
    for name in registry.names():
        registry.load(name)
    read_move = Machine.read_move

    def refusing(self: Machine, *args: Any) -> Any:
        try:
            return read_move(self, *args)
        except RulesError as error:
            error.message = "ん、だめ"
            raise

    with pytest.MonkeyPatch.context() as patch:
        for one in events._DECLARED:
            patch.setattr(one, "says", f"別の言葉 {one.__name__}")
        patch.setattr(Machine, "read_move", refusing)
        yield


def same_in_other_words(made: Callable[[], Any]) -> Any:
    """What comes of a game, if it comes of it in other words too."""
    found = made()
    with other_words():
        assert made() == found
    return found


def example(name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(ROOT / "examples" / "games" / f"{name}.zip") as archive:
        return {path: archive.read(path) for path in archive.namelist() if path != "verdict.txt"}


@pytest.mark.parametrize("name", GAMES)
def test_an_example_has_the_same_commits_in_other_words(name: str) -> None:
    def judged() -> Any:
        found = verify_moves(example(name))
        return found.ok, found.fingerprint, found.positions, [one.text() for one in found.logged]

    ok, fingerprint, *_ = same_in_other_words(judged)
    assert ok and re.fullmatch("[0-9a-f]{40}", fingerprint)


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_has_the_same_records_in_other_words(name: str) -> None:
    rules = registry.load(name)
    pack = rules.load_pack()

    def played() -> list[Any]:
        machine = Machine(rules, pack)
        croupier, rng = Croupier(machine, random.Random(5)), random.Random(6)
        scenario = next(iter(rules.scenarios(pack)))
        seats = rules.seat_names(pack, scenario, rules.seats[0])
        options = {one: values[0] for one, values in rules.options(pack).items()}
        result = croupier.settle(machine.start(scenario, options, seats))
        told: list[Any] = []
        for _ in range(150):
            told.append((result.position.text(), [event.table() for event in result.events]))
            if isinstance(machine.waits_for(result.position), Over):
                break
            result = croupier.play(result.position, dict.fromkeys(seats, random_player(rng)))
        return told

    assert len(same_in_other_words(played)) > 20


@pytest.mark.parametrize("seats", [2, 3])
def test_a_signed_game_with_all_that_players_sign_beside_it(seats: int) -> None:
    """Notes, offers, standing orders, lists that are skipped or sent back, new mails in any order."""

    def played() -> list[tuple[str, str]]:
        table = players(seats, salt="facts")
        Network(table, random.Random(11)).play()
        return [text for seat in sorted(table) for text in table[seat].texts]

    told = {event["event"] for text, _ in same_in_other_words(played) for event in logged(text)}
    assert {"Ordered", "NumbersFell", "CardsDealt"} <= told


def logged(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(text).get("events", [])
    return found


def skips(table: dict[str, Player]) -> None:
    give(table, orders(table["a"], "swear\n? hit nobody\n? lose face\nfetch"))


def stops(table: dict[str, Player]) -> None:
    body = replace(table["a"].secrets.orders("swear"), orders="swear\nhit a\n")
    give(table, table["a"].entry("orders", body))


def lies(table: dict[str, Player]) -> None:
    give(table, table["a"].entry("orders", replace(table["a"].secrets.orders("swear"), link="ab" * 32)))


@pytest.mark.parametrize(
    ("deed", "wanted"),
    [(skips, "OrderSkipped"), (stops, "ListReturned"), (lies, "SeatLeft")],
)
def test_what_goes_wrong_is_logged_without_words(deed: Callable[[Any], None], wanted: str) -> None:
    def played() -> list[tuple[str, str]]:
        table = table_of(2, salt="wrong")
        deed(table)
        settle(table)
        play_out(table, random.Random(3))
        return same_everywhere(table).texts

    told = same_in_other_words(played)
    assert wanted in {event["event"] for text, _ in told for event in logged(text)}


@pytest.mark.parametrize("name", [*GAMES, "tiny"])
def test_every_event_has_words_and_names_its_own_fields(name: str) -> None:
    """The name is part of what is hashed: it is one word, and no other event of the game has it."""
    rules = TINY if name == "tiny" else registry.load(name)
    found = events.events_of(rules.position)
    assert len(found) > 50
    for event in found.values():
        assert event.says or event.__subclasses__(), event
        assert placeholders(event.says) <= {*event.fields, "rule", "aside"}, event


@pytest.mark.parametrize("name", GAMES)
def test_the_log_is_read_as_it_was_told(name: str) -> None:
    """From the file an event has the same words as on the machine that made it, its aside apart."""
    rules = registry.load(name)
    found = verify_moves(example(name))
    pos = Machine(rules, rules.load_pack()).read(split(tomllib.loads(found.positions[-1]))[0])
    for one in found.logged:
        for event, table in zip(one.events, logged(one.text()), strict=True):
            read = events.read_event(table, rules.position)
            assert type(read) is type(event)
            assert event.aside or tell(read, pos) == tell(event, pos)


def test_a_report_tells_each_thing_once_and_every_die() -> None:
    """An order, a draw and an opened slot are left out where the next event names the same; so are dice."""
    for name in GAMES:
        for event in events.events_of(registry.load(name).position).values():
            for field in {"die", "dice"} & set(event.fields):
                assert field in placeholders(event.says), f"{event} would hide a die"
    pos = registry.load("kawagoe").position(seats=("hojo", "anti"))
    moved = Moved(("tame",), "1213", ("1113", "1213"), 1, 4)
    told = [Ordered("hojo", "move tame to 1213"), moved, Ordered("hojo", "done moving"), TurnBegan(2)]
    drawn = [
        DrawnByLot(2, Handle("s1.hojo.1")),
        SlotOpened("s1.hojo.1", "katta"),
        ChitDrawn("hojo", "katta", "hojo", {}),
    ]
    assert once([*told, *drawn], pos) == [moved, *told[2:], drawn[-1]]


def test_hidden_cards_are_never_told_by_their_handles() -> None:
    pos = registry.load("suikoden").position(seats=("east", "south"))
    order = Ordered("east", "build people-1.3 people-1.14 lands lands-1.2")
    assert tell(order, pos) == "east: build 2 face-down cards of people lands a face-down card of lands"
    assert tell(DrawnByLot(2, Handle("s1.hojo.1")), pos).endswith("the second that hojo put in, still closed")
