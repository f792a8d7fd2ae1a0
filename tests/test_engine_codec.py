"""The codec refuses what does not fit and says where; what fits has one encoding, both ways."""

from __future__ import annotations

import enum
import random
import tomllib
from dataclasses import dataclass, field, replace
from typing import NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import toml
from pbem.engine.codec import CodecError, Record, decode, encode
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.engine.waits import Ask, Over
from tests.tiny import TINY

Hex = NewType("Hex", str)


class Side(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Unit(Record):
    hex: Hex
    steps: int
    side: Side = Side.RED
    routed: bool = False
    path: tuple[Hex, ...] = ()
    stack: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Army(Record):
    name: str
    units: dict[str, Unit] = field(default_factory=dict)
    leader: Unit | None = None
    spare: tuple[Unit, ...] = ()


UNITS = st.builds(
    Unit,
    hex=st.text("0123456789", min_size=4, max_size=4).map(Hex),
    steps=st.integers(-(10**9), 10**9),
    side=st.sampled_from(Side),
    routed=st.booleans(),
    path=st.lists(st.just(Hex("0101")), max_size=3).map(tuple),
    stack=st.none() | st.tuples(st.text("ab", max_size=3), st.integers(0, 9)),
)
ARMIES = st.builds(
    Army,
    name=st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8),
    units=st.dictionaries(st.text("abc", min_size=1, max_size=3), UNITS, max_size=3),
    leader=st.none() | UNITS,
    spare=st.lists(UNITS, max_size=2).map(tuple),
)


@given(ARMIES)
def test_what_was_encoded_decodes_to_the_same_through_toml(army: Army) -> None:
    text = toml.dumps(encode(army, Army))
    again = decode(tomllib.loads(text), Army)
    assert again == army
    assert toml.dumps(encode(again, Army)) == text


def test_a_field_at_its_default_is_not_written() -> None:
    assert encode(Unit(Hex("0101"), 2), Unit) == {"hex": "0101", "steps": 2}
    assert encode(Unit(Hex("0101"), 2, routed=True), Unit) == {"hex": "0101", "steps": 2, "routed": True}


GOOD = {"name": "x", "units": {"u1": {"hex": "0101", "steps": 2}}}


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        ({"nmae": "x"}, "nmae", "unknown key (expected name, units, leader, spare)"),
        ({"name": 3}, "name", "expected str, found int"),
        ({"units": {"u1": {"hex": "0101"}}}, "units.u1.steps", "missing"),
        ({"units": {"u1": {"hex": "0101", "steps": True}}}, "units.u1.steps", "expected int, found bool"),
        ({"units": {"u1": {"hex": "0101", "steps": 2, "spets": 1}}}, "units.u1.spets", "unknown key"),
        (
            {"units": {"u1": {"hex": "0101", "steps": 2, "side": "green"}}},
            "units.u1.side",
            "none of red, blue",
        ),
        (
            {"units": {"u1": {"hex": "0101", "steps": 2, "side": ["red"]}}},
            "units.u1.side",
            "none of red, blue",
        ),
        ({"units": {"u1": {"hex": "0101", "steps": 2, "routed": 1}}}, "units.u1.routed", "expected bool"),
        (
            {"units": {"u1": {"hex": "0101", "steps": 2, "path": "0101"}}},
            "units.u1.path",
            "expected an array",
        ),
        (
            {"units": {"u1": {"hex": "0101", "steps": 2, "path": ["0101", 2]}}},
            "units.u1.path[1]",
            "expected str",
        ),
        (
            {"units": {"u1": {"hex": "0101", "steps": 2, "stack": ["a"]}}},
            "units.u1.stack",
            "expected 2 items",
        ),
        ({"units": {"u1": 5}}, "units.u1", "expected a table"),
        ({"units": []}, "units", "expected a table"),
        ({"spare": [{"hex": "0101", "steps": "2"}]}, "spare[0].steps", "expected int, found str"),
        ({"leader": {}}, "leader.hex", "missing"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path(change: dict, path: str, words: str) -> None:
    with pytest.raises(CodecError) as refused:
        decode({**GOOD, **change}, Army)
    assert refused.value.path == path
    assert words in refused.value.message
    assert refused.value.message.startswith(f"{path}: ")


def test_a_whole_document_of_the_wrong_kind_is_named() -> None:
    with pytest.raises(CodecError, match="document: expected a table, found list"):
        decode([], Army)


def test_a_record_keeps_its_line_and_a_changed_copy_has_its_own() -> None:
    unit = Unit(Hex("0101"), 2)
    assert unit.line() is unit.line()
    assert replace(unit, steps=1).line() == '{hex = "0101", steps = 1}'


# --- positions


class WatchfulMachine(Machine):
    """Reads every position back from its text before it is changed, and plays on with what was read."""

    seen = 0

    def apply(self, pos, answer):
        text = pos.text()
        again = self.read(tomllib.loads(text))
        assert again == pos
        assert again.text() == text
        wait, told = self.waits_for(again), self.waits_for(pos)
        assert type(wait) is type(told)
        if isinstance(wait, Ask):
            assert list(wait.options.list()) == list(told.options.list())
        self.seen += 1
        return super().apply(again, answer)


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("deck", ["own", "shared"])
def test_every_position_of_random_games_survives_its_own_text(seats: int, deck: str) -> None:
    for seed in range(4):
        rng = random.Random(f"{seats} {deck} {seed}")
        machine = WatchfulMachine(TINY, TINY.load_pack())
        croupier = Croupier(machine, rng)
        names = TINY.seat_names(None, "long", seats)
        result = croupier.settle(machine.start("long", {"deck": deck}, names))
        player = random_player(rng)
        while not isinstance(machine.waits_for(result.position), Over):
            result = croupier.play(result.position, dict.fromkeys(names, player))
        assert machine.seen > 50


def saved(seed: int = 1, moves: int = 5) -> tuple[Machine, Croupier, dict]:
    """A game under way, and its position as a document."""
    rng = random.Random(seed)
    machine = Machine(TINY, TINY.load_pack())
    croupier = Croupier(machine, rng)
    result = croupier.settle(machine.start("long", {"deck": "own"}, ("a", "b")))
    for _ in range(moves):
        result = croupier.play(result.position, dict.fromkeys("ab", random_player(rng)))
    return machine, croupier, tomllib.loads(result.position.text())


@pytest.mark.parametrize(
    ("spoil", "path"),
    [
        (lambda d: d["players"]["a"].update(stones="3"), "players.a.stones"),
        (lambda d: d["players"]["a"].update(luck=1), "players.a.luck"),
        (lambda d: d.update(moon="full"), "moon"),
        (lambda d: d.pop("seats"), "seats"),
        (lambda d: d.update(stack="Game.turn"), "stack"),
        (lambda d: d["stack"].append("Game.turn"), "stack[{n}]"),
        (lambda d: d["stack"].append({"at": "Gmae.turn"}), "stack[{n}].at"),
        (lambda d: d["stack"].append({"at": "Game.trun"}), "stack[{n}].at"),
        (lambda d: d["stack"].append({"at": "Action.deed"}), "stack[{n}].seat"),
        (lambda d: d["stack"].append({"at": "Action.deed", "seat": "a", "lfet": 2}), "stack[{n}].lfet"),
    ],
)
def test_a_position_that_does_not_fit_is_refused_with_its_path(spoil, path: str) -> None:
    machine, _, data = saved()
    frames = len(data["stack"])
    spoil(data)
    with pytest.raises(CodecError) as refused:
        machine.read(data)
    assert refused.value.path == path.format(n=frames)


def test_a_position_that_names_an_unknown_step_lists_the_known_ones() -> None:
    machine, _, data = saved()
    data["stack"].append({"at": "Blow.rol", "seat": "a", "target": "b"})
    with pytest.raises(CodecError, match=r"Blow has no step 'rol' \(steps: roll, lose, boast\)"):
        machine.read(data)


def test_no_field_of_a_position_holds_an_unopened_card() -> None:
    """Whatever the croupier knows, the text of a position never says which slot holds what."""
    for seed in range(10):
        _, croupier, data = saved(seed)
        for handle, slot in data.get("hidden", {}).items():
            assert set(slot) <= {"owner", "commitment", "holder"}
            value = croupier.truth[handle]
            assert value not in slot.values()
