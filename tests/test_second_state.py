"""A second reading of `pbem help protocol` makes every position again, of disputed games, too."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from pbem.protocol.papers.bodies import Note
from tests import second_state
from tests.adversary.harm import STEPS, Schedule
from tests.adversary.memory import in_memory
from tests.adversary.world import World, scene
from tests.cheats.pieces import without
from tests.scenes import play, table_of
from tests.second_contract import Bad, contract
from tests.second_rounds import Round, check_logs, read, rounds
from tests.table import Network, Player, give, key_of, play_out, players, same_everywhere, settle
from tests.test_ledger_absence import GRACE, away, claim, decide, forfeit
from tests.test_ledger_agreements import take_back
from tests.test_ledger_disputes import agree, both_built_on, two_halves
from tests.test_ledger_keys import consent, with_new_key

Game = tuple[bytes, list[bytes], list[str]]
"""game.toml, the entries, and position.toml at the beginning and after each of them."""
LOGS = {"breach": {"verdict", "taken out"}, "void": {"void"}, "double": {"verdict"}, "late": {"verdict"}}
"""Of which games the log tells of something without effect, or of an end."""

# --- games


def breach() -> dict[str, Player]:
    """a decides with a link that does not follow; the others go on, and wait for a lawful one."""
    table = table_of(3)
    a = table["a"]
    give(table, a.entry("orders", replace(a.secrets.orders("hit b"), link="11" * 32)))
    agree(table)
    play(table, "a", "swear")
    give(table, a.entry("orders", replace(a.secrets.orders("hit b"), link="11" * 32)))
    return table


def void() -> dict[str, Player]:
    """A list whose first order is not legal, and one that nobody can read."""
    table = table_of(2)
    a = table["a"]
    for text in ("hit a\n", "    hit b\n"):
        give(table, a.entry("orders", replace(a.secrets.orders("swear"), orders=text)))
    play(table, "a", "swear")
    return table


def double() -> dict[str, Player]:
    table = table_of(3)
    halves = two_halves(table["a"])
    for raw in (*halves, *both_built_on(table, halves)):
        give(table, raw)
    return table


def absence() -> dict[str, Player]:
    """a is away, and again, and back early; the others play; then c's clock runs out."""
    table = table_of(3)
    a = table["a"]
    for begin, until in ((1, 5), (3, 8), (8.5, 10), (9, 9)):
        give(table, away(a, begin, until))
    give(table, decide(a, "done", 9.5))
    give(table, decide(table["b"], "done", 11))
    give(table, claim(a, "c", day=15))
    give(table, claim(a, "c", day=30))
    give(table, forfeit(a, "c", day=30 + GRACE))
    return table


def late() -> dict[str, Player]:
    """a, who is asked, is away and says something all the same; then its clock runs out."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    give(table, away(a, 1, 11))
    give(table, claim(b, "a", day=25))
    give(table, a.entry("note", Note(), a.unseen()))
    give(table, forfeit(b, "a", day=25 + GRACE))
    return table


def new_keys() -> dict[str, Player]:
    """While a is waited for, and once more when it is not."""
    table = table_of(2)
    play(table, "a", "swear")
    for salt in ("new", "newer"):
        new = key_of("a", salt)
        consent(table, "a", new)
        table["a"] = with_new_key(table["a"], new)
        play(table, "a", "hit b" if salt == "new" else "swear")
    return table


def taken_back() -> dict[str, Player]:
    table = table_of(2)
    play(table, "a", "swear")
    play(table, "a", "hit b")
    take_back(table, 1)
    play(table, "a", "hit b")
    return table


def vanished() -> dict[str, Player]:
    rest = without(table_of(4), "a")
    settle(rest)
    play_out(rest, random.Random(1))
    return rest


def resigned() -> dict[str, Player]:
    table = players(3, salt="resigned")
    settle(table)
    give(table, table["a"].entry("resign", table["a"].secrets.resign()))
    play_out(table, random.Random(1))
    return table


SCENES = {
    one.__name__: one
    for one in (breach, void, double, absence, late, new_keys, taken_back, vanished, resigned)
}


@lru_cache(maxsize=16)
def player_of(name: str) -> Player:
    return same_everywhere(SCENES[name]())


def game_of(name: str) -> Game:
    one = player_of(name)
    positions = [one.first, *(logged.position for logged in one.log)]
    return one.contract.text().encode(), [logged.entry.raw for logged in one.log], positions


def disputed(game: str, seats: int, number: int) -> Game:
    """What an honest machine holds after a course of events in which one seat signs anything."""
    rng = random.Random(f"harm {game} {seats} 4242 {number}")
    with in_memory() as folder:
        world = World(scene(game, seats, rng.randrange(3)), folder, rng, rng.randrange(1000))
        Schedule(world, rng.choice(STEPS)).run()
        first, *line = [commit.files for _, commit in world.honest[0].table.repo.line]
    raws = [next(raw for path, raw in files.items() if path.startswith("moves/")) for files in line]
    return first["game.toml"], raws, [files["position.toml"].decode() for files in (first, *line)]


def whole(game: Game) -> int:
    return second_state.check(contract(game[0]), game[1], game[2])


def told(game: Game) -> list[Round]:
    entries = [read(number, raw) for number, raw in enumerate(game[1], 1)]
    return list(rounds(entries, game[2]))


@pytest.mark.parametrize("name", SCENES)
def test_every_position_is_made_again(name: str) -> None:
    assert whole(game_of(name)) > 1


@pytest.mark.parametrize("name", SCENES)
def test_the_log_tells_of_voids_and_verdicts_as_the_page_says(name: str) -> None:
    _, raws, positions = game_of(name)
    logs = [logged.text() for logged in player_of(name).log]
    assert check_logs(raws, positions, logs) == LOGS.get(name, set())
    with pytest.raises(Bad):
        check_logs(raws, positions, [logs[-1], *logs[1:]])


@pytest.mark.parametrize(("game", "seats"), [("own", 2), ("deeds", 2), ("weather", 3), ("shared", 3)])
def test_every_position_is_made_again_whatever_one_seat_signs(game: str, seats: int) -> None:
    assert all(whole(disputed(game, seats, number)) for number in range(2))


@pytest.mark.parametrize(("count", "deck"), [(2, "own"), (3, "own"), (3, "shared")])
def test_every_position_of_a_game_with_bad_mail_is_made_again(count: int, deck: str) -> None:
    table = players(count, salt="second", options={"deck": deck})
    Network(table, random.Random(count)).play()
    one = next(iter(table.values()))
    positions = [one.first, *(logged.position for logged in one.log)]
    assert whole((one.contract.text().encode(), [logged.entry.raw for logged in one.log], positions)) > 10


def test_these_games_come_to_every_kind_of_end() -> None:
    found = {what for name in SCENES for one in told(game_of(name)) for what in _kinds(one)}
    assert found == {"breach", "double", "late", "keys", "leaving", "absence", "claim", "resigned", "audit"}


def _kinds(one: Round) -> set[str]:
    before, after = one.before, one.after
    new: dict[str, Any] = one.verdict or {}
    seats = after["seats"]
    return {
        what
        for what, holds in {
            "breach": bool(new) and one.undone and not new.get("first"),
            "double": bool(new.get("first")),
            "late": bool(new.get("late")),
            "keys": any(seats[s]["key"] != before["seats"][s]["key"] for s in seats),
            "leaving": after["leaving"] != before["leaving"],
            "absence": after["absences"] != before["absences"],
            "claim": after["claims"] != before["claims"],
            "resigned": after["opened_boxes"] != before["opened_boxes"],
            "audit": after["opened"] != before["opened"],
        }.items()
        if holds
    }


# --- changed positions

FIELDS = re.compile(
    r'\b(?:number|event|links|skip|then|chain|decided|answered) = (\d+)|"([0-9a-f]{64})"|"(20\d\d)-\d\d-'
)
LEFT_OUT = re.compile(
    r"\[protocol\.(?:queues|standing|announced|boxes|decks|dealt|opened\w*)\]\n(?:.+\n)*|leaving = .*\n"
)

IN_THE_OPEN = re.compile(r"\[protocol\.(?:fresh|offers)\]\n(?:.+\n)*|(?:event|seed|decisions) = .*\n")


def changed(text: str, rng: random.Random) -> str:
    """One number, id or year of [protocol] is another one."""
    begin = text.index("[protocol]")
    gaps = [(found.start(), found.end()) for found in LEFT_OUT.finditer(text)]
    if "[protocol.opened_boxes]" in text:  # dice and links of a seat in the open need the rules
        gaps += [(found.start(), found.end()) for found in IN_THE_OPEN.finditer(text)]
    places = [
        found
        for found in FIELDS.finditer(text, begin)
        if not any(a <= found.start() < b for a, b in gaps) and not text[: found.start()].endswith("first = ")
    ]
    one = rng.choice(places)
    at = next(group for group in (1, 2, 3) if one[group])
    old = one[at]
    new = str(int(old) + 1) if at != 2 else old[:20] + ("1" if old[20] == "0" else "0") + old[21:]
    return text[: one.start(at)] + new + text[one.end(at) :]


@pytest.mark.parametrize("name", SCENES)
def test_a_changed_number_link_id_or_time_is_found_after_every_round(name: str) -> None:
    rng = random.Random(name)
    game, raws, positions = game_of(name)
    rounds_of = told((game, raws, positions))
    for one in rng.sample(rounds_of, min(8, len(rounds_of))):
        text = changed(positions[one.number], rng)
        with pytest.raises(Bad):
            second_state.check(contract(game), raws[: one.number], [*positions[: one.number], text])


def test_an_answer_dated_otherwise_than_the_log_is_found() -> None:
    """It is signed by its seat, so only the comparison with `since` can tell."""
    game = game_of("taken_back")
    one = next(r for r in told(game) if [e.kind for e in r.entries] == ["answers"])
    check = second_state.Check(contract(game[0]), one, set(), one.entries, *next(one.ways()))
    later = one.entries[0]
    later.head["sent"] = "2099" + later.head["sent"][4:]
    with pytest.raises(Bad, match="what it answers"):
        check._dated(later)
