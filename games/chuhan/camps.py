"""4 and 5: camps, friendship, and who controls an area.

Pure functions of a `Board` (board.py). Invariants: a lord's camp is read from his marker at the moment of
asking, never stored; control is stored, and `unsettled` names the areas where it no longer fits the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.chuhan.board import Board, forces_in, on_board
from games.chuhan.pack import Pack
from games.chuhan.terms import PLAYERS, AreaId, Camp, ForceId, Kind

_PLAYER_FORCES = {camp.value: camp for camp in PLAYERS}


def camp_of(board: Board, force: ForceId) -> Camp:
    """4, 4-4, 4-5: the camp of a force; a lord's by his marker, royals and lords without one are neutral."""
    player = _PLAYER_FORCES.get(force)
    if player is not None:
        return player
    box = board.markers.get(force)
    if box is None or board.pack.forces[force].kind is not Kind.LORD:
        return Camp.NEUTRAL
    track = board.pack.tables.track
    return Camp.CHU if box <= track.chu else Camp.HAN if box >= track.han else Camp.NEUTRAL


def camp_forces(board: Board, camp: Camp) -> tuple[ForceId, ...]:
    """The forces of a camp, whether they have units on the board or not."""
    return tuple(f for f in board.pack.forces if camp_of(board, f) == camp)


def others_in(board: Board, area: AreaId, camp: Camp) -> tuple[ForceId, ...]:
    """2-1: the forces of other camps in an area: the opponent's and the neutral ones, seen from `camp`."""
    there = forces_in(board, area)
    return tuple(f for f in there if camp_of(board, f) != camp) if there else ()


def controlled(board: Board, camp: Camp) -> tuple[AreaId, ...]:
    """4-2 B, 5-1: the areas controlled by the forces of a camp, contested or not."""
    held = board.control
    return tuple(a for a in board.pack.areas if a in held and camp_of(board, held[a]) == camp)


def lords_on_board(board: Board) -> tuple[ForceId, ...]:
    """3-3, 6-5: the lords whose marker can move at all: on the board, and with a marker."""
    forces = board.pack.forces
    found = [f for f in board.pack.lords() if f in board.markers]
    return tuple(f for f in found if (lord := forces[f].general) is not None and on_board(board, lord))


def toward(side: Camp) -> int:
    """10-3: the direction of a side on the track."""
    return -1 if side == Camp.CHU else 1


def moved_marker(pack: Pack, force: ForceId, box: int, steps: int) -> int:
    """3-3, 10-3: where a marker ends; steps beyond the lord's last box are lost (ruling A40)."""
    lord = pack.forces[force]
    return max(lord.lowest, min(lord.highest, box + steps))


def friendship_shift(pack: Pack, dice: Sequence[int]) -> dict[ForceId, int]:
    """3-3: the steps of each lord named by the dice, added up before anything moves (ruling A38)."""
    shift: dict[ForceId, int] = {}
    for die in dice:
        force, side = pack.tables.friendship[die - 1]
        shift[force] = shift.get(force, 0) + toward(side)
    return shift


@dataclass(frozen=True, slots=True)
class Succession:
    """5-2: who takes an area over: an heir, or a player who must choose one of several, or nobody."""

    rule: str
    heir: ForceId | None = None
    chooser: Camp | None = None
    candidates: tuple[ForceId, ...] = ()
    """What the chooser chooses from; empty if there is nothing to choose."""


def unsettled(board: Board) -> tuple[AreaId, ...]:
    """5-1, 5-2: the areas whose stored controller has no unit there, or that are occupied and have none."""
    occupied, control = board.occupied, board.control
    wrong = [area for area, there in occupied.items() if control.get(area) not in there]
    wrong += [area for area in control if area not in occupied]
    return tuple(area for area in board.pack.areas if area in wrong) if wrong else ()


def succession(
    board: Board,
    area: AreaId,
    acting: Camp,
    fought: Sequence[ForceId] = (),
    former_camp: Camp | None = None,
) -> Succession:
    """5-1 to 5-2-2: who controls an area now.

    `acting` is the player whose action it is, `fought` the attacking and the defending force of a battle in
    this area in this action (ruling A60). `former_camp` is the camp that the stored controller had when
    its last unit vanished (ruling A58); needed only if his marker has moved or gone since.
    """
    there = forces_in(board, area)
    former = board.control.get(area)
    if former in there:
        return Succession("5-1", former)
    if len(there) < 2:
        return Succession("5-2" if former else "5-1", there[0] if there else None)
    camp = former_camp or (camp_of(board, former) if former else None)
    same_camp = tuple(f for f in there if camp_of(board, f) == camp)
    fighters = tuple(f for f in there if f in fought)
    if same_camp:
        return _among_camp(same_camp, camp, acting)
    return _among_others(board, fighters or there, camp, acting)


def _among_camp(claims: tuple[ForceId, ...], camp: Camp | None, acting: Camp) -> Succession:
    """5-2-1 A, 5-2-2: the player's own force, else that player chooses; among neutrals the acting player."""
    if len(claims) == 1:
        return Succession("5-2-1", claims[0])
    if camp in PLAYERS and camp in claims:
        return Succession("5-2-2", camp.value)
    return Succession("5-2-2", chooser=camp if camp in PLAYERS else acting, candidates=claims)


def _among_others(board: Board, claims: tuple[ForceId, ...], camp: Camp | None, acting: Camp) -> Succession:
    """5-2-1 B and C, 5-2-2, ruling A61: the former camp's opponent first, else the acting player chooses."""
    if len(claims) == 1:
        return Succession("5-2-1", claims[0])
    if camp in PLAYERS:
        opponent = camp.opponent
        if opponent in claims:
            return Succession("5-2-2", opponent.value)
        allied = tuple(f for f in claims if camp_of(board, f) == opponent)
        if len(allied) == 1:
            return Succession("5-2-2", allied[0])
        if allied:
            return Succession("5-2-2", chooser=opponent, candidates=allied)
    return Succession("5-2-2", chooser=acting, candidates=claims)
