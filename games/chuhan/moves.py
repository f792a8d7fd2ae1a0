"""The orders of chuhan, each with its notation. Chinese names do as well as ids.

Units are written as generals and a number: `項羽 4` is the general and four legions of his force. A number
alone means legions of the player's own force; `黥布:3` means three legions of a lord's force. Other words
and another word order are turned into these by phrases.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.notation import Handle, Move


class Order(Move):
    """The opponent may have to decide after any of them (6-2)."""

    __slots__ = ()


# --- the march (6)


@dataclass(frozen=True, slots=True)
class PlayEvent(Order):
    """6-3: show a card and use its event; the lines below the order answer what it asks."""

    notation = "event {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class Reinforce(Order):
    """6-4: one acted legion for a general."""

    notation = "reinforce {general} paying {card}"
    general: str
    card: Handle


@dataclass(frozen=True, slots=True)
class Diplomacy(Order):
    """6-5: a lord's marker one box toward the own side."""

    notation = "diplomacy {lord} paying {card}"
    lord: str
    card: Handle


@dataclass(frozen=True, slots=True)
class MoveGroup(Order):
    """6-6: units of one force in one area go up to two areas far."""

    notation = "move {units*} from {start} to {area} paying {card}"
    units: tuple[str, ...]
    start: str
    area: str
    card: Handle


@dataclass(frozen=True, slots=True)
class FightOn(Order):
    """6-7: un-acted units fight where they stand."""

    notation = "fight {units*} in {area} paying {card}"
    units: tuple[str, ...]
    area: str
    card: Handle


@dataclass(frozen=True, slots=True)
class Wait(Order):
    """6-8: pass the turn to the other player."""

    notation = "wait"


@dataclass(frozen=True, slots=True)
class Begin(Order):
    """6-1, by option: who acts first."""

    notation = "begin {seat}"
    seat: str


# --- what an action asks further


@dataclass(frozen=True, slots=True)
class Attack(Order):
    """7-2-3: the force that is attacked."""

    notation = "attack {force}"
    force: str


@dataclass(frozen=True, slots=True)
class Risk(Order):
    """7-2-7: which of his generals the owner exposes to the hits."""

    notation = "risk {generals*}"
    generals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandOver(Order):
    """5-2-2: who takes control of an area."""

    notation = "control {area} by {force}"
    area: str
    force: str


# --- before the march (3-1, 3-2b)


@dataclass(frozen=True, slots=True)
class Recruit(Order):
    """3-1-1, 12-scholar-enlists: a retainer from the cup."""

    notation = "recruit {general}"
    general: str


@dataclass(frozen=True, slots=True)
class Place(Order):
    """3-1: where a retainer appears."""

    notation = "place {general} in {area}"
    general: str
    area: str


@dataclass(frozen=True, slots=True)
class Muster(Order):
    """10-1: the royal who receives a legion in autumn."""

    notation = "muster {royal}"
    royal: str


# --- what events ask (12)


@dataclass(frozen=True, slots=True)
class EventMove(Order):
    """12: the move that an event makes, paid by its card."""

    notation = "move {units*} from {start} to {area}"
    units: tuple[str, ...]
    start: str
    area: str


@dataclass(frozen=True, slots=True)
class EventFight(Order):
    """12: the continued battle that an event makes, paid by its card."""

    notation = "fight {units*} in {area}"
    units: tuple[str, ...]
    area: str


@dataclass(frozen=True, slots=True)
class Done(Order):
    """12-peerless, 12-lady-yu: no further move."""

    notation = "done"


@dataclass(frozen=True, slots=True)
class Gift(Order):
    """12-gifts: a lord, and how many boxes his marker moves."""

    notation = "gift {lord} {boxes}"
    lord: str
    boxes: int


@dataclass(frozen=True, slots=True)
class Slander(Order):
    """12-sow-discord: a lord of the opponent's camp."""

    notation = "slander {lord}"
    lord: str


@dataclass(frozen=True, slots=True)
class Dismiss(Order):
    """12-not-worth-counsel: which of several equal retainers goes."""

    notation = "dismiss {general}"
    general: str


@dataclass(frozen=True, slots=True)
class Levy(Order):
    """12-sons-of-jiangdong, 12-elders-of-guanzhong: the area that sends two legions."""

    notation = "levy {area}"
    area: str


@dataclass(frozen=True, slots=True)
class Crown(Order):
    """12-new-king: a royal and his area."""

    notation = "crown {royal} in {area}"
    royal: str
    area: str


@dataclass(frozen=True, slots=True)
class Target(Order):
    """12-cut-supplies, 12-great-granary, 12-songs-of-chu: the area that the event is about."""

    notation = "target {area}"
    area: str


MOVES: tuple[type[Move], ...] = (
    PlayEvent,
    Reinforce,
    Diplomacy,
    MoveGroup,
    FightOn,
    Wait,
    Begin,
    Attack,
    Risk,
    HandOver,
    Recruit,
    Place,
    Muster,
    EventMove,
    EventFight,
    Done,
    Gift,
    Slander,
    Dismiss,
    Levy,
    Crown,
    Target,
)
