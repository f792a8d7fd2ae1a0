"""4.0 MOVEMENT: one movement segment, units and leaders one after another.

A stack moves as its units move: each order moves one counter (a line with several names is a macro), and
leaders follow their troops (11.15). `mover` may go on after it has come upon a lone leader (11.13-c).
"""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.families import Seldom
from games.kit.hexes import HexId
from games.redcoats import specials
from games.redcoats.collapse import collapse, disrupt
from games.redcoats.leaders import Casualty
from games.redcoats.marches import families, seizures
from games.redcoats.morale import Cause, check, take
from games.redcoats.movers import Moving
from games.redcoats.moves import Disengage, EndMovement, Force, Guard, March, Seize
from games.redcoats.paths import ignores, walk
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY, Arm
from games.redcoats.rout import Rout
from pbem.engine.events import Event
from pbem.engine.options import Options
from pbem.engine.procedure import Dice, Finish, Goto, Perform, chooses, rolls, rule

BREAKS = 8
"""4.32: the least die that disrupts a forced march."""
FLEES = 4
"""4.41: failed by so much, a unit is disrupted and runs."""


def march_modifier(pos: RedcoatsPosition, unit: str) -> int:
    """4.32: a leader in the hex, whatever his value, and light troops, dragoons and guns: 1 less each."""
    counter = pos.book[unit]
    led = bool(pos.leaders(counter.side, pos.units[unit].hex))
    return -int(led) - int(counter.arm is not Arm.INFANTRY)


class MarchChecked(Event):
    says = "{unit}: {die}{modifier:? {modifier:+}|} after the forced march: {passed:?in good order|disrupted}"
    unit: str
    die: int
    modifier: int
    passed: bool


def march_check(pos: RedcoatsPosition, unit: str, die: int) -> None:
    """4.32: whether a forced march has disrupted a unit; no natural 1 or 10 here."""
    change = march_modifier(pos, unit)
    held = die + change < BREAKS
    pos.say(MarchChecked(unit, die, change, held, rule="4.32"))
    if not held:
        disrupt(pos, unit, "4.32")


class Covers(Event):
    says = "{unit} covers the others of its hex"
    unit: str


class Marched(Event):
    says = "{unit} to {hex}{forced:? by forced march|}, {cost:/2# point|# points}"
    unit: str
    hex: HexId
    path: tuple[HexId, ...]
    cost: int
    """In half points."""
    forced: bool


class CameUpon(Event):
    says = "{unit} comes upon {leaders} in {hex}"
    unit: str
    leaders: tuple[str, ...]
    hex: HexId
    path: tuple[HexId, ...]


class CannotLeave(Event):
    says = "{unit} cannot get away"
    unit: str


@dataclass(slots=True)
class Movement(Moving):
    """4.0 MOVEMENT: who moves, in any order."""

    @rule("4.31")
    def look_round(self, pos: RedcoatsPosition) -> None:
        """Who is beside the enemy, and which dragoons are far enough away for a charge (12.21)."""
        men = pos.men(ENEMY[self.seat])
        beside, far = [], []
        for unit, piece in pos.units.items():
            counter = pos.book[unit]
            if counter.side != self.seat or counter.is_leader:
                continue
            if any(n in men for n in pos.land.neighbours[piece.hex]):
                beside.append(unit)
            elif counter.arm is Arm.DRAGOON and not piece.disrupted and not piece.fresh:
                far.append(unit)
        self.beside, self.far = tuple(beside), tuple(far)

    def orders(self, pos: RedcoatsPosition) -> Options:
        return Options(
            self.seat, (Seldom(EndMovement(), "4.0", 0.1), *families(pos, self)), "move", "move, or be done"
        )

    @chooses("4.1", orders)
    def act(
        self, pos: RedcoatsPosition, move: March | Force | Seize | Disengage | Guard | EndMovement
    ) -> Goto | Perform | Finish | None:
        """Any counter may move, none has to; what is done cannot be taken back."""
        match move:
            case EndMovement():
                return Finish()
            case Disengage():
                self.trying, self.tried = move.unit, (*self.tried, move.unit)
                return None
            case Guard():
                self.guards = (*self.guards, move.unit)
                pos.say(Covers(move.unit, rule="4.42"))
                return Goto("act")
            case Seize():
                return self._seize(pos, move)
            case March() | Force():
                return self._march(pos, move)

    def _march(self, pos: RedcoatsPosition, move: March | Force) -> Goto | None:
        unit, forced = move.unit, isinstance(move, Force)
        left = self.left if unit == self.mover else None
        found = walk(pos, unit, forced=forced, left=left)
        start, path, spent = pos.units[unit].hex, found.path(move.hex), found.cost[move.hex]
        self._went(pos, unit, move.hex)
        number = "4.3" if forced else "4.1"
        pos.say(Marched(unit, move.hex, (start, *path), spent, forced, rule=number))
        self.mover, self.left = "", 0
        specials.contact(pos, move.hex)
        if forced:
            self.hurried = unit
            return None
        return Goto("act")

    def _went(self, pos: RedcoatsPosition, unit: str, to: HexId) -> None:
        pos.go(unit, to)
        if unit not in self.moved:
            self.moved = (*self.moved, unit)
        if unit in self.far:
            pos.mark(unit, charge=True)

    def _seize(self, pos: RedcoatsPosition, move: Seize) -> Perform:
        unit, enemy = move.unit, ENEMY[self.seat]
        points = self.left if unit == self.mover else specials.allowance(pos, unit)
        spent = dict(seizures(pos, self, unit))[move.hex]
        start, leaders = pos.units[unit].hex, pos.leaders(enemy, move.hex)
        self._went(pos, unit, move.hex)
        stopped = move.hex in pos.zoc(enemy) and not ignores(pos, unit, move.hex)
        stopped = stopped or specials.hex_limit(pos, unit) is not None
        self.mover, self.left = (unit, 0 if stopped else points - spent)
        pos.say(CameUpon(unit, leaders, move.hex, (start, move.hex), rule="11.13"))
        specials.contact(pos, move.hex)
        falls = 3 if pos.book[unit].arm is Arm.DRAGOON else 1
        return Perform(Casualty(enemy, leaders, falls), then="settle")

    # --- 4.32 and 4.41: dice

    def march_dice(self, pos: RedcoatsPosition) -> Dice | None:
        return Dice(1, 10) if self.hurried else None

    @rolls("4.32", march_dice)
    def hurry(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> Goto:
        """8 or more after a forced march: disrupted where it stands."""
        march_check(pos, self.hurried, dice[0])
        self.hurried = ""
        return Goto("settle")

    def disengage_dice(self, pos: RedcoatsPosition) -> Dice | None:
        return Dice(1, 10) if self.trying else None

    @rolls("4.41", disengage_dice)
    def disengage(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> Goto | Perform:
        """A morale check with +3: passed, it may move; failed by four or more, it is disrupted and runs."""
        unit, die = self.trying, dice[0]
        self.trying = ""
        made = check(pos, unit, Cause(disengage=True))
        if take(pos, made, die, "4.41"):
            self.freed = (*self.freed, unit)
            return Goto("settle")
        if made.margin(die) < FLEES:
            pos.say(CannotLeave(unit, rule="4.41"))
            return Goto("settle")
        disrupt(pos, unit, "4.41")
        if pos.book[unit].is_gun:
            return Goto("settle")
        engaged = pos.covering(self.seat, pos.units[unit].hex)
        return Perform(Rout(self.seat, (unit,), (pos.book[unit].ma,), (True,), engaged), then="settle")

    @rule("13.1")
    def settle(self, pos: RedcoatsPosition) -> Goto | None:
        """Collapse is looked at after every deed."""
        if collapse(pos):
            return None
        if self.mover and self.mover not in pos.units:
            self.mover, self.left = "", 0
        return Goto("act")
