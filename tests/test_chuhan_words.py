"""Orders as players write them: names in every script, other words and another word order."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from games.chuhan.phrases import rewrite
from games.chuhan.position import ChuhanPosition
from games.chuhan.rules import CHUHAN
from pbem.engine import cases
from tests.table import give, players, settle

CANONICAL = "move zhonglimo 2 from chen to wan paying gifts"


@pytest.fixture
def pos() -> ChuhanPosition:
    pack = CHUHAN.load_pack()
    return CHUHAN.start(pack, "standard", {}, ("chu", "han"))


@pytest.mark.parametrize(
    "word, ident",
    [
        ("项羽", "xiangyu"),
        ("刘邦", "liubang"),
        ("范増", "fanzeng"),
        ("鍾離昧", "zhonglimo"),
        ("钟离眛", "zhonglimo"),
        ("田栄", "tianrong"),
        ("临淄", "linzi"),
        ("寿春", "shouchun"),
        ("武关", "wuguan"),
        ("汉中", "hanzhong"),
        ("天下無雙", "peerless"),
        ("间谍", "spies"),
        ("汉", "han"),
        ("韩信", "hanxin"),
        ("Han Xin", "hanxin"),
    ],
)
def test_names_in_other_scripts(pos: ChuhanPosition, word: str, ident: str) -> None:
    assert CHUHAN.aliases(pos)[word] == ident


def test_the_name_of_two_counters_means_the_one_on_the_board(pos: ChuhanPosition) -> None:
    pos.generals["hanxin-lord"] = replace(pos.generals["hanxin-lord"], place="wan")
    names = CHUHAN.aliases(pos)
    assert {names[word] for word in ("韓信", "韩信", "Han Xin")} == {"hanxin-lord"}


def test_no_name_means_two_things(pos: ChuhanPosition) -> None:
    names = CHUHAN.aliases(pos)
    pack = CHUHAN.load_pack()
    ids = {*pack.areas, *pack.generals, *pack.forces, *pack.cards}
    assert not [word for word in names if word in ids]


@pytest.mark.parametrize(
    "text",
    [
        "move Zhongli Mo 2 from chen to wan paying gifts",
        "Move zhonglimo 2 from chen to wan paying gifts",
        "move zhonglimo and 2 legions from chen to wan paying gifts",
        "move zhonglimo +2 to wan with gifts",
        "move from chen to wan zhonglimo 2 paying gifts",
        "move zhonglimo all to wan paying gifts",
        "move all from chen to wan using gifts",
        "移動 zhonglimo 2 從 chen 到 wan 用 gifts",
    ],
)
def test_a_move_in_other_words(pos: ChuhanPosition, text: str) -> None:
    assert rewrite(text, pos) == [CANONICAL]


@pytest.mark.parametrize(
    "text, order",
    [
        ("pass", "wait"),
        ("待機", "wait"),
        ("play Great Granary", "event great-granary"),
        ("reinforce Fan Zeng with gifts", "reinforce fanzeng paying gifts"),
        ("外交 彭越 用 贈り物", "diplomacy 彭越 paying 贈り物"),
        ("fight xiangyu all paying gifts", "fight xiangyu 4 in linzi paying gifts"),
        ("fight 項羽 4 at 臨淄 using gifts", "fight 項羽 4 in 臨淄 paying gifts"),
    ],
)
def test_other_actions_in_other_words(pos: ChuhanPosition, text: str, order: str) -> None:
    assert rewrite(text, pos) == [order]


@pytest.mark.parametrize(
    "text",
    [
        CANONICAL,
        "move 黥布:3 from 六 to 宛 paying 贈り物",
        "fight xiangyu 4 in linzi paying gifts",
        "wait",
        "event gifts",
        "diplomacy pengyue paying gifts",
        "attack tianrong",
        "place longju in peng",
        'move "xiangyu',
        "",
    ],
)
def test_what_is_written_as_it_should_be_is_left_alone(pos: ChuhanPosition, text: str) -> None:
    assert rewrite(text, pos) is None


def test_what_is_rewritten_is_not_rewritten_again(pos: ChuhanPosition) -> None:
    once = rewrite("move all from peng to chen with great-granary", pos)
    assert once is not None and rewrite(once[0], pos) is None


def test_orders_in_other_words_are_carried_out() -> None:
    case = {
        "game": "chuhan",
        "cards": {"chu": {"c1": "gifts"}, "han": {"h1": "gifts", "h2": "spies"}},
        "position": {
            "scenario": "standard",
            "turn": 1,
            "stack": [{"at": "Game.turns"}, {"at": "Turn.end"}, {"at": "MarchPhase.act", "seat": "chu"}],
            "hands": {"chu": {"cards": ["c1"]}, "han": {"cards": ["h1", "h2"]}},
        },
        "play": [
            {"seat": "chu", "orders": "move 钟离昧 and all to 宛 with 贈り物"},
            {"seat": "han", "orders": "reinforce Liu Bang with Gifts"},
        ],
        "expect": {
            "position": {
                "generals": {"zhonglimo": {"place": "wan"}},
                "legions": {"wan_chu": {"acted": 2}, "hanzhong_han": {"ready": 6, "acted": 1}},
            }
        },
    }
    assert cases.run(Path("words.toml"), case) == []


def test_a_card_named_in_other_words_is_shown_and_paid() -> None:
    table = players(2, rules=CHUHAN, scenario="standard")
    rng = random.Random(3)
    while True:
        settle(table)
        seat = table["chu"].asked
        assert seat is not None
        player = table[seat]
        owed = player.owed()
        if owed.options.kind == "action":
            break
        raw = player.decide(rng)
        assert raw is not None
        give(table, raw)
    card = min(player.secrets.view(owed.options).known.values())
    ruler = {"chu": "Xiang Yu", "han": "Liu Bang"}[seat]
    name = CHUHAN.load_pack().cards[card].english
    give(table, player.entry("orders", player.secrets.orders(f"reinforce {ruler} with {name}\n")))
    settle(table)
    for one in table.values():
        assert one.ledger.position.discards == (card,)
        assert one.asked != seat
