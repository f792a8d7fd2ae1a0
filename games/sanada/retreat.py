"""18.6 to 18.7: what becomes of a beaten place: points, pursuit, retreat, and who goes home.

The same for a Battle, an Overrun and an Assault; only a Battle gives points for the defeat (20.1.3) and sends
lords home (25.1). Pursuit comes before the retreat (18.6-a).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from games.kit.families import Listed
from games.kit.hexes import HexId
from games.sanada.home import ReturnHome
from games.sanada.losses import Losses, suffer
from games.sanada.moves import Hold, Lose, Pursue, Retreat
from games.sanada.position import SanadaPosition
from games.sanada.refusals import Question, absent, no_hex
from games.sanada.strength import PURSUIT, Blow, fighters, rating, strength, strike
from games.sanada.terms import ENEMY, IEYASU, INSIDE, KANTO, hex_of, is_inside
from games.sanada.victory import commanders, defeat_points, eliminate_all, sudden
from pbem.engine.events import Event
from pbem.engine.options import Options, Refusal
from pbem.engine.procedure import Dice, Finish, Goto, Perform, Procedure, chooses, rolls, rule

FARTHEST = 3
"""18.7.1."""
REFUGE = "in"
"""The last word of a retreat into a castle (18.7.4)."""


def _closed(pos: SanadaPosition) -> Iterator[HexId]:
    """25.2.2: the hexes of unusable castles."""
    return (pos.stronghold(castle).hex for castle, state in pos.castles.items() if state.closed)


class Beaten(Event):
    says = "{seat} is beaten in {place}"
    seat: str
    place: str
    units: tuple[str, ...]


class PursuitMet(Event):
    says = "the pursuit is {averted:?averted|not averted}: {die} against {better}"
    die: int
    better: int
    averted: bool


class PursuitBlow(Blow):
    says = "pursuit from {place}, rating {own} to {foes} and {plus:+}: " + Blow.says
    place: str
    own: int
    foes: int
    plus: int


class WentBackInside(Event):
    says = "{units} {units:goes|go} back into the castle"
    units: tuple[str, ...]


class CannotRetreat(Event):
    says = "{force} cannot retreat"
    force: str
    units: tuple[str, ...]


class Retreated(Event):
    says = "{force} retreats by {path:& }"
    force: str
    path: tuple[str, ...]


class Harried(Event):
    says = "{force} is harried in {hex}"
    force: str
    hex: HexId
    hits: int


class TookRefuge(Event):
    says = "{force} takes refuge"
    force: str


class LeftCastle(Event):
    says = "{forces} {forces:leaves|leave} the castle in {hex}"
    hex: HexId
    forces: tuple[str, ...]


@dataclass(slots=True)
class Rout(Procedure):
    """18.6, 18.7: the Forces of one place have been beaten."""

    seat: str
    """Whose they are."""
    place: str
    foes: tuple[str, ...]
    """The places they fought."""
    pursuers: tuple[str, ...] = ()
    """Winners who may pursue."""
    battle: bool = True
    """False for an Overrun or an Assault."""
    last: bool = True
    """18.7.8: who retreats now cannot do so again in this phase; an Overrun is in another phase (20-d)."""
    expelled: bool = False
    """25.2.2: their castle is gone from under them."""
    slain: tuple[str, ...] = ()
    """Leaders who fell in the round that decided it; they count as beaten, too (26.2.1(9)-b)."""
    beaten: tuple[str, ...] = ()
    """Units that still have to retreat; unless given, everybody who fought there."""
    lord: bool = False
    """Whether Ieyasu led a Force here (25.1)."""
    hits: int = 0
    force: str = ""
    """The Force on the road …"""
    party: tuple[str, ...] = ()
    """… its units when it set out …"""
    path: tuple[str, ...] = ()
    """… and the rest of its way."""

    @rule("18.3.6")
    def defeat(self, pos: SanadaPosition) -> None:
        """The place is beaten; a Battle gives points for its leaders (26.2.1(9))."""
        self.beaten = self.beaten or fighters(pos, self.place)
        pos.say(Beaten(self.seat, self.place, self.beaten))
        if self.battle:
            self.lord = self.lord or any(u == IEYASU for u in self.beaten)
            defeat_points(pos, (*self.slain, *commanders(pos, self.beaten)))

    # --- 18.6: pursuit

    def _pursuer(self, pos: SanadaPosition) -> str | None:
        """The next place that may pursue, while somebody is left to be pursued."""
        if not self._left(pos):
            return None
        return next((p for p in self.pursuers if fighters(pos, p)), None)

    def _done(self, place: str) -> None:
        self.pursuers = tuple(p for p in self.pursuers if p != place)

    def chances(self, pos: SanadaPosition) -> Options | None:
        place = self._pursuer(pos)
        if place is None:
            return None
        families = (
            Listed(Pursue, lambda: iter((Pursue(place),)), lambda m: self._other(m.place, place)),
            Listed(Hold, lambda: iter((Hold(place),)), lambda m: self._other(m.place, place), 0.25),
        )
        return Question(ENEMY[self.seat], families, "pursuit", f"pursue {self.place} with {place}, or hold")

    def _other(self, named: str, place: str) -> Refusal | None:
        return None if named == place else Refusal("18.6", f"the question is about {place}")

    def _left(self, pos: SanadaPosition) -> tuple[str, ...]:
        return tuple(u for u in self.beaten if u in pos.units)

    @chooses("18.6", chances)
    def pursue(self, pos: SanadaPosition, move: Pursue | Hold) -> Goto | None:
        """Each winning place may pursue once, hex by hex."""
        if isinstance(move, Hold):
            self._done(move.place)
            return Goto("pursue")
        return None

    def better(self, pos: SanadaPosition) -> int:
        """18.6.2: by how much the pursued are rated higher, without terrain."""
        place = self._pursuer(pos)
        if place is None:
            return 0
        return rating(pos, self._left(pos)) - rating(pos, fighters(pos, place))

    def avert_die(self, pos: SanadaPosition) -> Dice | None:
        return Dice(1, 6) if self.better(pos) > 0 else None

    @rolls("18.6.2", avert_die)
    def avert(self, pos: SanadaPosition, dice: tuple[int, ...]) -> Goto | None:
        """Better commanders slip away on a die that is not higher than the difference."""
        averted = dice[0] <= self.better(pos)
        pos.say(PursuitMet(dice[0], self.better(pos), averted))
        if averted:
            self.pursuers = tuple(p for p in self.pursuers if p != self._pursuer(pos))
            return Goto("pursue")
        return None

    def pursuit_dice(self, pos: SanadaPosition) -> Dice | None:
        return Dice(2, 6) if self._pursuer(pos) else None

    @rolls("18.6.1", pursuit_dice)
    def pursuit(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """One round, one-sided, without terrain, and three more on the dice."""
        place = self._pursuer(pos)
        assert place is not None
        self._done(place)
        units = fighters(pos, place)
        own, foes = rating(pos, units), rating(pos, self._left(pos))
        made = partial(PursuitBlow, place=place, own=own, foes=foes, plus=PURSUIT)
        self.hits = strike(pos, made, strength(pos, units), dice, own - foes + PURSUIT, "18.6.1")

    def wounds(self, pos: SanadaPosition) -> Options | None:
        if not self.hits or not self._left(pos):
            return None
        losses = Losses(pos, self._left(pos), self.hits)
        return Question(self.seat, (losses,), "loss", losses.words())

    @chooses("18.3.5", wounds)
    def bleed(self, pos: SanadaPosition, move: Lose) -> None:
        """The pursued suffer."""
        suffer(pos, self._left(pos), self.hits, move, "18.3.5")
        sudden(pos)

    @rule("18.6")
    def next_pursuer(self, pos: SanadaPosition) -> Goto | None:
        """The next place that may pursue, if somebody is left."""
        self.hits = 0
        return Goto("pursue") if self._pursuer(pos) else None

    # --- 18.7: retreat

    @rule("18.7.8")
    def guests(self, pos: SanadaPosition) -> Goto | None:
        """Who retreated into this hex in the same phase cannot retreat again."""
        trapped = [u for u in pos.at(self.place) if u in pos.routed]
        if trapped and not is_inside(self.place):
            self.lord = self.lord or (self.battle and IEYASU in trapped)
            eliminate_all(pos, trapped, "18.7.8")
            sudden(pos)
        self.beaten = self._left(pos)
        if is_inside(self.place) and self.beaten and not self.expelled:
            pos.say(WentBackInside(self.beaten, rule="18.10.1"))
            return Goto("lords")
        return None

    def forces(self, pos: SanadaPosition) -> tuple[str, ...]:
        """The Forces that have yet to go."""
        return tuple(u for u in self.beaten if u in pos.units and not pos.units[u].under)

    @rule("18.7.7")
    def cut_off(self, pos: SanadaPosition) -> Goto | None:
        """A Force without a hex to go to is removed."""
        for leader in self.forces(pos):
            if not self._first_steps(pos, leader):
                units = pos.force(leader)
                pos.say(CannotRetreat(leader, units))
                eliminate_all(pos, units, "18.7.7")
        if sudden(pos) or not self.forces(pos):
            return Goto("lords")
        return None

    def ways(self, pos: SanadaPosition) -> Options | None:
        if not self.forces(pos):
            return None
        family = Listed(Retreat, lambda: self._retreats(pos), lambda m: self._why_not(pos, m))
        ask = f"retreat {', '.join(self.forces(pos))} 1 to {FARTHEST} hexes from {', '.join(self.foes)}"
        return Question(self.seat, (family,), "retreat", ask)

    @chooses("18.7.6", ways)
    def retreat(self, pos: SanadaPosition, move: Retreat) -> None:
        """Force by Force, by a way that its owner chooses."""
        self.force, self.path, self.party = move.force, move.path, pos.force(move.force)
        if self.last:
            pos.routed = (*pos.routed, *self.party)
        self.beaten = tuple(u for u in self.beaten if u not in self.party)
        pos.say(Retreated(move.force, move.path))

    @rule("18.7.3")
    def fall_back(self, pos: SanadaPosition) -> Goto | None:
        """One hex of the way; it costs no movement points."""
        if self.force not in pos.units:
            self.path = ()
        if not self.path or self.path[0] == REFUGE:
            return Goto("refuge")
        there, self.path = self.path[0], self.path[1:]
        danger = there in pos.index.zone(ENEMY[self.seat])
        pos.go(self.force, there)
        self.hits = 1 if danger else 0
        return None if danger else Goto("fall_back")

    def scratch(self, pos: SanadaPosition) -> Options | None:
        if not self.hits:
            return None
        losses = Losses(pos, pos.force(self.force), 1, "18.7.5")
        return Question(self.seat, (losses,), "loss", losses.words())

    @chooses("18.7.5", scratch)
    def harried(self, pos: SanadaPosition, move: Lose) -> Goto:
        """Every hex in an enemy zone costs a hit; if the leader falls, his men stay there (7-a)."""
        self.hits = 0
        pos.say(Harried(self.force, pos.units[self.force].hex, 1))
        suffer(pos, pos.force(self.force), 1, move, "18.7.5")
        sudden(pos)
        return Goto("fall_back")

    def crowd(self, pos: SanadaPosition) -> Options | None:
        if self.path != (REFUGE,) or self.force not in pos.units:
            return None
        castle = pos.castle_at(pos.units[self.force].hex)
        assert castle is not None
        surplus = len(pos.force(self.force)) - pos.room(castle)
        if surplus <= 0:
            return None
        family = Surplus(pos, pos.force(self.force), surplus)
        return Question(self.seat, (family,), "surplus", f"the castle is too small: give up {surplus} units")

    @chooses("18.7.4", crowd)
    def refuge(self, pos: SanadaPosition, move: Lose) -> None:
        """Who finds no room in the castle is given up."""
        eliminate_all(pos, move.units, "18.7.4")
        sudden(pos)

    @rule("18.7.4")
    def shelter(self, pos: SanadaPosition) -> Goto:
        """The Force goes into the castle at the end of its way, if it wants to."""
        if self.path == (REFUGE,):
            for unit in self.party:
                if unit in pos.units and not pos.units[unit].under:
                    pos.shelter(unit, True)
            pos.say(TookRefuge(self.force))
        self.force, self.path, self.party = "", (), ()
        return Goto("cut_off")

    # --- 25.1: Ieyasu beaten

    @rule("25.1")
    def lords(self, pos: SanadaPosition) -> Perform | Finish:
        """If Ieyasu was beaten in Battle, the outer lords think again."""
        if self.lord and self.battle and pos.outcome is None:
            return Perform(ReturnHome(), then="come_out")
        return Finish()

    @rule("25.2.2")
    def come_out(self, pos: SanadaPosition) -> Perform | Goto | Finish:
        """Who is left in an unusable castle steps out, or retreats from enemies at its gate, unpursued."""
        place = next((h for h in _closed(pos) if pos.at(h + INSIDE)), None)
        if place is None:
            return Finish()
        if pos.holder(place) == ENEMY[KANTO]:
            rout = Rout(KANTO, place + INSIDE, (place,), battle=False, expelled=True)
            return Perform(rout, then="come_out")
        leaders = pos.leaders(place + INSIDE)
        for leader in leaders:
            pos.shelter(leader, False)
        pos.say(LeftCastle(place, leaders))
        return Goto("come_out")

    # --- where a retreat may go

    def _steps(self, pos: SanadaPosition, here: HexId) -> Iterator[HexId]:
        for there in pos.data.map.near[here]:
            if self.why_no_step(pos, here, there) is None:
                yield there

    def why_no_step(self, pos: SanadaPosition, here: HexId, there: HexId) -> Refusal | None:
        """18.7.1-a, 18.7.3: away from the enemy and not through him."""
        if there not in pos.data.map.near[here]:
            return Refusal("18.7.3", f"nobody can go from {here} to {there}")
        if there in pos.index.standing[ENEMY[self.seat]]:
            return Refusal("18.7.3", f"the enemy is in {there}")
        distance = pos.data.map.distance
        gains = [distance(there, hex_of(f)) - distance(here, hex_of(f)) for f in self.foes]
        if min(gains) < 0 or max(gains) <= 0:
            return Refusal("18.7.1", f"{there} is not away from the enemy")
        return None

    def _first_steps(self, pos: SanadaPosition, leader: str) -> bool:
        return next(self._steps(pos, pos.units[leader].hex), None) is not None

    def _retreats(self, pos: SanadaPosition) -> Iterator[Retreat]:
        for leader in self.forces(pos):
            ways: list[tuple[HexId, ...]] = [()]
            for way in ways:
                here = way[-1] if way else pos.units[leader].hex
                if way:
                    yield Retreat(leader, way)
                    if self._why_no_refuge(pos, here) is None:
                        yield Retreat(leader, (*way, REFUGE))
                if len(way) < FARTHEST:
                    ways.extend((*way, there) for there in self._steps(pos, here))

    def _why_no_refuge(self, pos: SanadaPosition, place: HexId) -> Refusal | None:
        castle = pos.castle_at(place)
        if castle is None or pos.castles[castle].owner != self.seat:
            return Refusal("18.7.4", f"no castle of yours is in {place}")
        if pos.room(castle) < 1:
            return Refusal("18.7.4", f"the castle in {place} is full")
        return None

    def _why_not(self, pos: SanadaPosition, move: Retreat) -> Refusal | None:
        if move.force not in pos.units:
            return absent(pos, move.force, "18.7.2")
        if move.force not in self.forces(pos):
            return Refusal("18.7.2", f"{move.force} leads no Force that has to retreat")
        way = move.path[:-1] if move.path[-1:] == (REFUGE,) else move.path
        if not 1 <= len(way) <= FARTHEST:
            return Refusal("18.7.1", f"a retreat is 1 to {FARTHEST} hexes long, not {len(way)}")
        here = pos.units[move.force].hex
        for there in way:
            refusal = no_hex(pos, there) or self.why_no_step(pos, here, there)
            if refusal:
                return refusal
            here = there
        return self._why_no_refuge(pos, here) if len(way) < len(move.path) else None


class Surplus(Losses):
    """18.7.4: which units are given up at a castle's gate."""

    def __init__(self, pos: SanadaPosition, units: tuple[str, ...], count: int) -> None:
        super().__init__(pos, units, 0, "18.7.4")
        self.removes, self.among, self.count = True, self.units, count
