"""The orders of redcoats, each with its notation. Several units in one line are a macro (rules.py)."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.notation import Move


@dataclass(frozen=True, slots=True)
class Deploy(Move):
    """16.0: where the units of a group stand, written unit@hex; nothing after the group: its usual places."""

    notation = "deploy {group} {places*}"
    group: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choose(Move):
    """WP-17.0: who may go west of the Bronx; nothing: the usual ones."""

    notation = "choose {units*}"
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fire(Move):
    """7.1: a gun, or guns stacked with a leader (7.1(3)), bombard a hex."""

    notation = "fire {guns*} at {hex}"
    guns: tuple[str, ...]
    hex: str


@dataclass(frozen=True, slots=True)
class EndFire(Move):
    """7.0: no more bombardment in this segment."""

    notation = "done firing"


@dataclass(frozen=True, slots=True)
class Enter(Move):
    """3.1: a reinforcement enters at an edge hex and goes on to another."""

    notation = "enter {unit} at {entry} to {hex}"
    unit: str
    entry: str
    hex: str


@dataclass(frozen=True, slots=True)
class Hasten(Move):
    """3.11, 4.3: the same by forced march."""

    notation = "hasten {unit} at {entry} to {hex}"
    unit: str
    entry: str
    hex: str


@dataclass(frozen=True, slots=True)
class March(Move):
    """4.1: a unit or leader moves by the cheapest way."""

    notation = "move {unit} to {hex}"
    unit: str
    hex: str


@dataclass(frozen=True, slots=True)
class Force(Move):
    """4.3: a unit goes further than its allowance, by forced march."""

    notation = "force {unit} to {hex}"
    unit: str
    hex: str


@dataclass(frozen=True, slots=True)
class Seize(Move):
    """11.13: a unit enters a hex where an enemy leader is alone; its move may go on."""

    notation = "seize {hex} with {unit}"
    hex: str
    unit: str


@dataclass(frozen=True, slots=True)
class Disengage(Move):
    """4.41: a unit tries to get out of an enemy zone of control."""

    notation = "disengage {unit}"
    unit: str


@dataclass(frozen=True, slots=True)
class Guard(Move):
    """4.42: this unit stays behind as rear guard, so that the others of its hex leave without a check."""

    notation = "guard {unit}"
    unit: str


@dataclass(frozen=True, slots=True)
class EndMovement(Move):
    """4.0: nobody moves any more in this segment."""

    notation = "done moving"


@dataclass(frozen=True, slots=True)
class Assault(Move):
    """8.1(1): one battle: everybody in these hexes against everybody in those."""

    notation = "assault {targets*} from {origins*}"
    targets: tuple[str, ...]
    origins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndDeclaring(Move):
    """8.22: every duty is met; no more battles are declared."""

    notation = "done declaring"


@dataclass(frozen=True, slots=True)
class Resolve(Move):
    """8.23: the battle against this hex is fought next."""

    notation = "resolve {hex}"
    hex: str


@dataclass(frozen=True, slots=True)
class Retreat(Move):
    """8.51: a unit falls back, hex by hex."""

    ordered = ("path",)
    notation = "retreat {unit} {path*}"
    unit: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Follow(Move):
    """8.515: a leader goes with those who fell back, or stays with those who stand."""

    notation = "follow {leader} {hex}"
    leader: str
    hex: str


@dataclass(frozen=True, slots=True)
class Escape(Move):
    """11.13: which of the nearest friends a leader reaches."""

    notation = "escape {leader} {hex}"
    leader: str
    hex: str


@dataclass(frozen=True, slots=True)
class Advance(Move):
    """8.52: a winner follows into a hex that the enemy has left; dragoons one hex more."""

    ordered = ("path",)
    notation = "advance {unit} {path*}"
    unit: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lead(Move):
    """8.522: the same with a leader of its hex."""

    ordered = ("path",)
    notation = "lead {leader} with {unit} {path*}"
    leader: str
    unit: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stay(Move):
    """8.52: nobody (else) advances."""

    notation = "stay"


MOVES: tuple[type[Move], ...] = (
    Deploy,
    Choose,
    Fire,
    EndFire,
    Enter,
    Hasten,
    March,
    Force,
    Seize,
    Disengage,
    Guard,
    EndMovement,
    Assault,
    EndDeclaring,
    Resolve,
    Retreat,
    Follow,
    Escape,
    Advance,
    Lead,
    Stay,
)
