"""What the words of an order mean in a position: generals, forces and groups of units.

One man may have two counters (2-4) and a lord gives his name to his force, so a name is resolved by who is
on the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from games.chuhan.board import on_board
from games.chuhan.position import ChuhanPosition
from games.chuhan.reach import Group
from games.chuhan.spelling import spellings
from games.chuhan.terms import PLAYERS, AreaId, Camp, ForceId, GeneralId
from pbem.engine.options import Refusal

_LEGIONS = re.compile(r"(?:(?P<force>[^:]+):)?(?P<count>[0-9]{1,3})")


def aliases(pos: ChuhanPosition) -> Mapping[str, str]:
    """Names in any script and their ids; a name of two counters means the one that counts now."""
    found = dict(pos.pack.aliases())
    for general in pos.pack.generals.values():
        if general.retainer is not None:
            now = general.id if on_board(pos, general.id) else general.retainer
            english = pos.pack.generals[general.retainer].english
            found |= dict.fromkeys((*spellings(general.name), english), now)
    return found


def force_named(pos: ChuhanPosition, word: str) -> ForceId:
    """The force that a word means: its id, or the lord himself; the word itself if it means none."""
    if word in pos.pack.forces or word not in pos.pack.generals:
        return word
    return str(pos.pack.generals[word].force)


def read_group(
    pos: ChuhanPosition, side: Camp, units: Sequence[str], area: AreaId, rule: str = "7-1-1"
) -> Group | Refusal:
    """The group that generals and a number of legions make; whether it may act is asked elsewhere."""
    generals: list[GeneralId] = []
    count: int | None = None
    named: ForceId | None = None
    for word in units:
        legions = _LEGIONS.fullmatch(word)
        if legions is None:
            if word not in pos.pack.generals:
                return Refusal(rule, f"{word} is neither a general nor a number of legions")
            generals.append(word)
            continue
        if count is not None:
            return Refusal(rule, "the legions are one number")
        count = int(legions["count"])
        if legions["force"]:
            named = force_named(pos, pos.pack.aliases().get(legions["force"], legions["force"]))
    led = pos.generals[generals[0]].force if generals else side.value
    if named is not None and generals and named != led:
        return Refusal("4-3", f"legions of {named} do not go with {generals[0]}: one action is for one force")
    ordered = tuple(sorted(generals, key=list(pos.pack.generals).index))
    return Group(named or led, area, ordered, count or 0)


def unit_words(side: Camp, group: Group) -> tuple[str, ...]:
    """How a group is written: its generals, then the number of its legions."""
    if not group.legions:
        return group.generals
    plain = bool(group.generals) or group.force == side
    return (*group.generals, str(group.legions) if plain else f"{group.force}:{group.legions}")


def acting(pos: ChuhanPosition) -> Camp:
    """The player whose action it is; Chu outside the march."""
    seats = [frame.seat for frame in pos.stack if getattr(frame, "seat", "")]  # type: ignore[attr-defined]
    return Camp(seats[-1]) if seats else Camp.CHU


def seat_of(camp: Camp) -> str:
    """The seat that plays a camp; the neutral camp has none."""
    assert camp in PLAYERS, f"nobody plays the {camp} camp"
    return camp.value
