"""A player that tries to win: it attacks where the tables pay and moves towards its goals."""

from __future__ import annotations

import random
from collections.abc import Callable

from games.kit.ways import steps
from games.redcoats.advice import advice
from games.redcoats.bot.arrivals import Arrivals
from games.redcoats.bot.plan import Plan, goals, presses
from games.redcoats.bot.value import battle, shot
from games.redcoats.bot.withdraw import Withdrawal
from games.redcoats.marches import Seizes
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
    Force,
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
    """A third of them in pairs in the hexes that are best to defend, the others as far from the enemy's
    entries as they may stand; guns and leaders with the first."""
    land, book = pos.land, pos.book
    troops = [u for u in group.units if book[u].is_foot]

    def cover(h: str) -> tuple[int, int]:
        near = sum(pos.aid.grounds[land.terrain[n]].assault for n in land.neighbours[h])
        return -pos.aid.grounds[land.terrain[h]].assault, -near

    entries = [g.enter for g in pos.setting.groups if g.side != group.side and g.enter]
    away = steps(entries, land.open)
    front = -(-len(troops) // 3)
    best = sorted(group.hexes, key=lambda h: (*cover(h), h))[: -(-front // 2)]
    back = sorted(group.hexes, key=lambda h: (-away.get(h, 0), h))[: -(-(len(troops) - front) // 2)]
    places = {unit: best[number // 2 % len(best)] for number, unit in enumerate(troops[:front])}
    places.update({unit: back[number // 2 % len(back)] for number, unit in enumerate(troops[front:])})
    guns = [u for u in group.units if book[u].is_gun]
    places.update({unit: best[number % len(best)] for number, unit in enumerate(guns)})
    places.update({unit: best[0] for unit in group.units if book[unit].is_leader})
    return written(group, places)


class Bot:
    """One seat's player; it keeps a plan for a movement segment."""

    def __init__(self, seat: str, seed: int) -> None:
        self.seat, self.rng = seat, random.Random(seed)
        self._plan: tuple[tuple[int, int], Plan] | None = None
        self._asked: set[str] = set()
        self._arrivals: tuple[int, Arrivals] | None = None

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
        """Who attacks first, then troops before leaders."""
        by_unit: dict[str, list[Enter]] = {}
        for move in options.list():
            if isinstance(move, Enter):
                by_unit.setdefault(move.unit, []).append(move)
        if not by_unit:
            return next((m for m in options.list() if isinstance(m, Hasten)), None)
        if self._arrivals is None or self._arrivals[0] != pos.turn:
            offered = [m for moves in by_unit.values() for m in moves]
            self._arrivals = pos.turn, Arrivals(pos, self.seat, offered)
        arrivals = self._arrivals[1]
        late = {u: u not in arrivals.orders for u in by_unit}
        unit = min(by_unit, key=lambda u: (late[u], pos.book[u].is_leader, -pos.book[u].strength, u))
        place = arrivals.place(pos, unit, [m.hex for m in by_unit[unit]])
        return next(m for m in by_unit[unit] if m.hex == place)

    def _move(self, pos: RedcoatsPosition, options: Options) -> Move | None:
        segment = pos.stack[-1]
        assert isinstance(segment, Movement)
        key = (pos.turn, int(bool(segment.moved or segment.tried)))
        if self._plan is None or self._plan[0][0] != pos.turn or not key[1]:
            if self._plan is None or self._plan[0] != (pos.turn, 0):
                self._asked = set()
            self._plan = ((pos.turn, 0), Plan(pos, self.seat, segment))
        plan = self._plan[1]
        for seize in (m for m in Seizes(pos, segment).moves(View()) if m.unit not in plan.left | self._asked):
            self._asked.add(seize.unit)
            return seize
        for unit, place in plan.orders.items():
            if unit in self._asked or unit not in pos.units or pos.units[unit].hex == place:
                continue
            self._asked.add(unit)
            order = Force(unit, place) if unit in plan.forced else March(unit, place)
            if options.contains(order):
                return order
        keep = () if presses(pos, self.seat) else goals(pos, self.seat)
        return Withdrawal(pos, self.seat, segment, plan.left, keep).next() or EndMovement()

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
