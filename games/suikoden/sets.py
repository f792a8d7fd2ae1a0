"""Questions that are answered with a set of people: trade, hunt, repair, sortie, guard."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random
from typing import Any

from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import CardId
from pbem.engine.options import Family, Refusal, View

Bad = Callable[[tuple[CardId, ...]], Refusal | None]


class Sets(Family[Any]):
    """Sets of people that fit a condition; `before` are the words of the order before them."""

    def __init__(
        self,
        kind: Any,
        pos: SuikodenPosition,
        people: Iterable[CardId],
        rule: str,
        bad: Bad,
        *,
        before: tuple[Any, ...] = (),
        least: int = 1,
        most: int | None = None,
        grows: bool = True,
    ) -> None:
        self.kind, self.pos, self.rule, self.bad, self.before = kind, pos, rule, bad, before
        self.people = tuple(people)
        self.least = least
        self.most = len(self.people) if most is None else min(most, len(self.people))
        self.grows = grows
        """A set that will do still does with more people in it: then samples are small sets."""

    def moves(self, view: View) -> Iterable[Any]:
        for size in range(self.least, self.most + 1):
            for chosen in combinations(self.people, size):
                if self.bad(chosen) is None:
                    yield self.kind(*self.before, chosen)

    def why_not(self, move: Any, view: View) -> Refusal | None:
        chosen: tuple[CardId, ...] = move.people
        if self.before and tuple(getattr(move, n) for n in list(move.__dataclass_fields__)[:-1]) != self.before:
            return Refusal(self.rule, "that cannot be named here")
        for card in chosen:
            if card not in self.people:
                return self._stranger(card)
        if len(set(chosen)) != len(chosen):
            return Refusal(self.rule, "each can be named once")
        if not self.least <= len(chosen) <= self.most:
            return Refusal(self.rule, f"name {self.least} to {self.most} people")
        return self.bad(chosen)

    def _stranger(self, card: CardId) -> Refusal:
        pos = self.pos
        if card not in pos.field:
            return Refusal(self.rule, f"{pos.call(card)} is not on the field")
        state = pos.field[card].state.value
        return Refusal(self.rule, f"{pos.call(card)} ({pos.field[card].seat}, {state}) cannot take part")

    def sample(self, rng: Random, view: View) -> Any:
        people = list(self.people)
        rng.shuffle(people)
        if not self.grows:
            if self.most < self.least:
                return None
            people = people[: rng.randint(self.least, self.most)]
            people.sort(key=self.people.index)
            return self.kind(*self.before, tuple(people)) if self.bad(tuple(people)) is None else None
        for size in range(self.least, self.most + 1):
            if self.bad(tuple(people[:size])) is None:
                return self.kind(*self.before, tuple(sorted(people[:size], key=self.people.index)))
        return None
