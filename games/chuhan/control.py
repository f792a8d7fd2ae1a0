"""5 CONTROL: areas whose controller has gone, or that were empty, pass to a force that is there."""

from __future__ import annotations

from dataclasses import dataclass

from games.chuhan.camps import Succession, succession, unsettled
from games.chuhan.moves import HandOver
from games.chuhan.position import ChuhanPosition
from games.chuhan.terms import AreaId, Camp, ForceId
from games.chuhan.words import force_named, seat_of
from pbem.engine.events import Event, Named
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.procedure import Finish, Goto, Procedure, chooses, rule


class NobodyControls(Event):
    says = "nobody controls {area}"
    area: Named
    former: Named


class Controls(Event):
    says = "{control} controls {area}"
    control: Named
    area: Named
    former: Named


@dataclass(slots=True)
class Settle(Procedure):
    """5-2: every area that changes hands now."""

    seat: str
    """The player whose action it is."""
    gone: ForceId = ""
    """A force whose lord has just left the game, and its camp until then (ruling A58)."""
    gone_camp: str = ""
    area: AreaId = ""
    """Where somebody must choose."""

    def _heir(self, pos: ChuhanPosition, area: AreaId) -> Succession:
        fight = pos.fought.get(area)
        former = Camp(self.gone_camp) if self.gone and pos.control.get(area) == self.gone else None
        return succession(pos, area, Camp(self.seat), fight.forces if fight else (), former)

    @rule("5-2")
    def inherit(self, pos: ChuhanPosition) -> Finish | None:
        """At once, in map order; nobody's if nobody is there (5-1)."""
        for area in unsettled(pos):
            found = self._heir(pos, area)
            if found.candidates:
                self.area = area
                return None
            self._take(pos, area, found.heir, found.rule)
        return Finish()

    def _take(self, pos: ChuhanPosition, area: AreaId, heir: ForceId | None, number: str) -> None:
        former = pos.control.pop(area, "")
        if heir is None:
            pos.say(NobodyControls(area, former, rule="5-1"))
            return
        pos.control[area] = heir
        pos.say(Controls(heir, area, former, rule=number))

    def heirs(self, pos: ChuhanPosition) -> Options:
        found = self._heir(pos, self.area)
        assert found.chooser is not None
        ask = f"who controls {self.area}: {', '.join(found.candidates)}"
        return Options(seat_of(found.chooser), (Heirs(pos, self.area, found.candidates),), "control", ask)

    @chooses("5-2-2", heirs)
    def choose(self, pos: ChuhanPosition, move: HandOver) -> Goto:
        """Among equal claims a player chooses."""
        self._take(pos, self.area, force_named(pos, move.force), "5-2-2")
        return Goto("inherit")


class Heirs(Family[HandOver]):
    """5-2-2: the forces with equal claims."""

    kind = HandOver

    def __init__(self, pos: ChuhanPosition, area: AreaId, candidates: tuple[ForceId, ...]) -> None:
        self.pos, self.area, self.candidates = pos, area, candidates

    def moves(self, view: View) -> list[HandOver]:
        return [HandOver(self.area, force) for force in self.candidates]

    def why_not(self, move: HandOver, view: View) -> Refusal | None:
        if move.area != self.area:
            return Refusal("5-2-2", f"the area in question is {self.area}")
        if force_named(self.pos, move.force) not in self.candidates:
            return Refusal("5-2-2", f"those who may control it are: {', '.join(self.candidates)}")
        return None
