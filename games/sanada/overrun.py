"""20 OVERRUN: a moving Force attacks an adjacent hex for one round.

It is no Battle (20.1.3): no points for the defeat, no pursuit or advance by who overruns. The one Force
fights everybody in the open of the hex; those who stand beside it do not help (20-a).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from games.kit.families import Listed, Seldom
from games.kit.hexes import HexId
from games.sanada.battle import Advanced
from games.sanada.losses import Losses, suffer
from games.sanada.moves import Advance, GiveUp, Lose, Stand, Stay
from games.sanada.pieces import Marker
from games.sanada.position import SanadaPosition
from games.sanada.refusals import Question, not_leading
from games.sanada.retreat import Rout
from games.sanada.strength import REASON, Blow, Edge, clash, counted, place_strength, strength, strike
from games.sanada.terms import ENEMY
from games.sanada.victory import sudden
from pbem.engine.events import Event, Fact
from pbem.engine.options import Options, Refusal
from pbem.engine.procedure import Dice, Finish, Goto, Perform, Procedure, chooses, rolls, rule


class Overran(Event):
    says = "{force} overruns {hex}: {own}; {hex} {foes}"
    force: str
    hex: HexId
    own: Fact
    foes: Fact


class OverrunBlow(Blow):
    says = "{who} (rating {attack} to {defence}{reasons:?, {reasons:*" + REASON + "}|}): " + Blow.says
    who: str
    attack: int
    defence: int
    reasons: dict[str, int]


class EnteredHex(Event):
    says = "{force} enters {hex}"
    force: str
    hex: HexId


class BothEngaged(Event):
    says = "{force} and {hex} are engaged"
    force: str
    hex: HexId


@dataclass(slots=True)
class Onslaught(Procedure):
    """20.1: one round, and what comes of it."""

    seat: str
    force: str
    """The leader of the overrunning Force."""
    start: str
    target: str
    party: tuple[str, ...] = ()
    """Its units when it began."""
    part: str = ""
    """Whose hits and decision are being taken."""
    attack_hits: int = 0
    defence_hits: int = 0
    fled: tuple[str, ...] = ()
    """Sides that are beaten or give up."""

    def units(self, pos: SanadaPosition, side: str) -> tuple[str, ...]:
        """Who fights on a side and is left."""
        if side == self.seat:
            return tuple(u for u in self.party if u in pos.units)
        return pos.at(self.target) if pos.holder(self.target) == side else ()

    @rule("20.1.2")
    def begin_round(self, pos: SanadaPosition) -> None:
        """A standard combat of one round."""
        self.party, self.part = pos.force(self.force), self.seat
        foes = self.units(pos, ENEMY[self.seat])
        pos.say(Overran(self.force, self.target, counted(pos, self.party), counted(pos, foes)))

    @rolls("20.1.2", Dice(4, 6))
    def exchange(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """The overrunner's two dice, then the others'."""
        own, foes = self.party, self.units(pos, ENEMY[self.seat])
        found = clash(pos, Edge(self.start, self.target), own, foes)
        made = partial(OverrunBlow, attack=found.attack, defence=found.defence, reasons=found.reasons)
        self.defence_hits = strike(
            pos,
            partial(made, who=self.force),
            strength(pos, own),
            (dice[0], dice[1]),
            found.for_attacker,
            "20.1.2",
        )
        points = place_strength(pos, self.target, defends=True)
        self.attack_hits = strike(
            pos, partial(made, who=self.target), points, (dice[2], dice[3]), found.for_defender, "20.1.2"
        )
        for side, hits in ((self.seat, self.attack_hits), (ENEMY[self.seat], self.defence_hits)):
            if hits >= sum(not pos.units[u].down for u in self.units(pos, side)):
                self.fled = (*self.fled, side)

    def wounds(self, pos: SanadaPosition) -> Options | None:
        hits = self.attack_hits if self.part == self.seat else self.defence_hits
        if not hits:
            return None
        losses = Losses(pos, self.units(pos, self.part), hits)
        return Question(self.part, (losses,), "loss", f"{hits} hits: {losses.words()}")

    @chooses("18.3.5", wounds)
    def lose(self, pos: SanadaPosition, move: Lose) -> None:
        """As in a battle."""
        hits = self.attack_hits if self.part == self.seat else self.defence_hits
        suffer(pos, self.units(pos, self.part), hits, move, "18.3.5")

    def resolve(self, pos: SanadaPosition) -> Options | None:
        if self.fled:
            return None
        place = self.start if self.part == self.seat else self.target

        def why(named: str) -> Refusal | None:
            return None if named == place else Refusal("18.3.6", f"the question is about {place}")

        families = (
            Listed(Stand, lambda: iter((Stand(place),)), lambda m: why(m.place)),
            Listed(GiveUp, lambda: iter((GiveUp(place),)), lambda m: why(m.place), 0.3),
        )
        return Question(self.part, families, "stand", f"hold {place}, or give up")

    @chooses("20.1.2", resolve)
    def stand(self, pos: SanadaPosition, move: Stand | GiveUp) -> None:
        """After the round either side may retreat, the overrunner is asked first (20.1.2-a)."""
        if isinstance(move, GiveUp):
            self.fled = (*self.fled, self.part)

    @rule("18.3.4")
    def next_part(self, pos: SanadaPosition) -> Goto | Finish | None:
        """After the overrunner the others."""
        if self.part == self.seat:
            self.part = ENEMY[self.seat]
            return Goto("lose")
        return Finish() if sudden(pos) else None

    @rule("20.1.8")
    def repulsed(self, pos: SanadaPosition) -> Perform | None:
        """An overrunner who retreats may be pursued, unless the others retreat too (18.5)."""
        if self.seat not in self.fled:
            return None
        pursuers = () if len(self.fled) > 1 else (self.target,)
        left = self.units(pos, self.seat)
        if not left:
            return None
        return Perform(
            Rout(self.seat, self.start, (self.target,), pursuers, battle=False, last=False, beaten=left)
        )

    @rule("20.1.2")
    def driven_off(self, pos: SanadaPosition) -> Perform | None:
        """The others retreat, without pursuit (20.1.3)."""
        other = ENEMY[self.seat]
        if other not in self.fled or not self.units(pos, other):
            return None
        return Perform(Rout(other, self.target, (self.start,), battle=False, last=False))

    @rule("20.1.4")
    def enter(self, pos: SanadaPosition) -> Finish | None:
        """A successful Force moves in; if nobody retreats both are engaged (20.1.7)."""
        other = ENEMY[self.seat]
        if self.fled == (other,):
            if self.force in pos.units and pos.holder(self.target) != other:
                pos.go(self.force, self.target)
                pos.say(EnteredHex(self.force, self.target))
            return Finish()
        if self.fled:
            return None if self.fled == (self.seat,) else Finish()
        if self.force in pos.units:
            for leader in pos.leaders(self.target):
                pos.engaged = (*pos.engaged, Marker(self.force, leader))
            pos.say(BothEngaged(self.force, self.target, rule="20.1.7"))
        return Finish()

    def advances(self, pos: SanadaPosition) -> Options | None:
        side = ENEMY[self.seat]
        if pos.holder(self.start) == self.seat or pos.holder(self.target) != side:
            return None

        def why(move: Advance) -> Refusal | None:
            refusal = not_leading(pos, move.force, side, "18.8.2")
            if refusal:
                return refusal
            if pos.place(move.force) != self.target:
                return Refusal("18.8.2", f"{move.force} is not one of the winners")
            if move.hex != self.start:
                return Refusal("18.8.1", f"an advance goes into the hex of the beaten, {self.start}")
            return None

        def listed() -> Iterator[Advance]:
            return (Advance(leader, self.start) for leader in pos.leaders(self.target))

        families = (Listed(Advance, listed, why), Seldom(Stay(), "18.8.3"))
        return Question(side, families, "advance", f"advance to {self.start}, or stay")

    @chooses("20.1.8", advances)
    def advance(self, pos: SanadaPosition, move: Advance | Stay) -> Goto | Finish:
        """Whoever threw an overrun back may follow into the hex it came from."""
        if isinstance(move, Stay):
            return Finish()
        pos.go(move.force, move.hex)
        pos.say(Advanced(move.force, move.hex, rule="18.8"))
        return Goto("advance")
