"""The routine answer to a routine question: a function of the public position alone.

Losses fall on the least first, walls stand in for men while they can, beaten Forces go where they lose least,
winners pursue and stay where they are, points turn the best units. Whether to fight on is for a person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.sanada.assault import WALLS
from games.sanada.moves import (
    Bear,
    DoneRestoring,
    Hold,
    Lose,
    Pursue,
    Restore,
    Retreat,
    Stay,
)
from games.sanada.position import SanadaPosition
from games.sanada.retreat import FARTHEST, REFUGE
from games.sanada.terms import ENEMY, HEIGHT, HIDEYORI, IEYASU, OSAKA_CASTLE
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Options


def worth(pos: SanadaPosition, unit: str) -> tuple[int, int, int, int, str]:
    """How dear a unit is: the two lords above all, then rank, leaders of men, values."""
    printed = pos.unit(unit)
    lord = int(unit in (IEYASU, HIDEYORI))
    leads = int(unit in pos.units and not pos.units[unit].under and len(pos.force(unit)) > 1)
    return lord, HEIGHT[printed.rank], leads, printed.combat + printed.action, unit


def _of(options: Options, kind: type[Move]) -> list[Move]:
    return [m for f in options.families if f.kind is kind for m in f.moves(PUBLIC)]


def losses(pos: SanadaPosition, options: Options) -> Move | None:
    """The least valuable of those who may suffer."""
    family = next(f for f in options.families if f.kind is Lose)
    among = sorted(family.among, key=lambda u: worth(pos, u))  # type: ignore[attr-defined]
    chosen = among[: family.count]  # type: ignore[attr-defined]
    return Lose(tuple(u for u in family.among if u in chosen))  # type: ignore[attr-defined]


def burdens(pos: SanadaPosition, options: Options) -> Move | None:
    """Flips first, then the walls but for their last point, then men, the least first."""
    family = next(f for f in options.families if f.kind is Bear)
    limits: dict[str, int] = dict(family.limits)  # type: ignore[attr-defined]
    left: int = family.count  # type: ignore[attr-defined]
    units = sorted((u for u in limits if u != WALLS), key=lambda u: worth(pos, u))
    order = [u for u in units if limits[u] == 2]
    order += [WALLS] * max(limits[WALLS] - 1, 0)
    order += units
    order += [WALLS] * min(limits[WALLS], 1)
    chosen = order[:left]
    return Bear(tuple(name for name in limits for _ in range(chosen.count(name))))


def retreats(pos: SanadaPosition, options: Options) -> Move | None:
    """Into a castle if there is room, else away from zones, and near a castle of one's own."""
    side = options.seat
    zone = pos.index.zone(ENEMY[side])
    homes = [pos.stronghold(c).hex for c, s in pos.castles.items() if s.owner == side and not s.closed]

    def price(move: Retreat) -> tuple[int, int, int]:
        way = [h for h in move.path if h != REFUGE]
        hurt = sum(h in zone for h in way)
        refuge = int(move.path[-1] == REFUGE and _fits(pos, move, way[-1]))
        crowded = int(move.path[-1] == REFUGE and not refuge)
        far = min((pos.data.map.distance(way[-1], h) for h in homes), default=0)
        return hurt + 9 * crowded, -refuge, far + FARTHEST - len(way)

    listed = [m for m in _of(options, Retreat) if isinstance(m, Retreat)]
    return min(listed, key=price, default=None)


def _fits(pos: SanadaPosition, move: Retreat, place: str) -> bool:
    castle = pos.castle_at(place)
    return castle is not None and castle != OSAKA_CASTLE and pos.room(castle) >= len(pos.force(move.force))


def pursuit(pos: SanadaPosition, options: Options) -> Move | None:
    """A pursuit costs nothing."""
    return next(iter(_of(options, Pursue)), None) or next(iter(_of(options, Hold)), None)


def replenish(pos: SanadaPosition, options: Options) -> Move | None:
    """The most valuable first; the last point is used too."""
    listed = [m for m in _of(options, Restore) if isinstance(m, Restore)]
    return max(listed, key=lambda m: worth(pos, m.unit), default=None) or DoneRestoring()


def stay(pos: SanadaPosition, options: Options) -> Move | None:
    """Nobody advances."""
    return Stay()


def first(pos: SanadaPosition, options: Options) -> Move | None:
    """The first of the list."""
    return next(iter(options.list(PUBLIC)), None)


ROUTINE: Mapping[str, Callable[[SanadaPosition, Options], Move | None]] = {
    "loss": losses,
    "attrition": losses,
    "surplus": losses,
    "bear": burdens,
    "retreat": retreats,
    "pursuit": pursuit,
    "replenish": replenish,
    "advance": stay,
    "order": first,
}


def advice(pos: SanadaPosition, options: Options) -> Move | None:
    """The routine answer, or None where a person should decide."""
    answer = ROUTINE.get(options.kind)
    return answer(pos, options) if answer else None
