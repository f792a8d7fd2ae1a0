"""What is printed on the counters, chits and cards of kawagoe, as frozen records.

Invariants: values of a unit are tuples indexed by the steps it has left, with index 0 for "removed"; an
anonymous counter has an id of its own and never an identity: that is drawn from its pool when it fights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from games.kit.hexes import HexId

HOJO, ANTI = "hojo", "anti"
SIDES = (HOJO, ANTI)
HOUSES = ("koga", "ougigayatsu", "yamanouchi")
"""古河公方 (area 足利), 扇谷上杉, 山内上杉."""
GARRISON, UJIYASU_ARMY, SAGAMI = "garrison", "ujiyasu-army", "sagami"
GROUPS = {GARRISON: 6, UJIYASU_ARMY: 12, SAGAMI: 4}
"""河越城兵, 北条氏康軍, 相模勢 and how many units each has (4.1, 4.3, 4.4)."""

AREAS = (*HOUSES, "entry", "reinforcement")
"""Areas of the map: the three siege areas (4.2), 登場エリア (4.3), 増援登場可能範囲 (12.0)."""
CHIT_KINDS = ("side", "katta", "house", "general")


class UnitClass(StrEnum):
    """2.1: what a counter is."""

    COMMANDER = "commander"
    """総大将."""
    GENERAL = "general"
    """大将."""
    CAPTAIN = "captain"
    """武将."""
    LEVY = "levy"
    """雑兵."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A named counter of which everything is printed face up: all Hojo units, and the generals."""

    id: str
    name: str
    side: str
    group: str
    """"garrison", "ujiyasu-army", "sagami", or the house."""
    cls: UnitClass
    strength: tuple[int, ...]
    """By steps left: strength[3] is the full side; strength[0] is 0."""
    movement: tuple[int, ...]
    """By steps left, like strength."""
    command: int
    """指揮値 (10.2); 0 for units that command nobody."""

    @property
    def steps(self) -> int:
        """Steps at full strength."""
        return len(self.strength) - 1

    @property
    def house(self) -> str | None:
        """The house of an anti-Hojo unit."""
        return self.group if self.side == ANTI else None


@dataclass(frozen=True, slots=True)
class Identity:
    """What an anonymous counter may turn out to be (11.2). Named captains are unique, levies are not."""

    id: str
    name: str
    cls: UnitClass
    strength: int


@dataclass(frozen=True, slots=True)
class Pool:
    """The 武将 and 雑兵 of one house: counters on the map, identities drawn when they fight."""

    house: str
    movement: int
    """Printed on the unknown side, and the same on the other one."""
    counters: tuple[str, ...]
    """Ids of the anonymous counters, one for each identity."""
    identities: tuple[Identity, ...]
    """The multiset, a levy repeated as often as it occurs."""


@dataclass(frozen=True, slots=True)
class Chit:
    """One kind of activation chit (5.11)."""

    id: str
    name: str
    side: str
    kind: str
    """"side" (5.2), "katta" (5.3), "house" (5.4) or "general" (5.5)."""
    house: str | None
    count: int


@dataclass(frozen=True, slots=True)
class Option:
    """A named reading of an unclear rule that players may agree on in the contract."""

    id: str
    ruling: str
    default: str
    values: tuple[str, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """How a game begins and how long it lasts."""

    id: str
    title: str
    turns: int
    arrivals: Mapping[str, int]
    """Turn in which a group arrives with the first Hojo chit (4.3, 4.4)."""
    default_setup: Mapping[str, Mapping[str, HexId]]
    """A lawful set-up (4.1-4.24): for "garrison" and each house, unit or counter id to hex."""
