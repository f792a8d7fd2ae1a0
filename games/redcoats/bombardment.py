"""7.0 ARTILLERY AND BOMBARDMENT: who may fire at what, and one shot from the column to the retreats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

from games.kit.families import Seldom
from games.kit.hexes import HexId
from games.redcoats import lof, specials
from games.redcoats.collapse import collapse, disrupt, eliminate
from games.redcoats.leaders import Casualty
from games.redcoats.morale import Cause, check, take
from games.redcoats.moves import EndFire, Fire
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from games.redcoats.refusals import no_hex, own_unit
from games.redcoats.rout import Rout
from pbem.engine.events import Event
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.procedure import Dice, Finish, Goto, Perform, Procedure, chooses, rolls, rule


def in_the_way(pos: RedcoatsPosition, origin: HexId, target: HexId) -> str:
    """7.32-7.34: the first hex that blocks the line of fire, or ""."""

    def blocks(place: HexId) -> bool:
        if pos.aid.grounds[pos.land.terrain[place]].blocks:
            return True
        return any(place in pos.men(side) for side in ENEMY)

    found = pos.land.grid.line(origin, target)
    for place in pos.land.grid.cells(origin, found.crossed):
        if blocks(place):
            return place
    both = pos.option("line_along_hexside") == "both"
    for pair in found.beside:
        sides = pos.land.grid.cells(origin, pair)
        blocked = [place for place in sides if blocks(place)]
        if blocked and (not both or len(blocked) == len(sides)):
            return blocked[0]
    return ""


def reach(pos: RedcoatsPosition, gun: str, target: HexId) -> int:
    """7.35: the range of a gun towards a hex: one less uphill, one more downhill."""
    return pos.book[gun].range - lof.climb(pos.land, pos.units[gun].hex, target)


def why_no_fire(pos: RedcoatsPosition, gun: str) -> Refusal | None:
    """7.1(1), 7.1-c, HH-17.0: whether a gun may fire at all."""
    piece = pos.units[gun]
    if not pos.book[gun].is_gun:
        return Refusal("7.0", f"{gun} is no gun")
    if piece.held:
        return Refusal("HH-17.0", f"{gun} has not been released")
    if piece.ooc:
        return Refusal("7.1", f"{gun} is out of command", also=("11.41",))
    if piece.disrupted and pos.option("abandoned_guns_fire") == "no":
        return Refusal("7.1", f"{gun} is disrupted: the guns are abandoned", also=("8.42",))
    return None


def why_not_at(pos: RedcoatsPosition, gun: str, target: HexId) -> Refusal | None:
    """7.2, 7.3: whether a gun that may fire can fire at a hex."""
    side = pos.book[gun].side
    enemy, origin = ENEMY[side], pos.units[gun].hex
    if target not in pos.men(enemy):
        if target in pos.at(enemy):
            return Refusal("11.14", f"only leaders are in {target}: they are no target")
        return Refusal("7.1", f"no enemy is in {target}")
    away = pos.land.distance(origin, target)
    if away == 1:
        return None
    if origin in pos.zoc(enemy):
        return Refusal(
            "7.37", f"{gun} is in an enemy zone of control: it fires at adjacent enemies or not at all"
        )
    if away > reach(pos, gun, target):
        reason = f"{target} is {away} hexes away, {gun} reaches {reach(pos, gun, target)}"
        if away <= pos.book[gun].range:
            return Refusal("7.35", reason, also=("7.36",))
        return Refusal("7.36", reason, also=("7.0", "7.2"))
    if not pos.book[gun].howitzer:
        place = in_the_way(pos, origin, target)
        if place:
            unit = any(place in pos.men(s) for s in ENEMY)
            what = "units are" if unit else f"{pos.land.terrain[place]} is"
            return Refusal("7.34", f"{what} in the way in {place}", also=("7.32",))
    return None


@dataclass(slots=True)
class Bombardment(Procedure):
    """7.0 BOMBARDMENT SEGMENT: guns fire one after another, or not at all."""

    seat: str
    fired: tuple[str, ...] = ()
    shelled: tuple[str, ...] = ()
    """Hexes that have been bombarded in this segment (7.1(2))."""

    def targets(self, pos: RedcoatsPosition) -> Options | None:
        shots = Shots(pos, self)
        if not shots.any():
            return None
        families = (Seldom(EndFire(), "7.0", 0.1), shots)
        return Options(self.seat, families, "fire", "bombard, or be done")

    @chooses("7.0", targets)
    def fire(self, pos: RedcoatsPosition, move: Fire | EndFire) -> Perform | Finish:
        """Each gun once, each hex once."""
        if isinstance(move, EndFire):
            return Finish()
        guns = tuple(sorted(move.guns))
        self.fired, self.shelled = (*self.fired, *guns), (*self.shelled, move.hex)
        return Perform(Shot(self.seat, guns, move.hex), then="fire")


class Shots(Family[Fire]):
    """7.1: every gun, and every set of guns stacked with a leader, at every hex that all of them reach."""

    kind = Fire

    def __init__(self, pos: RedcoatsPosition, segment: Bombardment) -> None:
        self.pos, self.segment = pos, segment

    def _reached(self) -> dict[str, tuple[HexId, ...]]:
        """What each gun may fire at, as the units stand; hexes shelled already included."""
        pos, seat = self.pos, self.segment.seat

        def look() -> dict[str, tuple[HexId, ...]]:
            found = {}
            foes = sorted(pos.men(ENEMY[seat]))
            for unit, piece in pos.units.items():
                counter = pos.book[unit]
                if counter.side != seat or not counter.is_gun or why_no_fire(pos, unit):
                    continue
                near = [h for h in foes if pos.land.distance(piece.hex, h) <= counter.range + 1]
                found[unit] = tuple(h for h in near if why_not_at(pos, unit, h) is None)
            return found

        made: dict[str, tuple[HexId, ...]] = pos.remember(("shots", seat), look)
        return made

    def _ready(self) -> dict[str, tuple[HexId, ...]]:
        shelled, fired = self.segment.shelled, self.segment.fired
        found = {
            gun: tuple(h for h in targets if h not in shelled)
            for gun, targets in self._reached().items()
            if gun not in fired
        }
        return {gun: targets for gun, targets in found.items() if targets}

    def any(self) -> bool:
        return bool(self._ready())

    def moves(self, view: View) -> Iterator[Fire]:
        pos, ready = self.pos, self._ready()
        batteries: dict[HexId, list[str]] = {}
        for gun, targets in ready.items():
            batteries.setdefault(pos.units[gun].hex, []).append(gun)
            for target in targets:
                yield Fire((gun,), target)
        for place, guns in batteries.items():
            if len(guns) > 1 and pos.leaders(self.segment.seat, place):
                for size in range(2, len(guns) + 1):
                    for group in combinations(guns, size):
                        for target in ready[group[0]]:
                            if all(target in ready[gun] for gun in group):
                                yield Fire(group, target)

    def sample(self, rng: Random, view: View) -> Fire | None:
        ready = self._ready()
        gun = rng.choice(list(ready))
        target = rng.choice(ready[gun])
        place = self.pos.units[gun].hex
        others = [g for g in ready if g != gun and self.pos.units[g].hex == place and target in ready[g]]
        if others and self.pos.leaders(self.segment.seat, place):
            others = [g for g in others if rng.random() < 0.5]
            return Fire(tuple(sorted((gun, *others))), target)
        return Fire((gun,), target)

    def why_not(self, move: Fire, view: View) -> Refusal | None:
        pos, seat = self.pos, self.segment.seat
        if not move.guns or len(set(move.guns)) != len(move.guns):
            return Refusal("7.1", "name one gun, or several different ones")
        for gun in move.guns:
            refusal = own_unit(pos, seat, gun, "7.0") or why_no_fire(pos, gun)
            if refusal:
                return refusal
            if gun in self.segment.fired:
                return Refusal("7.1", f"{gun} has fired in this segment")
        refusal = no_hex(pos, move.hex)
        if refusal:
            return refusal
        if move.hex in self.segment.shelled:
            return Refusal("7.1", f"{move.hex} has been bombarded in this segment")
        if len(move.guns) > 1:
            places = {pos.units[gun].hex for gun in move.guns}
            if len(places) > 1 or not pos.leaders(seat, min(places)):
                reason = "only guns stacked in one hex with a leader add up their fire"
                return Refusal("7.1", reason, also=("11.41",))
        return next((r for r in (why_not_at(pos, gun, move.hex) for gun in move.guns) if r), None)


@dataclass(frozen=True, slots=True)
class Aim:
    """7.1(4), (5): a bombardment before the dice."""

    strength: int
    doubled: bool
    shift: int
    column: int | None
    works: int
    reasons: dict[str, int]


def aim(pos: RedcoatsPosition, guns: tuple[str, ...], target: HexId) -> Aim:
    """Strength, doubled beside the enemy (7.22), and the shifts of the target's hex and works."""
    origin = pos.units[guns[0]].hex
    doubled = pos.land.distance(origin, target) == 1
    strength = sum(pos.book[gun].fire for gun in guns) * (2 if doubled else 1)
    terrain = pos.land.terrain[target]
    shift, reasons = pos.aid.grounds[terrain].bombard, {}
    if shift:
        reasons[terrain] = -shift
    last = lof.last_side(pos.land, origin, target)
    work = pos.land.edges.works[last].get(target) if last else None
    works = 0
    if work:
        side = pos.aid.sides[work]
        works, shift = side.morale, shift + side.bombard
        reasons[work] = -side.bombard
    return Aim(strength, doubled, shift, pos.aid.fire_column(strength, shift), works, reasons)


class Bombarded(Event):
    says = (
        "{fire:*{key} {value}} at {target}: strength {strength}{doubled:? (doubled)|}"
        "{reasons:?, {reasons:*{key} {value:+}}|}: {column:?column {column}|off the table}"
    )
    guns: tuple[str, ...]
    fire: dict[str, int]
    target: HexId
    strength: int
    doubled: bool
    reasons: dict[str, int]
    shift: int
    column: int
    """From 1; 0 is off the table."""


class FireStruck(Event):
    says = "{unit}: {die}: {result}"
    unit: str
    die: int
    result: str


@dataclass(slots=True)
class Shot(Procedure):
    """7.1: one bombardment of one hex."""

    seat: str
    guns: tuple[str, ...]
    target: str
    hit: tuple[str, ...] = ()
    """Combat units in the hex, each with its own die (7.1(6))."""
    plus: tuple[int, ...] = ()
    """For those of `hit` who must check: what is added to the die."""
    heavy: bool = False
    """Somebody has suffered DD (11.13)."""
    fleeing: tuple[str, ...] = ()

    def aim(self, pos: RedcoatsPosition) -> Aim:
        return aim(pos, self.guns, self.target)

    @rule("7.1")
    def weigh(self, pos: RedcoatsPosition) -> Finish | None:
        """The column; whoever is fired at is drawn into the fight (HH-17.0)."""
        aimed = self.aim(pos)
        specials.release(pos, self.target)
        self.hit = pos.combat(ENEMY[self.seat], self.target)
        pos.say(
            Bombarded(
                guns=self.guns,
                fire={gun: pos.book[gun].fire for gun in self.guns},
                target=self.target,
                strength=aimed.strength,
                doubled=aimed.doubled,
                reasons=aimed.reasons,
                shift=aimed.shift,
                column=0 if aimed.column is None else aimed.column + 1,
            )
        )
        return Finish() if aimed.column is None else None

    def one_each(self, pos: RedcoatsPosition) -> Dice:
        return Dice(len(self.hit), 10)

    @rolls("7.1", one_each)
    def strike(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> None:
        """A die for each unit; DD disrupts, or removes who was disrupted (9.1(5))."""
        column = self.aim(pos).column
        assert column is not None
        checks, plus = [], []
        for unit, die in zip(self.hit, dice, strict=True):
            cell = pos.aid.fire[die][column]
            pos.say(FireStruck(unit, die, cell))
            if cell == "DD":
                self.heavy = True
                if pos.units[unit].disrupted:
                    eliminate(pos, unit, "9.1")
                else:
                    disrupt(pos, unit, "7.1")
                    self._run(pos, unit)
            elif cell != "-":
                checks.append(unit)
                plus.append(int(cell[1:]))
        self.hit, self.plus = tuple(checks), tuple(plus)

    def _run(self, pos: RedcoatsPosition, unit: str) -> None:
        if not pos.book[unit].is_gun:  # 8.42: guns are abandoned where they stand
            self.fleeing = (*self.fleeing, unit)

    def check_dice(self, pos: RedcoatsPosition) -> Dice | None:
        return Dice(len(self.hit), 10) if self.hit else None

    @rolls("9.21", check_dice)
    def checks(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> None:
        """Who fails is disrupted and runs (8.51); a gun stays (8.42)."""
        works = self.aim(pos).works
        made = [check(pos, u, Cause(plus=k, works=works)) for u, k in zip(self.hit, self.plus, strict=True)]
        for one, die in zip(made, dice, strict=True):
            if not take(pos, one, die, "9.21"):
                disrupt(pos, one.unit, "8.42" if pos.book[one.unit].is_gun else "8.51")
                self._run(pos, one.unit)

    @rule("8.51")
    def rout(self, pos: RedcoatsPosition) -> Perform | None:
        """They run from the guns; no advance follows (7.1-e)."""
        self.hit = pos.leaders(ENEMY[self.seat], self.target) if self.heavy else ()
        if not self.fleeing:
            return None
        steps = tuple(pos.book[u].ma for u in self.fleeing)
        engaged = (pos.units[self.guns[0]].hex,)
        runs = (True,) * len(steps)
        return Perform(Rout(ENEMY[self.seat], self.fleeing, steps, runs, engaged, lead=not self.heavy))

    @rule("11.13")
    def casualties(self, pos: RedcoatsPosition) -> Perform | None:
        """DD endangers the leaders of the hex, once (7.1-f)."""
        return Perform(Casualty(ENEMY[self.seat], self.hit)) if self.hit else None

    @rule("13.1")
    def settle(self, pos: RedcoatsPosition) -> Goto | None:
        """All changes of the bombardment together."""
        collapse(pos)
        return None
