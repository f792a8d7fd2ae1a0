"""7-1 MOVEMENT: a group goes to another area, and fights if other camps are there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.chuhan.battle import Battle
from games.chuhan.camps import others_in
from games.chuhan.control import Settle
from games.chuhan.position import ChuhanPosition, Company
from games.chuhan.reach import USUAL, Group, March, Path, way
from games.chuhan.terms import AreaId, Camp
from pbem.engine.events import Event, Named
from pbem.engine.procedure import Become, Perform, Procedure, rule


def set_out(pos: ChuhanPosition, group: Group, to: AreaId, march: March = USUAL) -> None:
    """7-1-1, 7-1-2: a group goes, and joins what else has moved to that area in this action."""
    path = way(pos, group.area, group.force, to, march)
    assert isinstance(path, tuple)
    _report(pos, group, path)
    pos.march(group, to)
    company = pos.company
    if company is None or company.area != to:
        company = Company(group.force, to, moved=True)
    named = (*company.generals, *group.generals)
    generals = tuple(g for g in pos.pack.generals if g in named)
    pos.company = replace(company, generals=generals, legions=company.legions + group.legions)


class Marched(Event):
    says = (
        "{generals:?{generals}{legions:?, |}|}{legions:?{legions:# legion|# legions} of {force}|}: "
        "from {by:& by } to {to}"
    )
    force: Named
    generals: tuple[Named, ...]
    legions: int
    path: tuple[Named, ...]
    by: tuple[Named, ...]
    """The areas before the last."""
    to: Named


def _report(pos: ChuhanPosition, group: Group, path: Path) -> None:
    way = (group.area, *path)
    pos.say(Marched(group.force, group.generals, group.legions, way, way[:-1], way[-1], rule="7-1"))


def stand_to(pos: ChuhanPosition, group: Group) -> None:
    """6-7: the units that fight on where they stand."""
    pos.company = Company(group.force, group.area, group.generals, group.legions)


@dataclass(slots=True)
class Arrival(Procedure):
    """7-1-3: those who have moved are in their new area: control first, then battle."""

    seat: str
    bonus: int = 0
    silent: bool = False
    again: bool = False

    @rule("5-2")
    def control(self, pos: ChuhanPosition) -> Perform:
        """Areas left and areas entered may change hands."""
        return Perform(Settle(self.seat))

    @rule("7-2-1")
    def meet(self, pos: ChuhanPosition) -> Become | None:
        """A battle must be fought if units of other camps are there."""
        assert pos.company is not None
        if not others_in(pos, pos.company.area, Camp(self.seat)):
            return None
        return Become(Battle(self.seat, bonus=self.bonus, silent=self.silent, again=self.again))
