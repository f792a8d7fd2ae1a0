"""12 EVENTS that march or fight: a move or a continued battle under the terms that the card sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from games.chuhan.affairs import Event
from games.chuhan.battle import Battle
from games.chuhan.camps import others_in
from games.chuhan.groups import EventFights, EventMoves, Fights, Moves, Terms
from games.chuhan.movement import Arrival, set_out, stand_to
from games.chuhan.moves import Done, EventFight, EventMove
from games.chuhan.position import ChuhanPosition, Company
from games.chuhan.reach import USUAL, Group, March
from games.chuhan.terms import AreaId, Camp
from games.chuhan.words import read_group
from pbem.engine.events import Event as Told
from pbem.engine.events import Named
from pbem.engine.options import Among, Family, Options, Refusal
from pbem.engine.procedure import Finish, Goto, Perform, chooses, rule


class AllFight(Told):
    says = "all fight together"
    area: Named
    units: int


@dataclass(slots=True)
class Stratagem(Event):
    """One move, or where the card allows it one continued battle."""

    terms: ClassVar[Terms] = Terms()
    fights: ClassVar[bool] = False
    """Whether a continued battle may be made instead of a move."""
    bonus: ClassVar[int] = 0
    silent: ClassVar[bool] = False
    again: ClassVar[bool] = False

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        if Moves(pos, side, cls.terms).any() or (cls.fights and Fights(pos, side, cls.terms).any()):
            return None
        return Refusal("6-3", "no group of yours can do what it says")

    def orders(self, pos: ChuhanPosition) -> Options:
        families: tuple[Family[Any], ...] = (EventMoves(Moves(pos, self.side, self.terms)),)
        if self.fights:
            families = (*families, EventFights(Fights(pos, self.side, self.terms)))
        else:
            refused = Among(EventFight, (), self.terms.rule, lambda move: "it is a move: nobody fights on")
            families = (*families, refused)
        return Options(self.seat, families, "event", "the move or battle of the event")

    def carry_out(self, pos: ChuhanPosition, move: EventMove | EventFight) -> Perform:
        """The action itself; how it ends is for the march (7-1-5, 7-2-9)."""
        if isinstance(move, EventMove):
            group = read_group(pos, self.side, move.units, move.start)
            assert isinstance(group, Group)
            set_out(pos, group, move.area, self.terms.march)
            return Perform(Arrival(self.seat, self.bonus, self.silent, self.again))
        group = read_group(pos, self.side, move.units, move.area)
        assert isinstance(group, Group)
        stand_to(pos, group)
        return Perform(Battle(self.seat, bonus=self.bonus, silent=self.silent, again=self.again))


@dataclass(slots=True)
class BacksToRiver(Stratagem):
    """12-backs-to-river: every attacker's military value is 1 higher."""

    terms: ClassVar[Terms] = Terms("12-backs-to-river", battle=True)
    fights: ClassVar[bool] = True
    bonus: ClassVar[int] = 1

    @chooses("12-backs-to-river", Stratagem.orders)
    def order(self, pos: ChuhanPosition, move: EventMove | EventFight) -> Perform:
        """A move that leads to battle, or a continued battle."""
        return self.carry_out(pos, move)


@dataclass(slots=True)
class SandbagDam(Stratagem):
    """12-sandbag-dam: there is no counter-attack."""

    terms: ClassVar[Terms] = Terms("12-sandbag-dam", battle=True)
    fights: ClassVar[bool] = True
    silent: ClassVar[bool] = True

    @chooses("12-sandbag-dam", Stratagem.orders)
    def order(self, pos: ChuhanPosition, move: EventMove | EventFight) -> Perform:
        """A move that leads to battle, or a continued battle."""
        return self.carry_out(pos, move)


@dataclass(slots=True)
class HegemonRoars(Stratagem):
    """12-hegemon-roars: 項羽 strikes twice."""

    terms: ClassVar[Terms] = Terms("12-hegemon-roars", ruler=True, battle=True)
    fights: ClassVar[bool] = True
    again: ClassVar[bool] = True

    @chooses("12-hegemon-roars", Stratagem.orders)
    def order(self, pos: ChuhanPosition, move: EventMove | EventFight) -> Perform:
        """With a group that includes him."""
        return self.carry_out(pos, move)


@dataclass(slots=True)
class MatchlessCaptain(Stratagem):
    """12-matchless-captain: three steps."""

    terms: ClassVar[Terms] = Terms("12-matchless-captain", March(steps=3), own_force=True, general=True)

    @chooses("12-matchless-captain", Stratagem.orders)
    def order(self, pos: ChuhanPosition, move: EventMove) -> Perform:
        """A Han group with a general."""
        return self.carry_out(pos, move)


@dataclass(slots=True)
class SecretRoad(Stratagem):
    """12-secret-road: not held, and not stopped in the first area."""

    terms: ClassVar[Terms] = Terms("12-secret-road", March(held=False, slips=True), own_force=True)

    @chooses("12-secret-road", Stratagem.orders)
    def order(self, pos: ChuhanPosition, move: EventMove) -> Perform:
        """A Han group."""
        return self.carry_out(pos, move)


@dataclass(slots=True)
class LadyYu(Stratagem):
    """12-lady-yu: 項羽's group moves, and may move again."""

    terms: ClassVar[Terms] = Terms("12-lady-yu", ruler=True)

    @chooses("12-lady-yu", Stratagem.orders)
    def order(self, pos: ChuhanPosition, move: EventMove) -> Perform:
        """With battle, if any."""
        return self.carry_out(pos, move)

    def more(self, pos: ChuhanPosition) -> Options | None:
        company = pos.company
        if company is None or pos.pack.ruler(self.side) not in company.generals:
            return None
        moves = EventMoves(Moves(pos, self.side, self.terms, within=company))
        families: tuple[Family[Any], ...] = (Among(Done, [Done()], "12-lady-yu"), moves)
        return Options(self.seat, families, "event", "the second move, or done")

    @chooses("12-lady-yu", more)
    def second(self, pos: ChuhanPosition, move: EventMove | Done) -> Perform | Finish:
        """He and any of the group who are still there; the others have acted."""
        if isinstance(move, Done):
            return Finish()
        company = pos.company
        assert company is not None
        group = read_group(pos, self.side, move.units, move.start)
        assert isinstance(group, Group)
        stay = tuple(g for g in company.generals if g not in group.generals)
        left = Company(company.force, company.area, stay, company.legions - group.legions, moved=True)
        pos.company = left
        pos.turn_company()
        pos.company = None
        set_out(pos, group, move.area)
        return Perform(Arrival(self.seat))


MOST_GROUPS = 3
"""12-peerless: from so many areas."""


@dataclass(slots=True)
class Peerless(Event):
    """12-peerless: groups of the own force march on one area from several."""

    terms: ClassVar[Terms] = Terms("12-peerless", USUAL, own_force=True)
    to: AreaId = ""
    used: tuple[AreaId, ...] = ()
    """Where groups have come from."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        if Moves(pos, side, cls.terms).any():
            return None
        return Refusal("6-3", "no group of your force can move")

    def orders(self, pos: ChuhanPosition) -> Options | None:
        if len(self.used) == MOST_GROUPS:
            return None
        moves = Moves(pos, self.side, self.terms, to=self.to, used=self.used)
        families: tuple[Family[Any], ...] = (EventMoves(moves),)
        if self.used:
            families = (Among(Done, [Done()], "12-peerless"), *families)
        return Options(self.seat, families, "event", "the next group, or done")

    @chooses("12-peerless", orders)
    def gather(self, pos: ChuhanPosition, move: EventMove | Done) -> Goto | None:
        """Up to three groups, one after another."""
        if isinstance(move, Done):
            return None
        group = read_group(pos, self.side, move.units, move.start)
        assert isinstance(group, Group)
        set_out(pos, group, move.area)
        self.to = move.area
        self.used = (*self.used, move.start)
        return Goto("gather")

    @rule("12-peerless")
    def arrive(self, pos: ChuhanPosition) -> Perform:
        """Then one battle with all of them."""
        assert pos.company is not None
        if others_in(pos, self.to, self.side):
            pos.say(AllFight(self.to, len(pos.company.generals) + pos.company.legions))
        return Perform(Arrival(self.seat))
