"""The routine answers of chuhan: who is recruited, who appears where, is hit, raises a legion or takes over.

A function of the public position in whole numbers alone, so that every machine finds the same. What a card
is spent on is for a person; what its event then asks has a plain answer, for when the plan no longer fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.chuhan.board import forces_in, legions_in
from games.chuhan.camps import camp_of, others_in
from games.chuhan.moves import (
    Attack,
    Begin,
    Crown,
    Dismiss,
    EventFight,
    EventMove,
    Gift,
    HandOver,
    Levy,
    Muster,
    Place,
    Recruit,
    Risk,
    Slander,
    Target,
)
from games.chuhan.position import ChuhanPosition
from games.chuhan.reach import Group
from games.chuhan.terms import AreaId, Camp, ForceId, Kind
from games.chuhan.words import force_named, read_group
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


def _retainer(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """Who is worth most, to gain or to take from the other side: in the field, then in counsel."""
    assert isinstance(move, Recruit | Dismiss)
    general = pos.pack.generals[move.general]
    return int(2 * general.military + (general.strategy or 0))


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
    return _forward(pos, side, pos.generals[head].place)


def _forward(pos: ChuhanPosition, side: Camp, area: AreaId) -> int:
    """How much nearer to the opponent an area is than to the own side."""
    near = pos.pack.neighbours[area]
    return sum(_holds(pos, one, side.opponent) - _holds(pos, one, side) for one in near)


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


# --- what an event asks (12)


def _stratagem(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """As many as can go to where fewest of the opponent's camp stand; a further group only into battle."""
    if not isinstance(move, EventMove | EventFight):
        return 0
    start = move.start if isinstance(move, EventMove) else move.area
    group = read_group(pos, side, move.units, start)
    assert isinstance(group, Group)
    met = [force for force in others_in(pos, move.area, side) if camp_of(pos, force) == side.opponent]
    against = sum(int(legions_in(pos, move.area, force).total) for force in met)
    ours = group.legions + len(group.generals)
    return (20 if met else -20) + ours - against


def _gift(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """The strongest lord, as far as the card moves him."""
    assert isinstance(move, Gift)
    return 100 * move.boxes + _strong(pos, force_named(pos, move.lord))


def _slander(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """The strongest lord."""
    assert isinstance(move, Slander)
    return _strong(pos, force_named(pos, move.lord))


def _strong(pos: ChuhanPosition, force: ForceId) -> int:
    return sum(int(legions_in(pos, area, force).total) for area in pos.pack.areas)


def _post(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """Where the opponent is nearest."""
    assert isinstance(move, Levy | Crown)
    return _forward(pos, side, move.area)


def _crowd(pos: ChuhanPosition, side: Camp, move: Move) -> int:
    """Where most legions stand."""
    assert isinstance(move, Target)
    return sum(int(legions_in(pos, move.area, force).total) for force in forces_in(pos, move.area))


_KINDS: Mapping[str, Callable[[ChuhanPosition, Camp, Move], int]] = {
    "recruit": _retainer,
    "place": _place,
    "risk": _risk,
    "muster": _muster,
    "control": _heir,
    "attack": _target,
    "begin": _begin,
    "event": _stratagem,
    "gift": _gift,
    "slander": _slander,
    "dismiss": _retainer,
    "levy": _post,
    "crown": _post,
    "target": _crowd,
}
