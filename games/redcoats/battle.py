"""8.1-8.5: one battle, from the odds to the advance.

The defender's part of a result comes first, then the attacker's: the steps from `suffer` to `next_part` run
once for each. All changes of the collapse levels are counted before anybody collapses (13.1-b).
"""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.families import Seldom
from games.kit.hexes import HexId
from games.redcoats import specials
from games.redcoats.advance import Advances, Leads, Pursuit
from games.redcoats.collapse import collapse, disrupt, eliminate
from games.redcoats.leaders import Casualty
from games.redcoats.morale import Cause, check, take
from games.redcoats.moves import Advance, Lead, Stay
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY, Arm
from games.redcoats.rout import Rout, falls_back
from games.redcoats.strength import REASON, Odds, counted, weigh, works
from pbem.engine.events import Event
from pbem.engine.options import Options
from pbem.engine.procedure import Dice, Finish, Goto, Perform, Procedure, chooses, rolls, rule

DEFENDER, ATTACKER = "D", "A"


class BattleVoid(Event):
    says = "this battle is not fought: one side is no longer there"


class OddsFound(Event):
    says = (
        "{attacking:*{key} {value}} = {attack} to {defending:*{key} {value}} = {defence}: {first}"
        "{shift:?, shifted {shift:+} to {column}|}{reasons:? ({reasons:*" + REASON + "})|}"
        "{leaders:?, on the die: {leaders:*{key} leader {value:+}}|}"
    )
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attacking: dict[str, str]
    """What each attacker counts; `/2` is halved."""
    defending: dict[str, str]
    attack: str
    """The sum, no more than a hex can bring into the fight."""
    defence: str
    first: str
    shift: int
    column: str
    modifier: int
    charge: bool
    reasons: dict[str, int]
    leaders: dict[str, int]


class ResultFound(Event):
    says = "die {die}{row:?, row {row}|}: result {result}"
    die: int
    row: int
    result: str


class Advanced(Event):
    says = "{units} to {hex}"
    unit: str
    units: tuple[str, ...]
    hex: HexId
    path: tuple[HexId, ...]


@dataclass(slots=True)
class Battle(Procedure):
    """8.0: `attackers` in `origins` against everybody in `targets`."""

    seat: str
    targets: tuple[str, ...]
    origins: tuple[str, ...]
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    """Who was there when the battle was declared: only they have strength (8.24-a)."""
    alone: tuple[str, ...] = ()
    """Attacked hexes in which guns stood without infantry or dragoons (8.43)."""
    column: int = 0
    modifier: int = 0
    charge: bool = False
    attack_result: str = ""
    defence_result: str = ""
    """"M0", "M1", "R1", "D", "E" or nothing."""
    part: str = DEFENDER
    hit: tuple[str, ...] = ()
    """Who suffers the result (6.4): every combat unit of the hexes."""
    staff: tuple[str, ...] = ()
    """Leaders stacked with them."""
    fleeing: tuple[str, ...] = ()
    distance: tuple[int, ...] = ()
    advanced: tuple[str, ...] = ()
    led: tuple[tuple[str, ...], ...] = ()
    """(unit, from, …, to) of those who advanced with a leader (8.522)."""

    # --- 8.1: odds and die

    def odds(self, pos: RedcoatsPosition) -> Odds:
        return weigh(pos, self.seat, self.targets, self.origins, self.attackers, self.defenders)

    @rule("8.1")
    def weigh(self, pos: RedcoatsPosition) -> Finish | None:
        """Who has been displaced drops out; a battle without enemies is void (8.23-a)."""
        enemy = ENEMY[self.seat]
        there = self.origins
        self.attackers = tuple(u for u in self.attackers if u in pos.units and pos.units[u].hex in there)
        self.origins = tuple(h for h in there if any(pos.units[u].hex == h for u in self.attackers))
        self.targets = tuple(
            h for h in self.targets if any(u in pos.combat(enemy, h) for u in self.defenders)
        )
        self.defenders = tuple(
            u for u in self.defenders if u in pos.units and pos.units[u].hex in self.targets
        )
        if not self.attackers or not self.targets:
            pos.say(BattleVoid(rule="8.23"))
            return Finish()
        self.alone = tuple(h for h in self.targets if h not in pos.foot(enemy))
        found = self.odds(pos)
        self.column, self.modifier, self.charge = found.column, found.modifier, found.charge
        columns = pos.aid.odds.columns
        pos.say(
            OddsFound(
                attackers=self.attackers,
                defenders=self.defenders,
                attacking=counted(pos, self.origins, self.attackers),
                defending=counted(pos, self.targets, self.defenders, defends=True),
                attack=str(found.attack),
                defence=str(found.defence),
                first=columns[found.first],
                shift=found.shift,
                column=columns[found.column],
                modifier=found.modifier,
                charge=found.charge,
                reasons=found.reasons,
                leaders=found.leaders,
            )
        )
        return None

    @rolls("8.1", Dice(1, 10))
    def roll(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> None:
        """The column and the modified die give the result."""
        die = min(max(dice[0] + self.modifier, 1), 10)
        cell = pos.aid.odds.result(self.column, die)
        pos.say(ResultFound(dice[0], die, cell))
        for word in cell.split():
            if word[0] == "A":
                self.attack_result = word[1:]
            elif word[0] == "D":
                self.defence_result = word[1:]

    # --- the result, the defender's part first

    def side(self) -> str:
        return self.seat if self.part == ATTACKER else ENEMY[self.seat]

    def result(self) -> str:
        return self.attack_result if self.part == ATTACKER else self.defence_result

    def places(self) -> tuple[str, ...]:
        return self.origins if self.part == ATTACKER else self.targets

    @rule("6.4")
    def suffer(self, pos: RedcoatsPosition) -> Goto | None:
        """All combat units of the hexes suffer the result, also those beyond eight points."""
        result, side = self.result(), self.side()
        self.fleeing, self.distance = (), ()
        if not result:
            return Goto("next_part")
        self.hit = tuple(u for h in self.places() for u in pos.combat(side, h))
        self.staff = tuple(u for h in self.places() for u in pos.leaders(side, h))
        if result[0] in "MR":
            return None
        for unit in self.hit:
            if pos.book[unit].is_gun:
                self._gun_suffers(pos, unit, result)
            elif result == "E":
                eliminate(pos, unit, "8.1")
            elif pos.units[unit].disrupted:
                eliminate(pos, unit, "9.1")
            else:
                disrupt(pos, unit, "8.51")
                self._flees(unit, pos.book[unit].ma)
        return Goto("rout")

    def _gun_suffers(self, pos: RedcoatsPosition, gun: str, result: str) -> None:
        """8.42 with infantry or dragoons in the hex, 8.43 for guns that defend alone (8.42-a)."""
        if self.part == DEFENDER and pos.units[gun].hex in self.alone:
            eliminate(pos, gun, "8.43")
        elif not disrupt(pos, gun, "8.42") and result == "D":
            eliminate(pos, gun, "9.1")

    def _flees(self, unit: str, steps: int) -> None:
        self.fleeing, self.distance = (*self.fleeing, unit), (*self.distance, steps)

    def check_dice(self, pos: RedcoatsPosition) -> Dice | None:
        return Dice(len(self.hit), 10) if self.hit else None

    @rolls("9.21", check_dice)
    def checks(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> None:
        """Failed: disrupted and run; passed: stay, or go back one hex if the result is a retreat (8.51-a)."""
        result = self.result()
        plus = int(result[1:]) if result[0] == "M" else 0
        made = []
        for unit in self.hit:
            cover = works(pos, pos.units[unit].hex, self.origins) if self.part == DEFENDER else 0
            charge = self.charge and self.part == DEFENDER
            made.append(check(pos, unit, Cause(plus, cover, charge)))
        for one, die in zip(made, dice, strict=True):
            unit, gun = one.unit, pos.book[one.unit].is_gun
            if take(pos, one, die, "9.21"):
                if result[0] == "R" and falls_back(pos, unit):
                    self._flees(unit, 1)
            elif gun and self.part == DEFENDER and pos.units[unit].hex in self.alone:
                eliminate(pos, unit, "8.43")
            else:
                disrupt(pos, unit, "8.42" if gun else "8.51")
                if not gun:
                    self._flees(unit, pos.book[unit].ma)

    @rule("8.516")
    def rout(self, pos: RedcoatsPosition) -> Perform | None:
        """At once, away from those they fought (8.511)."""
        if not self.fleeing:
            return None
        runs = tuple(
            pos.units[u].disrupted and n > 1 for u, n in zip(self.fleeing, self.distance, strict=True)
        )
        engaged = self.targets if self.part == ATTACKER else self.origins
        lead = self.part == ATTACKER or self.result()[0] in "MR"
        return Perform(Rout(self.side(), self.fleeing, self.distance, runs, engaged, lead=lead))

    @rule("11.13")
    def casualties(self, pos: RedcoatsPosition) -> Perform | None:
        """DD and DE endanger the leaders with the defenders; AD and AE do not (11.12-a)."""
        if self.part == DEFENDER and self.defence_result in ("D", "E") and self.staff:
            return Perform(Casualty(self.side(), self.staff))
        return None

    @rule("8.516")
    def next_part(self, pos: RedcoatsPosition) -> Goto | None:
        """After the defender the attacker."""
        self.hit, self.staff = (), ()
        if self.part == DEFENDER:
            self.part = ATTACKER
            return Goto("suffer")
        return None

    # --- 8.52: advance

    def pursuit(self, pos: RedcoatsPosition) -> Pursuit:
        return Pursuit(pos, self.seat, self.targets, self.origins, self.attackers, self.advanced, self.led)

    def advances(self, pos: RedcoatsPosition) -> Options | None:
        pursuit = self.pursuit(pos)
        if not pursuit.any():
            return None
        families = (Advances(pursuit), Leads(pursuit), Seldom(Stay(), "8.521"))
        return Options(self.seat, families, "advance", "advance after the battle, or stay")

    @chooses("8.521", advances)
    def advance(self, pos: RedcoatsPosition, move: Advance | Lead | Stay) -> Goto | Perform:
        """Winners follow one by one; guns they find are lost (8.42), lone leaders must escape (11.16)."""
        if isinstance(move, Stay):
            return Goto("settle")
        enemy, unit = ENEMY[self.seat], move.unit
        going = (unit, move.leader) if isinstance(move, Lead) else (unit,)
        who = [one for one in going if one not in self.advanced]  # a second leader follows his unit
        start = pos.units[who[0]].hex
        if len(who) == 2:
            self.led = (*self.led, (unit, start, *move.path))
        for one in who:
            pos.go(one, move.path[-1])
        self.advanced = (*self.advanced, *who)
        pos.say(Advanced(who[0], tuple(who), move.path[-1], (start, *move.path)))
        for gun in [u for h in move.path for u in pos.combat(enemy, h)]:
            eliminate(pos, gun, "8.42", "taken")
        for place in move.path:
            specials.contact(pos, place)
        met = tuple(u for h in move.path for u in pos.leaders(enemy, h))
        if met:
            falls = 3 if pos.book[unit].arm is Arm.DRAGOON else 1
            return Perform(Casualty(enemy, met, falls), then="advance")
        return Goto("advance")

    @rule("13.1")
    def settle(self, pos: RedcoatsPosition) -> None:
        """All changes of the battle together."""
        collapse(pos)
