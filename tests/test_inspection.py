"""Loading a rule module names the slips that would otherwise be met in somebody's tenth turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from pbem.engine.inspection import faults
from pbem.engine.machine import Machine
from pbem.engine.notation import Handle, Move
from pbem.engine.options import Among, Options
from pbem.engine.position import Position
from pbem.engine.procedure import Become, Perform, Procedure, chooses, rule
from tests.tiny.moves import Done
from tests.tiny.position import Ended
from tests.tiny.rules import TINY, TinyRules


@dataclass(slots=True)
class Fine(Procedure):
    @rule("1.1")
    def act(self, pos: Any) -> Become:
        return Become(Forgotten())


@dataclass(slots=True)
class Forgotten(Procedure):
    @rule("1.2")
    def act(self, pos: Any) -> Perform:
        return Perform(Fine())


@dataclass(slots=True)
class Listed(Procedure):
    units: list[str]  # type: ignore[misc]

    @rule("1.1")
    def act(self, pos: Any) -> None: ...


class Bare(Procedure):
    @rule("1.1")
    def act(self, pos: Any) -> None: ...


@dataclass
class Loose(Procedure):
    @rule("1.1")
    def act(self, pos: Any) -> None: ...


@dataclass(slots=True)
class Empty(Procedure):
    seat: str = ""


@dataclass(slots=True)
class Own(Procedure):
    def __post_init__(self) -> None: ...

    @rule("1.1")
    def act(self, pos: Any) -> None: ...


@dataclass(slots=True)
class Asks(Procedure):
    def what(self, pos: Any) -> Options:
        return Options("a", (Among(Done, [Done()], "1.1"),))

    @chooses("1.1", what)
    def act(self, pos: Any, move: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class Misspelt(Move):
    notation = "go {where}"
    there: str


@dataclass(frozen=True, slots=True)
class Keeps(Move):
    notation = "keep {card}"
    secret: ClassVar[tuple[str, ...]] = ("crad",)
    card: Handle


@dataclass(frozen=True, slots=True)
class Mute(Move):
    pass


class Thawed(Move):
    notation = "thaw"


@dataclass(slots=True, kw_only=True)
class ListPosition(Position):
    units: list[str] | None = None


def module(**changed: Any) -> Any:
    return type("Changed", (TinyRules,), changed)()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"procedures": (*TINY.procedures, Fine)},
            "Fine.act refers to Forgotten, which is not among the proc",
        ),
        (
            {"procedures": (*TINY.procedures, Listed)},
            "procedure Listed: no codec for list[str]; lists and sets",
        ),
        ({"procedures": (*TINY.procedures, Bare)}, "procedure Bare lacks @dataclass"),
        ({"procedures": (*TINY.procedures, Loose)}, "procedure Loose lacks slots=True"),
        ({"procedures": (*TINY.procedures, Empty)}, "procedure Empty has no step"),
        ({"procedures": (*TINY.procedures, Own)}, "procedure Own has a __post_init__ of its own"),
        ({"procedures": TINY.procedures[1:]}, "start refers to Game, which is not among the procedures"),
        ({"procedures": (Asks,), "moves": ()}, "Asks.what refers to Done, which is not among the moves"),
        ({"moves": (*TINY.moves, Misspelt)}, "move Misspelt: Misspelt: notation names ['where'], fields are"),
        ({"moves": (*TINY.moves, Keeps)}, "move Keeps keeps crad secret, which is none of its fields"),
        ({"moves": (*TINY.moves, Mute)}, "move Mute: "),
        ({"moves": (*TINY.moves, Thawed)}, "move Thawed is no frozen dataclass"),
        ({"position": ListPosition}, "position ListPosition: no codec for list[str]"),
    ],
)
def test_a_slip_is_named(changed: dict[str, Any], said: str) -> None:
    assert faults(TINY) == []
    found = faults(module(**changed))
    assert any(said in fault for fault in found), found


def test_a_procedure_that_is_not_listed_is_not_performed() -> None:
    """Also where no reading of the code can tell: a position with it could not be read again."""
    rules = module(procedures=(Fine,))
    pos = rules.position(seats=("a", "b"))
    pos.stack.append(Fine())
    with pytest.raises(AssertionError, match="Forgotten is not among the procedures of tiny"):
        Machine(rules, None).settle(pos)
    pos.stack = [Forgotten()]
    with pytest.raises(AssertionError, match="Forgotten is not among"):
        Machine(rules, None).settle(pos)


def test_a_new_frame_stands_at_its_first_step() -> None:
    assert Fine().at == "act"


def test_a_claim_that_nobody_can_check_is_not_made() -> None:
    @dataclass(slots=True)
    class Swears(Procedure):
        @rule("1.1")
        def act(self, pos: Any) -> None:
            pos.claim("a", "no silver")
            pos.end((), Ended("enough"))

    rules = module(procedures=(Swears,))
    pos = rules.position(seats=("a", "b"))
    pos.stack.append(Swears())
    with pytest.raises(AssertionError, match="does not say how the audit checks 'no silver'"):
        Machine(rules, None).settle(pos)
