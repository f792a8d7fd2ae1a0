"""Redcoats beside a second reading of the book (redcoats_book.py), decision by decision: no more and no less.

    python -m tests.redcoats_reading DECISIONS [SEED]

Bots who now and then do something else play the battles in turn, so that much is fought.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

from games.redcoats.assault import Assaults
from games.redcoats.battle import Battle
from games.redcoats.bombardment import Bombardment
from games.redcoats.command import commanded
from games.redcoats.division import duties
from games.redcoats.flight import line_for
from games.redcoats.leaders import Casualty
from games.redcoats.morale import Cause, check
from games.redcoats.movement import Movement
from games.redcoats.moves import Assault, Escape, Fire, Follow, Force, Lead, March, Retreat
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
    """One game; every decision is looked at: of movements one counter's, in a share of them everybody's."""
    rng = random.Random(f"{scenario} {seed}")
    croupier, anybody = Croupier(Machine(REDCOATS, book.PACK), rng), random_player(rng)
    bots = {side: REDCOATS.bot(side, seed) for side in SIDES}

    def player(pos: Any, options: Options, view: Any) -> Any:
        if options.kind != "enter":
            everybody = options.kind != "move" or rng.random() < share
            if everybody or rng.random() < 0.25:
                look(pos, options, None if everybody else rng.choice(sorted(pos.units)))
        odd = rng.random() < 0.2 and options.kind != "move"
        return (anybody if odd else bots[options.seat])(pos, options, view)

    result = croupier.settle(croupier.machine.start(scenario, {}, SIDES))
    while not result.position.outcome:
        result = croupier.play(result.position, dict.fromkeys(SIDES, player))


def look(pos: RedcoatsPosition, options: Options, mover: str | None = None) -> None:
    """Everything that this question rests on, worked out twice; of movements only one counter's, if told."""
    table, frame = book.Table(pos), pos.stack[-1]
    for side in SIDES:
        assert set(pos.zoc(side)) == table.zone(side), pos.text()
    if isinstance(frame, Movement):
        if mover is None:
            within = commanded(pos, frame.seat)
            out = {u for u in table.of(frame.seat) if pos.units[u].hex not in within}
            assert out == table.out_of_command(frame.seat), pos.text()
        if not frame.mover:
            some = [m for m in options.list() if isinstance(m, (March, Force)) and mover in (None, m.unit)]
            listed = {("move" if isinstance(m, March) else "force", m.unit, m.hex) for m in some}
            wanted_moves = table.moves(frame, mover)
            assert listed == wanted_moves, (listed ^ wanted_moves, pos.text())
            compared["movement" if mover is None else "movement of one"] += 1
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
    _leaders(table, frame, options)
    compared["decisions"] += 1
    for unit in table.of(options.seat) if mover is None else ():
        assert check(pos, unit, Cause()).modifier == table.modifier(unit), (unit, pos.text())
    compared["morale"] += mover is None


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
            "first": pos.aid.odds.columns[found.first],
            "shift": found.shift,
            "column": pos.aid.odds.columns[found.column],
            "modifier": found.modifier,
        }
        assert ours == table.odds(frame.seat, targets, origins), pos.text()
        compared["odds"] += 1


def _retreats(pos: RedcoatsPosition, table: book.Table, frame: Rout, options: Options) -> None:
    listed = {(m.unit, m.path) for m in options.list() if isinstance(m, Retreat)}
    wanted = set()
    for unit, steps, runs in zip(frame.fleeing, frame.distance, frame.runs, strict=True):
        mates = {gone for gone, start, _ in frame.went if start == pos.units[unit].hex}
        wanted |= {(unit, path) for path in table.routes(unit, steps, runs, frame.engaged, mates)}
        home = table._home(frame.seat, pos.units[unit].hex)
        assert line_for(pos, frame.seat, pos.units[unit].hex) == home, (unit, pos.text())
    assert listed == wanted, (listed ^ wanted, pos.text())
    compared["retreat"] += 1


def _leaders(table: book.Table, frame: Any, options: Options) -> None:
    """8.515, 8.522, 11.13: with whom leaders go, and where they escape to."""
    if isinstance(frame, Casualty) and options.kind == "escape":
        listed = {move.hex for move in options.list() if isinstance(move, Escape)}
        assert listed == table.escapes(frame.leaders[0]), table.pos.text()
        compared["escape"] += 1
    if isinstance(frame, Rout) and options.kind == "follow":
        follows = [move for move in options.list() if isinstance(move, Follow)]
        assert {m.hex for m in follows} == table.follows(follows[0].leader, frame.went), table.pos.text()
        compared["follow"] += 1
    if isinstance(frame, Battle) and options.kind == "advance" and not table.battle.closed:
        led = {(move.leader, move.unit) for move in options.list() if isinstance(move, Lead)}
        assert led == table.led(frame), (led ^ table.led(frame), table.pos.text())
        compared["lead"] += 1


BATTLES = {
    "trenton": 0.02,
    "princeton": 0.01,
    "stony-point": 0.05,
    "kings-mountain": 0.1,
    "harlem": 0.003,
    "trenton-what-if": 0.01,
    "white-plains": 0.001,
    "brooklyn": 0.0005,
    "brooklyn-what-if": 0.0005,
}
"""In which share of the movements everybody is looked at."""


def main() -> None:
    """Compare so many decisions."""
    size = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    while compared["decisions"] < size:
        for scenario, share in BATTLES.items():
            if compared["decisions"] < size:
                game(scenario, seed, share)
                print(
                    scenario,
                    seed,
                    ", ".join(f"{n} {what}" for what, n in sorted(compared.items())),
                    flush=True,
                )
        seed += 1


if __name__ == "__main__":
    main()
