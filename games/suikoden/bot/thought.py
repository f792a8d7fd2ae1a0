"""What a bot looks at while it decides, and what a card is worth to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from games.suikoden.cards import Person
from games.suikoden.hands import face
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import CardId, Keyword, Stat
from games.suikoden.values import stat
from pbem.engine.notation import Move
from pbem.engine.options import Options, View

WORTH = {
    Keyword.CAVALRY: 1.0,
    Keyword.PLUNDER: 0.8,
    Keyword.FIRE: 1.0,
    Keyword.WATER: 1.2,
    Keyword.SORCERY: 1.0,
    Keyword.BEAUTY: 0.5,
    Keyword.SUPPLY: 0.7,
    Keyword.SCOUTING: 0.2,
    Keyword.DECOY: 0.3,
    Keyword.NAVY: 0.5,
    Keyword.STEERING: 0.3,
}


def worth(person: Person) -> float:
    """A rough value of somebody on the field."""
    found = person.attack + 0.9 * person.defence + 0.4 * person.wit + person.archery
    found += sum(WORTH.get(keyword, 0.0) for keyword in person.keywords)
    return found + 0.5 * len(person.abilities)


@dataclass
class Thought:
    """One question to a bot."""

    pos: SuikodenPosition
    options: Options
    view: View
    rng: Random

    @property
    def seat(self) -> str:
        return self.options.seat

    @property
    def foe(self) -> str:
        return self.pos.foe(self.seat)

    def moves(self, *kinds: type[Move]) -> list[Any]:
        """The legal answers of some classes that the bot sees (not for sets of people)."""
        found: list[Any] = []
        for family in self.options.families:
            if not kinds or family.kind in kinds:
                found += list(family.moves(self.view))
        return found

    def offers(self, *kinds: type[Move]) -> bool:
        """Whether one of the classes may be answered."""
        return any(family.kind in kinds for family in self.options.families)

    def person(self, slot: str) -> Person | None:
        """Who a card of the hand is."""
        card = face(self.pos, self.view, slot)
        return self.pos.data.people.get(card) if card is not None else None

    def stat(self, card: CardId, which: Stat) -> int:
        return stat(self.pos, card, which)

    def best(self, cards: Iterable[CardId], which: Stat) -> CardId | None:
        """Whose value is highest."""
        return max(cards, key=lambda card: (self.stat(card, which), card), default=None)


def first(moves: Iterable[Any]) -> Move | None:
    """The first of several, if there is one."""
    return next(iter(moves), None)


def most(moves: Iterable[Any], value: Callable[[Any], Any]) -> Move | None:
    """The one with the highest value, if there is one."""
    return max(moves, key=value, default=None)


def least(moves: Iterable[Any], value: Callable[[Any], Any]) -> Move | None:
    """The one with the lowest value, if there is one."""
    return min(moves, key=value, default=None)
