"""What a bot wants: where its Forces should be, and how strong everybody is."""

from __future__ import annotations

import heapq
from functools import lru_cache

from games.kit.hexes import HexId
from games.sanada.pack import Pack
from games.sanada.position import SanadaPosition
from games.sanada.strength import rating, strength
from games.sanada.tables import Tables
from games.sanada.terms import ENEMY, HIDEYORI, INSIDE, KANTO, KYOTO, OSAKA, OSAKA_CASTLE, SAKAI

TWO_DICE = [a + b for a in range(1, 7) for b in range(1, 7)]
NEAR = 8
"""So near an enemy counts as a threat."""
_FAR = 999
CAREFUL = 1.5
"""Kanto moves against an army when it is so much stronger …"""
BOLD = 1.1
"""… and so much while the points say that it is winning …"""
PATIENT = 2.4
"""… or so much, winning, where Osaka needs few points and may take them from any beaten army."""
FEW = 30
"""So many points to win are few."""
CAUTION = 6
"""So far around a target Osaka looks for the Kanto army."""
GUARDS = 8
"""So many Osaka units hold the castle when the enemy is near …"""
WATCH = 2
"""… and so many while he is far …"""
STEADY = 4
"""… or so many always, where few points win: they stay inside, and all others make one army."""


@lru_cache(maxsize=4096)
def _expected(cells: tuple[int, ...], plus: int) -> float:
    return sum(cells[min(max(d + plus, 1), 15) - 1] for d in TWO_DICE) / 36


def expected_hits(tables: Tables, points: int, plus: int) -> float:
    """Hits that a strength may hope for."""
    if points <= 0:
        return 0.0
    column = tables.column(points)
    return _expected(tuple(row[column] for row in tables.combat), plus)


class Mind:
    """A seat's view of the war."""

    def __init__(self, seat: str) -> None:
        self.seat, self.enemy = seat, ENEMY[seat]
        self._ways: dict[HexId, dict[HexId, int]] = {}
        self._pack: Pack | None = None
        self._key: object = None
        self.goals: dict[str, HexId] = {}
        self.guards: list[str] = []
        """Osaka Forces that hold the castle."""
        self.tried: dict[str, int] = {}
        """How often a Force has acted in vain in this phase."""

    def look(self, pos: SanadaPosition) -> None:
        """Notice a new phase: goals are set anew."""
        if self._pack is not pos.data:
            self._pack, self._ways = pos.data, {}
        phase = next((f for f in pos.stack if type(f).__name__ in ("MovingPhase", "CombatPhase")), None)
        key = (pos.turn, type(phase).__name__, getattr(phase, "seat", ""), getattr(phase, "kind", ""))
        if key != self._key:
            self._key, self.goals, self.tried = key, {}, {}

    def way(self, pos: SanadaPosition, goal: HexId) -> dict[HexId, int]:
        """Movement points from everywhere to a hex, over bare terrain."""
        found = self._ways.get(goal)
        if found is None:
            found = {goal: 0}
            queue = [(0, goal)]
            price = pos.data.map.price
            while queue:
                cost, here = heapq.heappop(queue)
                if cost > found[here]:
                    continue
                for there in pos.data.map.near[here]:
                    total = cost + price[there][here]
                    if total < found.get(there, _FAR):
                        found[there] = total
                        heapq.heappush(queue, (total, there))
            self._ways[goal] = found
        return found

    def distance(self, pos: SanadaPosition, here: HexId, goal: HexId) -> int:
        return self.way(pos, goal).get(here, _FAR)

    # --- strengths

    def around(self, pos: SanadaPosition, side: str, place: HexId, reach: int) -> int:
        """Strength of a side in the open within so many hexes."""
        distance = pos.data.map.distance
        return sum(strength(pos, pos.at(h)) for h in pos.index.standing[side] if distance(h, place) <= reach)

    def balance(self, pos: SanadaPosition, own: tuple[str, ...], foe: tuple[str, ...]) -> float:
        """How an exchange would go: above 1 we lose less of ours than they of theirs."""
        if not foe:
            return 99.0
        if not own:
            return 0.0
        tables = pos.data.tables
        a, b = strength(pos, own), strength(pos, foe)
        edge = rating(pos, own) - rating(pos, foe)
        given, taken = expected_hits(tables, a, edge), expected_hits(tables, b, -edge)
        return (given / b + 0.001) / (taken / a + 0.001)

    def danger(self, pos: SanadaPosition, place: HexId, own: tuple[str, ...]) -> float:
        """The worst balance that an adjacent enemy hex could attack us with."""
        worst = 0.0
        for near in pos.data.map.near[place]:
            if near in pos.index.standing[self.enemy]:
                foe = pos.at(near)
                if not pos.spent(foe):
                    worst = max(worst, self.balance(pos, foe, own))
        return worst

    # --- goals

    def goal(self, pos: SanadaPosition, leader: str) -> HexId:
        """Where a Force should go in this phase."""
        if not self.goals:
            self.goals = osaka_goals(self, pos) if self.seat == OSAKA else kanto_goals(self, pos)
        return self.goals.get(leader, pos.units[leader].hex)


def is_close(pos: SanadaPosition) -> bool:
    """Whether Osaka has to earn points, but few."""
    least = min(b.least for b in pos.play.bands if b.winner == OSAKA and b.least is not None)
    return 0 < least <= FEW


def own_forces(pos: SanadaPosition, seat: str) -> list[str]:
    """Leaders of a side, the strongest Forces first."""
    found = [u for u in pos.index.forces if pos.side(u) == seat and u not in pos.frozen]
    return sorted(found, key=lambda u: (-len(pos.force(u)), -pos.unit(u).combat, u))


def osaka_goals(mind: Mind, pos: SanadaPosition) -> dict[str, HexId]:
    """Guards in the castle, errands to Sakai and Omi while it is safe, and one army for the rest."""
    home = pos.stronghold(OSAKA_CASTLE).hex
    forces = own_forces(pos, OSAKA)
    goals = dict.fromkeys(forces, home)
    mind.guards = _guards(mind, pos, forces, home)
    free = [f for f in forces if f not in mind.guards]
    errands = [h for h in (SAKAI, *_omi(mind, pos)) if mind.around(pos, KANTO, h, 2) == 0]
    for leader in [f for f in reversed(free) if len(pos.force(f)) == 1]:
        if errands and leader != HIDEYORI:
            goals[leader] = errands.pop(0)
    army = [f for f in free if goals[f] == home]
    units = tuple(u for f in army for u in pos.force(f))
    target = _target(mind, pos, units, home)
    for leader in army:
        goals[leader] = target
    return goals


def _guards(mind: Mind, pos: SanadaPosition, forces: list[str], home: HexId) -> list[str]:
    """Who holds the castle: Hideyori and the least, more of them the nearer the enemy is."""
    threat = sum(len(pos.at(h)) for h in pos.index.standing[KANTO] if pos.data.map.distance(h, home) <= NEAR)
    need = STEADY if is_close(pos) else GUARDS if threat > 3 else WATCH
    kept = [HIDEYORI] if HIDEYORI in forces else []
    count = len(kept)
    small = [f for f in forces if len(pos.force(f)) == 1 and f not in kept]
    large = [f for f in forces if f not in small and f not in kept]
    for leader in (*reversed(small), *reversed(large)):
        if count >= need:
            break
        kept.append(leader)
        count += len(pos.force(leader))
    return kept


def _omi(mind: Mind, pos: SanadaPosition) -> list[HexId]:
    hexes = [h for h in pos.data.map.area("omi") if h not in pos.data.castle_at]
    way = mind.way(pos, KYOTO) if KYOTO in pos.data.map.near else {}
    return sorted(hexes, key=lambda h: (way.get(h, _FAR), h))[:1]


def _target(mind: Mind, pos: SanadaPosition, units: tuple[str, ...], home: HexId) -> HexId:
    """Where Osaka's army goes: Kyoto or a castle, for what it is worth and what the way costs."""
    threat = sum(len(pos.at(h)) for h in pos.index.standing[KANTO] if pos.data.map.distance(h, home) <= 5)
    if not units or threat >= GUARDS or pos.holder(home) == KANTO:
        return home
    seat = pos.units[units[0]].hex
    best, found = 0.0, home
    for castle, state in pos.castles.items():
        place = pos.stronghold(castle).hex
        if state.closed or (state.owner == OSAKA and place != KYOTO) or place == home:
            continue
        far = mind.distance(pos, seat, place)
        if far > 24:
            continue
        garrison = len(pos.at(place + INSIDE))
        foes = max(mind.around(pos, KANTO, place, CAUTION), 1)
        if foes > 1.1 * strength(pos, units) or garrison * 3 > len(units):
            continue
        value = {1: 0.6, 2: 1.0, 3: 2.0}.get(min(pos.durability(castle), 3), 1.0)
        value = value / (1 + garrison) if state.owner == KANTO else 0.0
        if place == KYOTO:
            value += 6.0
        value /= 3 + far
        if value > best:
            best, found = value, place
    return found


def kanto_goals(mind: Mind, pos: SanadaPosition) -> dict[str, HexId]:
    """Gather where most are, and go to Osaka when strong enough; small garrisons stay."""
    home = pos.stronghold(OSAKA_CASTLE).hex
    forces = own_forces(pos, KANTO)
    field = [f for f in forces if not pos.units[f].inside or len(pos.force(f)) > 2]
    goals = {f: pos.units[f].hex for f in forces}
    if not field:
        return goals
    near = [f for f in field if mind.distance(pos, pos.units[f].hex, home) <= 24]
    rally = _rally(mind, pos, near or field, home)
    target = _prey(mind, pos, near, rally, home)
    for leader in field:
        goals[leader] = target or rally
    return goals


def _prey(mind: Mind, pos: SanadaPosition, near: list[str], rally: HexId, home: HexId) -> HexId | None:
    """The Osaka army or castle that the gathered Kanto army can beat, the nearest first."""
    mass = sum(strength(pos, pos.force(f)) for f in near)
    count = sum(len(pos.force(f)) for f in near)
    need = CAREFUL if not _ahead(pos) else PATIENT if is_close(pos) else BOLD
    best, found = 0.0, None
    stacks = [h for h in pos.index.standing[OSAKA] if len(pos.at(h)) > 1 or h == KYOTO]
    for place in dict.fromkeys((*stacks, home)):
        foe = strength(pos, pos.at(place))
        if place == home and not foe:
            if count <= len(pos.at(home + INSIDE)) + 4:
                continue
            foe = 1
        if mass < need * foe:
            continue
        worth = 2.0 if place in (home, KYOTO) else 1.0
        value = worth / (3 + mind.distance(pos, rally, place))
        if value > best:
            best, found = value, place
    return found


def _ahead(pos: SanadaPosition) -> bool:
    """Whether Kanto would win by the points as they are."""
    band = next(b for b in pos.play.bands if b.least is None or pos.points >= b.least)
    return band.winner == KANTO


def _rally(mind: Mind, pos: SanadaPosition, forces: list[str], home: HexId) -> HexId:
    """The hex of the biggest stack on the way to Osaka."""
    stacks: dict[HexId, int] = {}
    for leader in forces:
        place = pos.units[leader].hex
        stacks[place] = stacks.get(place, 0) + len(pos.force(leader))
    return max(stacks, key=lambda h: (stacks[h], -mind.distance(pos, h, home), h))
