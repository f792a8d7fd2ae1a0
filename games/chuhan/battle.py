"""7-2 BATTLE and 7-3 DEATH CHECK: one attack, one counter-attack, and what becomes of the generals.

The attackers are the position's `company`, which shrinks with their losses; the defenders are all units of
one force in the area. A general who is hit rolls at once; who fled or died is no longer in the area, so he
takes no part in what follows (7-3-3).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from games.chuhan.board import generals_in, legions_in, units_in
from games.chuhan.camps import camp_of, others_in
from games.chuhan.control import Settle
from games.chuhan.moves import Attack, Risk
from games.chuhan.position import ChuhanPosition, Fight
from games.chuhan.strength import (
    Party,
    Throw,
    counter_bonus,
    death_check,
    fallen_ruler,
    guarded,
    hits,
    losses,
    refuge,
    throws,
)
from games.chuhan.terms import Camp, Fate, ForceId, GeneralId
from games.chuhan.words import force_named, seat_of
from pbem.engine.events import Event, Named
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.procedure import Dice, Goto, Perform, Procedure, chooses, rolls, rule

LEGIONS = "legions"
"""Who throws the dice of the legions."""


class Attacked(Event):
    says = "{force} attacks {target} in {area}"
    force: Named
    target: Named
    area: Named


class Struck(Event):
    """Whose dice fell how."""

    says = "{dice:*{key} on {targets[key]} or less{bonus:? ({bonus:+})|}: {value:& }}: {hits:# hit|# hits}"
    dice: dict[Named, tuple[int, ...]]
    targets: dict[Named, int]
    bonus: int
    values: tuple[int, ...]
    """What each die needs."""
    hits: int


class LegionsLost(Event):
    says = "{force} loses {legions:# legion|# legions}"
    force: Named
    legions: int
    acted: int
    ready: int


class GeneralHit(Event):
    says = "{general} is hit, die {die}: {fate}"
    general: Named
    die: int
    fate: str


class GuardSaved(Event):
    says = "his guard saves {general}: the 1 counts as 2"
    general: Named


class GeneralFled(Event):
    says = "{general} flees to {to}"
    general: Named
    to: Named


class GeneralCaptured(Event):
    says = "{general} has no refuge and is captured"
    general: Named


class GeneralGone(Event):
    says = "{general} leaves the game"
    general: Named


class ForceEnded(Event):
    says = "the force of {force} is no more; legions that go with him: {legions}"
    force: Named
    legions: int


class NoCounterAttack(Event):
    says = "there is no counter-attack"


class CounterWeakened(Event):
    says = "the attackers' leader weakens the counter-attack by 1"


class FightRepeated(Event):
    says = "the same fight once more"


@dataclass(slots=True)
class Battle(Procedure):
    """7-2: from the choice of a defender to the end of the counter-attack."""

    seat: str
    """The attacking player."""
    target: ForceId = ""
    bonus: int = 0
    """What is added to the attackers' military values (12-backs-to-river)."""
    silent: bool = False
    """No counter-attack (12-sandbag-dam)."""
    again: bool = False
    """A second attack follows if the ruler and the enemy are still there (12-hegemon-roars)."""
    countering: bool = False
    hit: int = 0
    """How many generals of the side under attack are hit."""
    struck: tuple[GeneralId, ...] = ()
    """Which ones."""

    # --- who fights

    def attackers(self, pos: ChuhanPosition) -> Party:
        """7-2-2: those who moved, or were named, as far as they are still there."""
        company = pos.company
        assert company is not None
        there = tuple(g for g in company.generals if pos.generals[g].place == company.area)
        return Party(company.force, there, ready=company.legions)

    def defenders(self, pos: ChuhanPosition) -> Party:
        """7-2-3: every unit of the force attacked, acted or not."""
        assert pos.company is not None
        area = pos.company.area
        legions = legions_in(pos, area, self.target)
        return Party(self.target, generals_in(pos, area, self.target), legions.ready, legions.acted)

    def _suffering(self, pos: ChuhanPosition) -> Party:
        return self.attackers(pos) if self.countering else self.defenders(pos)

    # --- the steps

    def targets(self, pos: ChuhanPosition) -> Options:
        assert pos.company is not None
        forces = others_in(pos, pos.company.area, Camp(self.seat))
        ask = f"whom to attack in {pos.company.area}"
        return Options(self.seat, (Targets(pos, forces),), "attack", ask)

    @chooses("7-2-3", targets)
    def name_defender(self, pos: ChuhanPosition, move: Attack) -> None:
        """The attacker names one force; all others look on."""
        assert pos.company is not None
        self.target = force_named(pos, move.force)
        area, force = pos.company.area, pos.company.force
        before = pos.fought.get(area)
        pos.fought[area] = Fight((*(before.forces if before else ()), force, self.target))
        pos.say(Attacked(force, self.target, area))

    def attack_dice(self, pos: ChuhanPosition) -> Dice | None:
        thrown = throws(pos.pack, self.attackers(pos), attacking=True, bonus=self.bonus)
        return Dice(len(thrown), 6) if thrown else None

    @rolls("7-2-5", attack_dice)
    def attack(self, pos: ChuhanPosition, dice: tuple[int, ...]) -> None:
        """One die for each attacking unit."""
        party = self.attackers(pos)
        thrown = throws(pos.pack, party, attacking=True, bonus=self.bonus)
        self._strike(pos, thrown, dice, self.bonus)

    def _strike(
        self, pos: ChuhanPosition, thrown: tuple[Throw, ...], dice: tuple[int, ...], bonus: int
    ) -> None:
        """7-2-6: legions taking part are lost first, the acted ones before the others."""
        party, hit = self._suffering(pos), hits(thrown, dice)
        lost = losses(party, hit)
        self.hit = lost.generals
        fell: dict[str, tuple[int, ...]] = {}
        for throw, die in zip(thrown, dice, strict=True):
            who = throw.general or LEGIONS
            fell[who] = (*fell.get(who, ()), die)
        targets = {throw.general or LEGIONS: throw.target for throw in thrown}
        pos.say(Struck(fell, targets, bonus, tuple(throw.target for throw in thrown), hit))
        assert pos.company is not None
        gone = lost.acted + lost.ready
        if gone:
            pos.change_legions(pos.company.area, party.force, ready=-lost.ready, acted=-lost.acted)
            if self.countering:
                pos.company = replace(pos.company, legions=pos.company.legions - gone)
            pos.say(LegionsLost(party.force, gone, lost.acted, lost.ready, rule="7-2-6"))

    def risks(self, pos: ChuhanPosition) -> Options | None:
        party = self._suffering(pos)
        if not 0 < self.hit < len(party.generals):
            return None
        family = Risks(party.generals, self.hit)
        ask = f"{self.hit} of your generals are hit: which"
        return Options(seat_of(camp_of(pos, party.force)), (family,), "risk", ask)

    @chooses("7-2-7", risks)
    def choose(self, pos: ChuhanPosition, move: Risk) -> None:
        """Fewer hits than generals: their owner chooses."""
        self.struck = tuple(g for g in pos.pack.generals if g in move.generals)

    def checks(self, pos: ChuhanPosition) -> Dice | None:
        return Dice(self.hit, 6) if self.hit else None

    @rolls("7-3-1", checks)
    def check(self, pos: ChuhanPosition, dice: tuple[int, ...]) -> Perform | None:
        """Every general who is hit rolls for his life."""
        party = self._suffering(pos)
        struck = self.struck or party.generals
        gone, camp = "", ""
        for general, die in zip(struck, dice, strict=True):
            force = pos.generals[general].force
            before = camp_of(pos, force).value
            if not self._fate(pos, general, die, party):
                continue
            if pos.pack.forces[force].general == general:
                gone, camp = force, before
            fallen = fallen_ruler(pos)
            if fallen is not None:
                assert fallen.winner is not None
                pos.end((fallen.winner.value,), fallen.reason.under(fallen.rule), level="ruler")
                return None
        self.hit, self.struck = 0, ()
        return Perform(Settle(self.seat, gone, camp), then="answer") if gone else None

    def _fate(self, pos: ChuhanPosition, general: GeneralId, die: int, party: Party) -> bool:
        """7-3-1 to 7-3-6: what becomes of one general; True if he leaves the game."""
        guard = guarded(pos.pack, general, party)
        fate = death_check(pos.pack, general, die, guard=guard)
        pos.say(GeneralHit(general, die, fate.value))
        if guard and die == 1:
            pos.say(GuardSaved(general, rule="9-5"))
        if fate is Fate.STANDS:
            return False
        assert pos.company is not None
        if fate is Fate.FLEES:
            to = refuge(pos, general, pos.company.area)
            if to is not None:
                pos.place_general(general, to, acted=True)
                self._drop(pos, general)
                pos.say(GeneralFled(general, to, rule="7-3-4"))
                return False
            pos.say(GeneralCaptured(general, rule="7-3-5"))
        force = pos.generals[general].force
        pos.remove_general(general)
        self._drop(pos, general)
        pos.say(GeneralGone(general, rule="7-3-2"))
        if pos.pack.forces[force].general == general:
            lost = pos.end_force(force)
            pos.say(ForceEnded(force, lost, rule="7-3-6"))
        return True

    def _drop(self, pos: ChuhanPosition, general: GeneralId) -> None:
        """A general who left the battle no longer belongs to the company."""
        assert pos.company is not None
        if general in pos.company.generals:
            left = tuple(g for g in pos.company.generals if g != general)
            pos.company = replace(pos.company, generals=left)

    @rule("7-3-7")
    def settle(self, pos: ChuhanPosition) -> Perform:
        """Control is settled at once where units were lost."""
        return Perform(Settle(self.seat))

    @rule("7-2-8")
    def answer(self, pos: ChuhanPosition) -> Goto | None:
        """After the attack the counter-attack, after the counter-attack the end."""
        if self.countering or self.silent:
            if self.silent and not self.countering:
                pos.say(NoCounterAttack(rule="12-sandbag-dam"))
            return Goto("after")
        self.countering = True
        return None

    def counter_dice(self, pos: ChuhanPosition) -> Dice | None:
        thrown = self._counter(pos)
        return Dice(len(thrown), 6) if thrown else None

    def _counter(self, pos: ChuhanPosition) -> tuple[Throw, ...]:
        bonus = counter_bonus(pos.pack, self.attackers(pos))
        return throws(pos.pack, self.defenders(pos), attacking=False, bonus=bonus)

    @rolls("7-2-8", counter_dice)
    def counter(self, pos: ChuhanPosition, dice: tuple[int, ...]) -> Goto:
        """The surviving defenders strike back in the same way."""
        thrown = self._counter(pos)
        if counter_bonus(pos.pack, self.attackers(pos)):
            pos.say(CounterWeakened(rule="9-4"))
        self._strike(pos, thrown, dice, counter_bonus(pos.pack, self.attackers(pos)))
        return Goto("choose")

    @rule("7-2-9")
    def after(self, pos: ChuhanPosition) -> Goto | None:
        """The battle is over, but for a second attack of 項羽's (12-hegemon-roars)."""
        ruler = pos.pack.ruler(Camp(self.seat))
        self.countering = False
        if not self.again:
            return None
        self.again = False
        assert pos.company is not None
        if ruler in pos.company.generals and units_in(pos, pos.company.area, self.target):
            pos.say(FightRepeated(rule="12-hegemon-roars"))
            return Goto("attack")
        return None


class Targets(Family[Attack]):
    """7-2-3: the forces of other camps in the area."""

    kind = Attack

    def __init__(self, pos: ChuhanPosition, forces: tuple[ForceId, ...]) -> None:
        self.pos, self.forces = pos, forces

    def moves(self, view: View) -> list[Attack]:
        return [Attack(force) for force in self.forces]

    def why_not(self, move: Attack, view: View) -> Refusal | None:
        if force_named(self.pos, move.force) in self.forces:
            return None
        return Refusal("7-2-3", f"one force of another camp in the area defends: {', '.join(self.forces)}")


class Risks(Family[Risk]):
    """7-2-7: so many generals as there are hits."""

    kind = Risk

    def __init__(self, generals: tuple[GeneralId, ...], number: int) -> None:
        self.generals, self.number = generals, number

    def moves(self, view: View) -> Iterable[Risk]:
        return [Risk(chosen) for chosen in combinations(self.generals, self.number)]

    def sample(self, rng: Random, view: View) -> Risk:
        chosen = rng.sample(self.generals, self.number)
        return Risk(tuple(g for g in self.generals if g in chosen))

    def why_not(self, move: Risk, view: View) -> Refusal | None:
        if not all(g in self.generals for g in move.generals):
            return Refusal("7-2-7", f"your generals in this battle are: {', '.join(self.generals)}")
        if len(set(move.generals)) != self.number or len(move.generals) != self.number:
            return Refusal("7-2-7", f"name {self.number} of them, each once")
        return None
