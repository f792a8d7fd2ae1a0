"""A player that tries to win: it attacks where the tables pay and moves towards its goals."""

from __future__ import annotations

import random
from collections.abc import Callable

from games.redcoats.advice import advice
from games.redcoats.bot.plan import Plan, best_reinforcement, presses
from games.redcoats.bot.value import battle, rate, shot
from games.redcoats.marches import Disengages, Marches
from games.redcoats.movement import Movement
from games.redcoats.moves import (
    Advance,
    Assault,
    Choose,
    Deploy,
    EndDeclaring,
    EndFire,
    EndMovement,
    Enter,
    Fire,
    Hasten,
    March,
    Resolve,
    Stay,
)
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY, Group
from games.redcoats.setup import written
from pbem.engine.notation import Move
from pbem.engine.options import Options, View
from pbem.engine.position import Position


def compact(pos: RedcoatsPosition, group: Group) -> Deploy:
    """Half of them in pairs in the hexes that are best to defend, the other half as far from the enemy's
    entries as they may stand; guns and leaders with the first."""
    land, book = pos.land, pos.book
    troops = [u for u in group.units if book[u].is_foot]

    def cover(h: str) -> tuple[int, int]:
        near = sum(pos.aid.grounds[land.terrain[n]].assault for n in land.neighbours[h])
        return -pos.aid.grounds[land.terrain[h]].assault, -near

    entries = [g.enter for g in pos.setting.groups if g.side != group.side and g.enter]
    steps = dict.fromkeys(entries, 0)
    queue = list(entries)
    for here in queue:
        for n in land.open[here]:
            if n not in steps:
                steps[n] = steps[here] + 1
                queue.append(n)
    half = -(-len(troops) // 2)
    best = sorted(group.hexes, key=lambda h: (*cover(h), h))[: -(-half // 2)]
    back = sorted(group.hexes, key=lambda h: (-steps.get(h, 0), h))[: -(-half // 2)]
    places = {unit: best[number // 2 % len(best)] for number, unit in enumerate(troops[:half])}
    places.update({unit: back[number // 2 % len(back)] for number, unit in enumerate(troops[half:])})
    rest = [u for u in group.units if u not in troops]
    places.update({unit: best[number % len(best)] for number, unit in enumerate(rest)})
    return written(group, places)


class Bot:
    """One seat's player; it keeps a plan for a movement segment."""

    def __init__(self, seat: str, seed: int) -> None:
        self.seat, self.rng = seat, random.Random(seed)
        self._plan: tuple[tuple[int, int], Plan] | None = None
        self._asked: set[str] = set()

    def __call__(self, position: Position, options: Options, view: View) -> Move:
        assert isinstance(position, RedcoatsPosition)
        answers: dict[str, Callable[[RedcoatsPosition, Options], Move | None]] = {
            "deploy": self._deploy,
            "choose": lambda pos, options: Choose(()),
            "fire": self._fire,
            "enter": self._enter,
            "move": self._move,
            "assault": self._assault,
            "resolve": self._resolve,
            "advance": self._advance,
        }
        answer = answers.get(options.kind, advice)(position, options)
        if answer is not None and options.contains(answer, view):
            return answer
        return options.sample(self.rng, view)

    def _deploy(self, pos: RedcoatsPosition, options: Options) -> Move:
        """The usual places; a side that waits in a wide area stands close together in the best ground."""
        move = next(m for m in options.list() if isinstance(m, Deploy))
        group = next(g for g in pos.setting.groups if g.id == move.group)
        if presses(pos, self.seat) or not 3 * len(group.units) < len(group.hexes) < 70:
            return move
        return compact(pos, group)

    def _fire(self, pos: RedcoatsPosition, options: Options) -> Move:
        shots = [(shot(pos, m), m.hex, m) for m in options.list() if isinstance(m, Fire)]
        best = max(shots, key=lambda s: s[:2], default=None)
        return best[2] if best and best[0] > 0 else EndFire()

    def _enter(self, pos: RedcoatsPosition, options: Options) -> Move | None:
        """Troops before leaders, each as far forward as it gets."""
        by_unit: dict[str, list[Enter]] = {}
        for move in options.list():
            if isinstance(move, Enter):
                by_unit.setdefault(move.unit, []).append(move)
        if not by_unit:
            return next((m for m in options.list() if isinstance(m, Hasten)), None)
        unit = min(by_unit, key=lambda u: (pos.book[u].is_leader, -pos.book[u].strength, u))
        place = best_reinforcement(pos, self.seat, [m.hex for m in by_unit[unit]])
        return next(m for m in by_unit[unit] if m.hex == place)

    def _move(self, pos: RedcoatsPosition, options: Options) -> Move | None:
        segment = pos.stack[-1]
        assert isinstance(segment, Movement)
        family = next(f for f in options.families if isinstance(f, Marches))
        key = (pos.turn, int(bool(segment.moved or segment.tried)))
        if self._plan is None or self._plan[0][0] != pos.turn or not key[1]:
            if self._plan is None or self._plan[0] != (pos.turn, 0):
                self._asked = set()
            self._plan = ((pos.turn, 0), Plan(pos, self.seat, segment))
        plan = self._plan[1]
        for unit, place in plan.orders.items():
            if unit in self._asked or unit not in pos.units or pos.units[unit].hex == place:
                continue
            self._asked.add(unit)
            if family.why_not(March(unit, place), View()) is None:
                return March(unit, place)
        return self._get_away(pos, options, plan) or EndMovement()

    def _get_away(self, pos: RedcoatsPosition, options: Options, plan: Plan) -> Move | None:
        """Who would have to attack at bad odds tries to get out of it, and goes back if it may."""
        family = next(f for f in options.families if isinstance(f, Disengages))
        marches = next(f for f in options.families if isinstance(f, Marches))
        zone = pos.zoc(ENEMY[self.seat])
        for unit in family.own():
            if unit in plan.left or unit in self._asked or not pos.book[unit].is_foot:
                continue
            self._asked.add(unit)
            here = pos.units[unit].hex
            targets = pos.covering(self.seat, here)
            if battle(pos, self.seat, targets, (here,)) > -1.2 * rate(pos, self.seat):
                continue
            back = [m for m in marches.of(unit) if m.hex not in zone]
            if back:
                return min(back, key=lambda m: (-plan._away(m.hex), m.hex))
        return None

    def _assault(self, pos: RedcoatsPosition, options: Options) -> Move | None:
        """The most valuable battle first; what is optional only if it pays."""
        offered = [m for m in options.list() if isinstance(m, Assault)]
        if not offered:
            return EndDeclaring()
        scored = [(battle(pos, self.seat, m.targets, m.origins), len(m.origins), m) for m in offered]
        best = max(scored, key=lambda s: (round(s[0], 6), s[1], s[2].targets, s[2].origins))
        if options.contains(EndDeclaring()) and best[0] <= 0:
            return EndDeclaring()
        return best[2]

    def _resolve(self, pos: RedcoatsPosition, options: Options) -> Move | None:
        segment = pos.stack[-1]
        worth = {}
        for move in options.list():
            assert isinstance(move, Resolve)
            number = next(i for i, t in enumerate(segment.targets) if t[0] == move.hex)  # type: ignore[attr-defined]
            targets = tuple(h for h in segment.targets[number] if h in pos.men(ENEMY[self.seat]))  # type: ignore[attr-defined]
            origins = tuple(h for h in segment.origins[number] if h in pos.foot(self.seat))  # type: ignore[attr-defined]
            worth[move] = battle(pos, self.seat, targets, origins) if targets and origins else 0.0
        return max(worth, key=lambda m: (worth[m], m.hex))

    def _advance(self, pos: RedcoatsPosition, options: Options) -> Move:
        """Onto a goal, or forward if the side presses and the new place is not worse."""
        goal = pos.setting.victory.hexes
        foot, land = pos.foot(ENEMY[self.seat]), pos.land
        for move in options.list():
            if not isinstance(move, Advance):
                continue
            end = move.path[-1]
            contact = sum(n in foot for n in land.zoc_from[end])
            if end in goal or (presses(pos, self.seat) and contact <= 1):
                return move
        return Stay()


def player(seat: str, seed: int) -> Callable[[Position, Options, View], Move]:
    """A bot for one seat."""
    return Bot(seat, seed)
