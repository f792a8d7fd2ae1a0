"""25: Ieyasu is beaten, and the outer lords may go home."""

from __future__ import annotations

from dataclasses import dataclass

from games.sanada.position import SanadaPosition
from games.sanada.terms import KANTO, Colour
from pbem.engine.events import Event
from pbem.engine.procedure import Dice, Procedure, rolls


def houses(pos: SanadaPosition) -> dict[str, tuple[str, ...]]:
    """25.1.1, 25.1.2: the orange clans on the map; a unit without a clan stands for itself."""
    found: dict[str, tuple[str, ...]] = {}
    for unit in pos.units:
        printed = pos.unit(unit)
        if printed.colour is Colour.ORANGE and pos.side(unit) == KANTO:
            key = printed.clan or unit
            found[key] = (*found.get(key, ()), unit)
    return dict(sorted(found.items()))


class HouseChecked(Event):
    says = "{house} {leaves:?goes home|stays}: {die} against {number}"
    house: str
    die: int
    number: int
    leaves: bool


class WentHome(Event):
    says = "{unit} has gone home"
    unit: str


class CastleClosed(Event):
    says = "{castle} castle is unusable"
    castle: str


@dataclass(slots=True)
class ReturnHome(Procedure):
    """25.1, 25.2: one die for every house of the outer lords."""

    def dice(self, pos: SanadaPosition) -> Dice | None:
        count = len(houses(pos))
        return Dice(count, 6) if count else None

    @rolls("25.1.3", dice)
    def check(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """A house whose die is its number or less goes home (or stays, by the option `return_home`)."""
        low_leaves = pos.option("return_home") == "low-leaves"
        for (house, units), die in zip(houses(pos).items(), dice, strict=True):
            clan = pos.unit(units[0]).clan
            number = pos.data.tables.goes_home(clan)
            leaves = (die <= number) == low_leaves
            pos.say(HouseChecked(house, die, number, leaves))
            if leaves:
                self._leave(pos, units)

    def _leave(self, pos: SanadaPosition, units: tuple[str, ...]) -> None:
        """25.2.1, 25.2.2: they are removed wherever they are, without points (25.2.3), and close castles."""
        for unit in units:
            pos.take_off(unit)
            pos.home = (*pos.home, unit)
            pos.say(WentHome(unit, rule="25.2.1"))
        for castle in pos.data.castles.values():
            state = pos.castles[castle.id]
            if castle.lord in units and state.owner == KANTO and not state.closed:
                pos.hold(castle.id, closed=True, siege=None)
                pos.say(CastleClosed(castle.id, rule="25.2.2"))
