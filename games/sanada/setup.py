"""3, 17.1.3, 24.1, S1-2 to S5-2: how a game begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from games.sanada.forces import Written, read_force, why_no_force, why_no_forces
from games.sanada.moves import Deploy, Muster
from games.sanada.names import names
from games.sanada.position import SanadaPosition
from games.sanada.terms import ENEMY, HIDEYORI, INSIDE, KANTO, OSAKA, OSAKA_CASTLE, Placing
from pbem.engine.events import Event
from pbem.engine.options import Family, Offers, Options, Refusal, View
from pbem.engine.procedure import Dice, Procedure, chooses, rolls, rule


class DefectorChose(Event):
    says = "{unit} {joins:?joins Osaka|stays with Kanto}: {die}"
    unit: str
    die: int
    joins: bool


class Mustered(Event):
    says = "{force:&+} at Osaka Castle"
    force: tuple[str, ...]


class CannotMoveYet(Event):
    says = "cannot move yet: {units}"
    units: tuple[str, ...]


@dataclass(slots=True)
class SetUp(Procedure):
    """3: the scenario's units are placed, Osaka's first."""

    def defection(self, pos: SanadaPosition) -> Dice | None:
        return Dice(1, 6) if pos.play.defector else None

    @rolls("S4-5", defection)
    def defect(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """Kato Yoshiaki may join Osaka, and then leaves every Kanto list."""
        unit, joins = pos.play.defector, dice[0] <= pos.play.defects_on
        pos.say(DefectorChose(unit, dice[0], joins))
        if joins:
            pos.turncoats = (unit,)
            pos.waiting = tuple(u for u in pos.waiting if u != unit)
            pos.box = tuple(sorted((*pos.box, unit)))

    def musters(self, pos: SanadaPosition) -> Options:
        ask = f"choose {pos.play.muster} units for Osaka Castle"
        return Options(OSAKA, (Musters(pos),), "setup", ask)

    @chooses("24.1.1", musters)
    def muster(self, pos: SanadaPosition, move: Muster) -> None:
        """The Osaka player chooses freely who begins, in which Forces, inside or out."""
        place = pos.stronghold(OSAKA_CASTLE).hex
        for force in Musters(pos).read(move):
            pos.put(force.units, place, force.inside)
            pos.say(Mustered(force.units, rule="24.1.2"))

    def deployments(self, pos: SanadaPosition) -> Options:
        ask = "place the Kanto units in their hexes, inside castles or out; those not named stand as usual"
        return Options(KANTO, (Deployments(pos),), "setup", ask)

    @chooses("17.1.3", deployments)
    def deploy(self, pos: SanadaPosition, move: Deploy) -> None:
        """Kanto's hexes are given; Forces and inside or outside are free."""
        for force in Deployments(pos).read(move):
            pos.put(force.units, force.hex, force.inside)

    @rule("3")
    def freeze(self, pos: SanadaPosition) -> None:
        """Units that wait, by the scenario's special rules."""
        hexes = pos.play.frozen
        pos.frozen = {u: p.hex for u, p in pos.units.items() if p.hex in hexes and pos.side(u) == KANTO}
        if pos.frozen:
            pos.say(CannotMoveYet(tuple(pos.frozen), rule=f"{pos.play.rule}-5"))


class Musters(Family[Muster]):
    """24.1.1: which units begin; the usual choice is listed, any lawful one is accepted."""

    kind = Muster

    def __init__(self, pos: SanadaPosition) -> None:
        self.pos = pos

    def usual(self) -> tuple[Written, ...]:
        return tuple(Written(units, "", False) for units in self.pos.play.usual)

    def read(self, move: Muster) -> tuple[Written, ...]:
        """The Forces that an answer means."""
        if not move.forces:
            return self.usual()
        return tuple(read_force(word, names(self.pos.data)) for word in move.forces)

    def moves(self, view: View) -> Iterator[Muster]:
        yield Muster(())
        yield Muster(tuple(force.text() for force in self.usual()))

    def offers(self, words: tuple[str, ...], view: View) -> Offers[Muster]:
        """Units that have not been chosen; the order once there are enough of them."""
        chosen = {unit for word in words for unit in read_force(word, {}).units}
        free = (u for u in self.pos.box if u != HIDEYORI and u not in chosen)
        move = Muster(words)
        complete = (move,) if self.why_not(move, view) is None else ()
        return Offers(tuple((unit, "forces") for unit in free), complete)

    def sample(self, rng: Random, view: View) -> Muster:
        pool = [u for u in self.pos.box if u != HIDEYORI]
        chosen = rng.sample(pool, min(self.pos.play.muster, len(pool)))
        forces: list[list[str]] = []
        for unit in sorted(chosen, key=lambda u: -self.pos.unit(u).track):
            fits = [f for f in forces if why_no_force(self.pos, (*f, unit)) is None]
            if fits and rng.random() < 0.7:
                rng.choice(fits).append(unit)
            else:
                forces.append([unit])
        limit = 2 * self.pos.walls(OSAKA_CASTLE)
        words = []
        for force in forces:
            inside = rng.random() < 0.2 and len(force) <= limit
            limit -= len(force) if inside else 0
            words.append(Written(tuple(force), "", inside).text())
        return Muster(tuple(words))

    def why_not(self, move: Muster, view: View) -> Refusal | None:
        pos, forces = self.pos, self.read(move)
        place = pos.stronghold(OSAKA_CASTLE).hex
        chosen = [unit for force in forces for unit in force.units]
        for unit in chosen:
            if unit == HIDEYORI:
                return Refusal("24.3", "Hideyori does not begin on the map")
            if unit not in pos.box:
                return Refusal("24.1.1", f"{unit} is not in the Osaka pool")
        if any(force.hex not in ("", place) for force in forces):
            return Refusal("24.1.1", f"Osaka's units begin at Osaka Castle ({place})")
        refusal = why_no_forces(pos, [force.units for force in forces])
        if refusal:
            return refusal
        needed = min(pos.play.muster, len([u for u in pos.box if u != HIDEYORI]))
        if len(chosen) != needed:
            return Refusal("24.1.1", f"{needed} units begin at Osaka Castle, not {len(chosen)}")
        inside = sum(len(force.units) for force in forces if force.inside)
        if inside > 2 * pos.walls(OSAKA_CASTLE):
            return Refusal("17.2", f"{inside} units do not fit into the castle")
        return None


class Deployments(Family[Deploy]):
    """S1-2 to S5-2: Kanto's first placement; the usual one is listed, any lawful one is accepted."""

    kind = Deploy

    def __init__(self, pos: SanadaPosition) -> None:
        self.pos = pos
        self.placings = self._placings()

    def _placings(self) -> tuple[Placing, ...]:
        """The line-up without a turncoat (S4-5)."""
        found = []
        for placing in self.pos.play.kanto:
            units = tuple(u for u in placing.units if u in self.pos.waiting)
            if units:
                found.append(Placing(units, placing.hex, placing.region, placing.inside))
        return tuple(found)

    def usual(self, placing: Placing) -> Written:
        where = placing.hex or self.pos.data.map.area(placing.region)[0]
        return Written(placing.units, where, placing.inside)

    def read(self, move: Deploy) -> tuple[Written, ...]:
        """Forces that are named, then the others as usual."""
        named = tuple(read_force(word, names(self.pos.data)) for word in move.forces)
        taken = {unit for force in named for unit in force.units}
        rest = []
        for placing in self.placings:
            units = tuple(u for u in placing.units if u not in taken)
            usual = self.usual(placing)
            if units == placing.units:
                rest.append(usual)
            else:
                rest.extend(Written((u,), usual.hex, usual.inside) for u in units)
        return (*named, *rest)

    def moves(self, view: View) -> Iterator[Deploy]:
        yield Deploy(())
        yield Deploy(tuple(self.usual(placing).text() for placing in self.placings))

    def offers(self, words: tuple[str, ...], view: View) -> Offers[Deploy]:
        """Forces that are not named yet, with their places; the order at any time."""
        taken = {unit for word in words for unit in read_force(word, {}).units}
        found = []
        for placing in self.placings:
            if placing.units[0] not in taken:
                where = (placing.hex,) if placing.hex else self.pos.data.map.area(placing.region)
                for place in where:
                    inside = (False, True) if self.pos.castle_at(place) else (False,)
                    found += [Written(placing.units, place, i).text() for i in inside]
        move = Deploy(words)
        complete = (move,) if self.why_not(move, view) is None else ()
        return Offers(tuple((word, "forces") for word in found), complete)

    def sample(self, rng: Random, view: View) -> Deploy:
        words = []
        for placing in self.placings:
            usual = self.usual(placing)
            if placing.region:
                where = rng.choice(self.pos.data.map.area(placing.region))
                words.append(Written(usual.units, where, False).text())
            elif rng.random() < 0.5:
                words.append(Written(usual.units, usual.hex, False).text())
        return Deploy(tuple(words))

    def why_not(self, move: Deploy, view: View) -> Refusal | None:
        pos, forces = self.pos, self.read(move)
        allowed: dict[str, Sequence[str]] = {}
        for placing in self.placings:
            where = (placing.hex,) if placing.hex else pos.data.map.area(placing.region)
            allowed.update(dict.fromkeys(placing.units, where))
        rule = f"{pos.play.rule}-2"
        for force in forces:
            for unit in force.units:
                if unit not in allowed:
                    return Refusal(rule, f"{unit} does not begin on the map with Kanto")
                if force.hex not in allowed[unit]:
                    return Refusal(
                        rule, f"{unit} begins in {' or '.join(allowed[unit])}, not in {force.hex or 'no hex'}"
                    )
        return why_no_forces(pos, [force.units for force in forces]) or self._why_no_room(forces)

    def _why_no_room(self, forces: Sequence[Written]) -> Refusal | None:
        pos = self.pos
        inside: dict[str, int] = {}
        for force in forces:
            if force.inside:
                inside[force.hex] = inside.get(force.hex, 0) + len(force.units)
            elif pos.holder(force.hex) == ENEMY[KANTO]:
                return Refusal("14.2.5", f"the enemy is in {force.hex}")
        for place, count in inside.items():
            castle = pos.castle_at(place)
            if castle is None or pos.castles[castle].owner != KANTO:
                return Refusal("17.1.3", f"no castle of Kanto is in {place}")
            if count > 2 * pos.walls(castle):
                return Refusal("17.2", f"{count} units do not fit into {castle} castle ({place}{INSIDE})")
        return None
