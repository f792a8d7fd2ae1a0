"""6.0 MOVEMENT: one movement phase, units and stacks one after another, with charges (6.3) on the way.

Who may move, and with how many points, is in marching.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from games.kawagoe.charge import EXTRA, Charges, entered
from games.kawagoe.combat import Combat
from games.kawagoe.command import under
from games.kawagoe.marching import Group, Marching
from games.kawagoe.moves import Charge, EndMovement, March
from games.kawagoe.paths import blocked, cheapest, reachable, shared_ways, wander
from games.kawagoe.position import ENEMY, STACK, KawagoePosition
from games.kawagoe.printed import HOJO
from games.kawagoe.refusals import no_hex
from games.kit.families import Seldom
from games.kit.hexes import HexId
from pbem.engine.events import Event
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.procedure import Finish, Goto, Perform, chooses, rule


class MayMove(Event):
    says = "{general} moves with {count:# unit|# units}"
    general: str
    units: tuple[str, ...]
    count: int


class Moved(Event):
    says = "{units} to {hex}, {cost:# point|# points}, {left} left"
    units: tuple[str, ...]
    hex: HexId
    path: tuple[HexId, ...]
    cost: int
    left: int


class OtherPoints(Event):
    """Points that are not those on the counter."""

    says = (
        "{unit} has {points:# point|# points}, "
        "{printed} {doubled:?doubled by 勝った勝った|halved out of command}"
    )
    unit: str
    printed: int
    points: int
    doubled: bool


class Charged(Event):
    says = (
        "charge into {hex} for {cost:# point|# points}, {enter} to enter and {extra} to charge, {left} left"
    )
    hex: HexId
    cost: int
    enter: int
    extra: int
    left: int


class ChargeFailed(Event):
    says = "the charge has failed: this move is over"


@dataclass(slots=True)
class Movement(Marching):
    """6.0 MOVEMENT: who moves, one unit or stack after another."""

    @rule("5.52")
    def begin_phase(self, pos: KawagoePosition) -> None:
        """Under a general chit: the general and who is in his range now."""
        if self.general:
            self.named = (self.general, *under(pos, self.general))
            pos.say(MayMove(self.general, self.named, len(self.named) - 1))

    def orders(self, pos: KawagoePosition) -> Options:
        families = (Seldom(EndMovement(), "6.11"), Marches(pos, self), Charges(pos, self))
        ask = "move or charge, or be done" if self.seat == HOJO else "move, or be done"
        return Options(self.seat, families, "move", ask)

    @chooses("6.11", orders)
    def march(self, pos: KawagoePosition, move: March | Charge | EndMovement) -> Goto | Perform | Finish:
        """Any unit that the chit lets move may move, none has to."""
        if isinstance(move, EndMovement):
            return Finish()
        units = tuple(sorted(move.units))
        if units != self.mover:
            self.left = self.allowance(pos, units)
            self._tell_allowance(pos, units)
            self.mover, self.moved = units, (*self.moved, *units)
        start = pos.units[units[0]].hex
        if isinstance(move, Charge):
            return self._charge(pos, start, move.hex)
        path = cheapest(pos, self.seat, len(units), start, self.left, move.hex)
        assert path is not None
        cost = pos.pack.map.cost
        spent = sum(cost[a][b] for a, b in zip((start, *path), path, strict=False))
        self.left -= spent
        for unit in units:
            pos.go(unit, *path)
        pos.say(Moved(units, move.hex, (start, *path), spent, self.left, rule="6.12"))
        return Goto("march")

    def _tell_allowance(self, pos: KawagoePosition, units: Group) -> None:
        """Points that are not those on the counter: doubled by 勝った勝った, halved out of command."""
        for unit in units:
            printed, points = pos.movement(unit), self.own_points(pos, unit)
            if points != printed:
                doubled = points > printed
                pos.say(OtherPoints(unit, printed, points, doubled, rule="5.32" if doubled else "10.3"))

    def _charge(self, pos: KawagoePosition, start: str, target: str) -> Perform:
        """6.32: the price is that of the move into the hex and three more, whatever comes of it."""
        price = pos.pack.map.cost[start][target] + EXTRA
        self.left -= price
        self.target = target
        self.lost = sum(pos.units[u].lost for u in self.mover)
        pos.say(Charged(target, price, price - EXTRA, EXTRA, self.left, rule="6.32"))
        combat = Combat(self.seat, self.mover, target, charge=True, katta=self.katta(pos))
        return Perform(combat, then="charged")

    @rule("6.34")
    def charged(self, pos: KawagoePosition) -> Goto:
        """After entering the hex the move goes on; a failed charge is the end of it (6.32b)."""
        standing = [pos.units[u] for u in self.mover if u in pos.units]
        if not entered(pos, self.mover, self.target):
            unhurt = len(standing) == len(self.mover) and sum(p.lost for p in standing) == self.lost
            near = unhurt and all(self.target in pos.pack.map.neighbours[p.hex] for p in standing)
            if not near or pos.option("failed_charge") == "ends-move":
                self.mover, self.left, self.failed = (), 0, (*self.failed, *self.mover)
                pos.say(ChargeFailed(rule="6.32b"))
        self.target, self.lost = "", 0
        return Goto("march")


class Marches(Family[March]):
    """Every unit and stack with every hex that it can reach."""

    kind = March

    def __init__(self, pos: KawagoePosition, phase: Marching) -> None:
        self.pos, self.phase = pos, phase
        shared_ways(pos)  # what is found while an order is checked serves when it is carried out

    def _starts(self, groups: Iterable[Group]) -> Iterator[tuple[Group, str]]:
        """6.22: nobody moves out of an enemy zone of control."""
        zone = self.pos.zone(ENEMY[self.phase.seat])
        for units in groups:
            start = self.pos.units[units[0]].hex
            if start not in zone:
                yield units, start

    def _groups(self) -> Iterator[Group]:
        if self.phase.mover and self.phase.left:
            yield self.phase.mover
        yield from self.phase.groups(self.pos)

    def moves(self, view: View) -> Iterator[March]:
        for units, start in self._starts(self._groups()):
            points = self.phase.points(self.pos, units)
            for place in reachable(self.pos, self.phase.seat, len(units), start, points):
                yield March(units, place)

    def sample(self, rng: Random, view: View) -> March | None:
        starts = list(self._starts(self._groups()))
        while starts:
            units, start = starts.pop(rng.randrange(len(starts)))
            points = self.phase.points(self.pos, units)
            place = wander(self.pos, self.phase.seat, len(units), start, points, rng)
            if place is not None:
                return March(units, place)
        return None

    def why_not(self, move: March, view: View) -> Refusal | None:
        pos, seat = self.pos, self.phase.seat
        refusal = no_hex(pos, move.hex) or self.phase.why_not_group(pos, move.units)
        if refusal:
            return refusal
        units = tuple(sorted(move.units))
        if len(units) > STACK[seat]:
            return Refusal("7.0", f"{len(units)} units do not make a stack")
        start = pos.units[units[0]].hex
        if move.hex == start:
            return Refusal("6.12", "that is where it stands")
        if start in pos.zone(ENEMY[seat]):
            rest = ": it may only charge" if seat == HOJO else ", so it cannot move"
            return Refusal("6.22", f"{start} is in an enemy zone of control{rest}")
        return blocked(pos, seat, len(units), start, self.phase.points(pos, units), move.hex)
