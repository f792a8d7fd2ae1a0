"""8.51 RETREAT: units of one side fall back, one after another, with all that follows from it."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.hexes import HexId
from games.redcoats import specials
from games.redcoats.collapse import disrupt, eliminate
from games.redcoats.flight import LEFT, LOST, Flight, Routes
from games.redcoats.leaders import Casualty
from games.redcoats.morale import Cause, check, take
from games.redcoats.moves import Follow, Retreat
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY, Arm
from pbem.engine.events import Event
from pbem.engine.options import Among, Options, Refusal
from pbem.engine.procedure import Dice, Goto, Perform, Procedure, chooses, rolls, rule


class FellBack(Event):
    says = "{unit} falls back to {hex}"
    unit: str
    hex: HexId
    path: tuple[HexId, ...]


class WentAlong(Event):
    says = "{unit} goes to {hex}"
    unit: str
    hex: HexId


def falls_back(pos: RedcoatsPosition, unit: str) -> bool:
    """8.42, SP-17.0-a: guns on their back are abandoned; the fort's guns flip or are lost instead."""
    if not pos.book[unit].is_gun:
        return True
    if specials.immovable(pos, unit):
        if not disrupt(pos, unit, "SP-17.0"):
            eliminate(pos, unit, "SP-17.0")
        return False
    return not pos.units[unit].disrupted


@dataclass(slots=True)
class Rout(Procedure):
    """8.51 RETREAT: each of `fleeing` so many steps; a run is a retreat because of disruption."""

    seat: str
    fleeing: tuple[str, ...]
    distance: tuple[int, ...]
    """For each of them: 1, or its allowance."""
    runs: tuple[bool, ...]
    engaged: tuple[str, ...]
    """Enemy hexes that took part (8.511)."""
    lead: bool = True
    """Whether leaders go along (8.515); after DD and DE 11.13 takes its place."""
    led: tuple[str, ...] = ()
    went: tuple[tuple[str, ...], ...] = ()
    """(unit, from, to) of those who fell back."""
    waiting: tuple[str, ...] = ()
    """Friends who must check because somebody fled to them (8.513)."""
    checked: tuple[str, ...] = ()

    @rule("8.51")
    def assemble(self, pos: RedcoatsPosition) -> None:
        """Who is with them."""
        if self.lead:
            places = dict.fromkeys(pos.units[u].hex for u in self.fleeing)
            self.led = tuple(u for h in places for u in pos.leaders(self.seat, h))

    def flights(self, pos: RedcoatsPosition) -> tuple[Flight, ...]:
        listed = zip(self.fleeing, self.distance, self.runs, strict=True)
        found = []
        for unit, steps, runs in listed:
            mates = frozenset(gone for gone, start, _ in self.went if start == pos.units[unit].hex)
            found.append(Flight(pos, unit, steps, runs, self.engaged, mates))
        return tuple(found)

    def routes(self, pos: RedcoatsPosition) -> Options | None:
        if not self.fleeing:
            return None
        ask = f"where {', '.join(self.fleeing)} fall back"
        return Options(self.seat, (Routes(self.flights(pos)),), "retreat", ask)

    @chooses("8.51", routes)
    def flee(self, pos: RedcoatsPosition, move: Retreat) -> Perform | None:
        """Hex by hex, as their owner thinks fit; friends in enemy zones of control are shaken (8.513)."""
        number = self.fleeing.index(move.unit)
        flight = self.flights(pos)[number]
        start, end = flight.start, flight.ends(move.path)
        for name in ("fleeing", "distance", "runs"):
            kept = getattr(self, name)
            setattr(self, name, kept[:number] + kept[number + 1 :])
        if move.path:
            pos.go(move.unit, move.path[-1])
            pos.say(FellBack(move.unit, move.path[-1], (start, *move.path)))
            self._shake(pos, move)
        if end == LOST:
            eliminate(pos, move.unit, "8.514", "nowhere")
        elif end == LEFT:
            eliminate(pos, move.unit, "10.0", "left")
        else:
            self.went = (*self.went, (move.unit, start, move.path[-1]))
            specials.contact(pos, move.path[-1])
        met = tuple(u for h in move.path for u in pos.leaders(ENEMY[self.seat], h))
        if met:
            falls = 3 if pos.book[move.unit].arm is Arm.DRAGOON else 1
            return Perform(Casualty(ENEMY[self.seat], met, falls))
        return None

    def _shake(self, pos: RedcoatsPosition, move: Retreat) -> None:
        zone = pos.zoc(ENEMY[self.seat])
        for place in move.path:
            if place in zone:
                for friend in pos.combat(self.seat, place):
                    known = (*self.checked, *self.waiting, *self.fleeing, move.unit)
                    if friend not in known and not any(friend == gone[0] for gone in self.went):
                        self.waiting = (*self.waiting, friend)

    def shaken_dice(self, pos: RedcoatsPosition) -> Dice | None:
        return Dice(len(self.waiting), 10) if self.waiting else None

    @rolls("8.513", shaken_dice)
    def shaken(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> None:
        """One plain check each, once; who fails is disrupted and runs as well."""
        checks = [check(pos, unit, Cause()) for unit in self.waiting]
        for made, die in zip(checks, dice, strict=True):
            if not take(pos, made, die, "8.513"):
                disrupt(pos, made.unit, "8.513")
                if not pos.book[made.unit].is_gun:
                    self._runs_too(pos, made.unit)
        self.checked, self.waiting = (*self.checked, *self.waiting), ()

    def _runs_too(self, pos: RedcoatsPosition, unit: str) -> None:
        if self.lead:
            mates = pos.leaders(self.seat, pos.units[unit].hex)
            self.led = (*self.led, *(u for u in mates if u not in self.led))
        self.fleeing = (*self.fleeing, unit)
        self.distance = (*self.distance, pos.book[unit].ma)
        self.runs = (*self.runs, True)

    @rule("8.51")
    def all_gone(self, pos: RedcoatsPosition) -> Goto | None:
        """Until everybody who must has fallen back."""
        return Goto("flee") if self.fleeing else None

    def _ends(self, pos: RedcoatsPosition, leader: str) -> tuple[HexId, ...]:
        """8.515, 8.515-a: where a leader's troops are now; where he is, if some of them stand."""
        place = pos.units[leader].hex
        gone = [to for unit, start, to in self.went if start == place and unit in pos.units]
        stays = [place] if pos.combat(self.seat, place) else []
        return tuple(dict.fromkeys((*stays, *gone)))

    def _left(self, pos: RedcoatsPosition) -> tuple[str, ...]:
        return tuple(u for u in self.led if u in pos.units and self._ends(pos, u))

    def companies(self, pos: RedcoatsPosition) -> Options | None:
        left = self._left(pos)
        if not left:
            return None
        leader = left[0]
        moves = [Follow(leader, h) for h in self._ends(pos, leader)]

        def why(move: Follow) -> Refusal:
            if move.leader != leader:
                return Refusal("8.515", f"now it is {leader} who goes with his troops")
            return Refusal("8.515", f"his troops are in {', '.join(m.hex for m in moves)}")

        ask = f"with whom {leader} goes"
        return Options(self.seat, (Among(Follow, moves, "8.515", why),), "follow", ask)

    @chooses("8.515", companies)
    def follow(self, pos: RedcoatsPosition, move: Follow) -> Goto:
        """A leader retreats with those he is stacked with."""
        if pos.units[move.leader].hex != move.hex:
            pos.go(move.leader, move.hex)
            pos.say(WentAlong(move.leader, move.hex))
        self.led = tuple(u for u in self.led if u != move.leader)
        return Goto("follow")
