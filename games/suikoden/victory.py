"""D04, S05 VICTORY in the games for two: checked at once, in the middle of any step (ruling P-11)."""

from __future__ import annotations

from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import Mode

TROPHIES = 10
STARS = 10
ROUTED = 20


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
            number, level, reason = found
            pos.end((seat,), reason, rule=number, level=level)
            return True
    return False


def _won(pos: SuikodenPosition, seat: str) -> tuple[str, str, str] | None:
    side, foe = pos.sides[seat], pos.foe(seat)
    number = "D04" if pos.mode is Mode.DECK else "S05"
    if len(side.trophies) >= TROPHIES:
        return number, "trophies", f"{seat} has {len(side.trophies)} trophies"
    if pos.mode is Mode.DECK:
        if not pos.lands_left(foe):
            return number, "occupation", f"{foe} has no land left"
        return None
    if len(side.routed) >= ROUTED:
        return number, "rout", f"{seat} has routed {len(side.routed)} cards"
    if stars(pos, seat) >= STARS:
        return number, "occupation", f"{seat} holds lands of ★{stars(pos, seat)}"
    return None


def last_land(pos: SuikodenPosition) -> None:
    """S05: no land is left to fight for (it can come to that only if lands are removed): more ★ win."""
    one, two = pos.seats
    mine, theirs = stars(pos, one), stars(pos, two)
    winners = () if mine == theirs else (one,) if mine > theirs else (two,)
    pos.end(winners, f"no land is left: ★{mine} against ★{theirs}", rule="S05", level="last land")
