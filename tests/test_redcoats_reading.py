"""Redcoats against a second reading of the book (redcoats_book.py), in random games: no more and no less."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from games.redcoats.assault import Assaults
from games.redcoats.bombardment import Bombardment
from games.redcoats.command import commanded
from games.redcoats.division import duties
from games.redcoats.flight import line_for
from games.redcoats.morale import Cause, check
from games.redcoats.movement import Movement
from games.redcoats.moves import Assault, Fire, Force, March, Retreat
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY, SIDES
from games.redcoats.rout import Rout
from games.redcoats.rules import REDCOATS
from games.redcoats.strength import weigh
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.engine.options import Options
from tests import redcoats_book as book

compared: Counter[str] = Counter()


def game(scenario: str, seed: int, share: float) -> None:
    """Bots who now and then do something else, so that much is fought; a share of the moves is looked at."""
    rng = random.Random(f"{scenario} {seed}")
    croupier, anybody = Croupier(Machine(REDCOATS, book.PACK), rng), random_player(rng)
    bots = {side: REDCOATS.bot(side, seed) for side in SIDES}

    def player(pos: Any, options: Options, view: Any) -> Any:
        if options.kind not in ("move", "enter") or rng.random() < share:
            look(pos, options)
        odd = rng.random() < 0.2 and options.kind != "move"
        return (anybody if odd else bots[options.seat])(pos, options, view)

    result = croupier.settle(croupier.machine.start(scenario, {}, SIDES))
    while not result.position.outcome:
        result = croupier.play(result.position, dict.fromkeys(SIDES, player))


def look(pos: RedcoatsPosition, options: Options) -> None:
    """Everything that this question rests on, worked out twice."""
    table, frame = book.Table(pos), pos.stack[-1]
    for side in SIDES:
        assert set(pos.zoc(side)) == table.zone(side), pos.text()
    if isinstance(frame, Movement):
        within = commanded(pos, frame.seat)
        out = {u for u in table.of(frame.seat) if pos.units[u].hex not in within}
        assert out == table.out_of_command(frame.seat), pos.text()
        listed = {("move", m.unit, m.hex) for m in options.list() if isinstance(m, March)}
        listed |= {("force", m.unit, m.hex) for m in options.list() if isinstance(m, Force)}
        if not frame.mover:
            assert listed == table.moves(frame), (listed ^ table.moves(frame), pos.text())
            compared["movement"] += 1
    if isinstance(frame, Bombardment):
        shots = {(m.guns[0], m.hex) for m in options.list() if isinstance(m, Fire) and len(m.guns) == 1}
        guns = [g for g in table.of(frame.seat, kinds="g") if g not in frame.fired]
        targets = table.hexes(ENEMY[frame.seat]) - set(frame.shelled)
        wanted = {(g, h) for g in guns for h in targets if table.away(pos.units[g].hex, h) <= 6}
        wanted = {(g, h) for g, h in wanted if table.may_fire(g, h)}
        assert shots == wanted, (shots ^ wanted, pos.text())
        compared["fire"] += 1
    if isinstance(frame, Assaults) and options.kind == "assault":
        _assaults(pos, table, frame, options)
    if isinstance(frame, Rout) and options.kind == "retreat":
        _retreats(pos, table, frame, options)
    for unit in table.of(options.seat):
        assert check(pos, unit, Cause()).modifier == table.modifier(unit), (unit, pos.text())
    compared["morale"] += 1


def _assaults(pos: RedcoatsPosition, table: book.Table, frame: Assaults, options: Options) -> None:
    must, may = table.links(frame.seat)
    known = duties(pos, frame.seat)
    assert {(a, d) for a, foes in known.links.items() for d in foes} == must, pos.text()
    assert {(a, d) for a, foes in known.extra.items() for d in foes} == may, pos.text()
    offered = {(m.targets, m.origins) for m in options.list() if isinstance(m, Assault)}
    if len({h for pair in must | may for h in pair}) <= 9:
        assert offered == table.battles(frame), (offered ^ table.battles(frame), pos.text())
        compared["division"] += 1
    for targets, origins in sorted(offered)[:20]:
        attackers = tuple(u for h in origins for u in pos.infantry(frame.seat, h))
        defenders = tuple(u for h in targets for u in pos.combat(ENEMY[frame.seat], h))
        found = weigh(pos, frame.seat, targets, origins, attackers, defenders)
        ours = {
            "attack": str(found.attack),
            "defence": str(found.defence),
            "first": pos.aid.columns[found.first],
            "shift": found.shift,
            "column": pos.aid.columns[found.column],
            "modifier": found.modifier,
        }
        assert ours == table.odds(frame.seat, targets, origins), pos.text()
        compared["odds"] += 1


def _retreats(pos: RedcoatsPosition, table: book.Table, frame: Rout, options: Options) -> None:
    listed = {(m.unit, m.path) for m in options.list() if isinstance(m, Retreat)}
    wanted = set()
    for unit, steps, runs in zip(frame.fleeing, frame.distance, frame.runs, strict=True):
        wanted |= {(unit, path) for path in table.routes(unit, steps, runs, frame.engaged)}
        home = table._home(frame.seat, pos.units[unit].hex)
        assert line_for(pos, frame.seat, pos.units[unit].hex) == home, (unit, pos.text())
    assert listed == wanted, (listed ^ wanted, pos.text())
    compared["retreat"] += 1


@pytest.mark.parametrize(
    ("scenario", "share"),
    [
        ("trenton", 0.02),
        ("princeton", 0.01),
        ("stony-point", 0.05),
        ("kings-mountain", 0.1),
        ("harlem", 0.005),
    ],
)
def test_a_game_by_the_book(scenario: str, share: float) -> None:
    game(scenario, 1, share)


def test_enough_was_compared() -> None:
    game("trenton-what-if", 3, 0.02)
    wanted = {"movement": 10, "fire": 20, "division": 20, "odds": 100, "retreat": 50, "morale": 200}
    assert all(compared[kind] >= least for kind, least in wanted.items()), compared
