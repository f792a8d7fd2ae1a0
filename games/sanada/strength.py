"""18.2, 18.3, 19.1.3: ratings, strengths and what is added to the dice.

A clash is one attacking place against one attacked place. Terrain, river and fort belong to the attacked hex
and go into its rating (18.3.2(1)); the difference of ratings counts for both dice, plus for one, minus for
the other (18.3.2(2)).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from games.sanada.position import SanadaPosition
from games.sanada.terms import HEIGHT, Ground, hex_of, is_inside
from pbem.engine.codec import Record
from pbem.engine.events import Event, Fact

PURSUIT = 3
"""18.6.1(4)."""
TERRAIN = {Ground.ROUGH: 1, Ground.MARSH: 1}
RIVER_RATING, RIVER_DIE, FORT = 2, -1, 1


REASON = "{key:river-dice=river {value:+} on both dice|{key} {value:+}}"
"""What changes a rating or the dice, in words."""


@dataclass(frozen=True, slots=True)
class Edge(Record):
    """One attack: from a place against a place."""

    attacker: str
    defender: str


@dataclass(frozen=True, slots=True)
class Clash:
    """What one attack adds to the dice of both."""

    attack: int
    """The attacker's rating."""
    defence: int
    """The defender's rating, terrain included."""
    river: int
    """18.3.2(3): on both dice."""
    reasons: dict[str, int]

    @property
    def for_attacker(self) -> int:
        return self.attack - self.defence + self.river

    @property
    def for_defender(self) -> int:
        return self.defence - self.attack + self.river


def fighters(pos: SanadaPosition, place: str) -> tuple[str, ...]:
    """Who fights in a place: everybody (18.1.1) but those who have retreated into it (18.7.8)."""
    units = pos.at(place)
    return tuple(u for u in units if u not in pos.routed) if pos.routed else units


def strength(pos: SanadaPosition, units: Iterable[str]) -> int:
    """18.3.1: two for a face-up unit, one for a face-down one."""
    return sum(1 if pos.units[u].down else 2 for u in units)


def commander(pos: SanadaPosition, units: Iterable[str]) -> str | None:
    """18.2: who gives the rating: of the Force leaders the highest rank, and of equals the best value."""
    return max(
        (u for u in units if not pos.units[u].under),
        key=lambda u: (HEIGHT[pos.unit(u).rank], pos.unit(u).combat),
        default=None,
    )


def rating(pos: SanadaPosition, units: Iterable[str]) -> int:
    """18.2: the rating of a place; 0 if there is nobody."""
    leader = commander(pos, units)
    return pos.unit(leader).combat if leader else 0


class Counted(Event):
    """A party in a fight: from the counters to the numbers."""

    says = (
        "{up:?{up} face-up{down:?, |}|}{down:?{down} face-down|}{strength:?|nobody}: strength {strength}"
        "{leader:?, rating {rating} ({leader})|}"
    )
    up: int
    down: int
    strength: int
    leader: str
    rating: int


def counted(pos: SanadaPosition, units: tuple[str, ...]) -> Fact:
    """What a party brings into a fight."""
    down = sum(pos.units[u].down for u in units)
    leader = commander(pos, units) or ""
    found = pos.unit(leader).combat if leader else 0
    return Fact.of(Counted(len(units) - down, down, strength(pos, units), leader, found))


def has_fort(pos: SanadaPosition, place: str) -> bool:
    """22.2.1: whether a place is sheltered by a fort of those who stand in it."""
    return not is_inside(place) and place in pos.forts and pos.forts[place] == pos.holder(place)


def place_strength(pos: SanadaPosition, place: str, defends: bool) -> int:
    """The strength of a place in a battle; a fort may add to it (option `fort_bonus`)."""
    extra = FORT if defends and has_fort(pos, place) and pos.option("fort_bonus") == "strength" else 0
    return strength(pos, fighters(pos, place)) + extra


def clash(pos: SanadaPosition, edge: Edge, attackers: Iterable[str], defenders: Iterable[str]) -> Clash:
    """18.3.2: the modifiers of one attack; none but the ratings for a sortie (18.10.1(1))."""
    attack, defence = rating(pos, attackers), rating(pos, defenders)
    if hex_of(edge.attacker) == hex_of(edge.defender):
        return Clash(attack, defence, 0, {})
    ground = pos.data.map.ground(edge.defender)
    reasons: dict[str, int] = {}
    if ground in TERRAIN:
        defence += TERRAIN[ground]
        reasons[ground] = TERRAIN[ground]
    if has_fort(pos, edge.defender) and pos.option("fort_bonus") == "rating":
        defence += FORT
        reasons["fort"] = FORT
    river = 0
    if (edge.attacker, edge.defender) in pos.data.map.river:
        river = RIVER_DIE
        if pos.option("river_modifier") == "both":
            defence += RIVER_RATING
            reasons["river"] = RIVER_RATING
        reasons["river-dice"] = RIVER_DIE
    return Clash(attack, defence, river, reasons)


class Blow(Event):
    """18.3.3: two dice against the damage table; each kind of fight says more of it."""

    says = "{dice:&+} {modifier:+} = {total}, strength {strength} (column {column}): {hits:# hit|# hits}"
    dice: tuple[int, ...]
    modifier: int
    total: int
    strength: int
    column: str
    hits: int


def strike(
    pos: SanadaPosition,
    made: Callable[..., Blow],
    points: int,
    dice: tuple[int, ...],
    plus: int,
    rule: str,
) -> int:
    """18.3.3: two dice and a modifier against the table; says every number on the way."""
    total = sum(dice) + plus
    hits = pos.data.tables.damage(points, total)
    column = pos.data.tables.columns[pos.data.tables.column(points)]
    pos.say(
        made(dice=dice, modifier=plus, total=total, strength=points, column=str(column), hits=hits, rule=rule)
    )
    return hits
