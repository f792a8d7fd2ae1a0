"""3-5 END OF THE TURN and 8 VICTORY: who has won; else hands are discarded and all units turn up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.chuhan.board import Legions
from games.chuhan.position import ChuhanPosition, Hand
from games.chuhan.strength import verdict
from pbem.engine.events import Event
from pbem.engine.notation import Handle
from pbem.engine.procedure import Procedure, opens, rule

LEVELS = {"8-2": "sudden death", "8-3": "supply"}


class TurnedUp(Event):
    says = "turned up: {units:# unit|# units}"
    units: int


@dataclass(slots=True)
class End(Procedure):
    """3-5: in this order (ruling A41)."""

    @rule("3-5")
    def victory(self, pos: ChuhanPosition) -> None:
        """Seven supply areas, or the count after the last turn."""
        found = verdict(pos, pos.turn)
        if found is not None:
            winners = (found.winner.value,) if found.winner else ()
            pos.end(winners, found.reason.under(found.rule), level=LEVELS[found.rule])

    def hands(self, pos: ChuhanPosition) -> tuple[Handle, ...]:
        return tuple(h for seat in pos.seats for h in pos.hand(seat))

    @opens("3-5", hands)
    def discard(self, pos: ChuhanPosition, values: Mapping[Handle, str]) -> None:
        """Both hands go to the discards, which lie face up (6-10)."""
        pos.discard(*values.values())
        for seat in pos.seats:
            pos.hands[seat] = Hand()

    @rule("3-5")
    def turn_up(self, pos: ChuhanPosition) -> None:
        """Units of all camps."""
        turned = 0
        for general, state in pos.generals.items():
            if state.acted:
                pos.generals[general] = replace(state, acted=False)
                turned += 1
        for key, stack in pos.legions.items():
            if stack.acted:
                pos.legions[key] = Legions(stack.total)
                turned += stack.acted
        pos.say(TurnedUp(turned))
