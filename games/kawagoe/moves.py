"""The orders of kawagoe, each with its notation. Japanese names of units and chits are understood too."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.notation import Move


@dataclass(frozen=True, slots=True)
class PutChits(Move):
    """5.11: chits for the cup, unseen by the enemy."""

    notation = "put {chits*}"
    chits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deploy(Move):
    """4.0: where every unit of a group stands, written unit@hex; nothing after the group: its usual place."""

    notation = "deploy {group} {places*}"
    group: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ready(Move):
    """4.2: the besiegers stand as they shall stand."""

    notation = "ready"


@dataclass(frozen=True, slots=True)
class Activate(Move):
    """5.51: the general that the chit is for."""

    notation = "activate {general}"
    general: str


@dataclass(frozen=True, slots=True)
class March(Move):
    """6.1: a unit or a stack moves, or moves on, by the cheapest way."""

    notation = "move {units*} to {hex}"
    units: tuple[str, ...]
    hex: str


@dataclass(frozen=True, slots=True)
class Charge(Move):
    """6.3: the unit or stack charges an adjacent hex in the middle of its move."""

    notation = "charge {units*} into {hex}"
    units: tuple[str, ...]
    hex: str


@dataclass(frozen=True, slots=True)
class EndMovement(Move):
    """6.11: nobody moves any more in this phase."""

    notation = "done moving"


@dataclass(frozen=True, slots=True)
class Attack(Move):
    """9.2(1): these units attack everybody in that hex."""

    notation = "attack {hex} with {units*}"
    hex: str
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndCombat(Move):
    """9.13: no more attacks in this phase."""

    notation = "done fighting"


@dataclass(frozen=True, slots=True)
class Retreat(Move):
    """9.61: the loss is taken by falling back; the enemy says where to (9.62)."""

    notation = "retreat"


@dataclass(frozen=True, slots=True)
class Lose(Move):
    """9.52: the loss is taken in steps, a unit named once for each."""

    notation = "lose {units*}"
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drive(Move):
    """9.62: where an enemy unit falls back to, hex by hex; 1213>1214>1314 is a chain (9.7)."""

    notation = "drive {unit} {path*}"
    ordered = ("path",)
    unit: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advance(Move):
    """9.81: a winner follows, hex by hex."""

    notation = "advance {unit} {path*}"
    ordered = ("path",)
    unit: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stay(Move):
    """9.81: nobody (else) advances."""

    notation = "stay"


MOVES: tuple[type[Move], ...] = (
    PutChits,
    Deploy,
    Ready,
    Activate,
    March,
    Charge,
    EndMovement,
    Attack,
    EndCombat,
    Retreat,
    Lose,
    Drive,
    Advance,
    Stay,
)
