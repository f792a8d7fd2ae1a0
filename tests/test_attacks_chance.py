"""Per primitive: who holds what when a number is fixed, and that it determines nothing.

Every number that fell in random games is worked out again from the entries and positions alone. Then
for each kind of draw: the links of the others come after the last decision, the decider's own comes
with it, and without any one of them every result is still possible.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import pytest

from pbem.protocol.crypto.chance import integers, seed
from pbem.protocol.rounds.events import NumbersFell
from tests.scenes import Weather, table_of
from tests.table import Player, play_out, players, same_everywhere


@dataclass(frozen=True)
class Fall:
    """One request for numbers, with everything that went into its seed."""

    what: str
    bounds: tuple[int, ...]
    values: tuple[int, ...]
    request: int
    event: int
    decisions: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    """Seat and link, in seat order."""
    number: int
    """The entry with which it fell."""


PRIMITIVES = {
    "dice": "5.1",
    "cup": "2.2",
    "pool": "6.5",
    "own deck, first hands": "1.2 own",
    "own deck, one card": "6.6 own",
    "own deck, milled": "6.3 own",
    "shared deck, first hands": "1.2 shared",
    "shared deck, turned up": "6.3 shared",
    "card from a hidden hand": "6.2",
}


@lru_cache(maxsize=64)
def played(count: int, deck: str, seed_: int) -> Player:
    table = players(count, scenario="long", options={"deck": deck}, salt=f"{count}{deck}{seed_}")
    play_out(table, random.Random(f"{count} {deck} {seed_}"))
    return same_everywhere(table)


def falls(player: Player, deck: str) -> Iterator[Fall]:
    """Every number of a game, worked out from the log."""
    held: dict[str, str] = {}
    decisions: tuple[str, ...] = ()
    event = 0
    for logged in player.log:
        before = player.earlier(logged.number - 1)
        state = tomllib.loads(before)["protocol"]
        for number, told in enumerate(logged.events):
            if not isinstance(told, NumbersFell):
                continue
            if told.seed != event:
                event = told.seed
                held = dict(state.get("fresh", {})) | links_of_round(player, logged.number)
                decisions = decisions_of(player, logged.number, state)
            following = logged.events[number + 1]
            kind = following.rule
            yield Fall(
                f"{kind} {deck}" if kind in ("1.2", "6.6", "6.3") else kind,
                told.bounds,
                told.values,
                told.request,
                event,
                decisions,
                tuple((s, held[s]) for s in player.contract.seats),
                logged.number,
            )


def round_of(player: Player, number: int) -> list[int]:
    """The entries of the round that ends with this one: all with the position from before it."""
    first = number
    while first > 1 and player.earlier(first - 1) == player.earlier(first - 2):
        first -= 1
    return list(range(first, number + 1))


def links_of_round(player: Player, number: int) -> dict[str, str]:
    """The links that count after a round: a single decider's, and those of machines."""
    entries = [player.log[n - 1].entry for n in round_of(player, number)]
    deciders = [e for e in entries if e.head.kind in ("orders", "sealed")]
    found = {e.seat: e.body.link for e in entries if e.head.kind == "answers" and e.body.link}
    return found | ({deciders[0].seat: deciders[0].body.link} if len(deciders) == 1 else {})


def decisions_of(player: Player, number: int, state: dict) -> tuple[str, ...]:
    """The decisions since the last seed, those of the last round included."""
    entries = [player.log[n - 1].entry for n in round_of(player, number)]
    new = [e.id for e in entries if e.head.kind in ("orders", "sealed")]
    return (*state.get("decisions", ()), *new)


def worked_out(player: Player, fall: Fall) -> tuple[int, ...]:
    return with_inputs(player, fall, fall.decisions, [link for _, link in fall.links])


def with_inputs(player: Player, fall: Fall, decisions: tuple[str, ...], links: list[str]) -> tuple[int, ...]:
    made = seed(
        player.contract.game,
        fall.event,
        [bytes.fromhex(d) for d in decisions],
        [bytes.fromhex(link) for link in links],
    )
    return integers(made, fall.request, fall.bounds)


@lru_cache(maxsize=1)
def all_falls() -> list[tuple[Player, Fall]]:
    """The numbers of as many games as it takes to see every primitive."""
    found: list[tuple[Player, Fall]] = []
    for n in range(20):
        for count, deck in ((2, "own"), (3, "own"), (3, "shared")):
            player = played(count, deck, n)
            found += [(player, fall) for fall in falls(player, deck)]
        if n >= 2 and set(PRIMITIVES.values()) <= {fall.what for _, fall in found if max(fall.bounds) > 1}:
            return found
    raise AssertionError("a primitive never came")


def test_every_number_follows_from_the_entries_alone() -> None:
    for player, fall in all_falls():
        assert worked_out(player, fall) == fall.values


def spread(player: Player, fall: Fall, seat: str) -> set[tuple[int, ...]]:
    """What could have fallen, for somebody who knows everything but this seat's link."""
    rng = random.Random(f"{fall.event} {seat}")
    found = set()
    for _ in range(60):
        links = [rng.randbytes(32).hex() if s == seat else link for s, link in fall.links]
        found.add(with_inputs(player, fall, fall.decisions, links))
    return found


def first_shown(player: Player) -> dict[str, tuple[int, str]]:
    """Where each link was first shown to anybody: the number of the entry and its kind."""
    found: dict[str, tuple[int, str]] = {}
    for logged in player.log:
        link = getattr(logged.entry.body, "link", "")
        if link:
            assert link not in found, "no link serves twice"
            found[link] = (logged.number, logged.entry.head.kind)
    return found


def instances(name: str) -> list[tuple[Player, Fall]]:
    return [(p, f) for p, f in all_falls() if f.what == PRIMITIVES[name] and max(f.bounds) > 1]


@pytest.mark.parametrize("name", sorted(PRIMITIVES))
def test_what_one_seat_holds_before_its_decision_does_not_determine_the_result(name: str) -> None:
    """Of every other seat one link is missing then, and any one missing link leaves every result possible."""
    found = instances(name)
    assert found
    for player, fall in found[:12]:
        shown = first_shown(player)
        numbers = {one.entry.id: one for one in player.log}
        fixed = [numbers[d] for d in fall.decisions if d in numbers]
        last = max((one.number for one in fixed), default=0)
        decider = next((one.entry.seat for one in fixed if one.number == last), None)
        for seat, link in fall.links:
            at, kind = shown[link]
            if seat == decider and kind in ("orders", "sealed"):
                assert at == last, "the decider's own link comes with its decision"
            else:
                assert at > last, "every other link comes after the last decision"
            possible = spread(player, fall, seat)
            assert len(possible) >= min(len(set(range(max(fall.bounds)))), 2)
            for index, bound in enumerate(fall.bounds):
                if bound <= 6:
                    assert {values[index] for values in possible} == set(range(bound))


@pytest.mark.parametrize("name", ["dice", "pool", "card from a hidden hand", "shared deck, turned up"])
def test_the_responder_cannot_work_it_out_before_the_deciders_link_is_out(name: str) -> None:
    """Before the decision it lacks the decider's link and the decision's id: each alone hides all."""
    found = instances(name)
    for player, fall in found[:12]:
        entries = {one.entry.id: one.entry for one in player.log}
        decider = entries[fall.decisions[-1]].seat
        bound = fall.bounds[0]
        assert {values[0] for values in spread(player, fall, decider)} == set(range(bound))
        rng = random.Random(fall.event)
        links = [link for _, link in fall.links]
        ids = {
            with_inputs(player, fall, (*fall.decisions[:-1], rng.randbytes(32).hex()), links)[0]
            for _ in range(60)
        }
        assert ids == set(range(bound))


def test_after_several_decisions_every_seat_gives_a_link_that_nobody_had_seen() -> None:
    """The draw from the cup after sealed bids: no link that rode with a bid is used."""
    count = 0
    for player, fall in instances("cup"):
        entries = {one.entry.id: one.entry for one in player.log}
        if sum(entries[d].head.kind == "sealed" for d in fall.decisions) < 2:
            continue
        with_bids = {entries[d].body.link for d in fall.decisions}
        assert not with_bids & {link for _, link in fall.links}
        count += 1
    assert count > 3


@pytest.mark.parametrize("count", [2, 3, 6])
def test_of_a_die_that_falls_anyway_every_link_but_the_deciders_comes_late(count: int) -> None:
    table = table_of(count, Weather(), scenario="short")
    play_out(table, random.Random(3))
    player = same_everywhere(table)
    seats = list(player.contract.seats)
    shown = first_shown(player)
    found = list(falls(player, "own"))
    assert len(found) == 6
    for day, fall in enumerate(found):
        assert worked_out(player, fall) == fall.values
        decider, links = seats[day % count], dict(fall.links)
        decided = shown[links[decider]][0]
        for seat in seats:
            if seat != decider:
                assert shown[links[seat]][0] > decided
                assert {values[0] for values in spread(player, fall, seat)} == set(range(6))


def test_a_sealed_choice_tells_nothing_before_it_is_opened() -> None:
    """The commitment of a bid is as good as random to anyone without the secret, and binds to one text."""
    player = played(2, "own", 0)
    seen: dict[str, set[str]] = {}
    for logged in player.log:
        for seal in getattr(logged.entry.body, "seals", ()):
            assert len(seal.commit) == 64 and len("".join(seal.box)) in (216, 388)
            seen.setdefault(logged.entry.seat, set()).add(seal.commit)
    total = [commit for commits in seen.values() for commit in commits]
    assert len(total) == len(set(total)) > 10, "the same chits and bids never look the same"
