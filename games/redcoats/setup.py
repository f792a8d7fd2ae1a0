"""16.0 SET-UP: groups with one hex stand there; the others are placed by their owner, in one order each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from games.kit.hexes import HexId
from games.redcoats.moves import Deploy
from games.redcoats.position import STACK, RedcoatsPosition
from games.redcoats.printed import ENEMY, Group
from pbem.engine.events import Event
from pbem.engine.options import Family, Offers, Options, Refusal, View
from pbem.engine.procedure import Goto, Procedure, chooses, rule

Places = dict[str, HexId]


def waiting(pos: RedcoatsPosition, side: str) -> tuple[Group, ...]:
    """Groups of a side that begin on the map and have not been placed."""
    groups = (g for g in pos.setting.groups if g.side == side and g.enter is None)
    return tuple(g for g in groups if any(u in pos.reserve for u in g.units))


def fixed(pos: RedcoatsPosition) -> Iterator[tuple[Group, Places]]:
    """Groups with one hex, which stand there."""
    for side in pos.seats:
        for group in waiting(pos, side):
            if len(group.hexes) == 1:
                yield group, dict.fromkeys(group.units, group.hexes[0])


def usual(pos: RedcoatsPosition, group: Group) -> Places:
    """The usual places: troops spread over the hexes in their order, guns and leaders with them."""
    book, found = pos.book, dict[str, HexId]()
    load = {h: pos.load(group.side, h) for h in (*group.hexes, *group.extra)}
    count = dict.fromkeys(group.hexes, 0)

    def put(unit: str, place: HexId) -> None:
        found[unit] = place
        load[place] += book[unit].stacking(False)
        count[place] = count.get(place, 0) + 1

    def room(unit: str, place: HexId) -> bool:
        return load[place] + book[unit].stacking(False) <= STACK

    extras = [u for u in group.units if book[u].nation == "militia"][: group.extra_count]
    for unit, place in zip(extras, group.extra, strict=False):
        put(unit, place)
    order = sorted(range(len(group.hexes)), key=lambda i: i)
    for unit in group.units:
        if book[unit].is_foot and unit not in found:
            free = [group.hexes[i] for i in order if room(unit, group.hexes[i])]
            put(unit, min(free, key=lambda h: count[h]))
    held = [h for h in group.hexes if count[h]] or list(group.hexes)
    guns = [u for u in group.units if book[u].is_gun]
    for number, gun in enumerate(guns):
        free = [h for h in (*held[number:], *held, *group.hexes) if room(gun, h)]
        put(gun, free[0])
    leaders = [u for u in group.units if book[u].is_leader]
    for number, leader in enumerate(leaders):
        found[leader] = held[(2 * number + 1) * len(held) // (2 * len(leaders))]
    return found


def written(group: Group, places: Places) -> Deploy:
    """The order that says so."""
    return Deploy(group.id, tuple(f"{unit}@{place}" for unit, place in sorted(places.items())))


def read(pos: RedcoatsPosition, group: Group, move: Deploy) -> Places | Refusal:
    """The places that an order means; none: the usual ones."""
    code = f"{pos.setting.code}-16.0"
    if not move.places:
        return usual(pos, group)
    found: Places = {}
    for word in move.places:
        unit, at, place = word.partition("@")
        if not at:
            return Refusal(code, f"{word}: write unit@hex, such as {group.units[0]}@{group.hexes[0]}")
        if unit not in group.units:
            return Refusal(code, f"{unit} is not of {group.id}")
        if unit in found:
            return Refusal(code, f"{unit} is placed twice")
        found[unit] = place
    return found


def why_not(pos: RedcoatsPosition, group: Group, move: Deploy) -> Refusal | None:
    """Every unit once, where the group may stand, within stacking (6.0-d)."""
    code = f"{pos.setting.code}-16.0"
    places = read(pos, group, move)
    if isinstance(places, Refusal):
        return places
    missing = [unit for unit in group.units if unit not in places]
    if missing:
        return Refusal(code, f"{', '.join(missing[:5])} have no place")
    load: dict[HexId, int] = {}
    beyond = 0
    for unit, place in places.items():
        if place not in group.hexes:
            beyond += 1
            militia = pos.book[unit].nation == "militia"
            if place not in group.extra or not militia or beyond > group.extra_count:
                return Refusal(code, f"{unit} cannot be placed in {place}")
        if place in pos.men(ENEMY[group.side]):
            return Refusal(code, f"the enemy is in {place}")
        load[place] = load.get(place, pos.load(group.side, place)) + pos.book[unit].stacking(False)
        if load[place] > STACK:
            return Refusal("6.0", f"more than {STACK} strength points in {place}")
    return None


class Deployments(Family[Deploy]):
    """The groups that may be placed now. Only the usual places are listed: others are countless."""

    kind = Deploy

    def __init__(self, pos: RedcoatsPosition, groups: tuple[Group, ...]) -> None:
        self.pos, self.groups = pos, groups

    def moves(self, view: View) -> Iterator[Deploy]:
        for group in self.groups:
            yield Deploy(group.id, ())
            yield written(group, usual(self.pos, group))

    def why_not(self, move: Deploy, view: View) -> Refusal | None:
        for group in self.groups:
            if group.id == move.group:
                return why_not(self.pos, group, move)
        known = ", ".join(group.id for group in self.groups)
        return Refusal(f"{self.pos.setting.code}-16.0", f"now {known} may be placed, not {move.group}")

    def offers(self, words: tuple[str, ...], view: View) -> Offers[Deploy]:
        """Units that are not placed yet; after a unit the hexes with room; the order once all stand."""
        groups = [g for g in self.groups if not words or any(_of(word, g) for word in words)]
        found = [(g.id, "group") for g in groups if g.id not in words]
        complete = []
        for group in groups:
            placed = dict(word.split("@") for word in words if "@" in word)
            bare = [word for word in words if word in group.units]
            if bare:
                found += [(f"{bare[-1]}@{h}", "places") for h in self._room(group, placed, bare[-1])]
                continue
            found += [(unit, "places") for unit in group.units if unit not in placed]
            move = written(group, placed)
            if placed and why_not(self.pos, group, move) is None:
                complete.append(move)
        return Offers(tuple(found), tuple(complete))

    def _room(self, group: Group, placed: Places, unit: str) -> Iterator[HexId]:
        """Where a unit may stand beside those that are placed: only that others are missing is no reason."""
        others = {u: h for u, h in placed.items() if u != unit}
        for place in dict.fromkeys((*group.hexes, *group.extra)):
            if place in self.pos.men(ENEMY[group.side]):
                continue
            there = [u for u, h in others.items() if h == place]
            load = self.pos.load(group.side, place) + sum(self.pos.book[u].stacking(False) for u in there)
            militia = self.pos.book[unit].nation == "militia" or place in group.hexes
            if militia and load + self.pos.book[unit].stacking(False) <= STACK:
                yield place

    def sample(self, rng: Random, view: View) -> Deploy | None:
        """The usual places, a few units moved elsewhere where that is lawful."""
        group = rng.choice(self.groups)
        places = usual(self.pos, group)
        for _ in range(rng.randrange(6)):
            other = places | {rng.choice(group.units): rng.choice(group.hexes)}
            if why_not(self.pos, group, written(group, other)) is None:
                places = other
        return written(group, places)


def _of(word: str, group: Group) -> bool:
    return word == group.id or word.partition("@")[0] in group.units


@dataclass(slots=True)
class SetUp(Procedure):
    """1.3, 16.0 SET-UP: who moves second places first."""

    @rule("1.3")
    def fixed(self, pos: RedcoatsPosition) -> None:
        """Groups with one hex stand there."""
        for group, places in fixed(pos):
            place(pos, group, places)

    def placing(self, pos: RedcoatsPosition) -> Options | None:
        for side in (ENEMY[pos.first()], pos.first()):
            groups = waiting(pos, side)
            if groups:
                names = ", ".join(group.id for group in groups)
                return Options(side, (Deployments(pos, groups),), "deploy", f"where {names} stand")
        return None

    @chooses("1.3", placing)
    def deploy(self, pos: RedcoatsPosition, move: Deploy) -> Goto:
        """One group after another."""
        group = next(g for g in pos.setting.groups if g.id == move.group)
        places = read(pos, group, move)
        assert not isinstance(places, Refusal)
        place(pos, group, places)
        return Goto("deploy")


def stand(pos: RedcoatsPosition, group: Group, places: Places) -> None:
    """A group in its hexes, held or disrupted as its battle says (HH-16.0, TR-17.1)."""
    pos.put(places, held=group.held)
    for unit in group.disrupted:
        pos.mark(unit, disrupted=True)


class Placed(Event):
    says = "{group}: {places:*{key} in {value}}"
    group: str
    places: dict[str, HexId]


def place(pos: RedcoatsPosition, group: Group, places: Places) -> None:
    """Put a group on the map and say so."""
    stand(pos, group, places)
    pos.say(Placed(group.id, dict(sorted(places.items())), rule=f"{pos.setting.code}-16.0"))
