"""How the bot moves and fights for the Hojo.

Stacks look for the hex from which a charge or an attack promises most, near the generals of the besiegers;
they stand on both sides of an enemy, so that he cannot flee. The garrison watches the gates. In the end they
break the ring by standing beside the castle (13.2), and clear the easiest road (13.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.kawagoe.book import KATTA, UJIYASU
from games.kawagoe.bot.battle import Prospect, best_attack
from games.kawagoe.bot.muster import Muster
from games.kawagoe.bot.reach import reach
from games.kawagoe.bot.reading import Reading
from games.kawagoe.charge import EXTRA
from games.kawagoe.printed import ANTI, GARRISON, HOJO, UnitClass
from games.kit.hexes import HexId

Group = tuple[str, ...]

PULL = {UnitClass.COMMANDER: 5.0, UnitClass.GENERAL: 3.5}
"""How strongly generals attract attacks."""
HUNT = 2.0
"""How much more a 総大将 attracts for each other one that has fallen (13.3)."""
STEP = 0.3
"""What a hex of distance takes off that."""
CONCERT = 2.0
"""A concerted attack on a general must promise at least so many points."""
FIGHT = 0.8
"""An attack in the combat phase counts for so much when a unit moves: much may happen before it."""


class Relief:
    """The aims of the Hojo in one position."""

    def __init__(self, reading: Reading, katta: bool) -> None:
        self.reading, self.pos, self.katta = reading, reading.pos, katta
        self.field, self.ground = reading.field, reading.ground
        self.urge = (0.0, 0.0, 0.05, 0.15, 0.35, 0.7, 1.0)[min(self.pos.turn, 6)]
        """How much the final score matters already."""
        self.line = self._line()
        self._pulls = self._goals()
        self._alone: dict[HexId, float] = {}

    # --- aims

    def _line(self) -> dict[HexId, float]:
        """The road that is nearest to being open: what it is worth to clear or hold each bad hex of it."""
        held, zone, own = self.pos.held(ANTI), self.pos.zone(ANTI), self.pos.held(HOJO)
        best: list[HexId] | None = None
        for line in self.ground.lines:
            bad = [h for h in line if h in held or (h in zone and h not in own)]
            if best is None or len(bad) < len(best):
                best = bad
        if not best:
            return {}
        worth = self.urge * min(4.0, 20.0 / len(best)) / max(1.0, self.reading.hunt)
        return dict.fromkeys(best, worth)

    def _goals(self) -> list[tuple[dict[HexId, int], float, float]]:
        """Where to go: distances from there, what being there is worth, what a hex of distance costs."""
        goals = []
        for unit, piece in self.pos.units.items():
            counter = self.pos.book[unit]
            if counter.general and counter.cls in PULL:
                worth, step = PULL[counter.cls], STEP
                if counter.cls is UnitClass.COMMANDER:
                    hunt = self.reading.hunt
                    worth, step = (worth + HUNT * self.reading.fallen) * hunt, STEP * hunt
                goals.append((self.ground.far(piece.hex), worth, step))
        for place in self.field.ring:
            goals.append((self.ground.far(place), 2.0 + 2.0 * self.urge, STEP))
        for place, worth in self.line.items():
            goals.append((self.ground.far(place), 1.5 + worth, STEP))
        return goals

    def pull(self, place: HexId) -> float:
        """How near a hex is to what the Hojo want."""
        return max((worth - step * far[place] for far, worth, step in self._pulls), default=0.0)

    def prize(self, target: HexId) -> float:
        """What driving the besieger off a hex is worth beyond his losses."""
        line = self.line
        if not line:
            return 0.0
        return 0.6 * sum(line.get(h, 0.0) for h in (target, *self.field.neighbours[target]))

    def stand(self, group: Group, place: HexId) -> float:
        """What it is worth that a group stands in a hex."""
        value = self.line.get(place, 0.0)
        if place in self.ground.ring:
            value += 4.0 * self.urge**2
        return value + self.watch(group, place)

    def watch(self, group: Group, place: HexId) -> float:
        """Gates that nobody inside would watch let besiegers in: every one of them costs."""
        value = 0.0
        inside = self.field.bailey
        for gate, out in self.field.gates:
            watchers = [
                u
                for h in self.field.zoc_from[out]
                if inside[h]
                for u in self.pos.held(HOJO).get(h, ())
                if u not in group
            ]
            if not watchers and (not inside[place] or out not in self.field.zoc_into[place]):
                value -= 3.0 + 2.0 * self.urge
            if place == gate:
                value += 0.1
        return value

    def danger(self, group: Group, place: HexId) -> float:
        """What besiegers nearby may do to a group in a hex."""
        mates = [u for u in self.pos.held(HOJO).get(place, ()) if u not in group]
        units = (*group, *mates)
        strength = sum(self.pos.strength(u) for u in units)
        ratio = min(self.reading.threat(place), 15.0) / max(strength, 1)
        caution: float = max(1.0, self.reading.hunt) ** 0.5
        cost = max(0.0, ratio - 0.7) * 0.5 * len(group) / caution
        if UJIYASU in group:
            cost *= (2.0 + 2.0 * (3 - self.pos.steps(UJIYASU))) / self.reading.temper.bold
        return cost * (0.2 if self.field.bailey[place] else 1.0)

    # --- movement

    def choose(self, group: Group, points: int) -> tuple[HexId, HexId | None, float]:
        """Where a group should go, whom it should charge from there, and how much better that is."""
        pos = self.pos
        start = pos.units[group[0]].hex
        best: tuple[float, HexId, HexId | None] | None = None
        here = 0.0
        for place, left in reach(pos, HOJO, len(group), start, points).items():
            charge, target = self.charge(group, place, left)
            value = charge + self.value(group, place)
            if place == start:
                here = value - charge
            if best is None or value > best[0] + 1e-9:
                best = (value, place, target)
        assert best is not None
        return best[1], best[2], best[0] - here

    def plan(self, points: Mapping[Group, int]) -> dict[Group, HexId]:
        """Which groups should surround a general, so that he cannot flee; `points` are those they have."""
        pos = self.pos
        ways = {
            group: reach(pos, HOJO, len(group), pos.units[group[0]].hex, left)
            for group, left in points.items()
        }
        standing = dict(pos.held(HOJO))
        muster = Muster(self.reading, HOJO, ways, standing, self._use, self.prize, self.katta)
        heads = [pos.units[u].hex for u in pos.units if pos.book[u].general]
        return muster.plan(heads, CONCERT)

    def _use(self, group: Group, place: HexId) -> float:
        """Strength there; nobody opens a gate for it but those who shout 勝った勝った."""
        shouting = self.katta and all(u in KATTA for u in group)
        if not shouting and self.watch(group, place) < self.watch(group, self.pos.units[group[0]].hex):
            return 0.0
        return sum(self.pos.strength(u) for u in group) - self.danger(group, place)

    def value(self, group: Group, place: HexId) -> float:
        """What it is worth to end a move in a hex, without charges."""
        garrison = all(self.pos.book[u].group == GARRISON and u not in KATTA for u in group)
        pull = 0.0 if garrison else self.pull(place)
        return pull + self.stand(group, place) + FIGHT * self.fight(group, place) - self.danger(group, place)

    def charge(self, group: Group, place: HexId, left: int) -> tuple[float, HexId | None]:
        """The best charge from a hex with so many points left."""
        best: tuple[float, HexId | None] = (0.0, None)
        foes, may, cost = self.pos.held(ANTI), self.field.charge[place], self.field.cost[place]
        for n in self.field.neighbours[place]:
            if n in foes and may[n] and cost[n] + EXTRA <= left:
                placed = [(unit, place) for unit in group]
                value = Prospect(self.reading, placed, n, charge=True, katta=self.katta).value(self.prize(n))
                value += 0.6 * (self.watch(group, n) - self.watch(group, place))
                if UJIYASU in group:
                    value -= 0.5 / self.reading.temper.bold
                if value > best[0]:
                    best = (value, n)
        return best

    def fight(self, group: Group, place: HexId) -> float:
        """What a group adds to the best attack from a hex, together with those who stand by already."""
        best = 0.0
        foes, lake = self.pos.held(ANTI), self.field.lake[place]
        for n in self.field.neighbours[place]:
            if n not in foes or lake[n]:
                continue
            friends = [(u, h) for u, h in self._beside(n) if u not in group]
            placed = [*friends, *((u, place) for u in group)]
            value = Prospect(self.reading, placed, n, katta=self.katta).value(self.prize(n))
            if friends:
                value -= max(0.0, self._without(n, friends))
            best = max(best, value)
        return best

    def _beside(self, target: HexId) -> list[tuple[str, HexId]]:
        own, lake = self.pos.held(HOJO), self.field.lake[target]
        return [(u, h) for h in self.field.neighbours[target] if not lake[h] for u in own.get(h, ())]

    def _without(self, target: HexId, friends: Sequence[tuple[str, HexId]]) -> float:
        return Prospect(self.reading, friends, target, katta=self.katta).value(self.prize(target))

    # --- combat

    def attack(self, targets: dict[HexId, list[str]]) -> tuple[float, HexId, Group]:
        """The best attack of the phase."""
        best: tuple[float, HexId, Group] = (0.0, "", ())
        for target, units in targets.items():
            value, some = best_attack(
                self.reading, target, units, katta=self.katta, prize=self.prize(target), waste=0.05
            )
            if value > best[0]:
                best = (value, target, some)
        return best
