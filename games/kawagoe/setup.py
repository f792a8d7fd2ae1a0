"""4.0 SET-UP and 12.0 REINFORCEMENTS: who is placed where, when, and when a set-up is lawful.

A group is placed by one order that names every unit once. The besiegers may place a house again until they
are `ready`, because command and the ring around the castle are tested on the finished set-up (4.22-a).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from games.kawagoe.command import commanded
from games.kawagoe.moves import Deploy, Ready
from games.kawagoe.position import STACK, KawagoePosition
from games.kawagoe.printed import ANTI, GARRISON, HOJO, HOUSES, SAGAMI, UJIYASU_ARMY
from games.kit.families import Allowed
from games.kit.hexes import HexId
from pbem.engine.events import Event
from pbem.engine.options import Family, Offers, Options, Refusal, View
from pbem.engine.procedure import Finish, Goto, Procedure, chooses

Places = dict[str, HexId]
Test = Callable[[KawagoePosition, Mapping[str, HexId]], Refusal | None]

ARRIVAL = {UJIYASU_ARMY: ("4.3", "entry"), SAGAMI: ("12.0", "reinforcement")}
"""Rule and area of the two groups that come later."""


class Placed(Event):
    says = "{group}: {places:*{key} in {value}}"
    group: str
    places: dict[str, HexId]


@dataclass(frozen=True, slots=True)
class Deployment:
    """A group that is to be placed."""

    group: str
    side: str
    units: tuple[str, ...]
    area: tuple[HexId, ...]
    count: int
    """How many of the units must be placed: all, unless there is no room (4.3-b)."""
    number: str
    """The rule that names the area."""
    test: Test | None = None
    """What else the finished placement must fulfil."""
    whole: str = ""
    """The rule that has all of them placed, if it is another one."""

    def usual(self, pos: KawagoePosition) -> Places:
        """Where the scenario puts the group; without such a place it comes as near the castle as it can."""
        default = pos.pack.scenarios[pos.scenario].default_setup.get(self.group)
        if default:
            return {unit: default[unit] for unit in self.units}
        castle, distance = pos.pack.map.castle, pos.pack.map.distance
        near = sorted(self.area, key=lambda h: min((distance(h, c) for c in castle), default=0))
        spots = [h for h in near for _ in range(pos.room(self.side, h))]
        return dict(zip(self.units[: self.count], spots, strict=False))

    def read(self, pos: KawagoePosition, move: Deploy) -> Places | Refusal:
        """What an order means; units and places may be called by their names."""
        if not move.places:
            return self.usual(pos)
        spots = {name: place for place, name in pos.pack.map.names.items()}
        found: Places = {}
        for word in move.places:
            name, at, place = word.partition("@")
            if not at:
                return Refusal(self.number, f"{word}: write unit@hex, such as {self.units[0]}@1213")
            unit = pos.book.by_name.get(name, name)
            if any(name == who.id for who in pos.book.identities.get(self.group, {}).values()):
                return Refusal("4.23", f"nobody knows which counter is {name}: place counters such as k01")
            if unit not in self.units:
                return Refusal(self.number, f"{name} is not of {self.group}, or is not due")
            if unit in found:
                return Refusal(self.number, f"{unit} is placed twice")
            found[unit] = spots.get(place, place)
        return found

    def why_not(self, pos: KawagoePosition, move: Deploy) -> Refusal | None:
        """Every unit, in the area, within stacking."""
        places = self.read(pos, move)
        if isinstance(places, Refusal):
            return places
        for unit, place in places.items():
            if place not in self.area:
                return Refusal(self.number, f"{unit} cannot be placed in {place}: it is outside the area")
        for place, count in Counter(places.values()).items():
            others = [u for u in pos.at(place) if u not in self.units]
            if any(pos.side(u) != self.side for u in others):
                return Refusal(self.number, f"the enemy is in {place}")
            if len(others) + count > STACK[self.side]:
                return Refusal("7.0", f"too many units in {place}")
        if len(places) != self.count:
            missing = [unit for unit in self.units if unit not in places][: self.count - len(places)]
            problem = f"{len(places)} units are placed instead of {self.count}"
            return Refusal(self.whole or self.number, f"{problem}: {', '.join(missing[:5])} missing")
        return self.test(pos, places) if self.test else None

    def carry_out(self, pos: KawagoePosition, move: Deploy) -> None:
        """Put the units on the map."""
        places = self.read(pos, move)
        assert not isinstance(places, Refusal)
        pos.place_all(places)
        pos.say(Placed(self.group, dict(sorted(places.items()))))

    def written(self, places: Mapping[str, HexId]) -> Deploy:
        """The order that says so."""
        return Deploy(self.group, tuple(f"{unit}@{place}" for unit, place in sorted(places.items())))


class Deployments(Family[Deploy]):
    """The groups that may be placed now. Only the usual places are listed: others are countless."""

    kind = Deploy

    def __init__(self, pos: KawagoePosition, groups: tuple[Deployment, ...]) -> None:
        self.pos, self.groups = pos, groups

    def moves(self, view: View) -> Iterator[Deploy]:
        for group in self.groups:
            yield Deploy(group.group, ())
            yield group.written(group.usual(self.pos))

    def why_not(self, move: Deploy, view: View) -> Refusal | None:
        for group in self.groups:
            if group.group == move.group:
                return group.why_not(self.pos, move)
        known = ", ".join(group.group for group in self.groups)
        return Refusal(self.groups[0].number, f"now {known} may be placed, not {move.group}")

    def offers(self, words: tuple[str, ...], view: View) -> Offers[Deploy]:
        """Units that are not placed yet; after a unit the hexes with room; the order once all stand."""
        groups = [g for g in self.groups if not words or any(_of(word, g) for word in words)]
        found: list[tuple[str, str]] = [(g.group, "group") for g in groups if g.group not in words]
        complete = []
        for group in groups:
            placed = dict(word.split("@") for word in words if "@" in word)
            bare = [word for word in words if word in group.units]
            if bare:
                found += [(f"{bare[-1]}@{h}", "places") for h in self._room(group, placed, bare[-1])]
                continue
            found += [(unit, "places") for unit in group.units if unit not in placed]
            move = group.written(placed)
            if placed and group.why_not(self.pos, move) is None:
                complete.append(move)
        return Offers(tuple(found), tuple(complete))

    def _room(self, group: Deployment, placed: Mapping[str, HexId], unit: str) -> Iterator[HexId]:
        taken = Counter(h for u, h in placed.items() if u != unit)
        for place in group.area:
            others = [u for u in self.pos.at(place) if u not in group.units]
            foes = any(self.pos.side(u) != group.side for u in others)
            if not foes and len(others) + taken[place] < STACK[group.side]:
                yield place

    def sample(self, rng: Random, view: View) -> Deploy | None:
        """The usual places with units exchanged and, where it stays lawful, one moved elsewhere."""
        pos = self.pos
        waiting = [g for g in self.groups if any(u in pos.reserve for u in g.units)]
        if not waiting:  # being ready is the other choice, if all stand lawfully
            return Deploy(rng.choice(self.groups).group, ()) if unfinished(pos) else None
        group = rng.choice(waiting)
        places = group.usual(pos)
        units = [u for u in places if not pos.book[u].general]
        spots = [places[u] for u in units]
        rng.shuffle(spots)
        places.update(zip(units, spots, strict=True))
        other = places | {rng.choice(list(places)): rng.choice(group.area)}
        if group.why_not(pos, group.written(other)) is None and not self._spoils(group, other):
            places = other
        return group.written(places)

    def _spoils(self, group: Deployment, places: Places) -> bool:
        """Whether the whole set-up of the besiegers would be unlawful, other houses standing as usual."""
        if group.side == HOJO:
            return False
        trial = self.pos.copy()
        for other in self.groups:
            trial.place_all(places if other is group else other.usual(trial))
        return unfinished(trial) is not None


def _of(word: str, group: Deployment) -> bool:
    return word == group.group or word.partition("@")[0] in group.units


# --- 4.1 and 4.2: the groups


def garrison(pos: KawagoePosition) -> Deployment:
    """4.1: in the castle."""
    units = pos.book.groups.get(GARRISON, ())
    return Deployment(GARRISON, HOJO, units, pos.pack.map.castle, len(units), "4.1", uncovered)


def uncovered(pos: KawagoePosition, places: Mapping[str, HexId]) -> Refusal | None:
    """4.1: every castle hex holds a unit or lies in a zone of control, as 8.2 cuts it (4.1-a)."""
    covered = {h for place in places.values() for h in (place, *pos.pack.map.zoc_into[place])}
    gap = next((h for h in pos.pack.map.castle if h not in covered), None)
    return Refusal("4.1", f"{gap} is neither held nor in a zone of control") if gap else None


def house(pos: KawagoePosition, name: str) -> Deployment:
    """4.2, 4.21: all units of a house, in the area of the house."""
    units = pos.book.groups.get(name, ())
    return Deployment(name, ANTI, units, pos.pack.map.areas.get(name, ()), len(units), "4.21", whole="4.2")


def unfinished(pos: KawagoePosition) -> Refusal | None:
    """4.2-4.24: what the set-up of the besiegers still lacks."""
    for unit in pos.reserve:
        if pos.side(unit) == ANTI:
            return Refusal("4.2", f"{unit} has not been placed")
    for unit in pos.units:
        if pos.side(unit) == ANTI and not commanded(pos, unit):
            return Refusal("4.22", f"{unit} is in the range of no general of its house")
    own = pos.option("siege_cover") == "own-house"
    for name in HOUSES:
        for place in pos.pack.map.areas.get(name, ()):
            if place in pos.pack.map.ring and not _covered(pos, place, name if own else ""):
                return Refusal("4.24", f"{place} beside the castle is neither held nor in a zone of control")
    return None


def _covered(pos: KawagoePosition, place: HexId, name: str) -> bool:
    """Whether a besieger (of one house, if named) holds a hex or has it in his zone of control."""
    around = (place, *pos.pack.map.zoc_from[place])
    units = (u for h in around for u in pos.held(ANTI).get(h, ()))
    return any(not name or pos.book[u].group == name for u in units)


def arrival(pos: KawagoePosition, group: str) -> Deployment | None:
    """4.3, 4.4: a group that is due and has somewhere to go; who finds no room waits for the next chit."""
    due = pos.pack.scenarios[pos.scenario].arrivals.get(group)
    units = tuple(u for u in pos.reserve if pos.book[u].group == group)
    if not units or due is None or pos.turn < due:
        return None
    number, area = ARRIVAL[group]
    hexes = tuple(pos.pack.map.areas.get(area, ()))
    room = sum(max(pos.room(HOJO, h), 0) for h in hexes)
    return Deployment(group, HOJO, units, hexes, min(len(units), room), number) if room else None


@dataclass(slots=True)
class SetUp(Procedure):
    """4.0 SET-UP: the garrison first, in the open, then the houses (4.0-a)."""

    placing: bool = False
    """Whether the besiegers have begun."""

    def castle(self, pos: KawagoePosition) -> Options | None:
        if not any(pos.book[u].group == GARRISON for u in pos.reserve):
            return None
        return Options(HOJO, (Deployments(pos, (garrison(pos),)),), "deploy", "where the garrison stands")

    @chooses("4.1", castle)
    def man_castle(self, pos: KawagoePosition, move: Deploy) -> None:
        """Six units in the castle, so that no hex of it is left uncovered."""
        garrison(pos).carry_out(pos, move)

    def camps(self, pos: KawagoePosition) -> Options | None:
        if not self.placing and not any(pos.side(u) == ANTI for u in pos.reserve):
            return None
        houses = tuple(house(pos, name) for name in HOUSES if pos.book.groups.get(name))
        return Options(
            ANTI,
            (Allowed(Ready(), lambda: unfinished(pos)), Deployments(pos, houses)),
            "deploy",
            "where the houses stand; then say that you are ready",
        )

    @chooses("4.2", camps)
    def besiege(self, pos: KawagoePosition, move: Deploy | Ready) -> Goto | Finish:
        """Each house in its area, unseen by anybody (4.23); tested when all stand."""
        if isinstance(move, Ready):
            return Finish()
        self.placing = True
        house(pos, move.group).carry_out(pos, move)
        return Goto("besiege")
