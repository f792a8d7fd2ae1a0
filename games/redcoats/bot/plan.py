"""Where a side's counters go in a movement segment: attacks worth their risk first, then the goals."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.kit.hexes import HexId
from games.redcoats.bot.attacks import Attacks, Reach
from games.redcoats.bot.flee import Refuge
from games.redcoats.bot.hunt import Hunt
from games.redcoats.bot.value import rate
from games.redcoats.marches import Forces, Marches
from games.redcoats.movement import Movement
from games.redcoats.position import STACK, RedcoatsPosition
from games.redcoats.printed import ENEMY
from games.redcoats.victory import achieved

NEXT_TURN = 4
"""Steps from which a unit can attack in the next turn."""
SHORT = 3
"""With fewer turns left, who hunts makes forced marches."""
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


def hunts(pos: RedcoatsPosition, seat: str) -> bool:
    """Whether nothing but the enemy's collapse wins."""
    return presses(pos, seat) and not pos.setting.victory.hexes


def flees(pos: RedcoatsPosition, seat: str) -> bool:
    """Whether a side that is hunted has no works to fall back behind."""
    return hunts(pos, ENEMY[seat]) and not any(pos.land.edges.works.values())


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
    forced: set[str] = field(default_factory=set)
    """Units that get there by a forced march."""
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
        self.refuge = Refuge(pos, self.seat) if flees(pos, self.seat) else None
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
        """What is worth its risk; who defends asks for more."""
        pos, enemy = self.pos, ENEMY[self.seat]
        free = {u for u in pos.units if pos.book[u].side == self.seat and pos.book[u].is_foot}
        free = {u for u in free - self.posted if not pos.units[u].disrupted and not pos.units[u].held}
        floor = 0.0 if presses(pos, self.seat) else 0.4 * rate(pos, enemy)
        attacks = Attacks(pos, self.seat, self.reach, self.load, self.holds, self.refuge)
        attacks.plan(free, floor, dict.fromkeys(self._lost_goals(), LAST_CHANCE))
        self.left, self.attacked = set(attacks.orders), attacks.targets
        for unit in sorted(attacks.orders, key=lambda u: (pos.book[u].is_leader, u)):
            place = attacks.orders[unit]
            if place == pos.units[unit].hex:
                self.stay.add(unit)
            else:
                self.orders[unit] = place

    def _lost_goals(self) -> frozenset[HexId]:
        """Near the end, the victory hexes that the enemy holds and this side must have back, or lose."""
        pos, goal = self.pos, self.pos.setting.victory
        if goal.side in ("", self.seat) or goal.clear or pos.turn < pos.setting.turns - 1:
            return frozenset()
        return frozenset(h for h in goal.hexes if h in pos.foot(ENEMY[self.seat]))

    # --- everybody else

    def _marches(self) -> None:
        pos, seat = self.pos, self.seat
        wanted = goals(pos, seat)
        press = presses(pos, seat)
        units = [u for u in self.reach if u not in self.left | self.posted]
        hunt = Hunt(pos, seat, self.attacked) if hunts(pos, seat) else None
        refuge = self.refuge
        for unit in sorted(units, key=lambda u: (pos.book[u].is_leader, -pos.book[u].strength, u)):
            counter, piece = pos.book[unit], pos.units[unit]
            options = [h for h in sorted(self.reach[unit]) if counter.is_leader or self._room(unit, h)]
            if counter.is_leader:
                self._go(unit, self._leader_place(unit, options))
            elif piece.disrupted:
                self._go(unit, min((piece.hex, *options), key=lambda h: (self._danger(h), -self._away(h), h)))
            elif hunt is not None and counter.is_foot and hunt.prey:
                self._chase(unit, options, hunt)
            elif press or wanted:
                self._go(unit, self._march(unit, options, wanted, press))
            elif counter.is_foot and refuge is not None:
                self._flee(unit, options, refuge)
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

    def _chase(self, unit: str, options: list[HexId], hunt: Hunt) -> None:
        """After an enemy of its own; by forced march if it could not attack him in the next turn."""
        pos, here = self.pos, self.pos.units[unit].hex
        zone = pos.zoc(ENEMY[self.seat])
        if here in zone:
            self._go(unit, here)
            return
        away = hunt.take(unit)
        far = 1 + max(away.values(), default=0)

        def cost(h: HexId) -> tuple[float, int, str]:
            return away.get(h, far) + self.load.get(h, 0) / 24 * (h != here), int(h != here), h

        place = min((here, *(h for h in options if h not in zone)), key=cost)
        if away.get(place, far) > NEXT_TURN and pos.setting.turns - pos.turn < SHORT:
            hurried = [m.hex for m in Forces(pos, self.segment).of(unit) if self._room(unit, m.hex)]
            best = min((place, *hurried), key=cost)
            if away.get(best, far) < away.get(place, far):
                place = best
                self.forced.add(unit)
        self._go(unit, place)

    def _flee(self, unit: str, options: list[HexId], refuge: Refuge) -> None:
        """To the safest hex in reach, by forced march if that pays."""
        pos, here = self.pos, self.pos.units[unit].hex
        zone = pos.zoc(ENEMY[self.seat])
        hurried = {m.hex for m in Forces(pos, self.segment).of(unit) if self._room(unit, m.hex)}

        def cost(h: HexId) -> tuple[float, int, int, str]:
            friends = self.load.get(h, 0) - (pos.stacking(unit) if h == here else 0)
            return refuge.risk(unit, h, friends, h in hurried), -self._away(h), int(h != here), h

        place = min((here, *(h for h in options if h not in zone), *hurried), key=cost)
        if place in hurried:
            self.forced.add(unit)
        self._go(unit, place)

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
