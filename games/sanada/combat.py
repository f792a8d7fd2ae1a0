"""4(5), 18.1, 19.1.1, 21.2.2: a Combat Phase: what is declared, how it is fought, and sieges after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.kit.families import Listed, Seldom
from games.sanada.assault import Storm
from games.sanada.battle import Battle
from games.sanada.moves import Assault, Attack, EndAssaults, EndAttacks, EndInvesting, Fight, Invest
from games.sanada.position import SanadaPosition
from games.sanada.refusals import Question, no_hex
from games.sanada.strength import Edge, fighters
from games.sanada.terms import ENEMY, INSIDE, hex_of, is_inside
from pbem.engine.events import Event
from pbem.engine.options import Among, Options, Refusal
from pbem.engine.procedure import Finish, Goto, Perform, Procedure, chooses, rule


class MustAttack(Event):
    says = "{force} must attack {defender} from {attacker}"
    force: str
    attacker: str
    defender: str


class SiegeBegan(Event):
    says = "{castle} is under siege"
    castle: str
    level: int


@dataclass(slots=True)
class CombatPhase(Procedure):
    """18, 19: battles, then assaults, of the phasing side."""

    seat: str
    edges: tuple[Edge, ...] = ()
    """Attacks that have not been fought."""
    marked: tuple[Edge, ...] = ()
    """Those that an engaged marker demands (21.2.2)."""
    chosen: str = ""
    """A hex of the battle that is next."""
    stood: tuple[str, ...] = ()
    """Castle hexes before whose gates an enemy stood when the phase began."""
    stormed: tuple[str, ...] = ()
    """Castle hexes that have been assaulted (19.1.6-b)."""

    @rule("21.2.2")
    def markers(self, pos: SanadaPosition) -> None:
        """Who placed a marker attacks, whoever's phase it is, unless he is spent by now (18.4.2)."""
        self.stood = tuple(
            pos.stronghold(castle).hex
            for castle, state in pos.castles.items()
            if pos.holder(pos.stronghold(castle).hex) == ENEMY[state.owner]
        )
        for marker in pos.engaged:
            edge = Edge(pos.units[marker.placer].hex, pos.units[marker.target].hex)
            if self._joined(edge) or pos.spent(pos.at(edge.attacker)):
                continue
            if edge.defender not in pos.data.map.near[edge.attacker]:
                continue
            self.marked = (*self.marked, edge)
            self.edges = (*self.edges, edge)
            pos.say(MustAttack(marker.placer, edge.attacker, edge.defender))

    def _joined(self, edge: Edge) -> bool:
        """Whether the two places fight each other already, in whichever roles."""
        return edge in self.edges or Edge(edge.defender, edge.attacker) in self.edges

    # --- 18.1: declaration

    def declarations(self, pos: SanadaPosition) -> Options:
        family = Listed(Attack, lambda: self._attacks(pos), lambda m: self.why_not(pos, m))
        ask = "declare attacks, or be done"
        early = Among(Assault, (), "19.1.1", lambda m: "assaults come when all battles are fought")
        return Question(self.seat, (Seldom(EndAttacks(), "18.1"), family, early), "attack", ask)

    @chooses("18.1", declarations)
    def declare(self, pos: SanadaPosition, move: Attack | EndAttacks) -> Goto | None:
        """All attacks are declared before the first is fought."""
        if isinstance(move, EndAttacks):
            return None
        self.edges = (*self.edges, Edge(move.place, move.hex))
        return Goto("declare")

    def _attacks(self, pos: SanadaPosition) -> Iterator[Attack]:
        foes, near = pos.index.standing[ENEMY[self.seat]], pos.data.map.near
        for place in pos.index.standing[self.seat]:
            for target in near[place]:
                if target in foes:
                    yield Attack(target, place)
        for place, units in pos.index.inside.items():
            if place in foes and pos.side(units[0]) == self.seat:
                yield Attack(place, place + INSIDE)

    def why_not(self, pos: SanadaPosition, move: Attack) -> Refusal | None:
        """18, 18.1, 18.4.2, 18.10: whether a place may attack a hex."""
        start = hex_of(move.place)
        refusal = no_hex(pos, move.hex) or no_hex(pos, start)
        if refusal:
            return refusal
        if move.place not in (start, start + INSIDE):
            return Refusal("18.1.1", f"{move.place} is no place: write a hex, or hex{INSIDE} for a garrison")
        units = pos.at(move.place)
        if not units or pos.side(units[0]) != self.seat:
            return Refusal("18", f"no Force of yours is in {move.place}")
        if is_inside(move.place) and move.hex != start:
            return Refusal("17.3.4", f"a garrison fights only in its own hex, {start}")
        if not is_inside(move.place) and move.hex not in pos.data.map.near[start]:
            return Refusal("18", f"{move.hex} is not adjacent to {start}, or water is between them")
        if pos.holder(move.hex) != ENEMY[self.seat]:
            garrison = bool(pos.at(move.hex + INSIDE))
            return Refusal("18.1.2" if garrison else "18", f"no enemy stands in the open of {move.hex}")
        if pos.spent(units):
            return Refusal("18.4.2", f"everybody in {move.place} is face-down")
        edge = Edge(move.place, move.hex)
        if self._joined(edge):
            return Refusal("18", f"{move.place} and {move.hex} fight each other already")
        if any(e.defender == move.place for e in self.marked):
            return Refusal("21.2.2", f"{move.place} is engaged: that battle is its one battle")
        return None

    # --- 18: one battle after the other

    def battles(self, pos: SanadaPosition) -> list[tuple[Edge, ...]]:
        """18.9: attacks that hang together are one battle; those with an empty end lapse (18.1-b)."""
        left = [e for e in self.edges if fighters(pos, e.attacker) and fighters(pos, e.defender)]
        found: list[tuple[Edge, ...]] = []
        while left:
            places = {left[0].attacker, left[0].defender}
            while True:
                more = {
                    p for e in left if {e.attacker, e.defender} & places for p in (e.attacker, e.defender)
                }
                if more <= places:
                    break
                places |= more
            found.append(tuple(e for e in left if e.attacker in places))
            left = [e for e in left if e.attacker not in places]
        return found

    def order(self, pos: SanadaPosition) -> Options | None:
        battles = self.battles(pos)
        if len(battles) < 2:
            return None
        hexes = tuple(dict.fromkeys(e.defender for battle in battles for e in battle))

        def why(move: Fight) -> Refusal | None:
            return (
                None if move.hex in hexes else Refusal("18.1", f"no battle was declared against {move.hex}")
            )

        family = Listed(Fight, lambda: (Fight(h) for h in hexes), why)
        return Question(self.seat, (family,), "order", "which battle is fought next?")

    @chooses("18.1", order)
    def choose(self, pos: SanadaPosition, move: Fight) -> None:
        """The phasing player says in which order."""
        self.chosen = move.hex

    @rule("18")
    def fight(self, pos: SanadaPosition) -> Perform | None:
        """One battle; its places fight no other in this phase."""
        battles = self.battles(pos)
        if not battles:
            self.edges = ()
            return None
        edges = next((b for b in battles if any(e.defender == self.chosen for e in b)), battles[0])
        self.chosen = ""
        self.edges = tuple(e for e in self.edges if e not in edges)
        attacks = any(self._side(pos, e.attacker) == self.seat for e in edges)
        first = self.seat if attacks else ENEMY[self.seat]
        places = dict.fromkeys(p for e in edges for p in (e.attacker, e.defender))
        own = tuple(p for p in places if self._side(pos, p) == first)
        return Perform(Battle(first, edges, own), then="choose")

    def _side(self, pos: SanadaPosition, place: str) -> str:
        return pos.side(pos.at(place)[0])

    # --- 19.1: assaults

    def storms(self, pos: SanadaPosition) -> Options | None:
        family = Listed(Assault, lambda: self._storms(pos), lambda m: self.why_no_storm(pos, m.hex))
        if not any(self.why_no_storm(pos, m.hex) is None for m in self._storms(pos)):
            return None
        return Question(
            self.seat, (Seldom(EndAssaults(), "19.1.1"), family), "assault", "assault, or be done"
        )

    def _storms(self, pos: SanadaPosition) -> Iterator[Assault]:
        return (Assault(c.hex) for c in pos.data.castles.values() if pos.at(c.hex))

    def why_no_storm(self, pos: SanadaPosition, place: str) -> Refusal | None:
        """19.1.2: whether a castle may be assaulted."""
        refusal = no_hex(pos, place)
        if refusal:
            return refusal
        castle = pos.castle_at(place)
        if castle is None or pos.castles[castle].owner == self.seat:
            return Refusal("19.1.2", f"no enemy castle is in {place}")
        if pos.holder(place) != self.seat:
            return Refusal("19.1.2", f"no Force of yours is in {place}")
        if place in self.stormed:
            return Refusal("19.1.6", f"{castle} has been assaulted in this phase")
        if pos.spent(fighters(pos, place)):
            return Refusal("18.4.2", f"everybody in {place} is face-down, or has retreated there")
        return None

    @chooses("19.1.1", storms)
    def storm(self, pos: SanadaPosition, move: Assault | EndAssaults) -> Perform | None:
        """Assaults come after all battles."""
        if isinstance(move, EndAssaults):
            return None
        castle = pos.castle_at(move.hex)
        assert castle is not None
        self.stormed = (*self.stormed, move.hex)
        return Perform(Storm(self.seat, castle, move.hex), then="storm")

    # --- 19.1.7, 19.2.1: sieges begun by an advance or after an assault

    def new_sieges(self, pos: SanadaPosition) -> tuple[str, ...]:
        """Hexes whose castle may be invested now."""
        return tuple(
            castle.hex
            for castle in pos.data.castles.values()
            if (castle.hex not in self.stood or castle.hex in self.stormed)
            and why_no_siege(pos, pos.holder(castle.hex) or self.seat, castle.hex) is None
        )

    def sieges(self, pos: SanadaPosition) -> Options | None:
        hexes = self.new_sieges(pos)
        if not hexes:
            return None
        seat = pos.holder(hexes[0])
        assert seat is not None
        own = tuple(h for h in hexes if pos.holder(h) == seat)

        def why(move: Invest) -> Refusal | None:
            if move.hex in own:
                return None
            rest = Refusal("19.2.1", f"nobody advanced to {move.hex} or assaulted it in this phase")
            return no_hex(pos, move.hex) or why_no_siege(pos, seat, move.hex) or rest

        family = Listed(Invest, lambda: (Invest(h) for h in own), why)
        return Question(seat, (Seldom(EndInvesting(), "19.1.7"), family), "invest", "invest, or be done")

    @chooses("19.1.7", sieges)
    def invest(self, pos: SanadaPosition, move: Invest | EndInvesting) -> Goto:
        """A castle entered by an advance, or whose assault was called off, may be invested."""
        if isinstance(move, EndInvesting):
            seat = pos.holder(self.new_sieges(pos)[0])
            declined = tuple(h for h in self.new_sieges(pos) if pos.holder(h) == seat)
            self.stood = (*self.stood, *declined)
            self.stormed = tuple(h for h in self.stormed if h not in declined)
        else:
            begin_siege(pos, move.hex)
        return Goto("invest")

    @rule("21.2.2")
    def clear(self, pos: SanadaPosition) -> Finish:
        """All markers come off; retreats are forgotten (18.7.8)."""
        pos.engaged, pos.routed = (), ()
        return Finish()


def why_no_siege(pos: SanadaPosition, seat: str, place: str) -> Refusal | None:
    """19.2.1, 19.2.2: whether a side may invest the castle of a hex."""
    castle = pos.castle_at(place)
    if castle is None or pos.castles[castle].owner == seat:
        return Refusal("19.2.1", f"no enemy castle is in {place}")
    if pos.castles[castle].siege is not None:
        return Refusal("19.2.3", f"{castle} is under siege already")
    if pos.holder(place) != seat:
        return Refusal("19.2.1", f"no Force of yours is in {place}")
    if not pos.can_invest(castle):
        inside = len(pos.at(place + INSIDE))
        return Refusal("19.2.2", f"{inside} units hold {castle}: more than that must stand outside")
    return None


def begin_siege(pos: SanadaPosition, place: str) -> None:
    """19.2.3: a siege begins at level 0."""
    castle = pos.castle_at(place)
    assert castle is not None
    pos.hold(castle, siege=0)
    pos.say(SiegeBegan(castle, 0, rule="19.2.3"))
