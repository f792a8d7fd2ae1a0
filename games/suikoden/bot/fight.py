"""In battle (D, S): whether to attack, with whom, how to meet an attack, what to use."""

from __future__ import annotations

from typing import Any

from games.suikoden.ability import Ability
from games.suikoden.battle import more_leaders
from games.suikoden.bot.thought import Thought, first, most, worth
from games.suikoden.clash import face_down, price_cards, unspent
from games.suikoden.moves import Done, Pass, Play, PlayOpen, Target, Use
from games.suikoden.moves_battle import (
    Advance,
    Attack,
    Conceal,
    Fall,
    Force,
    GoOn,
    Guard,
    Hold,
    Intercept,
    Join,
    JoinOpen,
    Plunder,
    Retreat,
    Scheme,
    Send,
    Shoot,
    Siege,
    Sortie,
    Stand,
    Stop,
)
from games.suikoden.targets import fighter_of
from games.suikoden.terms import STRATAGEMS, CardId, Keyword, Mode, Stat, State
from games.suikoden.values import abilities, archery, compared, has, strength
from games.suikoden.window import clash_ability
from pbem.engine.notation import Move


def _walls(t: Thought, seat: str) -> int:
    land = t.pos.data.lands.get(t.pos.current_land(seat))
    return land.wall if land is not None else 0


def _odds(mine: int, others: list[int]) -> float:
    """The chance to win against one of several, half for a draw."""
    if not others:
        return 1.0
    return sum(1.0 if mine > other else 0.4 if mine == other else 0.0 for other in others) / len(others)


def declare(t: Thought) -> Move | None:
    """Attack where the attackers are better than who can defend."""
    joiners = t.moves(Join, JoinOpen)
    mine = t.pos.on_field(t.seat, State.READY)
    theirs = t.pos.on_field(t.foe, State.READY)
    hope = _hope(t, mine, theirs)
    if joiners and hope > 0.2 and len(t.pos.sides[t.seat].hand) > 2:
        return first(joiners)
    if t.offers(Attack) and (hope > 0.45 or _nothing_to_wait_for(t)):
        return Attack()
    return Done() if t.offers(Done) else Attack()


def _nothing_to_wait_for(t: Thought) -> bool:
    """The shared deck is spent: two who wait for each other would wait for ever (in D it ends the game)."""
    return t.pos.mode is Mode.SHARED and not t.pos.deck_size(t.seat)


def _hope(t: Thought, mine: list[CardId], theirs: list[CardId]) -> float:
    """How well the attackers would do, from 0 to 1."""
    if not mine:
        return 0.0
    if not theirs:
        return 1.0
    strong = sorted((t.stat(c, Stat.ATTACK) for c in mine), reverse=True)
    walls = [max(t.stat(c, Stat.DEFENCE) + _walls(t, t.foe), t.stat(c, Stat.ATTACK)) for c in theirs]
    walls.sort(reverse=True)
    pairs = min(len(strong), len(walls))
    hope = sum(_odds(strong[n], walls[: max(1, pairs)]) for n in range(pairs)) / pairs
    return hope + 0.12 * max(0, len(strong) - len(walls))


def sortie(t: Thought) -> Move | None:
    """The best attackers; a few good defenders stay at home."""
    ready = t.pos.on_field(t.seat, State.READY)
    land = t.pos.data.lands.get(t.pos.current_land(t.seat))
    most = land.leaders if land is not None else 1
    assert t.pos.battle is not None
    ranked = sorted(ready, key=lambda c: (-t.stat(c, Stat.ATTACK), t.stat(c, Stat.DEFENCE), c))
    theirs = t.pos.on_field(t.foe, State.READY)
    if not theirs:
        return Sortie((ranked[-1],))
    keep = 2 if len(ready) > 4 else 1 if len(ready) > 2 else 0
    chosen = [c for c in ranked if t.stat(c, Stat.ATTACK) >= 2 or c in t.pos.battle.joined]
    chosen = chosen[: max(1, min(most, len(ready) - keep))] or ranked[:1]
    return Sortie(tuple(sorted(chosen, key=ready.index)))


def guard(t: Thought) -> Move | None:
    """Everybody who can, the best defenders first."""
    ready = t.pos.on_field(t.foe if t.seat == t.pos.active else t.seat, State.READY)
    land = t.pos.data.lands.get(t.pos.current_land(t.seat))
    if not ready or land is None:
        return None
    most = land.leaders + sum(more_leaders(t.pos, c) for c in ready)
    ranked = sorted(ready, key=lambda c: (-max(t.stat(c, Stat.DEFENCE), t.stat(c, Stat.ATTACK)), c))
    for size in range(min(most, len(ranked)), 0, -1):
        move = Guard(tuple(sorted(ranked[:size], key=ready.index)))
        if t.options.contains(move, t.view):
            return move
    return None


def send(t: Thought) -> Move | None:
    """Usually the strongest."""
    cards = face_down(t.pos, t.seat)
    if t.rng.random() < 0.3:
        return Send((t.rng.choice(cards),))
    best = t.best(cards, Stat.ATTACK)
    return Send((best,)) if best is not None else None


def advance(t: Thought) -> Move | None:
    """Who lies open, if he is the strongest."""
    found = t.moves(Advance)
    best = max(found, key=lambda m: t.stat(m.person, Stat.ATTACK))
    hidden = face_down(t.pos, t.seat)
    better = any(t.stat(c, Stat.ATTACK) > t.stat(best.person, Stat.ATTACK) for c in hidden)
    return Conceal() if better and t.offers(Conceal) else best


def _against(t: Thought) -> list[CardId]:
    """Whom a defender may face."""
    clash = t.pos.clash
    return [clash.attack] if clash is not None and clash.attack else unspent(t.pos, t.pos.active)


def _plans(t: Thought) -> list[tuple[float, Any, CardId]]:
    """Every way to meet the attack, with how good it looks."""
    foes = [t.stat(c, Stat.ATTACK) for c in _against(t)]
    seat, pos = t.seat, t.pos
    lands = pos.lands_left(seat) if pos.mode is Mode.DECK else 3
    loss = 1.6 if lands > 2 else 3.0
    found: list[tuple[float, Any, CardId]] = []
    hidden = face_down(pos, seat)
    for card in unspent(pos, seat):
        price = worth(pos.person(card)) / 6
        inside = _odds(t.stat(card, Stat.DEFENCE) + _walls(t, seat), foes)
        score = 1.3 * inside - (1 - inside) * (loss + 0.3 * price)
        found.append((score, Siege() if card in hidden else Stand(card), card))
        if card not in hidden:
            continue
        outside = _odds(t.stat(card, Stat.ATTACK), foes)
        found.append((1.2 * outside - (1 - outside) * (0.7 + price), Intercept(), card))
        for method in STRATAGEMS:
            if has(pos, card, method) and price_cards(pos, seat, method) > 2:
                clever = _odds(t.stat(card, Stat.WIT), foes)
                found.append((clever - (1 - clever) * (0.7 + price) - 0.3, Intercept(method), card))
    return sorted(found, key=lambda plan: (-plan[0], plan[2]))


def meet(t: Thought) -> Move | None:
    """The best way to meet the attack."""
    plans = _plans(t)
    return plans[0][1] if plans else None


def hold(t: Thought) -> Move | None:
    """Whoever was meant when the way was named."""
    clash = t.pos.clash
    assert clash is not None
    said: Any = Siege(clash.answer) if clash.siege else Intercept(clash.answer)
    legal = {m.people[0] for m in t.moves(Hold)}
    return next((Hold((card,)) for _, move, card in _plans(t) if move == said and card in legal), None)


def method(t: Thought) -> Move | None:
    """By wits where they are better."""
    clash = t.pos.clash
    assert clash is not None
    card = clash.attack or t.view.value(clash.attack_slot)
    if card is None:
        return Force()
    schemes = t.moves(Scheme)
    if schemes and t.stat(card, Stat.WIT) > t.stat(card, Stat.ATTACK) + 1:
        return most(schemes, lambda m: m.method is not Keyword.SORCERY)
    return Force()


# --- the window


def _behind(t: Thought) -> int:
    """By how much the own fighter is behind; negative if it leads."""
    mine, theirs = fighter_of(t.pos, t.seat), fighter_of(t.pos, t.foe)
    if mine is None or theirs is None:
        return -9
    return strength(t.pos, theirs) - strength(t.pos, mine)


def window(t: Thought) -> Move | None:
    """Whatever turns a defeat into a draw or a draw into a victory, and nothing else."""
    behind = _behind(t)
    if behind < 0:
        return Pass()
    ways: list[tuple[int, Move]] = []
    opponent = fighter_of(t.pos, t.foe)
    for shot in t.moves(Shoot):
        if shot.target == opponent and compared(t.pos, shot.target) is not Stat.WIT:
            ways.append((archery(t.pos, shot.person), shot))
    for use in t.moves(Use):
        number, _ = clash_ability(t.pos, t.seat, use.person)
        if number is not None:
            ways.append((_gain(t, abilities(t.pos, use.person)[number], use.person), use))
    for play in t.moves(Play, PlayOpen):
        person = t.person(play.card)
        if person is not None:
            ways.append((max(_gain(t, a, person.id) for a in person.abilities), play))
    helps = [(gain, n, way) for n, (gain, way) in enumerate(ways) if gain > 0]
    if not helps or sum(gain for gain, _, _ in helps) < behind:
        return Pass()
    return max(helps, key=lambda one: (one[0] > behind, -one[0], -one[1]))[2]


def _gain(t: Thought, ability: Ability, source: CardId) -> int:
    """By how much an ability betters the comparison."""
    mine, theirs = fighter_of(t.pos, t.seat), fighter_of(t.pos, t.foe)
    if mine is None or theirs is None:
        return 0
    found = 0
    for deed in ability.do:
        if deed.selector is None:
            continue
        side = deed.selector.side
        on_me = side in ("mine", "own", "any") or (side == "self" and source == mine)
        for which, number in deed.stats:
            if deed.verb == "add" and on_me and number > 0 and which is compared(t.pos, mine):
                found += number
            elif deed.verb == "add" and side == "opp" and which is compared(t.pos, theirs):
                found -= number
            elif deed.verb == "set" and side == "self" and source == mine and which is compared(t.pos, mine):
                found += number - t.stat(mine, which)
            elif deed.verb == "set" and side == "any" and which is compared(t.pos, theirs):
                found += t.stat(theirs, which) - number
    return found


def target(t: Thought) -> Move | None:
    """Friends for what helps, the best enemy for what hurts."""
    found = t.moves(Target)
    mine, theirs = fighter_of(t.pos, t.seat), fighter_of(t.pos, t.foe)
    fighters = [m for m in found if m.person in (mine, theirs)]
    if fighters and t.pos.clash is not None:
        verb = t.options.ask.rpartition(" ")[2]
        wanted = theirs if verb in ("set", "lose") else mine
        return first(m for m in fighters if m.person == wanted) or first(fighters)
    enemies = [m for m in found if m.person in t.pos.field and t.pos.field[m.person].seat == t.foe]
    return most(enemies or found, lambda m: worth(t.pos.person(m.person)))


# --- afterwards


def retreat(t: Thought) -> Move | None:
    """Good people are saved while the deck is long."""
    cost = int(t.options.ask.rpartition(" for ")[2].split()[0])
    card = next((c for c in _losers(t)), None)
    value = worth(t.pos.person(card)) if card is not None else 5.0
    deck = t.pos.deck_size(t.seat)
    if t.pos.mode is Mode.SHARED:
        near = len(t.pos.sides[t.foe].routed) + cost
        return Retreat() if near < 18 and cost * 2.5 < value else Fall()
    return Retreat() if deck > 10 + 2 * cost and cost * 2.2 < value else Fall()


def _losers(t: Thought) -> list[CardId]:
    clash = t.pos.clash
    if clash is None:
        return []
    return [c for c in (clash.attack, clash.defence) if c in t.pos.field and t.pos.field[c].seat == t.seat]


def plunder(t: Thought) -> Move | None:
    """A person back rather than a card away."""
    found = t.moves(Plunder)
    return first(m for m in found if m.what == "trophy") or first(found)


def go_on(t: Thought) -> Move | None:
    """On, while it looks well."""
    mine, theirs = unspent(t.pos, t.seat), unspent(t.pos, t.foe)
    return GoOn() if _hope(t, mine, theirs) > 0.4 else Stop()
