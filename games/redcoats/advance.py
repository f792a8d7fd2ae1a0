"""8.52 ADVANCE AFTER COMBAT: who may follow whom, how far, and with which leader."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from games.kit.hexes import HexId
from games.redcoats import specials
from games.redcoats.command import traced
from games.redcoats.moves import Advance, Lead
from games.redcoats.position import STACK, RedcoatsPosition
from games.redcoats.printed import ENEMY, Arm
from games.redcoats.refusals import own_unit
from pbem.engine.options import Family, Refusal, View

Path = tuple[HexId, ...]


class Pursuit:
    """The advance after one battle."""

    def __init__(
        self,
        pos: RedcoatsPosition,
        seat: str,
        targets: tuple[str, ...],
        origins: tuple[str, ...],
        attackers: tuple[str, ...],
        advanced: tuple[str, ...],
        led: tuple[tuple[str, ...], ...],
    ) -> None:
        self.pos, self.seat, self.origins = pos, seat, origins
        self.attackers, self.advanced, self.led = attackers, advanced, led
        self.left = tuple(h for h in targets if h not in pos.foot(ENEMY[seat]))
        """8.521: attacked hexes without enemy infantry or dragoons; abandoned guns do not count (8.42-b)."""
        self._commanded: dict[HexId, bool] = {}

    def may(self, unit: str) -> Refusal | None:
        """8.521, 11.41: whether a unit may advance at all."""
        pos = self.pos
        refusal = own_unit(pos, self.seat, unit, "8.521")
        if refusal:
            return refusal
        if pos.book[unit].is_gun or pos.book[unit].is_leader:
            return Refusal("8.522", f"{unit} does not advance by itself")
        if unit not in self.attackers or pos.units[unit].hex not in self.origins:
            return Refusal("8.521", f"{unit} has not fought in this battle, or has fallen back")
        if unit in self.advanced:
            return Refusal("8.522", f"{unit} has advanced already")
        if pos.units[unit].ooc:
            return Refusal("11.41", f"{unit} is out of command: no advance", also=("8.521",))
        return specials.stands_still(pos, unit)

    def firsts(self, unit: str) -> tuple[HexId, ...]:
        """8.523: the first hex is one that the enemy has left."""
        pos, ban = self.pos, specials.step_ban(self.pos, unit)
        here = pos.units[unit].hex
        return tuple(
            h for h in self.left if h in pos.land.open[here] and not (ban is not None and ban(here, h))
        )

    def seconds(self, unit: str, first: HexId) -> tuple[HexId, ...]:
        """8.523: dragoons go on in any direction, not onto enemy combat units."""
        pos, ban = self.pos, specials.step_ban(self.pos, unit)
        if pos.book[unit].arm is not Arm.DRAGOON:
            return ()
        foes = pos.men(ENEMY[self.seat])
        return tuple(
            n for n in pos.land.open[first] if n not in foes and not (ban is not None and ban(first, n))
        )

    def paths(self, unit: str, leader: str = "") -> Iterator[Path]:
        """8.522-8.526: the ways of a unit; with a leader it is in command wherever it goes."""
        if self.may(unit) is not None:
            return
        for first in self.firsts(unit):
            for path in ((first,), *((first, n) for n in self.seconds(unit, first))):
                if self.fits(unit, path[-1]) and (leader or self.commanded(path[-1])):
                    yield path

    def fits(self, unit: str, place: HexId) -> bool:
        """8.525: stacking where it ends."""
        pos = self.pos
        if pos.units[unit].hex == place:
            return True
        return pos.load(self.seat, place) + pos.stacking(unit) <= STACK

    def commanded(self, place: HexId) -> bool:
        """8.521-b: whether a unit that came to stand there would be in the range of a leader as he stands."""
        if place not in self._commanded:
            self._commanded[place] = in_range(self.pos, self.seat, place)
        return self._commanded[place]

    def leaders(self, unit: str) -> tuple[str, ...]:
        """8.522: leaders who may go with a unit."""
        here = self.pos.leaders(self.seat, self.pos.units[unit].hex)
        return tuple(u for u in here if u not in self.advanced)

    def joins(self) -> Iterator[Lead]:
        """8.522: a unit that went with one leader takes along the others of the hex that it left."""
        for unit, start, *path in self.led:
            for leader in self.pos.leaders(self.seat, start):
                if leader not in self.advanced:
                    yield Lead(leader, unit, tuple(path))

    def any(self) -> bool:
        """Whether anybody may advance."""
        if not self.left:
            return False
        if next(self.joins(), None) is not None:
            return True
        for unit in self.attackers:
            if unit in self.pos.units:
                for leader in ("", *self.leaders(unit)):
                    if next(self.paths(unit, leader), None) is not None:
                        return True
        return False


def in_range(pos: RedcoatsPosition, side: str, place: HexId) -> bool:
    """11.31 for a hex that a friendly unit would hold: its last step may enter an enemy zone of control."""
    for unit, piece in pos.units.items():
        counter = pos.book[unit]
        if not counter.is_leader or counter.side != side:
            continue
        if pos.land.distance(piece.hex, place) > counter.range:
            continue
        found = traced(pos, side, piece.hex, counter.range)
        if place in found:
            return True
        if any(
            n in found and found[n] < counter.range and place in pos.land.open[n]
            for n in pos.land.neighbours[place]
        ):
            return True
    return False


class Advances(Family[Advance]):
    """8.521: units alone."""

    kind = Advance

    def __init__(self, pursuit: Pursuit) -> None:
        self.pursuit = pursuit

    def moves(self, view: View) -> Iterator[Advance]:
        for unit in self.pursuit.attackers:
            if unit in self.pursuit.pos.units:
                for path in self.pursuit.paths(unit):
                    yield Advance(unit, path)

    def sample(self, rng: Random, view: View) -> Advance | None:
        found = list(self.moves(view))
        return rng.choice(found) if found else None

    def why_not(self, move: Advance, view: View) -> Refusal | None:
        return _why_not(self.pursuit, move.unit, move.path, "")


class Leads(Family[Lead]):
    """8.522: a unit and a leader of its hex."""

    kind = Lead

    def __init__(self, pursuit: Pursuit) -> None:
        self.pursuit = pursuit

    def moves(self, view: View) -> Iterator[Lead]:
        yield from self.pursuit.joins()
        for unit in self.pursuit.attackers:
            if unit in self.pursuit.pos.units:
                for leader in self.pursuit.leaders(unit):
                    for path in self.pursuit.paths(unit, leader):
                        yield Lead(leader, unit, path)

    def why_not(self, move: Lead, view: View) -> Refusal | None:
        if move in self.pursuit.joins():
            return None
        refusal = self.pursuit.may(move.unit)
        if refusal:
            return refusal
        if move.leader not in self.pursuit.leaders(move.unit):
            return Refusal("8.522", f"{move.leader} is not with {move.unit}, or has advanced already")
        return _why_not(self.pursuit, move.unit, move.path, move.leader)


def _why_not(pursuit: Pursuit, unit: str, path: Path, leader: str) -> Refusal | None:
    pos = pursuit.pos
    refusal = pursuit.may(unit)
    if refusal:
        return refusal
    if not path:
        return Refusal("8.522", "say where to")
    here, first = pos.units[unit].hex, path[0]
    if first not in pursuit.left:
        return Refusal("8.523", f"{first} is no hex that the enemy has left in this battle")
    if first not in pos.land.open[here]:
        return Refusal("8.526", f"{unit} cannot go from {here} to {first}")
    if first not in pursuit.firsts(unit):
        return Refusal(_ban(pos, unit, here, first), f"{first} is closed to {unit}")
    if len(path) > (2 if pos.book[unit].arm is Arm.DRAGOON else 1):
        return Refusal("8.522", f"{unit} does not advance so far")
    if len(path) == 2 and path[1] not in pursuit.seconds(unit, first):
        return Refusal(_ban(pos, unit, first, path[1]) or "8.526", f"{unit} cannot go on to {path[1]}")
    if not pursuit.fits(unit, path[-1]):
        return Refusal("8.525", f"there is no room in {path[-1]}", also=("6.0",))
    if not leader and not pursuit.commanded(path[-1]):
        return Refusal("8.521", f"{unit} would be out of command in {path[-1]}")
    return None


def _ban(pos: RedcoatsPosition, unit: str, a: HexId, b: HexId) -> str:
    ban = specials.step_ban(pos, unit)
    return ban(a, b) if ban is not None and b in pos.land.neighbours[a] else ""
