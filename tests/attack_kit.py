"""For tests of attacks: how one is judged, and a game of a die, a shuffle and a card in one stretch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import pytest

from pbem.engine.options import Among, Options
from pbem.engine.procedure import Deal, Dice, Procedure, Shuffling, chooses, deals, rolls, rule, shuffles
from tests.scenes import Weather
from tests.tiny.moves import Done, Hit
from tests.tiny.position import Ended

Attack = Callable[[], bool]
TRIES = 5
"""So many times in a row nobody is lucky."""


def works_only_without(
    monkeypatch: pytest.MonkeyPatch, attack: Attack, *removed: tuple[Any, str, Any]
) -> None:
    """The attack succeeds with the checks replaced, and not with them in place."""
    with monkeypatch.context() as patch:
        for owner, name, substitute in removed:
            patch.setattr(owner, name, substitute)
        assert attack(), "with the check removed the attack must succeed, or it shows nothing"
    assert not attack(), "the attack succeeds"


class Copied(Protocol):
    """A desk, or a table of people at one."""

    def copy(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Self: ...


T = TypeVar("T", bound=Copied)


def copies(start: T, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], T]:
    """The same beginning as often as it is asked for, each time in a folder of its own."""
    numbers = count()
    return lambda: start.copy(folder / f"copy-{next(numbers)}", monkeypatch)


CARDS = ("gold", "lead", "lead", "lead", "lead", "lead")


@dataclass(slots=True)
class Fortune(Procedure):
    """1.0 FORTUNE: a deed, a die, a shuffle, a card."""

    def deed(self, pos: Any) -> Options:
        families = (Among(Done, [Done()], "1.1"), Among(Hit, [Hit("b")], "1.1"))
        return Options("a", families, "deed", "what to do")

    @chooses("1.1", deed)
    def act(self, pos: Any, move: Any) -> None:
        """Seat a does something."""

    @rolls("1.2", Dice(1, 6))
    def roll(self, pos: Any, dice: tuple[int, ...]) -> None:
        """A die that everybody sees."""

    def deck(self, pos: Any) -> Shuffling:
        """Of seat a alone in the short game, shared in the long one."""
        return Shuffling("deck", "a" if pos.last == 6 else "", CARDS)

    @shuffles("1.3", deck)
    def shuffle(self, pos: Any) -> None:
        """The deck is shuffled."""

    def one(self, pos: Any) -> tuple[Deal, ...]:
        return (Deal("deck", "a"),)

    @deals("1.4", one)
    def draw(self, pos: Any, dealt: Any) -> None:
        """Seat a draws a card and keeps it."""

    def more(self, pos: Any) -> Options:
        return self.deed(pos)

    @chooses("1.5", more)
    def after(self, pos: Any, move: Any) -> None:
        """Time to look at the card."""

    @rule("1.6")
    def over(self, pos: Any) -> None:
        """The end."""
        pos.end((), Ended("the card is drawn"))


class Reshuffling(Weather):
    """After a die that everybody knows, seat a shuffles its deck and draws from it."""

    name = "reshuffling"

    procedures = (Fortune,)

    def start(self, pack: Any, scenario: str, options: Any, seats: tuple[str, ...]) -> Any:
        pos = super().start(pack, scenario, options, seats)
        pos.stack = [Fortune()]
        return pos

    def options(self, pack: Any) -> dict[str, tuple[str, ...]]:
        return {"deck": ("own", "shared")}

    def shared_decks(self, pack: Any, scenario: str, options: Any) -> tuple[str, ...]:
        return ("deck",) if options.get("deck") == "shared" else ()
