"""4.0-5.0: the orders of the movement segment: who may go where, and why not."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any, TypeVar, cast

from games.kit.hexes import HexId
from games.redcoats.endings import may_end, not_closer
from games.redcoats.movers import Moving, can_force, exempt
from games.redcoats.moves import Disengage, Force, Guard, March, Seize
from games.redcoats.paths import (
    Walk,
    beside,
    blocked,
    ignores,
    limits,
    lone_in_zone,
    walk,
)
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY, Arm
from games.redcoats.refusals import no_hex, own_unit
from games.redcoats.specials import allowance, allowance_of_one, hex_limit, step_ban
from pbem.engine.notation import Move
from pbem.engine.options import Family, Refusal, View

M = TypeVar("M", bound=Move)


NOWHERE: frozenset[HexId] = frozenset()


class _Orders(Family[M]):
    """What the families share."""

    def __init__(self, pos: RedcoatsPosition, segment: Moving) -> None:
        self.pos, self.segment, self.seat = pos, segment, segment.seat

    def own(self) -> list[str]:
        """This side's counters that have not moved, in order of their ids; do not change."""
        pos, seat, segment = self.pos, self.seat, self.segment

        def mine() -> list[str]:
            book, done = pos.book, frozenset(segment.moved)
            return [
                unit
                for unit, piece in pos.units.items()
                if (unit not in done or unit == segment.mover) and book[unit].side == seat and not piece.fresh
            ]

        units: list[str] = pos.remember(("mine", seat, segment.moved, segment.mover), mine)
        return units

    @abstractmethod
    def of(self, unit: str) -> Iterable[M]:
        """The orders for one counter."""

    def moves(self, view: View) -> Iterator[M]:
        return chain.from_iterable(map(self.of, self.own()))

    def pick(self, unit: str, rng: Random) -> M | None:
        """One of the orders for one counter at random."""
        found = list(self.of(unit))
        return rng.choice(found) if found else None

    def sample(self, rng: Random, view: View) -> M | None:
        units = list(self.own())
        while units:
            found = self.pick(units.pop(rng.randrange(len(units))), rng)
            if found is not None:
                return found
        return None


class _Ways(_Orders[M]):
    """Orders that lead to a hex: all that a unit can reach, but for those where it may not end."""

    def __init__(self, pos: RedcoatsPosition, segment: Moving) -> None:
        super().__init__(pos, segment)
        self.zone, self.frozen = pos.zoc(ENEMY[self.seat]), bool(pos.setting.frozen)
        self.kept: Any = pos.ways(self.seat).setdefault(self.kind, {})
        """Orders of troops that were worked out while the enemy stood as he stands, by unit."""

    def may(self, unit: str) -> bool:
        """Whether a counter that has not moved may go at all."""
        pos, segment, piece = self.pos, self.segment, self.pos.units[unit]
        if self.frozen or piece.held or piece.hex in self.zone or unit == segment.mover:
            return segment.begins(pos, unit) is None and segment.leaves(pos, unit) is None
        return True

    @abstractmethod
    def found(self, unit: str) -> tuple[Walk, tuple[HexId, ...]]:
        """The ways of a counter, and the hexes among them that are meant."""

    def barred(self, unit: str, found: Walk) -> frozenset[HexId]:
        """Where it may not end, as its own side stands now; ask for membership only."""
        pos, counter, piece = self.pos, self.pos.book[unit], self.pos.units[unit]
        if counter.is_leader:
            if not lone_in_zone(pos, unit):
                return NOWHERE
            return beside(pos, self.seat).difference(pos.men(self.seat))
        full = pos.full(counter.side, counter.stacking(piece.disrupted))
        if piece.disrupted:
            return full | not_closer(pos, unit, found)
        return NOWHERE if found.cost.keys().isdisjoint(full) else full

    def of(self, unit: str) -> Iterable[M]:
        pos, segment, kept = self.pos, self.segment, self.kept.get(unit)
        piece = pos.units[unit]
        if (
            kept is not None
            and kept[0] is piece
            and kept[1] is segment.beside
            and kept[2] == pos.turn
            and kept[3] is pos.full(self.seat, kept[4])
        ):
            return kept[5]  # type: ignore[no-any-return]
        orders = self._made(unit) if self.may(unit) else ()
        counter = pos.book[unit]
        if not (counter.is_leader or piece.disrupted or piece.hex in self.zone or unit == segment.mover):
            size = counter.stacking(False)
            self.kept[unit] = (piece, segment.beside, pos.turn, pos.full(self.seat, size), size, orders)
        return orders

    def _made(self, unit: str) -> Sequence[M]:
        found, places = self.found(unit)
        orders: Sequence[Any] | None = found.orders.get((self.kind, unit))
        if orders is None:
            kind: Any = self.kind
            made = self.pos.lasting.setdefault((kind, unit), {})
            for place in places:
                if place not in made:
                    made[place] = kind(unit, place)
            orders = found.orders[self.kind, unit] = tuple([made[place] for place in places])
        barred = self.barred(unit, found)
        return [m for m in orders if m.hex not in barred] if barred else orders

    def pick(self, unit: str, rng: Random) -> M | None:
        if not self.may(unit):
            return None
        found, places = self.found(unit)
        barred, kind = self.barred(unit, found), cast(Any, self.kind)
        left = [place for place in places if place not in barred] if barred else places
        return kind(unit, rng.choice(left)) if left else None


class Marches(_Ways[March]):
    """4.1."""

    kind = March

    def _found(self, unit: str) -> Walk:
        return walk(self.pos, unit, left=self.segment.left if unit == self.segment.mover else None)

    def found(self, unit: str) -> tuple[Walk, tuple[HexId, ...]]:
        found = self._found(unit)
        return found, found.beyond(0, ())

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


class Forces(_Ways[Force]):
    """4.3: only where an ordinary move does not lead."""

    kind = Force

    def may(self, unit: str) -> bool:
        return can_force(self.pos, self.segment, unit) is None and super().may(unit)

    def found(self, unit: str) -> tuple[Walk, tuple[HexId, ...]]:
        found = walk(self.pos, unit, forced=True)
        plain = walk(self.pos, unit)
        return found, found.beyond(plain.bound.points, plain.cost)

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


def lone_leaders(pos: RedcoatsPosition, side: str) -> tuple[HexId, ...]:
    """Hexes where leaders of a side are without troops."""
    known = pos.ways(ENEMY[side])
    if "lone" not in known:
        men = pos.men(side)
        known["lone"] = tuple(h for h in pos.at(side) if h not in men)
    found: tuple[HexId, ...] = known["lone"]
    return found


def _may_come(pos: RedcoatsPosition, seat: str, units: Iterable[str]) -> list[str]:
    """Who could come upon a lone leader as the crow flies: a step costs half a point at least."""
    alone = lone_leaders(pos, ENEMY[seat])
    if not alone:
        return []
    away: dict[HexId, int] = pos.ways(seat).setdefault("away", {})
    for here in pos.at(seat):
        if here not in away:
            away[here] = min(pos.land.distance(here, h) for h in alone)
    on_map, book, each = pos.units, pos.book, allowance_of_one(pos, seat)
    return [unit for unit in units if away[on_map[unit].hex] <= each * book[unit].ma]


def seizures(pos: RedcoatsPosition, segment: Moving, unit: str) -> Iterator[tuple[HexId, int]]:
    """11.13-c: lone enemy leaders that a unit can come upon, and the price of the way there."""
    enemy = ENEMY[segment.seat]
    if pos.book[unit].is_leader:
        return
    points = allowance(pos, unit) if unit != segment.mover else segment.left
    if not _may_come(pos, segment.seat, (unit,)):
        return
    left = segment.left if unit == segment.mover else None
    found, start, ban = walk(pos, unit, left=left), pos.units[unit].hex, step_ban(pos, unit)
    zone, shy = pos.zoc(enemy), limits(pos, unit, left=left).shy
    exits = pos.land.light_exits if pos.book[unit].arm is Arm.LIGHT else pos.land.exits
    for place in lone_leaders(pos, enemy):
        if shy and place in zone and not ignores(pos, unit, place):
            continue
        prices = []
        for n in pos.land.neighbours[place]:
            if n != start and (n not in found.cost or (n in zone and not ignores(pos, unit, n))):
                continue
            if hex_limit(pos, unit) is not None and n != start and n not in pos.land.neighbours[start]:
                continue  # BK-17.1: that would be the third hex
            steps = dict(exits[n])
            if place in steps and not (ban is not None and ban(n, place)):
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
        return _may_come(self.pos, self.seat, super().own())

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


def families(pos: RedcoatsPosition, segment: Moving) -> tuple[Family[Move], ...]:
    """Every kind of order of the segment."""
    kinds = (Marches, Forces, Seizes, Disengages, Guards)
    return tuple(kind(pos, segment) for kind in kinds)  # type: ignore[misc]
