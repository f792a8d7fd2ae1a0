"""Words of the game as types: attributes, keywords, states, symbols of a cost."""

from __future__ import annotations

import enum

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
