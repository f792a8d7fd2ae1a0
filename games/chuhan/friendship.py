"""3-3 FRIENDSHIP: two dice move the lords' markers."""

from __future__ import annotations

from dataclasses import dataclass

from games.chuhan.camps import friendship_shift, lords_on_board
from games.chuhan.position import ChuhanPosition
from pbem.engine.procedure import Dice, Procedure, rolls


@dataclass(slots=True)
class Friendship(Procedure):
    """3-3: both dice are added up, then the markers move."""

    @rolls("3-3", Dice(2, 6))
    def roll(self, pos: ChuhanPosition, dice: tuple[int, ...]) -> None:
        """The table gives lord and direction, whoever rolled (10-3)."""
        present = lords_on_board(pos)
        for force, steps in friendship_shift(pos.pack, dice).items():
            name = pos.pack.forces[force].english
            if force not in present:
                pos.say(f"{name} is not on the board", lord=force, steps=0)
            elif steps == 0:
                pos.say(f"the dice for {name} cancel each other", lord=force, steps=0)
            else:
                pos.shift_marker(force, steps)
