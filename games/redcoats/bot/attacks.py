"""Which enemies a side attacks in one segment, with whom and from where: the best battle first."""

from __future__ import annotations

from fractions import Fraction

from games.kit.hexes import HexId
from games.redcoats.bot.flee import Refuge
from games.redcoats.bot.value import rate, table_worth
from games.redcoats.morale import Cause
from games.redcoats.position import FIGHT, STACK, RedcoatsPosition
from games.redcoats.printed import BRITISH, ENEMY
from games.redcoats.strength import defence_strength, shifts, works

Reach = dict[str, frozenset[HexId]]
"""Unit: the hexes where it can end its move, its own left out."""
Found = tuple[float, dict[str, HexId]]
"""What a battle is worth, and who goes where for it."""
BATTLES = 12
"""So many are planned in a segment."""


EFFORT = 0.05
"""What a strength point that fights here is worth elsewhere, in points of the enemy's level."""
DEARER = {
    "brooklyn": (0.055, 0.02),
    "harlem": (0.125, 0.125),
    "white-plains": (0.05, 0.08),
    "trenton": (0.13, 0.13),
    "trenton-what-if": (0.15, 0.15),
    "princeton": (0.10, 0.10),
    "stony-point": (0.19, 0.19),
    "kings-mountain": (0.12, 0.12),
}
"""The same in single battles, for American and British: who pays more waits for better odds."""
FEAR = 0.04
"""How much a hunted side shuns the risk of going forward."""
BOTHERED = 2.0
"""What it costs to stand beside an enemy whom nobody has planned to attack, in points."""


class Attacks:
    """The battles of one segment; `load` is what is stacked where, and changes with the plan."""

    def __init__(
        self,
        pos: RedcoatsPosition,
        seat: str,
        reach: Reach,
        load: dict[HexId, int],
        only: tuple[HexId, ...] = (),
        refuge: Refuge | None = None,
    ) -> None:
        self.pos, self.seat, self.reach, self.load = pos, seat, reach, load
        self.orders: dict[str, HexId] = {}
        """Unit or leader: where it attacks from."""
        self.targets: set[HexId] = set()
        self.effort = DEARER.get(pos.scenario, (EFFORT, EFFORT))[seat == BRITISH]
        self.refuge = refuge
        """If it has to live until the end: how dangerous it is to go forward."""
        self.only = only
        """If any: the hexes from which alone attacks are made."""

    def plan(self, free: set[str], floor: float, bonus: dict[HexId, float]) -> None:
        """Target by target, the best first, as long as one is worth more than the floor."""
        pos, enemy = self.pos, ENEMY[self.seat]
        waiting = set(pos.men(enemy))
        leaders = {u for u in self.reach if pos.book[u].is_leader}
        known: dict[HexId, Found | None] = {}
        for _ in range(BATTLES):
            for target in sorted(waiting - known.keys()):
                known[target] = self._assemble(target, free, leaders)
            rated = [(found[0] + bonus.get(t, 0.0), t) for t, found in known.items() if found is not None]
            worth, target = max(rated, default=(floor, ""))
            if worth <= floor:
                return
            found = known.pop(target)
            assert found is not None
            waiting.remove(target)
            self.targets.add(target)
            for unit, place in sorted(found[1].items()):
                self._take(unit, place)
            free -= found[1].keys()
            leaders -= found[1].keys()
            known = {t: kept for t, kept in known.items() if self._stands(kept, found[1])}

    def _stands(self, kept: Found | None, used: dict[str, HexId]) -> bool:
        """Whether a battle can still be planned as it was, once these have been used."""
        if kept is None:
            return True
        return kept[1].keys().isdisjoint(used) and set(kept[1].values()).isdisjoint(used.values())

    def _take(self, unit: str, place: HexId) -> None:
        self.orders[unit] = place
        start = self.pos.units[unit].hex
        if place != start and not self.pos.book[unit].is_leader:
            size = self.pos.stacking(unit)
            self.load[start] = self.load.get(start, 0) - size
            self.load[place] = self.load.get(place, 0) + size

    def _spots(self, target: HexId) -> list[HexId]:
        """Hexes from which a target can be attacked, those first that touch fewest others."""
        pos, enemy = self.pos, ENEMY[self.seat]
        foot, men, land = pos.foot(enemy), pos.men(enemy), pos.land
        near = [h for h in land.neighbours[target] if target in land.open[h] and h not in men]
        near = [h for h in near if land.terrain[h] != "water" and (not self.only or h in self.only)]

        def others(h: HexId) -> int:
            return sum(n in foot and n != target and n not in self.targets for n in land.zoc_from[h])

        return sorted(near, key=lambda h: (others(h), self._guard(h, target), h))

    def _guard(self, a: HexId, d: HexId) -> int:
        kind = self.pos.land.guard[a][d]
        return self.pos.aid.sides[kind].assault if kind else 0

    def _assemble(self, target: HexId, free: set[str], leaders: set[str]) -> Found | None:
        """The attackers of one hex, added as long as the battle gets better."""
        pos = self.pos
        spots = self._spots(target)
        able: list[tuple[int, str, list[HexId]]] = []
        for unit in sorted(free):
            here = pos.units[unit].hex
            can = [h for h in spots if h == here or (h in self.reach.get(unit, ()) and here not in spots)]
            if can:
                able.append((-pos.strength(unit), unit, can))
        placed: dict[str, HexId] = {}
        fighting: dict[HexId, int] = {}
        load = dict(self.load)
        best: Found | None = None
        for _, unit, can in sorted(able):
            size, here = pos.stacking(unit), pos.units[unit].hex
            for spot in can:
                used = fighting.get(spot, 0)
                if used >= FIGHT or (spot != here and load.get(spot, 0) + size > STACK):
                    continue
                if len(fighting) >= 3 and spot not in fighting:
                    continue
                placed[unit] = spot
                fighting[spot] = used + pos.strength(unit)
                if spot != here:
                    load[spot] = load.get(spot, 0) + size
                led = self._leader(fighting, leaders)
                worth = self._worth(target, placed, fighting, led[0])
                if best is None or worth > best[0]:
                    best = (worth, {**placed, **led[1]})
                break
        return best

    def _leader(self, fighting: dict[HexId, int], leaders: set[str]) -> tuple[int, dict[str, HexId]]:
        """The best leader who can be with the attackers, and where he is best placed."""
        pos = self.pos
        best: tuple[int, int, str, HexId] | None = None
        for unit in leaders:
            here, value = pos.units[unit].hex, pos.book[unit].value
            for spot, strength in fighting.items():
                if spot == here or self._gets_to(unit, spot):
                    found = (value, strength, unit, spot)
                    best = found if best is None or found > best else best
        if best is None:
            return 0, {}
        return best[0], {best[2]: best[3]}

    def _gets_to(self, leader: str, spot: HexId) -> bool:
        """Whether a leader gets to a hex once his troops are there (11.15): to it, or to one beside it."""
        reach, here = self.reach[leader], self.pos.units[leader].hex
        return spot in reach or any(n == here or n in reach for n in self.pos.land.open[spot])

    def _worth(self, target: HexId, placed: dict[str, HexId], fighting: dict[HexId, int], led: int) -> float:
        """8.1 for attackers who are not there yet; enemies beside them cost something."""
        pos, seat, enemy = self.pos, self.seat, ENEMY[self.seat]
        defenders = pos.combat(enemy, target)
        attack = sum(min(FIGHT, n) for n in fighting.values())
        origins = tuple(fighting)
        column = pos.aid.odds.column(Fraction(attack), defence_strength(pos, (target,), defenders))
        shift = sum(by for by, _ in shifts(pos, seat, (target,), origins, placed))
        column = pos.aid.odds.shift(column, shift)
        theirs = max((pos.book[u].value for u in pos.leaders(enemy, target)), default=0)
        causes = {u: Cause(works=works(pos, target, origins)) for u in defenders}
        worth = table_worth(pos, seat, column, led - theirs, placed, dict.fromkeys(defenders, target), causes)
        foot = pos.foot(enemy)
        beside = {n for h in origins for n in pos.land.zoc_from[h] if n in foot}
        bothered = len(beside - self.targets - {target})
        if self.refuge is not None:
            gone = [(u, h) for u, h in placed.items() if h != pos.units[u].hex]
            risks = [self.refuge.risk(u, h, attack - pos.strength(u)) for u, h in gone]
            worth -= FEAR * rate(pos, seat) * sum(risks)
        return worth - rate(pos, seat) * BOTHERED * bothered - rate(pos, enemy) * self.effort * attack
