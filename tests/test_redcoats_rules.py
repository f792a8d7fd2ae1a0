"""Redcoats as a whole: random play, hostile orders, saved positions, divisions, what players are shown."""

from __future__ import annotations

import random
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.redcoats.collapse import Collapsed, LevelChanged
from games.redcoats.division import Divisions, Duties
from games.redcoats.moves import Assault
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import SIDES
from games.redcoats.rules import REDCOATS
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine, Result
from pbem.engine.options import PUBLIC, Options
from pbem.engine.waits import Ask, Decision, Over
from pbem.engine.wording import halves, tell
from pbem.playtest import arena
from tests.misprints import nonsense

PACK = REDCOATS.load_pack()


def begin(scenario: str, seed: int, options: dict[str, str] | None = None) -> tuple[Croupier, Result]:
    croupier = Croupier(Machine(REDCOATS, PACK), random.Random(seed))
    return croupier, croupier.settle(croupier.machine.start(scenario, options or {}, SIDES))


def players(seed: int) -> dict[str, Any]:
    return dict.fromkeys(SIDES, random_player(random.Random(seed)))


def question(pos: RedcoatsPosition) -> Options:
    wait = Machine(REDCOATS, PACK).waits_for(pos)
    assert isinstance(wait, Ask)
    return wait.options


OTHERWISE = {name: values[-1] for name, values in REDCOATS.options(PACK).items()}
"""Every unclear rule read the other way."""


@pytest.mark.parametrize("scenario", ["trenton", "stony-point", "kings-mountain"])
def test_random_games_end_and_stay_sound(scenario: str) -> None:
    croupier, result = begin(scenario, 1, OTHERWISE)
    who = players(1)
    for number in range(5000):
        pos = result.position
        if isinstance(croupier.machine.waits_for(pos), Over):
            break
        if number % 7 == 0:
            again = croupier.machine.read(tomllib.loads(pos.text()))
            assert again == pos
            for side in SIDES:
                for table in ("at", "men", "foot", "zoc", "load"):
                    assert getattr(pos.stands(side), table) == getattr(again.stands(side), table)
        result = croupier.play(pos, who)
    assert result.position.outcome is not None


def test_a_game_played_from_its_files_is_the_same_game() -> None:
    """Nothing that matters is kept outside position.toml."""
    ends = []
    for through_file in (False, True):
        croupier, result = begin("stony-point", 11)
        who = players(11)
        for _ in range(250):
            pos = result.position
            if isinstance(croupier.machine.waits_for(pos), Over):
                break
            if through_file:
                pos = croupier.machine.read(tomllib.loads(pos.text()))
            result = croupier.play(pos, who)
        ends.append(result.position.text())
    assert ends[0] == ends[1]


@pytest.mark.parametrize("scenario", ["trenton", "kings-mountain"])
def test_hostile_orders_are_refused_with_a_reason(scenario: str) -> None:
    """Whatever is written, the answer is a refusal in words or a move that can be carried out."""
    croupier, result = begin(scenario, 3)
    rng, who = random.Random(3), players(3)
    accepted = 0
    for _ in range(150):
        pos = result.position
        if isinstance(croupier.machine.waits_for(pos), Over):
            break
        hexes = list(PACK.fields[pos.setting.field].hexes)
        words = [*pos.units, *rng.sample(hexes, 12), "", "@", "0000", "american"]
        words += [piece.hex for piece in pos.units.values()]
        options = question(pos)
        for kind in options.kinds():
            for _ in range(8):
                move = nonsense(rng, kind, words)
                refusal = options.why_not(move)
                assert refusal is None or (refusal.rule and refusal.reason), move
                if refusal is None:
                    croupier.machine.apply(pos, Decision(options.seat, move))
                    accepted += 1
        result = croupier.play(pos, who)
    assert accepted > 5


# --- 8.272: no division that is offered can end with a duty unmet


def graph(edges: set[tuple[int, int]], extra: set[tuple[int, int]]) -> Duties:
    """Duties of a made-up field: attackers a0…, defenders d0…."""
    links: dict[str, tuple[str, ...]] = {}
    bound: dict[str, tuple[str, ...]] = {}
    more: dict[str, tuple[str, ...]] = {}
    for a, d in sorted(edges):
        links[f"a{a}"] = (*links.get(f"a{a}", ()), f"d{d}")
        bound[f"d{d}"] = (*bound.get(f"d{d}", ()), f"a{a}")
    for a, d in sorted(extra - edges):
        more[f"a{a}"] = (*more.get(f"a{a}", ()), f"d{d}")
    return Duties("american", links, bound, more)


class Anywhere(Divisions):
    """A division without a map: everybody who has a link is there."""

    def _no_target(self, d: str) -> None:
        return None


pairs = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=16)


@settings(max_examples=150, deadline=None)
@given(pairs, pairs, st.integers(0, 2**32))
def test_every_offered_division_can_be_completed(
    edges: set[tuple[int, int]], extra: set[tuple[int, int]], seed: int
) -> None:
    """Whatever is picked among what is offered, the picking ends with every duty met exactly once."""
    known, rng = graph(edges, {pair for pair in extra if pair[1] > 4}), random.Random(seed)
    pos, gone, spent = REDCOATS.blank(PACK, {}, SIDES), (), ()
    battles: list[Assault] = []
    while known.done(gone, spent) is not None:
        offered = list(Anywhere(pos, known, gone, spent).moves(PUBLIC))
        assert offered, (known, gone, spent)
        sampled = Anywhere(pos, known, gone, spent).sample(rng, PUBLIC)
        assert sampled in offered
        move = rng.choice(offered)
        battles.append(move)
        gone, spent = (*gone, *move.targets), (*spent, *move.origins)
    fought = [h for b in battles for h in (*b.targets, *b.origins)]
    assert len(fought) == len(set(fought)), "nobody fights twice (8.24)"
    assert {*known.links, *known.bound} <= set(fought), "everybody with a duty fights (8.22)"
    for b in battles:
        assert all(known.may_fight(a, d) for a in b.origins for d in b.targets), "8.272(3)"


@settings(max_examples=100, deadline=None)
@given(pairs, st.data())
def test_who_would_be_left_out_is_named(edges: set[tuple[int, int]], data: st.DataObject) -> None:
    """A battle in contact that is refused for the duties of others names one of them."""
    known = graph(edges, set())
    if not known.links:
        return
    target = data.draw(st.sampled_from(sorted(known.bound)))
    some = data.draw(st.sets(st.sampled_from(known.bound[target]), min_size=1))
    move = Assault((target,), tuple(sorted(some)))
    family = Anywhere(REDCOATS.blank(PACK, {}, SIDES), known, (), ())
    refusal = family.why_not(move, PUBLIC)
    left = known.left_out(move.targets, move.origins)
    assert (refusal is None) == (left is None) == (move in list(family.moves(PUBLIC)))
    if refusal is not None and left is not None:
        assert refusal.rule == "8.22" and left[0] in refusal.reason


def test_a_stack_moves_with_one_line() -> None:
    assert REDCOATS.macros("move 17 46 to 2830", REDCOATS.blank(PACK, {}, SIDES), PUBLIC) == [
        "move 17 to 2830",
        "move 46 to 2830",
    ]
    assert REDCOATS.macros("move 17 to 2830", REDCOATS.blank(PACK, {}, SIDES), PUBLIC) is None


def test_odds_say_what_the_table_says() -> None:
    croupier, result = begin("kings-mountain", 5)
    bots = {side: REDCOATS.bot(side, 5) for side in SIDES}
    said = []
    while not result.position.outcome:
        pos = result.position
        wait = croupier.machine.waits_for(pos)
        if isinstance(wait, Ask) and wait.options.kind == "assault":
            for move in wait.options.list():
                if isinstance(move, Assault):
                    text = REDCOATS.odds(pos, move)
                    assert text is not None and sum(map(int, _percents(text))) == 100, text
                    said.append(text)
        result = croupier.play(pos, bots)
    assert said


def _percents(text: str) -> list[str]:
    line = next(line for line in text.splitlines() if line.startswith("result: "))
    return [word for word, sign in zip(line.split(), line.split()[1:], strict=False) if sign.startswith("%")]


@pytest.mark.parametrize(("scenario", "seat"), [("stony-point", "american"), ("kings-mountain", "british")])
def test_a_bot_beats_random_play(scenario: str, seat: str) -> None:
    other = {"american": "british", "british": "american"}[seat]
    stray = {other: lambda seed: random_player(random.Random(seed))}
    ended = arena.run(REDCOATS, scenario, 8, seed=2, players=stray)
    assert sum(seat in one.winners for one in ended) >= 7, ended


def test_half_points_below_nothing_are_told_as_they_are() -> None:
    """13.1: -1½ is not -2½, and half a point has no 0 before it."""
    assert [halves(n) for n in (6, 3, 1, 0, -1, -2, -3)] == ["3", "1½", "½", "0", "-½", "-1", "-1½"]
    pos = REDCOATS.start(REDCOATS.load_pack(), "trenton", {}, SIDES)
    assert tell(LevelChanged("american", -1, -3, "1va"), pos) == "american -½ (1va): -1½"
    assert "collapsed at -1½" in tell(Collapsed("american", -3, "british"), pos)
