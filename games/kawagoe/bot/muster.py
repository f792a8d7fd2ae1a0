"""Concerted attacks: who should go where, so that an enemy hex is attacked from as many sides as possible.

A plan is made once, when a movement phase begins; ways are those open at that moment. The most promising
target takes its men first, what is left is offered to the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.kawagoe.bot.battle import Prospect
from games.kawagoe.bot.reading import Reading
from games.kawagoe.position import ENEMY
from games.kit.hexes import HexId

Group = tuple[str, ...]
Ways = Mapping[Group, Mapping[HexId, int]]
"""Groups that can move, with the hexes they can reach and the points left there."""


class Muster:
    """The groups of one side that may take part in attacks of this phase."""

    def __init__(
        self,
        reading: Reading,
        seat: str,
        ways: Ways,
        standing: Mapping[HexId, Group],
        use: Callable[[Group, HexId], float],
        prize: Callable[[HexId], float],
        katta: bool = False,
    ) -> None:
        """`standing`: who may attack from where he stands; `use`: how good a group is in a hex, less than
        nothing if it should not go; `prize`: see `Prospect.value`."""
        self.reading, self.seat, self.ways, self.standing = reading, seat, ways, standing
        self.use, self.prize, self.katta = use, prize, katta

    def plan(self, targets: Sequence[HexId], least: float) -> dict[Group, HexId]:
        """Where each group should stand for an attack worth at least so much; the longest way goes first."""
        busy: dict[Group, HexId] = {}
        open_ = list(targets)
        while open_:
            offers = [(*self._gather(target, busy), target) for target in open_]
            value, going, target = max(offers, key=lambda offer: offer[0])
            if value < least:
                break
            open_ = [t for (v, _, t) in offers if t != target and v >= least]
            busy.update(going)
        left = {group: self.ways.get(group, {}).get(place, 99) for group, place in busy.items()}
        return {group: busy[group] for group in sorted(busy, key=lambda g: (left[g], g))}

    def _gather(self, target: HexId, busy: Mapping[Group, HexId]) -> tuple[float, dict[Group, HexId]]:
        """The attack on a hex if everybody who is free went there, and what it is worth."""
        pos, field = self.reading.pos, self.reading.field
        own, foes = pos.held(self.seat), pos.held(ENEMY[self.seat])
        taken = busy.values()
        going: dict[Group, HexId] = {}
        spots: dict[HexId, list[Group]] = {}
        for n in field.neighbours[target]:
            if n in foes or field.lake[target][n] or n in taken:
                continue
            if n in own:
                group = self.standing.get(n)
                if group and group not in busy:
                    going[group] = n
            else:
                spots[n] = [g for g, way in self.ways.items() if n in way and g not in busy]
        for place in sorted(spots, key=lambda n: (len(spots[n]), n)):
            free = [(self.use(g, place), g) for g in spots[place] if g not in going]
            if free and max(free)[0] > 0.0:
                going[max(free)[1]] = place
        if not going:
            return 0.0, {}
        placed = [(unit, place) for group, place in going.items() for unit in group]
        return Prospect(self.reading, placed, target, katta=self.katta).value(self.prize(target)), going
