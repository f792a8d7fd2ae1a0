"""Words of the game as types: attributes, keywords, states, and what is printed on a card."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.suikoden.ability import Ability

CardId = str
LandId = str

PEOPLE = "people"
"""The shared deck of people (D, S)."""
LANDS = "lands"
"""The shared deck of lands from which both halves are dealt (D)."""
STOCK = "deck"
"""People and lands in one deck (M)."""


class Mode(enum.Enum):
    """The three games of the book."""

    DECK = "deck-building"
    SHARED = "shared-deck"
    MULTI = "multiplayer"


class Attribute(enum.Enum):
    """属性, with the colour of the symbol."""

    JIN = "仁"
    GI = "義"
    YU = "勇"
    YELLOW = "黄"
    BLACK = "黒"

    @property
    def colourless(self) -> bool:
        """無属性: pays no coloured symbol."""
        return self in (Attribute.YELLOW, Attribute.BLACK)


COLOURS = (Attribute.JIN, Attribute.GI, Attribute.YU)


class Keyword(enum.Enum):
    """得意能力: the twelve keywords."""

    DECOY = "陽動"
    CAVALRY = "騎馬"
    ARCHERY = "射撃"
    NAVY = "水軍"
    STEERING = "操舵"
    PLUNDER = "強奪"
    FIRE = "火計"
    WATER = "水計"
    SORCERY = "妖術"
    SCOUTING = "情報"
    BEAUTY = "美女"
    SUPPLY = "調達"


STRATAGEMS = (Keyword.FIRE, Keyword.WATER, Keyword.SORCERY)


class Stat(enum.Enum):
    """能力値."""

    ATTACK = "攻"
    DEFENCE = "防"
    WIT = "智"


class State(enum.Enum):
    """G05, D18: 未行動, 行動済み, 行動準備中."""

    READY = "ready"
    ACTED = "acted"
    PREPARING = "preparing"


class Symbol(enum.Enum):
    """One symbol of a recruiting cost (D17)."""

    WHITE = "白"
    JIN = "仁"
    GI = "義"
    YU = "勇"
    JIN_KILL = "仁殺"
    GI_KILL = "義殺"
    YU_KILL = "勇殺"

    @property
    def kills(self) -> bool:
        """Whether the person who pays it is discarded."""
        return self.value.endswith("殺")

    @property
    def colour(self) -> Attribute | None:
        """The attribute of the person who pays it; None for 白."""
        return None if self is Symbol.WHITE else Attribute(self.value[0])


@dataclass(frozen=True, slots=True)
class Person:
    """人物カード, as printed."""

    id: CardId
    number: int
    name: str
    reading: str
    english: str
    gloss: str
    """The nickname, in English."""
    attribute: Attribute
    cost: tuple[Symbol, ...]
    attack: int
    defence: int
    wit: int
    keywords: tuple[Keyword, ...]
    archery: int
    """The value of 射撃; 0 without it."""
    abilities: tuple[Ability, ...]

    @property
    def cheap(self) -> bool:
        """D05, ruling D-2: no symbol, or exactly one 白."""
        return self.cost in ((), (Symbol.WHITE,))

    @property
    def best(self) -> int:
        """M12: the highest printed value."""
        return max(self.attack, self.defence, self.wit)

    def stat(self, stat: Stat) -> int:
        """The printed value."""
        if stat is Stat.ATTACK:
            return self.attack
        return self.defence if stat is Stat.DEFENCE else self.wit


@dataclass(frozen=True, slots=True)
class Land:
    """土地カード, as printed. Of each there are two."""

    id: LandId
    name: str
    reading: str
    english: str
    stars: int
    leaders: int
    """頭領: how many may fight."""
    repair: int
    """修復; 0 where none is printed (竹林)."""
    trade: int
    hunt: int
    wall: int = 0
    """砦: 防 for who is besieged."""
    refuge: int = 0
    """繁華街: so many cards cheaper is the retreat of who is besieged."""
    current: int = 0
    """河川: 攻 less for a besieger without 操舵 or 水軍."""
    slope: int = 0
    """山塞: 攻 less for a besieger with 騎馬, who also wins no card by it."""
    body: tuple[int, ...] = ()
    """竹林: 攻, 防, 智 of the land as a fighter."""
    copies: int = 2

    @property
    def label(self) -> str:
        """★ and name, as the book writes it."""
        return "★" * self.stars + self.name
