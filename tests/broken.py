"""Games with a fault each, for the tests of fuzz (installed/broken)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine.notation import Move
from pbem.engine.options import Among, Options
from pbem.engine.procedure import Goto, Procedure, chooses, rule
from tests.tiny.moves import Done, Hit
from tests.tiny.position import Ended, TinyPosition
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
        pos.stack = [self.first()]
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


@dataclass(frozen=True, slots=True)
class Nudge(Move):
    """Says that nobody else can come to decide after it."""

    notation = "nudge"
    interrupts: ClassVar[bool] = False


@dataclass(slots=True)
class Nudging(Procedure):
    """Each nudge makes the other seat decide."""

    seat: str = "a"
    left: int = 3

    def what(self, pos: TinyPosition) -> Options:
        families = (Among(Nudge, [Nudge()], "1.1"), Among(Done, [Done()], "1.1"))
        return Options(self.seat, families, "nudge")

    @chooses("1.1", what)
    def nudge(self, pos: TinyPosition, move: Any) -> Goto:
        self.seat = "b" if self.seat == "a" else "a"
        self.left -= 1
        if not self.left:
            pos.end((), Ended("enough"))
        return Goto("nudge")


class Liar(Faulty):
    name = "liar"
    procedures = (Nudging,)
    moves = (Nudge, Done)
    first = Nudging
    asks = {"nudge": ()}


@dataclass(slots=True)
class Listing(Procedure):
    """Keeps a list where a tuple is declared."""

    seats: tuple[str, ...] = ()

    def what(self, pos: TinyPosition) -> Options:
        return Options("a", (Among(Hit, [Hit("b")], "1.1"), Among(Done, [Done()], "1.1")), "deed")

    @rule("1.0")
    def gather(self, pos: TinyPosition) -> None:
        self.seats = ["a", "b"]  # type: ignore[assignment]

    @chooses("1.1", what)
    def deed(self, pos: TinyPosition, move: Any) -> None:
        pos.end((), Ended("enough"))


class Lister(Faulty):
    name = "lister"
    procedures = (Listing,)
    moves = (Hit, Done)
    first = Listing


class Stranger(Lister):
    """Offers a move that it does not list."""

    name = "stranger"
    moves = (Hit,)


class Mute(Lister):
    """Says that only b is asked what it asks a."""

    name = "mute"
    asks = {"deed": ("b",)}


LIAR, LISTER, STRANGER, MUTE = Liar(), Lister(), Stranger(), Mute()


class Cheat(TinyRules):
    """A bot that answers what it was not asked."""

    name = "cheat"

    def bot(self, seat: str, seed: int) -> Any:
        return lambda pos, options, view: Hit("b")


CHEAT = Cheat()
