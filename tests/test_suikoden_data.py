"""The pack against what the book and the publisher's errata state, and against its own curve."""

from __future__ import annotations

from collections import Counter

import pytest

from games.suikoden.ability import When
from games.suikoden.ability_text import VERBS, read_ability, read_effect
from games.suikoden.cards import Person
from games.suikoden.display import MEANINGS, MOMENTS
from games.suikoden.pack import Pack, load_pack
from games.suikoden.terms import COLOURS, Attribute, Keyword, Symbol
from pbem.errors import UsageError

PACK = load_pack()
POINTS = {
    Keyword.DECOY: 0.5,
    Keyword.CAVALRY: 1.0,
    Keyword.ARCHERY: 0.0,
    Keyword.NAVY: 1.0,
    Keyword.STEERING: 0.5,
    Keyword.PLUNDER: 1.0,
    Keyword.FIRE: 1.0,
    Keyword.WATER: 1.5,
    Keyword.SORCERY: 1.5,
    Keyword.SCOUTING: 0.5,
    Keyword.BEAUTY: 1.0,
    Keyword.SUPPLY: 1.0,
}
RANGES = {
    Keyword.CAVALRY: (24, 28),
    Keyword.SCOUTING: (10, 12),
    Keyword.SUPPLY: (10, 12),
    Keyword.NAVY: (9, 11),
    Keyword.STEERING: (9, 11),
    Keyword.PLUNDER: (9, 11),
    Keyword.ARCHERY: (11, 13),
    Keyword.DECOY: (7, 9),
    Keyword.FIRE: (6, 8),
    Keyword.BEAUTY: (6, 8),
    Keyword.SORCERY: (5, 6),
    Keyword.WATER: (4, 5),
}


def named(name: str) -> Person:
    (found,) = [p for p in PACK.people.values() if p.name == name]
    return found


def test_what_the_box_holds() -> None:
    assert [p.number for p in PACK.people.values()] == list(range(1, 149))
    assert len({p.name for p in PACK.people.values()}) == 148
    assert len(PACK.lands) == 15 and len(PACK.all_lands()) == 30
    assert Counter(land.stars for land in PACK.lands.values()) == {1: 5, 2: 5, 3: 5}


def test_the_numbers_of_the_errata() -> None:
    assert [named(n).number for n in ("呼延灼", "徐寧", "石秀")] == [8, 18, 33]
    assert named("石秀").cost == (Symbol.JIN,)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("宋江", {"defence": 4, "wit": 5}), ("関勝", {"attack": 7}), ("林冲", {"defence": 6}),
        ("朱仝", {"attack": 3}), ("索超", {"attack": 6, "defence": 3}), ("李俊", {"defence": 4}),
        ("安道全", {"wit": 6}), ("扈三娘", {"wit": 4}), ("凌振", {"wit": 5}), ("宋清", {"wit": 3}),
        ("薛永", {"wit": 3}), ("欧鵬", {"attack": 3}), ("郭盛", {"attack": 3}), ("王英", {"attack": 3}),
    ],
)  # fmt: skip
def test_values_that_the_book_states(name: str, values: dict[str, int]) -> None:
    assert {key: getattr(named(name), key) for key in values} == values


def test_what_else_the_book_states_of_people() -> None:
    for name, keywords in {
        "張清": ["射撃"], "花栄": ["射撃"], "史文恭": ["射撃"], "項充": ["射撃"], "欧鵬": ["操舵", "強奪"],
        "郭盛": ["操舵", "騎馬"], "王英": ["騎馬"], "朱富": ["情報"], "潘金蓮": ["美女"],
    }.items():  # fmt: skip
        assert {Keyword(k) for k in keywords} <= set(named(name).keywords), name
    assert [named(n).archery for n in ("張清", "花栄", "史文恭", "項充")] == [2, 3, 2, 1]
    assert [named(n).cost for n in ("白勝", "張青", "薛永")] == [(), (), ()]
    assert named("李俊").cost == (Symbol.JIN, Symbol.JIN)
    colours = {"薛永": "仁", "張青": "仁", "孫立": "勇", "楊志": "義", "答里孛": "黒"}
    assert {name: named(name).attribute.value for name in colours} == colours
    assert named("宋江").best == 5
    assert all(len(named(n).cost) >= 3 for n in ("林冲", "呉用", "魯智深"))


def test_abilities_that_the_book_states() -> None:
    texts = {p.name: " ".join(a.text for a in p.abilities) for p in PACK.people.values()}
    for name, words in {
        "盧俊義": "limit me +2 open",
        "朱仝": "hand 1 -> add self 攻+1",
        "戴宗": "wander -> recall own.wander",
        "索超": "hand 1 -> set self 攻=7 防=4",
        "李逵": "start: -> mill me 1",
        "雷横": "entered: -> ready self",
        "解宝": "攻=3 防=3",
        "黄信": "cancel shot",
        "韓滔": "name:呼延灼",
        "欧鵬": "opp has 射撃",
        "湯隆": "攻+2 防+2",
        "焦挺": "fix opp 攻",
        "欒廷玉": "hand-clash: -> add any.fight#1 攻+2 turn (back deck 2)",
        "瓊英": "retreat opp to discard",
        "答里孛": "own.field[騎馬]#all 攻+",
        "九天玄女": "again me",
        "鄧元覚": "lose own.field[騎馬]#all 騎馬",
        "潘金蓮": "name:西門慶",
        "西門慶": "ban both attack",
        "呼延灼": "add own.field[騎馬, not self]#all 攻+1 防+1",
        "徐寧": "add any.field[騎馬, not self]#all 攻-1 防-1",
    }.items():
        assert words in texts[name], name


def test_what_the_book_states_of_lands() -> None:
    lands = PACK.lands
    assert lands["fort-1"].leaders == 5 and lands["fort-1"].wall == 1 and lands["fort-3"].leaders == 9
    assert lands["town-1"].trade == 9 and lands["river-2"].current == 2
    assert all(land.repair == 0 and land.body for land in lands.values() if land.name == "竹林")
    assert all(land.repair for land in lands.values() if land.name != "竹林")


def test_enough_cheap_people_of_every_colour() -> None:
    cheap = [p for p in PACK.people.values() if p.cheap]
    assert len(cheap) == 65
    free = Counter(p.attribute for p in cheap if not p.cost)
    assert all(free[colour] >= 11 for colour in COLOURS)
    total = Counter(p.attribute for p in PACK.people.values())
    assert {a: total[a] for a in Attribute} == {
        Attribute.JIN: 38, Attribute.GI: 38, Attribute.YU: 38, Attribute.YELLOW: 17, Attribute.BLACK: 17,
    }  # fmt: skip
    assert sum(len(p.cost) <= 2 for p in PACK.people.values()) == 128


def test_every_keyword_is_there_as_often_as_it_should() -> None:
    found = Counter(k for p in PACK.people.values() for k in p.keywords)
    for keyword, (low, high) in RANGES.items():
        assert low <= found[keyword] <= high, keyword
    assert max(len(p.keywords) for p in PACK.people.values()) <= 3


def test_values_are_on_one_curve() -> None:
    for person in PACK.people.values():
        points = person.attack + person.defence + person.wit + person.archery
        points += sum(POINTS[k] for k in person.keywords)
        whites = person.cost.count(Symbol.WHITE)
        colours = sum(s is not Symbol.WHITE and not s.kills for s in person.cost)
        kills = sum(s.kills for s in person.cost)
        budget = 6.5 + 2.75 * colours + 3.5 * kills + (1.5 + 2.5 * (whites - 1) if whites else 0)
        slack = 5 if person.name == "武大" else 2.5
        assert budget - slack <= points <= budget + 2, f"{person.name}: {points} for {budget}"
        assert person.best <= 8


def test_every_class_of_first_hands_is_inhabited() -> None:
    assert {min(8, max(1, p.best)) for p in PACK.people.values()} >= {2, 3, 4, 5, 6, 7, 8}


def test_no_two_abilities_are_alike() -> None:
    """But those of 祝氏三傑 and 曾家五虎, which the book describes together (Q41)."""
    texts = Counter(a.text for p in PACK.people.values() for a in p.abilities)
    assert [text for text, count in texts.items() if count > 1] == [
        "declare: -> join self attack then discard"
    ]
    assert all(p.abilities for p in PACK.people.values())


def test_removal_and_free_cards_are_rare() -> None:
    removal, free = 0, 0
    for person in PACK.people.values():
        for ability in person.abilities:
            hurts = {"gamble", "bounce", "toss"} | {"act", "wander"}
            aimed = ability.do[0].selector is not None and ability.do[0].selector.side == "enemy"
            verb = ability.do[0].verb
            if ability.when is When.DOMESTIC and verb in hurts and (aimed or verb == "toss"):
                removal += 1
            free += verb == "draw" and not ability.price and ability.when is When.DOMESTIC
    assert removal <= 20 and free <= 4


def test_a_case_may_bring_cards_of_its_own_beside_the_others() -> None:
    pack = Pack.from_tables(
        {"people": {"person": [{"id": "suochao", "attack": 8}, {"id": "x", "name": "甲"}]}}
    )
    assert (pack.people["suochao"].attack, pack.people["suochao"].defence) == (8, 3)
    assert pack.people["x"].abilities == () and len(pack.people) == 149
    assert pack.digest != PACK.digest


@pytest.mark.parametrize(
    "text",
    [
        "clash: hand 1 -> explode self", "clash: hand 1 -> add self turn", "sometimes: -> draw me 1",
        "clash: foot 1 -> draw me 1", "clash: -> add own.attic#1 攻+1 turn", "clash: -> add self 攻=1 turn",
        "clash: -> toss foe 1", "clash: -> draw me 1 (maybe)", "clash: -> grant self 飛行 turn",
    ],
)  # fmt: skip
def test_an_ability_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises((UsageError, ValueError)):
        read_ability(text)


def test_an_effect_that_is_not_complete_is_refused() -> None:
    with pytest.raises(UsageError, match="not complete"):
        read_effect("search own.deck#1")


def test_every_word_of_an_ability_is_explained() -> None:
    """What is printed on a card can be looked up: `pbem tables suikoden verbs` and `moments`."""
    assert set(MEANINGS) == set(VERBS) and set(MOMENTS) == set(When)
    assert all(like.startswith(verb) for verb, like in VERBS.items())
