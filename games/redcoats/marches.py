"""4.0-5.0: the orders of the movement segment: who may go where, and why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TypeVar

from games.kit.hexes import HexId
from games.redcoats.movement import Movement, can_force, exempt
from games.redcoats.moves import Disengage, Force, Guard, March, Seize
from games.redcoats.paths import Walk, blocked, limits, lone_in_zone, may_end, walk
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY, Arm
from games.redcoats.refusals import no_hex, own_unit
from games.redcoats.specials import allowance
from pbem.engine.notation import Move
from pbem.engine.options import Family, Refusal, View

M = TypeVar("M", bound=Move)


class _Orders(Family[M]):
    """What the families share."""

    def __init__(self, pos: RedcoatsPosition, segment: Movement) -> None:
        self.pos, self.segment, self.seat = pos, segment, segment.seat

    def own(self) -> list[str]:
        """This side's counters that have not moved, in order of their ids."""
        pos, seat, segment = self.pos, self.seat, self.segment

        def mine() -> tuple[str, ...]:
            book = pos.book
            return tuple(u for u, piece in pos.units.items() if book[u].side == seat and not piece.fresh)

        done = frozenset(segment.moved)
        units: tuple[str, ...] = pos.remember(("mine", seat), mine)
        return [unit for unit in units if unit not in done or unit == segment.mover]

    def of(self, unit: str) -> Iterable[M]:
        """The orders for one counter."""
        raise NotImplementedError

    def moves(self, view: View) -> Iterator[M]:
        for unit in self.own():
            yield from self.of(unit)

    def sample(self, rng: Random, view: View) -> M | None:
        units = self.own()
        while units:
            found = list(self.of(units.pop(rng.randrange(len(units)))))
            if found:
                return rng.choice(found)
        return None


def _endings(pos: RedcoatsPosition, unit: str, orders: tuple[M, ...]) -> Iterable[M]:
    """Those of a unit's orders that end lawfully as its own side stands now."""
    counter, piece = pos.book[unit], pos.units[unit]
    if piece.disrupted or (counter.is_leader and lone_in_zone(pos, unit)):
        return [m for m in orders if may_end(pos, unit, m.hex) is None]  # type: ignore[attr-defined]
    if counter.is_leader:
        return orders
    full = pos.full(counter.side, pos.stacking(unit))
    return [m for m in orders if m.hex not in full] if full else orders  # type: ignore[attr-defined]


class Marches(_Orders[March]):
    """4.1."""

    kind = March

    def _found(self, unit: str) -> Walk:
        return walk(self.pos, unit, left=self.segment.left if unit == self.segment.mover else None)

    def of(self, unit: str) -> Iterable[March]:
        pos, segment = self.pos, self.segment
        if segment.begins(pos, unit) or segment.leaves(pos, unit):
            return ()
        found = self._found(unit)
        orders = found.orders.get(unit)
        if orders is None:
            orders = found.orders[unit] = tuple(March(unit, place) for place in found.cost)
        return _endings(pos, unit, orders)

    def why_not(self, move: March, view: View) -> Refusal | None:
        pos, unit = self.pos, move.unit
        refusal = own_unit(pos, self.seat, unit, "4.1") or no_hex(pos, move.hex)
        refusal = refusal or self.segment.begins(pos, unit) or self.segment.leaves(pos, unit)
        if refusal:
            return refusal
        if move.hex == pos.units[unit].hex:
            return Refusal("4.1", "that is where it stands")
        left = self.segment.left if unit == self.segment.mover else None
        if move.hex not in self._found(unit).cost:
            start = pos.units[unit].hex
            refusal = blocked(pos, unit, limits(pos, unit, left=left), start, move.hex)
            return refusal if refusal.rule != "4.11" else self._or_force(move, refusal)
        return may_end(pos, unit, move.hex)

    def _or_force(self, move: March, refusal: Refusal) -> Refusal:
        able = can_force(self.pos, self.segment, move.unit) is None
        if able and move.hex in walk(self.pos, move.unit, forced=True).cost:
            return Refusal("4.11", f"{refusal.reason}; force {move.unit} to {move.hex} is a forced march")
        return refusal


class Forces(_Orders[Force]):
    """4.3: only where an ordinary move does not lead."""

    kind = Force

    def of(self, unit: str) -> Iterable[Force]:
        pos, segment = self.pos, self.segment
        if segment.begins(pos, unit) or can_force(pos, segment, unit) or segment.leaves(pos, unit):
            return ()
        found = walk(pos, unit, forced=True)
        orders = found.orders.get(unit)
        if orders is None:
            near = walk(pos, unit).cost
            orders = tuple(Force(unit, place) for place in found.cost if place not in near)
            found.orders[unit] = orders
        return _endings(pos, unit, orders)

    def why_not(self, move: Force, view: View) -> Refusal | None:
        pos, unit = self.pos, move.unit
        refusal = own_unit(pos, self.seat, unit, "4.3") or no_hex(pos, move.hex)
        refusal = refusal or self.segment.begins(pos, unit) or can_force(pos, self.segment, unit)
        refusal = refusal or self.segment.leaves(pos, unit)
        if refusal:
            return refusal
        if move.hex == pos.units[unit].hex:
            return Refusal("4.3", "that is where it stands")
        if move.hex in walk(pos, unit).cost:
            return Refusal(
                "4.31", f"{unit} reaches {move.hex} without a forced march: move {unit} to {move.hex}"
            )
        if move.hex not in walk(pos, unit, forced=True).cost:
            return blocked(pos, unit, limits(pos, unit, forced=True), pos.units[unit].hex, move.hex)
        return may_end(pos, unit, move.hex)


def seizures(pos: RedcoatsPosition, segment: Movement, unit: str) -> Iterator[tuple[HexId, int]]:
    """11.13-c: lone enemy leaders that a unit can come upon, and the price of the way there."""
    enemy = ENEMY[segment.seat]
    if pos.book[unit].is_leader:
        return
    men = pos.men(enemy)
    alone = [h for h in pos.at(enemy) if h not in men]
    points = allowance(pos, unit) if unit != segment.mover else segment.left
    here = pos.units[unit].hex
    alone = [h for h in alone if pos.land.distance(here, h) <= points]  # a step costs half a point at least
    if not alone:
        return
    left = segment.left if unit == segment.mover else None
    found = walk(pos, unit, left=left)
    start = here
    zone, shy = pos.zoc(enemy), limits(pos, unit, left=left).shy
    light = pos.book[unit].arm is Arm.LIGHT
    for place in alone:
        if shy and place in zone:
            continue
        prices = []
        for n in pos.land.neighbours[place]:
            steps = dict((pos.land.light_exits if light else pos.land.exits)[n])
            if place in steps and (n == start or (n in found.cost and n not in zone)):
                total = (0 if n == start else found.cost[n]) + steps[place]
                if n == start and left is None:
                    total = min(total, points)
                if total <= points:
                    prices.append(total)
        if prices:
            yield place, min(prices)


class Seizes(_Orders[Seize]):
    """11.13."""

    kind = Seize

    def own(self) -> list[str]:
        pos, enemy = self.pos, ENEMY[self.seat]
        men = pos.men(enemy)
        alone = [h for h in pos.at(enemy) if h not in men]
        if not alone:
            return []
        away = pos.land.distance
        return [
            unit
            for unit in super().own()
            if any(away(pos.units[unit].hex, h) <= allowance(pos, unit) for h in alone)
        ]

    def of(self, unit: str) -> Iterator[Seize]:
        pos, segment = self.pos, self.segment
        if segment.begins(pos, unit) is None and segment.leaves(pos, unit) is None:
            for place, _ in seizures(pos, segment, unit):
                yield Seize(place, unit)

    def why_not(self, move: Seize, view: View) -> Refusal | None:
        pos, unit = self.pos, move.unit
        refusal = own_unit(pos, self.seat, unit, "11.13") or no_hex(pos, move.hex)
        refusal = refusal or self.segment.begins(pos, unit) or self.segment.leaves(pos, unit)
        if refusal:
            return refusal
        if pos.book[unit].is_leader:
            return Refusal("11.15", f"{unit} is a leader and cannot take another one")
        enemy = ENEMY[self.seat]
        if move.hex not in pos.at(enemy) or move.hex in pos.men(enemy):
            return Refusal("11.13", f"no enemy leader is alone in {move.hex}")
        if any(place == move.hex for place, _ in seizures(pos, self.segment, unit)):
            return None
        return Refusal("11.13", f"{unit} does not reach {move.hex}")


class Disengages(_Orders[Disengage]):
    """4.41."""

    kind = Disengage

    def _why(self, unit: str) -> Refusal | None:
        pos, segment = self.pos, self.segment
        counter, piece = pos.book[unit], pos.units[unit]
        refusal = segment.begins(pos, unit)
        if refusal:
            return refusal
        if counter.is_leader or piece.hex not in pos.zoc(ENEMY[self.seat]):
            return Refusal("4.4", f"{unit} may leave as it is")
        if piece.disrupted:
            return Refusal("9.1", f"{unit} is disrupted and in an enemy zone of control: it stays")
        if unit in segment.tried:
            return Refusal("4.4", f"{unit} has tried already: once in a segment")
        if unit in segment.guards:
            refusal = segment.guard_waits(pos, unit)
            if refusal:
                return refusal
        elif segment.covered(pos, unit):
            return Refusal("4.42", f"a rear guard covers {unit}: it may leave without a check")
        if exempt(pos, unit):
            return Refusal("12.3", f"{unit} may leave without a check")
        return None

    def own(self) -> list[str]:
        zone = self.pos.zoc(ENEMY[self.seat])
        return [unit for unit in super().own() if self.pos.units[unit].hex in zone]

    def of(self, unit: str) -> Iterator[Disengage]:
        if self._why(unit) is None:
            yield Disengage(unit)

    def why_not(self, move: Disengage, view: View) -> Refusal | None:
        return own_unit(self.pos, self.seat, move.unit, "4.4") or self._why(move.unit)


class Guards(Disengages):
    """4.42."""

    kind = Guard  # type: ignore[assignment]

    def _why(self, unit: str) -> Refusal | None:
        pos, segment = self.pos, self.segment
        counter, piece = pos.book[unit], pos.units[unit]
        if not counter.is_foot:
            return Refusal("4.42", f"{unit} cannot be the rear guard: infantry or dragoons can")
        if piece.hex not in pos.zoc(ENEMY[self.seat]):
            return Refusal("4.42", f"{unit} is in no enemy zone of control")
        if unit in segment.moved:
            return Refusal("4.42", f"the move of {unit} is over")
        if any(g in pos.units and pos.units[g].hex == piece.hex for g in segment.guards):
            return Refusal("4.42", f"{piece.hex} has its rear guard")
        if all(u in segment.moved or u in segment.tried for u in segment.mates(pos, unit)):
            return Refusal("4.42", f"nobody else in {piece.hex} could leave")
        return None

    def of(self, unit: str) -> Iterator[Guard]:  # type: ignore[override]
        if self._why(unit) is None:
            yield Guard(unit)


def families(pos: RedcoatsPosition, segment: Movement) -> tuple[Family[Move], ...]:
    """Every kind of order of the segment."""
    kinds = (Marches, Forces, Seizes, Disengages, Guards)
    return tuple(kind(pos, segment) for kind in kinds)  # type: ignore[misc]
