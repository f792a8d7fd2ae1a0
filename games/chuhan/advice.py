"""The routine answers of chuhan: where a retainer appears, who is hit, who raises a legion, who takes over.

A function of the public position in whole numbers alone, so that every machine finds the same. What a card
is spent on is for a person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.chuhan.board import legions_in
from games.chuhan.camps import camp_of
from games.chuhan.moves import Attack, Begin, HandOver, Muster, Place, Risk
from games.chuhan.position import ChuhanPosition
from games.chuhan.terms import AreaId, Camp, ForceId, Kind
from games.chuhan.words import force_named
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Options


def advise(pos: ChuhanPosition, options: Options) -> Move | None:
    """The routine answer, or None where it needs a person."""
    worth = _KINDS.get(options.kind)
    if worth is None or options.hidden:
        return None
    listed = list(options.list(PUBLIC))
    side = Camp(options.seat)
    return max(listed, key=lambda move: (worth(pos, side, move), -listed.index(move))) if listed else None


def _place(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """The capital, else where most of the own legions are."""
    assert isinstance(move, Place)
    area = pos.pack.areas[move.area]
    return 20 * int(area.capital == side) + int(legions_in(pos, move.area, side.value).total)


def _risk(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """Those who are worth least; never the ruler while another will do."""
    assert isinstance(move, Risk)
    dear = 0
    for name in move.generals:
        general = pos.pack.generals[name]
        dear += general.military + (general.strategy or 0) + 100 * (general.kind is Kind.RULER)
    return -dear


def _muster(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """The royal who stands nearest to the opponent and farthest from the own side."""
    assert isinstance(move, Muster)
    head = pos.pack.forces[force_named(pos, move.royal)].general
    assert head is not None
    near = pos.pack.neighbours[pos.generals[head].place]
    return sum(_holds(pos, area, side.opponent) - _holds(pos, area, side) for area in near)


def _holds(pos: ChuhanPosition, area: AreaId, side: Camp) -> int:
    holder = pos.control.get(area)
    return int(holder is not None and camp_of(pos, holder) == side)


def _heir(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """The own force, a lord of the own camp, a neutral, the opponent's."""
    assert isinstance(move, HandOver)
    force = force_named(pos, move.force)
    return _friendly(pos, side, force)


def _friendly(pos: ChuhanPosition, side: Camp, force: ForceId) -> int:
    if force == side.value:
        return 3
    camp = camp_of(pos, force)
    return 2 if camp == side else 0 if camp == side.opponent else 1


def _target(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """The opponent's own camp first, then the weakest."""
    assert isinstance(move, Attack)
    force = force_named(pos, move.force)
    assert pos.company is not None
    hostile = camp_of(pos, force) == side.opponent
    return 100 * int(hostile) - int(legions_in(pos, pos.company.area, force).total)


def _begin(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    assert isinstance(move, Begin)
    return int(move.seat == side.value)


_KINDS: Mapping[str, Callable[[ChuhanPosition, Camp, Move], int]] = {
    "place": _place,
    "risk": _risk,
    "muster": _muster,
    "control": _heir,
    "attack": _target,
    "begin": _begin,
}
