"""14 to 17, 19.2, 20 to 22: a phase in which one side's Forces act, one after the other.

In the Movement Phase a Force simply begins; in the Reaction and Forced March Phases it must pass an Action
Point Check (15). Whoever acts may first reorganise in its place (16), then spends points until it halts;
`done` holds every unit that has used up its phase: moved, failed, marked or dug in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from games.kit.families import Listed, Seldom
from games.kit.hexes import HexId
from games.sanada.arrivals import Joined
from games.sanada.attrition import attrition
from games.sanada.combat import begin_siege
from games.sanada.deeds import Deeds, deeds, investing
from games.sanada.losses import Losses, suffer
from games.sanada.moves import (
    Act,
    Check,
    Detach,
    EndMoves,
    Engage,
    Fort,
    Garrison,
    Halt,
    Invest,
    Join,
    Leave,
    Lose,
    March,
    Overrun,
)
from games.sanada.overrun import Onslaught
from games.sanada.paths import ALLOWANCE, EXIT, STRATEGIC, Traveller, find_way, step_price
from games.sanada.pieces import Marker
from games.sanada.position import SanadaPosition
from games.sanada.refusals import Question, not_leading
from games.sanada.supply import supplied
from games.sanada.terms import ENEMY
from games.sanada.victory import sudden
from pbem.engine.events import Event
from pbem.engine.options import PUBLIC, Options, Refusal
from pbem.engine.procedure import Dice, Finish, Goto, Perform, Procedure, chooses, rolls, rule


class Kind(StrEnum):
    """The three kinds of phase in which Forces act (4)."""

    MOVEMENT = "movement"
    REACTION = "reaction"
    FORCED = "forced march"


class ActionChecked(Event):
    says = "{force} {passed:?passes|fails}: {die} against {action}"
    force: str
    die: int
    action: int
    passed: bool


class Engaged(Event):
    says = "{placer} engages {target}"
    placer: str
    target: str


class WentInside(Event):
    says = "{force} goes into the castle"
    force: str


class CameOutside(Event):
    says = "{force} comes out of the castle"
    force: str


class FortBuilt(Event):
    says = "{force} builds a fort in {hex}"
    force: str
    hex: HexId


class Detached(Event):
    says = "{unit} is on its own"
    unit: str


class Marched(Event):
    says = "{force} to {hex} for {cost:# point|# points}, {used} used"
    force: str
    hex: HexId
    path: tuple[HexId, ...]
    cost: int
    used: int
    left: int


class WentOn(Event):
    says = "{force} goes on from {hex}, {used:# point|# points} used"
    force: str
    hex: HexId
    used: int


@dataclass(slots=True)
class MovingPhase(Procedure):
    """4(2)-(4): Forces of one side act."""

    seat: str
    kind: Kind = Kind.MOVEMENT
    done: tuple[str, ...] = ()
    """Units that cannot act any more in this phase."""
    actor: str = ""
    """The leader of the Force that is acting."""
    used: int = 0
    """Points it has spent."""
    fed: bool = False
    """Whether it began in supply (14.3)."""
    zoned: bool = False
    """Whether it has entered an enemy zone, or overrun somebody: no strategic march any more."""
    hits: int = 0
    target: str = ""
    """The hex that it overruns …"""
    toll: int = 0
    """… the points for entering it …"""
    party: tuple[str, ...] = ()
    """… and its units when it began to."""

    # --- who acts

    def orders(self, pos: SanadaPosition) -> Options:
        acts = self.kind is Kind.MOVEMENT

        def acting() -> Iterator[Act]:
            return map(Act, self._leaders(pos) if acts else ())

        def checking() -> Iterator[Check]:
            return map(Check, () if acts else self._leaders(pos))

        families = (
            Seldom(EndMoves(), "14.2.4", 0.12),
            Listed(Act, acting, lambda m: self.why_not_act(pos, m.force, acts)),
            Listed(Check, checking, lambda m: self.why_not_act(pos, m.force, not acts)),
            investing(pos, self.seat),
        )
        return Question(self.seat, families, "act", f"{self.kind}: which Force acts, or be done")

    def _leaders(self, pos: SanadaPosition) -> Iterator[str]:
        return (u for u in pos.index.forces if pos.side(u) == self.seat)

    def why_not_act(self, pos: SanadaPosition, leader: str, fits: bool) -> Refusal | None:
        """14.2.1, 15, 21.2.1, S1-5: whether a Force may act; `fits`: by such an order."""
        if not fits:
            right = "act" if self.kind is Kind.MOVEMENT else "check"
            return Refusal("15", f"in a {self.kind} phase a Force begins with `{right} {leader}`")
        refusal = not_leading(pos, leader, self.seat, "14.2.1")
        if refusal:
            return refusal
        if pos.pinned(leader):
            placed = leader in self.done and any(m.placer == leader for m in pos.engaged)
            return Refusal("21.1.2" if placed else "21.2.1", f"{leader} is engaged")
        if leader in self.done:
            number = "14.2.1" if self.kind is Kind.MOVEMENT else "15.1.3"
            return Refusal(number, f"{leader} has acted in this phase")
        for unit in pos.force(leader):
            if unit in pos.frozen:
                return Refusal(f"{pos.play.rule}-5", f"{unit} cannot move yet")
            if unit in self.done:
                return Refusal("14.2.1", f"{unit} has acted in this phase")
        return self._why_idle(pos, leader) if self.kind is Kind.MOVEMENT else None

    def _why_idle(self, pos: SanadaPosition, leader: str) -> Refusal | None:
        """Whether a Force would have nothing to do but halt: it would begin and end without a word, and a
        short order that lets it begin would never come to its end."""
        piece = pos.units[leader]
        if not piece.inside and piece.hex not in pos.forts:
            return None  # it may dig in
        begun = replace(self, actor=leader, used=0, zoned=False)
        if piece.inside and Deeds(pos, begun).why_no_leave(Leave(leader)) is None:
            return None
        if any(not isinstance(move, Halt) for move in begun.orders_of_actor(pos).list(PUBLIC)):
            return None
        if piece.inside and pos.holder(piece.hex) == ENEMY[self.seat]:
            return Refusal("17.3.3", f"{leader} can do nothing: the enemy is before the gate")
        return Refusal("14.2.3", f"{leader} can do nothing: every way is closed to it")

    @chooses("14", orders)
    def act(self, pos: SanadaPosition, move: Act | Check | EndMoves | Invest) -> Goto | Finish | None:
        """As many Forces as the player likes, one after the other."""
        if isinstance(move, EndMoves):
            return Finish()
        if isinstance(move, Invest):
            begin_siege(pos, move.hex)
            return Goto("act")
        self.actor, self.used, self.zoned = move.force, 0, False
        return None

    # --- 15: Action Point Checks

    def check_die(self, pos: SanadaPosition) -> Dice | None:
        if self.kind is Kind.MOVEMENT or pos.unit(self.actor).action >= 6:
            return None
        return Dice(1, 6)

    @rolls("15.1.1", check_die)
    def check(self, pos: SanadaPosition, dice: tuple[int, ...]) -> Goto | None:
        """A die of the leader's action points or less passes (7.4)."""
        action = pos.unit(self.actor).action
        passed = dice[0] <= action
        pos.say(ActionChecked(self.actor, dice[0], action, passed))
        return Goto("set_out") if passed else Goto("wear")

    @rule("15.1.1")
    def checked(self, pos: SanadaPosition) -> Goto:
        """Without a die there is nothing to fail."""
        return Goto("set_out")

    @rolls("12.2.1", Dice(1, 6))
    def wear(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """15.1.2: who fails suffers attrition at once, and does not move."""
        units = pos.force(self.actor)
        self.done = (*self.done, *units)
        self.hits = attrition(pos, self.actor, dice[0], not supplied(pos, self.actor))

    def worn(self, pos: SanadaPosition) -> Options | None:
        if not self.hits:
            return None
        losses = Losses(pos, pos.force(self.actor), self.hits, "12.2.2")
        return Question(self.seat, (losses,), "attrition", f"attrition {self.hits}: {losses.words()}")

    @chooses("12.2.2", worn)
    def attrit(self, pos: SanadaPosition, move: Lose) -> None:
        """Face-up units are flipped, then units are removed (12.2.3)."""
        suffer(pos, pos.force(self.actor), self.hits, move, "12.2.2")
        sudden(pos)

    @rule("15.1.2")
    def failed(self, pos: SanadaPosition) -> Goto:
        """The next Force may try."""
        self.actor, self.hits = "", 0
        return Goto("act")

    # --- 14, 16, 17, 20-22: what it does

    @rule("14.3")
    def set_out(self, pos: SanadaPosition) -> None:
        """Supply as it is now decides whether it may march strategically."""
        self.fed = supplied(pos, self.actor)

    def traveller(self, pos: SanadaPosition) -> Traveller:
        """The Force as far as its ways depend on it."""
        piece = pos.units[self.actor]
        used = self.used + (EXIT if piece.inside else 0)
        spent = pos.spent(pos.force(self.actor))
        return Traveller(self.seat, piece.hex, used, self.fed and not self.zoned, spent)

    def orders_of_actor(self, pos: SanadaPosition) -> Options:
        ask = f"what does {self.actor} do (points used: {self.used}), or halt"
        return Question(self.seat, deeds(pos, self), "move", ask)

    @chooses("14.2.3", orders_of_actor)
    def deed(self, pos: SanadaPosition, move: object) -> Goto | Perform:
        """Reorganise first; then go from hex to hex, in and out of castles, overrun, engage, dig in."""
        match move:
            case Halt():
                return self._halt(pos)
            case March():
                self._march(pos, move.hex)
            case Overrun():
                start = pos.units[self.actor].hex
                self.target, self.party = move.hex, pos.force(self.actor)
                self.toll = step_price(pos, self.seat, start, move.hex)
                return Perform(Onslaught(self.seat, self.actor, start, move.hex), then="overrun")
            case Engage():
                pos.engaged = (*pos.engaged, Marker(self.actor, move.target))
                self.used += 1
                pos.say(Engaged(self.actor, move.target, rule="21.1.2"))
                return self._halt(pos)
            case Garrison():
                pos.shelter(self.actor, True)
                self.used += 1
                pos.say(WentInside(self.actor, rule="17.1.1"))
            case Leave():
                self.used += EXIT
                pos.shelter(self.actor, False)
                pos.say(CameOutside(self.actor, rule="17.1.2"))
            case Fort():
                self.used = ALLOWANCE
                place = pos.units[self.actor].hex
                pos.forts = dict(sorted({**pos.forts, place: self.seat}.items()))
                pos.say(FortBuilt(self.actor, place, rule="22.1"))
                return self._halt(pos)
            case Join():
                members = pos.force(move.leader)
                pos.regroup([(*members, move.unit)])
                pos.say(Joined(move.unit, move.leader, (*members, move.unit), rule="16.1.1"))
            case Detach():
                pos.regroup([(move.unit,)])
                pos.say(Detached(move.unit, rule="16.1.1"))
            case Invest():
                begin_siege(pos, move.hex)
        return Goto("deed")

    def _halt(self, pos: SanadaPosition) -> Goto:
        """A Force that has spent points, or passed a check, is done (14.2.1, 15.1.3)."""
        if self.used or self.kind is not Kind.MOVEMENT:
            self.done = (*self.done, *pos.force(self.actor))
        self.actor = ""
        return Goto("act")

    def _enter_zone(self, pos: SanadaPosition, path: tuple[str, ...]) -> None:
        zone = pos.index.zone(ENEMY[self.seat])
        self.zoned = self.zoned or any(place in zone for place in path)

    def _march(self, pos: SanadaPosition, goal: str) -> None:
        who = self.traveller(pos)
        way = find_way(pos, who, goal)
        assert way is not None
        self._enter_zone(pos, way.path)
        self.used = who.used + way.cost
        start = pos.units[self.actor].hex
        pos.go(self.actor, *way.path)
        left = max((STRATEGIC if self.fed and not self.zoned else ALLOWANCE) - self.used, 0)
        pos.say(Marched(self.actor, goal, (start, *way.path), way.cost, self.used, left))

    @rule("20.1.4")
    def overrun(self, pos: SanadaPosition) -> Goto:
        """After a success the Force is in the hex, has paid for it, and may go on; else its move is over."""
        success = self.actor in pos.units and pos.units[self.actor].hex == self.target
        target, party, self.target, self.party = self.target, self.party, "", ()
        if success and not any(m.placer == self.actor for m in pos.engaged):
            self.used, self.zoned = self.used + self.toll, True
            pos.say(WentOn(self.actor, target, self.used))
            return Goto("deed")
        self.done, self.actor = (*self.done, *party), ""
        return Goto("act")
