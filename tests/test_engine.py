"""The engine: one door, one source of legality, positions that outlive their rules, no runaway."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from pbem.engine import machine as machine_module
from pbem.engine.codec import CodecError
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.engine.notation import Handle, Move, write
from pbem.engine.options import Among, Options, View
from pbem.engine.position import Position
from pbem.engine.procedure import (
    Goto,
    Perform,
    Procedure,
    chooses,
    chooses_secretly,
    rule,
)
from pbem.engine.waits import Ask, AskSealed, Decision, Over
from pbem.errors import RulesError
from tests.tiny import TINY
from tests.tiny import cards as tiny_cards
from tests.tiny import rules as tiny_rules
from tests.tiny import turns as tiny_turns
from tests.tiny.moves import Bid, Boast, Bury, Done, Fetch, Hit, Lose, Play, PutChits, Swear
from tests.tiny.position import Ended


def table(seats: int = 2, scenario: str = "short", deck: str = "own", seed: object = 1):
    """A local game: machine, croupier, first result, players."""
    rng = random.Random(f"{seed}")
    machine = Machine(TINY, TINY.load_pack())
    croupier = Croupier(machine, rng)
    names = TINY.seat_names(None, scenario, seats)
    result = croupier.settle(machine.start(scenario, {"deck": deck}, names))
    return machine, croupier, result, dict.fromkeys(names, random_player(rng))


def play_on(machine: Machine, croupier: Croupier, pos: Position, players: dict) -> Iterable[Position]:
    """Every position in which somebody must decide, to the end of the game."""
    while not isinstance(machine.waits_for(pos), Over):
        yield pos
        pos = croupier.play(pos, players).position
    yield pos


# --- a step more, a step less


def with_a_step_more() -> type[Procedure]:
    """The tiny game's Turn as a later version might have it: a step in the middle."""

    @dataclass(slots=True)
    class Turn(Procedure):
        fill = tiny_turns.Turn.fill
        bid = tiny_turns.Turn.bid

        @rule("3.2")
        def toast(self, pos: Any) -> None:
            """New in this edition."""
            pos.say(Ended("a toast"))

        draw = tiny_turns.Turn.draw
        empty = tiny_turns.Turn.empty
        chits = tiny_turns.Turn.chits
        bids = tiny_turns.Turn.bids
        in_cup = tiny_turns.Turn.in_cup

    return Turn


def test_a_step_put_into_a_procedure_breaks_no_saved_position(monkeypatch: pytest.MonkeyPatch) -> None:
    old, croupier, result, players = table(scenario="long", seed="step")
    saved = [pos.text() for pos in play_on(old, croupier, result.position, players)][:-1]
    newer = with_a_step_more()
    monkeypatch.setattr(tiny_turns, "Turn", newer)

    class Newer(tiny_rules.TinyRules):
        procedures = (
            tiny_turns.Game,
            newer,
            tiny_turns.Action,
            tiny_cards.Refill,
            tiny_turns.Blow,
            tiny_cards.Effect,
        )

    machine = Machine(Newer(), old.pack)
    for text in saved:
        pos = machine.read(tomllib.loads(text))
        assert pos.text() == text
        assert type(machine.waits_for(pos)) is type(old.waits_for(old.read(tomllib.loads(text))))
    croupier.machine = machine
    toasts = 0
    pos = machine.read(tomllib.loads(saved[0]))
    fresh = Croupier(machine, random.Random(3))
    fresh.truth = dict(croupier.truth)
    while not isinstance(machine.waits_for(pos), Over):
        result = fresh.play(pos, players)
        toasts += sum(e == Ended("a toast", rule="3.2") for e in result.events)
        pos = result.position
    assert toasts == 6


def test_a_step_taken_out_is_named_when_an_old_game_stands_on_it() -> None:
    machine, croupier, result, players = table(seed="gone")

    @dataclass(slots=True)
    class Turn(Procedure):
        fill = tiny_turns.Turn.fill
        chits = tiny_turns.Turn.chits

    class Newer(tiny_rules.TinyRules):
        procedures = (tiny_turns.Game, Turn, tiny_turns.Action)

    texts = [pos.text() for pos in play_on(machine, croupier, result.position, players)]
    text = next(t for t in texts if "Turn.bid" in t)
    with pytest.raises(CodecError, match=r"Turn has no step 'bid' \(steps: fill\)"):
        Machine(Newer(), machine.pack).read(tomllib.loads(text))


# --- options: what is listed is what is accepted


def candidates(pos: Any, view: View) -> list[Move]:
    """Far more moves than are ever legal."""
    handles = [Handle(h) for h in pos.hidden]
    found: list[Move] = [Done(), Swear(), Boast(0), Boast(1), Boast(2)]
    found += [Bid(n) for n in range(-1, 6)]
    found += [Hit(s) for s in (*pos.seats, "z")]
    found += [Lose(w) for w in ("stone", "point", "face", "faith")]
    found += [PutChits(c) for c in itertools.product(("act", "rest", "x"), repeat=2)]
    found += [kind(h) for kind in (Play, Bury) for h in handles]
    found += [Fetch(h) for h in handles if view.value(h) != "gold"]
    return found


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("deck", ["own", "shared"])
def test_what_is_listed_is_what_is_accepted_and_what_is_sampled(seats: int, deck: str) -> None:
    rng = random.Random(7)
    asked = 0
    for seed in range(6):
        machine, croupier, result, players = table(seats, "long", deck, seed)
        for pos in play_on(machine, croupier, result.position, players):
            wait = machine.waits_for(pos)
            questions = (wait.options,) if isinstance(wait, Ask) else getattr(wait, "options", ())
            for options in questions:
                view = croupier.view(pos, options.seat, options)
                listed = list(options.list(view))
                assert listed == list(options.list(view))
                assert len(set(listed)) == len(listed)
                for move in listed:
                    assert options.contains(move, view), f"listed but refused: {write(move)}"
                for move in candidates(pos, view):
                    refusal = options.why_not(move, view)
                    assert (refusal is None) == (move in listed), f"{write(move)} in {pos.text()}"
                    assert refusal is None or refusal.reason
                for _ in range(5):
                    assert options.sample(rng, view) in listed
                asked += 1
    assert asked > 100


def test_a_refused_move_changes_nothing_and_says_which_rule() -> None:
    machine, croupier, result, players = table(seed="refused")
    for pos in play_on(machine, croupier, result.position, players):
        wait = machine.waits_for(pos)
        if isinstance(wait, Ask) and wait.options.kind == "deed":
            break
    text = pos.text()
    seat = wait.options.seat
    with pytest.raises(RulesError) as refused:
        machine.apply(pos, Decision(seat, Hit(seat)))
    assert refused.value.rule == "5.1" and refused.value.message == f"{seat} is no enemy"
    with pytest.raises(RulesError, match="the question now is another: what to do"):
        machine.apply(pos, Decision(seat, Lose("face")))
    other = next(s for s in pos.seats if s != seat)
    with pytest.raises(RulesError, match=f"it is {seat}'s decision, not {other}'s"):
        machine.apply(pos, Decision(other, Done()))
    card = pos.players[seat].hand[0]
    with pytest.raises(RulesError, match="the card played is not opened"):
        machine.apply(pos, Decision(seat, Play(card)))
    assert pos.text() == text


# --- small games made for one question each


@dataclass(frozen=True, slots=True)
class Pick(Move):
    notation = "pick {what}"
    what: str


@dataclass(slots=True, kw_only=True)
class SmallPosition(Position):
    total: int = 0


def small(first: type[Procedure], check: Any = None) -> Machine:
    """A game of one procedure."""

    class SmallRules(tiny_rules.TinyRules):
        name = "small"
        title = "Small"
        version = "1"
        position = SmallPosition
        procedures = (first,)
        moves = (Pick,)

        def start(self, pack, scenario, options, seats):
            pos = SmallPosition(seats=seats)
            pos.stack.append(first())
            return pos

        def check(self, pos):
            if check:
                check(pos)

    return Machine(SmallRules(), None)


def question(*what: str, hidden: bool = False) -> Options:
    return Options("a", (Among(Pick, [Pick(w) for w in what], "1.1"),), "pick", "pick one", hidden=hidden)


@dataclass(slots=True)
class OneChoice(Procedure):
    def only(self, pos: SmallPosition) -> Options:
        return question("this")

    @chooses("1.1", only)
    def pick(self, pos: SmallPosition, move: Pick) -> None:
        pos.total += 1

    def only_hidden(self, pos: SmallPosition) -> Options:
        return question("that", hidden=True)

    @chooses("1.2", only_hidden)
    def pick_hidden(self, pos: SmallPosition, move: Pick) -> None:
        pos.total += 1

    def only_sealed(self, pos: SmallPosition) -> list[Options]:
        return [question("sealed")]

    @chooses_secretly("1.3", only_sealed)
    def pick_sealed(self, pos: SmallPosition, moves: dict[str, Pick]) -> None:
        pos.end((), Ended("done"))


def test_the_only_choice_is_played_and_reported_but_never_a_hidden_or_sealed_one() -> None:
    machine = small(OneChoice)
    result = machine.start("", {}, ("a", "b"))
    assert [e.data for e in result.events] == [{"seat": "a", "order": "pick this"}]
    assert result.events[0].rule == "1.1" and result.events[0].data["order"] == "pick this"
    wait = machine.waits_for(result.position)
    assert isinstance(wait, Ask) and wait.rule == "1.2"
    result = machine.apply(result.position, Decision("a", Pick("that")))
    wait = machine.waits_for(result.position)
    assert isinstance(wait, AskSealed) and wait.rule == "1.3"
    assert result.position.total == 2


@dataclass(slots=True)
class Counting(Procedure):
    def two(self, pos: SmallPosition) -> Options:
        return question("up", "down")

    @chooses("1.1", two)
    def count(self, pos: SmallPosition, move: Pick) -> Goto:
        pos.total += 1 if move.what == "up" else -1
        return Goto("count")


def test_an_invariant_that_breaks_stops_the_apply_and_leaves_the_position() -> None:
    def check(pos: SmallPosition) -> None:
        assert pos.total >= 0, f"total is {pos.total}"

    machine = small(Counting, check)
    pos = machine.start("", {}, ("a", "b")).position
    text = pos.text()
    with pytest.raises(AssertionError, match="total is -1"):
        machine.apply(pos, Decision("a", Pick("down")))
    assert pos.text() == text
    assert machine.apply(pos, Decision("a", Pick("up"))).position.total == 1


@dataclass(slots=True)
class Runaway(Procedure):
    @rule("1.1")
    def around(self, pos: SmallPosition) -> Goto:
        return Goto("around")


@dataclass(slots=True)
class Tower(Procedure):
    @rule("1.1")
    def up(self, pos: SmallPosition) -> Perform:
        return Perform(Tower())


@dataclass(slots=True)
class Lost(Procedure):
    @rule("1.1")
    def away(self, pos: SmallPosition) -> Goto:
        return Goto("nowhere")


@dataclass(slots=True)
class Fading(Procedure):
    @rule("1.1")
    def out(self, pos: SmallPosition) -> None:
        """The rules end, the game does not."""


@pytest.mark.parametrize(
    ("procedure", "words"),
    [
        (Runaway, "the rules run away at around"),
        (Tower, "the rules run away at up"),
        (Lost, "Lost has no step nowhere"),
        (Fading, "the rules ended without an outcome"),
    ],
)
def test_rules_that_go_wrong_are_stopped_and_named(
    procedure: type[Procedure], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_module, "RUNAWAY", 500)
    with pytest.raises(AssertionError, match=words):
        small(procedure).start("", {}, ("a", "b"))


# --- the same bytes on every machine

PLAY = """
import random
from tests.test_engine import play_on, table
from tests.table import play_out, players
for seats, deck in ((2, "own"), (3, "shared")):
    machine, croupier, result, who = table(seats, "short", deck, "hash seed")
    for pos in play_on(machine, croupier, result.position, who):
        print(pos.text())
    seats = players(seats, options={"deck": deck})
    for raw in play_out(seats, random.Random(9)):
        print(raw.decode())
    for logged in seats["a"].log:
        print(logged.text(), logged.position)
"""


def test_two_hash_seeds_give_the_same_bytes() -> None:
    outputs = []
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()}
        done = subprocess.run([sys.executable, "-c", PLAY], env=environment, capture_output=True, check=True)
        outputs.append(done.stdout)
    assert len(outputs[0]) > 100_000
    assert outputs[0] == outputs[1]
