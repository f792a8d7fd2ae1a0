"""Kits: those that ship can be played, a mistake is named by file, table and key, and nothing else counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.table.reading import OWN, read_pack
from games.table.rules import TABLE
from pbem.errors import UsageError
from tests.cli import ROOT
from tests.commandline import pbem

HELP = (ROOT / "pbem" / "help" / "table.md").read_text("utf-8")
(KIT,) = re.findall(r"```toml\n(.*?)```", HELP, re.DOTALL)


def written(folder: Path, text: str, name: str = "ours.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_six_kits_ship_and_one_of_them_is_for_six() -> None:
    kits = TABLE.load_pack().kits
    assert set(kits) == {"cards", "dice", "chits", "strategy", "orders", "vassal"}
    assert len(kits["orders"].seats) == 6 and kits["orders"].phases[1].seals
    decks = kits["strategy"].decks
    assert {deck.owner for deck in decks.values()} == {"allies", "axis"}
    assert all(deck.hand == 7 and deck.reshuffle == "empty" for deck in decks.values())


def test_the_kit_of_the_help_page_is_sound_and_uses_every_key(tmp_path: Path) -> None:
    done = pbem("pack", "check", written(tmp_path, KIT), "--games", "3")
    assert done.code == 0 and "a sound pack for table" in done.out
    reader = (ROOT / "games" / "table" / "reading.py").read_text("utf-8")
    keys = re.findall(r'\.(?:text|texts|integer|choice|value|table|named_\w+|tables)\(\s*"([a-z]+)"', reader)
    for key in {*keys, "each", "score"}:
        assert re.search(rf"\b{key}\b", KIT), f"{key} is not shown"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('kit = "ours"', 'kit = "Our Kit"'), ("ours.toml: kit has the name 'Our Kit'", "small letters")),
        (('title = "Our campaign"', 'titel = "x"'), ("ours.toml: title is missing", "")),
        (("limit = 4", "limits = 4"), ("[deck.strategy] limits is not a known key", "limit")),
        (("hand = 2 ", "hand = 9 "), ("[deck.strategy] hand is 9", "too few for 2 hands")),
        (("limit = 4", "limit = 1"), ("[deck.strategy] limit is 1", "the first hand has 2")),
        (('played = "discard"', 'played = "table"'), ('[deck.strategy] played is "table"', "front, discard")),
        (('renews = ["rally"]', 'renews = ["raly"]'), ("[deck.strategy] renews names 'raly'", "no card")),
        (("text = { suez", "text = { sues"), ("[deck.strategy] text is of 'sues'", "no card")),
        (("[role.south]", "[role.east]"), ("[role.east] title is for 'east'", "south, north")),
        (('roll = "2d6"', 'roll = "two dice"'), ("[chart.weather] roll is 'two dice'", "2d6")),
        (("6-12 =", "7-12 ="), ("[chart.weather] rows leave out 6", "its row")),
        (("6-12 =", "5-12 ="), ("[chart.weather] rows have 5 twice", "one row")),
        (("6-12 =", "6-11 ="), ("[chart.weather] rows do not cover 2 to 12", "every total")),
        (('2-5 = "rain"', 'rain = "2-5"'), ("[chart.weather.rows] rain is no row", "2-5")),
        (('["exchange", "defender retreats"]', '["exchange"]'), ("3-6 has 1 results", "2 columns")),
        (('reactions = ["play"]', 'reactions = ["roll"]'), ("reactions holds 'roll'", "do, play")),
        (('"miss", "miss", "miss", "hit", "hit", "double hit"', '"hit"'), ("[dice.battle] faces are 1", "2")),
        (("guard = 2", "guard = 0"), ("[cup.activation.chits] guard is 0", "at least 1")),
        (("guard = 2", "to = 2"), ("[cup.activation] chits has the name 'to'", "word of the notation")),
        (("start = 0", "start = 40"), ("[track.vp] start is 40", "-10 to 10")),
        (('word = "south"', 'word = "west"'), ("[phase.2] word is for 'west'", "south, north")),
        (('seats = ["south", "north"]', 'seats = ["south"]'), ("seats are 1", "two to six")),
        (("[deck.strategy]", "[deck.vp]"), ("kit has two things called 'vp'", "another name")),
        (("from = -10", "from = -1.5"), ("ours.toml: ", "")),
        (("[track.vp]", "[track.vp"), ("ours.toml: ", "")),
        (('game = "table"\n', "# my kit\n"), ('the first line is not game = "table"', "begin the kit")),
    ],
)
def test_a_mistake_is_named_with_what_to_do(
    tmp_path: Path, change: tuple[str, str], told: tuple[str, str]
) -> None:
    assert change[0] in KIT
    done = pbem("pack", "check", written(tmp_path, KIT.replace(*change, 1)), "--game", "table")
    assert done.code == 2 and told[0] in done.err and told[1] in done.err, done.err


def test_a_kit_may_be_called_and_kept_as_one_likes_and_every_byte_of_it_counts(tmp_path: Path) -> None:
    first = read_pack(written(tmp_path, KIT)).digest
    folder = tmp_path / "kept"
    folder.mkdir()
    windows = folder / "other name.toml"
    windows.write_bytes(b"\xef\xbb\xbf" + KIT.replace("\n", "\r\n").encode())
    assert read_pack(windows).digest == read_pack(folder).digest == first
    assert read_pack(written(tmp_path, KIT.replace("suez = 1", "suez = 2"))).digest != first
    assert read_pack(OWN).digest == TABLE.load_pack().digest != first


@pytest.mark.parametrize(
    "change",
    [
        ("rally = 3", "rally = 900000000000"),
        ("copies = 1 ", "copies = 900000000000 "),
        (
            "[cup.activation]",
            "".join(f'[cup.c{n}]\nchits = ["x{n}"]\n' for n in range(41)) + "[cup.activation]",
        ),
        (
            "[deck.strategy]",
            "".join(f'[deck.d{n}]\ncards = ["x{n}"]\ncopies = 500\n' for n in range(5)) + "[deck.strategy]",
        ),
    ],
)
def test_a_strangers_kit_makes_no_work_without_end(tmp_path: Path, change: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match=r"is 9000|is there 4|have 2506 cards"):
        read_pack(written(tmp_path, KIT.replace(*change, 1)))


def test_a_kit_is_small_and_two_of_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="larger than"):
        read_pack(written(tmp_path, KIT + "# long\n" * 10_000))
    written(tmp_path, KIT)
    written(tmp_path, KIT, "again.toml")
    with pytest.raises(UsageError, match="so is another"):
        read_pack(tmp_path)
