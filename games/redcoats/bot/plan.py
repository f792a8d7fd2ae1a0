"""Where a side's counters go in a movement segment: attacks worth their risk first, then the goals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from games.kit.hexes import HexId
from games.redcoats.bot.value import rate, table_worth
from games.redcoats.marches import Marches
from games.redcoats.morale import Cause
from games.redcoats.movement import Movement
from games.redcoats.position import FIGHT, STACK, RedcoatsPosition
from games.redcoats.printed import ENEMY
from games.redcoats.strength import defence_strength, works
from games.redcoats.victory import achieved

Reach = dict[str, frozenset[HexId]]
LAST_CHANCE = 20.0
"""What an attack is worth besides, if the game is lost without it."""


def goals(pos: RedcoatsPosition, seat: str) -> tuple[HexId, ...]:
    """What the side wants to reach or keep: victory hexes, else the enemy."""
    goal = pos.setting.victory
    if goal.hexes and not (goal.clear and goal.side != seat):
        return goal.hexes
    if presses(pos, seat):
        return tuple(pos.foot(ENEMY[seat])) or pos.setting.lines[ENEMY[seat]]
    return goal.hexes


def presses(pos: RedcoatsPosition, seat: str) -> bool:
    """Whether the side must bring something about."""
    goal = pos.setting.victory
    if not goal.side:
        return True
    return goal.side == seat and not (goal.hexes and achieved(pos) and pos.turn >= pos.setting.turns - 1)


@dataclass
class Plan:
    """The moves of one segment, decided when it begins."""

    pos: RedcoatsPosition
    seat: str
    segment: Movement
    orders: dict[str, HexId] = field(default_factory=dict)
    """Unit: where it shall go."""
    stay: set[str] = field(default_factory=set)
    load: dict[HexId, int] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    """Units of attacked hexes that are spoken for."""
    posted: set[str] = field(default_factory=set)
    """Units that are to stay on a victory hex."""

    def __post_init__(self) -> None:
        pos, family = self.pos, Marches(self.pos, self.segment)
        self.reach: Reach = {}
        for unit in family.own():
            self.reach[unit] = frozenset(move.hex for move in family.of(unit))
        self.load = {h: pos.load(self.seat, h) for h in pos.at(self.seat)}
        goal = pos.setting.victory
        late = pos.turn >= pos.setting.turns - 1
        self.holds = goal.hexes if goal.clear and goal.side != self.seat and late else ()
        """Hexes that the side must not leave any more."""
        self._occupy()
        self._attacks()
        self._marches()

    def _room(self, unit: str, place: HexId) -> bool:
        return self.load.get(place, 0) + self.pos.stacking(unit) <= STACK

    def _go(self, unit: str, place: HexId) -> None:
        start = self.pos.units[unit].hex
        if place == start:
            self.stay.add(unit)
            return
        size = self.pos.stacking(unit)
        self.load[start] = self.load.get(start, 0) - size
        self.load[place] = self.load.get(place, 0) + size
        self.orders[unit] = place

    def _occupy(self) -> None:
        """Who must clear hexes holds each in the last two turns, so that nobody comes back to them."""
        pos, goal = self.pos, self.pos.setting.victory
        if not goal.clear or goal.side != self.seat or pos.turn < pos.setting.turns - 1:
            return
        for place in goal.hexes:
            if place in pos.men(ENEMY[self.seat]):
                continue
            near = [u for u in self.reach if pos.book[u].is_foot and u not in self.posted]
            here = [u for u in near if pos.units[u].hex == place]
            near = here or [u for u in near if place in self.reach[u] and pos.units[u].hex not in goal.hexes]
            if near:
                unit = min(near, key=lambda u: (pos.strength(u), u))
                self.posted.add(unit)
                self._go(unit, place)

    # --- attacks

    def _attacks(self) -> None:
        """Target by target, the best first, as long as one is worth it."""
        pos, enemy = self.pos, ENEMY[self.seat]
        free = {u for u in pos.units if pos.book[u].side == self.seat and pos.book[u].is_foot}
        free = {u for u in free - self.posted if not pos.units[u].disrupted and not pos.units[u].held}
        targets = sorted(pos.men(enemy))
        floor = 0.0 if presses(pos, self.seat) else 0.4 * rate(pos, enemy)
        lost = self._lost_goals()
        for _ in range(12):
            best: tuple[float, HexId, dict[str, HexId]] | None = None
            for target in targets:
                found = self._assemble(target, free)
                if found is None:
                    continue
                worth = found[0] + (LAST_CHANCE if target in lost else 0.0)
                if worth > floor and (best is None or worth > best[0]):
                    best = (worth, target, found[1])
            if best is None:
                return
            _, target, placed = best
            targets.remove(target)
            for unit, place in sorted(placed.items()):
                free.discard(unit)
                self.left.add(unit)
                self._go(unit, place)

    def _lost_goals(self) -> frozenset[HexId]:
        """Near the end, the victory hexes that the enemy holds and this side must have back, or lose."""
        pos, goal = self.pos, self.pos.setting.victory
        if goal.side in ("", self.seat) or goal.clear or pos.turn < pos.setting.turns - 1:
            return frozenset()
        return frozenset(h for h in goal.hexes if h in pos.foot(ENEMY[self.seat]))

    def _spots(self, target: HexId) -> list[HexId]:
        """Hexes from which a target can be attacked, those first that touch fewest others."""
        pos, enemy = self.pos, ENEMY[self.seat]
        foot, men = pos.foot(enemy), pos.men(enemy)
        near = [h for h in pos.land.neighbours[target] if target in pos.land.open[h] and h not in men]
        near = [h for h in near if pos.land.terrain[h] != "water"]
        if self.holds:
            near = [h for h in near if h in self.holds]

        def others(h: HexId) -> int:
            return sum(n in foot and n != target for n in pos.land.zoc_from[h])

        return sorted(near, key=lambda h: (others(h), self._guard(h, target), h))

    def _guard(self, a: HexId, d: HexId) -> int:
        kind = self.pos.land.guard[a][d]
        return self.pos.aid.sides[kind].assault if kind else 0

    def _assemble(self, target: HexId, free: set[str]) -> tuple[float, dict[str, HexId]] | None:
        """The attackers of one hex, added as long as the battle gets better."""
        pos = self.pos
        spots = self._spots(target)
        able: list[tuple[int, str, list[HexId]]] = []
        for unit in sorted(free):
            here = pos.units[unit].hex
            can = [h for h in spots if h == here or (h in self.reach.get(unit, ()) and here not in spots)]
            if can:
                able.append((-pos.strength(unit), unit, can))
        if not able:
            return None
        able.sort()
        placed: dict[str, HexId] = {}
        fighting: dict[HexId, int] = {}
        load = dict(self.load)
        best: tuple[float, dict[str, HexId]] | None = None
        for _, unit, can in able:
            size = pos.stacking(unit)
            for spot in can:
                used = fighting.get(spot, 0)
                here = pos.units[unit].hex
                if used >= FIGHT or (spot != here and load.get(spot, 0) + size > STACK):
                    continue
                if len(fighting) >= 3 and spot not in fighting:
                    continue
                placed[unit] = spot
                fighting[spot] = used + pos.strength(unit)
                if spot != here:
                    load[spot] = load.get(spot, 0) + size
                worth = self._worth(target, placed, fighting)
                if best is None or worth > best[0] + 1e-9:
                    best = (worth, dict(placed))
                break
        return best

    def _worth(self, target: HexId, placed: dict[str, HexId], fighting: dict[HexId, int]) -> float:
        """8.1 for attackers who are not there yet; enemies beside them cost something."""
        pos, seat, enemy = self.pos, self.seat, ENEMY[self.seat]
        defenders = pos.combat(enemy, target)
        attack = sum(min(FIGHT, n) for n in fighting.values())
        origins = tuple(fighting)
        column = pos.aid.odds.column(Fraction(attack), defence_strength(pos, (target,), defenders))
        shift = pos.aid.grounds[pos.land.terrain[target]].assault + min(
            self._guard(h, target) for h in origins
        )
        column = pos.aid.odds.shift(column, -shift)
        ours = max((pos.book[u].value for h in set(placed.values()) for u in pos.leaders(seat, h)), default=0)
        theirs = max((pos.book[u].value for u in pos.leaders(enemy, target)), default=0)
        causes = {u: Cause(works=works(pos, target, origins)) for u in defenders}
        worth = table_worth(pos, seat, column, ours - theirs, list(placed), defenders, causes)
        foot = pos.foot(enemy)
        bothered = {n for h in origins for n in pos.land.zoc_from[h] if n in foot and n != target}
        return worth - 0.25 * rate(pos, seat) * len(bothered)

    # --- everybody else

    def _marches(self) -> None:
        pos, seat = self.pos, self.seat
        wanted = goals(pos, seat)
        press = presses(pos, seat)
        units = [u for u in self.reach if u not in self.left | self.posted]
        for unit in sorted(units, key=lambda u: (pos.book[u].is_leader, -pos.book[u].strength, u)):
            counter, piece = pos.book[unit], pos.units[unit]
            options = [h for h in sorted(self.reach[unit]) if counter.is_leader or self._room(unit, h)]
            if counter.is_leader:
                self._go(unit, self._leader_place(unit, options))
            elif piece.disrupted:
                self._go(unit, min((piece.hex, *options), key=lambda h: (self._danger(h), -self._away(h), h)))
            elif press or wanted:
                self._go(unit, self._march(unit, options, wanted, press))
            elif self._threatened(piece.hex):
                self._go(unit, self._fall_back(unit, options))

    def _away(self, place: HexId) -> int:
        men = self.pos.men(ENEMY[self.seat])
        return min((self.pos.land.distance(place, h) for h in men), default=9)

    def _danger(self, place: HexId) -> int:
        return int(place in self.pos.zoc(ENEMY[self.seat]))

    def _march(self, unit: str, options: list[HexId], wanted: tuple[HexId, ...], press: bool) -> HexId:
        """Nearer to the goals, but into contact only as a planned attack."""
        pos, here = self.pos, self.pos.units[unit].hex
        if here in pos.zoc(ENEMY[self.seat]) or not wanted:
            return here
        free = [h for h in options if h not in pos.zoc(ENEMY[self.seat])]

        def cost(h: HexId) -> tuple[float, int, str]:
            away = min(pos.land.distance(h, g) for g in wanted)
            if not press and away > 3 and h != here:
                away += 1
            cover = pos.aid.grounds[pos.land.terrain[h]].assault
            crowd = self.load.get(h, 0) / 12 if h != here else 0.0
            return away - 0.3 * cover + crowd, int(h != here), h

        if pos.book[unit].is_gun and not press:
            return here
        return min((here, *free), key=cost)

    def _threatened(self, place: HexId) -> bool:
        """Whether many more enemies than friends are near a place without works."""
        pos, land, enemy = self.pos, self.pos.land, ENEMY[self.seat]
        if any(place in land.edges.works[n] for n in land.neighbours[place]):
            return False

        def near(side: str, reach: int) -> int:
            places = [h for h in pos.foot(side) if land.distance(h, place) <= reach]
            return sum(pos.strength(u) for h in places for u in pos.infantry(side, h))

        return near(enemy, 6) > 1.5 * near(self.seat, 2)

    def _fall_back(self, unit: str, options: list[HexId]) -> HexId:
        """Away from the enemy, home, behind works if there are any."""
        pos, land = self.pos, self.pos.land
        here = pos.units[unit].hex
        zone = pos.zoc(ENEMY[self.seat])
        lines = pos.setting.lines[self.seat]

        def cost(h: HexId) -> tuple[float, str]:
            home = min((land.distance(h, g) for g in lines), default=0)
            works = any(h in land.edges.works[n] for n in land.neighbours[h])
            return home - 0.8 * min(self._away(h), 6) - 4.0 * works, h

        return min((here, *(h for h in options if h not in zone)), key=cost)

    def _leader_place(self, unit: str, options: list[HexId]) -> HexId:
        """With most troops, best where an attack is planned."""
        pos = self.pos
        ends: dict[HexId, float] = {}
        for other, piece in pos.units.items():
            counter = pos.book[other]
            if counter.side != self.seat or counter.is_leader:
                continue
            place = self.orders.get(other, piece.hex)
            weight = counter.strength * (3.0 if other in self.left else 1.0)
            for h in (place, *pos.land.neighbours[place]):
                ends[h] = ends.get(h, 0.0) + weight * (1.0 if h == place else 0.25)
        held = {self.orders.get(u, p.hex) for u, p in pos.units.items() if pos.book[u].side == self.seat}
        here = pos.units[unit].hex
        good = [h for h in (here, *options) if h in held]
        taken = {place for other, place in self.orders.items() if pos.book[other].is_leader}
        return max(good or [here], key=lambda h: (ends.get(h, 0.0) - (50.0 if h in taken else 0.0), h))


def best_reinforcement(pos: RedcoatsPosition, seat: str, places: Iterable[HexId]) -> HexId:
    """Where an arrival goes: as far forward as it gets; into contact only where time is short."""
    wanted = goals(pos, seat) or tuple(pos.men(ENEMY[seat])) or pos.land.hexes[:1]
    hurry = presses(pos, seat) and pos.setting.turns - pos.turn < 5
    zone = {} if hurry else pos.zoc(ENEMY[seat])

    def cost(h: HexId) -> tuple[bool, int, int, str]:
        crowd = pos.load(seat, h)
        return h in zone, min(pos.land.distance(h, g) for g in wanted), -crowd if hurry else crowd, h

    return min(places, key=cost)
