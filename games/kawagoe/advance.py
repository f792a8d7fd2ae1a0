"""9.8 ADVANCE AFTER COMBAT: who may follow, and how far. Pure functions of position and combat."""

from __future__ import annotations

from collections.abc import Iterator

from games.kawagoe.fight import Fight
from games.kawagoe.losses import DESTROYED
from games.kawagoe.moves import Advance
from games.kawagoe.position import ENEMY, KawagoePosition
from games.kawagoe.siege import one_hex_only
from games.kit.hexes import HexId
from pbem.engine.options import Family, Refusal, View

Path = tuple[HexId, ...]


class Pursuit:
    """9.81: the side that kept its ground, and the hexes that the other one left empty."""

    def __init__(self, pos: KawagoePosition, combat: Fight) -> None:
        self.pos, self.combat = pos, combat
        self.side = ""
        self.units: tuple[str, ...] = ()
        self.vacated: Path = ()
        self.free_hex = False
        foe = ENEMY[combat.seat]
        if combat.melee:  # 9.51
            return
        side = pos.side(combat.advanced[0]) if combat.advanced else None
        if side != foe and combat.seat not in combat.gone and combat.target not in pos.held(foe):
            self._take(combat.seat, combat.attackers, (combat.target,), combat.defence_loss)
        elif side != combat.seat and foe not in combat.gone:
            left = tuple(h for h in dict.fromkeys(combat.origins) if h not in pos.held(combat.seat))
            self._take(foe, combat.defenders, left, combat.attack_loss)

    def _take(self, side: str, units: tuple[str, ...], vacated: Path, loss: str) -> None:
        self.side, self.vacated, self.free_hex = side, vacated, loss == DESTROYED
        self.units = tuple(
            u for u in units if u in self.pos.units and u not in self.combat.advanced and self._fit(u)
        )

    def _fit(self, unit: str) -> bool:
        return not self.pos.units[unit].disordered or self.pos.option("disordered_advance") == "allowed"

    def paths(self, unit: str) -> Iterator[Path]:
        """Every advance of one unit, hex by hex."""
        pos, field = self.pos, self.pos.pack.map
        start = pos.units[unit].hex
        for first in self.vacated:
            if first not in field.neighbours[start] or field.lake[start][first]:
                continue
            if not self._may_enter(start, first):
                continue
            yield (first,)
            if one_hex_only(field, self.combat.siege, start, first):
                continue
            trails: list[Path] = []
            for fled in self.combat.fled:
                if fled[0] == first and fled not in trails:
                    trails.append(fled)
            seen: list[Path] = []
            for trail in trails:
                for path in self._along(start, trail):
                    if path not in seen:
                        seen.append(path)
                        yield path
            if self.free_hex:
                for n in field.neighbours[first]:
                    if field.cost[first][n] is not None and (n == start or self._may_enter(start, n)):
                        yield (first, n)

    def _along(self, start: HexId, trail: Path) -> Iterator[Path]:
        """9.81-b: after the enemy, up to but not into the hex where he stopped."""
        for end in range(2, len(trail)):
            if not self._may_enter(start, trail[end - 1]):
                return
            yield trail[:end]

    def _may_enter(self, start: HexId, to: HexId) -> bool:
        """7.0, 6.21; and a defender from outside never enters the castle (9.83)."""
        inside = self.pos.pack.map.bailey
        if self.side != self.combat.seat and inside[start] is None and inside[to] is not None:
            return False
        return self.pos.room(self.side, to) > 0


class Advances(Family[Advance]):
    """Every advance of every unit that may follow."""

    kind = Advance

    def __init__(self, pursuit: Pursuit) -> None:
        self.pursuit = pursuit

    def moves(self, view: View) -> Iterator[Advance]:
        for unit in self.pursuit.units:
            for path in self.pursuit.paths(unit):
                yield Advance(unit, path)

    def why_not(self, move: Advance, view: View) -> Refusal | None:
        chase = self.pursuit
        if move.unit not in chase.units:
            return Refusal("9.81", f"{move.unit} is not among those who may advance")
        listed = list(chase.paths(move.unit))
        if move.path in listed:
            return None
        pos, field = chase.pos, chase.pos.pack.map
        start = pos.units[move.unit].hex
        if any(h not in field.terrain for h in move.path) or not move.path:
            return Refusal("9.81", "name the hexes one by one")
        for to in move.path:
            if field.bailey[start] is None and field.bailey[to] and chase.side != chase.combat.seat:
                return Refusal("9.83", "a defender outside does not advance into the castle")
            if to in chase.vacated and pos.room(chase.side, to) == 0:
                return Refusal("7.0", f"there is no room in {to}")
        if move.path[0] not in chase.vacated:
            return Refusal("9.81", f"the enemy did not leave {move.path[0]} empty")
        if len(move.path) > 1 and one_hex_only(field, chase.combat.siege, start, move.path[0]):
            inward = field.bailey[start] is None
            where = "into the castle" if inward else "from bailey to bailey or over a wall"
            return Refusal("9.54", f"{where} the advance is one hex only")
        if len(move.path) > 1 and not chase.free_hex and not chase.combat.fled:
            return Refusal("9.82", "the enemy was not destroyed by E, so the advance ends in his hex")
        return Refusal("9.82" if chase.free_hex else "9.81", "the advance cannot lead there")
