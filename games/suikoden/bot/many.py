"""The multiplayer game: lands first, attacks with a good card, help against who is about to win."""

from __future__ import annotations

from typing import Any

from games.suikoden.bot.thought import Thought, first, most
from games.suikoden.contest import totals
from games.suikoden.moves import Done, Extra
from games.suikoden.moves_table import (
    ByArms,
    ByWits,
    Capture,
    Challenge,
    Commit,
    Defend,
    DefendLeader,
    Effect,
    EffectLeader,
    EffectOpen,
    Event,
    EventLeader,
    EventOpen,
    Lead,
    PassBattle,
    Place,
    PlaceOpen,
    Rob,
    Swap,
)
from games.suikoden.terms import Attribute
from games.suikoden.victory import stars
from pbem.engine.notation import Move


def place(t: Thought) -> Move | None:
    """The best land."""
    lands = t.pos.data.lands

    def rank(move: Place | PlaceOpen) -> int:
        card = str(t.view.value(move.card) if isinstance(move, Place) else move.card)
        return lands[card].stars if card in lands else 0

    return most(t.moves(Place, PlaceOpen), rank) or Done()


def _people(t: Thought) -> list[Any]:
    found = [t.person(slot) for slot in t.pos.sides[t.seat].hand]
    return [person for person in found if person is not None]


def _threat(t: Thought, seat: str) -> float:
    side = t.pos.sides[seat]
    return max(stars(t.pos, seat) / 10, len(side.trophies) / 10)


def main(t: Thought) -> Move | None:
    """A battle with a good card against who is ahead or weak; an event with little to lose; else a card."""
    pos, side = t.pos, t.pos.sides[t.seat]
    people = _people(t)
    strong = max((max(p.attack, p.wit) for p in people), default=0)
    leader = pos.person(side.leader)
    lead = max(leader.attack, leader.wit)
    targets = [s for s in pos.clockwise(t.seat)[1:] if pos.sides[s].lands]
    events = t.moves(Event, EventOpen, EventLeader)
    if events and (len(side.hand) <= 3 or t.rng.random() < 0.4):
        return first(events)
    if targets and max(strong, lead) >= 4:

        def prize(seat: str) -> float:
            other = pos.sides[seat]
            ease = (5 - len(other.hand)) * 0.1 + (0.2 if other.spent else 0.0)
            return stars(pos, seat) / max(1, len(other.lands)) + 3 * _threat(t, seat) + ease + t.rng.random()

        seat = max(targets, key=prize)
        if t.moves(Lead) and lead >= strong:
            return Lead(seat)
        if t.moves(Challenge) and strong >= 4:
            return Challenge(seat)
    return Extra() if t.offers(Extra) and len(side.hand) < 6 else Done()


def commit(t: Thought) -> Move | None:
    """Attackers by their best value, defenders by what they can stand."""
    duel = t.pos.duel
    attacking = duel is not None and duel.attacker == t.seat

    def value(move: Commit) -> float:
        person = t.person(move.cards[0])
        if person is None:
            return -1
        if attacking:
            return max(person.attack, person.wit) + 0.1 * person.wit
        return 0.6 * person.defence + 0.4 * person.wit

    return most(t.moves(Commit), value)


def defend(t: Thought) -> Move | None:
    """The leader if it is as good as anybody in the hand: it is no trophy."""
    leader = t.pos.person(t.pos.sides[t.seat].leader)
    mine = max((0.6 * p.defence + 0.4 * p.wit for p in _people(t)), default=-1.0)
    if t.moves(DefendLeader) and 0.6 * leader.defence + 0.4 * leader.wit + 0.5 >= mine:
        return DefendLeader()
    return Defend() if t.moves(Defend) else None


def way(t: Thought) -> Move | None:
    """Whichever value is higher; against a leader that lies open, whichever is the better match."""
    duel = t.pos.duel
    assert duel is not None
    slot = t.view.value(duel.attack_slot) if duel.attack_slot else duel.attack
    mine = t.person(str(slot)) or t.pos.data.people.get(str(slot))
    if mine is None:
        return None
    if duel.defence_leads:
        other = t.pos.person(duel.defence)
        return ByArms() if mine.attack - other.defence >= mine.wit - other.wit else ByWits()
    return ByArms() if mine.attack >= mine.wit else ByWits()


def _needed(t: Thought, seat: str) -> int:
    """By how much a fighter must gain to win (attacker) or to hold (defender)."""
    duel = t.pos.duel
    assert duel is not None
    mine, theirs = totals(t.pos)
    return theirs - mine + 1 if seat == duel.attacker else mine - theirs


def _help(t: Thought, seat: str) -> Move:
    """An effect that turns the battle for a fighter, or none any more."""
    duel = t.pos.duel
    assert duel is not None
    need = _needed(t, seat)
    if need <= 0:
        return PassBattle()
    options = t.moves(Effect, EffectOpen, EffectLeader)
    gains = {Attribute.GI: 1, Attribute.YU: 2}
    best: tuple[float, Any] = (0.0, None)
    for move in options:
        card = t.pos.sides[t.seat].leader if isinstance(move, EffectLeader) else None
        person = t.pos.person(card) if card else t.person(move.card)
        if person is None:
            continue
        colour = person.attribute
        score = 0.0
        if colour in gains and move.seat == seat:
            score = 2.0 if gains[colour] >= need else 0.0
        elif colour is Attribute.JIN:
            die = duel.dice[0 if move.seat == duel.attacker else 1]
            up = 6 - die if move.seat == seat else die - 1
            score = 1.0 if up >= need + 1 else 0.0
        score -= 0.05 * person.best if not isinstance(move, EffectLeader) else 0.0
        if score > best[0]:
            best = (score, move)
    return best[1] if best[1] is not None else PassBattle()


def effect(t: Thought) -> Move | None:
    """Fighters help themselves."""
    return _help(t, t.seat)


def support(t: Thought) -> Move | None:
    """Bystanders help the defender against an attacker who is close to victory, with spare cards."""
    duel = t.pos.duel
    assert duel is not None
    if _threat(t, duel.attacker) >= 0.7 and len(t.pos.sides[t.seat].hand) >= 2:
        return _help(t, duel.defender)
    return PassBattle()


def capture(t: Thought) -> Move | None:
    """Always."""
    return Capture()


def exchange(t: Thought) -> Move | None:
    """The best card leads."""

    def value(move: Swap) -> float:
        person = t.person(move.cards[0])
        return float(person.best) if person is not None else -1.0

    return most(t.moves(Swap), value)


def rob(t: Thought) -> Move | None:
    """From who is ahead."""
    return most(t.moves(Rob), lambda m: (_threat(t, m.seat), m.seat))
