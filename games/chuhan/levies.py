"""3-2b RAISING LEGIONS: for lords and royals in autumn, for the two players in spring."""

from __future__ import annotations

from dataclasses import dataclass

from games.chuhan.board import legions_left, on_board
from games.chuhan.control import Settle
from games.chuhan.moves import Muster
from games.chuhan.position import ChuhanPosition
from games.chuhan.terms import PLAYERS, ROYAL, Camp, ForceId, Kind
from games.chuhan.words import force_named
from pbem.engine.events import Event, Named
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.procedure import Dice, Finish, Goto, Perform, Procedure, chooses, rolls, rule


class LordAbsent(Event):
    says = "the lord {force} is not on the board"
    force: Named


class LegionRaised(Event):
    says = "{force} {legions:?raises a legion in {area}|has no legion counter left}"
    force: Named
    area: Named
    legions: int


class NoRoyal(Event):
    says = "no royal can raise a legion"


class CapitalRaised(Event):
    says = "{force}, die {die}: {legions:# legion|# legions} in its capital"
    force: Named
    die: int
    area: Named
    legions: int


class CountersUsed(Event):
    says = "no more counters"
    force: Named
    missing: int


@dataclass(slots=True)
class Levies(Procedure):
    """3-2-1, 3-2-2: both players roll; Chu's die is carried out first."""

    due: tuple[tuple[str, ForceId], ...] = ()
    """In autumn: who rolled, and whose legion it is, as far as not yet placed."""

    def autumn_dice(self, pos: ChuhanPosition) -> Dice | None:
        return Dice(2, 6) if pos.turn % 2 else None

    @rolls("3-2-1", autumn_dice)
    def autumn(self, pos: ChuhanPosition, dice: tuple[int, ...]) -> None:
        """The table names a lord, or the royals (10-1)."""
        named = [pos.pack.tables.autumn[die - 1] for die in dice]
        self.due = tuple((side.value, force) for side, force in zip(PLAYERS, named, strict=True))

    @rule("3-2-1")
    def lords(self, pos: ChuhanPosition) -> Goto | None:
        """A lord on the board receives one where he stands."""
        if not self.due:
            return Goto("spring")
        force = self.due[0][1]
        if force == ROYAL:
            return None
        self._place(pos, force, "3-2-1")
        return Goto("lords")

    def _place(self, pos: ChuhanPosition, force: ForceId, number: str) -> None:
        head = pos.pack.forces[force].general
        self.due = self.due[1:]
        if not on_board(pos, head):
            pos.say(LordAbsent(force, rule=number))
            return
        area = pos.generals[head].place
        placed = pos.raise_legions(area, force, 1)
        pos.say(LegionRaised(force, area, placed, rule=number if placed else "1-2-2-1"))

    def royals(self, pos: ChuhanPosition) -> Options | None:
        found = royals_on_board(pos)
        if not found or not legions_left(pos, found[0]):
            return None
        return Options(self.due[0][0], (Royals(pos, found),), "muster", "which royal raises a legion")

    @chooses("10-1", royals)
    def royal(self, pos: ChuhanPosition, move: Muster) -> Goto:
        """Whoever rolled it chooses one royal on the board."""
        self._place(pos, force_named(pos, move.royal), "10-1")
        return Goto("lords")

    @rule("10-1")
    def no_royal(self, pos: ChuhanPosition) -> Goto:
        """No royal is there, or no counter."""
        pos.say(NoRoyal())
        self.due = self.due[1:]
        return Goto("lords")

    def spring_dice(self, pos: ChuhanPosition) -> Dice | None:
        return None if pos.turn % 2 else Dice(2, 6)

    @rolls("3-2-2", spring_dice)
    def spring(self, pos: ChuhanPosition, dice: tuple[int, ...]) -> Perform:
        """Each player's capital, whoever controls it, as many as the table says (10-2)."""
        for side, die in zip(PLAYERS, dice, strict=True):
            capital = pos.pack.capitals.get(side)
            if capital is None:
                continue
            count = pos.pack.tables.spring[die - 1]
            placed = pos.raise_legions(capital, side.value, count)
            pos.say(CapitalRaised(side.value, die, capital, placed))
            if placed < count:
                pos.say(CountersUsed(side.value, count - placed, rule="1-2-2-1"))
        return Perform(Settle(Camp.CHU.value), then="done")

    @rule("3-2b")
    def done(self, pos: ChuhanPosition) -> Finish:
        """No battle follows."""
        return Finish()


def royals_on_board(pos: ChuhanPosition) -> tuple[ForceId, ...]:
    """The royals who are on the board."""
    forces = pos.pack.forces.values()
    return tuple(f.id for f in forces if f.kind is Kind.ROYAL and on_board(pos, f.general))


class Royals(Family[Muster]):
    """10-1: the royals on the board."""

    kind = Muster

    def __init__(self, pos: ChuhanPosition, forces: tuple[ForceId, ...]) -> None:
        self.pos, self.forces = pos, forces

    def moves(self, view: View) -> list[Muster]:
        return [Muster(force) for force in self.forces]

    def why_not(self, move: Muster, view: View) -> Refusal | None:
        if move.royal in self.forces:
            return None
        return Refusal("10-1", f"the royals on the board are: {', '.join(self.forces)}")
