"""23, 24: who comes onto the map in a Start Phase, where, and in which Forces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.kit.families import Listed, Seldom
from games.kit.hexes import HexId
from games.sanada.forces import why_no_force
from games.sanada.moves import DoneEntering, Enter, Join, Mobilize
from games.sanada.position import SanadaPosition
from games.sanada.refusals import Question, absent, no_hex
from games.sanada.terms import ENEMY, HIDEYORI, INSIDE, KANTO, OSAKA, OSAKA_CASTLE, hex_of, is_inside
from pbem.engine.events import Event
from pbem.engine.options import PUBLIC, Among, Options, Refusal
from pbem.engine.procedure import Finish, Goto, Procedure, chooses, rule


def regions(pos: SanadaPosition) -> dict[str, str]:
    """23.1.1: the units that may enter now, with their regions; a delay has no limit (23.2.2)."""
    return {
        unit: arrival.region
        for arrival in pos.play.arrivals
        if arrival.turn <= pos.turn
        for unit in arrival.units
        if unit in pos.waiting
    }


def entry_hexes(pos: SanadaPosition, region: str, side: str = KANTO) -> tuple[HexId, ...]:
    """23.1.1, 23.2.1: free hexes of a region, or if there are none the nearest along the map edge."""
    foes, field = pos.index.standing[ENEMY[side]], pos.data.map
    ring = tuple(h for h in field.area(region) if field.is_open(h))
    seen = set(ring)
    while ring:
        free = tuple(h for h in ring if h not in foes)
        if free:
            return free
        ring = tuple(
            dict.fromkeys(
                n
                for h in ring
                for n in field.grid.neighbours[h]
                if n not in seen and field.grid.is_edge(n) and field.is_open(n)
            )
        )
        seen |= set(ring)
    return ()


def why_no_room(pos: SanadaPosition, side: str, place: str) -> Refusal | None:
    """17.1.3, 17.2: whether a unit cannot be put inside the castle of a place."""
    castle = pos.castle_at(hex_of(place))
    if castle is None or pos.castles[castle].owner != side:
        return Refusal("17.1.3", f"no castle of {side} is in {hex_of(place)}")
    if pos.room(castle) < 1:
        return Refusal("17.2", f"{castle} castle is full")
    return None


class Joined(Event):
    says = "{unit} joins {leader}"
    unit: str
    leader: str
    force: tuple[str, ...]


class CameIn(Event):
    unit: str
    place: str


class EnteredAt(CameIn):
    says = "{unit} enters at {place}"


class MobilisedIn(CameIn):
    says = "{unit} is mobilized in {place}"


class OnlySoMany(Event):
    says = "only {left} can come"
    left: int


@dataclass(slots=True)
class Newcomers(Procedure):
    """Base: units placed in this step may form Forces among themselves."""

    seat: str
    fresh: tuple[str, ...] = ()
    """Units that have come in this step."""

    def joining(self, pos: SanadaPosition) -> Listed[Join]:
        def listed() -> Iterator[Join]:
            alone = [u for u in self.fresh if not pos.units[u].under]
            for leader in alone:
                if pos.unit(leader).track:
                    for unit in alone:
                        if unit != leader and len(pos.force(unit)) == 1:
                            yield Join(unit, leader)

        return Listed(Join, listed, lambda m: self.why_no_join(pos, m), 0.7)

    def may_join(self, pos: SanadaPosition) -> bool:
        """Whether any newcomer can still join another."""
        return any(True for _ in self.joining(pos).moves(PUBLIC))

    def why_no_join(self, pos: SanadaPosition, move: Join) -> Refusal | None:
        """23.1.2, 24.2.3: newcomers form Forces as they come."""
        for unit in (move.unit, move.leader):
            if unit not in self.fresh:
                return Refusal("16", f"{unit} has not come in this step")
        if pos.place(move.unit) != pos.place(move.leader):
            return Refusal("7.2", f"{move.unit} and {move.leader} are not in one place")
        if pos.units[move.leader].under or move.unit == move.leader:
            return Refusal("7.3.2", f"{move.leader} leads no Force of its own")
        if pos.units[move.unit].under or len(pos.force(move.unit)) > 1:
            return Refusal("7.3.2", f"{move.unit} is not alone")
        return why_no_force(pos, (*pos.force(move.leader), move.unit))

    def joined(self, pos: SanadaPosition, move: Join) -> None:
        members = (*pos.force(move.leader), move.unit)
        pos.regroup([members])
        pos.say(Joined(move.unit, move.leader, members, rule="7.2"))

    def come(self, pos: SanadaPosition, unit: str, place: str, told: type[CameIn]) -> None:
        pos.put((unit,), hex_of(place), is_inside(place))
        self.fresh = (*self.fresh, unit)
        pos.say(told(unit, place))


@dataclass(slots=True)
class Reinforcements(Newcomers):
    """23: Kanto units enter the map."""

    def entries(self, pos: SanadaPosition) -> Options | None:
        if not regions(pos) and not self.may_join(pos):
            return None
        family = Listed(Enter, lambda: self._entries(pos), lambda m: self.why_not(pos, m))
        families = (Seldom(DoneEntering(), "23.2.2", 0.1), family, self.joining(pos))
        return Question(self.seat, families, "enter", "bring reinforcements in, form Forces, or be done")

    def _entries(self, pos: SanadaPosition) -> Iterator[Enter]:
        for unit, region in regions(pos).items():
            for place in entry_hexes(pos, region):
                yield Enter(unit, place)
                if pos.castle_at(place):
                    yield Enter(unit, place + INSIDE)

    def why_not(self, pos: SanadaPosition, move: Enter) -> Refusal | None:
        """23.1.1, 23.2.1: whether a unit may enter there."""
        place = hex_of(move.place)
        refusal = no_hex(pos, place)
        if refusal:
            return refusal
        due = regions(pos)
        if move.unit not in due:
            if move.unit in pos.waiting:
                return Refusal("23.1.1", f"{move.unit} is not due yet")
            return absent(pos, move.unit, "23.1.1")
        if place not in entry_hexes(pos, due[move.unit]):
            inside = place in pos.data.map.area(due[move.unit])
            why = "the enemy is there" if inside else f"it is not where the {due[move.unit]} enters"
            return Refusal("23.2.1" if inside else "23.1.1", f"{move.unit} cannot enter at {place}: {why}")
        return why_no_room(pos, self.seat, move.place) if is_inside(move.place) else None

    @chooses("23.1.1", entries)
    def enter(self, pos: SanadaPosition, move: Enter | Join | DoneEntering) -> Goto | Finish:
        """Face-up, anywhere in the region, in Forces as the player likes (23.1.2), or later (23.2.2)."""
        if isinstance(move, DoneEntering):
            return Finish()
        if isinstance(move, Join):
            self.joined(pos, move)
        else:
            self.come(pos, move.unit, move.place, EnteredAt)
        return Goto("enter")


@dataclass(slots=True)
class Mobilization(Newcomers):
    """24.2: units of the box come to Osaka Castle."""

    left: int = 0
    """How many still have to come."""

    @rule("24.2.2")
    def count(self, pos: SanadaPosition) -> None:
        """Exactly the number rolled, as far as the box, and behind a besieger the castle, allows."""
        allowed = min(self.left, len(pos.box))
        place = pos.stronghold(OSAKA_CASTLE).hex
        if pos.holder(place) == KANTO:
            allowed = min(allowed, max(pos.room(OSAKA_CASTLE), 0))
        if allowed < self.left:
            pos.say(OnlySoMany(allowed))
        self.left = allowed

    def calls(self, pos: SanadaPosition) -> Options | None:
        joining = self.joining(pos)
        if not self.left:
            if not self.may_join(pos):
                return None
            families = (Among(DoneEntering, [DoneEntering()], "24.2.3"), joining)
            return Question(self.seat, families, "enter", "form Forces of the new units, or be done")
        family = Listed(Mobilize, lambda: self._calls(pos), lambda m: self.why_not(pos, m))
        ask = f"mobilize {self.left} of {', '.join(pos.box)}"
        early = Among(DoneEntering, (), "24.2.2", lambda m: f"{self.left} more have to be mobilized")
        return Question(self.seat, (family, joining, early), "mobilize", ask)

    def _calls(self, pos: SanadaPosition) -> Iterator[Mobilize]:
        place = pos.stronghold(OSAKA_CASTLE).hex
        for unit in pos.box:
            yield Mobilize(unit, place)
            yield Mobilize(unit, place + INSIDE)

    def why_not(self, pos: SanadaPosition, move: Mobilize) -> Refusal | None:
        """24.2.2, 24.3: whether a unit may be mobilized there."""
        place = pos.stronghold(OSAKA_CASTLE).hex
        if move.unit not in pos.box:
            return Refusal("24.2.2", f"{move.unit} is not in the holding box")
        if move.unit == HIDEYORI and pos.box != (HIDEYORI,):
            return Refusal("24.3", "Hideyori comes when nobody else is left in the box")
        if move.place not in (place, place + INSIDE):
            return Refusal("24.2.2", f"units are mobilized at Osaka Castle: {place} or {place}{INSIDE}")
        if is_inside(move.place):
            return why_no_room(pos, OSAKA, move.place)
        if pos.holder(place) == KANTO:
            return Refusal("24.2.2", "the enemy is before the gate: they can only go inside")
        return None

    @chooses("24.2.2", calls)
    def call(self, pos: SanadaPosition, move: Mobilize | Join | DoneEntering) -> Goto | Finish:
        """The player chooses who, and may form Forces (24.2.3)."""
        if isinstance(move, DoneEntering):
            return Finish()
        if isinstance(move, Join):
            self.joined(pos, move)
        else:
            self.left -= 1
            self.come(pos, move.unit, move.place, MobilisedIn)
        return Goto("call")
