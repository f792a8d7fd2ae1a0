"""26 and 27: victory points, and how the game is won.

Points for presence are counted in Start Phases, all others at once (26.1.1, 26.2.5). A sudden end is looked
for after every step in which somebody may have fallen, and after both sides' hits of a round (27.2).
"""

from __future__ import annotations

from collections.abc import Iterable

from games.sanada.position import SanadaPosition
from games.sanada.terms import (
    ENEMY,
    HIDETADA,
    HIDEYORI,
    IEYASU,
    INSIDE,
    KANTO,
    KYOTO,
    OSAKA,
    OSAKA_CASTLE,
    SAKAI,
    Rank,
)
from pbem.engine.events import Event

CASTLE_POINTS = {2: 1, 3: 2, 4: 4}
"""26.2.1(1)-(3): by printed durability; less is nothing, more counts as 4."""
UNIT_POINTS = {Rank.GUNZEI: 0, Rank.BUSHO: 1, Rank.TAISHO: 5, Rank.SODAISHO: 5}
"""26.2.1(4), (5)."""
SHOGUN = 20
"""26.2.1(6)."""
DEFEAT_POINTS = {Rank.TAISHO: 2, Rank.SODAISHO: 10}
"""26.2.1(9)."""


class Eliminated(Event):
    says = "{unit} is eliminated"
    unit: str


class CastleFell(Event):
    says = "{castle} castle falls to {owner}"
    castle: str
    owner: str


class EndedAtOnce(Event):
    says = (
        "{causes:*{value:ieyasu=Ieyasu is dead|hideyori=Hideyori is dead|Osaka Castle has fallen}}: "
        "{winner:?{winner} wins|nobody wins}"
    )
    causes: tuple[str, ...]
    winner: str


class PointsDecided(Event):
    says = "Osaka has {points:# point|# points}: {winner:?{level} of {winner}|a draw}"
    points: int
    level: str
    winner: str


def eliminate(pos: SanadaPosition, unit: str, rule: str) -> None:
    """A unit is removed from the game and scores at once (26.2.5)."""
    enemy = ENEMY[pos.side(unit)]
    pos.take_off(unit)
    pos.fallen = (*pos.fallen, unit)
    pos.say(Eliminated(unit, rule=rule))
    rank = pos.unit(unit).rank
    if unit == HIDETADA:
        pos.score(enemy, SHOGUN, "shogun", "26.2.1", unit=unit)
    elif unit not in (IEYASU, HIDEYORI):
        pos.score(enemy, UNIT_POINTS[rank], "eliminated", "26.2.1", rank.value, unit)


def eliminate_all(pos: SanadaPosition, units: Iterable[str], rule: str) -> None:
    """Several units are removed."""
    for unit in units:
        eliminate(pos, unit, rule)


def castle_taken(pos: SanadaPosition, castle: str, rule: str) -> None:
    """10.1.2, 19.1.9: a castle changes hands: survivors go, walls and marker are made new, points."""
    loser = pos.castles[castle].owner
    place = pos.stronghold(castle).hex
    garrison = pos.at(place + INSIDE)
    pos.hold(castle, owner=ENEMY[loser], lost=0, siege=None)
    pos.say(CastleFell(castle, ENEMY[loser], rule=rule))
    eliminate_all(pos, garrison, "10.1.3")
    printed = pos.durability(castle)
    points = CASTLE_POINTS.get(min(printed, 4), 0)
    pos.score(ENEMY[loser], points, "castle", "26.2.1", str(printed), castle=castle)


def commanders(pos: SanadaPosition, units: Iterable[str]) -> tuple[str, ...]:
    """26.2.1(9): the taisho and sodaisho among units who give points if beaten: those who lead a Force."""
    everybody = pos.option("defeat_points") == "everybody"
    return tuple(
        u for u in units if pos.unit(u).rank in DEFEAT_POINTS and (everybody or not pos.units[u].under)
    )


def defeat_points(pos: SanadaPosition, beaten: Iterable[str]) -> None:
    """26.2.1(9): points for commanders of a beaten hex; in no Overrun and no Assault."""
    for unit in beaten:
        rank = pos.unit(unit).rank
        side = ENEMY[pos.side(unit)]
        pos.score(side, DEFEAT_POINTS[rank], "defeated", "26.2.1", rank.value, unit)


def present(pos: SanadaPosition, side: str, places: Iterable[str]) -> bool:
    """26.2.2: whether a unit of the side is in one of the hexes, in the open or inside."""
    return any(
        pos.side(u) == side for place in places for where in (place, place + INSIDE) for u in pos.at(where)
    )


def presence_points(pos: SanadaPosition, side: str) -> None:
    """26.2.1(7), (8): each line once in a Start Phase."""
    if side == KANTO:
        castle = pos.castles.get(OSAKA_CASTLE)
        if castle and castle.owner == OSAKA and castle.siege is not None:
            pos.score(KANTO, 3, "siege", "26.2.1")
        return
    if present(pos, OSAKA, (KYOTO,)):
        lord = HIDEYORI in pos.units and pos.units[HIDEYORI].hex == KYOTO
        what = "hideyori" if lord else "kyoto"
        pos.score(OSAKA, 8 if lord else 3, what, "26.2.3" if lord else "26.2.1")
    if present(pos, OSAKA, (SAKAI,)):
        pos.score(OSAKA, 1, "sakai", "26.2.1")
    for province, points in (("omi", 1), ("mino", 1), ("owari", 3)):
        if present(pos, OSAKA, pos.data.map.area(province)):
            pos.score(OSAKA, points, province, "26.2.1")


def sudden(pos: SanadaPosition) -> bool:
    """27.2: whether the game has ended at this moment."""
    if pos.outcome is not None:
        return True
    osaka = IEYASU in pos.fallen
    castle = pos.castles.get(OSAKA_CASTLE)
    taken = castle is not None and castle.owner == KANTO
    kanto = HIDEYORI in pos.fallen or taken
    if not osaka and not kanto:
        return False
    causes = tuple(unit for unit in (IEYASU, HIDEYORI) if unit in pos.fallen)
    causes += (OSAKA_CASTLE,) if taken else ()
    if osaka and kanto:
        pos.end((), EndedAtOnce(causes, "", rule="27.2"), level="draw")
        return True
    winner = OSAKA if osaka else KANTO
    level = "victory" if pos.play.never_decisive == winner else "decisive"
    pos.end((winner,), EndedAtOnce(causes, winner, rule="27.2"), level=level)
    return True


def final_score(pos: SanadaPosition) -> None:
    """27.1: after the last turn the points decide."""
    for band in pos.play.bands:
        if band.least is None or pos.points >= band.least:
            rule = f"{pos.play.rule}-4"
            winners = (band.winner,) if band.winner else ()
            pos.end(winners, PointsDecided(pos.points, band.level, band.winner, rule=rule), level=band.level)
            return
