"""The language in which the pack writes abilities: text to records, refused with the words that are wrong.

clash: hand 1 -> set self 攻=7 防=4 turn
"""

from __future__ import annotations

import re

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
from games.suikoden.terms import Attribute, Keyword, Stat
from pbem.errors import UsageError

_SHORT = {"self": SELF, "mine": MINE, "opp": OPPOSING}
_SELECTOR = re.compile(r"(own|enemy|any|side)\.(field|hand|deck|discard|wander|fight)(\[[^\]]*\])?(#\S+)?")
_CHANGE = re.compile(r"(攻|防|智)([+=-])(\d+)")
PLAYERS = ("me", "foe", "both")
BANS = ("attack", "retreat", "shoot", "hand", "ability:act")


def _wrong(text: str, why: str) -> UsageError:
    return UsageError(f"ability {text!r}: {why}", "the words are in `pbem tables suikoden verbs`")


def read_filter(text: str) -> Filter:
    """`仁, cost<=2, not self`"""
    names: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    keyword, cost, others = None, None, False
    for part in (p.strip() for p in text.split(",")):
        if not part:
            continue
        if part.startswith("name:"):
            names = tuple(part.removeprefix("name:").split("|"))
        elif part == "not self":
            others = True
        elif part == "無":
            attributes = (Attribute.YELLOW, Attribute.BLACK)
        elif part in {a.value for a in Attribute}:
            attributes = (Attribute(part),)
        elif part in {k.value for k in Keyword}:
            keyword = Keyword(part)
        elif part.startswith("cost<="):
            cost = int(part.removeprefix("cost<="))
        else:
            raise _wrong(text, f"no filter is called {part!r}")
    return Filter(names, attributes, keyword, cost, others)


def read_selector(text: str) -> Selector:
    """`own.field[騎馬, not self]#all`, or self, mine, opp."""
    if text in _SHORT:
        return _SHORT[text]
    found = _SELECTOR.fullmatch(text)
    if found is None:
        raise _wrong(text, "is no selector")
    side, zone, inner, count = found.groups()
    number, exact = 0, True
    if count == "#all" or count is None:
        number = 0
    elif count.startswith("#<="):
        number, exact = int(count[3:]), False
    else:
        number = int(count[1:])
    return Selector(side, zone, read_filter((inner or "[]")[1:-1]), number, exact)


def _words(text: str) -> list[str]:
    """Words, with what stands in brackets kept together."""
    return re.findall(r"\S*\[[^\]]*\]\S*|\S+", text)


def _until(word: str, text: str) -> Until:
    try:
        return Until(word)
    except ValueError:
        raise _wrong(text, f"{word!r} is no duration") from None


def read_effect(text: str) -> Effect:
    """One effect; refused with the text that is wrong."""
    verb, *rest = _words(text)
    reader = _READERS.get(verb)
    if reader is None:
        raise _wrong(text, f"no verb is called {verb!r}")
    try:
        return reader(verb, rest, text)
    except (IndexError, ValueError):
        raise _wrong(text, "is not complete") from None


def _stats(verb: str, rest: list[str], text: str) -> Effect:
    """add SEL 攻+1 防+1 turn, set SEL 攻=7 turn"""
    stats, until = [], Until.LIVE
    for word in rest[1:]:
        found = _CHANGE.fullmatch(word)
        if found is None:
            until = _until(word, text)
            continue
        name, sign, number = found.groups()
        if (sign == "=") != (verb == "set"):
            raise _wrong(text, f"{verb} does not take {word!r}")
        stats.append((Stat(name), -int(number) if sign == "-" else int(number)))
    if not stats:
        raise _wrong(text, "changes nothing")
    return Effect(verb, read_selector(rest[0]), stats=tuple(stats), until=until)


def _fix(verb: str, rest: list[str], text: str) -> Effect:
    """fix opp 攻 clash"""
    return Effect(verb, read_selector(rest[0]), stats=((Stat(rest[1]), 0),), until=_until(rest[2], text))


def _count(verb: str, rest: list[str], text: str) -> Effect:
    """count self 防+1 per own.wander"""
    found = _CHANGE.fullmatch(rest[1])
    if rest[0] != "self" or rest[2] != "per" or found is None:
        raise _wrong(text, "is written: count self 防+1 per own.wander")
    return Effect(verb, read_selector(rest[3]), stats=((Stat(found.group(1)), int(found.group(3))),))


def _keyword(verb: str, rest: list[str], text: str) -> Effect:
    """grant SEL 射撃2 turn, lose SEL 騎馬 turn, lose SEL abilities turn"""
    until = _until(rest[2], text)
    if rest[1] == "abilities" and verb == "lose":
        return Effect(verb, read_selector(rest[0]), word="abilities", until=until)
    name = rest[1].rstrip("0123456789")
    return Effect(
        verb,
        read_selector(rest[0]),
        keyword=Keyword(name),
        number=int(rest[1][len(name) :] or 0),
        until=until,
    )


def _selected(verb: str, rest: list[str], text: str) -> Effect:
    """act, ready, wander, recall, bounce, kill, enter SEL"""
    if len(rest) != 1:
        raise _wrong(text, f"is written: {verb} WHOM")
    return Effect(verb, read_selector(rest[0]))


def _player(verb: str, rest: list[str], text: str) -> Effect:
    """draw me 1, mill foe 2, toss foe 1 random, stack me 3, again me"""
    if rest[0] not in PLAYERS:
        raise _wrong(text, f"{rest[0]!r} is none of {', '.join(PLAYERS)}")
    word = rest[2] if verb == "toss" else ""
    if verb == "toss" and word not in ("random", "owner"):
        raise _wrong(text, "a toss is random or the owner's choice")
    return Effect(verb, player=rest[0], number=int(rest[1]) if len(rest) > 1 else 0, word=word)


def _fetch(verb: str, rest: list[str], text: str) -> Effect:
    """search own.deck[..]#1 to hand, salvage own.discard[..]#1 to hand"""
    if rest[1] != "to" or rest[2] not in ("hand", "field"):
        raise _wrong(text, "goes to hand or to field")
    return Effect(verb, read_selector(rest[0]), word=rest[2])


def _gamble(verb: str, rest: list[str], text: str) -> Effect:
    """gamble enemy.wander[仁] kill"""
    if rest[1] != "kill":
        raise _wrong(text, "a gamble kills")
    return Effect(verb, read_selector(rest[0]))


def _ban(verb: str, rest: list[str], text: str) -> Effect:
    """ban both attack, ban opp retreat clash, ban any.field#1 ability:act next"""
    if rest[1] not in BANS:
        raise _wrong(text, f"{rest[1]!r} is none of {', '.join(BANS)}")
    until = _until(rest[2], text) if len(rest) > 2 else Until.LIVE
    if rest[0] in PLAYERS:
        return Effect(verb, player=rest[0], word=rest[1], until=until)
    return Effect(verb, read_selector(rest[0]), word=rest[1], until=until)


def _cancel(verb: str, rest: list[str], text: str) -> Effect:
    """cancel shot, cancel method"""
    if rest[0] not in ("shot", "method"):
        raise _wrong(text, "what is cancelled is a shot or a method")
    return Effect(verb, word=rest[0])


def _retreat(verb: str, rest: list[str], text: str) -> Effect:
    """retreat self -2, retreat opp x2, retreat self to field, retreat opp to discard"""
    if rest[1] == "to":
        if rest[2] not in ("field", "hand", "discard"):
            raise _wrong(text, "a retreat goes to field, hand or discard")
        return Effect(verb, read_selector(rest[0]), word=rest[2])
    if rest[1].startswith("x"):
        return Effect(verb, read_selector(rest[0]), word="times", number=int(rest[1][1:]))
    return Effect(verb, read_selector(rest[0]), word="more", number=int(rest[1]))


def _limit(verb: str, rest: list[str], text: str) -> Effect:
    """limit me +2 open"""
    return Effect(verb, player=rest[0], number=int(rest[1]), word=rest[2] if len(rest) > 2 else "")


def _join(verb: str, rest: list[str], text: str) -> Effect:
    """join self attack then discard"""
    if rest != ["self", "attack", "then", "discard"]:
        raise _wrong(text, "is written: join self attack then discard")
    return Effect(verb, SELF)


def _gain(verb: str, rest: list[str], text: str) -> Effect:
    """gain 仁"""
    return Effect(verb, word=Attribute(rest[0]).value)


def _land(verb: str, rest: list[str], text: str) -> Effect:
    """land repair, land 商業-2 turn, land 狩猟-2 turn"""
    if rest == ["repair"]:
        return Effect(verb, word="repair")
    found = re.fullmatch(r"(商業|狩猟)-(\d+)", rest[0])
    if found is None:
        raise _wrong(text, "is written: land 商業-2 turn")
    return Effect(verb, word=found.group(1), number=int(found.group(2)), until=_until(rest[1], text))


def _shield(verb: str, rest: list[str], text: str) -> Effect:
    """shield self from shot"""
    if rest[1:3] != ["from", "shot"]:
        raise _wrong(text, "is written: shield self from shot")
    return Effect(verb, read_selector(rest[0]), word="shot")


_READERS = {
    "add": _stats,
    "set": _stats,
    "fix": _fix,
    "count": _count,
    "grant": _keyword,
    "lose": _keyword,
    **dict.fromkeys(("act", "ready", "wander", "recall", "bounce", "kill", "enter"), _selected),
    **dict.fromkeys(("draw", "mill", "toss", "stack", "again"), _player),
    "search": _fetch,
    "salvage": _fetch,
    "gamble": _gamble,
    "ban": _ban,
    "cancel": _cancel,
    "retreat": _retreat,
    "limit": _limit,
    "join": _join,
    "gain": _gain,
    "land": _land,
    "shield": _shield,
}


def _example(verb: str, forms: str) -> str:
    """How a verb may be written, from the forms that its reader takes."""
    found = next((one for one in forms.split(", ") if one.startswith(verb)), verb).strip()
    return found if " " in found else f"{verb} SEL"


VERBS = {verb: _example(verb, reader.__doc__ or "") for verb, reader in _READERS.items()}
"""Each verb as it may be written."""


def read_price(text: str) -> Price:
    """`act`, `hand 1`, `deck 2` …"""
    kind, *rest = text.split()
    if kind not in ("act", "wander", "hand", "deck", "discard-self", "exile-self", "trophy"):
        raise _wrong(text, "is no price")
    return Price(kind, int(rest[0]) if rest else 1)


def read_condition(text: str) -> Condition:
    """`own.field[美女]>=1`, `opp has 射撃`, `opp is 仁`, `role siege`, `land 河川`, `hand=0`"""
    words = _words(text)
    if text.startswith("opp has "):
        return Condition("opp-has", filter=Filter(keyword=Keyword(words[2])))
    if text.startswith("opp is "):
        return Condition("opp-is", filter=read_filter(words[2]))
    if words[0] in ("role", "land"):
        return Condition(words[0], word=words[1])
    if text == "hand=0":
        return Condition("hand")
    found = re.fullmatch(r"(own|any)\.field\[([^\]]*)\]>=(\d+)", text)
    if found is None:
        raise _wrong(text, "is no condition")
    return Condition("field", found.group(1), read_filter(found.group(2)), number=int(found.group(3)))


def read_ability(text: str) -> Ability:
    """`clash: hand 1 -> set self 攻=7 防=4 turn`, with `if …`, `back …` and `once per …` in brackets."""
    head, _, done = text.partition("->")
    when, _, priced = head.partition(":")
    condition, back, limit = None, None, None
    for note in re.findall(r"\(([^)]*)\)", done):
        if note.startswith("if "):
            condition = read_condition(note[3:])
        elif note.startswith("back "):
            back = read_price(note[5:])
        elif note.startswith("once per "):
            limit = _until(note[9:], text)
        else:
            raise _wrong(text, f"({note}) is neither if, back nor once per")
    done = re.sub(r"\([^)]*\)", "", done)
    try:
        moment = When(when.strip())
    except ValueError:
        raise _wrong(text, f"{when.strip()!r} is no moment") from None
    return Ability(
        when=moment,
        do=tuple(read_effect(part.strip()) for part in done.split(";")),
        condition=condition,
        price=tuple(read_price(part.strip()) for part in priced.split(",") if part.strip()),
        back=back,
        limit=limit,
        text=" ".join(text.split()),
    )
