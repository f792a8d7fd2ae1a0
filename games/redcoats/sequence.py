"""2.0 SEQUENCE OF PLAY: game turns of two player turns, each of six segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from games.kit.hexes import HexId
from games.redcoats.assault import Assaults
from games.redcoats.bombardment import Bombardment
from games.redcoats.collapse import gain
from games.redcoats.command import assign
from games.redcoats.movement import Movement
from games.redcoats.moves import Choose
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import AMERICAN, ENEMY, Arm, Crossing
from games.redcoats.recovery import Recovery
from games.redcoats.reinforcement import Reinforcement
from games.redcoats.setup import SetUp
from games.redcoats.victory import approach, decide, foremost
from pbem.engine.events import Event
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.procedure import Dice, Goto, Perform, Procedure, chooses, rolls, rule


class TurnBegan(Event):
    says = "turn {turn}, {clock}"
    turn: int
    clock: str


class CameBackIn(Event):
    says = "{unit} comes back in {hex}"
    unit: str
    hex: HexId


class MayCross(Event):
    says = "west of the Bronx: {units}"
    units: tuple[str, ...]


class OutOfCommand(Event):
    says = "out of command: {units}"
    units: tuple[str, ...]


@dataclass(slots=True)
class Game(Procedure):
    """2.0: set-up, turns, the end."""

    @rule("1.3")
    def set_up(self, pos: RedcoatsPosition) -> Perform:
        """Everybody to his place."""
        return Perform(SetUp())

    @rule("2.0")
    def turns(self, pos: RedcoatsPosition) -> Goto | None:
        """The next game turn, or the end after the last one."""
        if pos.turn == 0:
            pos.nearest = foremost(pos) if pos.setting.approach else 0
        if pos.turn >= pos.setting.turns:
            return Goto("end")
        pos.turn += 1
        pos.say(TurnBegan(pos.turn, pos.setting.clock(pos.turn)))
        return None

    def stragglers(self, pos: RedcoatsPosition) -> Dice | None:
        regrow = pos.setting.regrow
        if regrow is None:
            return None
        every = pos.option("regeneration") == "each-turn" and pos.turn >= regrow.turns[0]
        return Dice(1, 10) if every or pos.turn in regrow.turns else None

    @rolls("BK-17.2", stragglers)
    def regrow(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> None:
        """The die divided by four: so many units come back in Brooklyn."""
        regrow = pos.setting.regrow
        assert regrow is not None
        spare = [u for u in regrow.units if u not in pos.units and u not in pos.lost]
        for unit in spare[: dice[0] // 4]:
            free = [
                h
                for h in pos.land.areas[regrow.area]
                if h not in pos.men(ENEMY[AMERICAN]) and pos.room(unit, h)
            ]
            if free:
                pos.put({unit: free[0]})
                pos.say(CameBackIn(unit, free[0]))
                gain(pos, pos.book[unit].side, regrow.level, "BK-17.2", unit)

    @rule("2.0")
    def first_player(self, pos: RedcoatsPosition) -> Perform:
        """The first player's turn."""
        return Perform(PlayerTurn(pos.first()))

    @rule("2.0")
    def second_player(self, pos: RedcoatsPosition) -> Perform:
        """The second player's turn."""
        return Perform(PlayerTurn(ENEMY[pos.first()]))

    @rule("2.0")
    def end_of_turn(self, pos: RedcoatsPosition) -> Goto:
        """Levels may change (HH-17.0)."""
        approach(pos)
        return Goto("turns")

    @rule("14.1")
    def end(self, pos: RedcoatsPosition) -> None:
        """Who has won."""
        decide(pos)


@dataclass(slots=True)
class PlayerTurn(Procedure):
    """2.0: command, bombardment, reinforcement, movement, assault, recovery."""

    seat: str

    def crossing(self, pos: RedcoatsPosition) -> Options | None:
        for crossing in pos.setting.crossings:
            if crossing.side == self.seat and crossing.turn == pos.turn:
                ask = "who may go west of the Bronx, for the whole game"
                return Options(self.seat, (Crossers(pos, crossing),), "choose", ask)
        return None

    @chooses("WP-17.0", crossing)
    def choose(self, pos: RedcoatsPosition, move: Choose) -> None:
        """White Plains: who is chosen now may cross, nobody else."""
        crossing = next(c for c in pos.setting.crossings if c.side == self.seat)
        units = tuple(sorted(move.units)) or usual_crossers(pos, crossing)
        pos.chosen = (*pos.chosen, *units)
        pos.us_ways = pos.br_ways = None
        pos.say(MayCross(units))

    @rule("11.32")
    def command(self, pos: RedcoatsPosition) -> None:
        """(1) Who is out of command, for this player turn."""
        out = assign(pos, self.seat)
        if out:
            pos.say(OutOfCommand(tuple(out)))

    @rule("7.0")
    def bombard(self, pos: RedcoatsPosition) -> Perform:
        """(2) Guns."""
        return Perform(Bombardment(self.seat))

    @rule("3.0")
    def reinforce(self, pos: RedcoatsPosition) -> Perform:
        """(3) New troops."""
        return Perform(Reinforcement(self.seat))

    @rule("4.0")
    def move(self, pos: RedcoatsPosition) -> Perform:
        """(4) Movement."""
        return Perform(Movement(self.seat))

    @rule("8.0")
    def assault(self, pos: RedcoatsPosition) -> Perform:
        """(5) Assaults."""
        return Perform(Assaults(self.seat))

    @rule("9.3")
    def recover(self, pos: RedcoatsPosition) -> Perform:
        """(6) Recovery."""
        return Perform(Recovery(self.seat))

    @rule("11.32")
    def over(self, pos: RedcoatsPosition) -> None:
        """What held for this player turn holds no longer."""
        for unit, piece in pos.units.items():
            if piece.ooc or piece.fresh or piece.charge or piece.helped:
                pos.mark(unit, ooc=False, fresh=False, charge=False, helped="")


# --- WP-17.0: who may go west of the Bronx


def candidates(pos: RedcoatsPosition, crossing: Crossing) -> tuple[str, ...]:
    """Everybody of the side, on the map or not."""
    return tuple(u for u in (*pos.units, *pos.reserve) if pos.book[u].side == crossing.side)


def usual_crossers(pos: RedcoatsPosition, crossing: Crossing) -> tuple[str, ...]:
    """The strongest of each kind that are near the river, Hessians first where they must be among them."""
    west = pos.land.areas.get("west", ())

    def near(unit: str) -> tuple[int, str]:
        piece = pos.units.get(unit)
        if piece is None:
            return 99, unit
        return min((pos.land.distance(piece.hex, h) for h in west), default=0), unit

    found: list[str] = []
    rest = sorted(candidates(pos, crossing), key=near)
    for unit in rest:
        if why_not_crossers(pos, crossing, (*found, unit)) is None:
            found.append(unit)
    return tuple(sorted(found))


def why_not_crossers(pos: RedcoatsPosition, crossing: Crossing, units: tuple[str, ...]) -> Refusal | None:
    """WP-17.0: numbers by arm, and enough Hessians among the British infantry."""
    book = pos.book
    for unit in units:
        if unit not in book or book[unit].side != crossing.side:
            return Refusal("WP-17.0", f"{unit} is not yours")
    if len(set(units)) != len(units):
        return Refusal("WP-17.0", "a unit is named twice")
    foot = [u for u in units if book[u].arm in (Arm.INFANTRY, Arm.LIGHT)]
    guns, leaders = [u for u in units if book[u].is_gun], [u for u in units if book[u].is_leader]
    if len(foot) + len(guns) + len(leaders) != len(units):
        return Refusal("WP-17.0", "dragoons do not cross")
    if len(foot) > crossing.infantry:
        return Refusal("WP-17.0", f"at most {crossing.infantry} infantry units")
    if len(guns) > crossing.guns or len(leaders) > crossing.leaders:
        return Refusal("WP-17.0", f"at most {crossing.guns} guns and {crossing.leaders} leaders")
    if crossing.hessians:
        others = [u for u in foot if book[u].nation != "hessian"]
        if len(others) > crossing.infantry - crossing.hessians:
            return Refusal("WP-17.0", f"at least {crossing.hessians} of them are Hessians")
        hessians = [u for u in leaders if book[u].nation == "hessian"]
        if len(hessians) > 1 or len(leaders) - len(hessians) > 1:
            return Refusal("WP-17.0", "one British and one Hessian leader")
    return None


class Crossers(Family[Choose]):
    """Only the usual choice is listed: others are countless."""

    kind = Choose

    def __init__(self, pos: RedcoatsPosition, crossing: Crossing) -> None:
        self.pos, self.crossing = pos, crossing

    def moves(self, view: View) -> Iterator[Choose]:
        yield Choose(())
        yield Choose(usual_crossers(self.pos, self.crossing))

    def sample(self, rng: Random, view: View) -> Choose | None:
        units = list(candidates(self.pos, self.crossing))
        rng.shuffle(units)
        found: list[str] = []
        for unit in units:
            if why_not_crossers(self.pos, self.crossing, (*found, unit)) is None:
                found.append(unit)
        return Choose(tuple(sorted(found)))

    def why_not(self, move: Choose, view: View) -> Refusal | None:
        return why_not_crossers(self.pos, self.crossing, move.units)
