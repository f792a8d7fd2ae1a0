"""3-1 RECRUITING: a retainer comes out of the cup and is placed by the player whom he serves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from games.chuhan.board import forces_in
from games.chuhan.moves import Place, Recruit
from games.chuhan.position import ChuhanPosition
from games.chuhan.terms import EITHER, AreaId, Camp, GeneralId
from pbem.engine.events import Event, Named
from pbem.engine.options import Among, Options, Refusal
from pbem.engine.procedure import Become, Dice, Procedure, chooses, draws, rolls, rule

FIRST_CHOOSER = Camp.HAN


class Serves(Event):
    says = "{general} serves {force}"
    general: Named
    force: Named


class CameOut(Event):
    says = "{general} comes out of the cup"
    general: Named


class Appeared(Event):
    says = "{general} appears in {area}"
    general: Named
    area: Named


def serve(pos: ChuhanPosition, general: GeneralId, side: Camp) -> None:
    """9-7: a retainer who may serve either side is of this force from now on."""
    pos.generals[general] = replace(pos.generals[general], force=side.value)
    pos.say(Serves(general, side.value, rule="9-7"))


@dataclass(slots=True)
class Recruiting(Procedure):
    """3-1: one retainer a turn, while the cup holds any."""

    general: GeneralId = ""

    def choices(self, pos: ChuhanPosition) -> Options | None:
        if pos.turn != 1 or not pos.cup():
            return None
        return cup_options(FIRST_CHOOSER.value, pos.cup(), "3-1-1")

    @chooses("3-1-1", choices)
    def choose(self, pos: ChuhanPosition, move: Recruit) -> None:
        """On the first turn Han chooses one, any of them."""
        self.general = move.general
        if pos.generals[self.general].force == EITHER:
            serve(pos, self.general, FIRST_CHOOSER)

    def cup(self, pos: ChuhanPosition) -> tuple[GeneralId, ...] | None:
        return None if pos.turn == 1 else pos.cup()

    @draws("3-1", cup)
    def draw(self, pos: ChuhanPosition, item: GeneralId) -> None:
        """Later one is drawn at random."""
        self.general = item
        pos.say(CameOut(item))

    def loyalty(self, pos: ChuhanPosition) -> Dice | None:
        undecided = self.general and pos.generals[self.general].force == EITHER
        return Dice(1, 6) if undecided else None

    @rolls("9-7", loyalty)
    def choose_side(self, pos: ChuhanPosition, dice: tuple[int, ...]) -> None:
        """Drawn at random: odd serves Chu, even Han."""
        serve(pos, self.general, Camp.CHU if dice[0] % 2 else Camp.HAN)

    @rule("3-1")
    def appear(self, pos: ChuhanPosition) -> Become | None:
        """Whom he serves places him."""
        return Become(Placement(self.general)) if self.general else None


def cup_options(seat: str, retainers: Iterable[GeneralId], number: str) -> Options:
    """A choice from the cup."""
    listed = [Recruit(g) for g in retainers]
    names = ", ".join(m.general for m in listed)
    family = Among(Recruit, listed, number, lambda move: f"those who may come are: {names}")
    return Options(seat, (family,), "recruit", "a retainer from the cup")


def open_to(pos: ChuhanPosition, force: str) -> list[AreaId]:
    """3-1: where a retainer of this force may appear: where his own force has a unit (ruling A24)."""
    return [area for area in pos.pack.areas if force in forces_in(pos, area)]


@dataclass(slots=True)
class Placement(Procedure):
    """3-1: a retainer appears, un-acted, where units of his force are."""

    general: GeneralId

    def places(self, pos: ChuhanPosition) -> Options | None:
        force = pos.generals[self.general].force
        areas = open_to(pos, force)
        if not areas:
            return None
        listed = [Place(self.general, area) for area in areas]

        def why(move: Place) -> Refusal:
            if move.general != self.general:
                return Refusal("3-1", f"it is {self.general} who appears")
            return Refusal("3-1", f"{force} itself has no unit in {move.area}")

        ask = f"where {self.general} appears"
        return Options(force, (Among(Place, listed, "3-1", why),), "place", ask)

    @chooses("3-1", places)
    def place(self, pos: ChuhanPosition, move: Place) -> None:
        """His player chooses the area."""
        pos.place_general(self.general, move.area)
        pos.say(Appeared(self.general, move.area))
