"""Where reinforcements go: straight to the attack if one pays, else as far forward as they get."""

from __future__ import annotations

from collections.abc import Iterable

from games.kit.hexes import HexId
from games.redcoats.bot.attacks import Attacks
from games.redcoats.bot.hunt import Hunt
from games.redcoats.bot.plan import goals, hunts
from games.redcoats.moves import Enter
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY


class Arrivals:
    """The arrivals of one turn, planned as if all of them stood on their entry hexes."""

    def __init__(self, pos: RedcoatsPosition, seat: str, offered: Iterable[Enter]) -> None:
        self.seat = seat
        reach: dict[str, set[HexId]] = {}
        entry: dict[str, HexId] = {}
        for move in offered:
            reach.setdefault(move.unit, set()).add(move.hex)
            entry.setdefault(move.unit, move.entry)
        board = pos.copy()
        board.put(entry, fresh=True)
        load = {h: pos.load(seat, h) for h in pos.at(seat)}
        attacks = Attacks(board, seat, {u: frozenset(places) for u, places in reach.items()}, load)
        attacks.plan({u for u in entry if pos.book[u].is_foot}, 0.0, {})
        self.orders = attacks.orders
        """Who attacks, and from where."""
        self.hunt = Hunt(board, seat, attacks.targets) if hunts(pos, seat) else None

    def place(self, pos: RedcoatsPosition, unit: str, places: list[HexId]) -> HexId:
        """As planned; else forward, out of contact, leaders each with troops of his own."""
        planned = self.orders.get(unit)
        if planned in places:
            return planned
        seat, land, zone = self.seat, pos.land, pos.zoc(ENEMY[self.seat])
        away: dict[HexId, int] = {}
        if self.hunt is not None and self.hunt.prey and pos.book[unit].is_foot:
            away = self.hunt.take(unit)
        wanted = goals(pos, seat) or tuple(pos.men(ENEMY[seat])) or land.hexes[:1]

        def cost(h: HexId) -> tuple[bool, int, int, str]:
            steps = away[h] if h in away else min(land.distance(h, g) for g in wanted)
            return h in zone, steps, pos.load(seat, h), h

        if pos.book[unit].is_leader:
            return min(places, key=lambda h: (h not in pos.men(seat), len(pos.leaders(seat, h)), *cost(h)))
        return min(places, key=cost)
