"""Kawagoe against a second reading of the book (kawagoe_book.py), in random games: no more and no less."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from games.kawagoe.combat import Combat
from games.kawagoe.command import command_range
from games.kawagoe.movement import Movement
from games.kawagoe.moves import Advance, Charge, Drive, March
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.rules import KAWAGOE
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine, Result
from pbem.engine.options import Options
from tests import kawagoe_book as book

Look = Callable[[KawagoePosition, Options], None]


def game(seed: int, look: Look, share: float) -> Result:
    """A random game; `look` sees that share of the questions."""
    rng = random.Random(seed)
    croupier, anybody = Croupier(Machine(KAWAGOE, book.PACK), rng), random_player(rng)

    def player(pos: Any, options: Options, view: Any) -> Any:
        if rng.random() < share:
            look(pos, options)
        return anybody(pos, options, view)

    result = croupier.settle(croupier.machine.start("kawagoe", {}, (HOJO, ANTI)))
    while not result.position.outcome:
        result = croupier.play(result.position, {HOJO: player, ANTI: player})
    return result


@pytest.mark.parametrize("seed", range(2))
def test_zones_command_movement_and_charges(seed: int) -> None:
    """8.0, 10.2, 6.0, 6.3, 7.0."""
    compared = 0

    def look(pos: KawagoePosition, options: Options) -> None:
        nonlocal compared
        for side in (HOJO, ANTI):
            assert set(pos.zone(side)) == book.zone(pos, side), pos.text()
        for unit in pos.units:
            if pos.book[unit].general:
                assert command_range(pos, unit) == book.commands(pos, unit), (unit, pos.text())
        phase = pos.stack[-1]
        if isinstance(phase, Movement):
            moves = [move for move in options.list() if isinstance(move, March | Charge)]
            listed = {(type(move), tuple(sorted(move.units)), move.hex) for move in moves}
            assert listed == book.expected(pos, phase), pos.text()
            compared += 1

    game(seed, look, 0.1)
    assert compared >= 5, "too little was compared to prove anything"


def test_retreats_and_advances() -> None:
    """9.6 without chains, 9.8, and the retreat and advance rows of 9.54."""
    compared: Counter[str] = Counter()

    def look(pos: KawagoePosition, options: Options) -> None:
        combat = pos.stack[-1]
        if not isinstance(combat, Combat):
            return
        listed = {(m.unit, m.path) for m in options.list() if isinstance(m, Drive | Advance)}
        if options.kind == "advance":
            assert listed == book.advances(pos, combat), pos.text()
            compared["advance"] += 1
        if options.kind == "retreat":
            try:
                wanted = book.Retreat(pos, combat).routes()
            except book.NeedsChain:
                return
            assert listed == wanted, pos.text()
            compared["retreat"] += 1
            compared["castle"] += any(book.inside(pos.units[u].hex) for u in combat.routing)

    for seed in range(10, 18):
        game(seed, look, 1)
    assert compared["advance"] >= 50 and compared["retreat"] >= 50 and compared["castle"] >= 2, compared


def test_odds() -> None:
    """9.2-9.4, 9.41-9.43, 5.33, 10.3 and the terrain row of 9.54, seen when the loss is asked for."""
    compared = castle = 0
    machine = Machine(KAWAGOE, book.PACK)
    for seed in range(20, 28):
        rng = random.Random(seed)
        croupier, anybody = Croupier(machine, rng), random_player(rng)
        result = croupier.settle(machine.start("kawagoe", {}, (HOJO, ANTI)))
        while not result.position.outcome:
            before = result.position
            result = croupier.play(before, {HOJO: anybody, ANTI: anybody})
            fought = [e.data for e in result.events if e.rule == "9.2" and "target" in e.data]
            weighed = [e.data for e in result.events if e.rule == "9.4"]
            if not fought or before.stack[-1].__class__.__name__ not in ("Movement", "CombatPhase"):
                continue
            pos = before.copy()
            for event in result.events:
                if event.rule == "11.2" and "identity" in event.data:
                    pos.reveal(event.data["unit"], event.data["identity"])
            katta = before.stack[-1].chit == "katta"
            wanted = book.odds(pos, tuple(fought[0]["attackers"]), fought[0]["target"], katta)
            assert {key: weighed[0][key] for key in wanted} == wanted, before.text()
            compared += 1
            castle += book.inside(fought[0]["target"])
    assert compared >= 100 and castle >= 5, (compared, castle)


def test_points() -> None:
    """13.1 and 13.2 at the end of random games."""
    scored = 0
    for seed in range(30, 36):
        end = game(seed, lambda pos, options: None, 0)
        totals = {
            e.rule: e.data["total"] for e in end.events if e.rule in ("13.1", "13.2") and "total" in e.data
        }
        if totals:
            pos = end.position
            assert totals == {"13.1": book.points_of_hojo(pos), "13.2": book.points_of_besiegers(pos)}
            scored += 1
    assert scored >= 2, "too few games were counted out"
