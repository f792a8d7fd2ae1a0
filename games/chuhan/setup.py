"""2 SET-UP and 3 THE TURN: what happens when, from the first shuffle to the last turn."""

from __future__ import annotations

from dataclasses import dataclass

from games.chuhan.ending import End
from games.chuhan.friendship import Friendship
from games.chuhan.levies import Levies
from games.chuhan.march import MarchPhase
from games.chuhan.position import DECK, ChuhanPosition
from games.chuhan.recruit import Recruiting
from games.chuhan.supply import Supply
from pbem.engine.events import Event, Named
from pbem.engine.procedure import Perform, Procedure, Shuffling, rule, shuffles


class UnitsPlaced(Event):
    says = "the units named on the map are placed, un-acted"
    areas: tuple[Named, ...]


class MarkersPlaced(Event):
    says = "every lord's marker is on its box"
    lords: tuple[Named, ...]
    boxes: tuple[int, ...]


class CupFilled(Event):
    says = "{cup:# retainer is|# retainers are} in the cup"
    cup: tuple[Named, ...]


class TurnBegan(Event):
    says = "turn {turn}, {season}"
    turn: int
    season: str


@dataclass(slots=True)
class Game(Procedure):
    """2, 3: set-up, then turns until the game ends (3-5, 8)."""

    @rule("2-2")
    def units(self, pos: ChuhanPosition) -> None:
        """The units stand where the map names them (2-2), the markers on their boxes (2-3)."""
        pos.say(UnitsPlaced(tuple(a for a in pos.pack.areas if a in pos.control)))
        lords = tuple(pos.pack.lords())
        pos.say(MarkersPlaced(lords, tuple(pos.markers[f] for f in lords), rule="2-3"))
        pos.say(CupFilled(pos.cup(), rule="2-4"))

    def deck(self, pos: ChuhanPosition) -> Shuffling:
        return Shuffling(DECK, "", pos.pack.deck())

    @shuffles("2-5", deck)
    def cards(self, pos: ChuhanPosition) -> None:
        """One deck for both players, face down."""

    @rule("3")
    def turns(self, pos: ChuhanPosition) -> Perform:
        """Turn by turn; the last one ends the game (8-3)."""
        pos.turn += 1
        season = "autumn" if pos.turn % 2 else "spring"
        pos.say(TurnBegan(pos.turn, season))
        return Perform(Turn(), then="turns")


@dataclass(slots=True)
class Turn(Procedure):
    """3: one turn in six steps."""

    @rule("3-1")
    def recruit(self, pos: ChuhanPosition) -> Perform:
        """A retainer comes out of the cup."""
        return Perform(Recruiting())

    @rule("3-2")
    def draw(self, pos: ChuhanPosition) -> Perform:
        """Cards for the supply areas."""
        return Perform(Supply())

    @rule("3-2b")
    def levies(self, pos: ChuhanPosition) -> Perform:
        """New legions."""
        return Perform(Levies())

    @rule("3-3")
    def friendship(self, pos: ChuhanPosition) -> Perform:
        """The lords' markers."""
        return Perform(Friendship())

    @rule("3-4")
    def march(self, pos: ChuhanPosition) -> Perform:
        """Action by action."""
        return Perform(MarchPhase())

    @rule("3-5")
    def end(self, pos: ChuhanPosition) -> Perform:
        """Victory, discards, and everybody turns up."""
        return Perform(End())
