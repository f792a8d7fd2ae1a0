"""Orders to move (6-6) and to fight on (6-7): which groups, from where, to where; paid by card or event.

`Moves` and `Fights` know the rules, with the terms that an event sets; the families at the end turn them
into orders. Listing names every subset of the un-acted units, so it is lazy; sampling builds one group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from games.chuhan.board import forces_in, legions_in
from games.chuhan.camps import camp_of, others_in
from games.chuhan.moves import EventFight, EventMove, FightOn, MoveGroup
from games.chuhan.position import ChuhanPosition, Company
from games.chuhan.reach import (
    USUAL,
    Group,
    March,
    destinations,
    group_refusal,
    may_leave,
    ready_generals,
    refusal,
    way,
)
from games.chuhan.terms import AreaId, Camp, ForceId, GeneralId
from games.chuhan.words import read_group, unit_words
from games.kit.cards import known
from pbem.engine.notation import Handle
from pbem.engine.options import Family, Refusal, View


@dataclass(frozen=True, slots=True)
class Terms:
    """How a move or battle made by an event differs from the usual one (12)."""

    rule: str = "6-6"
    """Who sets these terms."""
    march: March = USUAL
    own_force: bool = False
    """Only the player's own force, no lord of his camp."""
    ruler: bool = False
    """The ruler is of the group."""
    general: bool = False
    """At least one general is of the group."""
    battle: bool = False
    """A move must lead to battle."""


PLAIN = Terms()


NOT_IN_HAND = "this card is not in your hand"


def not_in_hand(pos: ChuhanPosition, seat: str, card: Handle) -> Refusal | None:
    """6: every action but waiting costs a card of one's own."""
    return None if card in pos.hand(seat) else Refusal("6", NOT_IN_HAND)


class Actors:
    """What moves and fights have in common: who may act, under which terms."""

    def __init__(self, pos: ChuhanPosition, side: Camp, terms: Terms = PLAIN) -> None:
        self.pos, self.side, self.terms = pos, side, terms
        self.ruler = pos.pack.ruler(side) if terms.ruler else None

    def forces(self, area: AreaId) -> list[ForceId]:
        """The forces in an area that this player may use."""
        there = forces_in(self.pos, area)
        if self.terms.own_force:
            return [f for f in there if f == self.side]
        return [f for f in there if camp_of(self.pos, f) == self.side]

    def terms_refusal(self, group: Group) -> Refusal | None:
        """What the event asks of a group."""
        if self.terms.own_force and group.force != self.side:
            return Refusal(self.terms.rule, f"this event is for units of {self.side} itself")
        if self.terms.ruler and self.ruler not in group.generals:
            return Refusal(self.terms.rule, f"{self.ruler} must be of the group")
        if self.terms.general and not group.generals:
            return Refusal(self.terms.rule, "a general must be of the group")
        return None

    def groups(
        self, area: AreaId, force: ForceId, generals: Sequence[GeneralId], legions: int, most: int
    ) -> Iterator[Group]:
        """Every group of these units within the limit, large ones first."""
        for count in range(legions, -1, -1):
            for number in range(min(len(generals), most - count), -1, -1):
                for chosen in combinations(generals, number):
                    group = Group(force, area, chosen, count)
                    if group.units and self.terms_refusal(group) is None:
                        yield group

    def some(
        self,
        rng: Random,
        area: AreaId,
        force: ForceId,
        generals: Sequence[GeneralId],
        legions: int,
        most: int,
    ) -> Group | None:
        """A random group of these units, or None if the terms allow none."""
        must = [g for g in generals if g == self.ruler]
        if self.terms.ruler and not must:
            return None
        if self.terms.general and not must:
            if not generals:
                return None
            must = [rng.choice(generals)]
        extra = [g for g in generals if g not in must and rng.random() < 0.5][: most - len(must)]
        chosen = tuple(g for g in generals if g in must or g in extra)
        count = rng.randint(0 if chosen else 1, max(min(legions, most - len(chosen)), 0 if chosen else 1))
        if count > legions:
            chosen, count = (rng.choice(generals),), 0
        return Group(force, area, chosen, count)


class Moves(Actors):
    """6-6, 7-1: moves of one group."""

    def __init__(
        self,
        pos: ChuhanPosition,
        side: Camp,
        terms: Terms = PLAIN,
        *,
        to: AreaId = "",
        used: tuple[AreaId, ...] = (),
        within: Company | None = None,
    ) -> None:
        super().__init__(pos, side, terms)
        self.to = to
        """The only destination, if one is fixed already (12-peerless)."""
        self.used = used
        """Areas from which a group of this action has come already (12-peerless)."""
        self.within = within
        """The only units that may go, if they have moved before in this action (12-lady-yu)."""

    def starts(self, area: AreaId) -> Iterator[tuple[ForceId, tuple[GeneralId, ...], int, int]]:
        """Who may leave an area: force, un-acted generals and legions, and how many of them in all."""
        if area in self.used or (self.within is not None and area != self.within.area):
            return
        for force in self.forces(area):
            if self.within is not None and force != self.within.force:
                continue
            most = may_leave(self.pos, area, force, self.terms.march)
            if most:
                generals = ready_generals(self.pos, area, force)
                legions = legions_in(self.pos, area, force).ready
                if self.within is not None:
                    generals, legions = self.within.generals, self.within.legions
                yield force, generals, legions, min(most, len(generals) + legions)

    def ends(self, area: AreaId, force: ForceId) -> list[AreaId]:
        """Where a group of this force may go."""
        found = destinations(self.pos, area, force, self.terms.march)
        return [a for a in found if (not self.to or a == self.to) and self._leads(a)]

    def _leads(self, area: AreaId) -> bool:
        return not self.terms.battle or bool(others_in(self.pos, area, self.side))

    def all(self) -> Iterator[tuple[Group, AreaId]]:
        """Every legal move."""
        for area in self.pos.pack.areas:
            for force, generals, legions, most in self.starts(area):
                for to in self.ends(area, force):
                    for group in self.groups(area, force, generals, legions, most):
                        yield group, to

    def any(self) -> bool:
        """Whether there is a legal move at all."""
        return next(self.all(), None) is not None

    def pick(self, rng: Random) -> tuple[Group, AreaId] | None:
        """A random legal move."""
        areas = list(self.pos.pack.areas)
        rng.shuffle(areas)
        for area in areas:
            starts = list(self.starts(area))
            rng.shuffle(starts)
            for force, generals, legions, most in starts:
                ends = self.ends(area, force)
                group = self.some(rng, area, force, generals, legions, most) if ends else None
                if group is not None:
                    return group, rng.choice(ends)
        return None

    def why_not(self, units: Sequence[str], start: AreaId, to: AreaId) -> Refusal | None:
        """Why this move is refused."""
        group = read_group(self.pos, self.side, units, start)
        if isinstance(group, Refusal):
            return group
        wrong = group_refusal(self.pos, self.side, group) or self.terms_refusal(group)
        if wrong is not None:
            return wrong
        if start in self.used:
            return Refusal(self.terms.rule, f"a group from {start} has moved already")
        if self.to and to != self.to:
            return Refusal(self.terms.rule, f"all groups go to {self.to}")
        if self.within is not None and not _part_of(group, self.within):
            return Refusal(self.terms.rule, "only units that moved with the first group may move again")
        path = way(self.pos, start, group.force, to, self.terms.march)
        if isinstance(path, Refusal):
            return path
        if not self._leads(to):
            return Refusal(self.terms.rule, f"the move must lead to battle, and nobody opposes you in {to}")
        return refusal(self.pos, self.side, group, path, self.terms.march)


def _part_of(group: Group, company: Company) -> bool:
    named = all(general in company.generals for general in group.generals)
    return group.area == company.area and named and group.legions <= company.legions


class Fights(Actors):
    """6-7, 7-2-2: continued battles, with at least one general."""

    def starts(self, area: AreaId) -> Iterator[tuple[ForceId, tuple[GeneralId, ...], int]]:
        """Who may fight in an area: force, un-acted generals and legions."""
        if not others_in(self.pos, area, self.side):
            return
        for force in self.forces(area):
            generals = ready_generals(self.pos, area, force)
            if generals and (not self.terms.ruler or self.ruler in generals):
                yield force, generals, legions_in(self.pos, area, force).ready

    def all(self) -> Iterator[Group]:
        """Every legal battle."""
        for area in self.pos.pack.areas:
            for force, generals, legions in self.starts(area):
                for group in self.groups(area, force, generals, legions, len(generals) + legions):
                    if group.generals:
                        yield group

    def any(self) -> bool:
        """Whether there is a legal battle at all."""
        return next(self.all(), None) is not None

    def pick(self, rng: Random) -> Group | None:
        """A random legal battle."""
        starts = [(area, *start) for area in self.pos.pack.areas for start in self.starts(area)]
        if not starts:
            return None
        area, force, generals, legions = rng.choice(starts)
        must = self.ruler if self.ruler is not None else rng.choice(generals)
        chosen = tuple(g for g in generals if g == must or rng.random() < 0.5)
        return Group(force, area, chosen, rng.randint(0, legions))

    def why_not(self, units: Sequence[str], area: AreaId) -> Refusal | None:
        """Why this battle is refused."""
        group = read_group(self.pos, self.side, units, area)
        if isinstance(group, Refusal):
            return group
        wrong = group_refusal(self.pos, self.side, group, "6-7") or self.terms_refusal(group)
        if wrong is not None:
            return wrong
        if not group.generals:
            return Refusal("7-2-2", "a continued battle needs a general")
        if not others_in(self.pos, area, self.side):
            return Refusal("6-7", f"no unit of another camp is in {area}")
        return None


# --- families: as actions of the march, paid by a card


class PaidMoves(Family[MoveGroup]):
    """6-6."""

    kind = MoveGroup

    def __init__(self, pos: ChuhanPosition, side: Camp) -> None:
        self.pos, self.side, self.inner = pos, side, Moves(pos, side)

    def moves(self, view: View) -> Iterator[MoveGroup]:
        cards = known(self.pos.hand(self.side), view)
        for group, to in self.inner.all() if cards else ():
            for card in cards:
                yield MoveGroup(unit_words(self.side, group), group.area, to, card)

    def why_not(self, move: MoveGroup, view: View) -> Refusal | None:
        return not_in_hand(self.pos, self.side, move.card) or self.inner.why_not(
            move.units, move.start, move.area
        )

    def sample(self, rng: Random, view: View) -> MoveGroup | None:
        cards = known(self.pos.hand(self.side), view)
        found = self.inner.pick(rng) if cards else None
        if found is None:
            return None
        group, to = found
        return MoveGroup(unit_words(self.side, group), group.area, to, rng.choice(cards))


class PaidFights(Family[FightOn]):
    """6-7."""

    kind = FightOn

    def __init__(self, pos: ChuhanPosition, side: Camp) -> None:
        self.pos, self.side, self.inner = pos, side, Fights(pos, side)

    def moves(self, view: View) -> Iterator[FightOn]:
        cards = known(self.pos.hand(self.side), view)
        for group in self.inner.all() if cards else ():
            for card in cards:
                yield FightOn(unit_words(self.side, group), group.area, card)

    def why_not(self, move: FightOn, view: View) -> Refusal | None:
        return not_in_hand(self.pos, self.side, move.card) or self.inner.why_not(move.units, move.area)

    def sample(self, rng: Random, view: View) -> FightOn | None:
        cards = known(self.pos.hand(self.side), view)
        group = self.inner.pick(rng) if cards else None
        return FightOn(unit_words(self.side, group), group.area, rng.choice(cards)) if group else None


# --- families: as part of an event


class EventMoves(Family[EventMove]):
    """12: the move of an event."""

    kind = EventMove

    def __init__(self, inner: Moves) -> None:
        self.inner = inner

    def moves(self, view: View) -> Iterator[EventMove]:
        for group, to in self.inner.all():
            yield EventMove(unit_words(self.inner.side, group), group.area, to)

    def why_not(self, move: EventMove, view: View) -> Refusal | None:
        return self.inner.why_not(move.units, move.start, move.area)

    def sample(self, rng: Random, view: View) -> EventMove | None:
        found = self.inner.pick(rng)
        if found is None:
            return None
        group, to = found
        return EventMove(unit_words(self.inner.side, group), group.area, to)


class EventFights(Family[EventFight]):
    """12: the continued battle of an event."""

    kind = EventFight

    def __init__(self, inner: Fights) -> None:
        self.inner = inner

    def moves(self, view: View) -> Iterator[EventFight]:
        for group in self.inner.all():
            yield EventFight(unit_words(self.inner.side, group), group.area)

    def why_not(self, move: EventFight, view: View) -> Refusal | None:
        return self.inner.why_not(move.units, move.area)

    def sample(self, rng: Random, view: View) -> EventFight | None:
        group = self.inner.pick(rng)
        return EventFight(unit_words(self.inner.side, group), group.area) if group else None
