"""8.51, 10.0: the ways by which one unit falls back.

Hard: no hex with enemy combat units, no forbidden terrain, not off the map. Soft, in this order (8.51-d):
away from the engaged enemy and out of contact with him (8.511); a disrupted unit nearer to its line of
communication (10.0); out of enemy zones of control; no hex twice; at the end no overfull hex; no
friends, except those of its own stack, who may go together (8.51).

Only the first of them are printed; the list stood beside a table that we do not have. The order, and "no hex
twice" and "no friends", are our reconstruction: a printed sentence goes before them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from games.kit.hexes import HexId
from games.kit.refusals import hexes
from games.kit.ways import steps
from games.redcoats.moves import Retreat
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from pbem.engine.options import Family, Refusal, View

STANDS, LOST, LEFT = "stands", "lost", "left"
"""How a retreat ends: where it stopped, nowhere to go (8.514), over the edge (10.0)."""
RINGS = 60
"""10.0-b: so far from the line of communication a substitute is looked for."""

Path = tuple[HexId, ...]


def line_map(pos: RedcoatsPosition, side: str, ring: int) -> dict[HexId, int]:
    """10.0: steps to the line of communication of a side (or to hexes so far from it) past the enemy."""
    caches, foes = pos.data.caches, frozenset(pos.men(ENEMY[side]))
    key = f"lines {pos.scenario} {side} {ring}"
    kept = caches.get(key)
    if kept is not None and kept[0] == foes:
        return kept[1]  # type: ignore[no-any-return]
    ways, land = pos.land.open, pos.land
    listed = pos.setting.lines[side]
    starts = [h for h in _ring(pos, listed, ring) if land.terrain[h] != "water" and h not in foes]
    found = steps(starts, ways, lambda n: n not in foes)
    caches[key] = (foes, found)
    return found


def _ring(pos: RedcoatsPosition, listed: tuple[HexId, ...], ring: int) -> list[HexId]:
    if not listed:
        return []
    if ring == 0:
        return list(listed)
    land = pos.land
    return [h for h in land.hexes if min(land.distance(h, line) for line in listed) == ring]


def line_for(pos: RedcoatsPosition, side: str, place: HexId) -> dict[HexId, int] | None:
    """10.0-b: the steps from everywhere to the nearest hex of the line that this place can reach."""
    if not pos.setting.lines[side]:
        return None
    for ring in range(RINGS):
        found = line_map(pos, side, ring)
        if place in found:
            return found
    return None


@dataclass(slots=True)
class Flight:
    """The retreat of one unit from where it stands."""

    pos: RedcoatsPosition
    unit: str
    steps: int
    runs: bool
    """Because of disruption: then the line of communication binds it (10.0-e)."""
    engaged: tuple[HexId, ...]
    mates: frozenset[str] = frozenset()
    """Those of its stack who have fallen back before it: it may join them (8.51)."""
    line: dict[HexId, int] | None = None

    def __post_init__(self) -> None:
        self.line = line_for(self.pos, self.side, self.start) if self.runs else None

    @property
    def side(self) -> str:
        return self.pos.book[self.unit].side

    @property
    def start(self) -> HexId:
        return self.pos.units[self.unit].hex

    def ends(self, path: Path) -> str:
        """How the retreat ends after this way, or "" if it goes on."""
        here = path[-1] if path else self.start
        if len(path) < self.steps:
            if self.line is not None and self.line.get(here) == 0 and here in self.pos.land.edge:
                return LEFT
            return "" if self._open(here) else LOST
        if self.pos.room(self.unit, here):
            return STANDS
        return "" if self._fresh(path) else LOST

    def _open(self, here: HexId) -> tuple[HexId, ...]:
        foes = self.pos.men(ENEMY[self.side])
        return tuple(n for n in self.pos.land.open[here] if n not in foes)

    def _fresh(self, path: Path) -> tuple[HexId, ...]:
        """8.512: beyond its distance it goes on, but not in circles."""
        return tuple(n for n in self._open(path[-1]) if n not in path and n != self.start)

    def onward(self, path: Path) -> tuple[HexId, ...]:
        """The next hexes among which the owner may choose: equal in all priorities."""
        here = path[-1] if path else self.start
        choices = self._open(here) if len(path) < self.steps else self._fresh(path)
        if len(choices) < 2:
            return choices
        ranked = [(self._rank(path, here, n), n) for n in choices]
        best = min(rank for rank, _ in ranked)
        return tuple(n for rank, n in ranked if rank == best)

    def _rank(self, path: Path, here: HexId, to: HexId) -> tuple[bool, ...]:
        pos, land = self.pos, self.pos.land
        nearer = any(land.distance(to, e) < land.distance(here, e) for e in self.engaged)
        touching = any(to in land.neighbours[e] for e in self.engaged)
        away = False
        if self.line is not None:
            now, then = self.line.get(here, 0), self.line.get(to, 1 << 30)
            away = not (then < now or then == now == 0)
        last = len(path) + 1 >= self.steps
        return (
            nearer,
            touching,
            away,
            to in pos.zoc(ENEMY[self.side]),
            to in path or to == self.start,
            last and not pos.room(self.unit, to),
            any(friend not in self.mates for friend in pos.combat(self.side, to)),
        )

    def paths(self) -> Iterator[Path]:
        """Every lawful way, in a fixed order."""
        waiting: list[Path] = [()]
        while waiting:
            path = waiting.pop()
            if self.ends(path):
                yield path
            else:
                waiting += [(*path, n) for n in reversed(self.onward(path))]

    def some(self, rng: Random) -> Path:
        """One of them at random."""
        path: Path = ()
        while not self.ends(path):
            path = (*path, rng.choice(self.onward(path)))
        return path

    def why_not(self, path: Path) -> Refusal | None:
        """8.511: the first hex that is not lawful, or that the way is too short or too long."""
        for number, place in enumerate(path):
            made = path[:number]
            if self.ends(made):
                return Refusal("8.51", f"{self.unit} is to fall back {hexes(self.steps)}, no further")
            if place not in self.onward(made):
                return self._barred(made, place)
        if not self.ends(path):
            rule = "8.512" if len(path) >= self.steps else "8.51"
            return Refusal(rule, f"{self.unit} must fall back further: {hexes(self.steps)} and to a free hex")
        return None

    def _barred(self, made: Path, place: HexId) -> Refusal:
        here = made[-1] if made else self.start
        if place not in self._open(here):
            return Refusal("8.514", f"{self.unit} cannot go from {here} to {place}")
        wanted = ", ".join(self.onward(made))
        best = self._rank(made, here, self.onward(made)[0])
        own = self._rank(made, here, place)
        rules = ("8.511", "8.511", "10.0", "8.513", "8.511", "8.512", "8.511")
        words = (
            "it is nearer to the enemy",
            "it is beside the enemy",
            "it is not towards the line of communication",
            "it is in an enemy zone of control",
            "it has been there",
            "there is no room",
            "friends are there",
        )
        at = next((i for i, (a, b) in enumerate(zip(own, best, strict=True)) if a != b), 0)
        return Refusal(rules[at], f"{place}: {words[at]}; {self.unit} goes to {wanted}")


class Routes(Family[Retreat]):
    """The ways of every unit that has yet to fall back; their owner says who goes first."""

    kind = Retreat

    def __init__(self, flights: tuple[Flight, ...]) -> None:
        self.flights = flights

    def moves(self, view: View) -> Iterator[Retreat]:
        for flight in self.flights:
            for path in flight.paths():
                yield Retreat(flight.unit, path)

    def sample(self, rng: Random, view: View) -> Retreat | None:
        flight = rng.choice(self.flights)
        return Retreat(flight.unit, flight.some(rng))

    def why_not(self, move: Retreat, view: View) -> Refusal | None:
        for flight in self.flights:
            if flight.unit == move.unit:
                return flight.why_not(move.path)
        waiting = ", ".join(flight.unit for flight in self.flights)
        return Refusal("8.51", f"{move.unit} does not have to fall back: {waiting}")
