"""At home: building a deck, returning, recruiting, land effects, abilities, what to give up."""

from __future__ import annotations

from collections import Counter

from games.suikoden.bot.thought import Thought, first, least, most, worth
from games.suikoden.cards import Person
from games.suikoden.domestic import domestic_ability
from games.suikoden.moves import (
    Begin,
    Bring,
    BringOpen,
    Build,
    Discard,
    DiscardOpen,
    Done,
    Extra,
    Hunt,
    Mill,
    Pay,
    Play,
    PlayOpen,
    Recruit,
    RecruitOpen,
    Release,
    Repair,
    Return,
    TakeBack,
    TakeRouted,
    Trade,
    Use,
)
from games.suikoden.sets import Sums
from games.suikoden.setup import CHEAP, DECK_SIZE, STARS
from games.suikoden.terms import COLOURS, Attribute, Keyword, Mode, Symbol
from games.suikoden.values import abilities, has
from pbem.engine.notation import Handle, Move

TASTE = 6.0
"""How much bots differ in whom they like."""
WHIMS = 6
"""So many places of a deck go to anybody: every card is played by somebody."""
SHORT = 8
"""A deck with fewer cards is not spent lightly."""


def _dear(person: Person) -> float:
    return 1.6 * sum(s is not Symbol.WHITE for s in person.cost) + 1.2 * person.cost.count(Symbol.WHITE)


def build(t: Thought) -> Move | None:
    """Two colours that fit together, half of the deck cheap, a few whims, lands of every rank."""
    side, pack = t.pos.sides[t.seat], t.pos.data
    people = {h: t.person(h) for h in side.half}
    known = {h: p for h, p in people.items() if p is not None}
    if len(known) < len(side.half):
        return None
    total: Counter[Attribute] = Counter()
    for person in known.values():
        total[person.attribute] += max(1, int(10 * (worth(person) - _dear(person))))
    two = [colour for colour, _ in total.most_common() if colour in COLOURS][:2]

    def score(handle: Handle) -> float:
        person = known[handle]
        wrong = sum(s.colour is not None and s.colour not in two for s in person.cost)
        own = 1.5 if person.attribute in two else 0.0
        return worth(person) - _dear(person) + own - 3 * wrong + TASTE * t.rng.random()

    ranked = sorted(known, key=lambda h: (-score(h), h))
    cheap = [h for h in ranked if known[h].cheap][: max(CHEAP, 20)]
    deck = cheap + [h for h in ranked if h not in cheap]
    lands = _lands({h: pack.lands[str(t.view.value(h))].stars for h in side.estate}, t)
    size = min(DECK_SIZE, len(side.half))
    chosen, rest = deck[: size - WHIMS], deck[size - WHIMS :]
    chosen += t.rng.sample(rest, min(WHIMS, len(rest)))
    return Build(tuple(chosen), lands) if lands else None


def _lands(stars: dict[Handle, int], t: Thought) -> tuple[Handle, ...]:
    for _ in range(60):
        order = sorted(stars, key=lambda h: (stars[h] + 2 * t.rng.random(), h))
        total, chosen = 0, []
        for handle in order:
            if total + stars[handle] <= STARS:
                total += stars[handle]
                chosen.append(handle)
        if total == STARS:
            return tuple(chosen)
    return ()


def begin(t: Thought) -> Move | None:
    """S09: the best who may start, and cards that can be played."""
    half = t.pos.sides[t.seat].half
    people = {h: p for h in half if (p := t.person(h)) is not None}
    able = [h for h, p in people.items() if len(p.cost) <= 2]
    if len(people) < len(half) or not able:
        return None
    starter = max(able, key=lambda h: (worth(people[h]), h))
    rest = sorted(
        (h for h in half if h != starter), key=lambda h: (_dear(people[h]) - worth(people[h]) / 3, h)
    )
    return Begin(starter, tuple(rest[:5]))


def returning(t: Thought) -> Move | None:
    """The best wanderer comes back."""
    found = t.moves(Return)
    more = {m: has(t.pos, m.person, Keyword.SUPPLY) for m in found}
    return most(found, lambda m: worth(t.pos.person(m.person)) + 2 * more[m])


def supply(t: Thought) -> Move | None:
    """A card, unless the deck runs out."""
    return Extra() if t.pos.mode is Mode.SHARED or t.pos.deck_size(t.seat) > SHORT else Done()


def income(t: Thought) -> Move | None:
    """Routed cards are welcome, wanderers are kept unless they are many."""
    side = t.pos.sides[t.seat]
    if t.offers(TakeRouted):
        return TakeRouted() if len(side.hand) < 5 and len(side.routed) < 14 else Done()
    if len(side.wander) >= 3 and len(side.hand) < 4 and t.pos.deck_size(t.seat) > SHORT:
        return least(t.moves(Release), lambda m: worth(t.pos.person(m.person)))
    return Done()


def domestic(t: Thought) -> Move | None:
    """Recruit, use what helps, work for cards with who is spare; then to battle."""
    recruits = [m for m in t.moves(Recruit, RecruitOpen) if _worth_it(t, m)]
    if recruits:
        return most(recruits, lambda m: worth(_who(t, m.card)) - 0.7 * _dear(_who(t, m.card)))
    played = t.moves(Play, PlayOpen)
    if played and len(t.pos.sides[t.seat].hand) > 2:
        return first(played)
    return first(m for m in t.moves(Use) if _useful(t, m.person)) or _work(t)


def _who(t: Thought, slot: str) -> Person:
    person = t.person(slot)
    assert person is not None
    return person


def _worth_it(t: Thought, move: Recruit | RecruitOpen) -> bool:
    """Somebody dear must be better than those who wander or die for it."""
    person = _who(t, move.card)
    symbols = [s for s in person.cost if s.colour is not None]
    payers = sorted(worth(t.pos.person(c)) for c in t.pos.on_field(t.seat))
    lost = sum(payers[: len(symbols)]) * (0.9 if any(s.kills for s in symbols) else 0.45)
    whites = person.cost.count(Symbol.WHITE)
    if whites > max(0, len(t.pos.sides[t.seat].hand) - 2) and whites > 1:
        return False
    return worth(person) > lost + 0.8 * whites


HELPS = (
    "draw", "wander", "gamble", "mill", "toss", "recall", "enter", "act", "ready", "search", "salvage",
    "bounce",
)  # fmt: skip


def _useful(t: Thought, card: str) -> bool:
    """An ability is used if what it costs is small against what it does."""
    number = domestic_ability(t.pos, card)
    if number is None:
        return False
    ability = abilities(t.pos, card)[number]
    verb = ability.do[0].verb
    hand, deck = len(t.pos.sides[t.seat].hand), t.pos.deck_size(t.seat)
    if verb not in HELPS or ability.costs("deck") * 6 > deck or ability.costs("hand") >= hand:
        return False
    if ability.costs("trophy") or (ability.costs("discard-self") and verb != "search"):
        return False
    if ability.costs("act") + ability.costs("wander") and worth(t.pos.person(card)) > 9:
        return False
    if verb == "draw" and deck <= SHORT:
        return False
    return bool(t.rng.random() < 0.7)


def _work(t: Thought) -> Move | None:
    """Trade or hunt with those who would not fight, while the hand is small and the deck is not."""
    hand = len(t.pos.sides[t.seat].hand)
    short = t.pos.mode is Mode.DECK and t.pos.deck_size(t.seat) <= SHORT + 4
    for family in t.options.families:
        if not isinstance(family, Sums) or hand >= 5 or (short and family.kind is not Repair):
            continue
        which = {Trade: 1.0, Hunt: 1.0, Repair: 0.8}[family.kind]
        spare = sorted(family.people, key=lambda c: (_fights(t, c) / (1 + family.values[c]), c))
        keep = min(3, len(family.people) // 2) if family.kind is not Repair else 1
        total, chosen = 0, []
        for card in spare[: len(spare) - keep]:
            if family.values[card]:
                total += family.values[card]
                chosen.append(card)
            if total >= family.wanted:
                break
        if chosen and total >= family.wanted and len(chosen) <= 4 and t.rng.random() < which:
            return family.kind(*family.before, tuple(chosen))  # type: ignore[no-any-return]
    return Done()


def _fights(t: Thought, card: str) -> float:
    person = t.pos.person(card)
    return person.attack + person.defence


def pay(t: Thought) -> Move | None:
    """Whoever is worth least pays; a bad card before a good person."""
    people = t.moves(Pay)
    if people:
        return least(people, lambda m: (worth(t.pos.person(m.person)), m.person))
    return give_up(t)


def give_up(t: Thought) -> Move | None:
    """The card that helps least: too dear, or a double."""
    cards = t.moves(Discard, DiscardOpen)
    if t.offers(Mill) and t.pos.deck_size(t.seat) > 12 and len(t.pos.sides[t.seat].hand) < 4:
        return Mill()

    def use_of(move: Discard | DiscardOpen) -> float:
        person = t.person(move.card)
        if person is None:
            return 6.0
        if t.pos.mode is Mode.MULTI:
            return float(person.best) + (2 if person.attribute is Attribute.YU else 0)
        return worth(person) - 1.5 * _dear(person)

    return least(cards, lambda m: (use_of(m), m.card)) or (Mill() if t.offers(Mill) else None)


def take_back(t: Thought) -> Move | None:
    """A hand card comes back while the deck is long."""
    return TakeBack() if t.pos.deck_size(t.seat) > 15 else Done()


def bring(t: Thought) -> Move | None:
    """The best that can be brought."""
    found = t.moves(Bring, BringOpen)
    return most(found, lambda m: worth(_who(t, m.card)))
