"""3-3 FRIENDSHIP: two dice move the lords' markers."""

from __future__ import annotations

from dataclasses import dataclass

from games.chuhan.camps import friendship_shift, lords_on_board
from games.chuhan.position import ChuhanPosition
from pbem.engine.events import Event, Named
from pbem.engine.procedure import Dice, Procedure, rolls


class FriendAbsent(Event):
    says = "the lord {lord} is not on the board"
    lord: Named


class DiceCancelled(Event):
    says = "the dice for {lord} cancel each other"
    lord: Named


@dataclass(slots=True)
class Friendship(Procedure):
    """3-3: both dice are added up, then the markers move."""

    @rolls("3-3", Dice(2, 6))
    def roll(self, pos: ChuhanPosition, dice: tuple[int, ...]) -> None:
        """The table gives lord and direction, whoever rolled (10-3)."""
        present = lords_on_board(pos)
        for force, steps in friendship_shift(pos.pack, dice).items():
            if force not in present:
                pos.say(FriendAbsent(force))
            elif steps == 0:
                pos.say(DiceCancelled(force))
            else:
                pos.shift_marker(force, steps)
