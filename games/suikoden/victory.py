"""D04, S05 VICTORY in the games for two: checked at once, in the middle of any step (ruling P-11)."""

from __future__ import annotations

from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import Mode
from games.suikoden.told import StarsWon, TrophiesWon
from pbem.engine.events import Event

TROPHIES = 10
STARS = 10
ROUTED = 20


class NoLandLeft(Event):
    says = "{seat} has no land left"
    seat: str


class RoutedEnough(Event):
    says = "{seat} has routed {cards:# card|# cards}"
    seat: str
    cards: int


class LastLand(Event):
    says = "no land is left: ★{one} against ★{two}"
    one: int
    two: int


def stars(pos: SuikodenPosition, seat: str) -> int:
    """★ of the lands that a seat has won (S) or placed (M)."""
    return sum(pos.data.lands[land].stars for land in pos.sides[seat].lands)


def check(pos: SuikodenPosition) -> bool:
    """End the game if somebody has won; whose turn it is wins if both have (P-11)."""
    if pos.outcome is not None:
        return True
    first = pos.active or pos.seats[0]
    for seat in (first, pos.foe(first)):
        found = _won(pos, seat)
        if found is not None:
            level, reason = found
            pos.end((seat,), reason, level=level)
            return True
    return False


def _won(pos: SuikodenPosition, seat: str) -> tuple[str, Event] | None:
    side, foe = pos.sides[seat], pos.foe(seat)
    number = "D04" if pos.mode is Mode.DECK else "S05"
    if len(side.trophies) >= TROPHIES:
        return "trophies", TrophiesWon(seat, len(side.trophies), rule=number)
    if pos.mode is Mode.DECK:
        if not pos.lands_left(foe):
            return "occupation", NoLandLeft(foe, rule=number)
        return None
    if len(side.routed) >= ROUTED:
        return "rout", RoutedEnough(seat, len(side.routed), rule=number)
    if stars(pos, seat) >= STARS:
        return "occupation", StarsWon(seat, stars(pos, seat), rule=number)
    return None


def last_land(pos: SuikodenPosition) -> None:
    """S05: no land is left to fight for (it can come to that only if lands are removed): more ★ win."""
    one, two = pos.seats
    mine, theirs = stars(pos, one), stars(pos, two)
    winners = () if mine == theirs else (one,) if mine > theirs else (two,)
    pos.end(winners, LastLand(mine, theirs, rule="S05"), level="last land")
