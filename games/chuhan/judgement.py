"""How good a position is for a side, and what a battle is worth before the dice fall: the bot's judgement.

Numbers are in units of about a third of a legion. They use only what is public, so that a bot never knows
more than its player would.
"""

from __future__ import annotations

from math import prod

from games.chuhan.board import forces_in
from games.chuhan.camps import camp_of, toward
from games.chuhan.forecast import defenders, hit_chances, values
from games.chuhan.pack import Pack
from games.chuhan.position import ChuhanPosition
from games.chuhan.strength import Party, counter_bonus, losses, refuge
from games.chuhan.terms import AreaId, Camp, Fate, ForceId, General, GeneralId, Kind

LEGION, ALLIED, TIRED = 3.0, 1.6, 0.15
"""A legion of the own force, one of a lord's of the own camp, and what a unit loses by having acted."""
LEAN = 2.0
"""A box of a lord's marker toward a side."""
RULER = 220.0
"""The game hangs on him (8-1)."""
WIN = 90.0
"""Enough supply areas to win at the end of the turn (8-2)."""
LAST = 25.0
"""More supply areas than the opponent in the last turn (8-3)."""

REACH = 0.3
"""How much of an area's worth it is to be able to attack it next."""
THIN = 0.15
"""How much of its worth a supply area loses that a single unit holds."""
CORNERED, AWAY = 8.0, 5.0
"""A ruler without a refuge (7-3-4), and each step that a ruler who is no soldier is away from his capital."""
NOBODY = [0.0, 0.0, 0.0]
"""Who holds an area, by sign: [0] neutral forces, [1] one's own camp, [-1] the opponent's."""
Stacks = dict[tuple[AreaId, ForceId], list[float]]
"""Each force in each area: the sum of its military values, its units, and its leader's value."""


def worth(general: General) -> float:
    """What a general is worth to his side, rulers apart."""
    if general.kind is Kind.RULER:
        return RULER
    extra = 2.0 * len(general.attributes)
    return 3.0 + 2.5 * general.military + 3.0 * (general.strategy or 0) + extra


def leaving(pack: Pack, general: GeneralId) -> tuple[float, float]:
    """The chances that a general who is hit dies, and that he flees."""
    column = pack.tables.death[pack.generals[general].kind]
    return column.count(Fate.DIES) / 6, column.count(Fate.FLEES) / 6


class Judge:
    """The view of one side."""

    def __init__(self, side: Camp) -> None:
        self.side, self.other = side, side.opponent
        self._near: dict[AreaId, tuple[tuple[AreaId, tuple[AreaId, ...]], ...]] = {}
        """For each area those within two steps, and the areas between if it takes two."""
        self._worth: dict[GeneralId, float] = {}

    def _prepare(self, pack: Pack) -> None:
        """What the map and the counters say, looked up once."""
        for area, away in pack.steps.items():
            self._near[area] = tuple(
                (other, tuple(m for m in pack.neighbours[area] if other in pack.neighbours[m]))
                if steps == 2
                else (other, ())
                for other, steps in away.items()
                if steps <= 2
            )
        for general in pack.generals.values():
            own = {Kind.RULER: 0.0, Kind.RETAINER: worth(general)}
            self._worth[general.id] = own.get(general.kind, 5.0)

    # --- positions

    def value(self, pos: ChuhanPosition) -> float:
        """How good the position is: areas, units, friends, and what threatens them."""
        pack = pos.pack
        if not self._near:
            self._prepare(pack)
        signs = self._signs(pos)
        total = self._areas(pos, signs) + self._friends(pos)
        stacks: Stacks = {}
        near = self._near
        for name, state in pos.generals.items():
            area = state.place
            if area in near:
                military = pack.generals[name].military
                stack = stacks.setdefault((area, state.force), [0.0, 0.0, 0])
                stack[0] += military
                stack[1] += 1.0
                if military > stack[2]:
                    stack[2] = military
                sign = signs[state.force]
                if sign:
                    total += sign * (self._worth[name] - TIRED * state.acted)
        for name, legions in pos.legions.items():
            area, _, force = name.partition("_")
            stack = stacks.setdefault((area, force), [0.0, 0.0, 0])
            number = legions.ready + legions.acted
            stack[0] += number * stack[2]
            stack[1] += number
            sign = signs[force]
            if sign:
                each = LEGION if force == self.side or force == self.other else ALLIED
                total += sign * (each * number - TIRED * legions.acted)
        return total + self._tension(pos, signs, stacks)

    def _signs(self, pos: ChuhanPosition) -> dict[ForceId, int]:
        """1 for forces of the own camp, -1 for the opponent's, 0 for neutral ones."""
        signs = dict.fromkeys(pos.pack.forces, 0)
        signs[self.side.value], signs[self.other.value] = 1, -1
        track, way = pos.pack.tables.track, toward(self.side)
        for force, box in pos.markers.items():
            if box <= track.chu:
                signs[force] = -way
            elif box >= track.han:
                signs[force] = way
        return signs

    def _areas(self, pos: ChuhanPosition, signs: dict[ForceId, int]) -> float:
        left = pos.pack.tables.turns - pos.turn
        own = other = 0
        total = 0.0
        for area, holder in pos.control.items():
            sign = signs[holder]
            if not sign:
                continue
            supply = pos.pack.areas[area].supply
            if not supply:
                total += sign * 0.4
                continue
            total += sign * area_worth(supply, left)
            if sign > 0:
                own += 1
            else:
                other += 1
        enough = pos.pack.tables.sudden_death
        for count, sign in ((own, 1), (other, -1)):
            if count >= enough:
                total += sign * WIN
            elif count == enough - 1:
                total += sign * 8.0
        return total if left or own == other else total + (LAST if own > other else -LAST)

    def _friends(self, pos: ChuhanPosition) -> float:
        return LEAN * toward(self.side) * sum(pos.markers.values())

    def _tension(self, pos: ChuhanPosition, signs: dict[ForceId, int], stacks: Stacks) -> float:
        """What either side could attack next: prizes within reach, weighed by strength; and the rulers."""
        left = pos.pack.tables.turns - pos.turn
        held: dict[AreaId, list[float]] = {}
        for (area, force), (power, bodies, _) in stacks.items():
            there = held.setdefault(area, [0.0, 0.0, 0.0])
            there[signs[force]] += bodies + 0.3 * power
        total = -self._thin(pos, signs, stacks, left)
        for sign, mine in self._reaches(signs, stacks, held).items():
            for area, strength in mine.items():
                holder = pos.control.get(area)
                if holder is not None and signs[holder] == sign:
                    continue
                supply = pos.pack.areas[area].supply
                prize = area_worth(supply, left) if supply else 1.0
                there = held.get(area, NOBODY)
                against = there[0] + there[-sign]
                total += sign * REACH * prize * min(1.0, strength / (against * 0.6 + 0.3))
            total += sign * self._danger(pos, self.other if sign > 0 else self.side, mine, stacks)
        return total

    def _thin(self, pos: ChuhanPosition, signs: dict[ForceId, int], stacks: Stacks, left: int) -> float:
        """Supply areas that hang on a single unit: hunger or a skirmish takes them."""
        total = 0.0
        for area, holder in pos.control.items():
            supply = pos.pack.areas[area].supply
            if supply and signs[holder] and stacks.get((area, holder), NOBODY)[1] < 2:
                total += signs[holder] * THIN * area_worth(supply, left)
        return total

    def _reaches(
        self, signs: dict[ForceId, int], stacks: Stacks, held: dict[AreaId, list[float]]
    ) -> dict[int, dict[AreaId, float]]:
        """For each side the hits that its strongest stack would score in every area it can get to (7-1-3)."""
        found: dict[int, dict[AreaId, float]] = {1: {}, -1: {}}
        for (area, force), (power, _, _) in stacks.items():
            sign = signs[force]
            if not sign or not power:
                continue
            mine, strength = found[sign], power / 6
            for other, between in self._near[area]:
                if strength <= mine.get(other, 0.0):
                    continue
                if not between:
                    mine[other] = strength
                    continue
                for middle in between:
                    there = held.get(middle)
                    if there is None or not (there[0] or there[-sign]):
                        mine[other] = strength
                        break
        return found

    def _danger(self, pos: ChuhanPosition, side: Camp, enemy: dict[AreaId, float], stacks: Stacks) -> float:
        """How much the ruler of a side is exposed to what the enemy can bring up."""
        ruler = pos.pack.ruler(side)
        area = pos.generals[ruler].place if ruler is not None else ""
        if ruler is None or area not in self._near:
            return 0.0
        cornered = refuge(pos, ruler, area) is None
        total = CORNERED if cornered else 0.0
        if pos.pack.generals[ruler].military < 3:
            total += AWAY * pos.pack.steps[area].get(pos.pack.capitals.get(side, area), 0)
        hits = enemy.get(area, 0.0)
        if hits:
            shield = stacks[area, side.value][1] - 1
            chance = 0.5 + (hits - shield - 0.5) / (1.8 * hits**0.5)
            total += max(0.0, min(1.0, chance)) * RULER * (0.6 if cornered else 0.17)
        return total

    # --- battles

    def battle(
        self,
        pos: ChuhanPosition,
        party: Party,
        area: AreaId,
        force: ForceId,
        *,
        bonus: int = 0,
        silent: bool = False,
    ) -> float:
        """What an attack on a force is expected to change."""
        enemy = defenders(pos, area, force)
        chances = hit_chances(values(pos, party, attacking=True, bonus=bonus))
        each = self._legion_worth(pos, force)
        prize = self._prize(pos, area, force)
        legions = enemy.ready + enemy.acted
        fates = [leaving(pos.pack, g) for g in enemy.generals]
        total = 0.0
        weaken = counter_bonus(pos.pack, party)
        for number, chance in enumerate(chances):
            if chance < 0.002:
                continue
            lost = losses(enemy, number)
            gone = lost.acted + lost.ready
            gain = each * gone
            for general, fate in list(zip(enemy.generals, fates, strict=True))[: lost.generals]:
                gain += self._general_worth(pos, general, area, *fate)
            clear = 0.0
            if gone == legions and lost.generals == len(enemy.generals):
                clear = prod(dies + flees for dies, flees in fates)
                gain += clear * prize
            if not silent:
                back = values(pos, _rest(enemy, gone), attacking=False, bonus=weaken)
                gain -= (1 - clear) * self._cost(pos, party, area, back)
            total += chance * gain
        return total

    def _legion_worth(self, pos: ChuhanPosition, force: ForceId) -> float:
        camp = camp_of(pos, force)
        if camp is self.other:
            return LEGION if force == camp else ALLIED + 0.4
        box = pos.markers.get(force, 0) * toward(self.side)
        return 0.8 - 0.6 * max(box, 0)

    def _general_worth(
        self, pos: ChuhanPosition, general: GeneralId, area: AreaId, dies: float, flees: float
    ) -> float:
        """A hit on an enemy general."""
        printed = pos.pack.generals[general]
        if refuge(pos, general, area) is None:
            dies, flees = dies + flees, 0.0
        camp = camp_of(pos, pos.generals[general].force)
        if camp is self.other:
            value = worth(printed) if printed.kind in (Kind.RULER, Kind.RETAINER) else 6.0
            return value * dies + 2.0 * flees
        return 1.5 * dies + 1.0 * flees

    def _prize(self, pos: ChuhanPosition, area: AreaId, force: ForceId) -> float:
        """What it means to drive the force out of the area."""
        supply = pos.pack.areas[area].supply
        value = area_worth(supply, pos.pack.tables.turns - pos.turn) if supply else 0.8
        holder = pos.control.get(area)
        others = [f for f in forces_in(pos, area) if f != force and camp_of(pos, f) is not self.side]
        if holder is None or holder == force:
            share = 0.4 if others else 1.0
            twice = 2.0 if camp_of(pos, force) is self.other else 1.0
            return value * share * twice
        return 1.0 if camp_of(pos, holder) is self.side else 0.5

    def _cost(self, pos: ChuhanPosition, party: Party, area: AreaId, back: tuple[int, ...]) -> float:
        """What a counter-attack with these dice costs."""
        own = LEGION if party.force == self.side else ALLIED
        total = 0.0
        for number, chance in enumerate(hit_chances(back)):
            lost = losses(party, number)
            total += chance * own * (lost.acted + lost.ready)
            if lost.generals and party.generals:
                exposed = sorted(party.generals, key=lambda g: worth(pos.pack.generals[g]))[: lost.generals]
                for general in exposed:
                    dies, flees = leaving(pos.pack, general)
                    if refuge(pos, general, area) is None:
                        dies, flees = dies + flees, 0.0
                    total += chance * (dies * worth(pos.pack.generals[general]) + flees * 3.0)
        return total


def area_worth(supply: int, left: int) -> float:
    """A supply area: one of those that win, and cards for the turns that are left."""
    return 9.0 + 1.5 * supply * min(left, 4) if left else 14.0


def _rest(party: Party, gone: int) -> Party:
    """A party after losing legions."""
    acted = min(gone, party.acted)
    return Party(party.force, party.generals, max(party.ready - (gone - acted), 0), party.acted - acted)
