"""Kawagoe as a whole: random play, hostile orders, sealed chits, saved positions, what players are shown."""

from __future__ import annotations

import dataclasses
import random
import tomllib
from typing import Any

import pytest

from games.kawagoe.command import command_range
from games.kawagoe.moves import Attack, Charge, Deploy, PutChits
from games.kawagoe.position import KawagoePosition, Piece
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.rules import KAWAGOE
from games.kawagoe.victory import level
from pbem.engine import case_files, cases
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine, Result
from pbem.engine.options import PUBLIC, Options, Refusal
from pbem.engine.position import Unlawful
from pbem.engine.waits import Ask, AskSealed, Decision, Over, Rolled, Sealed
from pbem.errors import RulesError, UsageError
from pbem.page.plain import width
from pbem.page.terminal import show
from tests.cli import ROOT
from tests.misprints import nonsense

PACK = KAWAGOE.load_pack()
SEATS = (HOJO, ANTI)


def machine() -> Machine:
    return Machine(KAWAGOE, PACK)


def begin(seed: int, options: dict[str, str] | None = None) -> tuple[Croupier, Result]:
    croupier = Croupier(machine(), random.Random(seed))
    return croupier, croupier.settle(croupier.machine.start("kawagoe", options or {}, SEATS))


def players(seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    return {seat: random_player(rng) for seat in SEATS}


def questions(pos: KawagoePosition) -> tuple[Options, ...]:
    wait = machine().waits_for(pos)
    if isinstance(wait, Ask):
        return (wait.options,)
    return wait.options if isinstance(wait, AskSealed) else ()


def saved(pos: KawagoePosition) -> KawagoePosition:
    """The same position, as another machine reads it from its file."""
    read = machine().read(tomllib.loads(pos.text()))
    assert isinstance(read, KawagoePosition)
    return read


EVERYTHING_ELSE = {name: values[-1] for name, values in KAWAGOE.options(PACK).items()}
"""Every unclear rule read the other way."""


@pytest.mark.parametrize(("seed", "options"), [(1, {}), (2, {}), (3, EVERYTHING_ELSE)])
def test_random_games_end_and_stay_sound(seed: int, options: dict[str, str]) -> None:
    croupier, result = begin(seed, options)
    who = players(seed)
    for number in range(5000):
        pos = result.position
        if isinstance(croupier.machine.waits_for(pos), Over):
            break
        if number % 7 == 0:
            again = saved(pos)
            assert again == pos
            for table in ("hojo_at", "anti_at", "hojo_zoc", "anti_zoc"):
                pos.held(HOJO)
                again.held(HOJO)
                assert getattr(pos, table) == getattr(again, table)
            for unit in pos.units:
                if pos.counter(unit).general:
                    assert command_range(pos, unit) == command_range(again, unit), unit
        result = croupier.play(pos, who)
    assert result.position.outcome is not None
    assert result.position.outcome.winners[0] in SEATS


def test_a_game_played_from_its_files_is_the_same_game() -> None:
    """Nothing that matters is kept outside position.toml."""
    ends = []
    for through_file in (False, True):
        croupier, result = begin(11)
        who = players(11)
        for _ in range(250):
            pos = result.position
            if isinstance(croupier.machine.waits_for(pos), Over):
                break
            result = croupier.play(saved(pos) if through_file else pos, who)
        ends.append(result.position.text())
    assert ends[0] == ends[1]


def test_what_is_listed_is_accepted() -> None:
    croupier, result = begin(5)
    who = players(5)
    for _ in range(150):
        pos = result.position
        for options in questions(pos):
            view = croupier.view(pos, options.seat, options)
            for _, move in zip(range(40), options.list(view), strict=False):
                assert options.why_not(move, view) is None, move
        result = croupier.play(pos, who)


@pytest.mark.parametrize("seed", range(3))
def test_hostile_orders_are_refused_with_a_reason(seed: int) -> None:
    """Whatever is written, the answer is a refusal in words or a move that can be carried out."""
    croupier, result = begin(seed)
    rng, who = random.Random(seed), players(seed)
    accepted = 0
    for _ in range(220):
        pos = result.position
        words = [
            *pos.units,
            *rng.sample(PACK.map.hexes, 20),
            "",
            ">",
            "@",
            "1213>1214",
            "k01@1811",
            "0000",
            "hojo",
        ]
        words += [piece.hex for piece in pos.units.values()] + [f"{h}>" for h in PACK.map.castle]
        for options in questions(pos):
            for kind in options.kinds():
                for _ in range(12):
                    move = nonsense(rng, kind, words)
                    refusal = options.why_not(move, croupier.view(pos, options.seat, options))
                    assert refusal is None or (refusal.rule and refusal.reason), move
                    if refusal is None and options.slots is None:
                        croupier.machine.apply(pos, Decision(options.seat, move))
                        accepted += 1
        result = croupier.play(pos, who)
    assert accepted > 20


def test_refused_orders_change_nothing() -> None:
    croupier, result = begin(8)
    pos = result.position
    before = pos.text()
    with pytest.raises(RulesError) as refused:
        croupier.machine.apply(pos, Decision(HOJO, Deploy("garrison", ("tsunashige@0101",))))
    assert refused.value.rule == "4.1"
    assert pos.text() == before


# --- sealed chits


def to_the_cup(seed: int = 4) -> tuple[Croupier, KawagoePosition]:
    croupier, result = begin(seed)
    for seat, order in ((HOJO, "garrison"), (ANTI, "koga"), (ANTI, "ougigayatsu"), (ANTI, "yamanouchi")):
        result = croupier.decide(result.position, Deploy(order, ()), seat)
    options = questions(result.position)[0]
    result = croupier.decide(result.position, next(iter(options.list())), ANTI)
    return croupier, result.position


def fill(croupier: Croupier, pos: KawagoePosition, hojo: tuple[str, ...], anti: tuple[str, ...]) -> Result:
    """Put chits in that no honest machine would seal, and draw until something is found."""
    moves = {HOJO: PutChits(hojo), ANTI: PutChits(anti)}
    wait = croupier.machine.waits_for(pos)
    assert isinstance(wait, AskSealed)
    return croupier.seal(pos, wait, moves)


@pytest.mark.parametrize(
    ("hojo", "anti", "cheat", "rule"),
    [
        (("katta", "katta"), ("koga", "ougigayatsu", "yamanouchi"), HOJO, "5.12"),
        (("hojo", "koga"), ("koga", "ougigayatsu", "yamanouchi"), HOJO, "5.12"),
        (("hojo", "hojo"), ("koga", "koga", "yamanouchi"), ANTI, "5.13"),
        (("hojo", "hojo"), ("koga", "koga-general", "yamanouchi-general"), ANTI, "5.13"),
        (("hojo", "hojo"), ("koga", "ougigayatsu", "nobody"), ANTI, "5.13"),
    ],
)
def test_unlawful_chits_are_found_when_they_are_opened(
    hojo: tuple[str, ...], anti: tuple[str, ...], cheat: str, rule: str
) -> None:
    croupier, pos = to_the_cup()
    who = players(1)
    with pytest.raises(Unlawful) as found:
        result = fill(croupier, pos, hojo, anti)
        while result.position.turn == 1:
            result = croupier.play(result.position, who)
    assert (found.value.seat, found.value.rule) == (cheat, rule)


def test_katta_a_second_time_is_found_when_it_is_opened() -> None:
    croupier, pos = to_the_cup()
    pos = pos.copy()
    pos.spent = True
    with pytest.raises(Unlawful) as found:
        result = fill(croupier, pos, ("katta", "hojo"), ("koga", "ougigayatsu", "yamanouchi"))
        while result.position.turn == 1:
            result = croupier.play(result.position, players(1))
    assert (found.value.seat, found.value.rule) == (HOJO, "5.31")


def test_the_cup_is_the_same_whatever_is_in_it() -> None:
    """5.11: what a side has put in does not show in the position."""
    _, pos = to_the_cup()
    commitments = {HOJO: ("", ""), ANTI: ("", "", "")}
    result = machine().apply(pos, Sealed(commitments))
    assert result.position.cup == ("s1.hojo.0", "s1.hojo.1", "s1.anti.0", "s1.anti.1", "s1.anti.2")
    drawn = machine().apply(result.position, Rolled((3,)))
    assert drawn.position.pending == ("s1.anti.1",)


# --- unknown units


def test_what_nobody_knows_is_nowhere() -> None:
    """11.1: no position before a combat says more of a counter than its house and where it is."""
    _, pos = to_the_cup()
    counters = [u for u in pos.units if pos.counter(u).strength is None]
    assert len(counters) == 66
    assert all(pos.units[u] == Piece(pos.units[u].hex) for u in counters)


def test_every_identity_is_met_once() -> None:
    """11.2: drawing without replacement uses up the pool exactly."""
    croupier, result = begin(21)
    who = players(21)
    while not isinstance(croupier.machine.waits_for(result.position), Over):
        result = croupier.play(result.position, who)
    pos = result.position
    for house, pool in PACK.pools.items():
        met = [
            p.identity for t in (pos.units, pos.fallen) for u, p in t.items() if pos.counter(u).group == house
        ]
        printed = [identity.id for identity in pool.identities]
        assert all(met.count(one) <= printed.count(one) for one in set(met) - {""})


# --- victory


@pytest.mark.parametrize(
    ("difference", "winner", "how"),
    [
        (40, HOJO, "decisive"),
        (39, HOJO, "victory"),
        (20, HOJO, "victory"),
        (19, HOJO, "marginal"),
        (0, HOJO, "marginal"),
        (-1, ANTI, "marginal"),
        (-19, ANTI, "marginal"),
        (-20, ANTI, "victory"),
        (-39, ANTI, "victory"),
        (-40, ANTI, "decisive"),
    ],
)
def test_levels_of_13_5(difference: int, winner: str, how: str) -> None:
    assert level(difference) == (winner, how)


# --- what players see and write


def field_of_battle() -> KawagoePosition:
    pos = KAWAGOE.blank(PACK, {}, SEATS)
    pos.units = {
        "haruuji": Piece("1013"),
        "k01": Piece("1512", disordered=True),
        "k02": Piece("1410"),
        "tame": Piece("1510"),
        "ujiyasu": Piece("1510"),
    }
    pos.turn = 2
    return pos


def test_japanese_names_are_orders_too() -> None:
    croupier, result = begin(3)
    options = questions(result.position)[0]
    usual = PACK.scenarios["kawagoe"].default_setup["garrison"]
    text = " ".join(f"{PACK.units[u].name}@{h}" for u, h in usual.items())
    move = croupier.machine.read_move(result.position, options, f"deploy garrison {text}", PUBLIC)
    after = croupier.decide(result.position, move, HOJO).position
    assert {u: after.units[u].hex for u in usual} == dict(usual)
    lookup = KAWAGOE.lookup(after, {})
    assert lookup.ident("北条綱成") == "tsunashige"
    assert lookup.ident("勝った勝った／手番") == "katta"


def test_the_map_reads_without_colour() -> None:
    pos = field_of_battle()
    lines = show(KAWAGOE, pos).splitlines()
    assert lines[0] == "turn 2"
    assert any("x2" in line for line in lines), "two Hojo units in one hex"
    assert any("(k01)" in line for line in lines), "a unit in disorder"
    assert any("HAR" in line for line in lines), "a general"
    assert max(map(width, lines)) <= 100


def test_a_hex_and_a_unit_are_explained() -> None:
    pos = field_of_battle()
    text = KAWAGOE.explain(pos, "1512")
    assert "gate to 1612" in text and "k01" in text and "in disorder" in text and "area: koga" in text
    assert "out of command" in KAWAGOE.explain(pos, "k02")
    assert "command 3" in KAWAGOE.explain(pos, "足利晴氏")
    assert "neither a hex" in KAWAGOE.explain(pos, "9999")


def test_odds_of_known_units_are_those_of_the_table() -> None:
    pos = field_of_battle()
    pos.units["k02"] = dataclasses.replace(pos.units["k02"], identity="isshiki")
    said = KAWAGOE.odds(pos, Attack("1410", ("tame", "ujiyasu")))
    assert said is not None
    strength = sum(PACK.units[u].strength[3] for u in ("tame", "ujiyasu"))
    halved = (pos.strength("k02") + 1) // 2
    column = PACK.crt.column(strength, halved)
    assert f"column: {PACK.crt.columns[column]} 100 %" in said
    for die in range(1, 7):
        assert PACK.crt.result(column, die) in said


def test_odds_of_unknown_units_are_averaged_over_the_pool() -> None:
    pos = field_of_battle()
    said = KAWAGOE.odds(pos, Charge(("tame", "ujiyasu"), "1410"))
    assert said is not None
    results = said.splitlines()[-1].removeprefix("result: ").split(", ")
    assert 97 <= sum(int(item.split()[-2]) for item in results) <= 103
    assert KAWAGOE.odds(pos, Attack("1312", ("tame",))) is None
    assert KAWAGOE.odds(pos, Deploy("koga", ())) is None


def test_a_fixed_table_gives_one_result() -> None:
    fixed = KAWAGOE.fix_tables(PACK, {"crt": "A1/D2"})
    assert {fixed.crt.result(c, die) for c in range(10) for die in range(1, 7)} == {"A1/D2"}
    with pytest.raises(UsageError):
        KAWAGOE.fix_tables(PACK, {"weather": "rain"})


def test_a_refusal_of_the_wrong_kind_of_order_says_what_is_asked() -> None:
    _, result = begin(3)
    refusal = questions(result.position)[0].why_not(Attack("1810", ("tame",)))
    assert isinstance(refusal, Refusal) and "garrison" in refusal.reason


@pytest.mark.parametrize(
    ("case", "order", "said"),
    [
        (
            "5.53-other-generals-do-not-attack",
            "attack 0402 with yanada",
            "yanada is a general too: the chit is for haruuji and his men",
        ),
        (
            "9.54-advance-in-through-a-gate",
            "advance k01 0405 0305",
            "into the castle the advance is one hex only",
        ),
    ],
)
def test_a_refusal_gives_the_true_reason(case: str, order: str, said: str) -> None:
    """What a case says is illegal, asked for as legal: the reason as a player reads it."""
    path = ROOT / "tests" / "cases" / "kawagoe" / f"{case}.toml"
    told = cases.run(path, {**case_files.read(path), "expect": {"legal": [order]}})
    assert any(said in line for line in told), told
