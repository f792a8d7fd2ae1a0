"""9.1 COMBAT PHASE: who may attack whom, and how often. Each combat is fought out in combat.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

from games.kawagoe.combat import Combat
from games.kawagoe.command import under
from games.kawagoe.moves import Attack, EndCombat
from games.kawagoe.phase import Phase
from games.kawagoe.position import ENEMY, KawagoePosition
from games.kawagoe.refusals import absent, no_hex
from games.kit.families import Seldom
from games.kit.hexes import HexId
from pbem.engine.events import Event
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.procedure import Finish, Perform, chooses, rule


class MayAttack(Event):
    says = "{general} may attack with {count:# unit|# units}"
    general: str
    units: tuple[str, ...]
    count: int


@dataclass(slots=True)
class CombatPhase(Phase):
    """9.1 COMBAT PHASE: attacks one by one, in any order, none of them compulsory (9.13, 9.17)."""

    fought: tuple[str, ...] = ()
    """9.14: attackers of this phase."""
    struck: tuple[str, ...] = ()
    """9.14: units that have been attacked in this phase."""

    @rule("5.53")
    def begin_phase(self, pos: KawagoePosition) -> None:
        """Under a general chit: the general and who is in his range now."""
        if self.general:
            self.named = (self.general, *under(pos, self.general))
            pos.say(MayAttack(self.general, self.named, len(self.named) - 1))

    def attacks(self, pos: KawagoePosition) -> Options:
        families = (Seldom(EndCombat(), "9.13"), Attacks(pos, self))
        return Options(self.seat, families, "attack", "attack, or be done")

    @chooses("9.11", attacks)
    def attack(self, pos: KawagoePosition, move: Attack | EndCombat) -> Perform | Finish:
        """Adjacent enemies may be attacked."""
        if isinstance(move, EndCombat):
            return Finish()
        units = tuple(sorted(move.units))
        self.fought = (*self.fought, *units)
        self.struck = (*self.struck, *pos.at(move.hex))
        return Perform(Combat(self.seat, units, move.hex, katta=self.katta(pos)), then="attack")


class Attacks(Family[Attack]):
    """Every target with every set of units that may attack it."""

    kind = Attack

    def __init__(self, pos: KawagoePosition, phase: CombatPhase) -> None:
        self.pos, self.phase = pos, phase

    def _reaches(self, start: HexId, target: HexId) -> bool:
        """9.11-a: adjacent, and not across the lake unless agreed."""
        field = self.pos.pack.map
        if target not in field.neighbours[start]:
            return False
        return not field.lake[start][target] or self.pos.option("attack_across_lake") == "allowed"

    def _open(self, target: HexId) -> bool:
        """9.14: nobody in the hex has been attacked in this phase."""
        struck = self.phase.struck
        return not struck or not any(unit in struck for unit in self.pos.at(target))

    def _targets(self) -> dict[HexId, list[str]]:
        """Who may attack whom: hexes with the units that reach them."""
        pos = self.pos
        foes, near = pos.held(ENEMY[self.phase.seat]), pos.pack.map.neighbours
        found: dict[HexId, list[str]] = {}
        for unit in self.phase.roll(pos):
            piece = pos.units.get(unit)
            if piece is None or piece.disordered or unit in self.phase.fought:
                continue
            for n in near[piece.hex]:
                if n in foes and self._reaches(piece.hex, n) and (n in found or self._open(n)):
                    found.setdefault(n, []).append(unit)
        return found

    def moves(self, view: View) -> Iterator[Attack]:
        for target, units in self._targets().items():
            for size in range(len(units), 0, -1):
                for some in combinations(units, size):
                    yield Attack(target, some)

    def sample(self, rng: Random, view: View) -> Attack | None:
        targets = self._targets()
        if not targets:
            return None
        target = rng.choice(list(targets))
        units = targets[target]
        some = tuple(u for u in units if rng.random() < 0.6)
        return Attack(target, some or (rng.choice(units),))

    def why_not(self, move: Attack, view: View) -> Refusal | None:
        pos, target = self.pos, move.hex
        nowhere = no_hex(pos, target)
        if nowhere:
            return nowhere
        if target not in pos.held(ENEMY[self.phase.seat]):
            return Refusal("9.11", f"there is no enemy in {target}")
        if not move.units:
            return Refusal("9.2", "no attacker is named")
        if len(set(move.units)) != len(move.units):
            return Refusal("9.14", "a unit is named twice")
        for unit in move.units:
            if unit not in pos.units:
                return absent(pos, unit, "9.11")
            refusal = self.phase.may_act(pos, unit, "5.53")
            if refusal:
                return refusal
            if unit in self.phase.fought:
                return Refusal("9.14", f"{unit} has attacked in this phase")
            if not self._reaches(pos.units[unit].hex, target):
                return Refusal("9.11", f"{unit} in {pos.units[unit].hex} cannot reach {target}")
        if not self._open(target):
            return Refusal("9.14", f"{target} has been attacked in this phase")
        return None
