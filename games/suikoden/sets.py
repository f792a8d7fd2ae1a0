"""Questions answered with a set of people: sortie and guard (so many), trade, hunt, repair (so much)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from random import Random
from typing import Any

from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import CardId, Stat, State
from games.suikoden.values import stat
from pbem.engine.options import Family, Refusal, View

Bad = Callable[[tuple[CardId, ...]], Refusal | None]


def idle(pos: SuikodenPosition, card: CardId) -> Refusal | None:
    """Why somebody on the field can do nothing now, if so."""
    state = pos.field[card].state
    if state is State.PREPARING:
        return Refusal("D18", f"{pos.call(card)} came in this turn and cannot act")
    return Refusal("G05", f"{pos.call(card)} has acted") if state is State.ACTED else None


def stranger(pos: SuikodenPosition, card: CardId, rule: str) -> Refusal:
    """Why somebody cannot be named."""
    if card not in pos.field:
        return Refusal(rule, f"{pos.call(card)} is not on the field")
    return idle(pos, card) or Refusal(rule, f"{pos.call(card)} is not yours")


class Sets(Family[Any]):
    """D27: up to so many people."""

    def __init__(
        self, kind: Any, pos: SuikodenPosition, people: Iterable[CardId], rule: str, bad: Bad, most: int
    ) -> None:
        self.kind, self.pos, self.rule, self.bad = kind, pos, rule, bad
        self.people = tuple(people)
        self.most = min(most, len(self.people))

    def moves(self, view: View) -> Iterable[Any]:
        for size in range(1, self.most + 1):
            for chosen in combinations(self.people, size):
                if self.bad(chosen) is None:
                    yield self.kind(chosen)

    def why_not(self, move: Any, view: View) -> Refusal | None:
        chosen: tuple[CardId, ...] = move.people
        for card in chosen:
            if card not in self.people:
                return stranger(self.pos, card, self.rule)
        if len(set(chosen)) != len(chosen):
            return Refusal(self.rule, "each can be named once")
        if not chosen:
            return Refusal(self.rule, "name at least one")
        return self.bad(chosen)

    def sample(self, rng: Random, view: View) -> Any:
        people = list(self.people)
        rng.shuffle(people)
        for size in range(rng.randint(1, self.most) if self.most else 0, 0, -1):
            chosen = tuple(sorted(people[:size], key=self.people.index))
            if self.bad(chosen) is None:
                return self.kind(chosen)
        return None


class Sums(Family[Any]):
    """D20 to D22: people whose values together reach a number; `before` are the words before them."""

    def __init__(
        self,
        kind: Any,
        pos: SuikodenPosition,
        people: Iterable[CardId],
        rule: str,
        which: Stat,
        wanted: int,
        before: tuple[Any, ...] = (),
    ) -> None:
        self.kind, self.pos, self.rule, self.which, self.before = kind, pos, rule, which, before
        self.wanted = max(0, wanted)
        self.values = {card: stat(pos, card, which) for card in people}
        self.people = tuple(self.values)

    def moves(self, view: View) -> Iterator[Any]:
        rest = [sum(self.values[c] for c in self.people[at:]) for at in range(len(self.people) + 1)]

        def walk(at: int, chosen: tuple[CardId, ...], total: int) -> Iterator[Any]:
            if total + rest[at] < self.wanted:
                return
            if at == len(self.people):
                if chosen:
                    yield self.kind(*self.before, chosen)
                return
            card = self.people[at]
            yield from walk(at + 1, chosen, total)
            yield from walk(at + 1, (*chosen, card), total + self.values[card])

        return walk(0, (), 0)

    def why_not(self, move: Any, view: View) -> Refusal | None:
        chosen: tuple[CardId, ...] = move.people
        for card in chosen:
            if card not in self.values:
                return stranger(self.pos, card, self.rule)
        if not chosen or len(set(chosen)) != len(chosen):
            return Refusal(self.rule, "name at least one, each once")
        total = sum(self.values[card] for card in chosen)
        if total < self.wanted:
            return Refusal(self.rule, f"{self.which.value} {total} is less than {self.wanted}")
        return None

    def sample(self, rng: Random, view: View) -> Any:
        people = list(self.people)
        rng.shuffle(people)
        total = 0
        for size, card in enumerate(people, 1):
            total += self.values[card]
            if total >= self.wanted:
                chosen = sorted(people[:size], key=self.people.index)
                return self.kind(*self.before, tuple(chosen))
        return None
