"""The routine answer to a decision: what a standing order `auto` plays, the same on every machine.

Set-ups, arrivals, moves and assaults need a person; who falls back where, whom a leader follows and which
battle comes first hardly ever do.
"""

from __future__ import annotations

from games.kit.hexes import HexId
from games.redcoats.flight import Routes
from games.redcoats.moves import EndFire, Escape, Follow, Resolve, Retreat, Stay
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from pbem.engine.notation import Move
from pbem.engine.options import Options


def advice(pos: RedcoatsPosition, options: Options) -> Move | None:
    """The routine answer, or None where it needs a person."""
    match options.kind:
        case "retreat":
            return _retreat(pos, options)
        case "follow" | "escape":
            return _leader(pos, options)
        case "resolve":
            return _resolve(pos, options)
        case "advance":
            return Stay()
        case "fire":
            return EndFire()
    return None


def _safety(pos: RedcoatsPosition, side: str, place: HexId) -> tuple[int, int, int, str]:
    """Out of zones, with a leader, far from enemies."""
    men = pos.men(ENEMY[side])
    near = min((pos.land.distance(place, h) for h in men), default=99)
    return place in pos.zoc(ENEMY[side]), -len(pos.leaders(side, place)), -near, place


def _retreat(pos: RedcoatsPosition, options: Options) -> Move | None:
    """The first unit, by the way that ends safest; of equal ones the first."""
    family = next(f for f in options.families if isinstance(f, Routes))
    flight = family.flights[0]
    ways = list(flight.paths())
    alive = [way for way in ways if flight.ends(way) == "stands"] or ways
    best = min(alive, key=lambda way: _safety(pos, flight.side, way[-1] if way else flight.start))
    return Retreat(flight.unit, best)


def _leader(pos: RedcoatsPosition, options: Options) -> Move | None:
    """With most troops; of equal numbers the safest."""
    side = options.seat

    def worth(move: Move) -> tuple[int, tuple[int, int, int, str]]:
        assert isinstance(move, Follow | Escape)
        return -len(pos.infantry(side, move.hex)), _safety(pos, side, move.hex)

    return min(options.list(), key=worth)


def _resolve(pos: RedcoatsPosition, options: Options) -> Move | None:
    """In order of their hexes."""
    return min((m for m in options.list() if isinstance(m, Resolve)), key=lambda m: m.hex)
