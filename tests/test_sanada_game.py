"""Sanada as a whole: short orders, random games, bots, what is shown of an attack before it is made."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.sanada.moves import Assault, Attack, Overrun
from games.sanada.position import SanadaPosition
from games.sanada.rules import SANADA
from games.sanada.terms import KANTO, OSAKA, SIDES
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.engine.options import PUBLIC
from pbem.engine.orders import Chosen, choose, read_orders
from pbem.engine.waits import Ask
from pbem.playtest import arena, fuzz

PACK = SANADA.load_pack()
MACHINE = Machine(SANADA, PACK)


def position(step: str, **units: str) -> SanadaPosition:
    """The winter scenario with these units at these places, waiting at a step."""
    pos = SANADA.blank(PACK, {}, SIDES)
    data: dict[str, Any] = {
        "seats": list(SIDES),
        "scenario": "winter",
        "turn": 1,
        "castles": {name: {"owner": castle.owner} for name, castle in pos.castles.items()},
        "units": {u.replace("_", "-"): _piece(text) for u, text in units.items()},
        "stack": [
            {"at": "Game.advance_marker"},
            {"at": "Turn.kanto_reaction"},
            {"at": step, "seat": OSAKA},
        ],
    }
    found: Any = MACHINE.settle(MACHINE.read(data)).position
    return found  # type: ignore[no-any-return]


def _piece(text: str) -> dict[str, Any]:
    place, *under = text.split("<")
    piece: dict[str, Any] = {"hex": place[:4], "inside": place.endswith("/in")}
    return {**piece, "under": under[0]} if under else piece


def carried_out(pos: SanadaPosition, text: str) -> SanadaPosition:
    """The position after a list of orders of one seat."""
    croupier = Croupier(MACHINE, random.Random(1))
    orders = read_orders(text)
    answers: tuple[str, ...] = ()
    while orders:
        wait = MACHINE.waits_for(pos)
        assert isinstance(wait, Ask)
        if wait.options.seat != OSAKA:  # the engine has played the only choice that was left
            break
        chosen = choose(MACHINE, pos, wait.options, PUBLIC, orders, answers, ahead=False)
        assert isinstance(chosen, Chosen), chosen
        orders, answers = chosen.orders, chosen.answers
        found: Any = croupier.decide(pos, chosen.move, wait.options.seat).position
        pos = found
    return pos


def test_a_move_begins_the_force_and_halts_the_one_before() -> None:
    pos = position("MovingPhase.act", goto="1724", ban="1724", itakura="2419/in")
    after = carried_out(pos, "move goto to 1725\nmove ban to 1625\ndone moving")
    assert (after.units["goto"].hex, after.units["ban"].hex) == ("1725", "1625")
    phase: Any = after.stack[-1]
    assert (phase.seat, phase.kind) == (KANTO, "reaction")


def test_names_in_japanese() -> None:
    pos = position("MovingPhase.act", goto="1724", ban="1724", itakura="2419/in")
    after = carried_out(pos, "move 後藤又兵衛 to 茨木城")
    assert after.units["goto"].hex == "1922"


def test_a_reorganisation_in_one_line() -> None:
    pos = position(
        "MovingPhase.act",
        goto="1724",
        ban="1724<goto",
        onjuku="1724<goto",
        katsunaga="1724",
        itakura="2419/in",
    )
    after = carried_out(pos, "regroup katsunaga+ban goto+onjuku")
    assert after.units["ban"].under == "katsunaga" and after.units["onjuku"].under == "goto"


def test_an_attack_from_several_hexes_in_one_line() -> None:
    pos = position("CombatPhase.markers", goto="1821", ban="2021", itakura="1922", toda="1922")
    after = carried_out(pos, "attack 1922 from 1821 2021")
    battle: Any = after.stack[-1]
    assert {e.attacker for e in battle.edges} == {"1821", "2021"}


def test_odds_before_an_attack() -> None:
    pos = position("CombatPhase.markers", goto="1821", ban="1821<goto", itakura="1922", katsunaga="2226")
    said = SANADA.odds(pos, Attack("1922", "1821"))
    assert said is not None and "rating 4 to 1" in said and "strength 4 (column 3-4), dice +3" in said
    assert "strength 2 (column 2), dice -3" in said and said.count("%") >= 4
    storm = SANADA.odds(pos, Assault("2226"))
    assert storm is not None and "koriyama 3-2" in storm and "dice -2" in storm
    assert SANADA.odds(pos, Overrun("1922", "goto")) is not None
    assert SANADA.odds(pos, Attack("1922", "1923")) is None and SANADA.odds(pos, Assault("1821")) is None


def test_random_games_find_nothing() -> None:
    found = fuzz.run(SANADA, games=1, seed=5)
    assert found["finished"] == 1, found


@pytest.mark.parametrize("seat", SIDES)
def test_a_bot_beats_random_play(seat: str) -> None:
    other = KANTO if seat == OSAKA else OSAKA
    players = {other: lambda seed: random_player(random.Random(seed))}
    (ended,) = arena.run(SANADA, "winter", numbers=[0], seed=3, players=players)
    assert ended.winners == (seat,)
