"""Special abilities in plain sentences, made from the data: what a player reads on a card.

`clash: hand 1 -> ban opp retreat clash` becomes "In a clash, discard a card: the opponent may not retreat, in
this clash." Two abilities that differ never read the same.
"""

from __future__ import annotations

from collections.abc import Callable

from games.suikoden.ability import OPPOSING, Ability, Condition, Effect, Filter, Price, Selector, Until, When
from games.suikoden.terms import Attribute, Keyword

MOMENTS = {
    When.ALWAYS: "",
    When.START: "When your turn begins",
    When.END: "When your turn ends",
    When.ENTERED: "On entering the field",
    When.DOMESTIC: "At home",
    When.HAND_DOMESTIC: "At home, from the hand",
    When.DECLARE: "When you declare an attack, from the hand",
    When.MUSTERED: "When taking part in a battle",
    When.SORTIED: "When among the attackers",
    When.FIGHTS: "When turned up to fight",
    When.INTERCEPTS: "When turned up to intercept",
    When.CLASH: "In a clash",
    When.HAND_CLASH: "In a clash, from the hand",
    When.SHOT: "In answer to a shot",
    When.WON: "After winning a clash",
    When.LOST: "After losing a clash",
    When.RETREATS: "After a clash",
}
LASTS = {
    Until.CLASH: ", in this clash",
    Until.BATTLE: ", in this battle",
    Until.TURN: ", this turn",
    Until.NEXT: ", until your next turn begins",
    Until.LIVE: "",
}
ONCE = {Until.CLASH: "once a clash", Until.BATTLE: "once a battle", Until.TURN: "once a turn"}
PLAIN = {
    "act": ("has acted", "have acted"),
    "ready": ("is ready again", "are ready again"),
    "wander": ("wanders", "wander"),
    "recall": ("comes back, ready", "come back, ready"),
    "bounce": ("returns to its owner's hand", "return to their owner's hand"),
    "kill": ("is discarded", "are discarded"),
    "enter": ("enters the field as if recruited", "enter the field as if recruited"),
}
BANS = {
    "attack": "attack",
    "retreat": "retreat",
    "shoot": "shoot",
    "hand": "use cards of the hand",
    "ability:act": "use abilities whose price is to act",
}
NOUNS = {
    "field": ("person", "people"),
    "fight": ("fighter", "fighters"),
    "wander": ("wanderer", "wanderers"),
    "hand": ("person of your hand", "people of your hand"),
    "deck": ("card of your deck", "cards of your deck"),
    "discard": ("person of your discards", "people of your discards"),
}
SIDES = {"own": " of yours", "enemy": " of the other side", "any": " of either side", "side": " of one side"}
FEW = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


def sentence(ability: Ability) -> str:
    """What an ability does, and when, and for what."""
    price = " and ".join(_price(part) for part in ability.price)
    head = ", ".join(part for part in (MOMENTS[ability.when], price) if part)
    done = "; ".join(_effect(one) for one in ability.do)
    notes = [ONCE[ability.limit]] if ability.limit else []
    if ability.back is not None:
        notes.append(f"and you may {_price(ability.back)} to take this card back")
    held = f" {_condition(ability.condition)}" if ability.condition else ""
    said = (f"{head}: {done}" if head else done) + held + "".join(f", {note}" for note in notes)
    return said[0].upper() + said[1:] + "."


def known_from(printed: str) -> str:
    """How much of a card the rulebook prints, and how much is our reconstruction."""
    return f"Printed: {printed}. The rest is ours." if printed else "Not printed anywhere: this card is ours."


def card_text(abilities: tuple[Ability, ...], printed: str) -> str:
    """All that a card says, and where that is known from."""
    said = " ".join(sentence(one) for one in abilities) or "No ability."
    return f"{said} {known_from(printed)}"


def _cards(count: int, of: str = "") -> str:
    return f"a card{of}" if count == 1 else f"{FEW.get(count, count)} cards{of}"


def _price(price: Price) -> str:
    match price.kind:
        case "hand":
            return f"discard {_cards(price.count)}"
        case "deck":
            return f"discard {_cards(price.count, ' of your deck')}"
        case "discard-self":
            return "discard this card"
        case "exile-self":
            return "take this card out of the game"
        case "trophy":
            return f"give up {'a trophy' if price.count == 1 else f'{price.count} trophies'}"
    return price.kind


def _kind(wanted: Filter) -> str:
    """What people are like, to stand behind a noun."""
    parts = []
    if wanted.attributes:
        without = {Attribute.YELLOW, Attribute.BLACK} == set(wanted.attributes)
        parts.append("without a virtue" if without else "of " + "".join(a.value for a in wanted.attributes))
    if wanted.keyword is not None:
        parts.append(f"with {wanted.keyword.value}")
    if wanted.cost is not None:
        parts.append("that costs nothing" if wanted.cost == 0 else f"of cost {wanted.cost} or less")
    return f" {' and '.join(parts)}" if parts else ""


def _many(selector: Selector) -> bool:
    return selector.side in SIDES and selector.count != 1


def _whom(selector: Selector) -> str:
    if selector.side not in SIDES:
        return {"self": "this person", "mine": "your fighter", "opp": "the opponent"}[selector.side]
    if selector.filter.names:
        return " or ".join(selector.filter.names)
    count = "all" if selector.count == 0 else "one" if selector.count == 1 else str(selector.count)
    if not selector.exact:
        count = f"up to {FEW.get(selector.count, selector.count)}"
    other = " other" if selector.filter.others else ""
    whose = "" if selector.zone in ("hand", "deck", "discard") else SIDES[selector.side]
    return f"{count}{other} {NOUNS[selector.zone][_many(selector)]}{whose}{_kind(selector.filter)}"


def _does(effect: Effect, one: str, many: str) -> str:
    assert effect.selector is not None
    return f"{_whom(effect.selector)} {many if _many(effect.selector) else one}"


def _changes(effect: Effect) -> str:
    sign = "" if effect.verb == "set" else "+"
    numbers = " ".join(f"{stat.value}{number:{sign}d}" for stat, number in effect.stats)
    assert effect.selector is not None
    if effect.verb == "count":
        return f"{numbers} for each wanderer of yours"
    if effect.selector.side == "self" and effect.until is Until.LIVE:
        return numbers
    word = ("becomes", "become") if effect.verb == "set" else ("gets", "get")
    return f"{_does(effect, *word)} {numbers}"


def _keyword(effect: Effect) -> str:
    what = effect.word and f"all {effect.word}"
    if effect.keyword is not None:
        value = str(effect.number) if effect.keyword is Keyword.ARCHERY and effect.number else ""
        what = effect.keyword.value + value
    word = ("gets", "get") if effect.verb == "grant" else ("loses", "lose")
    return f"{_does(effect, *word)} {what}"


def _player(effect: Effect) -> str:
    mine = effect.player == "me"
    who = {"me": "you", "foe": "the other side", "both": "both sides"}[effect.player]
    verb = "discard" if effect.player != "foe" else "discards"
    match effect.verb:
        case "draw":
            return f"{who} draw{'' if effect.player != 'foe' else 's'} {_cards(effect.number)}"
        case "mill":
            return f"{who} {verb} {_cards(effect.number, ' of the deck')}"
        case "toss":
            how = " at random" if effect.word == "random" else " of your choice" if mine else " of its choice"
            return f"{who} {verb} {_cards(effect.number, ' of the hand')}{how}"
        case "stack":
            return f"look at the top {effect.number} cards of your deck and put them back in any order"
    return "you have one more turn after this one"


def _fetch(effect: Effect) -> str:
    assert effect.selector is not None
    shuffled = ", show it and shuffle the deck" if effect.verb == "search" else ""
    place = "deck" if effect.verb == "search" else "discards"
    named = f" of your {place}" if effect.selector.filter.names else ""
    return f"{_whom(effect.selector)}{named} comes to the {effect.word}{shuffled}"


def _gamble(effect: Effect) -> str:
    assert effect.selector is not None
    kind = _kind(effect.selector.filter).strip().replace("that costs", "costs")
    is_so = kind if kind.startswith("costs") else f"is {kind}"
    return f"one wanderer of the other side, drawn at random, is discarded if it {is_so}"


def _ban(effect: Effect) -> str:
    who = {"both": "nobody", "foe": "the other side", "me": "you", "": ""}[effect.player]
    who = who or _whom(effect.selector or OPPOSING)
    return f"{who} may{'' if who == 'nobody' else ' not'} {BANS[effect.word]}"


def _retreat(effect: Effect) -> str:
    assert effect.selector is not None
    whose = "this person's" if effect.selector.side == "self" else "the opponent's"
    match effect.word:
        case "field":
            return f"{whose} retreat ends on the field, acted"
        case "hand":
            return f"{whose} retreat ends in the hand"
        case "discard":
            return f"{whose} retreat ends in the discards"
        case "times":
            times = "twice" if effect.number == 2 else f"{effect.number} times"
            return f"{whose} retreat costs {times} as much"
    more = "more" if effect.number > 0 else "less"
    return f"{whose} retreat costs {_cards(abs(effect.number))} {more}"


def _land(effect: Effect) -> str:
    if effect.word == "repair":
        return "a destroyed land is repaired"
    return f"{effect.word} needs {effect.number} less"


_VERBS: dict[str, Callable[[Effect], str]] = {
    **dict.fromkeys(("add", "set", "count"), _changes),
    **dict.fromkeys(("grant", "lose"), _keyword),
    **dict.fromkeys(("draw", "mill", "toss", "stack", "again"), _player),
    **dict.fromkeys(("search", "salvage"), _fetch),
    **{verb: lambda e, said=said: _does(e, *said) for verb, said in PLAIN.items()},  # type: ignore[misc]
    "fix": lambda e: f"{_whom(e.selector or OPPOSING)}'s {e.stats[0][0].value} cannot be changed",
    "gamble": _gamble,
    "ban": _ban,
    "cancel": lambda e: "the shot has no effect" if e.word == "shot" else "the stratagem has no effect",
    "retreat": _retreat,
    "limit": lambda e: f"{FEW.get(e.number, e.number)} more may take part" + (", face up" if e.word else ""),
    "join": lambda e: "this person joins the attack, and is discarded after the battle",
    "gain": lambda e: f"that pays for one {e.word}",
    "land": _land,
    "shield": lambda e: "shots do not hit this person",
}


def _effect(effect: Effect) -> str:
    return _VERBS[effect.verb](effect) + LASTS[effect.until]


def _condition(condition: Condition) -> str:
    match condition.kind:
        case "opp-has" | "opp-is":
            return f"against somebody{_kind(condition.filter)}"
        case "role":
            return {"siege": "while besieged", "intercept": "when intercepting", "attack": "when attacking"}[
                condition.word
            ]
        case "land":
            return f"where a {condition.word} is fought for"
        case "hand":
            return "while your hand is empty"
    where = "on your field" if condition.side == "own" else "on either field"
    if condition.filter.names:
        return f"while {' or '.join(condition.filter.names)} is {where}"
    who = "somebody else" if condition.filter.others else "somebody"
    count = who if condition.number == 1 else f"{condition.number} people"
    return f"while {count}{_kind(condition.filter)} {'is' if condition.number == 1 else 'are'} {where}"
