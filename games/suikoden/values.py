"""Values as they stand: printed, then changed, then added to (Q18); keywords gained and lost; conditions.

Everything is computed when it is read and never stored (ruling P-9). An `always` ability is live: it counts
while its condition holds (Q28, Q34).
"""

from __future__ import annotations

from collections.abc import Iterator

from games.suikoden.ability import Ability, Condition, Filter, When
from games.suikoden.cards import Land
from games.suikoden.position import GROVE, SuikodenPosition
from games.suikoden.terms import CardId, Keyword, Mode, Stat, State
from games.suikoden.told import HasActed
from pbem.engine.events import Event, Fact

_FIELD = {Stat.ATTACK: "attack", Stat.DEFENCE: "defence", Stat.WIT: "wit"}


# --- keywords and abilities


def has(pos: SuikodenPosition, card: CardId, keyword: Keyword) -> bool:
    """Whether somebody has a keyword now; of gaining and losing it the newest counts."""
    found = keyword in pos.person(card).keywords
    for mark in pos.marks:
        if mark.card == card and mark.keyword is keyword:
            found = mark.kind == "grant"
    return found


def archery(pos: SuikodenPosition, card: CardId) -> int:
    """The value of 射撃, 0 without it."""
    found = pos.person(card).archery
    for mark in pos.marks:
        if mark.card == card and mark.keyword is Keyword.ARCHERY:
            found = mark.number if mark.kind == "grant" else 0
    return found


def abilities(pos: SuikodenPosition, card: CardId) -> tuple[Ability, ...]:
    """The special abilities that work now: none outside of D (S04, M04), none for who has lost them."""
    if pos.mode is not Mode.DECK:
        return ()
    if any(m.card == card and m.kind == "lose" and m.word == "abilities" for m in pos.marks):
        return ()
    return pos.person(card).abilities


def banned(pos: SuikodenPosition, what: str, *, seat: str = "", card: CardId = "") -> bool:
    """Whether an effect forbids something to a player or a person."""
    for mark in pos.marks:
        if mark.kind == "ban" and mark.word == what and mark.card == card and mark.seat in ("", seat):
            return True
    return False


def no_battle(pos: SuikodenPosition) -> CardId | None:
    """Whoever forbids all battles by being there (西門慶)."""
    for card in pos.field:
        for ability in abilities(pos, card):
            if (
                ability.when is When.ALWAYS
                and any(e.verb == "ban" and e.word == "attack" for e in ability.do)
                and holds(pos, card, ability.condition)
            ):
                return card
    return None


def shielded(pos: SuikodenPosition, card: CardId) -> bool:
    """Whether a shot has no effect on somebody."""
    return any(
        ability.when is When.ALWAYS
        and any(e.verb == "shield" for e in ability.do)
        and holds(pos, card, ability.condition)
        for ability in abilities(pos, card)
    )


# --- conditions


def fits(pos: SuikodenPosition, card: CardId, wanted: Filter, source: CardId = "") -> bool:
    """Whether a card is one of those meant."""
    if wanted.others and card == source:
        return False
    person = pos.person(card)
    if wanted.names and person.name not in wanted.names:
        return False
    if wanted.attributes and (person.attribute not in wanted.attributes or card.startswith(GROVE)):
        return False
    if wanted.cost is not None and len(person.cost) > wanted.cost:
        return False
    return wanted.keyword is None or has(pos, card, wanted.keyword)


def opponent(pos: SuikodenPosition, card: CardId) -> CardId | None:
    """Whom a fighter of the present clash faces, once both are open."""
    clash = pos.clash
    if clash is None or not clash.opened:
        return None
    if card == clash.attack:
        return clash.defence
    return clash.attack if card == clash.defence else None


def holds(pos: SuikodenPosition, card: CardId, condition: Condition | None) -> bool:
    """Whether the condition of an ability of somebody on the field is true now."""
    if condition is None:
        return True
    seat = pos.field[card].seat
    match condition.kind:
        case "field":
            mine = condition.side == "own"
            found = sum(
                1
                for other, one in pos.field.items()
                if (not mine or one.seat == seat) and fits(pos, other, condition.filter, card)
            )
            return found >= condition.number
        case "opp-has" | "opp-is":
            other = opponent(pos, card)
            return other is not None and fits(pos, other, condition.filter)
        case "role":
            return role(pos, card) == condition.word
        case "land":
            land = battle_land(pos)
            return land is not None and land.name == condition.word
        case "hand":
            return not pos.sides[seat].hand
    raise AssertionError(condition)


def role(pos: SuikodenPosition, card: CardId) -> str:
    """attack, intercept, siege, or "" for who does not fight."""
    clash = pos.clash
    if clash is None:
        return ""
    if card == clash.attack:
        return "attack"
    if card != clash.defence:
        return ""
    return "siege" if clash.siege else "intercept"


def battle_land(pos: SuikodenPosition) -> Land | None:
    """The land that is attacked; none while it fights itself (ruling D-16)."""
    battle = pos.battle
    if battle is None:
        return None
    if battle.defender in battle.groves or (pos.mode is Mode.SHARED and battle.groves):
        return None
    return pos.data.lands.get(pos.current_land(battle.defender))


# --- values


def stat(pos: SuikodenPosition, card: CardId, which: Stat) -> int:
    """A value as it stands (Q18): printed, the newest change, then what is added; never below 0."""
    printed = pos.person(card).stat(which)
    name = _FIELD[which]
    value, added = printed, 0
    for mark in pos.marks:
        if mark.card != card:
            continue
        number: int | None = getattr(mark, name)
        if number is None:
            continue
        if mark.kind == "fix":
            return printed
        if mark.kind == "set":
            value = number
        elif mark.kind == "add":
            added += number
    return max(0, value + added + sum(n for n, _ in _live(pos, card, which)))


def _live(pos: SuikodenPosition, card: CardId, which: Stat) -> Iterator[tuple[int, str]]:
    """What is added as long as something holds, with the reason."""
    if card not in pos.field:
        return
    for ability in abilities(pos, card):
        if ability.when is not When.ALWAYS:
            continue
        for effect in ability.do:
            for one, number in effect.stats:
                if one is not which:
                    continue
                if effect.verb == "count":
                    yield number * len(pos.sides[pos.field[card].seat].wander), "放浪"
                elif effect.verb == "add" and holds(pos, card, ability.condition):
                    yield number, pos.call(card)
    yield from _of_land(pos, card, which)


def _of_land(pos: SuikodenPosition, card: CardId, which: Stat) -> Iterator[tuple[int, str]]:
    """D31, D36: the land works for who is besieged, and against who besieges."""
    clash = pos.clash
    if clash is None or not clash.siege:
        return
    land = battle_land(pos)
    if land is None:
        return
    if which is Stat.DEFENCE and card == clash.defence:
        if land.wall:
            yield land.wall, land.label
        if land.current and has(pos, card, Keyword.NAVY):
            yield 1, "水軍"
    if which is Stat.ATTACK and card == clash.attack:
        sails = has(pos, card, Keyword.NAVY) or has(pos, card, Keyword.STEERING)
        if land.current and not sails:
            yield -land.current, land.label
        if land.slope and has(pos, card, Keyword.CAVALRY):
            yield -land.slope, land.label


class Accounted(Event):
    """How a value comes about, number by number: 攻 6→7+2-2 = 7."""

    says = "{stat}{printed}{set:?→{set}|}{added:?{added:&}|}{set:? = {value}|{added:? = {value}|}}"
    stat: str
    printed: int
    set: int | None
    added: tuple[str, ...]
    """What is added, each number with its sign."""
    value: int


def account(pos: SuikodenPosition, card: CardId, which: Stat) -> Fact:
    """How a value comes about."""
    name, fixed, added = _FIELD[which], None, []
    printed = pos.person(card).stat(which)
    for mark in pos.marks:
        number = getattr(mark, name) if mark.card == card else None
        if number is None:
            continue
        if mark.kind == "set":
            fixed = number
        elif mark.kind == "fix":
            return Fact.of(Accounted(which.value, printed, None, (), printed))
        elif mark.kind == "add":
            added.append(number)
    added += [number for number, _ in _live(pos, card, which)]
    signed = tuple(f"{number:+d}" for number in added)
    return Fact.of(Accounted(which.value, printed, fixed, signed, stat(pos, card, which)))


def sum_of(pos: SuikodenPosition, cards: tuple[CardId, ...], which: Stat) -> int:
    """D20 to D22: the total of several people."""
    return sum(stat(pos, card, which) for card in cards)


# --- the clash (6-1)


def uses_wit(pos: SuikodenPosition, card: CardId) -> bool:
    """D34: whether a fighter's stratagem counts: declared and not void."""
    clash, battle = pos.clash, pos.battle
    assert clash is not None and battle is not None
    if card == clash.attack:
        return clash.method is not None and battle.attacker not in clash.void
    return clash.answer is not None and battle.defender not in clash.void


def compared(pos: SuikodenPosition, card: CardId) -> Stat:
    """D35 to D40: which value of a fighter is compared."""
    clash = pos.clash
    assert clash is not None
    if uses_wit(pos, card):
        return Stat.WIT
    return Stat.DEFENCE if card == clash.defence and clash.siege else Stat.ATTACK


def strength(pos: SuikodenPosition, card: CardId) -> int:
    """The number that a fighter brings to the comparison."""
    return stat(pos, card, compared(pos, card))


# --- those who cannot stand a sight (楊雄)


def watch(pos: SuikodenPosition) -> None:
    """Who acts because of somebody on the field is turned as soon as both are there (Q32)."""
    if pos.mode is not Mode.DECK:
        return
    for card, one in list(pos.field.items()):
        if one.state is not State.READY:
            continue
        for ability in abilities(pos, card):
            if (
                ability.when is When.ALWAYS
                and any(e.verb == "act" for e in ability.do)
                and holds(pos, card, ability.condition)
            ):
                pos.act(card)
                pos.say(HasActed(card, rule="Q32"))
