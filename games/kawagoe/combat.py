"""9.0 COMBAT: one combat or charge, from the declaration to the advance.

The defender's part of a result comes first, then the attacker's (9.51): the steps from `suffer` to
`next_part` run once for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from games.kawagoe import siege
from games.kawagoe.advance import Advances, Pursuit
from games.kawagoe.chain import Step
from games.kawagoe.fight import ATTACKER, DEFENDER, Fight
from games.kawagoe.losses import DESTROYED, Losses, lose_steps, read_result
from games.kawagoe.moves import Advance, Drive, Lose, Retreat, Stay
from games.kawagoe.position import ENEMY, KawagoePosition
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.retreat import Flight
from games.kawagoe.routes import Drives, read_route
from games.kawagoe.strength import REASONS, attacking, defending, row, weigh
from games.kawagoe.unknown import pool_left, turn_over
from games.kit.families import Allowed, Seldom
from games.kit.hexes import HexId
from games.kit.refusals import hexes
from pbem.engine.events import Event
from pbem.engine.options import Options, Refusal
from pbem.engine.procedure import Dice, Finish, Goto, chooses, draws, rolls, rule


class Attacked(Event):
    says = "{attackers} {charge:?charge|attack} {target}"
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    target: HexId
    siege: str
    charge: bool


class StrengthChanged(Event):
    says = "{unit} {printed} {doubled:?doubled by 勝った勝った|halved out of command} to {counts}"
    unit: str
    printed: int
    counts: int
    doubled: bool


class OddsFound(Event):
    """From the strengths to the column, and what is added to the die."""

    says = (
        "{attackers:*{key} {value}} against {defenders:*{key} {value}} is {odds}: "
        "column {first}{shift:?, shifted {shift:+} to {column}|}"
        "{modifier:?, die +{modifier}|}{reasons:? ({reasons:*" + REASONS + "})|}"
    )
    attackers: dict[str, int]
    defenders: dict[str, int]
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    odds: str
    first: str
    shift: int
    modifier: int
    column: str
    siege: str
    reasons: tuple[str, ...]


class ResultFound(Event):
    says = "die {die}{modifier:? +{modifier}, row {row},|} in column {column}: result {result}"
    die: int
    modifier: int
    row: int
    column: str
    result: str


class WallsSoftened(Event):
    says = "the walls make it {result}"
    result: str


class FellBack(Event):
    says = "{unit} falls back to {hex}"
    unit: str
    hex: HexId
    path: tuple[HexId, ...]


class Disordered(Event):
    says = "{unit} is in disorder"
    unit: str


class Pushed(Event):
    says = "{unit} is pushed to {hex}, in disorder"
    unit: str
    hex: HexId
    path: tuple[HexId, ...]


class ChargeTook(Event):
    says = "the charge takes {hex}"
    units: tuple[str, ...]
    hex: HexId


class Advanced(Event):
    says = "{unit} advances to {hex}"
    unit: str
    hex: HexId
    path: tuple[HexId, ...]


@dataclass(slots=True)
class Combat(Fight):
    """9.0 COMBAT: `attackers` against everybody in `target`."""

    # --- 9.2: declaration, odds and die

    @rule("9.2")
    def declare(self, pos: KawagoePosition) -> None:
        """All defenders of the hex fight as one (9.16, 9.3); there is no way back now."""
        self.defenders = pos.at(self.target)
        self.origins = tuple(pos.units[u].hex for u in self.attackers)
        self.shaken = tuple(u for u in self.defenders if pos.units[u].disordered)
        self.siege = siege.column(pos.pack.map, self.origins, self.target)
        pos.say(Attacked(self.attackers, self.defenders, self.target, self.siege, self.charge))

    def hidden_one(self, pos: KawagoePosition) -> str | None:
        return next((u for u in (*self.defenders, *self.attackers) if pos.unknown(u)), None)

    def pool(self, pos: KawagoePosition) -> tuple[str, ...] | None:
        unit = self.hidden_one(pos)
        return pool_left(pos, pos.book[unit].group) if unit else None

    @draws("11.2", pool)
    def reveal(self, pos: KawagoePosition, item: str) -> Goto:
        """Whoever takes part shows its strength before the odds are worked out."""
        unit = self.hidden_one(pos)
        assert unit is not None
        turn_over(pos, unit, item)
        return Goto("reveal")

    @rule("9.4")
    def weigh(self, pos: KawagoePosition) -> None:
        """Strengths are added, halved or doubled one by one; terrain shifts the column or changes the die."""
        shares = attacking(pos, self.attackers, self.target, self.katta), defending(pos, self.defenders)
        for share in (share for side in shares for share in side if share.rule):
            pos.say(StrengthChanged(share.unit, share.printed, share.counts, share.doubled, rule=share.rule))
        attack, defence = (tuple(share.counts for share in side) for side in shares)
        found = weigh(pos, sum(attack), sum(defence), tuple(dict.fromkeys(self.origins)), self.target)
        self.column, self.modifier = found.column, found.modifier
        columns = pos.pack.crt.columns
        pos.say(
            OddsFound(
                attackers={share.unit: share.counts for share in shares[0]},
                defenders={share.unit: share.counts for share in shares[1]},
                attack=attack,
                defence=defence,
                odds=found.odds,
                first=columns[found.first],
                shift=found.shift,
                modifier=found.modifier,
                column=columns[found.column],
                siege=found.siege,
                reasons=found.reasons,
            )
        )

    @rolls("9.2", Dice(1, 6))
    def roll(self, pos: KawagoePosition, dice: tuple[int, ...]) -> None:
        """The column and the modified die give the result; walls may soften it (9.54)."""
        die = row(self.modifier, dice[0])
        cell = pos.pack.crt.result(self.column, die)
        result = siege.soften(pos, self.siege, cell)
        column = pos.pack.crt.columns[self.column]
        pos.say(ResultFound(dice[0], self.modifier, die, column, cell, rule="9.5"))
        if result != cell:
            pos.say(WallsSoftened(result, rule="9.54"))
        losses = read_result(result)
        self.attack_loss, self.defence_loss, self.melee = losses.attacker, losses.defender, losses.melee

    # --- 9.5: losses, the defender's first

    @rule("9.51")
    def suffer(self, pos: KawagoePosition) -> Goto | None:
        """Nothing, destruction of all who fought, or a number to be settled."""
        units = self.alive(pos)
        if not self.loss() or not units:
            return Goto("next_part")
        if self.loss() != DESTROYED:
            return None
        for unit in units:
            lose_steps(pos, unit, pos.steps(unit))
            if pos.outcome:
                break
        return Goto("next_part")

    def flight(self, pos: KawagoePosition, fleeing: tuple[str, ...]) -> Flight:
        """The retreat of the side whose part it is."""
        foes: tuple[HexId, ...] = (self.target,)
        if self.part == DEFENDER:
            foes = tuple(dict.fromkeys(self.origins))
        return Flight(pos, self.alive(pos), fleeing, foes, int(self.loss()), self.pushed)

    def why_no_retreat(self, pos: KawagoePosition) -> Refusal | None:
        """9.51, 9.54(3), 9.61: whether the owner may choose to fall back."""
        if self.melee:
            return Refusal("9.51", "there is no retreat from a melee")
        if self.part == ATTACKER and siege.must_bleed(pos, self.siege, self.seat):
            return Refusal("9.54", "besiegers who attack the castle take their losses in steps")
        if self.flight(pos, self.alive(pos)).possible():
            return None
        if self.side() == HOJO:
            return Refusal("9.78", "somebody who fought cannot fall back all the way, and Hojo push nobody")
        return Refusal("9.64", "somebody who fought cannot fall back all the way")

    def means(self, pos: KawagoePosition) -> Options:
        steps = Losses(pos, self.alive(pos), int(self.loss()))
        back = Allowed(Retreat(), lambda: self.why_no_retreat(pos))
        ask = f"a loss of {self.loss()}: lose steps or retreat"
        return Options(self.side(), (steps, back), "loss", ask)

    @chooses("9.5", means)
    def take(self, pos: KawagoePosition, move: Lose | Retreat) -> Goto | None:
        """Its owner takes the loss in steps or by retreat, never both."""
        if isinstance(move, Retreat):
            self.routing, self.gone = self.alive(pos), (*self.gone, self.side())
            return None
        for unit in dict.fromkeys(move.units):
            lose_steps(pos, unit, move.units.count(unit), "9.52")
            if pos.outcome:
                break
        return Goto("next_part")

    def routes(self, pos: KawagoePosition) -> Options:
        ask = f"drive {', '.join(self.routing)} back {hexes(int(self.loss()))}"
        return Options(ENEMY[self.side()], (Drives(pos, self.flight(pos, self.routing)),), "retreat", ask)

    @chooses("9.62", routes)
    def drive(self, pos: KawagoePosition, move: Drive) -> Goto | None:
        """The enemy carries the retreat out, unit by unit."""
        flight = self.flight(pos, self.routing)
        piece = next(p for p in flight.pieces if move.unit in p)
        route = read_route(move.path)
        start = pos.units[move.unit].hex
        chained = False
        for step in route:
            if len(step) > 1:
                self._push(pos, step)
                chained = True
        for unit in piece:
            self._fall_back(pos, unit, (start, *(step[0] for step in route)), chained)
        self.routing = tuple(u for u in self.routing if u not in piece)
        return Goto("drive") if self.routing else None

    def _fall_back(self, pos: KawagoePosition, unit: str, path: tuple[HexId, ...], chained: bool) -> None:
        pos.go(unit, *path[1:])
        pos.say(FellBack(unit, path[-1], path, rule="9.63"))
        self.fled = (*self.fled, path)
        if pos.side(unit) == ANTI and (chained or self.charge):
            number = "9.75" if chained else "6.34"
            pos.disorder(unit)
            pos.say(Disordered(unit, rule=number))
        if chained and unit in self.shaken:
            lose_steps(pos, unit, 1, "9.76")

    def _push(self, pos: KawagoePosition, step: Step) -> None:
        """9.72-9.75: the last of the chain goes first, each one hex, and all of them are in disorder."""
        for start, to in reversed(list(pairwise(step))):
            (unit,) = pos.at(start)
            pos.go(unit, to)
            pos.disorder(unit)
            self.pushed = (*self.pushed, unit)
            pos.say(Pushed(unit, to, (start, to), rule="9.75"))

    @rule("9.51")
    def next_part(self, pos: KawagoePosition) -> Goto | None:
        """After the defender the attacker; his part counts even if the defender is gone."""
        if self.part == DEFENDER:
            self.part = ATTACKER
            return Goto("suffer")
        return None

    # --- 6.33 and 9.8: what follows

    @rule("6.33")
    def enter(self, pos: KawagoePosition) -> Finish | None:
        """A charge that cost nothing and left the hex empty takes it; there is no other advance (9.84)."""
        if not self.charge:
            return None
        if not self.attack_loss and self.target not in pos.held(ENEMY[self.seat]):
            for unit in self.attackers:
                pos.go(unit, self.target)
            pos.say(ChargeTook(self.attackers, self.target))
        return Finish()

    def advances(self, pos: KawagoePosition) -> Options | None:
        pursuit = Pursuit(pos, self)
        if not any(True for unit in pursuit.units for _ in pursuit.paths(unit)):
            return None
        families = (Advances(pursuit), Seldom(Stay(), "9.81"))
        return Options(pursuit.side, families, "advance", "advance after combat, or stay")

    @chooses("9.81", advances)
    def advance(self, pos: KawagoePosition, move: Advance | Stay) -> Goto | Finish:
        """Winners follow one by one, each as far as it likes."""
        if isinstance(move, Stay):
            return Finish()
        start = pos.units[move.unit].hex
        pos.go(move.unit, *move.path)
        self.advanced = (*self.advanced, move.unit)
        pos.say(Advanced(move.unit, move.path[-1], (start, *move.path)))
        return Goto("advance")
