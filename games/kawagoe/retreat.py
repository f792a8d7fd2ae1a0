"""9.6 RETREAT: every lawful way in which a beaten side can fall back.

A retreat counts only if every unit that fought can complete it (9.61-a). Among complete routes each step
takes the best hexes by 9.64, units are pushed only where no other hex is open (9.65), and the fewest (9.77).
A unit that goes alone, with one hex to go, is exact: the fewest pushes are the shortest way to an empty hex.
Where room must be left for a further step or for comrades, chains are tried from the fewest pushes upward,
as many as the counts below say (ruling 9.77-c): never by time, so that every machine finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.kawagoe.chain import Ground, Piece, Standing, Step, lift, push
from games.kawagoe.position import STACK, KawagoePosition
from games.kawagoe.printed import ANTI
from games.kit.hexes import HexId

Route = tuple[Step, ...]
Rank = tuple[bool, bool]
"""9.64: in an enemy zone of control, own unit there; the lower the better."""

Key = tuple[tuple[Piece, ...], frozenset[tuple[str, HexId]]]
"""Who has still to go, and where those stand who have gone or been pushed."""

CHAINS = 20_000
"""So many chains are looked at for one piece."""
HOPES = 2_000
"""So often it is asked whether all others can still go."""
STEPS, STEPS_AT_FIRST = 2_000, 20_000
"""So many steps are tried to answer that; and to find out whether the side can go at all."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The best ways of one piece: all of them push the same, least number of units."""

    pushes: int
    routes: tuple[Route, ...]


class Flight:
    """One side falls back from one combat."""

    def __init__(
        self,
        pos: KawagoePosition,
        fighting: Sequence[str],
        fleeing: Sequence[str],
        foes: Sequence[HexId],
        number: int,
        pushed: Sequence[str] = (),
    ) -> None:
        """`fighting`: all units of the side in this combat; `fleeing`: those still to go; `foes`: where the
        enemy fought from; `number`: hexes to go; `pushed`: units that this combat has pushed already."""
        self.pos = pos
        self.side = pos.side(fighting[0])
        self.ground = Ground(pos, self.side, fighting, foes)
        self.number, self.pushed = number, frozenset(pushed)
        self.limit = STACK[self.side]
        self.zone_closed = pos.option("retreat_into_zoc") == "forbidden"
        self.chains = self.side == ANTI and (number == 1 or pos.option("chain_two_hexes") == "one-push-each")
        self.pieces = self._pieces(fleeing)
        self._hoped: dict[Key, bool] = {}
        self._chains_left = CHAINS

    def _pieces(self, fleeing: Sequence[str]) -> tuple[Piece, ...]:
        if self.pos.option("stack_retreat") == "unit-by-unit":
            return tuple((unit,) for unit in fleeing)
        stacks: dict[HexId, Piece] = {}
        for unit in fleeing:
            place = self.pos.units[unit].hex
            stacks[place] = (*stacks.get(place, ()), unit)
        return tuple(stacks.values())

    # --- what is asked

    def possible(self) -> bool:
        """9.61, 9.64, 9.65: whether the whole side can fall back the whole way."""
        return self._plan is not None

    @cached_property
    def _plan(self) -> tuple[Piece, Route] | None:
        """Who goes first and where, in some order in which all can go; the first one found."""
        return self._order(self.pos.held(self.side), self.pieces, self.pushed, [STEPS_AT_FIRST], set())

    @cached_property
    def choices(self) -> dict[Piece, tuple[Route, ...]]:
        """9.62: the routes that the enemy may choose from, for each piece that can go now."""
        found = {piece: ways.routes for piece in self.pieces if (ways := self.ways(piece))}
        if not found:  # the counts above have cut the search short: what showed that it is possible is left
            found = {self._plan[0]: (self._plan[1],)} if self._plan else {}
        return found

    def ways(self, piece: Piece) -> Ways | None:
        """The best routes of one piece after which all others can still go; None if there is none."""
        rest = tuple(p for p in self.pieces if p != piece)
        here = self.pos.units[piece[0]].hex
        self._chains_left = CHAINS
        standing = lift(self.pos.held(self.side), piece, here)
        return self._walk(standing, piece, here, self.number, self.pushed, rest)

    def alone(self, piece: Piece) -> tuple[Route, ...]:
        """The routes that would be best if nobody else had to go."""
        here = self.pos.units[piece[0]].hex
        self._chains_left = CHAINS
        standing = lift(self.pos.held(self.side), piece, here)
        ways = self._walk(standing, piece, here, self.number, self.pushed, ())
        return ways.routes if ways else ()

    def ordinary(self, standing: Mapping[HexId, Piece], piece: Piece, here: HexId) -> dict[HexId, Rank]:
        """9.64: hexes that can be entered without a push, each with its rank."""
        ground, found = self.ground, {}
        for h in ground.away(here):
            friends = standing.get(h, ())
            if h in ground.held or len(friends) + len(piece) > self.limit:
                continue
            if not (self.zone_closed and h in ground.zone):
                found[h] = (h in ground.zone, bool(friends))
        return found

    # --- the best ways of one piece

    def _walk(
        self,
        standing: Standing,
        piece: Piece,
        here: HexId,
        left: int,
        pushed: frozenset[str],
        rest: tuple[Piece, ...],
    ) -> Ways | None:
        """The best ways onward from `here`, where the piece stands but is not counted in `standing`."""
        open_ = self.ordinary(standing, piece, here)
        if not open_:
            return self._chain(standing, piece, here, left, pushed, rest) if self.chains else None
        for rank in sorted(set(open_.values())):
            found = [
                (0, (h,), self._onward(standing, piece, here, h, left, pushed, rest))
                for h, its in open_.items()
                if its == rank
            ]
            best = _best(found)
            if best is not None:
                return best
        return None

    def _over(self, here: HexId, to: HexId, left: int) -> bool:
        """9.54-g: a step out of a bailey or over the wall settles the rest."""
        return left == 1 or self.ground.field.bailey[here] != self.ground.field.bailey[to]

    def _onward(
        self,
        standing: Standing,
        piece: Piece,
        here: HexId,
        to: HexId,
        left: int,
        pushed: frozenset[str],
        rest: tuple[Piece, ...],
    ) -> Ways | None:
        """What follows a step."""
        if not self._over(here, to, left):
            return self._walk(standing, piece, to, left - 1, pushed, rest)
        if rest and not self._hope(_drop(standing, piece, to), rest, pushed):
            return None
        return Ways(0, ((),))

    def _chain(
        self,
        standing: Standing,
        piece: Piece,
        here: HexId,
        left: int,
        pushed: frozenset[str],
        rest: tuple[Piece, ...],
    ) -> Ways | None:
        """9.7: no hex is open, so a unit in an away hex is pushed on, and as few as possible."""
        need = self.ground.need(standing, here, pushed)
        found: list[tuple[int, Step, Ways | None]] = []
        least: int | None = None
        for length in self._lengths(here, need):
            if (least is not None and length > least) or self._chains_left < 0:
                break
            for step in self.ground.chains(standing, here, pushed, need, length):
                self._chains_left -= 1
                if self._chains_left < 0:
                    break
                after, gone = push(standing, step)
                onward = self._onward(after, piece, here, step[0], left, pushed | gone, rest)
                if onward is not None:
                    found.append((length, step, onward))
                    total = length + onward.pushes
                    least = total if least is None else min(least, total)
        return _best(found)

    # --- whether others can still go

    def _hope(self, standing: Standing, pieces: tuple[Piece, ...], pushed: frozenset[str]) -> bool:
        key = self._key(standing, pieces, pushed)
        if key not in self._hoped:
            if len(self._hoped) >= HOPES:
                return False
            self._hoped[key] = self._order(standing, pieces, pushed, [STEPS], set()) is not None
        return self._hoped[key]

    def _key(self, standing: Standing, pieces: tuple[Piece, ...], pushed: frozenset[str]) -> Key:
        moved = self.ground.fighting | pushed
        return pieces, frozenset((u, h) for h, units in standing.items() for u in units if u in moved)

    def _order(
        self,
        standing: Standing,
        pieces: tuple[Piece, ...],
        pushed: frozenset[str],
        purse: list[int],
        vain: set[Key],
    ) -> tuple[Piece, Route] | None:
        key = self._key(standing, pieces, pushed)
        if key in vain or any(self._stuck(standing, piece, pieces, pushed) for piece in pieces):
            return None
        for piece in pieces:
            here = self.pos.units[piece[0]].hex
            rest = tuple(p for p in pieces if p != piece)
            lifted = lift(standing, piece, here)
            for route, after, gone in self._walks(lifted, piece, here, self.number, pushed, purse):
                if not rest or self._order(after, rest, gone, purse, vain):
                    return piece, route
        vain.add(key)
        return None

    def _stuck(
        self, standing: Standing, piece: Piece, pieces: tuple[Piece, ...], pushed: frozenset[str]
    ) -> bool:
        """Whether a piece cannot take its first step, whoever of the others may still make room."""
        ground = self.ground
        waiting = [unit for one in pieces for unit in one]
        for h in ground.away(self.pos.units[piece[0]].hex):
            units = standing.get(h, ())
            if h in ground.held:
                continue
            if len(units) + len(piece) <= self.limit or any(unit in waiting for unit in units):
                return False
            if self.chains and ground.pushable(standing, h, pushed):
                return False
        return True

    def _walks(
        self,
        standing: Standing,
        piece: Piece,
        here: HexId,
        left: int,
        pushed: frozenset[str],
        purse: list[int],
    ) -> Iterator[tuple[Route, Standing, frozenset[str]]]:
        """Complete routes one after another, best hexes and shortest chains first, while the purse lasts."""
        for step in self._steps(standing, piece, here, pushed):
            purse[0] -= 1
            if purse[0] < 0:
                return
            after, gone = push(standing, step)
            if self._over(here, step[0], left):
                yield (step,), _drop(after, piece, step[0]), pushed | gone
                continue
            for route, end, all_gone in self._walks(after, piece, step[0], left - 1, pushed | gone, purse):
                yield (step, *route), end, all_gone

    def _lengths(self, here: HexId, need: Mapping[HexId, int]) -> range:
        """How many units a chain may push: from the fewest that any hex it may begin with needs, to all."""
        first = [need[h] for h in self.ground.away(here) if h in need]
        return range(min(first), len(need) + 1) if first else range(0)

    def _steps(self, standing: Standing, piece: Piece, here: HexId, pushed: frozenset[str]) -> Iterator[Step]:
        open_ = self.ordinary(standing, piece, here)
        yield from ((h,) for h in sorted(open_, key=open_.__getitem__))
        if not open_ and self.chains:
            need = self.ground.need(standing, here, pushed)
            for length in self._lengths(here, need):
                yield from self.ground.chains(standing, here, pushed, need, length)


def _drop(standing: Standing, piece: Piece, to: HexId) -> Standing:
    """The board with a piece that has arrived."""
    return {**standing, to: (*standing.get(to, ()), *piece)}


def _best(found: Sequence[tuple[int, Step, Ways | None]]) -> Ways | None:
    """Those that push the fewest units."""
    whole = [(pushes + onward.pushes, step, onward) for pushes, step, onward in found if onward is not None]
    if not whole:
        return None
    least = min(pushes for pushes, _, _ in whole)
    best = [(step, onward) for pushes, step, onward in whole if pushes == least]
    return Ways(least, tuple((step, *route) for step, onward in best for route in onward.routes))
