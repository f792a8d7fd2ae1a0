"""Sanada against a second reading of the book (sanada_book.py), in random games: no more and no less."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from games.sanada.march import MovingPhase
from games.sanada.moves import March, Retreat
from games.sanada.position import SanadaPosition
from games.sanada.retreat import Rout
from games.sanada.rules import SANADA
from games.sanada.supply import supplied
from games.sanada.terms import KANTO, OSAKA, SIDES
from games.sanada.victory import defeat_points, presence_points
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine, Result
from pbem.engine.options import Options
from tests import sanada_book as book

SCENARIOS = ("winter", "summer", "masayuki", "masanori", "ukita")
Look = Callable[[SanadaPosition, Options], None]
Watch = Callable[[SanadaPosition, Result], None]


def game(seed: int, look: Look, share: float, watch: Watch | None = None, turns: int = 6) -> None:
    """The first turns of a random game; `look` sees that share of the questions, `watch` every step."""
    rng = random.Random(seed)
    croupier, anybody = Croupier(Machine(SANADA, book.PACK), rng), random_player(rng)

    def player(pos: Any, options: Options, view: Any) -> Any:
        if rng.random() < share:
            look(pos, options)
        return anybody(pos, options, view)

    scenario = SCENARIOS[seed % len(SCENARIOS)]
    result = croupier.settle(croupier.machine.start(scenario, {}, SIDES))
    while not result.position.outcome and result.position.turn <= turns:
        before: Any = result.position
        result = croupier.play(before, {OSAKA: player, KANTO: player})
        if watch:
            watch(before, result)


@pytest.mark.parametrize("seed", range(3))
def test_zones_supply_and_movement(seed: int) -> None:
    """9, 11, 14.2, 14.3, 15.1.1: also out of turn and leg by leg."""
    compared: Counter[str] = Counter()

    def look(pos: SanadaPosition, options: Options) -> None:
        for side in SIDES:
            assert set(pos.index.zone(side)) == book.zone(pos, side), pos.text()
            hexes = book.fed(pos, side)
            for leader in pos.index.forces:
                if pos.side(leader) == side:
                    assert supplied(pos, leader) == book.is_fed(pos, leader, hexes), (leader, pos.text())
                    compared["supply"] += 1
        phase = pos.stack[-1]
        if isinstance(phase, MovingPhase) and phase.at == "deed":
            listed = {move.hex for move in options.list() if isinstance(move, March)}
            assert listed == book.marches(pos, phase), pos.text()
            compared[phase.kind] += 1

    game(seed, look, 0.03, turns=5)
    assert compared["supply"] >= 100 and compared["movement"] >= 2, compared


def test_retreats() -> None:
    """18.7."""
    compared = 0

    def look(pos: SanadaPosition, options: Options) -> None:
        nonlocal compared
        rout = pos.stack[-1]
        if isinstance(rout, Rout) and options.kind == "retreat":
            listed = {(m.force, m.path) for m in options.list() if isinstance(m, Retreat)}
            assert listed == book.retreats(pos, rout), pos.text()
            compared += 1

    for seed in range(10, 14):
        game(seed, look, 1)
    assert compared >= 5


def test_battles_assaults_sieges_and_points() -> None:
    """10, 18.2, 18.3, 19.1, 26.2.1: every roll's strength, modifier and hits, every fall, every point."""
    compared: Counter[str] = Counter()

    def watch(before: SanadaPosition, result: Result) -> None:
        after: Any = result.position
        check_rolls(before, result, compared)
        check_points(before, after, result, compared)

    def look(pos: SanadaPosition, options: Options) -> None:
        check_sources_of_points(pos)

    for seed in range(20, 23):
        game(seed, look, 0.05, watch, turns=14)
    assert compared["strike"] >= 50 and compared["points"] >= 20, compared
    assert compared["level"] >= 1, compared


def check_rolls(before: SanadaPosition, result: Result, compared: Counter[str]) -> None:
    """Every number that a roll is said to have, from its dice."""
    for event in result.events:
        data = event.data
        if "hits" in data and "total" in data and "strength" in data:
            assert data["total"] == sum(data["dice"]) + data["modifier"]
            assert data["hits"] == book.table(data["strength"], data["total"]), data
            compared["strike"] += 1
        if event.rule == "10.1.1" and "level" in data:
            assert data["falls"] == (data["die"] <= data["level"])
            compared["fall"] += 1
        if event.rule in ("10.2.2", "10.2.3") and "rank" in data:
            row = {"sodaisho": "000001", "taisho": "000011", "busho": "001122", "gunzei": "011223"}
            assert data["plus"] == int(row[data["rank"]][data["die"] - 1])
            compared["level"] += 1


def check_points(before: SanadaPosition, after: Any, result: Result, compared: Counter[str]) -> None:
    """The score moves by what fell, what was taken, who was beaten and who is where."""
    told = {"defeated": 0, "presence": 0}
    for event in result.events:
        if event.rule in ("26.2.1", "26.2.3") and "points" in event.data:
            sign = 1 if event.data["side"] == OSAKA else -1
            text = event.text
            if "defeated" in text:
                told["defeated"] += sign * event.data["points"]
            elif "eliminated" not in text and "castle of durability" not in text:
                told["presence"] += sign * event.data["points"]
    wanted = book.change(before, after, result.events) + sum(told.values())
    assert after.points - before.points == wanted, (before.text(), [e.text for e in result.events])
    compared["points"] += after.points != before.points


def check_sources_of_points(pos: SanadaPosition) -> None:
    """Presence, and what a beaten hex would give, wherever the pieces are now."""
    for side in SIDES:
        copy = pos.copy()
        presence_points(copy, side)
        sign = 1 if side == OSAKA else -1
        assert (copy.points - pos.points) * sign == book.presence(pos, side), pos.text()
    for place in pos.index.outside:
        units = book.there(pos, place)
        copy = pos.copy()
        defeat_points(copy, units)
        assert abs(copy.points - pos.points) == book.beaten_value(pos, units), pos.text()


def test_what_every_roll_of_a_battle_is_made_of() -> None:
    """18.1.1, 18.2, 18.3.1, 18.3.2, 18.9, 18.10, 19.1.3, 22.2.1: seen in the moment before the dice fall."""
    compared: Counter[str] = Counter()
    machine = Machine(SANADA, book.PACK)
    for seed in range(30, 34):
        rng = random.Random(seed)
        croupier = Croupier(machine, rng)
        result = croupier.settle(machine.start(SCENARIOS[seed % 5], {}, SIDES))
        seen, anybody = Seen(compared), random_player(rng)
        croupier._answer = seen.before(croupier._answer)  # type: ignore[method-assign]
        while not result.position.outcome and result.position.turn <= 6:
            result = croupier.play(result.position, {OSAKA: anybody, KANTO: anybody})
            seen.compare(result)
    assert compared["battle"] >= 10 and compared["assault"] >= 5, compared


class Seen:
    """Positions as they are when dice are asked for, and what the book makes of them."""

    def __init__(self, compared: Counter[str]) -> None:
        self.compared = compared
        self.battles: list[tuple[str, str, int, int]] = []
        self.storms: list[tuple[int, int]] = []

    def before(self, answer: Any) -> Any:
        def look(pos: Any, wait: Any) -> Any:
            frame: Any = pos.stack[-1]
            if type(frame).__name__ == "Battle" and frame.at == "exchange":
                self.battles += book.blows(pos, frame)
            if type(frame).__name__ == "Storm" and frame.at == "exchange":
                self.storms += book.assault(pos, frame.castle)
            return answer(pos, wait)

        return look

    def compare(self, result: Result) -> None:
        said = [e.data for e in result.events if e.rule == "18.3.3" and "hits" in e.data]
        found = [(d["place"], d["against"], d["strength"], d["modifier"]) for d in said]
        assert found == self.battles
        walls = [e.data for e in result.events if e.rule == "19.1.3" and "hits" in e.data]
        assert [(d["strength"], d["modifier"]) for d in walls] == self.storms
        self.compared["battle"] += len(found)
        self.compared["assault"] += len(walls)
        self.battles, self.storms = [], []
