"""4: the ten phases of a turn, and the turns of a game."""

from __future__ import annotations

from dataclasses import dataclass

from games.sanada.combat import CombatPhase
from games.sanada.march import Kind, MovingPhase
from games.sanada.position import SanadaPosition
from games.sanada.setup import SetUp
from games.sanada.start import StartPhase
from games.sanada.terms import KANTO, OSAKA
from games.sanada.victory import final_score
from pbem.engine.events import Event
from pbem.engine.procedure import Finish, Goto, Perform, Procedure, rule


class TurnBegan(Event):
    says = "turn {turn}, {date}"
    turn: int
    date: str


class MayMoveNow(Event):
    says = "may move now: {units}"
    units: tuple[str, ...]


@dataclass(slots=True)
class Game(Procedure):
    """The set-up and then the turns."""

    @rule("3")
    def begin_game(self, pos: SanadaPosition) -> Perform:
        """Units and markers are placed as the scenario says."""
        return Perform(SetUp())

    @rule("4")
    def turns(self, pos: SanadaPosition) -> Perform:
        """A game is a series of turns."""
        return Perform(Turn())

    @rule("4.3")
    def advance_marker(self, pos: SanadaPosition) -> Goto | None:
        """After ten phases the turn marker moves on; after the last turn the points decide (27.1)."""
        if pos.turn < pos.play.turns:
            pos.turn += 1
            return Goto("turns")
        final_score(pos)
        return None


@dataclass(slots=True)
class Turn(Procedure):
    """4: Osaka's five phases, then Kanto's."""

    @rule("4.2")
    def open_turn(self, pos: SanadaPosition) -> None:
        """The marker stands on Osaka's Start Phase; units that waited for a date may move (S1-5)."""
        pos.say(TurnBegan(pos.turn, pos.date))
        thaw = pos.play.thaw_turn
        if thaw and pos.turn >= thaw and pos.frozen:
            pos.say(MayMoveNow(tuple(pos.frozen), rule=f"{pos.play.rule}-5"))
            pos.frozen = {}

    @rule("4")
    def osaka_start(self, pos: SanadaPosition) -> Perform:
        """(1)"""
        return Perform(StartPhase(OSAKA))

    @rule("4")
    def osaka_movement(self, pos: SanadaPosition) -> Perform:
        """(2)"""
        return Perform(MovingPhase(OSAKA, Kind.MOVEMENT))

    @rule("4")
    def kanto_reaction(self, pos: SanadaPosition) -> Perform:
        """(3)"""
        return Perform(MovingPhase(KANTO, Kind.REACTION))

    @rule("4")
    def osaka_forced_march(self, pos: SanadaPosition) -> Perform:
        """(4)"""
        return Perform(MovingPhase(OSAKA, Kind.FORCED))

    @rule("4")
    def osaka_combat(self, pos: SanadaPosition) -> Perform:
        """(5)"""
        return Perform(CombatPhase(OSAKA))

    @rule("4")
    def kanto_start(self, pos: SanadaPosition) -> Perform:
        """(6)"""
        return Perform(StartPhase(KANTO))

    @rule("4")
    def kanto_movement(self, pos: SanadaPosition) -> Perform:
        """(7)"""
        return Perform(MovingPhase(KANTO, Kind.MOVEMENT))

    @rule("4")
    def osaka_reaction(self, pos: SanadaPosition) -> Perform:
        """(8)"""
        return Perform(MovingPhase(OSAKA, Kind.REACTION))

    @rule("4")
    def kanto_forced_march(self, pos: SanadaPosition) -> Perform:
        """(9)"""
        return Perform(MovingPhase(KANTO, Kind.FORCED))

    @rule("4")
    def kanto_combat(self, pos: SanadaPosition) -> Perform:
        """(10)"""
        return Perform(CombatPhase(KANTO))

    @rule("4")
    def end_turn(self, pos: SanadaPosition) -> Finish:
        """All ten phases are done."""
        return Finish()
