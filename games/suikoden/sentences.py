"""Abilities and lands in sentences, as a card says them to somebody who does not know the notation."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from games.suikoden.ability import (
    MINE,
    OPPOSING,
    SELF,
    Ability,
    Condition,
    Effect,
    Filter,
    Price,
    Selector,
    Until,
    When,
)
from games.suikoden.cards import Land, Person
from games.suikoden.terms import Keyword, Stat

WHEN = {
    When.ALWAYS: "",
    When.START: "At the start of your turn: ",
    When.END: "At the end of your turn: ",
    When.ENTERED: "On coming into play: ",
    When.DOMESTIC: "At home: ",
    When.HAND_DOMESTIC: "At home, from your hand: ",
    When.DECLARE: "When you attack, from your hand: ",
    When.MUSTERED: "In a battle: ",
    When.SORTIED: "Attacking: ",
    When.FIGHTS: "When turned up to fight: ",
    When.INTERCEPTS: "Intercepting: ",
    When.CLASH: "Clash: ",
    When.HAND_CLASH: "Clash, from your hand: ",
    When.SHOT: "When shot at: ",
    When.WON: "After winning a clash: ",
    When.LOST: "After losing a clash: ",
    When.RETREATS: "Retreating: ",
}
STATS = {Stat.ATTACK: "attack", Stat.DEFENCE: "defence", Stat.WIT: "wit"}
KEYWORDS = {
    Keyword.DECOY: "decoy",
    Keyword.CAVALRY: "cavalry",
    Keyword.ARCHERY: "archery",
    Keyword.NAVY: "navy",
    Keyword.STEERING: "steering",
    Keyword.PLUNDER: "plunder",
    Keyword.FIRE: "fire",
    Keyword.WATER: "flood",
    Keyword.SORCERY: "sorcery",
    Keyword.SCOUTING: "scouting",
    Keyword.BEAUTY: "beauty",
    Keyword.SUPPLY: "supply",
}
UNTIL = {
    Until.CLASH: " in this clash",
    Until.BATTLE: " in this battle",
    Until.TURN: " this turn",
    Until.NEXT: " until your next turn",
    Until.LIVE: "",
}
_ZONES = {"hand": "hand", "deck": "deck", "discard": "discards", "wander": "wanderers", "field": "field"}
_ROLES = {"attack": "attacking", "intercept": "intercepting", "siege": "besieged", "defend": "defending"}
_BANS = {
    "attack": "may not attack",
    "retreat": "may not retreat",
    "shoot": "may not shoot",
    "hand": "may not use cards of the hand",
    "ability:act": "may not use an ability that taps",
}

Call = Callable[[str], str]
"""A person's name as the reader knows it."""


def keywords(person: Person) -> str:
    """Keywords in both languages, two spaces between them."""
    shown = []
    for one in person.keywords:
        value = str(person.archery) if one is Keyword.ARCHERY else ""
        shown.append(f"{one.value}{value} {KEYWORDS[one]}")
    return "  ".join(shown)


def card_text(person: Person, call: Call = str) -> str:
    """All that a person can do; abilities that do the same at two moments are told once."""
    told: dict[str, list[str]] = {}
    for ability in person.abilities:
        when = WHEN[ability.when].removesuffix(": ")
        told.setdefault(_done(ability, call), []).append(when)
    return " ".join(_joined(moments, done) for done, moments in told.items())


def known_from(printed: str) -> str:
    """How much of a card the rulebook prints, and how much is our reconstruction."""
    return f"Printed: {printed}; the rest is ours." if printed else "Not printed: all of it is ours."


def _joined(moments: list[str], done: str) -> str:
    first, *others = moments
    when = first + "".join(f" or {_lower(one)}" for one in others)
    return f"{when}: {_lower(done)}" if when else done


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _done(ability: Ability, call: Call) -> str:
    """Price, effects, condition and limit."""
    price = ", ".join(map(_price, ability.price))
    effects = ". ".join(_upper(_effect(one, call)) for one in ability.do)
    if ability.condition is not None:
        effects += f" {_condition(ability.condition, call)}"
    parts = [_upper(price), effects] if price else [effects]
    if ability.back is not None:
        parts.append(f"Afterwards you may {_price(ability.back)} to take this card back")
    if ability.limit is not None:
        parts.append(f"Once a {ability.limit.value}")
    return ". ".join(parts) + "."


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _price(price: Price) -> str:
    match price.kind:
        case "act":
            return "tap"
        case "wander":
            return "go wandering"
        case "hand":
            return f"discard {_many(price.count, 'card')}"
        case "deck":
            return f"discard the top {_many(price.count, 'card')} of your deck".replace(
                "top 1 card", "top card"
            )
        case "discard-self":
            return "discard this person"
        case "exile-self":
            return "remove this person from the game"
        case _:
            return f"give up {_many(price.count, 'trophy').replace('trophys', 'trophies')}"


# --- who


def _kind(kind: Filter, call: Call, many: bool) -> str:
    """A sort of people, without an article."""
    if kind.names:
        return " or ".join(map(call, kind.names))
    words = [attribute.value for attribute in kind.attributes]
    noun = "people" if many else "person"
    if kind.keyword in (Keyword.CAVALRY, Keyword.BEAUTY, Keyword.DECOY):
        noun = KEYWORDS[kind.keyword]
    elif kind.keyword is not None:
        noun = f"{KEYWORDS[kind.keyword]} {noun}"
    said = " ".join((*(["or".join(words)] if words else []), noun)).strip()
    if len(kind.attributes) > 1:
        said = f"colourless {noun}"
    if kind.cost is not None:
        said += f" of cost {kind.cost}" + (" or less" if kind.cost else "")
    return said


def _whom(selector: Selector, call: Call) -> tuple[str, bool]:
    """Whom an effect means, and whether they are many."""
    if selector == SELF:
        return "this person", False
    if selector == MINE:
        return "your fighter", False
    if selector == OPPOSING:
        return "the opponent", False
    many = selector.count == 0 or selector.count > 1
    kind = _kind(selector.filter, call, many)
    other = "other " if selector.filter.others else ""
    where = {"own": "your ", "enemy": "enemy ", "any": "", "side": ""}[selector.side]
    if selector.zone == "fight":
        kind = kind.replace("person", "fighter")
    if selector.zone in ("wander", "hand", "deck", "discard"):
        whose = {"own": "your", "enemy": "the enemy's"}.get(selector.side, "the")
        lead = "" if selector.filter.names and selector.count == 1 else _lead(selector, other, kind)
        if selector.count == 0 and selector.filter == Filter():
            return f"each of {whose} {_ZONES[selector.zone]}", False
        among = "among" if selector.zone == "wander" else "from"
        return f"{lead or kind} {among} {whose} {_ZONES[selector.zone]}", many
    if selector.count == 0:
        chosen = " of one side" if selector.side == "side" else ""
        return f"all {where}{other}{kind}{chosen}", True
    if selector.filter.names:
        return f"{where}{other}{kind}", many
    if selector.side == "own":
        return f"one {'other ' if other else ''}{kind} of yours", many
    return f"one {where}{other}{kind}", many


def _lead(selector: Selector, other: str, kind: str) -> str:
    """How many cards of a zone."""
    if selector.count == 0:
        return f"every {other}{kind}"
    if selector.exact and selector.count == 1:
        return f"{'an' if other else 'a'} {other}{kind}"
    number = {1: "one", 2: "two", 3: "three"}.get(selector.count, str(selector.count))
    return f"{'' if selector.exact else 'up to '}{number} {other}{kind}"


def _condition(condition: Condition, call: Call) -> str:
    match condition.kind:
        case "opp-has":
            assert condition.filter.keyword is not None
            return f"against {KEYWORDS[condition.filter.keyword]}"
        case "opp-is":
            return f"against {_kind(condition.filter, call, many=True)}"
        case "role":
            return f"while {_ROLES.get(condition.word, condition.word)}"
        case "land":
            return f"in a battle for {condition.word}"
        case "hand":
            return "with an empty hand"
        case _:
            where = "on your field" if condition.side == "own" else "on any field"
            article = "" if condition.filter.names else "a "
            return f"while {article}{_kind(condition.filter, call, many=False)} is {where}"


# --- what


def _and(parts: Iterable[str]) -> str:
    return " and ".join(parts)


def _effect(effect: Effect, call: Call) -> str:
    """One effect as a sentence without its full stop."""
    until = UNTIL[effect.until]
    if effect.verb in ("add", "set", "fix", "count", "grant", "lose"):
        return _change(effect, call) + until
    if effect.player:
        return _of_player(effect, until)
    if effect.selector is not None and effect.verb != "join":
        return _of_people(effect, call, until)
    match effect.verb:
        case "cancel":
            return "the shot has no effect" if effect.word == "shot" else "the stratagem has no effect"
        case "join":
            return "this person joins the attack, and is discarded afterwards"
        case "gain":
            return f"this pays one {effect.word} of a cost"
        case _:
            if effect.word == "repair":
                return "repair a land"
            what = {"商業": "trade", "狩猟": "hunting"}[effect.word]
            return f"{what} costs {_many(effect.number, 'card')} less{until}"


def _change(effect: Effect, call: Call) -> str:
    """Values and keywords that change."""
    assert effect.selector is not None
    whom, many = _whom(effect.selector, call)
    have = "" if effect.selector == SELF else f"{whom} {'have' if many else 'has'} "
    match effect.verb:
        case "add":
            return have + _and(f"{value:+d} {STATS[stat]}".replace("-", "−") for stat, value in effect.stats)
        case "set":
            return have + _and(f"{STATS[stat]} {value}" for stat, value in effect.stats)
        case "fix":
            return f"{whom}'s {_and(STATS[stat] for stat, _ in effect.stats)} cannot be changed"
        case "count":
            gain = _and(f"{value:+d} {STATS[stat]}" for stat, value in effect.stats)
            return f"{gain} for {whom}"
        case "grant":
            assert effect.keyword is not None
            value = f" {effect.number}" if effect.number else ""
            return f"{have or 'this person has '}{KEYWORDS[effect.keyword]}{value}"
    what = "abilities" if effect.keyword is None else KEYWORDS[effect.keyword]
    return f"{have or 'this person has '}no {what}"


def _of_player(effect: Effect, until: str) -> str:
    me = effect.player == "me"
    who = {"me": "you", "foe": "the enemy", "both": "nobody"}[effect.player]
    cards = _many(effect.number, "card")
    match effect.verb:
        case "draw":
            return f"draw {cards}" if me else f"{who} draws {cards}"
        case "mill":
            from_deck = f"the top {cards} of".replace("top 1 card", "top card")
            return f"discard {from_deck} your deck" if me else f"{who} discards {from_deck} the deck"
        case "toss":
            chosen = " at random" if effect.word == "random" else ""
            return f"discard {cards}{chosen}" if me else f"{who} discards {cards}{chosen}"
        case "stack":
            return f"look at the top {cards} of your deck and put them back in any order"
        case "again":
            return "take one more turn after this one"
        case "limit":
            more = "person" if effect.number == 1 else "people"
            opened = ", while this person is open" if effect.word == "open" else ""
            return f"{effect.number} more {more} of yours may take part{opened}"
    return f"{who} {_BANS[effect.word]}{until}"


def _of_people(effect: Effect, call: Call, until: str) -> str:
    assert effect.selector is not None
    whom, many = _whom(effect.selector, call)
    is_are = "are" if many else "is"
    match effect.verb:
        case "act":
            return f"{whom} {is_are} tapped"
        case "ready":
            return f"{whom} {is_are} ready again"
        case "wander":
            return f"{whom} {'go' if many else 'goes'} wandering"
        case "recall":
            return f"{whom} {'come' if many else 'comes'} home, ready"
        case "bounce":
            return f"{whom} {'go' if many else 'goes'} back to the owner's hand"
        case "kill":
            return f"discard {whom}"
        case "enter":
            return f"bring {whom} into play"
        case "search":
            return f"take {whom} and show it" + ("" if effect.word == "hand" else "; it comes into play")
        case "salvage":
            return f"take back {whom}"
        case "gamble":
            kind = _kind(effect.selector.filter, call, many=False)
            return f"look at one enemy wanderer at random: discarded if a {kind}"
        case "ban":
            return f"{whom} {_BANS[effect.word]}{until}"
        case "shield":
            return f"{whom} cannot be shot at"
    return _retreat(effect, "the opponent's" if effect.selector == OPPOSING else "this person's")


def _retreat(effect: Effect, whose: str) -> str:
    if effect.word == "times":
        return f"{whose} retreat costs {'twice' if effect.number == 2 else f'{effect.number} times'} as much"
    if effect.word == "more":
        amount = abs(effect.number)
        return f"{whose} retreat costs {_many(amount, 'card')} {'more' if effect.number > 0 else 'less'}"
    goal = {"field": "your field", "hand": "the hand", "discard": "the discards"}[effect.word]
    return f"{whose} retreat leads to {goal}"


def land_text(land: Land) -> str:
    """What a land does."""
    if land.wall:
        return f"Besieged: its defenders have +{land.wall} defence."
    if land.refuge:
        return f"Besieged: a retreat costs {_many(land.refuge, 'card')} less."
    if land.current:
        return f"Besiegers without steering or navy have −{land.current} attack."
    if land.slope:
        return f"Besieging cavalry has −{land.slope} attack and wins no card."
    if land.body:
        return "May fight as a person: 攻{} 防{} 智{}.".format(*land.body)
    return ""
