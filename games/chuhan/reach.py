"""7-1: where a group may march.

Pure functions of a `Board` (board.py). `refusal` judges one move; `paths` and `may_leave` list what it
accepts: a group of at most `may_leave` un-acted units may take exactly the paths of `paths`.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.chuhan.board import Board, forces_in, generals_in, legions_in, units_in
from games.chuhan.camps import camp_of, others_in
from games.chuhan.terms import AreaId, Attribute, Camp, ForceId, GeneralId
from pbem.engine.options import Refusal

Path = tuple[AreaId, ...]
"""The areas entered, in order; the last is the destination, the start is not among them."""


@dataclass(frozen=True, slots=True)
class March:
    """How a group moves; events change the usual way."""

    steps: int = 2
    """7-1-2; three with 12-matchless-captain."""
    held: bool = True
    """7-1-4; not with 12-secret-road."""
    slips: bool = False
    """12-secret-road: other camps do not stop it in the first area (7-1-3)."""


USUAL = March()


@dataclass(frozen=True, slots=True)
class Group:
    """7-1-1: units of one force that leave one area together."""

    force: ForceId
    area: AreaId
    generals: tuple[GeneralId, ...] = ()
    legions: int = 0

    @property
    def units(self) -> int:
        """Generals and legions together."""
        return len(self.generals) + self.legions


def ready_generals(board: Board, area: AreaId, force: ForceId) -> tuple[GeneralId, ...]:
    """The un-acted generals of a force in an area."""
    return tuple(g for g in generals_in(board, area, force) if not board.generals[g].acted)


def may_leave(board: Board, area: AreaId, force: ForceId, march: March = USUAL) -> int:
    """7-1-1, 7-1-4: how many units of a force may leave an area in one action."""
    ready = len(ready_generals(board, area, force)) + legions_in(board, area, force).ready
    return ready if _free(board, area, force, march) else min(ready, _surplus(board, area, force))


def _surplus(board: Board, area: AreaId, force: ForceId) -> int:
    """7-1-4: how many more units the camp of this force has in an area than all others."""
    camp = camp_of(board, force)
    there = {f: units_in(board, area, f) for f in forces_in(board, area)}
    return max(0, sum(n if camp_of(board, f) == camp else -n for f, n in there.items()))


def _free(board: Board, area: AreaId, force: ForceId, march: March) -> bool:
    """Whether nothing holds a group of this force here (7-1-4, 9-6)."""
    head = board.pack.forces[force].general
    raider = head is not None and Attribute.RAIDER in board.pack.generals[head].attributes
    return raider or not march.held or not others_in(board, area, camp_of(board, force))


def paths(board: Board, area: AreaId, force: ForceId, march: March = USUAL) -> tuple[Path, ...]:
    """7-1-2, 7-1-3: every path that a group of this force may take from here, shorter ones first."""
    camp = camp_of(board, force)
    found: list[Path] = []
    ends: list[Path] = [()]
    for _ in range(march.steps):
        grown = [
            (*path, near)
            for path in ends
            if not _stops(board, path, camp, march)
            for near in board.pack.neighbours[path[-1] if path else area]
            if near != area and near not in path
        ]
        found += grown
        ends = grown
    return tuple(found)


def _stops(board: Board, path: Path, camp: Camp, march: March) -> bool:
    """7-1-3: whether a group that has come to the end of this path can go no further."""
    if not path or (march.slips and len(path) == 1):
        return False
    return bool(others_in(board, path[-1], camp))


def destinations(board: Board, area: AreaId, force: ForceId, march: March = USUAL) -> dict[AreaId, Path]:
    """Every area within reach, with the shortest path there (the first in map order if several).

    Nothing happens in the areas passed, so two paths to one destination are the same move.
    """
    found: dict[AreaId, Path] = {}
    for path in paths(board, area, force, march):
        found.setdefault(path[-1], path)
    return found


def refusal(board: Board, side: Camp, group: Group, path: Path, march: March = USUAL) -> Refusal | None:
    """Why this player may not move this group on this path, or None if he may."""
    return (
        group_refusal(board, side, group)
        or _held_refusal(board, group, march)
        or _path_refusal(board, group, path, march)
    )


def group_refusal(board: Board, side: Camp, group: Group, action: str = "6-6") -> Refusal | None:
    """7-1-1, 4-3: why these are no group that this player may use; `action` is the rule that asks for it."""
    if group.force not in board.pack.forces:
        return Refusal(action, f"no force is called {group.force}")
    if camp_of(board, group.force) != side:
        return Refusal(action, f"{group.generals[0] if group.generals else group.force} is not of your camp")
    if group.area not in board.pack.areas:
        return Refusal("7-1-1", f"no area is called {group.area}")
    if group.legions < 0 or group.units < 1 or len(set(group.generals)) < len(group.generals):
        return Refusal("7-1-1", "a group is one unit or more, each named once")
    for general in group.generals:
        state = board.generals.get(general)
        if state is None or state.place != group.area:
            return Refusal("7-1-1", f"{general} is not in {group.area}")
        if state.force != group.force:
            return Refusal("4-3", f"{general} does not serve {group.force}: one action is for one force")
        if state.acted:
            return Refusal(action, f"{general} has acted")
    ready = legions_in(board, group.area, group.force).ready
    if group.legions > ready:
        return Refusal(
            action, f"un-acted legions of {group.force} in {group.area}: {ready}" + _lent(board, group)
        )
    return None


def _lent(board: Board, group: Group) -> str:
    """How to name the legions of a lord of the same camp, if a number was meant for them."""
    camp, there = camp_of(board, group.force), forces_in(board, group.area)
    lords = [f for f in there if f != group.force and camp_of(board, f) == camp]
    return f"; those of {lords[0]} are written {lords[0]}:{group.legions}" if lords else ""


def _held_refusal(board: Board, group: Group, march: March) -> Refusal | None:
    if not _free(board, group.area, group.force, march):
        surplus = _surplus(board, group.area, group.force)
        if group.units > surplus:
            return Refusal(
                "7-1-4", f"units of other camps hold yours in {group.area}: no more than {surplus} may leave"
            )
    return None


def _path_refusal(board: Board, group: Group, path: Path, march: March) -> Refusal | None:
    if not 1 <= len(path) <= march.steps:
        return Refusal("7-1-2", f"a move has 1 to {march.steps} steps")
    camp = camp_of(board, group.force)
    for number, area in enumerate(path):
        before = path[number - 1] if number else group.area
        if area not in board.pack.neighbours[before]:
            return Refusal("7-1-2", f"{area} is not adjacent to {before}")
        if area == group.area or area in path[:number]:
            return Refusal("7-1-2", f"the path comes to {area} twice")
        if number and _stops(board, path[:number], camp, march):
            return Refusal("7-1-3", f"units of other camps stop you in {before}")
    return None


def way(board: Board, area: AreaId, force: ForceId, to: AreaId, march: March = USUAL) -> Path | Refusal:
    """The path by which a group of this force gets from one area to another, or why there is none."""
    found = destinations(board, area, force, march).get(to)
    if found is not None:
        return found
    if to not in board.pack.areas:
        return Refusal("7-1-2", f"no area is called {to}")
    if to == area:
        return Refusal("7-1-2", "a move ends elsewhere than it began")
    away = board.pack.steps[area].get(to)
    if away is None or away > march.steps:
        return Refusal("7-1-2", f"{to} is more than {march.steps} steps from {area}")
    return Refusal("7-1-3", f"units of other camps stand on every way from {area} to {to}")
