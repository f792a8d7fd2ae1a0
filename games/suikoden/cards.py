"""What is printed on a card: people and lands."""

from __future__ import annotations

from dataclasses import dataclass

from games.suikoden.ability import Ability
from games.suikoden.terms import Attribute, CardId, Keyword, LandId, Stat, Symbol


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
