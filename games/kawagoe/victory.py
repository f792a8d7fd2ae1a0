"""13.0 VICTORY: sudden deaths, points and levels."""

from __future__ import annotations

from dataclasses import dataclass

from games.kawagoe.book import BENCHIYO, TAME, TSUNASHIGE, UJIYASU
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO, HOUSES, UnitClass
from games.kawagoe.unknown import pool_left, turn_over
from games.kit.hexes import HexId
from games.kit.ways import steps
from pbem.engine.events import Event
from pbem.engine.procedure import Goto, Procedure, draws, rule

CLASS_POINTS = {UnitClass.LEVY: 0, UnitClass.CAPTAIN: 1, UnitClass.GENERAL: 3, UnitClass.COMMANDER: 5}
"""13.1: what a besieging unit is worth when it is gone."""
NAMED_POINTS = {TAME: 8, BENCHIYO: 8, TSUNASHIGE: 10}
"""13.2: what these are worth when they are gone."""
LINE, SIEGE, STEP, INTRUSION = 15, 15, 2, 10


class UjiyasuFell(Event):
    says = "北条氏康 has fallen"


class CommandersFell(Event):
    says = "all three 総大将 have fallen"


def sudden_death(pos: KawagoePosition, unit: str) -> None:
    """13.3, 13.4(2): the game ends at the very moment (13.3-a)."""
    if unit == UJIYASU:
        pos.end((ANTI,), UjiyasuFell(rule="13.4"), level="decisive")
    elif unit in pos.book.commanders and _headless(pos) == set(HOUSES):
        pos.end((HOJO,), CommandersFell(rule="13.3"), level="decisive")


def _headless(pos: KawagoePosition) -> set[str]:
    """The houses whose 総大将 has fallen."""
    return {pos.book[unit].group for unit in pos.book.commanders if unit in pos.fallen}


def castle_taken(pos: KawagoePosition) -> bool:
    """13.4(1): besiegers are in every castle hex or were the last to pass it."""
    castle, inside, garrison = pos.pack.map.castle, pos.held(ANTI), pos.held(HOJO)
    return bool(castle) and all(h in inside or (h in pos.taken and h not in garrison) for h in castle)


@dataclass(frozen=True, slots=True)
class Field:
    """Who counts at the end: units disordered then are removed (13.1-b), unless only their points are."""

    besiegers: frozenset[HexId]
    zone: frozenset[HexId]
    hojo: frozenset[HexId]


def final_field(pos: KawagoePosition) -> Field:
    """The hexes that count for the line, the siege and the intrusion."""
    counted = [
        piece.hex
        for unit, piece in pos.units.items()
        if pos.side(unit) == ANTI and not (piece.disordered and pos.option("disordered_at_end") == "removed")
    ]
    return Field(frozenset(counted), frozenset(pos.zone(ANTI)), frozenset(pos.held(HOJO)))


def line_open(pos: KawagoePosition, field: Field) -> bool:
    """13.1: a road from the castle to the entry area without a besieger on it, nor in their zone of control
    except where a Hojo unit stands (8.3)."""
    land = pos.pack.map

    def free(place: HexId) -> bool:
        return place not in field.besiegers and (place not in field.zone or place in field.hojo)

    reached = steps([h for h in land.castle if free(h)], land.roads, free)
    return any(h in reached for h in land.entry)


def siege_kept(pos: KawagoePosition, field: Field) -> bool:
    """13.2: every hex around the castle holds a besieger, or lies in their zone without a Hojo unit (8.3)."""
    ring = pos.pack.map.ring
    return bool(ring) and all(h in field.besiegers or (h in field.zone and h not in field.hojo) for h in ring)


def hojo_points(pos: KawagoePosition, field: Field) -> dict[str, int]:
    """13.1, item by item."""
    gone = [u for u in pos.fallen if pos.side(u) == ANTI]
    gone += [u for u, piece in pos.units.items() if piece.disordered]
    points = dict.fromkeys(CLASS_POINTS, 0)
    for unit in gone:
        cls = pos.unit_class(unit)
        assert cls is not None, f"{unit} is unknown"
        points[cls] += CLASS_POINTS[cls]
    return {
        "line": LINE if line_open(pos, field) else 0,
        "captains": points[UnitClass.CAPTAIN],
        "generals": points[UnitClass.GENERAL],
        "commanders": points[UnitClass.COMMANDER],
    }


def anti_points(pos: KawagoePosition, field: Field) -> dict[str, int]:
    """13.2, item by item; the points for a named unit replace those for its steps unless agreed otherwise."""
    on_top = pos.option("named_units") == "on-top"
    steps = sum(piece.lost for unit, piece in pos.units.items() if pos.side(unit) == HOJO)
    named = 0
    for unit in pos.fallen:
        if pos.side(unit) == HOJO:
            named += NAMED_POINTS.get(unit, 0)
            steps += pos.book[unit].steps if on_top or unit not in NAMED_POINTS else 0
    inside = any(pos.pack.map.bailey[h] for h in field.besiegers)
    return {
        "siege": SIEGE if siege_kept(pos, field) else 0,
        "steps": STEP * steps,
        "named": named,
        "intrusion": INTRUSION if inside else 0,
    }


def level(difference: int) -> tuple[str, str]:
    """13.5: who wins and how well; no difference is a narrow Hojo win."""
    winner = HOJO if difference >= 0 else ANTI
    lead = abs(difference)
    return winner, "decisive" if lead >= 40 else "victory" if lead >= 20 else "marginal"


class HojoPoints(Event):
    says = (
        "{seat}: {total:# point|# points} "
        "(line {line}, captains {captains}, generals {generals}, commanders {commanders})"
    )
    seat: str
    total: int
    line: int
    captains: int
    generals: int
    commanders: int


class AntiPoints(Event):
    says = (
        "{seat}: {total:# point|# points} "
        "(siege {siege}, steps {steps}, named {named}, intrusion {intrusion})"
    )
    seat: str
    total: int
    siege: int
    steps: int
    named: int
    intrusion: int


class PointsDecided(Event):
    """13.5: 大勝利, 勝利, 辛勝."""

    says = (
        "{hojo} to {anti:# point|# points}: "
        "{level:decisive=decisive victory|marginal=narrow victory|victory} of {winner}"
    )
    hojo: int
    anti: int
    winner: str
    level: str


@dataclass(slots=True)
class Scoring(Procedure):
    """13.0 VICTORY: after the last turn."""

    def shaken(self, pos: KawagoePosition) -> str | None:
        return next((u for u, p in pos.units.items() if p.disordered and pos.unknown(u)), None)

    def who(self, pos: KawagoePosition) -> tuple[str, ...] | None:
        unit = self.shaken(pos)
        return pool_left(pos, pos.book[unit].group) if unit else None

    @draws("13.1", who)
    def reveal(self, pos: KawagoePosition, item: str) -> Goto:
        """Disordered units count as removed, so their class must be known (11.2-b)."""
        unit = self.shaken(pos)
        assert unit is not None
        turn_over(pos, unit, item)
        return Goto("reveal")

    @rule("13.5")
    def compare(self, pos: KawagoePosition) -> None:
        """The difference of the points decides."""
        field = final_field(pos)
        hojo, anti = hojo_points(pos, field), anti_points(pos, field)
        mine, theirs = sum(hojo.values()), sum(anti.values())
        pos.say(HojoPoints(HOJO, mine, *hojo.values(), rule="13.1"))
        pos.say(AntiPoints(ANTI, theirs, *anti.values(), rule="13.2"))
        winner, how = level(mine - theirs)
        pos.end((winner,), PointsDecided(mine, theirs, winner, how), level=how)
