"""D46, S05: lands that fall, are given up or taken, and the next one that is turned up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.kit.cards import without
from games.suikoden import victory
from games.suikoden.position import GROVE, SuikodenPosition
from games.suikoden.terms import LandId, Mode
from pbem.engine.events import Event, Named
from pbem.engine.notation import Handle
from pbem.engine.procedure import Drawn, Finish, Goto, Procedure, draws, rule


class LandGivenUp(Event):
    says = "{seat} gives up {land}"
    land: Named
    seat: str


class LandDestroyed(Event):
    says = "{land} is destroyed"
    land: Named
    seat: str


class LandTaken(Event):
    says = "{seat} takes {land}"
    land: Named
    seat: str


class LandTurnedUp(Event):
    says = "{seat}'s land is {land}"
    land: Named
    seat: str


class MiddleLand(Event):
    says = "the land in the middle is {land}"
    land: Named


@dataclass(slots=True)
class LandLost(Procedure):
    """A land is lost by its owner (D) or taken from the middle (S); the next one is turned up."""

    seat: str
    """Who loses it."""
    abandoned: bool = False

    @rule("D46")
    def fall(self, pos: SuikodenPosition) -> Goto | Finish | None:
        """破壊 or 放棄 (D); in S whoever takes it keeps it (rulings S-1, S-2)."""
        taker = pos.foe(self.seat)
        land = pos.current_land(self.seat)
        _grove_home(pos, self.seat)
        if pos.mode is Mode.SHARED:
            return self._taken(pos, land, taker)
        side = pos.sides[self.seat]
        if self.abandoned:
            pos.removed = (*pos.removed, land)
            pos.say(LandGivenUp(land, self.seat, rule="D46"))
        else:
            pos.change(self.seat, ruins=(*side.ruins, land))
            pos.say(LandDestroyed(land, self.seat, rule="D46"))
        under = pos.sides[self.seat].under
        pos.change(self.seat, land=under[0] if under else "", under=under[1:])
        if victory.check(pos):
            return Finish()
        return Finish() if under else Goto("next_own")

    def _taken(self, pos: SuikodenPosition, land: LandId, taker: str) -> Goto | Finish:
        pos.land = ""
        if self.abandoned and pos.option("shared-abandon") == "removed":
            pos.removed = (*pos.removed, land)
            pos.say(LandGivenUp(land, self.seat, rule="S05"))
        else:
            pos.change(taker, lands=(*pos.sides[taker].lands, land))
            pos.say(LandTaken(land, taker, rule="S05"))
        if not victory.check(pos) and not pos.pool:
            victory.last_land(pos)
        return Goto("next_middle")

    def face_down(self, pos: SuikodenPosition) -> tuple[Handle, ...]:
        return pos.sides[self.seat].stack

    @draws("D46", face_down, opened=True)
    def next_own(self, pos: SuikodenPosition, drawn: Drawn) -> Finish:
        """The next of the own lands, at random among those that lie face down."""
        turn_up(pos, self.seat, drawn)
        return Finish()

    def unseen(self, pos: SuikodenPosition) -> tuple[LandId, ...] | None:
        return pos.pool if pos.mode is Mode.SHARED else None

    @draws("S10", unseen)
    def next_middle(self, pos: SuikodenPosition, item: LandId) -> None:
        """The next land in the middle."""
        to_middle(pos, item)


def turn_up(pos: SuikodenPosition, seat: str, drawn: Drawn) -> None:
    """D09: a land of a seat's stack is turned up."""
    stack = without(pos.sides[seat].stack, drawn.handle)
    pos.change(seat, land=drawn.value, stack=stack)
    pos.say(LandTurnedUp(drawn.value, seat))


def to_middle(pos: SuikodenPosition, land: LandId) -> None:
    """S10: one of the unseen lands is the one in the middle."""
    left = list(pos.pool)
    left.remove(land)
    pos.land, pos.pool = land, tuple(left)
    pos.say(MiddleLand(land))


def _grove_home(pos: SuikodenPosition, seat: str) -> None:
    """A grove that falls is no fighter any more."""
    for card in [c for c in pos.field if c.startswith(GROVE)]:
        if pos.mode is Mode.SHARED or card == GROVE + seat:
            pos.leave_field(card)
            if pos.battle is not None:
                owner = card.removeprefix(GROVE)
                pos.battle = replace(pos.battle, groves=tuple(s for s in pos.battle.groves if s != owner))
