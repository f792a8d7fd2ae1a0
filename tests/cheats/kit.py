"""How a cheat is tried: once with the checks that stop it taken out, and once with them in place."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from typing import Any
from unittest.mock import patch

from pbem.errors import PbemError
from tests.table import Player

TRIES = 5
"""So many times in a row nobody is lucky."""


class End(Enum):
    """What becomes of a cheat."""

    SUCCEEDS = "it works"
    REFUSED = "refused: nothing of it counts"
    NAMED = "its author is named, by everybody or in the audit"
    HEALED = "the game goes on as if it had not been tried"


Removed = tuple[Any, str, Any]
"""Whose check, its name, and what stands in its place."""
Attack = Callable[[], "bool | End"]


@dataclass(frozen=True)
class Cheat:
    """One dishonest player."""

    attack: Attack
    ends: End
    removed: tuple[Removed, ...]

    @property
    def name(self) -> str:
        return self.attack.__name__

    @property
    def room(self) -> str:
        """The file in which it stands."""
        return self.attack.__module__.rsplit(".", 1)[1]

    def without_checks(self) -> End:
        """What becomes of it when nobody looks."""
        with ExitStack() as stack:
            for owner, name, substitute in self.removed:
                stack.enter_context(patch.object(owner, name, substitute))
            return self._tried()

    def with_checks(self) -> End:
        """What becomes of it."""
        return self._tried()

    def _tried(self) -> End:
        try:
            got = self.attack()
        except PbemError:
            return End.REFUSED
        if isinstance(got, End):
            return got
        return End.SUCCEEDS if got else self.ends


CHEATS: dict[str, Cheat] = {}
"""Every cheat by its name."""


def cheat(ends: End, *removed: Removed) -> Callable[[Attack], Attack]:
    """Put a cheat into the catalogue."""

    def enter(attack: Attack) -> Attack:
        one = Cheat(attack, ends, removed)
        assert one.name not in CHEATS, f"{one.name} is there already"
        assert removed, f"{one.name} must say which check stops it"
        CHEATS[one.name] = one
        return attack

    return enter


def end_of(table: dict[str, Player], seat: str) -> End:
    """Whether everybody else holds a verdict against this seat."""
    verdicts = [player.ledger.state.verdict for player in table.values() if player.seat != seat]
    if all(verdict is not None and verdict.culprit == seat for verdict in verdicts):
        return End.NAMED
    return End.SUCCEEDS if not any(verdicts) else End.HEALED


def always(*_: Any, **__: Any) -> bool:
    """A check that is never one."""
    return True


def never(*_: Any, **__: Any) -> bool:
    return False


def nothing(*_: Any, **__: Any) -> None:
    """A check that does not look."""
