"""The bot of kawagoe: `player(seat, seed)` plays either side to the end, lawfully, and tries to win.

It looks one move ahead: every place is valued by the fights it promises (battle.py), by what the final score
asks for and by what may happen there (relief.py, besiegers.py). The same seed and history give the same move.
Within a phase it remembers whom it has left standing and where besiegers were sent; nothing else.
"""

from __future__ import annotations

from random import Random

from games.kawagoe.attack import CombatPhase
from games.kawagoe.bot import answers, opening
from games.kawagoe.bot.besiegers import Siege
from games.kawagoe.bot.ground import ground_of
from games.kawagoe.bot.reach import reach
from games.kawagoe.bot.reading import Reading, Temper, temper_of
from games.kawagoe.bot.relief import Relief
from games.kawagoe.combat import Combat
from games.kawagoe.movement import Movement
from games.kawagoe.moves import Attack, Charge, EndCombat, EndMovement, March
from games.kawagoe.position import ENEMY, KawagoePosition
from games.kawagoe.printed import ANTI, HOJO
from games.kit.hexes import HexId
from pbem.engine.croupier import Player
from pbem.engine.notation import Move
from pbem.engine.options import Options, View

Group = tuple[str, ...]

WORTHWHILE = 0.1
"""A move, a charge or an attack must promise at least so many points."""


def player(seat: str, seed: int) -> Player:
    """A player for "hojo" or "anti"."""
    return Bot(seat, seed).answer  # type: ignore[return-value]


class Bot:
    """One seat."""

    def __init__(self, seat: str, seed: int) -> None:
        self.seat = seat
        self.rng = Random(f"kawagoe {seat} {seed}")
        self.temper = temper_of(self.rng) if seat == HOJO else Temper()
        self.phase: tuple[object, ...] = ()
        self.settled: dict[str, None] = {}
        """Units that stay where they are in this phase."""
        self.plan: dict[Group, HexId] = {}
        """Groups that are to attack together in this phase, and where from."""

    def answer(self, pos: KawagoePosition, options: Options, view: View) -> Move:
        """The answer to whatever is asked."""
        reading = Reading(pos, ground_of(pos.pack), self.temper)
        frame = pos.stack[-1]
        if isinstance(frame, Movement):
            return self._move(reading, frame)
        if isinstance(frame, CombatPhase):
            return self._attack(reading, frame)
        if isinstance(frame, Combat):
            if options.kind == "loss":
                return answers.loss(reading, options, view, frame)
            if options.kind == "retreat":
                return answers.drive(reading, options, view)
            return answers.advance(reading, options, view)
        if options.kind == "chits":
            return opening.chits(reading, options, self.rng)
        if options.kind == "general":
            return opening.general(reading, options)
        return opening.deploy(reading, options, self.rng)

    # --- 6.0

    def _move(self, reading: Reading, frame: Movement) -> Move:
        key = (reading.pos.turn, reading.pos.drawn, frame.seat)
        fresh = key != self.phase
        if fresh:
            self.phase, self.settled = key, {}
        if self.seat == HOJO:
            return self._relieve(reading, frame, fresh)
        return self._besiege(reading, frame, fresh)

    def _relieve(self, reading: Reading, frame: Movement, fresh: bool) -> Move:
        pos = reading.pos
        aims = Relief(reading, frame.katta(pos))
        groups = self._hojo_groups(reading, frame)
        if fresh:
            self.plan = aims.plan({group: frame.allowance(pos, group) for group in groups})
            self.settled = {unit: None for group in self.plan for unit in group}
        for group, place in self.plan.items():
            here = pos.units[group[0]].hex if group[0] in pos.units else ""
            if not here or here == place or any(u in frame.moved or u not in pos.units for u in group):
                continue
            if place in reach(pos, HOJO, len(group), here, frame.allowance(pos, group)):
                return March(group, place)
        for group in groups:
            if fresh and any(u in self.settled for u in group):
                continue
            points = frame.left if group == frame.mover else frame.allowance(pos, group)
            place, target, gain = aims.choose(group, points)
            if gain > WORTHWHILE:
                if place != pos.units[group[0]].hex:
                    return March(group, place)
                if target:
                    return Charge(group, target)
            self.settled.update(dict.fromkeys(group))
        return EndMovement()

    def _hojo_groups(self, reading: Reading, frame: Movement) -> list[Group]:
        """Whoever is under way first, then the others, nearest to the enemy first; stacks stay together."""
        pos, ground = reading.pos, reading.ground
        groups: dict[Group, int] = {}
        foes = [ground.far(h) for h in pos.held(ENEMY[self.seat])]
        for group in frame.groups(pos):
            if any(u in self.settled for u in group):
                continue
            place = pos.units[group[0]].hex
            mates = [u for u in pos.held(HOJO)[place] if u not in frame.moved]
            if len(mates) > len(group):
                continue
            groups[group] = min((far[place] for far in foes), default=0)
        under_way = frame.mover if frame.left and frame.mover and frame.mover[0] in pos.units else ()
        first = [under_way] if under_way and under_way[0] not in self.settled else []
        return [*first, *sorted(groups, key=lambda g: (groups[g], g))]

    def _besiege(self, reading: Reading, frame: Movement, fresh: bool) -> Move:
        pos, zone = reading.pos, reading.pos.zone(HOJO)
        acting = tuple(u for u in frame.roll(pos) if u in pos.units and not pos.units[u].disordered)
        aims = Siege(reading, acting)
        waiting = [
            u
            for u in acting
            if u not in frame.moved and u not in self.settled and pos.units[u].hex not in zone
        ]
        points = {unit: frame.allowance(pos, (unit,)) for unit in waiting}
        if fresh:
            self.plan = aims.plan(points)
        for (unit,), place in self.plan.items():
            here = pos.units[unit].hex
            if unit in points and here != place and place in reach(pos, ANTI, 1, here, points[unit]):
                return March((unit,), place)

        def order(unit: str) -> tuple[bool, int, str]:
            place = pos.units[unit].hex
            return pos.book[unit].general, min((far[place] for far in aims.foes), default=0), unit

        for unit in sorted(waiting, key=order):
            place, gain = aims.choose(unit, points[unit])
            if gain > WORTHWHILE:
                return March((unit,), place)
            self.settled[unit] = None
        return EndMovement()

    # --- 9.0

    def _attack(self, reading: Reading, frame: CombatPhase) -> Move:
        pos = reading.pos
        ready = tuple(
            u
            for u in frame.roll(pos)
            if u in pos.units and not pos.units[u].disordered and u not in frame.fought
        )
        targets = self._targets(reading, frame, ready)
        if not targets:
            return EndCombat()
        aims = Relief(reading, frame.katta(pos)) if self.seat == HOJO else Siege(reading, ready)
        value, target, units = aims.attack(targets)
        return Attack(target, units) if value > WORTHWHILE else EndCombat()

    def _targets(self, reading: Reading, frame: CombatPhase, ready: Group) -> dict[HexId, list[str]]:
        """9.11, 9.14: enemy hexes that have not been attacked, with those who reach them."""
        pos, field = reading.pos, reading.field
        foes = pos.held(ENEMY[self.seat])
        targets: dict[HexId, list[str]] = {}
        for unit in ready:
            place = pos.units[unit].hex
            for n in field.neighbours[place]:
                if n in foes and not field.lake[place][n] and not any(u in frame.struck for u in foes[n]):
                    targets.setdefault(n, []).append(unit)
        return targets
