"""The position of chuhan: who stands where, who controls what, and which cards lie where.

Invariants: a stack of legions is in `legions` only while it has one; a general is in `generals` wherever he
is; hands hold handles only, the discards card names. What belongs to one action of the march alone (the
card, the units that act, who fought where) is empty between two actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.chuhan.board import (
    NO_LEGIONS,
    GeneralState,
    Legions,
    generals_in,
    legions_in,
    legions_left,
    survey,
)
from games.chuhan.camps import camp_of, moved_marker
from games.chuhan.reach import Group
from games.chuhan.terms import ASIDE, CUP, GONE, AreaId, Camp, CardId, ForceId, GeneralId, Kind, stack_key
from games.kit.cards import without
from pbem.engine.codec import Record
from pbem.engine.events import Event, Named
from pbem.engine.notation import Handle
from pbem.engine.position import Position, transient
from pbem.engine.shown import Choice

DECK = "fate"
"""The one deck, 天命符, that both seats draw from."""


CHOICES = (
    Choice(
        "strategy",
        ("force", "camp"),
        "1-2-1-2",
        "Whose strategy values count when a side's highest is looked for?",
        ("Those of its own generals alone.", "Those of the lords in its camp as well."),
    ),
    Choice(
        "first-action",
        ("higher-strategy", "higher-strategy-chooses"),
        "6-1",
        "Who takes the first action of the march?",
        ("The side with the higher strategy.", "Whoever the side with the higher strategy names."),
    ),
)
"""Readings (rulings A07 and A63) on which players may agree."""
OPTIONS = {choice.id: choice.values for choice in CHOICES}


def box_text(box: int) -> str:
    """A box of the friendship track (10-3): -2 to +2."""
    return f"{box:+d}" if box else "0"


class MarkerSet(Event):
    says = "{lord}'s marker {moved:?goes to|stays on} {box:+}"
    lord: Named
    box: int
    moved: bool


class CampChanged(Event):
    says = "{lord} turns from the {before} camp to the {camp} camp"
    lord: Named
    before: str
    camp: str


@dataclass(frozen=True, slots=True)
class Hand(Record):
    """The hidden cards of a seat; everybody sees how many."""

    cards: tuple[Handle, ...] = ()


@dataclass(frozen=True, slots=True)
class Company(Record):
    """The units that act in the present action, as far as they are still there."""

    force: ForceId
    area: AreaId
    generals: tuple[GeneralId, ...] = ()
    legions: int = 0
    """All un-acted until the action ends (7-1-5)."""
    moved: bool = False
    """Whether they came by a move (6-6) or fight on where they stand (6-7)."""


@dataclass(frozen=True, slots=True)
class Fight(Record):
    """5-2-1 B: the forces that fought in an area in the present action."""

    forces: tuple[ForceId, ...]


@dataclass(slots=True, kw_only=True)
class ChuhanPosition(Position):
    """Public and the same on every machine."""

    options: dict[str, str] = field(default_factory=dict)
    """Readings of the contract that are not the default."""
    generals: dict[str, GeneralState] = field(default_factory=dict)
    legions: dict[str, Legions] = field(default_factory=dict)
    control: dict[str, ForceId] = field(default_factory=dict)
    markers: dict[str, int] = field(default_factory=dict)
    hands: dict[str, Hand] = field(default_factory=dict)
    discards: tuple[CardId, ...] = ()
    """6-10: face up, open to all."""
    played: CardId = ""
    """The card of the present action; it is discarded when the action is over (6-6)."""
    company: Company | None = None
    fought: dict[str, Fight] = field(default_factory=dict)

    surveyed: Any = transient()
    """Who is where, until a unit comes or goes."""

    # --- lookups

    def option(self, name: str) -> str:
        """The reading of an unclear rule that this game is played by."""
        return self.options.get(name, OPTIONS[name][0])

    @property
    def occupied(self) -> Mapping[AreaId, tuple[ForceId, ...]]:
        """The forces in every occupied area."""
        if self.surveyed is None:
            self.surveyed = survey(self)
        return self.surveyed  # type: ignore[no-any-return]

    @property
    def lords_lend(self) -> bool:
        """1-2-1-2: whether allied lords lend their strategy (ruling A07)."""
        return self.option("strategy") == "camp"

    def hand(self, seat: str) -> tuple[Handle, ...]:
        """The hidden cards of a seat."""
        return self.hands[seat].cards

    def cup(self) -> tuple[GeneralId, ...]:
        """2-4: the retainers who have not yet appeared."""
        return tuple(g for g in self.pack.generals if self.generals[g].place == CUP)

    def royals_aside(self) -> tuple[GeneralId, ...]:
        """2-4: the royals who wait beside the map."""
        found = self.pack.generals.values()
        return tuple(g.id for g in found if g.kind is Kind.ROYAL and self.generals[g.id].place == ASIDE)

    # --- cards

    def play_card(self, seat: str, card: Handle) -> CardId:
        """6-3 to 6-7: a card leaves the hand, face up, and pays for the present action."""
        self.take_from_hand(seat, card)
        self.played = self.face(card)
        return self.played

    def take_from_hand(self, seat: str, card: Handle) -> None:
        """A card leaves a hand."""
        self.hands[seat] = Hand(without(self.hands[seat].cards, card))

    def discard(self, *cards: CardId) -> None:
        """6-10: cards go face up to the discards."""
        self.discards = (*self.discards, *cards)

    # --- legions

    def change_legions(self, area: AreaId, force: ForceId, *, ready: int = 0, acted: int = 0) -> None:
        """More or fewer legions in a stack; an empty stack is no stack."""
        key = stack_key(area, force)
        old = self.legions.get(key, NO_LEGIONS)
        new = Legions(old.ready + ready, old.acted + acted)
        if bool(new.total) != bool(old.total):
            self.surveyed = None
        if new.total:
            self.legions[key] = new
        else:
            self.legions.pop(key, None)

    def raise_legions(self, area: AreaId, force: ForceId, count: int, *, acted: bool = False) -> int:
        """1-2-2-1: place new legions as far as counters go; how many there were."""
        found = min(count, legions_left(self, force))
        if found:
            self.change_legions(area, force, **{"acted" if acted else "ready": found})
        return found

    def remove_legions(self, area: AreaId, force: ForceId, count: int) -> tuple[int, int]:
        """Take legions away, acted ones first; how many acted and un-acted ones were lost."""
        there = legions_in(self, area, force)
        acted = min(count, there.acted)
        ready = min(count - acted, there.ready)
        self.change_legions(area, force, ready=-ready, acted=-acted)
        return acted, ready

    # --- generals

    def place_general(self, general: GeneralId, area: AreaId, *, acted: bool = False) -> None:
        """Put a general into an area."""
        self.surveyed = None
        self.generals[general] = replace(self.generals[general], place=area, acted=acted)

    def remove_general(self, general: GeneralId) -> None:
        """A general leaves the game."""
        self.surveyed = None
        self.generals[general] = replace(self.generals[general], place=GONE, acted=False)

    def end_force(self, force: ForceId) -> int:
        """7-3-6: the legions of a lord or royal who is gone, and his marker; how many legions they were."""
        lost = 0
        self.surveyed = None
        for area in self.pack.areas:
            gone = self.legions.pop(stack_key(area, force), NO_LEGIONS)
            lost += gone.total
        self.markers.pop(force, None)
        return lost

    # --- movement

    def march(self, group: Group, to: AreaId) -> None:
        """7-1-1: a group goes to another area; it stays un-acted until the action is over (7-1-5)."""
        self.change_legions(group.area, group.force, ready=-group.legions)
        self.change_legions(to, group.force, ready=group.legions)
        for general in group.generals:
            self.place_general(general, to)

    def turn_company(self) -> None:
        """The units of the present action become acted, as far as they are still there."""
        company = self.company
        assert company is not None
        for general in company.generals:
            self.generals[general] = replace(self.generals[general], acted=True)
        self.change_legions(company.area, company.force, ready=-company.legions, acted=company.legions)

    def make_ready(self, area: AreaId, force: ForceId) -> int:
        """The acted units of a force in an area become un-acted; how many they were."""
        turned = legions_in(self, area, force).acted
        self.change_legions(area, force, ready=turned, acted=-turned)
        for general in generals_in(self, area, force):
            state = self.generals[general]
            if state.acted:
                self.generals[general] = replace(state, acted=False)
                turned += 1
        return turned

    def name_of(self, ident: str) -> str:
        """The English name of a general, a force, an area or a card."""
        for table in (self.pack.generals, self.pack.forces, self.pack.areas, self.pack.cards):
            if ident in table:
                return str(table[ident].english)
        return ident

    # --- friendship

    def shift_marker(self, force: ForceId, steps: int, rule: str = "") -> None:
        """4-1, 10-3: a lord's marker moves as far as it can; crossing a line changes his camp (4-4)."""
        self.set_marker(force, moved_marker(self.pack, force, self.markers[force], steps), rule)

    def set_marker(self, force: ForceId, box: int, rule: str = "") -> None:
        """A lord's marker is put on a box."""
        before = camp_of(self, force)
        moved = self.markers[force] != box
        self.markers[force] = box
        self.say(MarkerSet(force, box, moved, rule=rule))
        after: Camp = camp_of(self, force)
        if after != before:
            self.say(CampChanged(force, before.value, after.value, rule="4-4"))
