"""Pig: a die is thrown as often as one dares; a 1 loses what the turn has won. Two to six players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.engine.events import Event
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Among, Options, View
from pbem.engine.position import Position
from pbem.engine.procedure import Dice, Goto, Procedure, chooses, rolls, rule
from pbem.engine.rules import Rules
from pbem.engine.shown import Choice, Tally


@dataclass(frozen=True, slots=True)
class Roll(Move):
    notation = "roll"


@dataclass(frozen=True, slots=True)
class Hold(Move):
    notation = "hold"


@dataclass(slots=True, kw_only=True)
class PigPosition(Position):
    goal: int = 30
    points: dict[str, int] = field(default_factory=dict)


class Kept(Event):
    says = "{seat} keeps {pot} and has {points}"
    seat: str
    pot: int
    points: int


class Won(Event):
    says = "{seat} has {points:# point|# points}"
    seat: str
    points: int


@dataclass(slots=True)
class Turns(Procedure):
    """The seats take turns until one has enough points."""

    seat: str
    pot: int = 0
    """What this turn has won and not yet kept."""

    def what(self, pos: PigPosition) -> Options:
        holds = [Hold()] if self.pot else []
        families = (
            Among(Roll, [Roll()], "2"),
            Among(Hold, holds, "4", lambda move: "there is nothing to keep"),
        )
        return Options(self.seat, families, "dare", f"{self.pot} in the pot: roll, or hold")

    @chooses("2", what)
    def dare(self, pos: PigPosition, move: Roll | Hold) -> Goto | None:
        """Roll as often as you dare, or hold."""
        return Goto("keep") if isinstance(move, Hold) else None

    @rolls("3", Dice(1, 6))
    def throw(self, pos: PigPosition, dice: tuple[int, ...]) -> Goto:
        """A 1 loses the pot and the turn; any other number goes into the pot."""
        self.pot = 0 if dice[0] == 1 else self.pot + dice[0]
        return Goto("dare") if self.pot else Goto("pass_on")

    @rule("4")
    def keep(self, pos: PigPosition) -> None:
        """Who holds keeps the pot; enough points win."""
        pos.points[self.seat] += self.pot
        pos.say(Kept(self.seat, self.pot, pos.points[self.seat]))
        if pos.points[self.seat] >= pos.goal:
            pos.end((self.seat,), Won(self.seat, pos.points[self.seat], rule="1"))

    @rule("5")
    def pass_on(self, pos: PigPosition) -> Goto:
        """The next seat's turn."""
        self.seat = pos.seats[(pos.seats.index(self.seat) + 1) % len(pos.seats)]
        self.pot, pos.turn = 0, pos.turn + 1
        return Goto("dare")


@dataclass(frozen=True)
class PigPack:
    """Pig has no data; a case may bring another goal."""

    goal: int = 0
    digest: str = "0" * 64


class PigRules(Rules[PigPosition, PigPack]):
    name, title, version, seats = "pig", "Pig", "1", (2, 6)
    position, procedures, moves = PigPosition, (Turns,), (Roll, Hold)

    def load_pack(self, path: Path | None = None) -> PigPack:
        return PigPack()

    def pack_from(self, tables: Mapping[str, Any]) -> PigPack:
        return PigPack(**tables)

    def scenarios(self, pack: PigPack) -> Mapping[str, str]:
        return {"race": "The first with enough points wins"}

    def choices(self, pack: PigPack) -> tuple[Choice, ...]:
        return (Choice("goal", ("30", "100"), "1", "How many points win?", ("A short game.", "A long one.")),)

    def seat_names(self, pack: PigPack, scenario: str, count: int) -> tuple[str, ...]:
        return ("ann", "ben", "cid", "dot", "eve", "fay")[:count]

    def start(
        self, pack: PigPack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> PigPosition:
        goal = pack.goal or int(options["goal"])
        pos = PigPosition(seats=seats, goal=goal, points=dict.fromkeys(seats, 0), turn=1)
        pos.stack.append(Turns(seats[0]))
        return pos

    def board(self, pos: PigPosition, view: View = PUBLIC) -> str:
        return "\n".join(f"{seat}: {points} of {pos.goal}" for seat, points in pos.points.items())

    def score(self, pos: PigPosition) -> tuple[Tally, ...]:
        return tuple(Tally(seat, "points kept", points, "4") for seat, points in pos.points.items())

    def advice(self, pos: PigPosition, options: Options) -> Move | None:
        frame = pos.stack[-1]
        enough = isinstance(frame, Turns) and (
            frame.pot >= 20 or pos.points[frame.seat] + frame.pot >= pos.goal
        )
        return Hold() if enough else Roll()

    def bot(self, seat: str, seed: int) -> Callable[[PigPosition, Options, View], Move]:
        return lambda pos, options, view: self.advice(pos, options) or Roll()


PIG = PigRules()
