"""11.13 LEADER CASUALTIES: whether a leader is lost with his troops, and where he escapes to."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.hexes import HexId
from games.redcoats.collapse import eliminate
from games.redcoats.moves import Escape
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from pbem.engine.events import Event
from pbem.engine.options import Among, Options, Refusal
from pbem.engine.procedure import Dice, Goto, Procedure, chooses, rolls, rule

ESCAPE = 8
"""11.13: how far a leader gets."""


def refuges(pos: RedcoatsPosition, leader: str) -> tuple[HexId, ...]:
    """The nearest hexes with a friendly combat unit, by ways of at most eight hexes that avoid enemy combat
    units and what he may not cross; zones of control do not matter."""
    side = pos.book[leader].side
    start = pos.units[leader].hex
    friends, foes = pos.men(side), pos.men(ENEMY[side])
    ring, seen = [start], {start}
    for _ in range(ESCAPE + 1):
        found = tuple(h for h in ring if h in friends)
        if found:
            return tuple(sorted(found))
        following = []
        for here in ring:
            for n in pos.land.open[here]:
                if n not in seen and n not in foes:
                    seen.add(n)
                    following.append(n)
        ring = following
    return ()


class Escaped(Event):
    says = "{unit} escapes to {hex}"
    unit: str
    hex: HexId


@dataclass(slots=True)
class Casualty(Procedure):
    """11.13: one die for each leader; the survivors ride to the nearest friends."""

    seat: str
    """Whose leaders they are."""
    leaders: tuple[str, ...]
    falls: int = 3
    """The highest die that takes him: 3, or 1 if only infantry came upon him (11.13-b)."""

    def dice(self, pos: RedcoatsPosition) -> Dice | None:
        return Dice(len(self.leaders), 10) if self.leaders else None

    @rolls("11.13", dice)
    def casualties(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> None:
        """1-3 (or 1) and he is lost."""
        for leader, die in zip(self.leaders, dice, strict=True):
            if die <= self.falls:
                eliminate(pos, leader, "11.13", "fell", die)
        self.leaders = tuple(u for u in self.leaders if u in pos.units)

    @rule("11.13")
    def captured(self, pos: RedcoatsPosition) -> None:
        """Who finds no way to a friend is a prisoner."""
        for leader in self.leaders:
            if not refuges(pos, leader):
                eliminate(pos, leader, "11.13", "prisoner")
        self.leaders = tuple(u for u in self.leaders if u in pos.units)

    def havens(self, pos: RedcoatsPosition) -> Options | None:
        if not self.leaders:
            return None
        leader = self.leaders[0]
        moves = [Escape(leader, h) for h in refuges(pos, leader)]

        def why(move: Escape) -> Refusal:
            if move.leader != leader:
                return Refusal("11.13", f"now it is {leader} who escapes")
            near = ", ".join(m.hex for m in moves)
            return Refusal("11.13", f"{move.hex} is not the nearest hex with a friend: {near}")

        ask = f"where {leader} escapes to"
        return Options(self.seat, (Among(Escape, moves, "11.13", why),), "escape", ask)

    @chooses("11.13", havens)
    def escape(self, pos: RedcoatsPosition, move: Escape) -> Goto | None:
        """To the nearest friend; between equals his owner chooses."""
        if pos.units[move.leader].hex != move.hex:
            pos.go(move.leader, move.hex)
        pos.say(Escaped(move.leader, move.hex))
        self.leaders = self.leaders[1:]
        return Goto("escape") if self.leaders else None
