"""3.0 SEQUENCE and 5.0 CHITS: turns, the cup, and what a drawn chit sets going."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from games.kawagoe.attack import CombatPhase
from games.kawagoe.command import generals, under
from games.kawagoe.movement import Movement
from games.kawagoe.moves import Activate, Deploy, PutChits
from games.kawagoe.position import ENEMY, KawagoePosition
from games.kawagoe.printed import ANTI, HOJO, SAGAMI, UJIYASU_ARMY
from games.kawagoe.setup import Deployments, SetUp, arrival
from games.kawagoe.victory import Scoring, castle_taken
from pbem.engine.events import Event
from pbem.engine.handles import seat_of
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.position import Unlawful
from pbem.engine.procedure import Drawn, Goto, Perform, Procedure, chooses, draws, fills_secretly, rule

SLOTS = {HOJO: 2, ANTI: 3}
"""3.2(1): how many chits each side puts in."""


class TurnBegan(Event):
    says = "turn {turn}"
    turn: int


@dataclass(slots=True)
class Game(Procedure):
    """3.0 THE GAME: set-up, six turns, victory."""

    @rule("4.0")
    def set_up(self, pos: KawagoePosition) -> Perform:
        """The garrison, then the besiegers; the relief comes later."""
        return Perform(SetUp())

    @rule("3.1")
    def turns(self, pos: KawagoePosition) -> Perform:
        """Six turns, unless a sudden death ends the game earlier."""
        if pos.turn >= pos.pack.scenarios[pos.scenario].turns:
            return Perform(Scoring())
        pos.turn += 1
        pos.say(TurnBegan(pos.turn))
        return Perform(Turn(), then="turns")


def kinds(pos: KawagoePosition, chits: tuple[str, ...]) -> list[str]:
    """The kinds of some chits; "" for what is no chit."""
    known = pos.pack.chits
    return [known[c].kind if c in known else "" for c in chits]


def unlawful(pos: KawagoePosition, seat: str, chits: tuple[str, ...]) -> Refusal | None:
    """5.12, 5.13, 5.31: what is wrong with putting these chits in, whole or in part."""
    number = "5.12" if seat == HOJO else "5.13"
    for chit in chits:
        if chit not in pos.pack.chits or pos.pack.chits[chit].side != seat:
            return Refusal(number, f"{chit} is no chit of {seat}")
        if chits.count(chit) > pos.pack.chits[chit].count:
            return Refusal(number, f"there is no other chit {chit}")
    found = kinds(pos, chits)
    if "katta" in found and pos.spent:
        return Refusal("5.31", "勝った勝った has been used in an earlier turn")
    if found.count("general") > 1:
        return Refusal("5.13", "only one of the chits may be for a general")
    return None


class Choices(Family[PutChits]):
    """The sets of chits that a side may put in, in any order."""

    kind = PutChits

    def __init__(self, pos: KawagoePosition, seat: str) -> None:
        self.pos, self.seat = pos, seat

    def moves(self, view: View) -> Iterator[PutChits]:
        mine = [c.id for c in self.pos.pack.chits.values() if c.side == self.seat for _ in range(c.count)]
        for some in dict.fromkeys(combinations(mine, SLOTS[self.seat])):
            if not unlawful(self.pos, self.seat, some):
                yield PutChits(some)

    def why_not(self, move: PutChits, view: View) -> Refusal | None:
        if len(move.chits) != SLOTS[self.seat]:
            return Refusal("5.11", f"{self.seat} puts in {SLOTS[self.seat]} chits")
        return unlawful(self.pos, self.seat, move.chits)


class ChitDrawn(Event):
    says = "{drawer} draws {chit}"
    drawer: str
    chit: str
    seat: str
    left: dict[str, int]
    """How many chits of each side are still in the cup."""


class ChitVoid(Event):
    says = "{chit} is void: no general is left"
    chit: str


class CastleTaken(Event):
    says = "the besiegers hold every hex of the castle"


@dataclass(slots=True)
class Turn(Procedure):
    """3.2 A TURN: chits go into the cup and come out one by one until it is empty."""

    def choices(self, pos: KawagoePosition) -> list[Options]:
        return [
            Options(
                seat,
                (Choices(pos, seat),),
                "chits",
                f"{SLOTS[seat]} chits for the cup",
                slots=SLOTS[seat],
            )
            for seat in (HOJO, ANTI)
        ]

    @fills_secretly("5.11", choices)
    def fill(self, pos: KawagoePosition, slots: Mapping[str, tuple[Handle, ...]]) -> None:
        """Each side puts its chits into the one cup, unseen."""
        pos.cup = tuple(handle for seat in (HOJO, ANTI) for handle in slots[seat])
        pos.drawn = ()

    def in_cup(self, pos: KawagoePosition) -> tuple[Handle, ...] | None:
        return pos.cup or None

    @draws("3.2", in_cup, opened=True)
    def draw(self, pos: KawagoePosition, drawn: Drawn) -> Goto | Perform:
        """Hojo make the first draw of the game, later whoever was not active last (3.2-a)."""
        pos.cup = tuple(h for h in pos.cup if h != drawn.handle)
        chit, seat = drawn.value, seat_of(drawn.handle)
        earlier = tuple(c for c in pos.drawn if pos.pack.chits[c].side == seat)
        wrong = unlawful(pos, seat, (*earlier, chit))
        if wrong:
            raise Unlawful(seat, wrong.rule, wrong.reason)
        pos.drawn = (*pos.drawn, chit)
        left = {side: sum(seat_of(h) == side for h in pos.cup) for side in (HOJO, ANTI)}
        pos.say(ChitDrawn(pos.drawer, chit, seat, left))
        kind = pos.pack.chits[chit]
        if kind.kind == "general" and not any(generals(pos, kind.house)):
            pos.say(ChitVoid(chit, rule="5.56"))
            return Goto("draw")
        pos.drawer = ENEMY[seat]
        return Perform(Activation(chit), then="draw")

    @rule("13.4")
    def over(self, pos: KawagoePosition) -> None:
        """When the cup is empty: 勝った勝った is spent (5.31), and a castle that is lost ends the game."""
        pos.spent = pos.spent or "katta" in kinds(pos, pos.drawn)
        pos.drawn = ()
        if castle_taken(pos):
            pos.end((ANTI,), CastleTaken(), level="decisive")


class GeneralDisordered(Event):
    says = "{general} is in disorder: nobody moves or attacks"
    general: str


class Recovered(Event):
    says = "{unit} recovers"
    unit: str


@dataclass(slots=True)
class Activation(Procedure):
    """5.0 ACTIVATION: arrivals, movement, combat and recovery of whoever the chit names."""

    chit: str
    general: str = ""

    def seat(self, pos: KawagoePosition) -> str:
        """5.14: the owner of the chit is the phasing player."""
        return str(pos.pack.chits[self.chit].side)

    def relief(self, pos: KawagoePosition) -> Options | None:
        return self._arrival(pos, UJIYASU_ARMY)

    def reinforcements(self, pos: KawagoePosition) -> Options | None:
        return self._arrival(pos, SAGAMI)

    def _arrival(self, pos: KawagoePosition, group: str) -> Options | None:
        due = arrival(pos, group) if self.seat(pos) == HOJO else None
        if due is None:
            return None
        return Options(
            HOJO, (Deployments(pos, (due,)),), "deploy", f"where the units of {group} come onto the map"
        )

    @chooses("4.3", relief)
    def relieve(self, pos: KawagoePosition, move: Deploy) -> None:
        """With the first Hojo chit of turn 1 Ujiyasu's army arrives, and acts at once."""
        self._arrive(pos, move)

    @chooses("4.4", reinforcements)
    def reinforce(self, pos: KawagoePosition, move: Deploy) -> None:
        """With the first Hojo chit of turn 4 the men of Sagami arrive (12.0)."""
        self._arrive(pos, move)

    def _arrive(self, pos: KawagoePosition, move: Deploy) -> None:
        due = arrival(pos, move.group)
        assert due is not None
        due.carry_out(pos, move)

    def candidates(self, pos: KawagoePosition) -> Options | None:
        kind = pos.pack.chits[self.chit]
        if kind.kind != "general":
            return None
        listed = [Activate(unit) for unit in generals(pos, kind.house)]
        choice = Among(Activate, listed, "5.51", lambda m: f"{m.general} is no living general of that house")
        return Options(ANTI, (choice,), "general", "which general acts")

    @chooses("5.51", candidates)
    def choose(self, pos: KawagoePosition, move: Activate) -> Goto | None:
        """One general of the house acts; one in disorder does nothing but recover (5.55)."""
        self.general = move.general
        if not pos.units[move.general].disordered:
            return None
        pos.say(GeneralDisordered(move.general, rule="5.55"))
        return Goto("recover")

    @rule("3.2")
    def move(self, pos: KawagoePosition) -> Perform:
        """Movement phase."""
        return Perform(Movement(self.seat(pos), self.chit, self.general))

    @rule("3.2")
    def fight(self, pos: KawagoePosition) -> Perform:
        """Combat phase."""
        return Perform(CombatPhase(self.seat(pos), self.chit, self.general))

    @rule("6.42")
    def recover(self, pos: KawagoePosition) -> None:
        """Recovery phase, besiegers only: first the units in range of an active general in order, then the
        active generals themselves, so that a general who has just recovered helps nobody."""
        kind = pos.pack.chits[self.chit]
        if kind.side == HOJO:
            return
        active = [self.general] if self.general else list(generals(pos, kind.house))
        active = [general for general in active if general in pos.units]
        men = [unit for general in active for unit in under(pos, general) if pos.units[unit].disordered]
        for unit in dict.fromkeys((*men, *(g for g in active if pos.units[g].disordered))):
            pos.disorder(unit, False)
            pos.say(Recovered(unit))
