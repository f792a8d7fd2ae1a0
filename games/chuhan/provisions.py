"""12 EVENTS of levies and supplies: legions that come, starve, rest or go home."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.chuhan.affairs import Event, choice, nothing
from games.chuhan.board import forces_in, generals_in, legions_in, legions_left
from games.chuhan.control import Settle
from games.chuhan.moves import Crown, Levy, Target
from games.chuhan.position import ChuhanPosition
from games.chuhan.terms import AreaId, Camp, ForceId
from pbem.engine.events import Event as Told
from pbem.engine.events import Named
from pbem.engine.notation import Move
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.procedure import Dice, Perform, chooses, rolls


def heartland(pos: ChuhanPosition, side: Camp) -> list[AreaId]:
    """12-sons-of-jiangdong, 12-elders-of-guanzhong: heartland areas that the force itself controls."""
    areas = pos.pack.areas.values()
    return [a.id for a in areas if a.heartland == side and pos.control.get(a.id) == side]


class LegionsLevied(Told):
    says = "{legions:# legion|# legions} for {area}"
    legions: int
    area: Named
    force: Named


class RoyalRose(Told):
    says = "{general} rises in {area}"
    general: Named
    area: Named
    legions: int


class LegionsStarved(Told):
    says = "lost in {area}: {legions:# legion|# legions} of {force}"
    area: Named
    force: Named
    legions: int
    acted: int


class UnitsRefreshed(Told):
    says = "{units:# unit|# units} may act again"
    area: Named
    units: int


class LegionsWentHome(Told):
    says = "gone home: {legions:# legion|# legions}"
    area: Named
    legions: int
    acted: int


@dataclass(slots=True)
class Levied(Event):
    """Two new legions at home: what 12-sons-of-jiangdong and 12-elders-of-guanzhong share."""

    card: ClassVar[str] = ""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        if not legions_left(pos, side.value):
            return Refusal("1-2-2-1", "no legion counter is left")
        return nothing(heartland(pos, side), "your force controls no area of its heartland")

    def areas(self, pos: ChuhanPosition) -> Options:
        listed: list[Move] = [Levy(area) for area in heartland(pos, self.side)]
        words = ", ".join(heartland(pos, self.side))
        return choice(self.seat, listed, f"12-{self.card}", "which area", lambda move: f"areas: {words}")

    def raise_two(self, pos: ChuhanPosition, move: Levy) -> None:
        """As far as counters go."""
        placed = pos.raise_legions(move.area, self.seat, 2)
        pos.say(LegionsLevied(placed, move.area, self.seat))


@dataclass(slots=True)
class SonsOfJiangdong(Levied):
    """12-sons-of-jiangdong: for Chu."""

    card: ClassVar[str] = "sons-of-jiangdong"

    @chooses("12-sons-of-jiangdong", Levied.areas)
    def levy(self, pos: ChuhanPosition, move: Levy) -> None:
        """Two un-acted legions."""
        self.raise_two(pos, move)


@dataclass(slots=True)
class EldersOfGuanzhong(Levied):
    """12-elders-of-guanzhong: for Han."""

    card: ClassVar[str] = "elders-of-guanzhong"

    @chooses("12-elders-of-guanzhong", Levied.areas)
    def levy(self, pos: ChuhanPosition, move: Levy) -> None:
        """Two un-acted legions."""
        self.raise_two(pos, move)


def thrones(pos: ChuhanPosition) -> list[AreaId]:
    """12-new-king: areas without any unit, no capital."""
    return [a.id for a in pos.pack.areas.values() if a.capital is None and not forces_in(pos, a.id)]


@dataclass(slots=True)
class NewKing(Event):
    """12-new-king: a royal rises."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        if not pos.royals_aside():
            return Refusal("6-3", "no royal is left aside")
        return nothing(thrones(pos), "no area is empty")

    def crowns(self, pos: ChuhanPosition) -> Options:
        return Options(self.seat, (Crowns(pos),), "crown", "which royal, and where")

    @chooses("12-new-king", crowns)
    def crown(self, pos: ChuhanPosition, move: Crown) -> Perform:
        """With two legions, as far as counters go."""
        pos.place_general(move.royal, move.area)
        force = pos.generals[move.royal].force
        placed = pos.raise_legions(move.area, force, 2)
        pos.say(RoyalRose(move.royal, move.area, placed))
        return Perform(Settle(self.seat))


class Crowns(Family[Crown]):
    """12-new-king: a royal from aside and an empty area."""

    kind = Crown

    def __init__(self, pos: ChuhanPosition) -> None:
        self.pos = pos

    def moves(self, view: View) -> list[Crown]:
        return [Crown(g, area) for g in self.pos.royals_aside() for area in thrones(self.pos)]

    def why_not(self, move: Crown, view: View) -> Refusal | None:
        if move.royal not in self.pos.royals_aside():
            return Refusal("12-new-king", f"royals aside: {', '.join(self.pos.royals_aside())}")
        if move.area not in thrones(self.pos):
            return Refusal("12-new-king", f"an empty area that is no capital: {', '.join(thrones(self.pos))}")
        return None


def _held_by_legions(pos: ChuhanPosition, force: ForceId) -> list[AreaId]:
    return [area for area in pos.pack.areas if legions_in(pos, area, force).total]


@dataclass(slots=True)
class CutSupplies(Event):
    """12-cut-supplies: hunger."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        return nothing(_held_by_legions(pos, side.opponent.value), "the opponent has no legion on the board")

    def areas(self, pos: ChuhanPosition) -> Options:
        listed: list[Move] = [Target(a) for a in _held_by_legions(pos, self.opponent.value)]
        why = "no legion of the opponent's is there"
        return choice(self.seat, listed, "12-cut-supplies", "which area", lambda move: why)

    @chooses("12-cut-supplies", areas)
    def starve(self, pos: ChuhanPosition, move: Target) -> Perform:
        """One legion, two where there is no supply; acted ones first."""
        area = pos.pack.areas[move.area]
        acted, ready = pos.remove_legions(area.id, self.opponent.value, 1 if area.supply else 2)
        pos.say(LegionsStarved(area.id, self.opponent.value, acted + ready, acted))
        return Perform(Settle(self.seat))


def _tired(pos: ChuhanPosition, force: ForceId) -> list[AreaId]:
    return [
        area
        for area in pos.pack.areas
        if legions_in(pos, area, force).acted
        or any(pos.generals[g].acted for g in generals_in(pos, area, force))
    ]


@dataclass(slots=True)
class GreatGranary(Event):
    """12-great-granary: units that have acted may act again."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        return nothing(_tired(pos, side.value), "no unit of your force has acted")

    def areas(self, pos: ChuhanPosition) -> Options:
        listed: list[Move] = [Target(a) for a in _tired(pos, self.seat)]
        why = "no acted unit of your force is there"
        return choice(self.seat, listed, "12-great-granary", "which area", lambda move: why)

    @chooses("12-great-granary", areas)
    def feed(self, pos: ChuhanPosition, move: Target) -> None:
        """All acted units of the own force in one area."""
        turned = pos.make_ready(move.area, self.seat)
        pos.say(UnitsRefreshed(move.area, turned))


@dataclass(slots=True)
class SongsOfChu(Event):
    """12-songs-of-chu: homesick legions melt away."""

    area: AreaId = ""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        return nothing(_held_by_legions(pos, Camp.CHU.value), "no Chu legion is on the board")

    def areas(self, pos: ChuhanPosition) -> Options:
        listed: list[Move] = [Target(a) for a in _held_by_legions(pos, Camp.CHU.value)]
        return choice(self.seat, listed, "12-songs-of-chu", "which area", lambda m: "no Chu legion is there")

    @chooses("12-songs-of-chu", areas)
    def surround(self, pos: ChuhanPosition, move: Target) -> None:
        """An area with Chu legions."""
        self.area = move.area

    def legions(self, pos: ChuhanPosition) -> Dice:
        return Dice(legions_in(pos, self.area, Camp.CHU.value).total, 6)

    @rolls("12-songs-of-chu", legions)
    def sing(self, pos: ChuhanPosition, dice: tuple[int, ...]) -> Perform:
        """A die for each, the acted ones first: 4 and more removes it."""
        there = legions_in(pos, self.area, Camp.CHU.value)
        acted = sum(die >= 4 for die in dice[: there.acted])
        ready = sum(die >= 4 for die in dice[there.acted :])
        pos.change_legions(self.area, Camp.CHU.value, ready=-ready, acted=-acted)
        lost = acted + ready
        pos.say(LegionsWentHome(self.area, lost, acted))
        return Perform(Settle(self.seat))
