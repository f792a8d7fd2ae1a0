"""Retreats of kawagoe against a search without shortcuts: every route and chain on small random boards."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from games.kawagoe.chain import Step
from games.kawagoe.position import KawagoePosition, Piece
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.retreat import Flight, Route
from games.kawagoe.rules import KAWAGOE

HOJO_UNITS = ("tame", "matsuda", "toyama", "tominaga")
COUNTERS = tuple(f"k{number:02d}" for number in range(1, 11))
PACK = KAWAGOE.pack_from(
    {
        "map": {"rows": ["......"] * 5},
        "units": {
            "unit": [
                {"id": unit, "group": "ujiyasu-army", "class": "captain", "sides": ["6-6", "4-6", "2-6"]}
                for unit in HOJO_UNITS
            ],
            "pool": {
                "koga": {
                    "letter": "k",
                    "movement": 5,
                    "identity": [{"id": "levy", "class": "levy", "strength": 2, "count": len(COUNTERS)}],
                }
            },
        },
    }
)
State = dict[str, str]
"""Where every besieger stands."""


class Brute:
    """9.6 and 9.7 word by word: try everything, then keep what the rules prefer."""

    def __init__(self, pos: KawagoePosition, fighting: tuple[str, ...], foes: tuple[str, ...]) -> None:
        self.near = pos.pack.map.neighbours
        self.distance = pos.pack.map.distance
        self.enemies = [piece.hex for unit, piece in pos.units.items() if pos.side(unit) == HOJO]
        self.zone = {n for h in self.enemies for n in self.near[h]}
        self.fighting, self.foes = fighting, foes

    def away(self, here: str) -> list[str]:
        return [
            h
            for h in self.near[here]
            if all(self.distance(h, foe) > self.distance(here, foe) for foe in self.foes)
        ]

    def routes(
        self, state: State, unit: str, left: int, pushed: tuple[str, ...], done: Callable[..., bool]
    ) -> list[Route]:
        """Every route that can be completed, best hexes first at each step; pushes are not yet compared."""
        if left == 0:
            return [()] if done(state, pushed) else []
        here = state[unit]
        open_ = [h for h in self.away(here) if h not in self.enemies and h not in state.values()]
        if not open_:
            return self.chain_routes(state, unit, left, pushed, done)
        for in_zone in (False, True):
            found = [
                ((h,), *onward)
                for h in open_
                if (h in self.zone) == in_zone
                for onward in self.routes(state | {unit: h}, unit, left - 1, pushed, done)
            ]
            if found:
                return found
        return []

    def chain_routes(
        self, state: State, unit: str, left: int, pushed: tuple[str, ...], done: Callable[..., bool]
    ) -> list[Route]:
        found: list[Route] = []
        for first in self.away(state[unit]):
            if first in self.enemies:
                continue
            for step in self.chains(state, (state[unit], first), pushed):
                after, gone = dict(state), []
                by_hex = {h: u for u, h in state.items()}
                for start, to in pairwise(step):
                    after[by_hex[start]] = to
                    gone.append(by_hex[start])
                after[unit] = first
                for onward in self.routes(after, unit, left - 1, (*pushed, *gone), done):
                    found.append((step, *onward))
        return found

    def chains(self, state: State, way: tuple[str, ...], pushed: tuple[str, ...]) -> Iterator[Step]:
        """Every chain, however long, as rules 9.72, 9.74 and 9.77b allow it."""
        by_hex = {h: u for u, h in state.items()}
        if by_hex[way[-1]] in self.fighting or by_hex[way[-1]] in pushed:
            return
        for n in self.near[way[-1]]:
            if n in way or n in self.enemies or n in self.zone:
                continue
            if n not in by_hex:
                yield (*way[1:], n)
            else:
                yield from self.chains(state, (*way, n), pushed)

    def possible(self, state: State, units: tuple[str, ...], number: int, pushed: tuple[str, ...]) -> bool:
        """Whether all units can go, in some order."""
        return not units or any(self.best(state, units, unit, number, pushed) for unit in units)

    def best(
        self, state: State, units: tuple[str, ...], unit: str, number: int, pushed: tuple[str, ...]
    ) -> set[Route]:
        """9.77: of the routes after which the others can still go, those that push the fewest."""
        rest = tuple(u for u in units if u != unit)

        def done(after: State, gone: tuple[str, ...]) -> bool:
            return self.possible(after, rest, number, gone)

        found = self.routes(state, unit, number, pushed, done)
        least = min(map(pushes, found), default=0)
        return {route for route in found if pushes(route) == least}


def pushes(route: Route) -> int:
    """How many units a route pushes."""
    return sum(len(step) - 1 for step in route)


def random_board(rng: random.Random) -> tuple[KawagoePosition, tuple[str, ...], tuple[str, ...], int]:
    """Units at random, some of them fighting; who falls back, from which hexes, and how far."""
    pos = KAWAGOE.blank(PACK, {}, (HOJO, ANTI))
    hexes = list(PACK.map.hexes)
    if rng.random() < 0.5:  # one besieger attacked from some hexes
        beaten: tuple[str, ...] = (COUNTERS[0],)
        home = rng.choice(hexes)
        foes = tuple(rng.sample(PACK.map.neighbours[home], rng.choice((1, 1, 2))))
        spots = {COUNTERS[0]: home, **dict(zip(HOJO_UNITS, foes, strict=False))}
    else:  # besiegers who attacked one hex
        target = rng.choice(hexes)
        foes = (target,)
        homes = rng.sample(PACK.map.neighbours[target], min(rng.choice((1, 2, 3)), 2))
        beaten = COUNTERS[: len(homes)]
        spots = {HOJO_UNITS[0]: target, **dict(zip(beaten, homes, strict=True))}
    free = [h for h in hexes if h not in spots.values()]
    rng.shuffle(free)
    others = [u for u in (*HOJO_UNITS, *COUNTERS) if u not in spots]
    crowd = [u for u in others if u in COUNTERS][: rng.randrange(3, 8)]
    crowd += [u for u in others if u in HOJO_UNITS][: rng.randrange(0, 3)]
    near = sorted(free, key=lambda h: min(PACK.map.distance(h, spots[u]) for u in beaten))
    spots.update(zip(crowd, near if rng.random() < 0.7 else free, strict=False))
    pos.units = {u: Piece(h) for u, h in sorted(spots.items())}
    return pos, beaten, foes, rng.choice((1, 1, 2))


@pytest.mark.parametrize("block", range(8))
def test_the_fewest_units_are_pushed(block: int) -> None:
    """9.77: on every board the routes offered are exactly those of the exhaustive search."""
    rng = random.Random(block)
    chained = blocked = doubled = 0
    for _ in range(60):
        pos, beaten, foes, number = random_board(rng)
        flight = Flight(pos, beaten, beaten, foes, number)
        brute = Brute(pos, beaten, foes)
        state = {u: piece.hex for u, piece in pos.units.items() if pos.side(u) == ANTI}
        assert flight.possible() == brute.possible(state, beaten, number, ()), pos.text()
        for unit in beaten:
            ways = flight.ways((unit,))
            wanted = brute.best(state, beaten, unit, number, ())
            assert set(ways.routes if ways else ()) == wanted, pos.text()
            assert ways is None or all(pushes(route) == ways.pushes for route in ways.routes)
            chained += bool(ways and ways.pushes)
            doubled += bool(ways and ways.pushes > 1)
        blocked += not flight.possible()
    assert chained >= 5 and blocked >= 3, "the boards are too easy to prove anything"
    assert doubled >= 1, "no board needs a chain of two"
