"""Games with a fault each, for the tests of fuzz (installed/broken)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine.options import Among, Options
from pbem.engine.procedure import Goto, Procedure, chooses
from tests.tiny.moves import Done, Hit
from tests.tiny.position import TinyPosition
from tests.tiny.rules import TinyPack, TinyRules


@dataclass(slots=True)
class Loop(Procedure):
    """Asks the same for ever."""

    def what(self, pos: TinyPosition) -> Options:
        return Options("a", (Among(Hit, [Hit("b")], "1.1"), Among(Done, [Done()], "1.1")), "deed")

    @chooses("1.1", what)
    def again(self, pos: TinyPosition, move: Any) -> Goto:
        return Goto("again")


@dataclass(slots=True)
class Nothing(Procedure):
    """Asks without a legal answer."""

    def what(self, pos: TinyPosition) -> Options:
        return Options("a", (Among(Hit, [], "1.1"),), "deed")

    @chooses("1.1", what)
    def ask(self, pos: TinyPosition, move: Any) -> None:
        raise AssertionError("there was an answer")


class Faulty(TinyRules):
    """The tiny game, begun with a procedure that has a fault."""

    first: ClassVar[type[Procedure]]

    def start(
        self, pack: TinyPack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> TinyPosition:
        pos = super().start(pack, scenario, options, seats)
        pos.stack = [self.first().begin()]
        return pos


class Endless(Faulty):
    name = "endless"
    procedures = (Loop,)
    first = Loop


class Stuck(Faulty):
    name = "stuck"
    procedures = (Nothing,)
    first = Nothing


class Crash(TinyRules):
    name = "crash"

    def check(self, pos: TinyPosition) -> None:
        assert pos.turn < 2, "the second turn"


ENDLESS, STUCK, CRASH = Endless(), Stuck(), Crash()


class Cheat(TinyRules):
    """A bot that answers what it was not asked."""

    name = "cheat"

    def bot(self, seat: str, seed: int) -> Any:
        return lambda pos, options, view: Hit("b")


CHEAT = Cheat()
