"""Values and what follows from them: strategy, supply, victory, battle dice, death check, refuge.

Pure functions of a `Board` (board.py) or of the pack alone. Nothing here rolls or changes anything: dice
come in, numbers go out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.chuhan.board import Board, on_board
from games.chuhan.camps import camp_of, controlled, others_in
from games.chuhan.pack import Pack
from games.chuhan.terms import (
    GONE,
    AreaId,
    Attribute,
    Camp,
    CardId,
    EventSide,
    Fate,
    ForceId,
    General,
    GeneralId,
    Kind,
)
from pbem.engine.events import Event, Named
from pbem.engine.options import Refusal

LOWEST_VALUE, HIGHEST_VALUE = 0, 5
"""7-2-5: the bounds of a military value after modifiers."""


# --- strategy and supply -----------------------------------------------------------------------------


def highest_strategy(board: Board, side: Camp) -> int:
    """1-2-1-2: the highest strategy value on the board among the units of a player's own force.

    Allied lords do not count (ruling A07), unless the contract says so: this is the only place that decides.
    """
    own = max((g.strategy or 0 for g in _serving(board, side)), default=0)
    if not board.lords_lend:
        return own
    lords = [board.pack.forces[f] for f in board.pack.lords() if camp_of(board, f) == side]
    heads = [f.general for f in lords if f.general is not None and on_board(board, f.general)]
    return max([own, *(board.pack.generals[g].strategy or 0 for g in heads)])


def _serving(board: Board, side: Camp) -> list[General]:
    """The generals on the board of a player's own force."""
    pack, states = board.pack, board.generals
    there = [g for g, state in states.items() if state.force == side and state.place in pack.areas]
    return [pack.generals[g] for g in there]


def first_to_act(board: Board) -> Camp:
    """6-1: the side with the higher strategy, Han if equal."""
    return Camp.CHU if highest_strategy(board, Camp.CHU) > highest_strategy(board, Camp.HAN) else Camp.HAN


def event_refusal(board: Board, card: CardId, side: Camp) -> Refusal | None:
    """1-4-1: why a player may not use a card's event now, or None if its requirement is met."""
    event = board.pack.cards[card]
    if event.side not in (EventSide.BOTH, EventSide(side.value)):
        return Refusal("1-4-1", f"this event is for {event.side} only")
    own = highest_strategy(board, side)
    if not event.needs_lead:
        enough = own >= int(event.needs)
        return None if enough else Refusal("1-4-1", f"it needs strategy {event.needs}, yours is {own}")
    other = highest_strategy(board, side.opponent)
    if own <= other:
        return Refusal("1-4-1", f"it needs more strategy than the opponent's {other}, yours is {own}")
    return None


def supply_areas(board: Board, side: Camp) -> tuple[AreaId, ...]:
    """3-2, 4-2 B: the supply areas that a player's camp controls."""
    return tuple(a for a in controlled(board, side) if board.pack.areas[a].supply)


def supply_value(board: Board, side: Camp) -> int:
    """3-2: what those areas are worth together."""
    return sum(board.pack.areas[a].supply for a in supply_areas(board, side))


def cards_to_draw(board: Board, side: Camp) -> int:
    """3-2, 9-2: the supply value, and one more for each general of the side's force with logistics."""
    extra = [g for g in _serving(board, side) if Attribute.LOGISTICS in g.attributes]
    return supply_value(board, side) + len(extra)


class RulerFell(Event):
    says = "{general} has fallen"
    general: Named


class EnoughSupply(Event):
    says = "{areas:# supply area|# supply areas}"
    areas: int


class SupplyCounted(Event):
    says = "{chu:# supply area|# supply areas} of Chu, {han} of Han"
    chu: int
    han: int


class SupplyWeighed(Event):
    says = "{areas:# supply area|# supply areas} each, worth {chu} to Chu, {han} to Han"
    areas: int
    chu: int
    han: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """8: the end of the game; no winner: a draw."""

    rule: str
    winner: Camp | None
    reason: Event


def fallen_ruler(board: Board) -> Verdict | None:
    """8-1: a player whose ruler has left the game has lost."""
    for side in (Camp.CHU, Camp.HAN):
        ruler = board.pack.ruler(side)
        if ruler is not None and board.generals[ruler].place == GONE:
            return Verdict("8-1", side.opponent, RulerFell(ruler))
    return None


def verdict(board: Board, turn: int) -> Verdict | None:
    """8-2, 8-3: whether the game ends at the end of this turn, and how."""
    chu, han = (len(supply_areas(board, side)) for side in (Camp.CHU, Camp.HAN))
    enough = board.pack.tables.sudden_death
    leader = Camp.CHU if chu > han else Camp.HAN
    if max(chu, han) >= enough and chu != han:
        return Verdict("8-2", leader, EnoughSupply(max(chu, han)))
    if turn < board.pack.tables.turns:
        return None
    if chu != han:
        return Verdict("8-3", leader, SupplyCounted(chu, han))
    worth_chu, worth_han = supply_value(board, Camp.CHU), supply_value(board, Camp.HAN)
    if worth_chu == worth_han:
        return Verdict("8-3", None, SupplyWeighed(chu, worth_chu, worth_han))
    richer = Camp.CHU if worth_chu > worth_han else Camp.HAN
    return Verdict("8-3", richer, SupplyWeighed(chu, worth_chu, worth_han))


# --- battle ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Party:
    """7-2-2, 7-2-3: those who take part in a battle on one side."""

    force: ForceId
    generals: tuple[GeneralId, ...] = ()
    ready: int = 0
    """Un-acted legions."""
    acted: int = 0


@dataclass(frozen=True, slots=True)
class Throw:
    """One die of a battle: it hits with `target` or less."""

    general: GeneralId | None
    """Who throws it; None for a legion."""
    target: int


def leading_general(pack: Pack, party: Party) -> GeneralId | None:
    """7-2-4: the highest military value, the first in the list of units if equal."""
    present = [g for g in pack.generals.values() if g.id in party.generals]
    return max(present, key=lambda g: g.military).id if present else None


def throws(pack: Pack, party: Party, *, attacking: bool, bonus: int = 0) -> tuple[Throw, ...]:
    """7-2-5, 9-3: the dice of a side: its generals in the order of the list, then its legions.

    `bonus` is added to every military value; a side without a general throws nothing (1-2-2).
    """
    leader = leading_general(pack, party)
    if leader is None:
        return ()

    def value(general: GeneralId) -> int:
        return max(LOWEST_VALUE, min(HIGHEST_VALUE, pack.generals[general].military + bonus))

    found = []
    for g in pack.generals.values():
        if g.id in party.generals:
            dice = 2 if attacking and Attribute.VALIANT in g.attributes else 1
            found += [Throw(g.id, value(g.id))] * dice
    return (*found, *[Throw(None, value(leader))] * (party.ready + party.acted))


def counter_bonus(pack: Pack, attackers: Party) -> int:
    """9-4: what the counter-attack's military values change by."""
    leader = leading_general(pack, attackers)
    return -1 if leader is not None and Attribute.TACTICIAN in pack.generals[leader].attributes else 0


def hits(thrown: Sequence[Throw], dice: Sequence[int]) -> int:
    """7-2-5: how many of the dice hit."""
    return sum(die <= throw.target for throw, die in zip(thrown, dice, strict=True))


@dataclass(frozen=True, slots=True)
class Losses:
    """7-2-6, 7-2-7: what hits do to a side."""

    acted: int
    """Acted legions removed."""
    ready: int
    """Un-acted legions removed."""
    generals: int
    """How many different generals are hit; if not all, their owner chooses which."""


def losses(party: Party, hit: int) -> Losses:
    """7-2-6, 7-2-7: acted legions first, then un-acted ones, then one hit a general; the rest is lost."""
    acted = min(hit, party.acted)
    ready = min(hit - acted, party.ready)
    return Losses(acted, ready, min(hit - acted - ready, len(party.generals)))


# --- death check -------------------------------------------------------------------------------------


def guarded(pack: Pack, general: GeneralId, party: Party) -> bool:
    """9-5: whether a guard takes part in the battle at his ruler's side."""
    others = [g for g in party.generals if g != general]
    guards = [g for g in others if Attribute.GUARD in pack.generals[g].attributes]
    return pack.generals[general].kind is Kind.RULER and bool(guards)


def death_check(pack: Pack, general: GeneralId, die: int, *, guard: bool = False) -> Fate:
    """7-3-1, 9-5: the fate of a general who was hit; beside a guard a 1 counts as 2."""
    row = 2 if guard and die == 1 else die
    return pack.tables.death[pack.generals[general].kind][row - 1]


def refuge(board: Board, general: GeneralId, battle: AreaId) -> AreaId | None:
    """7-3-4: where a general flees to from a battle in the area `battle`; None means capture (7-3-5)."""
    pack, force = board.pack, board.generals[general].force
    camp = camp_of(board, force)

    def safe(area: AreaId | None) -> bool:
        return area is not None and area != battle and not others_in(board, area, camp)

    if pack.forces[force].kind is not Kind.RULER:
        home = pack.forces[force].home
        return home if safe(home) else None
    capital = pack.capitals.get(camp)
    if safe(capital):
        return capital
    away = pack.steps[battle]
    own = [a for a in pack.areas if a in away and board.control.get(a) == force and safe(a)]
    return min(own, key=lambda a: away[a], default=None)
