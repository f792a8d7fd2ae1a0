"""9.6 RETREAT and 9.7 CHAIN RETREAT: every lawful way in which a beaten side can fall back.

A route is a tuple of steps; a step is the hex entered, followed in a chain by where each pushed unit goes:
("1213",) or ("1213", "1214", "1314"). A retreat counts only if every unit that fought can complete it
(9.61-a); among complete ones each step takes the best hexes by 9.64, and the fewest units are pushed (9.77).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.kawagoe.position import ENEMY, STACK, KawagoePosition
from games.kawagoe.printed import ANTI
from games.kit.hexes import HexId

Step = tuple[HexId, ...]
Route = tuple[Step, ...]
Standing = dict[HexId, tuple[str, ...]]
"""Who of the side stands where."""
Rank = tuple[bool, bool]
"""9.64: in an enemy zone of control, own unit there; the lower the better."""
Piece = tuple[str, ...]
"""What falls back as one: a unit, or a stack where the players agreed so (9.61-b)."""

LONGEST = 12
"""No chain is longer. Chains of more than three units do not occur in play; this bounds the search."""


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
        self.pos, self.field = pos, pos.pack.map
        self.side = pos.side(fighting[0])
        self.fighting = frozenset(fighting)
        self.foes, self.number = tuple(foes), number
        self.pushed = frozenset(pushed)
        self.held = pos.held(ENEMY[self.side])
        self.zone = pos.zone(ENEMY[self.side])
        self.limit = STACK[self.side]
        self.zone_closed = pos.option("retreat_into_zoc") == "forbidden"
        self.chains = self.side == ANTI and (number == 1 or pos.option("chain_two_hexes") == "one-push-each")
        self.pieces = self._pieces(fleeing)
        self._memo: dict[tuple[tuple[Piece, ...], frozenset[tuple[str, HexId]]], bool] = {}

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
        standing = self.pos.held(self.side)
        return self._hopeful() and self._rest(standing, self.pieces, self.pushed)

    def ways(self, piece: Piece) -> Ways | None:
        """The best routes of one piece after which all others can still go; None if there is none."""
        rest = tuple(p for p in self.pieces if p != piece)
        standing = dict(self.pos.held(self.side))
        here = self.pos.units[piece[0]].hex
        _lift(standing, piece, here)
        return self._walk(standing, piece, here, self.number, self.pushed, rest)

    # --- the search

    def _hopeful(self) -> bool:
        """A piece without any open hex away from the enemy settles the question at once."""
        return all(
            any(h not in self.held for h in self.away(self.pos.units[piece[0]].hex)) for piece in self.pieces
        )

    def away(self, here: HexId) -> list[HexId]:
        """9.63: adjacent hexes further from every enemy hex of the combat, not across the lake."""
        distance, lake = self.field.distance, self.field.lake[here]
        near = [(foe, distance(here, foe)) for foe in self.foes]
        return [
            h
            for h in self.field.neighbours[here]
            if not lake[h] and all(distance(h, foe) > before for foe, before in near)
        ]

    def ordinary(self, standing: Mapping[HexId, Piece], piece: Piece, here: HexId) -> dict[HexId, Rank]:
        """9.64: hexes that can be entered without a push, each with its rank: enemy zone, own unit there."""
        found = {}
        for h in self.away(here):
            friends = standing.get(h, ())
            if (
                h in self.held
                or len(friends) + len(piece) > self.limit
                or (h in self.zone and self.zone_closed)
            ):
                continue
            found[h] = (h in self.zone, bool(friends))
        return found

    def _rest(self, standing: Standing, pieces: tuple[Piece, ...], pushed: frozenset[str]) -> bool:
        """Whether all these pieces can still complete their retreat, in some order."""
        if not pieces:
            return True
        moved = self.fighting | pushed
        key = frozenset((unit, h) for h, units in standing.items() for unit in units if unit in moved)
        if (pieces, key) not in self._memo:
            self._memo[pieces, key] = any(
                self._go(standing, piece, tuple(p for p in pieces if p != piece), pushed) is not None
                for piece in pieces
            )
        return self._memo[pieces, key]

    def _go(
        self, standing: Standing, piece: Piece, rest: tuple[Piece, ...], pushed: frozenset[str]
    ) -> Ways | None:
        lifted = dict(standing)
        here = self.pos.units[piece[0]].hex
        _lift(lifted, piece, here)
        return self._walk(lifted, piece, here, self.number, pushed, rest)

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
        if open_:
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
        return self._chain(standing, piece, here, left, pushed, rest) if self.chains else None

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
        """After a step: a step out of a bailey or over the wall settles the rest (9.54-g)."""
        if left > 1 and self.field.bailey[here] == self.field.bailey[to]:
            return self._walk(standing, piece, to, left - 1, pushed, rest)
        if rest:
            after = dict(standing)
            after[to] = (*after.get(to, ()), *piece)
            if not self._rest(after, rest, pushed):
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
        need = self._need(standing, here, pushed)
        if not need:
            return None
        best: list[tuple[int, Step, Ways | None]] = []
        least: int | None = None
        for length in range(min(need.values()), LONGEST + 1):
            if least is not None and length > least:
                break
            for step in self._chains(standing, here, pushed, need, length):
                after, gone = push(standing, step)
                onward = self._onward(after, piece, here, step[0], left, pushed | gone, rest)
                if onward is not None:
                    best.append((length, step, onward))
                    total = length + onward.pushes
                    least = total if least is None else min(least, total)
        return _best(best)

    def _pushable(self, standing: Mapping[HexId, Piece], h: HexId, pushed: frozenset[str]) -> bool:
        """A hex whose unit can be pushed: not one of this combat (9.77b), not pushed before (9.73)."""
        units = standing.get(h)
        return bool(units) and not any(u in self.fighting or u in pushed for u in units or ())

    def _need(self, standing: Standing, here: HexId, pushed: frozenset[str]) -> dict[HexId, int]:
        """For each hex whose unit can be pushed from here on: at least how many units must move."""
        near, lake = self.field.neighbours, self.field.lake
        region = [h for h in self.away(here) if h not in self.held and self._pushable(standing, h, pushed)]
        seen = set(region)
        exits: list[HexId] = []
        for h in region:
            for n in near[h]:
                if lake[h][n] or n in self.held or n in self.zone or n == here:
                    continue
                if n not in standing:
                    exits.append(h)
                elif n not in seen and self._pushable(standing, n, pushed):
                    seen.add(n)
                    region.append(n)
        need = dict.fromkeys(exits, 1)
        queue = list(need)
        for h in queue:
            for n in near[h]:
                if n in seen and n not in need and not lake[h][n] and h not in self.zone:
                    need[n] = need[h] + 1
                    queue.append(n)
        return need

    def _chains(
        self,
        standing: Standing,
        here: HexId,
        pushed: frozenset[str],
        need: Mapping[HexId, int],
        length: int,
    ) -> Iterator[Step]:
        """Every chain that pushes exactly so many units, the first of them out of an away hex (9.71)."""
        for first in self.away(here):
            if first in need and first not in self.held and self._pushable(standing, first, pushed):
                yield from self._push_on(standing, (here, first), pushed, need, length)

    def _push_on(
        self,
        standing: Standing,
        way: tuple[HexId, ...],
        pushed: frozenset[str],
        need: Mapping[HexId, int],
        length: int,
    ) -> Iterator[Step]:
        """9.72, 9.74: a pushed unit goes anywhere but into an enemy zone, an enemy, off the map or back."""
        at = way[-1]
        for n in self.field.neighbours[at]:
            if n in way or self.field.lake[at][n] or n in self.held or n in self.zone:
                continue
            if n not in standing:
                if length == 1:
                    yield (*way[1:], n)
            elif length > 1 and need.get(n, LONGEST) < length and self._pushable(standing, n, pushed):
                yield from self._push_on(standing, (*way, n), pushed, need, length - 1)


def _lift(standing: Standing, piece: Piece, here: HexId) -> None:
    others = tuple(u for u in standing[here] if u not in piece)
    if others:
        standing[here] = others
    else:
        del standing[here]


def push(standing: Mapping[HexId, Piece], step: Step) -> tuple[Standing, frozenset[str]]:
    """The board after a chain, the first hex of which is now free, and who was pushed."""
    after = dict(standing)
    gone: list[str] = []
    for start, to in reversed(list(pairwise(step))):
        after[to] = after.pop(start)
        gone += after[to]
    return after, frozenset(gone)


def _best(found: Sequence[tuple[int, Step, Ways | None]]) -> Ways | None:
    """Those that push the fewest units."""
    whole = [(pushes + onward.pushes, step, onward) for pushes, step, onward in found if onward is not None]
    if not whole:
        return None
    least = min(pushes for pushes, _, _ in whole)
    return Ways(
        least,
        tuple((step, *route) for pushes, step, onward in whole if pushes == least for route in onward.routes),
    )
