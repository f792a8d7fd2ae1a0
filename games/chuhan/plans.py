"""What the bot weighs: positions after an answer, marches and battles worth trying, the value of events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.chuhan.affairs import advisers, candidates, gifts, turncoat
from games.chuhan.board import legions_in
from games.chuhan.camps import camp_of, moved_marker, others_in, succession, toward
from games.chuhan.events import EVENTS
from games.chuhan.groups import Fights, Moves
from games.chuhan.judgement import LEGION, Judge, worth
from games.chuhan.moves import Crown, Gift, HandOver, Levy, Muster, Place, Slander
from games.chuhan.position import ChuhanPosition
from games.chuhan.provisions import heartland, thrones
from games.chuhan.reach import Group
from games.chuhan.stratagems import Peerless, Stratagem
from games.chuhan.strength import Party
from games.chuhan.terms import PLAYERS, AreaId, Camp, ForceId, GeneralId
from games.chuhan.words import force_named
from pbem.engine.notation import Move


@dataclass(frozen=True, slots=True)
class Odds:
    """How an event changes the battle that it makes."""

    bonus: int = 0
    silent: bool = False
    times: float = 1.0


USUAL = Odds()
Memo = dict[tuple[Group, AreaId], float]
"""Marches already weighed for the present decision."""


def terms_of(frame: Any) -> Odds:
    """The odds of the event under way."""
    if not isinstance(frame, Stratagem):
        return USUAL
    return Odds(frame.bonus, frame.silent, 1.6 if frame.again else 1.0)


# --- positions after something


def settled(pos: ChuhanPosition, side: Camp, areas: tuple[AreaId, ...]) -> None:
    """Control of these areas as it will be, equal claims falling to the first."""
    for area in areas:
        found = succession(pos, area, side)
        heir = found.heir or next(iter(found.candidates), None)
        if heir is None:
            pos.control.pop(area, None)
        else:
            pos.control[area] = heir


def reinforced(judge: Judge, pos: ChuhanPosition, general: GeneralId) -> float:
    """6-4: with one more legion."""
    after = pos.copy()
    state = pos.generals[general]
    after.change_legions(state.place, state.force, acted=1)
    return judge.value(after)


def courted(judge: Judge, pos: ChuhanPosition, force: ForceId, steps: int) -> float | None:
    """6-5: with a marker moved; None if it cannot move so far."""
    box = pos.markers[force] + steps
    if moved_marker(pos.pack, force, pos.markers[force], steps) != box:
        return None
    after = pos.copy()
    after.markers[force] = box
    return judge.value(after)


def lasting(judge: Judge, pos: ChuhanPosition) -> float:
    """How much of a lord's favour is likely to last: the opponent undoes it with one card, if he has one."""
    return 0.4 if pos.hand(judge.side.opponent.value) else 1.0


def answered(judge: Judge, pos: ChuhanPosition, move: Move) -> float:
    """The position after a simple answer."""
    after = pos.copy()
    match move:
        case HandOver():
            after.control[move.area] = force_named(pos, move.force)
        case Place():
            after.place_general(move.general, move.area)
        case Muster():
            after.change_legions(pos.generals[move.royal].place, move.royal, ready=1)
        case Gift():
            after.markers[move.lord] += move.boxes * toward(judge.side)
        case Slander():
            after.markers[move.lord] = 0
        case Levy():
            after.change_legions(move.area, judge.side.value, ready=2)
        case Crown():
            after.place_general(move.royal, move.area)
            after.change_legions(move.area, move.royal, ready=2)
            settled(after, judge.side, (move.area,))
    return judge.value(after)


def starved(judge: Judge, pos: ChuhanPosition, area: AreaId, count: int) -> float:
    """With legions of the opponent's removed."""
    after = pos.copy()
    after.remove_legions(area, judge.side.opponent.value, count)
    settled(after, judge.side, (area,))
    return judge.value(after)


# --- marches and battles


def attack_value(judge: Judge, pos: ChuhanPosition, force: ForceId) -> float:
    """7-2-3: the company of the present action against a force."""
    company = pos.company
    assert company is not None
    party = Party(company.force, company.generals, ready=company.legions)
    return judge.battle(pos, party, company.area, force)


def best_battle(judge: Judge, pos: ChuhanPosition, party: Party, area: AreaId, odds: Odds = USUAL) -> float:
    """The best target in an area."""
    found = others_in(pos, area, judge.side)
    values = [judge.battle(pos, party, area, f, bonus=odds.bonus, silent=odds.silent) for f in found]
    return odds.times * max(values)


def groups(
    pos: ChuhanPosition,
    area: AreaId,
    force: ForceId,
    generals: tuple[GeneralId, ...],
    legions: int,
    most: int,
) -> list[Group]:
    """A few sensible groups: all, all but a guard, without the ruler, the best general with half, one."""
    ruler = pos.pack.ruler(Camp(force)) if force in PLAYERS else None
    field = tuple(g for g in generals if g != ruler)
    best = max(generals, key=lambda g: pos.pack.generals[g].military, default=None)
    wanted = [(generals, legions), (generals, legions - 1), (field, legions), (field, legions - 1)]
    if best is not None:
        wanted.append(((best,), legions // 2))
    wanted.append(((), 1))
    found: list[Group] = []
    for chosen, count in wanted:
        going = chosen[:most]
        group = Group(force, area, going, min(count, most - len(going), legions))
        if group.legions >= 0 and group.units and group not in found:
            found.append(group)
    return found


def marches(
    judge: Judge, pos: ChuhanPosition, moves: Moves, base: float, odds: Odds = USUAL, memo: Memo | None = None
) -> Iterator[tuple[float, Group, AreaId]]:
    """Moves worth trying, each with what it is expected to change."""
    memo = {} if memo is None else memo
    for area in pos.pack.areas:
        for force, generals, legions, most in moves.starts(area):
            ends = moves.ends(area, force)
            tried = groups(pos, area, force, generals, legions, most)
            for to in ends:
                hostile = others_in(pos, to, judge.side)
                for group in _worth_trying(pos, tried, to, bool(hostile)):
                    if moves.terms_refusal(group) is None:
                        gain = march_value(judge, pos, group, to, base, memo)
                        if hostile:
                            gain += _clash(judge, pos, group, to, odds)
                        yield gain, group, to


def _worth_trying(pos: ChuhanPosition, tried: list[Group], to: AreaId, hostile: bool) -> list[Group]:
    """Only generals attack; a legion alone goes to take what is free; armies march as wholes."""
    led = [group for group in tried if group.generals]
    if hostile:
        return led
    alone = [group for group in tried if not group.generals]
    free = pos.pack.areas[to].supply and to not in pos.control
    return [*led[:2], *alone] if free else led[:2]


def march_value(
    judge: Judge, pos: ChuhanPosition, group: Group, to: AreaId, base: float, memo: Memo
) -> float:
    """What a move is expected to change, battle apart."""
    found = memo.get((group, to))
    if found is None:
        after = pos.copy()
        after.march(group, to)
        settled(after, judge.side, (group.area, to))
        found = memo[group, to] = judge.value(after) - base
    return found


def _clash(judge: Judge, pos: ChuhanPosition, group: Group, to: AreaId, odds: Odds) -> float:
    """What the battle after a move is expected to change."""
    party = Party(group.force, group.generals, ready=group.legions)
    return best_battle(judge, pos, party, to, odds)


def fights(
    judge: Judge, pos: ChuhanPosition, battles: Fights, odds: Odds = USUAL
) -> Iterator[tuple[float, Group]]:
    """Continued battles: everybody, or without the ruler."""
    ruler = pos.pack.ruler(judge.side)
    for area in pos.pack.areas:
        for force, generals, legions in battles.starts(area):
            for chosen in (generals, tuple(g for g in generals if g != ruler)):
                group = Group(force, area, chosen, legions)
                if chosen and battles.terms_refusal(group) is None:
                    party = Party(force, chosen, ready=legions)
                    yield best_battle(judge, pos, party, area, odds), group


# --- events


def event_value(judge: Judge, pos: ChuhanPosition, card: str, base: float, memo: Memo) -> float:
    """What a usable event is expected to change."""
    event = EVENTS[card]
    if issubclass(event, Stratagem):
        return _stratagem(judge, pos, event, base, memo)
    if event is Peerless:
        return _gathering(judge, pos, base)
    return _AFFAIRS[card](judge, pos, base)


def _stratagem(judge: Judge, pos: ChuhanPosition, event: type[Stratagem], base: float, memo: Memo) -> float:
    odds = Odds(event.bonus, event.silent, 1.6 if event.again else 1.0)
    moves = Moves(pos, judge.side, event.terms)
    found = [gain for gain, _, _ in marches(judge, pos, moves, base, odds, memo)]
    if event.fights:
        found += [gain for gain, _ in fights(judge, pos, Fights(pos, judge.side, event.terms), odds)]
    return max(found, default=-1.0)


def _gathering(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    """12-peerless: the best area to march on from up to three others."""
    moves = Moves(pos, judge.side, Peerless.terms)
    found: dict[AreaId, list[Group]] = {}
    for area in pos.pack.areas:
        for force, generals, legions, most in moves.starts(area):
            chosen = generals[:most]
            group = Group(force, area, chosen, min(legions, most - len(chosen)))
            for to in moves.ends(area, force):
                if others_in(pos, to, judge.side):
                    found.setdefault(to, []).append(group)
    best = -1.0
    for to, coming in found.items():
        chosen_groups = sorted(coming, key=lambda g: -g.units)[:3]
        if len(chosen_groups) < 2:
            continue
        after = pos.copy()
        for group in chosen_groups:
            after.march(group, to)
        settled(after, judge.side, (to, *(group.area for group in chosen_groups)))
        generals = tuple(g for group in chosen_groups for g in group.generals)
        party = Party(judge.side.value, generals, ready=sum(g.legions for g in chosen_groups))
        gain = judge.value(after) - base + best_battle(judge, after, party, to)
        best = max(best, gain)
    return best


def _third_realm(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    lord = turncoat(pos)
    assert lord is not None and lord.retainer is not None
    state = pos.generals[lord.retainer]
    half = (legions_in(pos, state.place, state.force).total + 1) // 2
    return worth(pos.pack.generals[lord.retainer]) + LEGION * half


def _counsel(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    return max(worth(pos.pack.generals[g]) for g in advisers(pos, judge.side.opponent))


def _scholar(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    return max(worth(pos.pack.generals[g]) for g in candidates(pos, judge.side))


def _spies(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    return 3.2 * min(2, len(pos.hand(judge.side.opponent.value)))


def _gifts(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    best = max(answered(judge, pos, gift) for gift in gifts(pos, judge.side))
    return lasting(judge, pos) * (best - base)


def _discord(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    lords = [f for f in pos.pack.lords() if camp_of(pos, f) == judge.side.opponent and f in pos.markers]
    best = max((answered(judge, pos, Slander(f)) for f in lords), default=base)
    return lasting(judge, pos) * (best - base)


def _levy(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    return max(answered(judge, pos, Levy(area)) for area in heartland(pos, judge.side)) - base


def _king(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    royal = pos.royals_aside()[0]
    return max(answered(judge, pos, Crown(royal, area)) for area in thrones(pos)) - base


def _hunger(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    return max(target_value(judge, pos, area, "cut-supplies") for area in pos.pack.areas) - base


def _granary(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    return max(target_value(judge, pos, area, "great-granary") for area in pos.pack.areas) - base


def _songs(judge: Judge, pos: ChuhanPosition, base: float) -> float:
    return max(target_value(judge, pos, area, "songs-of-chu") for area in pos.pack.areas) - base


_AFFAIRS = {
    "third-realm": _third_realm,
    "not-worth-counsel": _counsel,
    "scholar-enlists": _scholar,
    "spies": _spies,
    "gifts": _gifts,
    "sow-discord": _discord,
    "sons-of-jiangdong": _levy,
    "elders-of-guanzhong": _levy,
    "new-king": _king,
    "cut-supplies": _hunger,
    "great-granary": _granary,
    "songs-of-chu": _songs,
}


def target_value(judge: Judge, pos: ChuhanPosition, area: AreaId, card: str = "") -> float:
    """The position after an event that is about one area."""
    card = card or pos.played
    if card == "cut-supplies":
        return starved(judge, pos, area, 1 if pos.pack.areas[area].supply else 2)
    if card == "songs-of-chu":
        return starved(judge, pos, area, legions_in(pos, area, Camp.CHU.value).total // 2)
    after = pos.copy()
    turned = after.make_ready(area, judge.side.value)
    if not turned:
        return judge.value(pos)
    enemies = [a for a, n in pos.pack.steps[area].items() if n <= 2 and others_in(pos, a, judge.side)]
    return judge.value(after) + (0.9 * turned if enemies else 0.0)
