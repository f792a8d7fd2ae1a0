"""The position in words: headline, one card explained, other names, tables, the score so far."""

from __future__ import annotations

from collections.abc import Mapping

from games.suikoden import victory
from games.suikoden.ability import When
from games.suikoden.ability_text import VERBS
from games.suikoden.cards import Land, Person
from games.suikoden.fortune import EVENTS
from games.suikoden.multi import HANDS
from games.suikoden.pack import Pack
from games.suikoden.position import GROVE, SuikodenPosition
from games.suikoden.sentences import card_text, known_from
from games.suikoden.terms import Attribute, Keyword, Mode
from games.suikoden.values import compared, stat
from pbem.engine.shown import Sheet, Tally

METHODS = {"fire": Keyword.FIRE, "water": Keyword.WATER, "sorcery": Keyword.SORCERY}
PHASES = {
    "DeckGame": "set-up", "SharedGame": "set-up", "MultiGame": "set-up", "Domestic": "内政 at home",
    "Recruiting": "内政 at home", "BattlePhase": "戦闘 battle", "Fight": "戦闘 battle",
    "Window": "戦闘 battle", "Aftermath": "戦闘 battle", "DuelFought": "戦闘 battle",
    "Fortune": "イベント event",
}  # fmt: skip
STEPS = {
    "returning": "帰還 return",
    "extra_income": "収入 income",
    "adjust": "終了 end",
    "place": "土地配置 lands",
}
KEYWORDS = {
    Keyword.DECOY: "the opponent of this clash does not use 騎馬",
    Keyword.CAVALRY: "winning a clash discards a card of the opponent's deck",
    Keyword.ARCHERY: "act: 攻 and 防 of an open enemy less by the value until the end of the turn",
    Keyword.NAVY: "河川 does not hinder; besieged at 河川 防+1; 水計 against it is void",
    Keyword.STEERING: "河川 does not hinder",
    Keyword.PLUNDER: "winning against a siege: a lost person back, or a card of the enemy's hand, at random",
    Keyword.FIRE: "attack or intercept by 智 for a card of hand or deck; who loses is no trophy",
    Keyword.WATER: "as 火計; who retreats goes to the hand; void against 水軍",
    Keyword.SORCERY: "by 智 for a card of the hand, also besieged; retreats cost double; the user wanders",
    Keyword.SCOUTING: "act: look at the top three of the deck",
    Keyword.BEAUTY: "act: pays one 白",
    Keyword.SUPPLY: "coming back in the return phase may draw a card",
}
EFFECTS = {
    Attribute.JIN: "a player who fights rolls again",
    Attribute.GI: "a fighter's value +1",
    Attribute.YU: "a fighter's value +2",
    Attribute.BLACK: "a fighter is discarded after the battle; a leader acts",
    Attribute.YELLOW: "an event, in one's own turn",
}


MOMENTS = {
    When.ALWAYS: "as long as its condition holds",
    When.START: "in your start phase",
    When.END: "at the end of your turn",
    When.ENTERED: "when this person comes to the field",
    When.DOMESTIC: "［内政］ at home, by this person on the field",
    When.HAND_DOMESTIC: "［手札・内政］ at home, from the hand, once a turn",
    When.DECLARE: "when you declare an attack, from the hand",
    When.MUSTERED: "when this person takes part in a battle",
    When.SORTIED: "when this person is among the attackers",
    When.FIGHTS: "when this person is turned up to fight",
    When.INTERCEPTS: "when this person is turned up to intercept",
    When.CLASH: "［戦闘］ in the window of a clash, by somebody who takes part",
    When.HAND_CLASH: "［手札・戦闘］ in that window, from the hand, once a clash",
    When.SHOT: "in that window, as the answer to a shot",
    When.WON: "when this person has won a clash",
    When.LOST: "when this person has lost a clash",
    When.RETREATS: "when this person retreats",
}
MEANINGS = {
    "add": "values go up or down",
    "set": "values become these; what is added comes on top (Q18)",
    "fix": "a value cannot be changed",
    "count": "so much for each of those meant, as they are now",
    "grant": "gives a keyword",
    "lose": "takes a keyword, or all abilities, away",
    "act": "turns somebody to 行動済み",
    "ready": "turns somebody to 未行動",
    "wander": "sends somebody wandering",
    "recall": "brings wanderers back, ready",
    "bounce": "returns somebody to the owner's hand",
    "kill": "discards somebody",
    "enter": "puts somebody on the field, as if recruited (Q26)",
    "draw": "cards from the deck to the hand",
    "mill": "cards from the top of the deck to the discards",
    "toss": "cards of the hand to the discards, at random or as their owner chooses",
    "stack": "look at the top cards and put them back in any order",
    "again": "one more turn after this one (Q46)",
    "search": "a card of the deck, shown; the deck is shuffled",
    "salvage": "a card of the discards",
    "gamble": "one wanderer at random: discarded if it is of that kind (Q38)",
    "ban": "forbids something",
    "cancel": "what was just used has no effect; its price stays paid",
    "retreat": "changes the price of a retreat, or where it leads",
    "limit": "more people may take part (頭領)",
    "join": "joins an attack from the hand (Q41)",
    "gain": "acts to pay one symbol of a cost",
    "land": "repairs a land, or makes 商業 or 狩猟 cheaper",
    "shield": "is not hit by shots",
}


def aliases(pos: SuikodenPosition) -> Mapping[str, str]:
    """Other names of cards, and the stratagems in English."""
    return {**pos.data.names, **{word: kw.value for word, kw in METHODS.items()}}


def word(pos: SuikodenPosition, ident: str) -> str:
    """How an id is written in orders."""
    return pos.data.people[ident].name if ident in pos.data.people else ident


def headline(pos: SuikodenPosition) -> str:
    """Turn and phase in a few words."""
    if not pos.stack:
        return "the game is over"
    phase = next((PHASES[n] for f in reversed(pos.stack) if (n := type(f).__name__) in PHASES), "")
    phase = STEPS.get(pos.stack[-1].at, phase)
    if not pos.turn:
        every = len(pos.data.people)
        ours = f"{every - len(pos.data.printed)} of {every} people are our own: see `pbem primer suikoden`"
        return f"{phase or 'set-up'}; {ours}"
    said = f"turn {pos.turn}, {pos.active}" + (f", {phase}" if phase else "")
    clash = pos.clash
    if clash is not None and clash.opened and clash.attack in pos.field and clash.defence in pos.field:
        pair = [(card, compared(pos, card)) for card in (clash.attack, clash.defence)]
        both = [f"{pos.call(card)} {which.value}{stat(pos, card, which)}" for card, which in pair]
        said += ": " + " vs ".join(both)
    return said


def cost_text(person: Person) -> str:
    """The symbols of a cost, 0 for none."""
    return "".join(symbol.value for symbol in person.cost) or "0"


def keywords_text(person: Person) -> str:
    """Keywords as printed."""
    return " ".join(k.value + (str(person.archery) if k is Keyword.ARCHERY else "") for k in person.keywords)


def describe(person: Person) -> str:
    """One line about a person."""
    values = f"攻{person.attack} 防{person.defence} 智{person.wit}"
    said = f"{person.name} {person.attribute.value} {values} cost {cost_text(person)} {keywords_text(person)}"
    return said.strip()


def land_text(land: Land) -> str:
    """One line about a land."""
    said = f"{land.label} 頭領{land.leaders} 修復{land.repair or '–'} 商業{land.trade} 狩猟{land.hunt}"
    return f"{said}; {land_effect(land)}"


def land_effect(land: Land) -> str:
    """What a land does."""
    if land.wall:
        return f"besieged: 防+{land.wall}"
    if land.refuge:
        return f"besieged: retreat {land.refuge} card{'s' if land.refuge > 1 else ''} cheaper"
    if land.current:
        return f"siege: attacker without 操舵 or 水軍 攻-{land.current}"
    if land.slope:
        return f"siege: attacker with 騎馬 攻-{land.slope}, no card by 騎馬"
    attack, defence, wit = land.body or (0, 0, 0)
    return f"may fight as a person 攻{attack} 防{defence} 智{wit}"


def explain(pos: SuikodenPosition, place: str) -> str:
    """What is known of a card, a land or a player."""
    ident = pos.data.names.get(place, place)
    if ident in pos.data.people:
        person = pos.data.people[ident]
        text = card_text(person) or "No ability."
        source = known_from(pos.data.printed.get(ident, ""))
        return f"{person.number:03} {describe(person)}\n{person.english}, {person.gloss}\n{text}\n{source}"
    if ident in pos.data.lands:
        return land_text(pos.data.lands[ident])
    if place in pos.seats:
        return "\n".join(tally.what for tally in score(pos) if tally.seat == place)
    return "竹林 as a fighter" if place.startswith(GROVE) else f"nothing is known of {place}"


def score(pos: SuikodenPosition) -> tuple[Tally, ...]:
    """How near everybody is to each victory."""
    found = []
    number = {Mode.DECK: "D04", Mode.SHARED: "S05", Mode.MULTI: "M05"}[pos.mode]
    for seat in pos.seats:
        side = pos.sides[seat]
        found.append(Tally(seat, f"trophies, of {victory.TROPHIES}", len(side.trophies), number))
        if pos.mode is Mode.DECK:
            found.append(Tally(seat, "lands left; 0 loses", pos.lands_left(seat), number))
            found.append(Tally(seat, "cards in the deck; 0 at income loses", pos.deck_size(seat), number))
        else:
            found.append(Tally(seat, f"★, of {victory.STARS}", victory.stars(pos, seat), number))
        if pos.mode is Mode.SHARED:
            found.append(Tally(seat, f"routed, of {victory.ROUTED}", len(side.routed), number))
    return tuple(found)


PEOPLE_HEADS = (
    "no", "name", "reading", "english", "nickname", "属性", "cost", "攻", "防", "智", "得意能力", "ability",
    "printed",
)  # fmt: skip
LAND_HEADS = ("land", "頭領", "修復", "商業", "狩猟", "ability")


def _person_row(p: Person, printed: str) -> tuple[str, ...]:
    return (
        f"{p.number:03}", p.name, p.reading, p.english, p.gloss, p.attribute.value, cost_text(p),
        str(p.attack), str(p.defence), str(p.wit), keywords_text(p),
        card_text(p), printed or "nothing: ours",
    )  # fmt: skip


def _land_row(land: Land) -> tuple[str, ...]:
    repair = str(land.repair or "–")
    return land.label, str(land.leaders), repair, str(land.trade), str(land.hunt), land_effect(land)


def tables(pack: Pack) -> tuple[Sheet, ...]:
    """Everything that an aid card would show."""
    people = tuple(_person_row(p, pack.printed.get(p.id, "")) for p in pack.people.values())
    return (
        Sheet("people", "The 148 people", PEOPLE_HEADS, people, "D01"),
        Sheet("lands", "The 15 lands", LAND_HEADS, tuple(map(_land_row, pack.lands.values())), "D03"),
        Sheet("keywords", "得意能力", ("keyword", "what it does"), _rows(KEYWORDS), "D02"),
        Sheet("effects", "属性効果", ("attribute", "in a battle of M"), _rows(EFFECTS), "M31"),
        Sheet("events", "イベント", ("die", "event"), tuple((str(d), t) for d, t in EVENTS.items()), "M28"),
        Sheet(
            "hands",
            "初期手札",
            ("highest value", "cards"),
            tuple((str(b), str(n)) for b, n in HANDS.items()),
            "M12",
        ),
        Sheet(
            "verbs",
            "Abilities: what is done (me, foe: a player; mine, opp: a fighter; #1, #all: how many)",
            ("verb", "what it does", "as in"),
            tuple((verb, MEANINGS[verb], like) for verb, like in VERBS.items()),
            "D24",
        ),
        Sheet(
            "moments",
            "Abilities: when (moment: price -> what is done)",
            ("moment", "when it works"),
            tuple((when.value, text) for when, text in MOMENTS.items()),
            "D24",
        ),
    )


def _rows(table: Mapping[Keyword, str] | Mapping[Attribute, str]) -> tuple[tuple[str, ...], ...]:
    return tuple((key.value, text) for key, text in table.items())
