"""What is printed: counters, and what each battle's own rules (16.0-18.2) say, as frozen records.

Invariants: strengths are whole points, collapse levels are counted in half points (13.1-a), a turn is its
number from 1 (the clock is only a label: Stony Point runs over midnight, SP-16.0).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from games.kit.hexes import HexId

AMERICAN, BRITISH = "american", "british"
SIDES = (AMERICAN, BRITISH)
"""Patriots and Loyalists at King's Mountain, Hessians at Trenton (10.1-b)."""
ENEMY = {AMERICAN: BRITISH, BRITISH: AMERICAN}


class Arm(StrEnum):
    """1.23: what a counter is."""

    INFANTRY = "infantry"
    LIGHT = "light"
    """軽歩兵: the movement allowance is in a circle (12.1)."""
    DRAGOON = "dragoon"
    GUN = "gun"
    LEADER = "leader"


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter, both sides of it."""

    id: str
    name: str
    side: str
    arm: Arm
    nation: str = ""
    """"hessian" or "militia" where a battle's own rules ask for it (WP-16.0, WP-17.0)."""
    strength: int = 0
    ma: int = 0
    """Movement allowance, in movement points."""
    morale: int = 0
    back_strength: int = 0
    back_morale: int = 0
    """The disrupted side (9.1)."""
    points: int = 0
    """Printed on the back: what its elimination costs (13.2)."""
    fire: int = 0
    """Bombardment strength of a gun."""
    range: int = 0
    """Of a gun in hexes (7.2), or of a leader's command (11.3)."""
    howitzer: bool = False
    value: int = 0
    """A leader's command value (11.2)."""
    is_leader: bool = field(init=False)
    is_gun: bool = field(init=False)
    is_foot: bool = field(init=False)
    """Infantry or dragoons: what has a zone of control and fights assaults (5.0, 8.41)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_leader", self.arm is Arm.LEADER)
        object.__setattr__(self, "is_gun", self.arm is Arm.GUN)
        object.__setattr__(self, "is_foot", self.arm not in (Arm.LEADER, Arm.GUN))

    def stacking(self, disrupted: bool) -> int:
        """6.0, 6.2, 6.3: strength; guns half their bombardment, rounded down; doubled when disrupted."""
        if self.is_gun:
            return self.fire // 2 * (2 if disrupted else 1)
        return 2 * self.back_strength if disrupted else self.strength


@dataclass(frozen=True, slots=True)
class Group:
    """Units that begin or arrive together (16.0)."""

    id: str
    side: str
    units: tuple[str, ...]
    hexes: tuple[HexId, ...] = ()
    """Where they may be placed, the usual places first; one hex: they stand there."""
    enter: HexId | None = None
    turn: int = 1
    """When they enter."""
    held: bool = False
    """HH-17.0: not released until the fight draws them in."""
    disrupted: tuple[str, ...] = ()
    """TR-17.1: units that begin on their back."""
    extra: tuple[HexId, ...] = ()
    """WP-16.0: places for a few of them only."""
    extra_count: int = 0


@dataclass(frozen=True, slots=True)
class Slow:
    """BK-17.1: this group goes no further than so many hexes a turn, before a turn."""

    group: str
    hexes: int
    before: int


@dataclass(frozen=True, slots=True)
class Closed:
    """BK-17.2, WP-17.0: a side may not go to these hexes before a turn, by movement or advance."""

    rule: str
    side: str
    before: int
    column: int = 0
    """Columns below this one are closed."""
    row: int = 0
    """Rows below this one are closed."""
    spared: bool = False
    """WP-17.0: the units chosen to cross are not bound."""


@dataclass(frozen=True, slots=True)
class Regrow:
    """BK-17.2: so many spare units as the die divided by four, at the start of these turns."""

    turns: tuple[int, ...]
    units: tuple[str, ...]
    area: str
    level: int
    """Half points for each."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """WP-17.0: who may go west of the river, chosen at the start of that side's player turn."""

    side: str
    turn: int
    infantry: int
    guns: int
    leaders: int
    hessians: int = 0
    """At least so many of the infantry; and then one leader of each nation at most."""
    only: HexId | None = None
    """The one hex over which they go west."""
    closed: HexId | None = None
    """A bridge that none of the side may cross."""


@dataclass(frozen=True, slots=True)
class Victory:
    """18.1: what wins besides collapse."""

    rule: str
    side: str
    """Who must bring it about; the other side wins otherwise. "" : whoever holds most of the hexes."""
    hexes: tuple[HexId, ...] = ()
    all: bool = False
    """All of the hexes, not any of them."""
    clear: bool = False
    """KM-18.1: nobody of the enemy is in any of the hexes, that is enough."""
    town: bool = False
    """BK-18.1: a unit in one of the hexes, and no enemy in any of them."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One battle as it is played."""

    id: str
    title: str
    code: str
    """BK, HH, WP, TR, PR, SP, KM: in front of the numbers of its own rules."""
    field: str
    """The map."""
    roster: str
    start: str
    """The first turn's clock."""
    turns: int
    first: str
    levels: Mapping[str, int]
    """Half points at the start (18.2)."""
    lines: Mapping[str, tuple[HexId, ...]]
    """10.1."""
    groups: tuple[Group, ...]
    victory: Victory
    free_first: bool = False
    """The book does not say who moves first (2.0-d)."""
    slow: Slow | None = None
    closed: tuple[Closed, ...] = ()
    regrow: Regrow | None = None
    crossings: tuple[Crossing, ...] = ()
    approach: tuple[HexId, ...] = ()
    """HH-17.0: Americans nearer to one of these than a turn before gain a point."""
    doubled: str = ""
    """TR-17.1: whose movement is doubled on the first turn."""
    halved: str = ""
    """KM-17.0: whose defence is halved on the first turn."""
    frozen: str = ""
    """SP-17.0: whose guns never move, and whose other units do not before turn three."""
    _group_of: Mapping[str, Group] = dataclasses.field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        groups = {unit: group for group in reversed(self.groups) for unit in group.units}
        object.__setattr__(self, "_group_of", groups)

    def clock(self, turn: int) -> str:
        """The label of a turn: half an hour each (1.4), over midnight if need be."""
        minutes = int(self.start[:2]) * 60 + int(self.start[2:]) + 30 * (turn - 1)
        return f"{minutes // 60 % 24:02d}{minutes % 60:02d}"

    def turn_at(self, clock: str) -> int:
        """The number of the turn with this label."""
        return next(t for t in range(1, 49) if self.clock(t) == clock)

    def group_of(self, unit: str) -> Group | None:
        return self._group_of.get(unit)
